//! The parts of a cycle on the CPU: rows that vectorise, on all threads where a level is large.
//!
//! The same operations in the same order as in the shader. What is out of the ordinary — a child that another cell has
//! adopted, a coarse cell that lacks children — is done cell by cell.

use rayon::prelude::*;

use super::coarsen::{ADOPTED, FLAGS, OWN, all_own, offspring};
use super::layout::{SMALL, behind, index};
use super::operators::{EVEN, WHOLE};
use crate::poisson::cells::{self, Near, Rows};
use crate::poisson::stencil::{BLOCK, parity};

/// Fewest cells of a level that are worth more than one thread.
const PARALLEL: usize = 32 * SMALL;
/// Fewest rows that a thread takes at a time.
const ROWS: usize = 8;

/// What the kernel is given.
pub(super) struct Arrays<'a> {
    pub tables: &'a [[u32; 4]],
    pub ints: &'a [u32],
    pub coef: &'a [f32],
    pub stencil: &'a [u32],
    pub rhs: &'a [f32],
    pub shift: f32,
    pub x: &'a mut [f32],
    pub state: &'a mut [f32],
}

/// Where a level lies; see `Layout::table`.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub dims: [u32; 3],
    pub cells: usize,
    pub ints: usize,
    pub coef: usize,
    pub state: usize,
    pub axes: usize,
}

impl At {
    /// x of the level.
    pub fn x<'a>(&self, state: &'a mut [f32]) -> &'a mut [f32] {
        &mut state[self.state..][..self.cells]
    }
    /// Cells of a row.
    pub fn row(&self) -> usize {
        self.dims[0] as usize
    }
    /// Flags of its rows.
    pub fn flags<'a>(&self, ints: &'a [u32]) -> &'a [u32] {
        &ints[self.ints + 2 * self.cells..][..self.cells / self.row()]
    }
    fn three(&self) -> bool {
        self.axes > 2
    }
}

impl Arrays<'_> {
    /// Level number `level`.
    pub fn at(&self, level: usize) -> At {
        let [[x, y, z, cells], [ints, coef, state, axes], _] =
            [0, 1, 2].map(|i| self.tables[3 * level + i]);
        let [cells, ints, coef, state, axes] = [cells, ints, coef, state, axes].map(|n| n as usize);
        At {
            dims: [x, y, z],
            cells,
            ints,
            coef,
            state,
            axes,
        }
    }
}

/// Calls `work(row, numbers of the row, scratch)` for each row of `nx` numbers, on all threads where `cells` are many.
pub(super) fn each(
    out: &mut [f32],
    nx: usize,
    cells: usize,
    scratch: usize,
    work: impl Fn(usize, &mut [f32], &mut [f32]) + Sync,
) {
    let some = |part: usize, out: &mut [f32], scratch: &mut [f32]| {
        for (n, out) in out.chunks_mut(nx).enumerate() {
            work(part * ROWS + n, out, scratch);
        }
    };
    let parts = nx * ROWS;
    if cells < PARALLEL {
        let mut scratch = vec![0.0; scratch];
        out.chunks_mut(parts)
            .enumerate()
            .for_each(|(n, out)| some(n, out, &mut scratch));
    } else {
        let parts = out.par_chunks_mut(parts).enumerate();
        parts.for_each_init(
            || vec![0.0; scratch],
            |scratch, (n, out)| some(n, out, scratch),
        );
    }
}

/// The operator of a coarse level.
#[derive(Clone, Copy)]
struct Operator<'a> {
    dims: [u32; 3],
    weights: [&'a [f32]; 3],
    hold: &'a [f32],
    inverse: &'a [f32],
    flags: &'a [u32],
}

/// A row of an operator, with the weights of the rows before it along y and z.
#[derive(Clone, Copy)]
struct OperatorRow<'a> {
    x: &'a [f32],
    below: &'a [f32],
    above: &'a [f32],
    back: &'a [f32],
    front: &'a [f32],
    hold: &'a [f32],
    inverse: &'a [f32],
    /// Whether the inner cells are all the same: then weights need not be read.
    even: bool,
}

impl<'a> Operator<'a> {
    fn of(coef: &'a [f32], ints: &'a [u32], at: &At) -> Self {
        let plane = |p: usize| &coef[at.coef + p * at.cells..][..at.cells];
        Self {
            dims: at.dims,
            weights: [plane(0), plane(1), if at.three() { plane(2) } else { &[] }],
            hold: plane(at.axes),
            inverse: plane(at.axes + 1),
            flags: at.flags(ints),
        }
    }
    #[inline(always)]
    fn row(&self, row: usize) -> OperatorRow<'a> {
        let [nx, ny, nz] = self.dims.map(|n| n as usize);
        let (j, k) = (row % ny, row / ny);
        let [wx, wy, wz] = self.weights;
        fn at(w: &[f32], nx: usize, row: usize) -> &[f32] {
            &w[row * nx..][..nx]
        }
        let below = at(wy, nx, k * ny + (j + ny - 1) % ny);
        let (back, front) = if wz.is_empty() {
            (below, below)
        } else {
            (at(wz, nx, (k + nz - 1) % nz * ny + j), at(wz, nx, row))
        };
        OperatorRow {
            x: at(wx, nx, row),
            below,
            above: at(wy, nx, row),
            back,
            front,
            hold: at(self.hold, nx, row),
            inverse: at(self.inverse, nx, row),
            even: self.flags[row] & EVEN != 0,
        }
    }
}

impl OperatorRow<'_> {
    /// Weights of the faces of cell `i`.
    #[inline(always)]
    fn faces(&self, i: usize) -> Near {
        let left = if i == 0 { self.x.len() - 1 } else { i - 1 };
        [
            self.x[left],
            self.x[i],
            self.below[i],
            self.above[i],
            self.back[i],
            self.front[i],
        ]
    }
    /// Puts `f(i, weights, values, b, value, [else on the diagonal, one over it])` into every cell, `values` being those behind
    /// the faces.
    #[inline(always)]
    fn map(
        &self,
        rows: Rows<'_>,
        b: &[f32],
        out: &mut [f32],
        f: impl Fn(usize, Near, Near, f32, f32, [f32; 2]) -> f32,
    ) {
        let n = out.len();
        for i in [0, n - 1] {
            let own = [self.hold[i], self.inverse[i]];
            out[i] = f(i, self.faces(i), rows.near(i), b[i], rows.c[i], own);
        }
        if n < 3 {
            return;
        }
        let m = n - 2;
        let (wl, wr) = (&self.x[..m], &self.x[1..][..m]);
        let (wb, wa) = (&self.below[1..][..m], &self.above[1..][..m]);
        let (wk, wf) = (&self.back[1..][..m], &self.front[1..][..m]);
        let (xl, x, xr) = (&rows.c[..m], &rows.c[1..][..m], &rows.c[2..][..m]);
        let [xb, xa, xk, xf] = rows.near.map(|r| &r[1..][..m]);
        let (hold, inverse) = (&self.hold[1..][..m], &self.inverse[1..][..m]);
        let (b, out) = (&b[1..][..m], &mut out[1..][..m]);
        let near = |i: usize| [xl[i], xr[i], xb[i], xa[i], xk[i], xf[i]];
        if self.even {
            let (weights, own) = ([wl[0]; 6], [hold[0], inverse[0]]);
            for i in 0..m {
                out[i] = f(i + 1, weights, near(i), b[i], x[i], own);
            }
            return;
        }
        for i in 0..m {
            let weights = [wl[i], wr[i], wb[i], wa[i], wk[i], wf[i]];
            out[i] = f(i + 1, weights, near(i), b[i], x[i], [hold[i], inverse[i]]);
        }
    }
}

#[inline(always)]
fn sum<const D3: bool>(w: Near, v: Near) -> f32 {
    let plane = ((w[0] * v[0] + w[1] * v[1]) + w[2] * v[2]) + w[3] * v[3];
    if D3 {
        (plane + w[4] * v[4]) + w[5] * v[5]
    } else {
        plane
    }
}

crate::simd_fn! {
    /// Some rows, of which `first_row` is the first: small levels have short rows, and a call for each would cost as much.
    fn smooth_rows<const D3: bool>(op: &Operator<'_>, x: &[f32], b: &[f32], out: &mut [f32], first_row: usize, colour: u32) {
        let nx = op.dims[0] as usize;
        for (r, out) in (first_row..).zip(out.chunks_exact_mut(nx)) {
            let first = parity(op.dims, r, colour) as usize;
            op.row(r).map(Rows::of(x, op.dims, r), &b[r * nx..][..nx], out, |i, w, near, b, x, [_, inverse]| {
                let to = (sum::<D3>(w, near) + b) * inverse;
                if i & 1 == first { to } else { x }
            });
        }
    }
    /// The same from zero.
    fn start_rows(op: &Operator<'_>, b: &[f32], out: &mut [f32], first_row: usize, colour: u32) {
        let nx = op.dims[0] as usize;
        for (r, out) in (first_row..).zip(out.chunks_exact_mut(nx)) {
            let first = parity(op.dims, r, colour) as usize;
            let (b, inverse) = (&b[r * nx..][..nx], &op.inverse[r * nx..][..nx]);
            for (i, ((out, b), inverse)) in out.iter_mut().zip(b).zip(inverse).enumerate() {
                *out = if i & 1 == first { b * inverse } else { 0.0 };
            }
        }
    }
    fn level_residual_row<const D3: bool>(op: OperatorRow<'_>, rows: Rows<'_>, b: &[f32], out: &mut [f32]) {
        op.map(rows, b, out, |_, w, near, b, x, [hold, _]| (b + sum::<D3>(w, [near[0] - x, near[1] - x, near[2] - x, near[3] - x, near[4] - x, near[5] - x])) - hold * x);
    }
    fn finest_residual_row<const D3: bool>(rows: Rows<'_>, code: &[u32], b: &[f32], shift: f32, out: &mut [f32]) {
        rows.map::<D3>(code, b, out, |_, code, x, near, b| cells::residual::<D3>(code, x, near, b, shift));
    }
}

/// Relaxes the cells of one colour: from x to x' in an even pass, back in an odd one.
pub(super) fn smooth(arrays: &mut Arrays<'_>, level: usize, pass: u32, colour: u32, zero: bool) {
    let at = arrays.at(level);
    let state = &mut arrays.state[at.state..][..3 * at.cells];
    let (values, b) = state.split_at_mut(2 * at.cells);
    let (x, other) = values.split_at_mut(at.cells);
    let (from, to) = if pass == 0 {
        (&*x, other)
    } else {
        (&*other, x)
    };
    let op = Operator::of(arrays.coef, arrays.ints, &at);
    let nx = at.row();
    let some = |(part, out): (usize, &mut [f32])| match (zero, at.three()) {
        (true, _) => start_rows(&op, b, out, part * ROWS, colour),
        (_, true) => smooth_rows::<true>(&op, from, b, out, part * ROWS, colour),
        (_, false) => smooth_rows::<false>(&op, from, b, out, part * ROWS, colour),
    };
    if at.cells < PARALLEL {
        some((0, to));
    } else {
        to.par_chunks_mut(ROWS * nx).enumerate().for_each(some);
    }
}

/// What the residual of a level is made of.
#[derive(Clone, Copy)]
struct Residuals<'a> {
    at: At,
    /// Of a coarse level.
    op: Option<Operator<'a>>,
    stencil: &'a [u32],
    shift: f32,
    x: &'a [f32],
    b: &'a [f32],
}

impl Residuals<'_> {
    fn row(&self, r: usize, out: &mut [f32]) {
        let nx = out.len();
        let (rows, b) = (Rows::of(self.x, self.at.dims, r), &self.b[r * nx..][..nx]);
        match (&self.op, self.at.three()) {
            (Some(op), true) => level_residual_row::<true>(op.row(r), rows, b, out),
            (Some(op), false) => level_residual_row::<false>(op.row(r), rows, b, out),
            (None, three) => {
                let code = &self.stencil[r * nx..][..nx];
                if three {
                    finest_residual_row::<true>(rows, code, b, self.shift, out);
                } else {
                    finest_residual_row::<false>(rows, code, b, self.shift, out);
                }
            }
        }
    }
    fn cell(&self, id: [usize; 3]) -> f32 {
        let (nx, i) = (self.at.row(), id[0]);
        let r = id[2] * self.at.dims[1] as usize + id[1];
        let rows = Rows::of(self.x, self.at.dims, r);
        let (x, near, b) = (rows.c[i], rows.near(i), self.b[r * nx + i]);
        let Some(op) = &self.op else {
            let code = self.stencil[r * nx + i];
            return if self.at.three() {
                cells::residual::<true>(code, x, near, b, self.shift)
            } else {
                cells::residual::<false>(code, x, near, b, self.shift)
            };
        };
        let (op, off) = (op.row(r), near.map(|v| v - x));
        let sum = if self.at.three() {
            sum::<true>(op.faces(i), off)
        } else {
            sum::<false>(op.faces(i), off)
        };
        (b + sum) - op.hold[i] * x
    }
}

#[inline(always)]
pub(super) fn kind(word: u32, k: usize) -> u32 {
    word >> (3 * k) & 7
}

/// b of the next level: for each of its cells the sum of the residuals of its children.
pub(super) fn restrict(arrays: &mut Arrays<'_>, level: usize) {
    let (fine, coarse) = (arrays.at(level), arrays.at(level + 1));
    let words = &arrays.ints[coarse.ints..][..coarse.cells];
    let (before, after) = arrays.state.split_at_mut(coarse.state);
    let b = &mut after[2 * coarse.cells..][..coarse.cells];
    let residuals = if level == 0 {
        Residuals {
            at: fine,
            op: None,
            stencil: arrays.stencil,
            shift: arrays.shift,
            x: arrays.x,
            b: arrays.rhs,
        }
    } else {
        Residuals {
            at: fine,
            op: Some(Operator::of(arrays.coef, arrays.ints, &fine)),
            stencil: &[],
            shift: 0.0,
            x: &before[fine.state..][..fine.cells],
            b: &before[fine.state + 2 * fine.cells..][..fine.cells],
        }
    };
    let full = all_own(fine.dims);
    let flags = coarse.flags(arrays.ints);
    each(
        b,
        coarse.row(),
        fine.cells,
        4 * fine.row(),
        |r, out, rows| {
            let whole = flags[r] & WHOLE != 0;
            restrict_row(&residuals, coarse, words, full, whole, r, rows, out);
        },
    );
}

fn restrict_row(
    residuals: &Residuals<'_>,
    coarse: At,
    words: &[u32],
    full: u32,
    whole: bool,
    r: usize,
    rows: &mut [f32],
    out: &mut [f32],
) {
    let fine = residuals.at.dims;
    let (nx, ny) = (coarse.row(), coarse.dims[1] as usize);
    let [fx, fy, fz] = fine.map(|n| n as usize);
    let (j, k) = (r % ny, r / ny);
    let mut used = 0;
    for (dk, dj) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        if 2 * j + dj < fy && 2 * k + dk < fz {
            residuals.row((2 * k + dk) * fy + 2 * j + dj, &mut rows[used * fx..][..fx]);
            used += 1;
        }
    }
    if fx > 1 {
        add_pairs(&rows[..used * fx], fx, out);
        if whole {
            return;
        }
    }
    for (n, words_of) in words[r * nx..][..nx].chunks(BLOCK).enumerate() {
        if fx > 1 && words_of.iter().fold(0, |other, w| other | (w ^ full)) == 0 {
            continue;
        }
        for (i, word) in (n * BLOCK..).zip(words_of) {
            if *word != full || fx < 2 {
                out[i] = with_adopted(residuals, coarse, words, [i, j, k]);
            }
        }
    }
}

crate::simd_fn! {
    /// Adds up the pairs of each of some rows, one after the other.
    fn add_pairs(rows: &[f32], len: usize, out: &mut [f32]) {
        out.fill(0.0);
        for row in rows.chunks_exact(len) {
            for (out, pair) in out.iter_mut().zip(row.as_chunks::<2>().0) {
                *out = (*out + pair[0]) + pair[1];
            }
        }
    }
}

/// The sum of a cell that is not like most.
fn with_adopted(residuals: &Residuals<'_>, coarse: At, words: &[u32], id: [usize; 3]) -> f32 {
    let word = words[index(coarse.dims, id)];
    let children = |parent: [usize; 3], word: u32, is: u32, side: Option<(usize, usize)>| {
        (0..8)
            .filter(|k| kind(word, *k) == is && side.is_none_or(|(axis, at)| k >> axis & 1 == at))
            .fold(0.0, |sum, k| sum + residuals.cell(offspring(parent, k)))
    };
    let mut sum = children(id, word, OWN, None);
    for f in (0..6).filter(|f| word >> (FLAGS as usize + f) & 1 == 1) {
        let beside = behind(coarse.dims, id, f);
        let (axis, at) = (f / 2, 1 - (f & 1));
        let word = words[index(coarse.dims, beside)];
        sum += children(beside, word, ADOPTED + axis as u32, Some((axis, at)));
    }
    sum
}
