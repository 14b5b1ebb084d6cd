//! The rows of the outline: chosen, renamed, carried to another place, and their small tools.

use egui::{
    Color32, CursorIcon, EventFilter, Key, Label, Modifiers, Rect, Response, RichText, Sense,
    Stroke, StrokeKind, TextEdit, Ui, UiBuilder, vec2,
};

use super::deeds;
use super::outliner::{Chosen, Outliner};
use crate::document::Document;
use crate::edit::figure::{Facts, facts, path_of};
use crate::edit::{Edit, Item, List};
use crate::params::Value;
use crate::ui::editor::Editor;
use crate::ui::icons::{self, Icon};
use crate::ui::theme;

/// Width of one small tool.
const TOOL: f32 = theme::ROW - 6.0;
/// The lists of the outline, from top to bottom.
const LISTS: [List; 5] = [
    List::Emitters,
    List::Obstacles,
    List::Terrain,
    List::Motors,
    List::Strokes,
];

/// The row of the domain.
pub(super) fn domain(editor: &mut Editor, ui: &mut Ui, document: &Document) {
    let chosen = editor.panels.scene.chosen() == Chosen::Domain;
    let response = row(ui, "Domain and forces", None, chosen, true, 0.0);
    if response.clicked() {
        editor.panels.scene.choose(Chosen::Domain);
        response.request_focus();
    }
    keyboard(editor, ui, document, &response, Chosen::Domain);
}

/// The rows of a list.
pub(super) fn list(editor: &mut Editor, ui: &mut Ui, document: &Document, list: List) {
    let mut rects = Vec::new();
    for i in 0..list.len(document) {
        let Some(facts) = facts(&document.scene, (list, i)) else {
            continue;
        };
        let rect = ui
            .push_id((list.path(), i), |ui| {
                item(editor, ui, document, (list, i), &facts)
            })
            .inner;
        rects.push(rect);
    }
    carry(editor, ui, list, &rects);
}

/// One item. Gives where its row is.
fn item(
    editor: &mut Editor,
    ui: &mut Ui,
    document: &Document,
    item: Item,
    facts: &Facts<'_>,
) -> Rect {
    let renamed = &editor.panels.scene.renaming;
    if renamed.as_ref().is_some_and(|r| r.item == item) {
        return name_field(editor, ui, facts.name);
    }
    let chosen = editor.panels.scene.items().contains(&item);
    let room = 4.0 * TOOL + 4.0;
    let chip = chip(document, item);
    let response = row(ui, facts.name, Some(chip), chosen, facts.enabled, room);
    if response.clicked() {
        choose(&mut editor.panels.scene, ui, item);
        response.request_focus();
    }
    if response.double_clicked() {
        editor.panels.scene.rename(document, item);
    }
    if response.drag_started() {
        editor.panels.scene.carried = Some(item);
    }
    keyboard(
        editor,
        ui,
        document,
        &response,
        Chosen::Item(item.0, item.1),
    );
    let rect = response.rect;
    let right = rect.with_min_x(rect.right() - room).shrink2(vec2(2.0, 0.0));
    let mut tools = ui.new_child(
        UiBuilder::new()
            .max_rect(right)
            .layout(egui::Layout::right_to_left(egui::Align::Center)),
    );
    tools.spacing_mut().item_spacing.x = 0.0;
    // What is rarely needed is seen only under the hand.
    let at_hand = chosen || response.has_focus() || ui.rect_contains_pointer(rect);
    item_tools(editor, &mut tools, item, facts, at_hand);
    rect
}

/// Ctrl adds or takes out, Shift goes on to here.
fn choose(outliner: &mut Outliner, ui: &Ui, item: Item) {
    let modifiers = ui.input(|i| i.modifiers);
    if modifiers.command {
        outliner.toggle(item);
    } else if modifiers.shift {
        outliner.extend(item);
    } else {
        outliner.choose(Chosen::Item(item.0, item.1));
    }
}

fn item_tools(editor: &mut Editor, ui: &mut Ui, item: Item, facts: &Facts<'_>, at_hand: bool) {
    let name = facts.name;
    // A tool of one of several that are chosen works on all of them.
    let chosen = editor.panels.scene.items();
    let all = if chosen.contains(&item) {
        chosen.to_vec()
    } else {
        vec![item]
    };
    let faint = |ui: &mut Ui, seen: bool| ui.set_opacity(if seen { 1.0 } else { 0.0 });
    faint(ui, at_hand);
    ui.add_enabled_ui(!facts.locked, |ui| {
        let tip = if facts.locked {
            "Locked"
        } else {
            "Delete (Del)"
        };
        if icons::small(ui, Icon::Delete, &format!("Delete {name}"), tip).clicked() {
            deeds::delete(editor, &all);
        }
    });
    let tip = "Duplicate (Ctrl+D)";
    if icons::small(ui, Icon::Duplicate, &format!("Duplicate {name}"), tip).clicked() {
        deeds::duplicate(editor, &all);
    }
    faint(ui, at_hand || facts.locked);
    let (icon, verb, tip) = if facts.locked {
        (
            Icon::Locked,
            "Unlock",
            "Held fast in the picture. Click to let go of it (L).",
        )
    } else {
        (
            Icon::Unlocked,
            "Lock",
            "Can be moved in the picture. Click to hold it fast (L).",
        )
    };
    if icons::small(ui, icon, &format!("{verb} {name}"), tip).clicked() {
        deeds::lock(editor, &all);
    }
    faint(ui, true);
    let (icon, verb, tip) = if facts.enabled {
        (
            Icon::Shown,
            "Switch off",
            "Takes part. Click to switch it off (H).",
        )
    } else {
        (
            Icon::Hidden,
            "Switch on",
            "Is left out. Click to switch it on (H).",
        )
    };
    if icons::small(ui, icon, &format!("{verb} {name}"), tip).clicked() {
        deeds::hide(editor, &all);
    }
}

/// What stands before a name.
#[derive(Clone, Copy)]
enum Chip {
    /// A drop of dye.
    Dye(Color32),
    /// A solid thing.
    Solid,
    /// Wind.
    Wind,
}

fn chip(document: &Document, (list, i): Item) -> Chip {
    let scene = &document.scene;
    let dye = match list {
        List::Emitters => scene.emitters.get(i).map(|e| e.dye),
        List::Strokes => scene.strokes.get(i).map(|s| s.dye),
        List::Motors => return Chip::Wind,
        _ => return Chip::Solid,
    };
    // The hue at full brightness: how much of it there is is not seen in a dot.
    let dye = dye.unwrap_or_default();
    let most = dye.into_iter().fold(1e-6, f32::max);
    let [r, g, b] = dye.map(|c| (c / most).max(0.0));
    Chip::Dye(egui::Rgba::from_rgb(r, g, b).into())
}

/// A row that can be chosen; `room` is kept free at its end.
fn row(
    ui: &mut Ui,
    text: &str,
    chip: Option<Chip>,
    chosen: bool,
    enabled: bool,
    room: f32,
) -> Response {
    let size = vec2(ui.available_width(), theme::ROW);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, chosen, text));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let fill = if chosen {
        Some(theme::accent_fill())
    } else if ui.rect_contains_pointer(rect) {
        Some(theme::bar())
    } else {
        None
    };
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect, theme::CORNER, fill);
    }
    if response.has_focus() {
        let line = Stroke::new(1.0, theme::accent());
        ui.painter()
            .rect_stroke(rect, theme::CORNER, line, StrokeKind::Inside);
    }
    let dim = if enabled { 1.0 } else { 0.4 };
    let at = rect.left_center() + vec2(13.0, 0.0);
    let line = Stroke::new(1.4, theme::weak().gamma_multiply(dim));
    match chip {
        Some(Chip::Dye(color)) => {
            ui.painter()
                .circle(at, 4.5, color.gamma_multiply(dim), (1.0, theme::line()));
        }
        Some(Chip::Solid) => {
            let square = Rect::from_center_size(at, vec2(8.0, 8.0));
            ui.painter().rect_filled(square, 1.5, line.color);
        }
        Some(Chip::Wind) => {
            for (y, length) in [(-3.0, 7.0), (0.0, 10.0), (3.0, 6.0)] {
                let from = at + vec2(-5.0, y);
                ui.painter()
                    .line_segment([from, from + vec2(length, 0.0)], line);
            }
        }
        None => {}
    }
    let color = match (chosen, enabled) {
        (true, true) => theme::bright(),
        (_, true) => theme::text(),
        _ => theme::weak(),
    };
    let left = if chip.is_some() { 25.0 } else { 8.0 };
    let place = Rect::from_min_max(rect.min + vec2(left, 0.0), rect.max - vec2(room, 0.0));
    ui.new_child(
        UiBuilder::new()
            .max_rect(place)
            .layout(egui::Layout::left_to_right(egui::Align::Center)),
    )
    .add(
        Label::new(RichText::new(text).color(color))
            .selectable(false)
            .truncate(),
    );
    response
}

/// Types another name: Enter or a click elsewhere takes it, Escape does not.
fn name_field(editor: &mut Editor, ui: &mut Ui, before: &str) -> Rect {
    let Some(mut renaming) = editor.panels.scene.renaming.take() else {
        return Rect::NOTHING;
    };
    let size = vec2(ui.available_width(), theme::ROW);
    let field = TextEdit::singleline(&mut renaming.text).margin(vec2(8.0, 3.0));
    let response = ui.add_sized(size, field);
    crate::ui::widgets::name(&response, "New name");
    if std::mem::take(&mut renaming.fresh) {
        response.request_focus();
        crate::ui::widgets::select(&response, 0..renaming.text.chars().count());
    } else if response.lost_focus() {
        let text = renaming.text.trim();
        let given_up = ui.input(|i| i.key_pressed(Key::Escape));
        if !given_up && !text.is_empty() && text != before {
            let path = format!("{}.name", path_of(renaming.item));
            let edit = Edit::Set(path, Value::Text(text.to_owned()));
            editor.edit(&format!("Rename {before}"), vec![edit]);
        }
        let (list, i) = renaming.item;
        editor.panels.scene.focus = Some(Chosen::Item(list, i));
        return response.rect;
    }
    editor.panels.scene.renaming = Some(renaming);
    response.rect
}

/// The arrow keys go from row to row, with Shift they take the rows along.
fn keyboard(editor: &mut Editor, ui: &Ui, document: &Document, response: &Response, here: Chosen) {
    if editor.panels.scene.focus == Some(here) {
        editor.panels.scene.focus = None;
        response.request_focus();
        response.scroll_to_me(None);
    }
    if !response.has_focus() {
        return;
    }
    let filter = EventFilter {
        vertical_arrows: true,
        ..EventFilter::default()
    };
    ui.memory_mut(|m| m.set_focus_lock_filter(response.id, filter));
    let (step, along) = ui.input_mut(|i| {
        let mut pressed = |modifiers, key| i.consume_key(modifiers, key);
        let down = |p: &mut dyn FnMut(Modifiers, Key) -> bool, m| {
            i32::from(p(m, Key::ArrowDown)) - i32::from(p(m, Key::ArrowUp))
        };
        let along = down(&mut pressed, Modifiers::SHIFT);
        (along + down(&mut pressed, Modifiers::NONE), along != 0)
    });
    if step != 0 {
        let rows = rows(document);
        let at = rows.iter().position(|r| *r == here).unwrap_or(0) as i64;
        let next = rows[(at + i64::from(step)).clamp(0, rows.len() as i64 - 1) as usize];
        match next {
            Chosen::Item(list, i) if along => {
                if !editor.panels.scene.items().contains(&(list, i)) {
                    editor.panels.scene.toggle((list, i));
                }
            }
            next => editor.panels.scene.choose(next),
        }
        editor.panels.scene.focus = Some(next);
    }
    if ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Delete)) {
        let items = editor.panels.scene.items().to_vec();
        deeds::delete(editor, &items);
    }
}

/// Everything that can be chosen, from top to bottom.
fn rows(document: &Document) -> Vec<Chosen> {
    let mut rows = vec![Chosen::Domain];
    for list in LISTS {
        rows.extend((0..list.len(document)).map(|i| Chosen::Item(list, i)));
    }
    rows
}

/// Shows where the row that is carried would go, and puts it there.
fn carry(editor: &mut Editor, ui: &Ui, list: List, rects: &[Rect]) {
    let Some((of, from)) = editor.panels.scene.carried else {
        return;
    };
    if of != list {
        return;
    }
    if ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Escape)) {
        editor.panels.scene.carried = None;
        return;
    }
    let (Some(pointer), Some(first)) = (ui.input(|i| i.pointer.latest_pos()), rects.first()) else {
        return;
    };
    let gap = rects
        .iter()
        .take_while(|r| r.center().y < pointer.y)
        .count();
    let to = if gap > from { gap - 1 } else { gap };
    if ui.input(|i| i.pointer.any_down()) {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        let y = rects.get(gap).map_or_else(
            || rects.last().map_or(first.bottom(), |r| r.bottom() + 1.0),
            |r| r.top() - 1.0,
        );
        let line = Stroke::new(2.0, theme::accent());
        ui.painter().hline(first.x_range(), y, line);
        return;
    }
    editor.panels.scene.carried = None;
    if to != from {
        let name = facts(&editor.document().scene, (list, from)).map(|f| f.name.to_owned());
        let label = format!("Move {}", name.as_deref().unwrap_or(list.item()));
        editor.edit(&label, vec![Edit::Move(list, from, to)]);
        editor.panels.scene.choose(Chosen::Item(list, to));
    }
}
