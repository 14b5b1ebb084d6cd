//! The panel that every parameter gets: rows drawn from the declarations, whatever they belong to.
//!
//! A part of the document is taken apart into a list of groups and leaves ([`tree`]); each leaf becomes a row with a label,
//! something to operate, a unit and a way back to the default (`row`). What the hand does comes back as [`Outcome`]s,
//! which the editor turns into steps that can be undone. Nothing here knows any parameter.

mod choice;
mod color;
mod mark;
mod row;
pub mod tree;

use egui::collapsing_header::CollapsingState;
use egui::{Id, Label, RichText, Sense, Ui, vec2};

use crate::document::Document;
use crate::params::{Effect, Spec, Value};

use super::{icons, icons::Icon, theme, widgets};
use tree::Node;

/// What the hand did to a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Gave it a value.
    Set {
        /// Dotted path in the document.
        path: String,
        /// As shown.
        label: String,
        /// The new value.
        value: Value,
        /// Live or restart.
        effect: Effect,
        /// The text field that is being typed into, if that is how.
        typing: Option<Id>,
        /// Another parameter that gets its value in the same step.
        also: Option<(String, Value)>,
    },
    /// Asked for another item at the end of a list.
    Add {
        /// Dotted path of the list.
        list: String,
    },
    /// Did something to the keys of a parameter.
    Animate {
        /// Dotted path in the document.
        path: String,
        /// As shown.
        label: String,
        /// What is shown at the present frame.
        value: Value,
        /// What was done.
        deed: Deed,
    },
    /// Took an item out of a list.
    Remove {
        /// Dotted path of the list.
        list: String,
        /// Position.
        index: usize,
    },
}

pub use mark::Deed;
pub use row::shown;

/// What one may choose for a text, as shown and as written.
pub type Suggest<'a> = &'a dyn Fn(&str) -> Option<Vec<(String, String)>>;

/// How a part is shown.
pub struct Inspector<'a> {
    /// Only what matches; everything where empty.
    pub query: &'a str,
    /// Whether what is rarely needed is shown too.
    pub advanced: bool,
    /// Whether the scene has two dimensions: third components that do nothing are left out.
    pub flat: bool,
    /// Paths that are left out.
    pub hidden: &'a dyn Fn(&str) -> bool,
    /// Choices for texts.
    pub suggest: Suggest<'a>,
    /// What a parameter or a list is called, by path, where that is not what its name says.
    pub label: &'a dyn Fn(&str) -> Option<&'static str>,
    /// Shows a parameter as something else than it is declared as.
    pub adapt: &'a dyn Fn(&str, &mut Spec, &mut Value),
    /// What an alternative of the parameter at a path is called.
    pub option: &'a dyn Fn(&str, &str) -> Option<&'static str>,
    /// Names of the groups that are lists, to which items can be added.
    pub lists: &'a [&'a str],
    /// Names of the groups that are closed until something in them is changed.
    pub closed: &'a [&'a str],
    /// What the leaf `kind` at the top is called.
    pub kind_label: &'a str,
    /// The document and the present frame, where parameters can be animated: they are shown as they are then.
    pub frame: Option<(&'a Document, u32)>,
}

impl Default for Inspector<'_> {
    fn default() -> Self {
        Self {
            query: "",
            advanced: false,
            flat: true,
            hidden: &|_| false,
            suggest: &|_| None,
            label: &|_| None,
            adapt: &|_, _, _| {},
            option: &|_, _| None,
            lists: &[],
            closed: &[],
            kind_label: "Kind",
            frame: None,
        }
    }
}

impl Inspector<'_> {
    /// Draws the part of the document at `path` and says what was done to it.
    pub fn show(&self, ui: &mut Ui, document: &Document, path: &str) -> Vec<Outcome> {
        let mut nodes = tree::collect(document, path, self.hidden);
        for node in &mut nodes {
            if let Node::Leaf { path, spec, value } = node {
                (self.adapt)(path, spec, value);
                self.at_present(path, spec, value);
            }
        }
        if !self.query.trim().is_empty() {
            nodes = tree::matching(&nodes, self.query);
            if nodes.is_empty() {
                widgets::empty(
                    ui,
                    "Nothing matches",
                    "Try a shorter word, such as “speed” or “colour”.",
                );
            }
        }
        let mut outcomes = Vec::new();
        self.nodes(ui, &nodes, 0, &mut outcomes);
        outcomes
    }

    fn nodes(&self, ui: &mut Ui, nodes: &[Node], depth: usize, outcomes: &mut Vec<Outcome>) {
        let mut i = 0;
        while i < nodes.len() {
            match &nodes[i] {
                Node::Leaf { path, spec, value } => {
                    let wanted = self.advanced
                        || !spec.advanced
                        || !self.query.is_empty()
                        || *value != spec.default;
                    if wanted {
                        row::show(ui, self, depth, path, spec, value, outcomes);
                    }
                    i += 1;
                }
                Node::Open { path, label, doc } => {
                    let end = tree::end(nodes, i);
                    let inside = &nodes[i + 1..end.max(i + 1)];
                    let name = path.rsplit('.').next().unwrap_or_default();
                    if self.lists.contains(&name) {
                        self.list(ui, path, label, doc, inside, depth, outcomes);
                    } else if !inside.is_empty() {
                        self.group(ui, path, label, doc, inside, depth, outcomes);
                    }
                    i = end + 1;
                }
                Node::Close => i += 1,
            }
        }
    }

    fn group(
        &self,
        ui: &mut Ui,
        path: &str,
        label: &str,
        doc: &str,
        inside: &[Node],
        depth: usize,
        outcomes: &mut Vec<Outcome>,
    ) {
        let searching = !self.query.trim().is_empty();
        let changed = tree::changed(inside);
        let id = Id::unique(("inspector group", shape_of(path)));
        let name = path.rsplit('.').next().unwrap_or_default();
        let open = (depth == 0 && !self.closed.contains(&name)) || changed > 0;
        let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, open);
        if header(ui, label, doc, state.is_open() || searching, changed).clicked() {
            state.toggle(ui);
        }
        state.store(ui.ctx());
        if state.is_open() || searching {
            indented(ui, |ui| self.nodes(ui, inside, depth + 1, outcomes));
        }
    }

    fn list(
        &self,
        ui: &mut Ui,
        path: &str,
        label: &str,
        doc: &str,
        inside: &[Node],
        depth: usize,
        outcomes: &mut Vec<Outcome>,
    ) {
        let label = (self.label)(path).unwrap_or(label);
        ui.horizontal(|ui| {
            ui.set_min_height(theme::ROW);
            ui.label(RichText::new(label).color(theme::text()))
                .on_hover_text(doc);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let name = format!("Add to {}", label.to_lowercase());
                if icons::small(ui, Icon::Add, &name, &name).clicked() {
                    outcomes.push(Outcome::Add {
                        list: path.to_owned(),
                    });
                }
            });
        });
        let mut i = 0;
        let mut index = 0;
        while i < inside.len() {
            let end = tree::end(inside, i);
            let item = &inside[i + 1..end.max(i + 1)];
            indented(ui, |ui| {
                let open = item_header(ui, path, label, item, index, outcomes);
                if open || !self.query.trim().is_empty() {
                    self.nodes(ui, item, depth + 1, outcomes);
                }
            });
            index += 1;
            i = end + 1;
        }
        if index == 0 {
            widgets::note(ui, doc);
        }
    }
}

/// The header of an item of a list: what has a name opens and closes under it. Returns whether it is open.
fn item_header(
    ui: &mut Ui,
    list: &str,
    label: &str,
    item: &[Node],
    index: usize,
    outcomes: &mut Vec<Outcome>,
) -> bool {
    let name = item.iter().find_map(|n| match n {
        Node::Leaf {
            spec,
            value: Value::Text(text),
            ..
        } if spec.name == "name" => Some(text.as_str()),
        _ => None,
    });
    let place = ui.cursor().min;
    let open = match name {
        Some(name) => {
            let id = Id::unique(("inspector item", list, index));
            let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, false);
            let title = format!("{} {name}", index + 1);
            if header(ui, &title, "", state.is_open(), 0).clicked() {
                state.toggle(ui);
            }
            state.store(ui.ctx());
            state.is_open()
        }
        None => {
            let size = vec2(ui.available_width(), theme::ROW);
            let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
            let number = format!("{}", index + 1);
            let at = rect.left_center() + vec2(2.0, 0.0);
            let font = egui::TextStyle::Small.resolve(ui.style());
            let align = egui::Align2::LEFT_CENTER;
            ui.painter().text(at, align, number, font, theme::weak());
            true
        }
    };
    let corner = egui::Rect::from_min_size(place, vec2(ui.available_width(), theme::ROW));
    let mut tools = ui.new_child(
        egui::UiBuilder::new()
            .id_salt((list, index))
            .max_rect(corner)
            .layout(egui::Layout::right_to_left(egui::Align::Center)),
    );
    let remove = format!("Remove {} {}", label.to_lowercase(), index + 1);
    if icons::small(&mut tools, Icon::Delete, &remove, &remove).clicked() {
        outcomes.push(Outcome::Remove {
            list: list.to_owned(),
            index,
        });
    }
    open
}

/// A path without positions, so that groups of all items of a list open and close together.
fn shape_of(path: &str) -> String {
    path.split('.')
        .filter(|s| s.parse::<usize>().is_err())
        .collect::<Vec<_>>()
        .join(".")
}

fn indented(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.add_space(8.0);
        let width = ui.available_width();
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.x = theme::GAP;
            ui.set_width(width);
            add(ui);
        });
    });
}

/// The header of a group: the whole width can be clicked.
fn header(ui: &mut Ui, label: &str, doc: &str, open: bool, changed: usize) -> egui::Response {
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::Button, ui.is_enabled(), open, label)
    });
    if ui.is_rect_visible(rect) {
        let color = if response.hovered() {
            theme::bright()
        } else {
            theme::text()
        };
        if response.hovered() {
            ui.painter().rect_filled(rect, theme::CORNER, theme::bar());
        }
        let arrow =
            egui::Rect::from_center_size(rect.left_center() + vec2(6.0, 0.0), vec2(8.0, 8.0));
        triangle(ui, arrow, open, theme::weak());
        let mut inner = ui.new_child(
            egui::UiBuilder::new()
                .max_rect(rect.with_min_x(rect.left() + 16.0))
                .layout(egui::Layout::left_to_right(egui::Align::Center)),
        );
        inner.add(Label::new(RichText::new(label).color(color).strong()).selectable(false));
        if changed > 0 {
            inner.add(
                Label::new(
                    RichText::new(format!("{changed} changed"))
                        .small()
                        .color(theme::accent().gamma_multiply(0.8)),
                )
                .selectable(false),
            );
        }
    }
    if doc.is_empty() {
        response
    } else {
        response.on_hover_text(doc)
    }
}

fn triangle(ui: &Ui, rect: egui::Rect, open: bool, color: egui::Color32) {
    let points = if open {
        vec![rect.left_top(), rect.right_top(), rect.center_bottom()]
    } else {
        vec![rect.left_top(), rect.right_center(), rect.left_bottom()]
    };
    ui.painter().add(egui::Shape::convex_polygon(
        points,
        color,
        egui::Stroke::NONE,
    ));
}
