//! Jacobi iteration: every cell at once from the values of the sweep before.
//!
//! `x' = (1−ω) x + ω D⁻¹ (b + Σ links x)`, D being the diagonal (Jacobi 1845). On the CPU a block of sweeps runs on
//! strips (see `strips`); on a GPU sweeps go back and forth between two buffers.
//!
//! The factor by which a sweep reduces the slowest error of an N×N box with known values at its nodes is cos(π/(N+1)):
//! 40 sweeps hardly touch what spans more than some ten cells.

mod strip;

use super::kernels::{JacobiSweep, SweepU};
use super::solve::{Core, Limits, Sweeps};
use super::stencil::{Spans, wraps};
use super::{PoissonSolver, SolveReport, SolverInfo, System};
use crate::device::{Buf, Cpu, Device, KernelInfo, Result, Ticket, default_threads};
use strip::{Job, Strips};

/// None: it has those that all share.
pub const KERNELS: &[KernelInfo] = &[];

crate::params! {
    /// Jacobi iteration.
    pub struct Parameters {
        /// Most sweeps a solve. More make the flow less compressible and cost more.
        live iterations: u32 = 40, hard 1..=100_000, soft 1..=400, log;
        /// Weight ω of the new value. Below one it smooths fine detail better and converges more slowly.
        live weight: f32 = 1.0, hard 0.01..=1.0, soft 0.5..=1.0, advanced;
        /// Stop when the root mean square of the residual is at most this, in the unit in which it is reported (1/s for
        /// the pressure). Zero: never.
        live tolerance: f32 = 0.0, hard 0.0..=1e9, soft 0.0..=1.0;
        /// Sweeps between two measurements of the residual. Zero: an eighth of all where there is a tolerance to meet; else
        /// the way down is measured now and then, for the plot alone.
        live check_every: u32 = 0, hard 0..=100_000, soft 0..=50, advanced;
    }
}

impl Parameters {
    fn limits(&self) -> Limits {
        Limits {
            iterations: self.iterations,
            tolerance: self.tolerance,
            check_every: self.check_every,
        }
    }
}

/// Working memory.
pub struct Solver {
    core: Core,
    sweeps: JacobiSweeps,
}

struct JacobiSweeps {
    weight: f32,
    /// Weight of the first sweep of a solve, until it is done.
    first: Option<f32>,
    spans: Spans,
    wraps: [bool; 3],
    memory: Memory,
}

enum Memory {
    Cpu(Strips),
    Gpu(Buf<f32>),
}

impl PoissonSolver for Solver {
    type Params = Parameters;
    const INFO: SolverInfo = SolverInfo {
        id: "jacobi",
        title: "Jacobi",
        summary: "Every cell at once from its neighbours: simple, even cost, slow to converge.",
        paper: "C. G. J. Jacobi 1845, Über eine neue Auflösungsart der bei der Methode der kleinsten Quadrate vorkommenden lineären Gleichungen",
        obstacles: true,
    };

    fn new(dev: &mut Device, dims: [u32; 3], params: &Parameters) -> Result<Self> {
        let cells = dims.iter().map(|n| *n as usize).product();
        let memory = match dev.cpu().map(Cpu::threads) {
            Some(threads) => Memory::Cpu(Strips::new(dev, dims, threads)?),
            None => Memory::Gpu(dev.buf("jacobi x'", cells)?),
        };
        Ok(Self {
            core: Core::new(dev, dims, params.limits())?,
            sweeps: JacobiSweeps {
                weight: params.weight,
                first: None,
                spans: Spans::default(),
                wraps: [false; 3],
                memory,
            },
        })
    }

    fn memory_bytes(dims: [u32; 3], _: &Parameters) -> u64 {
        let threads = default_threads();
        Core::memory_bytes(dims) + Strips::memory_bytes(dims, threads)
    }

    fn solve(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        params: &Parameters,
    ) {
        self.sweeps.weight = params.weight;
        self.sweeps.first = Some(first_weight(params.weight, params.iterations));
        let (limits, id) = (params.limits(), Self::INFO.id);
        self.core
            .solve(dev, system, x, limits, &mut self.sweeps, id);
    }

    fn report(&mut self, dev: &mut Device) -> Result<Ticket<SolveReport>> {
        self.core.report(dev)
    }
}

impl Sweeps for JacobiSweeps {
    fn prepare(&mut self, dims: [u32; 3], stencil: &[u32], shift: f32) {
        self.spans = Spans::whole(dims, stencil, shift);
        self.wraps = wraps(dims, stencil);
    }

    fn block(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, iterations: u32) {
        match self.first.take() {
            Some(first) if first != self.weight && iterations > 0 => {
                self.sweeps(dev, system, x, first, 1);
                self.sweeps(dev, system, x, self.weight, iterations - 1);
            }
            _ => self.sweeps(dev, system, x, self.weight, iterations),
        }
    }
}

impl JacobiSweeps {
    fn sweeps(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        weight: f32,
        sweeps: u32,
    ) {
        if sweeps == 0 {
            return;
        }
        match &mut self.memory {
            Memory::Cpu(strips) => {
                let job = Job {
                    dims: system.dims,
                    stencil: system.stencil.host(),
                    spans: &self.spans,
                    rhs: system.rhs.host(),
                    weight,
                    wraps: self.wraps,
                };
                let on_cpu = |_: &Cpu| strips.run(&job, x.host_mut(), sweeps as usize);
                dev.either("JacobiSweeps", on_cpu, |_| {});
            }
            Memory::Gpu(other) => {
                for s in 0..sweeps {
                    let (from, to) = if s & 1 == 0 {
                        (&*x, &mut *other)
                    } else {
                        (&*other, &mut *x)
                    };
                    dev.run(system.dims, sweep(system, weight, from, to));
                }
                if sweeps & 1 == 1 {
                    dev.copy(other, x);
                }
            }
        }
    }
}

/// The weight of the first of some sweeps. What alternates from cell to cell, a sweep multiplies by 1 − 2ω: an odd number of
/// them turns it round, and where it is not small by then it would grow from frame to frame (see [`crate::poisson`]). Then
/// one of them goes less far, so that a quarter of it is left at most.
fn first_weight(weight: f32, sweeps: u32) -> f32 {
    let others = (1.0 - 2.0 * weight)
        .abs()
        .powi(sweeps.saturating_sub(1).min(1000) as i32);
    match sweeps % 2 {
        0 => weight,
        _ => weight.min(0.5 + 0.125 / others.max(f32::MIN_POSITIVE)),
    }
}

fn sweep<'a>(
    system: &System<'a>,
    weight: f32,
    x: &'a Buf<f32>,
    relaxed: &'a mut Buf<f32>,
) -> JacobiSweep<'a> {
    JacobiSweep {
        sweep: SweepU {
            weight,
            ..SweepU::new(system.dims, system.shift)
        },
        stencil: system.stencil,
        rhs: system.rhs,
        x,
        relaxed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_number_of_sweeps_turns_little_round() {
        for (weight, sweeps) in [(1.0, 1), (1.0, 41), (0.9, 1), (0.9, 3), (0.7, 1), (0.3, 1)] {
            let first = first_weight(weight, sweeps);
            let left = (1.0 - 2.0 * first) * (1.0 - 2.0 * weight).powi(sweeps as i32 - 1);
            assert!(
                (-0.2501..=1.0).contains(&left),
                "{weight}, {sweeps}: {left}"
            );
            assert!(first <= weight);
        }
        assert_eq!(first_weight(1.0, 40), 1.0);
        assert_eq!(first_weight(0.8, 5), 0.8, "little is left by then");
    }
}
