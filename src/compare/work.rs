//! How much a comparison has to do, for its progress alone.

use super::Candidate;
use super::run::Plan;
use crate::document::Document;
use crate::params::{self, Value};
use crate::solvers::pressure_solver;

/// Frames that every possible reference runs to find out which one comes closest.
pub(super) const TRIAL: u32 = 3;
/// What a frame takes besides its pressure, in iterations; a guess.
const BESIDES: u64 = 20;

/// About what a frame takes.
pub(super) fn weight(document: &Document) -> u64 {
    let path = pressure_solver(&document.method)
        .and_then(|(path, _)| Some(format!("{}iterations", path.strip_suffix("kind")?)));
    let iterations = path.and_then(|path| params::get(&document.method, &path));
    match iterations {
        Some(Value::Int(n)) => BESIDES + u64::from(n),
        _ => BESIDES,
    }
}

/// How much there is to do, and how much is done.
pub(super) struct Work {
    pub done: u64,
    pub total: u64,
}

impl Work {
    /// As if the dearest of the possible references were chosen.
    pub fn of(plan: &Plan) -> Self {
        let dearest = plan.references.iter().map(|c| weight(&c.document)).max();
        Self {
            done: 0,
            total: Self::before(plan) + Self::race(plan, dearest.unwrap_or(0)),
        }
    }

    /// The reference is chosen.
    pub fn decide(&mut self, plan: &Plan, chosen: &Candidate) {
        self.done = Self::before(plan);
        self.total = self.done + Self::race(plan, weight(&chosen.document));
    }

    /// What comes before the ways begin.
    fn before(plan: &Plan) -> u64 {
        let frames = plan.scene.time.warm_up.saturating_add(plan.first);
        let trials = match plan.references.as_slice() {
            [_] => 0,
            all => all.iter().map(|c| weight(&c.document)).sum::<u64>() * u64::from(TRIAL),
        };
        weight(&plan.scene) * u64::from(frames) + trials
    }

    fn race(plan: &Plan, reference: u64) -> u64 {
        let ways = plan.ways.iter().map(|w| weight(&w.document));
        (reference + ways.sum::<u64>()) * u64::from(plan.frames)
    }
}
