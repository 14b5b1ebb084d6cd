//! The two formulas, on rows: one relaxation of a cell, and its residual.
//!
//! Every path — the sweeps on strips, the plain twins of the kernels and the shaders — does the same operations in the
//! same order, so that their results agree bit for bit: the links are added in the order x−, x+, y−, y+, z−, z+, then b,
//! then all is multiplied by one over the diagonal.

use super::stencil::{BLOCK, face, inverse_diagonal, plain_code};
use super::{FACE, LINK, NODE, UNKNOWN};

/// Values behind the faces of a cell.
pub(super) type Near = [f32; 6];

/// b plus the values behind the links.
#[inline(always)]
pub(super) fn link_sum<const D3: bool>(code: u32, near: Near, b: f32) -> f32 {
    let at = |f: usize| {
        if face(code, f as u32) == LINK {
            near[f]
        } else {
            0.0
        }
    };
    let plane = ((at(0) + at(1)) + at(2)) + at(3);
    if D3 {
        ((plane + at(4)) + at(5)) + b
    } else {
        plane + b
    }
}

/// The same from one bit a face, set for a link: no branches, so that it vectorises.
#[inline(always)]
pub(super) fn masked_sum<const D3: bool>(links: u32, near: Near, b: f32) -> f32 {
    let at = |f: usize| {
        let mask = ((links << (31 - f)) as i32 >> 31) as u32;
        f32::from_bits(near[f].to_bits() & mask)
    };
    let plane = ((at(0) + at(1)) + at(2)) + at(3);
    if D3 {
        ((plane + at(4)) + at(5)) + b
    } else {
        plane + b
    }
}

/// The same where there is a link behind every face.
#[inline(always)]
pub(super) fn plain_sum<const D3: bool>(near: Near, b: f32) -> f32 {
    let plane = ((near[0] + near[1]) + near[2]) + near[3];
    if D3 {
        ((plane + near[4]) + near[5]) + b
    } else {
        plane + b
    }
}

/// The same for a block of cells in which every face has a weight, face by face so that it vectorises. Where a weight is zero,
/// what lies there does not count, not even if it is no number.
#[inline(always)]
pub(super) fn weighted_sums<const D3: bool>(
    weights: &[[f32; BLOCK]; 6],
    near: [&[f32; BLOCK]; 6],
    b: &[f32; BLOCK],
) -> [f32; BLOCK] {
    let add = |sums: &mut [f32; BLOCK], f: usize, first: bool| {
        for i in 0..BLOCK {
            let weight = weights[f][i];
            let mask = u32::from(weight != 0.0).wrapping_neg();
            let flow = weight * f32::from_bits(near[f][i].to_bits() & mask);
            sums[i] = if first { flow } else { sums[i] + flow };
        }
    };
    let mut sums = [0.0; BLOCK];
    add(&mut sums, 0, true);
    add(&mut sums, 1, false);
    add(&mut sums, 2, false);
    add(&mut sums, 3, false);
    if D3 {
        add(&mut sums, 4, false);
        add(&mut sums, 5, false);
    }
    for i in 0..BLOCK {
        sums[i] += b[i];
    }
    sums
}

/// The value that a sweep gives to any cell: zero where there is no unknown.
#[inline(always)]
pub(super) fn cell_value<const D3: bool>(code: u32, near: Near, b: f32, shift: f32) -> f32 {
    let inverse = inverse_diagonal(code, if D3 { 6 } else { 4 }, shift);
    if inverse == 0.0 {
        0.0
    } else {
        link_sum::<D3>(code, near, b) * inverse
    }
}

/// Moves `x` towards the relaxed value.
#[inline(always)]
pub(super) fn weighted(x: f32, relaxed: f32, weight: f32) -> f32 {
    if weight == 1.0 {
        relaxed
    } else {
        (1.0 - weight) * x + weight * relaxed
    }
}

/// b − A x of an unknown, from differences, which keeps digits where x is large.
#[inline(always)]
pub(super) fn residual<const D3: bool>(code: u32, x: f32, near: Near, b: f32, shift: f32) -> f32 {
    let at = |f: usize| {
        let c = face(code, f as u32);
        let behind = if c == LINK { near[f] } else { 0.0 };
        let w = match c {
            LINK | NODE => 1.0,
            FACE => 2.0,
            _ => 0.0,
        };
        w * (behind - x)
    };
    let plane = ((at(0) + at(1)) + at(2)) + at(3);
    let all = if D3 { (plane + at(4)) + at(5) } else { plane };
    if code & UNKNOWN != 0 {
        (b + all) - shift * x
    } else {
        0.0
    }
}

/// How far the first blocks are alike in whether all their cells are plain, and whether they are.
#[inline(always)]
pub(super) fn stretch(code: &[u32], plain: u32) -> (usize, bool) {
    let mut blocks = code.chunks(BLOCK).map(|block| {
        let other = block.iter().fold(0, |other, c| other | (c ^ plain));
        (block.len(), other == 0)
    });
    let Some((mut len, first)) = blocks.next() else {
        return (0, true);
    };
    for (more, is_plain) in blocks {
        if is_plain != first {
            break;
        }
        len += more;
    }
    (len, first)
}

/// A row with the rows around it: y−, y+, z−, z+, going round at the edges.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    /// The row.
    pub c: &'a [f32],
    /// The rows around it.
    pub near: [&'a [f32]; 4],
}

impl<'a> Rows<'a> {
    /// Row `row` (counting on through the layers) of an array.
    #[inline(always)]
    pub fn of(x: &'a [f32], dims: [u32; 3], row: usize) -> Self {
        let [nx, ny, nz] = dims.map(|n| n as usize);
        let (j, k) = (row % ny, row / ny);
        let at = |j: usize, k: usize| &x[(k * ny + j) * nx..][..nx];
        Self {
            c: at(j, k),
            near: [
                at((j + ny - 1) % ny, k),
                at((j + 1) % ny, k),
                at(j, (k + nz - 1) % nz),
                at(j, (k + 1) % nz),
            ],
        }
    }
    /// What lies behind the faces of cell `i`, going round at the ends of the row.
    #[inline(always)]
    pub fn near(&self, i: usize) -> Near {
        let n = self.c.len();
        let left = if i == 0 { n - 1 } else { i - 1 };
        let right = if i + 1 == n { 0 } else { i + 1 };
        let [ym, yp, zm, zp] = self.near;
        [self.c[left], self.c[right], ym[i], yp[i], zm[i], zp[i]]
    }
    /// Puts `f(i, code, value, near, b)` into every cell: the ends on their own, what is between in stretches that vectorise.
    /// In stretches of cells that all have a link behind every face, as most are, the code is a constant. They are as long as
    /// they can be: taken 16 cells at a time, what goes before each loop took three times as long as the loop.
    #[inline(always)]
    pub fn map<const D3: bool>(
        &self,
        code: &[u32],
        b: &[f32],
        out: &mut [f32],
        f: impl Fn(usize, u32, f32, Near, f32) -> f32,
    ) {
        let n = self.c.len();
        let (code, b, out) = (&code[..n], &b[..n], &mut out[..n]);
        for i in [0, n - 1] {
            out[i] = f(i, code[i], self.c[i], self.near(i), b[i]);
        }
        let plain = plain_code(if D3 { 6 } else { 4 });
        let mut begin = 1;
        while begin + 1 < n {
            let (m, all_plain) = stretch(&code[begin..n - 1], plain);
            let block = begin..begin + m;
            let (left, right) = (&self.c[begin - 1..][..m], &self.c[begin + 1..][..m]);
            let [ym, yp, zm, zp] = self.near.map(|r| &r[block.clone()]);
            let (x, b) = (&self.c[block.clone()], &b[block.clone()]);
            let (code, out) = (&code[block.clone()], &mut out[block]);
            let near = |i: usize| [left[i], right[i], ym[i], yp[i], zm[i], zp[i]];
            if all_plain {
                for i in 0..m {
                    out[i] = f(begin + i, plain, x[i], near(i), b[i]);
                }
            } else {
                for i in 0..m {
                    out[i] = f(begin + i, code[i], x[i], near(i), b[i]);
                }
            }
            begin += m;
        }
    }
}
