//! One parameter: label, marks, something to operate, the way back to the default.

use egui::{
    Align, DragValue, Id, Label, Layout, Response, RichText, Sense, Slider, SliderClamping, Ui,
    vec2,
};

use super::{Inspector, Outcome, choice, color, mark};
use crate::params::{Effect, Spec, Value, ValueKind, label_from_name};
use crate::ui::{format, icons, icons::Icon, theme, widgets};

/// Room at the end of a row for the way back to the default.
const RESET: f32 = theme::ROW - 6.0;

/// A slider that is shorter than this is no use: the number alone is.
const SLIDER: f32 = 56.0;

/// Draws a row; what is done to it is added to `outcomes`.
pub fn show(
    ui: &mut Ui,
    inspector: &Inspector<'_>,
    depth: usize,
    path: &str,
    spec: &Spec,
    value: &Value,
    outcomes: &mut Vec<Outcome>,
) {
    let label = label(inspector, depth, path, spec);
    let mark = inspector.mark(path, spec);
    let mut deed = None;
    let changed = *value != spec.default;
    let mut edit = Edit {
        value: value.clone(),
        typing: None,
        done: false,
    };
    ui.push_id(path, |ui| {
        let whole = ui.available_width();
        let marks = inspector.marks();
        let below = !fits(ui, inspector, path, &label, spec, value);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.set_min_height(theme::ROW);
            let width = match below {
                true => whole - RESET - 4.0 - marks,
                false => (whole * theme::LABEL_SHARE).floor(),
            };
            let response = label_ui(ui, width, &label, spec, changed);
            reset_menu(&response, spec, path, &mut edit);
            if !below {
                place(ui, marks, |ui| {
                    control(ui, inspector, path, spec, &label, &mut edit);
                });
            }
            if changed {
                let name = format!("Reset {}", label.to_lowercase());
                let tip = format!("Back to the default: {}", shown(spec, &spec.default));
                if icons::small(ui, Icon::Undo, &name, &tip).clicked() {
                    edit.set(spec.default.clone());
                }
            } else {
                ui.allocate_exact_size(vec2(RESET, RESET), Sense::hover());
            }
            if inspector.frame.is_some() {
                deed = mark::show(ui, mark, &label);
            }
        });
        if below {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                ui.add_space(6.0);
                place(ui, marks, |ui| {
                    control(ui, inspector, path, spec, &label, &mut edit);
                });
            });
        }
    });
    if let Some(deed) = deed {
        outcomes.push(Outcome::Animate {
            path: path.to_owned(),
            label: label.clone(),
            value: value.clone(),
            deed,
        });
    }
    if edit.done && edit.value != *value {
        outcomes.push(Outcome::Set {
            path: path.to_owned(),
            label,
            value: edit.value,
            effect: spec.effect,
            typing: edit.typing,
            also: None,
        });
    }
}

/// What is left of a row for something to operate; behind it stays room for the way back.
fn place(ui: &mut Ui, marks: f32, add: impl FnOnce(&mut Ui)) {
    let room = ui.available_width() - RESET - ui.spacing().item_spacing.x - marks;
    ui.allocate_ui_with_layout(
        vec2(room, theme::ROW),
        Layout::left_to_right(Align::Center),
        |ui| {
            ui.set_min_width(room);
            add(ui);
        },
    );
}

/// Whether label and control stand side by side without either being cut; else the control goes below.
fn fits(
    ui: &Ui,
    inspector: &Inspector<'_>,
    path: &str,
    label: &str,
    spec: &Spec,
    value: &Value,
) -> bool {
    let whole = ui.available_width();
    let share = (whole * theme::LABEL_SHARE).floor();
    let room = whole - share - RESET - 8.0 - inspector.marks();
    let mark = if spec.effect == Effect::Restart {
        14.0
    } else {
        0.0
    };
    if widgets::text_width(ui, label) + 11.0 + mark > share {
        return false;
    }
    let needed = match value {
        Value::Vec2(_) => 2.0 * COMPONENT,
        Value::Vec3(_) if spec.color || (inspector.flat && spec.unit == "°") => theme::NUMBER,
        Value::Vec3(_) if inspector.flat => 2.0 * COMPONENT,
        Value::Vec3(_) => 3.0 * COMPONENT,
        Value::Choice(name) => {
            let text = choice::shown(inspector, path, name);
            widgets::text_width(ui, &text) + ARROW
        }
        Value::Float(_) | Value::Int(_) => theme::NUMBER,
        Value::Text(_) => 90.0,
        Value::Bool(_) => 0.0,
    };
    needed <= room
}

/// Least width of a component of a vector.
const COMPONENT: f32 = 70.0;
/// What a box to choose from has beside its text.
const ARROW: f32 = 38.0;

/// What is being done to the value of a row.
pub struct Edit {
    value: Value,
    /// The text field that is being typed into.
    pub typing: Option<Id>,
    done: bool,
}

impl Edit {
    /// Gives it a value.
    pub fn set(&mut self, value: Value) {
        self.value = value;
        self.done = true;
    }
}

fn label(inspector: &Inspector<'_>, depth: usize, path: &str, spec: &Spec) -> String {
    if let Some(label) = (inspector.label)(path) {
        return label.to_owned();
    }
    match spec.name {
        "kind" if depth == 0 => inspector.kind_label.to_owned(),
        _ => spec.label(),
    }
}

/// The value as people read it.
pub fn shown(spec: &Spec, value: &Value) -> String {
    match value {
        Value::Float(v) => format::with_unit(f64::from(*v), spec.unit),
        Value::Int(v) => format!("{v} {}", spec.unit).trim_end().to_owned(),
        Value::Bool(v) => if *v { "on" } else { "off" }.to_owned(),
        Value::Vec2(v) => list(v, spec.unit),
        Value::Vec3(v) => list(v, spec.unit),
        Value::Text(v) if v.is_empty() => "empty".to_owned(),
        Value::Text(v) => format!("“{v}”"),
        Value::Choice(v) => label_from_name(v),
    }
}

fn list(v: &[f32], unit: &str) -> String {
    let parts: Vec<String> = v.iter().map(|v| format::number(f64::from(*v))).collect();
    format!("{} {unit}", parts.join(", ")).trim_end().to_owned()
}

/// What hovering over a parameter says: what it does, its unit and its limits.
fn explanation(spec: &Spec) -> String {
    let mut text = spec.doc.to_owned();
    if !spec.unit.is_empty() {
        text.push_str(&format!("\nUnit: {}", spec.unit));
    }
    text.push_str(&format!("\nDefault: {}", shown(spec, &spec.default)));
    let numeric = !matches!(
        spec.kind,
        ValueKind::Bool | ValueKind::Text | ValueKind::Choice(_)
    );
    let [low, high] = spec.hard.map(f64::from);
    if numeric && (low.is_finite() || high < f64::from(u32::MAX)) {
        let limit = |v: f64| {
            if v.is_finite() {
                format::number(v)
            } else {
                "any".to_owned()
            }
        };
        let range = format!("\nFrom {} to {} {}", limit(low), limit(high), spec.unit);
        text.push_str(range.trim_end());
    }
    if spec.effect == Effect::Restart {
        text.push_str("\nChanging it starts the simulation again.");
    }
    text
}

fn label_ui(ui: &mut Ui, width: f32, label: &str, spec: &Spec, changed: bool) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(width, theme::ROW), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, label));
    if ui.is_rect_visible(rect) {
        if changed {
            ui.painter()
                .circle_filled(rect.left_center() + vec2(3.0, 0.0), 2.5, theme::accent());
        }
        let mut inner = ui.new_child(
            egui::UiBuilder::new()
                .max_rect(rect.with_min_x(rect.left() + 10.0))
                .layout(Layout::left_to_right(Align::Center)),
        );
        inner.spacing_mut().item_spacing.x = 4.0;
        let restart = spec.effect == Effect::Restart;
        let color = if changed {
            theme::bright()
        } else {
            theme::text()
        };
        let room = inner.available_width() - if restart { 14.0 } else { 0.0 };
        let text = egui::WidgetText::from(RichText::new(label).color(color)).into_galley(
            &inner,
            Some(egui::TextWrapMode::Truncate),
            room,
            egui::TextStyle::Body,
        );
        let at = inner.max_rect().left_center() - vec2(0.0, text.size().y * 0.5);
        let end = at.x + text.size().x;
        inner.painter().galley(at, text, color);
        if restart {
            let mark = egui::Rect::from_center_size(
                egui::pos2(end + 9.0, rect.center().y),
                vec2(9.0, 9.0),
            );
            icons::paint(inner.painter(), Icon::Redo, mark, theme::weak());
        }
    }
    response.on_hover_ui(|ui| {
        ui.label(RichText::new(label).color(theme::bright()).strong());
        ui.add(Label::new(explanation(spec)).wrap());
    })
}

fn reset_menu(response: &Response, spec: &Spec, path: &str, edit: &mut Edit) {
    response.context_menu(|ui| {
        let text = format!("Reset to default ({})", shown(spec, &spec.default));
        if ui.button(text).clicked() {
            edit.set(spec.default.clone());
            ui.close();
        }
        if ui.button("Copy name for the command line").clicked() {
            ui.ctx().copy_text(path.to_owned());
            ui.close();
        }
    });
}

fn control(
    ui: &mut Ui,
    inspector: &Inspector<'_>,
    path: &str,
    spec: &Spec,
    label: &str,
    edit: &mut Edit,
) {
    match edit.value.clone() {
        Value::Float(mut v) => {
            let mut n = f64::from(v);
            if scalar(ui, spec, label, &mut n) {
                v = n as f32;
                edit.set(Value::Float(v.clamp(spec.hard[0], spec.hard[1])));
            }
        }
        Value::Int(v) => {
            let mut n = f64::from(v);
            if scalar(ui, spec, label, &mut n) {
                edit.set(Value::Int(n.round().clamp(0.0, f64::from(u32::MAX)) as u32));
            }
        }
        Value::Bool(mut v) => {
            let response = ui.checkbox(&mut v, "");
            widgets::name(&response, label);
            if response.changed() {
                edit.set(Value::Bool(v));
            }
        }
        Value::Vec2(mut v) => {
            if components(ui, spec, label, &mut v, &["x", "y"]) {
                edit.set(Value::Vec2(v));
            }
        }
        Value::Vec3(mut v) if spec.color => {
            if color::edit(ui, label, &mut v, spec.hard[1]) {
                edit.set(Value::Vec3(v));
            }
        }
        Value::Vec3(mut v) => {
            if vector(ui, inspector, spec, label, &mut v) {
                edit.set(Value::Vec3(v));
            }
        }
        Value::Text(text) => choice::text(ui, inspector, path, label, text, edit),
        Value::Choice(chosen) => {
            choice::alternative(ui, inspector, path, spec, label, &chosen, edit);
        }
    }
}

/// A triple. In two dimensions a rotation has only its part about the view axis, and everything else no depth.
fn vector(
    ui: &mut Ui,
    inspector: &Inspector<'_>,
    spec: &Spec,
    label: &str,
    v: &mut [f32; 3],
) -> bool {
    if !inspector.flat {
        components(ui, spec, label, v, &["x", "y", "z"])
    } else if spec.unit == "°" {
        let mut n = f64::from(v[2]);
        let done = scalar(ui, spec, label, &mut n);
        v[2] = n as f32;
        done
    } else {
        components(ui, spec, label, &mut v[..2], &["x", "y"])
    }
}

fn drag<'a>(spec: &'a Spec, n: &'a mut f64, integer: bool) -> DragValue<'a> {
    let [low, high] = spec.hard.map(f64::from);
    let (soft_low, soft_high) = (f64::from(spec.soft[0]), f64::from(spec.soft[1]));
    let reach = soft_high - soft_low;
    let speed = if integer {
        (reach / 400.0).clamp(0.05, 4.0)
    } else if spec.log || !reach.is_finite() {
        (n.abs() * 0.01).max(1e-6)
    } else {
        reach / 400.0
    };
    let parse = |text: &str| format::parse(text, spec.unit);
    let drag = DragValue::new(n)
        .range(low..=high)
        .speed(speed)
        .clamp_existing_to_range(false)
        .update_while_editing(false)
        .clip_text(true);
    if integer {
        drag.max_decimals(0).custom_parser(parse)
    } else {
        drag.custom_formatter(move |v, _| format::number(v))
            .custom_parser(parse)
    }
}

/// A slider where there is a reach, and the number, which may be typed beyond it.
fn scalar(ui: &mut Ui, spec: &Spec, label: &str, n: &mut f64) -> bool {
    let integer = spec.kind == ValueKind::Int;
    let [low, high] = spec.soft.map(f64::from);
    let mut done = false;
    let number = theme::NUMBER;
    let slider =
        (high - low).is_finite() && high - low <= 1e7 && ui.available_width() > number + SLIDER;
    if slider {
        ui.spacing_mut().slider_width = ui.available_width() - number - ui.spacing().item_spacing.x;
        let mut slider = Slider::new(n, low..=high)
            .show_value(false)
            .clamping(SliderClamping::Never)
            .logarithmic(spec.log)
            .smallest_positive((high.abs() * 1e-6).max(1e-9));
        if integer {
            slider = slider.integer();
        }
        let response = ui.add(slider);
        widgets::name(&response, label);
        done |= response.changed();
    }
    let width = if slider {
        number
    } else {
        ui.available_width().min(number * 1.5)
    };
    let unit = unit_width(ui, spec.unit);
    let mut drag = drag(spec, n, integer);
    if !spec.unit.is_empty() && unit < width * 0.5 {
        drag = drag.suffix(format!(" {}", spec.unit));
    }
    let response = ui.add_sized([width, theme::ROW - 2.0], drag);
    let name = if slider {
        format!("{label} number")
    } else {
        label.to_owned()
    };
    widgets::name(&response, &name);
    done | response.changed()
}

fn unit_width(ui: &Ui, unit: &str) -> f32 {
    unit.chars().count() as f32 * 7.0 + ui.spacing().button_padding.x
}

fn components(ui: &mut Ui, spec: &Spec, label: &str, v: &mut [f32], axes: &[&str]) -> bool {
    let gap = ui.spacing().item_spacing.x;
    let width = (ui.available_width() - gap * (axes.len() as f32 - 1.0)) / axes.len() as f32;
    let mut done = false;
    for (value, axis) in v.iter_mut().zip(axes) {
        let mut n = f64::from(*value);
        let drag = drag(spec, &mut n, false).prefix(format!("{axis} "));
        let response = ui.add_sized([width, theme::ROW - 2.0], drag);
        widgets::name(&response, &format!("{label} {axis}"));
        if response.changed() {
            *value = n as f32;
            done = true;
        }
    }
    done
}
