//! The parts of a step, in order.

use super::cells::{LatticeFaces, LatticeForce, LatticeMoments, ScaleU};
use super::links::Links;
use super::stream::{Job, LatticeStep, LatticeU};
use super::units::Units;
use super::{Parameters, Scheme, Solver};
use crate::device::{Cpu, Device, Kernel};
use crate::grid::{Accelerate, Acceleration, Curl, Factor};
use crate::scene::{Raster, SceneFrame};
use crate::solvers::transport::{How, Transport};

impl Solver {
    pub(super) fn scale(units: &Units, dt: f32) -> ScaleU {
        ScaleU {
            speed: units.scale(),
            per_step: 1.0 / dt,
            force: units.dt * units.dt / units.h,
            unused: 0.0,
        }
    }

    /// 2. What accelerates the fluid. Says in which rows there is some.
    pub(super) fn accelerate(
        &mut self,
        dev: &mut Device,
        scene: &SceneFrame,
        p: &Parameters,
        dt: f32,
        units: &Units,
        lattice: LatticeU,
    ) -> [u32; 2] {
        self.raster.emit(dev, scene, dt, &mut self.scalars.now);
        let [gx, gy, gz] = scene.gravity;
        let heavy = self.carries
            && (gx != 0.0 || gy != 0.0)
            && (scene.buoyancy != 0.0 || scene.dye_weight != 0.0);
        let everywhere = heavy || p.vorticity_confinement != 0.0;
        let rows = if everywhere {
            [0, lattice.cells[1]]
        } else {
            pushed_rows(scene)
        };
        if rows[0] >= rows[1] {
            if std::mem::take(&mut self.forced) {
                dev.clear(&mut self.force);
            }
            return [0; 2];
        }
        self.forced = true;
        let cells = self.mac.grid.cells;
        for axis in 0..2 {
            let pushed = &mut self.pushed[axis];
            dev.copy(&self.velocity[axis], pushed);
            self.raster
                .push(dev, scene, dt, axis, pushed, cells, [0.5; 3]);
        }
        if everywhere {
            if p.vorticity_confinement != 0.0 {
                self.curl(dev);
            }
            let at = self.mac.pressure();
            let by = Acceleration {
                gravity: [gx, gy, gz, 0.0],
                expansion: scene.buoyancy,
                dye_weight: scene.dye_weight,
                confinement: p.vorticity_confinement * self.mac.grid.h,
                unused: 0.0,
            };
            let (scalars, vorticity) = (&self.scalars.now, &self.scratch);
            let (solid, out) = (&self.raster.solid, &mut self.scratch2);
            dev.run(
                at.items(),
                Accelerate {
                    at,
                    by,
                    scalars,
                    vorticity,
                    solid,
                    out,
                },
            );
        } else {
            dev.clear(&mut self.scratch2);
        }
        let scale = Self::scale(units, dt);
        let [pushed_u, pushed_v] = &self.pushed;
        let [u, v] = &self.velocity;
        let (acceleration, solid) = (&self.scratch2, &self.raster.solid);
        let force = &mut self.force;
        dev.run(
            cells,
            LatticeForce {
                lattice,
                scale,
                pushed_u,
                pushed_v,
                u,
                v,
                acceleration,
                solid,
                force,
            },
        );
        rows
    }

    /// 3. The lattice steps.
    pub(super) fn stream(&mut self, dev: &mut Device, lattice: LatticeU, steps: u32) {
        let Raster {
            solid,
            solid_velocity,
            ..
        } = &self.raster;
        let (marks, force) = (&self.marks, &self.force);
        if dev.cpu().is_some() {
            let job = Job {
                links: Links {
                    lattice: &lattice,
                    solid: solid.host(),
                    solid_velocity: solid_velocity.host(),
                },
                marks: marks.host(),
                force: force.host(),
            };
            let (f, g) = (self.populations.host_mut(), self.next.host_mut());
            let mut swapped = false;
            let on_cpu = |cpu: &Cpu| swapped = job.advance(cpu, f, g, steps);
            dev.either(LatticeStep::INFO.name, on_cpu, |_| {});
            if swapped {
                std::mem::swap(&mut self.populations, &mut self.next);
            }
            return;
        }
        for _ in 0..steps {
            let (f, g) = (&self.populations, &mut self.next);
            dev.run(
                self.mac.grid.cells,
                LatticeStep {
                    lattice,
                    f,
                    marks,
                    solid,
                    solid_velocity,
                    force,
                    g,
                },
            );
            std::mem::swap(&mut self.populations, &mut self.next);
        }
    }

    /// 4. Density and velocity in cells.
    pub(super) fn moments(&mut self, dev: &mut Device, lattice: LatticeU, scale: ScaleU) {
        let Raster {
            solid,
            solid_velocity,
            ..
        } = &self.raster;
        let (f, force, rho) = (&self.populations, &self.force, &mut self.rho);
        let [u, v] = &mut self.velocity;
        dev.run(
            self.mac.grid.cells,
            LatticeMoments {
                lattice,
                scale,
                f,
                force,
                solid,
                solid_velocity,
                rho,
                u,
                v,
            },
        );
    }

    /// The velocity on faces.
    pub(super) fn spread(&mut self, dev: &mut Device) {
        let solid = &self.raster.solid;
        for (axis, (cells, faces)) in self.velocity.iter().zip(&mut self.faces).enumerate() {
            let at = self.mac.velocity(axis);
            dev.run(
                at.items(),
                LatticeFaces {
                    at,
                    solid,
                    cells,
                    faces,
                },
            );
        }
    }

    /// 5. Dye and temperature.
    pub(super) fn carry(&mut self, dev: &mut Device, scene: &SceneFrame, p: &Parameters, dt: f32) {
        if !self.carries {
            return;
        }
        self.spread(dev);
        let how = How {
            velocity_scheme: Scheme::SemiLagrangian,
            scalar_scheme: p.dye_advection,
            limiter: p.limiter,
            backtrace: p.backtrace,
            velocity_damping: 0.0,
            dye_dissipation: p.dye_dissipation,
            cooling: p.cooling,
        };
        let transport = Transport::new(&self.mac, &how, dt, !scene.obstacles.is_empty());
        let [u, v] = &self.faces;
        transport.scalars(dev, [u, v], &self.raster.solid, &mut self.scalars);
    }

    /// Leaves the vorticity in `scratch`.
    pub(super) fn curl(&mut self, dev: &mut Device) {
        self.spread(dev);
        let half = Factor {
            value: 0.5 / self.mac.grid.h,
        };
        let [u_at, v_at] = [self.mac.velocity(0), self.mac.velocity(1)];
        let [u, v] = &self.faces;
        let out = &mut self.scratch;
        dev.run(
            self.mac.grid.cells,
            Curl {
                u_at,
                v_at,
                half,
                u,
                v,
                out,
            },
        );
    }
}

/// Rows that emitters, motors and strokes may push: the first, and one past the last.
fn pushed_rows(scene: &SceneFrame) -> [u32; 2] {
    let emitters = scene.emitters.iter().filter(|e| e.velocity_blend != 0);
    let emitters = emitters.map(|e| [e.place.low[1], e.place.high[1]]);
    let motors = scene
        .motors
        .iter()
        .map(|m| [m.centre[1] - m.centre[3], m.centre[1] + m.centre[3]]);
    let strokes = scene.strokes.iter().filter(|s| s.end[3] > 0.0);
    let strokes = strokes.map(|s| [s.low[1], s.high[1]]);
    let (h, ny) = (scene.grid.h, scene.grid.cells[1]);
    let all = emitters.chain(motors).chain(strokes);
    all.fold([ny, 0], |[first, past], [low, high]| {
        // Casts saturate.
        let low = (low / h - 1.0).floor() as u32;
        let high = ((high / h).ceil() as u32).saturating_add(1);
        [first.min(low), past.max(high.min(ny))]
    })
}
