//! Gauss–Seidel iteration in red–black order: the cells of one colour of a chequerboard, then those of the other, each
//! from the newest values of its neighbours, which all have the other colour (Young 1954).
//!
//! An iteration is both colours. Its asymptotic factor is the square of Jacobi's. On the CPU a block of iterations runs on
//! strips with the colours apart (see `strips` and `strip`); on a GPU each colour is a pass from one buffer to another.
//!
//! Across a periodic axis of odd length, cells of one colour meet. There each takes the other's value from before the
//! sweep, and the CPU does whole sweeps one after the other.

mod strip;

use super::kernels::{RedBlackSweep, SweepU};
use super::solve::{Core, Limits, Sweeps};
use super::stencil::{Spans, wraps};
use super::{PoissonSolver, SolveReport, SolverInfo, System};
use crate::device::{Buf, Cpu, Device, Result, default_threads};
use strip::{Job, Strips};

crate::params! {
    /// Red–black Gauss–Seidel iteration.
    pub struct Parameters {
        /// Most iterations a solve. More make the flow less compressible and cost more.
        live iterations: u32 = 40, hard 1..=100_000, soft 1..=400, log;
        /// Stop when the root mean square of the residual is at most this, in the unit in which it is reported (1/s for
        /// the pressure). Zero: never.
        live tolerance: f32 = 0.0, hard 0.0..=1e9, soft 0.0..=1.0;
        /// Iterations between two measurements of the residual. Zero: an eighth of all where there is a tolerance to meet; else
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
    sweeps: RedBlackSweeps,
}

struct RedBlackSweeps {
    spans: [Spans; 2],
    wraps: [bool; 3],
    /// The other buffer of a pass; on the CPU only once an odd periodic axis needs it.
    other: Option<Buf<f32>>,
    strips: Option<Strips>,
}

impl PoissonSolver for Solver {
    type Params = Parameters;
    const INFO: SolverInfo = SolverInfo {
        id: "gauss_seidel",
        title: "Gauss–Seidel",
        summary: "Two colours in turn, each from the newest values: twice as fast as Jacobi for the same work.",
        paper: "D. Young 1954, Iterative methods for solving partial difference equations of elliptic type",
        obstacles: true,
    };

    fn new(dev: &mut Device, dims: [u32; 3], params: &Parameters) -> Result<Self> {
        let cells = dims.iter().map(|n| *n as usize).product();
        let threads = dev.cpu().map(Cpu::threads);
        let (strips, other) = match threads {
            Some(threads) if dims.iter().all(|n| n % 2 == 0 || *n == 1) => {
                (Some(Strips::new(dev, dims, threads)?), None)
            }
            Some(threads) => {
                let strips = Strips::new(dev, dims, threads)?;
                (Some(strips), Some(dev.buf("red-black x'", cells)?))
            }
            None => (None, Some(dev.buf("red-black x'", cells)?)),
        };
        Ok(Self {
            core: Core::new(dev, dims, params.limits())?,
            sweeps: RedBlackSweeps {
                spans: Default::default(),
                wraps: [false; 3],
                other,
                strips,
            },
        })
    }

    fn memory_bytes(dims: [u32; 3], _: &Parameters) -> u64 {
        let threads = default_threads();
        let cells: u64 = dims.iter().map(|n| u64::from(*n)).product();
        Core::memory_bytes(dims) + Strips::memory_bytes(dims, threads) + 4 * cells
    }

    fn solve(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        params: &Parameters,
    ) {
        let (limits, id) = (params.limits(), Self::INFO.id);
        self.core
            .solve(dev, system, x, limits, &mut self.sweeps, id);
    }

    fn report(&mut self, dev: &mut Device) -> Result<SolveReport> {
        self.core.report(dev)
    }
}

impl Sweeps for RedBlackSweeps {
    fn prepare(&mut self, dims: [u32; 3], stencil: &[u32], shift: f32) {
        self.spans = [0, 1].map(|c| Spans::colour(dims, stencil, shift, c));
        self.wraps = wraps(dims, stencil);
    }

    fn block(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, iterations: u32) {
        let dims = system.dims;
        // Along an axis of one cell there is nothing to meet.
        let meets = (0..3).any(|a| self.wraps[a] && dims[a] > 1 && dims[a] % 2 == 1);
        match (&mut self.strips, &mut self.other) {
            (Some(strips), _) if !meets => {
                let job = Job {
                    dims,
                    stencil: system.stencil.host(),
                    spans: &self.spans,
                    rhs: system.rhs.host(),
                    wraps: self.wraps,
                };
                let on_cpu = |_: &Cpu| strips.run(&job, x.host_mut(), 2 * iterations as usize);
                dev.either("RedBlackSweeps", on_cpu, |_| {});
            }
            (_, Some(other)) => {
                for _ in 0..iterations {
                    dev.run(dims, sweep(system, 0, x, other));
                    dev.run(dims, sweep(system, 1, other, x));
                }
            }
            // An odd axis always comes with the other buffer.
            (_, None) => {}
        }
    }
}

fn sweep<'a>(
    system: &System<'a>,
    colour: u32,
    x: &'a Buf<f32>,
    relaxed: &'a mut Buf<f32>,
) -> RedBlackSweep<'a> {
    let [nx, ny, nz] = system.dims;
    RedBlackSweep {
        sweep: SweepU {
            cells: [nx, ny, nz, colour],
            ..SweepU::new(system.dims, system.shift)
        },
        stencil: system.stencil,
        rhs: system.rhs,
        x,
        relaxed,
    }
}
