//! What is simulated: an outline of everything in the scene, and the inspector of what is chosen.

use egui::{Label, Rect, RichText, Sense, Ui, UiBuilder, vec2};

use super::lists;
use crate::document::Document;
use crate::edit::{Action, Edit, List};
use crate::params::Value;
use crate::scene::Condition;
use crate::solvers::Feature;
use crate::ui::editor::{Editor, Request};
use crate::ui::icons::{self, Icon};
use crate::ui::inspector::Inspector;
use crate::ui::{theme, widgets};

/// The lists of the scene, as they are called, with the parts of which a method must honour one to use them.
const SECTIONS: &[(List, &str, &[Feature])] = &[
    (
        List::Emitters,
        "Emitters",
        &[Feature::Dye, Feature::Temperature, Feature::Velocity],
    ),
    (List::Obstacles, "Obstacles", &[Feature::Obstacles]),
    (List::Motors, "Wind motors", &[Feature::Motors]),
    (
        List::Strokes,
        "Brush strokes",
        &[Feature::Dye, Feature::Velocity],
    ),
];

/// What is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Chosen {
    /// Domain, forces and seed.
    #[default]
    Domain,
    /// An item of a list.
    Item(List, usize),
}

/// What the outliner remembers.
#[derive(Default)]
pub struct Outliner {
    chosen: Chosen,
}

impl Outliner {
    /// Chooses the domain.
    pub fn clear(&mut self) {
        self.chosen = Chosen::Domain;
    }
    /// What is chosen.
    pub fn chosen(&self) -> Chosen {
        self.chosen
    }
    /// Chooses something.
    pub fn choose(&mut self, chosen: Chosen) {
        self.chosen = chosen;
    }
}

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    let document = editor.document().clone();
    if let Chosen::Item(list, i) = editor.panels.scene.chosen
        && i >= list.len(&document)
    {
        editor.panels.scene.clear();
    }
    widgets::scroll(ui, "scene", |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        let domain = editor.panels.scene.chosen == Chosen::Domain;
        if row(ui, "Domain and forces", domain, true, 0.0).clicked() {
            editor.panels.scene.choose(Chosen::Domain);
        }
        for (list, title, features) in SECTIONS {
            section(editor, ui, &document, *list, title, features);
        }
        ui.add_space(theme::GROUP_GAP);
        ui.spacing_mut().item_spacing.y = theme::GAP;
        inspector(editor, ui, &document);
    });
}

fn section(
    editor: &mut Editor,
    ui: &mut Ui,
    document: &Document,
    list: List,
    title: &str,
    features: &[Feature],
) {
    let info = document.method.info();
    let honoured = info.honours.iter().any(|f| features.contains(f));
    ui.add_space(theme::GAP);
    ui.horizontal(|ui| {
        ui.set_min_height(theme::ROW);
        ui.label(RichText::new(title).small().color(theme::weak()));
        if !honoured && list.len(document) > 0 {
            ui.label(RichText::new("not used").small().color(theme::warn()))
                .on_hover_text(format!("{} leaves these out.", info.title));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if list == List::Strokes {
                let some = !document.scene.strokes.is_empty();
                ui.add_enabled_ui(some, |ui| {
                    let tip = Action::ClearStrokes.doc();
                    if icons::small(ui, Icon::Delete, "Clear strokes", tip).clicked() {
                        editor.act(Action::ClearStrokes);
                    }
                });
                return;
            }
            let name = format!("Add {}", list.item());
            ui.add_enabled_ui(honoured, |ui| {
                if icons::small(ui, Icon::Add, &name, &name).clicked() {
                    let index = list.len(document);
                    editor.ask(Request::Edit(name.clone(), vec![placed(document, list)]));
                    editor.panels.scene.choose(Chosen::Item(list, index));
                }
            });
        });
    });
    for i in 0..list.len(document) {
        item(editor, ui, document, list, i);
    }
}

/// A new item in the middle of the domain, in proportion to it.
fn placed(document: &Document, list: List) -> Edit {
    let size = document.scene.domain.grid().size();
    let middle = [size[0] * 0.5, size[1] * 0.5, 0.0];
    match Edit::add(list) {
        Edit::AddEmitter(mut item) => {
            item.position = [middle[0], size[1] * 0.2, 0.0];
            Edit::AddEmitter(item)
        }
        Edit::AddObstacle(mut item) => {
            item.position = middle;
            Edit::AddObstacle(item)
        }
        Edit::AddMotor(mut item) => {
            item.position = middle;
            item.radius = size[0].min(size[1]) * 0.3;
            Edit::AddMotor(item)
        }
        other => other,
    }
}

fn name_of(document: &Document, list: List, i: usize) -> Option<(&str, bool)> {
    let scene = &document.scene;
    match list {
        List::Emitters => scene.emitters.get(i).map(|e| (e.name.as_str(), e.enabled)),
        List::Obstacles => scene.obstacles.get(i).map(|e| (e.name.as_str(), e.enabled)),
        List::Motors => scene.motors.get(i).map(|e| (e.name.as_str(), e.enabled)),
        List::Strokes => scene.strokes.get(i).map(|e| (e.name.as_str(), e.enabled)),
        List::Outputs => None,
    }
}

fn item(editor: &mut Editor, ui: &mut Ui, document: &Document, list: List, i: usize) {
    let Some((name, enabled)) = name_of(document, list, i) else {
        return;
    };
    let chosen = editor.panels.scene.chosen == Chosen::Item(list, i);
    let tools = 3.0 * (theme::ROW - 4.0);
    ui.push_id((list.path(), i), |ui| {
        let response = row(ui, name, chosen, enabled, tools);
        if response.clicked() {
            editor.panels.scene.choose(Chosen::Item(list, i));
        }
        let right = Rect::from_min_max(
            response.rect.right_top() - vec2(tools + 2.0, 0.0),
            response.rect.right_bottom(),
        );
        let mut tools = ui.new_child(
            UiBuilder::new()
                .max_rect(right)
                .layout(egui::Layout::right_to_left(egui::Align::Center)),
        );
        tools.spacing_mut().item_spacing.x = 0.0;
        item_tools(editor, &mut tools, list, i, name, enabled);
    });
}

fn item_tools(editor: &mut Editor, ui: &mut Ui, list: List, i: usize, name: &str, enabled: bool) {
    if icons::small(ui, Icon::Delete, &format!("Delete {name}"), "Delete").clicked() {
        editor.ask(Request::Edit(
            format!("Delete {name}"),
            vec![Edit::Remove(list, i)],
        ));
    }
    let duplicate = format!("Duplicate {name}");
    if icons::small(ui, Icon::Duplicate, &duplicate, "Duplicate").clicked() {
        editor.ask(Request::Edit(duplicate, vec![Edit::Duplicate(list, i)]));
        editor.panels.scene.choose(Chosen::Item(list, i + 1));
    }
    let (icon, verb, tip) = if enabled {
        (
            Icon::Shown,
            "Switch off",
            "Takes part. Click to switch it off.",
        )
    } else {
        (
            Icon::Hidden,
            "Switch on",
            "Is left out. Click to switch it on.",
        )
    };
    if icons::small(ui, icon, &format!("{verb} {name}"), tip).clicked() {
        let path = format!("{}.{i}.enabled", list.path());
        editor.ask(Request::Edit(
            format!("{verb} {name}"),
            vec![Edit::Set(path, Value::Bool(!enabled))],
        ));
    }
}

/// A row that can be chosen; `room` is kept free at its end.
fn row(ui: &mut Ui, text: &str, chosen: bool, enabled: bool, room: f32) -> egui::Response {
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, chosen, text));
    if ui.is_rect_visible(rect) {
        let fill = if chosen {
            Some(theme::accent_fill())
        } else if response.hovered() {
            Some(theme::bar())
        } else {
            None
        };
        if let Some(fill) = fill {
            ui.painter().rect_filled(rect, theme::CORNER, fill);
        }
        let color = match (chosen, enabled) {
            (true, _) => theme::bright(),
            (_, true) => theme::text(),
            _ => theme::weak(),
        };
        let place = Rect::from_min_max(rect.min + vec2(8.0, 0.0), rect.max - vec2(room, 0.0));
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
    }
    response
}

fn inspector(editor: &mut Editor, ui: &mut Ui, document: &Document) {
    let flat = document.scene.domain.cells_z <= 1;
    let (path, title) = match editor.panels.scene.chosen {
        Chosen::Domain => ("scene".to_owned(), "Domain and forces".to_owned()),
        Chosen::Item(list, i) => {
            let name = name_of(document, list, i).map_or(list.item(), |(name, _)| name);
            (format!("{}.{i}", list.path()), name.to_owned())
        }
    };
    ui.separator();
    widgets::heading(ui, &title);
    let three = document.method.info().dims.contains(&3);
    let hidden = |path: &str| {
        let depth = ["scene.domain.back", "scene.domain.front"].contains(&path);
        (flat && depth)
            || (!three && path == "scene.domain.cells_z")
            || (path.starts_with("scene.strokes.") && path.ends_with(".points"))
            || idle_velocity(document, path)
    };
    let outcomes = Inspector {
        flat,
        advanced: true,
        hidden: &hidden,
        lists: lists::INNER,
        closed: &["activity", "path"],
        frame: Some((document, editor.present_frame())),
        ..Inspector::default()
    }
    .show(ui, document, &path);
    editor.outcomes(ui.ctx(), outcomes);
}

/// Whether that is the velocity of a face at which it does nothing.
fn idle_velocity(document: &Document, path: &str) -> bool {
    let domain = &document.scene.domain;
    let face = match path {
        "scene.domain.left.velocity" => &domain.left,
        "scene.domain.right.velocity" => &domain.right,
        "scene.domain.bottom.velocity" => &domain.bottom,
        "scene.domain.top.velocity" => &domain.top,
        "scene.domain.back.velocity" => &domain.back,
        "scene.domain.front.velocity" => &domain.front,
        _ => return false,
    };
    !matches!(face.condition, Condition::NoSlip | Condition::Inflow)
}
