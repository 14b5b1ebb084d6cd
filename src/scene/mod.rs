//! What is simulated, whatever the method: domain, emitters, obstacles, terrain, wind motors, brush strokes.
//!
//! Units are SI, the frame is right-handed with y up, and the origin is the low corner of the domain. A 2D scene lies in
//! the plane z = 0; positions keep three components so that the same scene can be given to a 3D method.

mod check;
mod distance;
mod domain;
mod exr;
mod frame;
mod heights;
mod items;
mod liquid;
mod masks;
mod motion;
mod place;
pub mod raster;
mod records;
mod shape;
mod timing;

pub use domain::{Condition, Domain, Environment, Face, Plane};
pub use frame::{Drift, FaceFrame, SceneFrame};
pub use items::{
    Blend, Dab, Directional, Emitter, Groundwork, Motor, MotorKind, Obstacle, Omni, Slip, Stroke,
    StrokePoint, Terrain, Vortex,
};
pub use masks::{Mask, Masks};
pub(crate) use motion::hash;
pub use place::PlaceU;
pub use raster::{KERNELS, Raster};
pub use records::{EmitterU, MotorU, ObstacleU, ReliefU, StrokeU};
pub use shape::{BoxShape, Capsule, Disc, Line, MaskImage, Shape};
pub use timing::{Activity, Key, Path, PathPoint};

crate::params! {
    /// Everything that is simulated.
    pub struct Scene {
        /// The box in which the fluid moves.
        @domain: Domain;
        /// Forces that act everywhere.
        @environment: Environment;
        /// Sources of dye, heat and motion.
        [emitters]: Vec<Emitter>;
        /// Solid things in the way.
        [obstacles]: Vec<Obstacle>;
        /// Pieces of the ground, one after the other.
        [terrain]: Vec<Terrain>;
        /// Fans that push the air.
        [motors]: Vec<Motor>;
        /// Brush strokes, as they were painted.
        [strokes]: Vec<Stroke>;
        /// Seed of everything random.
        restart seed: u32 = 1;
    }
}

impl Scene {
    /// Whether the fluid moves in this scene as in the other: names and locks make no difference to it.
    pub fn acts_like(&self, other: &Self) -> bool {
        self == other || self.nameless() == other.nameless()
    }

    /// Whether two scenes are the same but for what was painted.
    pub fn same_but_strokes(&self, other: &Self) -> bool {
        // Part by part: a part that a scene gets one day cannot be forgotten here, and strokes are not copied.
        let Self {
            domain,
            environment,
            emitters,
            obstacles,
            terrain,
            motors,
            strokes: _,
            seed,
        } = self;
        *domain == other.domain
            && *environment == other.environment
            && *emitters == other.emitters
            && *obstacles == other.obstacles
            && *terrain == other.terrain
            && *motors == other.motors
            && *seed == other.seed
    }

    fn nameless(&self) -> Self {
        let mut scene = self.clone();
        let emitters = scene.emitters.iter_mut();
        let obstacles = scene.obstacles.iter_mut();
        let names = emitters
            .map(|e| (&mut e.name, &mut e.locked))
            .chain(obstacles.map(|o| (&mut o.name, &mut o.locked)))
            .chain(
                scene
                    .terrain
                    .iter_mut()
                    .map(|t| (&mut t.name, &mut t.locked)),
            )
            .chain(
                scene
                    .motors
                    .iter_mut()
                    .map(|m| (&mut m.name, &mut m.locked)),
            )
            .chain(
                scene
                    .strokes
                    .iter_mut()
                    .map(|s| (&mut s.name, &mut s.locked)),
            );
        for (name, locked) in names {
            name.clear();
            *locked = false;
        }
        scene
    }
}
