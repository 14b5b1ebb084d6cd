//! Runs the reference and the ways in step.
//!
//! 1. The scene as it is given runs to where the ways are to begin; there its state is kept.
//! 2. Which of several possible references comes closest is found out by a few frames from there.
//! 3. The reference and the ways begin with that state and take turns, some frames each: what disturbs the machine then
//!    disturbs all of them alike, and all can be seen at the same frame while they run. One whose state has another shape,
//!    that of another method, runs to the beginning by itself.
//!
//! As many run at once as memory allows; the others follow in heats, for which the reference is not run again.

use std::fmt::Display;
use std::sync::Arc;

use super::racer::{Outcome, Racer};
use super::ways::goes_on_from;
use super::work::{TRIAL, Work, weight};
use super::{Candidate, Reference, Row, Way, references};
use crate::document::Document;
use crate::sim::{Checkpoint, Fault, Simulation};

/// Frames that each runs before it is another's turn: the first of them finds the caches cold, the median does not.
const TURN: u32 = 4;
/// Most that run at once.
const MOST_AT_ONCE: usize = 8;
/// Memory that all that run at once may take together, bytes.
const ROOM: u64 = 2 << 30;

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The scene as it is given, with which all begin.
    pub scene: Arc<Document>,
    /// In this order, after the reference.
    pub ways: Vec<Way>,
    /// What they may be measured against; at least one.
    pub references: Vec<Candidate>,
    /// The frame with which the ways begin.
    pub first: u32,
    /// Frames of each.
    pub frames: u32,
}

impl Plan {
    /// Ways of a document with their reference, from a frame on.
    pub fn new(document: &Document, ways: Vec<Way>, first: u32, frames: u32) -> Self {
        Self {
            scene: Arc::new(document.clone()),
            references: references(document, &ways),
            ways,
            first,
            frames,
        }
    }

    /// How many run at once, the reference among them.
    fn at_once(&self) -> usize {
        let ways = self.ways.iter().map(|w| &w.document);
        let all = ways.chain(self.references.iter().map(|c| &c.document));
        let largest = all.map(|d| d.memory_bytes()).max().unwrap_or(0).max(1);
        usize::try_from(ROOM / largest).map_or(MOST_AT_ONCE, |n| n.clamp(2, MOST_AT_ONCE))
    }

    /// What all take at once, at most, bytes.
    pub fn memory_bytes(&self) -> u64 {
        let ways = self.ways.iter().map(|w| w.document.memory_bytes());
        let references = self.references.iter().map(|c| c.document.memory_bytes());
        let mut all: Vec<u64> = ways.chain(references.max()).collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        all.iter().take(self.at_once()).sum()
    }
}

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Frames done up to where the ways begin, warm-up and all, and how many these are.
    Beginning(u32, u32),
    /// What comes closest, and so is the reference, is found out.
    Trial,
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
    /// Work done; more iterations are more work.
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
    /// Whether to say how all stand, now that they are at the same frame; asked between turns.
    pub wants: &'a mut dyn FnMut() -> bool,
}

/// Makes the simulation of a document.
pub type Open<'a, E> = dyn FnMut(Arc<Document>) -> Result<Simulation, E> + 'a;

/// Is told how all stand that run at once.
pub type Stand<'a, E> = dyn FnMut(Standing<'_>) -> Result<(), E> + 'a;

/// How those stand that run at once.
pub struct Standing<'a> {
    /// Frames done of each.
    pub frames: u32,
    /// Whether that is all of them.
    pub last: bool,
    /// What the ways are measured against, at the same frame or at the last.
    pub reference: &'a Reference,
    /// One for each that runs, in the order of the ways, the reference first where it is among them.
    pub entries: Vec<Entry<'a>>,
}

/// How one stands.
pub struct Entry<'a> {
    /// Which way it is; none for the reference.
    pub way: Option<usize>,
    /// Its numbers.
    pub row: Row,
    /// The simulation; none where it failed.
    pub simulation: Option<&'a mut Simulation>,
}

/// How a comparison ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// What the ways were measured against.
    pub reference: Reference,
    /// It was asked to stop before all ways were done.
    pub stopped: bool,
}

/// Runs the reference and every way. `open` makes the simulation of a document; `stand` is told how all stand, at the last
/// frame in any case. A way that fails is a row that says why, and the others go on.
///
/// # Errors
/// What `open` says of the scene or the reference, or `stand` of anything; a reference that cannot go on;
/// [`Fault::Cancelled`] before there is anything to tell.
pub fn run<E: From<Fault> + Display>(
    plan: &Plan,
    open: &mut Open<'_, E>,
    watch: &mut Watch<'_>,
    stand: &mut Stand<'_, E>,
) -> Result<Ended, E> {
    let mut race = Race {
        plan,
        work: Work::of(plan),
        begin: None,
        reference: None,
    };
    race.begin = race.beginning(open, watch)?;
    let chosen = race.choose(open, watch)?;
    race.work.decide(plan, chosen);
    let at_once = plan.at_once();
    let mut next = 0;
    loop {
        let mut racers = Vec::new();
        if race.reference.is_none() {
            racers.push(race.enter(None, &chosen.document, open, watch)?);
        }
        while racers.len() < at_once && next < plan.ways.len() {
            match race.enter(Some(next), &plan.ways[next].document, open, watch) {
                Ok(racer) => racers.push(racer),
                // Stopped on its way to the beginning: it has not failed.
                Err(_) if (watch.cancelled)() => break,
                Err(e) => racers.push(Racer::failed(Some(next), e.to_string())),
            }
            next += 1;
        }
        if (watch.cancelled)() || !race.heat(&mut racers, chosen, watch, stand)? {
            break;
        }
        if next == plan.ways.len() {
            break;
        }
    }
    match race.reference {
        Some((reference, _)) => Ok(Ended {
            reference,
            stopped: (watch.cancelled)(),
        }),
        None => Err(Fault::Cancelled.into()),
    }
}

/// A comparison under way.
struct Race<'a> {
    plan: &'a Plan,
    work: Work,
    /// The state with which all begin, where it is not that of a new simulation.
    begin: Option<Checkpoint>,
    /// How the reference stands, and what it has come to.
    reference: Option<(Reference, Outcome)>,
}

impl<'a> Race<'a> {
    /// The state of the scene as it is given where the ways begin.
    fn beginning<E: From<Fault>>(
        &mut self,
        open: &mut Open<'_, E>,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Checkpoint>, E> {
        if self.frames_before() == 0 {
            return Ok(None);
        }
        let mut simulation = open(Arc::clone(&self.plan.scene))?;
        self.go_to_beginning(&mut simulation, "beginning", true, watch)?;
        self.work.done = weight(&self.plan.scene) * u64::from(self.frames_before());
        Ok(Some(simulation.checkpoint()?))
    }

    /// Frames up to where the ways begin, with those of the warm-up.
    fn frames_before(&self) -> u32 {
        self.plan.scene.time.warm_up.saturating_add(self.plan.first)
    }

    /// Simulates up to where the ways begin; whether that `counts` among the work that was foreseen.
    fn go_to_beginning(
        &self,
        simulation: &mut Simulation,
        label: &str,
        counts: bool,
        watch: &mut Watch<'_>,
    ) -> Result<(), Fault> {
        let of = self.frames_before();
        let each = weight(simulation.document());
        for done in 0.. {
            if !simulation.warming_up() && simulation.frame() >= self.plan.first {
                break;
            }
            (watch.progress)(Progress {
                label,
                at: At::Beginning(done, of),
                done: self.work.done + if counts { each * u64::from(done) } else { 0 },
                total: self.work.total,
            });
            simulation.advance(watch.cancelled)?;
        }
        Ok(())
    }

    /// A simulation where the ways begin.
    fn begun<E: From<Fault>>(
        &self,
        label: &str,
        document: &Arc<Document>,
        open: &mut Open<'_, E>,
        watch: &mut Watch<'_>,
    ) -> Result<Simulation, E> {
        let mut simulation = open(Arc::clone(document))?;
        let restored = match &self.begin {
            Some(state) if goes_on_from(document, &self.plan.scene) => {
                simulation.restore(state).is_ok()
            }
            _ => false,
        };
        if !restored {
            // Another method has a state of another shape, and another rest level begins with other water.
            self.go_to_beginning(&mut simulation, label, false, watch)?;
        }
        simulation.device().take_timings();
        Ok(simulation)
    }

    fn enter<E: From<Fault>>(
        &self,
        way: Option<usize>,
        document: &Arc<Document>,
        open: &mut Open<'_, E>,
        watch: &mut Watch<'_>,
    ) -> Result<Racer, E> {
        let simulation = self.begun(self.label(way), document, open, watch)?;
        Ok(Racer::new(way, simulation))
    }

    fn label(&self, way: Option<usize>) -> &'a str {
        way.map_or("reference", |i| &self.plan.ways[i].label)
    }

    /// The possible reference that leaves the least residual after a few frames; the first one where all are alike.
    fn choose<E: From<Fault>>(
        &mut self,
        open: &mut Open<'_, E>,
        watch: &mut Watch<'_>,
    ) -> Result<&'a Candidate, E> {
        let none = || Fault::Internal("a comparison without a reference".to_owned());
        if let [only] = self.plan.references.as_slice() {
            return Ok(only);
        }
        let mut best: Option<(f32, &Candidate)> = None;
        let mut fault = None;
        for candidate in &self.plan.references {
            match self.trial(&candidate.document, open, watch) {
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
        &mut self,
        document: &Arc<Document>,
        open: &mut Open<'_, E>,
        watch: &mut Watch<'_>,
    ) -> Result<f32, E> {
        let mut left = f32::INFINITY;
        let mut simulation = self.begun("reference", document, open, watch)?;
        for _ in 0..TRIAL {
            (watch.progress)(Progress {
                label: "reference",
                at: At::Trial,
                done: self.work.done,
                total: self.work.total,
            });
            let report = simulation.step(watch.cancelled)?;
            left = report.pressure().map_or(f32::INFINITY, |s| s.l2);
            self.work.done += weight(document);
        }
        Ok(left)
    }

    /// Runs some side by side, over all frames. Whether it was not asked to stop meanwhile.
    fn heat<E: From<Fault>>(
        &mut self,
        racers: &mut [Racer],
        chosen: &Candidate,
        watch: &mut Watch<'_>,
        stand: &mut Stand<'_, E>,
    ) -> Result<bool, E> {
        let frames = self.plan.frames;
        let mut done = 0;
        while done < frames {
            let turn = TURN.min(frames - done);
            for racer in racers.iter_mut() {
                match self.turn(racer, done..done + turn, watch) {
                    Err(_) if (watch.cancelled)() => return Ok(false),
                    Err(fault) if racer.way.is_none() => return Err(fault.into()),
                    Err(fault) => racer.fail(fault.to_string()),
                    Ok(()) => {}
                }
            }
            done += turn;
            if done == frames || (watch.wants)() {
                self.tell(racers, chosen, done, stand)?;
            }
        }
        Ok(true)
    }

    fn turn(
        &mut self,
        racer: &mut Racer,
        frames: std::ops::Range<u32>,
        watch: &mut Watch<'_>,
    ) -> Result<(), Fault> {
        let label = self.label(racer.way);
        let each = racer.document().map_or(0, weight);
        for frame in frames {
            (watch.progress)(Progress {
                label,
                at: At::Frame(frame),
                done: self.work.done,
                total: self.work.total,
            });
            racer.step(watch.cancelled)?;
            self.work.done += each;
        }
        Ok(())
    }

    /// Tells how all stand.
    fn tell<E: From<Fault>>(
        &mut self,
        racers: &mut [Racer],
        chosen: &Candidate,
        frames: u32,
        stand: &mut Stand<'_, E>,
    ) -> Result<(), E> {
        let last = frames == self.plan.frames;
        let mut outcomes = Vec::with_capacity(racers.len());
        for racer in racers.iter_mut() {
            outcomes.push(match racer.outcome() {
                Err(fault) if racer.way.is_none() => return Err(fault.into()),
                Err(fault) => {
                    racer.fail(fault.to_string());
                    None
                }
                Ok(outcome) => outcome,
            });
        }
        if let Some(at) = racers.iter().position(|r| r.way.is_none()) {
            let outcome = outcomes[at].take();
            let outcome = outcome.ok_or_else(|| Fault::Internal("no reference".to_owned()))?;
            let reference = outcome.reference(chosen.words.clone());
            self.reference = Some((reference, outcome));
        }
        let Some((reference, of_reference)) = &self.reference else {
            return Ok(());
        };
        // In later heats the reference stands at its last frame already.
        let same_frame = last || racers.iter().any(|r| r.way.is_none());
        let entries = racers.iter_mut().zip(outcomes).map(|(racer, outcome)| {
            let row = match (racer.way, outcome) {
                (None, _) => reference.row.clone(),
                (Some(i), Some(outcome)) => {
                    let way = &self.plan.ways[i];
                    outcome.row(&way.id, &way.label, same_frame.then_some(of_reference))
                }
                (Some(i), None) => {
                    let way = &self.plan.ways[i];
                    Row::failed(&way.id, &way.label, racer.error().to_owned())
                }
            };
            Entry {
                way: racer.way,
                row,
                simulation: racer.simulation(),
            }
        });
        stand(Standing {
            frames,
            last,
            reference,
            entries: entries.collect(),
        })
    }
}
