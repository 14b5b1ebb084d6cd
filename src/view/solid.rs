//! Obstacles: their coverage, and a blurred copy whose slope is their bevel and whose foot is the shadow that they cast.
//! Twin of `shaders/view/blur.wgsl`.

use rayon::prelude::*;

use super::cells::coverage;
use super::look::Look;
use crate::field::FieldData;

/// Half of a binomial filter of nine taps, from the middle outwards.
pub const TAPS: [f32; 5] = [
    70.0 / 256.0,
    56.0 / 256.0,
    28.0 / 256.0,
    8.0 / 256.0,
    1.0 / 256.0,
];

/// Obstacles, cell by cell.
pub struct Solid {
    /// Share of the cell that is solid.
    pub coverage: Vec<f32>,
    /// The same, blurred over a few cells.
    pub blurred: Vec<f32>,
}

/// None where there are no obstacles to show.
pub fn solid(look: &Look, obstacle: Option<&FieldData>) -> Option<Solid> {
    let coverage = coverage(look, obstacle)?;
    let [nx, ny] = look.cells.map(|n| n as usize);
    let mut rows = vec![0.0_f32; nx * ny];
    rows.par_chunks_mut(nx)
        .zip(coverage.par_chunks(nx))
        .for_each(|(to, from)| {
            for (i, to) in to.iter_mut().enumerate() {
                *to = taps(|d| from[(i + d).min(nx - 1)] + from[i.saturating_sub(d)]);
            }
        });
    let mut blurred = vec![0.0_f32; nx * ny];
    blurred.par_chunks_mut(nx).enumerate().for_each(|(j, to)| {
        for (i, to) in to.iter_mut().enumerate() {
            *to = taps(|d| rows[(j + d).min(ny - 1) * nx + i] + rows[j.saturating_sub(d) * nx + i]);
        }
    });
    Some(Solid { coverage, blurred })
}

/// Weighted sum of the pairs at each distance; the middle counts once.
#[inline]
fn taps(pair: impl Fn(usize) -> f32) -> f32 {
    let mut sum = 0.5 * TAPS[0] * pair(0);
    for (d, w) in TAPS.iter().enumerate().skip(1) {
        sum += w * pair(d);
    }
    sum
}
