//! The ways in which a scene is run, and what makes each of them.

use std::sync::Arc;

use crate::document::{self, Document};
use crate::params::{self, Value};

/// Most ways that are compared.
pub const MAX_WAYS: usize = 256;

/// One way to run the scene.
#[derive(Clone, Debug)]
pub struct Way {
    /// What makes it, as on the command line.
    pub id: String,
    /// As shown.
    pub label: String,
    /// The scene that is run.
    pub document: Arc<Document>,
}

impl Way {
    pub(super) fn new(id: impl Into<String>, label: impl Into<String>, document: Document) -> Self {
        Self {
            id: id.into(),
            label: label.into(),
            document: Arc::new(document),
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
    let mut ways = match methods {
        [] => vec![Way::new("", "", document.clone())],
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
        let mut more = Vec::new();
        for way in &ways {
            for value in values.split(separator) {
                let mut document = (*way.document).clone();
                give(&mut document, path, value)?;
                document::fits(&document)?;
                let own = format!("{path}={}", value.trim());
                let join = |a: &str| match a {
                    "" => own.clone(),
                    a => format!("{a},{own}"),
                };
                let label = join(&way.label).replace(',', ", ");
                more.push(Way::new(join(&way.id), label, document));
            }
        }
        ways = more;
        if ways.len() > MAX_WAYS {
            return Err(format!("more than {MAX_WAYS} ways to run the scene"));
        }
    }
    Ok(ways)
}

/// The scene by each of the methods; the one that it has stays as it is.
pub(super) fn of_methods(document: &Document, ids: &[String]) -> Result<Vec<Way>, String> {
    let each = ids.iter().map(|id| {
        let mut document = document.clone();
        document::use_method(&mut document, id)?;
        document.drop_lost_tracks();
        let title = document.method.info().title;
        Ok(Way::new(id.clone(), title, document))
    });
    each.collect()
}

/// Gives a parameter a value for the whole run: keys and waves that it may have would take it away again.
pub(super) fn give(document: &mut Document, path: &str, value: &str) -> Result<(), String> {
    document::set_by_name(document, path, value)?;
    if let Some(at) = document::found_by_name(document, path) {
        document.animation.tracks.retain(|t| t.path != at);
        document.drop_lost_tracks();
    }
    Ok(())
}

/// What has to be done to a document to have it run in a way.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A parameter gets a value.
    Set(String, Value),
    /// A parameter is not animated any more.
    Still(String),
}

/// What makes a way of a document, in the order in which it has to be done. Where another alternative is chosen, all that
/// belongs to it is named, so that nothing hangs on what it is by default.
pub fn changes(base: &Document, way: &Document) -> Vec<Change> {
    let differing: Vec<String> =
        params::differences(&base.without_strokes(), &way.without_strokes())
            .into_iter()
            .filter(|c| c.after.is_some() && !c.path.starts_with("animation"))
            .map(|c| c.path)
            .collect();
    let chosen: Vec<&str> = differing
        .iter()
        .filter_map(|path| path.strip_suffix("kind"))
        .collect();
    let set = params::entries(&way.without_strokes())
        .into_iter()
        .filter(|e| differing.contains(&e.path) || chosen.iter().any(|c| e.path.starts_with(c)))
        .map(|e| Change::Set(e.path, e.value));
    let mut all: Vec<Change> = set.collect();
    let gone = base.animation.tracks.iter().map(|t| &t.path);
    let gone = gone.filter(|path| way.animation.track(path).is_none());
    all.extend(gone.map(|path| Change::Still(path.clone())));
    all
}

/// Whether two documents come to the same frames: they may differ in name, view and bake.
pub fn same_simulation(a: &Document, b: &Document) -> bool {
    std::ptr::eq(a, b)
        || (a.scene == b.scene
            && a.method == b.method
            && a.time == b.time
            && a.animation == b.animation)
}
