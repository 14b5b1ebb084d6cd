//! Jacobi sweeps on a strip.

use rayon::prelude::*;

use crate::device::{Buf, Device, Result};
use crate::poisson::UNKNOWN;
use crate::poisson::cells::{Near, masked_sum, plain_sum, weighted};
use crate::poisson::stencil::{BLOCK, Spans, faces};
use crate::poisson::strips::{Edges, Plan, Reach, Storage, Strip, blocks, cut};

/// What the sweeps of a block have in common.
pub(super) struct Job<'a> {
    pub dims: [u32; 3],
    pub stencil: &'a [u32],
    pub spans: &'a Spans,
    pub rhs: &'a [f32],
    pub shift: f32,
    pub weight: f32,
    /// Whether the slowest axis is periodic.
    pub round: bool,
}

/// The memory of all strips.
pub(super) struct Strips {
    plan: Plan,
    storage: Storage,
    edges: Edges,
    memory: Vec<[Buf<f32>; 3]>,
}

impl Strips {
    pub fn new(dev: &mut Device, dims: [u32; 3], threads: usize) -> Result<Self> {
        let (plan, storage) = layout(dims, threads);
        let mut memory = Vec::new();
        for _ in 0..plan.strips() {
            let mut make = |label| dev.buf(label, storage.len(&plan));
            memory.push([make("strip x")?, make("strip x'")?, make("strip b")?]);
        }
        Ok(Self {
            edges: Edges::new(dev, &plan, storage.rows * storage.stride)?,
            plan,
            storage,
            memory,
        })
    }

    /// Bytes that [`Strips::new`] takes.
    pub fn memory_bytes(dims: [u32; 3], threads: usize) -> u64 {
        let (plan, storage) = layout(dims, threads);
        let edges = Edges::len(&plan, storage.rows * storage.stride);
        4 * (3 * plan.strips() * storage.len(&plan) + edges) as u64
    }

    /// `sweeps` sweeps on `x`.
    pub fn run(&mut self, job: &Job<'_>, x: &mut [f32], sweeps: usize) {
        let (plan, storage) = (&self.plan, self.storage);
        let layer = job.dims[0] as usize * storage.rows;
        let mut strips: Vec<JacobiStrip<'_>> = self
            .memory
            .iter_mut()
            .map(|memory| JacobiStrip {
                job,
                storage,
                arrays: memory.each_mut().map(|m| storage.aligned(plan, m.host_mut())),
                newest: 0,
            })
            .collect();
        let begin = |(s, strip): (usize, &mut JacobiStrip<'_>)| {
            let reach = Reach::new(plan, s, job.round);
            for l in reach.all() {
                let at = reach.global(l) * layer;
                strip.begin(l, &x[at..at + layer], &job.rhs[at..at + layer]);
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

fn layout(dims: [u32; 3], threads: usize) -> (Plan, Storage) {
    (
        Plan::new(dims, threads),
        Storage::new(dims, dims[0] as usize),
    )
}

struct JacobiStrip<'a> {
    job: &'a Job<'a>,
    storage: Storage,
    /// x and x' in turn, then b.
    arrays: [&'a mut [f32]; 3],
    newest: usize,
}

impl JacobiStrip<'_> {
    fn nx(&self) -> usize {
        self.job.dims[0] as usize
    }

    /// Copies a layer in.
    fn begin(&mut self, layer: usize, x: &[f32], rhs: &[f32]) {
        let nx = self.nx();
        for (j, (x, rhs)) in x.chunks_exact(nx).zip(rhs.chunks_exact(nx)).enumerate() {
            let at = self.storage.row(layer, j);
            self.arrays[0][at..at + nx].copy_from_slice(x);
            self.arrays[2][at..at + nx].copy_from_slice(rhs);
        }
    }

    /// Copies the unknowns of a layer out; what is none becomes zero.
    fn finish(&self, layer: usize, global: usize, out: &mut [f32]) {
        let nx = self.nx();
        for (j, out) in out.chunks_exact_mut(nx).enumerate() {
            let at = self.storage.row(layer, j);
            out.copy_from_slice(&self.arrays[self.newest][at..at + nx]);
            if !self.job.spans.full {
                let codes = &self.job.stencil[(global * self.storage.rows + j) * nx..][..nx];
                for (out, code) in out.iter_mut().zip(codes) {
                    *out = if code & UNKNOWN == 0 { 0.0 } else { *out };
                }
            }
        }
    }
}

impl Strip for JacobiStrip<'_> {
    fn sweep(&mut self, sweep: usize, layer: usize, global: usize) {
        let [a, b, rhs] = &mut self.arrays;
        let (from, to) = if (self.newest + sweep) & 1 == 0 {
            (&**a, &mut **b)
        } else {
            (&**b, &mut **a)
        };
        let (job, storage) = (self.job, self.storage);
        match (job.dims[2] > 1, job.weight == 1.0) {
            (false, true) => relax::<false, false>(job, storage, from, rhs, to, layer, global),
            (false, false) => relax::<false, true>(job, storage, from, rhs, to, layer, global),
            (true, true) => relax::<true, false>(job, storage, from, rhs, to, layer, global),
            (true, false) => relax::<true, true>(job, storage, from, rhs, to, layer, global),
        }
    }
    fn save(&self, layer: usize, to: &mut [f32]) {
        let at = self.storage.row(layer, 0);
        to.copy_from_slice(&self.arrays[self.newest][at..at + to.len()]);
    }
    fn load(&mut self, layer: usize, from: &[f32]) {
        let at = self.storage.row(layer, 0);
        self.arrays[self.newest][at..at + from.len()].copy_from_slice(from);
    }
    fn turn(&mut self, sweeps: usize) {
        self.newest = (self.newest + sweeps) & 1;
    }
}

crate::simd_fn! {
    /// One sweep on a layer: x → out.
    fn relax<const D3: bool, const WEIGHTED: bool>(job: &Job<'_>, storage: Storage, x: &[f32], rhs: &[f32], out: &mut [f32], layer: usize, global: usize) {
        let last = job.dims[0] as usize - 1;
        let inverse = 1.0 / (job.shift + faces(job.dims) as f32);
        for j in 0..storage.rows {
            let (at, around) = (storage.row(layer, j), storage.around::<D3>(layer, j));
            let [ym, yp, zm, zp] = around;
            let index = global * storage.rows + j;
            for [begin, end] in job.spans.plain(index) {
                let (i, n) = (*begin as usize, (end - begin) as usize);
                let c = blocks(x, at + i, n);
                let (left, right) = (blocks(x, at + i - 1, n), blocks(x, at + i + 1, n));
                let (ym, yp) = (blocks(x, ym + i, n), blocks(x, yp + i, n));
                let (zm, zp) = (blocks(x, zm + i, n), blocks(x, zp + i, n));
                let rhs = blocks(rhs, at + i, n);
                let out = out[at + i..][..n].as_chunks_mut::<BLOCK>().0;
                for (k, out) in out.iter_mut().enumerate() {
                    for i in 0..BLOCK {
                        let near = [left[k][i], right[k][i], ym[k][i], yp[k][i], zm[k][i], zp[k][i]];
                        let to = plain_sum::<D3>(near, rhs[k][i]) * inverse;
                        out[i] = if WEIGHTED { weighted(c[k][i], to, job.weight) } else { to };
                    }
                }
            }
            for m in job.spans.mixed(index) {
                let i = m.at as usize;
                let left = if i == 0 { last } else { i - 1 };
                let right = if i == last { 0 } else { i + 1 };
                let near: Near = [x[at + left], x[at + right], x[ym + i], x[yp + i], x[zm + i], x[zp + i]];
                let to = masked_sum::<D3>(&m.masks, near, rhs[at + i]) * m.inverse;
                out[at + i] = if WEIGHTED { weighted(x[at + i], to, job.weight) } else { to };
            }
        }
    }
}
