//! Twins of `scene/uncover.wgsl` and `scene/cover.wgsl`.

use rayon::prelude::*;

use super::RasterU;
use crate::device::Cpu;

/// How far the fluid about a cell is looked for, cells.
const REACH: i32 = 4;

pub fn run(
    _: &Cpu,
    _: [u32; 3],
    raster: &RasterU,
    covered: &[f32],
    solid: &[u32],
    scalars: &mut [f32],
) {
    let [nx, ny, _] = raster.dims.map(|n| n as usize);
    let scalars = scalars.as_chunks_mut::<4>().0;
    let fluid = Fluid {
        raster,
        covered,
        solid,
        scalars,
    };
    let found: Vec<(usize, [f32; 4])> = (0..fluid.scalars.len())
        .into_par_iter()
        .with_min_len(1 << 12)
        .filter(|cell| covered[*cell] != 0.0 && solid[*cell] == 0)
        .map(|cell| {
            (
                cell,
                fluid.about([cell % nx, cell / nx % ny, cell / (nx * ny)]),
            )
        })
        .collect();
    for (cell, v) in found {
        scalars[cell] = v;
    }
}

pub fn cover(_: &Cpu, _: [u32; 3], _: &RasterU, solid: &[u32], covered: &mut [f32]) {
    covered
        .par_iter_mut()
        .zip(solid)
        .with_min_len(1 << 14)
        .for_each(|(covered, solid)| {
            *covered = if *solid == 0 { 0.0 } else { 1.0 };
        });
}

/// What was fluid and still is.
struct Fluid<'a> {
    raster: &'a RasterU,
    covered: &'a [f32],
    solid: &'a [u32],
    scalars: &'a [[f32; 4]],
}

impl Fluid<'_> {
    /// Mean of the nearest cells about `centre`; zero where there are none.
    fn about(&self, centre: [usize; 3]) -> [f32; 4] {
        let found = (1..=REACH)
            .map(|r| self.ring(centre, r))
            .find(|(_, count)| *count > 0.0);
        found.map_or([0.0; 4], |(sum, count)| sum.map(|s| s / count))
    }

    /// Sum over the cells at distance `r` (largest of the coordinates'), and their number.
    fn ring(&self, centre: [usize; 3], r: i32) -> ([f32; 4], f32) {
        let deep = if self.raster.flat_z == 0 { r } else { 0 };
        let (mut sum, mut count) = ([0.0; 4], 0.0);
        for k in -deep..=deep {
            for j in -r..=r {
                for i in -r..=r {
                    if i.abs().max(j.abs()).max(k.abs()) != r {
                        continue;
                    }
                    let Some(cell) = self.cell_at(centre, [i, j, k]) else {
                        continue;
                    };
                    if self.covered[cell] == 0.0 && self.solid[cell] == 0 {
                        for (sum, v) in sum.iter_mut().zip(self.scalars[cell]) {
                            *sum += v;
                        }
                        count += 1.0;
                    }
                }
            }
        }
        (sum, count)
    }

    /// The cell so far from another, going round where the ends are joined.
    fn cell_at(&self, centre: [usize; 3], by: [i32; 3]) -> Option<usize> {
        let mut cell = 0;
        for axis in [2, 1, 0] {
            let n = self.raster.dims[axis] as i32;
            let mut at = centre[axis] as i32 + by[axis];
            if self.raster.periodic[axis] != 0 {
                at = at.rem_euclid(n);
            }
            if !(0..n).contains(&at) {
                return None;
            }
            cell = cell * n as usize + at as usize;
        }
        Some(cell)
    }
}
