//! Twin of `scene/obstacles.wgsl`.

use rayon::prelude::*;

use super::RasterU;
use super::rows::{BLOCK, Row};
use crate::device::Cpu;
use crate::scene::ObstacleU;
use crate::scene::place::FAR;

pub fn run(
    _cpu: &Cpu,
    _items: [u32; 3],
    raster: &RasterU,
    obstacles: &[ObstacleU],
    texels: &[f32],
    sdf: &mut [f32],
    solid: &mut [u32],
    solid_velocity: &mut [f32],
) {
    let nx = raster.dims[0] as usize;
    let obstacles = &obstacles[..raster.obstacles as usize];
    sdf.par_chunks_mut(nx)
        .zip_eq(solid.par_chunks_mut(nx))
        .zip_eq(solid_velocity.par_chunks_mut(4 * nx))
        .enumerate()
        .with_min_len(4)
        .for_each(|(index, ((sdf, solid), velocity))| {
            let row = Row::new(raster, index);
            nearest(&row, obstacles, texels, sdf, solid);
            velocity.fill(0.0);
            if obstacles.is_empty() {
                return;
            }
            let cells = velocity.as_chunks_mut::<4>().0;
            for (i, (v, s)) in cells.iter_mut().zip(solid.iter()).enumerate() {
                if let Some(o) = (*s as usize).checked_sub(1).and_then(|n| obstacles.get(n)) {
                    *v = rigid(o, row.point(i));
                }
            }
        });
}

crate::simd_fn! {
    /// The least signed distance of a row, and the obstacle that has it where it is negative.
    fn nearest(row: &Row, obstacles: &[ObstacleU], texels: &[f32], sdf: &mut [f32], solid: &mut [u32]) {
        sdf.fill(FAR);
        solid.fill(0);
        let mut distances = [0.0; BLOCK];
        for (n, obstacle) in obstacles.iter().enumerate() {
            let blocks = sdf.chunks_mut(BLOCK).zip(solid.chunks_mut(BLOCK));
            for (b, (sdf, solid)) in blocks.enumerate() {
                let first = b * BLOCK;
                let distances = &mut distances[..sdf.len()];
                obstacle.place.distances(texels, distances, |i| row.point(first + i));
                for ((least, solid), d) in sdf.iter_mut().zip(solid).zip(distances) {
                    let closer = *d < *least;
                    *solid = if closer { u32::from(*d < 0.0) * (n as u32 + 1) } else { *solid };
                    *least = if closer { *d } else { *least };
                }
            }
        }
    }
}

/// v + ω × (p − c), and the slip flag.
fn rigid(o: &ObstacleU, p: [f32; 3]) -> [f32; 4] {
    let c = o.place.centre();
    let r = [p[0] - c[0], p[1] - c[1], p[2] - c[2]];
    let [wx, wy, wz, _] = o.turn;
    [
        o.velocity[0] + wy * r[2] - wz * r[1],
        o.velocity[1] + wz * r[0] - wx * r[2],
        o.velocity[2] + wx * r[1] - wy * r[0],
        o.velocity[3],
    ]
}
