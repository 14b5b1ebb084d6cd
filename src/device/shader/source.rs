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
    use std::path::{Path, PathBuf};

    #[cfg(test)]
    thread_local! {
        /// Where a test keeps shaders of its own.
        pub static TEST_ROOT: std::cell::RefCell<Option<PathBuf>> = const { std::cell::RefCell::new(None) };
    }

    pub fn root() -> PathBuf {
        #[cfg(test)]
        if let Some(root) = TEST_ROOT.with_borrow(Clone::clone) {
            return root;
        }
        Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders")
    }

    pub fn read(path: &str) -> Option<Cow<'static, str>> {
        std::fs::read_to_string(root().join(path))
            .ok()
            .map(Cow::Owned)
    }

    pub fn list(found: &mut Vec<String>) {
        fn walk(root: &Path, dir: &Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    walk(root, &path, found);
                } else if let Ok(below) = path.strip_prefix(root) {
                    found.push(below.to_string_lossy().replace('\\', "/"));
                }
            }
        }
        let root = root();
        walk(&root, &root, found);
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

/// For a test: this thread reads shaders from another folder.
#[cfg(all(test, debug_assertions))]
pub fn read_from(root: &std::path::Path) {
    place::TEST_ROOT.with_borrow_mut(|r| *r = Some(root.to_owned()));
}

/// When a file was last changed.
#[cfg(debug_assertions)]
pub fn modified(path: &str) -> Option<std::time::SystemTime> {
    let path = place::root().join(path);
    std::fs::metadata(path).ok()?.modified().ok()
}
