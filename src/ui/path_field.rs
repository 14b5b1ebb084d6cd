//! A file named by typing, where the desktop has no dialog to choose it in.
//!
//! What is typed is looked up on a thread of its own: a folder on a network may take its time. Only then is a file opened
//! or written, and one that is there already only after a second yes.

use std::path::{Path, PathBuf};

use egui::{Context, Key, RichText, TextEdit, Ui};

use super::editor::Editor;
use super::files::{self, Event, Purpose};
use super::{theme, widgets};

/// What lies at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing, in a folder that is there.
    Nothing,
    /// Nothing, and no folder to put it in either.
    NoFolder,
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// The question, while it is asked.
pub struct PathField {
    /// No other field had it: an answer that comes late belongs to this one or to none.
    number: u64,
    purpose: Purpose,
    text: String,
    /// Where what is typed begins.
    folder: PathBuf,
    /// What is wrong with the path.
    problem: Option<String>,
    /// The file that would be replaced, and about which has been asked.
    replaces: Option<PathBuf>,
    checking: bool,
    fresh: bool,
}

impl PathField {
    /// Asks for a path; `name` is suggested for a file that is to be written.
    pub fn new(number: u64, purpose: Purpose, folder: Option<&Path>, name: &str) -> Self {
        let folder = folder
            .map(Path::to_path_buf)
            .or_else(|| directories::UserDirs::new().map(|d| d.home_dir().to_owned()))
            .unwrap_or_else(|| PathBuf::from("."));
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let first = match purpose {
            Purpose::SaveAs => folder.join(name),
            Purpose::Open | Purpose::Folder => folder.join(""),
        };
        Self {
            number,
            purpose,
            text: first.display().to_string(),
            folder,
            problem: None,
            replaces: None,
            checking: false,
            fresh: true,
        }
    }

    /// By which answers find it.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// What it asks for.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// The whole path that is meant: from the home folder, from the folder of the document, with the usual ending.
    fn path(&self) -> PathBuf {
        let text = self.text.trim();
        let path = meant(text, &self.folder);
        let is_file = self.purpose == Purpose::SaveAs && !text.ends_with(['/', '\\']);
        if is_file && path.extension().is_none() {
            path.with_extension("ron")
        } else {
            path
        }
    }

    /// Where in the text the name of the file stands, without its ending: what one types first. The end where there is none.
    fn name(&self) -> std::ops::Range<usize> {
        let count = |text: &str| text.chars().count();
        let all = count(&self.text);
        let path = Path::new(&self.text);
        match (self.purpose, path.file_name(), path.file_stem()) {
            (Purpose::SaveAs, Some(name), Some(stem)) => {
                let begin = all.saturating_sub(count(&name.to_string_lossy()));
                begin..begin + count(&stem.to_string_lossy())
            }
            _ => all..all,
        }
    }

    fn title(&self) -> &'static str {
        match self.purpose {
            Purpose::Open => "Open a look",
            Purpose::SaveAs => "Save the look",
            Purpose::Folder => "Folder for the textures",
        }
    }

    fn hint(&self) -> &'static str {
        match self.purpose {
            Purpose::Open => "Type where the .ron file lies. ~/ is your home folder.",
            Purpose::SaveAs => "Type where to save it; .ron is added. ~/ is your home folder.",
            Purpose::Folder => {
                "Type the folder; it is made if it is not there. ~/ is your home folder."
            }
        }
    }

    fn verb(&self) -> &'static str {
        match self.purpose {
            Purpose::SaveAs if self.replaces.is_some() => "Replace it",
            Purpose::SaveAs => "Save",
            Purpose::Open => "Open",
            Purpose::Folder => "Use it",
        }
    }

    /// What to say where something else than what is wanted was found; none where all is well.
    fn objection(&self, path: &Path, found: Found) -> Option<String> {
        let parent = || {
            path.parent()
                .map_or_else(String::new, |p| p.display().to_string())
        };
        match (self.purpose, found) {
            (Purpose::Open, Found::File) => None,
            (Purpose::Open, Found::Folder) => {
                Some("This is a folder: add the name of a file.".to_owned())
            }
            (Purpose::Open, Found::Nothing) => {
                Some(format!("There is no file of that name in {}.", parent()))
            }
            (Purpose::Open | Purpose::SaveAs, Found::NoFolder) => {
                Some(format!("There is no folder {}.", parent()))
            }
            (Purpose::SaveAs, Found::Nothing) => None,
            (Purpose::SaveAs, Found::Folder) => {
                Some("This is a folder: add a name for the file.".to_owned())
            }
            (Purpose::SaveAs, Found::File) if self.replaces.as_deref() == Some(path) => None,
            (Purpose::SaveAs, Found::File) => {
                Some("There is a file of that name already. Replace it?".to_owned())
            }
            (Purpose::Folder, Found::File) => Some("This is a file: name a folder.".to_owned()),
            (Purpose::Folder, _) => None,
        }
    }
}

/// The path that is meant by a text: `~/` is the home folder, and what is not absolute begins in `folder`.
pub fn meant(text: &str, folder: &Path) -> PathBuf {
    let text = text.trim();
    let home = || directories::UserDirs::new().map(|d| d.home_dir().to_owned());
    match text.strip_prefix("~/").zip(home()) {
        Some((rest, home)) => home.join(rest),
        None => folder.join(text),
    }
}

/// Draws it, if it is asked.
pub fn show(editor: &mut Editor, ctx: &Context) {
    let Some(field) = &mut editor.path_field else {
        return;
    };
    let (mut accept, mut cancel) = (false, false);
    widgets::modal("path field", ctx).show(ctx, |ui| {
        ui.set_width(480.0_f32.min(ctx.content_rect().width() - 60.0));
        (accept, cancel) = body(field, ui);
    });
    if cancel || widgets::escaped(ctx) {
        editor.path_field = None;
        return;
    }
    if accept && !field.checking {
        let (number, path) = (field.number, field.path());
        field.checking = true;
        editor.jobs.spawn(move |report| {
            let found = look(&path);
            report(Event::Checked(number, path, found));
        });
    }
}

fn body(field: &mut PathField, ui: &mut Ui) -> (bool, bool) {
    ui.label(
        RichText::new(field.title())
            .color(theme::bright())
            .text_style(egui::TextStyle::Heading),
    );
    widgets::note(ui, field.hint());
    ui.add_space(theme::GAP);
    let response = ui.add(
        TextEdit::singleline(&mut field.text)
            .desired_width(f32::INFINITY)
            .margin(egui::vec2(6.0, 5.0)),
    );
    widgets::name(&response, "Path");
    if response.changed() {
        (field.problem, field.replaces) = (None, None);
    }
    let enter = response.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
    let fresh = std::mem::take(&mut field.fresh);
    if fresh && field.problem.is_none() {
        widgets::select(&response, field.name());
    }
    if fresh || enter {
        response.request_focus();
    }
    // The place of the message is kept free, so that nothing moves when there is one.
    ui.allocate_ui(egui::vec2(ui.available_width(), 34.0), |ui| {
        ui.set_min_height(34.0);
        match &field.problem {
            Some(problem) => widgets::colored_note(ui, problem, theme::warn()),
            None => widgets::note(ui, if field.checking { "Looking…" } else { "" }),
        };
    });
    let (mut accept, mut cancel) = (enter, false);
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let ready = !field.text.trim().is_empty() && !field.checking;
        ui.add_enabled_ui(ready, |ui| {
            accept |= widgets::primary(ui, field.verb()).clicked();
        });
        cancel = ui.button("Cancel").clicked();
    });
    (accept && !field.text.trim().is_empty(), cancel)
}

fn look(path: &Path) -> Found {
    match std::fs::metadata(path) {
        Ok(m) if m.is_dir() => Found::Folder,
        Ok(_) => Found::File,
        Err(_) if path.parent().is_some_and(Path::is_dir) => Found::Nothing,
        Err(_) => Found::NoFolder,
    }
}

/// Goes on with what was found at a path: asks again, or does what was asked for. Only the field that asked goes on: one
/// that was closed meanwhile has been given up, whatever stands in the next.
pub fn checked(editor: &mut Editor, number: u64, path: PathBuf, found: Found) {
    let Some(field) = editor
        .path_field
        .as_mut()
        .filter(|f| f.number == number && f.checking)
    else {
        return;
    };
    field.checking = false;
    let purpose = field.purpose;
    if field.path() != path {
        // Something else has been typed meanwhile.
        return;
    }
    field.problem = field.objection(&path, found);
    if field.problem.is_some() {
        let asks = purpose == Purpose::SaveAs && found == Found::File;
        field.replaces = asks.then_some(path);
        // Typing goes on where it was, also after a click on the button.
        field.fresh = true;
        return;
    }
    editor.path_field = None;
    files::chosen(editor, purpose, path);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_completed() {
        let mut field = PathField::new(1, Purpose::SaveAs, Some(Path::new("/looks")), "mine.ron");
        assert_eq!(field.path(), Path::new("/looks/mine.ron"));
        assert_eq!(&field.text[field.name()], "mine");
        for (typed, meant) in [
            ("other", "/looks/other.ron"),
            ("/tmp/a.b", "/tmp/a.b"),
            (" sub/x ", "/looks/sub/x.ron"),
            ("/tmp/", "/tmp/"),
        ] {
            field.text = typed.to_owned();
            assert_eq!(field.path(), Path::new(meant), "{typed}");
        }
        if let Some(home) = directories::UserDirs::new() {
            field.text = "~/a.ron".to_owned();
            assert_eq!(field.path(), home.home_dir().join("a.ron"));
        }
    }

    #[test]
    fn a_file_is_replaced_only_after_a_second_yes() {
        let mut field = PathField::new(1, Purpose::SaveAs, Some(Path::new("/looks")), "mine.ron");
        let path = field.path();
        assert!(field.objection(&path, Found::Nothing).is_none());
        assert!(field.objection(&path, Found::File).is_some());
        field.replaces = Some(path.clone());
        assert!(field.objection(&path, Found::File).is_none());
        assert!(
            field
                .objection(Path::new("/looks/b.ron"), Found::File)
                .is_some()
        );
    }
}
