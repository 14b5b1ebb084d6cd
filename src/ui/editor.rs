//! The editor's state, and what requests do to it.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Context, Id};

use crate::document::Document;
use crate::edit::{Action, Edit, History};
use crate::params::Effect;
use crate::sim::{Command, Snapshot, State};

use super::bake_job::BakeJob;
use super::files::{self, Event, Purpose};
use super::inspector::Outcome;
use super::meter::Meter;
use super::panels;
use super::path_field::PathField;
use super::services::{Dialogs, Engine, Jobs};
use super::toasts::Toasts;

/// Something that is asked for and done at the end of a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// One of the named actions.
    Do(Action),
    /// A document of the library.
    Preset(usize),
    /// A document in a file.
    File(PathBuf),
    /// To a frame.
    GoTo(u32),
    /// A panel to the front.
    Show(&'static str),
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

/// What waits for an answer about unsaved changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Guarded {
    /// Something that would replace the document.
    Request(Request),
    /// Closing the window.
    Close,
}

/// A step of the history that the hand is still making.
#[derive(Clone, Debug, PartialEq)]
struct Held {
    path: String,
    typing: Option<Id>,
    restart: bool,
}

/// Everything that the panels look at and ask things of.
pub struct Editor {
    /// The document and what was done to it.
    pub history: History,
    /// The document as it was opened.
    opened: Arc<Document>,
    /// Where it is saved.
    pub file: Option<PathBuf>,
    /// What the simulation looks like now.
    pub snapshot: Arc<Snapshot>,
    /// Messages.
    pub toasts: Toasts,
    /// What waits for an answer about unsaved changes.
    pub guard: Option<Guarded>,
    /// What is kept in case of a crash, and what crashes have left.
    pub rescue: files::Rescue,
    /// The bake that runs or ran last.
    pub bake: BakeJob,
    /// Speeds.
    pub meter: Meter,
    /// States of the panels.
    pub panels: panels::States,
    /// What background work reports.
    pub jobs: Jobs<Event>,
    /// Asks for files.
    pub dialogs: Arc<dyn Dialogs>,
    pub(super) waiting_for_dialog: bool,
    /// A path that is being typed, because no dialog asks for it.
    pub path_field: Option<PathField>,
    /// The window may close, whatever has not been saved.
    pub closing: bool,
    engine: Box<dyn Engine>,
    requests: Vec<Request>,
    sent: Arc<Document>,
    sent_base: PathBuf,
    held: Option<Held>,
    /// The layout is put back at the next frame.
    pub(super) layout_request: Option<Request>,
}

impl Editor {
    /// An editor for a document that is not saved anywhere, or stands in `file`.
    pub fn new(
        ctx: &Context,
        document: Arc<Document>,
        file: Option<PathBuf>,
        engine: Box<dyn Engine>,
        dialogs: Arc<dyn Dialogs>,
    ) -> Self {
        Self {
            snapshot: engine.latest(),
            sent_base: files::base(file.as_deref()),
            sent: Arc::clone(&document),
            opened: Arc::clone(&document),
            history: History::new(document),
            file,
            toasts: Toasts::default(),
            guard: None,
            rescue: files::Rescue::default(),
            bake: BakeJob::default(),
            meter: Meter::default(),
            panels: panels::States::default(),
            jobs: Jobs::new(ctx.clone()),
            dialogs,
            waiting_for_dialog: false,
            path_field: None,
            closing: false,
            engine,
            requests: Vec::new(),
            held: None,
            layout_request: None,
        }
    }

    /// The document as it is now.
    pub fn document(&self) -> &Arc<Document> {
        self.history.current()
    }

    /// The document as it was opened, before anything was done to it.
    pub fn opened(&self) -> &Arc<Document> {
        &self.opened
    }

    /// Asks for something; it is done at the end of the frame.
    pub fn ask(&mut self, request: Request) {
        self.requests.push(request);
    }

    /// Asks for a named action.
    pub fn act(&mut self, action: Action) {
        self.ask(Request::Do(action));
    }

    /// Tells the simulation something.
    pub fn tell(&mut self, command: Command) {
        self.engine.send(command);
    }

    /// Tells the simulation about the document now, not at the end of the frame.
    pub fn tell_document(&mut self) {
        let base = files::base(self.file.as_deref());
        if !Arc::ptr_eq(&self.sent, self.history.current()) || base != self.sent_base {
            self.sent = Arc::clone(self.history.current());
            self.sent_base.clone_from(&base);
            self.engine
                .send(Command::Document(Arc::clone(&self.sent), base));
        }
    }

    /// Whether frames follow each other.
    pub fn playing(&self) -> bool {
        matches!(self.snapshot.state, State::Playing)
    }

    /// Looks at what the simulation and background work have done since the last frame.
    pub fn begin_frame(&mut self, ctx: &Context) {
        let latest = self.engine.latest();
        if latest.notice.is_some() && latest.notice != self.snapshot.notice {
            self.toasts
                .error(latest.notice.clone().unwrap_or_default(), "");
        }
        self.meter.see(&latest);
        self.snapshot = latest;
        while let Some(event) = self.jobs.take() {
            files::take(self, event);
        }
        self.panels.brush.keep_going(ctx);
    }

    /// Does what was asked for, ends what the hand has let go of, and tells the simulation about the document.
    pub fn end_frame(&mut self, ctx: &Context) {
        for request in std::mem::take(&mut self.requests) {
            self.fulfil(ctx, request);
        }
        self.let_go(ctx);
        files::keep_copy(self, ctx);
        // What starts the simulation again waits until the hand has let go.
        if !self.held.as_ref().is_some_and(|h| h.restart) {
            self.tell_document();
        }
    }

    /// Turns what was done in an inspector into steps of the history: a drag, or typing, is one.
    pub fn outcomes(&mut self, ctx: &Context, outcomes: Vec<Outcome>) {
        for outcome in outcomes {
            match outcome {
                Outcome::Set {
                    path,
                    label,
                    value,
                    effect,
                    typing,
                } => {
                    let held = Held {
                        path: path.clone(),
                        typing,
                        restart: effect == Effect::Restart,
                    };
                    self.change(ctx, held, &label, Edit::Set(path, value));
                }
                Outcome::Add { list } => panels::lists::add(self, &list),
                Outcome::Remove { list, index } => panels::lists::remove(self, &list, index),
            }
        }
    }

    fn change(&mut self, ctx: &Context, held: Held, label: &str, edit: Edit) {
        let down = ctx.input(|i| i.pointer.any_down()) || held.typing.is_some();
        let same = self.held.as_ref().is_some_and(|h| h.path == held.path);
        let mut problem = None;
        let change = |document: &mut Document| problem = edit.apply(document).err();
        if same {
            self.history.update(change);
        } else if down {
            self.history.begin(label);
            self.history.update(change);
            self.held = Some(held);
        } else {
            self.held = None;
            self.history.edit(label, change);
        }
        if let Some(problem) = problem {
            self.toasts.error(
                "That does not fit here",
                format!("{}: {}", problem.path, problem.message),
            );
        }
    }

    /// Ends the step that the hand was making, once it has let go.
    fn let_go(&mut self, ctx: &Context) {
        let Some(held) = &self.held else { return };
        let going_on = match held.typing {
            Some(id) => ctx.memory(|m| m.has_focus(id)),
            None => ctx.input(|i| i.pointer.any_down()),
        };
        if !going_on {
            self.held = None;
            self.history.commit();
        }
    }

    /// Whether a step is being made: a drag, or typing.
    pub fn holding(&self) -> bool {
        self.history.in_transaction()
    }

    fn fulfil(&mut self, ctx: &Context, request: Request) {
        if self.replaces(&request) && self.history.is_dirty() {
            self.guard = Some(Guarded::Request(request));
            return;
        }
        self.fulfil_now(ctx, request);
    }

    /// Whether the document would be gone afterwards.
    fn replaces(&self, request: &Request) -> bool {
        matches!(
            request,
            Request::Do(Action::New | Action::Open | Action::Revert | Action::Quit)
                | Request::Preset(_)
                | Request::File(_)
                | Request::Recovered
        )
    }

    /// Does something without asking about unsaved changes.
    pub fn fulfil_now(&mut self, ctx: &Context, request: Request) {
        match request {
            Request::Do(action) => self.perform(ctx, action),
            Request::Preset(index) => files::open_preset(self, index),
            Request::File(path) => files::load(self, path),
            Request::GoTo(frame) => {
                self.engine.send(Command::Pause);
                self.engine.send(Command::GoTo(frame));
            }
            Request::Show(_) | Request::ResetLayout => self.layout_request = Some(request),
            Request::Edit(label, edits) => self.edit(&label, edits),
            Request::Step(position) => {
                self.history.go_to(position);
            }
            Request::ChooseFolder => files::ask(self, Purpose::Folder),
            Request::Recovered => files::take_recovered(self),
        }
    }

    fn edit(&mut self, label: &str, edits: Vec<Edit>) {
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
                Some(path) => files::save(self, path),
                None => files::ask(self, Purpose::SaveAs),
            },
            Action::SaveAs => files::ask(self, Purpose::SaveAs),
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
            Action::Step => self.engine.send(Command::Step),
            Action::Reset => self.engine.send(Command::Reset),
            Action::Recover => self.engine.send(Command::Recover),
            Action::ClearStrokes => self.edit("Clear strokes", vec![Edit::ClearStrokes]),
            Action::FitView => self.panels.viewport.fit(),
            Action::NextField => panels::viewport::next_field(self, 1),
            Action::PreviousField => panels::viewport::next_field(self, -1),
            Action::SmallerBrush => self.panels.brush.scale(0.8),
            Action::LargerBrush => self.panels.brush.scale(1.25),
            Action::Bake => self.layout_request = Some(Request::Show("bake")),
            Action::Palette => self.panels.palette.open(),
            Action::ResetLayout => self.layout_request = Some(Request::ResetLayout),
            Action::Quit => self.quit(ctx),
        }
    }

    /// Closes the window, whatever has not been saved.
    pub fn quit(&mut self, ctx: &Context) {
        self.closing = true;
        files::discard_copy(self);
        ctx.send_viewport_cmd(egui::ViewportCommand::Close);
    }

    /// Puts another document in the place of this one. What was done to the old one is forgotten.
    pub fn replace(&mut self, document: Arc<Document>, file: Option<PathBuf>) {
        self.held = None;
        self.opened = Arc::clone(&document);
        self.history = History::new(document);
        self.file = file;
        self.panels.forget();
        self.tell_document();
        self.engine.send(Command::Play);
    }

    /// What the window's title says.
    pub fn title(&self) -> String {
        let mark = if self.history.is_dirty() { "● " } else { "" };
        let place = match &self.file {
            Some(path) => path
                .file_name()
                .map(|n| n.to_string_lossy().into_owned())
                .unwrap_or_default(),
            None => "not saved yet".to_owned(),
        };
        format!("{mark}{} ({place}) · Eddy", self.document().name)
    }
}
