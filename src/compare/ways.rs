//! The ways in which a scene is run, and what makes each of them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::document::animation::Track;
use crate::document::{self, Document};
use crate::params::{self, Effect, Value};

/// Most ways that are compared.
pub const MAX_WAYS: usize = 256;

/// The parts of a document that a simulation follows from.
const SIMULATED: [&str; 3] = ["method.", "scene.", "time."];

/// One way to run the scene.
#[derive(Clone, Debug)]
pub struct Way {
    /// What makes it, as on the command line.
    pub id: String,
    /// As shown.
    pub label: String,
    /// The scene that is run.
    pub document: Arc<Document>,
    /// What was given a value to make it, as paths in the document, be it another value than before or not.
    pub given: Vec<String>,
}

impl Way {
    pub(super) fn new(
        id: impl Into<String>,
        label: impl Into<String>,
        document: Document,
        given: Vec<String>,
    ) -> Self {
        Self {
            id: id.into(),
            label: label.into(),
            document: Arc::new(document),
            given,
        }
    }
}

/// Every combination of methods and varied values. `vary` holds `PATH=V,V…`; values that contain commas are separated by
/// semicolons.
///
/// # Errors
/// What was not understood or does not fit, in a sentence.
pub fn combinations(
    document: &Document,
    methods: &[String],
    vary: &[String],
) -> Result<Vec<Way>, String> {
    too_many(methods.len())?;
    let mut ways = match methods {
        [] => vec![Way::new("", "", document.clone(), Vec::new())],
        methods => of_methods(document, methods)?,
    };
    let mut varied: Vec<&str> = Vec::new();
    for vary in vary {
        let (path, values) = vary
            .split_once('=')
            .ok_or_else(|| format!("\"{vary}\" varies nothing; expected PATH=V,V…"))?;
        let path = path.trim();
        if varied.contains(&path) {
            return Err(format!(
                "{path} is varied twice; give all its values at once"
            ));
        }
        varied.push(path);
        let separator = if values.contains(';') { ';' } else { ',' };
        // Before any of them is made.
        too_many(ways.len() * values.split(separator).count())?;
        let mut more = Vec::new();
        for way in &ways {
            for value in values.split(separator) {
                let mut document = (*way.document).clone();
                let mut given = way.given.clone();
                let at = give(&mut document, path, value)?;
                if !SIMULATED.iter().any(|part| at.starts_with(part)) {
                    return Err(format!(
                        "{path} has no effect on what is simulated: every way would be the same"
                    ));
                }
                given.push(at);
                document::fits(&document)?;
                let own = format!("{path}={}", value.trim());
                let join = |a: &str| match a {
                    "" => own.clone(),
                    a => format!("{a},{own}"),
                };
                let label = join(&way.label).replace(',', ", ");
                more.push(Way::new(join(&way.id), label, document, given));
            }
        }
        ways = more;
    }
    Ok(ways)
}

fn too_many(n: usize) -> Result<(), String> {
    match n {
        0..=MAX_WAYS => Ok(()),
        _ => Err(format!("more than {MAX_WAYS} ways to run the scene")),
    }
}

/// The scene by each of the methods; the one that it has stays as it is.
pub(super) fn of_methods(document: &Document, ids: &[String]) -> Result<Vec<Way>, String> {
    let each = ids.iter().map(|id| {
        let mut document = document.clone();
        document::use_method(&mut document, id)?;
        document.drop_lost_tracks();
        let title = document.method.info().title;
        let given = vec!["method.kind".to_owned()];
        Ok(Way::new(id.clone(), title, document, given))
    });
    each.collect()
}

/// Gives a parameter a value for the whole run: keys and waves that it may have would take it away again. Returns its path
/// in the document.
pub(super) fn give(document: &mut Document, path: &str, value: &str) -> Result<String, String> {
    document::set_by_name(document, path, value)?;
    let at = document::found_by_name(document, path).unwrap_or_else(|| path.to_owned());
    let kind = format!("{at}.kind");
    let at = match params::get(document, &kind) {
        Some(_) => kind,
        None => at,
    };
    document.animation.tracks.retain(|t| t.path != at);
    document.drop_lost_tracks();
    Ok(at)
}

/// What has to be done to a document to have it run in a way.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A parameter gets a value.
    Set(String, Value),
    /// A parameter is animated so.
    Animate(Box<Track>),
    /// A parameter is not animated any more.
    Still(String),
}

/// What makes one of the ways that `base` was run in of a look as it is now, in the order in which it has to be done. All
/// that any of the ways touches becomes as it is in this one, so that nothing is left of another way that was used before;
/// all else stays. Where an alternative is chosen, or another one has been chosen since, all that belongs to it is named.
pub fn changes(now: &Document, base: &Document, ways: &[Way], way: &Document) -> Vec<Change> {
    let touched = touched(base, ways);
    let present: HashMap<String, Value> = params::entries(&now.without_strokes())
        .into_iter()
        .map(|e| (e.path, e.value))
        .collect();
    let entries = params::entries(&way.without_strokes());
    let whole: Vec<&str> = entries
        .iter()
        .filter_map(|e| Some((e, alternative(&e.path)?)))
        .filter(|(e, inside)| {
            let other = present.get(&e.path) != Some(&e.value);
            touched.contains(&e.path) || other && touched.iter().any(|t| t.starts_with(inside))
        })
        .map(|(_, inside)| inside)
        .collect();
    let own = |path: &str| touched.contains(path) || whole.iter().any(|w| path.starts_with(w));
    let set = entries.iter().filter(|e| own(&e.path));
    let mut all: Vec<Change> = set
        .map(|e| Change::Set(e.path.clone(), e.value.clone()))
        .collect();
    let track = |of: &Document, path: &str| of.animation.track(path).map(|(_, t)| t.clone());
    let differs = |path: &str| {
        let first = track(base, path);
        ways.iter().any(|w| track(&w.document, path) != first)
    };
    let lost = now.animation.tracks.iter().map(|t| &t.path);
    let lost = lost.filter(|path| way.animation.track(path).is_none());
    let lost = lost.filter(|path| own(path) || differs(path));
    all.extend(lost.map(|path| Change::Still(path.clone())));
    let kept = way.animation.tracks.iter();
    let kept = kept.filter(|t| own(&t.path) || differs(&t.path));
    all.extend(kept.map(|t| Change::Animate(Box::new(t.clone()))));
    all
}

/// Whether a way can go on from a state of another one: what differs between them acts from now on, or chooses how the same
/// state is carried on. A number that asks for a restart is one that the first state follows from.
pub(super) fn goes_on_from(way: &Document, state_of: &Document) -> bool {
    let differing = params::differences(&state_of.without_strokes(), &way.without_strokes());
    let chosen: Vec<&str> = differing
        .iter()
        .filter_map(|c| alternative(&c.path))
        .collect();
    differing.iter().all(|c| {
        let choice = matches!(c.after, Some(Value::Choice(_)) | None);
        let inside = chosen.iter().any(|group| c.path.starts_with(group));
        c.effect != Effect::Restart || choice || inside
    })
}

/// The paths in which any way differs from what they were made of, or that were given a value for it.
fn touched(base: &Document, ways: &[Way]) -> HashSet<String> {
    let base = base.without_strokes();
    let mut all = HashSet::new();
    for way in ways {
        let differing = params::differences(&base, &way.document.without_strokes()).into_iter();
        let differing = differing.map(|c| c.path);
        all.extend(differing.filter(|path| !path.starts_with("animation.")));
        all.extend(way.given.iter().cloned());
    }
    all
}

/// With what the paths begin of all that belongs to the alternative that is chosen there; none where nothing is chosen.
fn alternative(path: &str) -> Option<&str> {
    let inside = path.strip_suffix("kind")?;
    inside.ends_with('.').then_some(inside)
}

/// Whether two documents come to the same frames: they may differ in name, view and bake.
pub fn same_simulation(a: &Document, b: &Document) -> bool {
    std::ptr::eq(a, b) || (same_but_strokes(a, b) && a.scene.strokes == b.scene.strokes)
}

/// Whether two documents come to the same frames but for what was painted.
pub fn same_but_strokes(a: &Document, b: &Document) -> bool {
    a.scene.same_but_strokes(&b.scene)
        && a.method == b.method
        && a.time == b.time
        && a.animation == b.animation
}
