//! Emitters, obstacles, terrain, wind motors and brush strokes.

use super::{Activity, Path, Shape};

crate::choice! {
    /// How an emitter changes what is there.
    pub enum Blend {
        /// Leaves it alone.
        Off,
        /// Adds so much a second.
        Add,
        /// Raises it to at least the value.
        Clamp,
        /// Sets it to the value.
        Replace,
    }
}

crate::params! {
    /// A source of dye, heat or motion.
    pub struct Emitter {
        /// Name in the outliner.
        live name: String = String::from("Emitter");
        /// Whether it takes part.
        live enabled: bool = true;
        /// Held fast: it cannot be moved or changed by hand in the picture. The simulation does not care.
        live locked: bool = false;
        /// What it looks like.
        @shape: Shape;
        /// Centre.
        live position: [f32; 3] = [0.5, 0.25, 0.0], hard -1e5..=1e5, soft 0.0..=1.0, "m";
        /// Rotation about x, y and z.
        live rotation: [f32; 3] = [0.0; 3], hard -3600.0..=3600.0, soft -180.0..=180.0, "°";
        /// Width of the soft edge, inside the shape.
        live softness: f32 = 0.02, hard 0.0..=1e5, soft 0.0..=0.2, "m";
        /// How dye is changed.
        live dye_blend: Blend = Blend::Clamp;
        /// Colour of the dye, linear; above one it glows. With `Add`, so much a second.
        live dye: [f32; 3] = [1.0, 1.0, 1.0], hard 0.0..=1e4, soft 0.0..=4.0, color;
        /// How velocity is changed.
        live velocity_blend: Blend = Blend::Off;
        /// Velocity given to the fluid. With `Add`, an acceleration.
        live velocity: [f32; 3] = [0.0, 1.0, 0.0], hard -1e4..=1e4, soft -5.0..=5.0, "m/s";
        /// How temperature is changed.
        live temperature_blend: Blend = Blend::Off;
        /// Temperature above the surroundings. With `Add`, so much a second.
        live temperature: f32 = 100.0, hard -1e4..=1e4, soft -100.0..=500.0, "K";
        /// How the depth of water is changed: a spring, a tap, rain.
        live liquid_blend: Blend = Blend::Off;
        /// Depth of water. With `Add`, so much a second: 0.00001 m a second is heavy rain.
        live liquid: f32 = 0.1, hard -1e3..=1e3, soft 0.0..=1.0, "m";
        /// Water that is added falls as so many single drops a second, anywhere in the shape, each of the size of the soft edge. At 0 it comes evenly.
        live drops: f32 = 0.0, hard 0.0..=1e4, soft 0.0..=200.0, "1/s";
        /// Uneven emission: 0 is steady, 1 flickers between nothing and twice the strength.
        live flicker: f32 = 0.0, hard 0.0..=1.0;
        /// Strength over time.
        @activity: Activity;
        /// Motion.
        @path: Path;
    }
}

crate::choice! {
    /// What the surface of an obstacle does to the fluid.
    pub enum Slip {
        /// The fluid sticks to it.
        NoSlip,
        /// The fluid slides along it.
        FreeSlip,
    }
}

crate::params! {
    /// Something solid.
    pub struct Obstacle {
        /// Name in the outliner.
        live name: String = String::from("Obstacle");
        /// Whether it takes part.
        live enabled: bool = true;
        /// Held fast: it cannot be moved or changed by hand in the picture. The simulation does not care.
        live locked: bool = false;
        /// What it looks like.
        @shape: Shape;
        /// Centre.
        live position: [f32; 3] = [0.5, 0.5, 0.0], hard -1e5..=1e5, soft 0.0..=1.0, "m";
        /// Rotation about x, y and z.
        live rotation: [f32; 3] = [0.0; 3], hard -3600.0..=3600.0, soft -180.0..=180.0, "°";
        /// What its surface does to the fluid.
        live surface: Slip = Slip::NoSlip;
        /// Floats as a boat does, pressing the surface of water down by so much. At 0 it stands on the ground as a wall.
        live draught: f32 = 0.0, hard 0.0..=1e3, soft 0.0..=1.0, "m";
        /// Motion.
        @path: Path;
    }
}

crate::choice! {
    /// How a piece of terrain changes the ground.
    pub enum Groundwork {
        /// Its height is added to what is there; below zero it digs.
        Add,
        /// The ground is at least so high.
        Raise,
        /// The ground is exactly so high.
        Level,
    }
}

crate::params! {
    /// A touch of a brush on the ground.
    pub struct Dab {
        /// Where, relative to the centre of the terrain.
        live offset: [f32; 3] = [0.0; 3], hard -1e5..=1e5, "m";
    }
}
crate::params! {
    /// A piece of ground under water or beside it: hills, shores, river beds, streets, or a height map.
    pub struct Terrain {
        /// Name in the outliner.
        live name: String = String::from("Terrain");
        /// Whether it takes part.
        live enabled: bool = true;
        /// Held fast: it cannot be moved or changed by hand in the picture. The simulation does not care.
        live locked: bool = false;
        /// What it looks like from above.
        @shape: Shape;
        /// Centre.
        live position: [f32; 3] = [0.5, 0.5, 0.0], hard -1e5..=1e5, soft 0.0..=1.0, "m";
        /// Rotation about x, y and z.
        live rotation: [f32; 3] = [0.0; 3], hard -3600.0..=3600.0, soft -180.0..=180.0, "°";
        /// Width of the slope at its edge, inside the shape.
        live softness: f32 = 0.1, hard 0.0..=1e5, soft 0.0..=1.0, "m";
        /// How it changes the ground.
        live build: Groundwork = Groundwork::Add;
        /// Height of its top; of white in a height map.
        live height: f32 = 0.2, hard -1e4..=1e4, soft -1.0..=1.0, "m";
        /// Height map, spread over the shape: PNG of 8 or 16 bits or OpenEXR, relative to the document. Empty: the top is flat.
        restart height_map: String = String::new();
        /// Height of black in the height map.
        live map_low: f32 = 0.0, hard -1e4..=1e4, soft -1.0..=1.0, "m";
        /// Where a brush has been: the shape stands at each of these places. Without any, it stands at its centre.
        [dabs]: Vec<Dab>;
    }
}

crate::params! {
    /// Blows one way.
    pub struct Directional {
        /// Direction in which it blows; the length does not matter.
        live direction: [f32; 3] = [1.0, 0.0, 0.0], hard -1.0..=1.0;
    }
}
crate::params! {
    /// Blows away from its centre; pulls where the strength is negative.
    pub struct Omni {}
}
crate::params! {
    /// Turns the air about its centre (about z), anticlockwise.
    pub struct Vortex {
        /// Pull towards the centre as a share of the turning.
        live inflow: f32 = 0.0, hard -1.0..=1.0;
    }
}
crate::variants! { live
    /// How a motor pushes.
    pub enum MotorKind {
        /// One way.
        Directional(Directional),
        /// Away from its centre.
        Omni(Omni),
        /// Round its centre.
        Vortex(Vortex),
    }
}
crate::params! {
    /// A fan that pushes the air.
    pub struct Motor {
        /// Name in the outliner.
        live name: String = String::from("Motor");
        /// Whether it takes part.
        live enabled: bool = true;
        /// Held fast: it cannot be moved or changed by hand in the picture. The simulation does not care.
        live locked: bool = false;
        /// How it pushes.
        @kind: MotorKind;
        /// Centre.
        live position: [f32; 3] = [0.5, 0.5, 0.0], hard -1e5..=1e5, soft 0.0..=1.0, "m";
        /// Acceleration at the centre.
        live strength: f32 = 5.0, hard -1e5..=1e5, soft -50.0..=50.0, "m/s²";
        /// Reach: no push beyond.
        live radius: f32 = 0.3, hard 1e-3..=1e5, soft 0.01..=2.0, log, "m";
        /// How fast the push falls off towards the reach: (1 − (r/R)²) to this power; 0 is even.
        live falloff: f32 = 1.0, hard 0.0..=16.0, soft 0.0..=4.0;
        /// Strength over time.
        @activity: Activity;
        /// Motion.
        @path: Path;
    }
}

crate::params! {
    /// Where the brush was at a frame.
    pub struct StrokePoint {
        /// Simulation frame.
        live frame: u32 = 0;
        /// Centre of the brush.
        live position: [f32; 3] = [0.0; 3], hard -1e5..=1e5, "m";
    }
}
crate::params! {
    /// A brush stroke. It acts between its first and its last frame, dragging the fluid along with the brush.
    pub struct Stroke {
        /// Name in the outliner.
        live name: String = String::from("Stroke");
        /// Whether it takes part.
        live enabled: bool = true;
        /// Held fast: it cannot be moved or changed by hand in the picture. The simulation does not care.
        live locked: bool = false;
        /// Radius of the brush.
        live radius: f32 = 0.05, hard 1e-4..=1e5, soft 0.005..=0.5, log, "m";
        /// How much of the brush's own velocity the fluid takes: 0 none, 1 all.
        live drag: f32 = 1.0, hard 0.0..=10.0, soft 0.0..=2.0;
        /// Dye left behind a second, linear colour.
        live dye: [f32; 3] = [4.0, 4.0, 4.0], hard 0.0..=1e4, soft 0.0..=10.0, color;
        /// Removes dye instead.
        live erase: bool = false;
        /// Where the brush was, frame by frame.
        [points]: Vec<StrokePoint>;
    }
}
