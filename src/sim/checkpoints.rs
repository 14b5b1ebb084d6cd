//! States to go back to, spread over the frames, within a memory budget.

use std::collections::BTreeMap;

use super::Checkpoint;

/// Frames between checkpoints at first.
const FIRST_INTERVAL: u32 = 10;

/// Checkpoints by frame. When they take more than the budget the interval doubles and every second one goes.
pub struct Checkpoints {
    by_frame: BTreeMap<u32, Checkpoint>,
    interval: u32,
    budget: usize,
}

impl Checkpoints {
    pub fn new(budget: usize) -> Self {
        Self {
            by_frame: BTreeMap::new(),
            interval: FIRST_INTERVAL,
            budget,
        }
    }

    pub fn clear(&mut self) {
        self.by_frame.clear();
        self.interval = FIRST_INTERVAL;
    }

    /// Whether a checkpoint of `frame` is wanted.
    pub fn wants(&self, frame: u32) -> bool {
        frame.is_multiple_of(self.interval) && !self.by_frame.contains_key(&frame)
    }

    /// Keeps it, at the cost of others if need be. The one of frame 0 and the newest always stay.
    pub fn keep(&mut self, checkpoint: Checkpoint) {
        let newest = checkpoint.frame;
        self.by_frame.insert(newest, checkpoint);
        while self.bytes() > self.budget && self.by_frame.len() > 2 {
            self.interval = self.interval.saturating_mul(2);
            let interval = self.interval;
            self.by_frame
                .retain(|&frame, _| frame == newest || frame.is_multiple_of(interval));
        }
    }

    /// The last one at or before `frame`.
    pub fn before(&self, frame: u32) -> Option<&Checkpoint> {
        self.by_frame.range(..=frame).next_back().map(|(_, c)| c)
    }

    /// Forgets what comes after `frame`: the parameters have changed since.
    pub fn forget_after(&mut self, frame: u32) {
        self.by_frame.split_off(&frame.saturating_add(1));
    }

    pub fn frames(&self) -> Vec<u32> {
        self.by_frame.keys().copied().collect()
    }

    fn bytes(&self) -> usize {
        self.by_frame.values().map(Checkpoint::bytes).sum()
    }
}
