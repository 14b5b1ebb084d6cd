//! A document that runs on a device, frame by frame. The bake, the command line and the runner's thread all use this.

use std::path::PathBuf;
use std::sync::Arc;

use crate::device::{Device, DeviceError};
use crate::document::Document;
use crate::field::{FieldData, FieldDesc};
use crate::solvers::{AnyMethod, StepReport};

/// Why a simulation cannot go on.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Fault {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A value is not finite.
    #[error("{field} is not a finite number at cell ({}, {}, {}) in frame {frame}", cell[0], cell[1], cell[2])]
    NotFinite {
        /// Part of the state.
        field: String,
        /// Where.
        cell: [u32; 3],
        /// When.
        frame: u32,
    },
    /// The scene cannot be evaluated: an image that cannot be read, say.
    #[error("{0}")]
    Scene(String),
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
}

/// A state to which one can return.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Frames done.
    pub frame: u32,
    /// Simulated time, s.
    pub time: f64,
    /// The state of the method.
    pub state: Vec<(&'static str, Vec<f32>)>,
}

/// A document that runs on a device.
pub struct Simulation {
    document: Arc<Document>,
    /// Where relative paths in the document begin.
    base: PathBuf,
    device: Device,
    method: Box<dyn AnyMethod>,
    frame: u32,
    time: f64,
}

#[expect(unused, reason = "contract")]
impl Simulation {
    /// Starts at frame 0, warm-up included. `base` is where relative paths in the document begin.
    ///
    /// # Errors
    /// Memory over the device's limit, a device that fails, a picture that cannot be read.
    pub fn new(document: Arc<Document>, base: PathBuf, device: Device) -> Result<Self, Fault> {
        Err(Fault::Cancelled)
    }
    /// Advances one frame, by as many sub-steps as the CFL limit and the method ask for. `cancelled` is asked before each.
    ///
    /// # Errors
    /// See [`Fault`]. After a fault the state is that of the failed frame; [`Simulation::restore`] or [`Simulation::reset`] mends it.
    pub fn step(&mut self, cancelled: &dyn Fn() -> bool) -> Result<StepReport, Fault> {
        Err(Fault::Cancelled)
    }
    /// Advances until `frame` frames are done.
    ///
    /// # Errors
    /// See [`Simulation::step`].
    pub fn run_to(
        &mut self,
        frame: u32,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<StepReport, Fault> {
        Err(Fault::Cancelled)
    }
    /// Back to frame 0.
    ///
    /// # Errors
    /// See [`Simulation::new`].
    pub fn reset(&mut self) -> Result<(), Fault> {
        Ok(())
    }
    /// Takes a changed document over; starts again (and says so by `true`) if a restart parameter differs.
    ///
    /// # Errors
    /// See [`Simulation::new`].
    pub fn set_document(&mut self, document: Arc<Document>) -> Result<bool, Fault> {
        Ok(false)
    }
    /// The document.
    pub fn document(&self) -> &Arc<Document> {
        &self.document
    }
    /// Frames done since the end of the warm-up.
    pub fn frame(&self) -> u32 {
        self.frame
    }
    /// Simulated time since the end of the warm-up, s.
    pub fn time(&self) -> f64 {
        self.time
    }
    /// The device.
    pub fn device(&mut self) -> &mut Device {
        &mut self.device
    }
    /// Descriptions of the fields that the method has.
    pub fn fields(&self) -> &'static [FieldDesc] {
        self.method.info().fields
    }
    /// A field, read back.
    ///
    /// # Errors
    /// A device that fails, or [`Fault::Scene`] with the names that there are.
    pub fn field(&mut self, name: &str) -> Result<FieldData, Fault> {
        Err(Fault::Cancelled)
    }
    /// The state, to return to.
    ///
    /// # Errors
    /// A device that fails.
    pub fn checkpoint(&mut self) -> Result<Checkpoint, Fault> {
        Err(Fault::Cancelled)
    }
    /// Returns to a state that was taken from this document at this size.
    ///
    /// # Errors
    /// A checkpoint of another shape.
    pub fn restore(&mut self, checkpoint: &Checkpoint) -> Result<(), Fault> {
        Err(Fault::Cancelled)
    }
}
