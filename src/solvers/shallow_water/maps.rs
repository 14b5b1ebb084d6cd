//! Maps for engines that follow from the state: the normal of the surface, and how far the shore is.
//!
//! The normal is that of the heights η = z + h by central differences, with the same joins as the water; at an end of the
//! domain and beside an obstacle by the difference to the one neighbour there is. Its x and y are those of the picture, z points
//! out of the water; an obstacle itself looks up.
//!
//! The distance to the shore is that to the nearest centre of a cell on the other side, less half a cell, and positive on
//! water. It is found exactly (Saito and Toriwaki 1994, *New algorithms for euclidean distance transformation of an
//! n-dimensional digitized picture*): along rows first, then over the rows above and below until none can be nearer.

use rayon::prelude::*;

use super::water::{WaterU, less, more};
use crate::device::Cpu;

/// Cells to a shore that is not in the row; more than any domain has.
const FAR: f32 = 1e9;

crate::shared! {
    /// How maps are made.
    pub struct MapsU {
        /// Slopes count so many times.
        pub steep: f32,
        /// Depth from which water counts as such, m.
        pub shore_depth: f32,
        /// Nothing.
        pub unused0: f32,
        /// Nothing.
        pub unused1: f32,
    }
}

crate::kernel! {
    /// n = (−s ∂η/∂x, −s ∂η/∂y, 1) / |…| with η = z + h: (depth, ground, sdf) → three numbers a cell.
    pub SurfaceNormal = "shallow_water/normal.wgsl", normal {
        uniform at: WaterU, uniform maps: MapsU, read depth: f32, read ground: f32, read sdf: f32, write out: f32,
    }
}
crate::kernel! {
    /// Cells along the row to the nearest one on the other side of the shore, less than zero on land: (depth, sdf) → near.
    /// Obstacles (sdf ≤ 0) are land. One item a row.
    pub ShoreRows = "shallow_water/shore_rows.wgsl", shore_rows {
        uniform at: WaterU, uniform maps: MapsU, read depth: f32, read sdf: f32, write near: f32,
    }
}
crate::kernel! {
    /// Distance to the shore in m, less than zero on land: near → out. The diagonal of the domain where there is no shore.
    pub ShoreColumns = "shallow_water/shore_columns.wgsl", shore_columns {
        uniform at: WaterU, read near: f32, write out: f32,
    }
}

fn normal(
    _: &Cpu,
    _: [u32; 3],
    at: &WaterU,
    maps: &MapsU,
    depth: &[f32],
    ground: &[f32],
    sdf: &[f32],
    out: &mut [f32],
) {
    let [nx, ny] = at.size();
    let rows = out.par_chunks_mut(3 * nx).enumerate().with_min_len(8);
    rows.for_each(|(j, row)| {
        let height = |c: usize| depth[c] + ground[c];
        for (i, out) in row.chunks_exact_mut(3).enumerate() {
            let c = j * nx + i;
            if sdf[c] <= 0.0 {
                out.copy_from_slice(&[0.0, 0.0, 1.0]);
                continue;
            }
            let beside = |other: usize| if sdf[other] > 0.0 { other } else { c };
            let slope = |low: usize, high: usize| {
                let (low, high) = (beside(low), beside(high));
                let one_sided = low == c || high == c;
                let per = if one_sided {
                    maps.steep
                } else {
                    0.5 * maps.steep
                };
                (height(high) - height(low)) * (per / at.h)
            };
            let x = -slope(j * nx + at.before(i, nx, 0), j * nx + at.after(i, nx, 0));
            let y = -slope(at.before(j, ny, 1) * nx + i, at.after(j, ny, 1) * nx + i);
            let z = 1.0 / (x * x + y * y + 1.0).sqrt();
            out.copy_from_slice(&[x * z, y * z, z]);
        }
    });
}

fn shore_rows(
    _: &Cpu,
    _: [u32; 3],
    at: &WaterU,
    maps: &MapsU,
    depth: &[f32],
    sdf: &[f32],
    near: &mut [f32],
) {
    let [nx, _] = at.size();
    // Joined rows are gone round twice: what lies before the first cell is known then.
    let rounds = if at.joined(0) { 2 } else { 1 };
    let rows = near.par_chunks_mut(nx).enumerate().with_min_len(8);
    rows.for_each(|(j, row)| {
        let wet = |i: usize| depth[j * nx + i] > maps.shore_depth && sdf[j * nx + i] > 0.0;
        let step = |cells: f32, other: bool| if other { 1.0 } else { cells + 1.0 };
        let mut cells = FAR;
        for k in 0..rounds * nx {
            let i = k % nx;
            cells = step(cells, wet(at.before(i, nx, 0)) != wet(i));
            row[i] = cells;
        }
        cells = FAR;
        for k in (0..rounds * nx).rev() {
            let i = k % nx;
            cells = step(cells, wet(at.after(i, nx, 0)) != wet(i));
            // The last round has seen everything; the sign would spoil the ones before.
            if k < nx {
                let least = less(row[i], cells);
                row[i] = if wet(i) { least } else { -least };
            }
        }
    });
}

fn shore_columns(_: &Cpu, _: [u32; 3], at: &WaterU, near: &[f32], out: &mut [f32]) {
    let [nx, ny] = at.size();
    let most = if at.joined(1) { ny / 2 } else { ny - 1 };
    let none = (nx * nx + ny * ny) as f32;
    let rows = out.par_chunks_mut(nx).enumerate().with_min_len(4);
    rows.for_each(|(j, row)| {
        for (i, out) in row.iter_mut().enumerate() {
            let own = near[j * nx + i];
            let side = if own > 0.0 { 1.0 } else { -1.0 };
            let mut best = less(own * own, none);
            let reach = |row: usize| {
                let cells = more(side * near[row * nx + i], 0.0);
                cells * cells
            };
            for k in 1..=most {
                let square = (k * k) as f32;
                if square >= best {
                    break;
                }
                if j >= k || at.joined(1) {
                    best = less(best, reach((j + ny - k) % ny) + square);
                }
                if j + k < ny || at.joined(1) {
                    best = less(best, reach((j + k) % ny) + square);
                }
            }
            *out = side * (best.sqrt() - 0.5) * at.h;
        }
    });
}
