//! Shallow water (Stelling and Duinmeijer 2003, *A staggered conservative scheme for every Froude number in rapidly varied
//! shallow water flows*), on a staggered grid (Arakawa and Lamb 1977, grid C), seen from above.
//!
//! Depth h over the ground z in the cells, velocities on their faces, surface η = z + h. One step:
//! 1. ground and walls as the scene has them; boats press on the water, which counts as ground of the same height
//! 2. springs, drops and rain change h; emitters, motors and strokes change u
//! 3. as many sub-steps as waves need, each of length dt ≤ C Δx / √(g H):
//!    - h ← h − dt ∇·(h u), upwind, with no more leaving a cell than it has; then what passes the faces of the domain
//!    - u ← u + dt (momentum of these fluxes − g ∇η − drag), with the new h
//!    - calm strips before absorbing faces; walls
//! 4. spray is thrown up, flies and lands (see [`spray`])
//! 5. foam is born where water breaks, ground gets wet; foam and dye move with the water
//!
//! H is [`Parameters::max_depth`], or one and a half times the deepest water at the start: water deeper than that feels less
//! gravity, so that no wave is faster, and the step is stable whatever happens. Volume is that of the start and what came
//! from outside since, to rounding: emitters, faces and calm strips keep accounts.

mod border;
mod derive;
mod fields;
mod look;
mod maps;
mod params;
pub mod spray;
mod step;
mod totals;
mod traces;
mod water;

pub use border::{Border, BorderU, Calm, Walls};
pub use derive::{Derive, WantedU};
pub use look::{Look as LookKernel, LookU};
pub use maps::{MapsU, ShoreColumns, ShoreRows, SurfaceNormal};
pub use params::{Look, Momentum, Parameters, Spray};
pub use spray::{SprayBirth, SprayFlight, SprayOver, SprayPush, SpraySettle, SprayU};
pub use totals::Totals;
pub use traces::{TraceU, Traces};
use water::MOST_CROSSED;
pub use water::{CARRIED, Depth, JOINED_X, JOINED_Y, Velocity, WaterU};

use super::{Cost, Feature, Field, Method, MethodInfo, StatePart, StepReport};
use crate::device::{Buf, Device, DeviceError, Kernel, KernelInfo, PARTIALS, Result, Ticket};
use crate::field::Grid;
use crate::grid::{Mac, Side};
use crate::scene::{Condition, Raster, SceneFrame};

/// Its own kernels.
pub const KERNELS: &[KernelInfo] = &[
    Depth::INFO,
    Velocity::INFO,
    Border::INFO,
    Calm::INFO,
    Walls::INFO,
    Traces::INFO,
    SprayBirth::INFO,
    SprayFlight::INFO,
    SprayPush::INFO,
    SpraySettle::INFO,
    SprayOver::INFO,
    Derive::INFO,
    LookKernel::INFO,
    SurfaceNormal::INFO,
    ShoreRows::INFO,
    ShoreColumns::INFO,
    Totals::INFO,
];

/// How much deeper than at the start water is expected to become.
const DEEPER: f32 = 1.5;
/// Least depth that is expected, in cells: where all is dry at first, water comes later.
const LEAST_DEPTH: f32 = 0.25;
/// Share of a cell that water may cross in a sub-step where it is driven, in whatever direction.
const DRIVEN_CROSSED: f32 = 0.45;
/// Sub-steps of one step, at most: beyond, the step is cut.
const MOST_SUBSTEPS: f32 = 512.0;

/// A state with room for the next one.
struct Pair {
    now: Buf<f32>,
    spare: Buf<f32>,
}

impl Pair {
    fn new(dev: &mut Device, label: &str, len: usize) -> Result<Self> {
        Ok(Self {
            now: dev.buf(label, len)?,
            spare: dev.buf(&format!("{label}, spare"), len)?,
        })
    }
    fn swap(&mut self) {
        std::mem::swap(&mut self.now, &mut self.spare);
    }
}

/// The state of the water.
pub struct Solver {
    mac: Mac,
    at: WaterU,
    edge: BorderU,
    look: LookU,
    maps: MapsU,
    raster: Raster,
    terrain: Option<u64>,
    /// Height of the ground, m.
    ground: Buf<f32>,
    /// The same with what presses on the water.
    head: Buf<f32>,
    pressed: bool,
    depth: Pair,
    velocity: [Pair; 2],
    flux: [Buf<f32>; 2],
    /// Depth that came from outside, less what left, m.
    added: Buf<f32>,
    /// Dye and foam.
    scalars: Pair,
    wet: Buf<f32>,
    covered: Buf<f32>,
    drops: Buf<f32>,
    landed: Buf<u32>,
    scratch: Buf<f32>,
    vector: Buf<f32>,
    color: Buf<f32>,
    partials: Buf<f32>,
    /// Largest depth that is expected, m: waves and sub-steps go by it, so it is a part of the state.
    expected: f32,
    pace: Buf<f32>,
    /// The scene of the last step, without what this method does not see.
    frame: Option<SceneFrame>,
    /// Whether there may be dye or foam anywhere.
    carries: bool,
    /// Whether there may be drops in the air.
    flying: bool,
    restored: bool,
    time: f64,
    substeps: u32,
    failure: Option<DeviceError>,
}

/// The scene as this method sees it: boats are no walls, and heat does nothing.
fn seen(scene: &SceneFrame) -> SceneFrame {
    let mut frame = scene.clone();
    frame.obstacles.retain(|o| o.turn[3] <= 0.0);
    for emitter in &mut frame.emitters {
        emitter.temperature_blend = 0;
    }
    frame
}

fn mac_of(scene: &SceneFrame) -> Mac {
    let sides = scene.faces.map(|face| match face.condition {
        Condition::NoSlip | Condition::FreeSlip => Side::FreeSlip,
        Condition::Open | Condition::Absorbing => Side::Open,
        Condition::Periodic => Side::Periodic,
        Condition::Inflow => Side::Inflow(face.velocity),
    });
    Mac::new(scene.grid, sides)
}

fn edge_of(scene: &SceneFrame, p: &Parameters) -> BorderU {
    let face = |n: usize| scene.faces[n].condition;
    let kind = |n: usize| match face(n) {
        // Behind a calm strip there is a wall.
        Condition::NoSlip | Condition::FreeSlip | Condition::Absorbing => border::CLOSED,
        Condition::Open => border::OPEN,
        Condition::Periodic => border::JOINED,
        Condition::Inflow => border::INFLOW,
    };
    let calm = |n: usize| {
        if face(n) == Condition::Absorbing {
            p.calm_width
        } else {
            0.0
        }
    };
    BorderU {
        kind: std::array::from_fn(kind),
        speed: std::array::from_fn(|n| scene.faces[n].velocity[n / 2]),
        calm: std::array::from_fn(calm),
        strength: p.calm_strength,
        unused0: 0.0,
        unused1: 0.0,
        unused2: 0.0,
    }
}

fn length(v: [f32; 3]) -> f32 {
    v.iter().map(|x| x * x).sum::<f32>().sqrt()
}

impl Solver {
    /// Depth for which the sub-step is made, m.
    fn deepest(&self, p: &Parameters) -> f32 {
        if p.max_depth > 0.0 {
            p.max_depth
        } else {
            self.expected
        }
    }

    /// Longest sub-step, s: C Δx / √(g H), and no more than what drives the water lets it cross.
    fn sub_dt(&self, scene: &SceneFrame, p: &Parameters) -> f32 {
        let wave = (length(scene.gravity) * self.deepest(p)).sqrt();
        let flow = driven(scene).min(p.max_speed);
        let h = scene.grid.h;
        (p.courant * h / wave.max(1e-6)).min(DRIVEN_CROSSED * h / flow.max(1e-6))
    }

    fn water(&self, scene: &SceneFrame, p: &Parameters, dt: f32) -> WaterU {
        let [nx, ny, _] = scene.grid.cells;
        let joined = |axis: usize, bit: u32| if scene.periodic(axis) { bit } else { 0 };
        let carried = if p.momentum == Momentum::Conservative {
            CARRIED
        } else {
            0
        };
        WaterU {
            cells: [nx, ny],
            flags: joined(0, JOINED_X) | joined(1, JOINED_Y) | carried,
            h: scene.grid.h,
            dt,
            gravity: length(scene.gravity),
            dry: p.film,
            friction: p.friction,
            max_speed: p.max_speed.min(MOST_CROSSED * scene.grid.h / dt.max(1e-12)),
            deepest: self.deepest(p),
            rest: p.rest_level,
            fastest: p.max_speed,
        }
    }

    /// Water at rest over the ground.
    fn fill(&mut self, dev: &mut Device, scene: &SceneFrame, p: &Parameters) -> Result<()> {
        let ground = dev.read(&self.ground)?;
        let depth: Vec<f32> = ground.iter().map(|z| (p.rest_level - z).max(0.0)).collect();
        dev.write(&mut self.depth.now, &depth);
        // Springs may hold more water than there is at first.
        let springs = scene
            .liquids
            .iter()
            .filter(|l| l.mode > 1)
            .map(|l| l.height[1]);
        let deepest = depth
            .into_iter()
            .chain(springs)
            .fold(LEAST_DEPTH * scene.grid.h, f32::max);
        self.expect(dev, DEEPER * deepest);
        Ok(())
    }

    fn expect(&mut self, dev: &mut Device, deepest: f32) {
        self.expected = deepest;
        dev.write(&mut self.pace, &[deepest]);
    }

    /// Springs that have begun since may hold more water than there was.
    fn follow_springs(&mut self, dev: &mut Device, scene: &SceneFrame) {
        let springs = scene.liquids.iter().filter(|l| l.mode > 1);
        let deepest = springs.map(|l| DEEPER * l.height[1]).fold(0.0, f32::max);
        if deepest > self.expected {
            self.expect(dev, deepest);
        }
    }
}

/// Fastest flow that brushes, emitters, walls and inflows drive, m/s.
fn driven(scene: &SceneFrame) -> f32 {
    let size = |v: &[f32]| (v[0] * v[0] + v[1] * v[1]).sqrt();
    let strokes = scene.strokes.iter().map(|s| size(&s.velocity));
    let walls = scene.obstacles.iter().map(|o| size(&o.velocity));
    let emitters = scene.emitters.iter().filter(|e| e.velocity_blend > 1);
    let emitters = emitters.map(|e| size(&e.velocity));
    let inflows = scene.faces[..4].iter();
    let inflows = inflows.filter(|f| f.condition == Condition::Inflow);
    let inflows = inflows.map(|f| size(&f.velocity));
    let all = strokes.chain(walls).chain(emitters).chain(inflows);
    all.fold(0.0, f32::max)
}

impl Method for Solver {
    type Params = Parameters;
    const INFO: MethodInfo = MethodInfo {
        id: "shallow_water",
        title: "Shallow Water",
        summary: "Ponds, rivers, floods and shores as a height over the ground: waves, wakes, bores, wet and dry land, foam and spray.",
        good_for: "water seen from above that is wide and not deep: rain on a pond, boats and their wakes, rivers round rocks, waves that run up a shore, floods and dams that break. Maps of height, normals, flow, foam and the distance to the shore.",
        not_for: "smoke and fire; waves that curl over; what goes on below the surface; waves shorter than the water is deep, which run slower in nature.",
        cost: Cost::Moderate,
        paper: "Stelling and Duinmeijer 2003, A staggered conservative scheme for every Froude number in rapidly varied shallow water flows, Int. J. Numer. Meth. Fluids 43",
        dims: &[2],
        parity: 1e-3,
        honours: &[
            Feature::Dye,
            Feature::Velocity,
            Feature::Obstacles,
            Feature::MovingObstacles,
            Feature::Motors,
            Feature::OpenFaces,
            Feature::InflowFaces,
            Feature::PeriodicFaces,
            Feature::Gravity,
            Feature::AbsorbingFaces,
            Feature::Terrain,
            Feature::Liquid,
            Feature::Boats,
        ],
        fields: fields::FIELDS,
    };

    fn new(dev: &mut Device, scene: &SceneFrame, params: &Parameters) -> Result<Self> {
        let frame = seen(scene);
        let mac = mac_of(&frame);
        let n = mac.grid.len();
        let faces = [0, 1].map(|axis| mac.velocity(axis).len());
        let strips = mac.grid.cells[0].div_ceil(spray::STRIP) * mac.grid.cells[1];
        let mut solver = Self {
            mac,
            at: bytemuck::Zeroable::zeroed(),
            edge: edge_of(&frame, params),
            look: fields::look_of(params),
            maps: fields::maps_of(params),
            raster: Raster::new(dev, &mac.grid)?,
            terrain: None,
            ground: dev.buf("ground", n)?,
            head: dev.buf("ground and load", n)?,
            pressed: false,
            depth: Pair::new(dev, "depth", n)?,
            velocity: [
                Pair::new(dev, "velocity x", faces[0])?,
                Pair::new(dev, "velocity y", faces[1])?,
            ],
            flux: [dev.buf("flux x", faces[0])?, dev.buf("flux y", faces[1])?],
            added: dev.buf("water from outside", n)?,
            scalars: Pair::new(dev, "dye and foam", 4 * n)?,
            wet: dev.buf("wetness", n)?,
            covered: dev.buf("covered cells", n)?,
            drops: dev.buf("drops", (strips * spray::NUMBERS) as usize)?,
            landed: dev.buf("landings", spray::LANDED as usize * n)?,
            scratch: dev.buf("scalar field", n)?,
            vector: dev.buf("vector field", 2 * n)?,
            color: dev.buf("color field", 3 * n)?,
            partials: dev.buf("partial totals", PARTIALS * totals::VALUES)?,
            expected: 1.0,
            pace: dev.buf("expected depth", 1)?,
            frame: None,
            carries: false,
            flying: false,
            restored: false,
            time: scene.time,
            substeps: 0,
            failure: None,
        };
        solver.raster.update(dev, &frame)?;
        solver.raster.cover(dev, &frame, &mut solver.covered);
        solver.ground_of(dev, &frame)?;
        dev.copy(&solver.ground, &mut solver.head);
        solver.pressed = true;
        solver.fill(dev, &frame, params)?;
        solver.at = solver.water(&frame, params, frame.dt);
        solver.frame = Some(frame);
        Ok(solver)
    }

    fn memory_bytes(grid: &Grid, _: &Parameters) -> u64 {
        let mac = Mac::new(*grid, [Side::FreeSlip; 6]);
        let faces = (mac.velocity(0).len() + mac.velocity(1).len()) as u64;
        let strips = u64::from(grid.cells[0].div_ceil(spray::STRIP) * grid.cells[1]);
        let cells = grid.len() as u64;
        let numbers = 24 * cells + 3 * faces + strips * u64::from(spray::NUMBERS);
        4 * numbers + Raster::memory_bytes(grid)
    }

    /// It takes its own sub-steps, of at most C Δx / √(g H); only hundreds of them are cut into several steps.
    fn max_dt(&self, scene: &SceneFrame, params: &Parameters) -> f32 {
        MOST_SUBSTEPS * self.sub_dt(scene, params)
    }

    fn step(&mut self, dev: &mut Device, scene: &SceneFrame, params: &Parameters, dt: f32) {
        if dt <= 0.0 {
            return;
        }
        if let Err(error) = self.advance(dev, scene, params, dt) {
            self.failure = Some(error);
        }
    }

    fn report(&mut self, dev: &mut Device) -> Result<Ticket<StepReport>> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let at = self.at;
        let [u, v] = self.velocity.each_ref().map(|c| &c.now);
        let (depth, ground, added) = (&self.depth.now, &self.ground, &self.added);
        let (drops, partials) = (&self.drops, &mut self.partials);
        let items = [PARTIALS as u32, 1, 1];
        dev.run(
            items,
            Totals {
                at,
                depth,
                ground,
                u,
                v,
                added,
                drops,
                partials,
            },
        );
        let time = self.time;
        let substeps = std::mem::take(&mut self.substeps);
        Ok(dev
            .read_later(&self.partials)
            .map(move |partials| StepReport {
                time,
                dt: at.dt,
                substeps,
                invariants: totals::invariants(&partials, &at),
                notices: totals::notices(&partials, &at),
                ..StepReport::default()
            }))
    }

    fn field(&mut self, dev: &mut Device, name: &str) -> Option<Field<'_>> {
        self.derived(dev, name)
    }

    fn state(&mut self) -> Vec<StatePart<'_>> {
        let [u, v] = &mut self.velocity;
        vec![
            StatePart::new("depth", &mut self.depth.now),
            StatePart::on_faces("velocity x", 0, &mut u.now),
            StatePart::on_faces("velocity y", 1, &mut v.now),
            StatePart::new("dye and foam", &mut self.scalars.now),
            StatePart::new("wetness", &mut self.wet),
            StatePart::new("water from outside", &mut self.added),
            StatePart::new("drops", &mut self.drops),
            StatePart::new("covered cells", &mut self.covered),
            StatePart::new("expected depth", &mut self.pace),
        ]
    }

    fn restored(&mut self) {
        self.restored = true;
        self.carries = true;
        self.flying = true;
    }
}
