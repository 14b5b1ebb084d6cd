//! Red–black sweeps on a strip, with the two colours in arrays of their own.
//!
//! In one array a sweep of one colour touches every second number, which does not vectorise. Split, each row of a colour
//! is contiguous, and so are the neighbours of its cells, which all have the other colour. A sweep here is one colour.

use rayon::prelude::*;

use super::UNKNOWN;
use super::rows::{FRESH, OLD_IN_OUT, relax_row};
use super::stencil::{Spans, parity};
use super::storage::Storage;
use super::strips::{Edges, Plan, Reach, Strip, cut};
use crate::device::{Buf, Device, Result};

/// What the sweeps of a block have in common.
pub(super) struct Job<'a> {
    pub dims: [u32; 3],
    pub stencil: &'a [u32],
    /// Of each colour.
    pub spans: &'a [Spans; 2],
    pub rhs: &'a [f32],
    /// Whether all begins from zero, whatever x holds.
    pub from_zero: bool,
    /// Whether the strips hold the right-hand side already.
    pub rhs_is_there: bool,
    /// Weight of the relaxed value in each sweep.
    pub weights: &'a [f32],
    /// The colour of even sweeps.
    pub first: usize,
    /// Which axes are periodic.
    pub wraps: [bool; 3],
}

/// The memory of all strips: x and b of each colour.
pub(super) struct Strips {
    plan: Plan,
    edges: Edges,
    memory: Vec<[Buf<f32>; 4]>,
}

impl Strips {
    pub fn new(dev: &mut Device, dims: [u32; 3], threads: usize) -> Result<Self> {
        let (plan, storage) = (Plan::new(dims, threads), storage(dims, true));
        let mut memory = Vec::new();
        for _ in 0..plan.strips() {
            let mut make = |label| dev.buf(label, storage.len(plan.held()));
            memory.push([
                make("strip red")?,
                make("strip black")?,
                make("strip red b")?,
                make("strip black b")?,
            ]);
        }
        Ok(Self {
            edges: Edges::new(dev, &plan, 2 * storage.rows * storage.row)?,
            plan,
            memory,
        })
    }

    /// Bytes that [`Strips::new`] takes.
    pub fn memory_bytes(dims: [u32; 3], threads: usize) -> u64 {
        let (plan, storage) = (Plan::new(dims, threads), storage(dims, true));
        let edges = Edges::len(&plan, 2 * storage.rows * storage.row);
        4 * (4 * plan.strips() * storage.len(plan.held()) + edges) as u64
    }

    /// `sweeps` sweeps, at least one, on `x`, of the colours in turn; two are an iteration.
    pub fn run(&mut self, job: &Job<'_>, x: &mut [f32], sweeps: usize) {
        let (plan, storage) = (&self.plan, storage(job.dims, job.wraps[0]));
        let round = job.wraps[if job.dims[2] > 1 { 2 } else { 1 }];
        let layer = job.dims[0] as usize * storage.rows;
        let mut strips: Vec<RedBlackStrip<'_>> = self
            .memory
            .iter_mut()
            .map(|memory| {
                let [red, black, red_b, black_b] = storage.aligned(memory);
                RedBlackStrip {
                    job,
                    storage,
                    x: [red, black],
                    rhs: [red_b, black_b],
                }
            })
            .collect();
        self.edges.run(&mut strips, x, sweeps, round);
        cut(plan, x, layer)
            .into_par_iter()
            .zip(&strips)
            .with_max_len(1)
            .enumerate()
            .for_each(|(s, (x, strip))| {
                let reach = Reach::new(plan, s, round);
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

pub(super) fn storage(dims: [u32; 3], round: bool) -> Storage {
    Storage::new(dims, half(dims), round)
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
    for (j, from) in from.chunks_exact(dims[0] as usize).enumerate() {
        let at = storage.row_at(layer, j);
        let [red, black] = to;
        let (red, black) = (&mut red[at..at + h], &mut black[at..at + h]);
        if parity(dims, global * storage.rows + j, 0) == 0 {
            split_row(from, red, black);
        } else {
            split_row(from, black, red);
        }
    }
    for x in to {
        for j in 0..storage.rows {
            storage.close(x, storage.row_at(layer, j));
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

/// Some layers, each colour in an array of its own.
pub(super) struct RedBlackStrip<'a> {
    pub job: &'a Job<'a>,
    pub storage: Storage,
    pub x: [&'a mut [f32]; 2],
    pub rhs: [&'a mut [f32]; 2],
}

impl RedBlackStrip<'_> {
    /// Puts the unknowns of a layer back in order; what is none becomes zero.
    pub fn finish(&self, layer: usize, global: usize, out: &mut [f32]) {
        let (dims, h) = (self.job.dims, half(self.job.dims));
        let nx = dims[0] as usize;
        let full = self.job.spans.iter().all(|s| s.full);
        for (j, out) in out.chunks_exact_mut(nx).enumerate() {
            let row = global * self.storage.rows + j;
            let at = self.storage.row_at(layer, j);
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

    /// Sweep number `sweep` of the second of three layers, which is layer `global` of the domain.
    pub fn sweep_at(&mut self, sweep: usize, layers: [usize; 3], global: usize) {
        let colour = (sweep & 1) ^ self.job.first;
        let [red, black] = &mut self.x;
        let (mine, other) = if colour == 0 {
            (&mut **red, &**black)
        } else {
            (&mut **black, &**red)
        };
        let (dims, rhs, spans) = (self.job.dims, &*self.rhs[colour], &self.job.spans[colour]);
        let (three, weight) = (dims[2] > 1, self.job.weights[sweep]);
        for j in 0..self.storage.rows {
            let index = global * self.storage.rows + j;
            // The first cell of this colour is cell 0 or 1 of the row: its neighbours along x are then the other colour's
            // cells before it and beside it, or beside it and after it.
            let first = parity(dims, index, colour as u32) as isize;
            let row = self
                .storage
                .around(layers, [layers[1]; 2], j, [first - 1, first], three);
            match (three, weight == 1.0) {
                (false, true) => {
                    relax_row::<false, FRESH>(spans, index, row, other, rhs, mine, 1.0);
                }
                (false, false) => {
                    relax_row::<false, OLD_IN_OUT>(spans, index, row, other, rhs, mine, weight);
                }
                (true, true) => relax_row::<true, FRESH>(spans, index, row, other, rhs, mine, 1.0),
                (true, false) => {
                    relax_row::<true, OLD_IN_OUT>(spans, index, row, other, rhs, mine, weight);
                }
            }
            self.storage.close(mine, row.to);
        }
    }

    /// Takes a layer, which is layer `global` of the domain, from `x`, and its right-hand side.
    pub fn fill_at(&mut self, x: &[f32], layer: usize, global: usize) {
        let (dims, storage) = (self.job.dims, self.storage);
        if self.job.from_zero {
            let at = storage.row_at(layer, 0);
            for x in &mut self.x {
                x[at - 1..][..storage.layer() + 1].fill(0.0);
            }
        } else {
            split_layer(dims, storage, global, x, &mut self.x, layer);
        }
        if !self.job.rhs_is_there {
            let rhs = &self.job.rhs[global * x.len()..][..x.len()];
            split_layer(dims, storage, global, rhs, &mut self.rhs, layer);
        }
    }
}

impl Strip for RedBlackStrip<'_> {
    fn sweep(&mut self, sweep: usize, layer: usize, global: usize) {
        self.sweep_at(sweep, [layer - 1, layer, layer + 1], global);
    }
    /// Each colour stays in its array.
    fn settle(&mut self, _layer: usize) {}
    fn save(&self, layer: usize, to: &mut [f32]) {
        let len = to.len() / 2;
        for (x, to) in self.x.iter().zip(to.chunks_exact_mut(len)) {
            self.storage.save(x, layer, to);
        }
    }
    fn load(&mut self, layer: usize, from: &[f32]) {
        let len = from.len() / 2;
        for (x, from) in self.x.iter_mut().zip(from.chunks_exact(len)) {
            self.storage.load(x, layer, from);
        }
    }
    fn fill(&mut self, x: &[f32], layer: usize, global: usize) {
        let len = self.job.dims[0] as usize * self.storage.rows;
        self.fill_at(&x[global * len..][..len], layer, global);
    }
}
