//! A coarse level as the kernel reads it.

use super::coarsen::{Host, each_face};
use super::layout::Level;
use crate::poisson::stencil::face;
use crate::poisson::{CLOSED, FACE, LINK, UNKNOWN};

/// Codes as those of a stencil: what the interpolation must know.
pub(super) fn codes(level: &Host) -> Vec<u32> {
    let mut codes: Vec<u32> = level
        .unknown
        .iter()
        .map(|u| if *u { UNKNOWN } else { 0 })
        .collect();
    for (axis, weights) in level.weights.iter().enumerate() {
        if weights.is_empty() {
            continue;
        }
        each_face(level.dims, axis, |cell, next, _| {
            if weights[cell] > 0.0 {
                codes[cell] |= LINK << (4 * axis + 2);
                codes[next] |= LINK << (4 * axis);
            }
        });
    }
    for k in &level.known {
        if face(codes[k.cell as usize], k.face) == CLOSED {
            codes[k.cell as usize] |= FACE << (2 * k.face);
        }
    }
    codes
}

pub(super) fn put_coefficients(out: &mut Vec<f32>, level: &Host, axes: usize) {
    let cells = level.unknown.len();
    let diagonal = level.diagonal();
    let mut sum = diagonal.clone();
    for (axis, weights) in level.weights.iter().enumerate().take(axes) {
        if weights.is_empty() {
            out.extend(std::iter::repeat_n(0.0, cells));
            continue;
        }
        out.extend(weights);
        each_face(level.dims, axis, |cell, next, _| {
            sum[cell] += weights[cell];
            sum[next] += weights[cell];
        });
    }
    out.extend(diagonal);
    out.extend(sum.iter().map(|d| if *d > 0.0 { 1.0 / d } else { 0.0 }));
}

/// Flag of a row: all that its inner cells have is the same, one weight and one diagonal.
pub(super) const EVEN: u32 = 1;
/// Flag of a row: all its cells have all their children.
pub(super) const WHOLE: u32 = 2;

/// The flags of each row. `full` is the word of a cell with all its children.
pub(super) fn put_row_flags(
    out: &mut Vec<u32>,
    level: &Level,
    coef: &[f32],
    axes: usize,
    words: &[u32],
    full: u32,
) {
    let [nx, ny, nz] = level.dims.map(|n| n as usize);
    let plane = |p: usize, row: usize| &coef[p * level.cells + row * nx..][..nx];
    for row in 0..ny * nz {
        let (j, k) = (row % ny, row / ny);
        let weight = coef[row * nx + nx / 2];
        let same = |p: usize, row: usize, from: usize, value: f32| {
            plane(p, row)[from..]
                .iter()
                .rev()
                .skip(1)
                .all(|w| *w == value)
        };
        let mut even = nx > 3
            && same(0, row, 0, weight)
            && same(1, row, 1, weight)
            && same(1, k * ny + (j + ny - 1) % ny, 1, weight);
        if axes > 2 {
            even &= same(2, row, 1, weight) && same(2, (k + nz - 1) % nz * ny + j, 1, weight);
        }
        even &= weight > 0.0
            && same(axes, row, 1, plane(axes, row)[nx / 2])
            && same(axes + 1, row, 1, plane(axes + 1, row)[nx / 2]);
        let whole = words[row * nx..][..nx].iter().all(|w| *w == full);
        out.push(if even { EVEN } else { 0 } | if whole { WHOLE } else { 0 });
    }
}

/// For each finer cell along an axis, the share of the coarse cell beside its own in a linear interpolation.
pub(super) fn put_shares(out: &mut Vec<f32>, fine: &Host, coarse: &Host, axis: usize) {
    let n = coarse.dims[axis] as usize;
    // Where the axis does not go round, the ends only ask how far a value on the outer face is: as far again as the centre.
    let mut round = false;
    if n > 1 {
        each_face(coarse.dims, axis, |cell, _, along| {
            round |= along + 1 == n && coarse.weights[axis][cell] > 0.0;
        });
    }
    for i in 0..fine.dims[axis] as usize {
        let q = i / 2;
        let off = (fine.centre(axis, i) - coarse.centre(axis, q)).abs();
        let outer = if i & 1 == 1 { q + 1 == n } else { q == 0 };
        let distance = if outer && !round {
            coarse.edges[axis][q + 1] - coarse.edges[axis][q]
        } else if i & 1 == 1 {
            coarse.distance(axis, q)
        } else {
            coarse.distance(axis, if q == 0 { n - 1 } else { q - 1 })
        };
        out.push(off / distance);
    }
}
