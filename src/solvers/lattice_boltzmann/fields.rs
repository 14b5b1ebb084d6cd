//! What can be shown and exported, and how it follows from the state.

use super::Solver;
use super::cells::{LatticePressure, LatticeVelocity, ScaleU};
use crate::device::Device;
use crate::field::{FieldDesc, RangeHint};
use crate::grid::{Coverage, Factor};
use crate::solvers::Field;

/// In the order in which they are offered.
pub const FIELDS: &[FieldDesc] = &[
    FieldDesc::new("velocity", "Velocity", "m/s", 2, RangeHint::Signed),
    FieldDesc::new("dye", "Dye", "", 3, RangeHint::Color),
    FieldDesc::new("temperature", "Temperature", "K", 1, RangeHint::Positive),
    FieldDesc::new(
        "density",
        "Density over that at rest, less one",
        "",
        1,
        RangeHint::Signed,
    ),
    FieldDesc::new("pressure", "Pressure", "m²/s²", 1, RangeHint::Signed),
    FieldDesc::new("vorticity", "Vorticity", "1/s", 1, RangeHint::Signed),
    FieldDesc::new("obstacle", "Obstacle", "", 1, RangeHint::Unit),
];

impl Solver {
    /// See [`Method::field`](crate::solvers::Method::field).
    pub(super) fn derived(&mut self, dev: &mut Device, name: &str) -> Option<Field<'_>> {
        let desc = *FIELDS.iter().find(|f| f.name == name)?;
        let grid = self.mac.grid;
        let n = [grid.len() as u32, 1, 1];
        let (buf, stride, offset) = match name {
            "dye" => (&self.scalars.now, 4, 0),
            "temperature" => (&self.scalars.now, 4, 3),
            "density" => (&self.rho, 1, 0),
            "velocity" => {
                let [u, v] = &self.velocity;
                let out = &mut self.scratch2;
                dev.run(n, LatticeVelocity { u, v, out });
                (&self.scratch2, 2, 0)
            }
            "pressure" => {
                let [dt, _] = match self.recall(dev) {
                    Ok(known) => known,
                    Err(e) => {
                        self.failure.get_or_insert(e);
                        return None;
                    }
                };
                let scale = ScaleU {
                    speed: if dt > 0.0 { grid.h / dt } else { 0.0 },
                    per_step: 0.0,
                    force: 0.0,
                    unused: 0.0,
                };
                let (rho, out) = (&self.rho, &mut self.scratch);
                dev.run(n, LatticePressure { scale, rho, out });
                (&self.scratch, 1, 0)
            }
            "vorticity" => {
                self.curl(dev);
                (&self.scratch, 1, 0)
            }
            _ => {
                let per_cell = Factor {
                    value: 1.0 / grid.h,
                };
                let (sdf, out) = (&self.raster.sdf, &mut self.scratch);
                dev.run(n, Coverage { per_cell, sdf, out });
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
