//! Opening and saving, beside the interface.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::document::recovery::{self, Left, Recovery};
use crate::document::{self, Document};
use crate::edit::Action;

use super::bake_job::BakeEvent;
use super::editor::{Editor, Guarded};
use super::path_field::{Found, PathField};
use super::presets;
use super::services::Answer;

/// For what a dialog is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A document to open.
    Open,
    /// A place to save to.
    SaveAs,
    /// A folder for textures.
    Folder,
}

/// What background work reports.
pub enum Event {
    /// A dialog has answered.
    Answered(Purpose, Answer),
    /// What lies at a path that was typed.
    Checked(Purpose, PathBuf, Found),
    /// A document was read.
    Loaded(PathBuf, Result<Box<Document>, String>),
    /// A document was written.
    Saved(PathBuf, Arc<Document>, Result<(), String>),
    /// Documents that a crash has left behind.
    Left(Vec<Left>),
    /// A copy for after a crash was written, or could not be.
    Kept(Result<(), String>),
    /// About a bake.
    Bake(BakeEvent),
    /// A picture of the library is there.
    Thumbnail(usize, egui::ColorImage),
}

/// Where relative paths in a document begin.
pub fn base(file: Option<&Path>) -> PathBuf {
    file.and_then(Path::parent)
        .filter(|p| !p.as_os_str().is_empty())
        .map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Opens a dialog on a thread of its own. Whoever asks again while none has answered gets a field to type into: the
/// desktop may have swallowed the dialog, or may be looking for one for half a minute.
pub fn ask(editor: &mut Editor, purpose: Purpose) {
    if std::mem::replace(&mut editor.waiting_for_dialog, true) {
        type_path(editor, purpose);
        return;
    }
    let dialogs = Arc::clone(&editor.dialogs);
    let folder = folder(editor);
    let name = suggested_name(editor);
    editor.jobs.spawn(move |report| {
        let folder = folder.as_deref();
        let answer = match purpose {
            Purpose::Open => dialogs.open(folder),
            Purpose::SaveAs => dialogs.save(folder, &name),
            Purpose::Folder => dialogs.folder(folder),
        };
        report(Event::Answered(purpose, answer));
    });
}

/// Asks for a path in a field of our own.
fn type_path(editor: &mut Editor, purpose: Purpose) {
    let field = PathField::new(purpose, folder(editor).as_deref(), &suggested_name(editor));
    editor.path_field = Some(field);
}

/// The folder of the document, if it stands in a file.
fn folder(editor: &Editor) -> Option<PathBuf> {
    let parent = editor.file.as_deref().and_then(Path::parent);
    parent.map(Path::to_path_buf)
}

/// Does that for which a file was asked.
pub fn chosen(editor: &mut Editor, purpose: Purpose, path: PathBuf) {
    match purpose {
        Purpose::Open => load(editor, path),
        Purpose::SaveAs => save(editor, path),
        Purpose::Folder => editor.bake.folder = path.display().to_string(),
    }
}

fn suggested_name(editor: &Editor) -> String {
    let name: String = editor
        .document()
        .name
        .to_lowercase()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    format!("{}.ron", name.trim_matches('_'))
}

/// A new document: the default one.
pub fn new(editor: &mut Editor) {
    editor.replace(Arc::new(Document::default()), None);
}

/// Opens a document of the library.
pub fn open_preset(editor: &mut Editor, index: usize) {
    match presets::document(index) {
        Ok(document) => editor.replace(Arc::new(document), None),
        Err(message) => editor
            .toasts
            .error("This look could not be opened", message),
    }
}

/// Reads a document.
pub fn load(editor: &mut Editor, path: PathBuf) {
    editor.jobs.spawn(move |report| {
        let outcome = document::load(&path)
            .map(|loaded| Box::new(loaded.document))
            .map_err(|e| e.to_string());
        report(Event::Loaded(path, outcome));
    });
}

/// Writes the document.
pub fn save(editor: &mut Editor, path: PathBuf) {
    let document = Arc::clone(editor.document());
    editor.jobs.spawn(move |report| {
        let outcome = document::save(&path, &document).map_err(|e| e.to_string());
        report(Event::Saved(path, document, outcome));
    });
}

/// Looks for what a crash has left, and keeps copies from now on.
pub fn rescue(editor: &mut Editor, recovery: Recovery, data_dir: PathBuf) {
    editor.rescue.copy = Some(Arc::new(recovery));
    editor.jobs.spawn(move |report| {
        report(Event::Left(recovery::left_in(&data_dir)));
    });
}

/// Opens what was rescued. Its copy goes only when there is a new one, or when the document has been saved.
pub fn take_recovered(editor: &mut Editor) {
    if let Some(left) = editor.rescue.left.pop() {
        editor.replace(Arc::new(left.document.clone()), left.origin.clone());
        editor.history.mark_unsaved();
        editor.rescue.taken.push(left);
        editor.rescue.due = Some(Instant::now());
    }
}

/// Throws away what was rescued.
pub fn forget_recovered(editor: &mut Editor) {
    if let Some(left) = editor.rescue.left.pop() {
        discard(&left);
    }
}

fn discard(left: &Left) {
    if let Err(e) = left.discard() {
        log::warn!("{}: {e}", left.copy.display());
    }
}

/// What was opened after a crash is saved, or given up on purpose.
fn discard_taken(editor: &mut Editor) {
    for left in std::mem::take(&mut editor.rescue.taken) {
        discard(&left);
    }
}

/// What is kept in case of a crash.
#[derive(Default)]
pub struct Rescue {
    /// Documents that earlier crashes have left; the newest comes last.
    pub left: Vec<Left>,
    /// Those that were opened, and of which no newer copy has been written yet.
    taken: Vec<Left>,
    copy: Option<Arc<Recovery>>,
    kept: Option<Arc<Document>>,
    due: Option<Instant>,
}

/// Time between a change and the copy of it.
const KEEP_AFTER: Duration = Duration::from_secs(5);

/// Keeps a copy of what is not saved, some time after it was changed, and none of what is.
pub fn keep_copy(editor: &mut Editor, ctx: &egui::Context) {
    if !editor.history.is_dirty() {
        discard_taken(editor);
    }
    let Some(copy) = editor.rescue.copy.clone() else {
        return;
    };
    let document = Arc::clone(editor.history.current());
    if !editor.history.is_dirty() {
        if editor.rescue.kept.take().is_some() {
            discard_copy(editor);
        }
        editor.rescue.due = None;
        return;
    }
    if editor
        .rescue
        .kept
        .as_ref()
        .is_some_and(|kept| Arc::ptr_eq(kept, &document))
    {
        return;
    }
    let due = *editor
        .rescue
        .due
        .get_or_insert_with(|| Instant::now() + KEEP_AFTER);
    let wait = due.saturating_duration_since(Instant::now());
    if !wait.is_zero() || editor.holding() {
        ctx.request_repaint_after(wait.max(Duration::from_millis(200)));
        return;
    }
    editor.rescue.due = None;
    editor.rescue.kept = Some(Arc::clone(&document));
    let origin = editor.file.clone();
    let taken = std::mem::take(&mut editor.rescue.taken);
    editor.jobs.spawn(move |report| {
        let outcome = copy.keep(&document, origin.as_deref());
        if outcome.is_ok() {
            taken.iter().for_each(discard);
        }
        report(Event::Kept(outcome.map_err(|e| e.to_string())));
    });
}

/// Takes the copy away: everything is saved, or given up on purpose.
pub fn discard_copy(editor: &mut Editor) {
    discard_taken(editor);
    if let Some(copy) = &editor.rescue.copy
        && let Err(e) = copy.discard()
    {
        log::warn!("a recovery copy could not be removed: {e}");
    }
}

/// Does what an event asks for.
pub fn take(editor: &mut Editor, event: Event) {
    match event {
        Event::Answered(purpose, answer) => {
            editor.waiting_for_dialog = false;
            match answer {
                Answer::Chosen(path) => {
                    editor.path_field = None;
                    chosen(editor, purpose, path);
                }
                Answer::Closed => {}
                Answer::Unavailable if editor.path_field.is_none() => type_path(editor, purpose),
                Answer::Unavailable => {}
            }
        }
        Event::Checked(purpose, path, found) => {
            super::path_field::checked(editor, purpose, path, found);
        }
        Event::Loaded(path, Ok(document)) => {
            editor.replace(Arc::from(document), Some(path));
        }
        Event::Loaded(path, Err(message)) => {
            let name = file_name(&path);
            editor
                .toasts
                .error(format!("“{name}” could not be opened"), message);
        }
        Event::Saved(path, document, Ok(())) => saved(editor, path, &document),
        Event::Saved(path, _, Err(message)) => {
            let name = file_name(&path);
            editor.guard = None;
            editor
                .toasts
                .error(format!("“{name}” could not be saved"), message);
        }
        Event::Left(mut left) => {
            left.reverse();
            editor.rescue.left = left;
        }
        Event::Kept(Ok(())) => {}
        Event::Kept(Err(message)) => {
            // Said once: without a place for copies there will be none.
            editor.rescue.copy = None;
            editor
                .toasts
                .error("Unsaved work cannot be kept safe from a crash", message);
        }
        Event::Bake(event) => super::bake_job::take(editor, event),
        Event::Thumbnail(index, image) => editor.panels.presets.receive(index, image),
    }
}

fn saved(editor: &mut Editor, path: PathBuf, document: &Arc<Document>) {
    // What was changed while the file was written is still to be saved.
    if Arc::ptr_eq(document, editor.document()) {
        editor.history.mark_saved();
    }
    editor.toasts.done(format!("Saved “{}”", file_name(&path)));
    editor.file = Some(path);
    match editor.guard.take() {
        Some(Guarded::Request(request)) => editor.ask(request),
        Some(Guarded::Close) => editor.act(Action::Quit),
        None => {}
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(
        || path.display().to_string(),
        |n| n.to_string_lossy().into_owned(),
    )
}
