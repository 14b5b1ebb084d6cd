//! What changes with time: keys on parameters, and waves around them.
//!
//! A [`Track`] names one leaf of the scene or the method by the path that `--set` uses, and gives its value at any time:
//! from its keys or, without any, from the document; then its modulator swings about that. Times are seconds of simulated
//! time since frame 0, as everywhere in the scene: a look keeps its timing at another frame rate, and slow motion slows
//! what is animated along with the fluid. During the warm-up time is negative: there the first key counts, unless the keys repeat.
//!
//! [`Tracks`] is the one place where tracks become values: from a document and a time alone. The simulation asks for every
//! sub-step, as it does for paths and activities, so that the number of sub-steps changes nothing but the exactness.

mod change;
mod check;
mod curve;
mod keys;
mod tracks;
mod value;
mod wave;

pub use change::first_difference;
pub use check::animatable;
pub use curve::Sample;
pub use tracks::{Present, Tracks, found, sample};
pub use value::KeyValue;

pub(super) use check::problems;

crate::choice! {
    /// How a value goes on from one key to the next.
    pub enum Interpolation {
        /// In a curve without corners that never goes beyond the keys.
        Smooth,
        /// In a straight line.
        Linear,
        /// Stays until the next key and jumps there.
        Stepped,
    }
}

crate::params! {
    /// A value at a time.
    pub struct TrackKey {
        /// When: seconds of simulated time since frame 0.
        live time: f32 = 0.0, hard 0.0..=1e6, soft 0.0..=20.0, "s";
        /// What it is then, as after `--set`: a number, a triple, `true`, `false` or the name of an alternative.
        live value: KeyValue = KeyValue::Number(0.0);
        /// How it goes on to the next key.
        live interpolation: Interpolation = Interpolation::Smooth;
    }
}

crate::choice! {
    /// How a wave changes a value.
    pub enum Combine {
        /// Value + amplitude × wave.
        Add,
        /// Value × (1 + amplitude × wave): swings about the value, in proportion to it.
        Scale,
        /// Value × amplitude × wave: nothing where the wave is nothing.
        Multiply,
    }
}

crate::choice! {
    /// The form of an oscillation.
    pub enum WaveForm {
        /// Round.
        Sine,
        /// Straight up and down.
        Triangle,
        /// Up for half of the period, then down.
        Square,
        /// Rises slowly, drops at once.
        Saw,
    }
}

crate::params! {
    /// No wave.
    pub struct NoWave {}
}
crate::params! {
    /// Swings between −1 and 1, about 0.
    pub struct Oscillator {
        /// Form of the oscillation.
        live form: WaveForm = WaveForm::Sine;
        /// Time for one oscillation.
        live period: f32 = 1.0, hard 1e-3..=1e6, soft 0.05..=20.0, log, "s";
        /// Where in its period it is at frame 0; at 0 it rises through 0.
        live phase: f32 = 0.0, hard -3600.0..=3600.0, soft 0.0..=360.0, "°";
    }
}
crate::params! {
    /// Wanders between −1 and 1 without rule. Depends on the scene's seed too.
    pub struct Noise {
        /// Time between two of its random values.
        live period: f32 = 0.25, hard 1e-3..=1e6, soft 0.02..=5.0, log, "s";
        /// Another number is another course.
        live seed: u32 = 0, soft 0..=100;
        /// Begins again after so long, for looks that loop; never where 0.
        live repeat: f32 = 0.0, hard 0.0..=1e6, soft 0.0..=20.0, "s";
    }
}
crate::params! {
    /// Rises from 0 to 1, stays, and falls back to 0: a burst.
    pub struct Envelope {
        /// Time until it begins.
        live delay: f32 = 0.0, hard 0.0..=1e6, soft 0.0..=10.0, "s";
        /// Time to rise.
        live attack: f32 = 0.1, hard 0.0..=1e6, soft 0.0..=2.0, "s";
        /// Time to stay.
        live hold: f32 = 0.2, hard 0.0..=1e6, soft 0.0..=5.0, "s";
        /// Time to fall.
        live decay: f32 = 0.5, hard 0.0..=1e6, soft 0.0..=5.0, "s";
        /// Begins again after so long; never where 0.
        live repeat: f32 = 0.0, hard 0.0..=1e6, soft 0.0..=20.0, "s";
    }
}

crate::variants! { live
    /// A course that needs no keys.
    pub enum Wave {
        /// None.
        Off(NoWave),
        /// Swings evenly.
        Oscillator(Oscillator),
        /// Wanders at random.
        Noise(Noise),
        /// Rises and falls, once or again and again.
        Envelope(Envelope),
    }
}

crate::params! {
    /// What a track adds to its keys.
    pub struct Modulator {
        /// The course.
        @wave: Wave;
        /// How it changes the value.
        live combine: Combine = Combine::Add;
        /// How much.
        live amplitude: f32 = 1.0, hard -1e6..=1e6, soft 0.0..=2.0;
        /// How much of it each component of a triple gets; a single number takes all.
        live share: [f32; 3] = [1.0; 3], hard -1.0..=1.0;
    }
}

crate::params! {
    /// How one parameter changes with time.
    pub struct Track {
        /// Path of the parameter, as for `--set`, such as `scene.emitters.0.temperature` or `method.cooling`.
        live path: String = String::new();
        /// Whether it takes part.
        live enabled: bool = true;
        /// Keys in order of time. Before the first and after the last one the value stays.
        [keys]: Vec<TrackKey>;
        /// Begin the keys again after the last one.
        live repeat: bool = false;
        /// Swings about the value.
        @modulator: Modulator;
    }
}

crate::params! {
    /// Everything that changes with time.
    pub struct Animation {
        /// One track a parameter.
        [tracks]: Vec<Track>;
    }
}

impl Animation {
    /// Whether nothing is animated. Such a document does not mention it.
    pub fn is_empty(&self) -> bool {
        self.tracks.is_empty()
    }

    /// The track of the parameter at `path`, and its position.
    pub fn track(&self, path: &str) -> Option<(usize, &Track)> {
        let mut tracks = self.tracks.iter().enumerate();
        tracks.find(|(_, t)| t.path == path)
    }
}

#[cfg(test)]
mod tests;
