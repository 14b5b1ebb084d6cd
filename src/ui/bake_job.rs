//! A bake beside the interface: its settings, its progress, its outcome.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::device::DeviceChoice;

use super::editor::Editor;
use super::files::{self, Event};

/// What a bake reports.
pub enum BakeEvent {
    /// So much is done, of so much, and what is being done.
    Progress(u32, u32, String),
    /// It ended.
    Done(Result<Written, String>),
}

/// What a bake wrote.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The files with their sizes in bytes.
    pub files: Vec<(PathBuf, u64)>,
    /// The description beside them.
    pub sidecar: PathBuf,
    /// What should be known.
    pub notes: Vec<String>,
}

/// How far a bake is.
#[derive(Clone, Debug, Default)]
pub enum Stage {
    /// None has run.
    #[default]
    Idle,
    /// One runs.
    Running {
        /// Steps done.
        done: u32,
        /// Steps in all.
        of: u32,
        /// What is being done.
        what: String,
    },
    /// It was stopped.
    Cancelled,
    /// It failed.
    Failed(String),
    /// It wrote files.
    Finished(Written),
}

/// The bake that runs or ran last.
pub struct BakeJob {
    /// Where to.
    pub folder: String,
    /// How far it is.
    pub stage: Stage,
    /// Which device does it.
    pub device: DeviceChoice,
    cancel: Arc<AtomicBool>,
    started: Option<Instant>,
    /// How long it took, s.
    pub seconds: f32,
}

impl Default for BakeJob {
    fn default() -> Self {
        let pictures = directories::UserDirs::new()
            .and_then(|d| d.picture_dir().map(|p| p.join("Eddy")))
            .unwrap_or_else(|| PathBuf::from("bake"));
        Self {
            folder: pictures.display().to_string(),
            stage: Stage::Idle,
            device: DeviceChoice::Cpu,
            cancel: Arc::default(),
            started: None,
            seconds: 0.0,
        }
    }
}

impl BakeJob {
    /// Whether one runs.
    pub fn running(&self) -> bool {
        matches!(self.stage, Stage::Running { .. })
    }

    /// Asks the one that runs to stop.
    pub fn cancel(&mut self) {
        self.cancel.store(true, Ordering::Release);
    }
}

/// Starts a bake of the document as it is now.
pub fn start(editor: &mut Editor) {
    if editor.bake.running() {
        return;
    }
    let document = Arc::clone(editor.document());
    let base = files::base(editor.file.as_deref());
    let out = PathBuf::from(editor.bake.folder.trim());
    let frames = document.time.first_frame..document.time.end_frame;
    let cancel = Arc::new(AtomicBool::new(false));
    let device = editor.bake.device;
    editor.bake.cancel = Arc::clone(&cancel);
    editor.bake.started = Some(Instant::now());
    editor.bake.stage = Stage::Running {
        done: 0,
        of: frames.len() as u32,
        what: "Starting".to_owned(),
    };
    editor.jobs.spawn(move |report| {
        let _ = (&document, &base, &out, &frames, &device, &cancel);
        report(Event::Bake(BakeEvent::Done(Err("no bake yet".into()))));
    });
}

/// Takes a report of the bake.
pub fn take(editor: &mut Editor, event: BakeEvent) {
    let job = &mut editor.bake;
    if let Some(started) = job.started {
        job.seconds = started.elapsed().as_secs_f32();
    }
    job.stage = match event {
        BakeEvent::Progress(done, of, what) => Stage::Running { done, of, what },
        BakeEvent::Done(_) if job.cancel.load(Ordering::Acquire) => Stage::Cancelled,
        BakeEvent::Done(Ok(written)) => {
            editor.toasts.done(format!(
                "Baked {}",
                super::format::count(written.files.len(), "file")
            ));
            Stage::Finished(written)
        }
        BakeEvent::Done(Err(message)) => Stage::Failed(message),
    };
}
