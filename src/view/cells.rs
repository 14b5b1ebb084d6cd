//! Step 1: the field as planes of numbers, one plane after another. Twin of `shaders/view/cells.wgsl`.

use rayon::prelude::*;

use super::look::{DIRECTION, GLOW, INK, Look, finite};
use super::range::luminance;
use crate::field::FieldData;

/// Half the width of the square from which a solid cell takes its values.
const REACH: usize = 2;

/// Planes of equal size, one after another; each runs x fastest from the low corner.
pub struct Planes {
    /// Numbers a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `width · height` numbers a plane.
    pub data: Vec<f32>,
}

impl Planes {
    pub fn zeros(width: usize, height: usize, planes: usize) -> Self {
        Self {
            width,
            height,
            data: vec![0.0; width * height * planes],
        }
    }
    pub fn plane(&self, k: usize) -> &[f32] {
        let n = self.width * self.height;
        &self.data[k * n..(k + 1) * n]
    }
}

/// Share of a cell that is solid, 0 to 1.
pub fn coverage(look: &Look, obstacle: Option<&FieldData>) -> Option<Vec<f32>> {
    let field = obstacle.filter(|_| look.solid == 1)?;
    let n = field.desc.components.max(1) as usize;
    let first = look.first_cell as usize * n;
    let layer = field.data.get(first..first + look.len() * n)?;
    Some(
        layer
            .iter()
            .step_by(n)
            .map(|&c| finite(c).clamp(0.0, 1.0))
            .collect(),
    )
}

/// The planes of the layer that is shown. A field with too little data is black.
pub fn planes(look: &Look, field: &FieldData, obstacle: Option<&FieldData>) -> Planes {
    let [nx, ny] = look.cells.map(|n| n as usize);
    let mut out = Planes::zeros(nx, ny, look.field_planes());
    let n = look.components as usize;
    let first = look.first_cell as usize * n;
    let Some(layer) = field.data.get(first..first + nx * ny * n) else {
        return out;
    };
    for (k, plane) in out.data.chunks_mut(nx * ny).enumerate() {
        plane
            .par_chunks_mut(nx)
            .zip(layer.par_chunks(nx * n))
            .for_each(|(to, from)| {
                for (to, v) in to.iter_mut().zip(from.chunks_exact(n)) {
                    *to = number(look, v, k);
                }
            });
    }
    if let Some(solid) = coverage(look, obstacle) {
        fill(&mut out, &solid);
    }
    out
}

/// What plane `k` holds for the values `v` of a cell.
#[inline]
fn number(look: &Look, v: &[f32], k: usize) -> f32 {
    match look.mode {
        GLOW | INK => finite(v[k] * look.gain).max(0.0),
        DIRECTION => finite(v[k]),
        _ => match v {
            [v] => finite(*v),
            [r, g, b, ..] if look.luminance == 1 => finite(luminance([*r, *g, *b])),
            v => finite(v.iter().map(|x| x * x).sum::<f32>().sqrt()),
        },
    }
}

/// Solid cells take the mean of the fluid in the square around them, so that interpolation finds no step at the wall.
fn fill(planes: &mut Planes, solid: &[f32]) {
    let (nx, ny) = (planes.width, planes.height);
    let source = planes.data.clone();
    for (plane, source) in planes.data.chunks_mut(nx * ny).zip(source.chunks(nx * ny)) {
        plane.par_chunks_mut(nx).enumerate().for_each(|(j, row)| {
            for (i, to) in row.iter_mut().enumerate() {
                if solid[j * nx + i] <= 0.5 {
                    continue;
                }
                let (mut sum, mut weight) = (0.0_f32, 0.0_f32);
                for y in j.saturating_sub(REACH)..=(j + REACH).min(ny - 1) {
                    for x in i.saturating_sub(REACH)..=(i + REACH).min(nx - 1) {
                        let fluid = 1.0 - solid[y * nx + x];
                        sum += fluid * fluid * source[y * nx + x];
                        weight += fluid * fluid;
                    }
                }
                *to = if weight > 1e-3 { sum / weight } else { 0.0 };
            }
        });
    }
}
