//! Geometric multigrid: what a few sweeps leave over is smooth, and smooth errors are found on a coarser grid, where they cost
//! a quarter (an eighth in 3D), and so on down (Brandt 1977; Trottenberg, Oosterlee, Schüller 2001, Multigrid).
//!
//! A cycle on a level:
//!
//! 1. relax `pre` times, in red–black order;
//! 2. restrict: b of the coarser level is the sum of the residuals of the children of each cell;
//! 3. find the correction there by a cycle (V) or two (W) from zero; on the coarsest, at most four cells along each axis, by
//!    many sweeps;
//! 4. prolong: add the correction, linear between coarse cells;
//! 5. relax `post` times.
//!
//! The finest level is the system as it is given, relaxed as by the Gauss–Seidel solver. On a coarse level each face has a
//! weight of its own (see `coarsen`). Stencil codes would be smaller, but they know only open and closed faces and cells that
//! are all the same: measured as factors of the residual a V(2,2) cycle, an obstacle costs 0.31 with codes, where a coarse face
//! is open if any of its faces is (as McAdams, Sifakis and Teran 2010, who then need many more sweeps round obstacles), and
//! 0.08 to 0.10 with weights; 37×81 cells 0.55 against 0.08. A stencil by Galerkin's product with piecewise constant
//! interpolation is the same weights times two, which halves every correction. With linear interpolation the product has nine
//! (27) entries. Linear interpolation costs little and matters: with (½, ¼, ¼) instead of products of (¾, ¼), 0.10 instead of
//! 0.08.
//!
//! Even so the topology of walls that are thinner than a coarse cell is only roughly that of the finest level. Coarse levels
//! therefore pay for more than one visit, and cost little where they are small: a V cycle visits levels of `TWICE` cells
//! twice, except in a box that is closed or periodic all round. Behind a wall of one cell across three quarters of a 128² box,
//! the factor is 0.08 instead of 1.1; with one open side below 0.1 instead of 0.16 to 0.4. In a closed box it would be the same for a sixth
//! more time.
//!
//! On a GPU a colour is a dispatch, and so is a restriction and a prolongation. Levels of at most 1024 cells are one dispatch
//! of one workgroup altogether, which runs a program of parts.
//!
//! On the CPU the sweeps of a large level are one way through it (see `sweeps`), with the colours apart.
//!
//! As the preconditioner of conjugate gradients a cycle is another one, which is symmetric; see `symmetric`.

mod coarsen;
mod cycles;
mod kernels;
mod layout;
mod operators;
mod prolong;
mod rows;
mod sweeps;
mod symmetric;

use super::precondition::Preconditioner;
use super::solve::{Core, Limits};
use super::{PoissonSolver, SolveReport, SolverInfo, System};
use crate::device::{Buf, Device, Result, Ticket};
use cycles::{Cycles, Shape};
use symmetric::SymmetricCycle;

pub use kernels::KERNELS;

crate::choice! {
    /// How often coarse levels are visited.
    pub enum Cycle {
        /// Once, the small ones twice: the least work for what it does.
        V,
        /// Each twice as often as the one before. Costs half as much again and is steadier among thin walls.
        W,
    }
}

crate::params! {
    /// Geometric multigrid.
    pub struct Parameters {
        /// Most cycles a solve. Each leaves about a tenth of the residual.
        live iterations: u32 = 4, hard 1..=100_000, soft 1..=20;
        /// Stop when the root mean square of the residual is at most this, in the unit in which it is reported (1/s for
        /// the pressure). Zero: never.
        live tolerance: f32 = 0.0, hard 0.0..=1e9, soft 0.0..=1.0;
        /// Cycles between two measurements of the residual. Zero: an eighth of all where there is a tolerance to meet; else
        /// the way down is measured now and then, for the plot alone.
        live check_every: u32 = 0, hard 0..=100_000, soft 0..=50, advanced;
        /// How often coarse levels are visited in a cycle.
        live cycle: Cycle = Cycle::V;
        /// Sweeps on each level before its residual is handed on.
        live pre: u32 = 2, hard 0..=64, soft 0..=8, advanced;
        /// Sweeps on each level after its correction.
        live post: u32 = 2, hard 1..=64, soft 1..=8, advanced;
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
    cycles: Cycles,
}

impl PoissonSolver for Solver {
    type Params = Parameters;
    const INFO: SolverInfo = SolverInfo {
        id: "multigrid",
        title: "Multigrid",
        summary: "Finds large swirls on coarse grids: every cycle leaves a tenth of the error, at any size.",
        paper: "U. Trottenberg, C. Oosterlee, A. Schüller 2001, Multigrid; A. McAdams, E. Sifakis, J. Teran 2010, A parallel multigrid Poisson solver for fluids simulation on large grids",
        obstacles: true,
    };

    fn new(dev: &mut Device, dims: [u32; 3], params: &Parameters) -> Result<Self> {
        Ok(Self {
            core: Core::new(dev, dims, params.limits())?,
            cycles: Cycles::new(dev, dims, Shape::of(params))?,
        })
    }

    fn memory_bytes(dims: [u32; 3], params: &Parameters) -> u64 {
        Core::memory_bytes(dims) + Cycles::memory_bytes(dims, Shape::of(params))
    }

    fn solve(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        params: &Parameters,
    ) {
        self.cycles.set(dev, Shape::of(params), system.shift);
        let (limits, id) = (params.limits(), Self::INFO.id);
        self.core
            .solve(dev, system, x, limits, &mut self.cycles, id);
    }

    fn report(&mut self, dev: &mut Device) -> Result<Ticket<SolveReport>> {
        self.core.report(dev)
    }

    fn preconditioner(
        dev: &mut Device,
        dims: [u32; 3],
        params: &Parameters,
    ) -> Option<Result<Box<dyn Preconditioner>>> {
        let cycles = SymmetricCycle::new(dev, dims, params);
        Some(cycles.map(|c| Box::new(c) as Box<dyn Preconditioner>))
    }

    fn preconditioner_bytes(dims: [u32; 3], params: &Parameters) -> u64 {
        SymmetricCycle::memory_bytes(dims, params)
    }
}
