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
//! transform belongs to which ends of an axis, and how all of them are one, stands in [`axis`]; the Fourier transform in [`plan`].
//!
//! Everything is exact but for rounding where the system is a box: every cell an unknown, each side of one kind. Of anything else
//! `A`, [`bounds`] finds the box `M` that bounds it, and an iteration is `x += M⁻¹(b − Ax)`. That takes a part of every error
//! away (about half of it round an obstacle, little behind a thin wall) and adds to none, and the report says that it was so.
//! In a box the first iteration needs no guess: `x = M⁻¹b`; more of them only remove rounding.
//!
//! The CPU works on sixteen lines at once (`batch`), in vectors across the lines, and does what surrounds the transform while they
//! are in the first-level cache. Libraries transform one line after the other, and the grid must be transposed for it: measured
//! on 512² closed cells and one thread, 1.1 ms (1.5 ms as the tests are built) against 2.3 ms by real transforms of a library.
//!
//! A GPU keeps whole lines in workgroup memory, 2048 complex numbers: on a GPU an axis may have that many cells, or 1023 with a
//! known value a cell beyond an end, or 1024 if their number has a prime factor beyond 13. More are refused.

mod axis;
mod batch;
mod blocks;
mod bounds;
mod fft;
pub(super) mod kernels;
mod plan;
#[cfg(test)]
mod tests;

use super::kernels::{Residual, SweepU};
use super::solve::{Core, Limits, Sweeps};
use super::{PoissonSolver, SolveReport, SolverInfo, System};
use crate::device::{Buf, Device, DeviceError, Result, Ticket};
use axis::Axis;
use blocks::LINES;
use bounds::{Bound, Ends};
use kernels::{ADD, ANALYSE, CHIRP, SYNTHESISE, SpectralPass, SpectralU};

pub use kernels::KERNELS;

/// Complex numbers that fit into the workgroup memory of every GPU.
const MOST_ON_GPU: usize = 2048;
/// Invocations of a workgroup.
const WORKGROUP: u32 = 256;

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
    box_solve: BoxSolve,
}

/// Solves the box that bounds the system.
struct BoxSolve {
    dims: [u32; 3],
    bound: Bound,
    axes: [Axis; 3],
    /// The ends for which the tables are made.
    made: Option<[Ends; 3]>,
    places: Buf<u32>,
    turns: Buf<[f32; 2]>,
    lambda: Buf<f32>,
    /// What passes hand on to each other; the residual lies in the first.
    between: [Buf<f32>; 2],
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
        let tiled = tiled(dims);
        Ok(Self {
            core: Core::new(dev, dims, params.limits())?,
            box_solve: BoxSolve {
                dims,
                bound: Bound {
                    ends: [Ends::CLOSED; 3],
                    shift: 0.0,
                    exact: false,
                },
                axes: dims.map(|n| Axis::new(n as usize, Ends::CLOSED)),
                made: None,
                places: dev.buf("spectral places", 0)?,
                turns: dev.buf("spectral factors", 0)?,
                lambda: dev.buf("spectral eigenvalues", 0)?,
                between: [
                    dev.buf("spectral modes", tiled)?,
                    dev.buf("spectral modes of the last axis", tiled)?,
                ],
                first: true,
            },
        })
    }

    fn memory_bytes(dims: [u32; 3], _: &Parameters) -> u64 {
        let tables: u64 = dims.iter().map(|n| Axis::memory_bytes(*n)).sum();
        Core::memory_bytes(dims) + 2 * 4 * tiled(dims) as u64 + tables
    }

    fn solve(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        params: &Parameters,
    ) {
        self.box_solve.first = true;
        let (limits, id) = (params.limits(), Self::INFO.id);
        self.core
            .solve(dev, system, x, limits, &mut self.box_solve, id);
    }

    fn report(&mut self, dev: &mut Device) -> Result<Ticket<SolveReport>> {
        let approximate = !self.box_solve.bound.exact;
        let report = self.core.report(dev)?;
        Ok(report.map(move |report| SolveReport {
            approximate,
            ..report
        }))
    }
}

impl Sweeps for BoxSolve {
    const WANDERS: bool = true;

    fn prepare(&mut self, _: [u32; 3], _: &[u32], _: f32) {}

    fn prepare_levels(&mut self, dev: &mut Device, stencil: &[u32], _: f32) -> Result<()> {
        self.bound = Bound::of(self.dims, stencil);
        if self.made == Some(self.bound.ends) {
            return Ok(());
        }
        self.made = None;
        self.axes = [0, 1, 2].map(|a| Axis::new(self.dims[a] as usize, self.bound.ends[a]));
        if dev.cpu().is_none() {
            fits_a_gpu(&self.axes)?;
        }
        let all =
            |f: fn(&Axis) -> &[u32]| self.axes.iter().flat_map(f).copied().collect::<Vec<_>>();
        self.places = dev.buf_from("spectral places", &all(|a| &a.places))?;
        let turns: Vec<_> = self.axes.iter().flat_map(|a| a.turns.clone()).collect();
        self.turns = dev.buf_from("spectral factors", &turns)?;
        let lambda: Vec<_> = self.axes.iter().flat_map(|a| a.lambda.clone()).collect();
        self.lambda = dev.buf_from("spectral eigenvalues", &lambda)?;
        self.made = Some(self.bound.ends);
        Ok(())
    }

    fn block(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, iterations: u32) {
        for _ in 0..iterations {
            if self.bound.exact && self.first {
                self.solve(dev, system, Some(system.rhs), x, 0);
            } else {
                let sweep = SweepU::new(system.dims, system.shift);
                let (stencil, rhs, residual) = (system.stencil, system.rhs, &mut self.between[0]);
                dev.run(
                    system.dims,
                    Residual {
                        sweep,
                        stencil,
                        rhs,
                        x,
                        residual,
                    },
                );
                self.solve(dev, system, None, x, ADD);
            }
            self.first = false;
        }
    }
}

impl BoxSolve {
    /// x = M⁻¹b, or x += M⁻¹r with `how` [`ADD`]; r, where there is no b, is in the first of the buffers between.
    fn solve(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        b: Option<&Buf<f32>>,
        x: &mut Buf<f32>,
        how: u32,
    ) {
        // Along an axis of one cell there is nothing to transform, but there is an eigenvalue. That along x makes the tiles.
        let mut axes: Vec<usize> = (0..3).filter(|a| *a == 0 || self.dims[*a] > 1).collect();
        let last = axes.pop().unwrap_or(0);
        let there = axes.iter().map(|a| (*a, ANALYSE));
        let back = axes.iter().rev().map(|a| (*a, SYNTHESISE));
        let passes: Vec<_> = there
            .chain([(last, ANALYSE | SYNTHESISE)])
            .chain(back)
            .collect();
        // Their number is odd: what is read last is the first buffer, or b.
        let [one, other] = &mut self.between;
        let (mut from, mut to) = (one, other);
        for (n, (axis, what)) in passes.iter().enumerate() {
            let ends = n + 1 == passes.len();
            let job = job(
                &self.axes,
                *axis,
                what | if ends { how } else { 0 },
                system.shift + self.bound.shift,
            );
            let source = match b {
                Some(b) if n == 0 => b,
                _ => &*from,
            };
            let result = if ends { &mut *x } else { &mut *to };
            let pass = SpectralPass {
                job,
                places: &self.places,
                turns: &self.turns,
                lambda: &self.lambda,
                stencil: system.stencil,
                source,
                result,
            };
            dev.run(items(&job), pass);
            std::mem::swap(&mut from, &mut to);
        }
    }
}

/// What a pass along `axis` is told.
fn job(axes: &[Axis; 3], axis: usize, what: u32, shift: f32) -> SpectralU {
    let before = &axes[..axis];
    let all = &axes[axis];
    let chirp = if all.plan.chirp { CHIRP } else { 0 };
    let (places, turns) = before.iter().fold((0, 0), |at, a| {
        (at.0 + a.places.len(), at.1 + a.turns.len())
    });
    SpectralU {
        cells: [axes[0].cells, axes[1].cells, axes[2].cells, axis].map(|n| n as u32),
        line: [
            all.cells as u32,
            all.length as u32,
            all.plan.size as u32,
            pairs(all.plan.size),
        ],
        what: [
            what | chirp,
            all.partner as u32,
            all.first as u32,
            all.plan.stages,
        ],
        tables: [
            places as u32,
            turns as u32,
            all.plan.radices as u32,
            (all.plan.radices >> 32) as u32,
        ],
        shift,
        pad0: 0.0,
        pad1: 0.0,
        pad2: 0.0,
    }
}

/// Pairs of lines that a workgroup takes: columns side by side are read together, up to the 32 bytes that memory gives at once.
fn pairs(size: usize) -> u32 {
    let most = (MOST_ON_GPU / size).max(1) as u32;
    1 << most.min(8).ilog2()
}

/// Numbers of a grid in tiles of sixteen columns, the last of which may be wider than the grid.
fn tiled(dims: [u32; 3]) -> usize {
    let [nx, ny, nz] = dims.map(|n| n as usize);
    nx.next_multiple_of(LINES) * ny * nz
}

/// Invocations of a pass: a workgroup for so many pairs of lines.
fn items(job: &SpectralU) -> [u32; 3] {
    let [nx, ny, nz, axis] = job.cells;
    let lines = match axis {
        0 => ny * nz,
        1 => nx.next_multiple_of(LINES as u32) * nz,
        _ => nx.next_multiple_of(LINES as u32) * ny,
    };
    [lines.div_ceil(2 * job.line[3]) * WORKGROUP, 1, 1]
}

/// Whether the lines of all axes fit into workgroup memory.
fn fits_a_gpu(axes: &[Axis; 3]) -> Result<()> {
    for (axis, name) in axes.iter().zip(["x", "y", "z"]) {
        if axis.plan.size > MOST_ON_GPU {
            let rest = if axis.plan.chirp {
                ", as their number has a prime factor beyond 13"
            } else {
                ""
            };
            return Err(DeviceError::Gpu(format!(
                "the spectral solver needs {} numbers of workgroup memory for a line of {} cells along {name}{rest}; a GPU has \
                 room for {MOST_ON_GPU}. Choose multigrid, another number of cells, or the CPU",
                axis.plan.size, axis.cells,
            )));
        }
    }
    Ok(())
}
