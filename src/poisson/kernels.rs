//! The kernels that all solvers share, each a WGSL file and its twin.

use rayon::prelude::*;

use super::UNKNOWN;
use super::cells::{Rows, cell_value, residual, weighted};
use super::stencil::parity;
use crate::device::{Cpu, Kernel, KernelInfo};

crate::shared! {
    /// What a sweep or a residual needs beside the arrays.
    pub struct SweepU {
        /// Cells along x, y, z; the colour to relax (red–black only).
        pub cells: [u32; 4],
        /// Added to the diagonal.
        pub shift: f32,
        /// Weight of the relaxed value.
        pub weight: f32,
        /// Nothing.
        pub pad0: f32,
        /// Nothing.
        pub pad1: f32,
    }
}

crate::shared! {
    /// Number of items of a 1D kernel.
    pub struct CountU {
        /// Items.
        pub count: u32,
    }
}

crate::kernel! {
    /// x' = (1−ω) x + ω D⁻¹ (b + links of x): (stencil, b, x) → out.
    pub JacobiSweep = "poisson/jacobi_sweep.wgsl", jacobi_sweep {
        uniform sweep: SweepU, read stencil: u32, read rhs: f32, read x: f32, write relaxed: f32,
    }
}

crate::kernel! {
    /// x' = (1−ω) x + ω D⁻¹ (b + links of x) in the cells of one colour, x elsewhere: (stencil, b, x) → out.
    pub RedBlackSweep = "poisson/red_black_sweep.wgsl", red_black_sweep {
        uniform sweep: SweepU, read stencil: u32, read rhs: f32, read x: f32, write relaxed: f32,
    }
}

crate::kernel! {
    /// r = b − A x: (stencil, b, x) → r.
    pub Residual = "poisson/residual.wgsl", residual_field {
        uniform sweep: SweepU, read stencil: u32, read rhs: f32, read x: f32, write residual: f32,
    }
}

crate::kernel! {
    /// Σ v over each chunk, by eight lanes: (chunks, v) → sums.
    pub ChunkSums = "poisson/chunk_sums.wgsl", chunk_sums {
        uniform size: CountU, read chunks: [u32; 4], read values: f32, write sums: f32,
    }
}

crate::kernel! {
    /// Mean of each singular part: (parts, sums of its chunks) → means.
    pub PartMeans = "poisson/part_means.wgsl", part_means {
        uniform size: CountU, read parts: [u32; 4], read sums: f32, write means: f32,
    }
}

crate::kernel! {
    /// v −= mean of the part that the cell is in: (part of each cell, means) → v.
    pub SubtractMeans = "poisson/subtract_means.wgsl", subtract_means {
        uniform size: CountU, read part: u32, read means: f32, write values: f32,
    }
}

/// All of them.
pub const KERNELS: &[KernelInfo] = &[
    JacobiSweep::INFO,
    RedBlackSweep::INFO,
    Residual::INFO,
    ChunkSums::INFO,
    PartMeans::INFO,
    SubtractMeans::INFO,
];

impl SweepU {
    pub(super) fn new(dims: [u32; 3], shift: f32) -> Self {
        Self {
            cells: [dims[0], dims[1], dims[2], 0],
            shift,
            weight: 1.0,
            pad0: 0.0,
            pad1: 0.0,
        }
    }
    fn dims(&self) -> [u32; 3] {
        [self.cells[0], self.cells[1], self.cells[2]]
    }
}

impl CountU {
    pub(super) fn new(count: usize) -> Self {
        Self {
            count: count as u32,
        }
    }
}

/// Calls `row(index, output)` for every row, on all threads.
fn each_row(dims: [u32; 3], out: &mut [f32], row: impl Fn(usize, &mut [f32]) + Sync) {
    out.par_chunks_mut(dims[0] as usize)
        .with_min_len(8)
        .enumerate()
        .for_each(|(r, out)| row(r, out));
}

/// A row of the stencil and of the right-hand side.
fn row_of<'a>(u: &SweepU, stencil: &'a [u32], rhs: &'a [f32], r: usize) -> (&'a [u32], &'a [f32]) {
    let nx = u.cells[0] as usize;
    (&stencil[r * nx..][..nx], &rhs[r * nx..][..nx])
}

fn jacobi_sweep(
    _: &Cpu,
    _: [u32; 3],
    u: &SweepU,
    stencil: &[u32],
    rhs: &[f32],
    x: &[f32],
    relaxed: &mut [f32],
) {
    let dims = u.dims();
    each_row(dims, relaxed, |r, out| {
        let (code, b) = row_of(u, stencil, rhs, r);
        let rows = Rows::of(x, dims, r);
        if dims[2] > 1 {
            jacobi_row::<true>(u, rows, code, b, out);
        } else {
            jacobi_row::<false>(u, rows, code, b, out);
        }
    });
}

fn red_black_sweep(
    _: &Cpu,
    _: [u32; 3],
    u: &SweepU,
    stencil: &[u32],
    rhs: &[f32],
    x: &[f32],
    relaxed: &mut [f32],
) {
    let dims = u.dims();
    each_row(dims, relaxed, |r, out| {
        let (code, b) = row_of(u, stencil, rhs, r);
        let rows = Rows::of(x, dims, r);
        let first = parity(dims, r, u.cells[3]) as usize;
        let seam = seam(dims, r);
        if dims[2] > 1 {
            red_black_row::<true>(u, rows, code, b, out, first, seam);
        } else {
            red_black_row::<false>(u, rows, code, b, out, first, seam);
        }
    });
}

/// Faces behind which a row along x meets cells of its own colour if they are links, a bit at the place of each: the ends
/// of axes of odd length.
fn seam(dims: [u32; 3], row: usize) -> u32 {
    let (j, k) = (row as u32 % dims[1], row as u32 / dims[1]);
    let ends = |at: u32, n: u32| {
        let odd = n > 1 && n % 2 == 1;
        u32::from(odd && at == 0) | u32::from(odd && at + 1 == n) << 2
    };
    ends(j, dims[1]) << 4 | ends(k, dims[2]) << 8
}

/// Whether one of the faces is a link.
#[inline(always)]
fn meets(code: u32, faces: u32) -> bool {
    // A link is 1: the low of its two bits, without the high one.
    code & !(code >> 1) & faces != 0
}

fn residual_field(
    _: &Cpu,
    _: [u32; 3],
    u: &SweepU,
    stencil: &[u32],
    rhs: &[f32],
    x: &[f32],
    out: &mut [f32],
) {
    let dims = u.dims();
    each_row(dims, out, |r, out| {
        let (code, b) = row_of(u, stencil, rhs, r);
        let rows = Rows::of(x, dims, r);
        if dims[2] > 1 {
            residual_row::<true>(u, rows, code, b, out);
        } else {
            residual_row::<false>(u, rows, code, b, out);
        }
    });
}

crate::simd_fn! {
    fn jacobi_row<const D3: bool>(u: &SweepU, rows: Rows<'_>, code: &[u32], b: &[f32], out: &mut [f32]) {
        rows.map::<D3>(code, b, out, |_, code, x, near, b| {
            let to = weighted(x, cell_value::<D3>(code, near, b, u.shift), u.weight);
            if code & UNKNOWN == 0 { 0.0 } else { to }
        });
    }
    fn red_black_row<const D3: bool>(u: &SweepU, rows: Rows<'_>, code: &[u32], b: &[f32], out: &mut [f32], first: usize, seam: u32) {
        let last = rows.c.len() - 1;
        let odd = last > 0 && last.is_multiple_of(2);
        rows.map::<D3>(code, b, out, |i, code, x, near, b| {
            let to = cell_value::<D3>(code, near, b, u.shift);
            let ends = u32::from(odd && i == 0) | u32::from(odd && i == last) << 2;
            let weight = if meets(code, seam | ends) { 1.0 } else { u.weight };
            let moved = if code & UNKNOWN == 0 { 0.0 } else { weighted(x, to, weight) };
            if i & 1 == first { moved } else { x }
        });
    }
    fn residual_row<const D3: bool>(u: &SweepU, rows: Rows<'_>, code: &[u32], b: &[f32], out: &mut [f32]) {
        rows.map::<D3>(code, b, out, |_, code, x, near, b| residual::<D3>(code, x, near, b, u.shift));
    }
}

fn chunk_sums(
    _: &Cpu,
    _: [u32; 3],
    size: &CountU,
    chunks: &[[u32; 4]],
    values: &[f32],
    sums: &mut [f32],
) {
    let count = (size.count as usize).min(chunks.len());
    sums[..count]
        .par_iter_mut()
        .with_min_len(64)
        .zip(&chunks[..count])
        .for_each(|(sum, chunk)| {
            let mut lanes = [0.0_f32; 8];
            let cells = &values[chunk[0] as usize..][..chunk[1] as usize];
            let (eights, rest) = cells.as_chunks::<8>();
            for eight in eights {
                for (lane, v) in lanes.iter_mut().zip(eight) {
                    *lane += v;
                }
            }
            for (lane, v) in lanes.iter_mut().zip(rest) {
                *lane += v;
            }
            let [a, b, c, d, e, f, g, h] = lanes;
            *sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
        });
}

fn part_means(
    _: &Cpu,
    _: [u32; 3],
    size: &CountU,
    parts: &[[u32; 4]],
    sums: &[f32],
    means: &mut [f32],
) {
    let count = (size.count as usize).min(parts.len());
    for (mean, part) in means.iter_mut().zip(&parts[..count]) {
        let mut sum = 0.0_f32;
        for s in &sums[part[0] as usize..part[1] as usize] {
            sum += s;
        }
        *mean = sum / part[2].max(1) as f32;
    }
}

fn subtract_means(
    _: &Cpu,
    _: [u32; 3],
    size: &CountU,
    part: &[u32],
    means: &[f32],
    values: &mut [f32],
) {
    const BLOCK: usize = 8192;
    let count = size.count as usize;
    values[..count]
        .par_chunks_mut(BLOCK)
        .zip(part[..count].par_chunks(BLOCK))
        .for_each(|(values, part)| {
            // Most blocks lie in one part.
            if part.iter().all(|p| *p == part[0]) {
                let mean = means[part[0] as usize];
                values.iter_mut().for_each(|v| *v -= mean);
            } else {
                for (v, p) in values.iter_mut().zip(part) {
                    *v -= means[*p as usize];
                }
            }
        });
}
