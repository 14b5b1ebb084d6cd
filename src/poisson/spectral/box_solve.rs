//! The passes over all axes: M⁻¹ of the box M that bounds a system, for the solver and for whoever else wants it.

use super::axis::Axis;
use super::blocks::LINES;
use super::bounds::{Bound, Ends};
use super::kernels::{ADD, ANALYSE, CHIRP, SYNTHESISE, SpectralPass, SpectralU};
use crate::device::{Buf, Device, DeviceError, Result};

/// Complex numbers that fit into the workgroup memory of every GPU.
pub(super) const MOST_ON_GPU: usize = 2048;
/// Invocations of a workgroup.
const WORKGROUP: u32 = 256;

/// Solves the box that bounds a system: exactly that system where it is a box.
pub(in crate::poisson) struct BoxSolve {
    dims: [u32; 3],
    bound: Bound,
    axes: [Axis; 3],
    /// The ends for which the tables are made.
    made: Option<[Ends; 3]>,
    places: Buf<u32>,
    turns: Buf<[f32; 2]>,
    lambda: Buf<f32>,
    /// What passes hand on to each other.
    between: [Buf<f32>; 2],
}

impl BoxSolve {
    /// For arrays of `dims`.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device, dims: [u32; 3]) -> Result<Self> {
        let tiled = tiled(dims);
        Ok(Self {
            dims,
            bound: Bound {
                ends: [Ends::CLOSED; 3],
                shift: 0.0,
                exact: false,
            },
            // Made when the system is known.
            axes: [1; 3].map(|n| Axis::new(n, Ends::CLOSED)),
            made: None,
            places: dev.buf("spectral places", 0)?,
            turns: dev.buf("spectral factors", 0)?,
            lambda: dev.buf("spectral eigenvalues", 0)?,
            between: [
                dev.buf("spectral modes", tiled)?,
                dev.buf("spectral modes of the last axis", tiled)?,
            ],
        })
    }

    /// Bytes that it takes.
    pub fn memory_bytes(dims: [u32; 3]) -> u64 {
        let tables: u64 = dims.iter().map(|n| Axis::memory_bytes(*n)).sum();
        2 * 4 * tiled(dims) as u64 + tables
    }

    /// Whether the system is the box.
    pub fn is_exact(&self) -> bool {
        self.bound.exact
    }

    /// Finds the box of a stencil whose codes are given; to be called before any solve, and where the stencil is another.
    ///
    /// # Errors
    /// Memory, a device that fails, or lines that are longer than a GPU can do.
    pub fn prepare(&mut self, dev: &mut Device, stencil: &[u32]) -> Result<()> {
        self.bound = Bound::of(self.dims, stencil);
        if self.made == Some(self.bound.ends) {
            return Ok(());
        }
        self.made = None;
        self.axes = [0, 1, 2].map(|a| Axis::new(self.dims[a] as usize, self.bound.ends[a]));
        if dev.cpu().is_none() {
            fits_a_gpu(&self.axes)?;
        }
        let places: Vec<_> = self.axes.iter().flat_map(|a| a.places.clone()).collect();
        let turns: Vec<_> = self.axes.iter().flat_map(|a| a.turns.clone()).collect();
        let lambda: Vec<_> = self.axes.iter().flat_map(|a| a.lambda.clone()).collect();
        self.places = dev.buf_from("spectral places", &places)?;
        self.turns = dev.buf_from("spectral factors", &turns)?;
        self.lambda = dev.buf_from("spectral eigenvalues", &lambda)?;
        self.made = Some(self.bound.ends);
        Ok(())
    }

    /// x = M⁻¹r, everywhere.
    pub fn set(
        &mut self,
        dev: &mut Device,
        stencil: &Buf<u32>,
        shift: f32,
        r: &Buf<f32>,
        x: &mut Buf<f32>,
    ) {
        self.passes(dev, stencil, shift, r, x, 0);
    }

    /// x += M⁻¹r in the unknowns of the stencil; r must be zero elsewhere.
    pub fn add(
        &mut self,
        dev: &mut Device,
        stencil: &Buf<u32>,
        shift: f32,
        r: &Buf<f32>,
        x: &mut Buf<f32>,
    ) {
        self.passes(dev, stencil, shift, r, x, ADD);
    }

    fn passes(
        &mut self,
        dev: &mut Device,
        stencil: &Buf<u32>,
        shift: f32,
        r: &Buf<f32>,
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
        let [one, other] = &mut self.between;
        let (mut from, mut to) = (one, other);
        for (n, (axis, what)) in passes.iter().enumerate() {
            let is_last = n + 1 == passes.len();
            let how = if is_last { how } else { 0 };
            let job = job(&self.axes, *axis, what | how, shift + self.bound.shift);
            let pass = SpectralPass {
                job,
                places: &self.places,
                turns: &self.turns,
                lambda: &self.lambda,
                stencil,
                source: if n == 0 { r } else { from },
                result: if is_last { &mut *x } else { &mut *to },
            };
            dev.run(items(&job), pass);
            std::mem::swap(&mut from, &mut to);
        }
    }
}

/// What a pass along `axis` is told.
pub(super) fn job(axes: &[Axis; 3], axis: usize, what: u32, shift: f32) -> SpectralU {
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
pub(super) fn tiled(dims: [u32; 3]) -> usize {
    let [nx, ny, nz] = dims.map(|n| n as usize);
    nx.next_multiple_of(LINES) * ny * nz
}

/// Invocations of a pass: a workgroup for so many pairs of lines.
pub(super) fn items(job: &SpectralU) -> [u32; 3] {
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
            return Err(DeviceError::Unfit(format!(
                "the spectral solver needs {} numbers of workgroup memory for a line of {} cells along {name}{rest}; a GPU has \
                 room for {MOST_ON_GPU}. Choose multigrid, another number of cells, or the CPU",
                axis.plan.size, axis.cells,
            )));
        }
    }
    Ok(())
}
