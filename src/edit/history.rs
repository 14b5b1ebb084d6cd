//! Undo as snapshots of the document.
//!
//! Snapshots share nothing but are counted in bytes, so that long brush strokes do not fill the memory. A drag is one
//! step: [`History::begin`], many [`History::update`]s, [`History::commit`].

use std::collections::VecDeque;
use std::sync::Arc;

use crate::document::Document;

/// Most steps that are kept.
const MAX_STEPS: usize = 500;
/// Most bytes that the snapshots may take together; the newest step is always kept.
const MAX_BYTES: usize = 256 << 20;

struct Step {
    label: String,
    document: Arc<Document>,
}

struct Transaction {
    label: String,
    before: Arc<Document>,
}

/// Snapshots of a document with a label each, and which of them is shown.
pub struct History {
    /// Oldest first; the first one carries the label of how the document came to be.
    steps: VecDeque<Step>,
    position: usize,
    current: Arc<Document>,
    open: Option<Transaction>,
    saved: Option<Arc<Document>>,
    max_steps: usize,
    max_bytes: usize,
}

impl History {
    /// A history that begins with a saved document.
    pub fn new(document: Arc<Document>) -> Self {
        Self {
            steps: VecDeque::from([Step {
                label: "Open".to_owned(),
                document: document.clone(),
            }]),
            position: 0,
            current: document.clone(),
            open: None,
            saved: Some(document),
            max_steps: MAX_STEPS,
            max_bytes: MAX_BYTES,
        }
    }

    /// The document as it is now, in the middle of a drag too.
    pub fn current(&self) -> &Arc<Document> {
        &self.current
    }

    /// Changes the document in one step; `true` if that left a step, which it does not where nothing changed. A drag that
    /// is going on ends first.
    pub fn edit(&mut self, label: impl Into<String>, change: impl FnOnce(&mut Document)) -> bool {
        self.begin(label);
        self.update(change);
        self.commit()
    }

    /// Begins a step that many [`History::update`]s make together. A step that is going on is ended first.
    pub fn begin(&mut self, label: impl Into<String>) {
        self.commit();
        self.open = Some(Transaction {
            label: label.into(),
            before: self.current.clone(),
        });
    }

    /// Whether a step has begun and not ended.
    pub fn in_transaction(&self) -> bool {
        self.open.is_some()
    }

    /// Changes the document within the step that has begun; begins one where there is none.
    pub fn update(&mut self, change: impl FnOnce(&mut Document)) {
        if self.open.is_none() {
            self.begin("Edit");
        }
        change(Arc::make_mut(&mut self.current));
    }

    /// Ends the step; `true` if it left one, which it does not where nothing changed.
    pub fn commit(&mut self) -> bool {
        let Some(open) = self.open.take() else {
            return false;
        };
        if *open.before == *self.current {
            self.current = open.before;
            return false;
        }
        self.steps.truncate(self.position + 1);
        self.steps.push_back(Step {
            label: open.label,
            document: self.current.clone(),
        });
        self.position += 1;
        self.trim();
        true
    }

    /// Gives the step up: the document is again what it was before it.
    pub fn abort(&mut self) {
        if let Some(open) = self.open.take() {
            self.current = open.before;
        }
    }

    /// One step back; `false` at the beginning. A drag that is going on ends first, and is what is undone.
    pub fn undo(&mut self) -> bool {
        self.commit();
        self.position > 0 && self.go_to(self.position - 1)
    }

    /// One step forward; `false` at the end.
    pub fn redo(&mut self) -> bool {
        self.commit();
        self.go_to(self.position + 1)
    }

    /// Whether there is a step to take back.
    pub fn can_undo(&self) -> bool {
        self.position > 0 || self.open.is_some()
    }

    /// Whether there is a step to do again.
    pub fn can_redo(&self) -> bool {
        self.position + 1 < self.steps.len()
    }

    /// Shows the document as it was after the step at `position` of [`History::labels`]; `false` if there is none.
    pub fn go_to(&mut self, position: usize) -> bool {
        self.commit();
        let Some(step) = self.steps.get(position) else {
            return false;
        };
        self.current = step.document.clone();
        self.position = position;
        true
    }

    /// The documents that the steps left, oldest first.
    pub fn documents(&self) -> impl ExactSizeIterator<Item = &Arc<Document>> {
        self.steps.iter().map(|s| &s.document)
    }

    /// What was done, oldest first; the first one is how the document came to be.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = &str> {
        self.steps.iter().map(|s| s.label.as_str())
    }

    /// The step that is shown, as a position in [`History::labels`].
    pub fn position(&self) -> usize {
        self.position
    }

    /// What [`History::undo`] would take back.
    pub fn undo_label(&self) -> Option<&str> {
        match &self.open {
            Some(open) => Some(&open.label),
            None if self.position > 0 => Some(&self.steps[self.position].label),
            None => None,
        }
    }

    /// What [`History::redo`] would do again.
    pub fn redo_label(&self) -> Option<&str> {
        self.steps.get(self.position + 1).map(|s| s.label.as_str())
    }

    /// The document as it is now is what stands in the file.
    pub fn mark_saved(&mut self) {
        self.saved = Some(self.current.clone());
    }

    /// What stands in the file, as far as is known here.
    pub fn saved(&self) -> Option<&Arc<Document>> {
        self.saved.as_ref()
    }

    /// The document stands in no file: a recovered or a new one.
    pub fn mark_unsaved(&mut self) {
        self.saved = None;
    }

    /// Whether the document differs from the file. Undoing back to what was saved makes it clean again.
    pub fn is_dirty(&self) -> bool {
        match &self.saved {
            Some(saved) => !Arc::ptr_eq(saved, &self.current) && **saved != *self.current,
            None => true,
        }
    }

    /// Drops the oldest steps over the limits.
    fn trim(&mut self) {
        let mut bytes: usize = self.steps.iter().map(|s| weight(&s.document)).sum();
        while self.position > 0
            && self.steps.len() > 2
            && (self.steps.len() > self.max_steps || bytes > self.max_bytes)
        {
            if let Some(step) = self.steps.pop_front() {
                bytes -= weight(&step.document);
                self.position -= 1;
            }
        }
    }
}

/// Bytes that a document takes, roughly: the strokes are what grows.
fn weight(document: &Document) -> usize {
    let scene = &document.scene;
    let points: usize = scene.strokes.iter().map(|s| s.points.len()).sum();
    let items =
        scene.emitters.len() + scene.obstacles.len() + scene.terrain.len() + scene.motors.len();
    let dabs: usize = scene.terrain.iter().map(|t| t.dabs.len()).sum();
    let keys: usize = document.animation.tracks.iter().map(|t| t.keys.len()).sum();
    let tracks = document.animation.tracks.len();
    4096 + 512 * (items + tracks) + 16 * (points + dabs) + 32 * keys
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> History {
        History::new(Arc::new(Document::default()))
    }

    #[test]
    fn a_drag_is_one_step() {
        let mut h = history();
        h.begin("Frame rate");
        for rate in [30.0, 40.0, 50.0] {
            h.update(|d| d.time.frame_rate = rate);
            assert_eq!(h.current().time.frame_rate, rate);
        }
        assert!(h.commit());
        assert_eq!(h.labels().collect::<Vec<_>>(), ["Open", "Frame rate"]);
        assert!(h.undo());
        assert_eq!(h.current().time.frame_rate, 60.0);
        assert!(!h.undo());
        assert!(h.redo());
        assert_eq!(h.current().time.frame_rate, 50.0);
        assert!(!h.redo());
    }

    #[test]
    fn an_edit_that_changes_nothing_leaves_none() {
        let mut h = history();
        let before = h.current().clone();
        assert!(!h.edit("Nothing", |d| d.time.frame_rate = 60.0));
        h.begin("There and back");
        h.update(|d| d.time.frame_rate = 30.0);
        h.update(|d| d.time.frame_rate = 60.0);
        assert!(!h.commit());
        assert_eq!(h.labels().len(), 1);
        assert!(Arc::ptr_eq(&before, h.current()));
    }

    #[test]
    fn abort_returns_and_keeps_what_can_be_redone() {
        let mut h = history();
        h.edit("Name", |d| d.name = "Smoke".into());
        h.undo();
        h.begin("Drag");
        h.update(|d| d.time.cfl = 1.0);
        h.abort();
        assert_eq!(**h.current(), Document::default());
        assert_eq!(h.redo_label(), Some("Name"));
        h.edit("Other", |d| d.time.cfl = 2.0);
        assert!(!h.can_redo());
    }

    #[test]
    fn dirty_is_measured_against_the_file() {
        let mut h = history();
        assert!(!h.is_dirty());
        h.edit("Name", |d| d.name = "Smoke".into());
        assert!(h.is_dirty());
        h.mark_saved();
        assert!(!h.is_dirty());
        h.undo();
        assert!(h.is_dirty());
        h.redo();
        assert!(!h.is_dirty());
        h.edit("Back", |d| d.name = "Fire".into());
        h.edit("Again", |d| d.name = "Smoke".into());
        assert!(!h.is_dirty());
    }

    #[test]
    fn undo_in_the_middle_of_a_drag_takes_the_drag_back() {
        let mut h = history();
        h.begin("Drag");
        h.update(|d| d.time.cfl = 1.0);
        assert_eq!(h.undo_label(), Some("Drag"));
        assert!(h.undo());
        assert_eq!(h.current().time.cfl, 4.0);
        assert!(h.redo());
        assert_eq!(h.current().time.cfl, 1.0);
    }

    #[test]
    fn length_and_bytes_are_capped() {
        let mut h = history();
        h.max_steps = 10;
        for i in 0..50 {
            h.edit(format!("{i}"), |d| d.name = format!("{i}"));
        }
        assert_eq!((h.labels().len(), h.position()), (10, 9));
        assert_eq!(h.current().name, "49");
        h.max_bytes = 0;
        h.edit("last", |d| d.name = "last".into());
        assert_eq!(h.labels().len(), 2);
        assert!(h.undo());
        assert_eq!(h.current().name, "49");
    }
}
