//! Bakes beside the interface: their settings, the queue in which they wait, the progress of the one that runs, and what
//! came of the last ones.

use std::collections::VecDeque;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::bake;
use crate::device::{Device, DeviceChoice};
use crate::document::Document;
use crate::sim::panic_text;

use super::editor::Editor;
use super::files::{self, Event};

/// What a bake reports.
pub enum BakeEvent {
    /// The share that is done, and what is being done.
    Progress(f32, String),
    /// It ended.
    Done(Result<Written, String>),
}

/// What a bake wrote.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The files with their sizes in bytes, the sidecar being the last.
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
        /// The share that is done.
        share: f32,
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

/// A bake that waits, or runs. The document is the one that stood there when it was asked for.
#[derive(Clone)]
pub struct Waiting {
    /// Tells it from all others.
    pub number: u64,
    /// Name of the look.
    pub look: String,
    /// Where to.
    pub out: PathBuf,
    document: Arc<Document>,
    base: PathBuf,
    file: Option<PathBuf>,
    device: DeviceChoice,
}

impl Waiting {
    /// Number of frames that are written.
    pub fn frames(&self) -> u32 {
        let time = &self.document.time;
        time.end_frame.saturating_sub(time.first_frame)
    }
}

/// A bake that has ended.
pub struct Past {
    /// What was baked, and where to.
    pub of: Waiting,
    /// What came of it: it was cancelled, failed or finished.
    pub stage: Stage,
    /// How long it took, s.
    pub seconds: f32,
}

/// Most bakes that are remembered.
const MOST: usize = 8;

/// The bake that runs or ran last, those that wait, and those that have ended.
pub struct BakeJob {
    /// Name of the look.
    pub look: String,
    /// Where to.
    pub folder: String,
    /// How far it is.
    pub stage: Stage,
    /// Which device does it.
    pub device: DeviceChoice,
    /// Those that wait, the next one first.
    pub queue: VecDeque<Waiting>,
    /// Those that have ended, the last one first.
    pub past: VecDeque<Past>,
    now: Option<Waiting>,
    asked: u64,
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
            look: String::new(),
            folder: pictures.display().to_string(),
            stage: Stage::Idle,
            device: DeviceChoice::Cpu,
            queue: VecDeque::new(),
            past: VecDeque::new(),
            now: None,
            asked: 0,
            cancel: Arc::default(),
            started: None,
            seconds: 0.0,
        }
    }
}

impl BakeJob {
    /// Whether one runs.
    pub fn running(&self) -> bool {
        running(&self.stage)
    }

    /// The whole path of the folder, which may be named from where the document at `file` lies; none where none is named.
    pub fn target(&self, file: Option<&Path>) -> Option<PathBuf> {
        if self.folder.trim().is_empty() {
            return None;
        }
        let base = file.and_then(Path::parent).unwrap_or(Path::new(""));
        std::path::absolute(super::path_field::meant(&self.folder, base)).ok()
    }

    /// What came of the last one concerns another document.
    pub fn forget(&mut self) {
        if !self.running() {
            self.stage = Stage::Idle;
        }
    }

    /// Asks the one that runs to stop; the next one begins.
    pub fn cancel(&mut self) {
        self.cancel.store(true, Ordering::Release);
    }

    /// Takes one that waits out of the queue.
    pub fn withdraw(&mut self, number: u64) {
        self.queue.retain(|w| w.number != number);
    }

    /// What came of the last bake, where it was of this document and for the folder that is named now; else it says nothing
    /// about what is set.
    pub fn outcome(&self, document: &Arc<Document>, out: Option<&Path>) -> Option<&Past> {
        let last = self.past.front()?;
        let same = Arc::ptr_eq(&last.of.document, document) && out? == last.of.out;
        same.then_some(last)
    }
}

/// Bakes the document as it is now, at once or after those that wait.
pub fn start(editor: &mut Editor) {
    let Some(out) = editor.bake.target(editor.file.as_deref()) else {
        return;
    };
    let document = Arc::clone(editor.document());
    editor.bake.asked += 1;
    editor.bake.queue.push_back(Waiting {
        number: editor.bake.asked,
        look: document.name.clone(),
        out,
        base: files::base(editor.file.as_deref()),
        file: editor.file.clone(),
        device: editor.bake.device,
        document,
    });
    next(editor);
}

/// Begins with the next bake that waits, unless one runs.
fn next(editor: &mut Editor) {
    if editor.bake.running() {
        return;
    }
    let Some(waiting) = editor.bake.queue.pop_front() else {
        return;
    };
    editor.bake.now = Some(waiting.clone());
    let Waiting {
        look,
        out,
        document,
        base,
        file,
        device,
        ..
    } = waiting;
    let frames = document.time.first_frame..document.time.end_frame;
    let cancel = Arc::new(AtomicBool::new(false));
    editor.bake.cancel = Arc::clone(&cancel);
    editor.bake.look = look;
    editor.bake.started = Some(Instant::now());
    editor.bake.stage = Stage::Running {
        share: 0.0,
        what: "Starting".to_owned(),
    };
    editor.jobs.spawn(move |report| {
        let bake = || {
            run(
                &document,
                file,
                &base,
                &out,
                frames,
                device,
                &cancel,
                &|event| {
                    report(Event::Bake(event));
                },
            )
        };
        let outcome = catch_unwind(AssertUnwindSafe(bake))
            .unwrap_or_else(|panic| Err(format!("internal error: {}", panic_text(&*panic))));
        report(Event::Bake(BakeEvent::Done(outcome)));
    });
}

/// Between two reports of progress.
const INTERVAL: Duration = Duration::from_millis(50);

fn run(
    document: &Arc<Document>,
    file: Option<PathBuf>,
    base: &Path,
    out: &Path,
    frames: Range<u32>,
    device: DeviceChoice,
    cancel: &AtomicBool,
    report: &dyn Fn(BakeEvent),
) -> Result<Written, String> {
    let device = Device::sparing_a_core(device).map_err(|e| e.to_string())?;
    let mut last = None::<Instant>;
    let options = bake::BakeOptions {
        inputs: file.into_iter().collect(),
        ..bake::BakeOptions::default()
    };
    let mut progress = |p: bake::Progress| {
        if last.is_none_or(|at| at.elapsed() >= INTERVAL) {
            last = Some(Instant::now());
            report(BakeEvent::Progress(p.fraction(), describe(&p)));
        }
        !cancel.load(Ordering::Acquire)
    };
    let baked = bake::run(document, base, out, frames, device, &options, &mut progress)
        .map_err(|e| e.to_string())?;
    let size = |path: &str| std::fs::metadata(path).map_or(0, |m| m.len());
    Ok(Written {
        files: baked
            .files
            .iter()
            .map(|f| &f.path)
            .chain([&baked.sidecar])
            .map(|path| (PathBuf::from(path), size(path)))
            .collect(),
        sidecar: PathBuf::from(baked.sidecar),
        notes: baked.notes,
    })
}

fn describe(progress: &bake::Progress) -> String {
    match progress.stage {
        bake::Stage::WarmUp => format!("Warming up: frame {}", progress.frame),
        bake::Stage::Simulating => format!("Simulating frame {}", progress.frame),
        bake::Stage::Writing => "Writing files".to_owned(),
        bake::Stage::Finishing => "Putting files in place".to_owned(),
    }
}

/// Takes a report of the bake.
pub fn take(editor: &mut Editor, event: BakeEvent) {
    let job = &mut editor.bake;
    if let Some(started) = job.started {
        job.seconds = started.elapsed().as_secs_f32();
    }
    job.stage = match event {
        BakeEvent::Progress(share, what) => Stage::Running { share, what },
        // One that was done before it heard of it has written its files.
        BakeEvent::Done(Err(_)) if job.cancel.load(Ordering::Acquire) => Stage::Cancelled,
        BakeEvent::Done(Ok(written)) => {
            editor.toasts.done(format!(
                "Baked {}",
                super::format::count(written.files.len(), "file")
            ));
            Stage::Finished(written)
        }
        BakeEvent::Done(Err(message)) => Stage::Failed(message),
    };
    if job.running() {
        return;
    }
    if let Some(of) = job.now.take() {
        job.past.push_front(Past {
            of,
            stage: job.stage.clone(),
            seconds: job.seconds,
        });
        job.past.truncate(MOST);
    }
    next(editor);
}

fn running(stage: &Stage) -> bool {
    matches!(stage, Stage::Running { .. })
}
