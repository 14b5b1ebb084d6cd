//! Twin of `scene/relief.wgsl`.

use rayon::prelude::*;

use super::RasterU;
use super::emit::{ADD, CLAMP, REPLACE, blend};
use super::rows::{BLOCK, Reach, Row};
use crate::device::Cpu;
use crate::scene::ReliefU;
use crate::scene::place::coverage;

pub fn run(
    _: &Cpu,
    _: [u32; 3],
    raster: &RasterU,
    items: &[ReliefU],
    texels: &[f32],
    heights: &mut [f32],
    change: &mut [f32],
) {
    let nx = raster.dims[0] as usize;
    let items: Vec<_> = items[..raster.emitters as usize]
        .iter()
        .map(|e| (e, Reach::new(raster, &e.place.low, &e.place.high)))
        .collect();
    let noted = raster.axis != 0;
    heights
        .par_chunks_mut(nx)
        .zip(change.par_chunks_mut(nx))
        .enumerate()
        .with_min_len(8)
        .for_each(|(index, (heights, change))| {
            let row = Row::new(raster, index);
            for (item, reach) in &items {
                if let Some(range) = reach.in_row(&row) {
                    let first = range.start;
                    let change = &mut change[range.clone()];
                    shape(
                        item,
                        raster,
                        texels,
                        &row,
                        first,
                        &mut heights[range],
                        change,
                        noted,
                    );
                }
            }
        });
}

crate::simd_fn! {
    fn shape(item: &ReliefU, raster: &RasterU, texels: &[f32], row: &Row, first: usize, heights: &mut [f32], change: &mut [f32], noted: bool) {
        let mut cover = [0.0; BLOCK];
        let mut value = [0.0; BLOCK];
        let blocks = heights.chunks_mut(BLOCK).zip(change.chunks_mut(BLOCK));
        for (b, (heights, change)) in blocks.enumerate() {
            let first = first + b * BLOCK;
            let cover = &mut cover[..heights.len()];
            let value = &mut value[..heights.len()];
            item.place.distances(texels, cover, |i| row.point(first + i));
            for c in cover.iter_mut() {
                let t = coverage(*c, item.height[3], raster.h);
                *c = if item.smooth_edge != 0 { t * t * (3.0 - 2.0 * t) } else { t };
            }
            for (i, v) in value.iter_mut().enumerate() {
                *v = height(item, texels, row.point(first + i));
            }
            let dt = raster.dt;
            match item.mode {
                ADD => mix::<ADD>(item, dt, cover, value, heights, change, noted),
                CLAMP => mix::<CLAMP>(item, dt, cover, value, heights, change, noted),
                _ => mix::<REPLACE>(item, dt, cover, value, heights, change, noted),
            }
        }
    }
}

#[inline(always)]
fn mix<const MODE: u32>(
    item: &ReliefU,
    dt: f32,
    cover: &[f32],
    value: &[f32],
    heights: &mut [f32],
    change: &mut [f32],
    noted: bool,
) {
    for (((h, d), c), v) in heights.iter_mut().zip(change).zip(cover).zip(value) {
        let new = blend::<MODE>(*h, *v, item.height[2], dt, *c);
        // Water does not become less than none.
        let new = if noted { new.max(0.0) } else { new };
        *d += if noted { new - *h } else { 0.0 };
        *h = new;
    }
}

/// Height at a point: of all, or from the map.
#[inline(always)]
fn height(item: &ReliefU, texels: &[f32], p: [f32; 3]) -> f32 {
    if item.map_size == 0 {
        return item.height[1];
    }
    let (w, h) = (item.map_size & 0xffff, item.map_size >> 16);
    let q = item.place.local(p);
    let last = [(w - 1) as f32, (h - 1) as f32];
    let along = |axis: usize| {
        let share = 0.5 + 0.5 * q[axis] / item.spread[axis];
        (share * (last[axis] + 1.0) - 0.5).clamp(0.0, last[axis])
    };
    let at = [along(0), along(1)];
    let cell = [at[0].floor(), at[1].floor()];
    let share = [at[0] - cell[0], at[1] - cell[1]];
    let next = [(cell[0] + 1.0).min(last[0]), (cell[1] + 1.0).min(last[1])];
    let texel = |x: f32, y: f32| {
        let i = item.texel as usize + y as usize * w as usize + x as usize;
        texels.get(i).copied().unwrap_or(0.0)
    };
    let row = |y: f32| {
        let (a, b) = (texel(cell[0], y), texel(next[0], y));
        a + (b - a) * share[0]
    };
    let (low, high) = (row(cell[1]), row(next[1]));
    let t = low + (high - low) * share[1];
    item.height[0] + (item.height[1] - item.height[0]) * t
}
