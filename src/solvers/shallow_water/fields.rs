//! What can be shown and exported, and how it follows from the state.

use super::Solver;
use super::derive::{Derive, SPEED, SURFACE, WantedU};
use super::look::{Look as LookKernel, LookU};
use super::maps::{MapsU, ShoreColumns, ShoreRows, SurfaceNormal};
use super::params::{Look, Parameters};
use super::spray::{SprayOver, SpraySettle};
use crate::device::Device;
use crate::field::{FieldDesc, RangeHint};
use crate::grid::{CellVelocity, Coverage, Factor};
use crate::scene::ReliefU;
use crate::solvers::Field;

/// In the order in which they are offered.
pub const FIELDS: &[FieldDesc] = &[
    FieldDesc::new("water", "Water from above", "", 3, RangeHint::Color),
    FieldDesc::new("depth", "Depth", "m", 1, RangeHint::Positive),
    FieldDesc::new("surface", "Height of the surface", "m", 1, RangeHint::Level),
    FieldDesc::new("ground", "Height of the ground", "m", 1, RangeHint::Level),
    FieldDesc::new(
        "normal",
        "Normal of the surface",
        "",
        3,
        RangeHint::Direction,
    ),
    FieldDesc::new("shore", "Distance to the shore", "m", 1, RangeHint::Signed),
    FieldDesc::new("velocity", "Velocity", "m/s", 2, RangeHint::Signed),
    FieldDesc::new("speed", "Speed", "m/s", 1, RangeHint::Positive),
    FieldDesc::new("foam", "Foam", "", 1, RangeHint::Unit),
    FieldDesc::new("wetness", "Wetness", "", 1, RangeHint::Unit),
    FieldDesc::new("spray", "Water in the air", "m", 1, RangeHint::Positive),
    FieldDesc::new("dye", "Dye", "", 3, RangeHint::Color),
    FieldDesc::new("obstacle", "Obstacle", "", 1, RangeHint::Unit),
];

/// Depth of water that looks like water, in parts of the film that does not flow.
const SEEN: f32 = 12.0;

/// What the picture from above is made with.
pub fn look_of(params: &Parameters) -> LookU {
    let Look {
        ground,
        deep,
        sky,
        clarity,
        relief,
        sun_angle,
        sun_height,
        glint,
        caustics,
        foam,
    } = &params.look;
    let four = |c: &[f32; 3], w: f32| [c[0], c[1], c[2], w];
    let (s, c) = sun_height.to_radians().sin_cos();
    let (y, x) = sun_angle.to_radians().sin_cos();
    LookU {
        ground: four(ground, *relief),
        deep: four(deep, 1.0 / clarity),
        sky: four(sky, 0.02),
        sun: [c * x, c * y, s, *glint],
        share: [*foam, *caustics, 1.0, 1.0 / (SEEN * params.film)],
    }
}

/// What maps are made with.
pub fn maps_of(params: &Parameters) -> MapsU {
    MapsU {
        steep: params.normal_strength,
        shore_depth: params.shore_depth,
        unused0: 0.0,
        unused1: 0.0,
    }
}

impl Solver {
    /// See [`Method::field`](crate::solvers::Method::field).
    pub(super) fn derived(&mut self, dev: &mut Device, name: &str) -> Option<Field<'_>> {
        let desc = *FIELDS.iter().find(|f| f.name == name)?;
        let grid = self.mac.grid;
        let (buf, stride, offset) = match name {
            "depth" => (&self.depth.now, 1, 0),
            "ground" => (&self.ground, 1, 0),
            "dye" => (&self.scalars.now, 4, 0),
            "foam" => (&self.scalars.now, 4, 3),
            "wetness" => (&self.wet, 1, 0),
            "velocity" => {
                let (at, [u, v]) = (
                    self.mac.pressure(),
                    self.velocity.each_ref().map(|c| &c.now),
                );
                let out = &mut self.vector;
                dev.run(at.items(), CellVelocity { at, u, v, out });
                (&self.vector, 2, 0)
            }
            "spray" => {
                self.over(dev);
                (&self.scratch, 1, 0)
            }
            "water" => {
                self.over(dev);
                self.paint(dev);
                (&self.color, 3, 0)
            }
            "normal" => {
                self.lean(dev);
                (&self.color, 3, 0)
            }
            "shore" => {
                self.shore(dev);
                (&self.scratch, 1, 0)
            }
            "obstacle" => {
                self.cover(dev);
                (&self.scratch, 1, 0)
            }
            _ => {
                let what = if name == "surface" { SURFACE } else { SPEED };
                let (at, wanted) = (self.at, WantedU { what });
                let [u, v] = self.velocity.each_ref().map(|c| &c.now);
                let (depth, ground, out) = (&self.depth.now, &self.ground, &mut self.scratch);
                dev.run(
                    grid.cells,
                    Derive {
                        at,
                        wanted,
                        depth,
                        ground,
                        u,
                        v,
                        out,
                    },
                );
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

    /// Leaves the depth of water in the air over each cell in `scratch`.
    fn over(&mut self, dev: &mut Device) {
        let (at, spray, items) = (self.at, self.spray_uniform(0.0, 0), self.strips());
        let (drops, landed) = (&self.drops, &mut self.landed);
        dev.clear(&mut self.scratch);
        if !self.flying {
            return;
        }
        dev.run(
            items,
            SprayOver {
                at,
                spray,
                drops,
                landed,
            },
        );
        let (landed, depth) = (&mut self.landed, &mut self.scratch);
        dev.run(self.mac.grid.cells, SpraySettle { at, landed, depth });
    }

    /// The picture from above, with the spray that is in `scratch`.
    fn paint(&mut self, dev: &mut Device) {
        let (at, look) = (self.at, self.look);
        let (depth, ground, scalars) = (&self.depth.now, &self.ground, &self.scalars.now);
        let (wet, spray, out) = (&self.wet, &self.scratch, &mut self.color);
        dev.run(
            self.mac.grid.cells,
            LookKernel {
                at,
                look,
                depth,
                ground,
                scalars,
                wet,
                spray,
                out,
            },
        );
    }

    /// Leaves the normal of the surface in `color`.
    fn lean(&mut self, dev: &mut Device) {
        let (at, maps, items) = (self.at, self.maps, self.mac.grid.cells);
        let (depth, ground, sdf) = (&self.depth.now, &self.ground, &self.raster.sdf);
        let out = &mut self.color;
        dev.run(
            items,
            SurfaceNormal {
                at,
                maps,
                depth,
                ground,
                sdf,
                out,
            },
        );
    }

    /// Leaves the distance to the shore in `scratch`.
    fn shore(&mut self, dev: &mut Device) {
        let (at, maps, cells) = (self.at, self.maps, self.mac.grid.cells);
        let (depth, sdf) = (&self.depth.now, &self.raster.sdf);
        let (near, out) = (&mut self.depth.spare, &mut self.scratch);
        dev.run(
            [cells[1], 1, 1],
            ShoreRows {
                at,
                maps,
                depth,
                sdf,
                near,
            },
        );
        dev.run(cells, ShoreColumns { at, near, out });
    }

    /// Leaves what obstacles and boats cover in `scratch`.
    fn cover(&mut self, dev: &mut Device) {
        let per_cell = Factor {
            value: 1.0 / self.mac.grid.h,
        };
        let (sdf, out) = (&self.raster.sdf, &mut self.scratch);
        dev.run(
            [self.mac.grid.len() as u32, 1, 1],
            Coverage { per_cell, sdf, out },
        );
        let Some(frame) = &self.frame else { return };
        let hull = |boat: &ReliefU| ReliefU {
            height: [0.0, 1.0, 1.0, per_cell.value],
            smooth_edge: 0,
            mode: 2,
            ..*boat
        };
        let hulls: Vec<ReliefU> = frame.boats.iter().map(hull).collect();
        let arrays = [&mut self.scratch, &mut self.depth.spare];
        if let Err(error) = self.raster.relief(dev, frame, &hulls, 1.0, false, arrays) {
            self.failure.get_or_insert(error);
        }
    }
}
