//! Questions that are ready to be asked, from what the registries hold.

use std::collections::HashSet;

use super::Way;
use super::ways::{give, of_methods, same_but_strokes};
use crate::document::{self, Document};
use crate::params::{self, Entry, Value, ValueKind, label_from_name};
use crate::poisson::SOLVERS;
use crate::solvers::{METHODS, pressure_solver};

/// What is to be found out about a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// How many iterations the pressure solver needs.
    Iterations,
    /// Which pressure solver suits best, each as it is by default.
    Solvers,
    /// Which solver, with how many iterations, stays within a budget.
    Budget,
    /// Which method suits best.
    Methods,
    /// What a parameter does: its path in the document, and values separated by commas.
    Parameter(String, String),
}

/// Iterations that are compared where the solver's slider reaches as far.
const ITERATIONS: [u32; 5] = [10, 20, 40, 80, 160];
/// The same for a solver of few iterations.
const FEW: [u32; 5] = [1, 2, 4, 8, 16];

impl Question {
    /// Those that make sense for a document, without parameters of one's own choice.
    pub fn offered(document: &Document) -> Vec<Self> {
        let mut all = Vec::new();
        if iterations(document).is_some() {
            all.push(Self::Iterations);
        }
        if solver(document).is_some() && SOLVERS.len() > 1 {
            all.push(Self::Solvers);
            all.push(Self::Budget);
        }
        if METHODS.len() > 1 {
            all.push(Self::Methods);
        }
        all
    }

    /// As shown.
    pub fn title(&self, document: &Document) -> String {
        match self {
            Self::Iterations => {
                let counts = iterations(document).map_or(ITERATIONS, |e| counts(&e));
                format!("Iterations: {}", counts.map(|n| n.to_string()).join(", "))
            }
            Self::Solvers => "Every pressure solver at its default".to_owned(),
            Self::Budget => "Find what fits a budget".to_owned(),
            Self::Methods => "Every method".to_owned(),
            Self::Parameter(..) => "One parameter".to_owned(),
        }
    }

    /// The ways that answer it, at most so many.
    ///
    /// # Errors
    /// There are more, the document has nothing of the kind, or a value does not fit; said in a sentence.
    pub fn ways(&self, document: &Document, most: usize) -> Result<Vec<Way>, String> {
        let n = self.count();
        if n > most {
            return Err(format!("At most {most} ways at once; these are {n}."));
        }
        let ways = match self {
            Self::Iterations => {
                let entry =
                    iterations(document).ok_or("The solver of this look has no iterations.")?;
                let values = counts(&entry).map(|n| n.to_string());
                let label = |v: &str| format!("{v} iterations");
                values_of(document, &entry.path, &values, &label)
            }
            Self::Solvers => solvers(document),
            Self::Budget => ladder(document),
            Self::Methods => {
                let ids: Vec<String> = METHODS.iter().map(|m| m.id.to_owned()).collect();
                of_methods(document, &ids)
            }
            Self::Parameter(path, values) => parameter(document, path, values),
        }?;
        match ways.len() {
            n if n > most => Err(format!("At most {most} ways at once; these are {n}.")),
            _ => Ok(ways),
        }
    }

    /// The same ways with the look as it is before them, unless one of them is just that or there is no more room. What
    /// is typed is run as typed.
    ///
    /// # Errors
    /// As [`Self::ways`].
    pub fn ways_beside_own(&self, document: &Document, most: usize) -> Result<Vec<Way>, String> {
        let mut ways = self.ways(document, most)?;
        let typed = matches!(self, Self::Parameter(..));
        let there = ways.iter().any(|w| same_but_strokes(&w.document, document));
        if !typed && !there && ways.len() < most {
            let own = Way::new("as_it_is", "As it is", document.clone(), Vec::new());
            ways.insert(0, own);
        }
        Ok(ways)
    }

    /// How many ways it comes to at least, told without making any of them.
    fn count(&self) -> usize {
        match self {
            Self::Iterations => ITERATIONS.len(),
            Self::Solvers => SOLVERS.len(),
            // Each solver has at least one; how many iterations it is tried with is its own.
            Self::Budget => SOLVERS.len(),
            Self::Methods => METHODS.len(),
            Self::Parameter(_, values) => texts(values).len(),
        }
    }
}

/// Values as they were typed, each once.
fn texts(values: &str) -> Vec<&str> {
    let mut seen = HashSet::new();
    let all = values.split([',', ';']).map(str::trim);
    all.filter(|text| !text.is_empty() && seen.insert(*text))
        .collect()
}

/// The path of the pressure solver's group, without the dot at its end.
fn solver(document: &Document) -> Option<String> {
    let (path, _) = pressure_solver(&document.method)?;
    Some(format!("method.{}", path.strip_suffix(".kind")?))
}

/// The number of iterations of the pressure solver, if it has one, at its path in the document.
fn iterations(document: &Document) -> Option<Entry> {
    let path = format!("{}.iterations", solver(document)?);
    let mut entries = params::entries(&document.method).into_iter();
    let found = entries.find(|e| path.strip_prefix("method.") == Some(&e.path))?;
    (found.spec.kind == ValueKind::Int).then_some(Entry { path, ..found })
}

/// Iterations that are compared, as far as they are allowed.
fn counts(entry: &Entry) -> [u32; 5] {
    let far = entry.spec.soft[1] >= ITERATIONS[4] as f32;
    let all = if far { ITERATIONS } else { FEW };
    all.map(|n| n.clamp(entry.spec.hard[0] as u32, entry.spec.hard[1] as u32))
}

fn solvers(document: &Document) -> Result<Vec<Way>, String> {
    let group = solver(document).ok_or("The method of this look solves for no pressure.")?;
    let each = SOLVERS.iter().map(|info| {
        let mut document = document.clone();
        let given = vec![give(&mut document, &group, info.id)?];
        let inside = format!("{group}.");
        for entry in params::entries(&document) {
            let own = entry
                .path
                .strip_prefix(&inside)
                .is_some_and(|p| p != "kind");
            if own {
                params::set_value(&mut document, &entry.path, &entry.spec.default);
                document.animation.tracks.retain(|t| t.path != entry.path);
            }
        }
        let short = group.strip_prefix("method.").unwrap_or(&group);
        Ok(Way::new(
            format!("{short}={}", info.id),
            info.title,
            document,
            given,
        ))
    });
    each.collect()
}

/// Iterations that are tried for a budget, as far as they are allowed.
const RUNGS: [u32; 5] = [10, 20, 40, 80, 160];
/// The same for a solver of few iterations.
const FEW_RUNGS: [u32; 4] = [1, 2, 3, 5];

/// Every solver with fewer and more iterations; one without iterations as it is.
fn ladder(document: &Document) -> Result<Vec<Way>, String> {
    let group = solver(document).ok_or("The method of this look solves for no pressure.")?;
    let short = group.strip_prefix("method.").unwrap_or(&group);
    let path = format!("{group}.iterations");
    let mut all = Vec::new();
    for way in solvers(document)? {
        let Some(entry) = iterations(&way.document) else {
            all.push(way);
            continue;
        };
        let rungs: &[u32] = match entry.spec.soft[1] >= RUNGS[4] as f32 {
            true => &RUNGS,
            false => &FEW_RUNGS,
        };
        for n in rungs {
            let mut document = (*way.document).clone();
            let mut given = way.given.clone();
            given.push(give(&mut document, &path, &n.to_string())?);
            let id = format!("{},{short}.iterations={n}", way.id);
            let label = format!("{}, {n}", way.label);
            all.push(Way::new(id, label, document, given));
        }
    }
    Ok(all)
}

/// Parameters whose values can be written side by side, with what they are called.
pub fn variable(document: &Document) -> Vec<(Entry, String)> {
    let entries = params::entries(&document.method).into_iter();
    entries
        .filter(|e| {
            !matches!(
                e.spec.kind,
                ValueKind::Vec2 | ValueKind::Vec3 | ValueKind::Text
            )
        })
        .filter(|e| e.path != "kind")
        .map(|e| {
            let shown = e.path.strip_suffix(".kind").unwrap_or(&e.path);
            let steps: Vec<String> = shown.split('.').map(label_from_name).collect();
            let path = format!("method.{}", e.path);
            (Entry { path, ..e }, steps.join(": "))
        })
        .collect()
}

fn parameter(document: &Document, path: &str, values: &str) -> Result<Vec<Way>, String> {
    let known = variable(document).into_iter().find(|(e, _)| e.path == path);
    let (entry, label) = known.ok_or("Choose a parameter of this look's method.")?;
    let texts: Vec<String> = texts(values).into_iter().map(str::to_owned).collect();
    if texts.is_empty() {
        return Err("Type one or more values, with commas between them.".to_owned());
    }
    let unit = match entry.spec.unit {
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    let choice = matches!(entry.value, Value::Choice(_));
    let name = |v: &str| match choice {
        true => label_from_name(v),
        false => format!("{label} {v}{unit}"),
    };
    values_of(document, path, &texts, &name)
}

/// The document with each of some values, equal ones once.
fn values_of(
    document: &Document,
    path: &str,
    values: &[String],
    label: &dyn Fn(&str) -> String,
) -> Result<Vec<Way>, String> {
    let short = path.strip_prefix("method.").unwrap_or(path);
    let short = short.strip_suffix(".kind").unwrap_or(short);
    let mut ways: Vec<Way> = Vec::new();
    for value in values {
        let mut other = document.clone();
        let given = vec![give(&mut other, path, value)?];
        document::fits(&other)?;
        if ways.iter().any(|w| w.document.method == other.method) {
            continue;
        }
        let id = format!("{short}={value}");
        ways.push(Way::new(id, label(value), other, given));
    }
    Ok(ways)
}
