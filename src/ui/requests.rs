//! What can be asked of the editor, and how each is done.

use std::path::PathBuf;

use egui::Context;

use crate::edit::{Action, Edit};
use crate::sim::Command;

use super::dock::Workspace;
use super::editor::Editor;
use super::files::{self, Purpose};
use super::panels::viewport::Tool;
use super::{panels, rescue};

/// Something that is asked for and done at the end of a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// One of the named actions.
    Do(Action),
    /// A document of the library.
    Preset(usize),
    /// A document in a file.
    File(PathBuf),
    /// A look of one's own, to begin from.
    Own(PathBuf),
    /// A folder in the desktop's own window.
    Reveal(PathBuf),
    /// Light, dark, or as the system.
    Theme(egui::ThemePreference),
    /// Everything larger or smaller: so many times its size.
    Zoom(f32),
    /// A parameter among all.
    Find(String),
    /// To a frame.
    GoTo(u32),
    /// A panel to the front.
    Show(&'static str),
    /// A panel out of the window.
    Hide(&'static str),
    /// Another arrangement of panels.
    Workspace(Workspace),
    /// Changes of the document, as one step.
    Edit(String, Vec<Edit>),
    /// A step of the history.
    Step(usize),
    /// The panels where they were at first.
    ResetLayout,
    /// The folder for textures.
    ChooseFolder,
    /// The recovered document.
    Recovered,
}

/// What waits for an answer about what would be lost by it.
#[derive(Clone, Debug, PartialEq)]
pub enum Guarded {
    /// Something that would replace the document.
    Request(Request),
    /// Closing the window, with unsaved changes.
    Close,
    /// Closing the window during a bake.
    Bake,
}

impl Editor {
    pub(super) fn fulfil(&mut self, ctx: &Context, request: Request) {
        if self.replaces(&request) && self.history.is_dirty() {
            self.guard = Some(Guarded::Request(request));
            return;
        }
        self.fulfil_now(ctx, request);
    }

    /// Whether the document would be gone afterwards. To open one says nothing yet: the question comes with its file, when
    /// what is lost by it is what is there then.
    fn replaces(&self, request: &Request) -> bool {
        matches!(
            request,
            Request::Do(Action::New | Action::Revert | Action::Quit)
                | Request::Preset(_)
                | Request::File(_)
                | Request::Own(_)
                | Request::Recovered
        )
    }

    /// Does something without asking about unsaved changes.
    pub fn fulfil_now(&mut self, ctx: &Context, request: Request) {
        match request {
            Request::Do(action) => self.perform(ctx, action),
            Request::Preset(index) => files::open_preset(self, index),
            Request::File(path) => files::load(self, path),
            Request::Own(path) => files::load_preset(self, path),
            Request::Reveal(folder) => files::reveal(self, folder),
            Request::Theme(theme) => ctx.set_theme(theme),
            Request::Zoom(factor) => ctx.set_zoom_factor(factor),
            Request::Find(name) => {
                self.panels.parameters.look_for(&name);
                self.layout_requests.push(Request::Show("parameters"));
            }
            Request::GoTo(frame) => {
                self.panels.viewport.go_to(Some(frame));
                self.engine.send(Command::Pause);
                self.engine.send(Command::GoTo(frame));
            }
            Request::Show(_) | Request::Hide(_) | Request::Workspace(_) | Request::ResetLayout => {
                self.layout_requests.push(request);
            }
            Request::Edit(label, edits) => self.edit(&label, edits),
            Request::Step(position) => {
                self.history.go_to(position);
            }
            Request::ChooseFolder => files::ask(self, Purpose::Folder),
            Request::Recovered => rescue::open(self),
        }
    }

    /// Changes the document now, as one step.
    pub(super) fn edit(&mut self, label: &str, edits: Vec<Edit>) {
        self.held = None;
        let mut problem = None;
        self.history.edit(label, |document| {
            for edit in edits {
                if let Err(p) = edit.apply(document) {
                    problem = Some(p);
                }
            }
        });
        if let Some(p) = problem {
            self.toasts
                .error("That did not work", format!("{}: {}", p.path, p.message));
        }
    }

    fn perform(&mut self, ctx: &Context, action: Action) {
        match action {
            Action::New => files::new(self),
            Action::Open => files::ask(self, Purpose::Open),
            Action::Save => match self.file.clone() {
                Some(path) => files::save_again(self, path),
                None => files::ask(self, Purpose::SaveAs),
            },
            Action::SaveAs => files::ask(self, Purpose::SaveAs),
            Action::SavePreset => super::shelf::ask(self),
            Action::Revert => match self.file.clone() {
                Some(path) => files::load(self, path),
                None => files::new(self),
            },
            Action::Undo => {
                self.held = None;
                self.history.undo();
            }
            Action::Redo => {
                self.held = None;
                self.history.redo();
            }
            Action::PlayPause => {
                let command = if self.playing() {
                    Command::Pause
                } else {
                    Command::Play
                };
                self.engine.send(command);
            }
            Action::Step => {
                self.panels.viewport.go_to(None);
                self.engine.send(Command::Step);
            }
            Action::Reset => {
                self.panels.viewport.go_to(None);
                self.engine.send(Command::Reset);
            }
            Action::Recover => self.engine.send(Command::Recover),
            Action::ClearStrokes => self.edit("Clear strokes", vec![Edit::ClearStrokes]),
            Action::Replay => {
                self.perform(ctx, Action::Reset);
                self.engine.send(Command::Play);
            }
            Action::SelectTool => self.panels.viewport.handles.tool = Tool::Select,
            Action::BrushTool => self.panels.viewport.handles.tool = Tool::Brush,
            Action::DuplicateItems
            | Action::DeleteItems
            | Action::RenameItem
            | Action::RaiseItems
            | Action::LowerItems
            | Action::HideItems
            | Action::LockItems => panels::scene::perform(self, action),
            Action::FitView => self.panels.viewport.fit(),
            Action::NextField => panels::viewport::next_field(self, 1),
            Action::PreviousField => panels::viewport::next_field(self, -1),
            Action::SmallerBrush => self.panels.brush.scale(0.8),
            Action::LargerBrush => self.panels.brush.scale(1.25),
            Action::Bake => self.layout_requests.push(Request::Show("bake")),
            Action::Palette => self.panels.palette.open(),
            Action::ResetLayout => self.layout_requests.push(Request::ResetLayout),
            Action::LookWorkspace => {
                self.layout_requests
                    .push(Request::Workspace(Workspace::Look));
            }
            Action::CompareWorkspace => {
                self.layout_requests
                    .push(Request::Workspace(Workspace::Compare));
            }
            Action::BakeWorkspace => {
                self.layout_requests
                    .push(Request::Workspace(Workspace::Bake));
            }
            Action::Keys => self.panels.keys_sheet ^= true,
            Action::Quit => self.quit(ctx),
        }
    }
}
