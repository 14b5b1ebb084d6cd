//! What the frames of late consisted of.

use crate::device::KernelTime;
use crate::params::label_from_name;
use crate::sim::Snapshot;

/// Frames that are drawn.
pub const SHOWN: usize = 120;
/// Frames over which numbers are averaged: they can be read while the simulation plays.
const AVERAGED: usize = 30;
/// A kernel goes before another one only where it takes so many times as long: rows that swap places all the time cannot
/// be read.
const CLEARLY: f64 = 1.25;

/// A kernel, and what it ran for.
pub type Name = (&'static str, &'static str);

/// A frame and its kernels.
pub struct Frame<'a> {
    pub frame: u32,
    pub ms: f64,
    pub kernels: &'a [KernelTime],
}

impl Frame<'_> {
    /// What a kernel took of it, ms.
    pub fn of(&self, name: Name) -> f64 {
        let same = |k: &&KernelTime| (k.name, k.part) == name;
        self.kernels.iter().filter(same).map(|k| k.ms).sum()
    }
}

/// The last frames; where none is in the history yet, the one of the report, as during a warm-up.
pub fn frames(snapshot: &Snapshot) -> Vec<Frame<'_>> {
    let history = &snapshot.history;
    let late = &history[history.len().saturating_sub(SHOWN)..];
    let mut frames: Vec<Frame<'_>> = late
        .iter()
        .map(|p| Frame {
            frame: p.frame,
            ms: f64::from(p.frame_ms),
            kernels: &p.kernels,
        })
        .collect();
    if frames.is_empty() && snapshot.frame_ms > 0.0 {
        frames.push(Frame {
            frame: snapshot.frame,
            ms: f64::from(snapshot.frame_ms),
            kernels: &snapshot.report.kernels,
        });
    }
    frames
}

/// The frames over which numbers are averaged.
pub fn late<'a, 'b>(frames: &'b [Frame<'a>]) -> &'b [Frame<'a>] {
    &frames[frames.len().saturating_sub(AVERAGED)..]
}

/// What a frame takes, ms, averaged over the last ones; none before the first.
pub fn mean_ms(snapshot: &Snapshot) -> Option<f64> {
    let history = &snapshot.history;
    let late = &history[history.len().saturating_sub(AVERAGED)..];
    let sum: f64 = late.iter().map(|p| f64::from(p.frame_ms)).sum();
    let now = f64::from(snapshot.frame_ms);
    match late.len() {
        0 => (now > 0.0).then_some(now),
        n => Some(sum / n as f64),
    }
}

/// A kernel with what it takes a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub name: Name,
    pub ms: f64,
    pub runs: f64,
}

/// Every kernel of the frames, averaged over the last of them, in the order kept in `order`.
pub fn parts(frames: &[Frame<'_>], order: &mut Vec<Name>) -> Vec<Part> {
    let late = late(frames);
    let n = late.len().max(1) as f64;
    let mut all: Vec<Part> = Vec::new();
    for kernel in frames.iter().flat_map(|f| f.kernels) {
        let name = (kernel.name, kernel.part);
        if kernel.ms > 0.0 && !all.iter().any(|p| p.name == name) {
            all.push(Part {
                name,
                ms: late.iter().map(|f| f.of(name)).sum::<f64>() / n,
                runs: late
                    .iter()
                    .flat_map(|f| f.kernels)
                    .filter(|k| (k.name, k.part) == name)
                    .map(|k| f64::from(k.runs))
                    .sum::<f64>()
                    / n,
            });
        }
    }
    all.sort_by(|a, b| b.ms.total_cmp(&a.ms));
    order.retain(|name| all.iter().any(|p| p.name == *name));
    for part in &all {
        if !order.contains(&part.name) {
            order.push(part.name);
        }
    }
    let place = |order: &[Name], part: &Part| order.iter().position(|name| *name == part.name);
    all.sort_by_key(|part| place(order, part));
    settle(&mut all);
    order.clear();
    order.extend(all.iter().map(|p| p.name));
    all
}

/// Moves a part up where it clearly takes longer than the one before it.
fn settle(parts: &mut [Part]) {
    for i in 1..parts.len() {
        let mut at = i;
        while at > 0 && parts[at].ms > parts[at - 1].ms * CLEARLY {
            parts.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// The kernel's name, with what it ran for where it ran for more than one part of the frame.
pub fn called(name: Name, all: &[Part]) -> String {
    let label = label_from_name(name.0);
    let once = all.iter().filter(|p| p.name.0 == name.0).count() == 1;
    match name.1 {
        part if once || part.is_empty() => label,
        part => format!("{label}, {part}"),
    }
}

/// What dominates, in words.
pub fn verdict(parts: &[Part]) -> String {
    let Some(first) = parts.iter().max_by(|a, b| a.ms.total_cmp(&b.ms)) else {
        return String::new();
    };
    let total: f64 = parts.iter().map(|p| p.ms).sum();
    let share = first.ms / total.max(1e-9) * 100.0;
    let name = label_from_name(first.name.0);
    let name = match first.name.1 {
        "" => name,
        part => format!("{name} for the {part}"),
    };
    if share > 50.0 {
        format!("{share:.0} % of the work is in {name}. To be faster, begin there.")
    } else {
        format!("The work is spread out; the largest part is {name}, {share:.0} %.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &'static str, of: &'static str, ms: f64) -> Part {
        let name = (name, of);
        Part {
            name,
            ms,
            runs: 1.0,
        }
    }

    #[test]
    fn the_verdict_names_what_dominates() {
        let text = verdict(&[part("jacobi_sweep", "", 8.0), part("advect", "", 2.0)]);
        assert!(text.contains("Jacobi sweep") && text.contains("80 %"));
        let text = verdict(&[part("a", "", 3.0), part("b", "", 4.0), part("c", "", 3.0)]);
        assert!(text.contains("spread out") && text.contains("B, 40 %"));
        let twice = ["pressure", "viscosity of u"].map(|of| part("jacobi_sweep", of, 5.0));
        let second = twice[1].name;
        assert_eq!(called(second, &twice), "Jacobi sweep, viscosity of u");
        assert_eq!(called(second, &twice[1..]), "Jacobi sweep");
    }

    #[test]
    fn rows_keep_their_places_until_one_clearly_takes_longer() {
        let kernels = |a: f64, b: f64| {
            let time = |name, ms| KernelTime {
                name,
                part: "",
                ms,
                runs: 2,
            };
            vec![time("a", a), time("b", b)]
        };
        let mut order = Vec::new();
        let mut names = |a, b| -> Vec<&str> {
            let kernels = kernels(a, b);
            let frame = Frame {
                frame: 1,
                ms: a + b,
                kernels: &kernels,
            };
            let parts = parts(&[frame], &mut order);
            parts.iter().map(|p| p.name.0).collect()
        };
        assert_eq!(names(2.0, 1.9), ["a", "b"]);
        assert_eq!(names(1.9, 2.0), ["a", "b"]);
        assert_eq!(names(1.0, 2.0), ["b", "a"]);
        assert_eq!(names(2.0, 1.9), ["b", "a"]);
        // What does not run any more goes.
        assert_eq!(names(2.0, 0.0), ["a"]);
    }
}
