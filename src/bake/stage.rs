//! All or nothing: files are written into a hidden folder on the same disk, and renamed into place when all are done.
//!
//! A bake holds a lock on a file in its hidden folder. The system lets go of the lock however the process ends, so the
//! next bake beside it can tell what is left of a dead one from what belongs to a live one.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::unfinished::{self, Known};
use super::{BakeError, sha256};
use crate::document::target;

/// How the names of hidden folders begin.
const PREFIX: &str = ".eddy-bake-";
/// The file in a hidden folder that its bake holds a lock on.
const LOCK: &str = ".lock";
/// The folder in it for what stood in the way, until all is in place.
const OLD: &str = ".old";
/// The file in it that says that all is in place.
const DONE: &str = ".done";
/// After so long, an empty hidden folder without a lock is no bake that is just beginning.
const BEGINNING: Duration = Duration::from_secs(600);

/// The hidden folder. It goes away with this value, and takes with it what was not committed.
pub struct Stage {
    folder: tempfile::TempDir,
    _known: Known,
    _lock: File,
    out: PathBuf,
    names: Vec<String>,
}

impl Stage {
    /// Checks that `out` is, or can become, a folder that can be written, takes away what dead bakes left there, and makes
    /// the hidden folder.
    ///
    /// # Errors
    /// A file or a link to nothing where a folder should be, or a folder that cannot be written.
    pub fn open(out: &Path) -> Result<Self, BakeError> {
        let absolute =
            std::path::absolute(out).map_err(|e| BakeError::io(out, "is no path", &e))?;
        // The first one that there is, be it a link to nothing.
        let there = absolute
            .ancestors()
            .find(|p| fs::symlink_metadata(p).is_ok());
        let place = there.unwrap_or(Path::new("."));
        if !place.is_dir() {
            return Err(BakeError::Io {
                path: place.to_owned(),
                message: no_folder(place, &absolute),
            });
        }
        for folder in [Some(place), absolute.parent()].into_iter().flatten() {
            sweep(folder);
        }
        let (folder, lock) =
            hidden_folder(place).map_err(|e| BakeError::io(out, "cannot be written", &e))?;
        Ok(Self {
            _known: Known::new(folder.path()),
            folder,
            _lock: lock,
            out: absolute,
            names: Vec::new(),
        })
    }

    /// Where frames may be kept meanwhile.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a new file and returns its SHA-256 in hexadecimal.
    ///
    /// # Errors
    /// A full disk, or a name that another file has already.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<String, BakeError> {
        let path = self.folder.path().join(name);
        let write = || -> std::io::Result<()> {
            let mut file = File::create_new(&path)?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(|e| BakeError::io(&self.out.join(name), "cannot be written", &e))?;
        self.names.push(name.to_owned());
        Ok(sha256(bytes))
    }

    /// Moves everything into place, in the order of writing. Each file is replaced at once; if one cannot be, or the file
    /// before it cannot be kept until the end, those before it are put back.
    ///
    /// # Errors
    /// A folder in the place of a file, or a file system that refuses. Then everything is as it was, unless the file system
    /// refuses the way back too: then what was there stays in the hidden folder, and the error says where that is.
    pub fn commit(self) -> Result<(), BakeError> {
        // Nothing ends this process between the first file and the last.
        let mut bakes = unfinished::hold();
        let made = missing_folders(&self.out);
        let old = self.folder.path().join(OLD);
        let mut done = Vec::new();
        let result = [&self.out, &old]
            .into_iter()
            .try_for_each(|folder| {
                fs::create_dir_all(folder).map_err(|e| BakeError::io(folder, "cannot be made", &e))
            })
            .and_then(|()| {
                self.names
                    .iter()
                    .try_for_each(|name| self.place(name, &old, &mut done))
            });
        if let Err(error) = result {
            let lost = put_back(&done, &old, &self.out);
            for folder in made.iter().rev() {
                let _ = fs::remove_dir(folder);
            }
            return Err(if lost.is_empty() {
                error
            } else {
                left_in(&keep_folder(self.folder), &lost, error)
            });
        }
        // Should the process end before the hidden folder is gone, nothing needs to be put back.
        let _ = File::create(self.folder.path().join(DONE));
        bakes.finish(self.folder.path());
        #[cfg(unix)]
        {
            // So that a loss of power leaves the names too; some file systems cannot, and need not.
            let _ = File::open(&self.out).and_then(|folder| folder.sync_all());
        }
        Ok(())
    }

    fn place(
        &self,
        name: &str,
        old: &Path,
        done: &mut Vec<(String, Before)>,
    ) -> Result<(), BakeError> {
        let target = self.out.join(name);
        if target.is_dir() {
            return Err(BakeError::Io {
                path: target,
                message: "is a folder where a file should go".to_owned(),
            });
        }
        let before = keep(&target, &old.join(name))
            .map_err(|e| BakeError::io(&target, "cannot be kept until all is written", &e))?;
        let moved = fs::rename(self.folder.path().join(name), &target);
        // Where that is refused, what stands there is what stood there, unless it was a link and had to give way.
        if moved.is_ok() || fs::symlink_metadata(&target).is_err() {
            done.push((name.to_owned(), before));
        }
        moved.map_err(|e| BakeError::io(&target, "cannot be replaced", &e))
    }
}

/// What was in the place of a file.
enum Before {
    Nothing,
    /// A file, which is still in the hidden folder.
    Kept,
}

/// Keeps what is in the place of a file under a second name: itself, where the file system gives a file two, else a copy
/// of it. A link to something else is not followed, because it is the link that is replaced.
fn keep(target: &Path, second: &Path) -> std::io::Result<Before> {
    let Ok(there) = fs::symlink_metadata(target) else {
        return Ok(Before::Nothing);
    };
    if fs::hard_link(target, second).is_err() {
        if there.is_symlink() {
            fs::rename(target, second)?;
        } else {
            fs::copy(target, second)?;
        }
    }
    Ok(Before::Kept)
}

/// Puts back what was there, the last one first, and returns the names of those that the file system refuses.
fn put_back(done: &[(String, Before)], old: &Path, out: &Path) -> Vec<String> {
    let mut lost = Vec::new();
    for (name, before) in done.iter().rev() {
        let target = out.join(name);
        match before {
            Before::Nothing => {
                let _ = fs::remove_file(&target);
            }
            Before::Kept => {
                if fs::rename(old.join(name), &target).is_err() {
                    lost.push(name.clone());
                }
            }
        }
    }
    lost
}

/// Lets a hidden folder stay. Without the lock file no later bake takes it for what a dead one left.
fn keep_folder(folder: tempfile::TempDir) -> PathBuf {
    let path = folder.keep();
    let _ = fs::remove_file(path.join(LOCK));
    path
}

/// The error, with the place of what could not be put back.
fn left_in(folder: &Path, lost: &[String], error: BakeError) -> BakeError {
    let BakeError::Io { path, message } = error else {
        return error;
    };
    let message = format!(
        "{message}; what was there before cannot be put back and is kept in {}: {}",
        folder.join(OLD).display(),
        lost.join(", ")
    );
    BakeError::Io { path, message }
}

/// Why what is there is no folder for files.
fn no_folder(place: &Path, out: &Path) -> String {
    let what = target::what(place).unwrap_or_else(|| "no folder".to_owned());
    if place == out {
        format!("is {what}, not a folder; choose another folder")
    } else {
        format!("is {what}, so {} cannot be a folder", out.display())
    }
}

/// Makes a hidden folder and takes the lock in it.
fn hidden_folder(place: &Path) -> std::io::Result<(tempfile::TempDir, File)> {
    loop {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?;
        let path = folder.path().join(LOCK);
        let lock = File::create_new(&path)?;
        match lock.try_lock() {
            // Another bake that sweeps may have been faster, and have taken the folder for a dead one's.
            Err(TryLockError::WouldBlock) => {}
            Ok(()) if !path.exists() => {}
            // Where the file system has no locks, no sweep finds a free one either.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok((folder, lock)),
        }
    }
}

/// Takes away the hidden folders of dead bakes. What cannot be taken away stays.
fn sweep(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let name = entry.file_name();
        // `file_type` follows no link.
        if !name.to_string_lossy().starts_with(PREFIX)
            || !entry.file_type().is_ok_and(|kind| kind.is_dir())
        {
            continue;
        }
        let folder = entry.path();
        match File::options().write(true).open(folder.join(LOCK)) {
            Ok(lock) => {
                // The only copy of something is not removed.
                if lock.try_lock().is_ok() && undo(&folder) {
                    remove(&folder, lock);
                }
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                let age = entry.metadata().and_then(|m| m.modified()).ok();
                let age = age.and_then(|time| time.elapsed().ok());
                if age.is_some_and(|age| age > BEGINNING) {
                    // Only if it is empty.
                    let _ = fs::remove_dir(&folder);
                }
            }
            Err(_) => {}
        }
    }
}

/// Puts back what a bake that died while its files moved into place had kept: they lie in the folder around its own. Whether
/// nothing is left to put back.
fn undo(folder: &Path) -> bool {
    let Some(out) = folder.parent().filter(|_| !folder.join(DONE).exists()) else {
        return true;
    };
    let kept = match fs::read_dir(folder.join(OLD)) {
        Ok(kept) => kept,
        Err(e) => return e.kind() == std::io::ErrorKind::NotFound,
    };
    let mut all = true;
    for kept in kept {
        let Ok(kept) = kept else {
            all = false;
            continue;
        };
        let target = out.join(kept.file_name());
        match fs::rename(kept.path(), &target) {
            Ok(()) => log::warn!(
                "{}: put back as it was before a bake that was killed",
                target.display()
            ),
            Err(e) => {
                all = false;
                log::warn!(
                    "{}: cannot be put back as it was before a bake that was killed: {e}; it is kept in {}",
                    target.display(),
                    kept.path().display()
                );
            }
        }
    }
    all
}

/// Removes a dead bake's folder. The lock file goes last and only when all else is gone, so that whatever is left can be told
/// for what it is, and goes with a later sweep.
fn remove(folder: &Path, lock: File) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name() == LOCK {
            continue;
        }
        let _ = if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            fs::remove_dir_all(entry.path())
        } else {
            fs::remove_file(entry.path())
        };
    }
    let only_the_lock = |mut left: fs::ReadDir| {
        left.all(|entry| entry.is_ok_and(|entry| entry.file_name() == LOCK))
    };
    if !fs::read_dir(folder).is_ok_and(only_the_lock) {
        return;
    }
    // Windows removes no file that is open.
    #[cfg(windows)]
    drop(lock);
    let _ = fs::remove_file(folder.join(LOCK));
    let _ = fs::remove_dir(folder);
    #[cfg(not(windows))]
    drop(lock);
}

/// The folders on the way to `out` that do not exist, outermost first.
fn missing_folders(out: &Path) -> Vec<PathBuf> {
    let mut list: Vec<_> = out
        .ancestors()
        .take_while(|p| !p.exists())
        .map(Path::to_owned)
        .collect();
    list.reverse();
    list
}

#[cfg(test)]
mod tests;
