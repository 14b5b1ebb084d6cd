//! An incomplete Cholesky factor, on the CPU: A ≈ (L + E) E⁻¹ (L + E)ᵀ, L being what of A lies below the diagonal and E a
//! diagonal, with which the product has the diagonal of A or, modified, almost its row sums (Meijerink and van der Vorst 1977,
//! Gustafsson 1978, Bridson 2015). In the order of the cells, l being the neighbours of i that come before it,
//!
//! `e_i = d_i − Σ_l (1 + τ · other links of l to what comes after it) / e_l`
//!
//! with τ = 0.97, and e_i = d_i where that falls under a quarter of it: Bridson's figures. z = M⁻¹ r is a way forward,
//! `y_i = (r_i + Σ_l y_l) / e_i`, and one back, `z_i = y_i + Σ_u z_u / e_i`. Links round periodic axes are left to the iteration.
//!
//! Each cell waits for the one before it, so all is done by one thread, four rows at a time with each a cell behind the one
//! before: four chains of additions keep a core busier than one, and every cell still gets the same numbers in the same order.

use crate::device::{Buf, Device, DeviceError, Result};
use crate::poisson::stencil::{face, faces, weights};
use crate::poisson::{LINK, Preconditioner, System, UNKNOWN};

/// How much of what the factor leaves out is put on its diagonal.
const TAU: f32 = 0.97;
/// Share of the diagonal of A below which that of the factor is not to be trusted.
const SAFETY: f32 = 0.25;
/// Rows that are done together.
const WAVE: usize = 4;

/// The factor.
pub(super) struct IncompleteCholesky {
    dims: [u32; 3],
    /// 1 / E; zero where there is no unknown.
    inverse: Buf<f32>,
    /// Whether there is a closed face between two unknowns: then links must be looked up.
    walls: bool,
}

impl IncompleteCholesky {
    /// For arrays of `dims`.
    ///
    /// # Errors
    /// [`DeviceError::CpuOnly`] on a GPU, else as [`Device::buf`].
    pub fn new(dev: &mut Device, dims: [u32; 3]) -> Result<Self> {
        if dev.cpu().is_none() {
            return Err(DeviceError::CpuOnly {
                what: "the incomplete Cholesky preconditioner",
                instead: "choose another preconditioner, or the CPU as device",
            });
        }
        let cells = dims.iter().map(|n| *n as usize).product();
        Ok(Self {
            dims,
            inverse: dev.buf("incomplete Cholesky factor", cells)?,
            walls: false,
        })
    }

    /// Bytes that [`IncompleteCholesky::new`] takes.
    pub fn memory_bytes(dims: [u32; 3]) -> u64 {
        4 * dims.iter().map(|n| u64::from(*n)).product::<u64>()
    }
}

/// Where the neighbour behind face `f` of a cell is, unless that is the end of an axis.
fn behind(dims: [u32; 3], [i, j, k]: [usize; 3], f: u32) -> Option<usize> {
    let [nx, ny, nz] = dims.map(|n| n as usize);
    let [i, j, k] = match f {
        0 => [i.checked_sub(1)?, j, k],
        1 => [i + 1, j, k],
        2 => [i, j.checked_sub(1)?, k],
        3 => [i, j + 1, k],
        4 => [i, j, k.checked_sub(1)?],
        _ => [i, j, k + 1],
    };
    (i < nx && j < ny && k < nz).then_some((k * ny + j) * nx + i)
}

impl Preconditioner for IncompleteCholesky {
    fn prepare(
        &mut self,
        _dev: &mut Device,
        dims: [u32; 3],
        stencil: &[u32],
        shift: f32,
    ) -> Result<()> {
        let [nx, ny, nz] = dims.map(|n| n as usize);
        let faces = faces(dims);
        let inverse = self.inverse.host_mut();
        self.walls = false;
        let ids = (0..nz).flat_map(|k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])));
        for (c, id) in ids.enumerate() {
            let code = stencil[c];
            let diagonal = shift + weights(code, faces) as f32;
            if code & UNKNOWN == 0 || diagonal <= 0.0 {
                inverse[c] = 0.0;
                continue;
            }
            let mut e = diagonal;
            for f in 0..faces {
                let Some(l) = behind(dims, id, f) else {
                    continue;
                };
                let link = face(code, f) == LINK;
                self.walls |= !link && stencil[l] & UNKNOWN != 0;
                if !link || f % 2 == 1 {
                    continue;
                }
                let back = [0, 1, 2].map(|a| id[a] - usize::from(a == f as usize / 2));
                let after = |g: &u32| {
                    *g != f + 1 && face(stencil[l], *g) == LINK && behind(dims, back, *g).is_some()
                };
                let others = [1, 3, 5]
                    .into_iter()
                    .filter(|g| *g < faces)
                    .filter(after)
                    .count();
                e -= (1.0 + TAU * others as f32) * inverse[l];
            }
            inverse[c] = 1.0 / if e < SAFETY * diagonal { diagonal } else { e };
        }
        Ok(())
    }

    fn apply(&mut self, dev: &mut Device, system: &System<'_>, z: &mut Buf<f32>) {
        let on_cpu = |_: &crate::device::Cpu| {
            let way = Way {
                dims: self.dims.map(|n| n as usize),
                stencil: system.stencil.host(),
                inverse: self.inverse.host(),
                r: system.rhs.host(),
            };
            let z = z.host_mut();
            if self.walls {
                way.go::<false, true>(z);
                way.go::<true, true>(z);
            } else {
                way.go::<false, false>(z);
                way.go::<true, false>(z);
            }
        };
        dev.either("IncompleteCholesky", on_cpu, |_| {});
    }
}

/// A way through all cells, forward or back.
struct Way<'a> {
    dims: [usize; 3],
    stencil: &'a [u32],
    inverse: &'a [f32],
    r: &'a [f32],
}

/// A row on the way: where it begins in the arrays, and whether there are rows on the way before it along y and z.
#[derive(Clone, Copy)]
struct Row {
    begin: usize,
    along_y: bool,
    along_z: bool,
}

impl Way<'_> {
    /// Forward, from r to y, or back, from y to z. Without walls what has no unknown is zero, so that no link need be looked up.
    fn go<const BACK: bool, const WALLS: bool>(&self, z: &mut [f32]) {
        let [nx, ny, nz] = self.dims;
        let turned = |n: usize, i: usize| if BACK { n - 1 - i } else { i };
        for k in 0..nz {
            for j in (0..ny).step_by(WAVE) {
                let row = |m: usize| Row {
                    begin: (turned(nz, k) * ny + turned(ny, j + m)) * nx,
                    along_y: j + m > 0,
                    along_z: k > 0,
                };
                if j + WAVE <= ny {
                    self.wave::<WAVE, BACK, WALLS>(z, [0, 1, 2, 3].map(row));
                } else {
                    (0..ny - j).for_each(|m| self.wave::<1, BACK, WALLS>(z, [row(m)]));
                }
            }
        }
    }

    /// Some rows, each a cell behind the one before.
    fn wave<const N: usize, const BACK: bool, const WALLS: bool>(
        &self,
        z: &mut [f32],
        rows: [Row; N],
    ) {
        let nx = self.dims[0];
        let mut last = [0.0; N];
        for time in 0..nx + N - 1 {
            for m in 0..N {
                let i = time.wrapping_sub(m);
                if i < nx {
                    let cell = rows[m].begin + if BACK { nx - 1 - i } else { i };
                    last[m] = self.cell::<BACK, WALLS>(z, cell, rows[m], last[m]);
                }
            }
        }
    }

    #[inline(always)]
    fn cell<const BACK: bool, const WALLS: bool>(
        &self,
        z: &mut [f32],
        c: usize,
        row: Row,
        last: f32,
    ) -> f32 {
        let [nx, ny, _] = self.dims;
        let first = u32::from(BACK);
        let at = |f: u32, v: f32| {
            if WALLS && face(self.stencil[c], f) != LINK {
                0.0
            } else {
                v
            }
        };
        let before = |by: usize| if BACK { c + by } else { c - by };
        let (inverse, mut sum) = (self.inverse[c], if BACK { 0.0 } else { self.r[c] });
        if row.along_y {
            sum += at(2 + first, z[before(nx)]);
        }
        if row.along_z {
            sum += at(4 + first, z[before(nx * ny)]);
        }
        let sum = sum * inverse + if BACK { z[c] } else { 0.0 };
        let value = sum + at(first, last) * inverse;
        z[c] = value;
        value
    }
}
