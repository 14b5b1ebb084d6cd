//! Pictures that commands write.

use std::path::Path;

use super::scene::PresetArgs;
use super::{Error, Result};
use crate::document::{self, Document, target};
use crate::scene::Masks;
use crate::view::Picture;

fn cannot(out: &Path, why: &dyn std::fmt::Display) -> Error {
    Error::Failed(format!("{} cannot be written: {why}", out.display()))
}

/// Refuses a place where no picture can be put: what the picture is made from, a name of something else, or a folder that
/// cannot be written.
pub fn can_be_written(out: &Path, document: &Document, preset: &PresetArgs) -> Result {
    target::check_file(out).map_err(|e| cannot(out, &e))?;
    refuse_input(out, document, preset)?;
    target::check_folder_of(out).map_err(|e| cannot(out, &e))
}

fn refuse_input(out: &Path, document: &Document, preset: &PresetArgs) -> Result {
    let ending = out.extension().map(|e| e.to_string_lossy().to_lowercase());
    if ending.as_deref() != Some("png") {
        let message = format!(
            "{} must end in .png: that is what is written",
            out.display()
        );
        return Err(Error::Usage(message));
    }
    let Ok(there) = out.canonicalize() else {
        return Ok(());
    };
    let pictures = Masks::files(&document.scene, preset.base());
    let mut inputs = pictures.into_iter().chain([preset.preset.clone()]);
    if inputs.any(|input| input.canonicalize().is_ok_and(|i| i == there)) {
        let message = format!("{} is what the picture is made from", out.display());
        return Err(Error::Usage(message));
    }
    Ok(())
}

/// Writes it as a PNG, all or nothing; its folder is made where there is none.
pub fn write_picture(out: &Path, picture: &Picture) -> Result {
    let bytes = picture.png().map_err(|e| cannot(out, &e))?;
    if let Some(folder) = out.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|e| cannot(out, &e))?;
    }
    document::replace_file(out, &bytes, false).map_err(|e| cannot(out, &e))
}
