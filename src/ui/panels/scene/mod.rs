//! What is simulated: an outline of everything in the scene, and the inspector of what is chosen.

mod deeds;
mod outliner;
mod row;

use egui::{RichText, Ui};

use super::lists;
use crate::document::Document;
use crate::edit::arrange::free_name;
use crate::edit::figure::facts;
use crate::edit::{Action, Edit, List};
use crate::scene::{Condition, Disc, Scene, Shape};
use crate::solvers::Feature;
use crate::ui::editor::{Editor, Request};
use crate::ui::icons::{self, Icon};
use crate::ui::inspector::Inspector;
use crate::ui::{theme, widgets};

pub use deeds::perform;
pub use outliner::{Chosen, Outliner};

/// The lists of the scene, as they are called, with the parts of which a method must honour one to use them.
const SECTIONS: &[(List, &str, &[Feature])] = &[
    (
        List::Emitters,
        "Emitters",
        &[
            Feature::Dye,
            Feature::Temperature,
            Feature::Velocity,
            Feature::Liquid,
        ],
    ),
    (List::Obstacles, "Obstacles", &[Feature::Obstacles]),
    (List::Terrain, "Terrain", &[Feature::Terrain]),
    (List::Motors, "Wind motors", &[Feature::Motors]),
    (
        List::Strokes,
        "Brush strokes",
        &[Feature::Dye, Feature::Velocity],
    ),
];

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    let document = editor.document().clone();
    widgets::scroll(ui, "scene", |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        row::domain(editor, ui, &document);
        for (list, title, features) in SECTIONS {
            section(editor, ui, &document, *list, title, features);
        }
        if List::ALL
            .iter()
            .all(|l| *l == List::Outputs || l.len(&document) == 0)
        {
            widgets::empty(
                ui,
                "The scene is empty",
                "Add an emitter with + for something to see, or drag in the picture to stir.",
            );
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
                stroke_tools(editor, ui, document);
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
    row::list(editor, ui, document, list);
}

/// Brush strokes are painted, not added.
fn stroke_tools(editor: &mut Editor, ui: &mut Ui, document: &Document) {
    let some = !document.scene.strokes.is_empty();
    ui.add_enabled_ui(some, |ui| {
        let tip = Action::ClearStrokes.doc();
        if icons::small(ui, Icon::Delete, "Clear strokes", tip).clicked() {
            editor.act(Action::ClearStrokes);
        }
        let tip = Action::Replay.doc();
        if icons::small(ui, Icon::Play, "Replay strokes", tip).clicked() {
            editor.act(Action::Replay);
        }
    });
}

/// A new item about the middle of the domain, in proportion to it, beside what is there, with a name of its own.
fn placed(document: &Document, list: List) -> Edit {
    let size = document.scene.domain.grid().size();
    let taken = taken(&document.scene);
    let free = |high: f32| free_place(size, [size[0] * 0.5, size[1] * high], &taken);
    let middle = free(0.5);
    let name = |name: &str| free_name(&document.scene, list, name);
    match Edit::add(list) {
        Edit::AddEmitter(mut item) => {
            item.name = name(&item.name);
            item.position = free(0.2);
            Edit::AddEmitter(item)
        }
        Edit::AddObstacle(mut item) => {
            item.name = name(&item.name);
            item.position = middle;
            Edit::AddObstacle(item)
        }
        Edit::AddTerrain(mut item) => {
            item.name = name(&item.name);
            item.position = middle;
            let edge = size[0].min(size[1]);
            item.shape = Shape::Disc(Disc {
                radius: edge * 0.15,
            });
            item.softness = edge * 0.1;
            Edit::AddTerrain(item)
        }
        Edit::AddMotor(mut item) => {
            item.name = name(&item.name);
            item.position = middle;
            item.radius = size[0].min(size[1]) * 0.3;
            Edit::AddMotor(item)
        }
        other => other,
    }
}

/// Where items are.
fn taken(scene: &Scene) -> Vec<[f32; 3]> {
    let emitters = scene.emitters.iter().map(|i| i.position);
    let obstacles = scene.obstacles.iter().map(|i| i.position);
    let motors = scene.motors.iter().map(|i| i.position);
    let terrain = scene.terrain.iter().map(|i| i.position);
    let all = emitters.chain(obstacles).chain(motors);
    all.chain(terrain).collect()
}

/// The place nearest to `first` on a spiral round it, within the domain, at which nothing lies.
fn free_place(size: [f32; 3], first: [f32; 2], taken: &[[f32; 3]]) -> [f32; 3] {
    let step = 0.07 * size[0].min(size[1]);
    let inside = |axis: usize, at: f32| at.clamp(0.05 * size[axis], 0.95 * size[axis]);
    let place = |n: u16| {
        let n = f32::from(n);
        // The golden angle fills a disc evenly.
        let (sin, cos) = (n * 2.399_963).sin_cos();
        let r = 1.6 * step * n.sqrt();
        [
            inside(0, first[0] + r * cos),
            inside(1, first[1] + r * sin),
            0.0,
        ]
    };
    let is_free = |p: &[f32; 3]| {
        taken
            .iter()
            .all(|t| (t[0] - p[0]).hypot(t[1] - p[1]) >= step)
    };
    (0..200)
        .map(place)
        .find(is_free)
        .unwrap_or_else(|| place(0))
}

fn inspector(editor: &mut Editor, ui: &mut Ui, document: &Document) {
    let flat = document.scene.domain.cells_z <= 1;
    let (path, title) = match editor.panels.scene.chosen() {
        Chosen::Domain => ("scene".to_owned(), "Domain and forces".to_owned()),
        Chosen::Item(list, i) => {
            let name = facts(&document.scene, (list, i)).map_or(list.item(), |f| f.name);
            (format!("{}.{i}", list.path()), name.to_owned())
        }
    };
    ui.separator();
    widgets::heading(ui, &title);
    let more = editor.panels.scene.items().len().saturating_sub(1);
    if more > 0 {
        let others = crate::ui::format::count(more, "other");
        widgets::note(
            ui,
            &format!("{others} chosen too; what is set here counts for this one."),
        );
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_items_lie_beside_each_other_and_within() {
        let mut taken = Vec::new();
        for n in 0..60 {
            let place = free_place([2.0, 1.0, 0.0], [1.0, 0.5], &taken);
            assert!((0.05..1.95).contains(&place[0]) && (0.05..=0.95).contains(&place[1]));
            let nearest = |t: &[f32; 3]| (t[0] - place[0]).hypot(t[1] - place[1]);
            assert!(
                taken.iter().map(nearest).all(|d| d >= 0.07),
                "{n}: {place:?}"
            );
            taken.push(place);
        }
        // A box that is full takes more all the same.
        let full: Vec<_> = (0..40_000)
            .map(|i| [(i % 200) as f32 * 0.01, (i / 200) as f32 * 0.005, 0.0])
            .collect();
        assert_eq!(
            free_place([2.0, 1.0, 0.0], [1.0, 0.5], &full),
            [1.0, 0.5, 0.0]
        );
    }
}
