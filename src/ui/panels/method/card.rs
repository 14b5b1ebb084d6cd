//! A card: what one can click to use it.

use egui::{
    Color32, Frame, Image, Label, Margin, RichText, Sense, Stroke, TextureHandle, Ui, UiBuilder,
    text::LayoutJob, vec2,
};

use super::words;
use crate::solvers::{Feature, MethodInfo};
use crate::ui::{theme, widgets};

/// Width of the picture beside the title.
const PICTURE: f32 = 104.0;

/// What is shown beside the title.
pub enum Picture {
    /// Nothing.
    None,
    /// A picture, as soon as it is there.
    Of(Option<TextureHandle>),
}

/// What every card has.
pub struct Card {
    /// What it stands for, for its name.
    pub kind: &'static str,
    pub title: &'static str,
    /// After the title.
    pub beside: String,
    pub summary: &'static str,
    pub picture: Picture,
    pub chosen: bool,
    pub enabled: bool,
}

impl Card {
    /// Draws it; whether it was clicked.
    pub fn show(&self, ui: &mut Ui, below: impl FnOnce(&mut Ui)) -> bool {
        let id = ui.scope_id().with((self.kind, self.title));
        // As it was in the last picture of the window: the frame is drawn before what is in it.
        let pointed = ui
            .ctx()
            .read_response(id)
            .is_some_and(|r| r.hovered() || r.has_focus());
        let edge = match (self.chosen, pointed && self.enabled) {
            (true, _) => theme::accent(),
            (_, true) => theme::weak(),
            _ => theme::line(),
        };
        let sense = if self.enabled {
            Sense::click()
        } else {
            Sense::hover()
        };
        let response = ui
            .scope_builder(UiBuilder::new().scope_id(id).sense(sense), |ui| {
                Frame::new()
                    .fill(theme::bar())
                    .stroke(Stroke::new(if self.chosen { 1.5 } else { 1.0 }, edge))
                    .corner_radius(theme::CORNER)
                    .inner_margin(Margin::same(theme::MARGIN))
                    .show(ui, |ui| {
                        ui.set_width(ui.available_width());
                        self.head(ui);
                        below(ui);
                    });
            })
            .response;
        let name = format!("{} {}", self.kind, self.title);
        response.widget_info(|| {
            egui::WidgetInfo::selected(egui::Role::Button, self.enabled, self.chosen, &name)
        });
        let clicked = response.clicked();
        if self.enabled && !self.chosen {
            response.on_hover_cursor(egui::CursorIcon::PointingHand);
        }
        clicked
    }

    fn head(&self, ui: &mut Ui) {
        let Picture::Of(texture) = &self.picture else {
            self.title(ui);
            ui.add(Label::new(self.summary).wrap());
            return;
        };
        ui.horizontal_top(|ui| {
            picture(ui, texture.as_ref());
            ui.vertical(|ui| {
                self.title(ui);
                ui.add(Label::new(self.summary).wrap());
            });
        });
        ui.add_space(2.0);
    }

    fn title(&self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            let title = RichText::new(self.title).color(theme::bright()).strong();
            ui.label(title);
            if !self.beside.is_empty() {
                ui.label(RichText::new(&self.beside).small().color(theme::weak()));
            }
            if self.chosen {
                ui.label(RichText::new("in use").small().color(theme::accent()));
            }
        });
    }
}

fn picture(ui: &mut Ui, texture: Option<&TextureHandle>) {
    let (rect, _) = ui.allocate_exact_size(vec2(PICTURE, PICTURE * 0.75), Sense::hover());
    ui.painter()
        .rect_filled(rect, theme::CORNER, theme::sunken());
    if let Some(texture) = texture {
        let size = texture.size_vec2();
        let place = rect.width() / rect.height();
        Image::new(texture)
            .uv(crate::ui::panels::presets::cropped(
                size.x / size.y.max(1.0),
                place,
            ))
            .corner_radius(theme::CORNER)
            .paint_at(ui, rect);
    }
}

/// A line that begins with what it is about.
pub fn entry(ui: &mut Ui, about: &str, text: &str) {
    if text.is_empty() {
        return;
    }
    let font = egui::TextStyle::Small.resolve(ui.style());
    let style = |color| egui::TextFormat::simple(font.clone(), color);
    let mut job = LayoutJob::default();
    job.append(&format!("{about} "), 0.0, style(theme::weak()));
    job.append(text, 0.0, style(theme::text()));
    ui.add(Label::new(job).wrap());
}

/// The parts of the scene that a method honours, those that the scene uses first; then what it leaves out.
pub fn features(ui: &mut Ui, info: &MethodInfo, used: &[Feature]) {
    ui.add_space(2.0);
    ui.spacing_mut().interact_size.y = 0.0;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for uses in [true, false] {
            let all = Feature::ALL.iter().filter(|f| used.contains(f) == uses);
            for feature in all.filter(|f| info.honours.contains(f)) {
                let (fill, color, tip) = match uses {
                    true => (theme::accent_fill(), theme::bright(), "This scene uses it."),
                    false => (theme::raised(), theme::text(), "Not used in this scene."),
                };
                pill(ui, &words::called(*feature), fill, color, tip);
            }
        }
    });
    if let Some(text) = words::missing(info, used) {
        widgets::colored_note(ui, &text, theme::warn());
    }
    if let Some(text) = words::not_missed(info, used) {
        widgets::note(ui, &text);
    }
}

/// A word on a ground of its own, which stays in one piece.
fn pill(ui: &mut Ui, text: &str, fill: Color32, color: Color32, tip: &str) {
    let font = egui::TextStyle::Small.resolve(ui.style());
    let galley = ui.fonts_mut(|f| f.layout_no_wrap(text.to_owned(), font, color));
    let size = galley.size() + vec2(14.0, 4.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
    if ui.is_rect_visible(rect) {
        ui.painter().rect_filled(rect, rect.height() * 0.5, fill);
        let at = rect.center() - galley.size() * 0.5;
        ui.painter().galley(at, galley, color);
    }
    response.on_hover_text(tip);
}
