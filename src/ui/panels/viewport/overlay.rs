//! What is drawn over the picture: scale bar, probe, messages.

use std::sync::Arc;

use egui::{
    Align2, FontId, Painter, Pos2, Rect, Response, RichText, Stroke, TextStyle, Ui, UiBuilder,
    pos2, vec2,
};

use super::{legend, memory};
use crate::edit::Action;
use crate::field::FieldData;
use crate::sim::{Fault, State};
use crate::ui::editor::Editor;
use crate::ui::panels::timeline;
use crate::ui::{format, theme, widgets};
use crate::view::{self, Camera};

/// Margin between the picture's edge and what lies over it.
pub(super) const EDGE: f32 = 12.0;

pub(super) fn small() -> FontId {
    FontId::proportional(theme::FONT_SMALL)
}

pub(super) fn plate(painter: &Painter, rect: Rect) {
    painter.rect_filled(rect, theme::CORNER, theme::plate());
}

/// A few words on a plate.
pub(super) fn label(painter: &Painter, at: Pos2, align: Align2, text: &str) {
    let galley = painter.layout_no_wrap(text.to_owned(), small(), theme::text());
    let place = align.anchor_size(at, galley.size() + vec2(20.0, 12.0));
    plate(painter, place);
    painter.galley(place.min + vec2(10.0, 6.0), galley, theme::text());
}

/// A thin line round the domain.
pub fn frame(painter: &Painter, rect: Rect, camera: &Camera, field: &FieldData) {
    let domain = camera.domain(rect, &field.grid);
    painter.rect_stroke(
        domain,
        0.0,
        Stroke::new(1.0, theme::line()),
        egui::StrokeKind::Outside,
    );
}

/// A bar of a round length.
pub fn scale_bar(painter: &Painter, rect: Rect, camera: &Camera) {
    let about = (rect.width() * 0.2).min(120.0);
    let metres = format::round_length(f64::from(about / camera.zoom));
    let width = metres as f32 * camera.zoom;
    let place = Rect::from_min_max(
        pos2(
            rect.right() - EDGE - width - 20.0,
            rect.bottom() - EDGE - 30.0,
        ),
        pos2(rect.right() - EDGE, rect.bottom() - EDGE),
    );
    plate(painter, place);
    let (left, right) = (place.left() + 10.0, place.right() - 10.0);
    let y = place.bottom() - 8.0;
    let stroke = Stroke::new(1.5, theme::text());
    painter.line_segment([pos2(left, y), pos2(right, y)], stroke);
    for x in [left, right] {
        painter.line_segment([pos2(x, y - 3.0), pos2(x, y + 3.0)], stroke);
    }
    painter.text(
        pos2(place.center().x, place.top() + 4.0),
        Align2::CENTER_TOP,
        format::length(metres),
        small(),
        theme::text(),
    );
}

/// What lies under the pointer.
pub fn probe(
    ui: &Ui,
    painter: &Painter,
    response: &Response,
    rect: Rect,
    camera: &Camera,
    field: &FieldData,
) {
    let Some(pointer) = response.hover_pos() else {
        return;
    };
    let world = camera.to_world(rect, pointer);
    let Some(values) = view::probe(field, world) else {
        return;
    };
    let cell = world.map(|v| (v / field.grid.h).floor().max(0.0) as u32);
    let what = describe(field, &values);
    let place = format!(
        "x {}  y {}  cell {}, {}",
        format::length(f64::from(world[0])),
        format::length(f64::from(world[1])),
        cell[0].min(field.grid.cells[0].saturating_sub(1)),
        cell[1].min(field.grid.cells[1].saturating_sub(1))
    );
    let mono = TextStyle::Monospace.resolve(ui.style());
    let top = painter.layout_no_wrap(what, mono, theme::bright());
    let below = painter.layout_no_wrap(place, small(), theme::text());
    // A width in steps: the plate does not tremble with every digit.
    let width = (top.size().x.max(below.size().x) / 40.0).ceil() * 40.0 + 20.0;
    let size = vec2(width, top.size().y + below.size().y + 14.0);
    let plate_rect = Rect::from_min_size(
        pos2(rect.left() + EDGE, rect.bottom() - EDGE - size.y),
        size,
    );
    plate(painter, plate_rect);
    let at = plate_rect.min + vec2(10.0, 6.0);
    let next = at + vec2(0.0, top.size().y + 2.0);
    painter.galley(at, top, theme::bright());
    painter.galley(next, below, theme::text());
}

/// The value in words: a length for a vector, and its components.
fn describe(field: &FieldData, values: &[f32]) -> String {
    let desc = &field.desc;
    let numbers: Vec<String> = values
        .iter()
        .map(|v| format::number(f64::from(*v)))
        .collect();
    match values {
        [v] => format!(
            "{} {}",
            desc.label,
            format::with_unit(f64::from(*v), desc.unit)
        ),
        _ if desc.range == crate::field::RangeHint::Color => {
            format!("{} {}", desc.label, numbers.join(", "))
        }
        _ => {
            let length = values
                .iter()
                .map(|v| f64::from(*v).powi(2))
                .sum::<f64>()
                .sqrt();
            format!(
                "{} {} ({})",
                desc.label,
                format::with_unit(length, desc.unit),
                numbers.join(", ")
            )
        }
    }
}

/// Before the first picture.
pub fn waiting(editor: &mut Editor, ui: &mut Ui, rect: Rect) {
    if let State::Fault(Fault::Memory { needed, limit }, _) = editor.snapshot.state {
        memory::ui(editor, ui, rect, needed, limit);
        return;
    }
    if let State::Fault(fault, change) = &editor.snapshot.state {
        let (fault, change) = (fault.to_string(), change.clone());
        self::fault(editor, ui, rect, &fault, change.as_deref());
        return;
    }
    ui.painter().text(
        rect.center(),
        Align2::CENTER_CENTER,
        "Preparing the simulation…",
        FontId::proportional(theme::FONT),
        theme::weak(),
    );
}

/// What is going on before frames can be played.
pub fn progress(editor: &Editor, ui: &Ui, painter: &Painter, rect: Rect) {
    let State::Starting(done, of) = editor.snapshot.state else {
        return;
    };
    if of == 0 {
        return;
    }
    let size = vec2(220.0, 36.0);
    let top = rect.top() + legend::below(rect.size(), size.x);
    let place = Rect::from_min_size(pos2(rect.center().x - size.x * 0.5, top), size);
    plate(painter, place);
    painter.text(
        place.center_top() + vec2(0.0, 6.0),
        Align2::CENTER_TOP,
        format!("Simulating ahead: {done} of {of}"),
        small(),
        theme::text(),
    );
    let track = Rect::from_min_max(
        pos2(place.left() + 12.0, place.bottom() - 9.0),
        pos2(place.right() - 12.0, place.bottom() - 6.0),
    );
    painter.rect_filled(track, 1.5, theme::line());
    let share = done as f32 / of.max(1) as f32;
    let filled = track.with_max_x(track.left() + track.width() * share);
    painter.rect_filled(filled, 1.5, theme::accent());
    ui.ctx()
        .request_repaint_after(std::time::Duration::from_millis(50));
}

/// Whether the document has gone back behind what it was when the simulation stopped: a further step back would take away
/// what has nothing to do with it.
fn fault_is_undone(editor: &mut Editor) -> bool {
    let now = editor.history.position();
    let at = *editor.panels.viewport.stopped_at.get_or_insert(now);
    now < at
}

/// Says that what was moved while the simulation stands still is not in the picture yet.
pub fn behind(editor: &mut Editor, painter: &Painter, rect: Rect) {
    let (frame, now) = (editor.snapshot.frame, editor.document().clone());
    let paused = matches!(editor.snapshot.state, State::Paused);
    let pictured = &mut editor.panels.viewport.pictured;
    let of = match pictured {
        Some((at, of)) if paused && *at == frame => Arc::clone(of),
        _ => {
            *pictured = Some((frame, now));
            return;
        }
    };
    let (was, is) = (&of.scene, &now.scene);
    let same = Arc::ptr_eq(&of, &now)
        || (was.obstacles == is.obstacles
            && was.emitters == is.emitters
            && was.terrain == is.terrain
            && was.motors == is.motors
            && was.domain == is.domain);
    if same {
        return;
    }
    let text = "The picture follows with the next frame: play, or step once";
    let at = rect.center_bottom() - vec2(0.0, EDGE);
    label(painter, at, Align2::CENTER_BOTTOM, text);
}

/// What went wrong, and what can be done about it.
pub fn fault(editor: &mut Editor, ui: &mut Ui, rect: Rect, message: &str, change: Option<&str>) {
    let width = (rect.width() - 2.0 * EDGE).min(460.0);
    let place = Rect::from_min_size(
        pos2(rect.center().x - width * 0.5, rect.top() + EDGE),
        vec2(width, 0.0),
    );
    let mut inner = ui.new_child(UiBuilder::new().id_salt("fault").max_rect(place));
    egui::Frame::new()
        .fill(theme::bar())
        .stroke(Stroke::new(1.0, theme::error().gamma_multiply(0.7)))
        .corner_radius(theme::CORNER)
        .inner_margin(theme::MARGIN)
        .show(&mut inner, |ui| {
            ui.set_width(width - 2.0 * f32::from(theme::MARGIN));
            ui.label(
                RichText::new("The simulation stopped")
                    .color(theme::error())
                    .strong(),
            );
            ui.add(egui::Label::new(message).wrap());
            let name = change.map(|path| timeline::label_at(editor.document(), path));
            let undone = fault_is_undone(editor);
            match name {
                Some(name) if undone => {
                    let text = format!("{name} was taken back: go back to the last good frame.");
                    widgets::note(ui, &text);
                }
                Some(name) => {
                    widgets::note(ui, &format!("Changed last: {name}"));
                }
                None => {}
            }
            ui.horizontal(|ui| {
                if widgets::primary(ui, "Go back")
                    .on_hover_text(Action::Recover.doc())
                    .clicked()
                {
                    editor.act(Action::Recover);
                }
                if ui
                    .button("Reset")
                    .on_hover_text(Action::Reset.doc())
                    .clicked()
                {
                    editor.act(Action::Reset);
                }
                let undo = editor.history.undo_label().map(|l| format!("Undo “{l}”"));
                if let Some(undo) = undo.filter(|_| !undone)
                    && ui.button(undo).clicked()
                {
                    editor.act(Action::Undo);
                }
            });
        });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{FieldDesc, Grid, RangeHint};

    #[test]
    fn values_are_described_with_their_unit() {
        let field = FieldData {
            desc: FieldDesc {
                name: "velocity",
                label: "Velocity",
                unit: "m/s",
                components: 2,
                range: RangeHint::Signed,
            },
            grid: Grid {
                cells: [1, 1, 1],
                h: 1.0,
            },
            data: vec![3.0, 4.0],
        };
        assert_eq!(describe(&field, &field.data), "Velocity 5 m/s (3, 4)");
    }
}
