//! Colours of light: linear, and brighter than one where they glow.

use egui::{DragValue, Id, Popup, Ui};

use crate::ui::{format, theme, widgets};

/// A button that shows the colour and opens a picker, and a number for the brightness: the largest of the three
/// components. Above one the picker shows the colour without its brightness.
pub fn edit(ui: &mut Ui, label: &str, c: &mut [f32; 3], limit: f32) -> bool {
    let id = ui.scope_id().with("brightness");
    let brightness = c.iter().copied().fold(0.0, f32::max);
    let scale = held_scale(ui, id, brightness.max(1.0));
    let mut done = false;

    let mut shown = c.map(|v| (v / scale).clamp(0.0, 1.0));
    let number = theme::NUMBER;
    // The button is as wide as this says, and a number at least: it is for the button alone.
    let wide = (ui.available_width() - number - 4.0).max(24.0);
    let usual = std::mem::replace(&mut ui.spacing_mut().interact_size.x, wide);
    let response = ui.color_edit_button_rgb(&mut shown);
    ui.spacing_mut().interact_size.x = usual;
    widgets::name(&response, label);
    if response.changed() {
        *c = shown.map(|v| (v * scale).min(limit));
        done = true;
    }

    let mut n = f64::from(brightness);
    let drag = DragValue::new(&mut n)
        .prefix("× ")
        .speed(0.01)
        .range(0.0..=f64::from(limit))
        .update_while_editing(false)
        .clamp_existing_to_range(false)
        .custom_formatter(|v, _| format::number(v))
        .custom_parser(|text| format::parse(text, ""));
    let response = ui
        .add_sized([number, theme::ROW - 2.0], drag)
        .on_hover_text("Brightness. Above 1 it glows.");
    widgets::name(&response, &format!("{label} brightness"));
    if response.changed() {
        *c = with_brightness(*c, n as f32);
        done = true;
    }
    done
}

fn with_brightness(c: [f32; 3], brightness: f32) -> [f32; 3] {
    let now = c.iter().copied().fold(0.0, f32::max);
    if now > 0.0 {
        // Never quite black, or the hue would be lost.
        c.map(|v| v / now * brightness.max(1e-4))
    } else {
        [brightness; 3]
    }
}

/// The scale between the colour and what the picker shows must not change while the picker is open: it would divide what
/// the picker has just multiplied.
fn held_scale(ui: &Ui, id: Id, now: f32) -> f32 {
    let open = Popup::is_any_open(ui.ctx());
    ui.data_mut(|data| {
        let scale = match data.get_temp::<f32>(id) {
            Some(held) if open => held,
            _ => now,
        };
        data.insert_temp(id, scale);
        scale
    })
}

#[cfg(test)]
mod tests {
    use super::with_brightness;

    #[test]
    fn brightness_keeps_the_hue() {
        assert_eq!(with_brightness([1.0, 0.5, 0.25], 4.0), [4.0, 2.0, 1.0]);
        assert_eq!(with_brightness([0.0; 3], 2.0), [2.0; 3]);
        let dark = with_brightness([1.0, 0.5, 0.0], 0.0);
        assert!(dark[0] > 0.0 && dark[1] == dark[0] * 0.5);
    }
}
