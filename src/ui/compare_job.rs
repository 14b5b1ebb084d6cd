//! Comparisons beside the interface: how far the one that runs is, and what came of the last one.

mod pictures;
mod run;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use egui::ColorImage;

use crate::compare::{self, Budget, Kept, Reference, Row, Way};
use crate::document::{Document, ViewSettings};
use crate::sim::panic_text;

use super::editor::Editor;
use super::files::{self, Event};
use run::{News, Run};

pub use pictures::{Difference, Differing, Pair, differ};

/// Most ways that are compared here: pictures of more could not be told apart.
pub const MOST_WAYS: usize = 48;

/// What a comparison reports.
pub enum CompareEvent {
    /// The share that is done, and what is being done.
    Progress(u64, f32, String),
    /// How all stand in the comparison with that number.
    Standing(u64, Box<Results>),
    /// The comparison with that number ended.
    Done(u64, Result<Box<Results>, String>),
    /// What differs between two of its pictures.
    Difference(Box<Difference>),
}

/// How far a comparison is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Stage {
    /// None has run, or the last one has ended well.
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
}

/// What one way looks like.
#[derive(Clone)]
pub struct Shown {
    /// The picture; its colours mean the same in all pictures.
    pub image: Arc<ColorImage>,
    /// The numbers.
    pub kept: Kept,
}

/// What came of a comparison, or how it stands.
#[derive(Clone)]
pub struct Results {
    /// Tells it from all others.
    pub number: u64,
    /// The look that it was run for.
    pub document: Arc<Document>,
    /// What was asked.
    pub title: String,
    /// The frame with which all began.
    pub first: u32,
    /// Frames of each way so far.
    pub frames: u32,
    /// Frames of each way in all.
    pub of_frames: u32,
    /// The ways that have run, without what was painted: that stands in the look.
    pub ways: Vec<Way>,
    /// How many ways there are in all.
    pub of_ways: usize,
    /// What was to be kept to, where that was asked.
    pub budget: Option<Budget>,
    /// Their numbers.
    pub rows: Vec<Row>,
    /// Whether it still runs.
    pub running: bool,
    /// Whether it was stopped before the end.
    pub stopped: bool,
    /// What they were measured against.
    pub reference: Reference,
    /// What they look like, the reference at last. None for a method without the field, and for one that failed.
    pub shown: Vec<Option<Shown>>,
    /// How the pictures were made.
    pub settings: ViewSettings,
    /// Where it ran.
    pub device: String,
    /// How long it took, s.
    pub seconds: f32,
    /// Whether something else was computed meanwhile, which takes time from what is measured: the editor's own simulation, a
    /// bake, or an earlier comparison that had not yet stopped.
    pub disturbed: bool,
}

impl Results {
    /// The labels of the pictures, that of the reference at last.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let ways = self.rows.iter().map(|r| r.label.as_str());
        ways.chain(std::iter::once("Reference"))
    }

    /// The way that a document already is, if it is one of them.
    pub fn in_use(&self, document: &Document) -> Option<usize> {
        let same = |w: &Way| compare::same_but_strokes(&w.document, document);
        let painted = self.document.scene.strokes == document.scene.strokes;
        self.ways.iter().position(same).filter(|_| painted)
    }
}

/// The comparison that runs, and the last one that ended well.
#[derive(Default)]
pub struct CompareJob {
    /// How far it is.
    pub stage: Stage,
    /// What came of the last one.
    pub results: Option<Arc<Results>>,
    asked: u64,
    cancel: Arc<AtomicBool>,
    disturbed: bool,
    /// Held by every comparison until it has let go of its simulation.
    at_work: Arc<()>,
}

impl CompareJob {
    /// Whether a comparison still computes, be it listened to or not.
    fn computing(&self) -> bool {
        Arc::strong_count(&self.at_work) > 1
    }

    /// Whether something else was computed while the one that runs did.
    pub fn disturbed(&self) -> bool {
        self.disturbed
    }

    /// Whether one runs.
    pub fn running(&self) -> bool {
        matches!(self.stage, Stage::Running { .. })
    }

    /// How all stood last is all that there will be.
    fn end_of_standing(&mut self) {
        if let Some(results) = self
            .results
            .as_mut()
            .map(Arc::make_mut)
            .filter(|r| r.running)
        {
            (results.running, results.stopped) = (false, true);
        }
    }

    /// Asks the one that runs to stop.
    pub fn cancel(&mut self) {
        self.cancel.store(true, Ordering::Release);
    }

    /// What came of the last one, and what the one that runs will find, concern another document.
    pub fn forget(&mut self) {
        self.cancel();
        self.results = None;
        // What it still reports is not listened to.
        self.asked += 1;
        self.stage = Stage::Idle;
    }
}

impl Drop for CompareJob {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// What is to be compared.
pub struct Asked {
    /// In words.
    pub title: String,
    /// The ways, without what was painted.
    pub ways: Vec<Way>,
    /// The frame with which all begin.
    pub first: u32,
    /// Frames of each.
    pub frames: u32,
    /// What is to be kept to, where that is asked.
    pub budget: Option<Budget>,
}

/// Whether the editor computes something of its own.
fn busy(editor: &Editor) -> bool {
    editor.playing() || editor.bake.running()
}

/// Compares ways of the document as it is now, unless a comparison runs.
pub fn start(editor: &mut Editor, asked: Asked) {
    if editor.compare.running() || asked.ways.is_empty() {
        return;
    }
    let document = Arc::clone(editor.document());
    let base = files::base(editor.file.as_deref());
    let device = editor.device();
    let disturbed = busy(editor) || editor.compare.computing();
    let job = &mut editor.compare;
    job.asked += 1;
    job.cancel = Arc::default();
    job.disturbed = disturbed;
    job.stage = Stage::Running {
        share: 0.0,
        what: "Starting".to_owned(),
    };
    let (number, cancel) = (job.asked, Arc::clone(&job.cancel));
    let at_work = Arc::clone(&job.at_work);
    editor.jobs.spawn(move |report| {
        let run = || {
            Run {
                number,
                document,
                base,
                asked,
                device,
                cancel,
            }
            .go(&|news| {
                report(Event::Compare(match news {
                    News::Progress(share, what) => CompareEvent::Progress(number, share, what),
                    News::Standing(results) => CompareEvent::Standing(number, results),
                }));
            })
            .map(Box::new)
            .map_err(|fault| fault.to_string())
        };
        let outcome = catch_unwind(AssertUnwindSafe(run))
            .unwrap_or_else(|panic| Err(format!("internal error: {}", panic_text(&*panic))));
        drop(at_work);
        report(Event::Compare(CompareEvent::Done(number, outcome)));
    });
}

/// Takes a report.
pub fn take(editor: &mut Editor, event: CompareEvent) {
    let busy = busy(editor);
    let job = &mut editor.compare;
    match event {
        CompareEvent::Progress(number, share, what) if number == job.asked && job.running() => {
            job.disturbed |= busy;
            job.stage = Stage::Running { share, what };
        }
        CompareEvent::Standing(number, results) if number == job.asked && job.running() => {
            job.results = Some(Arc::from(results));
        }
        CompareEvent::Done(number, outcome) if number == job.asked => {
            let stopped = job.cancel.load(Ordering::Acquire);
            job.stage = match outcome {
                Ok(results) => {
                    let cut_short = results.stopped;
                    job.results = Some(Arc::new(Results {
                        disturbed: job.disturbed,
                        ..*results
                    }));
                    match cut_short {
                        true => Stage::Cancelled,
                        false => Stage::Idle,
                    }
                }
                Err(_) if stopped => Stage::Cancelled,
                Err(message) => Stage::Failed(message),
            };
            if job.stage != Stage::Idle {
                job.end_of_standing();
            }
        }
        CompareEvent::Difference(difference) => editor.panels.compare.receive(*difference),
        CompareEvent::Progress(..) | CompareEvent::Standing(..) | CompareEvent::Done(..) => {}
    }
}
