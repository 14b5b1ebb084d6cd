//! Everything that can be done, found by typing its name.

use egui::{Align2, Context, Frame, Id, Key, Margin, RichText, Ui, Window, vec2};

use crate::document::Document;
use crate::edit::Action;
use crate::params;

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
    let document = editor.document().clone();
    let palette = &mut editor.panels.palette;
    if !palette.open {
        return;
    }
    let keys = Keys::taken(ctx);
    let room = ctx.content_rect().size();
    let top = if room.y < 600.0 { 8.0 } else { 90.0 };
    let frame = Frame::new()
        .fill(theme::bar())
        .stroke(egui::Stroke::new(1.0, theme::line()))
        .corner_radius(theme::CORNER + 2)
        .shadow(ctx.global_style().visuals.window_shadow)
        .inner_margin(Margin::same(theme::MARGIN));
    let picked = Window::new("Search actions")
        .id(Id::unique("palette"))
        .order(egui::Order::Foreground)
        .title_bar(false)
        .resizable(false)
        .anchor(Align2::CENTER_TOP, vec2(0.0, top))
        .fixed_size(vec2(460.0_f32.min(room.x - 40.0), 0.0))
        .frame(frame)
        .show(ctx, |ui| list(palette, ui, &document, &keys))
        .and_then(|shown| shown.inner.flatten());
    if keys.escape || picked.is_some() {
        palette.open = false;
    }
    if let Some(request) = picked {
        editor.ask(request);
    }
}

/// What is typed, and what it finds. Returns what was picked.
fn list(palette: &mut Palette, ui: &mut Ui, document: &Document, keys: &Keys) -> Option<Request> {
    let width = ui.available_width();
    let response = widgets::search(ui, &mut palette.query, "What to do", width);
    if std::mem::take(&mut palette.fresh) {
        response.request_focus();
    }
    if response.changed() {
        palette.chosen = 0;
    }
    let found = entries(ui.ctx(), document, &palette.query);
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
        let button = egui::Button::selectable(on, label).right_text(
            RichText::new(shortcut)
                .small()
                .monospace()
                .color(theme::weak()),
        );
        let clicked = ui.add_sized([width, theme::ROW], button).clicked();
        if clicked || (on && keys.enter) {
            picked = Some(request);
        }
    }
    picked
}

/// Something that can be found.
struct Entry {
    label: String,
    shortcut: String,
    request: Request,
    /// Other words for it.
    words: &'static str,
}

impl Entry {
    fn new(label: impl Into<String>, words: &'static str, request: Request) -> Self {
        Self {
            label: label.into(),
            shortcut: String::new(),
            request,
            words,
        }
    }
    /// How well it is meant by words in small letters: by what it is called, before by what else it might be called.
    fn rank(&self, words: &[String]) -> Option<u32> {
        let label = self.label.to_lowercase();
        let all = words.iter().map(|w| {
            match (label.starts_with(w.as_str()), label.contains(w.as_str())) {
                (true, _) => Some(0),
                (_, true) => Some(1),
                _ if self.words.contains(w.as_str()) => Some(2),
                _ => None,
            }
        });
        all.sum()
    }
}

/// Other words for an action.
fn synonyms(action: Action) -> &'static str {
    match action {
        Action::New => "create begin empty blank scene document",
        Action::Open => "load file read import",
        Action::Save => "write store keep file",
        Action::SaveAs => "write store copy export rename file",
        Action::SavePreset => "store keep library gallery favourite template shelf",
        Action::Revert => "undo all restore discard reload back saved",
        Action::Bake => "export render textures write flow map flipbook unreal unity godot",
        Action::Undo => "back take revert",
        Action::Redo => "again forward repeat",
        Action::PlayPause => "run start stop hold simulate",
        Action::Step => "next advance one",
        Action::Reset => "restart rewind beginning again start",
        Action::Recover => "fault crash explode nan repair",
        Action::ClearStrokes => "delete remove paint brush erase clean",
        Action::Replay => "strokes again from the start repeat",
        Action::SelectTool => "move scale turn rotate pointer handles gizmo transform",
        Action::BrushTool => "stir paint draw pen smudge",
        Action::DuplicateItems => "copy clone twice",
        Action::DeleteItems => "remove erase",
        Action::RenameItem => "name call title",
        Action::RaiseItems => "up order before reorder",
        Action::LowerItems => "down order after reorder",
        Action::HideItems => "show visible mute disable eye",
        Action::LockItems => "unlock protect hold freeze",
        Action::FitView => "zoom whole home frame camera centre center",
        Action::NextField | Action::PreviousField => {
            "channel show pressure velocity dye view cycle"
        }
        Action::SmallerBrush => "radius size thin",
        Action::LargerBrush => "radius size thick bigger",
        Action::LookWorkspace => "layout arrangement tune",
        Action::CompareWorkspace => {
            "layout arrangement versus difference benchmark pareto cost error"
        }
        Action::BakeWorkspace => "layout arrangement export",
        Action::ResetLayout => "panels windows default arrange lost",
        Action::Palette => "command find",
        Action::Keys => "shortcuts keyboard hotkeys help bindings",
        Action::Quit => "exit close leave",
    }
}

/// Other words for a panel.
fn panel_words(id: &str) -> &'static str {
    match id {
        "viewport" => "picture canvas image stage",
        "presets" => "looks library gallery examples templates",
        "scene" => "outliner emitters obstacles motors wind objects sources",
        "parameters" => "settings properties sliders inspector",
        "method" => "solver algorithm scheme paper",
        "view" => "colours colors exposure appearance display",
        "time" => "frames range fps rate warm-up duration",
        "plots" => "graphs charts residual error convergence divergence energy",
        "cost" => "performance profiler timing speed kernels ms",
        "bake" => "export textures flow map flipbook",
        "compare" => "versus difference benchmark pareto cost error solvers methods wipe split",
        "texture" => "preview channels red green blue alpha encoded result",
        "history" => "undo steps",
        "changes" => "diff difference modified saved revert compare",
        "log" => "messages errors warnings console",
        _ => "",
    }
}

/// What is chosen in menus and boxes rather than by a key.
fn choices() -> Vec<Entry> {
    use egui::ThemePreference::{Dark, Light, System};
    let mut all = vec![
        Entry::new(
            "Theme: dark",
            "night black mode appearance colours colors",
            Request::Theme(Dark),
        ),
        Entry::new(
            "Theme: light",
            "day white bright mode appearance colours colors",
            Request::Theme(Light),
        ),
        Entry::new(
            "Theme: as the system",
            "auto mode appearance colours colors",
            Request::Theme(System),
        ),
    ];
    for percent in [75_u8, 100, 125, 150, 200] {
        all.push(Entry::new(
            format!("Size of everything: {percent} %"),
            "ui scale zoom dpi larger smaller bigger font text magnify",
            Request::Zoom(f32::from(percent) / 100.0),
        ));
    }
    all
}

/// What matches, best first.
fn entries(ctx: &Context, document: &Document, query: &str) -> Vec<(String, String, Request)> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let mut all: Vec<Entry> = Action::ALL
        .into_iter()
        .filter(|a| *a != Action::Palette)
        .map(|a| Entry {
            shortcut: shortcuts::shown(ctx, a),
            ..Entry::new(a.label(), synonyms(a), Request::Do(a))
        })
        .collect();
    all.extend(PANELS.iter().map(|p| {
        let label = format!("Show {}", p.title.to_lowercase());
        Entry::new(label, panel_words(p.id), Request::Show(p.id))
    }));
    all.extend(choices());
    let looks = presets::all().iter().enumerate();
    all.extend(looks.map(|(i, p)| {
        Entry::new(
            format!("Open look: {}", p.name),
            "preset example",
            Request::Preset(i),
        )
    }));
    // The many parameters come last, and only where they are asked for.
    if !words.is_empty() {
        let of_method = params::entries(document)
            .into_iter()
            .filter(|e| e.path.starts_with("method."));
        all.extend(of_method.map(|e| {
            let label = e.spec.label();
            Entry::new(
                format!("Parameter: {label}"),
                "setting slider",
                Request::Find(label),
            )
        }));
    }
    let mut found: Vec<(u32, Entry)> = all
        .into_iter()
        .filter_map(|e| Some((e.rank(&words)?, e)))
        .collect();
    // Another look takes the place of this one: what stays in it comes first.
    let elsewhere = |e: &Entry| matches!(e.request, Request::Preset(_));
    found.sort_by_key(|(rank, e)| (elsewhere(e), *rank));
    found.truncate(MOST);
    let parts = |(_, e): (u32, Entry)| (e.label, e.shortcut, e.request);
    found.into_iter().map(parts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(query: &str) -> Vec<String> {
        let ctx = Context::default();
        let found = entries(&ctx, &Document::default(), query);
        found.into_iter().map(|(label, ..)| label).collect()
    }

    #[test]
    fn things_are_found_by_other_words_for_them() {
        for (query, label) in [
            ("light", "Theme: light"),
            ("dark mode", "Theme: dark"),
            ("export", "Bake…"),
            ("zoom 200", "Size of everything: 200 %"),
            ("shortcuts", "Keys…"),
            ("diff", "Show changes"),
            ("profiler", "Show cost"),
            ("vorticity", "Parameter: Vorticity confinement"),
            ("campf", "Open look: Campfire"),
            ("restart", "Reset to frame 0"),
        ] {
            let found = found(query);
            assert!(found.iter().any(|f| f == label), "{query}: {found:?}");
        }
        assert_eq!(found("save")[0], "Save", "what is called so comes first");
        assert!(found("xyzzy").is_empty());
    }
}
