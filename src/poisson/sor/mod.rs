//! Successive over-relaxation: a red–black Gauss–Seidel sweep (see `red_black`) in which every cell moves ω times as far
//! (Frankel 1950; Young 1954).
//!
//! `x' = (1−ω) x + ω D⁻¹ (b + Σ links x)`. For an N×N box with known values at its nodes the best weight is
//! 2/(1 + sin(π/(N+1))). Every error then shrinks by ω − 1 an iteration: about 1 − 2π/N, where Gauss–Seidel has
//! 1 − (π/N)².
//!
//! With that weight from the first sweep on, errors would grow before they shrink, and a solve of few iterations that begins
//! with the pressure of the frame before would add to them frame by frame. So the weights come to ω by the Chebyshev
//! recurrence (Golub and Varga 1961, *Chebyshev semi-iterative methods, successive overrelaxation iterative methods, and
//! second order Richardson iterative methods*), by which no error ever grows, and to no more than the iterations can bring to
//! a good end (see `Weights::most`).

use std::f64::consts::PI;

use super::red_black::{RedBlackSweeps, Weights};
use super::solve::{Core, Limits};
use super::{PoissonSolver, SolveReport, SolverInfo, System};
use crate::device::{Buf, Device, KernelInfo, Result, Ticket};

/// None: it has those that all share.
pub const KERNELS: &[KernelInfo] = &[];

crate::params! {
    /// Successive over-relaxation in red–black order.
    pub struct Parameters {
        /// Most iterations a solve. More make the flow less compressible and cost more.
        live iterations: u32 = 40, hard 1..=100_000, soft 1..=400, log;
        /// Weight ω to which that of the new values comes. Zero: 2/(1 + sin(π/(N+1))), N being the cells along the longest axis, which is the best
        /// there is for a box of N cells a side. One is Gauss–Seidel; more goes beyond it, as far as the iterations suffice to take
        /// back what overshoots: with few of them a large weight would blow up the flow.
        live omega: f32 = 0.0, hard 0.0..=1.99, soft 0.0..=1.99;
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
        id: "sor",
        title: "SOR",
        summary: "Gauss–Seidel that goes further than it should: large swirls settle in about as many iterations as there are cells along a side.",
        paper: "D. Young 1954, Iterative methods for solving partial difference equations of elliptic type; S. P. Frankel 1950, Convergence rates of iterative treatments of partial differential equations",
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
        let omega = match params.omega {
            0.0 => optimal(system.dims),
            omega => omega,
        };
        self.sweeps.weights = Weights::rising(omega.min(Weights::most(params.iterations)));
        let (limits, id) = (params.limits(), Self::INFO.id);
        self.core
            .solve(dev, system, x, limits, &mut self.sweeps, id);
    }

    fn report(&mut self, dev: &mut Device) -> Result<Ticket<SolveReport>> {
        self.core.report(dev)
    }
}

/// The weight with which an N×N box converges fastest.
fn optimal(dims: [u32; 3]) -> f32 {
    let longest = dims.iter().fold(1, |a, b| a.max(*b));
    (2.0 / (1.0 + (PI / (f64::from(longest) + 1.0)).sin())) as f32
}
