//! Conjugate gradients with a preconditioner: of all corrections that can be made from the directions so far, each step makes
//! the best (Hestenes and Stiefel 1952; with a multigrid cycle McAdams, Sifakis and Teran 2010; with an incomplete Cholesky
//! factor as Bridson 2015, Fluid simulation for computer graphics).
//!
//! An iteration, M⁻¹ being the preconditioner:
//!
//! 1. z = M⁻¹ r, γ = r · z, and β = −(z · A p) / δ with p and δ of the iteration before;
//! 2. p = z + β p, δ = p · A p;
//! 3. α = γ / δ; x += α p; r −= α A p.
//!
//! For a symmetric M, β is γ over the γ before. That is taken where M is a diagonal: γ then falls out of step 3. The other form
//! (Polak and Ribière's, as Notay 2000) also forgives a preconditioner that is only nearly symmetric, rounding included.
//!
//! The scalars stay on the device: products leave a partial sum for each tile of cells, which a small kernel adds up. A p is
//! not kept: to compute it twice costs less than to write and read it. A GPU does four dispatches an iteration and what M
//! takes.
//!
//! In f32 there is an end to it. r is kept up by step 3 alone, so it goes on shrinking when the true residual, which is what is
//! measured and reported, has long been made of rounding errors of x. Once γ is less than 10⁻¹³ of what it was, nothing moves any
//! more. Where the system is singular, r begins without its mean on each part, and z is freed of its own: what little mean
//! rounding leaves in r, a multigrid cycle makes a million times larger on 512², and steps along it would go astray.

mod cholesky;
mod conjugate;
mod kernels;
#[cfg(test)]
mod tests;
mod twins;

use super::solve::{Core, Limits};
use super::{PoissonSolver, SolveReport, SolverInfo, System};
use crate::params::Choice as _;
use crate::device::{Buf, Device, DeviceError, Result, Ticket};
use conjugate::{Conjugate, Helper};

pub use kernels::KERNELS;

crate::choice! {
    /// What makes a direction of the residual.
    pub enum Preconditioner {
        /// A multigrid cycle: a few iterations at any size.
        Multigrid,
        /// The box that bounds the scene, solved in one pass: few iterations where obstacles are few and no wall is thin.
        Spectral,
        /// An incomplete Cholesky factor: a sixth of the iterations of None, each three to five times as dear. CPU only.
        IncompleteCholesky,
        /// Each cell on its own. Tells cells beside obstacles and open faces from others, which in an empty box is next to nothing.
        Jacobi,
        /// Nothing: plain conjugate gradients. Twice as many cells along a side are twice as many iterations.
        None,
    }
}

crate::params! {
    /// Preconditioned conjugate gradients.
    pub struct Parameters {
        /// Most iterations a solve. With multigrid each leaves about a thirtieth of the residual; the others need some hundred.
        live iterations: u32 = 4, hard 1..=100_000, soft 1..=400, log;
        /// What is done to the residual before a direction is taken from it. The better it resembles a solve, the fewer
        /// iterations are needed, and the more each costs.
        live preconditioner: Preconditioner = Preconditioner::Multigrid;
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
    conjugate: Conjugate,
    failure: Option<DeviceError>,
}

impl PoissonSolver for Solver {
    type Params = Parameters;
    const INFO: SolverInfo = SolverInfo {
        id: "pcg",
        title: "Conjugate gradients",
        summary: "Each step is the best that can be made of all before it: sure of its way among thin walls and many obstacles.",
        paper: "M. R. Hestenes, E. Stiefel 1952, Methods of conjugate gradients for solving linear systems; A. McAdams, E. Sifakis, J. Teran 2010, A parallel multigrid Poisson solver for fluids simulation on large grids",
        obstacles: true,
    };

    fn preconditioned_by(id: &str) -> Option<Parameters> {
        let mut all = (0..Preconditioner::OPTIONS.len()).map(Preconditioner::from_index);
        let preconditioner = all.find(|p| p.solver().is_some_and(|s| s.info().id == id))?;
        Some(Parameters {
            preconditioner,
            ..Parameters::default()
        })
    }

    fn new(dev: &mut Device, dims: [u32; 3], params: &Parameters) -> Result<Self> {
        Ok(Self {
            core: Core::new(dev, dims, params.limits())?,
            conjugate: Conjugate::new(dev, dims, params.preconditioner)?,
            failure: None,
        })
    }

    fn memory_bytes(dims: [u32; 3], params: &Parameters) -> u64 {
        Core::memory_bytes(dims) + Conjugate::memory_bytes(dims, params.preconditioner)
    }

    fn solve(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        params: &Parameters,
    ) {
        match self
            .conjugate
            .choose(dev, system.dims, params.preconditioner)
        {
            Ok(Helper::Same) => {}
            Ok(Helper::New) => self.core.forget(),
            Err(e) => {
                self.failure = Some(e);
                return;
            }
        }
        let (limits, id) = (params.limits(), Self::INFO.id);
        self.core
            .solve(dev, system, x, limits, &mut self.conjugate, id);
    }

    fn report(&mut self, dev: &mut Device) -> Result<Ticket<SolveReport>> {
        match self.failure.take() {
            Some(e) => Err(e),
            None => self.core.report(dev),
        }
    }
}
