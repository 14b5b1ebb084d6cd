//! Parameters of the methods and solvers that are not used at present. A document holds those of the chosen ones only; an
//! artist who goes back to another one finds it as it was left.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::document::Document;
use crate::document::animation::Track;
use crate::edit::Edit;
use crate::params::{self, Params, Value};

/// Where a choice is made, as the path of its leaf, and what was chosen.
type Place = (String, String);

/// What was set below a choice.
#[derive(Clone, Debug, Default, PartialEq)]
struct Own {
    values: Vec<(String, Value)>,
    tracks: Vec<Track>,
}

/// What each alternative had when it was last used in this document.
#[derive(Default)]
pub struct Kept {
    seen: Option<Arc<Document>>,
    all: BTreeMap<Place, Own>,
}

/// What is chosen below the method is remembered, and the method itself.
const ROOT: &str = "method.";

impl Kept {
    /// Looks at the document: what is chosen in it is remembered with its parameters.
    pub fn see(&mut self, document: &Arc<Document>) {
        if self.seen.as_ref().is_some_and(|s| Arc::ptr_eq(s, document)) {
            return;
        }
        let same = |seen: &Document| {
            seen.method == document.method && seen.animation == document.animation
        };
        if !self.seen.as_deref().is_some_and(same) {
            self.remember(document);
        }
        self.seen = Some(Arc::clone(document));
    }

    fn remember(&mut self, document: &Document) {
        let entries = params::entries(&Below(document.method.clone()));
        let is_choice = |value: &Value| match value {
            Value::Choice(chosen) => Some(chosen.clone()),
            _ => None,
        };
        for (i, entry) in entries.iter().enumerate() {
            let Some(group) = entry.path.strip_suffix("kind") else {
                continue;
            };
            let Some(chosen) = is_choice(&entry.value) else {
                continue;
            };
            let below = |path: &str| path.starts_with(group) && path != entry.path;
            let rest = entries[i + 1..].iter();
            let own = Own {
                // In their order: what is chosen comes before what it brings along.
                values: rest
                    .filter(|e| below(&e.path))
                    .map(|e| (e.path.clone(), e.value.clone()))
                    .collect(),
                tracks: document
                    .animation
                    .tracks
                    .iter()
                    .filter(|t| below(&t.path))
                    .cloned()
                    .collect(),
            };
            self.all.insert((entry.path.clone(), chosen), own);
        }
    }

    /// What takes away the keys of the alternative that is left: another one may have a parameter of the same name.
    pub fn leave(&self, path: &str) -> Vec<Edit> {
        let group = path.strip_suffix("kind").unwrap_or(path);
        let tracks = self.seen.iter().flat_map(|d| &d.animation.tracks);
        let below = tracks.filter(|t| t.path.starts_with(group) && t.path != path);
        below.map(|t| Edit::RemoveTrack(t.path.clone())).collect()
    }

    /// What puts back the parameters of an alternative that is being chosen; nothing where it was never used.
    pub fn below(&self, path: &str, chosen: &str) -> Vec<Edit> {
        let Some(own) = self.all.get(&(path.to_owned(), chosen.to_owned())) else {
            return Vec::new();
        };
        let values = own.values.iter().cloned().map(|(p, v)| Edit::Set(p, v));
        let tracks = own.tracks.iter().cloned();
        values
            .chain(tracks.map(|t| Edit::Track(Box::new(t))))
            .collect()
    }

    /// Chooses an alternative, with the parameters that it had.
    pub fn choose(&self, path: &str, chosen: &str) -> Vec<Edit> {
        let mut edits = self.leave(path);
        let set = Edit::Set(path.to_owned(), Value::Choice(chosen.to_owned()));
        edits.push(set);
        edits.extend(self.below(path, chosen));
        edits
    }

    /// Another document: its parameters are other ones.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

/// The method's parameters under their paths in a document.
#[derive(Clone)]
struct Below(crate::solvers::MethodParams);

impl Params for Below {
    fn visit(&mut self, visitor: &mut dyn params::Visitor) {
        let group = params::Group::new(ROOT.trim_end_matches('.'), "How it is simulated.");
        if visitor.open(&group) {
            self.0.visit(visitor);
        }
        visitor.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::ValueKind;

    fn apply(document: &mut Arc<Document>, edits: Vec<Edit>) {
        let changed = Arc::make_mut(document);
        for edit in edits {
            edit.apply(changed).expect("it fits");
        }
    }

    /// Every choice of the method, in all its alternatives: away and back leaves the document as it was.
    #[test]
    fn whoever_comes_back_finds_everything_as_it_was() {
        let mut document = Arc::new(Document::default());
        let mut kept = Kept::default();
        // Nothing stands at its default.
        for entry in params::entries(&*document) {
            let Value::Float(v) = entry.value else {
                continue;
            };
            if entry.path.starts_with(ROOT) {
                let [low, high] = entry.spec.soft;
                let value = if v == high { low } else { (v + high) * 0.5 };
                apply(
                    &mut document,
                    vec![Edit::Set(entry.path, Value::Float(value))],
                );
            }
        }
        kept.see(&document);
        let before = document.clone();
        let mut tried = 0;
        for entry in params::entries(&*before) {
            let ValueKind::Choice(options) = entry.spec.kind else {
                continue;
            };
            if !entry.path.starts_with(ROOT) || !entry.path.ends_with(".kind") {
                continue;
            }
            let Value::Choice(mine) = &entry.value else {
                unreachable!()
            };
            for other in options.iter().filter(|o| o.name != mine) {
                apply(&mut document, kept.choose(&entry.path, other.name));
                assert_ne!(document.method, before.method);
                kept.see(&document);
                apply(&mut document, kept.choose(&entry.path, mine));
                assert_eq!(document, before, "{} by {}", entry.path, other.name);
                kept.see(&document);
                tried += 1;
            }
        }
        assert!(tried >= 4, "only {tried} alternatives");
        kept.forget();
        assert!(kept.below("method.pressure.kind", "Jacobi").is_empty());
    }

    #[test]
    fn an_alternative_takes_its_keys_along() {
        // One that it has alone, and one that others have too.
        for name in ["weight", "iterations"] {
            keys_go_with(&format!("method.pressure.{name}"));
        }
    }

    fn keys_go_with(path: &str) {
        let mut document = Arc::new(Document::default());
        let mut kept = Kept::default();
        let path = path.to_owned();
        let jacobi = Value::Choice("Jacobi".to_owned());
        let choose = Edit::Set("method.pressure.kind".to_owned(), jacobi);
        apply(&mut document, vec![choose]);
        let value = crate::document::animation::KeyValue::of(&Value::Float(1.0));
        let key = Edit::SetKey(path.clone(), 1.0, value.expect("a number has keys"));
        apply(&mut document, vec![key]);
        kept.see(&document);
        let before = document.clone();
        let kind = "method.pressure.kind";
        apply(&mut document, kept.choose(kind, "Multigrid"));
        kept.see(&document);
        assert!(document.animation.track(&path).is_none());
        apply(&mut document, kept.choose(kind, "Jacobi"));
        assert_eq!(document, before);
    }
}
