//! Transport of dye and temperature along the flow: the schemes of [`super::advect`], four numbers a cell at once.
//!
//! Solid cells hold nothing and give nothing: an interpolation leaves them out and shares their weight among the others.

use rayon::prelude::*;

use super::advect::{Advection, COMPENSATE, CORRECT, PLAIN, limited};
use super::flow::{CHUNK, EDGE, Flow, Located, Points, stays};
use super::lattice::{Lattice, Tap};
use crate::device::Cpu;

crate::kernel! {
    /// One pass of the transport of red, green, blue and temperature: (u, v, solid, src, other) → dst.
    pub AdvectScalars = "grid/advect_scalars.wgsl", advect_scalars {
        uniform step: Advection, uniform u_at: Lattice, uniform v_at: Lattice, uniform at: Lattice,
        read u: f32, read v: f32, read solid: u32, read src: f32, read other: f32, write dst: f32,
    }
}

type Four = [f32; 4];

#[expect(clippy::too_many_arguments, reason = "as the kernel declares")]
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
    dst.par_chunks_mut(at.size[0] as usize)
        .enumerate()
        .for_each(|(j, row)| {
            for (c, out) in row.chunks_mut(CHUNK).enumerate() {
                run(&flow, step, &src, &other, [c * CHUNK, j], out);
            }
        });
}

/// A run of cells of one row, beginning at cell `[i, j]`.
fn run(
    flow: &Flow<'_>,
    step: &Advection,
    src: &Cells<'_>,
    other: &Cells<'_>,
    [i, j]: [usize; 2],
    out: &mut [Four],
) {
    let n = out.len();
    let at = src.at;
    let home = Points::of_row(at, i, j, n);
    let k = flow.own(at, i, j, &home);
    let begin = j * at.size[0] as usize + i;
    let own = &src.data[begin..begin + n];
    match step.mode {
        PLAIN => {
            let behind = flow.trace(&home, &k, step.c, step.order);
            src.sample(&behind, own, out);
            for out in out.iter_mut() {
                *out = each(|c| step.gain[c] * out[c]);
            }
        }
        COMPENSATE => {
            let ahead = flow.trace(&home, &k, -step.c, step.order);
            other.sample(&ahead, own, out);
            let stays = stays(at, &ahead);
            for (t, out) in out.iter_mut().enumerate() {
                let (own, back) = (own[t], *out);
                *out = if stays[t] {
                    each(|c| own[c] + 0.5 * (own[c] - back[c]))
                } else {
                    own
                };
            }
        }
        _ => {
            let behind = flow.trace(&home, &k, step.c, step.order);
            let mut first = [[0.0; 4]; CHUNK];
            if step.mode == CORRECT {
                let ahead = flow.trace(&home, &k, -step.c, step.order);
                let once = &other.data[begin..begin + n];
                other.sample(&ahead, once, out);
                let (behind, ahead) = (stays(at, &behind), stays(at, &ahead));
                first[..n].copy_from_slice(once);
                for (t, out) in out.iter_mut().enumerate() {
                    let (own, once, back) = (own[t], once[t], *out);
                    let share = if behind[t] & ahead[t] { 0.5 } else { 0.0 };
                    *out = each(|c| once[c] + share * (own[c] - back[c]));
                }
            } else {
                other.sample(&behind, own, out);
                src.sample(&behind, own, &mut first[..n]);
            }
            src.limit(&behind, step, own, &first, out);
        }
    }
    if !src.solid.is_empty() {
        for (out, solid) in out.iter_mut().zip(&src.solid[begin..begin + n]) {
            if *solid != 0 {
                *out = [0.0; 4];
            }
        }
    }
}

/// Four numbers a cell, with the cells that are left out (none where `solid` is empty).
struct Cells<'a> {
    at: &'a Lattice,
    solid: &'a [u32],
    data: &'a [Four],
}

impl Cells<'_> {
    /// The four values about each point with their solid flags.
    #[inline]
    fn corners(&self, x: &Tap, y: &Tap) -> ([Four; 4], [bool; 4]) {
        let stride = self.at.size[0] as usize;
        let mut solid = [false; 4];
        let mut one = |slot: usize, a: usize, b: usize| {
            if x.given[a] || y.given[b] {
                return [0.0; 4];
            }
            let k = y.i[b] * stride + x.i[a];
            solid[slot] = self.solid.get(k).is_some_and(|s| *s != 0);
            self.data[k]
        };
        let values = [one(0, 0, 0), one(1, 1, 0), one(2, 0, 1), one(3, 1, 1)];
        (values, solid)
    }

    /// Interpolates at each point; `own` stands in where all four cells are solid.
    fn sample(&self, points: &Points, own: &[Four], out: &mut [Four]) {
        let stride = self.at.size[0] as usize;
        let found = Located::new(self.at, points);
        for (t, out) in out.iter_mut().enumerate() {
            *out = if found.k[t] == EDGE || !self.solid.is_empty() {
                let (x, y) = (self.at.tap(points.x[t], 0), self.at.tap(points.y[t], 1));
                let (corners, solid) = self.corners(&x, &y);
                if solid.contains(&true) {
                    around(&corners, &solid, x.s, y.s, &own[t])
                } else {
                    bilinear(&corners, x.s, y.s)
                }
            } else {
                bilinear(
                    &four(self.data, found.k[t] as usize, stride),
                    found.sx[t],
                    found.sy[t],
                )
            };
        }
    }

    /// Keeps `out` among the values about each point, and applies the gains.
    fn limit(
        &self,
        points: &Points,
        step: &Advection,
        own: &[Four],
        first: &[Four; CHUNK],
        out: &mut [Four],
    ) {
        let stride = self.at.size[0] as usize;
        let found = Located::new(self.at, points);
        for (t, out) in out.iter_mut().enumerate() {
            let (low, high) = if found.k[t] == EDGE || !self.solid.is_empty() {
                let (x, y) = (self.at.tap(points.x[t], 0), self.at.tap(points.y[t], 1));
                let (corners, solid) = self.corners(&x, &y);
                bounds(&corners, &solid, &own[t])
            } else {
                bounds(
                    &four(self.data, found.k[t] as usize, stride),
                    &[false; 4],
                    &own[t],
                )
            };
            *out = each(|c| {
                step.gain[c] * limited(out[c], low[c], high[c], first[t][c], step.limiter)
            });
        }
    }
}

#[inline]
fn each(f: impl Fn(usize) -> f32) -> Four {
    std::array::from_fn(f)
}

#[inline]
fn four(data: &[Four], k: usize, stride: usize) -> [Four; 4] {
    let (low, high) = (&data[k..k + 2], &data[k + stride..k + stride + 2]);
    [low[0], low[1], high[0], high[1]]
}

#[inline]
fn mix(a: &Four, b: &Four, s: f32) -> Four {
    each(|c| a[c] + (b[c] - a[c]) * s)
}

#[inline]
fn bilinear(v: &[Four; 4], sx: f32, sy: f32) -> Four {
    mix(&mix(&v[0], &v[1], sx), &mix(&v[2], &v[3], sx), sy)
}

/// Bilinear without the solid corners.
fn around(v: &[Four; 4], solid: &[bool; 4], sx: f32, sy: f32, own: &Four) -> Four {
    let weights = [
        (1.0 - sx) * (1.0 - sy),
        sx * (1.0 - sy),
        (1.0 - sx) * sy,
        sx * sy,
    ];
    let mut sum = [0.0; 4];
    let mut total = 0.0;
    for t in 0..4 {
        if !solid[t] {
            sum = each(|c| sum[c] + weights[t] * v[t][c]);
            total += weights[t];
        }
    }
    if total > 0.0 {
        each(|c| sum[c] / total)
    } else {
        *own
    }
}

/// Least and greatest of the corners that are not solid; `own` where all are.
#[inline]
fn bounds(v: &[Four; 4], solid: &[bool; 4], own: &Four) -> (Four, Four) {
    let mut low = [f32::MAX; 4];
    let mut high = [f32::MIN; 4];
    let mut any = false;
    for t in 0..4 {
        if !solid[t] {
            low = each(|c| low[c].min(v[t][c]));
            high = each(|c| high[c].max(v[t][c]));
            any = true;
        }
    }
    if any { (low, high) } else { (*own, *own) }
}
