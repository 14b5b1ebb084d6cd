//! The pressure on the staggered grid (Harlow and Welch 1965), where divergence and gradient fit exactly: a pressure that
//! solves `∇²p = ∇·u / dt` leaves no divergence in `u − dt ∇p`.
//!
//! - [`PressureStencil`]: which neighbours a cell's pressure hangs on. Its codes also say which cells are fluid.
//! - [`Divergence`]: the right-hand side, or the divergence itself
//! - [`ScaleGuess`]: the pressure of another step as a first guess
//! - [`SubtractGradient`]: once for each component
//! - [`PressureResidual`]: what a solve left

use rayon::prelude::*;

use super::codes::{CLOSED, FACE, LINK, UNKNOWN};
use super::lattice::{self, Lattice, neighbour};
use super::sources::Factor;
use crate::device::Cpu;

crate::kernel! {
    /// Codes of the Poisson system: solid → stencil. `at` is the pressure's lattice.
    pub PressureStencil = "grid/pressure_stencil.wgsl", pressure_stencil {
        uniform at: Lattice, read solid: u32, write stencil: u32,
    }
}
crate::kernel! {
    /// f · ((u_right − u_left) + (v_top − v_bottom)) in cells that are unknowns, else 0: (stencil, u, v) → out.
    pub Divergence = "grid/divergence.wgsl", divergence {
        uniform at: Lattice, uniform factor: Factor, read stencil: u32, read u: f32, read v: f32, write out: f32,
    }
}
crate::kernel! {
    /// p *= last step / this step, where this one is longer: (last step) → p. `at` is the pressure's lattice.
    pub ScaleGuess = "grid/scale_guess.wgsl", scale_guess {
        uniform at: Lattice, uniform dt: Factor, read step: f32, write pressure: f32,
    }
}
crate::kernel! {
    /// u −= dt/h · (difference of p): (stencil, p) → u. `at` is the component's lattice, `factor` is dt/h.
    pub SubtractGradient = "grid/subtract_gradient.wgsl", subtract_gradient {
        uniform at: Lattice, uniform factor: Factor, read stencil: u32, read pressure: f32, write u: f32,
    }
}
crate::kernel! {
    /// f · (b − A p): (stencil, b, p) → out. `at` is the pressure's lattice. Not [`crate::poisson`]'s residual times a factor:
    /// that one adds the four terms before it adds b, and rounds in another way, so exported fields would change.
    pub PressureResidual = "grid/pressure_residual.wgsl", pressure_residual {
        uniform at: Lattice, uniform factor: Factor, read stencil: u32, read rhs: f32, read pressure: f32, write out: f32,
    }
}

fn pressure_stencil(_: &Cpu, _: [u32; 3], at: &Lattice, solid: &[u32], stencil: &mut [u32]) {
    let n = [at.size[0] as usize, at.size[1] as usize];
    stencil
        .par_chunks_mut(n[0])
        .enumerate()
        .for_each(|(j, row)| {
            for (i, out) in row.iter_mut().enumerate() {
                *out = 0;
                if solid[j * n[0] + i] != 0 {
                    continue;
                }
                let here = [i, j];
                let mut codes = 0;
                for face in 0..4 {
                    let (axis, side) = (face / 2, face % 2);
                    let code = match neighbour(here[axis], n[axis], side, at.periodic(axis)) {
                        Some(other) => {
                            let k = if axis == 0 {
                                j * n[0] + other
                            } else {
                                other * n[0] + i
                            };
                            if solid[k] == 0 { LINK } else { CLOSED }
                        }
                        None if [at.low_kind, at.high_kind][side][axis] == lattice::FACE => FACE,
                        None => CLOSED,
                    };
                    codes |= code << (2 * face);
                }
                // A cell that hangs on nothing has no pressure.
                if codes != 0 {
                    *out = codes | UNKNOWN;
                }
            }
        });
}

fn divergence(
    _: &Cpu,
    _: [u32; 3],
    at: &Lattice,
    factor: &Factor,
    stencil: &[u32],
    u: &[f32],
    v: &[f32],
    out: &mut [f32],
) {
    let nx = at.size[0] as usize;
    out.par_chunks_mut(nx)
        .with_min_len(8)
        .enumerate()
        .for_each(|(j, out)| {
            let codes = &stencil[nx * j..][..nx];
            let u = &u[(nx + 1) * j..][..nx + 1];
            let (left, right) = (&u[..nx], &u[1..]);
            let (low, high) = (&v[nx * j..][..nx], &v[nx * (j + 1)..][..nx]);
            divergence_row(factor.value, codes, left, right, low, high, out);
        });
}

crate::simd_fn! {
    fn divergence_row(factor: f32, codes: &[u32], left: &[f32], right: &[f32], low: &[f32], high: &[f32], out: &mut [f32]) {
        let n = out.len();
        let (codes, left, right) = (&codes[..n], &left[..n], &right[..n]);
        let (low, high) = (&low[..n], &high[..n]);
        for i in 0..n {
            let sum = (right[i] - left[i]) + (high[i] - low[i]);
            out[i] = if codes[i] & UNKNOWN != 0 { factor * sum } else { 0.0 };
        }
    }

    /// Faces between two cells of the domain; `shift` leads to the code of the low face of the cell on the high side.
    fn inside(u: &mut [f32], codes: &[u32], low: &[f32], high: &[f32], shift: u32, f: f32) {
        let n = u.len();
        let (codes, low, high) = (&codes[..n], &low[..n], &high[..n]);
        for i in 0..n {
            let link = codes[i] >> shift & 3 == LINK;
            u[i] -= if link { f * (high[i] - low[i]) } else { 0.0 };
        }
    }
}

fn pressure_residual(
    _: &Cpu,
    _: [u32; 3],
    at: &Lattice,
    factor: &Factor,
    stencil: &[u32],
    rhs: &[f32],
    pressure: &[f32],
    out: &mut [f32],
) {
    let n = [at.size[0] as usize, at.size[1] as usize];
    out.par_chunks_mut(n[0]).enumerate().for_each(|(j, row)| {
        for (i, out) in row.iter_mut().enumerate() {
            let k = j * n[0] + i;
            let (code, here) = (stencil[k], pressure[k]);
            let mut sum = rhs[k];
            for face in 0..4 {
                let (axis, side) = (face / 2, face % 2);
                let near = match neighbour([i, j][axis], n[axis], side, at.periodic(axis)) {
                    Some(other) if axis == 0 => pressure[j * n[0] + other],
                    Some(other) => pressure[other * n[0] + i],
                    None => 0.0,
                };
                sum += match code >> (2 * face) & 3 {
                    LINK => near - here,
                    FACE => -2.0 * here,
                    _ => 0.0,
                };
            }
            *out = if code & UNKNOWN != 0 {
                factor.value * sum
            } else {
                0.0
            };
        }
    });
}

fn scale_guess(_: &Cpu, _: [u32; 3], _: &Lattice, dt: &Factor, step: &[f32], pressure: &mut [f32]) {
    if step[0] > 0.0 && step[0] < dt.value {
        let factor = step[0] / dt.value;
        pressure
            .par_iter_mut()
            .with_min_len(1 << 14)
            .for_each(|p| *p *= factor);
    }
}

fn subtract_gradient(
    _: &Cpu,
    _: [u32; 3],
    at: &Lattice,
    factor: &Factor,
    stencil: &[u32],
    pressure: &[f32],
    u: &mut [f32],
) {
    let (nx, ny) = (at.cells[0] as usize, at.cells[1] as usize);
    let f = factor.value;
    let codes = |j: usize| &stencil[nx * j..][..nx];
    let p = |j: usize| &pressure[nx * j..][..nx];
    let width = at.size[0] as usize;
    u.par_chunks_mut(width)
        .with_min_len(8)
        .enumerate()
        .for_each(|(j, row)| {
            if at.size[3] == 0 {
                let (codes, p) = (codes(j), p(j));
                inside(&mut row[1..nx], &codes[1..], &p[..nx - 1], &p[1..], 0, f);
                row[0] -= f * at_end(codes[0], 0, p[nx - 1], p[0]);
                row[nx] -= f * at_end(codes[nx - 1], 1, p[nx - 1], p[0]);
            } else if j > 0 && j < ny {
                inside(row, codes(j), p(j - 1), p(j), 4, f);
            } else {
                let (cell, face) = if j == 0 { (0, 2) } else { (ny - 1, 3) };
                let (codes, low, high) = (codes(cell), p(ny - 1), p(0));
                for (i, v) in row.iter_mut().enumerate() {
                    *v -= f * at_end(codes[i], face, low[i], high[i]);
                }
            }
        });
}

/// Difference of p over a face on an end of the domain, in cells: `low` is at the high end of the array, `high` at the low one.
#[inline]
fn at_end(code: u32, face: u32, low: f32, high: f32) -> f32 {
    match (code >> (2 * face) & 3, face % 2) {
        (LINK, _) => high - low,
        (FACE, 0) => 2.0 * high,
        (FACE, _) => -2.0 * low,
        _ => 0.0,
    }
}
