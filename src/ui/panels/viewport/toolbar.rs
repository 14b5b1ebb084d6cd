//! The bar above the picture: what is shown, and the tools.

use egui::{ComboBox, DragValue, Slider, SliderClamping, Ui};

use super::{Mode, Tool, begin_path, fields, show_field};
use crate::document::ColorMap;
use crate::edit::Action;
use crate::edit::Edit;
use crate::edit::figure::facts;
use crate::field::RangeHint;
use crate::params::{Choice, Effect, Value, label_from_name};
use crate::ui::editor::{Editor, Request};
use crate::ui::icons::{self, Icon};
use crate::ui::inspector::Outcome;
use crate::ui::{format, theme, widgets};

/// Below this width the numbers of the brush go without their names, which the tooltips have.
const NAMED: f32 = 990.0;
/// Below this width the exposure goes without its number.
const NUMBERED: f32 = 900.0;
/// Below this width the exposure is left to the Look panel.
const EXPOSED: f32 = 810.0;
/// Below this width the push of the brush is left at what it is.
const PUSHED: f32 = 700.0;
/// Below this width of the panel the tools have a bar of their own.
pub const ONE_ROW: f32 = 640.0;

/// Draws the bar; where it is narrow, what can be found elsewhere gives way.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    let width = ui.available_width();
    field(editor, ui);
    colors(editor, ui);
    if width >= EXPOSED {
        exposure(editor, ui, width >= NUMBERED);
    }
    ui.separator();
    hand(editor, ui, width);
    view(editor, ui);
}

/// What is shown and how, without the tools.
pub fn shown(editor: &mut Editor, ui: &mut Ui) {
    field(editor, ui);
    colors(editor, ui);
    view(editor, ui);
}

/// What is drawn over the picture, and its place.
fn view(editor: &mut Editor, ui: &mut Ui) {
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        if icons::button(ui, Icon::Fit, "Fit the view", "Show the whole domain (F)").clicked() {
            editor.act(Action::FitView);
        }
        super::flow::menu(editor, ui);
    });
}

fn field(editor: &mut Editor, ui: &mut Ui) {
    let document = editor.document().clone();
    let all = fields(&document);
    let now = all.iter().find(|f| f.name == document.view.field);
    let response = ComboBox::from_id_salt("field")
        .width(112.0)
        .selected_text(now.map_or("Choose a field", |f| f.label))
        .show_ui(ui, |ui| {
            for field in all {
                let on = field.name == document.view.field;
                if ui.selectable_label(on, field.label).clicked() && !on {
                    show_field(editor, field);
                }
            }
        })
        .response
        .on_hover_text("What is shown (V for the next)");
    widgets::name(&response, "Field");
}

fn colors(editor: &mut Editor, ui: &mut Ui) {
    let now = editor.document().view.color_map;
    let response = ComboBox::from_id_salt("colours")
        .width(92.0)
        .selected_text(label_from_name(ColorMap::OPTIONS[now.index()].name))
        .show_ui(ui, |ui| {
            for (i, option) in ColorMap::OPTIONS.iter().enumerate() {
                let map = ColorMap::from_index(i);
                let label = label_from_name(option.name);
                let item = ui
                    .selectable_label(map == now, label)
                    .on_hover_text(option.doc);
                if item.clicked() && map != now {
                    let value = Value::Choice(option.name.to_owned());
                    editor.ask(Request::Edit(
                        "Colours".to_owned(),
                        vec![Edit::Set("view.color_map".to_owned(), value)],
                    ));
                }
            }
        })
        .response
        .on_hover_text("How numbers become colours");
    widgets::name(&response, "Colours");
}

/// Brightness; only what has colours of its own is exposed.
fn exposure(editor: &mut Editor, ui: &mut Ui, numbered: bool) {
    let document = editor.document().clone();
    let exposed = fields(&document)
        .iter()
        .any(|f| f.name == document.view.field && f.range == RangeHint::Color);
    let mut value = document.view.exposure;
    ui.add_enabled_ui(exposed, |ui| {
        ui.spacing_mut().slider_width = 74.0;
        let slider = ui
            .add(
                Slider::new(&mut value, -4.0..=4.0)
                    .show_value(false)
                    .clamping(SliderClamping::Never),
            )
            .on_hover_text("Brightness of the dye, in stops (EV): one more is twice as bright. Double-click for 0")
            .on_disabled_hover_text("Only dye has a brightness; other fields have a range");
        widgets::name(&slider, "Exposure");
        if numbered {
            let text = format!("{value:+.1} EV");
            widgets::fixed(ui, &text, 8, theme::weak());
        }
        if slider.double_clicked() {
            value = 0.0;
        }
    });
    if value != document.view.exposure {
        let outcome = Outcome::Set {
            path: "view.exposure".to_owned(),
            label: "Exposure".to_owned(),
            value: Value::Float(value),
            effect: Effect::Live,
            typing: None,
            also: None,
        };
        editor.outcomes(ui.ctx(), vec![outcome]);
    }
}

/// The tools, and what belongs to the one that is held; in a bar of a given width.
pub fn hand(editor: &mut Editor, ui: &mut Ui, width: f32) {
    tools(editor, ui);
    match editor.panels.viewport.handles.tool {
        Tool::Brush => brush(editor, ui, width),
        Tool::Select => select(editor, ui),
    }
}

/// What the pointer does in the picture.
fn tools(editor: &mut Editor, ui: &mut Ui) {
    let now = editor.panels.viewport.handles.tool;
    ui.spacing_mut().item_spacing.x = 2.0;
    for (tool, action, icon, name, tip) in [
        (
            Tool::Select,
            Action::SelectTool,
            Icon::Pointer,
            "Select tool",
            "Choose, move, scale and turn things in the picture (W; or hold Alt)",
        ),
        (
            Tool::Brush,
            Action::BrushTool,
            Icon::Brush,
            "Brush tool",
            "Stir and paint in the picture (B)",
        ),
    ] {
        if icons::toggle(ui, icon, name, tip, tool == now).clicked() {
            editor.act(action);
        }
    }
    ui.spacing_mut().item_spacing.x = theme::GAP;
}

/// What belongs to the select tool.
fn select(editor: &mut Editor, ui: &mut Ui) {
    let handles = &mut editor.panels.viewport.handles;
    let tip = "Places go from line to line of the grid, angles by 15°; with Ctrl a tenth of that";
    if icons::toggle(ui, Icon::Magnet, "Snap", tip, handles.snap).clicked() {
        handles.snap = !handles.snap;
    }
    let items = editor.panels.scene.items();
    let path = match items {
        [item] => facts(&editor.document().scene, *item).and_then(|f| f.path),
        _ => None,
    };
    let (name, tip) = match path {
        Some(path) if path.points.is_empty() => (
            "Add path",
            "Let what is chosen move along a path: drag its points, double-click it for more",
        ),
        Some(_) => (
            "Add path",
            "It has a path: drag its points, double-click it for more",
        ),
        None => ("Add path", "Choose one item first"),
    };
    let possible = path.is_some_and(|p| p.points.is_empty());
    let button = ui
        .add_enabled(possible, egui::Button::new(name))
        .on_hover_text(tip)
        .on_disabled_hover_text(tip);
    if button.clicked() {
        begin_path(editor);
    }
    let chosen = match items_named(editor) {
        Some(text) => text,
        None => "Nothing chosen".to_owned(),
    };
    ui.add(egui::Label::new(egui::RichText::new(chosen).color(theme::weak())).truncate());
}

fn items_named(editor: &Editor) -> Option<String> {
    match editor.panels.scene.items() {
        [] => None,
        [item] => facts(&editor.document().scene, *item).map(|f| {
            let held = if f.locked { " (locked)" } else { "" };
            format!("{}{held}", f.name)
        }),
        items => Some(format::count(items.len(), "item")),
    }
}

/// The brush: what it does, its size, its colour and how much of it.
fn brush(editor: &mut Editor, ui: &mut Ui, width: f32) {
    let named = width >= NAMED;
    let size = editor.document().scene.domain.grid().size();
    let document = editor.document().clone();
    let brush = &mut editor.panels.brush;
    let now = Mode::ALL
        .iter()
        .find(|(mode, ..)| *mode == brush.mode)
        .map_or("", |(_, name, _)| *name);
    let response = ComboBox::from_id_salt("brush")
        .width(92.0)
        .selected_text(now)
        .show_ui(ui, |ui| {
            let fitting = Mode::ALL.into_iter().filter(|m| m.0.fits(&document));
            for (mode, name, doc) in fitting {
                ui.selectable_value(&mut brush.mode, mode, name)
                    .on_hover_text(doc);
            }
        })
        .response
        .on_hover_text("What dragging in the picture does");
    widgets::name(&response, "Brush");

    let shorter = size[0].min(size[1]);
    let mut radius = brush.size * shorter;
    let drag = DragValue::new(&mut radius)
        .range(shorter * 0.004..=shorter * 0.5)
        .speed(shorter * 0.001)
        .prefix(if named { "Radius " } else { "" })
        .custom_formatter(|v, _| format::length(v))
        .custom_parser(parse_length);
    let response = ui
        .add_sized([if named { 112.0 } else { 68.0 }, theme::ROW - 2.0], drag)
        .on_hover_text("Radius of the brush, as a length in the scene ([ and ])");
    widgets::name(&response, "Brush radius");
    brush.size = radius / shorter.max(1e-9);

    let number = |ui: &mut Ui, value: &mut f32, how: Number<'_>| {
        let drag = DragValue::new(value)
            .prefix(if named { how.prefix } else { "" })
            .suffix(how.unit)
            .range(0.0..=how.most)
            .speed(how.most * 5e-4)
            .custom_formatter(|v, _| format::number(v));
        let wide = if named { 82.0 } else { 52.0 };
        let response = ui
            .add_sized([wide, theme::ROW - 2.0], drag)
            .on_hover_text(how.tip);
        widgets::name(&response, how.name);
    };
    if matches!(brush.mode, Mode::Both | Mode::Dye) {
        ui.spacing_mut().interact_size.x = 28.0;
        let response = ui
            .color_edit_button_rgb(&mut brush.color)
            .on_hover_text("Colour of the brush's dye");
        widgets::name(&response, "Brush colour");
        let how = Number {
            prefix: "Dye ",
            unit: " /s",
            most: 100.0,
            name: "Brush strength",
            tip: "How much dye the brush leaves a second, in times its colour",
        };
        number(ui, &mut brush.strength, how);
    }
    if brush.mode == Mode::Erase {
        let how = Number {
            prefix: "Take ",
            unit: " /s",
            most: 1000.0,
            name: "Erasing strength",
            tip: "How much dye the brush takes away a second",
        };
        number(ui, &mut brush.erasing, how);
    }
    if brush.mode.ground().is_some() {
        let how = Number {
            prefix: "Height ",
            unit: " m",
            most: 10.0,
            name: "Brush height",
            tip: "By how much one stroke changes the ground",
        };
        number(ui, &mut brush.height, how);
        // The ground that a stroke has made always stays.
        return;
    }
    let pushes = matches!(brush.mode, Mode::Both | Mode::Stir);
    if pushes && (width >= PUSHED || brush.mode == Mode::Stir) {
        let how = Number {
            prefix: "Push ",
            unit: "×",
            most: 10.0,
            name: "Brush push",
            tip: "How much of the brush's own speed the fluid takes: 0 none, 1 all",
        };
        number(ui, &mut brush.push, how);
    }
    let tip = if brush.keep {
        "Strokes stay in the scene and are played again. Click to stir without keeping them."
    } else {
        "Strokes are not kept: they stir the fluid once. Click to keep them in the scene."
    };
    if icons::toggle(ui, Icon::Record, "Keep strokes", tip, brush.keep).clicked() {
        brush.keep = !brush.keep;
    }
}

/// How a number of the brush is shown.
struct Number<'a> {
    prefix: &'a str,
    unit: &'a str,
    most: f32,
    name: &'a str,
    tip: &'a str,
}

/// Reads `12 cm`, `0.3 m`, `5 mm`; without a unit metres are meant.
fn parse_length(text: &str) -> Option<f64> {
    format::parse(text, "m")
}

#[cfg(test)]
mod tests {
    use super::parse_length;

    #[test]
    fn lengths_are_read_with_their_unit() {
        assert_eq!(parse_length("12 cm"), Some(0.12));
        assert_eq!(parse_length("5mm"), Some(0.005));
        assert_eq!(parse_length("0.3"), Some(0.3));
        assert_eq!(parse_length("wide"), None);
    }
}
