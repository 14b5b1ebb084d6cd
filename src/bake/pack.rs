//! Fields into channels: the picture of one frame, with row 0 at the top and the engine's signs.

use super::BakeError;
use super::channel::Source;
use super::plan::{OutputPlan, Plan};
use super::resample::resample;
use super::texels::Texels;
use crate::field::{FieldData, Grid};

/// Checks that a field is what the plan reads: as large as the domain, every value finite.
///
/// # Errors
/// The first cell that is not a number, or a field of another shape.
pub fn check(field: &FieldData, grid: &Grid, frame: u32) -> Result<(), BakeError> {
    let name = field.desc.name;
    let components = field.desc.components.max(1) as usize;
    if field.grid.cells != grid.cells || field.data.len() != grid.len() * components {
        let message = format!(
            "the field has {:?} cells and {} values where the domain has {:?} cells",
            field.grid.cells,
            field.data.len(),
            grid.cells
        );
        return Err(BakeError::setting(name, message));
    }
    let Some(at) = field.data.iter().position(|v| !v.is_finite()) else {
        return Ok(());
    };
    let (cell, [nx, ny, _]) = (at / components, grid.cells.map(|n| n as usize));
    Err(BakeError::NotFinite {
        field: name.to_owned(),
        cell: [cell % nx, cell / nx % ny, cell / (nx * ny)].map(|i| i as u32),
        frame,
    })
}

/// Packs the channels of an output at its own size. `fields` are those of the frame, already checked.
///
/// # Errors
/// A field that is not there.
pub fn pack(plan: &Plan, output: &OutputPlan, fields: &[FieldData]) -> Result<Texels, BakeError> {
    let [nx, ny, _] = plan.grid.cells;
    let n = output.channels.len();
    let mut texels = Texels::new(nx, ny, n);
    let row_len = nx as usize * n;
    for (c, channel) in output.channels.iter().enumerate() {
        let source = channel.source;
        let field = match source.field() {
            None => None,
            Some(desc) => Some(
                fields
                    .iter()
                    .find(|f| f.desc.name == desc.name)
                    .ok_or_else(|| {
                        let message = format!("the simulation gave no field `{}`", desc.name);
                        BakeError::setting(format!("{}.{}", output.at, channel.name), message)
                    })?,
            ),
        };
        for (y, row) in texels.data.chunks_exact_mut(row_len).enumerate() {
            let first = (ny as usize - 1 - y) * nx as usize;
            for (x, texel) in row.chunks_exact_mut(n).enumerate() {
                texel[c] = match (source, field) {
                    (Source::Component(desc, i), Some(f)) => {
                        // Adding zero turns −0 into 0, so that a flipped sign leaves no trace in still fluid.
                        let components = desc.components as usize;
                        f.data[(first + x) * components + i as usize] * channel.sign + 0.0
                    }
                    (Source::Length(_), Some(f)) => f.magnitude(first + x),
                    (Source::Constant(v), _) => v,
                    (_, None) => 0.0,
                };
            }
        }
    }
    let [width, height] = output.size;
    Ok(resample(texels, width, height, plan.periodic))
}
