//! Cell-centred fields that are derived from the staggered ones, to be shown and exported.

use rayon::prelude::*;

use super::lattice::{Lattice, lerp};
use super::sources::Factor;
use crate::device::Cpu;

crate::kernel! {
    /// Mean of the two faces of each cell: (u, v) → two numbers a cell, m/s. `at` is the lattice of centres.
    pub CellVelocity = "grid/cell_velocity.wgsl", cell_velocity {
        uniform at: Lattice, read u: f32, read v: f32, write out: f32,
    }
}
crate::kernel! {
    /// ω = ∂v/∂x − ∂u/∂y at centres, from central differences over two cells: (u, v) → 1/s. `half` is 1/(2h).
    pub Curl = "grid/curl.wgsl", curl {
        uniform u_at: Lattice, uniform v_at: Lattice, uniform half: Factor, read u: f32, read v: f32, write out: f32,
    }
}
crate::kernel! {
    /// Share of each cell that obstacles take, from the distance at its centre: sdf → 0..1. `per_cell` is 1/h.
    pub Coverage = "grid/coverage.wgsl", coverage {
        uniform per_cell: Factor, read sdf: f32, write out: f32,
    }
}

fn cell_velocity(_: &Cpu, _: [u32; 3], at: &Lattice, u: &[f32], v: &[f32], out: &mut [f32]) {
    let nx = at.size[0] as usize;
    out.par_chunks_mut(2 * nx).enumerate().for_each(|(j, row)| {
        let u = &u[(nx + 1) * j..][..nx + 1];
        let (low, high) = (&v[nx * j..][..nx], &v[nx * (j + 1)..][..nx]);
        for (i, out) in row.chunks_exact_mut(2).enumerate() {
            out[0] = lerp(u[i], u[i + 1], 0.5);
            out[1] = lerp(low[i], high[i], 0.5);
        }
    });
}

fn curl(
    _: &Cpu,
    _: [u32; 3],
    u_at: &Lattice,
    v_at: &Lattice,
    half: &Factor,
    u: &[f32],
    v: &[f32],
    out: &mut [f32],
) {
    let (nx, ny) = (u_at.cells[0] as usize, u_at.cells[1] as usize);
    out.par_chunks_mut(nx).enumerate().for_each(|(j, row)| {
        let at_edge = |i: usize| {
            let (i, j) = (i as i32, j as i32);
            let v_sum = |i| v_at.ghost(v, i, j) + v_at.ghost(v, i, j + 1);
            let u_sum = |j| u_at.ghost(u, i, j) + u_at.ghost(u, i + 1, j);
            let (dv, du) = (v_sum(i + 1) - v_sum(i - 1), u_sum(j + 1) - u_sum(j - 1));
            0.5 * half.value * (dv - du)
        };
        if j == 0 || j + 1 == ny {
            row.iter_mut()
                .enumerate()
                .for_each(|(i, out)| *out = at_edge(i));
            return;
        }
        let u_row = |j: usize| &u[(nx + 1) * j + 1..][..nx];
        let v_row = |j: usize| &v[nx * j..][..nx];
        let [u, v] = [[u_row(j - 1), u_row(j + 1)], [v_row(j), v_row(j + 1)]];
        curl_inside(
            0.5 * half.value,
            u[0],
            u[1],
            v[0],
            v[1],
            &mut row[1..nx - 1],
        );
        row[0] = at_edge(0);
        row[nx - 1] = at_edge(nx - 1);
    });
}

crate::simd_fn! {
    /// Cells 1..nx−1 of a row, from u below and above (beginning at face 1) and v at both ends of the cells.
    fn curl_inside(half: f32, below: &[f32], above: &[f32], low: &[f32], high: &[f32], out: &mut [f32]) {
        let n = out.len();
        let (b0, b1) = (&below[..n], &below[1..n + 1]);
        let (a0, a1) = (&above[..n], &above[1..n + 1]);
        let (l0, l2) = (&low[..n], &low[2..n + 2]);
        let (h0, h2) = (&high[..n], &high[2..n + 2]);
        for i in 0..n {
            let dv = (l2[i] + h2[i]) - (l0[i] + h0[i]);
            let du = (a0[i] + a1[i]) - (b0[i] + b1[i]);
            out[i] = half * (dv - du);
        }
    }
}

fn coverage(_: &Cpu, _: [u32; 3], per_cell: &Factor, sdf: &[f32], out: &mut [f32]) {
    out.par_iter_mut()
        .zip(sdf)
        .with_min_len(1 << 14)
        .for_each(|(out, d)| *out = (0.5 - d * per_cell.value).clamp(0.0, 1.0));
}
