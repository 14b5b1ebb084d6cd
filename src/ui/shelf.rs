//! Looks of one's own: a folder of documents in the user's data folder, each with a picture beside it, shown in the gallery
//! with those that come with Eddy.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Align, Context, Layout, TextEdit, TextStyle};

use crate::document::{self, Document, replace_file};
use crate::field::FieldData;
use crate::scene::Masks;
use crate::view;

use super::editor::Editor;
use super::files::{self, Event};
use super::{presets, theme, widgets};

/// Pixels along the longer edge of a picture.
const PICTURE: u32 = 320;
/// Most looks that are read from the folder.
const MOST: usize = 2000;

/// A look of one's own.
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// The document.
    pub path: PathBuf,
    /// As shown.
    pub name: String,
    /// What it shows.
    pub description: String,
    /// Words to find it by.
    pub tags: Vec<String>,
}

impl Own {
    /// Where the picture is.
    pub fn picture(&self) -> PathBuf {
        picture_of(&self.path)
    }
    /// By which favourites remember it.
    pub fn id(&self) -> String {
        format!("own/{}", self.path.display())
    }
}

/// Where the picture of a look is: under a name that no mask has, because masks lie in the same folder.
fn picture_of(path: &Path) -> PathBuf {
    path.with_extension("preview.png")
}

/// What is being named, to be put among one's own.
pub struct Naming {
    /// Of the look.
    pub name: String,
    /// Words to find it by, with commas between them.
    pub tags: String,
    fresh: bool,
}

/// The looks of one's own.
#[derive(Default)]
pub struct Shelf {
    /// Where they are; without one none can be kept.
    folder: Option<PathBuf>,
    /// All there are, by name.
    pub own: Vec<Own>,
    /// What is being named.
    pub naming: Option<Naming>,
}

impl Shelf {
    /// Where they are.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }
}

/// Takes the looks from that folder from now on. It need not be there yet.
pub fn open(editor: &mut Editor, folder: PathBuf) {
    editor.shelf.folder = Some(folder.clone());
    editor
        .jobs
        .in_turn(move |report| report(Event::Own(read(&folder))));
}

/// All looks in a folder, by name. What cannot be read is left out, and noted.
fn read(folder: &Path) -> Vec<Own> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        // There is none before the first look is put there.
        return Vec::new();
    };
    let mut own: Vec<Own> = entries
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "ron"))
        .take(MOST)
        .filter_map(|path| match document::load_file(&path) {
            Ok(loaded) => Some(Own {
                path,
                name: loaded.document.name,
                description: loaded.document.description,
                tags: loaded.document.tags,
            }),
            Err(e) => {
                log::warn!("a preset is left out: {e}");
                None
            }
        })
        .collect();
    own.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
    own
}

/// Asks for the name under which the look is put among one's own.
pub fn ask(editor: &mut Editor) {
    if editor.shelf.folder.is_none() {
        editor.toasts.error(
            "There is no folder for presets",
            "The system names no place for a user's data. Use “Save as” instead.",
        );
        return;
    }
    let document = editor.document();
    editor.shelf.naming = Some(Naming {
        name: document.name.clone(),
        tags: document.tags.join(", "),
        fresh: true,
    });
}

/// Draws the question for the name.
pub fn show(editor: &mut Editor, ctx: &Context) {
    let Some(mut naming) = editor.shelf.naming.take() else {
        return;
    };
    let taken = editor.shelf.own.iter().any(|o| {
        files::stem_of(&o.name) == files::stem_of(&naming.name) && !naming.name.trim().is_empty()
    });
    let (mut save, mut cancel) = (false, false);
    widgets::modal("preset name", ctx).show(ctx, |ui| {
        ui.set_width(380.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.label(
            egui::RichText::new("Save to my presets")
                .text_style(TextStyle::Heading)
                .color(theme::bright()),
        );
        ui.add_space(theme::GAP);
        let field = |ui: &mut egui::Ui, label: &str, text: &mut String, hint: &str| {
            widgets::note(ui, label);
            let edit = TextEdit::singleline(text)
                .hint_text(hint)
                .desired_width(f32::INFINITY);
            let response = ui.add(edit);
            widgets::name(&response, label);
            response
        };
        let name = field(
            ui,
            "Name of the look",
            &mut naming.name,
            "Campfire at night",
        );
        if std::mem::take(&mut naming.fresh) {
            name.request_focus();
        }
        let tags = field(ui, "Tags", &mut naming.tags, "fire, warm, loop");
        let enter = ui.input(|i| i.key_pressed(egui::Key::Enter));
        let named = !files::stem_of(&naming.name).is_empty();
        let word = match taken {
            true => "Replaces the preset of that name. Its picture is what is seen now.",
            false => "The picture is what is seen now.",
        };
        widgets::colored_note(ui, word, if taken { theme::warn() } else { theme::weak() });
        ui.add_space(theme::GROUP_GAP);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let text = if taken {
                "Replace preset"
            } else {
                "Save preset"
            };
            let clicked = ui.add_enabled_ui(named, |ui| widgets::primary(ui, text).clicked());
            save = clicked.inner || (enter && named && (name.lost_focus() || tags.lost_focus()));
            cancel = ui.button("Cancel").clicked();
        });
    });
    if save {
        keep(editor, naming.name.trim(), &naming.tags);
    } else if !cancel && !widgets::escaped(ctx) {
        editor.shelf.naming = Some(naming);
    }
}

/// Puts the look among one's own, with a picture of what is seen now.
pub fn keep(editor: &mut Editor, name: &str, tags: &str) {
    let Some(folder) = editor.shelf.folder.clone() else {
        return;
    };
    let mut document = (**editor.document()).clone();
    name.clone_into(&mut document.name);
    let tags = tags.split(',').map(str::trim).filter(|t| !t.is_empty());
    document.tags = tags.map(str::to_owned).collect();
    let base = files::base(editor.file.as_deref());
    let snapshot = Arc::clone(&editor.snapshot);
    editor.jobs.in_turn(move |report| {
        let field = snapshot.field(&document.view.field).cloned();
        let solid = snapshot.field("obstacle").cloned();
        report(match write(&folder, &base, &document, field, solid) {
            Ok(()) => Event::Shelved(document.name.clone(), read(&folder)),
            Err(why) => Event::Failed(format!("“{}” was not kept as a preset", document.name), why),
        });
    });
}

fn write(
    folder: &Path,
    base: &Path,
    document: &Document,
    field: Option<Arc<FieldData>>,
    solid: Option<Arc<FieldData>>,
) -> Result<(), String> {
    let path = folder.join(format!("{}.ron", files::stem_of(&document.name)));
    let failed = |path: &Path, e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    std::fs::create_dir_all(folder).map_err(|e| failed(folder, &e))?;
    // Pictures that a look names are found from where it lies.
    for picture in Masks::files(&document.scene, base) {
        let beside = picture.strip_prefix(base).map(|name| folder.join(name));
        if let Ok(beside) = beside
            && picture.is_file()
            && beside != picture
        {
            let parent = beside.parent().unwrap_or(folder);
            if beside.exists() && std::fs::read(&beside).ok() != std::fs::read(&picture).ok() {
                return Err(format!(
                    "{} is there already, with another picture in it",
                    beside.display()
                ));
            }
            std::fs::create_dir_all(parent).map_err(|e| failed(parent, &e))?;
            std::fs::copy(&picture, &beside).map_err(|e| failed(&picture, &e))?;
        }
    }
    document::save(&path, document).map_err(|e| e.to_string())?;
    if let Some(field) = field {
        let size = view::fitting_size(&field.grid, PICTURE);
        let solid = solid.filter(|s| s.grid == field.grid);
        let picture = view::picture(&field, solid.as_deref(), &document.view, size);
        let picture_path = picture_of(&path);
        let bytes = picture.png().map_err(|e| failed(&picture_path, &e))?;
        replace_file(&picture_path, &bytes, false).map_err(|e| failed(&picture_path, &e))?;
    }
    Ok(())
}

/// The picture of a look, if it has one. Takes a moment: not for the interface's thread.
pub fn thumbnail(picture: &Path) -> Option<egui::ColorImage> {
    presets::image_of(&std::fs::read(picture).ok()?)
}

/// Takes a look out of one's own: its document and its picture.
pub fn remove(editor: &mut Editor, own: &Own) {
    let (own, folder) = (own.clone(), editor.shelf.folder.clone());
    editor.jobs.in_turn(move |report| {
        if let Err(e) = std::fs::remove_file(&own.path) {
            report(Event::Failed(
                format!("“{}” could not be removed", own.name),
                format!("{}: {e}", own.path.display()),
            ));
            return;
        }
        // It need not have one.
        let _ = std::fs::remove_file(own.picture());
        if let Some(folder) = folder {
            report(Event::Own(read(&folder)));
        }
    });
}
