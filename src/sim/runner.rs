//! The simulation on a thread of its own. The interface sends commands and looks at the latest snapshot; it never waits.

use std::path::PathBuf;
use std::sync::Arc;

use super::Fault;
use crate::device::DeviceChoice;
use crate::document::Document;
use crate::field::FieldData;
use crate::solvers::StepReport;

/// What the interface asks for.
#[derive(Clone, Debug)]
pub enum Command {
    /// Another document, or the same one changed. Starts again only where a restart parameter differs.
    Document(Arc<Document>, PathBuf),
    /// Go on, frame after frame.
    Play,
    /// Stop after the present sub-step.
    Pause,
    /// One frame, then pause.
    Step,
    /// Back to frame 0.
    Reset,
    /// Back (or forward) to a frame: from the nearest checkpoint before it.
    GoTo(u32),
    /// After a fault: back to the last good checkpoint.
    Recover,
    /// Real seconds a simulated second may at least take: 1 is real time, 0 is as fast as it goes.
    Speed(f32),
    /// Fields that snapshots should hold, besides the one of the view.
    Watch(Vec<String>),
    /// Another device.
    Device(DeviceChoice),
}

/// What the runner is doing.
#[derive(Clone, Debug)]
pub enum State {
    /// Making the first state, or warming up: frames done and frames in all.
    Starting(u32, u32),
    /// Going on.
    Playing,
    /// Waiting.
    Paused,
    /// Stopped by a fault; with the path and label of the parameter that was changed last, if any.
    Fault(Fault, Option<String>),
}

/// A look at the simulation: always a complete frame.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Counts snapshots; differs whenever anything does.
    pub serial: u64,
    /// What the runner is doing.
    pub state: State,
    /// Frames done.
    pub frame: u32,
    /// Simulated time, s.
    pub time: f64,
    /// The watched fields.
    pub fields: Vec<Arc<FieldData>>,
    /// Report of the last frame.
    pub report: Arc<StepReport>,
    /// Wall time of the last frame, ms.
    pub frame_ms: f32,
    /// Reports since the start, thinned out when there are many.
    pub history: Arc<Vec<HistoryPoint>>,
    /// Frames to which one can go back without simulating them again.
    pub checkpoints: Arc<Vec<u32>>,
    /// Name of the device.
    pub device: String,
    /// Memory that the device's buffers take, bytes.
    pub memory_bytes: u64,
}

/// One frame in the history.
#[derive(Clone, Debug)]
pub struct HistoryPoint {
    /// Frame.
    pub frame: u32,
    /// Wall time, ms.
    pub frame_ms: f32,
    /// Sub-steps.
    pub substeps: u32,
    /// Residual (L2) before and after the pressure solve.
    pub residual: [f32; 2],
    /// Iterations of the pressure solve.
    pub iterations: u32,
    /// The step's invariants.
    pub invariants: Vec<crate::solvers::Invariant>,
}
