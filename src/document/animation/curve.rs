//! The way between keys.

use super::{Interpolation, KeyValue, Track, TrackKey};

/// A number at a time, and how fast it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// The number.
    pub value: f64,
    /// Its change a second; zero at a jump.
    pub rate: f64,
}

impl Track {
    /// The time on the axis of the keys: the same, or begun again where the track repeats.
    fn folded(&self, time: f64) -> f64 {
        let period = self.keys.last().map_or(0.0, |k| f64::from(k.time));
        if self.repeat && period > 0.0 {
            // What misses the end of a period by rounding alone begins the next one.
            let turns = (time + tolerance(time)) / period;
            ((turns - turns.floor()) * period).max(0.0)
        } else {
            time
        }
    }

    /// The last key at or before a time and the one after it, as positions; the time is that of [`Track::folded`].
    fn around(&self, time: f64) -> (Option<usize>, Option<usize>) {
        let after = self
            .keys
            .partition_point(|k| f64::from(k.time) <= time + tolerance(time));
        let next = (after < self.keys.len()).then_some(after);
        (after.checked_sub(1), next)
    }

    /// What the keys say at a time where nothing lies between them: the last one, or the first one before it. None without
    /// keys.
    pub(super) fn step_at(&self, time: f64) -> Option<&KeyValue> {
        let (before, next) = self.around(self.folded(time));
        let key = self.keys.get(before.or(next)?)?;
        Some(&key.value)
    }

    /// What the keys say about the component `axis` at a time. None without keys.
    pub(super) fn keyed(&self, axis: usize, time: f64) -> Option<Sample> {
        let time = self.folded(time);
        let still = |key: &TrackKey| Sample {
            value: component(key, axis),
            rate: 0.0,
        };
        Some(match self.around(time) {
            (None, None) => return None,
            (None, Some(i)) | (Some(i), None) => still(&self.keys[i]),
            (Some(i), Some(_)) => {
                if self.keys[i].interpolation == Interpolation::Stepped {
                    still(&self.keys[i])
                } else {
                    self.between(i, axis, time)
                }
            }
        })
    }

    /// Between the keys `i` and `i + 1`.
    fn between(&self, i: usize, axis: usize, time: f64) -> Sample {
        let (a, b) = (&self.keys[i], &self.keys[i + 1]);
        let (t0, t1) = (f64::from(a.time), f64::from(b.time));
        let (v0, v1) = (component(a, axis), component(b, axis));
        let length = (t1 - t0).max(1e-9);
        let s = ((time - t0) / length).clamp(0.0, 1.0);
        if a.interpolation == Interpolation::Linear {
            return Sample {
                value: v0 + (v1 - v0) * s,
                rate: (v1 - v0) / length,
            };
        }
        let (m0, m1) = (
            self.slope(i, axis) * length,
            self.slope(i + 1, axis) * length,
        );
        // Cubic Hermite.
        let c2 = 3.0 * (v1 - v0) - 2.0 * m0 - m1;
        let c3 = 2.0 * (v0 - v1) + m0 + m1;
        Sample {
            value: if s == 1.0 {
                v1
            } else {
                v0 + s * (m0 + s * (c2 + s * c3))
            },
            rate: (m0 + s * (2.0 * c2 + s * 3.0 * c3)) / length,
        }
    }

    /// Slope at a key between two smooth ways: the harmonic mean of the slopes on both sides (Fritsch and Butland 1984),
    /// with which the curve never leaves the range of the keys; flat at turning points, ends and other kinds of ways.
    fn slope(&self, i: usize, axis: usize) -> f64 {
        let smooth = |k: &TrackKey| k.interpolation == Interpolation::Smooth;
        let inner = i > 0 && i + 1 < self.keys.len();
        if !inner || !smooth(&self.keys[i - 1]) || !smooth(&self.keys[i]) {
            return 0.0;
        }
        let secant = |i: usize| {
            let (a, b) = (&self.keys[i], &self.keys[i + 1]);
            let length = (f64::from(b.time) - f64::from(a.time)).max(1e-9);
            (length, (component(b, axis) - component(a, axis)) / length)
        };
        let ((h0, d0), (h1, d1)) = (secant(i - 1), secant(i));
        if d0 * d1 <= 0.0 {
            return 0.0;
        }
        let (w0, w1) = (h0 + 2.0 * h1, 2.0 * h0 + h1);
        (w0 + w1) / (w0 / d0 + w1 / d1)
    }
}

/// Times of frames are products in single precision, those of keys are written down: so far apart they are the same.
fn tolerance(time: f64) -> f64 {
    1e-9 + 2.5e-7 * time.abs()
}

fn component(key: &TrackKey, axis: usize) -> f64 {
    let v = key.value.numbers().get(axis).copied().unwrap_or(0.0);
    if v.is_finite() { f64::from(v) } else { 0.0 }
}
