//! Time per kernel.

use std::time::Duration;

/// What one kernel took since the account was last taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelTime {
    /// Name of the kernel.
    pub name: &'static str,
    /// Milliseconds in all.
    pub ms: f64,
    /// Times it ran.
    pub runs: u32,
}

/// Time per kernel, in order of first use.
#[derive(Default)]
pub struct Timings {
    off: bool,
    list: Vec<KernelTime>,
}

impl Timings {
    pub(super) fn set_on(&mut self, on: bool) {
        self.off = !on;
    }
    pub(super) fn add(&mut self, name: &'static str, time: Duration) {
        if self.off {
            return;
        }
        let ms = time.as_secs_f64() * 1e3;
        match self.list.iter_mut().find(|t| t.name == name) {
            Some(t) => {
                t.ms += ms;
                t.runs += 1;
            }
            None => self.list.push(KernelTime { name, ms, runs: 1 }),
        }
    }
    pub(super) fn take(&mut self) -> Vec<KernelTime> {
        std::mem::take(&mut self.list)
    }
}
