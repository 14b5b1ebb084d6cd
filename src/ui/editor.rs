//! The editor's state, and how the hand and the simulation change it. What can be asked of it stands in `requests`.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Context, Id};

use crate::device::DeviceChoice;
use crate::document::Document;
use crate::edit::{Action, Edit, History};
use crate::params::{Effect, Value};
use crate::sim::{Command, Snapshot, State};

use super::bake_job::BakeJob;
use super::compare_job::CompareJob;
use super::files::{self, Event, Loading};
use super::inspector::Outcome;
use super::meter::Meter;
use super::panels;
use super::path_field::PathField;
use super::recent::Recent;
use super::rescue::{self, Rescue};
use super::services::{Dialogs, Engine, Jobs};
use super::toasts::Toasts;

pub use super::requests::{Guarded, Request};

/// A step of the history that the hand is still making.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Held {
    path: String,
    typing: Option<Id>,
    restart: bool,
    /// The frame at which it took hold of a key.
    frame: Option<u32>,
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
    pub rescue: Rescue,
    /// The bake that runs or ran last.
    pub bake: BakeJob,
    /// The comparison that runs or ran last.
    pub compare: CompareJob,
    /// Looks of one's own.
    pub shelf: super::shelf::Shelf,
    /// The first steps.
    pub welcome: super::welcome::Welcome,
    /// Speeds.
    pub meter: Meter,
    /// States of the panels.
    pub panels: panels::States,
    /// Parameters of methods and solvers that are not used at present.
    pub kept: super::kept::Kept,
    /// The files that were opened or saved last.
    pub recent: Recent,
    /// What background work reports.
    pub jobs: Jobs<Event>,
    /// Asks for files.
    pub dialogs: Arc<dyn Dialogs>,
    pub(super) waiting_for_dialog: bool,
    /// What was last written, or is being written, to the file of this document.
    pub(super) written: Option<Arc<Document>>,
    /// The fingerprint of what the file of a document held that was rescued, until it is written.
    pub(super) expected: Option<String>,
    /// What was not written, because another program has changed its file.
    pub conflict: Option<files::Save>,
    /// A path that is being typed, because no dialog asks for it.
    pub path_field: Option<PathField>,
    /// The window may close, whatever has not been saved.
    pub closing: bool,
    /// Counts the documents that were opened one after the other.
    pub(super) generation: u64,
    /// What was chosen to simulate on.
    device: DeviceChoice,
    /// The document that is being read.
    pub(super) loading: Option<Loading>,
    /// Counts questions to which an answer comes later.
    pub(super) questions: u64,
    pub(super) engine: Box<dyn Engine>,
    requests: Vec<Request>,
    sent: Arc<Document>,
    sent_base: PathBuf,
    pub(super) held: Option<Held>,
    /// What is asked of the layout at the next frame.
    pub(super) layout_requests: Vec<Request>,
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
            rescue: Rescue::default(),
            bake: BakeJob::default(),
            compare: CompareJob::default(),
            shelf: super::shelf::Shelf::default(),
            welcome: super::welcome::Welcome::default(),
            meter: Meter::default(),
            panels: panels::States::default(),
            kept: super::kept::Kept::default(),
            recent: Recent::default(),
            jobs: Jobs::new(ctx.clone(), Event::Broken),
            dialogs,
            waiting_for_dialog: false,
            written: None,
            expected: None,
            conflict: None,
            path_field: None,
            closing: false,
            generation: 0,
            device: DeviceChoice::default(),
            loading: None,
            questions: 0,
            engine,
            requests: Vec::new(),
            held: None,
            layout_requests: Vec::new(),
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

    /// A number that no question had before.
    pub(super) fn question(&mut self) -> u64 {
        self.questions += 1;
        self.questions
    }

    /// Tells the simulation something.
    pub fn tell(&mut self, command: Command) {
        self.engine.send(command);
    }

    /// Simulates on another device, here and in comparisons.
    pub fn use_device(&mut self, choice: DeviceChoice) {
        self.device = choice;
        self.tell(Command::Device(choice));
    }

    /// What was chosen to simulate on.
    pub fn device(&self) -> DeviceChoice {
        self.device
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
        self.arrive();
        while let Some(event) = self.jobs.take() {
            files::take(self, event);
        }
        self.panels.brush.keep_going(ctx);
        self.kept.see(self.history.current());
    }

    /// Does what was asked for, ends what the hand has let go of, and tells the simulation about the document.
    pub fn end_frame(&mut self, ctx: &Context) {
        for request in std::mem::take(&mut self.requests) {
            self.fulfil(ctx, request);
        }
        self.let_go(ctx);
        rescue::keep_copy(self, ctx);
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
                    also,
                } => {
                    let (mut left, mut own) = (Vec::new(), Vec::new());
                    if let Value::Choice(chosen) = &value {
                        left = self.kept.leave(&path);
                        own = self.kept.below(&path, chosen);
                    }
                    let set = self.setting(path.clone(), value);
                    if !matches!(set, Edit::Set(..)) {
                        (left, own) = Default::default();
                    }
                    let held = Held {
                        path,
                        typing,
                        restart: effect == Effect::Restart,
                        frame: matches!(set, Edit::SetKey(..)).then(|| self.present_frame()),
                    };
                    let mut edits = left;
                    edits.push(set);
                    edits.extend(also.map(|(path, value)| Edit::Set(path, value)));
                    edits.extend(own);
                    self.change(ctx, held, &label, edits);
                }
                Outcome::Animate {
                    path,
                    label,
                    value,
                    deed,
                } => self.animate(&path, &label, &value, deed),
                Outcome::Add { list } => panels::lists::add(self, &list),
                Outcome::Remove { list, index } => panels::lists::remove(self, &list, index),
            }
        }
    }

    /// Changes the document by a drag of the pointer: all changes of the same name until it lets go are one step.
    pub(super) fn drag(&mut self, ctx: &Context, name: &str, label: &str, edits: Vec<Edit>) {
        let held = Held {
            path: name.to_owned(),
            typing: None,
            restart: false,
            frame: edits
                .iter()
                .any(|e| matches!(e, Edit::SetKey(..)))
                .then(|| self.present_frame()),
        };
        self.change(ctx, held, label, edits);
    }

    /// Gives a drag up: the document is exactly what it was before it.
    pub(super) fn give_up(&mut self) {
        self.held = None;
        self.history.abort();
    }

    /// The frame at which the hand took hold of a key that it still holds.
    pub(super) fn held_frame(&self) -> Option<u32> {
        self.held.as_ref().and_then(|h| h.frame)
    }

    fn change(&mut self, ctx: &Context, held: Held, label: &str, edits: Vec<Edit>) {
        let down = ctx.input(|i| i.pointer.any_down()) || held.typing.is_some();
        let same = self.held.as_ref().is_some_and(|h| h.path == held.path);
        let mut problem = None;
        let change = |document: &mut Document| {
            for edit in edits {
                problem = edit.apply(document).err().or(problem.take());
            }
        };
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

    /// Closes the window, whatever has not been saved; asks first where a bake would be lost.
    pub fn quit(&mut self, ctx: &Context) {
        if self.bake.running() {
            self.guard = Some(Guarded::Bake);
        } else {
            self.close(ctx);
        }
    }

    /// Closes the window, whatever is lost by it.
    pub fn close(&mut self, ctx: &Context) {
        self.closing = true;
        rescue::discard_copy(self);
        ctx.send_viewport_cmd(egui::ViewportCommand::Close);
    }

    /// Puts another document in the place of this one. What was done to the old one is forgotten.
    pub fn replace(&mut self, document: Arc<Document>, file: Option<PathBuf>) {
        self.held = None;
        self.loading = None;
        (self.written, self.expected, self.conflict) = (None, None, None);
        self.generation += 1;
        self.opened = Arc::clone(&document);
        self.history = History::new(document);
        if let Some(file) = &file {
            self.recent.add(file);
        }
        self.file = file;
        self.panels.forget();
        self.kept.forget();
        self.bake.forget();
        if self.compare.running() {
            self.toasts
                .done("The comparison of the other look was given up");
        }
        self.compare.forget();
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
