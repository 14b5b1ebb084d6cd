//! Changing what is animated: at which frame a change counts, and what becomes of the marks in the inspectors.

use crate::document::animation::{KeyValue, Modulator, Track, Wave};
use crate::edit::Edit;
use crate::params::Value;
use crate::sim::State;

use super::editor::{Editor, Request};
use super::inspector::Deed;

impl Editor {
    /// The frame at which keys are set: the one that is seen, or the one on the way to which the simulation is. While a
    /// hand holds a key, the one at which it took hold.
    pub fn present_frame(&self) -> u32 {
        let going = self.panels.viewport.going_to();
        let held = self.held_frame();
        held.or(going).unwrap_or(self.snapshot.frame)
    }

    /// Gives up the frame that was asked for, once the simulation is there or goes elsewhere.
    pub(super) fn arrive(&mut self) {
        let there = match self.snapshot.state {
            State::Playing | State::Fault(..) => true,
            _ => Some(self.snapshot.frame) == self.panels.viewport.going_to(),
        };
        if there {
            self.panels.viewport.go_to(None);
        }
    }

    /// The change that gives a parameter a value: what has keys gets one at the present frame.
    pub fn setting(&self, path: String, value: Value) -> Edit {
        let keyed = self.document().animation.track(&path);
        match (keyed, KeyValue::of(&value)) {
            (Some((_, track)), Some(key)) if !track.keys.is_empty() => {
                let time = self.document().time.seconds(self.present_frame());
                Edit::SetKey(path, time, key)
            }
            _ => Edit::Set(path, value),
        }
    }

    /// Does what was done to the mark of a parameter, as one step.
    pub(super) fn animate(&mut self, path: &str, label: &str, value: &Value, deed: Deed) {
        let document = self.document().clone();
        let (lower, time) = (label.to_lowercase(), &document.time);
        let now = time.seconds(self.present_frame());
        let track = document.animation.track(path).map(|(_, t)| t.clone());
        let edit = match deed {
            Deed::Show => {
                self.panels.timeline.choose(path);
                self.ask(Request::Show("timeline"));
                return;
            }
            Deed::Stop => (
                format!("Stop animating {lower}"),
                Edit::RemoveTrack(path.to_owned()),
            ),
            Deed::Set => {
                let Some(key) = KeyValue::of(value) else {
                    return;
                };
                (
                    format!("Key {lower}"),
                    Edit::SetKey(path.to_owned(), now, key),
                )
            }
            Deed::Remove => {
                let Some(mut track) = track else { return };
                let Some(i) = track.key_at(now, time.frame_dt()) else {
                    return;
                };
                let last = track.keys.remove(i);
                let label = format!("Remove key of {lower}");
                if track.keys.is_empty() {
                    // What was seen last is what stays.
                    self.without_keys(path, &last.value, &label, track);
                    return;
                }
                (label, Edit::Track(Box::new(track)))
            }
            Deed::Wave(i) => {
                let mut track = track.unwrap_or_else(|| Track {
                    path: path.to_owned(),
                    ..Track::default()
                });
                let fresh = track.modulator == Modulator::default();
                track.modulator.wave = Wave::from_index(i);
                if let Some(v) = KeyValue::of(value)
                    && fresh
                {
                    track.modulator.amplitude = usual_amplitude(&v);
                }
                self.panels.timeline.choose(path);
                self.ask(Request::Show("timeline"));
                (format!("Wave around {lower}"), Edit::Track(Box::new(track)))
            }
        };
        self.panels.timeline.choose(path);
        self.ask(Request::Edit(edit.0, vec![edit.1]));
    }

    /// The last key of a parameter goes; the parameter keeps its value.
    pub(super) fn without_keys(&mut self, path: &str, value: &KeyValue, label: &str, track: Track) {
        let present = crate::document::animation::found(self.document(), &[path]).pop();
        let kept = present
            .flatten()
            .and_then(|p| value.as_kind(p.spec.kind).ok());
        let mut edits = vec![Edit::Track(Box::new(track))];
        edits.extend(kept.map(|value| Edit::Set(path.to_owned(), value)));
        self.ask(Request::Edit(label.to_owned(), edits));
    }
}

/// A fifth of the value, so that a new wave is seen and does no harm; 1 around nothing.
fn usual_amplitude(value: &KeyValue) -> f32 {
    let largest = value.numbers().iter().fold(0.0_f32, |m, v| m.max(v.abs()));
    if largest > 0.0 { largest * 0.2 } else { 1.0 }
}
