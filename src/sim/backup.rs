//! The state before a frame that may have to be undone, on the device.

use crate::device::{Buf, Device};
use crate::solvers::StatePart;

/// A copy of a state.
#[derive(Default)]
pub(super) struct Backup {
    parts: Vec<Buf<f32>>,
    /// Frames that were done, warm-up included, if it holds anything.
    of: Option<u32>,
    /// Whether the device once had no room for it.
    refused: bool,
}

impl Backup {
    /// Makes room for such a state. Whether there is any.
    pub fn has_room(&mut self, dev: &mut Device, state: &[StatePart<'_>]) -> bool {
        let fits = self.parts.len() == state.len()
            && state
                .iter()
                .zip(&self.parts)
                .all(|(s, p)| s.buf.len() == p.len());
        if !fits && !self.refused {
            *self = Self::default();
            let parts = state.iter();
            let parts = parts.map(|part| dev.buf("state of the frame before", part.buf.len()));
            match parts.collect() {
                Ok(parts) => self.parts = parts,
                Err(e) => {
                    log::warn!("no frame is begun before the last has ended: {e}");
                    self.refused = true;
                }
            }
        }
        !self.refused
    }

    /// Copies the state after `done` frames.
    pub fn keep(&mut self, dev: &mut Device, state: &[StatePart<'_>], done: u32) {
        for (part, copy) in state.iter().zip(&mut self.parts) {
            dev.copy(part.buf, copy);
        }
        self.of = Some(done);
    }

    /// Holds nothing.
    pub fn forget(&mut self) {
        self.of = None;
    }

    /// Puts the state after `done` frames back, if that is what it holds. Whether it did.
    pub fn put_back(&mut self, dev: &mut Device, state: &mut [StatePart<'_>], done: u32) -> bool {
        let holds = self.of.take() == Some(done);
        if holds {
            for (part, copy) in state.iter_mut().zip(&self.parts) {
                dev.copy(copy, part.buf);
            }
        }
        holds
    }
}
