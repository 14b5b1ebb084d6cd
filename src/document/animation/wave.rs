//! Courses without keys, and what they do to a value.

use super::{Combine, Envelope, Modulator, Noise, Oscillator, Sample, Wave, WaveForm};
use crate::scene::hash;

impl Modulator {
    /// Whether it does nothing.
    pub fn is_off(&self) -> bool {
        matches!(self.wave, Wave::Off(_))
    }

    /// What becomes of the component `axis` of a value at a time.
    pub(super) fn apply(&self, value: Sample, axis: Option<usize>, time: f64, seed: u32) -> Sample {
        let Some(wave) = self.wave.at(time, seed) else {
            return value;
        };
        let share = axis.map_or(1.0, |a| self.share[a]);
        let by = f64::from(self.amplitude) * f64::from(share);
        let wave = Sample {
            value: wave.value * by,
            rate: wave.rate * by,
        };
        let times = |factor: f64, its_rate: f64| Sample {
            value: value.value * factor,
            rate: value.rate * factor + value.value * its_rate,
        };
        match self.combine {
            Combine::Add => Sample {
                value: value.value + wave.value,
                rate: value.rate + wave.rate,
            },
            Combine::Scale => times(1.0 + wave.value, wave.rate),
            // A component without a share is left as it is, not taken away.
            Combine::Multiply if share == 0.0 => value,
            Combine::Multiply => times(wave.value, wave.rate),
        }
    }
}

impl Wave {
    /// Value and slope at a time, s; none where there is no wave.
    pub fn at(&self, time: f64, seed: u32) -> Option<Sample> {
        match self {
            Self::Off(_) => None,
            Self::Oscillator(p) => Some(oscillation(p, time)),
            Self::Noise(p) => Some(noise(p, time, seed)),
            Self::Envelope(p) => Some(envelope(p, time)),
        }
    }
}

/// Mean 0 over a period; every form but the square begins at 0 and rises.
fn oscillation(p: &Oscillator, time: f64) -> Sample {
    let period = f64::from(p.period).max(1e-6);
    let turns = (time / period + f64::from(p.phase) / 360.0).rem_euclid(1.0);
    let (value, rate) = match p.form {
        WaveForm::Sine => {
            let angle = std::f64::consts::TAU * turns;
            (angle.sin(), std::f64::consts::TAU * angle.cos())
        }
        WaveForm::Triangle if turns < 0.25 => (4.0 * turns, 4.0),
        WaveForm::Triangle if turns < 0.75 => (2.0 - 4.0 * turns, -4.0),
        WaveForm::Triangle => (4.0 * turns - 4.0, 4.0),
        WaveForm::Square => (if turns < 0.5 { 1.0 } else { -1.0 }, 0.0),
        WaveForm::Saw if turns < 0.5 => (2.0 * turns, 2.0),
        WaveForm::Saw => (2.0 * turns - 2.0, 2.0),
    };
    Sample {
        value,
        rate: rate / period,
    }
}

/// Random values at equal intervals, with smooth ways between them.
fn noise(p: &Noise, time: f64, seed: u32) -> Sample {
    let mut period = f64::from(p.period).max(1e-6);
    let repeat = f64::from(p.repeat);
    // A whole number of intervals to the repetition, so that its ends meet.
    let intervals = (repeat > 0.0).then(|| (repeat / period).round().max(1.0));
    if let Some(n) = intervals {
        period = repeat / n;
    }
    let t = time / period;
    let tick = t.floor();
    let at = |tick: f64| {
        let tick = intervals.map_or(tick, |n| tick.rem_euclid(n));
        let random = hash(seed, p.seed.wrapping_add(0x5EED), tick as i64 as u32);
        2.0 * f64::from(random) / f64::from(u32::MAX) - 1.0
    };
    let (s, a, b) = (t - tick, at(tick), at(tick + 1.0));
    Sample {
        value: a + (b - a) * s * s * (3.0 - 2.0 * s),
        rate: (b - a) * 6.0 * s * (1.0 - s) / period,
    }
}

/// 0, up in a straight line, 1, down in a straight line, 0.
fn envelope(p: &Envelope, time: f64) -> Sample {
    let [delay, attack, hold, decay, repeat] =
        [p.delay, p.attack, p.hold, p.decay, p.repeat].map(f64::from);
    let mut t = time - delay;
    if repeat > 0.0 && t >= 0.0 {
        t = t.rem_euclid(repeat);
    }
    let flat = |value| Sample { value, rate: 0.0 };
    let fall = t - attack - hold;
    if t < 0.0 {
        flat(0.0)
    } else if t < attack {
        Sample {
            value: t / attack,
            rate: 1.0 / attack,
        }
    } else if fall < 0.0 {
        flat(1.0)
    } else if fall < decay {
        Sample {
            value: 1.0 - fall / decay,
            rate: -1.0 / decay,
        }
    } else {
        flat(0.0)
    }
}
