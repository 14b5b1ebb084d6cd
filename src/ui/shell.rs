//! What surrounds the panels: menus above, the status below, questions in between.

use egui::{
    Align, Button, Frame, Key, Layout, Margin, MenuBar, Panel, RichText, ThemePreference, Ui,
};

use crate::device::DeviceChoice;
use crate::edit::Action;
use crate::sim::{Fault, State};

use super::dock::{self, Layout as Dock, Workspace};
use super::editor::{Editor, Request};
use super::panels::PANELS;
use super::panels::viewport::Tool;
use super::{
    format, keys_sheet, palette, path_field, questions, recent, shelf, shortcuts, theme, welcome,
    widgets,
};

/// The menus: a title and the actions below it; none is a line between them.
const MENUS: &[(&str, &[Option<Action>])] = &[
    (
        "File",
        &[
            Some(Action::New),
            Some(Action::Open),
            None,
            Some(Action::Save),
            Some(Action::SaveAs),
            Some(Action::SavePreset),
            Some(Action::Revert),
            None,
            Some(Action::Bake),
            None,
            Some(Action::Quit),
        ],
    ),
    (
        "Edit",
        &[
            Some(Action::Undo),
            Some(Action::Redo),
            None,
            Some(Action::DuplicateItems),
            Some(Action::DeleteItems),
            Some(Action::RenameItem),
            Some(Action::RaiseItems),
            Some(Action::LowerItems),
            Some(Action::HideItems),
            Some(Action::LockItems),
            None,
            Some(Action::ClearStrokes),
            None,
            Some(Action::Palette),
            Some(Action::Keys),
        ],
    ),
    (
        "Simulate",
        &[
            Some(Action::PlayPause),
            Some(Action::Step),
            Some(Action::Reset),
            Some(Action::Replay),
            Some(Action::Recover),
        ],
    ),
    (
        "View",
        &[
            Some(Action::FitView),
            Some(Action::NextField),
            Some(Action::PreviousField),
            None,
            Some(Action::SelectTool),
            Some(Action::BrushTool),
            Some(Action::SmallerBrush),
            Some(Action::LargerBrush),
            None,
            Some(Action::LookWorkspace),
            Some(Action::CompareWorkspace),
            Some(Action::BakeWorkspace),
            Some(Action::ResetLayout),
        ],
    ),
];

/// In a smaller window there is room for nothing that could be read, and none for questions.
const LEAST: egui::Vec2 = egui::vec2(200.0, 120.0);

/// Draws everything and handles keys and dropped files.
pub fn ui(editor: &mut Editor, layout: &mut Dock, ui: &mut Ui) {
    let ctx = ui.ctx().clone();
    theme::enter(&ctx);
    let room = ctx.content_rect().size();
    if room.x < LEAST.x || room.y < LEAST.y {
        egui::CentralPanel::no_frame()
            .frame(Frame::new().fill(theme::deep()))
            .show(ui, |_| {});
        return;
    }
    let document = editor.document().clone();
    editor.panels.scene.keep(&document);
    keys(editor, &ctx);
    dropped(editor, &ctx);
    Panel::top("menus")
        .frame(bar_frame())
        .show(ui, |ui| menus(editor, layout, ui));
    Panel::bottom("status")
        .frame(bar_frame())
        .show(ui, |ui| status(editor, ui));
    egui::CentralPanel::no_frame()
        .frame(Frame::new().fill(theme::deep()))
        .show(ui, |ui| dock::ui(layout, editor, ui));
    delete_key(editor, &ctx);
    // The other workspaces have pictures and tasks of their own.
    if layout.workspace() == Workspace::Look {
        welcome::show(editor, ui);
    }
    questions::ui(editor, ui);
    palette::show(editor, &ctx);
    path_field::show(editor, &ctx);
    keys_sheet::show(editor, &ctx);
    shelf::show(editor, &ctx);
    editor.toasts.show(&ctx);
}

fn bar_frame() -> Frame {
    Frame::new()
        .fill(theme::bar())
        .inner_margin(Margin::symmetric(theme::MARGIN, 3))
}

/// Whether something stands before the window that has the keyboard.
fn asked(editor: &Editor) -> bool {
    editor.guard.is_some()
        || editor.path_field.is_some()
        || editor.shelf.naming.is_some()
        || editor.panels.palette.is_open()
}

fn keys(editor: &mut Editor, ctx: &egui::Context) {
    if asked(editor) {
        return;
    }
    for action in shortcuts::pressed(ctx) {
        editor.act(action);
    }
    // The space bar also holds the picture to pan: it plays when it is let go of without that.
    if ctx.input(|i| i.key_released(Key::Space)) && !ctx.text_edit_focused() {
        let panned = std::mem::take(&mut editor.panels.viewport.panned_by_space);
        if !panned {
            editor.act(Action::PlayPause);
        }
    }
}

/// Delete means what is chosen in the scene, unless something that has the focus, or lies under the pointer, has taken it.
fn delete_key(editor: &mut Editor, ctx: &egui::Context) {
    let free = ctx.memory(|m| m.focused().is_none()) && !asked(editor);
    if free && ctx.input_mut(|i| i.consume_key(egui::Modifiers::NONE, Key::Delete)) {
        editor.act(Action::DeleteItems);
    }
}

/// A document that was dropped onto the window is opened.
fn dropped(editor: &mut Editor, ctx: &egui::Context) {
    let paths: Vec<_> = ctx.input(|i| {
        i.raw
            .dropped_files
            .iter()
            .map(|f| f.path().to_path_buf())
            .collect()
    });
    for path in paths {
        if path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("ron"))
        {
            editor.ask(Request::File(path));
        } else {
            editor.toasts.error(
                "Only looks can be opened by dropping them",
                format!("{} does not end in .ron", path.display()),
            );
        }
    }
}

fn menus(editor: &mut Editor, layout: &mut Dock, ui: &mut Ui) {
    MenuBar::new().ui(ui, |ui| {
        for (title, actions) in MENUS {
            menu(ui, title, |ui| {
                for action in *actions {
                    match action {
                        Some(action) => {
                            menu_entry(editor, ui, *action);
                            if *action == Action::Open {
                                recent::menu(editor, ui);
                            }
                        }
                        None => {
                            ui.separator();
                        }
                    }
                }
                if *title == "View" {
                    appearance(ui);
                }
            });
        }
        menu(ui, "Panels", |ui| {
            let seen = layout.visible();
            for panel in PANELS {
                let mut on = seen.iter().any(|id| id == panel.id);
                let fixed = panel.id == "viewport" && on;
                let tick = egui::Checkbox::new(&mut on, panel.title);
                if ui.add_enabled(!fixed, tick).clicked() {
                    editor.ask(match on {
                        true => Request::Show(panel.id),
                        false => Request::Hide(panel.id),
                    });
                    ui.close();
                }
            }
        });
        ui.add_space(theme::GROUP_GAP);
        for workspace in Workspace::ALL {
            let chosen = layout.workspace() == workspace;
            let tab = ui.selectable_label(chosen, workspace.label());
            widgets::name(&tab, &format!("Workspace {}", workspace.label()));
            if tab.on_hover_text(workspace.doc()).clicked() {
                editor.ask(Request::Workspace(workspace));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let dirty = editor.history.is_dirty();
            let text = if dirty { "unsaved changes" } else { "" };
            widgets::fixed(ui, text, 16, theme::warn());
            let name = RichText::new(&editor.document().name).color(theme::bright());
            ui.add(egui::Label::new(name).truncate());
        });
    });
}

/// Sizes of everything that are offered, percent; Ctrl with plus and minus goes between them.
const SIZES: [u16; 6] = [75, 100, 125, 150, 175, 200];

/// A menu that scrolls where the window is too low for it.
fn menu(ui: &mut Ui, title: &str, add: impl FnOnce(&mut Ui)) {
    ui.menu_button(title, |ui| {
        let height = ui.ctx().content_rect().bottom() - ui.cursor().top() - 12.0;
        ui.set_max_height(height.max(theme::ROW));
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        egui::ScrollArea::vertical()
            .max_height(height.max(theme::ROW))
            .show(ui, add);
    });
}

/// Theme and size of everything.
fn appearance(ui: &mut Ui) {
    ui.separator();
    ui.menu_button("Theme", |ui| {
        let mut theme = ui.ctx().options(|o| o.theme_preference);
        for (choice, name) in [
            (ThemePreference::Dark, "Dark"),
            (ThemePreference::Light, "Light"),
            (ThemePreference::System, "As the system"),
        ] {
            if ui.radio_value(&mut theme, choice, name).clicked() {
                ui.ctx().set_theme(choice);
                ui.close();
            }
        }
    });
    let percent = format!(
        "Size of everything: {:.0} %",
        ui.ctx().zoom_factor() * 100.0
    );
    ui.menu_button(percent, |ui| {
        let now = ui.ctx().zoom_factor();
        for percent in SIZES {
            let factor = f32::from(percent) / 100.0;
            let chosen = (now - factor).abs() < 0.01;
            if ui.radio(chosen, format!("{percent} %")).clicked() {
                ui.ctx().set_zoom_factor(factor);
                ui.close();
            }
        }
    });
}

fn menu_entry(editor: &mut Editor, ui: &mut Ui, action: Action) {
    let label = match action {
        Action::Undo => editor.history.undo_label().map(|l| format!("Undo “{l}”")),
        Action::Redo => editor.history.redo_label().map(|l| format!("Redo “{l}”")),
        _ => None,
    };
    let label = label.unwrap_or_else(|| action.label().to_owned());
    let keys = shortcuts::shown(ui.ctx(), action);
    let button = Button::new(label).shortcut_text(RichText::new(keys).color(theme::weak()));
    let response = ui
        .add_enabled(possible(editor, action), button)
        .on_hover_text(action.doc());
    if response.clicked() {
        editor.act(action);
        ui.close();
    }
}

/// Whether an action would do anything now.
fn possible(editor: &Editor, action: Action) -> bool {
    match action {
        Action::Undo => editor.history.can_undo(),
        Action::Redo => editor.history.can_redo(),
        Action::Revert => editor.history.is_dirty(),
        Action::ClearStrokes | Action::Replay => !editor.document().scene.strokes.is_empty(),
        Action::DuplicateItems
        | Action::DeleteItems
        | Action::RenameItem
        | Action::RaiseItems
        | Action::LowerItems
        | Action::HideItems
        | Action::LockItems => !editor.panels.scene.items().is_empty(),
        Action::Recover => matches!(editor.snapshot.state, State::Fault(..)),
        _ => true,
    }
}

/// What the simulation runs on; a click offers something else.
fn device(editor: &mut Editor, ui: &mut Ui) {
    const CHOICES: [(DeviceChoice, &str); 3] = [
        (DeviceChoice::Auto, "GPU if there is one, else CPU"),
        (DeviceChoice::Cpu, "CPU"),
        (DeviceChoice::Gpu, "GPU, even a slow software one"),
    ];
    let name = match editor.snapshot.device.as_str() {
        "" => "Finding a device",
        name => name,
    };
    let text = RichText::new(name).small().color(theme::weak());
    let menu = ui.menu_button(text, |ui| {
        for (choice, label) in CHOICES {
            if ui.button(label).clicked() {
                editor.use_device(choice);
                ui.close();
            }
        }
    });
    menu.response
        .on_hover_text("What the simulation runs on. Click to choose.");
}

/// Below this width the bar at the bottom is kept short.
const NARROW: f32 = 900.0;
/// What the hint and all that is to its right take.
const HINTED: f32 = 660.0;

fn status(editor: &mut Editor, ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.set_min_height(theme::ROW - 4.0);
        let (text, color) = match &editor.snapshot.state {
            State::Starting(_, 0) => ("Preparing".to_owned(), theme::weak()),
            State::Starting(done, of) => {
                let what = match editor.panels.viewport.going_to() {
                    Some(_) => "Going there",
                    None => "Warming up",
                };
                (format!("{what} {done}/{of}"), theme::warn())
            }
            State::Playing => ("Playing".to_owned(), theme::good()),
            State::Paused => ("Paused".to_owned(), theme::weak()),
            State::Fault(Fault::Memory { .. }, _) => ("Waiting for memory".to_owned(), theme::warn()),
            State::Fault(..) => ("Stopped by a fault".to_owned(), theme::error()),
        };
        let state = if ui.available_width() < NARROW { 104.0 } else { 140.0 };
        ui.allocate_ui_with_layout(
            egui::vec2(state, theme::ROW - 4.0),
            Layout::left_to_right(Align::Center),
            |ui| {
                ui.set_min_width(state);
                ui.label(RichText::new(text).small().color(color));
            },
        );
        let grid = editor.document().scene.domain.grid();
        let cells = format!("{} × {} cells", grid.cells[0], grid.cells[1]);
        ui.label(RichText::new(cells).small().color(theme::weak()));
        ui.separator();
        let method = editor.document().method.info().title;
        ui.label(RichText::new(method).small().color(theme::weak()));
        ui.separator();
        let (mixed, drawing) = (editor.snapshot.mixed, editor.panels.brush.active());
        // Words that say what else can be found by trying give way first.
        let narrow = ui.available_width() < HINTED;
        let hint = if mixed && !drawing {
            "Changed under way. R starts again, as a bake does: it may look different"
        } else if editor.panels.viewport.handles.tool == Tool::Select {
            "Click to choose · drag to move · Ctrl for a finer grid · B for the brush"
        } else if drawing || editor.playing() {
            "Drag to stir · Alt-click to choose · wheel to zoom · middle drag to pan"
        } else {
            "Drag to stir (runs while you drag) · Space to play"
        };
        let color = if mixed && !drawing { theme::warn() } else { theme::weak() };
        if narrow {
            if mixed && !drawing {
                ui.label(RichText::new("R: start again").small().color(color))
                    .on_hover_text(hint);
            }
        } else {
            ui.label(RichText::new(hint).small().color(color));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new("fps").small().color(theme::weak()));
            widgets::fixed(ui, &editor.meter.shown_fps(), 3, theme::weak())
                .on_hover_text("How often this window is drawn, pictures a second. It rests while nothing changes.");
            widgets::fixed(
                ui,
                &format::bytes(editor.snapshot.memory_bytes),
                8,
                theme::weak(),
            )
            .on_hover_text("Memory that the simulation's fields take");
            device(editor, ui);
        });
    });
}
