//! The gallery of looks.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::LazyLock;

use egui::{
    Color32, Image, Rect, Response, RichText, Sense, StrokeKind, TextureHandle, TextureOptions, Ui,
    pos2, vec2,
};

use crate::ui::editor::{Editor, Request};
use crate::ui::files::Event;
use crate::ui::icons::{self, Icon};
use crate::ui::presets;
use crate::ui::shelf::{self, Own};
use crate::ui::{theme, widgets};

/// What the gallery remembers.
#[derive(Default)]
pub struct Gallery {
    query: String,
    /// The tag that is asked for; [`FAVOURITES`] for those with a star.
    tag: Option<&'static str>,
    /// Ids of the looks with a star.
    pub favourites: BTreeSet<String>,
    pictures: HashMap<String, Picture>,
}

/// Stands for the looks with a star among the tags.
const FAVOURITES: &str = "favourites";
/// Stands for the looks of one's own among the tags.
const OWN: &str = "mine";

/// A look in the gallery: one that comes with Eddy, or one of one's own.
#[derive(Clone)]
struct Look {
    id: String,
    name: String,
    description: String,
    tags: Vec<String>,
    from: From,
}

#[derive(Clone)]
enum From {
    Library(usize),
    Own(PathBuf),
}

/// Every look: one's own first.
fn all(own: &[Own]) -> Vec<Look> {
    let own = own.iter().map(|o| Look {
        id: o.id(),
        name: o.name.clone(),
        description: o.description.clone(),
        tags: o.tags.clone(),
        from: From::Own(o.path.clone()),
    });
    let library = presets::all().iter().enumerate().map(|(i, p)| Look {
        id: p.id.clone(),
        name: p.name.clone(),
        description: p.description.clone(),
        tags: p.tags.clone(),
        from: From::Library(i),
    });
    own.chain(library).collect()
}

/// Tags that several looks have, the most frequent first.
static TAGS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for tag in presets::all().iter().flat_map(|p| &p.tags) {
        *counts.entry(tag).or_default() += 1;
    }
    let mut tags: Vec<_> = counts.into_iter().filter(|(_, n)| *n > 1).collect();
    tags.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    tags.into_iter().map(|(tag, _)| tag).collect()
});

enum Picture {
    Asked,
    Arrived(egui::ColorImage),
    Shown(TextureHandle),
}

impl Gallery {
    /// A picture was read.
    pub fn receive(&mut self, id: String, image: egui::ColorImage) {
        self.pictures.insert(id, Picture::Arrived(image));
    }

    /// The pictures of these looks may be others now.
    pub fn forget_pictures(&mut self, own: &[Own]) {
        for own in own {
            self.pictures.remove(&own.id());
        }
    }
}

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    widgets::scroll(ui, "presets", |ui| {
        let width = ui.available_width();
        widgets::search(ui, &mut editor.panels.presets.query, "Search looks", width);
        let any_own = !editor.shelf.own.is_empty();
        tags(&mut editor.panels.presets, ui, any_own);
        ui.add_space(theme::GAP);
        let query = editor.panels.presets.query.to_lowercase();
        let mut found = all(&editor.shelf.own);
        found.retain(|p| matches(p, &query) && editor.panels.presets.wants(p));
        if found.is_empty() {
            let hint = match editor.panels.presets.tag {
                Some(FAVOURITES) => "Point at a look and click its star to find it here.",
                _ => "Try “smoke”, “ink” or “wind”.",
            };
            widgets::empty(ui, "No look found", hint);
            return;
        }
        let columns = ((width + theme::GAP) / (theme::THUMBNAIL + theme::GAP))
            .floor()
            .max(1.0);
        let side = ((width - theme::GAP * (columns - 1.0)) / columns).floor();
        for row in found.chunks(columns as usize) {
            ui.horizontal_top(|ui| {
                for look in row {
                    let opened = editor.document().name == look.name;
                    let card = card(editor, ui, look, side, opened);
                    if card.clicked() {
                        editor.ask(match &look.from {
                            From::Library(index) => Request::Preset(*index),
                            From::Own(path) => Request::Own(path.clone()),
                        });
                    }
                    if let From::Own(path) = &look.from {
                        card.context_menu(|ui| own_menu(editor, ui, path));
                    }
                }
            });
        }
    });
}

impl Gallery {
    fn wants(&self, preset: &Look) -> bool {
        match self.tag {
            None => true,
            Some(OWN) => matches!(preset.from, From::Own(_)),
            Some(FAVOURITES) => self.favourites.contains(&preset.id),
            Some(tag) => preset.tags.iter().any(|t| t == tag),
        }
    }
}

/// What can be done with a look of one's own.
fn own_menu(editor: &mut Editor, ui: &mut Ui, path: &std::path::Path) {
    if ui.button("Open to change the preset itself").clicked() {
        editor.ask(Request::File(path.to_owned()));
        ui.close();
    }
    if let Some(folder) = path.parent()
        && ui.button("Show its folder").clicked()
    {
        editor.ask(Request::Reveal(folder.to_owned()));
        ui.close();
    }
    ui.menu_button("Remove…", |ui| {
        let Some(own) = editor.shelf.own.iter().find(|o| o.path == path).cloned() else {
            return;
        };
        widgets::note(ui, "Its file and its picture are deleted.");
        if ui.button("Delete the preset").clicked() {
            shelf::remove(editor, &own);
            ui.close();
        }
    });
}

/// What can be asked for with one click.
fn tags(gallery: &mut Gallery, ui: &mut Ui, any_own: bool) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(2.0, 2.0);
        ui.spacing_mut().button_padding = vec2(5.0, 1.0);
        let own = any_own.then_some(OWN);
        for tag in own
            .into_iter()
            .chain([FAVOURITES])
            .chain(TAGS.iter().copied())
        {
            let on = gallery.tag == Some(tag);
            let text = RichText::new(tag).small();
            if ui.selectable_label(on, text).clicked() {
                gallery.tag = (!on).then_some(tag);
            }
        }
    });
}

/// The star of a look: always there where it is set, else under the pointer.
fn star(editor: &mut Editor, ui: &mut Ui, place: Rect, preset: &Look, pointed: bool) {
    let favourites = &mut editor.panels.presets.favourites;
    let on = favourites.contains(&preset.id);
    if !on && !pointed {
        return;
    }
    let rect = Rect::from_min_size(place.right_top() + vec2(-24.0, 2.0), vec2(22.0, 22.0));
    let response = ui.interact(
        rect,
        ui.scope_id().with(("star", &preset.id)),
        Sense::click(),
    );
    let name = format!("Favourite {}", preset.name);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, on, &name));
    ui.painter()
        .circle_filled(rect.center(), 10.0, theme::plate());
    let color = if on { theme::warn() } else { theme::bright() };
    icons::paint(
        ui.painter(),
        if on { Icon::Star } else { Icon::EmptyStar },
        rect.shrink(5.0),
        color,
    );
    if response.clicked() && !favourites.remove(&preset.id) {
        favourites.insert(preset.id.clone());
    }
}

fn matches(preset: &Look, query: &str) -> bool {
    let text = format!(
        "{} {} {}",
        preset.name,
        preset.description,
        preset.tags.join(" ")
    )
    .to_lowercase();
    query.split_whitespace().all(|word| text.contains(word))
}

fn card(editor: &mut Editor, ui: &mut Ui, preset: &Look, side: f32, opened: bool) -> Response {
    let picture = side * 0.75;
    // A long name takes two lines.
    let font = egui::TextStyle::Body.resolve(ui.style());
    let name = ui
        .painter()
        .layout(preset.name.clone(), font, Color32::PLACEHOLDER, side - 4.0);
    // Whole points a line, which are the same on every screen; lines themselves are a whole number of its pixels.
    let lines = name.rows.len().max(1) as f32;
    let size = vec2(
        side,
        picture + 8.0 + lines * (name.size().y / lines).round(),
    );
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response
        .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, opened, &preset.name));
    if ui.is_rect_visible(rect) {
        let place = Rect::from_min_size(rect.min, vec2(side, picture));
        ui.painter()
            .rect_filled(place, theme::CORNER, theme::sunken());
        if let Some(texture) = texture(editor, ui, preset) {
            let size = texture.size_vec2();
            Image::new(&texture)
                .uv(cropped(size.x / size.y.max(1.0), side / picture))
                .corner_radius(theme::CORNER)
                .paint_at(ui, place);
        }
        let pointed = ui.rect_contains_pointer(rect);
        star(editor, ui, place, preset, pointed);
        let edge = match (opened, response.hovered() || response.has_focus()) {
            (true, _) => theme::accent(),
            (_, true) => theme::weak(),
            _ => Color32::TRANSPARENT,
        };
        ui.painter().rect_stroke(
            place,
            theme::CORNER,
            egui::Stroke::new(1.5, edge),
            StrokeKind::Inside,
        );
        let color = if opened || response.hovered() {
            theme::bright()
        } else {
            theme::text()
        };
        let below = pos2(rect.left() + 2.0, place.bottom() + 3.0);
        ui.painter().galley(below, name, color);
    }
    response.on_hover_ui(|ui| {
        ui.label(RichText::new(&preset.name).color(theme::bright()).strong());
        ui.add(egui::Label::new(&preset.description).wrap());
        if !preset.tags.is_empty() {
            widgets::note(ui, &preset.tags.join(" · "));
        }
    })
}

/// The middle of a picture in the shape of its place.
pub(super) fn cropped(picture: f32, place: f32) -> Rect {
    let (w, h) = if picture > place {
        (place / picture, 1.0)
    } else {
        (1.0, picture / place)
    };
    Rect::from_center_size(pos2(0.5, 0.5), vec2(w, h))
}

/// The picture of a look of the library, as soon as it is there.
pub(super) fn library_picture(editor: &mut Editor, ui: &Ui, index: usize) -> Option<TextureHandle> {
    let preset = presets::all().get(index)?;
    let look = Look {
        id: preset.id.clone(),
        name: String::new(),
        description: String::new(),
        tags: Vec::new(),
        from: From::Library(index),
    };
    texture(editor, ui, &look)
}

/// The texture of a look; asked for when it is first seen.
fn texture(editor: &mut Editor, ui: &Ui, look: &Look) -> Option<TextureHandle> {
    let pictures = &mut editor.panels.presets.pictures;
    let id = look.id.clone();
    let (next, texture) = match pictures.remove(&id) {
        None => {
            let (id, from) = (id.clone(), look.from.clone());
            editor.jobs.spawn(move |report| {
                let image = match from {
                    From::Library(index) => presets::thumbnail(index),
                    From::Own(path) => shelf::thumbnail(&path.with_extension("png")),
                };
                if let Some(image) = image {
                    report(Event::Thumbnail(id, image));
                }
            });
            (Picture::Asked, None)
        }
        Some(Picture::Asked) => (Picture::Asked, None),
        Some(Picture::Arrived(image)) => {
            let texture =
                ui.ctx()
                    .load_texture(format!("look {id}"), image, TextureOptions::LINEAR);
            (Picture::Shown(texture.clone()), Some(texture))
        }
        Some(Picture::Shown(texture)) => (Picture::Shown(texture.clone()), Some(texture)),
    };
    pictures.insert(id, next);
    texture
}
