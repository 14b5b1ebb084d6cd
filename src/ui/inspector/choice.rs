//! What one chooses from a list, or types.

use egui::{ComboBox, TextEdit, Ui};

use super::Inspector;
use super::row::Edit;
use crate::params::{Spec, Value, ValueKind, label_from_name};
use crate::ui::{theme, widgets};

/// An alternative as people read it.
pub fn shown(inspector: &Inspector<'_>, path: &str, name: &str) -> String {
    (inspector.option)(path, name).map_or_else(|| label_from_name(name), str::to_owned)
}

/// One of the alternatives that are declared.
pub fn alternative(
    ui: &mut Ui,
    inspector: &Inspector<'_>,
    path: &str,
    spec: &Spec,
    label: &str,
    chosen: &str,
    edit: &mut Edit,
) {
    let ValueKind::Choice(options) = spec.kind else {
        return;
    };
    let shown = |name: &str| shown(inspector, path, name);
    let width = ui.available_width();
    let response = ComboBox::from_id_salt("choice")
        .width(width)
        .selected_text(shown(chosen))
        .show_ui(ui, |ui| {
            for option in options {
                let on = option.name == chosen;
                let item = ui
                    .selectable_label(on, shown(option.name))
                    .on_hover_text(option.doc);
                if item.clicked() && !on {
                    edit.set(Value::Choice(option.name.to_owned()));
                }
            }
        })
        .response;
    widgets::name(&response, label);
    if let Some(option) = options.iter().find(|o| o.name == chosen) {
        response.on_hover_text(option.doc);
    }
}

/// A text: typed, or chosen where there are suggestions and it is one of them.
pub fn text(
    ui: &mut Ui,
    inspector: &Inspector<'_>,
    path: &str,
    label: &str,
    mut text: String,
    edit: &mut Edit,
) {
    let choices = (inspector.suggest)(path);
    if let Some(choices) = &choices
        && choices.iter().any(|(_, v)| *v == text)
    {
        let shown = choices
            .iter()
            .find(|(_, v)| *v == text)
            .map_or(text.as_str(), |(shown, _)| shown.as_str());
        let response = ComboBox::from_id_salt("suggest")
            .width(ui.available_width())
            .selected_text(shown)
            .show_ui(ui, |ui| {
                for (shown, written) in choices {
                    if ui.selectable_label(*written == text, shown).clicked() {
                        edit.set(Value::Text(written.clone()));
                    }
                }
            })
            .response;
        widgets::name(&response, label);
        return;
    }
    let response = ui.add_sized(
        [ui.available_width(), theme::ROW - 2.0],
        TextEdit::singleline(&mut text).align(egui::Align2::LEFT_CENTER),
    );
    widgets::name(&response, label);
    if response.changed() {
        edit.typing = Some(response.id);
        edit.set(Value::Text(text));
    }
}
