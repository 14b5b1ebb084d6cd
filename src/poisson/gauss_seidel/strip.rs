//! Red–black sweeps on a strip, with the two colours in arrays of their own.
//!
//! In one array a sweep of one colour touches every second number, which does not vectorise. Split, each row of a colour
//! is contiguous, and so are the neighbours of its cells, which all have the other colour. A sweep here is one colour.

use rayon::prelude::*;

use crate::device::{Buf, Device, Result};
use crate::poisson::cells::{Near, link_sum, plain_sum};
use crate::poisson::stencil::{Span, Spans, faces, parity};
use crate::poisson::strips::{Edges, Plan, Reach, Strip, cut};

/// What the sweeps of a block have in common.
pub(super) struct Job<'a> {
    pub dims: [u32; 3],
    pub stencil: &'a [u32],
    /// Spans of each colour.
    pub spans: &'a [Spans; 2],
    pub rhs: &'a [f32],
    pub shift: f32,
    /// Whether the slowest axis is periodic.
    pub round: bool,
}

/// The memory of all strips: x and b of each colour.
pub(super) struct Strips {
    plan: Plan,
    edges: Edges,
    memory: Vec<[Buf<f32>; 4]>,
}

impl Strips {
    pub fn new(dev: &mut Device, dims: [u32; 3], threads: usize) -> Result<Self> {
        let plan = Plan::new(dims, threads);
        let len = colour_len(dims);
        let mut memory = Vec::new();
        for _ in 0..plan.strips() {
            let mut make = |label| dev.buf(label, plan.held() * len);
            memory.push([
                make("strip red")?,
                make("strip black")?,
                make("strip red b")?,
                make("strip black b")?,
            ]);
        }
        Ok(Self {
            edges: Edges::new(dev, &plan, 2 * len)?,
            plan,
            memory,
        })
    }

    /// Bytes that [`Strips::new`] takes.
    pub fn memory_bytes(dims: [u32; 3], threads: usize) -> u64 {
        let plan = Plan::new(dims, threads);
        let len = colour_len(dims);
        4 * (4 * plan.strips() * plan.held() * len + Edges::len(&plan, 2 * len)) as u64
    }

    /// `sweeps` sweeps on `x`, red first; two are an iteration.
    pub fn run(&mut self, job: &Job<'_>, x: &mut [f32], sweeps: usize) {
        let plan = &self.plan;
        let (rows, len) = (rows_of_layer(job.dims), colour_len(job.dims));
        let cells = job.dims[0] as usize * rows;
        let mut strips: Vec<RedBlackStrip<'_>> = self
            .memory
            .iter_mut()
            .map(|[red, black, red_b, black_b]| RedBlackStrip {
                job,
                x: [red.host_mut(), black.host_mut()],
                rhs: [red_b.host_mut(), black_b.host_mut()],
                next: 0,
                len,
            })
            .collect();
        strips.par_iter_mut().with_max_len(1).enumerate().for_each(|(s, strip)| {
            let reach = Reach::new(plan, s, job.round);
            for l in reach.all() {
                let global = reach.global(l);
                let at = global * cells;
                split_layer(job.dims, global, &x[at..at + cells], &mut strip.x, l * len);
                split_layer(job.dims, global, &job.rhs[at..at + cells], &mut strip.rhs, l * len);
            }
        });
        self.edges.run(&mut strips, sweeps, job.round);
        cut(plan, x, cells)
            .into_par_iter()
            .zip(&strips)
            .with_max_len(1)
            .enumerate()
            .for_each(|(s, (x, strip))| {
                let reach = Reach::new(plan, s, job.round);
                for (l, x) in reach.inner().zip(x.chunks_exact_mut(cells)) {
                    strip.finish(l, reach.global(l), x);
                }
            });
    }
}

/// Rows of a layer: one in 2D.
fn rows_of_layer(dims: [u32; 3]) -> usize {
    if dims[2] > 1 { dims[1] as usize } else { 1 }
}

/// Numbers of one colour of a row. In a row of odd length one colour leaves the last unused.
fn half(dims: [u32; 3]) -> usize {
    dims[0].div_ceil(2) as usize
}

/// Numbers of one colour of a layer.
fn colour_len(dims: [u32; 3]) -> usize {
    half(dims) * rows_of_layer(dims)
}

/// Takes the cells of a layer apart by colour.
fn split_layer(dims: [u32; 3], global: usize, from: &[f32], to: &mut [&mut [f32]; 2], at: usize) {
    let (nx, h, rows) = (dims[0] as usize, half(dims), rows_of_layer(dims));
    let [red, black] = to;
    for (j, from) in from.chunks_exact(nx).enumerate() {
        let at = at + j * h;
        let (red, black) = (&mut red[at..at + h], &mut black[at..at + h]);
        if parity(dims, global * rows + j, 0) == 0 {
            split_row(from, red, black);
        } else {
            split_row(from, black, red);
        }
    }
}

crate::simd_fn! {
    /// Cells 0, 2, 4, … to `even`, 1, 3, 5, … to `odd`.
    fn split_row(from: &[f32], even: &mut [f32], odd: &mut [f32]) {
        let (pairs, rest) = from.as_chunks::<2>();
        for ((pair, even), odd) in pairs.iter().zip(&mut *even).zip(odd) {
            [*even, *odd] = *pair;
        }
        if let [last] = rest {
            even[pairs.len()] = *last;
        }
    }

    /// The inverse of `split_row`.
    fn join_row(even: &[f32], odd: &[f32], to: &mut [f32]) {
        let (pairs, rest) = to.as_chunks_mut::<2>();
        let count = pairs.len();
        for ((pair, even), odd) in pairs.iter_mut().zip(even).zip(odd) {
            *pair = [*even, *odd];
        }
        if let [last] = rest {
            *last = even[count];
        }
    }
}

struct RedBlackStrip<'a> {
    job: &'a Job<'a>,
    x: [&'a mut [f32]; 2],
    rhs: [&'a mut [f32]; 2],
    /// Colour of the next sweep.
    next: usize,
    len: usize,
}

impl RedBlackStrip<'_> {
    /// Puts the unknowns of a layer back in order; what is none becomes zero.
    fn finish(&self, layer: usize, global: usize, out: &mut [f32]) {
        let dims = self.job.dims;
        let (nx, h, rows) = (dims[0] as usize, half(dims), rows_of_layer(dims));
        for (j, out) in out.chunks_exact_mut(nx).enumerate() {
            let row = global * rows + j;
            let at = layer * self.len + j * h;
            let (red, black) = (&self.x[0][at..at + h], &self.x[1][at..at + h]);
            if parity(dims, row, 0) == 0 {
                join_row(red, black, out);
            } else {
                join_row(black, red, out);
            }
            for colour in 0..2 {
                let first = parity(dims, row, colour as u32) as usize;
                let mut from = 0;
                for span in self.job.spans[colour].row(row) {
                    for m in from..span.begin as usize {
                        out[2 * m + first] = 0.0;
                    }
                    from = span.end as usize;
                }
                for i in (2 * from + first..nx).step_by(2) {
                    out[i] = 0.0;
                }
            }
        }
    }
}

impl Strip for RedBlackStrip<'_> {
    fn sweep(&mut self, sweep: usize, layer: usize, global: usize) {
        let colour = (self.next + sweep) & 1;
        let [red, black] = &mut self.x;
        let (mine, other) = if colour == 0 {
            (&mut **red, &**black)
        } else {
            (&mut **black, &**red)
        };
        if self.job.dims[2] > 1 {
            relax::<true>(self.job, other, self.rhs[colour], mine, layer, global, colour);
        } else {
            relax::<false>(self.job, other, self.rhs[colour], mine, layer, global, colour);
        }
    }
    fn save(&self, layer: usize, to: &mut [f32]) {
        for (x, to) in self.x.iter().zip(to.chunks_exact_mut(self.len)) {
            to.copy_from_slice(&x[layer * self.len..][..self.len]);
        }
    }
    fn load(&mut self, layer: usize, from: &[f32]) {
        for (x, from) in self.x.iter_mut().zip(from.chunks_exact(self.len)) {
            x[layer * self.len..][..self.len].copy_from_slice(from);
        }
    }
    fn turn(&mut self, sweeps: usize) {
        self.next = (self.next + sweeps) & 1;
    }
}

crate::simd_fn! {
    /// One sweep of one colour on a layer: the other colour → mine.
    fn relax<const D3: bool>(job: &Job<'_>, other: &[f32], rhs: &[f32], mine: &mut [f32], layer: usize, global: usize, colour: usize) {
        let (nx, h) = (job.dims[0] as usize, half(job.dims));
        let rows = if D3 { job.dims[1] as usize } else { 1 };
        let row = |layer: usize, j: usize| &other[(layer * rows + j) * h..][..h];
        let inverse = 1.0 / (job.shift + faces(job.dims) as f32);
        for j in 0..rows {
            let c = row(layer, j);
            let near: [&[f32]; 4] = if D3 {
                let (below, above) = (if j == 0 { rows - 1 } else { j - 1 }, if j + 1 == rows { 0 } else { j + 1 });
                [row(layer, below), row(layer, above), row(layer - 1, j), row(layer + 1, j)]
            } else {
                [row(layer - 1, 0), row(layer + 1, 0), c, c]
            };
            let at = (layer * rows + j) * h;
            let (rhs, mine) = (&rhs[at..at + h], &mut mine[at..at + h]);
            let index = global * rows + j;
            // The first cell of this colour: its left neighbour is then `first − 1` places from it among the others.
            let first = parity(job.dims, index, colour as u32) as usize;
            for span in job.spans[colour].row(index) {
                let (begin, end) = (span.begin as usize, span.end as usize);
                if span.mixed == Span::PLAIN {
                    let n = end - begin;
                    let (left, right) = (&c[begin + first - 1..][..n], &c[begin + first..][..n]);
                    plain::<D3>(left, right, near.map(|r| &r[begin..end]), &rhs[begin..end], &mut mine[begin..end], inverse);
                } else {
                    let inverse = job.spans[colour].inverse(span);
                    for m in begin..end {
                        let i = 2 * m + first;
                        let left = if i == 0 { c[(nx - 1) / 2] } else { c[m + first - 1] };
                        let right = if i + 1 == nx { c[0] } else { c[m + first] };
                        let [ym, yp, zm, zp] = near.map(|r| r[m]);
                        let near: Near = [left, right, ym, yp, zm, zp];
                        mine[m] = link_sum::<D3>(job.stencil[index * nx + i], near, rhs[m]) * inverse[m - begin];
                    }
                }
            }
        }
    }
}

/// Cells with an unknown behind every face.
#[inline(always)]
fn plain<const D3: bool>(
    left: &[f32],
    right: &[f32],
    near: [&[f32]; 4],
    rhs: &[f32],
    out: &mut [f32],
    inverse: f32,
) {
    let n = out.len();
    let (left, right, rhs) = (&left[..n], &right[..n], &rhs[..n]);
    let [ym, yp, zm, zp] = near.map(|r| &r[..n]);
    for i in 0..n {
        let near = [left[i], right[i], ym[i], yp[i], zm[i], zp[i]];
        out[i] = plain_sum::<D3>(near, rhs[i]) * inverse;
    }
}
