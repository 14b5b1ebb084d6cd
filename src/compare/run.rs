//! Runs the reference and then the ways, one after the other.

use std::fmt::Display;
use std::sync::Arc;

use super::measure::{Outcome, measure, rms};
use super::{Candidate, Reference, Row, Way, references};
use crate::document::Document;
use crate::params::{self, Value};
use crate::sim::{Fault, Simulation};
use crate::solvers::pressure_solver;

/// Frames that every possible reference runs to find out which one comes closest.
const TRIAL: u32 = 3;
/// What a frame takes besides its pressure, in iterations; a guess, for the progress alone.
const BESIDES: u64 = 20;

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// In this order, after the reference.
    pub ways: Vec<Way>,
    /// What they may be measured against; at least one.
    pub references: Vec<Candidate>,
    /// Frames of each.
    pub frames: u32,
}

impl Plan {
    /// Ways of a document with their reference.
    pub fn new(document: &Document, ways: Vec<Way>, frames: u32) -> Self {
        Self {
            references: references(document, &ways),
            ways,
            frames,
        }
    }
}

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// What comes closest, and so is the reference, is found out.
    Trial,
    /// Frames done of the warm-up, and all of it.
    WarmUp(u32, u32),
    /// The frame that comes next.
    Frame(u32),
}

/// How far a comparison is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// What is run.
    pub label: &'a str,
    /// Where it is.
    pub at: At,
    /// Work done, warm-ups and the reference among it; more iterations are more work.
    pub done: u64,
    /// Work in all.
    pub total: u64,
}

/// Who looks on.
pub struct Watch<'a> {
    /// Whether to stop; asked before each sub-step.
    pub cancelled: &'a dyn Fn() -> bool,
    /// Told before each frame.
    pub progress: &'a mut dyn FnMut(Progress<'_>),
}

/// Makes the simulation of a document.
pub type Open<'a, E> = dyn FnMut(Arc<Document>) -> Result<Simulation, E> + 'a;

/// Is given what came of a way, none being the reference, and its simulation at the last frame; none where it failed.
pub type Done<'a, E> = dyn FnMut(Option<usize>, Row, Option<&mut Simulation>) -> Result<(), E> + 'a;

/// How a comparison ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// What the ways were measured against.
    pub reference: Reference,
    /// It was asked to stop before all ways were done.
    pub stopped: bool,
}

/// Runs the reference, then every way. `open` makes the simulation of a document; `done` is given what came of each. A way
/// that fails is a row that says why, and the others go on. One that is asked to stop keeps what is done.
///
/// # Errors
/// What `open` says of the reference, or `done` of anything; a reference that cannot go on; [`Fault::Cancelled`] before
/// there is a reference.
pub fn run<E: From<Fault> + Display>(
    plan: &Plan,
    open: &mut Open<'_, E>,
    watch: &mut Watch<'_>,
    done: &mut Done<'_, E>,
) -> Result<Ended, E> {
    let mut work = Work::of(plan);
    let chosen = choose(plan, &mut work, open, watch)?;
    work.decide(plan, chosen);
    let (mut simulation, reference) =
        one("reference", &chosen.document, &mut work, plan, open, watch)?;
    let mut ended = Ended {
        reference: Reference {
            row: reference.row("reference", "reference", &reference),
            words: chosen.words.clone(),
            dye_rms: reference.dye.as_ref().map(rms),
            velocity_rms: reference.velocity.as_ref().map(rms),
        },
        stopped: false,
    };
    done(None, ended.reference.row.clone(), Some(&mut simulation))?;
    drop(simulation);
    for (i, way) in plan.ways.iter().enumerate() {
        let outcome = one(&way.label, &way.document, &mut work, plan, open, watch);
        match outcome {
            Ok((mut simulation, outcome)) => {
                let row = outcome.row(&way.id, &way.label, &reference);
                done(Some(i), row, Some(&mut simulation))?;
            }
            Err(_) if (watch.cancelled)() => {
                ended.stopped = true;
                break;
            }
            Err(e) => done(
                Some(i),
                Row::failed(&way.id, &way.label, e.to_string()),
                None,
            )?,
        }
    }
    Ok(ended)
}

/// Runs one document over all frames.
fn one<E: From<Fault>>(
    label: &str,
    document: &Arc<Document>,
    work: &mut Work,
    plan: &Plan,
    open: &mut Open<'_, E>,
    watch: &mut Watch<'_>,
) -> Result<(Simulation, Outcome), E> {
    let each = weight(document);
    let warm_up = document.time.warm_up;
    let (before, total) = (work.done, work.total);
    work.done += whole(document, plan.frames);
    let mut simulation = open(Arc::clone(document))?;
    let mut show = |at: At| {
        let frames = match at {
            At::Trial => 0,
            At::WarmUp(done, _) => u64::from(done),
            At::Frame(done) => u64::from(warm_up) + u64::from(done),
        };
        (watch.progress)(Progress {
            label,
            at,
            done: before + each * frames,
            total,
        });
    };
    let outcome = measure(&mut simulation, plan.frames, watch.cancelled, &mut show)?;
    Ok((simulation, outcome))
}

/// The possible reference that leaves the least residual after a few frames; the first one where all are alike.
fn choose<'a, E: From<Fault>>(
    plan: &'a Plan,
    work: &mut Work,
    open: &mut Open<'_, E>,
    watch: &mut Watch<'_>,
) -> Result<&'a Candidate, E> {
    let none = || Fault::Internal("a comparison without a reference".to_owned());
    if let [only] = plan.references.as_slice() {
        return Ok(only);
    }
    let mut best: Option<(f32, &Candidate)> = None;
    let mut fault = None;
    for candidate in &plan.references {
        match trial(&candidate.document, work, open, watch) {
            Ok(left) if best.is_none_or(|(least, _)| left < least) => {
                best = Some((left, candidate));
            }
            Ok(_) => {}
            Err(e) if (watch.cancelled)() => return Err(e),
            Err(e) => fault = fault.or(Some(e)),
        }
    }
    match best {
        Some((_, best)) => Ok(best),
        None => Err(fault.unwrap_or_else(|| none().into())),
    }
}

/// What is left of the pressure error after a few frames.
fn trial<E: From<Fault>>(
    document: &Arc<Document>,
    work: &mut Work,
    open: &mut Open<'_, E>,
    watch: &mut Watch<'_>,
) -> Result<f32, E> {
    let mut left = f32::INFINITY;
    let mut simulation = open(Arc::clone(document))?;
    for _ in 0..TRIAL {
        (watch.progress)(Progress {
            label: "reference",
            at: At::Trial,
            done: work.done,
            total: work.total,
        });
        let report = simulation.advance(watch.cancelled)?;
        left = report.pressure().map_or(f32::INFINITY, |s| s.l2);
        work.done += weight(document);
    }
    Ok(left)
}

/// About what a frame takes.
fn weight(document: &Document) -> u64 {
    let path = pressure_solver(&document.method)
        .and_then(|(path, _)| Some(format!("{}iterations", path.strip_suffix("kind")?)));
    let iterations = path.and_then(|path| params::get(&document.method, &path));
    match iterations {
        Some(Value::Int(n)) => BESIDES + u64::from(n),
        _ => BESIDES,
    }
}

/// About what all frames take, with those of the warm-up.
fn whole(document: &Document, frames: u32) -> u64 {
    weight(document) * (u64::from(document.time.warm_up) + u64::from(frames))
}

/// How much there is to do, and how much is done.
struct Work {
    done: u64,
    total: u64,
}

impl Work {
    /// As if the dearest of the possible references were chosen.
    fn of(plan: &Plan) -> Self {
        let ways = plan.ways.iter().map(|w| whole(&w.document, plan.frames));
        let dearest = plan
            .references
            .iter()
            .map(|c| whole(&c.document, plan.frames));
        Self {
            done: 0,
            total: Self::trials(plan) + dearest.max().unwrap_or(0) + ways.sum::<u64>(),
        }
    }

    fn trials(plan: &Plan) -> u64 {
        match plan.references.as_slice() {
            [_] => 0,
            all => all
                .iter()
                .map(|c| weight(&c.document) * u64::from(TRIAL))
                .sum(),
        }
    }

    /// The reference is chosen.
    fn decide(&mut self, plan: &Plan, chosen: &Candidate) {
        let ways = plan.ways.iter().map(|w| whole(&w.document, plan.frames));
        self.done = Self::trials(plan);
        self.total = self.done + whole(&chosen.document, plan.frames) + ways.sum::<u64>();
    }
}
