//! Transport of dye and temperature along the flow: the schemes of [`super::advect`], four numbers a cell at once.
//!
//! Solid cells hold nothing and give nothing: an interpolation leaves them out and shares their weight among the others.

use rayon::prelude::*;

use super::advect::{Advection, COMPENSATE, CORRECT, PLAIN, limited};
use super::flow::{CHUNK, Flow, Located, Points, Run, less, locate, more, stays};
use super::lattice::Lattice;
use crate::device::Cpu;

crate::kernel! {
    /// One pass of the transport of red, green, blue and temperature: (u, v, solid, src, other) → dst.
    pub AdvectScalars = "grid/advect_scalars.wgsl", advect_scalars {
        uniform step: Advection, uniform u_at: Lattice, uniform v_at: Lattice, uniform at: Lattice,
        read u: f32, read v: f32, read solid: u32, read src: f32, read other: f32, write dst: f32,
    }
}

type Four = [f32; 4];

fn advect_scalars(
    _: &Cpu,
    _: [u32; 3],
    step: &Advection,
    u_at: &Lattice,
    v_at: &Lattice,
    at: &Lattice,
    u: &[f32],
    v: &[f32],
    solid: &[u32],
    src: &[f32],
    other: &[f32],
    dst: &mut [f32],
) {
    let flow = Flow { u, v, u_at, v_at };
    let solid = if step.solids == 0 { &[] } else { solid };
    let cells = |data| Cells { at, solid, data };
    let (src, other) = (
        cells(bytemuck::cast_slice(src)),
        cells(bytemuck::cast_slice(other)),
    );
    let dst: &mut [Four] = bytemuck::cast_slice_mut(dst);
    let width = at.size[0] as usize;
    dst.par_chunks_mut(width).enumerate().for_each(|(j, row)| {
        let mut work = Work::default();
        for (c, out) in row.chunks_mut(CHUNK).enumerate() {
            let i = c * CHUNK;
            flow.place(&mut work.run, at, i, j, out.len());
            let begin = j * width + i;
            work.carry(&flow, step, &src, &other, begin, out);
            if !solid.is_empty() {
                for (out, solid) in out.iter_mut().zip(&solid[begin..]) {
                    if *solid != 0 {
                        *out = [0.0; 4];
                    }
                }
            }
        }
    });
}

/// A run of cells on its way.
struct Work {
    run: Run,
    behind: Points,
    ahead: Points,
    found: Located,
    first: [Four; CHUNK],
}

impl Default for Work {
    fn default() -> Self {
        Self {
            run: Run::default(),
            behind: Points::default(),
            ahead: Points::default(),
            found: Located::default(),
            first: [[0.0; 4]; CHUNK],
        }
    }
}

impl Work {
    /// Leaves the result of the pass for the run, which begins at cell `begin`, in `out`.
    fn carry(
        &mut self,
        flow: &Flow<'_>,
        step: &Advection,
        src: &Cells<'_>,
        other: &Cells<'_>,
        begin: usize,
        out: &mut [Four],
    ) {
        let Self {
            run,
            behind,
            ahead,
            found,
            first,
        } = self;
        let at = src.at;
        let n = out.len();
        let own = &src.data[begin..begin + n];
        if step.mode == COMPENSATE {
            flow.trace(run, -step.c, step.order, ahead);
            locate(at, ahead, found);
            other.sample(ahead, found, own, out);
            let stays = stays(at, ahead);
            for (t, out) in out.iter_mut().enumerate() {
                let (own, back) = (own[t], *out);
                *out = if stays[t] {
                    each(|c| own[c] + 0.5 * (own[c] - back[c]))
                } else {
                    own
                };
            }
            return;
        }
        flow.trace(run, step.c, step.order, behind);
        if step.mode == PLAIN {
            locate(at, behind, found);
            src.sample(behind, found, own, out);
            for out in out.iter_mut() {
                *out = each(|c| step.gain[c] * out[c]);
            }
            return;
        }
        if step.mode == CORRECT {
            flow.trace(run, -step.c, step.order, ahead);
            let once = &other.data[begin..begin + n];
            locate(at, ahead, found);
            other.sample(ahead, found, once, out);
            let (before, after) = (stays(at, behind), stays(at, ahead));
            first[..n].copy_from_slice(once);
            for (t, out) in out.iter_mut().enumerate() {
                let (own, once, back) = (own[t], once[t], *out);
                let share = if before[t] & after[t] { 0.5 } else { 0.0 };
                *out = each(|c| once[c] + share * (own[c] - back[c]));
            }
            locate(at, behind, found);
        } else {
            locate(at, behind, found);
            other.sample(behind, found, own, out);
            src.sample(behind, found, own, &mut first[..n]);
        }
        src.limit(behind, found, step, own, first, out);
    }
}

/// Four numbers a cell, with the cells that are left out (none where `solid` is empty).
struct Cells<'a> {
    at: &'a Lattice,
    solid: &'a [u32],
    data: &'a [Four],
}

impl Cells<'_> {
    /// The rows of two values about point `t`; none where some lie outside the array or are solid.
    #[inline(always)]
    fn plain(&self, found: &Located, t: usize) -> Option<[&[Four; 2]; 2]> {
        let stride = self.at.size[0] as usize;
        let k = found.k[t] as usize;
        let low = self.data.get(k..)?.first_chunk::<2>()?;
        let high = self.data.get(k + stride..)?.first_chunk::<2>()?;
        if !self.solid.is_empty() {
            let [a, b] = *self.solid.get(k..)?.first_chunk::<2>()?;
            let [c, d] = *self.solid.get(k + stride..)?.first_chunk::<2>()?;
            if a | b | c | d != 0 {
                return None;
            }
        }
        Some([low, high])
    }

    /// The four values about a position with their solid flags and the weights along x and y.
    #[cold]
    fn corners(&self, p: [f32; 2]) -> Corners {
        let (x, y) = (self.at.tap(p[0], 0), self.at.tap(p[1], 1));
        let stride = self.at.size[0] as usize;
        let mut all = Corners {
            v: [[0.0; 4]; 4],
            solid: [false; 4],
            sx: x.s,
            sy: y.s,
        };
        for t in 0..4 {
            let (a, b) = (t % 2, t / 2);
            // What is known beyond an end is that nothing comes in.
            if !x.given[a] && !y.given[b] {
                let k = y.i[b] * stride + x.i[a];
                all.v[t] = self.data[k];
                all.solid[t] = self.solid.get(k).is_some_and(|s| *s != 0);
            }
        }
        all
    }

    /// Interpolates at each point; `own` stands in where all four cells are solid.
    fn sample(&self, points: &Points, found: &Located, own: &[Four], out: &mut [Four]) {
        for (t, out) in out.iter_mut().enumerate() {
            *out = if let Some([low, high]) = self.plain(found, t) {
                let (sx, sy) = (found.sx[t], found.sy[t]);
                mix(mix(low[0], low[1], sx), mix(high[0], high[1], sx), sy)
            } else {
                self.corners(points.get(t)).blend(&own[t])
            };
        }
    }

    /// Keeps `out` among the values about each point, and applies the gains.
    fn limit(
        &self,
        points: &Points,
        found: &Located,
        step: &Advection,
        own: &[Four],
        first: &[Four; CHUNK],
        out: &mut [Four],
    ) {
        for (t, out) in out.iter_mut().enumerate() {
            let (low, high) = if let Some([[a, b], [c, d]]) = self.plain(found, t) {
                (
                    each(|i| less(less(a[i], b[i]), less(c[i], d[i]))),
                    each(|i| more(more(a[i], b[i]), more(c[i], d[i]))),
                )
            } else {
                self.corners(points.get(t)).bounds(&own[t])
            };
            *out = each(|c| {
                step.gain[c] * limited(out[c], low[c], high[c], first[t][c], step.limiter)
            });
        }
    }
}

/// What lies about a point: low row first.
struct Corners {
    v: [Four; 4],
    solid: [bool; 4],
    sx: f32,
    sy: f32,
}

impl Corners {
    /// Bilinear; without the solid corners where there are some, and `own` where all are.
    fn blend(&self, own: &Four) -> Four {
        if self.solid == [false; 4] {
            let [a, b, c, d] = self.v;
            return mix(mix(a, b, self.sx), mix(c, d, self.sx), self.sy);
        }
        let (sx, sy) = (self.sx, self.sy);
        let weights = [
            (1.0 - sx) * (1.0 - sy),
            sx * (1.0 - sy),
            (1.0 - sx) * sy,
            sx * sy,
        ];
        let mut sum = [0.0; 4];
        let mut total = 0.0;
        for ((weight, v), solid) in weights.iter().zip(&self.v).zip(&self.solid) {
            if !solid {
                sum = each(|c| sum[c] + weight * v[c]);
                total += weight;
            }
        }
        if total > 0.0 {
            each(|c| sum[c] / total)
        } else {
            *own
        }
    }

    /// Least and greatest of the corners that are not solid; `own` where all are.
    fn bounds(&self, own: &Four) -> (Four, Four) {
        if self.solid == [true; 4] {
            return (*own, *own);
        }
        let mut low = [f32::MAX; 4];
        let mut high = [f32::MIN; 4];
        for t in 0..4 {
            if !self.solid[t] {
                low = each(|c| low[c].min(self.v[t][c]));
                high = each(|c| high[c].max(self.v[t][c]));
            }
        }
        (low, high)
    }
}

#[inline(always)]
fn each(f: impl Fn(usize) -> f32) -> Four {
    std::array::from_fn(f)
}

#[inline(always)]
fn mix(a: Four, b: Four, s: f32) -> Four {
    each(|c| a[c] + (b[c] - a[c]) * s)
}
