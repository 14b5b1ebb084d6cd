//! The bar above the picture: what is shown, and the brush.

use egui::{ComboBox, DragValue, Slider, SliderClamping, Ui};

use super::{Mode, fields, show_field};
use crate::document::ColorMap;
use crate::edit::Action;
use crate::edit::Edit;
use crate::field::RangeHint;
use crate::params::{Choice, Effect, Value, label_from_name};
use crate::ui::editor::{Editor, Request};
use crate::ui::icons::{self, Icon};
use crate::ui::inspector::Outcome;
use crate::ui::{format, theme, widgets};

/// Below this width the numbers of the brush go without their names, which the tooltips have.
const NAMED: f32 = 760.0;
/// Below this width the exposure goes without its number.
const NUMBERED: f32 = 700.0;
/// Below this width the exposure is left to the Look panel.
const EXPOSED: f32 = 630.0;
/// Below this width of the panel the brush has a bar of its own.
pub const ONE_ROW: f32 = 570.0;

/// Draws the bar; where it is narrow, what can be found elsewhere gives way.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    let width = ui.available_width();
    field(editor, ui);
    colors(editor, ui);
    if width >= EXPOSED {
        exposure(editor, ui, width >= NUMBERED);
    }
    ui.separator();
    brush(editor, ui, width >= NAMED);
    view(editor, ui);
}

/// What is shown and how, without the brush.
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

/// The brush: what it does, its size, its colour and how much of it.
pub fn brush(editor: &mut Editor, ui: &mut Ui, named: bool) {
    let size = editor.document().scene.domain.grid().size();
    let brush = &mut editor.panels.brush;
    let now = Mode::ALL
        .iter()
        .find(|(mode, ..)| *mode == brush.mode)
        .map_or("", |(_, name, _)| *name);
    let response = ComboBox::from_id_salt("brush")
        .width(92.0)
        .selected_text(now)
        .show_ui(ui, |ui| {
            for (mode, name, doc) in Mode::ALL {
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

    ui.add_enabled_ui(matches!(brush.mode, Mode::Both | Mode::Dye), |ui| {
        ui.spacing_mut().interact_size.x = 28.0;
        let response = ui
            .color_edit_button_rgb(&mut brush.color)
            .on_hover_text("Colour of the brush's dye");
        widgets::name(&response, "Brush colour");
        let drag = DragValue::new(&mut brush.strength)
            .prefix(if named { "Dye " } else { "" })
            .suffix(" /s")
            .range(0.0..=100.0)
            .speed(0.05)
            .custom_formatter(|v, _| format::number(v));
        let response = ui
            .add_sized([if named { 78.0 } else { 50.0 }, theme::ROW - 2.0], drag)
            .on_hover_text("How much dye the brush leaves a second, in times its colour");
        widgets::name(&response, "Brush strength");
    });
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
