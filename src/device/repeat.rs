//! Iterating until a residual is small enough, without the host waiting for the GPU.

use super::gpu::{self, Gate};
use super::kernels::{Check, CheckRule};
use super::{Backend, Buf, Device, Result, Ticket};

/// Number of partial results that a measuring kernel leaves; the check adds or compares them in this order.
pub const PARTIALS: usize = 1024;

/// How partial results are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Norm {
    /// Partials are largest magnitudes.
    Max,
    /// Partials are sums of squares; the norm is the square root of their mean over `count`.
    L2 {
        /// Number of unknowns.
        count: u32,
    },
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Until {
    /// Stop when the norm is at most this. Zero or less: never. A norm that is not finite always stops.
    pub tolerance: f32,
    /// Stop after so many iterations. The last block may be shorter than the others.
    pub max_iterations: u32,
    /// Iterations a block; the residual is measured after each block. Zero: one block, measured before and after.
    pub every: u32,
    /// How partial results are put together.
    pub norm: Norm,
}

/// What is iterated.
pub trait Iterate {
    /// Records `iterations` iterations, the result being left where it was before.
    fn block(&mut self, dev: &mut Device, iterations: u32);
    /// Records a kernel that leaves [`PARTIALS`] partial results of the residual.
    fn measure(&mut self, dev: &mut Device, partials: &mut Buf<f32>);
}

/// What a loop did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopReport {
    /// Iterations that were done.
    pub iterations: u32,
    /// Residual by iteration, the first before any.
    pub residuals: Vec<(u32, f32)>,
    /// Whether a residual was not a finite number.
    pub not_finite: bool,
}

impl LoopReport {
    /// Residual before the first iteration.
    pub fn before(&self) -> Option<f32> {
        self.residuals.first().map(|r| r.1)
    }
    /// Residual after the last one.
    pub fn after(&self) -> Option<f32> {
        self.residuals.last().map(|r| r.1)
    }
}

/// The device-side state of a loop; made once, used at every solve.
pub struct Loop {
    partials: Buf<f32>,
    /// Iterations, checks, done (1: small enough, 2: not finite).
    progress: Buf<u32>,
    history: Buf<f32>,
    /// Group counts of the body's dispatches while the loop runs. Of no use on the CPU.
    template_args: Buf<u32>,
    gate: Buf<u32>,
    shapes: Vec<[u32; 3]>,
    until: Option<Until>,
}

impl Loop {
    /// Room for the residuals of `max_checks` blocks. If there are more, the last place holds the last one.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device, max_checks: u32) -> Result<Self> {
        let words = gpu::SLOTS as usize * 3;
        Ok(Self {
            partials: dev.buf("loop partials", PARTIALS)?,
            progress: dev.buf("loop progress", 4)?,
            history: dev.buf("loop history", max_checks as usize + 1)?,
            template_args: dev.buf("loop group counts", words)?,
            gate: dev.gate_buf("loop gate", words)?,
            shapes: Vec::new(),
            until: None,
        })
    }

    /// Asks what the last loop did.
    pub fn report(&self, dev: &mut Device) -> Ticket<LoopReport> {
        let Some(until) = self.until else {
            return Ticket::here(LoopReport::default());
        };
        let progress = dev.read_later(&self.progress);
        let history = dev.read_later(&self.history);
        progress
            .and(history)
            .map(move |(progress, history)| report(until, &progress, &history))
    }
}

fn report(until: Until, progress: &[u32], history: &[f32]) -> LoopReport {
    let (iterations, checks) = (progress[0], progress[1] as usize);
    let kept = checks.min(history.len());
    let at = |check: usize| {
        if check + 1 == kept {
            iterations
        } else {
            (check as u32)
                .saturating_mul(block_length(&until))
                .min(iterations)
        }
    };
    LoopReport {
        iterations,
        residuals: (0..kept).map(|i| (at(i), history[i])).collect(),
        not_finite: progress[2] == 2,
    }
}

fn block_length(until: &Until) -> u32 {
    match until.every {
        0 => until.max_iterations,
        every => every.min(until.max_iterations),
    }
}

impl Device {
    /// Iterates until the residual is small enough. On a GPU the host does not wait for the outcome: the body's
    /// dispatches are recorded up to the last iteration, and pass through a gate that a check closes.
    ///
    /// In the body, `run`, `copy` and `clear` obey the gate. Writing from the host and loops inside loops do not go
    /// together with one, and are errors of the device.
    pub fn repeat_until(&mut self, state: &mut Loop, until: Until, work: &mut dyn Iterate) {
        state.until = Some(until);
        work.measure(self, &mut state.partials);
        self.check(state, until, None);
        self.begin_gate(state);
        let mut late = Late::default();
        let mut iterations = 0;
        while iterations < until.max_iterations && !late.is_done(self, state) {
            let n = block_length(&until).min(until.max_iterations - iterations);
            work.block(self, n);
            work.measure(self, &mut state.partials);
            self.end_gate(state);
            self.check(state, until, Some(n));
            self.begin_gate(state);
            iterations += n;
        }
        self.end_gate(state);
    }

    /// Runs the check after `n` iterations, or before the first.
    fn check(&mut self, state: &mut Loop, until: Until, n: Option<u32>) {
        let (squares, count) = match until.norm {
            Norm::Max => (0, 1),
            Norm::L2 { count } => (1, count.max(1)),
        };
        let p = CheckRule {
            begin: u32::from(n.is_none()),
            iterations: n.unwrap_or(0),
            squares,
            capacity: state.history.len() as u32,
            tolerance: until.tolerance,
            count: count as f32,
        };
        let check = Check {
            p,
            partials: &state.partials,
            template_args: &state.template_args,
            progress: &mut state.progress,
            history: &mut state.history,
            gate: &mut state.gate,
        };
        self.run([32, 1, 1], check);
    }

    /// What follows obeys the loop's gate, which a check has just filled.
    fn begin_gate(&mut self, state: &mut Loop) {
        if let Backend::Gpu(gpu) = &mut self.backend {
            gpu.enter(Gate {
                args: state.gate.gpu().clone(),
                template: state.template_args.gpu().clone(),
                progress: state.progress.gpu().clone(),
                shapes: std::mem::take(&mut state.shapes),
                // The check may have ended its chunk.
                filled: state.gate.gpu().used(),
            });
        }
    }

    fn end_gate(&mut self, state: &mut Loop) {
        if let Backend::Gpu(gpu) = &mut self.backend
            && let Some(gate) = gpu.leave()
        {
            state.shapes = gate.shapes;
        }
    }

    fn gate_buf(&mut self, label: &str, words: usize) -> Result<Buf<u32>> {
        self.make(label, words, true)
    }
}

/// Learns late that a loop is done: a copy of the progress is asked for with each chunk of commands, and once one says so
/// there is no use in recording more. Keeps a long solve from recording thousands of dispatches behind a closed gate.
#[derive(Default)]
struct Late {
    chunk: u64,
    copy: Option<gpu::Readback>,
}

impl Late {
    fn is_done(&mut self, dev: &mut Device, state: &Loop) -> bool {
        match &mut dev.backend {
            Backend::Cpu(_) => state.progress.host()[2] != 0,
            Backend::Gpu(gpu) => {
                let chunk = gpu.chunk();
                if self.chunk == 0 {
                    self.chunk = chunk;
                }
                if self.chunk == chunk {
                    return false;
                }
                self.chunk = chunk;
                let told = self.copy.as_mut().and_then(|copy| gpu.peek_bytes(copy));
                if let Some(bytes) = told {
                    self.copy = None;
                    if bytes[8..12] != [0; 4] {
                        return true;
                    }
                }
                if self.copy.is_none() {
                    self.copy = Some(gpu.read_later(state.progress.gpu(), 16));
                }
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::DeviceChoice;

    /// Halves a value; the residual is the value.
    struct Halve(Buf<f32>);

    impl Iterate for Halve {
        fn block(&mut self, _dev: &mut Device, iterations: u32) {
            self.0.host_mut()[0] *= 0.5f32.powi(iterations as i32);
        }
        fn measure(&mut self, _dev: &mut Device, partials: &mut Buf<f32>) {
            partials.host_mut()[0] = self.0.host()[0].abs();
        }
    }

    fn run(first: f32, tolerance: f32, max_iterations: u32, every: u32) -> LoopReport {
        let mut dev = Device::new(DeviceChoice::Cpu).unwrap();
        let mut state = Loop::new(&mut dev, 4).unwrap();
        let mut work = Halve(dev.buf_from("x", &[first]).unwrap());
        let until = Until {
            tolerance,
            max_iterations,
            every,
            norm: Norm::Max,
        };
        dev.repeat_until(&mut state, until, &mut work);
        state.report(&mut dev).wait(&mut dev).unwrap()
    }

    #[test]
    fn stops_when_small_enough() {
        let report = run(8.0, 1.0, 100, 2);
        assert_eq!(report.iterations, 4);
        assert_eq!(report.residuals, [(0, 8.0), (2, 2.0), (4, 0.5)]);
        assert_eq!(run(0.5, 1.0, 100, 2).iterations, 0);
    }

    #[test]
    fn a_tolerance_of_zero_never_stops() {
        let report = run(0.0, 0.0, 7, 3);
        assert_eq!(report.residuals, [(0, 0.0), (3, 0.0), (6, 0.0), (7, 0.0)]);
        assert_eq!(run(8.0, 0.0, 3, 0).residuals, [(0, 8.0), (3, 1.0)]);
        assert_eq!(run(8.0, 0.0, 0, 0).residuals, [(0, 8.0)]);
    }

    #[test]
    fn stops_at_what_is_not_finite() {
        let report = run(f32::NAN, 1.0, 100, 2);
        assert!(report.not_finite);
        assert_eq!(report.iterations, 0);
        assert!(report.after().unwrap().is_nan());
    }

    #[test]
    fn the_last_place_of_the_history_holds_the_last_residual() {
        let report = run(1024.0, 0.0, 10, 1);
        assert_eq!(report.residuals.len(), 5);
        assert_eq!(report.residuals[3], (3, 128.0));
        assert_eq!(report.residuals[4], (10, 1.0));
    }
}
