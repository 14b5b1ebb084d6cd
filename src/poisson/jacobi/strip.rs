//! Jacobi sweeps on a strip.

use rayon::prelude::*;

use crate::device::{Buf, Device, Result};
use crate::poisson::UNKNOWN;
use crate::poisson::rows::{FRESH, OLD_IN_X, relax_row};
use crate::poisson::stencil::Spans;
use crate::poisson::storage::Storage;
use crate::poisson::strips::{Edges, Plan, Reach, Strip, WAVE, cut};

/// Layers between one sweep and the next that are of use at a time: every other sweep of a wave writes its results where
/// the sweep before the last had its own, so that a wave reads and writes one array, and these stay in the first-level cache.
const RING: usize = WAVE + 1;

/// What the sweeps of a block have in common.
pub(super) struct Job<'a> {
    pub dims: [u32; 3],
    pub stencil: &'a [u32],
    pub spans: &'a Spans,
    pub rhs: &'a [f32],
    pub weight: f32,
    /// Which axes are periodic.
    pub wraps: [bool; 3],
}

/// The memory of all strips.
pub(super) struct Strips {
    plan: Plan,
    edges: Edges,
    memory: Vec<[Buf<f32>; 3]>,
}

impl Strips {
    pub fn new(dev: &mut Device, dims: [u32; 3], threads: usize) -> Result<Self> {
        let (plan, storage) = (Plan::new(dims, threads), storage(dims, true));
        let mut memory = Vec::new();
        for _ in 0..plan.strips() {
            let mut make = |label, layers| dev.buf(label, storage.len(layers));
            memory.push([
                make("strip x", plan.held())?,
                make("strip x'", RING)?,
                make("strip b", plan.held())?,
            ]);
        }
        Ok(Self {
            edges: Edges::new(dev, &plan, storage.rows * storage.row)?,
            plan,
            memory,
        })
    }

    /// Bytes that [`Strips::new`] takes.
    pub fn memory_bytes(dims: [u32; 3], threads: usize) -> u64 {
        let (plan, storage) = (Plan::new(dims, threads), storage(dims, true));
        let edges = Edges::len(&plan, storage.rows * storage.row);
        let strip = 2 * storage.len(plan.held()) + storage.len(RING);
        4 * (plan.strips() * strip + edges) as u64
    }

    /// `sweeps` sweeps, at least one, on `x`.
    pub fn run(&mut self, job: &Job<'_>, x: &mut [f32], sweeps: usize) {
        let (plan, storage) = (&self.plan, storage(job.dims, job.wraps[0]));
        let round = job.wraps[if job.dims[2] > 1 { 2 } else { 1 }];
        let layer = storage.rows * storage.row;
        let mut strips: Vec<JacobiStrip<'_>> = self
            .memory
            .iter_mut()
            .map(|memory| JacobiStrip {
                job,
                storage,
                arrays: storage.aligned(memory),
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

fn storage(dims: [u32; 3], round: bool) -> Storage {
    Storage::new(dims, dims[0] as usize, round)
}

struct JacobiStrip<'a> {
    job: &'a Job<'a>,
    storage: Storage,
    /// x, the ring, b.
    arrays: [&'a mut [f32]; 3],
}

impl JacobiStrip<'_> {
    /// Copies the unknowns of a layer out; what is none becomes zero.
    fn finish(&self, layer: usize, global: usize, out: &mut [f32]) {
        self.save(layer, out);
        if !self.job.spans.full {
            let codes = &self.job.stencil[global * out.len()..][..out.len()];
            for (out, code) in out.iter_mut().zip(codes) {
                *out = if code & UNKNOWN == 0 { 0.0 } else { *out };
            }
        }
    }
}

impl Strip for JacobiStrip<'_> {
    fn sweep(&mut self, sweep: usize, layer: usize, global: usize) {
        let [x, ring, rhs] = &mut self.arrays;
        let near = [layer - 1, layer, layer + 1];
        let (from, near, to, written) = if sweep & 1 == 0 {
            (&**x, near, &mut **ring, layer % RING)
        } else {
            (&**ring, near.map(|l| l % RING), &mut **x, layer)
        };
        let (spans, three, weight) = (self.job.spans, self.job.dims[2] > 1, self.job.weight);
        for j in 0..self.storage.rows {
            let row = self
                .storage
                .around(near, [written, layer], j, [-1, 1], three);
            let index = global * self.storage.rows + j;
            match (three, weight == 1.0) {
                (false, true) => {
                    relax_row::<false, FRESH>(spans, index, row, from, rhs, to, weight);
                }
                (false, false) => {
                    relax_row::<false, OLD_IN_X>(spans, index, row, from, rhs, to, weight);
                }
                (true, true) => relax_row::<true, FRESH>(spans, index, row, from, rhs, to, weight),
                (true, false) => {
                    relax_row::<true, OLD_IN_X>(spans, index, row, from, rhs, to, weight);
                }
            }
            self.storage.close(to, row.to);
        }
    }
    fn settle(&mut self, layer: usize) {
        let [x, ring, _] = &mut self.arrays;
        let storage = self.storage;
        for j in 0..storage.rows {
            let from = storage.row_at(layer % RING, j);
            let to = storage.row_at(layer, j);
            x[to..to + storage.row].copy_from_slice(&ring[from..from + storage.row]);
            storage.close(x, to);
        }
    }
    fn save(&self, layer: usize, to: &mut [f32]) {
        self.storage.save(self.arrays[0], layer, to);
    }
    fn load(&mut self, layer: usize, from: &[f32]) {
        self.storage.load(self.arrays[0], layer, from);
    }
    fn fill(&mut self, x: &[f32], layer: usize, global: usize) {
        let len = self.storage.rows * self.storage.row;
        let at = global * len..(global + 1) * len;
        self.load(layer, &x[at.clone()]);
        let rhs = &mut *self.arrays[2];
        self.storage.load(rhs, layer, &self.job.rhs[at]);
    }
}
