//! `eddy [PRESET]`: the editor.

use std::path::PathBuf;

use super::{Error, Result};

/// Opens the editor's window.
pub fn run(preset: Option<PathBuf>) -> Result {
    if !display() {
        return Err(Error::Failed(format!(
            "there is no display for the editor's window (neither WAYLAND_DISPLAY nor DISPLAY is set).\n      \
             Without one, `eddy bake {} --out DIR` writes textures; `eddy --help` lists more.",
            preset.map_or("PRESET".into(), |p| p.display().to_string())
        )));
    }
    crate::app::run(preset).map_err(|e| Error::Failed(format!("{e:#}")))
}

/// Whether there is somewhere to open a window.
fn display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    cfg!(not(all(unix, not(target_os = "macos"))))
        || ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"]
            .into_iter()
            .any(set)
}
