//! The scene at a time: plain data that every method reads.
//!
//! Everything that changes with time is evaluated here: activity, flicker, paths, spins and brush strokes. What is
//! disabled or has no strength is left out. Items that cross a periodic face appear again at the opposite one.

use std::hash::{DefaultHasher, Hasher};

use super::masks::Masks;
use super::motion::{finite, finite3, flicker};
use super::place::{FAR, PlaceU, Put};
use super::records::{EmitterU, MotorU, ObstacleU, ReliefU, StrokeU};
use super::{Blend, Condition, Emitter, Motor, MotorKind, Obstacle, Scene, Slip, Stroke};
use crate::field::Grid;
use crate::params::Choice;

/// Copies of an item along a periodic axis, at most.
const MAX_COPIES: i32 = 4;

/// One face of the domain at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FaceFrame {
    /// What happens there. Periodic faces come in pairs.
    pub condition: Condition,
    /// Velocity of the wall or of the fluid that enters, m/s.
    pub velocity: [f32; 3],
}

/// How something moves besides its own path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drift {
    /// Of its centre, m/s.
    pub velocity: [f32; 3],
    /// About x, y and z, °/s.
    pub turn: [f32; 3],
}

/// The scene, evaluated at the beginning of a step.
#[derive(Clone, Debug)]
pub struct SceneFrame {
    /// The grid of cells.
    pub grid: Grid,
    /// Time at the beginning of the step, s.
    pub time: f64,
    /// Length of the step, s.
    pub dt: f32,
    /// Number of the simulation frame.
    pub frame: u32,
    /// Faces in the order x−, x+, y−, y+, z−, z+.
    pub faces: [FaceFrame; 6],
    /// Acceleration of gravity, m/s².
    pub gravity: [f32; 3],
    /// Expansion with temperature, 1/K.
    pub buoyancy: f32,
    /// Relative density of dye at brightness one.
    pub dye_weight: f32,
    /// Seed of everything random.
    pub seed: u32,
    /// Emitters that act.
    pub emitters: Vec<EmitterU>,
    /// Obstacles that are there.
    pub obstacles: Vec<ObstacleU>,
    /// Pieces of the ground, in order.
    pub terrain: Vec<ReliefU>,
    /// What adds water or takes it away.
    pub liquids: Vec<ReliefU>,
    /// How deep boats press the surface down. They are among the obstacles too.
    pub boats: Vec<ReliefU>,
    /// Motors that push.
    pub motors: Vec<MotorU>,
    /// Strokes that act.
    pub strokes: Vec<StrokeU>,
    /// Pictures that shapes refer to.
    pub masks: Masks,
}

impl SceneFrame {
    /// Whether the faces of an axis are joined.
    pub fn periodic(&self, axis: usize) -> bool {
        self.faces[2 * axis].condition == Condition::Periodic
    }

    /// A number that changes when the terrain or the grid changes.
    pub fn terrain_revision(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        hasher.write(bytemuck::bytes_of(&self.grid.cells));
        hasher.write_u32(self.grid.h.to_bits());
        hasher.write(bytemuck::cast_slice(&self.terrain));
        hasher.write_u64(self.masks.revision());
        hasher.finish()
    }

    /// A number that changes when obstacles (place, shape, motion, surface) or the grid change.
    pub fn obstacle_revision(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        hasher.write(bytemuck::bytes_of(&self.grid.cells));
        hasher.write_u32(self.grid.h.to_bits());
        hasher.write(bytemuck::cast_slice(&self.obstacles));
        hasher.write_u64(self.masks.revision());
        hasher.finish()
    }
}

impl Scene {
    /// The scene during the step from `time_s` to `time_s + dt_s`, which lies in simulation frame `frame`. Frames are
    /// `frame_dt_s` long and frame 0 begins at time 0; brush strokes use that to find the part of the frame's way that
    /// the brush goes during this step. Obstacles, emitters and motors stand where they are at `time_s`.
    pub fn at(
        &self,
        time_s: f64,
        dt_s: f32,
        frame: u32,
        frame_dt_s: f32,
        masks: &Masks,
    ) -> SceneFrame {
        self.at_with(time_s, dt_s, frame, frame_dt_s, masks, &[])
    }

    /// As [`Scene::at`], where obstacles also move as `drifts` say, in the same order; those that are missing do not.
    pub fn at_with(
        &self,
        time_s: f64,
        dt_s: f32,
        frame: u32,
        frame_dt_s: f32,
        masks: &Masks,
        drifts: &[Drift],
    ) -> SceneFrame {
        let domain = &self.domain;
        let faces = [0, 1, 2, 3, 4, 5].map(|i| {
            let face = domain.faces(i / 2)[i % 2];
            FaceFrame {
                condition: if domain.periodic(i / 2) {
                    Condition::Periodic
                } else {
                    face.condition
                },
                velocity: finite3(face.velocity),
            }
        });
        let env = &self.environment;
        let build = Build {
            grid: domain.grid(),
            time: time_s,
            dt: dt_s,
            seed: self.seed,
            periodic: [0, 1, 2].map(|axis| domain.periodic(axis)),
            masks,
        };
        let shares = shares(time_s, dt_s, frame, frame_dt_s);
        let mut out = SceneFrame {
            grid: build.grid,
            time: time_s,
            dt: dt_s,
            frame,
            faces,
            gravity: finite3(env.gravity),
            buoyancy: finite(env.buoyancy),
            dye_weight: finite(env.dye_weight),
            seed: self.seed,
            emitters: Vec::new(),
            obstacles: Vec::new(),
            terrain: Vec::new(),
            liquids: Vec::new(),
            boats: Vec::new(),
            motors: Vec::new(),
            strokes: Vec::new(),
            masks: masks.clone(),
        };
        for (i, item) in self.emitters.iter().enumerate().filter(|e| e.1.enabled) {
            build.emitter(i as u32, item, &mut out.emitters);
            build.liquid(i as u32, item, &mut out.liquids);
        }
        for item in self.terrain.iter().filter(|t| t.enabled) {
            build.terrain(item, &mut out.terrain);
        }
        for (i, item) in self.obstacles.iter().enumerate().filter(|o| o.1.enabled) {
            build.obstacle(item, drifts.get(i), &mut out.obstacles);
            build.boat(item, &mut out.boats);
        }
        for item in self.motors.iter().filter(|m| m.enabled) {
            build.motor(item, &mut out.motors);
        }
        for item in self.strokes.iter().filter(|s| s.enabled) {
            build.stroke(item, frame, shares, frame_dt_s, &mut out.strokes);
        }
        out
    }
}

/// The part of the frame that a step covers, as two shares of it; the whole frame where time and frame do not fit.
fn shares(time_s: f64, dt_s: f32, frame: u32, frame_dt_s: f32) -> [f32; 2] {
    let length = f64::from(frame_dt_s).max(1e-9);
    let begin = time_s / length - f64::from(frame);
    let end = begin + f64::from(dt_s) / length;
    if begin > -0.01 && end < 1.01 && end > begin {
        [begin, end].map(|v| v.clamp(0.0, 1.0) as f32)
    } else {
        [0.0, 1.0]
    }
}

/// What all items need when they are evaluated.
pub(super) struct Build<'a> {
    pub grid: Grid,
    pub time: f64,
    pub dt: f32,
    pub seed: u32,
    periodic: [bool; 3],
    pub masks: &'a Masks,
}

impl Build<'_> {
    fn flat(&self) -> bool {
        self.grid.dim() == 2
    }

    pub fn put(&self, centre: [f32; 3], rotation: [f32; 3], spin: f32) -> Put {
        Put {
            centre,
            rotation: [rotation[0], rotation[1], finite(rotation[2]) + spin],
            flat: self.flat(),
            margin: self.grid.h,
            least: 0.0,
        }
    }

    fn emitter(&self, index: u32, item: &Emitter, out: &mut Vec<EmitterU>) {
        let strength =
            item.activity.at(self.time) * flicker(item.flicker, self.seed, index, self.time);
        let blends = [item.dye_blend, item.velocity_blend, item.temperature_blend];
        if strength == 0.0 || blends == [Blend::Off; 3] {
            return;
        }
        let put = self.put(
            item.position_at(self.time),
            item.rotation,
            item.path.angle_at(self.time),
        );
        let Some(place) = PlaceU::new(&item.shape, self.masks, &put) else {
            return;
        };
        let ([r, g, b], [x, y, z]) = (finite3(item.dye), finite3(item.velocity));
        let emitter = EmitterU {
            place,
            dye: [r, g, b, finite(item.temperature)],
            velocity: [x, y, z, strength],
            dye_blend: item.dye_blend.index() as u32,
            velocity_blend: item.velocity_blend.index() as u32,
            temperature_blend: item.temperature_blend.index() as u32,
            ramp: 1.0 / finite(item.softness).max(self.grid.h),
        };
        out.extend(self.copies(place.low, place.high).map(|by| EmitterU {
            place: place.shifted(by),
            ..emitter
        }));
    }

    fn obstacle(&self, item: &Obstacle, drift: Option<&Drift>, out: &mut Vec<ObstacleU>) {
        let mut put = self.put(
            item.position_at(self.time),
            item.rotation,
            item.path.angle_at(self.time),
        );
        // Thinner than a cell's diagonal, a wall would have holes.
        put.least = self.grid.h * std::f32::consts::FRAC_1_SQRT_2;
        let Some(place) = PlaceU::new(&item.shape, self.masks, &put) else {
            return;
        };
        let (mut v, mut turn) = (item.path.at(self.time).1, finite(item.path.spin));
        if let Some(drift) = drift {
            let by = finite3(drift.velocity);
            v = [0, 1, 2].map(|i| v[i] + by[i]);
            turn += finite(drift.turn[2]);
        }
        if self.flat() {
            v[2] = 0.0;
        }
        let slides = f32::from(u8::from(item.surface == Slip::FreeSlip));
        let obstacle = ObstacleU {
            place,
            velocity: [v[0], v[1], v[2], slides],
            turn: [0.0, 0.0, turn.to_radians(), finite(item.draught).max(0.0)],
        };
        out.extend(self.copies(place.low, place.high).map(|by| ObstacleU {
            place: place.shifted(by),
            ..obstacle
        }));
    }

    fn motor(&self, item: &Motor, out: &mut Vec<MotorU>) {
        let strength = finite(item.strength) * item.activity.at(self.time);
        let radius = finite(item.radius);
        if strength == 0.0 || radius <= 0.0 {
            return;
        }
        let mut c = item.position_at(self.time);
        if self.flat() {
            c[2] = 0.0;
        }
        let (mut direction, mut inflow) = ([0.0; 3], 0.0);
        match &item.kind {
            MotorKind::Directional(kind) => direction = unit(finite3(kind.direction)),
            MotorKind::Omni(_) => {}
            MotorKind::Vortex(kind) => inflow = finite(kind.inflow),
        }
        let motor = MotorU {
            centre: [c[0], c[1], c[2], radius],
            direction: [direction[0], direction[1], direction[2], strength],
            falloff: finite(item.falloff).max(0.0),
            inflow,
            kind: item.kind.index() as u32,
            core: self.grid.h,
        };
        let (low, high) = (c.map(|v| v - radius), c.map(|v| v + radius));
        out.extend(self.shifts(low, high).map(|by| MotorU {
            centre: [c[0] + by[0], c[1] + by[1], c[2] + by[2], radius],
            ..motor
        }));
    }

    fn stroke(
        &self,
        item: &Stroke,
        frame: u32,
        shares: [f32; 2],
        frame_dt_s: f32,
        out: &mut Vec<StrokeU>,
    ) {
        let radius = finite(item.radius).max(1e-6);
        let Some(mut sweep) = item.sweep(frame, shares) else {
            return;
        };
        if self.flat() {
            (sweep.from[2], sweep.to[2], sweep.way[2]) = (0.0, 0.0, 0.0);
        }
        let drag = finite(item.drag).max(0.0);
        // Above one the fluid gets more than the brush's velocity. A resting brush leaves the velocity alone: dye can be
        // put into a flow without stopping it.
        let scale = drag.max(1.0) / frame_dt_s.max(1e-9);
        let v = finite3(sweep.way.map(|w| w * scale));
        let share = if v == [0.0; 3] { 0.0 } else { drag.min(1.0) };
        let dose = self.dose(&sweep.from, &sweep.to, radius) * if item.erase { -1.0 } else { 1.0 };
        let dye = finite3(item.dye).map(|c| c * dose);
        let (a, b) = (sweep.from, sweep.to);
        let low = [0, 1, 2].map(|i| a[i].min(b[i]) - radius);
        let high = [0, 1, 2].map(|i| a[i].max(b[i]) + radius);
        let four =
            |p: [f32; 3], by: [f32; 3], w: f32| [p[0] + by[0], p[1] + by[1], p[2] + by[2], w];
        out.extend(self.shifts(low, high).map(|by| {
            let (mut low, mut high) = (four(low, by, 0.0), four(high, by, 0.0));
            if self.flat() {
                (low[2], high[2]) = (-FAR, FAR);
            }
            StrokeU {
                begin: four(a, by, radius),
                end: four(b, by, share),
                velocity: four(v, [0.0; 3], 0.0),
                dye: four(dye, [0.0; 3], 0.0),
                low,
                high,
            }
        }));
    }

    /// The brush's profile (1 − (d/R)²)² integrated over a disc (ball) divided by its integral over the capsule: with it,
    /// what the brush leaves a second depends neither on its speed nor on the number of sub-steps.
    fn dose(&self, from: &[f32; 3], to: &[f32; 3], radius: f32) -> f32 {
        use std::f32::consts::PI;
        let way = [0, 1, 2].map(|i| to[i] - from[i]);
        let length = way.iter().map(|w| w * w).sum::<f32>().sqrt() / radius;
        let (point, metre) = if self.flat() {
            (PI / 3.0, 16.0 / 15.0)
        } else {
            (32.0 * PI / 105.0, PI / 3.0)
        };
        point / (point + metre * length)
    }

    pub fn copies(&self, low: [f32; 4], high: [f32; 4]) -> impl Iterator<Item = [f32; 3]> + use<> {
        self.shifts([low[0], low[1], low[2]], [high[0], high[1], high[2]])
    }

    /// Shifts by which an item with this bounding box appears: none, and whole domains along periodic axes.
    fn shifts(&self, low: [f32; 3], high: [f32; 3]) -> impl Iterator<Item = [f32; 3]> + use<> {
        let size = self.grid.size();
        let dim = self.grid.dim() as usize;
        let ranges = [0, 1, 2].map(|axis| {
            if axis >= dim || !self.periodic[axis] {
                return (0, 0);
            }
            let l = size[axis].max(1e-6);
            let first = (-high[axis] / l).floor() as i32;
            let first = first.saturating_add(1);
            let last = ((l - low[axis]) / l).ceil() as i32;
            let last = last.saturating_sub(1);
            (first, last.min(first.saturating_add(MAX_COPIES - 1)))
        });
        let along = move |axis: usize| ranges[axis].0..=ranges[axis].1;
        along(2).flat_map(move |k| {
            along(1).flat_map(move |j| {
                along(0).map(move |i| [i as f32 * size[0], j as f32 * size[1], k as f32 * size[2]])
            })
        })
    }
}

/// The vector at length one, or zero.
fn unit(v: [f32; 3]) -> [f32; 3] {
    let length = v.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 1e-12 {
        v.map(|x| x / length)
    } else {
        [0.0; 3]
    }
}
