//! All or nothing: files are written into a hidden folder on the same disk, and renamed into place when all are done.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::BakeError;

/// The hidden folder. It goes away with this value, and takes with it what was not committed.
pub struct Stage {
    folder: tempfile::TempDir,
    out: PathBuf,
    names: Vec<String>,
}

impl Stage {
    /// Checks that `out` is, or can become, a folder that can be written, and makes the hidden folder.
    ///
    /// # Errors
    /// A file where a folder should be, or a folder that cannot be written.
    pub fn open(out: &Path) -> Result<Self, BakeError> {
        if out.exists() && !out.is_dir() {
            return Err(BakeError::Io {
                path: out.to_owned(),
                message: "is a file, not a folder; choose another folder".to_owned(),
            });
        }
        let absolute =
            std::path::absolute(out).map_err(|e| BakeError::io(out, "is no path", &e))?;
        let exists = absolute.ancestors().find(|p| p.exists());
        let place = exists.unwrap_or(Path::new("."));
        if !place.is_dir() {
            return Err(BakeError::Io {
                path: place.to_owned(),
                message: format!("is a file, so {} cannot be a folder", out.display()),
            });
        }
        let folder = tempfile::Builder::new()
            .prefix(".eddy-bake-")
            .tempdir_in(place)
            .map_err(|e| BakeError::io(out, "cannot be written", &e))?;
        Ok(Self {
            folder,
            out: absolute,
            names: Vec::new(),
        })
    }

    /// Where frames may be kept meanwhile.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file and returns its SHA-256 in hexadecimal.
    ///
    /// # Errors
    /// A full disk.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<String, BakeError> {
        let path = self.folder.path().join(name);
        let write = || -> std::io::Result<()> {
            let mut file = fs::File::create(&path)?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(|e| BakeError::io(&self.out.join(name), "cannot be written", &e))?;
        self.names.push(name.to_owned());
        let digest = Sha256::digest(bytes);
        Ok(digest.iter().map(|b| format!("{b:02x}")).collect())
    }

    /// Moves everything into place, in the order of writing. Each file is replaced at once; if one cannot be, those before
    /// it are put back.
    ///
    /// # Errors
    /// A folder in the place of a file, or a file system that refuses.
    pub fn commit(self) -> Result<(), BakeError> {
        let made = missing_folders(&self.out);
        fs::create_dir_all(&self.out)
            .map_err(|e| BakeError::io(&self.out, "cannot be made", &e))?;
        let old = self.folder.path().join(".old");
        let mut done = Vec::new();
        let result = fs::create_dir_all(&old)
            .map_err(|e| BakeError::io(&old, "cannot be made", &e))
            .and_then(|()| {
                self.names
                    .iter()
                    .try_for_each(|name| self.place(name, &old, &mut done))
            });
        if result.is_err() {
            // If the way back fails too, the first error is the one that counts.
            for (name, before) in done.iter().rev() {
                let target = self.out.join(name);
                let _ = match before {
                    Before::Nothing => fs::remove_file(&target),
                    Before::Linked => fs::rename(old.join(name), &target),
                    Before::Lost => Ok(()),
                };
            }
            for folder in made.iter().rev() {
                let _ = fs::remove_dir(folder);
            }
        }
        result
    }

    fn place<'a>(
        &self,
        name: &'a str,
        old: &Path,
        done: &mut Vec<(&'a str, Before)>,
    ) -> Result<(), BakeError> {
        let target = self.out.join(name);
        if target.is_dir() {
            return Err(BakeError::Io {
                path: target,
                message: "is a folder where a file should go".to_owned(),
            });
        }
        let before = if !target.exists() {
            Before::Nothing
        } else if fs::hard_link(&target, old.join(name)).is_ok() {
            Before::Linked
        } else {
            Before::Lost
        };
        fs::rename(self.folder.path().join(name), &target)
            .map_err(|e| BakeError::io(&target, "cannot be replaced", &e))?;
        done.push((name, before));
        Ok(())
    }
}

/// What was in the place of a file.
enum Before {
    Nothing,
    /// A file, which still has a name in the hidden folder.
    Linked,
    /// A file, on a file system without hard links: a failure later on leaves the new one.
    Lost,
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
