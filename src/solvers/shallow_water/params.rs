//! What can be set.

crate::choice! {
    /// How motion is carried along.
    pub enum Momentum {
        /// With the momentum of the water: bores, jets and whirls go on by themselves (Stelling and Duinmeijer 2003).
        Conservative,
        /// Not at all: only waves run, as in many games. Cheaper, and tamer.
        Linear,
    }
}

crate::params! {
    /// Thin drops of water that fly off where it breaks, and fall back into it.
    pub struct Spray {
        /// Share of the water of a breaking cell that is thrown up with a drop. At 0 there is no spray.
        live amount: f32 = 0.02, hard 0.0..=0.25, soft 0.0..=0.1;
        /// How fast water must rise or fall to be thrown up: lower gives spray on small waves too.
        live threshold: f32 = 0.4, hard 0.0..=1e3, soft 0.05..=5.0, log, "m/s";
        /// How high it is thrown: its speed upwards over that of the breaking water.
        live lift: f32 = 1.0, hard 0.0..=20.0, soft 0.0..=4.0;
    }
}

crate::params! {
    /// Colours and light of the picture from above.
    pub struct Look {
        /// Colour of dry ground, linear.
        live ground: [f32; 3] = [0.36, 0.29, 0.2], hard 0.0..=10.0, soft 0.0..=1.0, color;
        /// Colour of deep water, linear.
        live deep: [f32; 3] = [0.005, 0.07, 0.1], hard 0.0..=10.0, soft 0.0..=1.0, color;
        /// Colour of the sky in the mirror of the water, linear.
        live sky: [f32; 3] = [0.45, 0.62, 0.8], hard 0.0..=10.0, soft 0.0..=2.0, color;
        /// How deep one sees the ground: at this depth a quarter of its light is left.
        live clarity: f32 = 0.15, hard 1e-3..=1e4, soft 0.02..=10.0, log, "m";
        /// How steep waves and slopes look: more shows faint ripples.
        live relief: f32 = 2.0, hard 0.0..=100.0, soft 0.0..=10.0;
        /// Where the sun stands, anticlockwise from the right.
        live sun_angle: f32 = 125.0, hard -3600.0..=3600.0, soft 0.0..=360.0, "°";
        /// How high the sun stands. Low light shows more relief.
        live sun_height: f32 = 40.0, hard 0.0..=90.0, soft 5.0..=85.0, "°";
        /// Strength of the sun in the mirror of the water.
        live glint: f32 = 1.5, hard 0.0..=100.0, soft 0.0..=5.0;
        /// Light that waves gather on the ground: bright lines under crests.
        live caustics: f32 = 0.6, hard 0.0..=100.0, soft 0.0..=3.0;
        /// How white foam is.
        live foam: f32 = 1.0, hard 0.0..=10.0, soft 0.0..=2.0;
    }
}

crate::params! {
    /// Water as a height over the ground: waves, rivers, floods and shores seen from above.
    pub struct Parameters {
        /// Height of the water at rest. All ground below it is under water at the start.
        restart rest_level: f32 = 0.1, hard -1e4..=1e4, soft -1.0..=2.0, "m";
        /// What carries the motion: real momentum, or waves alone.
        live momentum: Momentum = Momentum::Conservative;
        /// Drag of the ground: rivers and thin sheets of water run slower. Smooth concrete 0.002, gravel 0.01, scrub 0.05.
        live friction: f32 = 0.004, hard 0.0..=10.0, soft 0.0..=0.1;
        /// Fastest that water may flow along each axis: tames jets.
        live max_speed: f32 = 10.0, hard 1e-3..=1e4, soft 0.5..=50.0, log, "m/s";
        /// Deeper water has waves as slow as if it were so deep: saves time where some places are deep. At 0 it follows from the start.
        live max_depth: f32 = 0.0, hard 0.0..=1e5, soft 0.0..=10.0, "m";
        /// Water thinner than this stays where it is.
        live film: f32 = 0.0002, hard 1e-6..=1.0, soft 1e-5..=0.01, log, "m";
        /// Share of a cell that the fastest wave may cross in a sub-step: smaller is more exact, and takes longer.
        live courant: f32 = 0.5, hard 0.01..=0.7, soft 0.1..=0.7;
        /// Width of the calm strip before an absorbing face, in cells.
        live calm_width: f32 = 20.0, hard 1.0..=1e4, soft 4.0..=64.0;
        /// How fast waves die in it: one that has gone there and back keeps e to the power of two thirds of this, below zero.
        live calm_strength: f32 = 8.0, hard 0.0..=100.0, soft 1.0..=16.0;
        /// Foam for each metre by which water breaks: falls or piles up.
        live foam: f32 = 3.0, hard 0.0..=1e3, soft 0.0..=20.0, "1/m";
        /// How fast water must rise or fall to foam.
        live foam_threshold: f32 = 0.05, hard 0.0..=1e3, soft 0.005..=1.0, log, "m/s";
        /// Time in which foam fades to a third.
        live foam_life: f32 = 2.0, hard 1e-2..=1e4, soft 0.1..=20.0, log, "s";
        /// Time in which wet ground dries to a third.
        live drying: f32 = 8.0, hard 1e-2..=1e6, soft 0.5..=60.0, log, "s";
        /// Time in which dye fades to a third. At 0 it stays.
        live dye_life: f32 = 0.0, hard 0.0..=1e6, soft 0.0..=60.0, "s";
        /// Slopes of the surface count so many times in its normal: 1 is as they are, more makes faint ripples strong in a normal map.
        live normal_strength: f32 = 1.0, hard 1e-3..=1e4, soft 0.1..=50.0, log;
        /// Water deeper than this counts as such in the distance to the shore: more leaves puddles out.
        live shore_depth: f32 = 0.005, hard 1e-6..=1e4, soft 0.001..=0.5, log, "m";
        /// Drops that fly off.
        @spray: Spray;
        /// The picture from above.
        @look: Look;
    }
}
