//! Frames, the range, the warm-up, states to go back to, and the present frame.

use egui::{Align2, Key, Rect, Sense, Stroke, TextStyle, Ui, pos2, vec2};

use super::Scale;
use crate::document::Document;
use crate::ui::editor::{Editor, Request};
use crate::ui::{format, theme};

/// Height.
pub(super) const HEIGHT: f32 = 24.0;
/// Least distance of two numbers.
const SPACING: f32 = 54.0;

/// Draws the ruler. A click or a drag goes to a frame, from the nearest state that was kept; so do the arrows, Home and
/// End where it has the focus.
pub(super) fn ui(editor: &mut Editor, ui: &mut Ui, document: &Document, rect: Rect, scale: &Scale) {
    let id = ui.scope_id().with("ruler");
    let response = ui.interact(rect, id, Sense::click_and_drag());
    let now = editor
        .panels
        .timeline
        .scrub
        .unwrap_or(editor.present_frame());
    response.widget_info(|| egui::WidgetInfo::slider(true, f64::from(now), "Timeline frame"));
    draw(editor, ui, document, rect, scale, response.has_focus());

    if let Some(pointer) = response.interact_pointer_pos() {
        let frame = scale.frame(pointer.x).round().clamp(0.0, 1e7) as u32;
        if editor.panels.timeline.scrub != Some(frame) {
            editor.panels.timeline.scrub = Some(frame);
            editor.ask(Request::GoTo(frame));
        }
    } else {
        editor.panels.timeline.scrub = None;
    }
    if response.has_focus()
        && let Some(frame) = steered(ui, id, now, document)
    {
        editor.ask(Request::GoTo(frame));
    }
    response.on_hover_text("Click or drag to go to a frame. Ctrl and the wheel zoom.");
}

/// The frame that the keyboard asks for.
fn steered(ui: &Ui, id: egui::Id, now: u32, document: &Document) -> Option<u32> {
    let filter = egui::EventFilter {
        horizontal_arrows: true,
        ..Default::default()
    };
    ui.memory_mut(|m| m.set_focus_lock_filter(id, filter));
    ui.input(|i| {
        let by = if i.modifiers.shift { 10 } else { 1 };
        if i.key_pressed(Key::ArrowLeft) {
            Some(now.saturating_sub(by))
        } else if i.key_pressed(Key::ArrowRight) {
            Some(now.saturating_add(by))
        } else if i.key_pressed(Key::Home) {
            Some(document.time.first_frame)
        } else if i.key_pressed(Key::End) {
            Some(document.time.end_frame)
        } else {
            None
        }
    })
}

fn draw(editor: &Editor, ui: &Ui, document: &Document, rect: Rect, scale: &Scale, focus: bool) {
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, 2.0, theme::sunken());
    let time = &document.time;
    let span = |from: f32, to: f32| Rect::from_x_y_ranges(from..=to, rect.y_range());
    let range = span(
        scale.x(time.first_frame as f32),
        scale.x(time.end_frame as f32),
    );
    painter.rect_filled(range, 2.0, theme::raised());
    let font = TextStyle::Small.resolve(ui.style());
    if time.warm_up > 0 && scale.from <= 0.0 {
        let zone = span(rect.left(), scale.x(0.0) - 1.0);
        hatch(&painter.with_clip_rect(zone), zone);
        let at = zone.center() - vec2(0.0, 2.0);
        painter.text(
            at,
            Align2::CENTER_CENTER,
            "warm-up",
            font.clone(),
            theme::weak(),
        );
    }
    let step = step_of(scale.pixels());
    let first = (scale.from / step).floor().max(0.0) as u32;
    let last = (scale.to * 1.1 / step).ceil() as u32;
    for i in first..=last.min(first + 400) {
        let frame = i as f32 * step;
        let x = scale.x(frame);
        let line = Stroke::new(1.0, theme::line());
        painter.vline(x, rect.top()..=rect.bottom(), line);
        let number = painter.layout_no_wrap(format!("{frame}"), font.clone(), theme::weak());
        // A number that would be cut at the end is left out.
        if x >= rect.left() - 3.0 && x + 3.0 + number.size().x <= rect.right() {
            painter.galley(pos2(x + 3.0, rect.top() + 2.0), number, theme::weak());
        }
    }
    for frame in editor.snapshot.checkpoints.iter() {
        let x = scale.x(*frame as f32);
        let tick = Stroke::new(1.0, theme::weak().gamma_multiply(0.7));
        painter.vline(x, rect.bottom() - 4.0..=rect.bottom(), tick);
    }
    if focus {
        let ring = Stroke::new(1.0, theme::accent());
        painter.rect_stroke(rect, 2.0, ring, egui::StrokeKind::Inside);
    }
}

/// Frames between numbers: whole, and round.
fn step_of(pixels: f32) -> f32 {
    let least = f64::from(SPACING / pixels.max(1e-6));
    let below = format::round_length(least);
    let step = [1.0, 2.0, 2.5, 5.0].map(|f| below * f);
    step.into_iter()
        .find(|s| *s >= least && s.fract() == 0.0)
        .unwrap_or(least.ceil())
        .max(1.0) as f32
}

fn hatch(painter: &egui::Painter, zone: Rect) {
    let line = Stroke::new(1.0, theme::line());
    let mut x = zone.left() - zone.height();
    while x < zone.right() {
        painter.line_segment(
            [pos2(x, zone.bottom()), pos2(x + zone.height(), zone.top())],
            line,
        );
        x += 6.0;
    }
}

/// The present frame, over the ruler and the lanes, which end at `bottom`.
pub(super) fn playhead(editor: &Editor, ui: &Ui, scale: &Scale, bottom: f32) {
    let now = editor
        .panels
        .timeline
        .scrub
        .unwrap_or(editor.present_frame());
    let x = scale.x(now as f32);
    let rect = scale.rect.with_max_y(bottom);
    let painter = ui.painter().with_clip_rect(rect);
    painter.vline(x, rect.y_range(), Stroke::new(1.5, theme::bright()));
    let top = rect.top();
    let points = vec![pos2(x - 5.0, top), pos2(x + 5.0, top), pos2(x, top + 8.0)];
    painter.add(egui::Shape::convex_polygon(
        points,
        theme::bright(),
        Stroke::NONE,
    ));
    // Where the simulation is, if it is still on its way.
    let there = editor.snapshot.frame;
    if there != now {
        let line = Stroke::new(1.0, theme::accent());
        painter.vline(scale.x(there as f32), rect.y_range(), line);
    }
}
