//! Stable Fluids (Stam 1999, *Stable Fluids*), on a staggered grid.
//!
//! One step, from the velocity u, dye and temperature at time t to those at t + dt:
//! 1. emit and force: emitters, motors and strokes; buoyancy; vorticity confinement (Fedkiw, Stam and Jensen 2001)
//! 2. advect: dye and temperature, then u, all along the u of step 1
//! 3. viscosity: explicit, or implicit through a Poisson solver
//! 4. project: pressure from ∇²p = ∇·u / dt, then u −= dt ∇p
//!
//! Fluid density is left out everywhere: the pressure is in Pa per kg/m³, which is m²/s², without the weight of the fluid
//! at rest. Dye and temperature that leave through an open face are gone; what enters brings neither.

mod fields;
mod invariants;
mod params;
mod projection;
#[cfg(test)]
mod speed;
mod viscosity;

pub use super::transport::{Backtrace, Limiter, Scheme};
pub use params::{ExplicitViscosity, ImplicitViscosity, NoViscosity, Parameters, Viscosity};
pub use projection::Projection;
pub use viscosity::Diffusion;

use super::transport::{How, Transport, Transported};
use super::{Cost, Feature, Field, Method, MethodInfo, StatePart, StepReport};
use crate::device::{Buf, Device, DeviceError, KernelInfo, Result, Ticket};
use crate::field::Grid;
use crate::grid::{
    Accelerate, Acceleration, AddAcceleration, Curl, Enforce, Factor, Mac, Measurement, Side,
};
use crate::scene::{Raster, SceneFrame};

/// Kernels of its own: none. All that the paper's steps need is what other methods on a staggered grid need too, and
/// stands in [`crate::grid`] and [`crate::poisson`].
pub const KERNELS: &[KernelInfo] = &[];

/// The state of the fluid.
pub struct Solver {
    mac: Mac,
    raster: Raster,
    velocity: [Transported; 2],
    scalars: Transported,
    /// 1 in the cells that were solid in the step before.
    covered: Buf<f32>,
    projection: Projection,
    diffusion: Option<Diffusion>,
    /// One number a cell: vorticity during a step, then whatever field was asked for.
    scratch: Buf<f32>,
    /// Two numbers a cell: acceleration during a step, then the cell-centred velocity.
    scratch2: Buf<f32>,
    measurement: Measurement,
    /// Whether the pressure has been solved for since the state was made or put back.
    solved: bool,
    /// Whether the state was put back since the last step.
    restored: bool,
    /// Whether there may be dye or heat anywhere.
    carries: bool,
    time: f64,
    dt: f32,
    substeps: u32,
    failure: Option<DeviceError>,
}

impl Solver {
    /// Follows the scene: faces of the domain and obstacles.
    fn prepare(&mut self, dev: &mut Device, scene: &SceneFrame) -> Result<()> {
        let mac = super::mac_of(scene);
        let moved = self.raster.update(dev, scene)?;
        if moved || mac != self.mac {
            self.mac = mac;
            self.rebuild(dev);
        }
        self.carries |= !scene.emitters.is_empty() || !scene.strokes.is_empty();
        if moved || std::mem::take(&mut self.restored) {
            let scalars = &mut self.scalars.now;
            self.raster.uncover(dev, scene, &mut self.covered, scalars);
        }
        Ok(())
    }

    fn rebuild(&mut self, dev: &mut Device) {
        let Raster {
            solid,
            solid_velocity,
            ..
        } = &self.raster;
        self.projection.rebuild(dev, &self.mac, solid);
        if let Some(diffusion) = &mut self.diffusion {
            diffusion.rebuild(dev, &self.mac, solid, solid_velocity);
        }
    }

    /// 1. Emitters, motors and strokes, then what the fluid does to itself.
    fn force(&mut self, dev: &mut Device, scene: &SceneFrame, p: &Parameters, dt: f32) {
        self.raster.emit(dev, scene, dt, &mut self.scalars.now);
        for axis in 0..2 {
            let at = self.mac.velocity(axis);
            let offset = [at.offset[0], at.offset[1], at.offset[2]];
            let u = &mut self.velocity[axis].now;
            self.raster
                .push(dev, scene, dt, axis, u, at.items(), offset);
        }
        let [gx, gy, gz] = scene.gravity;
        let heavy = self.carries
            && (gx != 0.0 || gy != 0.0)
            && (scene.buoyancy != 0.0 || scene.dye_weight != 0.0);
        if !heavy && p.vorticity_confinement == 0.0 {
            return;
        }
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
        for axis in 0..2 {
            let at = self.mac.velocity(axis);
            let (acceleration, u) = (&self.scratch2, &mut self.velocity[axis].now);
            let dt = Factor { value: dt };
            dev.run(
                at.items(),
                AddAcceleration {
                    at,
                    dt,
                    acceleration,
                    u,
                },
            );
        }
    }

    /// 2. Everything moves along the flow.
    fn advect(&mut self, dev: &mut Device, scene: &SceneFrame, p: &Parameters, dt: f32) {
        let transport = Transport::new(&self.mac, &how(p), dt, !scene.obstacles.is_empty());
        if self.carries {
            let flow = [&self.velocity[0].now, &self.velocity[1].now];
            transport.scalars(dev, flow, &self.raster.solid, &mut self.scalars);
        }
        transport.velocity(dev, &self.raster.solid, &mut self.velocity);
        if !scene.obstacles.is_empty() {
            self.enforce(dev);
        }
    }

    /// 3. Friction inside the fluid.
    fn diffuse(&mut self, dev: &mut Device, p: &Parameters, dt: f32) {
        let nu_dt = p.viscosity.kinematic() * dt;
        let Some(diffusion) = &mut self.diffusion else {
            return;
        };
        if nu_dt <= 0.0 {
            return;
        }
        for (axis, u) in self.velocity.iter_mut().enumerate() {
            if let Some(params) = p.viscosity.solver() {
                diffusion.implicit(dev, axis, nu_dt, &mut u.now, params);
            } else {
                diffusion.explicit(dev, axis, nu_dt, &u.now, &mut u.spare);
                u.swap();
            }
        }
    }

    /// 4. No divergence.
    fn project(&mut self, dev: &mut Device, scene: &SceneFrame, p: &Parameters, dt: f32) {
        let [u, v] = self.velocity.each_mut().map(|c| &mut c.now);
        self.projection
            .project(dev, u, v, dt, p.warm_start, &p.pressure);
        // What the fluid slides along mirrors the velocity beside it, which has just changed.
        if scene.obstacles.iter().any(|o| o.velocity[3] != 0.0) {
            self.enforce(dev);
        }
    }

    fn enforce(&mut self, dev: &mut Device) {
        for (axis, u) in self.velocity.iter_mut().enumerate() {
            let at = self.mac.velocity(axis);
            dev.run(
                at.items(),
                Enforce {
                    at,
                    solid: &self.raster.solid,
                    solid_velocity: &self.raster.solid_velocity,
                    u: &u.now,
                    out: &mut u.spare,
                },
            );
            u.swap();
        }
    }

    /// Leaves the vorticity in `scratch`.
    fn curl(&mut self, dev: &mut Device) {
        let half = Factor {
            value: 0.5 / self.mac.grid.h,
        };
        let [u_at, v_at] = [self.mac.velocity(0), self.mac.velocity(1)];
        let [u, v] = self.velocity.each_ref().map(|c| &c.now);
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

/// How things are carried.
fn how(p: &Parameters) -> How {
    How {
        velocity_scheme: p.velocity_advection,
        scalar_scheme: p.dye_advection,
        limiter: p.limiter,
        backtrace: p.backtrace,
        velocity_damping: p.velocity_damping,
        dye_dissipation: p.dye_dissipation,
        cooling: p.cooling,
    }
}

impl Method for Solver {
    type Params = Parameters;
    const INFO: MethodInfo = MethodInfo {
        id: "stable_fluids",
        title: "Stable Fluids",
        summary: "Smoke, fire, wind and dye in water: carries everything along the flow, then takes the compression out. Stable at any step.",
        good_for: "smoke, fire, fog and ink that fill the picture; wind round obstacles; flow maps and loops. It takes any step, so it can run as fast as a game does.",
        not_for: "water with a surface, splashes and drops; sharp shocks; swirls that must keep their strength for long.",
        cost: Cost::Moderate,
        paper: "Stam 1999, Stable Fluids, SIGGRAPH",
        dims: &[2],
        parity: 1e-4,
        honours: &[
            Feature::Dye,
            Feature::Temperature,
            Feature::Velocity,
            Feature::Obstacles,
            Feature::MovingObstacles,
            Feature::Motors,
            Feature::OpenFaces,
            Feature::InflowFaces,
            Feature::PeriodicFaces,
            Feature::Gravity,
        ],
        fields: fields::FIELDS,
    };

    fn new(dev: &mut Device, scene: &SceneFrame, params: &Parameters) -> Result<Self> {
        let mac = super::mac_of(scene);
        let n = mac.grid.len();
        let diffusion = match &params.viscosity {
            Viscosity::Off(_) => None,
            v => Some(Diffusion::new(dev, &mac, v.solver())?),
        };
        let mut component = |label, axis| {
            Transported::new(
                dev,
                label,
                mac.velocity(axis).len(),
                1,
                params.velocity_advection,
            )
        };
        let velocity = [component("velocity x", 0)?, component("velocity y", 1)?];
        let mut solver = Self {
            mac,
            raster: Raster::new(dev, &mac.grid)?,
            velocity,
            scalars: Transported::new(dev, "dye and temperature", n, 4, params.dye_advection)?,
            covered: dev.buf("covered cells", n)?,
            projection: Projection::new(dev, &mac, &params.pressure)?,
            diffusion,
            scratch: dev.buf("scalar field", n)?,
            scratch2: dev.buf("vector field", 2 * n)?,
            measurement: Measurement::new(dev)?,
            solved: false,
            restored: false,
            carries: false,
            time: scene.time,
            dt: 0.0,
            substeps: 0,
            failure: None,
        };
        solver.raster.update(dev, scene)?;
        solver.raster.cover(dev, scene, &mut solver.covered);
        solver.rebuild(dev);
        Ok(solver)
    }

    fn memory_bytes(grid: &Grid, params: &Parameters) -> u64 {
        let mac = Mac::new(*grid, [Side::FreeSlip; 6]);
        let faces = (mac.velocity(0).len() + mac.velocity(1).len()) as u64;
        let cells = grid.len() as u64;
        let state = faces * Transported::bytes(1, params.velocity_advection)
            + cells * Transported::bytes(4, params.dye_advection);
        let viscosity = match &params.viscosity {
            Viscosity::Off(_) => 0,
            v => Diffusion::memory_bytes(&mac, v.solver()),
        };
        let pressure = Projection::memory_bytes(&mac, &params.pressure);
        state + viscosity + pressure + 16 * cells + Raster::memory_bytes(grid)
    }

    /// Semi-Lagrangian advection is stable at any step. Explicit viscosity needs `dt ≤ h²/(4ν)`.
    fn max_dt(&self, scene: &SceneFrame, params: &Parameters) -> f32 {
        match &params.viscosity {
            Viscosity::Explicit(p) => scene.grid.h * scene.grid.h / (4.0 * p.kinematic),
            _ => f32::INFINITY,
        }
    }

    fn step(&mut self, dev: &mut Device, scene: &SceneFrame, params: &Parameters, dt: f32) {
        if dt <= 0.0 {
            return;
        }
        if let Err(error) = self.prepare(dev, scene) {
            self.failure = Some(error);
            return;
        }
        self.force(dev, scene, params, dt);
        self.advect(dev, scene, params, dt);
        self.diffuse(dev, params, dt);
        self.project(dev, scene, params, dt);
        self.solved = true;
        self.time = scene.time + f64::from(dt);
        self.dt = dt;
        self.substeps += 1;
    }

    fn report(&mut self, dev: &mut Device) -> Result<Ticket<StepReport>> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let mut solves = Vec::new();
        if self.solved {
            solves.push(self.projection.report(dev)?);
            if let Some(diffusion) = &mut self.diffusion {
                solves.extend(diffusion.reports(dev)?);
            }
        }
        let totals = self.measurement.totals(
            dev,
            self.mac.pressure(),
            self.mac.grid.h,
            &self.projection.stencil,
            &self.velocity[0].now,
            &self.velocity[1].now,
            &self.scalars.now,
        );
        let (time, dt, grid) = (self.time, self.dt, self.mac.grid);
        let substeps = std::mem::take(&mut self.substeps);
        Ok(totals
            .and(Ticket::all(solves))
            .map(move |(totals, solves)| StepReport {
                time,
                dt,
                substeps,
                solves,
                invariants: invariants::invariants(&totals, &grid, dt),
                ..StepReport::default()
            }))
    }

    fn field(&mut self, dev: &mut Device, name: &str) -> Option<Field<'_>> {
        self.derived(dev, name)
    }

    fn state(&mut self) -> Vec<StatePart<'_>> {
        let [u, v] = &mut self.velocity;
        vec![
            StatePart::on_faces("velocity x", 0, &mut u.now),
            StatePart::on_faces("velocity y", 1, &mut v.now),
            StatePart::new("dye and temperature", &mut self.scalars.now),
            StatePart::new("pressure", &mut self.projection.pressure),
            StatePart::new("covered cells", &mut self.covered),
            StatePart::new("last step", &mut self.projection.step),
        ]
    }

    fn restored(&mut self) {
        self.solved = false;
        self.restored = true;
        self.carries = true;
    }
}
