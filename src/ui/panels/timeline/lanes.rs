//! One lane a track: its name and value on the left, its curve and keys on the right.

use egui::{Align, Label, Layout, Rect, RichText, Sense, Stroke, Ui, UiBuilder, pos2, vec2};

use super::{Lane, Scale, curve, hand, keys};
use crate::document::Document;
use crate::document::animation::{KeyValue, Track};
use crate::edit::Edit;
use crate::ui::editor::{Editor, Request};
use crate::ui::icons::{self, Icon};
use crate::ui::inspector::shown;
use crate::ui::{format, theme};

/// Height of the lane that is chosen: there is a graph in it.
const TALL: f32 = 92.0;

pub(super) fn ui(
    editor: &mut Editor,
    ui: &mut Ui,
    document: &Document,
    lanes: &[Lane],
    scale: &Scale,
    names: f32,
    last: bool,
) {
    ui.spacing_mut().item_spacing.y = 1.0;
    let mut places = Vec::new();
    for lane in lanes {
        let chosen = editor.panels.timeline.chosen.as_deref() == Some(&lane.track.path);
        let height = if chosen { TALL } else { theme::ROW };
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let left = rect.with_max_x(rect.left() + names - 4.0);
        let right = Rect::from_x_y_ranges(scale.rect.x_range(), rect.y_range());
        places.push(right);
        ui.push_id(&lane.track.path, |ui| {
            name(editor, ui, document, lane, left, chosen);
            times(editor, ui, document, lane, right, scale, chosen);
        });
    }
    let mut rest = ui.available_size_before_wrap();
    // What follows stands right below.
    rest.y = if last { rest.y.max(8.0) } else { 8.0 };
    let (_, response) = ui.allocate_exact_size(rest, Sense::click_and_drag());
    band(editor, ui, &response);
    pick_in_band(editor, ui, document, lanes, &places, scale);
    if let Some(pointer) = ui.input(|i| i.pointer.interact_pos()) {
        hand::follow(editor, ui, document, pointer, scale);
    }
}

fn name(
    editor: &mut Editor,
    ui: &mut Ui,
    document: &Document,
    lane: &Lane,
    rect: Rect,
    chosen: bool,
) {
    let path = &lane.track.path;
    let response = ui.interact(rect, ui.scope_id().with("name"), Sense::click());
    let label = format!("Track {}", lane.label.to_lowercase());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, chosen, &label));
    let fill = if chosen {
        Some(theme::raised())
    } else if response.hovered() {
        Some(theme::bar())
    } else {
        None
    };
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect, theme::CORNER, fill);
    }
    if chosen {
        let strip = rect.with_max_x(rect.left() + 3.0);
        ui.painter()
            .rect_filled(strip, theme::CORNER, theme::accent());
    }
    let line = rect.with_max_y(rect.top() + theme::ROW);
    let mut row = ui.new_child(
        UiBuilder::new()
            .id_salt("row")
            .max_rect(line.shrink2(vec2(4.0, 0.0)).with_min_x(line.left() + 8.0))
            .layout(Layout::right_to_left(Align::Center)),
    );
    row.spacing_mut().item_spacing.x = 4.0;
    let remove = format!("Remove track {}", lane.label.to_lowercase());
    if icons::small(&mut row, Icon::Delete, &remove, "Stop animating it").clicked() {
        let edit = Edit::RemoveTrack(path.clone());
        editor.ask(Request::Edit(
            format!("Stop animating {}", lane.label),
            vec![edit],
        ));
    }
    let enabled = lane.track.enabled;
    let (icon, verb, tip) = if enabled {
        (
            Icon::Shown,
            "Switch off",
            "Takes part. Click to switch it off.",
        )
    } else {
        (
            Icon::Hidden,
            "Switch on",
            "Is left out. Click to switch it on.",
        )
    };
    let switch = format!("{verb} track {}", lane.label.to_lowercase());
    if icons::small(&mut row, icon, &switch, tip).clicked() {
        let track = Track {
            enabled: !enabled,
            ..lane.track.clone()
        };
        let label = format!("{verb} {}", lane.label);
        editor.ask(Request::Edit(label, vec![Edit::Track(Box::new(track))]));
    }
    let now = document.time.seconds(editor.present_frame());
    let value = shown(&lane.present.spec, &lane.present.at(&lane.track, now));
    let value = RichText::new(value).small().color(theme::weak());
    let below = chosen && rect.height() > theme::ROW;
    if !below {
        row.add(Label::new(value.clone()).selectable(false).truncate());
    }
    row.with_layout(Layout::left_to_right(Align::Center), |ui| {
        let color = match (chosen, enabled) {
            (true, _) => theme::bright(),
            (_, true) => theme::text(),
            _ => theme::weak(),
        };
        ui.add(
            Label::new(RichText::new(&lane.label).color(color))
                .selectable(false)
                .truncate(),
        );
    });
    if below {
        let more = Rect::from_min_max(pos2(rect.left() + 8.0, line.bottom()), rect.max);
        let mut more = ui.new_child(UiBuilder::new().id_salt("more").max_rect(more));
        more.add(Label::new(value).selectable(false).wrap());
        more.add(
            Label::new(
                RichText::new(format::path_words(path).0)
                    .small()
                    .color(theme::weak().gamma_multiply(0.8)),
            )
            .selectable(false)
            .truncate(),
        );
    }
    if response.on_hover_text(path).clicked() {
        editor.panels.timeline.choose(path);
    }
}

fn times(
    editor: &mut Editor,
    ui: &mut Ui,
    document: &Document,
    lane: &Lane,
    rect: Rect,
    scale: &Scale,
    chosen: bool,
) {
    let background = ui.interact(rect, ui.scope_id().with("times"), Sense::click_and_drag());
    ui.painter().rect_filled(rect, 2.0, theme::sunken());
    shade(ui, document, rect, scale);
    let heights = curve::draw(ui, document, lane, rect, scale, chosen);
    let on_curve = if chosen { heights } else { None };
    keys::ui(editor, ui, document, lane, rect, scale, on_curve);
    band(editor, ui, &background);
    if background.clicked() {
        editor.panels.timeline.choose(&lane.track.path);
        editor.panels.timeline.picked.clear();
    }
    if background.double_clicked()
        && let Some(pointer) = background.interact_pointer_pos()
    {
        let frame = scale.frame(pointer.x).round().max(0.0) as u32;
        let time = document.time.seconds(frame);
        // Where the curve is without its wave.
        if let Some(key) = KeyValue::of(&lane.present.keyed(&lane.track, time)) {
            let edit = Edit::SetKey(lane.track.path.clone(), time, key);
            editor.ask(Request::Edit(
                format!("Key {}", lane.label.to_lowercase()),
                vec![edit],
            ));
        }
    }
}

/// What is outside of the range, and the warm-up, is darker.
fn shade(ui: &Ui, document: &Document, rect: Rect, scale: &Scale) {
    let time = &document.time;
    let dark = theme::panel().gamma_multiply(0.75);
    let ends = [
        (rect.left(), scale.x(time.first_frame as f32)),
        (scale.x(time.end_frame as f32), rect.right()),
    ];
    for (from, to) in ends.into_iter().filter(|(from, to)| to > from) {
        let part = Rect::from_x_y_ranges(from..=to, rect.y_range()).intersect(rect);
        ui.painter().rect_filled(part, 0.0, dark);
    }
}

/// A frame is drawn around keys.
fn band(editor: &mut Editor, ui: &Ui, response: &egui::Response) {
    if response.drag_started() && editor.panels.timeline.drag.is_none() {
        editor.panels.timeline.band = ui.input(|i| i.pointer.press_origin());
    }
}

fn pick_in_band(
    editor: &mut Editor,
    ui: &Ui,
    document: &Document,
    lanes: &[Lane],
    places: &[Rect],
    scale: &Scale,
) {
    let timeline = &mut editor.panels.timeline;
    let Some(begin) = timeline.band else { return };
    let (down, pointer) = ui.input(|i| (i.pointer.any_down(), i.pointer.interact_pos()));
    let Some(end) = pointer.filter(|_| down) else {
        timeline.band = None;
        return;
    };
    let band = Rect::from_two_pos(begin, end);
    let dt = f64::from(document.time.frame_dt()).max(1e-9);
    timeline.picked.clear();
    for (lane, place) in lanes.iter().zip(places) {
        for key in &lane.track.keys {
            let x = scale.x((f64::from(key.time) / dt) as f32);
            if band.x_range().contains(x) && band.y_range().intersects(place.y_range()) {
                let this = (lane.track.path.clone(), key.time.to_bits());
                timeline.picked.insert(this);
            }
        }
    }
    let painter = ui.painter();
    painter.rect_filled(band, 0.0, theme::accent().gamma_multiply(0.12));
    let stroke = Stroke::new(1.0, theme::accent());
    painter.rect_stroke(band, 0.0, stroke, egui::StrokeKind::Inside);
}
