//! Evaluating what changes with time: activity, flicker, paths.

use super::{Activity, Emitter, Motor, Obstacle, Path, Stroke, StrokePoint};

/// Changes of a flickering emitter a second.
const FLICKER_HZ: f64 = 8.0;

/// Zero in place of what is not finite: a scene that was not checked still evaluates to something.
pub(super) fn finite(v: f32) -> f32 {
    if v.is_finite() { v } else { 0.0 }
}

/// [`finite`], component by component.
pub(super) fn finite3(v: [f32; 3]) -> [f32; 3] {
    v.map(finite)
}

impl Activity {
    /// The strength at a time, s: straight lines between keys, the end values outside, one without keys.
    pub fn at(&self, time_s: f64) -> f32 {
        let (Some(first), Some(last)) = (self.keys.first(), self.keys.last()) else {
            return 1.0;
        };
        let mut t = if time_s.is_finite() { time_s } else { 0.0 };
        let period = f64::from(last.time);
        if self.repeat && period > 0.0 {
            t = t.rem_euclid(period);
        }
        if t <= f64::from(first.time) {
            return finite(first.value);
        }
        for pair in self.keys.windows(2) {
            let (t0, t1) = (f64::from(pair[0].time), f64::from(pair[1].time));
            if t >= t0 && t < t1 {
                let share = ((t - t0) / (t1 - t0)) as f32;
                return finite(pair[0].value + (pair[1].value - pair[0].value) * share);
            }
        }
        finite(last.value)
    }
}

/// An integer hash with good avalanche (two rounds of multiply and xor-shift over the mixed words).
pub(crate) fn hash(seed: u32, item: u32, tick: u32) -> u32 {
    let mut x = seed.wrapping_mul(0x9E37_79B9)
        ^ item.wrapping_mul(0x85EB_CA6B).rotate_left(13)
        ^ tick.wrapping_mul(0xC2B2_AE35).rotate_left(7);
    for _ in 0..2 {
        x ^= x >> 16;
        x = x.wrapping_mul(0x7FEB_352D);
        x ^= x >> 15;
        x = x.wrapping_mul(0x846C_A68B);
    }
    x ^ (x >> 16)
}

/// The factor of a flickering strength: smooth value noise in time between `1 − amount` and `1 + amount`.
pub(super) fn flicker(amount: f32, seed: u32, item: u32, time_s: f64) -> f32 {
    let t = if time_s.is_finite() {
        time_s * FLICKER_HZ
    } else {
        0.0
    };
    let tick = t.floor();
    let value = |tick: f64| hash(seed, item, tick as i64 as u32) as f32 / u32::MAX as f32;
    let share = (t - tick) as f32;
    let smooth = share * share * (3.0 - 2.0 * share);
    let noise = value(tick) + (value(tick + 1.0) - value(tick)) * smooth;
    1.0 + finite(amount) * (2.0 * noise - 1.0)
}

impl Path {
    /// Offset from the item's own position, m, and its exact derivative, m/s, at a time, s.
    ///
    /// A uniform Catmull–Rom curve through the points. Closed, it takes `duration` once round; open, `duration` each way.
    pub fn at(&self, time_s: f64) -> ([f32; 3], [f32; 3]) {
        let n = self.points.len();
        if n < 2 {
            let offset = self.points.first().map_or([0.0; 3], |p| p.offset);
            return (finite3(offset), [0.0; 3]);
        }
        let duration = f64::from(self.duration).max(1e-3);
        let turns = if time_s.is_finite() {
            time_s / duration
        } else {
            0.0
        };
        let segments = if self.closed { n } else { n - 1 };
        let (share, sign) = if self.closed {
            (turns.rem_euclid(1.0), 1.0)
        } else {
            let t = turns.rem_euclid(2.0);
            if t <= 1.0 { (t, 1.0) } else { (2.0 - t, -1.0) }
        };
        let u = share * segments as f64;
        let segment = (u as usize).min(segments - 1);
        let (s, rate) = (
            (u - segment as f64) as f32,
            (sign * segments as f64 / duration) as f32,
        );
        let point = |i: isize| {
            let i = segment as isize + i;
            let i = if self.closed {
                i.rem_euclid(n as isize)
            } else {
                i.clamp(0, n as isize - 1)
            };
            finite3(self.points[i as usize].offset)
        };
        let p = [point(-1), point(0), point(1), point(2)];
        let (mut offset, mut velocity) = ([0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            let [a, b, c, d] = p.map(|p| p[axis]);
            let c1 = 0.5 * (c - a);
            let c2 = a - 2.5 * b + 2.0 * c - 0.5 * d;
            let c3 = 1.5 * (b - c) + 0.5 * (d - a);
            offset[axis] = b + s * (c1 + s * (c2 + s * c3));
            velocity[axis] = rate * (c1 + s * (2.0 * c2 + s * 3.0 * c3));
        }
        (offset, velocity)
    }

    /// Angle turned about z since the beginning, degrees in (−360, 360).
    pub fn angle_at(&self, time_s: f64) -> f32 {
        finite(((f64::from(self.spin) * time_s) % 360.0) as f32)
    }
}

fn moved(position: [f32; 3], path: &Path, time_s: f64) -> [f32; 3] {
    let (offset, _) = path.at(time_s);
    let position = finite3(position);
    [0, 1, 2].map(|i| position[i] + offset[i])
}

impl Emitter {
    /// Centre at a time, m.
    pub fn position_at(&self, time_s: f64) -> [f32; 3] {
        moved(self.position, &self.path, time_s)
    }
}
impl Obstacle {
    /// Centre at a time, m.
    pub fn position_at(&self, time_s: f64) -> [f32; 3] {
        moved(self.position, &self.path, time_s)
    }
}
impl Motor {
    /// Centre at a time, m.
    pub fn position_at(&self, time_s: f64) -> [f32; 3] {
        moved(self.position, &self.path, time_s)
    }
}

/// What a brush does during a part of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sweep {
    /// Where it begins, m.
    pub from: [f32; 3],
    /// Where it ends, m.
    pub to: [f32; 3],
    /// Way of the whole frame, m.
    pub way: [f32; 3],
}

impl Stroke {
    /// Adds where the brush is at a frame. A second position in the same frame replaces the first; frames before the last
    /// one are refused. A brush that rests leaves two points, however long it rests. Returns whether anything changed.
    pub fn push(&mut self, frame: u32, position: [f32; 3]) -> bool {
        if position.iter().any(|v| !v.is_finite()) {
            return false;
        }
        let rests = match self.points.as_slice() {
            [.., a, b] => a.position == position && b.position == position,
            _ => false,
        };
        match self.points.last_mut() {
            Some(last) if frame < last.frame => false,
            Some(last) if frame == last.frame => {
                let changed = last.position != position;
                last.position = position;
                changed
            }
            Some(last) if rests => {
                last.frame = frame;
                true
            }
            _ => {
                self.points.push(StrokePoint { frame, position });
                true
            }
        }
    }

    /// The brush between two shares of a frame (0 its beginning, 1 its end), or none where the stroke does not act.
    /// It reaches a recorded position at the end of that frame; in its first frame it rests.
    pub(super) fn sweep(&self, frame: u32, shares: [f32; 2]) -> Option<Sweep> {
        let (first, last) = (self.points.first()?, self.points.last()?);
        if frame < first.frame || frame > last.frame {
            return None;
        }
        let to = self.position_in(frame)?;
        let from = self.position_in(frame.saturating_sub(1).max(first.frame))?;
        let way = [0, 1, 2].map(|i| to[i] - from[i]);
        let at = |share: f32| [0, 1, 2].map(|i| from[i] + way[i] * share.clamp(0.0, 1.0));
        Some(Sweep {
            from: at(shares[0]),
            to: at(shares[1]),
            way,
        })
    }

    /// Position at the end of a frame, linear between recorded frames.
    fn position_in(&self, frame: u32) -> Option<[f32; 3]> {
        let after = self.points.partition_point(|p| p.frame < frame);
        let next = self.points.get(after).or(self.points.last())?;
        let previous = self.points.get(after.saturating_sub(1)).unwrap_or(next);
        let span = next.frame.saturating_sub(previous.frame);
        let share = if span == 0 {
            1.0
        } else {
            (frame.saturating_sub(previous.frame) as f32 / span as f32).min(1.0)
        };
        let (a, b) = (finite3(previous.position), finite3(next.position));
        Some([0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * share))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Key, PathPoint};
    use super::*;

    #[test]
    fn activity_is_linear_and_repeats() {
        let key = |time, value| Key { time, value };
        let mut a = Activity::default();
        assert_eq!(a.at(3.0), 1.0);
        a.keys = vec![key(1.0, 0.0), key(2.0, 4.0), key(2.0, 1.0), key(4.0, 3.0)];
        let expect = [
            (0.0, 0.0),
            (1.25, 1.0),
            (1.75, 3.0),
            (2.0, 1.0),
            (3.0, 2.0),
            (9.0, 3.0),
        ];
        for (t, v) in expect {
            assert_eq!(a.at(t), v, "at {t}");
        }
        a.repeat = true;
        for (t, _) in expect.iter().take(5) {
            assert_eq!(a.at(t + 4.0), a.at(*t), "repeat at {t}");
        }
        assert_eq!(a.at(9.0), a.at(1.0));
        assert!(a.at(f64::NAN).is_finite());
    }

    #[test]
    fn path_velocity_is_the_derivative_of_its_position() {
        let point = |x, y| PathPoint {
            offset: [x, y, 0.0],
        };
        let mut path = Path {
            points: vec![
                point(0.0, 0.0),
                point(1.0, 0.2),
                point(0.7, 1.0),
                point(-0.5, 0.4),
            ],
            duration: 3.0,
            ..Path::default()
        };
        for closed in [true, false] {
            path.closed = closed;
            for t in [0.1, 0.8, 1.3, 2.6, 3.4, 5.1, 7.7] {
                let (e, (_, v)) = (1e-3, path.at(t));
                let (a, b) = (path.at(t - e).0, path.at(t + e).0);
                for i in 0..3 {
                    let difference = (b[i] - a[i]) / (2.0 * e as f32);
                    assert!(
                        (difference - v[i]).abs() < 2e-3,
                        "{closed} {t}: {difference} {}",
                        v[i]
                    );
                }
            }
        }
        // It passes through its points at equal intervals, and returns.
        path.closed = true;
        assert_eq!(path.at(0.75).0, [1.0, 0.2, 0.0]);
        assert_eq!(path.at(3.0).0, path.at(0.0).0);
        path.closed = false;
        let end = path.at(3.0).0;
        assert!((end[0] + 0.5).abs() < 1e-6 && (end[1] - 0.4).abs() < 1e-6);
        assert_eq!(path.at(6.0).0, [0.0, 0.0, 0.0]);
    }

    #[test]
    fn flicker_is_smooth_repeatable_and_bounded() {
        assert_eq!(flicker(0.0, 1, 2, 3.4), 1.0);
        let series = |seed, item| -> Vec<f32> {
            (0..1000)
                .map(|i| flicker(1.0, seed, item, f64::from(i) * 0.01))
                .collect()
        };
        let a = series(1, 0);
        assert_eq!(a, series(1, 0));
        assert_ne!(a, series(2, 0));
        assert_ne!(a, series(1, 1));
        assert!(a.iter().all(|v| (0.0..=2.0).contains(v)));
        assert!(a.windows(2).all(|w| (w[1] - w[0]).abs() < 0.26));
        let mean = a.iter().sum::<f32>() / a.len() as f32;
        assert!((mean - 1.0).abs() < 0.2, "{mean}");
    }

    #[test]
    fn strokes_record_and_interpolate() {
        let mut s = Stroke::default();
        assert!(s.push(10, [0.0; 3]));
        assert!(!s.push(10, [0.0; 3]), "the same again");
        assert!(s.push(14, [4.0, 0.0, 0.0]));
        assert!(!s.push(12, [9.0; 3]), "the past is fixed");
        assert!(!s.push(20, [f32::NAN; 3]));
        assert_eq!(s.sweep(9, [0.0, 1.0]), None);
        assert_eq!(s.sweep(15, [0.0, 1.0]), None);
        let sweep = s.sweep(12, [0.0, 0.5]).unwrap();
        assert_eq!(
            (sweep.from[0], sweep.to[0], sweep.way[0]),
            (1.0, 1.5, 1.0),
            "half of a frame"
        );
        assert_eq!(s.sweep(10, [0.0, 1.0]).unwrap().way, [0.0; 3]);
        for frame in 15..100 {
            s.push(frame, [4.0, 0.0, 0.0]);
        }
        assert_eq!(s.points.len(), 3, "a resting brush costs nothing");
        assert_eq!(s.sweep(60, [0.0, 1.0]).unwrap().to, [4.0, 0.0, 0.0]);
        assert_eq!(s.sweep(99, [0.0, 1.0]).unwrap().way, [0.0; 3]);
    }
}
