//! Older forms of the document, one step a version.
//!
//! A step edits the text, so that comments and places survive: what is found wrong afterwards is reported where it stands
//! in the file as it is. To change the form: raise [`VERSION`](super::VERSION) by adding a step at the end of [`STEPS`],
//! and a fixture of the form before it in `tests/fixtures`.

use super::error::Issue;
use super::scan::{self, Place};

/// A step from a version to the next.
type Step = fn(&mut Draft) -> Result<(), Issue>;

/// From the version that is the step's position to the next.
pub(super) const STEPS: &[Step] = &[names_of_the_first_draft];

/// Version 0, before the first release. Frame rate and range were `time.fps` and `time.frames: (first, end)`; the
/// domain was `size: (width, height), cells: (x, y)`, of which the height followed from the rest; what the description
/// says was `comment`; the seed stood at the top.
fn names_of_the_first_draft(draft: &mut Draft) -> Result<(), Issue> {
    draft.rename("comment", "description");
    draft.rename("time.fps", "frame_rate");
    if let Some([first, end]) = draft.pair("time.frames")? {
        draft.replace(
            "time.frames",
            &format!("first_frame: {first}, end_frame: {end}"),
        );
    }
    if let Some([width, _]) = draft.pair("scene.domain.size")? {
        draft.replace("scene.domain.size", &format!("width: {width}"));
    }
    if let Some([x, y]) = draft.pair("scene.domain.cells")? {
        draft.replace("scene.domain.cells", &format!("cells_x: {x}, cells_y: {y}"));
    }
    if let Some(seed) = draft.value("seed") {
        draft.remove("seed");
        draft.insert("scene", &format!("seed: {seed}"));
    }
    Ok(())
}

struct Splice {
    at: usize,
    removed: usize,
    inserted: usize,
}

/// A text that is being migrated, with a way back to where things stood.
pub(super) struct Draft {
    /// As it is now.
    pub text: String,
    splices: Vec<Splice>,
}

impl Draft {
    /// Begins with the text of a file.
    pub fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            splices: Vec::new(),
        }
    }

    /// Where a byte of the present text stood in the file; for what was written by a step, where that was put.
    pub fn origin(&self, mut at: usize) -> usize {
        for s in self.splices.iter().rev() {
            if at >= s.at + s.inserted {
                at = at - s.inserted + s.removed;
            } else if at > s.at {
                at = s.at;
            }
        }
        at
    }

    fn find(&self, path: &str) -> Option<Place> {
        scan::find(&self.text, path)
    }

    fn value(&self, path: &str) -> Option<String> {
        Some(self.text[self.find(path)?.value].to_owned())
    }

    /// The two parts of a pair, if it is there.
    fn pair(&self, path: &str) -> Result<Option<[String; 2]>, Issue> {
        let Some(place) = self.find(path) else {
            return Ok(None);
        };
        match (
            self.value(&format!("{path}.0")),
            self.value(&format!("{path}.1")),
        ) {
            (Some(a), Some(b)) => Ok(Some([a, b])),
            _ => Err(Issue {
                at: path.to_owned(),
                line: 0,
                column: 0,
                message: format!(
                    "expected a pair such as (1, 2), found {}",
                    &self.text[place.value]
                ),
            }),
        }
    }

    fn splice(&mut self, range: std::ops::Range<usize>, with: &str) {
        self.splices.push(Splice {
            at: range.start,
            removed: range.len(),
            inserted: with.len(),
        });
        self.text.replace_range(range, with);
    }

    /// Gives an entry another name.
    fn rename(&mut self, path: &str, name: &str) {
        if let Some(place) = self.find(path) {
            self.splice(place.entry.start..place.value.start, &format!("{name}: "));
        }
    }

    /// Puts other entries in the place of one.
    fn replace(&mut self, path: &str, entries: &str) {
        if let Some(place) = self.find(path) {
            self.splice(place.entry, entries);
        }
    }

    /// Takes an entry out, with the comma after it.
    fn remove(&mut self, path: &str) {
        if let Some(place) = self.find(path) {
            let end = scan::after_comma(&self.text, place.entry.end);
            self.splice(place.entry.start..end, "");
        }
    }

    /// Puts an entry first in the group at `path`; makes the group where there is none.
    fn insert(&mut self, path: &str, entry: &str) {
        let (outer, name) = path.rsplit_once('.').unwrap_or(("", path));
        match self.find(path) {
            Some(place) => {
                if let Some(open) = scan::inside(&self.text, place.value.start) {
                    self.splice(open..open, &format!("{entry}, "));
                }
            }
            None if name.is_empty() => {}
            None => self.insert(outer, &format!("{name}: ({entry})")),
        }
    }

    /// Puts the present version where the old one stood.
    pub fn set_version(&mut self, version: u32) {
        self.replace("version", &format!("version: {version}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lead_back_to_the_file() {
        let old = "(seed: 7, comment: \"c\", time: (fps: 30, frames: (5, 10)), name: \"end\")";
        let mut draft = Draft::new(old);
        names_of_the_first_draft(&mut draft).expect("migrates");
        assert_eq!(
            draft.text,
            "(scene: (seed: 7), description: \"c\", time: (frame_rate: 30, first_frame: 5, end_frame: 10), name: \"end\")"
        );
        let back = |needle: &str| draft.text.find(needle).map(|at| draft.origin(at));
        assert_eq!(back("\"end\""), old.find("\"end\""));
        assert_eq!(back("30"), old.find("30"));
        assert_eq!(back("first_frame"), old.find("frames"));
        assert_eq!(back("end_frame"), old.find("frames"));
        assert_eq!(back("\"c\""), old.find("\"c\""));
    }

    #[test]
    fn a_pair_that_is_none_is_said() {
        let mut draft = Draft::new("(time: (frames: 12))");
        let issue = names_of_the_first_draft(&mut draft).expect_err("no pair");
        assert_eq!(issue.at, "time.frames");
    }
}
