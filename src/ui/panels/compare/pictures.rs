//! Pictures of the same frame of all ways, while they run too: all of them, or two, beside each other, behind a divider, or
//! what differs between them.

use std::sync::Arc;

use egui::{
    Color32, ComboBox, CursorIcon, Image, Rect, Response, RichText, Sense, Stroke, TextureHandle,
    TextureOptions, Ui, pos2, vec2,
};

use super::legend;
use crate::document::ColorMap;
use crate::ui::compare_job::{self, Difference, Differing, Pair, Results};
use crate::ui::editor::Editor;
use crate::ui::{format, theme, widgets};

/// How the pictures are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    /// All, with their names.
    #[default]
    Grid,
    /// Two beside each other.
    Split,
    /// Two in one place, with a divider that is dragged.
    Wipe,
    /// What differs between two.
    Difference,
}

const MODES: [(Mode, &str, &str); 4] = [
    (Mode::Grid, "Grid", "All pictures"),
    (Mode::Split, "Split", "Two pictures beside each other"),
    (
        Mode::Wipe,
        "Wipe",
        "Two pictures in one place; drag the divider between them",
    ),
    (
        Mode::Difference,
        "Difference",
        "How far two pictures are apart, made visible",
    ),
];

/// Least width of a picture in the grid.
const TILE: f32 = 150.0;
/// Most height of the one or two large pictures.
const LARGE: f32 = 420.0;

/// What is shown, and the textures of it.
pub struct Gallery {
    mode: Mode,
    /// The two that are compared, by position; the reference is the last.
    pair: [usize; 2],
    divider: f32,
    /// The comparison whose pictures are loaded, and after how many frames.
    of: (u64, u32),
    textures: Vec<Option<TextureHandle>>,
    /// The difference that was asked for, and what came of it.
    asked: Option<Pair>,
    difference: Option<Difference>,
    difference_texture: Option<TextureHandle>,
}

impl Default for Gallery {
    fn default() -> Self {
        Self {
            mode: Mode::Grid,
            pair: [0, usize::MAX],
            divider: 0.5,
            of: (0, 0),
            textures: Vec::new(),
            asked: None,
            difference: None,
            difference_texture: None,
        }
    }
}

impl Gallery {
    /// A difference has been worked out.
    pub fn receive(&mut self, difference: Difference) {
        let chosen =
            |asked: &Pair| (asked.number, asked.two) == (difference.of.number, difference.of.two);
        if self.asked.as_ref().is_some_and(chosen) {
            self.difference = Some(difference);
            self.difference_texture = None;
        }
    }

    /// Whether the difference of these two has to be worked out. What is there of another pair goes; of an earlier frame, it
    /// stays until the new one comes, which is asked for when the last one has come.
    fn ask(&mut self, of: Pair) -> bool {
        let Some(asked) = self.asked else {
            self.asked = Some(of);
            return true;
        };
        if (asked.number, asked.two) != (of.number, of.two) {
            self.asked = Some(of);
            (self.difference, self.difference_texture) = (None, None);
            return true;
        }
        let waits = self.difference.as_ref().map(|d| d.of) != Some(asked);
        if asked == of || waits {
            return false;
        }
        self.asked = Some(of);
        true
    }

    /// The comparison whose pictures these are is forgotten; how they are looked at stays.
    pub fn forget(&mut self) {
        *self = Self {
            mode: self.mode,
            divider: self.divider,
            ..Self::default()
        };
    }

    /// Loads the pictures of another comparison, or of another frame.
    fn load(&mut self, ui: &Ui, results: &Results) {
        let of = (results.number, results.frames);
        let ways = results.shown.len();
        if self.of == of && self.textures.len() == ways {
            return;
        }
        let other = self.of.0 != results.number;
        // The reference stays chosen where it has moved on behind more ways.
        let last = self.textures.len().saturating_sub(1);
        for chosen in &mut self.pair {
            if other || *chosen >= last {
                *chosen = ways.saturating_sub(1);
            }
        }
        if other {
            self.pair[0] = 0;
            self.textures.clear();
            (self.asked, self.difference, self.difference_texture) = (None, None, None);
        }
        self.of = of;
        self.textures.resize_with(ways, || None);
        for (i, (texture, shown)) in self.textures.iter_mut().zip(&results.shown).enumerate() {
            let Some(shown) = shown else {
                *texture = None;
                continue;
            };
            let image = Arc::clone(&shown.image);
            match texture {
                Some(texture) => texture.set(image, TextureOptions::LINEAR),
                None => {
                    let name = format!("compare {i}");
                    *texture = Some(ui.ctx().load_texture(name, image, TextureOptions::LINEAR));
                }
            }
        }
    }
}

/// Draws the choice of how they are shown, then the pictures.
pub fn ui(editor: &mut Editor, ui: &mut Ui, results: &Arc<Results>) {
    let gallery = &mut editor.panels.compare.pictures;
    gallery.load(ui, results);
    widgets::heading(ui, &heading(results));
    if results.shown.iter().all(Option::is_none) {
        let text = format!(
            "None of these ways has the field “{}” that is shown.",
            results.settings.field
        );
        widgets::note(ui, &text);
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (mode, name, tip) in MODES {
            let label = ui.selectable_label(gallery.mode == mode, name);
            widgets::name(&label, &format!("Pictures: {}", name.to_lowercase()));
            if label.on_hover_text(tip).clicked() {
                gallery.mode = mode;
            }
        }
    });
    if gallery.mode == Mode::Grid {
        grid(gallery, ui, results);
        legend::of_all(ui, results);
        return;
    }
    pair(gallery, ui, results);
    let of = Pair {
        number: results.number,
        frames: results.frames,
        two: gallery.pair,
    };
    match gallery.mode {
        Mode::Split => {
            split(gallery, ui, results);
            legend::of_all(ui, results);
        }
        Mode::Wipe => {
            wipe(gallery, ui);
            legend::of_all(ui, results);
        }
        _ => {
            if gallery.ask(of) {
                compare_job::differ(editor, results, of);
            }
            difference(&mut editor.panels.compare.pictures, ui, results);
        }
    }
}

/// Of what the pictures are.
fn heading(results: &Results) -> String {
    let frame = results.first.saturating_add(results.frames);
    match results.frames == results.of_frames {
        true => format!("Pictures of the last frame, {frame}"),
        false => format!("Pictures of frame {frame}"),
    }
}

/// The largest size of a picture that fits.
fn fitting(texture: &TextureHandle, room: egui::Vec2) -> egui::Vec2 {
    let size = texture.size_vec2();
    size * (room.x / size.x.max(1.0)).min(room.y / size.y.max(1.0))
}

fn paint(ui: &Ui, texture: &TextureHandle, rect: Rect, uv: Rect) {
    Image::new(texture).uv(uv).paint_at(ui, rect);
}

fn whole() -> Rect {
    Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0))
}

/// A picture with the name by which it is read out.
fn picture(ui: &mut Ui, texture: Option<&TextureHandle>, room: egui::Vec2, name: &str) -> Response {
    let size = texture.map_or(vec2(room.x, 40.0), |t| fitting(t, room));
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    match texture {
        Some(texture) => paint(ui, texture, rect, whole()),
        None => {
            ui.painter().rect_filled(rect, 0.0, theme::sunken());
        }
    }
    let name = format!("Picture of {name}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &name));
    response
}

fn grid(gallery: &mut Gallery, ui: &mut Ui, results: &Results) {
    let labels: Vec<&str> = results.labels().collect();
    let gap = theme::GAP;
    let width = ui.available_width();
    let columns = (((width + gap) / (TILE + gap)) as usize).clamp(1, labels.len());
    let each = ((width + gap) / columns as f32 - gap).min(2.0 * TILE);
    let all: Vec<(usize, &str)> = labels.into_iter().enumerate().collect();
    for row in all.chunks(columns) {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = gap;
            for (i, label) in row {
                super::column(ui, each, |ui| {
                    let texture = gallery.textures.get(*i).and_then(Option::as_ref);
                    picture(ui, texture, vec2(each, each * 1.5), label);
                    let failed = results.rows.get(*i).is_some_and(|r| r.error.is_some());
                    let text = match texture {
                        Some(_) => (*label).to_owned(),
                        None if failed => format!("{label}: failed"),
                        None => format!("{label}: no such field"),
                    };
                    let text = RichText::new(text).small().color(theme::text());
                    ui.add(egui::Label::new(text).wrap());
                });
            }
        });
        ui.add_space(gap);
    }
}

/// The two that are compared.
fn pair(gallery: &mut Gallery, ui: &mut Ui, results: &Results) {
    let labels: Vec<&str> = results.labels().collect();
    let last = labels.len().saturating_sub(1);
    let names = ["First picture", "Second picture"];
    let width = ((ui.available_width() - theme::GAP) * 0.5).min(240.0);
    ui.horizontal_wrapped(|ui| {
        for (chosen, name) in gallery.pair.iter_mut().zip(names) {
            *chosen = (*chosen).min(last);
            let combo = ComboBox::from_id_salt(name)
                .width(width - 8.0)
                .wrap_mode(egui::TextWrapMode::Wrap)
                .selected_text(labels[*chosen])
                .show_ui(ui, |ui| {
                    for (i, label) in labels.iter().enumerate() {
                        ui.selectable_value(chosen, i, *label);
                    }
                });
            widgets::name(&combo.response, name);
        }
    });
}

fn split(gallery: &Gallery, ui: &mut Ui, results: &Results) {
    let labels: Vec<&str> = results.labels().collect();
    let gap = 3.0;
    let room = vec2((ui.available_width() - gap) * 0.5, LARGE);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = gap;
        for i in gallery.pair {
            let texture = gallery.textures.get(i).and_then(Option::as_ref);
            picture(ui, texture, room, labels.get(i).unwrap_or(&""));
        }
    });
}

fn wipe(gallery: &mut Gallery, ui: &mut Ui) {
    let texture = |i: usize| gallery.textures.get(i).and_then(Option::as_ref);
    let (Some(a), Some(b)) = (texture(gallery.pair[0]), texture(gallery.pair[1])) else {
        widgets::note(ui, "One of the two has no such field.");
        return;
    };
    let size = fitting(a, vec2(ui.available_width(), LARGE));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let mut divider = gallery.divider;
    if let Some(pointer) = response.interact_pointer_pos() {
        divider = ((pointer.x - rect.left()) / rect.width()).clamp(0.0, 1.0);
    }
    let x = rect.left() + rect.width() * divider;
    paint(
        ui,
        a,
        rect.with_max_x(x),
        Rect::from_min_max(pos2(0.0, 0.0), pos2(divider, 1.0)),
    );
    paint(
        ui,
        b,
        rect.with_min_x(x),
        Rect::from_min_max(pos2(divider, 0.0), pos2(1.0, 1.0)),
    );
    let painter = ui.painter();
    painter.vline(
        x,
        rect.y_range(),
        Stroke::new(3.0, Color32::from_black_alpha(140)),
    );
    painter.vline(x, rect.y_range(), Stroke::new(1.0, Color32::WHITE));
    painter.circle(
        pos2(x, rect.center().y),
        6.0,
        Color32::WHITE,
        Stroke::new(1.5, Color32::BLACK),
    );
    gallery.divider = divider;
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Image, true, "Two pictures with a divider")
    });
    response
        .on_hover_cursor(CursorIcon::ResizeHorizontal)
        .on_hover_text("The first picture is to the left of the divider, the second to the right");
}

fn difference(gallery: &mut Gallery, ui: &mut Ui, results: &Results) {
    let Some(found) = &gallery.difference else {
        widgets::note(ui, "Working it out…");
        return;
    };
    let found = match &found.outcome {
        Ok(found) => found,
        Err(why) => {
            widgets::note(ui, why);
            return;
        }
    };
    let load = || {
        let image = found.image.clone();
        ui.ctx()
            .load_texture("compare difference", image, TextureOptions::LINEAR)
    };
    let texture = gallery.difference_texture.get_or_insert_with(load);
    let room = vec2(ui.available_width(), LARGE);
    picture(ui, Some(texture), room, "the difference");
    if found.most > 0.0 {
        legend::strip(ui, ColorMap::Inferno, found.range, found.unit);
    }
    let shown = results.settings.range_high - results.settings.range_low;
    widgets::note(ui, &told(found, shown));
}

/// What a difference comes to, in words, beside pictures with that range of values.
fn told(found: &Differing, shown: f32) -> String {
    if found.most <= 0.0 {
        return match found.cells.as_str() {
            "" => "The two are alike to the last digit.".to_owned(),
            of => format!("The two are alike, as far as the means of {of} tell."),
        };
    }
    let most = format::with_unit(f64::from(found.most), found.unit);
    let mut text = match found.cells.as_str() {
        "" => format!("The largest difference is {most}."),
        of => format!("The largest difference is {most}, of {of}."),
    };
    let [low, high] = found.range;
    let times = f64::from(shown / (high - low).max(f32::MIN_POSITIVE));
    if times > 1.5 {
        let times = if times < 10.0 {
            format!("{times:.1}")
        } else {
            format!("{times:.0}")
        };
        text.push_str(&format!(
            " Amplified {times} times, measured by the range of the pictures."
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differing(most: f32, cells: &str) -> Differing {
        Differing {
            image: egui::ColorImage::filled([1, 1], Color32::BLACK),
            range: [0.0, 1.0],
            most,
            unit: "m/s",
            cells: cells.to_owned(),
        }
    }

    #[test]
    fn a_difference_is_shown_only_for_the_pair_that_is_chosen() {
        let mut gallery = Gallery::default();
        let arrives = |gallery: &mut Gallery, of| {
            let outcome = Ok(differing(1.0, ""));
            gallery.receive(Difference { of, outcome });
        };
        let of = |frames, a, b| Pair {
            number: 1,
            frames,
            two: [a, b],
        };
        assert!(gallery.ask(of(4, 0, 2)));
        // The next frame waits for this one.
        assert!(!gallery.ask(of(8, 0, 2)));
        arrives(&mut gallery, of(4, 0, 2));
        assert!(gallery.difference.is_some());
        assert!(gallery.ask(of(8, 0, 2)));
        assert!(
            gallery.difference.is_some(),
            "the earlier one stays meanwhile"
        );
        arrives(&mut gallery, of(8, 0, 2));
        assert!(!gallery.ask(of(8, 0, 2)));
        // Another pair: the old picture goes at once, also where its own never comes.
        assert!(gallery.ask(of(8, 0, 1)));
        assert!(gallery.difference.is_none());
        arrives(&mut gallery, of(8, 0, 2));
        assert!(gallery.difference.is_none(), "too late");
        arrives(&mut gallery, of(8, 0, 1));
        assert!(gallery.difference.is_some());
        gallery.forget();
        assert!(gallery.difference.is_none() && gallery.asked.is_none());
    }

    #[test]
    fn a_difference_says_what_it_is_of() {
        let text = |most, cells| told(&differing(most, cells), 1.0);
        assert_eq!(text(2.0, ""), "The largest difference is 2 m/s.");
        let of = "blocks of 4 × 4 cells";
        assert!(text(2.0, of).ends_with("2 m/s, of blocks of 4 × 4 cells."));
        assert!(text(0.0, "").ends_with("alike to the last digit."));
        assert!(!text(0.0, of).contains("last digit"));
    }
}
