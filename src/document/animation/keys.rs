//! Keys are put in, moved and taken away.

use super::{Interpolation, KeyValue, Track, TrackKey};

/// Keys that are nearer than this share of a frame stand at the same frame.
const SAME: f64 = 0.499;

impl Track {
    /// The key that stands at the frame which begins at a time, s; frames are `frame_dt` long.
    pub fn key_at(&self, time: f64, frame_dt: f32) -> Option<usize> {
        let near = f64::from(frame_dt) * SAME;
        self.keys
            .iter()
            .position(|k| (f64::from(k.time) - time).abs() <= near)
    }

    /// Puts a key in, or gives the one that stands at that frame the value. A new key goes on as the one before it.
    pub fn set_key(&mut self, time: f64, value: KeyValue, frame_dt: f32) {
        if let Some(i) = self.key_at(time, frame_dt) {
            self.keys[i].value = value;
            return;
        }
        let time = time.max(0.0) as f32;
        let at = self.keys.partition_point(|k| k.time < time);
        let before = at.checked_sub(1).or((!self.keys.is_empty()).then_some(0));
        let interpolation = match before {
            _ if value.numbers().is_empty() => Interpolation::Stepped,
            Some(i) => self.keys[i].interpolation,
            None => Interpolation::Smooth,
        };
        let key = TrackKey {
            time,
            value,
            interpolation,
        };
        self.keys.insert(at, key);
    }

    /// Moves some keys by whole frames, as far as none of them comes before frame 0. What stands where one comes to rest is
    /// replaced by it. Gives where they are then.
    pub fn move_keys(&mut self, moved: &[usize], by: i64, frame_dt: f32) -> Vec<usize> {
        let dt = f64::from(frame_dt).max(1e-9);
        let frame = |k: &TrackKey| (f64::from(k.time) / dt).round() as i64;
        let picked = |i: usize| moved.contains(&i);
        let first = moved.iter().filter_map(|i| self.keys.get(*i)).map(frame);
        let by = by.max(-first.min().unwrap_or(0));
        if by == 0 {
            return moved.to_vec();
        }
        let mut keys: Vec<(bool, TrackKey)> = self
            .keys
            .iter()
            .enumerate()
            .map(|(i, key)| (picked(i), key.clone()))
            .collect();
        for (_, key) in keys.iter_mut().filter(|(picked, _)| *picked) {
            key.time = ((frame(key) + by) as f64 * dt) as f32;
        }
        let taken: Vec<i64> = keys.iter().filter(|k| k.0).map(|k| frame(&k.1)).collect();
        keys.retain(|(picked, key)| *picked || !taken.contains(&frame(key)));
        keys.sort_by(|a, b| a.1.time.total_cmp(&b.1.time));
        // Two that stood in one frame, off it, have come to one place.
        keys.dedup_by(|b, a| a.1.time == b.1.time);
        let (picked, keys): (Vec<bool>, Vec<TrackKey>) = keys.into_iter().unzip();
        self.keys = keys;
        (0..picked.len()).filter(|i| picked[*i]).collect()
    }

    /// Whether it says nothing: without keys and without a wave.
    pub fn is_idle(&self) -> bool {
        self.keys.is_empty() && self.modulator.is_off()
    }
}
