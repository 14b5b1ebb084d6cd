//! A comparison on its thread.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::pictures::shown;
use super::{Asked, Results, Shown};
use crate::compare::{self, At, Plan, Reference, Row, Standing, Watch};
use crate::device::{Device, DeviceChoice};
use crate::document::{Document, ViewSettings};
use crate::sim::{Fault, Simulation};
use crate::view::Gallery;

/// Between two reports of progress about the same way.
const INTERVAL: Duration = Duration::from_millis(50);
/// Between two reports of how all stand: pictures of all of them take some of the time that the ways could have.
const STANDING: Duration = Duration::from_millis(400);

/// What is run, and where.
pub struct Run {
    pub number: u64,
    pub document: Arc<Document>,
    pub base: PathBuf,
    pub asked: Asked,
    pub device: DeviceChoice,
    pub cancel: Arc<AtomicBool>,
}

/// What a run reports.
pub enum News {
    /// The share that is done, and what is being done.
    Progress(f32, String),
    /// How all stand.
    Standing(Box<Results>),
}

impl Run {
    pub fn go(self, report: &dyn Fn(News)) -> Result<Results, Fault> {
        let begin = Instant::now();
        let plain = self.document.without_strokes();
        let plan = Plan::new(
            &plain,
            self.asked.ways.clone(),
            self.asked.first,
            self.asked.frames,
        );
        let mut device = String::new();
        let mut open = |document: Arc<Document>| {
            let document = painted(document, &self.document);
            let simulation = open(document, &self.base, self.device)?;
            device = simulation.1;
            Ok(simulation.0)
        };
        let mut last = None::<(Instant, String)>;
        let mut seen = Instant::now();
        let mut watch = Watch {
            cancelled: &|| self.cancel.load(Ordering::Acquire),
            progress: &mut |p| {
                let told =
                    |(at, label): &(Instant, String)| at.elapsed() < INTERVAL && label == p.label;
                if !last.as_ref().is_some_and(told) {
                    last = Some((Instant::now(), p.label.to_owned()));
                    let share = p.done as f32 / p.total.max(1) as f32;
                    report(News::Progress(share, describe(&p)));
                }
            },
            wants: &mut || {
                let due = seen.elapsed() >= STANDING;
                if due {
                    seen = Instant::now();
                }
                due
            },
        };
        let mut board = Board::new(&self, plan.ways.len());
        let ended = compare::run::<Fault>(&plan, &mut open, &mut watch, &mut |standing| {
            board.take(standing)?;
            report(News::Standing(Box::new(board.results(&self, &plan))));
            Ok(())
        })?;
        let mut results = board.results(&self, &plan);
        results.reference = ended.reference;
        results.stopped = ended.stopped;
        results.running = false;
        results.device = device;
        results.seconds = begin.elapsed().as_secs_f32();
        Ok(results)
    }
}

/// How the ways stand, as far as they have run.
struct Board {
    rows: Vec<Option<Row>>,
    shown: Vec<Option<Shown>>,
    of_reference: Option<Shown>,
    reference: Option<Reference>,
    gallery: Gallery,
    /// How pictures are made before a range is found.
    original: ViewSettings,
    frames: u32,
}

impl Board {
    fn new(run: &Run, ways: usize) -> Self {
        Self {
            rows: (0..ways).map(|_| None).collect(),
            shown: (0..ways).map(|_| None).collect(),
            of_reference: None,
            reference: None,
            gallery: Gallery::new(run.document.view.clone()),
            original: run.document.view.clone(),
            frames: 0,
        }
    }

    fn take(&mut self, standing: Standing<'_>) -> Result<(), Fault> {
        let pictures = self.rows.len() + 1;
        self.frames = standing.frames;
        self.reference = Some(standing.reference.clone());
        for entry in standing.entries {
            if entry.way.is_none() {
                // Its colours hold for all that stand at the same frame.
                self.gallery = Gallery::new(self.original.clone());
            }
            let picture = match entry.simulation {
                Some(simulation) => shown(&mut self.gallery, simulation, pictures),
                None => Ok(None),
            };
            match entry.way {
                None => self.of_reference = picture?,
                Some(i) => {
                    let mut row = entry.row;
                    self.shown[i] = picture.unwrap_or_else(|fault| {
                        row.error = row.error.take().or(Some(fault.to_string()));
                        None
                    });
                    self.rows[i] = Some(row);
                }
            }
        }
        Ok(())
    }

    /// Of the ways that have run, which are the first ones.
    fn results(&self, run: &Run, plan: &Plan) -> Results {
        let rows: Vec<Row> = self.rows.iter().map_while(Clone::clone).collect();
        let ways = plan.ways[..rows.len()].to_vec();
        let shown = self.shown[..rows.len()].iter().cloned();
        Results {
            number: run.number,
            document: Arc::clone(&run.document),
            title: run.asked.title.clone(),
            frames: self.frames,
            of_frames: plan.frames,
            first: plan.first,
            of_ways: plan.ways.len(),
            budget: run.asked.budget,
            ways,
            rows,
            running: true,
            stopped: false,
            reference: self.reference.clone().unwrap_or_else(Reference::unknown),
            shown: shown.chain([self.of_reference.clone()]).collect(),
            settings: self.gallery.settings.clone(),
            device: String::new(),
            seconds: 0.0,
            disturbed: false,
        }
    }
}

/// A way with what was painted: only the one that runs holds a copy of it.
fn painted(way: Arc<Document>, look: &Document) -> Arc<Document> {
    if look.scene.strokes.is_empty() {
        return way;
    }
    let mut way = Arc::unwrap_or_clone(way);
    way.scene.strokes.clone_from(&look.scene.strokes);
    Arc::new(way)
}

/// A simulation on a device of its own, as the editor's is, and what that is called.
fn open(
    document: Arc<Document>,
    base: &Path,
    choice: DeviceChoice,
) -> Result<(Simulation, String), Fault> {
    let mut device = Device::sparing_a_core(choice)?;
    // As much as was said to be needed before it was asked for, and not more than twice that.
    device.set_memory_limit(document.memory_bytes().saturating_mul(2));
    let name = device.name();
    Ok((Simulation::new(document, base.to_owned(), device)?, name))
}

fn describe(progress: &compare::Progress<'_>) -> String {
    let label = progress.label;
    match progress.at {
        At::Beginning(done, of) => format!("Simulating to where all begin: frame {done} of {of}"),
        At::Trial => "Finding out what comes closest".to_owned(),
        At::Frame(frame) => format!("Frame {frame}: {label}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_runs_with_what_was_painted() {
        let mut look = Document::default();
        let way = Arc::new(look.without_strokes());
        assert!(Arc::ptr_eq(&painted(Arc::clone(&way), &look), &way));
        look.scene.strokes.push(crate::scene::Stroke::default());
        let run = painted(Arc::clone(&way), &look);
        assert_eq!(run.scene.strokes, look.scene.strokes);
        assert!(way.scene.strokes.is_empty());
    }
}
