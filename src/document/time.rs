//! Time.

crate::params! {
    /// Frame rate, range, warm-up and sub-steps.
    pub struct TimeSettings {
        /// Frames a second of simulated time.
        restart frame_rate: f32 = 60.0, hard 1.0..=1000.0, soft 12.0..=120.0, "fps";
        /// Simulated seconds a second of playing. Slower than one is slow motion at the same frame rate.
        restart time_scale: f32 = 1.0, hard 0.001..=100.0, soft 0.1..=4.0, log;
        /// Largest number of cells that the fluid may cross in a sub-step. Smaller is more exact and costs more.
        live cfl: f32 = 4.0, hard 0.05..=100.0, soft 0.5..=16.0, log;
        /// Most sub-steps a frame; beyond it the limit above gives way.
        live max_substeps: u32 = 8, hard 1..=1000, soft 1..=32;
        /// Frames that are simulated before frame 0 is shown.
        restart warm_up: u32 = 0, hard 0..=100_000, soft 0..=600;
        /// First frame of the range that is played and baked.
        live first_frame: u32 = 0, hard 0..=10_000_000, soft 0..=600;
        /// Last frame of the range, not included.
        live end_frame: u32 = 240, hard 1..=10_000_000, soft 1..=1200;
    }
}

impl TimeSettings {
    /// Simulated seconds a frame.
    pub fn frame_dt(&self) -> f32 {
        self.time_scale / self.frame_rate
    }

    /// Simulated time at a frame, s.
    pub fn seconds(&self, frame: u32) -> f64 {
        f64::from(frame) * f64::from(self.frame_dt())
    }

    /// The frame that is nearest to a simulated time; the first one before it.
    pub fn frame_at(&self, seconds: f64) -> u32 {
        (seconds / f64::from(self.frame_dt()).max(1e-9)).round() as u32
    }
}
