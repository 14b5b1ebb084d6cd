//! Changes by name, as people write them: a path and a value as text. What is wrong is said in a sentence.

use super::Document;
use crate::params;
use crate::solvers::{METHODS, MethodParams};

/// Sets a parameter by its path in the document or, where there is none, by its path in the method.
///
/// # Errors
/// No such parameter, with those that may have been meant, or a value that does not fit.
pub fn set_by_name(document: &mut Document, path: &str, value: &str) -> Result<(), String> {
    let Some(at) = found_by_name(document, path) else {
        return Err(unknown(document, path));
    };
    let outcome = params::set(document, &at, value);
    outcome.map_err(|p| format!("{}: {}", p.path, p.message))
}

/// The path in the document of what is called so: in the document or, where there is none, in the method. What a solver
/// repeats has the same name in all, and may be called as the field calls it: sweeps of one, cycles of another.
pub fn found_by_name(document: &Document, path: &str) -> Option<String> {
    let both = [path.to_owned(), format!("method.{path}")];
    if let Some(found) = both.iter().find(|at| has(document, at)) {
        return Some(found.clone());
    }
    let place = ["sweeps", "cycles"]
        .iter()
        .find_map(|name| path.strip_suffix(name)?.strip_suffix('.'))?;
    found_by_name(document, &format!("{place}.iterations"))
}

/// Gives the document another method with its default parameters; the one that it has stays as it is.
///
/// # Errors
/// No such method, with those that there are.
pub fn use_method(document: &mut Document, id: &str) -> Result<(), String> {
    if document.method.info().id != id {
        document.method = MethodParams::from_id(id).ok_or_else(|| {
            let known: Vec<&str> = METHODS.iter().map(|m| m.id).collect();
            format!(
                "there is no method \"{id}\"; there are {}",
                known.join(", ")
            )
        })?;
    }
    Ok(())
}

/// Refuses what does not fit together.
///
/// # Errors
/// Each problem in a line, with the place where it stands.
pub fn fits(document: &Document) -> Result<(), String> {
    let problems = super::problems(document);
    if problems.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = problems
        .into_iter()
        .map(|p| format!("{}: {}", p.path, p.message))
        .collect();
    Err(lines.join("\n"))
}

/// Says that there is no such parameter, and which one may have been meant: the likeliest first.
fn unknown(document: &Document, path: &str) -> String {
    let leaf = |path: &str| path.rsplit('.').next().unwrap_or("").to_owned();
    let root = |path: &str| path.split('.').next().unwrap_or("").to_owned();
    let mut known: Vec<(usize, String)> = Vec::new();
    for entry in params::entries(document) {
        let full = entry.path.strip_suffix(".kind").unwrap_or(&entry.path);
        let short = full.strip_prefix("method.").unwrap_or(full);
        let whole = params::distance(full, path).min(params::distance(short, path));
        // A name at another place is as likely as a slip of the keyboard at this one, if it is a place of the same kind.
        let related = !path.contains('.') || [full, short].iter().any(|p| root(p) == root(path));
        let name = params::distance(&leaf(full), &leaf(path)) + 1;
        let distance = if related { whole.min(name) } else { whole };
        known.push((distance, short.to_owned()));
    }
    known.sort();
    known.dedup();
    // Nothing that is far from what was typed, and nothing much farther than the nearest.
    let best = known.first().map_or(0, |(distance, _)| *distance);
    let near = (leaf(path).chars().count() / 2).max(1).min(best + 1);
    let names: Vec<String> = known
        .iter()
        .filter(|(distance, _)| *distance <= near)
        .take(3)
        .map(|(_, name)| format!("`{name}`"))
        .collect();
    if path.is_empty() {
        return "no parameter is named; expected PATH=VALUE".to_owned();
    }
    let hint = if names.is_empty() {
        "`eddy methods --markdown` lists all".to_owned()
    } else {
        format!("did you mean {}?", names.join(" or "))
    };
    format!("{path}: no such parameter; {hint}")
}

fn has(document: &Document, path: &str) -> bool {
    params::get(document, path).is_some()
        || params::get(document, &format!("{path}.kind")).is_some()
}
