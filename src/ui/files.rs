//! Opening and saving, beside the interface.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::document::recovery::{self, Left};
use crate::document::{self, Document};
use crate::edit::Action;

use super::bake_job::BakeEvent;
use super::compare_job::CompareEvent;
use super::editor::{Editor, Guarded, Request};
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
    /// What lies at a path that was typed, for the field with that number.
    Checked(u64, PathBuf, Found),
    /// A document was read, for the question with that number.
    Loaded(u64, PathBuf, Result<Box<document::Loaded>, String>),
    /// A document was not written: another program has changed the file.
    Conflict(Save),
    /// A document was written.
    Saved(Save, Result<(), String>),
    /// Documents that a crash has left behind.
    Left(Vec<Left>),
    /// A copy for after a crash was written, or could not be.
    Kept(Result<(), String>),
    /// About a bake.
    Bake(BakeEvent),
    /// About a comparison.
    Compare(CompareEvent),
    /// Background work ended in a mistake of Eddy's.
    Broken(String),
    /// A picture of a look in the gallery is there.
    Thumbnail(String, egui::ColorImage),
    /// Something did not work: in a line, and in full.
    Failed(String, String),
    /// The looks of one's own that there are.
    Own(Vec<super::shelf::Own>),
    /// A look was put among one's own: its name, and the looks that there are now.
    Shelved(String, Vec<super::shelf::Own>),
    /// A frame of a texture, as an engine reads it.
    Texture(super::panels::texture::Frame),
}

/// A document on its way to a file.
pub struct Save {
    path: PathBuf,
    document: Arc<Document>,
    /// Of the editor when it was asked for: another document may have been opened since.
    generation: u64,
    /// What may stand in the file and be lost: what was read from it, and what was last written there. Where there is none,
    /// the file is one that was named on purpose.
    expected: Vec<Arc<Document>>,
    /// The same, as the fingerprint that a copy from before a crash has kept.
    fingerprint: Option<String>,
}

impl Save {
    /// Name of the file.
    pub fn name(&self) -> String {
        file_name(&self.path)
    }
    /// Whether the file holds what nobody here has seen: another program has written it.
    fn would_lose(&self) -> bool {
        let named = self.expected.is_empty() && self.fingerprint.is_none();
        if named || !self.path.exists() {
            return false;
        }
        match document::load_file(&self.path) {
            Ok(there) => {
                let print = || Some(recovery::fingerprint(&there.document));
                !self.expected.iter().any(|e| **e == there.document)
                    && (self.fingerprint.is_none() || self.fingerprint != print())
            }
            Err(_) => true,
        }
    }
}

/// A document that is being read.
pub struct Loading {
    number: u64,
    /// The document in whose place it was asked for.
    over: Arc<Document>,
    /// As a preset, to begin from: the file stays as it is.
    preset: bool,
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
    let (number, folder) = (editor.question(), folder(editor));
    let field = PathField::new(number, purpose, folder.as_deref(), &suggested_name(editor));
    editor.path_field = Some(field);
}

/// The folder of the document, if it stands in a file.
fn folder(editor: &Editor) -> Option<PathBuf> {
    let parent = editor.file.as_deref().and_then(Path::parent);
    parent.map(Path::to_path_buf)
}

/// Does that for which a file was asked. While a dialog is open one works on: what would be lost is asked about now.
pub fn chosen(editor: &mut Editor, purpose: Purpose, path: PathBuf) {
    match purpose {
        Purpose::Open => editor.ask(Request::File(path)),
        Purpose::SaveAs => {
            name_after(editor, &path);
            save(editor, path);
        }
        Purpose::Folder => editor.bake.folder = path.display().to_string(),
    }
}

fn suggested_name(editor: &Editor) -> String {
    format!("{}.ron", stem_of(&editor.document().name))
}

/// The name of a file for a look of that name, without its ending.
pub fn stem_of(name: &str) -> String {
    let name: String = name
        .to_lowercase()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    name.trim_matches('_').to_owned()
}

/// A look that is saved under a new name is called so: that of the look it was made from belongs to that one. Who has given
/// it a name already keeps that.
fn name_after(editor: &mut Editor, path: &Path) {
    let Some(stem) = path.file_stem().map(|s| s.to_string_lossy().into_owned()) else {
        return;
    };
    let same = |name: &str| stem_of(name) == stem_of(&stem);
    let name = &editor.document().name;
    if *name != editor.opened().name || same(name) {
        return;
    }
    let words = stem.replace(['_', '-'], " ");
    let mut letters = words.trim().chars();
    let Some(first) = letters.next() else { return };
    let name: String = first.to_uppercase().chain(letters).collect();
    editor
        .history
        .edit(format!("Name: {name}"), |d| d.name = name.clone());
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

/// Reads a document, to put it in the place of the one that is there now.
pub fn load(editor: &mut Editor, path: PathBuf) {
    read(editor, path, false);
}

/// Reads a look of one's own, to begin from it.
pub fn load_preset(editor: &mut Editor, path: PathBuf) {
    read(editor, path, true);
}

fn read(editor: &mut Editor, path: PathBuf, preset: bool) {
    let number = editor.question();
    let over = Arc::clone(editor.document());
    editor.loading = Some(Loading {
        number,
        over,
        preset,
    });
    editor.jobs.spawn(move |report| {
        let outcome = document::load_file(&path)
            .map(Box::new)
            .map_err(|e| e.to_string());
        report(Event::Loaded(number, path, outcome));
    });
}

/// Says that a document could not be read, and why.
pub fn not_opened(editor: &mut Editor, path: &Path, message: String) {
    let name = file_name(path);
    editor
        .toasts
        .error(format!("“{name}” could not be opened"), message);
}

/// Writes the document to a file that was named for it, after all that is still being written: the last one saved is the
/// one that stays.
pub fn save(editor: &mut Editor, path: PathBuf) {
    write(editor, path, Vec::new(), None);
}

/// Writes the document to its file, unless another program has changed that.
pub fn save_again(editor: &mut Editor, path: PathBuf) {
    let read = editor.history.saved().cloned();
    let expected = read.map_or_else(Vec::new, |read| {
        editor.written.iter().cloned().chain([read]).collect()
    });
    let fingerprint = editor.expected.clone();
    write(editor, path, expected, fingerprint);
}

fn write(
    editor: &mut Editor,
    path: PathBuf,
    expected: Vec<Arc<Document>>,
    fingerprint: Option<String>,
) {
    editor.written = Some(Arc::clone(editor.document()));
    let save = Save {
        path,
        document: Arc::clone(editor.document()),
        generation: editor.generation,
        expected,
        fingerprint,
    };
    editor.jobs.in_turn(move |report| {
        if save.would_lose() {
            report(Event::Conflict(save));
            return;
        }
        let outcome = document::save(&save.path, &save.document).map_err(|e| e.to_string());
        report(Event::Saved(save, outcome));
    });
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
        Event::Checked(number, path, found) => {
            super::path_field::checked(editor, number, path, found);
        }
        Event::Loaded(number, path, Ok(file)) => loaded(editor, number, path, *file),
        Event::Loaded(_, path, Err(message)) => not_opened(editor, &path, message),
        Event::Conflict(save) if save.generation == editor.generation => {
            editor.conflict = Some(save);
        }
        Event::Conflict(save) => editor.toasts.error(
            format!("“{}” was not saved", save.name()),
            "Another program has changed it.",
        ),
        Event::Saved(save, Ok(())) => saved(editor, save),
        Event::Saved(save, Err(message)) => {
            let name = save.name();
            if save.generation == editor.generation {
                editor.guard = None;
            }
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
        Event::Compare(event) => super::compare_job::take(editor, event),
        Event::Broken(what) => {
            // It may have been what is waited for.
            (editor.waiting_for_dialog, editor.loading) = (false, None);
            editor
                .toasts
                .error("Something went wrong inside Eddy", what);
        }
        Event::Thumbnail(id, image) => editor.panels.presets.receive(id, image),
        Event::Failed(what, why) => editor.toasts.error(what, why),
        Event::Own(own) => editor.shelf.own = own,
        Event::Shelved(name, own) => {
            editor
                .toasts
                .done(format!("“{name}” is among your presets"));
            editor.panels.presets.forget_pictures(&own);
            editor.shelf.own = own;
        }
        Event::Texture(frame) => editor.panels.texture.receive(frame),
    }
}

/// Shows a folder in the desktop's own window for files.
pub fn reveal(editor: &mut Editor, folder: PathBuf) {
    let dialogs = Arc::clone(&editor.dialogs);
    editor.jobs.spawn(move |report| {
        if let Err(why) = dialogs.reveal(&folder) {
            let what = format!("“{}” cannot be shown here", folder.display());
            report(Event::Failed(what, why));
        }
    });
}

/// Puts a document that was read in the place of the one in whose place it was asked for.
fn loaded(editor: &mut Editor, number: u64, path: PathBuf, read: document::Loaded) {
    let Some(loading) = editor.loading.take_if(|l| l.number == number) else {
        // Something else has been opened since, or is about to be.
        return;
    };
    if editor.history.is_dirty() && !Arc::ptr_eq(&loading.over, editor.document()) {
        // What was changed while the file was read has not been asked about.
        editor.ask(match loading.preset {
            true => Request::Own(path),
            false => Request::File(path),
        });
    } else {
        warn_of_comments(editor, &path, &read);
        let file = (!loading.preset).then_some(path);
        editor.replace(Arc::new(read.document), file);
    }
}

/// Says what saving will not keep, while the file still has it.
pub fn warn_of_comments(editor: &mut Editor, path: &Path, read: &document::Loaded) {
    if read.commented {
        let name = file_name(path);
        editor.toasts.done(format!(
            "“{name}” has comments, which saving leaves out. To keep them, save under another name."
        ));
    }
}

/// The answer to what another program has changed: overwritten, saved elsewhere, or left as it is.
pub fn settle(editor: &mut Editor, overwrite: bool) {
    if let Some(save) = editor.conflict.take()
        && overwrite
    {
        write(editor, save.path, Vec::new(), None);
    }
}

fn saved(editor: &mut Editor, save: Save) {
    let name = save.name();
    editor.toasts.done(format!("Saved “{name}”"));
    if save.generation != editor.generation {
        // Another document stands here now; this file is not its own.
        return;
    }
    // What was changed while the file was written is still to be saved.
    if Arc::ptr_eq(&save.document, editor.document()) {
        editor.history.mark_saved();
    }
    editor.expected = None;
    editor.recent.add(&save.path);
    editor.file = Some(save.path);
    match editor.guard.take() {
        Some(Guarded::Request(request)) => editor.ask(request),
        Some(Guarded::Close) => editor.act(Action::Quit),
        Some(Guarded::Bake) => editor.guard = Some(Guarded::Bake),
        None => {}
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(
        || path.display().to_string(),
        |n| n.to_string_lossy().into_owned(),
    )
}
