//! What differs from what was saved: each parameter with its value then and now, and a way back.

use std::collections::HashMap;

use egui::{Align, Label, Layout, RichText, Ui};

use crate::document::Document;
use crate::document::animation::{Track, found};
use crate::edit::{Edit, List};
use crate::params::{self, Change, Spec, label_from_name};
use crate::ui::editor::{Editor, Request};
use crate::ui::icons::{self, Icon};
use crate::ui::inspector::shown;
use crate::ui::panels::timeline;
use crate::ui::{format, theme, widgets};

/// A difference in the form in which it is shown and taken back.
struct Row {
    /// Where it is, in words.
    place: String,
    /// What it is called.
    name: String,
    before: String,
    after: String,
    back: Vec<Edit>,
}

/// What the panel worked out last, and of which two documents.
#[derive(Default)]
pub struct Known {
    of: Option<[std::sync::Arc<Document>; 2]>,
    rows: std::sync::Arc<Vec<Row>>,
}

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    let now = editor.document().clone();
    let saved = editor.history.saved().cloned();
    let (base, since) = match (saved, &editor.file) {
        (Some(saved), Some(_)) => (saved, "was saved"),
        _ => (editor.opened().clone(), "was opened"),
    };
    let known = &mut editor.panels.changes;
    let same = known
        .of
        .as_ref()
        .is_some_and(|[a, b]| std::sync::Arc::ptr_eq(a, &base) && std::sync::Arc::ptr_eq(b, &now));
    if !same {
        known.rows = std::sync::Arc::new(rows(&base, &now));
        known.of = Some([base.clone(), now.clone()]);
    }
    let rows = known.rows.clone();
    widgets::scroll(ui, "changes", |ui| {
        if rows.is_empty() {
            widgets::empty(
                ui,
                "Nothing has been changed",
                &format!(
                    "What differs from the look as it {since} appears here, each with a way back."
                ),
            );
            return;
        }
        let text = format!(
            "{} since “{}” {since}",
            format::count(rows.len(), "change"),
            base.name
        );
        widgets::note(ui, &text);
        if ui.button("Take all back").clicked() {
            let all = vec![Edit::Replace(Box::new((*base).clone()))];
            editor.ask(Request::Edit("Take all changes back".to_owned(), all));
        }
        ui.add_space(theme::GAP);
        for (i, row) in rows.iter().enumerate() {
            ui.push_id(i, |ui| show(editor, ui, row));
        }
    });
}

fn show(editor: &mut Editor, ui: &mut Ui, row: &Row) {
    ui.horizontal(|ui| {
        let name = format!("Take back {}", row.name.to_lowercase());
        ui.with_layout(Layout::right_to_left(Align::TOP), |ui| {
            let tip = format!("Back to {}", row.before);
            if icons::small(ui, Icon::Undo, &name, &tip).clicked() {
                editor.ask(Request::Edit(name.clone(), row.back.clone()));
            }
            ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
                ui.spacing_mut().item_spacing.y = 1.0;
                ui.add(Label::new(RichText::new(&row.name).color(theme::bright())).wrap());
                if !row.place.is_empty() {
                    widgets::note(ui, &row.place);
                }
                let text = format!("was {}, now {}", row.before, row.after);
                ui.add(Label::new(RichText::new(text).color(theme::text())).wrap());
            });
        });
    });
    ui.add_space(theme::GAP);
}

/// A row for each parameter that is animated in another way, with the parameter's path.
fn tracks(base: &Document, now: &Document) -> Vec<(String, Row)> {
    let mut paths: Vec<&str> = [base, now]
        .into_iter()
        .flat_map(|d| &d.animation.tracks)
        .map(|t| t.path.as_str())
        .collect();
    paths.sort_unstable();
    paths.dedup();
    let row = |path: &str| {
        let [before, after] = [base, now].map(|d| d.animation.track(path).map(|(_, t)| t));
        if before == after {
            return None;
        }
        let back = match before {
            Some(track) => Edit::Track(Box::new(track.clone())),
            None => Edit::RemoveTrack(path.to_owned()),
        };
        // That of a parameter which there is no more comes back with what brings it.
        found(now, &[path]).pop().flatten()?;
        let of = if after.is_some() { now } else { base };
        let row = Row {
            place: "Animation".to_owned(),
            name: timeline::label_at(of, path),
            before: told(before),
            after: told(after),
            back: vec![back],
        };
        Some((path.to_owned(), row))
    };
    paths.into_iter().filter_map(row).collect()
}

/// What a track does, in a few words.
fn told(track: Option<&Track>) -> String {
    let Some(track) = track else {
        return "still".to_owned();
    };
    let mut text = format::count(track.keys.len(), "key");
    if !track.modulator.is_off() {
        text.push_str(" and a wave");
    }
    if !track.enabled {
        text.push_str(", switched off");
    }
    text
}

/// Everything that differs. A list with other items in it is one difference; other parameters of another method belong to
/// the choice of the method.
fn rows(base: &Document, now: &Document) -> Vec<Row> {
    let mut rows = Vec::new();
    let longer: Vec<List> = List::ALL
        .into_iter()
        .filter(|list| list.len(base) != list.len(now))
        .collect();
    for list in &longer {
        let count = |d: &Document| format::count(list.len(d), list.item());
        rows.push(Row {
            place: String::new(),
            name: label_from_name(list.path().rsplit('.').next().unwrap_or_default()),
            before: count(base),
            after: count(now),
            back: vec![Edit::Replace(Box::new(with_list(now, base, *list)))],
        });
    }
    let of_list = |path: &str| {
        longer.iter().any(|l| {
            path.strip_prefix(l.path())
                .is_some_and(|rest| rest.starts_with('.'))
        })
    };
    // Tracks of a list's items come back with the list.
    let other = tracks(base, now)
        .into_iter()
        .filter(|(path, _)| !of_list(path));
    rows.extend(other.map(|(_, row)| row));
    let parameters = params::differences(base, now);
    let specs: HashMap<String, Spec> = [base, now]
        .into_iter()
        .flat_map(params::entries)
        .map(|e| (e.path, e.spec))
        .collect();
    // Where there is another alternative, what belongs to it alone comes and goes with the choice.
    let (own, of_choices): (Vec<Change>, Vec<Change>) = parameters
        .into_iter()
        .filter(|c| !of_list(&c.path) && !c.path.starts_with("animation."))
        .partition(|c| c.before.is_some() && c.after.is_some());
    for change in own {
        let (Some(before), Some(after)) = (change.before, change.after) else {
            continue;
        };
        let Some(spec) = specs.get(&change.path) else {
            continue;
        };
        let (place, name) = format::path_words(&change.path);
        let mut back = vec![Edit::Set(change.path.clone(), before.clone())];
        // The choice comes first; what belongs to it can be set afterwards.
        if let Some((parent, "kind")) = change.path.rsplit_once('.') {
            let inside = format!("{parent}.");
            back.extend(of_choices.iter().filter_map(|c| {
                let value = c.before.clone().filter(|_| c.path.starts_with(&inside))?;
                Some(Edit::Set(c.path.clone(), value))
            }));
            let lost = |t: &&Track| {
                t.path.starts_with(&inside) && found(now, &[&t.path]).pop().flatten().is_none()
            };
            let lost = base.animation.tracks.iter().filter(lost).cloned();
            back.extend(lost.map(|t| Edit::Track(Box::new(t))));
        }
        rows.push(Row {
            place,
            name,
            before: shown(spec, &before),
            after: shown(spec, &after),
            back,
        });
    }
    rows.extend(of_choices.iter().filter_map(|c| set_since(c, &specs)));
    rows
}

/// A parameter that came with another choice and has been set since.
fn set_since(change: &Change, specs: &HashMap<String, Spec>) -> Option<Row> {
    let (None, Some(after)) = (&change.before, &change.after) else {
        return None;
    };
    let spec = specs.get(&change.path).filter(|s| s.default != *after)?;
    let (place, name) = format::path_words(&change.path);
    Some(Row {
        place,
        name,
        before: format!("not there, usually {}", shown(spec, &spec.default)),
        after: shown(spec, after),
        back: vec![Edit::Set(change.path.clone(), spec.default.clone())],
    })
}

/// What a step did, in a few words; none where there is nothing to be said.
pub fn in_short(before: &Document, after: &Document) -> Option<String> {
    match rows(before, after).as_slice() {
        [] => None,
        [row] => Some(format!("{} to {}", row.before, row.after)),
        rows => Some(format::count(rows.len(), "change")),
    }
}

/// The one document with a list of the other, and what is animated in it.
fn with_list(now: &Document, base: &Document, list: List) -> Document {
    let mut back = now.clone();
    match list {
        List::Emitters => back.scene.emitters.clone_from(&base.scene.emitters),
        List::Obstacles => back.scene.obstacles.clone_from(&base.scene.obstacles),
        List::Terrain => back.scene.terrain.clone_from(&base.scene.terrain),
        List::Motors => back.scene.motors.clone_from(&base.scene.motors),
        List::Strokes => back.scene.strokes.clone_from(&base.scene.strokes),
        List::Outputs => back.bake.outputs.clone_from(&base.bake.outputs),
    }
    // Tracks go by the numbers of items.
    let inside = format!("{}.", list.path());
    let tracks = &mut back.animation.tracks;
    tracks.retain(|t| !t.path.starts_with(&inside));
    let own = base.animation.tracks.iter();
    tracks.extend(own.filter(|t| t.path.starts_with(&inside)).cloned());
    back
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(document: &mut Document, rows: &[Row]) {
        for edit in rows.iter().flat_map(|r| r.back.clone()) {
            edit.apply(document).expect("it can be taken back");
        }
    }

    #[test]
    fn every_difference_can_be_taken_back() {
        let base = Document::default();
        let mut now = base.clone();
        assert!(rows(&base, &now).is_empty());
        now.time.cfl = 2.0;
        now.name = "Another".to_owned();
        now.scene.emitters.push(Default::default());
        let found = rows(&base, &now);
        assert_eq!(found.len(), 3);
        assert!(
            found
                .iter()
                .any(|r| r.name == "Emitters" && r.after.starts_with('1'))
        );
        back(&mut now, &found);
        assert_eq!(now, base);
    }

    #[test]
    fn what_is_animated_comes_back_by_parameter() {
        let base = Document::default();
        let mut now = base.clone();
        let path = "scene.environment.buoyancy".to_owned();
        let value = crate::document::animation::KeyValue::Number(2.0);
        let key = Edit::SetKey(path, 1.0, value);
        key.apply(&mut now).expect("it can be animated");
        let found = rows(&base, &now);
        assert_eq!(found.len(), 1);
        assert_eq!((&*found[0].before, &*found[0].after), ("still", "1 key"));
        assert_eq!(found[0].name, "Buoyancy");
        back(&mut now, &found);
        assert_eq!(now, base);
    }

    /// Tracks go by the number of an item: they come back with the list.
    #[test]
    fn a_list_comes_back_with_what_is_animated_in_it() {
        let mut base = Document::default();
        base.scene.emitters = vec![Default::default(); 2];
        let value = crate::document::animation::KeyValue::Flag(false);
        let key = Edit::SetKey("scene.emitters.1.enabled".to_owned(), 1.0, value);
        key.apply(&mut base).expect("it can be animated");
        let mut now = base.clone();
        let gone = Edit::Remove(List::Emitters, 0);
        gone.apply(&mut now).expect("it is there");
        assert_eq!(now.animation.tracks[0].path, "scene.emitters.0.enabled");
        let found = rows(&base, &now);
        back(&mut now, &found[..1]);
        assert_eq!(now, base);
    }

    #[test]
    fn what_came_with_a_choice_and_was_set_since_is_there() {
        let base = Document::default();
        let mut now = base.clone();
        params::set(&mut now, "method.pressure.kind", "sor").expect("a solver");
        let count = rows(&base, &now).len();
        params::set(&mut now, "method.pressure.omega", "1.2").expect("a number");
        let found = rows(&base, &now);
        assert_eq!(found.len(), count + 1);
        let omega = found.last().expect("there are some");
        assert!(
            omega.after == "1.2" && omega.before.contains("usually"),
            "{}",
            omega.before
        );
        back(&mut now, &found[count..]);
        assert_eq!(rows(&base, &now).len(), count);
        let all = rows(&base, &now);
        back(&mut now, &all);
        assert_eq!(now, base);
    }

    #[test]
    fn a_step_is_told_with_its_values() {
        let before = Document::default();
        let mut after = before.clone();
        assert_eq!(in_short(&before, &after), None);
        after.time.cfl = 2.5;
        let text = in_short(&before, &after).expect("there is a change");
        assert!(text.ends_with(" to 2.5"), "{text}");
        after.name = "Another".to_owned();
        assert_eq!(in_short(&before, &after).as_deref(), Some("2 changes"));
    }

    /// Another pressure solver has other parameters: they come back with the choice.
    #[test]
    fn a_choice_comes_back_with_what_belongs_to_it() {
        let mut base = Document::default();
        let kind = params::entries(&base)
            .into_iter()
            .find(|e| e.path.ends_with("pressure.kind"))
            .expect("the method has a pressure solver");
        params::set(&mut base, &kind.path, "jacobi").expect("a solver");
        let iterations = kind.path.replace(".kind", ".iterations");
        params::set(&mut base, &iterations, "17").expect("a number");
        let mut now = base.clone();
        params::set(&mut now, &kind.path, "multigrid").expect("another");
        let found = rows(&base, &now);
        assert!(found.iter().any(|r| r.back.len() > 1));
        back(&mut now, &found);
        assert_eq!(now, base);
    }

    /// Keys of what only the other alternative has come back with it, in no row of their own.
    #[test]
    fn a_choice_comes_back_with_the_keys_that_went_with_it() {
        let mut base = Document::default();
        params::set(&mut base, "method.pressure.kind", "jacobi").expect("a solver");
        let value = crate::document::animation::KeyValue::Number(0.5);
        let key = Edit::SetKey("method.pressure.weight".to_owned(), 1.0, value);
        key.apply(&mut base).expect("it can be animated");
        let mut now = base.clone();
        let other = Edit::Set(
            "method.pressure.kind".to_owned(),
            params::Value::Choice("Multigrid".to_owned()),
        );
        other.apply(&mut now).expect("another");
        assert!(now.animation.tracks.is_empty());
        let found = rows(&base, &now);
        assert!(found.iter().all(|r| r.place != "Animation"));
        back(&mut now, &found);
        assert_eq!(now, base);
    }
}
