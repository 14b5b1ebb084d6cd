//! The gate of a loop: inside, every dispatch takes its group counts from a buffer. A kernel that checks the residual
//! sets them to zero once it is small enough, and what follows costs next to nothing, without the host knowing.
//!
//! Each different shape of groups has a slot of three words. `template` holds the counts of all slots, and is written by
//! the host as shapes turn up; the check copies it over `args`, or zeros.

use super::{Gpu, GpuBuffer};
use crate::device::kernels::OpenGate;
use crate::device::{Arg, DeviceError, Kernel};

/// Shapes of groups that a loop may have.
pub const SLOTS: u32 = 128;
/// Bytes of a slot.
pub const SLOT_BYTES: u32 = 12;

/// The gate of one loop.
pub struct Gate {
    /// What dispatches read.
    pub args: GpuBuffer,
    /// What they read while the gate is open.
    pub template: GpuBuffer,
    /// What the check says: its third word is not zero when the gate is closed.
    pub progress: GpuBuffer,
    /// Shapes with a slot.
    pub shapes: Vec<[u32; 3]>,
    /// The chunk of commands that last filled `args`.
    pub filled: u64,
}

impl Gpu {
    /// From now on dispatches obey the gate.
    pub fn enter(&mut self, gate: Gate) {
        if self.gate.is_some() {
            self.status.report(DeviceError::Gpu(
                "a loop was begun inside another, which the GPU cannot do".into(),
            ));
        }
        self.gate = Some(gate);
    }

    /// The gate of the loop that ends, or pauses for its check.
    pub fn leave(&mut self) -> Option<Gate> {
        self.gate.take()
    }

    /// The slot of that shape.
    pub(super) fn gate_slot(&mut self, groups: [u32; 3]) -> Option<u32> {
        let gate = self.gate.as_mut()?;
        if let Some(at) = gate.shapes.iter().position(|s| *s == groups) {
            return Some(at as u32);
        }
        let at = gate.shapes.len() as u32;
        if at >= SLOTS {
            self.status.report(DeviceError::Gpu(format!(
                "a loop has more than {SLOTS} shapes of dispatches"
            )));
            return None;
        }
        gate.shapes.push(groups);
        // This comes before all commands of the chunk, so that a check that was recorded in it sees the slot already.
        self.queue.write_buffer(
            gate.template.raw(),
            u64::from(at * SLOT_BYTES),
            bytemuck::cast_slice(&groups),
        );
        if gate.filled != self.recorder.chunk {
            gate.filled = self.recorder.chunk;
            let (template, progress, args) = (
                gate.template.clone(),
                gate.progress.clone(),
                gate.args.clone(),
            );
            let list = [
                Arg::Buffer(&template),
                Arg::Buffer(&progress),
                Arg::Buffer(&args),
            ];
            self.dispatch(&OpenGate::INFO, [SLOTS * 3, 1, 1], &list, false);
        }
        Some(at)
    }
}
