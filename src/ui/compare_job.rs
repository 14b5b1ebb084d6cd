//! Comparisons beside the interface: how far the one that runs is, and what came of the last one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use egui::ColorImage;

use crate::compare::{self, Plan, Reference, Row, Watch, Way};
use crate::device::{Device, DeviceChoice};
use crate::document::{ColorMap, Document, ViewSettings};
use crate::field::FieldData;
use crate::sim::{Fault, Simulation, panic_text};
use crate::view;

use super::editor::Editor;
use super::files::{self, Event};

/// Most ways that are compared here: pictures of more could not be told apart.
pub const MOST_WAYS: usize = 24;
/// Longer edge of a picture, pixels, and most cells along the longer edge of a field that is kept.
const LONG_EDGE: u32 = 512;
/// Between two reports of progress.
const INTERVAL: Duration = Duration::from_millis(50);

/// What a comparison reports.
pub enum CompareEvent {
    /// The share that is done, and what is being done.
    Progress(u64, f32, String),
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

/// What one way looks like at the last frame.
pub struct Shown {
    /// The picture; its colours mean the same in all pictures.
    pub image: ColorImage,
    /// The numbers, at most so many cells as the picture has pixels.
    pub field: Arc<FieldData>,
}

/// What came of a comparison.
pub struct Results {
    /// Tells it from all others.
    pub number: u64,
    /// The look that it was run for.
    pub document: Arc<Document>,
    /// What was asked.
    pub title: String,
    /// Frames of each way.
    pub frames: u32,
    /// The ways.
    pub ways: Vec<Way>,
    /// Their numbers.
    pub rows: Vec<Row>,
    /// What they were measured against.
    pub reference: Reference,
    /// That in words.
    pub words: String,
    /// What they look like, the reference at last. None for a method without the field.
    pub shown: Vec<Option<Shown>>,
    /// How the pictures were made.
    pub settings: ViewSettings,
    /// Where it ran.
    pub device: String,
    /// How long it took, s.
    pub seconds: f32,
    /// Whether the editor's own simulation ran meanwhile, which takes time from the one that is measured.
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
        let same = |w: &Way| compare::same_simulation(&w.document, document);
        self.ways.iter().position(same)
    }
}

/// A picture of the difference between two pictures of a comparison.
pub struct Difference {
    /// Of which comparison, and between which two.
    pub of: (u64, usize, usize),
    /// The picture, with the numbers at the two ends of its colours; none where the two cannot be compared.
    pub outcome: Option<(ColorImage, [f32; 2])>,
    /// The largest difference.
    pub most: f32,
    /// Unit of the numbers.
    pub unit: &'static str,
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
}

impl CompareJob {
    /// Whether one runs.
    pub fn running(&self) -> bool {
        matches!(self.stage, Stage::Running { .. })
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
    /// The ways.
    pub ways: Vec<Way>,
    /// Frames of each.
    pub frames: u32,
}

/// Compares ways of the document as it is now, unless a comparison runs.
pub fn start(editor: &mut Editor, asked: Asked) {
    if editor.compare.running() || asked.ways.is_empty() {
        return;
    }
    let document = Arc::clone(editor.document());
    let base = files::base(editor.file.as_deref());
    let disturbed = editor.playing();
    let job = &mut editor.compare;
    job.asked += 1;
    job.cancel = Arc::default();
    job.disturbed = disturbed;
    job.stage = Stage::Running {
        share: 0.0,
        what: "Starting".to_owned(),
    };
    let (number, cancel) = (job.asked, Arc::clone(&job.cancel));
    editor.jobs.spawn(move |report| {
        let run = || {
            Run {
                number,
                document,
                base,
                asked,
                cancel,
            }
            .go(&|share, what| report(Event::Compare(CompareEvent::Progress(number, share, what))))
            .map(Box::new)
            .map_err(|fault| fault.to_string())
        };
        let outcome = catch_unwind(AssertUnwindSafe(run))
            .unwrap_or_else(|panic| Err(format!("internal error: {}", panic_text(&*panic))));
        report(Event::Compare(CompareEvent::Done(number, outcome)));
    });
}

/// A comparison on its thread.
struct Run {
    number: u64,
    document: Arc<Document>,
    base: PathBuf,
    asked: Asked,
    cancel: Arc<AtomicBool>,
}

impl Run {
    fn go(self, report: &dyn Fn(f32, String)) -> Result<Results, Fault> {
        let begin = Instant::now();
        let (reference, words) = compare::reference(&self.document);
        let plan = Plan {
            ways: self.asked.ways,
            reference: Arc::new(reference),
            frames: self.asked.frames,
        };
        let mut device = String::new();
        let mut open = |document: Arc<Document>| {
            let simulation = open(document, &self.base)?;
            device = simulation.1;
            Ok(simulation.0)
        };
        let mut last = None::<Instant>;
        let mut watch = Watch {
            cancelled: &|| self.cancel.load(Ordering::Acquire),
            progress: &mut |p| {
                if last.is_none_or(|at| at.elapsed() >= INTERVAL) {
                    last = Some(Instant::now());
                    report(p.done as f32 / p.total.max(1) as f32, describe(&p));
                }
            },
        };
        let mut gallery = Gallery {
            settings: self.document.view.clone(),
            ranged: false,
        };
        let (mut rows, mut shown, mut of_reference) = (Vec::new(), Vec::new(), None);
        let reference =
            compare::run::<Fault>(&plan, &mut open, &mut watch, &mut |way, row, sim| {
                let picture = gallery.picture(sim)?;
                match way {
                    None => of_reference = picture,
                    Some(_) => {
                        rows.push(row.clone());
                        shown.push(picture);
                    }
                }
                Ok(())
            })?;
        shown.push(of_reference);
        Ok(Results {
            number: self.number,
            document: self.document,
            title: self.asked.title,
            frames: plan.frames,
            ways: plan.ways,
            rows,
            reference,
            words,
            shown,
            settings: gallery.settings,
            device,
            seconds: begin.elapsed().as_secs_f32(),
            disturbed: false,
        })
    }
}

/// A simulation on a device of its own, as the editor's is, and what that is called.
fn open(document: Arc<Document>, base: &Path) -> Result<(Simulation, String), Fault> {
    let mut device = Device::sparing_a_core(DeviceChoice::Auto)?;
    // As much as was said to be needed before it was asked for, and not more than twice that.
    device.set_memory_limit(document.memory_bytes().saturating_mul(2));
    let name = device.name();
    Ok((Simulation::new(document, base.to_owned(), device)?, name))
}

fn describe(progress: &compare::Progress<'_>) -> String {
    match progress.frame {
        None => format!("{}: warming up", progress.label),
        Some(frame) => format!("{}: frame {frame}", progress.label),
    }
}

/// Makes the pictures of a comparison.
struct Gallery {
    settings: ViewSettings,
    /// Whether the range of colours stands.
    ranged: bool,
}

impl Gallery {
    /// What the simulation looks like; the first one sets the range of the colours for all.
    fn picture(&mut self, simulation: &mut Simulation) -> Result<Option<Shown>, Fault> {
        let fields = simulation.fields();
        let has = |name: &str| fields.iter().any(|f| f.name == name);
        if !has(&self.settings.field) {
            return Ok(None);
        }
        let field = simulation.field(&self.settings.field)?;
        let solid = match has("obstacle") {
            true => Some(simulation.field("obstacle")?),
            false => None,
        };
        if !self.ranged {
            let [low, high] = view::range(&field, &self.settings);
            let settings = &mut self.settings;
            (settings.range_low, settings.range_high) = (low, high);
            (settings.auto_range, self.ranged) = (false, true);
        }
        let threads = simulation.device().threads();
        let image = threads.run(|| image(&field, solid.as_ref(), &self.settings));
        Ok(Some(Shown {
            image,
            field: Arc::new(compare::coarser(&field, LONG_EDGE)),
        }))
    }
}

fn image(field: &FieldData, solid: Option<&FieldData>, settings: &ViewSettings) -> ColorImage {
    let size = view::fitting_size(&field.grid, LONG_EDGE);
    let picture = view::picture(field, solid, settings, size);
    let size = [picture.width as usize, picture.height as usize];
    ColorImage::from_rgba_unmultiplied(size, &picture.rgba)
}

/// Has the difference between two pictures worked out, the reference being the last.
pub fn differ(editor: &mut Editor, results: &Arc<Results>, a: usize, b: usize) {
    let results = Arc::clone(results);
    editor.jobs.spawn(move |report| {
        let field = |i: usize| Some(&results.shown.get(i)?.as_ref()?.field);
        let difference = field(a).and_then(|a| compare::difference(a, field(b)?));
        let settings = ViewSettings {
            color_map: ColorMap::Inferno,
            auto_range: true,
            ..results.settings.clone()
        };
        let most = difference.as_ref().map_or(0.0, |d| d.stats().max);
        let unit = difference.as_ref().map_or("", |d| d.desc.unit);
        let outcome = difference.map(|d| (image(&d, None, &settings), view::range(&d, &settings)));
        report(Event::Compare(CompareEvent::Difference(Box::new(
            Difference {
                of: (results.number, a, b),
                outcome,
                most,
                unit,
            },
        ))));
    });
}

/// Takes a report.
pub fn take(editor: &mut Editor, event: CompareEvent) {
    let playing = editor.playing();
    let job = &mut editor.compare;
    match event {
        CompareEvent::Progress(number, share, what) if number == job.asked && job.running() => {
            job.disturbed |= playing;
            job.stage = Stage::Running { share, what };
        }
        CompareEvent::Done(number, outcome) if number == job.asked => {
            let stopped = job.cancel.load(Ordering::Acquire);
            job.stage = match outcome {
                Ok(results) => {
                    job.results = Some(Arc::new(Results {
                        disturbed: job.disturbed,
                        ..*results
                    }));
                    Stage::Idle
                }
                Err(_) if stopped => Stage::Cancelled,
                Err(message) => Stage::Failed(message),
            };
        }
        CompareEvent::Difference(difference) => editor.panels.compare.receive(*difference),
        CompareEvent::Progress(..) | CompareEvent::Done(..) => {}
    }
}
