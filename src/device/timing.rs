//! Time per kernel, and for what it ran.

use std::time::Duration;

/// What one kernel took for one part of the work since the account was last taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelTime {
    /// Name of the kernel.
    pub name: &'static str,
    /// What it ran for, as [`super::Device::part`] was told; empty outside of all parts.
    pub part: &'static str,
    /// Milliseconds in all.
    pub ms: f64,
    /// Times it ran.
    pub runs: u32,
}

/// Time per kernel, in order of first use.
#[derive(Default)]
pub struct Timings {
    off: bool,
    part: &'static str,
    list: Vec<KernelTime>,
}

impl Timings {
    pub(super) fn set_on(&mut self, on: bool) {
        self.off = !on;
    }
    /// What runs from now on is for `part`. Gives back what it was for before.
    pub(super) fn set_part(&mut self, part: &'static str) -> &'static str {
        std::mem::replace(&mut self.part, part)
    }
    /// For the part that is on now.
    pub(super) fn add(&mut self, name: &'static str, time: Duration) {
        self.add_to(self.part, name, time);
    }
    /// For a part that was on when the kernel was sent off.
    pub(super) fn add_to(&mut self, part: &'static str, name: &'static str, time: Duration) {
        if self.off {
            return;
        }
        let ms = time.as_secs_f64() * 1e3;
        match self
            .list
            .iter_mut()
            .find(|t| t.name == name && t.part == part)
        {
            Some(t) => {
                t.ms += ms;
                t.runs += 1;
            }
            None => self.list.push(KernelTime {
                name,
                part,
                ms,
                runs: 1,
            }),
        }
    }
    pub(super) fn take(&mut self) -> Vec<KernelTime> {
        std::mem::take(&mut self.list)
    }
}
