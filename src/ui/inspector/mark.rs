//! The mark at the end of a parameter that can be animated: a diamond, filled where there is a key at the present frame,
//! half filled where there is a track.

use egui::{Key, Sense, Ui, vec2};

use super::Inspector;
use crate::document::animation::{Present, Wave, animatable};
use crate::params::{Spec, Value, label_from_name};
use crate::ui::{diamond, theme};

/// Room that it takes.
pub(super) const WIDTH: f32 = 18.0;

/// What the hand does to the animation of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deed {
    /// A key at the present frame.
    Set,
    /// No key at the present frame.
    Remove,
    /// Another wave, by its position among the alternatives.
    Wave(usize),
    /// Nothing animated any more.
    Stop,
    /// To the time line.
    Show,
}

/// What there is to be seen about a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mark {
    /// It cannot be animated, for that reason.
    Never(&'static str),
    /// It is not animated.
    Free,
    /// It is, but has no key at the present frame.
    Track,
    /// It has one.
    Key,
}

impl Inspector<'_> {
    /// Room for the marks at the ends of rows.
    pub(super) fn marks(&self) -> f32 {
        if self.frame.is_some() { WIDTH } else { 0.0 }
    }

    /// What to show at the end of the row.
    pub(super) fn mark(&self, path: &str, spec: &Spec) -> Mark {
        let Some((document, frame)) = self.frame else {
            return Mark::Free;
        };
        if let Err(why) = animatable(path, spec) {
            return Mark::Never(why);
        }
        let time = &document.time;
        match document.animation.track(path) {
            None => Mark::Free,
            Some((_, t)) if t.key_at(time.seconds(frame), time.frame_dt()).is_some() => Mark::Key,
            Some(_) => Mark::Track,
        }
    }

    /// A parameter with keys is shown as it is at the present frame, without the wave about it: that is what one edits.
    pub(super) fn at_present(&self, path: &str, spec: &Spec, value: &mut Value) {
        let Some((document, frame)) = self.frame else {
            return;
        };
        let Some((_, track)) = document.animation.track(path) else {
            return;
        };
        let present = Present {
            spec: spec.clone(),
            base: value.clone(),
            seed: document.scene.seed,
        };
        *value = present.keyed(track, document.time.seconds(frame));
    }
}

/// Draws it; says what was done.
pub(super) fn show(ui: &mut Ui, mark: Mark, label: &str) -> Option<Deed> {
    let size = vec2(WIDTH - ui.spacing().item_spacing.x, theme::ROW);
    if let Mark::Never(_) = mark {
        ui.allocate_exact_size(size, Sense::hover());
        return None;
    }
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let lower = label.to_lowercase();
    let (name, tip) = match mark {
        Mark::Key => (
            format!("Remove key of {lower}"),
            "A key at this frame. Click to remove it.",
        ),
        Mark::Track => (
            format!("Set key of {lower}"),
            "Animated. Click for a key at this frame, or change the value.",
        ),
        _ => (
            format!("Set key of {lower}"),
            "Click to animate it: a key at this frame.",
        ),
    };
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::Button, true, mark == Mark::Key, &name)
    });
    if ui.is_rect_visible(rect) {
        let lively = response.hovered() || response.has_focus();
        let fill = match mark {
            Mark::Key => diamond::Fill::Whole,
            Mark::Track => diamond::Fill::Half,
            _ => diamond::Fill::Outline,
        };
        let color = match (mark, lively) {
            (_, true) => theme::bright(),
            (Mark::Free, _) => theme::weak().gamma_multiply(0.55),
            _ => theme::accent(),
        };
        let radius = if mark == Mark::Free && !lively {
            3.5
        } else {
            4.5
        };
        diamond::paint(ui.painter(), rect.center(), radius, fill, color);
    }
    let mut deed = response.clicked().then_some(match mark {
        Mark::Key => Deed::Remove,
        _ => Deed::Set,
    });
    if response.has_focus() && ui.input(|i| i.key_pressed(Key::Delete)) && mark == Mark::Key {
        deed = Some(Deed::Remove);
    }
    response
        .on_hover_text(format!("{tip}\nRight click for waves."))
        .context_menu(|ui| {
            for (i, wave) in Wave::OPTIONS.iter().enumerate().skip(1) {
                let text = format!("{} around it", label_from_name(wave.name));
                if ui.button(text).on_hover_text(wave.doc).clicked() {
                    deed = Some(Deed::Wave(i));
                    ui.close();
                }
            }
            ui.separator();
            if ui.button("Show in the timeline").clicked() {
                deed = Some(Deed::Show);
                ui.close();
            }
            let animated = mark != Mark::Free;
            let stop = ui.add_enabled(animated, egui::Button::new("Stop animating"));
            if stop.clicked() {
                deed = Some(Deed::Stop);
                ui.close();
            }
        });
    deed
}
