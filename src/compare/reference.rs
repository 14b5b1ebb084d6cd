//! What the ways are measured against.

use std::collections::HashMap;
use std::sync::Arc;

use super::Way;
use crate::document::Document;
use crate::document::animation::KeyValue;
use crate::params::{self, Entry, Value};
use crate::poisson::{SOLVERS, SolverParams};
use crate::solvers::pressure_solver;

/// How much longer the solvers of the reference run than any that is compared.
pub const REFERENCE_FACTOR: u32 = 10;

/// What may be the reference.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What is run.
    pub document: Arc<Document>,
    /// What it is, in words.
    pub words: String,
}

/// What the ways may be measured against: the scene as given, every iterative solver ten times as long as the longest of
/// its kind that is compared, and without an early end. Where the ways have other pressure solvers, the scene with each of
/// these too: which of them comes closest is found out by a few frames, since none is the best for every scene.
pub fn references(document: &Document, ways: &[Way]) -> Vec<Candidate> {
    let known: Vec<Values> = ways.iter().map(|w| Values::of(&w.document)).collect();
    let mut all = vec![(None, document.clone())];
    if let Some((path, own)) = pressure_solver(&document.method) {
        let mut seen = vec![own];
        let inside = path.strip_suffix("kind").unwrap_or(&path).to_owned();
        for way in ways {
            let Some((_, kind)) = pressure_solver(&way.document.method).filter(|(p, _)| *p == path)
            else {
                continue;
            };
            let same = way.document.method.info().id == document.method.info().id;
            if !same || seen.contains(&kind) {
                continue;
            }
            let mut other = document.clone();
            for e in params::entries(&way.document.method) {
                if e.path.starts_with(&inside) {
                    params::set_value(&mut other.method, &e.path, &e.value);
                }
            }
            other.drop_lost_tracks();
            let mut options = SolverParams::OPTIONS.iter().zip(SOLVERS);
            let title = options.find(|(option, _)| option.name == kind);
            all.push((
                Some(title.map_or("another solver", |(_, s)| s.title)),
                other,
            ));
            seen.push(kind);
        }
    }
    let several = all.len() > 1;
    let candidate = |(title, mut document): (Option<&str>, Document)| {
        let times = lengthen(&mut document, &known);
        Candidate {
            document: Arc::new(document),
            words: in_words(title, several, times),
        }
    };
    all.into_iter().map(candidate).collect()
}

/// The values of a document's method, and the largest numbers that its keys give them.
struct Values(HashMap<String, Value>);

impl Values {
    fn of(document: &Document) -> Self {
        let entries = params::entries(&document.method).into_iter();
        let mut all: HashMap<String, Value> = entries.map(|e| (e.path, e.value)).collect();
        for track in document.animation.tracks.iter().filter(|t| t.enabled) {
            let path = track.path.strip_prefix("method.").unwrap_or(&track.path);
            if let Some(Value::Int(most)) = all.get_mut(path) {
                for key in &track.keys {
                    if let KeyValue::Number(n) = key.value {
                        *most = (*most).max(n.max(0.0) as u32);
                    }
                }
            }
        }
        Self(all)
    }

    /// A number of iterations, where they are those of the same solver.
    fn iterations(&self, path: &str, solver: Option<&Value>) -> Option<u32> {
        let same = self.0.get(&kind_beside(path)) == solver;
        match self.0.get(path) {
            Some(Value::Int(n)) if same => Some(*n),
            _ => None,
        }
    }
}

/// The choice to whose alternative a parameter belongs.
fn kind_beside(path: &str) -> String {
    match path.rsplit_once('.') {
        Some((group, _)) => format!("{group}.kind"),
        None => "kind".to_owned(),
    }
}

/// How long the solvers of a reference run.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Times {
    /// There are iterations.
    some: bool,
    /// All of them can be so many.
    all: bool,
    /// None of the ways has more than the scene as given.
    own: bool,
}

/// Makes all iterative solvers run ten times as long as the longest of the same kind, and to the end.
fn lengthen(document: &mut Document, ways: &[Values]) -> Times {
    let mut times = Times {
        some: false,
        all: true,
        own: true,
    };
    let present = Values::of(document);
    for Entry { path, spec, value } in params::entries(&document.method) {
        match (spec.name, value) {
            ("iterations", Value::Int(given)) => {
                let solver = present.0.get(&kind_beside(&path));
                let all = ways.iter().chain([&present]);
                let longest = all.filter_map(|v| v.iterations(&path, solver)).max();
                let longest = longest.unwrap_or(given);
                let most = spec.hard[1].min(u32::MAX as f32) as u32;
                let wanted = longest.saturating_mul(REFERENCE_FACTOR);
                params::set_value(&mut document.method, &path, &Value::Int(wanted.min(most)));
                times.some = true;
                times.all &= wanted <= most;
                times.own &= longest == given;
            }
            ("tolerance", Value::Float(_)) => {
                let never = Value::Float(spec.hard[0]);
                params::set_value(&mut document.method, &path, &never);
            }
            _ => continue,
        }
        let track = format!("method.{path}");
        document.animation.tracks.retain(|t| t.path != track);
    }
    times
}

/// What the reference is: the solver that it has instead, whether there were several to choose from, and its iterations.
fn in_words(instead: Option<&str>, several: bool, times: Times) -> String {
    let scene = match (instead, several) {
        (None, false) => "the scene as given".to_owned(),
        (None, true) => "the scene as given, whose solver comes closest".to_owned(),
        (Some(title), _) => {
            format!("the scene as given but solved by {title}, which comes closest")
        }
    };
    if !times.some {
        return format!("{scene}, and has no iterations to add");
    }
    let than = match times.own {
        true => "the iterations",
        false => "the most iterations of all ways",
    };
    let most = match times.all {
        true => "",
        false => " or the most that are allowed",
    };
    format!("{scene}, with {REFERENCE_FACTOR} times {than}{most}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::compare::{Question, combinations};
    use crate::document::set_by_name;

    fn iterations(candidate: &Candidate) -> Option<Value> {
        params::get(&*candidate.document, "method.pressure.iterations")
    }

    #[test]
    fn the_reference_is_called_what_it_is() {
        let all = references(&Document::default(), &[]);
        assert_eq!(all.len(), 1);
        let words = &all[0].words;
        assert!(words.ends_with("with 10 times the iterations"), "{words}");
        let mut most = Document::default();
        assert!(set_by_name(&mut most, "pressure.iterations", "100000").is_ok());
        let longer = references(&most, &[]).remove(0);
        let words = &longer.words;
        assert!(words.contains("the most that are allowed"), "{words}");
        assert_eq!(iterations(&longer), Some(Value::Int(100_000)));
        let none = Times {
            some: false,
            all: true,
            own: true,
        };
        assert!(!in_words(None, false, none).contains("times"));
    }

    #[test]
    fn the_reference_runs_ten_times_as_long_as_any_way() {
        let mut document = Document::default();
        set_by_name(&mut document, "pressure", "jacobi").unwrap();
        set_by_name(&mut document, "pressure.iterations", "10").unwrap();
        let ways = Question::Iterations.ways(&document, 24).unwrap();
        let all = references(&document, &ways);
        assert_eq!(all.len(), 1);
        assert_eq!(iterations(&all[0]), Some(Value::Int(1600)));
        let words = &all[0].words;
        assert!(words.contains("the most iterations of all ways"), "{words}");
    }

    #[test]
    fn every_solver_that_is_compared_may_be_the_reference() {
        let mut document = Document::default();
        set_by_name(&mut document, "pressure", "jacobi").unwrap();
        let vary = ["pressure=jacobi,sor,multigrid", "pressure.iterations=4,90"];
        let ways = combinations(&document, &[], &vary.map(str::to_owned)).unwrap();
        let all = references(&document, &ways);
        let solver = |c: &Candidate| pressure_solver(&c.document.method).map(|(_, kind)| kind);
        let solvers: Vec<_> = all.iter().filter_map(solver).collect();
        assert_eq!(solvers.len(), 3, "{solvers:?}");
        assert!(all.iter().all(|c| iterations(c) == Some(Value::Int(900))));
        assert!(
            all[2].words.contains("solved by Multigrid"),
            "{}",
            all[2].words
        );
    }
}
