//! What the colours of pictures stand for.

use egui::{Color32, Rect, RichText, Sense, Ui, pos2, vec2};

use crate::document::ColorMap;
use crate::ui::compare_job::Results;
use crate::ui::{format, theme, widgets};
use crate::view::{self, colormap};

/// What the colours of all pictures stand for.
pub fn of_all(ui: &mut Ui, results: &Results) {
    let Some(shown) = results.shown.iter().flatten().next() else {
        return;
    };
    let desc = &shown.kept.field.desc;
    match view::legend(&shown.kept.field, &results.settings) {
        None => {
            let text = format!(
                "{} in its own colours, at the same exposure in all pictures.",
                desc.label
            );
            widgets::note(ui, &text);
        }
        Some(found) => {
            strip(ui, found.map, found.range, found.unit);
            let text = format!("{}: colours mean the same in all pictures.", desc.label);
            widgets::note(ui, &text);
        }
    }
}

/// A strip of colours between the values at its ends.
pub fn strip(ui: &mut Ui, map: ColorMap, range: [f32; 2], unit: &str) {
    ui.horizontal_wrapped(|ui| {
        let small = |text: String| RichText::new(text).small().color(theme::text());
        ui.label(small(format::number(f64::from(range[0]))));
        let (strip, _) = ui.allocate_exact_size(vec2(128.0, 9.0), Sense::hover());
        let colors: Vec<[u8; 4]> = match map {
            // The hue is the direction of a vector; its brightness is the length.
            ColorMap::Hue => (0..64_u8).map(|i| [i * 4, i * 4, i * 4, 255]).collect(),
            map => colormap::strip(map, 64),
        };
        let step = strip.width() / colors.len() as f32;
        let mut mesh = egui::Mesh::default();
        for (i, [r, g, b, _]) in colors.iter().enumerate() {
            let left = strip.left() + step * i as f32;
            let piece =
                Rect::from_min_max(pos2(left, strip.top()), pos2(left + step, strip.bottom()));
            mesh.add_colored_rect(piece, Color32::from_rgb(*r, *g, *b));
        }
        ui.painter().add(mesh);
        ui.label(small(format::with_unit(f64::from(range[1]), unit)));
    });
}
