//! The chosen track in full: the key that is picked, and the wave around the keys.

use egui::Ui;

use super::Lane;
use crate::document::Document;
use crate::document::animation::{Combine, KeyValue};
use crate::edit::Edit;
use crate::params::{Spec, Value, ValueKind};
use crate::ui::editor::{Editor, Request};
use crate::ui::inspector::{Inspector, Outcome};
use crate::ui::{theme, widgets};

pub(super) fn ui(editor: &mut Editor, ui: &mut Ui, document: &Document, lanes: &[Lane]) {
    egui::ScrollArea::vertical()
        .id_salt("timeline side")
        .auto_shrink([false, false])
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.set_width(ui.available_width());
            details(editor, ui, document, lanes);
        });
}

/// Draws what the lane has no room for.
pub(super) fn details(editor: &mut Editor, ui: &mut Ui, document: &Document, lanes: &[Lane]) {
    let timeline = &editor.panels.timeline;
    let chosen = timeline.chosen.as_deref();
    let Some(lane) = lanes.iter().find(|l| Some(l.track.path.as_str()) == chosen) else {
        return;
    };
    widgets::heading(ui, &lane.label);
    let keys = lane.track.keys.iter().enumerate();
    let picked: Vec<usize> = keys
        .filter(|(_, k)| timeline.is_picked(&lane.track.path, k.time))
        .map(|(i, _)| i)
        .collect();
    match picked.as_slice() {
        [k] => key(editor, ui, document, lane, *k),
        [] => {
            widgets::note(
                ui,
                "Pick a key to see its numbers; double click the lane for a new one.",
            );
        }
        many => {
            widgets::note(ui, &format!("{} keys are picked.", many.len()));
        }
    }
    let root = format!("animation.tracks.{}", lane.index);
    if lane.track.keys.len() > 1 {
        let hidden = |path: &str| !path.ends_with(".repeat") || path.contains("modulator");
        show(editor, ui, document, &root, &hidden, &|_, _, _| {});
    }
    if lane.present.components() > 0 {
        wave(editor, ui, document, lane, &root);
    }
}

/// The numbers of a key. Its value is shown as the parameter is.
fn key(editor: &mut Editor, ui: &mut Ui, document: &Document, lane: &Lane, k: usize) {
    let root = format!("animation.tracks.{}.keys.{k}", lane.index);
    let key = &lane.track.keys[k];
    let frame_dt = document.time.frame_dt();
    let adapt = |path: &str, spec: &mut Spec, value: &mut Value| {
        if path.ends_with(".value")
            && let Ok(held) = key.value.as_kind(lane.present.spec.kind)
        {
            *spec = Spec {
                name: "value",
                ..lane.present.spec.clone()
            };
            *value = held;
        } else if path.ends_with(".time") {
            // In frames, as on the ruler.
            if let Value::Float(seconds) = value {
                *seconds /= frame_dt;
            }
            let [first, last] = [0.0, document.time.end_frame as f32];
            (spec.unit, spec.soft, spec.log) = ("", [first, last], false);
            // No way back to a default: all keys but one would stand at the same time.
            spec.default = value.clone();
        }
    };
    let jumps = lane.present.components() == 0;
    let hidden = |path: &str| jumps && path.ends_with(".interpolation");
    let mut outcomes = inspect(ui, document, &root, &hidden, &adapt);
    outcomes.retain_mut(|outcome| {
        let Outcome::Set { path, value, .. } = outcome else {
            return true;
        };
        match value {
            Value::Float(frame) if path.ends_with(".time") => {
                let seconds = *frame * frame_dt;
                retime(editor, ui, document, lane, k, seconds);
                false
            }
            _ if path.ends_with(".value") => {
                let Some(key) = KeyValue::of(value) else {
                    return false;
                };
                *value = Value::Text(key.to_string());
                true
            }
            _ => true,
        }
    });
    editor.outcomes(ui.ctx(), outcomes);
}

/// A key at another time, among the others in order; not on another key.
fn retime(editor: &mut Editor, ui: &Ui, document: &Document, lane: &Lane, k: usize, seconds: f32) {
    let mut track = lane.track.clone();
    let key = track.keys.remove(k);
    let seconds = seconds.max(0.0);
    if track
        .key_at(f64::from(seconds), document.time.frame_dt())
        .is_some()
    {
        return;
    }
    let at = track.keys.partition_point(|k| k.time < seconds);
    track.keys.insert(
        at,
        crate::document::animation::TrackKey {
            time: seconds,
            ..key
        },
    );
    let path = track.path.clone();
    editor.panels.timeline.picked = [(path, seconds.to_bits())].into();
    let edits = vec![Edit::Track(Box::new(track))];
    if ui.input(|i| i.pointer.any_down()) {
        editor.drag(ui.ctx(), "timeline key time", "Move key", edits);
    } else {
        editor.ask(Request::Edit("Move key".to_owned(), edits));
    }
}

/// What swings about the keys.
fn wave(editor: &mut Editor, ui: &mut Ui, document: &Document, lane: &Lane, root: &str) {
    ui.add_space(theme::GAP);
    let path = format!("{root}.modulator.wave");
    let outcomes = Inspector {
        kind_label: "Wave",
        advanced: true,
        ..Inspector::default()
    }
    .show(ui, document, &path);
    editor.outcomes(ui.ctx(), outcomes);
    if lane.track.modulator.is_off() {
        return;
    }
    let single = lane.present.components() == 1;
    let hidden = |path: &str| path.ends_with(".wave") || (single && path.ends_with(".share"));
    let adds = lane.track.modulator.combine == Combine::Add;
    let adapt = |path: &str, spec: &mut Spec, _: &mut Value| {
        if adds && path.ends_with(".amplitude") {
            let of = &lane.present.spec;
            let reach = (of.soft[1] - of.soft[0]) * 0.5;
            spec.unit = of.unit;
            if reach.is_finite() && reach > 0.0 && of.kind != ValueKind::Int {
                spec.soft = [0.0, reach];
            }
        }
    };
    show(
        editor,
        ui,
        document,
        &format!("{root}.modulator"),
        &hidden,
        &adapt,
    );
}

fn show(
    editor: &mut Editor,
    ui: &mut Ui,
    document: &Document,
    path: &str,
    hidden: &dyn Fn(&str) -> bool,
    adapt: &dyn Fn(&str, &mut Spec, &mut Value),
) {
    let outcomes = inspect(ui, document, path, hidden, adapt);
    editor.outcomes(ui.ctx(), outcomes);
}

fn inspect(
    ui: &mut Ui,
    document: &Document,
    path: &str,
    hidden: &dyn Fn(&str) -> bool,
    adapt: &dyn Fn(&str, &mut Spec, &mut Value),
) -> Vec<Outcome> {
    Inspector {
        hidden,
        adapt,
        flat: document.scene.domain.cells_z <= 1,
        advanced: true,
        label: &|path| {
            let of_keys = !path.contains(".modulator.");
            let at = path.contains(".keys.") && path.ends_with(".time");
            match path.ends_with(".repeat") && of_keys {
                true => Some("Repeat keys"),
                false => at.then_some("Frame"),
            }
        },
        ..Inspector::default()
    }
    .show(ui, document, path)
}
