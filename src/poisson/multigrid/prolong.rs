//! What a coarse level found, interpolated and added to the finer one, on the CPU.
//!
//! Between linked coarse cells values are linear along each axis; towards a known value they fall to it; beyond a closed face
//! they stay as they are. Along y and z whole rows of the coarse level are mixed first, then each row is spread along x.

use super::coarsen::{ADOPTED, ORPHAN, OWN, all_own};
use super::layout::{behind, index};
use super::operators::{EVEN, WHOLE};
use super::rows::{Arrays, At, each, kind};
use crate::poisson::stencil::{BLOCK, face};
use crate::poisson::{FACE, LINK};

/// The coarse level and how the finer one lies in it.
struct Interpolation<'a> {
    coarse: At,
    fine: [u32; 3],
    words: &'a [u32],
    codes: &'a [u32],
    /// Of each row.
    flags: &'a [u32],
    x: &'a [f32],
    /// For each finer cell along x, y, z, the share of the next coarse cell.
    shares: [&'a [f32]; 3],
}

/// Shares of a cell and of the one behind its face in what lies between.
#[inline(always)]
fn shares(code: u32, f: u32, t: f32) -> [f32; 2] {
    match face(code, f) {
        LINK => [1.0 - t, t],
        FACE => [1.0 - 2.0 * t, 0.0],
        _ => [1.0, 0.0],
    }
}

/// Adds what the next level found, interpolated, to x.
pub(super) fn prolong(arrays: &mut Arrays<'_>, level: usize) {
    let (fine, coarse) = (arrays.at(level), arrays.at(level + 1));
    let (before, after) = arrays.state.split_at_mut(coarse.state);
    let ints = &arrays.ints[coarse.ints..][..2 * coarse.cells];
    let (words, codes) = ints.split_at(coarse.cells);
    let [fx, fy, fz] = fine.dims.map(|n| n as usize);
    let tables = &arrays.coef[coarse.coef + (coarse.axes + 2) * coarse.cells..][..fx + fy + fz];
    let from = Interpolation {
        coarse,
        fine: fine.dims,
        words,
        codes,
        flags: coarse.flags(arrays.ints),
        x: &after[..coarse.cells],
        shares: [&tables[..fx], &tables[fx..fx + fy], &tables[fx + fy..]],
    };
    let x = if level == 0 {
        &mut *arrays.x
    } else {
        &mut before[fine.state..][..fine.cells]
    };
    each(x, fx, fine.cells, 3 * coarse.row() + fx, |r, x, scratch| {
        let (rows, more) = scratch.split_at_mut(3 * coarse.row());
        from.add_row([r % fy, r / fy], x, rows, more);
    });
}

/// Adds what the next level found to x, to all children of a cell the same.
pub(super) fn prolong_flat(arrays: &mut Arrays<'_>, level: usize) {
    let (fine, coarse) = (arrays.at(level), arrays.at(level + 1));
    let (before, after) = arrays.state.split_at_mut(coarse.state);
    let words = &arrays.ints[coarse.ints..][..coarse.cells];
    let from = &after[..coarse.cells];
    let x = if level == 0 {
        &mut *arrays.x
    } else {
        &mut before[fine.state..][..fine.cells]
    };
    let [fx, fy, _] = fine.dims.map(|n| n as usize);
    let (nx, full) = (coarse.row(), all_own(fine.dims));
    each(x, fx, fine.cells, 0, |r, x, _| {
        let id = [0, r % fy, r / fy];
        let parent = index(coarse.dims, id.map(|i| i / 2));
        let (words, from_row) = (&words[parent..][..nx], &from[parent..][..nx]);
        if fx > 1 && words.iter().fold(0, |other, w| other | (w ^ full)) == 0 {
            add_twice(x, from_row);
            return;
        }
        for (i, x) in x.iter_mut().enumerate() {
            let id = [i, id[1], id[2]];
            let (q, child) = (
                id.map(|i| i / 2),
                (id[0] & 1) | (id[1] & 1) << 1 | (id[2] & 1) << 2,
            );
            match kind(words[i / 2], child) {
                ORPHAN => {}
                OWN => *x += from_row[i / 2],
                adopted => {
                    let axis = (adopted - ADOPTED) as usize;
                    *x += from[index(
                        coarse.dims,
                        behind(coarse.dims, q, 2 * axis + (child >> axis & 1)),
                    )];
                }
            }
        }
    });
}

impl Interpolation<'_> {
    fn row_of<'b, T>(&self, values: &'b [T], [j, k]: [usize; 2]) -> &'b [T] {
        let nx = self.coarse.row();
        &values[(k * self.coarse.dims[1] as usize + j) * nx..][..nx]
    }

    /// Adds to row `j` of layer `k` of the finer level.
    fn add_row(&self, [j, k]: [usize; 2], x: &mut [f32], rows: &mut [f32], more: &mut [f32]) {
        let parent = [j / 2, k / 2];
        let nx = self.coarse.row();
        let (mixed, rest) = rows.split_at_mut(nx);
        let (a, b) = rest.split_at_mut(nx);
        if self.fine[1] > 1 {
            let f = 2 + (j & 1);
            let [_, jn, _] = behind(self.coarse.dims, [0, parent[0], parent[1]], f);
            let a = self.along_z(parent, k, a);
            let b = self.along_z([jn, parent[1]], k, b);
            self.mix(parent, f, self.shares[1][j], a, b, mixed);
        } else {
            mixed.copy_from_slice(self.along_z(parent, k, a));
        }
        let (codes, shares) = (self.row_of(self.codes, parent), self.shares[0]);
        if self.fine[0] > 1 && self.is_whole(parent) {
            if self.is_even(parent) {
                spread::<true, true>(codes, shares, mixed, x);
            } else {
                spread::<true, false>(codes, shares, mixed, x);
            }
            return;
        }
        if self.fine[0] > 1 {
            spread::<false, false>(codes, shares, mixed, more);
        } else {
            more.copy_from_slice(mixed);
        }
        self.apply([j, k], x, more);
    }

    /// The row as it is at layer `k` of the finer level.
    fn along_z<'b>(&'b self, at: [usize; 2], k: usize, out: &'b mut [f32]) -> &'b [f32] {
        let here = self.row_of(self.x, at);
        if self.fine[2] < 2 {
            return here;
        }
        let f = 4 + (k & 1);
        let [_, _, next] = behind(self.coarse.dims, [0, at[0], at[1]], f);
        let there = self.row_of(self.x, [at[0], next]);
        self.mix(at, f, self.shares[2][k], here, there, out);
        out
    }

    /// What lies between a row and the one behind its faces `f`.
    fn mix(&self, at: [usize; 2], f: usize, t: f32, a: &[f32], b: &[f32], out: &mut [f32]) {
        let (codes, f) = (self.row_of(self.codes, at), f as u32);
        if self.is_even(at) {
            mix::<true>(codes, f, t, a, b, out);
        } else {
            mix::<false>(codes, f, t, a, b, out);
        }
    }

    /// Whether the inner cells of a row are linked with all that is round them, so that codes need not be read.
    fn is_even(&self, [j, k]: [usize; 2]) -> bool {
        self.flags[k * self.coarse.dims[1] as usize + j] & EVEN != 0
    }

    /// Whether all cells of a coarse row have all their children.
    fn is_whole(&self, [j, k]: [usize; 2]) -> bool {
        self.flags[k * self.coarse.dims[1] as usize + j] & WHOLE != 0
    }

    /// Adds to the cells that have a coarse cell.
    fn apply(&self, [j, k]: [usize; 2], x: &mut [f32], more: &[f32]) {
        let words = self.row_of(self.words, [j / 2, k / 2]);
        let full = all_own(self.fine);
        let pair = if self.fine[0] > 1 { 2 } else { 1 };
        for (n, words) in words.chunks(BLOCK).enumerate() {
            let at = n * BLOCK * pair;
            let len = (words.len() * pair).min(x.len() - at);
            let (x, more) = (&mut x[at..][..len], &more[at..][..len]);
            if words.iter().fold(0, |other, w| other | (w ^ full)) == 0 {
                x.iter_mut().zip(more).for_each(|(x, more)| *x += more);
                continue;
            }
            for (i, (x, more)) in x.iter_mut().zip(more).enumerate() {
                let child = (i % pair) | (j & 1) << 1 | (k & 1) << 2;
                match kind(words[i / pair], child) {
                    ORPHAN => {}
                    OWN => *x += more,
                    adopted => *x += self.adopted([at + i, j, k], child, adopted - ADOPTED),
                }
            }
        }
    }

    /// What the coarse cell behind the outer face along `axis` says to a cell that it has adopted.
    fn adopted(&self, id: [usize; 3], child: usize, axis: u32) -> f32 {
        let axis = axis as usize;
        let parent = id.map(|i| i / 2);
        let by = behind(self.coarse.dims, parent, 2 * axis + (child >> axis & 1));
        let mut t = [0, 1, 2].map(|a| self.shares[a][id[a]]);
        t[axis] = 0.0;
        self.along(0, by, id, t)
    }

    /// Interpolates along `axis` and those after it.
    fn along(&self, axis: usize, q: [usize; 3], id: [usize; 3], t: [f32; 3]) -> f32 {
        let at = index(self.coarse.dims, q);
        if axis > 2 {
            return self.x[at];
        }
        let here = self.along(axis + 1, q, id, t);
        if self.fine[axis] < 2 {
            return here;
        }
        let f = 2 * axis + (id[axis] & 1);
        let [own, other] = shares(self.codes[at], f as u32, t[axis]);
        let next = behind(self.coarse.dims, q, f);
        own * here + other * self.along(axis + 1, next, id, t)
    }
}

crate::simd_fn! {
    /// Adds each number of a row to two of the finer one.
    fn add_twice(x: &mut [f32], row: &[f32]) {
        let (pairs, rest) = x.as_chunks_mut::<2>();
        for (pair, from) in pairs.iter_mut().zip(row) {
            pair[0] += from;
            pair[1] += from;
        }
        for (x, from) in rest.iter_mut().zip(row.last()) {
            *x += from;
        }
    }
    /// What lies between two rows, `t` of the way, as far as the faces `f` of the first are open; all inner ones are if it is
    /// `EVEN`.
    fn mix<const EVEN: bool>(codes: &[u32], f: u32, t: f32, a: &[f32], b: &[f32], out: &mut [f32]) {
        let n = out.len();
        let (codes, a, b) = (&codes[..n], &a[..n], &b[..n]);
        if EVEN {
            let other = 1.0 - t;
            for i in 0..n {
                out[i] = other * a[i] + t * b[i];
            }
            for i in [0, n - 1] {
                let [own, other] = shares(codes[i], f, t);
                out[i] = own * a[i] + other * b[i];
            }
            return;
        }
        for i in 0..n {
            let [own, other] = shares(codes[i], f, t);
            out[i] = own * a[i] + other * b[i];
        }
    }
    /// The children of a row along x, in place of what was there or added to it. Where all is open between the inner cells of
    /// the row it is `EVEN`.
    fn spread<const ADD: bool, const EVEN: bool>(codes: &[u32], t: &[f32], row: &[f32], out: &mut [f32]) {
        let put = |out: &mut f32, v: f32| *out = if ADD { *out + v } else { v };
        let n = row.len();
        for i in [0, n - 1] {
            let (left, right) = (if i == 0 { n - 1 } else { i - 1 }, if i + 1 == n { 0 } else { i + 1 });
            for (f, next) in [left, right].into_iter().enumerate() {
                if let Some(out) = out.get_mut(2 * i + f) {
                    let [own, other] = shares(codes[i], f as u32, t[2 * i + f]);
                    put(out, own * row[i] + other * row[next]);
                }
            }
        }
        if n < 3 {
            return;
        }
        let m = n - 2;
        let (left, here, right) = (&row[..m], &row[1..][..m], &row[2..][..m]);
        let codes = &codes[1..][..m];
        let t = &t[2..][..2 * m].as_chunks::<2>().0[..m];
        let out = &mut out[2..][..2 * m].as_chunks_mut::<2>().0[..m];
        for i in 0..m {
            let of = |f: u32, t: f32| if EVEN { [1.0 - t, t] } else { shares(codes[i], f, t) };
            let ([a, b], [c, d]) = (of(0, t[i][0]), of(1, t[i][1]));
            put(&mut out[i][0], a * here[i] + b * left[i]);
            put(&mut out[i][1], c * here[i] + d * right[i]);
        }
    }
}
