//! One sweep on a row of a strip: what both solvers have in common.
//!
//! Rows are taken in blocks, so that what is stored as a vector is loaded as one by the next sweep, which follows closely.

use super::cells::{Near, masked_sum, plain_sum, weighted, weighted_sums};
use super::stencil::{BLOCK, Span, Spans};

/// What the new value needs: nothing of the old one.
pub(super) const FRESH: u8 = 0;
/// The old value, which lies in `x` at the row.
pub(super) const OLD_IN_X: u8 = 1;
/// The old value, which lies where the new one goes.
pub(super) const OLD_IN_OUT: u8 = 2;

/// Where a row and its neighbours lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowAt {
    /// The row, in what is read.
    pub at: usize,
    /// Its neighbours there, beginning with those of its first cell: x−, x+, y−, y+, z−, z+.
    pub near: [usize; 6],
    /// The row, in what is written.
    pub to: usize,
    /// The row, in the right-hand side.
    pub b: usize,
}

crate::wide_simd_fn! {
    /// Relaxes row `index` of the domain: x → out, weighted against the old values where `OLD` says that they lie.
    pub fn relax_row<const D3: bool, const OLD: u8>(spans: &Spans, index: usize, row: RowAt, x: &[f32], rhs: &[f32], out: &mut [f32], weight: f32) {
        let inverse = spans.inverse;
        for span in spans.row(index) {
            let (i, n) = (span.begin as usize, (span.end - span.begin) as usize);
            let near = Blocks::of(x, row.near, i, n);
            let (old, rhs) = (blocks(x, row.at + i, n), blocks(rhs, row.b + i, n));
            let out = out[row.to + i..][..n].as_chunks_mut::<BLOCK>().0;
            if span.mixed == Span::PLAIN {
                // All numbers at once: as a loop over blocks, AVX-512 would gather them.
                let out = out.as_flattened_mut();
                let n = out.len();
                let (l, r) = (&near.left.as_flattened()[..n], &near.right.as_flattened()[..n]);
                let (d, u) = (&near.below.as_flattened()[..n], &near.above.as_flattened()[..n]);
                let (p, q) = (&near.back.as_flattened()[..n], &near.front.as_flattened()[..n]);
                let (old, rhs) = (&old.as_flattened()[..n], &rhs.as_flattened()[..n]);
                for i in 0..n {
                    let to = plain_sum::<D3>([l[i], r[i], d[i], u[i], p[i], q[i]], rhs[i]) * inverse;
                    out[i] = towards::<OLD>(old[i], out[i], to, weight);
                }
            } else if let ([out], Some(table)) = (&mut *out, spans.weights(span)) {
                let sums = weighted_sums::<D3>(&table.faces, near.of_block(0), &rhs[0]);
                for i in 0..BLOCK {
                    out[i] = towards::<OLD>(old[0][i], out[i], sums[i] * table.inverse[i], weight);
                }
            } else if let [out] = out {
                let mixed = spans.mixed(span);
                for i in 0..BLOCK {
                    let to = masked_sum::<D3>(mixed.links[i], near.of_cell(0, i), rhs[0][i]) * mixed.inverse[i];
                    out[i] = towards::<OLD>(old[0][i], out[i], to, weight);
                }
            }
        }
    }
}

/// The new value of a cell.
#[inline(always)]
fn towards<const OLD: u8>(in_x: f32, in_out: f32, relaxed: f32, weight: f32) -> f32 {
    match OLD {
        OLD_IN_X => weighted(in_x, relaxed, weight),
        OLD_IN_OUT => weighted(in_out, relaxed, weight),
        _ => relaxed,
    }
}

/// What lies behind the faces of some blocks.
struct Blocks<'a> {
    left: &'a [[f32; BLOCK]],
    right: &'a [[f32; BLOCK]],
    below: &'a [[f32; BLOCK]],
    above: &'a [[f32; BLOCK]],
    back: &'a [[f32; BLOCK]],
    front: &'a [[f32; BLOCK]],
}

impl<'a> Blocks<'a> {
    /// Of `n` cells from `i` on.
    #[inline(always)]
    fn of(x: &'a [f32], near: [usize; 6], i: usize, n: usize) -> Self {
        Self {
            left: blocks(x, near[0] + i, n),
            right: blocks(x, near[1] + i, n),
            below: blocks(x, near[2] + i, n),
            above: blocks(x, near[3] + i, n),
            back: blocks(x, near[4] + i, n),
            front: blocks(x, near[5] + i, n),
        }
    }
    /// Of block `k`.
    #[inline(always)]
    fn of_block(&self, k: usize) -> [&'a [f32; BLOCK]; 6] {
        [
            &self.left[k],
            &self.right[k],
            &self.below[k],
            &self.above[k],
            &self.back[k],
            &self.front[k],
        ]
    }
    /// Of cell `i` of block `k`.
    #[inline(always)]
    fn of_cell(&self, k: usize, i: usize) -> Near {
        [
            self.left[k][i],
            self.right[k][i],
            self.below[k][i],
            self.above[k][i],
            self.back[k][i],
            self.front[k][i],
        ]
    }
}

/// `n` numbers from `from` on, in whole blocks.
#[inline(always)]
fn blocks(x: &[f32], from: usize, n: usize) -> &[[f32; BLOCK]] {
    &x[from..][..n].as_chunks().0[..n / BLOCK]
}
