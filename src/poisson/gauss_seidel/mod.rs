//! Gauss–Seidel iteration in red–black order: the cells of one colour of a chequerboard, then those of the other, each
//! from the newest values of its neighbours, which all have the other colour (Young 1954).
//!
//! An iteration is both colours (see `red_black`). Its asymptotic factor is the square of Jacobi's.

use super::red_black::RedBlackSweeps;
use super::solve::{Core, Limits};
use super::{PoissonSolver, SolveReport, SolverInfo, System};
use crate::device::{Buf, Device, KernelInfo, Result, Ticket};

/// None: it has those that all share.
pub const KERNELS: &[KernelInfo] = &[];

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
        Ok(Self {
            core: Core::new(dev, dims, params.limits())?,
            sweeps: RedBlackSweeps::new(dev, dims)?,
        })
    }

    fn memory_bytes(dims: [u32; 3], _: &Parameters) -> u64 {
        Core::memory_bytes(dims) + RedBlackSweeps::memory_bytes(dims)
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

    fn report(&mut self, dev: &mut Device) -> Result<Ticket<SolveReport>> {
        self.core.report(dev)
    }
}
