//! Jacobi sweeps on a strip.

use rayon::prelude::*;

use crate::device::{Buf, Device, Result};
use crate::poisson::cells::{Rows, link_sum, plain_sum, weighted};
use crate::poisson::stencil::{Span, Spans, faces};
use crate::poisson::strips::{Edges, Plan, Reach, Strip, cut};

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
    edges: Edges,
    memory: Vec<[Buf<f32>; 3]>,
}

impl Strips {
    pub fn new(dev: &mut Device, dims: [u32; 3], threads: usize) -> Result<Self> {
        let plan = Plan::new(dims, threads);
        let layer = layer_len(dims);
        let mut memory = Vec::new();
        for _ in 0..plan.strips() {
            let mut make = |label| dev.buf(label, plan.held() * layer);
            memory.push([make("strip x")?, make("strip x'")?, make("strip b")?]);
        }
        Ok(Self {
            edges: Edges::new(dev, &plan, layer)?,
            plan,
            memory,
        })
    }

    /// Bytes that [`Strips::new`] takes.
    pub fn memory_bytes(dims: [u32; 3], threads: usize) -> u64 {
        let plan = Plan::new(dims, threads);
        let layer = layer_len(dims);
        4 * (3 * plan.strips() * plan.held() * layer + Edges::len(&plan, layer)) as u64
    }

    /// `sweeps` sweeps on `x`.
    pub fn run(&mut self, job: &Job<'_>, x: &mut [f32], sweeps: usize) {
        let (plan, layer) = (&self.plan, layer_len(job.dims));
        let mut strips: Vec<JacobiStrip<'_>> = self
            .memory
            .iter_mut()
            .map(|[a, b, rhs]| JacobiStrip {
                job,
                x: [a.host_mut(), b.host_mut()],
                rhs: rhs.host_mut(),
                newest: 0,
                layer,
            })
            .collect();
        strips.par_iter_mut().with_max_len(1).enumerate().for_each(|(s, strip)| {
            let reach = Reach::new(plan, s, job.round);
            for l in reach.all() {
                let at = reach.global(l) * layer;
                strip.x[0][l * layer..][..layer].copy_from_slice(&x[at..at + layer]);
                strip.rhs[l * layer..][..layer].copy_from_slice(&job.rhs[at..at + layer]);
            }
        });
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

/// Cells of a layer.
fn layer_len(dims: [u32; 3]) -> usize {
    dims[0] as usize * rows_of_layer(dims)
}

/// Rows of a layer: one in 2D.
fn rows_of_layer(dims: [u32; 3]) -> usize {
    if dims[2] > 1 { dims[1] as usize } else { 1 }
}

struct JacobiStrip<'a> {
    job: &'a Job<'a>,
    x: [&'a mut [f32]; 2],
    rhs: &'a mut [f32],
    newest: usize,
    layer: usize,
}

impl JacobiStrip<'_> {
    /// Copies the unknowns of a layer out; what is none becomes zero.
    fn finish(&self, layer: usize, global: usize, out: &mut [f32]) {
        let nx = self.job.dims[0] as usize;
        let rows = rows_of_layer(self.job.dims);
        self.save(layer, out);
        for (j, out) in out.chunks_exact_mut(nx).enumerate() {
            let mut from = 0;
            for span in self.job.spans.row(global * rows + j) {
                out[from..span.begin as usize].fill(0.0);
                from = span.end as usize;
            }
            out[from..].fill(0.0);
        }
    }
}

impl Strip for JacobiStrip<'_> {
    fn sweep(&mut self, sweep: usize, layer: usize, global: usize) {
        let [a, b] = &mut self.x;
        let (from, to) = if (self.newest + sweep) & 1 == 0 {
            (&**a, &mut **b)
        } else {
            (&**b, &mut **a)
        };
        match (self.job.dims[2] > 1, self.job.weight == 1.0) {
            (false, true) => relax::<false, false>(self.job, from, self.rhs, to, layer, global),
            (false, false) => relax::<false, true>(self.job, from, self.rhs, to, layer, global),
            (true, true) => relax::<true, false>(self.job, from, self.rhs, to, layer, global),
            (true, false) => relax::<true, true>(self.job, from, self.rhs, to, layer, global),
        }
    }
    fn save(&self, layer: usize, to: &mut [f32]) {
        to.copy_from_slice(&self.x[self.newest][layer * self.layer..][..self.layer]);
    }
    fn load(&mut self, layer: usize, from: &[f32]) {
        self.x[self.newest][layer * self.layer..][..self.layer].copy_from_slice(from);
    }
    fn turn(&mut self, sweeps: usize) {
        self.newest = (self.newest + sweeps) & 1;
    }
}

crate::simd_fn! {
    /// One sweep on a layer: x → out.
    fn relax<const D3: bool, const WEIGHTED: bool>(job: &Job<'_>, x: &[f32], rhs: &[f32], out: &mut [f32], layer: usize, global: usize) {
        let nx = job.dims[0] as usize;
        let rows = if D3 { job.dims[1] as usize } else { 1 };
        let row = |layer: usize, j: usize| &x[(layer * rows + j) * nx..][..nx];
        let inverse = 1.0 / (job.shift + faces(job.dims) as f32);
        for j in 0..rows {
            let around = if D3 {
                let (below, above) = (if j == 0 { rows - 1 } else { j - 1 }, if j + 1 == rows { 0 } else { j + 1 });
                Rows { c: row(layer, j), near: [row(layer, below), row(layer, above), row(layer - 1, j), row(layer + 1, j)] }
            } else {
                Rows { c: row(layer, 0), near: [row(layer - 1, 0), row(layer + 1, 0), &[], &[]] }
            };
            let at = (layer * rows + j) * nx;
            let (rhs, out) = (&rhs[at..at + nx], &mut out[at..at + nx]);
            let index = global * rows + j;
            for span in job.spans.row(index) {
                let (begin, end) = (span.begin as usize, span.end as usize);
                if span.mixed == Span::PLAIN {
                    plain::<D3, WEIGHTED>(&around, begin, end, &rhs[begin..end], &mut out[begin..end], inverse, job.weight);
                } else {
                    let inverse = job.spans.inverse(span);
                    for i in begin..end {
                        let near = around.near_in::<D3>(i);
                        let to = link_sum::<D3>(job.stencil[index * nx + i], near, rhs[i]) * inverse[i - begin];
                        out[i] = if WEIGHTED { weighted(around.c[i], to, job.weight) } else { to };
                    }
                }
            }
        }
    }
}

/// Cells with an unknown behind every face.
#[inline(always)]
fn plain<const D3: bool, const WEIGHTED: bool>(
    rows: &Rows<'_>,
    begin: usize,
    end: usize,
    rhs: &[f32],
    out: &mut [f32],
    inverse: f32,
    weight: f32,
) {
    let n = end - begin;
    let (rhs, out) = (&rhs[..n], &mut out[..n]);
    let (left, c, right) = (
        &rows.c[begin - 1..][..n],
        &rows.c[begin..][..n],
        &rows.c[begin + 1..][..n],
    );
    let (ym, yp) = (&rows.near[0][begin..end][..n], &rows.near[1][begin..end][..n]);
    // In 2D anything of that length does.
    let (zm, zp) = if D3 {
        (&rows.near[2][begin..end][..n], &rows.near[3][begin..end][..n])
    } else {
        (c, c)
    };
    for i in 0..n {
        let near = [left[i], right[i], ym[i], yp[i], zm[i], zp[i]];
        let to = plain_sum::<D3>(near, rhs[i]) * inverse;
        out[i] = if WEIGHTED { weighted(c[i], to, weight) } else { to };
    }
}
