//! The hidden folders of bakes that this process has not finished, for the case that it must end at once.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What bakes of this process have come to.
pub(super) struct Bakes {
    folders: Vec<PathBuf>,
    finished: bool,
}

impl Bakes {
    /// The files of a bake are in place: from here on there is nothing to abandon.
    pub(super) fn finish(&mut self, folder: &Path) {
        self.folders.retain(|f| f != folder);
        self.finished = true;
    }
}

static BAKES: Mutex<Bakes> = Mutex::new(Bakes {
    folders: Vec::new(),
    finished: false,
});

/// Keeps [`abandon`] waiting while files move into place: a bake is whole or not there.
pub(super) fn hold() -> MutexGuard<'static, Bakes> {
    BAKES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A hidden folder that is known here for as long as this value lives.
pub(super) struct Known(PathBuf);

impl Known {
    pub(super) fn new(folder: &Path) -> Self {
        hold().folders.push(folder.to_owned());
        Self(folder.to_owned())
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        hold().folders.retain(|f| *f != self.0);
    }
}

/// Takes away what unfinished bakes of this process have written, so that it can end without them. A bake that is just
/// moving its files into place is waited for. Returns whether nothing was written: then no other bake gets to that, and the
/// process has to end. Where a bake is finished, it is about to end by itself.
pub fn abandon() -> bool {
    let bakes = hold();
    for folder in &bakes.folders {
        // The bake goes on writing meanwhile: a file may appear in a folder that was just emptied.
        for _ in 0..100 {
            match std::fs::remove_dir_all(folder) {
                Err(_) if folder.exists() => std::thread::sleep(Duration::from_millis(5)),
                _ => break,
            }
        }
    }
    let nothing = !bakes.finished;
    if nothing {
        std::mem::forget(bakes);
    }
    nothing
}
