//! A box solved in one pass: on the modes of the box, each a product of a cosine or sine along each axis, the system is a division.
//!
//! 1. Transform along x, then y, then z, the last axis;
//! 2. divide by the sum of the eigenvalues of the axes, and the shift. A mode of which the system knows nothing, the constant of a
//!    box that nothing holds, becomes zero;
//! 3. transform back along z, y, x.
//!
//! Steps 1 to 3 along the last axis are one pass, so a 2D solve is three passes (dispatches on a GPU) and a 3D solve five.
//! Hockney 1965 (*A fast direct solution of Poisson's equation using Fourier analysis*); Swarztrauber 1977 (*The methods of cyclic
//! reduction, Fourier analysis and the FACR algorithm for the discrete solution of Poisson's equation on a rectangle*). Which
//! transform belongs to which ends of an axis, and how all of them are one, stands in `axis`; the Fourier transform in `plan`.
//!
//! Everything is exact but for rounding where the system is a box: every cell an unknown, each side of one kind. Of anything else
//! `A`, `bounds` finds the box `M` that bounds it, and an iteration is `x += M⁻¹(b − Ax)`. That takes a part of every error
//! away (about half of it round an obstacle, little behind a thin wall) and overshoots none, as flows need it (see
//! [`crate::poisson`]); the report says that it was so.
//! In a box the first iteration needs no guess: `x = M⁻¹b`; more of them only remove rounding.
//!
//! The CPU works on sixteen lines at once (`batch`), in vectors across the lines, and does what surrounds the transform while they
//! are in the first-level cache. Libraries transform one line after the other, and the grid must be transposed for it: measured
//! on 512² closed cells and one thread, 1.1 ms (1.5 ms without the last level of optimisation) against 2.3 ms by real transforms of a library.
//!
//! A GPU keeps whole lines in workgroup memory, 2048 complex numbers: there an axis may have that many cells, or 1023 with a known
//! value a cell beyond an end; half of it where the length of the transform has a prime factor beyond 13. More are refused.

mod axis;
mod batch;
mod blocks;
mod bounds;
mod box_solve;
mod fft;
mod kernels;
mod plan;
mod precondition;
#[cfg(test)]
mod tests;

use super::kernels::{Residual, SweepU};
use super::solve::{Core, Limits, Sweeps};
use super::{PoissonSolver, Preconditioner, SolveReport, SolverInfo, System};
use crate::device::{Buf, Device, Result, Ticket};

use box_solve::BoxSolve;
pub use kernels::KERNELS;
use precondition::BoundingBox;

crate::params! {
    /// Transforms to the modes of a box and back.
    pub struct Parameters {
        /// Most iterations a solve. In a box without obstacles one is exact. Where there are obstacles, each leaves about half of
        /// the error that the one before left, more behind thin walls: then more make the flow less compressible and cost more.
        live iterations: u32 = 1, hard 1..=100_000, soft 1..=20;
        /// Stop when the root mean square of the residual is at most this, in the unit in which it is reported (1/s for
        /// the pressure). Zero: never.
        live tolerance: f32 = 0.0, hard 0.0..=1e9, soft 0.0..=1.0, advanced;
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
    passes: Passes,
}

struct Passes {
    bounding: BoxSolve,
    residual: Buf<f32>,
    /// Whether x is still the guess.
    first: bool,
}

impl PoissonSolver for Solver {
    type Params = Parameters;
    const INFO: SolverInfo = SolverInfo {
        id: "spectral",
        title: "Spectral",
        summary: "Exact in one pass, at any size, in a box without obstacles. Round obstacles each pass takes only a part of the error.",
        paper: "R. W. Hockney 1965, A fast direct solution of Poisson's equation using Fourier analysis; J. Makhoul 1980, A fast cosine transform in one and two dimensions",
        obstacles: false,
    };

    fn new(dev: &mut Device, dims: [u32; 3], params: &Parameters) -> Result<Self> {
        let cells = dims.iter().map(|n| *n as usize).product();
        Ok(Self {
            core: Core::new(dev, dims, params.limits())?,
            passes: Passes {
                bounding: BoxSolve::new(dev, dims)?,
                residual: dev.buf("spectral residual", cells)?,
                first: true,
            },
        })
    }

    fn memory_bytes(dims: [u32; 3], _: &Parameters) -> u64 {
        let cells: u64 = dims.iter().map(|n| u64::from(*n)).product();
        Core::memory_bytes(dims) + BoxSolve::memory_bytes(dims) + 4 * cells
    }

    fn solve(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        params: &Parameters,
    ) {
        self.passes.first = true;
        let (limits, id) = (params.limits(), Self::INFO.id);
        self.core
            .solve(dev, system, x, limits, &mut self.passes, id);
    }

    fn report(&mut self, dev: &mut Device) -> Result<Ticket<SolveReport>> {
        let approximate = !self.passes.bounding.is_exact();
        let report = self.core.report(dev)?;
        Ok(report.map(move |report| SolveReport {
            approximate,
            ..report
        }))
    }

    fn preconditioner(
        dev: &mut Device,
        dims: [u32; 3],
        _: &Parameters,
    ) -> Option<Result<Box<dyn Preconditioner>>> {
        let bounding = BoundingBox::new(dev, dims);
        Some(bounding.map(|b| Box::new(b) as Box<dyn Preconditioner>))
    }

    fn preconditioner_bytes(dims: [u32; 3], _: &Parameters) -> u64 {
        BoxSolve::memory_bytes(dims)
    }
}

impl Sweeps for Passes {
    const WANDERS: bool = true;

    fn prepare(&mut self, _: [u32; 3], _: &[u32], _: f32) {}

    fn prepare_levels(&mut self, dev: &mut Device, stencil: &[u32], _: f32) -> Result<()> {
        self.bounding.prepare(dev, stencil)
    }

    fn block(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, iterations: u32) {
        let &System {
            dims,
            stencil,
            shift,
            rhs,
            ..
        } = system;
        for _ in 0..iterations {
            if self.first && self.bounding.is_exact() {
                self.bounding.set(dev, stencil, shift, rhs, x);
            } else {
                let residual = &mut self.residual;
                let sweep = SweepU::new(dims, shift);
                dev.run(
                    dims,
                    Residual {
                        sweep,
                        stencil,
                        rhs,
                        x,
                        residual,
                    },
                );
                self.bounding.add(dev, stencil, shift, &self.residual, x);
            }
            self.first = false;
        }
    }
}
