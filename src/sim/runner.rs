//! The simulation on a thread of its own. The interface sends commands and looks at the latest snapshot; it never waits.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::Fault;
use super::mailbox::Mailbox;
use super::worker::Worker;
use crate::device::{DeviceChoice, KernelTime};
use crate::document::Document;
use crate::field::FieldData;
use crate::solvers::{Invariant, StepReport, pressure_ms};

/// What the interface asks for.
#[derive(Clone, Debug)]
pub enum Command {
    /// Another document, or the same one changed, and where its relative paths begin. Starts again only where a restart
    /// parameter differs.
    Document(Arc<Document>, PathBuf),
    /// Go on, frame after frame.
    Play,
    /// Stop after the present frame.
    Pause,
    /// One frame, then pause.
    Step,
    /// Back to frame 0.
    Reset,
    /// Back (or forward) to a frame: from the nearest checkpoint before it.
    GoTo(u32),
    /// After a fault: back to the last good checkpoint.
    Recover,
    /// Frames played a frame of real time, at most: 1 is real time, 0 is as fast as it goes.
    Speed(f32),
    /// Whether playing begins again at the first frame of the range when it comes to its end.
    Loop(bool),
    /// Fields that snapshots should hold, besides the one of the view.
    Watch(Vec<String>),
    /// Another device.
    Device(DeviceChoice),
    /// Bytes that may be taken from now on. What was refused for want of them is begun.
    Memory(u64),
}

impl Command {
    /// Whether what is being computed will be thrown away by it.
    pub(super) fn interrupts(&self) -> bool {
        matches!(
            self,
            Self::Reset | Self::GoTo(_) | Self::Recover | Self::Device(_)
        )
    }
}

/// What the runner is doing.
#[derive(Clone, Debug)]
pub enum State {
    /// Making the first state, or warming up, or going to a frame: frames done and frames in all.
    Starting(u32, u32),
    /// Going on.
    Playing,
    /// Waiting.
    Paused,
    /// Stopped by a fault; with the parameter that was changed last, if any.
    Fault(Fault, Option<String>),
}

/// A look at the simulation: always a complete frame.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Counts snapshots; differs whenever anything does.
    pub serial: u64,
    /// What the runner is doing.
    pub state: State,
    /// Frames done: those fields, report and history belong to it. A GPU may be at work on later ones.
    pub frame: u32,
    /// Simulated time, s.
    pub time: f64,
    /// The watched fields: that of the view first, then the obstacles, then those asked for.
    pub fields: Vec<Arc<FieldData>>,
    /// Report of the last frame.
    pub report: Arc<StepReport>,
    /// Wall time of the last frame, ms.
    pub frame_ms: f32,
    /// Reports since the start; the oldest go when there are many.
    pub history: Arc<Vec<Arc<HistoryPoint>>>,
    /// Frames to which one can go back without simulating them again.
    pub checkpoints: Arc<Vec<u32>>,
    /// Name of the device.
    pub device: String,
    /// Memory that the device's buffers take, bytes.
    pub memory_bytes: u64,
    /// Something to tell, such as a device that was lost and replaced.
    pub notice: Option<String>,
    /// Whether scene, method or time were changed under way: a run from the beginning, as a bake does it, comes to another
    /// state than this one.
    pub mixed: bool,
}

impl Snapshot {
    /// A watched field.
    pub fn field(&self, name: &str) -> Option<&Arc<FieldData>> {
        self.fields.iter().find(|f| f.desc.name == name)
    }
}

/// One frame in the history.
#[derive(Clone, Debug, Default)]
pub struct HistoryPoint {
    /// Frame.
    pub frame: u32,
    /// Wall time, ms.
    pub frame_ms: f32,
    /// Sub-steps.
    pub substeps: u32,
    /// Residual (L2) before and after the pressure solve.
    pub residual: [f32; 2],
    /// Residual (L2) that a guess of zero has: what the frame's last step brought in.
    pub brought: f32,
    /// Iterations of the pressure solve.
    pub iterations: u32,
    /// Whether it met its tolerance.
    pub converged: bool,
    /// The step's invariants.
    pub invariants: Vec<Invariant>,
    /// What each kernel took of it; only those whose time was measured.
    pub kernels: Vec<KernelTime>,
}

impl HistoryPoint {
    /// What the frame's pressure solves took, of all its sub-steps, ms; see [`pressure_ms`].
    pub fn pressure_ms(&self) -> Option<f64> {
        pressure_ms(&self.kernels)
    }
}

/// The place where the worker leaves its latest snapshot.
pub(super) struct Board {
    latest: Mutex<Arc<Snapshot>>,
    pub(super) mail: Mailbox,
    /// Commands under way that make what is being computed useless.
    pub(super) interrupts: AtomicUsize,
    pub(super) wake: Box<dyn Fn() + Send + Sync>,
}

impl Board {
    pub(super) fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            latest: Mutex::new(Arc::new(Snapshot {
                serial: 0,
                state: State::Starting(0, 0),
                frame: 0,
                time: 0.0,
                fields: Vec::new(),
                report: Arc::default(),
                frame_ms: 0.0,
                history: Arc::default(),
                checkpoints: Arc::default(),
                device: String::new(),
                memory_bytes: 0,
                notice: None,
                mixed: false,
            })),
            mail: Mailbox::default(),
            interrupts: AtomicUsize::new(0),
            wake: Box::new(wake),
        }
    }
    pub(super) fn post(&self, snapshot: Snapshot) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(snapshot);
        (self.wake)();
    }
    pub(super) fn latest(&self) -> Arc<Snapshot> {
        Arc::clone(&self.latest.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The handle that the interface holds. Dropping it ends the thread after the present sub-step.
pub struct Runner {
    board: Arc<Board>,
}

impl Runner {
    /// Starts a thread that runs `document`, paused, on the device asked for. `wake` is called after each snapshot.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn start(
        document: Arc<Document>,
        base: PathBuf,
        device: DeviceChoice,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let board = Arc::new(Board::new(wake));
        let worker = Worker::new(document, base, device, Arc::clone(&board));
        std::thread::Builder::new()
            .name("eddy-runner".to_owned())
            .spawn(move || worker.run())?;
        Ok(Self { board })
    }

    /// Tells the thread something; returns at once.
    pub fn send(&self, command: Command) {
        if command.interrupts() {
            self.board.interrupts.fetch_add(1, Ordering::AcqRel);
        }
        if self
            .board
            .mail
            .send(command)
            .is_some_and(|dropped| dropped.interrupts())
        {
            self.board.interrupts.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// The latest look at the simulation.
    pub fn latest(&self) -> Arc<Snapshot> {
        self.board.latest()
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.board.interrupts.fetch_add(1, Ordering::AcqRel);
        self.board.mail.close();
    }
}
