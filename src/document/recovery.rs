//! Copies of unsaved documents, offered after a crash.
//!
//! Each editor has one copy in the user's data folder (`EDDY_DATA_DIR`, or what the system says) and holds a lock beside
//! it while it lives. A copy without a living owner is what a crash has left. The copy is an ordinary document whose
//! first lines, comments, say which file it belongs to and what that held when it was last read or written: another program
//! may change it before the copy is opened.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use sha2::{Digest as _, Sha256};

use super::replace::{remove_leftovers, replace_file};
use super::{Document, LoadError, io};

const ORIGIN: &str = "// Recovery copy of: ";
const SAVED: &str = "// Last saved: ";

/// Tells a document from others.
pub fn fingerprint(document: &Document) -> String {
    let text = io::to_ron(document).unwrap_or_default();
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The user's folder for what Eddy keeps, or none where the system has no such place.
pub fn data_dir() -> Option<PathBuf> {
    match std::env::var_os("EDDY_DATA_DIR") {
        Some(dir) if !dir.is_empty() => Some(dir.into()),
        _ => directories::ProjectDirs::from("", "", "Eddy").map(|d| d.data_dir().to_owned()),
    }
}

/// The copy of one editor. When it is dropped in the ordinary way the copy stays; [`Recovery::discard`] takes it away.
pub struct Recovery {
    copy: PathBuf,
    lock_path: PathBuf,
    _lock: File,
}

impl Recovery {
    /// Begins in the folder of [`data_dir`].
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn new() -> std::io::Result<Self> {
        let dir = data_dir().ok_or_else(|| std::io::Error::other("there is no data folder"))?;
        Self::in_dir(&dir)
    }

    /// Begins in the given data folder.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn in_dir(data_dir: &Path) -> std::io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let dir = data_dir.join("recovery");
        std::fs::create_dir_all(&dir)?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let id = format!(
            "{}-{}-{}",
            now.map_or(0, |d| d.as_millis()),
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let lock_path = dir.join(format!("{id}.lock"));
        let lock = File::create(&lock_path)?;
        lock.lock()?;
        Ok(Self {
            copy: dir.join(format!("{id}.ron")),
            lock_path,
            _lock: lock,
        })
    }

    /// Writes the copy. `origin` is the file that the document belongs to, if it has one, and `saved` the [`fingerprint`] of
    /// what that holds, as far as it is known. Takes a few milliseconds.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn keep(
        &self,
        document: &Document,
        origin: Option<&Path>,
        saved: Option<&str>,
    ) -> std::io::Result<()> {
        let text = io::to_ron(document).map_err(std::io::Error::other)?;
        let origin = origin.map_or(String::new(), |p| p.to_string_lossy().replace('\n', " "));
        let saved = saved.map_or(String::new(), |print| format!("{SAVED}{print}\n"));
        let text = format!("{ORIGIN}{origin}\n{saved}{text}");
        replace_file(&self.copy, text.as_bytes(), false)
    }

    /// Takes the copy away: the document was saved, or given up on purpose.
    ///
    /// # Errors
    /// A file that cannot be removed. That there is none is fine.
    pub fn discard(&self) -> std::io::Result<()> {
        match std::fs::remove_file(&self.copy) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        }
    }
}

impl Drop for Recovery {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.lock_path);
    }
}

/// A copy that was left behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Left {
    /// The copy itself.
    pub copy: PathBuf,
    /// The file that the document belongs to; none if it never had one.
    pub origin: Option<PathBuf>,
    /// The [`fingerprint`] of what that file held when it was last read or written, if that is known.
    pub saved: Option<String>,
    /// When it was written.
    pub written: SystemTime,
    /// What it holds.
    pub document: Document,
}

impl Left {
    /// Takes the copy away.
    ///
    /// # Errors
    /// A file that cannot be removed.
    pub fn discard(&self) -> std::io::Result<()> {
        std::fs::remove_file(&self.copy)
    }
}

/// Copies in the given data folder whose editors are gone, newest first. One that is damaged is renamed to end in `.damaged`;
/// what a newer Eddy wrote or the system does not let read is left alone. Locks without a copy and without an owner, of editors
/// that were killed, are removed.
pub fn left_in(data_dir: &Path) -> Vec<Left> {
    sweep(&data_dir.join("recovery"));
    let entries = std::fs::read_dir(data_dir.join("recovery"));
    let mut found: Vec<Left> = entries
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| read(&entry.path()))
        .collect();
    found.sort_by_key(|l| std::cmp::Reverse(l.written));
    found
}

/// Copies of [`data_dir`] whose editors are gone, newest first.
pub fn left() -> Vec<Left> {
    data_dir().map_or(Vec::new(), |dir| left_in(&dir))
}

/// An editor makes its lock and takes it in two steps: one that is so young may be between them.
const YOUNG: Duration = Duration::from_secs(60);

fn sweep(dir: &Path) {
    remove_leftovers(dir, |_| true);
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    for path in entries.map(|e| e.path()) {
        let is_lock = path.extension().is_some_and(|e| e == "lock");
        if is_lock && !path.with_extension("ron").exists() && is_abandoned(&path) {
            let _ = std::fs::remove_file(&path);
        }
    }
}

fn is_abandoned(lock_path: &Path) -> bool {
    let Ok(lock) = File::open(lock_path) else {
        return false;
    };
    let old = lock
        .metadata()
        .and_then(|m| m.modified())
        .is_ok_and(|t| t.elapsed().is_ok_and(|age| age > YOUNG));
    old && lock.try_lock().is_ok()
}

fn read(copy: &Path) -> Option<Left> {
    if copy.extension()? != "ron" {
        return None;
    }
    let lock_path = copy.with_extension("lock");
    if let Ok(lock) = File::open(&lock_path) {
        // Someone else's lock: the editor lives.
        lock.try_lock().ok()?;
        let _ = std::fs::remove_file(&lock_path);
    }
    let written = std::fs::metadata(copy).and_then(|m| m.modified()).ok()?;
    let document = match io::load(copy) {
        Ok(loaded) => loaded.document,
        Err(error) => {
            if is_damage(&error) {
                set_aside(copy, &error);
            }
            return None;
        }
    };
    let text = std::fs::read_to_string(copy).ok()?;
    let mut lines = text.lines();
    let origin = lines.next()?.strip_prefix(ORIGIN)?;
    let saved = lines.next().and_then(|line| line.strip_prefix(SAVED));
    Some(Left {
        copy: copy.to_owned(),
        origin: (!origin.is_empty()).then(|| origin.into()),
        saved: saved.map(str::to_owned),
        written,
        document,
    })
}

/// Whether the text is at fault: it was read, and is not of a later version.
fn is_damage(error: &LoadError) -> bool {
    error.issues.iter().all(|i| i.line > 0 && i.at != "version")
}

/// Gives a damaged copy a name under which it is not looked at again.
fn set_aside(copy: &Path, error: &LoadError) {
    let aside = copy.with_extension("ron.damaged");
    match std::fs::rename(copy, &aside) {
        Ok(()) => log::warn!(
            "a recovery copy is damaged and was renamed to {}: {error}",
            aside.display()
        ),
        Err(e) => log::warn!("a recovery copy is damaged ({error}) and cannot be renamed: {e}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_copy_is_offered_when_its_editor_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let named = |name: &str| Document {
            name: name.into(),
            ..Document::default()
        };
        let living = Recovery::in_dir(folder.path()).unwrap();
        living.keep(&named("living"), None, None).unwrap();
        let crashed = Recovery::in_dir(folder.path()).unwrap();
        crashed
            .keep(&named("first"), Some(Path::new("/a/b.ron")), None)
            .unwrap();
        crashed
            .keep(&named("crashed"), Some(Path::new("/a/b.ron")), Some("12ab"))
            .unwrap();
        assert_eq!(left_in(folder.path()), []);
        drop(crashed);
        let found = left_in(folder.path());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].document, named("crashed"));
        assert_eq!(found[0].origin.as_deref(), Some(Path::new("/a/b.ron")));
        assert_eq!(found[0].saved.as_deref(), Some("12ab"));
        found[0].discard().unwrap();
        living.discard().unwrap();
        living.discard().unwrap();
        drop(living);
        assert_eq!(left_in(folder.path()), []);
        assert_eq!(
            std::fs::read_dir(folder.path().join("recovery"))
                .unwrap()
                .count(),
            0
        );
    }

    #[test]
    fn locks_of_killed_editors_are_swept_away_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let living = Recovery::in_dir(folder.path()).unwrap();
        let lock = |name: &str, age: u64| {
            let path = folder.path().join("recovery").join(name);
            let file = File::create(&path).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age))
                .unwrap();
            path
        };
        living
            ._lock
            .set_modified(SystemTime::now() - Duration::from_secs(3600))
            .unwrap();
        let (killed, young) = (lock("1-2-0.lock", 3600), lock("1-2-1.lock", 0));
        assert_eq!(left_in(folder.path()), []);
        assert!(!killed.exists() && young.exists() && living.lock_path.exists());
    }

    #[test]
    fn a_damaged_copy_is_set_aside_and_a_newer_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("recovery");
        std::fs::create_dir(&dir).unwrap();
        let origin = format!("{ORIGIN}\n");
        let texts: [(&str, Vec<u8>); 5] = [
            ("cut", format!("{origin}(version: 1, name: \"a").into()),
            ("empty", Vec::new()),
            ("binary", vec![0xff, 0xfe, 0]),
            ("newer", format!("{origin}(version: 99)").into()),
            ("fine", format!("{origin}(version: 1)").into()),
        ];
        for (name, text) in &texts {
            std::fs::write(dir.join(name).with_extension("ron"), text).unwrap();
        }
        assert_eq!(left_in(folder.path()).len(), 1);
        for (name, _) in &texts {
            let there = dir.join(name).with_extension("ron").exists();
            let aside = dir.join(name).with_extension("ron.damaged").exists();
            assert_eq!(
                (there, aside),
                match *name {
                    "newer" | "fine" => (true, false),
                    _ => (false, true),
                },
                "{name}"
            );
        }
    }
}
