//! Red–black sweeps on a strip, with the two colours in arrays of their own.
//!
//! In one array a sweep of one colour touches every second number, which does not vectorise. Split, each row of a colour
//! is contiguous, and so are the neighbours of its cells, which all have the other colour. A sweep here is one colour.

use rayon::prelude::*;

use crate::device::{Buf, Device, Result};
use crate::poisson::UNKNOWN;
use crate::poisson::cells::{Near, masked_sum, plain_sum};
use crate::poisson::stencil::{BLOCK, Spans, faces, parity};
use crate::poisson::strips::{Edges, Plan, Reach, Storage, Strip, blocks, cut};

/// What the sweeps of a block have in common.
pub(super) struct Job<'a> {
    pub dims: [u32; 3],
    pub stencil: &'a [u32],
    /// Of each colour.
    pub spans: &'a [Spans; 2],
    pub rhs: &'a [f32],
    pub shift: f32,
    /// Whether the slowest axis is periodic.
    pub round: bool,
}

/// The memory of all strips: x and b of each colour.
pub(super) struct Strips {
    plan: Plan,
    storage: Storage,
    edges: Edges,
    memory: Vec<[Buf<f32>; 4]>,
}

impl Strips {
    pub fn new(dev: &mut Device, dims: [u32; 3], threads: usize) -> Result<Self> {
        let (plan, storage) = layout(dims, threads);
        let mut memory = Vec::new();
        for _ in 0..plan.strips() {
            let mut make = |label| dev.buf(label, storage.len(&plan));
            memory.push([
                make("strip red")?,
                make("strip black")?,
                make("strip red b")?,
                make("strip black b")?,
            ]);
        }
        Ok(Self {
            edges: Edges::new(dev, &plan, 2 * storage.rows * storage.stride)?,
            plan,
            storage,
            memory,
        })
    }

    /// Bytes that [`Strips::new`] takes.
    pub fn memory_bytes(dims: [u32; 3], threads: usize) -> u64 {
        let (plan, storage) = layout(dims, threads);
        let edges = Edges::len(&plan, 2 * storage.rows * storage.stride);
        4 * (4 * plan.strips() * storage.len(&plan) + edges) as u64
    }

    /// `sweeps` sweeps on `x`, red first; two are an iteration.
    pub fn run(&mut self, job: &Job<'_>, x: &mut [f32], sweeps: usize) {
        let (plan, storage) = (&self.plan, self.storage);
        let layer = job.dims[0] as usize * storage.rows;
        let mut strips: Vec<RedBlackStrip<'_>> = self
            .memory
            .iter_mut()
            .map(|memory| {
                let [red, black, red_b, black_b] =
                    memory.each_mut().map(|m| storage.aligned(plan, m.host_mut()));
                RedBlackStrip {
                    job,
                    storage,
                    x: [red, black],
                    rhs: [red_b, black_b],
                    next: 0,
                }
            })
            .collect();
        let begin = |(s, strip): (usize, &mut RedBlackStrip<'_>)| {
            let reach = Reach::new(plan, s, job.round);
            for l in reach.all() {
                let global = reach.global(l);
                let cells = global * layer..(global + 1) * layer;
                split_layer(job.dims, storage, global, &x[cells.clone()], &mut strip.x, l);
                split_layer(job.dims, storage, global, &job.rhs[cells], &mut strip.rhs, l);
            }
        };
        strips
            .par_iter_mut()
            .with_max_len(1)
            .enumerate()
            .for_each(begin);
        self.edges.run(&mut strips, sweeps, job.round);
        cut(plan, x, layer)
            .into_par_iter()
            .zip(&strips)
            .with_max_len(1)
            .enumerate()
            .for_each(|(s, (x, strip))| {
                let reach = Reach::new(plan, s, job.round);
                for (l, x) in reach.inner().zip(x.chunks_exact_mut(layer)) {
                    strip.finish(l, reach.global(l), x);
                }
            });
    }
}

/// In a row of odd length one colour leaves its last number unused.
fn half(dims: [u32; 3]) -> usize {
    dims[0].div_ceil(2) as usize
}

fn layout(dims: [u32; 3], threads: usize) -> (Plan, Storage) {
    (Plan::new(dims, threads), Storage::new(dims, half(dims)))
}

/// Takes the cells of a layer apart by colour.
fn split_layer(
    dims: [u32; 3],
    storage: Storage,
    global: usize,
    from: &[f32],
    to: &mut [&mut [f32]; 2],
    layer: usize,
) {
    let h = half(dims);
    let [red, black] = to;
    for (j, from) in from.chunks_exact(dims[0] as usize).enumerate() {
        let at = storage.row(layer, j);
        let (red, black) = (&mut red[at..at + h], &mut black[at..at + h]);
        if parity(dims, global * storage.rows + j, 0) == 0 {
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
    storage: Storage,
    x: [&'a mut [f32]; 2],
    rhs: [&'a mut [f32]; 2],
    /// Colour of the next sweep.
    next: usize,
}

impl RedBlackStrip<'_> {
    /// Puts the unknowns of a layer back in order; what is none becomes zero.
    fn finish(&self, layer: usize, global: usize, out: &mut [f32]) {
        let (dims, h) = (self.job.dims, half(self.job.dims));
        let nx = dims[0] as usize;
        let full = self.job.spans.iter().all(|s| s.full);
        for (j, out) in out.chunks_exact_mut(nx).enumerate() {
            let row = global * self.storage.rows + j;
            let at = self.storage.row(layer, j);
            let (red, black) = (&self.x[0][at..at + h], &self.x[1][at..at + h]);
            if parity(dims, row, 0) == 0 {
                join_row(red, black, out);
            } else {
                join_row(black, red, out);
            }
            if !full {
                for (out, code) in out.iter_mut().zip(&self.job.stencil[row * nx..][..nx]) {
                    *out = if code & UNKNOWN == 0 { 0.0 } else { *out };
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
        let (job, storage, rhs) = (self.job, self.storage, &*self.rhs[colour]);
        if job.dims[2] > 1 {
            relax::<true>(job, storage, other, rhs, mine, layer, global, colour);
        } else {
            relax::<false>(job, storage, other, rhs, mine, layer, global, colour);
        }
    }
    fn save(&self, layer: usize, to: &mut [f32]) {
        let (at, len) = (self.storage.row(layer, 0), to.len() / 2);
        for (x, to) in self.x.iter().zip(to.chunks_exact_mut(len)) {
            to.copy_from_slice(&x[at..at + len]);
        }
    }
    fn load(&mut self, layer: usize, from: &[f32]) {
        let (at, len) = (self.storage.row(layer, 0), from.len() / 2);
        for (x, from) in self.x.iter_mut().zip(from.chunks_exact(len)) {
            x[at..at + len].copy_from_slice(from);
        }
    }
    fn turn(&mut self, sweeps: usize) {
        self.next = (self.next + sweeps) & 1;
    }
}

crate::simd_fn! {
    /// One sweep of one colour on a layer: the other colour → mine.
    fn relax<const D3: bool>(job: &Job<'_>, storage: Storage, other: &[f32], rhs: &[f32], mine: &mut [f32], layer: usize, global: usize, colour: usize) {
        let nx = job.dims[0] as usize;
        let inverse = 1.0 / (job.shift + faces(job.dims) as f32);
        for j in 0..storage.rows {
            let (at, around) = (storage.row(layer, j), storage.around::<D3>(layer, j));
            let [ym, yp, zm, zp] = around;
            let index = global * storage.rows + j;
            // The first cell of this colour: its neighbours along x are then `first − 1` and `first` places from it
            // among the others.
            let first = parity(job.dims, index, colour as u32) as usize;
            for [begin, end] in job.spans[colour].plain(index) {
                let (m, n) = (*begin as usize, (end - begin) as usize);
                let (left, right) = (blocks(other, at + m + first - 1, n), blocks(other, at + m + first, n));
                let (ym, yp) = (blocks(other, ym + m, n), blocks(other, yp + m, n));
                let (zm, zp) = (blocks(other, zm + m, n), blocks(other, zp + m, n));
                let rhs = blocks(rhs, at + m, n);
                let mine = mine[at + m..][..n].as_chunks_mut::<BLOCK>().0;
                for (k, mine) in mine.iter_mut().enumerate() {
                    for i in 0..BLOCK {
                        let near = [left[k][i], right[k][i], ym[k][i], yp[k][i], zm[k][i], zp[k][i]];
                        mine[i] = plain_sum::<D3>(near, rhs[k][i]) * inverse;
                    }
                }
            }
            for cell in job.spans[colour].mixed(index) {
                let m = cell.at as usize;
                let i = 2 * m + first;
                let left = if i == 0 { (nx - 1) / 2 } else { m + first - 1 };
                let right = if i + 1 == nx { 0 } else { m + first };
                let near: Near = [
                    other[at + left], other[at + right], other[ym + m], other[yp + m], other[zm + m], other[zp + m],
                ];
                mine[at + m] = masked_sum::<D3>(&cell.masks, near, rhs[at + m]) * cell.inverse;
            }
        }
    }
}
