//! How fast things go, smoothed so that people can read it.

use std::time::Instant;

use crate::sim::Snapshot;

/// Speeds of the interface and of the simulation.
#[derive(Default)]
pub struct Meter {
    last_frame: Option<Instant>,
    last_seen: Option<Seen>,
    /// Pictures of the interface a second.
    pub ui_fps: f32,
    /// Longest time between two pictures in the last second, ms.
    pub worst_ms: f32,
    worst_since: Option<Instant>,
    /// Work of the interface for a picture, ms, smoothed.
    pub work_ms: f32,
    /// Work of the interface for the last picture, ms.
    pub last_ms: f32,
    /// Simulated frames a second.
    pub sim_fps: f32,
    /// Simulated seconds a real second.
    pub realtime: f32,
    /// Simulated frames between two pictures.
    pub frames_per_picture: f32,
}

struct Seen {
    at: Instant,
    frame: u32,
    time: f64,
}

/// What is longer than this is a pause, s. Longer than the slowest picture.
const PAUSE: f32 = 1.5;
/// Share of a new measurement in the smoothed value.
const NEW: f32 = 0.1;
/// Time between two measurements of the simulation, s.
const INTERVAL: f32 = 0.25;

impl Meter {
    /// Takes the time that the interface worked for a picture.
    pub fn worked(&mut self, ms: f32) {
        self.last_ms = ms;
        self.work_ms += (ms - self.work_ms) * if self.work_ms == 0.0 { 1.0 } else { NEW };
    }

    /// Pictures a second for people: nothing where none have followed each other yet.
    pub fn shown_fps(&self) -> String {
        if self.ui_fps > 0.0 {
            format!("{:.0}", self.ui_fps.clamp(1.0, 999.0))
        } else {
            "–".to_owned()
        }
    }

    /// Takes a look at the beginning of a frame of the interface.
    pub fn see(&mut self, snapshot: &Snapshot) {
        let now = Instant::now();
        if let Some(last) = self.last_frame {
            let dt = (now - last).as_secs_f32().max(1e-4);
            // A pause because nothing happened says nothing about speed.
            if dt < PAUSE {
                let new = if self.ui_fps == 0.0 { 1.0 } else { NEW };
                self.ui_fps += (1.0 / dt - self.ui_fps) * new;
            }
            if self
                .worst_since
                .is_none_or(|since| (now - since).as_secs_f32() > 1.0)
            {
                self.worst_since = Some(now);
                self.worst_ms = 0.0;
            }
            self.worst_ms = self.worst_ms.max(dt * 1e3);
        }
        self.last_frame = Some(now);
        self.see_simulation(now, snapshot);
    }

    fn see_simulation(&mut self, now: Instant, snapshot: &Snapshot) {
        let seen = Seen {
            at: now,
            frame: snapshot.frame,
            time: snapshot.time,
        };
        let Some(last) = &self.last_seen else {
            self.last_seen = Some(seen);
            return;
        };
        let dt = (now - last.at).as_secs_f32();
        if snapshot.frame < last.frame {
            self.last_seen = Some(seen);
        } else if dt >= INTERVAL {
            let frames = (snapshot.frame - last.frame) as f32;
            self.sim_fps = frames / dt;
            self.realtime = ((snapshot.time - last.time) as f32 / dt).max(0.0);
            self.frames_per_picture = self.sim_fps / self.ui_fps.max(1.0);
            self.last_seen = Some(seen);
        }
    }
}
