//! The files that were opened or saved last.

use std::path::{Path, PathBuf};

use egui::Ui;

use super::editor::{Editor, Request};
use super::{theme, widgets};

/// Most files that are remembered.
const MOST: usize = 12;

/// Newest first; each stands there once.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Recent(Vec<PathBuf>);

impl Recent {
    /// A file was opened or saved.
    pub fn add(&mut self, path: &Path) {
        // A path is remembered for when Eddy is started in another folder.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.0.retain(|p| *p != path);
        self.0.insert(0, path);
        self.0.truncate(MOST);
    }
    /// The files.
    pub fn files(&self) -> &[PathBuf] {
        &self.0
    }
}

/// The menu.
pub fn menu(editor: &mut Editor, ui: &mut Ui) {
    ui.menu_button("Open recent", |ui| {
        if editor.recent.0.is_empty() {
            widgets::note(ui, "Nothing was opened or saved yet.");
        }
        for path in editor.recent.0.clone() {
            let name = path
                .file_stem()
                .map_or_else(String::new, |n| n.to_string_lossy().into_owned());
            let folder = path
                .parent()
                .map_or_else(String::new, |p| p.display().to_string());
            let short: String = folder
                .chars()
                .rev()
                .take(36)
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .collect();
            let place = if short.len() < folder.len() {
                format!("…{short}")
            } else {
                folder
            };
            let button = egui::Button::new(name)
                .right_text(egui::RichText::new(place).small().color(theme::weak()));
            if ui
                .add(button)
                .on_hover_text(path.display().to_string())
                .clicked()
            {
                editor.ask(Request::File(path));
                ui.close();
            }
        }
        ui.separator();
        let any = !editor.recent.0.is_empty();
        if ui
            .add_enabled(any, egui::Button::new("Forget them"))
            .clicked()
        {
            editor.recent.0.clear();
            ui.close();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_comes_first_and_none_twice() {
        let mut recent = Recent::default();
        for i in 0..20 {
            recent.add(Path::new(&format!("/looks/{i}.ron")));
        }
        recent.add(Path::new("/looks/15.ron"));
        assert_eq!(recent.files().len(), MOST);
        assert_eq!(recent.files()[0], Path::new("/looks/15.ron"));
        assert_eq!(recent.files()[1], Path::new("/looks/19.ron"));
        let sixteen = recent.files().iter().filter(|p| p.ends_with("15.ron"));
        assert_eq!(sixteen.count(), 1);
    }
}
