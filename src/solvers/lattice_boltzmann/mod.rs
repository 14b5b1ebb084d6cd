//! Lattice Boltzmann on the D2Q9 lattice (McNamara and Zanetti 1988; Qian, d'Humières and Lallemand 1992; the book of
//! Krüger et al. 2017, *The Lattice Boltzmann Method*).
//!
//! The state is nine populations a cell, the share of the fluid that moves in each direction. One step of `dt` s:
//! 1. how many lattice steps it has, and how long they are ([`units`]); populations follow when that changes
//! 2. emit dye and heat; the acceleration that takes the velocity in this step to where emitters, motors and strokes want it,
//!    with buoyancy and vorticity confinement
//! 3. each lattice step: stream, bounce off what is in the way ([`links`]), collide ([`sets`]), under that acceleration
//! 4. density and velocity from the populations
//! 5. dye and temperature are carried along the velocity, as in other methods on a grid
//!
//! The pressure needs no solve: it is the density, times a third of the square of the lattice's speed.

pub mod cells;
mod fields;
pub mod links;
mod params;
mod report;
pub mod sets;
mod steps;
pub mod stream;
pub mod units;

pub use super::transport::{Backtrace, Limiter, Scheme};
pub use params::{
    AutoSteps, Collision, FixedSteps, OneRate, Parameters, Regularised, Steps, TwoRates,
};

use super::transport::Transported;
use super::{Cost, Feature, Field, Method, MethodInfo, StatePart, StepReport, mac_of};
use crate::device::{Buf, Device, DeviceError, Kernel, KernelInfo, Result, Ticket};
use crate::field::Grid;
use crate::grid::{Mac, Side};
use crate::scene::{Raster, SceneFrame};
use cells::{
    LatticeFaces, LatticeForce, LatticeMeasure, LatticeMoments, LatticePressure, LatticeRescale,
    LatticeSolids, LatticeVelocity, Measurement, RescaleU,
};
use links::LatticeMarks;
use sets::d2q9::Q;
use stream::{LatticeStep, LatticeU};
use units::Units;

/// Its kernels.
pub const KERNELS: &[KernelInfo] = &[
    LatticeMarks::INFO,
    LatticeStep::INFO,
    LatticeMoments::INFO,
    LatticeFaces::INFO,
    LatticeForce::INFO,
    LatticeRescale::INFO,
    LatticeSolids::INFO,
    LatticeMeasure::INFO,
    LatticeVelocity::INFO,
    LatticePressure::INFO,
];

/// The state of the fluid.
pub struct Solver {
    mac: Mac,
    raster: Raster,
    /// Populations without their weights, all of one direction after the other.
    populations: Buf<f32>,
    /// Where the next ones are put.
    next: Buf<f32>,
    /// ρ − 1.
    rho: Buf<f32>,
    /// Velocity in cells, m/s.
    velocity: [Buf<f32>; 2],
    /// The same on faces.
    faces: [Buf<f32>; 2],
    /// Length of the last lattice step in s, and the speed that was reckoned with in m/s; zeros before the first.
    lattice: Buf<f32>,
    scalars: Transported,
    /// 1 in the cells that were solid in the step before.
    covered: Buf<f32>,
    marks: Buf<u32>,
    /// Acceleration in cells a step², all along x, then all along y.
    force: Buf<f32>,
    /// Where emitters, motors and strokes take the velocity.
    pushed: [Buf<f32>; 2],
    /// One number a cell: vorticity during a step, then whatever field was asked for.
    scratch: Buf<f32>,
    /// Two numbers a cell: acceleration during a step, then the velocity that is shown.
    scratch2: Buf<f32>,
    measurement: Measurement,
    /// What `lattice` holds, unless the state was put back.
    known: Option<[f32; 2]>,
    /// Whether the state was put back since the last step.
    restored: bool,
    /// Whether there is a force anywhere.
    forced: bool,
    /// Whether there may be dye or heat anywhere.
    carries: bool,
    said: report::Said,
    time: f64,
    dt: f32,
    substeps: u32,
    failure: Option<DeviceError>,
}

impl Solver {
    /// Follows the scene: faces of the domain, obstacles, and the length of the lattice step.
    fn prepare(
        &mut self,
        dev: &mut Device,
        scene: &SceneFrame,
        p: &Parameters,
        dt: f32,
    ) -> Result<(Units, LatticeU)> {
        let moved = self.raster.update(dev, scene)?;
        let mac = mac_of(scene);
        let faces = mac.sides != self.mac.sides;
        self.mac = mac;
        let [before, kept] = self.recall(dev)?;
        let length = scene.grid.size()[0].max(scene.grid.size()[1]);
        let top = units::top_speed(scene, p).max(units::after(kept, dt, length));
        let units = Units::new(scene.grid.h, dt, top, p);
        if let Some(why) = units.refusal(p) {
            return Err(DeviceError::Unfit(why));
        }
        let lattice = self.uniform(&units, p);
        if before > 0.0 && before != units.dt {
            let tau = |dt: f32| 0.5 + 3.0 * p.viscosity * dt / (units.h * units.h);
            let speed = units.dt / before;
            let stress = speed * tau(units.dt) / tau(before);
            let (by, f) = (RescaleU { speed, stress }, &mut self.populations);
            dev.run(self.mac.grid.cells, LatticeRescale { lattice, by, f });
        }
        dev.write(&mut self.lattice, &[units.dt, top]);
        self.known = Some([units.dt, top]);
        if moved || faces {
            self.mark(dev, lattice);
        }
        if !scene.obstacles.is_empty() {
            let Raster {
                solid,
                solid_velocity,
                ..
            } = &self.raster;
            let f = &mut self.populations;
            dev.run(
                self.mac.grid.cells,
                LatticeSolids {
                    lattice,
                    solid,
                    solid_velocity,
                    f,
                },
            );
        }
        self.carries |= !scene.emitters.is_empty() || !scene.strokes.is_empty();
        if moved || std::mem::take(&mut self.restored) {
            let scalars = &mut self.scalars.now;
            self.raster.uncover(dev, scene, &mut self.covered, scalars);
        }
        self.said.scene(scene, &units, p);
        Ok((units, lattice))
    }

    /// Length of the last lattice step, and the speed that it reckoned with.
    fn recall(&mut self, dev: &mut Device) -> Result<[f32; 2]> {
        if let Some(known) = self.known {
            return Ok(known);
        }
        let read = dev.read(&self.lattice)?;
        let known = [0, 1].map(|i| read.get(i).copied().unwrap_or(0.0));
        self.known = Some(known);
        Ok(known)
    }

    fn mark(&mut self, dev: &mut Device, lattice: LatticeU) {
        let [_, ny, _, words] = lattice.cells;
        let (solid, marks) = (&self.raster.solid, &mut self.marks);
        dev.run(
            [words, ny, 1],
            LatticeMarks {
                lattice,
                solid,
                marks,
            },
        );
    }

    fn uniform(&self, units: &Units, p: &Parameters) -> LatticeU {
        let grid = &self.mac.grid;
        let [nx, ny, nz] = grid.cells;
        let scale = 1.0 / units.scale();
        let kind = |side: Side| match side {
            Side::NoSlip(_) | Side::Inflow(_) => links::WALL,
            Side::FreeSlip => links::SLIP,
            Side::Open => links::OPEN,
            Side::Periodic => links::JOINED,
        };
        let velocity = |side: Side| match side {
            Side::NoSlip(v) | Side::Inflow(v) => [v[0] * scale, v[1] * scale, 0.0, 0.0],
            _ => [0.0; 4],
        };
        let [left, right, bottom, top, ..] = self.mac.sides;
        let eddies = 18.0 * std::f32::consts::SQRT_2 * p.eddy_viscosity * p.eddy_viscosity;
        let (kind_of, magic) = match &p.collision {
            Collision::OneRate(_) => (sets::BGK, 0.25),
            Collision::TwoRates(two) => (sets::TRT, two.magic),
            Collision::Regularised(_) => (sets::REGULARISED, 0.25),
        };
        LatticeU {
            cells: [nx, ny, nz, nx.div_ceil(32)],
            kinds: [left, right, bottom, top].map(kind),
            left: velocity(left),
            right: velocity(right),
            bottom: velocity(bottom),
            top: velocity(top),
            relax: [units.tau, magic, eddies, scale],
            mode: [kind_of, u32::from(eddies > 0.0), 0, 0],
        }
    }
}

impl Method for Solver {
    type Params = Parameters;
    const INFO: MethodInfo = MethodInfo {
        id: "lattice_boltzmann",
        title: "Lattice Boltzmann",
        summary: "Wind, wakes and jets: populations stream from cell to cell and collide. Swirls keep their strength, and no pressure is solved for.",
        good_for: "wakes, vortex streets and jets that stay lively for long; flow round many obstacles; large grids on a GPU, where its time a frame never varies.",
        not_for: "long steps, very fast or very thick fluids: each needs many lattice steps; water with a surface.",
        cost: Cost::Costly,
        paper: "Qian, d'Humières and Lallemand 1992, Lattice BGK models for Navier-Stokes equation, Europhysics Letters",
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
        let mac = mac_of(scene);
        let n = mac.grid.len();
        let [nx, ny, _] = mac.grid.cells.map(|n| n as usize);
        let [u_faces, v_faces] = [0, 1].map(|axis| mac.velocity(axis).len());
        let mut solver = Self {
            mac,
            raster: Raster::new(dev, &mac.grid)?,
            populations: dev.buf("populations", Q * n)?,
            next: dev.buf("next populations", Q * n)?,
            rho: dev.buf("density", n)?,
            velocity: [dev.buf("velocity x", n)?, dev.buf("velocity y", n)?],
            faces: [
                dev.buf("velocity x on faces", u_faces)?,
                dev.buf("velocity y on faces", v_faces)?,
            ],
            lattice: dev.buf("lattice step", 2)?,
            scalars: Transported::new(dev, "dye and temperature", n, 4, params.dye_advection)?,
            covered: dev.buf("covered cells", n)?,
            marks: dev.buf("marks", nx.div_ceil(32) * ny)?,
            force: dev.buf("force", 2 * n)?,
            pushed: [dev.buf("pushed x", n)?, dev.buf("pushed y", n)?],
            scratch: dev.buf("scalar field", n)?,
            scratch2: dev.buf("vector field", 2 * n)?,
            measurement: Measurement::new(dev)?,
            known: Some([0.0; 2]),
            restored: false,
            forced: false,
            carries: false,
            said: report::Said::default(),
            time: scene.time,
            dt: 0.0,
            substeps: 0,
            failure: None,
        };
        solver.raster.update(dev, scene)?;
        solver.raster.cover(dev, scene, &mut solver.covered);
        let units = Units::new(mac.grid.h, scene.dt.max(1e-6), 0.0, params);
        let lattice = solver.uniform(&units, params);
        solver.mark(dev, lattice);
        Ok(solver)
    }

    fn memory_bytes(grid: &Grid, params: &Parameters) -> u64 {
        let mac = Mac::new(*grid, [Side::FreeSlip; 6]);
        let faces = (mac.velocity(0).len() + mac.velocity(1).len()) as u64;
        let cells = grid.len() as u64;
        let [nx, ny, _] = grid.cells.map(u64::from);
        // Two sets of populations, density, velocity, covered, force, pushed, fields.
        let numbers = 2 * Q as u64 + 1 + 2 + 1 + 2 + 2 + 3;
        let scalars = Transported::bytes(4, params.dye_advection);
        let rest = 4 * faces + 4 * nx.div_ceil(32) * ny + Raster::memory_bytes(grid);
        cells * (4 * numbers + scalars) + rest
    }

    /// As many lattice steps as are done at most in one step, each `min(s h/u, h²/(6ν))` s long: u the fastest thing in the
    /// scene or of the last step, s the cells that it moves in a lattice step. Infinite for a given number of lattice steps.
    fn max_dt(&self, scene: &SceneFrame, params: &Parameters) -> f32 {
        let Steps::Auto(auto) = &params.steps else {
            return f32::INFINITY;
        };
        // What drove the flow before may be gone; the flow is not.
        let flow = self.known.map_or(0.0, |[_, top]| top);
        let top = units::top_speed(scene, params).max(flow);
        let longest = units::longest(scene.grid.h, top, auto.speed, params.viscosity);
        units::MOST_STEPS as f32 * longest
    }

    fn step(&mut self, dev: &mut Device, scene: &SceneFrame, params: &Parameters, dt: f32) {
        if dt <= 0.0 {
            return;
        }
        let (units, mut lattice) = match self.prepare(dev, scene, params, dt) {
            Ok(ready) => ready,
            Err(error) => {
                self.failure = Some(error);
                return;
            }
        };
        let rows = self.accelerate(dev, scene, params, dt, &units, lattice);
        [lattice.mode[2], lattice.mode[3]] = rows;
        self.stream(dev, lattice, units.steps);
        self.moments(dev, lattice, Self::scale(&units, dt));
        self.carry(dev, scene, params, dt);
        self.time = scene.time + f64::from(dt);
        self.dt = dt;
        self.substeps += 1;
    }

    fn report(&mut self, dev: &mut Device) -> Result<Ticket<StepReport>> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let lattice = self.uniform(&self.said.units(), &Parameters::default());
        let [u, v] = &self.velocity;
        let totals = self.measurement.totals(
            dev,
            lattice,
            &self.rho,
            [u, v],
            &self.scalars.now,
            &self.raster.solid,
        );
        let (time, dt, said) = (self.time, self.dt, self.said.clone());
        let substeps = std::mem::take(&mut self.substeps);
        Ok(totals.map(move |totals| StepReport {
            time,
            dt,
            substeps,
            invariants: said.invariants(&totals, dt),
            notices: said.notices(&totals),
            ..StepReport::default()
        }))
    }

    fn field(&mut self, dev: &mut Device, name: &str) -> Option<Field<'_>> {
        self.derived(dev, name)
    }

    fn state(&mut self) -> Vec<StatePart<'_>> {
        let [u, v] = &mut self.velocity;
        vec![
            StatePart::new("velocity x", u),
            StatePart::new("velocity y", v),
            StatePart::new("density", &mut self.rho),
            StatePart::new("populations", &mut self.populations),
            StatePart::new("dye and temperature", &mut self.scalars.now),
            StatePart::new("covered cells", &mut self.covered),
            StatePart::new("lattice step", &mut self.lattice),
        ]
    }

    fn restored(&mut self) {
        self.known = None;
        self.restored = true;
        self.carries = true;
        self.forced = true;
    }
}
