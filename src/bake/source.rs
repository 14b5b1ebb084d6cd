//! Where frames come from.

use std::path::Path;
use std::sync::Arc;

use super::BakeError;
use crate::device::{Device, DeviceKind};
use crate::document::Document;
use crate::field::{FieldData, FieldDesc};
use crate::sim::{Fault, Simulation};
use crate::solvers::StepReport;

/// Something that yields frames, one after the other.
pub trait FrameSource {
    /// The fields that it has.
    fn fields(&self) -> &[FieldDesc];
    /// The device, as the sidecar names it: the same words for the same results.
    fn device(&self) -> String;
    /// Frames before frame 0.
    fn warm_up(&self) -> u32;
    /// One frame further, be it of the warm-up or not. `cancelled` is asked now and then.
    ///
    /// # Errors
    /// See [`Fault`].
    fn advance(&mut self, cancelled: &dyn Fn() -> bool) -> Result<StepReport, Fault>;
    /// A field of the present frame.
    ///
    /// # Errors
    /// See [`Fault`].
    fn field(&mut self, name: &str) -> Result<FieldData, Fault>;
}

/// Frames of a simulation from its beginning.
pub(super) struct Simulated {
    simulation: Simulation,
    device: String,
}

impl Simulated {
    pub(super) fn new(
        document: &Arc<Document>,
        base: &Path,
        device: Device,
    ) -> Result<Self, BakeError> {
        // The number of threads changes no bit, so it is no part of the name.
        let name = match device.kind() {
            DeviceKind::Cpu => "CPU".to_owned(),
            DeviceKind::Gpu | DeviceKind::SoftwareGpu => format!("GPU, {}", device.name()),
        };
        Ok(Self {
            simulation: Simulation::new(Arc::clone(document), base.to_owned(), device)?,
            device: name,
        })
    }
}

impl FrameSource for Simulated {
    fn fields(&self) -> &[FieldDesc] {
        self.simulation.fields()
    }
    fn device(&self) -> String {
        self.device.clone()
    }
    fn warm_up(&self) -> u32 {
        self.simulation.document().time.warm_up
    }
    fn advance(&mut self, cancelled: &dyn Fn() -> bool) -> Result<StepReport, Fault> {
        self.simulation.advance(cancelled)
    }
    fn field(&mut self, name: &str) -> Result<FieldData, Fault> {
        self.simulation.field(name)
    }
}
