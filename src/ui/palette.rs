//! Everything that can be done, found by typing its name.

use egui::{Align2, Context, Frame, Id, Key, Margin, RichText, Ui, Window, vec2};

use crate::edit::Action;

use super::editor::{Editor, Request};
use super::panels::PANELS;
use super::{presets, shortcuts, theme, widgets};

/// Whether it is open, and what is typed.
#[derive(Default)]
pub struct Palette {
    open: bool,
    query: String,
    chosen: usize,
    fresh: bool,
}

impl Palette {
    /// Opens it.
    pub fn open(&mut self) {
        *self = Self {
            open: true,
            fresh: true,
            ..Self::default()
        };
    }
    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.open
    }
}

/// Most entries that are shown.
const MOST: usize = 12;

/// Keys that it takes before anything else sees them.
struct Keys {
    up: bool,
    down: bool,
    enter: bool,
    escape: bool,
}

impl Keys {
    fn taken(ctx: &Context) -> Self {
        ctx.input_mut(|i| {
            let mut key = |k| i.consume_key(egui::Modifiers::NONE, k);
            Self {
                up: key(Key::ArrowUp),
                down: key(Key::ArrowDown),
                enter: key(Key::Enter),
                escape: key(Key::Escape),
            }
        })
    }
}

/// Draws it, if it is open.
pub fn show(editor: &mut Editor, ctx: &Context) {
    let palette = &mut editor.panels.palette;
    if !palette.open {
        return;
    }
    let keys = Keys::taken(ctx);
    let frame = Frame::new()
        .fill(theme::bar())
        .stroke(egui::Stroke::new(1.0, theme::line()))
        .corner_radius(theme::CORNER + 2)
        .shadow(ctx.global_style().visuals.window_shadow)
        .inner_margin(Margin::same(theme::MARGIN));
    let picked = Window::new("Search actions")
        .id(Id::unique("palette"))
        .title_bar(false)
        .resizable(false)
        .anchor(Align2::CENTER_TOP, vec2(0.0, 90.0))
        .fixed_size(vec2(460.0, 0.0))
        .frame(frame)
        .show(ctx, |ui| list(palette, ui, &keys))
        .and_then(|shown| shown.inner.flatten());
    if keys.escape || picked.is_some() {
        palette.open = false;
    }
    if let Some(request) = picked {
        editor.ask(request);
    }
}

/// What is typed, and what it finds. Returns what was picked.
fn list(palette: &mut Palette, ui: &mut Ui, keys: &Keys) -> Option<Request> {
    let width = ui.available_width();
    let response = widgets::search(ui, &mut palette.query, "What to do", width);
    if std::mem::take(&mut palette.fresh) {
        response.request_focus();
    }
    if response.changed() {
        palette.chosen = 0;
    }
    let found = entries(ui.ctx(), &palette.query);
    if keys.up {
        palette.chosen = palette.chosen.saturating_sub(1);
    }
    if keys.down {
        palette.chosen += 1;
    }
    palette.chosen = palette.chosen.min(found.len().saturating_sub(1));
    let mut picked = None;
    if found.is_empty() {
        widgets::note(ui, "Nothing is called so.");
    }
    for (i, (label, shortcut, request)) in found.into_iter().enumerate() {
        let on = i == palette.chosen;
        let button = egui::Button::selectable(on, label)
            .right_text(RichText::new(shortcut).small().color(theme::weak()));
        let clicked = ui.add_sized([width, theme::ROW], button).clicked();
        if clicked || (on && keys.enter) {
            picked = Some(request);
        }
    }
    picked
}

/// What matches, best first.
fn entries(ctx: &Context, query: &str) -> Vec<(String, String, Request)> {
    let actions = Action::ALL
        .into_iter()
        .filter(|a| *a != Action::Palette)
        .map(|a| {
            (
                a.label().to_owned(),
                shortcuts::shown(ctx, a),
                Request::Do(a),
            )
        });
    let panels = PANELS.iter().map(|p| {
        (
            format!("Show {}", p.title.to_lowercase()),
            String::new(),
            Request::Show(p.id),
        )
    });
    let looks = presets::all().iter().enumerate().map(|(i, p)| {
        (
            format!("Open look: {}", p.name),
            String::new(),
            Request::Preset(i),
        )
    });
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    actions
        .chain(panels)
        .chain(looks)
        .filter(|(label, ..)| {
            let label = label.to_lowercase();
            words.iter().all(|w| label.contains(w))
        })
        .take(MOST)
        .collect()
}
