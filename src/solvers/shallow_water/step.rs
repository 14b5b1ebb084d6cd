//! What a step does, one function a part; see the list in the module's documentation.

use super::border::{self, Border, Calm, Walls};
use super::spray::{self, SprayBirth, SprayFlight, SprayPush, SpraySettle, SprayU};
use super::traces::{TraceU, Traces};
use super::water::{Depth, Velocity};
use super::{MOST_SUBSTEPS, Parameters, Solver, edge_of, fields, mac_of, seen};
use crate::device::{Device, Result};
use crate::grid::advect::{CLAMP, PLAIN};
use crate::grid::{AdvectScalars, Advection};
use crate::scene::{Raster, SceneFrame};

/// Depth below which ground is not fully wet, in parts of the film that does not flow.
const WET: f32 = 10.0;
/// The cells at the edge of the domain, as items of a dispatch.
fn ring(cells: [u32; 3]) -> [u32; 3] {
    [2 * (cells[0] + cells[1]) - 4, 1, 1]
}

impl Solver {
    /// 1. Follows the scene: ground, walls, boats.
    fn prepare(&mut self, dev: &mut Device, frame: &SceneFrame) -> Result<()> {
        self.mac = mac_of(frame);
        let moved = self.raster.update(dev, frame)?;
        let changed = self.ground_of(dev, frame)?;
        if changed || self.pressed || !frame.boats.is_empty() {
            dev.copy(&self.ground, &mut self.head);
            let arrays = [&mut self.head, &mut self.scratch];
            self.raster
                .relief(dev, frame, &frame.boats, 1.0, false, arrays)?;
            self.pressed = !frame.boats.is_empty();
        }
        if moved || std::mem::take(&mut self.restored) {
            let scalars = &mut self.scalars.now;
            self.raster.uncover(dev, frame, &mut self.covered, scalars);
        }
        Ok(())
    }

    /// Makes the ground anew where terrain has changed, and says whether it has.
    pub(super) fn ground_of(&mut self, dev: &mut Device, frame: &SceneFrame) -> Result<bool> {
        let revision = frame.terrain_revision();
        if self.terrain == Some(revision) {
            return Ok(false);
        }
        dev.clear(&mut self.ground);
        let arrays = [&mut self.ground, &mut self.scratch];
        self.raster
            .relief(dev, frame, &frame.terrain, 1.0, false, arrays)?;
        self.terrain = Some(revision);
        Ok(true)
    }

    /// 2. What acts on the water.
    fn act(&mut self, dev: &mut Device, frame: &SceneFrame, dt: f32) -> Result<()> {
        let arrays = [&mut self.depth.now, &mut self.added];
        self.raster
            .relief(dev, frame, &frame.liquids, dt, true, arrays)?;
        self.carries |= !frame.emitters.is_empty() || !frame.strokes.is_empty();
        if self.carries {
            self.raster.emit(dev, frame, dt, &mut self.scalars.now);
        }
        for axis in 0..2 {
            let at = self.mac.velocity(axis);
            let offset = [at.offset[0], at.offset[1], at.offset[2]];
            let u = &mut self.velocity[axis].now;
            self.raster
                .push(dev, frame, dt, axis, u, at.items(), offset);
        }
        self.close(dev);
        self.walls(dev, frame);
        Ok(())
    }

    /// Nothing moves at closed faces of the domain. Sub-steps keep it so.
    fn close(&mut self, dev: &mut Device) {
        let (at, mut edge) = (self.at, self.edge);
        edge.kind = edge.kind.map(|k| {
            if k == border::CLOSED {
                k
            } else {
                border::JOINED
            }
        });
        if edge.kind == [border::JOINED; 4] {
            return;
        }
        let [u, v] = self.velocity.each_mut().map(|c| &mut c.now);
        let [qx, qy] = &mut self.flux;
        let (ground, depth, added) = (&self.ground, &mut self.depth.now, &mut self.added);
        dev.run(
            ring(self.mac.grid.cells),
            Border {
                at,
                edge,
                ground,
                depth,
                u,
                v,
                qx,
                qy,
                added,
            },
        );
    }

    fn walls(&mut self, dev: &mut Device, frame: &SceneFrame) {
        if frame.obstacles.is_empty() {
            return;
        }
        let Raster {
            solid,
            solid_velocity,
            ..
        } = &self.raster;
        let [u, v] = self.velocity.each_mut().map(|c| &mut c.now);
        let at = self.at;
        dev.run(
            self.mac.grid.cells,
            Walls {
                at,
                solid,
                solid_velocity,
                u,
                v,
            },
        );
    }

    /// 3. One sub-step.
    fn flow(&mut self, dev: &mut Device, frame: &SceneFrame) {
        let (at, edge, cells) = (self.at, self.edge, self.mac.grid.cells);
        let [x, y] = &mut self.velocity;
        let [qx, qy] = &mut self.flux;
        let (depth, next) = (&self.depth.now, &mut self.depth.spare);
        dev.run(
            cells,
            Depth {
                at,
                depth,
                u: &x.now,
                v: &y.now,
                next,
                qx,
                qy,
            },
        );
        self.depth.swap();
        let (ground, added, depth) = (&self.ground, &mut self.added, &mut self.depth.now);
        let passes = |kind: &u32| [border::OPEN, border::INFLOW].contains(kind);
        if edge.kind.iter().any(passes) {
            let (u, v) = (&mut x.now, &mut y.now);
            dev.run(
                ring(cells),
                Border {
                    at,
                    edge,
                    ground,
                    depth,
                    u,
                    v,
                    qx,
                    qy,
                    added,
                },
            );
        }
        let head = &self.head;
        let (next_u, next_v) = (&mut x.spare, &mut y.spare);
        dev.run(
            cells,
            Velocity {
                at,
                depth,
                head,
                u: &x.now,
                v: &y.now,
                qx,
                qy,
                next_u,
                next_v,
            },
        );
        x.swap();
        y.swap();
        if edge.calm != [0.0; 4] {
            let (u, v) = (&mut x.now, &mut y.now);
            dev.run(
                cells,
                Calm {
                    at,
                    edge,
                    ground,
                    depth,
                    u,
                    v,
                    added,
                },
            );
        }
        self.walls(dev, frame);
    }

    pub(super) fn strips(&self) -> [u32; 3] {
        [
            self.mac.grid.cells[0].div_ceil(spray::STRIP),
            self.mac.grid.cells[1],
            1,
        ]
    }

    pub(super) fn spray_uniform(&self, dt: f32, seed: u32) -> SprayU {
        SprayU {
            begins: 0.0,
            share: 0.0,
            lift: 0.0,
            dt,
            // Equal times give equal numbers, so that a run that goes on from a checkpoint is the same.
            step: (self.time / f64::from(dt.max(1e-9))).round() as i64 as u32,
            seed,
            strips: self.strips()[0],
            unused: 0,
        }
    }

    /// 4. Spray.
    fn splash(&mut self, dev: &mut Device, scene: &SceneFrame, p: &Parameters, dt: f32) {
        self.flying |= p.spray.amount > 0.0;
        if !self.flying {
            return;
        }
        let (at, items, cells) = (self.at, self.strips(), self.mac.grid.cells);
        let spray = SprayU {
            begins: p.spray.threshold,
            share: p.spray.amount,
            lift: p.spray.lift,
            ..self.spray_uniform(dt, scene.seed)
        };
        let [u, v] = self.velocity.each_mut().map(|c| &mut c.now);
        let (depth, ground) = (&self.depth.now, &self.ground);
        let (drops, landed) = (&mut self.drops, &mut self.landed);
        if p.spray.amount > 0.0 {
            dev.run(
                items,
                SprayBirth {
                    at,
                    spray,
                    depth,
                    ground,
                    u,
                    v,
                    drops,
                    landed,
                },
            );
        }
        dev.run(
            items,
            SprayFlight {
                at,
                spray,
                depth,
                ground,
                drops,
                landed,
            },
        );
        dev.run(
            cells,
            SprayPush {
                at,
                depth,
                landed,
                u,
                v,
            },
        );
        let depth = &mut self.depth.now;
        dev.run(cells, SpraySettle { at, landed, depth });
    }

    /// 5. Foam, wet ground and dye.
    fn traces(&mut self, dev: &mut Device, frame: &SceneFrame, p: &Parameters, dt: f32) {
        let (at, cells) = (self.at, self.mac.grid.cells);
        let kept = |life: f32| if life > 0.0 { (-dt / life).exp() } else { 1.0 };
        self.carries |= p.foam > 0.0;
        let trace = TraceU {
            foam: p.foam,
            calm: p.foam_threshold,
            film: WET * p.film,
            stays: kept(p.drying),
            dt,
            carries: f32::from(u8::from(self.carries)),
            unused1: 0.0,
            unused2: 0.0,
        };
        let [u, v] = self.velocity.each_ref().map(|c| &c.now);
        let (depth, ground) = (&self.depth.now, &self.ground);
        let (scalars, wet) = (&mut self.scalars.now, &mut self.wet);
        dev.run(
            cells,
            Traces {
                at,
                trace,
                depth,
                ground,
                u,
                v,
                scalars,
                wet,
            },
        );
        if !self.carries {
            return;
        }
        let dye = kept(p.dye_life);
        let step = Advection {
            gain: [dye, dye, dye, kept(p.foam_life)],
            c: dt / self.mac.grid.h,
            order: 2,
            mode: PLAIN,
            limiter: CLAMP,
            solids: u32::from(!frame.obstacles.is_empty()),
            unused0: 0,
            unused1: 0,
            unused2: 0,
        };
        let at = self.mac.scalars();
        let [u_at, v_at] = [self.mac.velocity(0), self.mac.velocity(1)];
        let solid = &self.raster.solid;
        let (src, other, dst) = (
            &self.scalars.now,
            &self.scalars.now,
            &mut self.scalars.spare,
        );
        dev.run(
            at.items(),
            AdvectScalars {
                step,
                u_at,
                v_at,
                at,
                u,
                v,
                solid,
                src,
                other,
                dst,
            },
        );
        self.scalars.swap();
    }

    pub(super) fn advance(
        &mut self,
        dev: &mut Device,
        scene: &SceneFrame,
        p: &Parameters,
        dt: f32,
    ) -> Result<()> {
        let frame = seen(scene);
        if self.restored {
            let kept = dev.read(&self.pace)?;
            self.expected = kept.first().copied().unwrap_or(self.expected);
        }
        self.follow_springs(dev, &frame);
        let count = (dt / self.sub_dt(scene, p))
            .ceil()
            .clamp(1.0, 8.0 * MOST_SUBSTEPS) as u32;
        self.time = scene.time;
        self.at = self.water(scene, p, dt / count as f32);
        self.edge = edge_of(scene, p);
        self.look = fields::look_of(p);
        self.maps = fields::maps_of(p);
        self.prepare(dev, &frame)?;
        self.act(dev, &frame, dt)?;
        for _ in 0..count {
            self.flow(dev, &frame);
        }
        self.splash(dev, &frame, p, dt);
        self.traces(dev, &frame, p, dt);
        self.frame = Some(frame);
        self.time = scene.time + f64::from(dt);
        self.substeps += count;
        Ok(())
    }
}
