//! Between rows of the grid and lanes: blocks of eight rows by eight numbers, and sixteen numbers side by side.

use super::fft::{Complex, LANES};
use crate::poisson::UNKNOWN;

/// Lines that are worked on together, and columns of a tile.
pub(super) const LINES: usize = 2 * LANES;

/// Eight rows of eight numbers.
pub(super) type Block = [[f32; LANES]; LANES];

/// Rows to columns.
#[inline(always)]
pub(super) fn transposed(m: &Block) -> Block {
    let mut out = [[0.0; LANES]; LANES];
    for (r, row) in m.iter().enumerate() {
        for (c, v) in row.iter().enumerate() {
            out[c][r] = *v;
        }
    }
    out
}

/// Eight numbers from `i` on of eight rows of `stride` that follow each other; zero beyond `n`, and where there is no row.
#[inline(always)]
pub(super) fn block(rows: &[f32], stride: usize, i: usize, n: usize) -> Block {
    let mut m = [[0.0; LANES]; LANES];
    for (to, row) in m.iter_mut().zip(rows.chunks_exact(stride)) {
        match row[i..].first_chunk() {
            Some(eight) if i + LANES <= n => *to = *eight,
            _ => to[..n - i].copy_from_slice(&row[i..n]),
        }
    }
    m
}

/// The other way.
#[inline(always)]
pub(super) fn put_block(m: &Block, rows: &mut [f32], stride: usize, i: usize, n: usize) {
    for (from, row) in m.iter().zip(rows.chunks_exact_mut(stride)) {
        match row[i..].first_chunk_mut() {
            Some(eight) if i + LANES <= n => *eight = *from,
            _ => row[i..n].copy_from_slice(&from[..n - i]),
        }
    }
}

/// The other way, added to unknowns.
#[inline(always)]
pub(super) fn add_block(
    m: &Block,
    codes: &[u32],
    rows: &mut [f32],
    stride: usize,
    i: usize,
    n: usize,
) {
    let rows = rows
        .chunks_exact_mut(stride)
        .zip(codes.chunks_exact(stride));
    for (from, (row, codes)) in m.iter().zip(rows) {
        for (from, (to, code)) in from.iter().zip(row[i..n].iter_mut().zip(&codes[i..n])) {
            *to += if code & UNKNOWN != 0 { *from } else { 0.0 };
        }
    }
}

#[inline(always)]
pub(super) fn halves(all: &[f32; LINES]) -> [[f32; LANES]; 2] {
    let mut out = [[0.0; LANES]; 2];
    out[0].copy_from_slice(&all[..LANES]);
    out[1].copy_from_slice(&all[LANES..]);
    out
}

#[inline(always)]
pub(super) fn put_halves(out: &mut [f32; LINES], z: &Complex) {
    let (re, im) = out.split_at_mut(LANES);
    re.copy_from_slice(&z.re);
    im.copy_from_slice(&z.im);
}
