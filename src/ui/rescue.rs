//! Copies of unsaved work, for after a crash.
//!
//! Whatever writes copies or takes them away is done in turn with the saves, so that none is written after it was given
//! up, and none is gone before there is another or the file.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::document::Document;
use crate::document::recovery::{self, Left, Recovery};

use super::editor::Editor;
use super::files::Event;

/// What is kept in case of a crash.
#[derive(Default)]
pub struct Rescue {
    /// Documents that earlier crashes have left; the newest comes last.
    pub left: Vec<Left>,
    /// Those that were opened, and of which no newer copy has been written yet.
    taken: Vec<Left>,
    pub(super) copy: Option<Arc<Recovery>>,
    kept: Option<Arc<Document>>,
    due: Option<Instant>,
}

/// Time between a change and the copy of it.
const KEEP_AFTER: Duration = Duration::from_secs(5);

/// Looks for what a crash has left, and keeps copies from now on.
pub fn begin(editor: &mut Editor, recovery: Recovery, data_dir: PathBuf) {
    editor.rescue.copy = Some(Arc::new(recovery));
    editor.jobs.spawn(move |report| {
        report(Event::Left(recovery::left_in(&data_dir)));
    });
}

/// Opens what was rescued. Its copy goes only when there is a new one, or when the document has been saved.
pub fn open(editor: &mut Editor) {
    if let Some(left) = editor.rescue.left.pop() {
        editor.replace(Arc::new(left.document.clone()), left.origin.clone());
        editor.history.mark_unsaved();
        editor.expected.clone_from(&left.saved);
        editor.rescue.taken.push(left);
        editor.rescue.due = Some(Instant::now());
    }
}

/// Throws away what was rescued.
pub fn forget(editor: &mut Editor) {
    if let Some(left) = editor.rescue.left.pop() {
        editor.jobs.in_turn(move |_| discard(&left));
    }
}

fn discard(left: &Left) {
    if let Err(e) = left.discard() {
        log::warn!("{}: {e}", left.copy.display());
    }
}

/// What was opened after a crash is saved, or given up on purpose.
fn discard_taken(editor: &mut Editor) {
    let taken = std::mem::take(&mut editor.rescue.taken);
    if !taken.is_empty() {
        editor.jobs.in_turn(move |_| taken.iter().for_each(discard));
    }
}

/// Keeps a copy of what is not saved, some time after it was changed, and none of what is.
pub fn keep_copy(editor: &mut Editor, ctx: &egui::Context) {
    if !editor.history.is_dirty() {
        discard_taken(editor);
        if editor.rescue.kept.take().is_some() {
            discard_copy(editor);
        }
        editor.rescue.due = None;
        return;
    }
    let Some(copy) = editor.rescue.copy.clone() else {
        return;
    };
    let document = Arc::clone(editor.history.current());
    let kept = editor.rescue.kept.as_ref();
    if kept.is_some_and(|kept| Arc::ptr_eq(kept, &document)) {
        return;
    }
    let later = || Instant::now() + KEEP_AFTER;
    let due = *editor.rescue.due.get_or_insert_with(later);
    let wait = due.saturating_duration_since(Instant::now());
    if !wait.is_zero() || editor.holding() {
        ctx.request_repaint_after(wait.max(Duration::from_millis(200)));
        return;
    }
    write(editor, &copy);
}

/// Keeps a copy of what is not saved without waiting, even of a drag that is going on.
pub fn keep_now(editor: &mut Editor) {
    let known = editor.rescue.kept.as_ref();
    if !editor.history.is_dirty() || known.is_some_and(|k| Arc::ptr_eq(k, editor.history.current()))
    {
        return;
    }
    if let Some(copy) = editor.rescue.copy.clone() {
        write(editor, &copy);
    }
}

fn write(editor: &mut Editor, copy: &Arc<Recovery>) {
    let (copy, document) = (Arc::clone(copy), Arc::clone(editor.history.current()));
    editor.rescue.due = None;
    editor.rescue.kept = Some(Arc::clone(&document));
    let origin = editor.file.clone();
    let (saved, expected) = (editor.history.saved().cloned(), editor.expected.clone());
    let taken = std::mem::take(&mut editor.rescue.taken);
    editor.jobs.in_turn(move |report| {
        let saved = saved
            .map(|saved| recovery::fingerprint(&saved))
            .or(expected);
        let outcome = copy.keep(&document, origin.as_deref(), saved.as_deref());
        if outcome.is_ok() {
            taken.iter().for_each(discard);
        }
        report(Event::Kept(outcome.map_err(|e| e.to_string())));
    });
}

/// Takes the copy away: everything is saved, or given up on purpose.
pub fn discard_copy(editor: &mut Editor) {
    discard_taken(editor);
    if let Some(copy) = editor.rescue.copy.clone() {
        editor.jobs.in_turn(move |_| {
            if let Err(e) = copy.discard() {
                log::warn!("a recovery copy could not be removed: {e}");
            }
        });
    }
}
