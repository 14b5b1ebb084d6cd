//! How much memory a document may take before anybody is asked.

use super::Worker;
use crate::device::{Device, DeviceChoice};
use crate::sim::Fault;

/// Memory for the buffers of a document that is taken without asking.
pub(super) const WITHOUT_ASKING: u64 = 4 << 30;

impl Worker {
    /// Opens the device that was chosen.
    pub(super) fn open_device(&self, choice: DeviceChoice) -> Result<Device, Fault> {
        let mut device = Device::sparing_a_core(choice)?;
        // Where a document starts again, the buffers of before live until the new ones are there.
        device.set_memory_limit(self.memory.saturating_mul(2));
        Ok(device)
    }

    /// Refuses a document that is too large, before any memory is taken. What was simulated before is given up: its
    /// picture would be taken for that of the document.
    pub(super) fn fits(&mut self) -> Result<(), Fault> {
        let (needed, limit) = (self.document.memory_bytes(), self.memory);
        if needed <= limit {
            return Ok(());
        }
        self.clear();
        self.simulation = None;
        Err(Fault::Memory { needed, limit })
    }

    /// Allows so much, and begins what was refused for want of it.
    pub(super) fn allow(&mut self, bytes: u64) {
        self.memory = bytes;
        if matches!(self.fault, Some(Fault::Memory { .. })) {
            self.attempt(Self::restart);
        }
    }
}
