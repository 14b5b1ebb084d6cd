//! Twin of `scene/emit.wgsl`.

use rayon::prelude::*;

use super::RasterU;
use super::rows::{BLOCK, Reach, Row};
use crate::device::Cpu;
use crate::scene::place::coverage;
use crate::scene::{EmitterU, StrokeU};

pub const ADD: u32 = 1;
pub const CLAMP: u32 = 2;
pub const REPLACE: u32 = 3;

/// One value changed by an emitter: `MODE` is the index of the blend.
///
/// - add: a + value·strength·dt·coverage
/// - clamp: at least value·strength·coverage; at most where that is negative
/// - replace: mixed with value·max(strength, 1) by coverage·min(strength, 1)
#[inline(always)]
pub fn blend<const MODE: u32>(a: f32, value: f32, strength: f32, dt: f32, coverage: f32) -> f32 {
    match MODE {
        ADD => a + value * strength * dt * coverage,
        CLAMP => {
            let target = value * strength * coverage;
            let reached = if target >= 0.0 {
                a >= target
            } else {
                a <= target
            };
            if reached || coverage <= 0.0 {
                a
            } else {
                target
            }
        }
        _ => {
            let share = coverage * strength.clamp(0.0, 1.0);
            a + (value * strength.max(1.0) - a) * share
        }
    }
}

/// Profile of a brush at a point: (1 − (d/R)²)², d being the distance to the way that the brush goes.
#[inline(always)]
pub fn brush(stroke: &StrokeU, p: [f32; 3]) -> f32 {
    let (a, b) = (&stroke.begin, &stroke.end);
    let way = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    let d = [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
    let length = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
    let along = d[0] * way[0] + d[1] * way[1] + d[2] * way[2];
    let share = (along / length.max(1e-20)).clamp(0.0, 1.0);
    let e = [
        d[0] - way[0] * share,
        d[1] - way[1] * share,
        d[2] - way[2] * share,
    ];
    let q = (1.0 - (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) / (a[3] * a[3])).max(0.0);
    q * q
}

pub fn run(
    _cpu: &Cpu,
    _items: [u32; 3],
    raster: &RasterU,
    emitters: &[EmitterU],
    strokes: &[StrokeU],
    texels: &[f32],
    solid: &[u32],
    scalars: &mut [f32],
) {
    let nx = raster.dims[0] as usize;
    let emitters: Vec<_> = emitters[..raster.emitters as usize]
        .iter()
        .filter(|e| e.dye_blend + e.temperature_blend != 0)
        .map(|e| (e, Reach::new(raster, &e.place.low, &e.place.high)))
        .collect();
    let strokes: Vec<_> = strokes[..raster.strokes as usize]
        .iter()
        .map(|s| (s, Reach::new(raster, &s.low, &s.high)))
        .collect();
    scalars
        .par_chunks_mut(4 * nx)
        .enumerate()
        .with_min_len(8)
        .for_each(|(index, cells)| {
            let row = Row::new(raster, index);
            for (emitter, reach) in &emitters {
                if let Some(range) = reach.in_row(&row) {
                    let cells = &mut cells[4 * range.start..4 * range.end];
                    emit(emitter, raster, texels, &row, range.start, cells);
                }
            }
            for (stroke, reach) in &strokes {
                if let Some(range) = reach.in_row(&row) {
                    let cells = &mut cells[4 * range.start..4 * range.end];
                    paint(stroke, raster.dt, &row, range.start, cells);
                }
            }
            clear_solids(raster, &row, &solid[index * nx..(index + 1) * nx], cells);
        });
}

crate::simd_fn! {
    fn emit(emitter: &EmitterU, raster: &RasterU, texels: &[f32], row: &Row, first: usize, cells: &mut [f32]) {
        let mut cover = [0.0; BLOCK];
        for (b, cells) in cells.chunks_mut(4 * BLOCK).enumerate() {
            let first = first + b * BLOCK;
            let cells = cells.as_chunks_mut::<4>().0;
            let cover = &mut cover[..cells.len()];
            emitter.place.distances(texels, cover, |i| row.point(first + i));
            for c in cover.iter_mut() {
                *c = coverage(*c, emitter.ramp, raster.h);
            }
            let dt = raster.dt;
            match emitter.dye_blend {
                0 => {}
                ADD => dye::<ADD>(emitter, dt, cover, cells),
                CLAMP => dye::<CLAMP>(emitter, dt, cover, cells),
                _ => dye::<REPLACE>(emitter, dt, cover, cells),
            }
            match emitter.temperature_blend {
                0 => {}
                ADD => heat::<ADD>(emitter, dt, cover, cells),
                CLAMP => heat::<CLAMP>(emitter, dt, cover, cells),
                _ => heat::<REPLACE>(emitter, dt, cover, cells),
            }
        }
    }

    fn paint(stroke: &StrokeU, dt: f32, row: &Row, first: usize, cells: &mut [f32]) {
        let mut amounts = [0.0; BLOCK];
        for (b, cells) in cells.chunks_mut(4 * BLOCK).enumerate() {
            let first = first + b * BLOCK;
            let cells = cells.as_chunks_mut::<4>().0;
            let amounts = &mut amounts[..cells.len()];
            for (i, a) in amounts.iter_mut().enumerate() {
                *a = brush(stroke, row.point(first + i)) * dt;
            }
            for (cell, amount) in cells.iter_mut().zip(amounts) {
                let mut new = *cell;
                for (v, dye) in new.iter_mut().zip(stroke.dye) {
                    *v += dye * *amount;
                }
                set_dye(cell, new, *amount > 0.0);
            }
        }
    }
}

/// Dye does not become negative by what acts here. The temperature stays; all four numbers are handled alike, as one
/// vector.
#[inline(always)]
fn set_dye(cell: &mut [f32; 4], new: [f32; 4], acts: bool) {
    let floor = if acts { 0.0 } else { f32::NEG_INFINITY };
    let mut out = new;
    for v in &mut out {
        *v = if *v < floor { floor } else { *v };
    }
    out[3] = cell[3];
    *cell = out;
}

#[inline(always)]
fn dye<const MODE: u32>(e: &EmitterU, dt: f32, cover: &[f32], cells: &mut [[f32; 4]]) {
    let (values, strength) = (e.dye, e.velocity[3]);
    for (cell, c) in cells.iter_mut().zip(cover) {
        // Loops, not `map`, which is not always inlined.
        let mut new = *cell;
        for (v, value) in new.iter_mut().zip(values) {
            *v = blend::<MODE>(*v, value, strength, dt, *c);
        }
        set_dye(cell, new, *c > 0.0);
    }
}

#[inline(always)]
fn heat<const MODE: u32>(e: &EmitterU, dt: f32, cover: &[f32], cells: &mut [[f32; 4]]) {
    for (cell, c) in cells.iter_mut().zip(cover) {
        cell[3] = blend::<MODE>(cell[3], e.dye[3], e.velocity[3], dt, *c);
    }
}

fn clear_solids(raster: &RasterU, row: &Row, solid: &[u32], cells: &mut [f32]) {
    let (low, high) = (raster.solid_low, raster.solid_high);
    let here = |axis: usize, n: usize| (low[axis] as usize..high[axis] as usize).contains(&n);
    if raster.obstacles == 0 || !here(1, row.j) || !here(2, row.k) || low[0] >= high[0] {
        return;
    }
    let range = low[0] as usize..high[0] as usize;
    let cells = &mut cells.as_chunks_mut::<4>().0[range.clone()];
    for (cell, s) in cells.iter_mut().zip(&solid[range]) {
        if *s != 0 {
            [cell[0], cell[1], cell[2]] = [0.0; 3];
        }
    }
}
