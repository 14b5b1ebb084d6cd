//! Items as kernels read them; the same structs stand in `shaders/scene/items.wgsl`.

use super::place::PlaceU;

crate::shared! {
    /// An emitter at a time.
    pub struct EmitterU {
        /// Where it is and what it looks like.
        pub place: PlaceU,
        /// Linear dye, and the temperature in K.
        pub dye: [f32; 4],
        /// Velocity in m/s, and the strength (activity × flicker).
        pub velocity: [f32; 4],
        /// Index of the [`Blend`](super::Blend) of dye.
        pub dye_blend: u32,
        /// Index of the [`Blend`](super::Blend) of velocity.
        pub velocity_blend: u32,
        /// Index of the [`Blend`](super::Blend) of temperature.
        pub temperature_blend: u32,
        /// Coverage a metre of depth, 1/m.
        pub ramp: f32,
    }
}

crate::shared! {
    /// An obstacle at a time.
    pub struct ObstacleU {
        /// Where it is and what it looks like.
        pub place: PlaceU,
        /// Velocity of its centre in m/s, and 1 if the fluid slides along it.
        pub velocity: [f32; 4],
        /// Angular velocity in rad/s, and the draught in m: 0 for a wall.
        pub turn: [f32; 4],
    }
}

crate::shared! {
    /// A wind motor at a time.
    pub struct MotorU {
        /// Centre in m, and the reach in m.
        pub centre: [f32; 4],
        /// Unit vector (directional), and the acceleration at the centre in m/s².
        pub direction: [f32; 4],
        /// Exponent of the falloff.
        pub falloff: f32,
        /// Pull towards the centre as a share of the turning (vortex).
        pub inflow: f32,
        /// 0 directional, 1 omni, 2 vortex.
        pub kind: u32,
        /// Below this distance from the centre the push goes to zero, m.
        pub core: f32,
    }
}

crate::shared! {
    /// The part of a brush stroke that acts during a step.
    pub struct StrokeU {
        /// Where the brush begins in m, and its radius in m.
        pub begin: [f32; 4],
        /// Where it ends in m, and the share of the velocity that the fluid takes at once.
        pub end: [f32; 4],
        /// The velocity that is given to the fluid, m/s; the last is unused.
        pub velocity: [f32; 4],
        /// Dye a second, negative if it is removed; the last is unused.
        pub dye: [f32; 4],
        /// Low corner of the bounding box, m.
        pub low: [f32; 4],
        /// High corner of the bounding box, m.
        pub high: [f32; 4],
    }
}

crate::shared! {
    /// Something that changes heights: ground, the surface under a boat, or the depth of water.
    pub struct ReliefU {
        /// Where it is and what it looks like.
        pub place: PlaceU,
        /// Height of black in its map, height of white or of all, strength, coverage a metre of depth in 1/m.
        pub height: [f32; 4],
        /// Half of the edges over which the map is spread, m; the rest is unused.
        pub spread: [f32; 4],
        /// Index of the [`Blend`](super::Blend).
        pub mode: u32,
        /// 1 if the slope at the edge begins and ends level.
        pub smooth_edge: u32,
        /// First texel of the map.
        pub texel: u32,
        /// Texels along x, and 65536 times those along y; 0 for none.
        pub map_size: u32,
    }
}
