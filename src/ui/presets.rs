//! The looks that come with Eddy, and their pictures.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::LazyLock;

use include_dir::{Dir, File, include_dir};

use crate::document::{self, Document};
use crate::solvers::METHODS;

static PRESETS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/presets");
static THUMBNAILS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/assets/thumbnails");

/// A look of the library.
pub struct Preset {
    /// Folder and file, such as `stable_fluids/campfire`.
    pub id: String,
    /// As shown.
    pub name: String,
    /// What it shows and what to try.
    pub description: String,
    /// Words to find it by.
    pub tags: Vec<String>,
    text: &'static str,
}

static LIBRARY: LazyLock<Vec<Preset>> = LazyLock::new(|| {
    files()
        .into_iter()
        .filter_map(|file| {
            let text = file.contents_utf8()?;
            let id = file.path().with_extension("").display().to_string();
            // A look that does not open is left out here; a test opens them all.
            let document = document::parse(text, file.path()).ok()?.document;
            Some(Preset {
                id: id.replace('\\', "/"),
                name: document.name,
                description: document.description,
                tags: document.tags,
                text,
            })
        })
        .collect()
});

/// The files of all looks, a folder for each method, the methods in the order of the registry.
fn files() -> Vec<&'static File<'static>> {
    let mut files: Vec<_> = PRESETS
        .dirs()
        .flat_map(Dir::files)
        .filter(|f| f.path().extension().is_some_and(|e| e == "ron"))
        .collect();
    let of_method = |f: &File| METHODS.iter().position(|m| f.path().starts_with(m.id));
    files.sort_by_key(|f| (of_method(f).unwrap_or(usize::MAX), f.path()));
    files
}

/// Every look, a method after the other.
pub fn all() -> &'static [Preset] {
    &LIBRARY
}

/// The first look of a method.
pub fn first_of(method: &str) -> Option<usize> {
    let of_method = |p: &Preset| p.id.split('/').next() == Some(method);
    all().iter().position(of_method)
}

/// The text of a look by its id, the end of it or its name: `stable_fluids/ink_drop`, `ink_drop` or `Ink Drop`.
pub fn named(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase().replace(' ', "_");
    let called = |f: &File| {
        let path = f.path().with_extension("");
        path == Path::new(&name) || path.file_name() == Some(OsStr::new(&name))
    };
    files().into_iter().find(|f| called(f))?.contents_utf8()
}

/// The document of a look.
///
/// # Errors
/// Says where the document is wrong.
pub fn document(index: usize) -> Result<Document, String> {
    let preset = all().get(index).ok_or("there is no such look")?;
    document::parse(preset.text, preset.id.as_str())
        .map(|loaded| loaded.document)
        .map_err(|e| e.to_string())
}

/// The document that one starts with: the first look, opened without reading all the others.
pub fn first() -> Document {
    files()
        .iter()
        .filter_map(|f| f.contents_utf8())
        .find_map(|text| document::parse(text, "preset").ok())
        .map_or_else(Document::default, |loaded| loaded.document)
}

/// The picture of a look, if it has one. Takes a moment: not for the interface's thread.
pub fn thumbnail(index: usize) -> Option<egui::ColorImage> {
    let preset = all().get(index)?;
    let file = THUMBNAILS.get_file(format!("{}.png", preset.id))?;
    image_of(file.contents())
}

/// The picture in a PNG of 8 or fewer bits; none where it is another or broken.
pub fn image_of(bytes: &[u8]) -> Option<egui::ColorImage> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut bytes).ok()?;
    bytes.truncate(info.buffer_size());
    let size = [info.width as usize, info.height as usize];
    match info.color_type {
        png::ColorType::Rgb => Some(egui::ColorImage::from_rgb(size, &bytes)),
        png::ColorType::Rgba => Some(egui::ColorImage::from_rgba_unmultiplied(size, &bytes)),
        png::ColorType::Grayscale => Some(egui::ColorImage::from_gray(size, &bytes)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    /// A new method must not change what the editor opens with.
    #[test]
    fn the_looks_of_the_first_method_come_first() {
        let first = crate::solvers::METHODS[0].id;
        assert!(super::all()[0].id.starts_with(first));
        assert_eq!(super::first().name, super::all()[0].name);
    }

    #[test]
    fn every_look_has_a_picture() {
        for (index, preset) in super::all().iter().enumerate() {
            assert!(
                super::thumbnail(index).is_some(),
                "{} has no picture",
                preset.id
            );
        }
    }
}
