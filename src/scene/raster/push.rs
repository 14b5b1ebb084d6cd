//! Twin of `scene/push.wgsl`.

use rayon::prelude::*;

use super::RasterU;
use super::emit::{ADD, CLAMP, REPLACE, blend, brush};
use super::rows::{BLOCK, Reach, Row};
use crate::device::Cpu;
use crate::scene::place::coverage;
use crate::scene::{EmitterU, MotorU, StrokeU};

pub fn run(
    _cpu: &Cpu,
    _items: [u32; 3],
    raster: &RasterU,
    emitters: &[EmitterU],
    motors: &[MotorU],
    strokes: &[StrokeU],
    texels: &[f32],
    u: &mut [f32],
) {
    let nx = raster.dims[0] as usize;
    let axis = raster.axis as usize;
    let emitters: Vec<_> = emitters[..raster.emitters as usize]
        .iter()
        .filter(|e| e.velocity_blend != 0)
        .map(|e| (e, Reach::new(raster, &e.place.low, &e.place.high)))
        .collect();
    let motors: Vec<_> = motors[..raster.motors as usize]
        .iter()
        .map(|m| (m, motor_reach(raster, m)))
        .collect();
    let strokes: Vec<_> = strokes[..raster.strokes as usize]
        .iter()
        .filter(|s| s.end[3] > 0.0)
        .map(|s| (s, Reach::new(raster, &s.low, &s.high)))
        .collect();
    u.par_chunks_mut(nx)
        .enumerate()
        .with_min_len(8)
        .for_each(|(index, u)| {
            let row = Row::new(raster, index);
            for (emitter, reach) in &emitters {
                if let Some(range) = reach.in_row(&row) {
                    let first = range.start;
                    emit(emitter, raster, texels, &row, first, &mut u[range]);
                }
            }
            for (motor, reach) in &motors {
                if let Some(range) = reach.in_row(&row) {
                    let first = range.start;
                    blow(motor, axis, raster.dt, &row, first, &mut u[range]);
                }
            }
            for (stroke, reach) in &strokes {
                if let Some(range) = reach.in_row(&row) {
                    let first = range.start;
                    drag(stroke, axis, &row, first, &mut u[range]);
                }
            }
        });
}

fn motor_reach(raster: &RasterU, m: &MotorU) -> Reach {
    let [x, y, z, r] = m.centre;
    Reach::new(
        raster,
        &[x - r, y - r, z - r, 0.0],
        &[x + r, y + r, z + r, 0.0],
    )
}

crate::simd_fn! {
    fn emit(emitter: &EmitterU, raster: &RasterU, texels: &[f32], row: &Row, first: usize, u: &mut [f32]) {
        let mut cover = [0.0; BLOCK];
        for (b, u) in u.chunks_mut(BLOCK).enumerate() {
            let first = first + b * BLOCK;
            let cover = &mut cover[..u.len()];
            emitter.place.distances(texels, cover, |i| row.point(first + i));
            for c in cover.iter_mut() {
                *c = coverage(*c, emitter.ramp, raster.h);
            }
            match emitter.velocity_blend {
                ADD => give::<ADD>(emitter, raster, cover, u),
                CLAMP => give::<CLAMP>(emitter, raster, cover, u),
                _ => give::<REPLACE>(emitter, raster, cover, u),
            }
        }
    }

    fn blow(m: &MotorU, axis: usize, dt: f32, row: &Row, first: usize, u: &mut [f32]) {
        // The common exponents do without a power, which costs ten times the rest.
        if m.falloff == 0.0 {
            accelerate(m, axis, dt, row, first, u, |_| 1.0);
        } else if m.falloff == 1.0 {
            accelerate(m, axis, dt, row, first, u, |q| q);
        } else if m.falloff == 2.0 {
            accelerate(m, axis, dt, row, first, u, |q| q * q);
        } else {
            accelerate(m, axis, dt, row, first, u, |q| q.powf(m.falloff));
        }
    }

    fn drag(stroke: &StrokeU, axis: usize, row: &Row, first: usize, u: &mut [f32]) {
        for (i, u) in u.iter_mut().enumerate() {
            let share = brush(stroke, row.point(first + i)) * stroke.end[3];
            *u += (stroke.velocity[axis] - *u) * share;
        }
    }
}

#[inline(always)]
fn give<const MODE: u32>(e: &EmitterU, raster: &RasterU, cover: &[f32], u: &mut [f32]) {
    let value = e.velocity[raster.axis as usize];
    for (u, c) in u.iter_mut().zip(cover) {
        *u = blend::<MODE>(*u, value, e.velocity[3], raster.dt, *c);
    }
}

#[inline(always)]
fn accelerate(
    m: &MotorU,
    axis: usize,
    dt: f32,
    row: &Row,
    first: usize,
    u: &mut [f32],
    falloff: impl Fn(f32) -> f32,
) {
    // Component of the direction of the push; its length falls to zero within one cell of the centre.
    match (m.kind, axis) {
        (0, _) => along(m, dt, row, first, u, falloff, |_| m.direction[axis]),
        (1, _) => along(m, dt, row, first, u, falloff, |d| {
            d[axis] / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt().max(m.core)
        }),
        (_, 0) => along(m, dt, row, first, u, falloff, |d| {
            (-d[1] - m.inflow * d[0]) / (d[0] * d[0] + d[1] * d[1]).sqrt().max(m.core)
        }),
        (_, 1) => along(m, dt, row, first, u, falloff, |d| {
            (d[0] - m.inflow * d[1]) / (d[0] * d[0] + d[1] * d[1]).sqrt().max(m.core)
        }),
        _ => {}
    }
}

#[inline(always)]
fn along(
    m: &MotorU,
    dt: f32,
    row: &Row,
    first: usize,
    u: &mut [f32],
    falloff: impl Fn(f32) -> f32,
    direction: impl Fn([f32; 3]) -> f32,
) {
    for (i, u) in u.iter_mut().enumerate() {
        let p = row.point(first + i);
        let d = [p[0] - m.centre[0], p[1] - m.centre[1], p[2] - m.centre[2]];
        let q = 1.0 - (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (m.centre[3] * m.centre[3]);
        let push = m.direction[3] * falloff(q.max(0.0)) * direction(d) * dt;
        *u += if q > 0.0 { push } else { 0.0 };
    }
}
