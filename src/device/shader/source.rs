//! The text of the files below `shaders/`, by path.

use std::borrow::Cow;

#[cfg(not(debug_assertions))]
mod place {
    use super::Cow;
    use include_dir::{Dir, include_dir};

    static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/shaders");

    pub fn read(path: &str) -> Option<Cow<'static, str>> {
        EMBEDDED.get_file(path)?.contents_utf8().map(Cow::Borrowed)
    }

    pub fn list(found: &mut Vec<String>) {
        fn walk(dir: &Dir<'_>, found: &mut Vec<String>) {
            found.extend(dir.files().map(|f| f.path().to_string_lossy().into_owned()));
            dir.dirs().for_each(|d| walk(d, found));
        }
        walk(&EMBEDDED, found);
    }
}

#[cfg(debug_assertions)]
mod place {
    use super::Cow;
    use std::path::Path;

    pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");

    pub fn read(path: &str) -> Option<Cow<'static, str>> {
        std::fs::read_to_string(Path::new(ROOT).join(path))
            .ok()
            .map(Cow::Owned)
    }

    pub fn list(found: &mut Vec<String>) {
        fn walk(dir: &Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    walk(&path, found);
                } else if let Ok(below) = path.strip_prefix(ROOT) {
                    found.push(below.to_string_lossy().replace('\\', "/"));
                }
            }
        }
        walk(Path::new(ROOT), found);
    }
}

/// The text of a file below `shaders/`.
pub fn read(path: &str) -> Option<Cow<'static, str>> {
    place::read(path)
}

/// Paths below `shaders/` of all shader files, sorted.
pub fn files() -> Vec<String> {
    let mut found = Vec::new();
    place::list(&mut found);
    found.retain(|path| path.ends_with(".wgsl"));
    found.sort();
    found
}

/// When a file was last changed.
#[cfg(debug_assertions)]
pub fn modified(path: &str) -> Option<std::time::SystemTime> {
    let path = std::path::Path::new(place::ROOT).join(path);
    std::fs::metadata(path).ok()?.modified().ok()
}
