//! What can be shown and exported, and how it follows from the state.

use super::Solver;
use crate::device::Device;
use crate::field::{FieldDesc, RangeHint};
use crate::grid::{CellVelocity, Coverage, Factor};
use crate::solvers::Field;

/// In the order in which they are offered.
pub const FIELDS: &[FieldDesc] = &[
    FieldDesc::new("velocity", "Velocity", "m/s", 2, RangeHint::Signed),
    FieldDesc::new("dye", "Dye", "", 3, RangeHint::Color),
    FieldDesc::new("temperature", "Temperature", "K", 1, RangeHint::Positive),
    FieldDesc::new("pressure", "Pressure", "m²/s²", 1, RangeHint::Signed),
    FieldDesc::new("vorticity", "Vorticity", "1/s", 1, RangeHint::Signed),
    FieldDesc::new("divergence", "Divergence", "1/s", 1, RangeHint::Signed),
    FieldDesc::new("residual", "Residual", "1/s", 1, RangeHint::Signed),
    FieldDesc::new("obstacle", "Obstacle", "", 1, RangeHint::Unit),
];

impl Solver {
    /// See [`Method::field`](crate::solvers::Method::field).
    pub(super) fn derived(&mut self, dev: &mut Device, name: &str) -> Option<Field<'_>> {
        let desc = *FIELDS.iter().find(|f| f.name == name)?;
        let grid = self.mac.grid;
        let at = self.mac.pressure();
        let [u, v] = self.velocity.each_ref().map(|c| &c.now);
        let (buf, stride, offset) = match name {
            "dye" => (&self.scalars.now, 4, 0),
            "temperature" => (&self.scalars.now, 4, 3),
            "pressure" => (&self.projection.pressure, 1, 0),
            "velocity" => {
                let out = &mut self.scratch2;
                dev.run(at.items(), CellVelocity { at, u, v, out });
                (&self.scratch2, 2, 0)
            }
            "vorticity" => {
                self.curl(dev);
                (&self.scratch, 1, 0)
            }
            "obstacle" => {
                let per_cell = Factor {
                    value: 1.0 / grid.h,
                };
                let (sdf, out) = (&self.raster.sdf, &mut self.scratch);
                dev.run([grid.len() as u32, 1, 1], Coverage { per_cell, sdf, out });
                (&self.scratch, 1, 0)
            }
            // After a checkpoint was put back there is no right-hand side, but what the solve left is what remains.
            "residual" if self.solved => {
                self.projection.residual(dev, &mut self.scratch);
                (&self.scratch, 1, 0)
            }
            _ => {
                self.projection.divergence(dev, u, v, &mut self.scratch);
                (&self.scratch, 1, 0)
            }
        };
        Some(Field {
            desc,
            grid,
            buf,
            stride,
            offset,
        })
    }
}
