//! Accelerations that come from the fluid itself: buoyancy (Boussinesq) and vorticity confinement (Fedkiw et al. 2001).
//!
//! The vorticity beside a wall is the wall's: it is no eddy that the grid has weakened, and to feed it tears the flow along
//! the wall into layers of one cell that run against each other. So cells beside walls and obstacles are not confined.
//! Nor are those beside open faces: what enters there is what flows there already, so that layers would feed themselves.
//! (The second difference of the campfire's inflow from row to row was 0.39 m/s after its warm-up; it is 0.001 m/s.)
//!
//! They are found at the centres of cells and then averaged to the faces. The weight of the fluid at rest is left out:
//! it would only add to the pressure, and at open faces, where the pressure is held at zero, it would make the fluid fall.

use rayon::prelude::*;

use super::lattice::{FIXED, Lattice, lerp};
use crate::device::Cpu;

crate::shared! {
    /// What accelerates the fluid.
    pub struct Acceleration {
        /// Gravity, m/s².
        pub gravity: [f32; 4],
        /// Expansion with temperature, 1/K.
        pub expansion: f32,
        /// Relative density of dye at brightness one.
        pub dye_weight: f32,
        /// Strength of vorticity confinement times the edge of a cell, m.
        pub confinement: f32,
        /// Nothing.
        pub unused: f32,
    }
}

crate::shared! {
    /// A factor.
    pub struct Factor {
        /// It.
        pub value: f32,
    }
}

crate::kernel! {
    /// a = (w·dye − β·T)·g + ε·h·(∇|ω|/|∇|ω|| × ω): (scalars, ω, solid) → two numbers a cell, m/s². `at` is the lattice of
    /// the pressure.
    pub Accelerate = "grid/accelerate.wgsl", accelerate {
        uniform at: Lattice, uniform by: Acceleration, read scalars: f32, read vorticity: f32, read solid: u32, write out: f32,
    }
}
crate::kernel! {
    /// u += dt · mean of the acceleration of the cells on both sides: a → u. `at` is the component's lattice.
    pub AddAcceleration = "grid/add_acceleration.wgsl", add_acceleration {
        uniform at: Lattice, uniform dt: Factor, read acceleration: f32, write u: f32,
    }
}

fn accelerate(
    _: &Cpu,
    _: [u32; 3],
    at: &Lattice,
    by: &Acceleration,
    scalars: &[f32],
    vorticity: &[f32],
    solid: &[u32],
    out: &mut [f32],
) {
    let nx = at.size[0] as usize;
    out.par_chunks_mut(2 * nx).enumerate().for_each(|(j, row)| {
        let scalars = &scalars[4 * nx * j..][..4 * nx];
        for (out, s) in row.chunks_exact_mut(2).zip(scalars.chunks_exact(4)) {
            let brightness = (s[0] + s[1] + s[2]) * (1.0 / 3.0);
            let weight = by.dye_weight * brightness - by.expansion * s[3];
            out[0] = weight * by.gravity[0];
            out[1] = weight * by.gravity[1];
        }
        if by.confinement != 0.0 {
            let source = Confinement {
                at,
                strength: by.confinement,
                vorticity,
                solid,
            };
            source.add(j, row);
        }
    });
}

/// Vorticity confinement.
struct Confinement<'a> {
    at: &'a Lattice,
    /// ε·h, m.
    strength: f32,
    vorticity: &'a [f32],
    solid: &'a [u32],
}

impl Confinement<'_> {
    /// Adds to row `j` of the acceleration.
    fn add(&self, j: usize, row: &mut [f32]) {
        let (nx, ny) = (self.at.size[0] as usize, self.at.size[1] as usize);
        if at_end(self.at, j, 1) {
            return;
        }
        if j == 0 || j + 1 == ny || nx == 1 {
            for (i, out) in row.chunks_exact_mut(2).enumerate() {
                self.add_at_edge(i, j, out);
            }
            return;
        }
        self.add_at_edge(0, j, &mut row[..2]);
        self.add_at_edge(nx - 1, j, &mut row[2 * nx - 2..]);
        let rows = |j: usize| (&self.vorticity[nx * j..][..nx], &self.solid[nx * j..][..nx]);
        let ((below, s0), (here, s1), (above, s2)) = (rows(j - 1), rows(j), rows(j + 1));
        let inner = &mut row[2..2 * nx - 2];
        confine_inside(self.strength, below, here, above, s0, s1, s2, inner);
    }

    fn add_at_edge(&self, i: usize, j: usize, out: &mut [f32]) {
        let at = self.at;
        let (x, y) = (i as i32, j as i32);
        let solid = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
            .iter()
            .any(|(dx, dy)| self.solid[at.inside(x + dx, y + dy)] != 0);
        if solid || at_end(at, i, 0) {
            return;
        }
        let size = |i, j| at.ghost(self.vorticity, i, j).abs();
        let dx = size(x + 1, y) - size(x - 1, y);
        let dy = size(x, y + 1) - size(x, y - 1);
        let length = (dx * dx + dy * dy).sqrt().max(1e-20);
        let omega = at.ghost(self.vorticity, x, y);
        out[0] += self.strength * (dy / length * omega);
        out[1] += self.strength * (-(dx / length) * omega);
    }
}

/// Whether cell `i` is beside a face of the domain that is not joined with another one.
fn at_end(at: &Lattice, i: usize, axis: usize) -> bool {
    !at.periodic(axis) && (i == 0 || i + 1 == at.size[axis] as usize)
}

crate::simd_fn! {
    /// Cells 1..nx−1 of a row, from the vorticity and the solid mask of the three rows about it.
    fn confine_inside(
        strength: f32, below: &[f32], here: &[f32], above: &[f32],
        solid_below: &[u32], solid: &[u32], solid_above: &[u32], out: &mut [f32],
    ) {
        let n = out.len() / 2;
        let (left, omega, right) = (&here[..n], &here[1..n + 1], &here[2..n + 2]);
        let (below, above) = (&below[1..n + 1], &above[1..n + 1]);
        let (s_left, s_here, s_right) = (&solid[..n], &solid[1..n + 1], &solid[2..n + 2]);
        let (s_below, s_above) = (&solid_below[1..n + 1], &solid_above[1..n + 1]);
        for i in 0..n {
            let dx = right[i].abs() - left[i].abs();
            let dy = above[i].abs() - below[i].abs();
            let length = (dx * dx + dy * dy).sqrt().max(1e-20);
            let about = s_here[i] | s_left[i] | s_right[i] | s_below[i] | s_above[i];
            let (x, y) = (dy / length * omega[i], -(dx / length) * omega[i]);
            // Adding −0 leaves every number as it is, and keeps the loop without a branch.
            out[2 * i] += if about == 0 { strength * x } else { -0.0 };
            out[2 * i + 1] += if about == 0 { strength * y } else { -0.0 };
        }
    }
}

fn add_acceleration(
    _: &Cpu,
    _: [u32; 3],
    at: &Lattice,
    dt: &Factor,
    acceleration: &[f32],
    u: &mut [f32],
) {
    let axis = at.size[3] as usize;
    let width = at.size[0] as usize;
    let nx = at.cells[0] as usize;
    let cell_row = |j: usize| &acceleration[2 * nx * j..][..2 * nx];
    u.par_chunks_mut(width).enumerate().for_each(|(j, row)| {
        if axis == 0 {
            let a = cell_row(j);
            for i in [0, nx] {
                if let Some([low, high]) = beside(at, 0, i) {
                    row[i] += dt.value * lerp(a[2 * low], a[2 * high], 0.5);
                }
            }
            let pairs = a.chunks_exact(2).zip(a[2..].chunks_exact(2));
            for (u, (a, b)) in row[1..nx].iter_mut().zip(pairs) {
                *u += dt.value * lerp(a[0], b[0], 0.5);
            }
        } else if let Some([low, high]) = beside(at, 1, j) {
            let (low, high) = (cell_row(low), cell_row(high));
            let pairs = low.chunks_exact(2).zip(high.chunks_exact(2));
            for (v, (a, b)) in row.iter_mut().zip(pairs) {
                *v += dt.value * lerp(a[1], b[1], 0.5);
            }
        }
    });
}

/// Cells on both sides of a face; the same one twice at an open end, none where the face's velocity is known.
#[inline]
fn beside(at: &Lattice, axis: usize, i: usize) -> Option<[usize; 2]> {
    let n = at.cells[axis] as usize;
    if i > 0 && i < n {
        return Some([i - 1, i]);
    }
    if at.periodic(axis) {
        return Some([n - 1, 0]);
    }
    let (kind, cell) = if i == 0 {
        (at.low_kind[axis], 0)
    } else {
        (at.high_kind[axis], n - 1)
    };
    (kind != FIXED).then_some([cell, cell])
}
