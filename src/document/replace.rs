//! Files that are replaced whole or not at all.

use std::io::{Error, ErrorKind, Write};
use std::path::Path;
use std::time::Duration;

use super::target;

/// Puts `bytes` in the place of a file, whole or not at all. With `sync`, it survives a loss of power too.
///
/// # Errors
/// A file that cannot be written. What stood there before is then untouched.
pub(crate) fn replace_file(path: &Path, bytes: &[u8], sync: bool) -> std::io::Result<()> {
    target::check_file(path)?;
    // A link stays a link: its target is what changes.
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let before = std::fs::metadata(path).ok();
    if before.as_ref().is_some_and(|m| m.permissions().readonly()) {
        return Err(Error::new(
            ErrorKind::PermissionDenied,
            "the file is read-only",
        ));
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{name}.");
    remove_leftovers(folder, |name| name.starts_with(&prefix));
    let mut temporary = tempfile::Builder::new();
    temporary.prefix(&prefix).suffix(LEFTOVER);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        temporary.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = temporary.tempfile_in(folder).map_err(nameless)?;
    file.write_all(bytes).map_err(nameless)?;
    if let Some(before) = before {
        file.as_file().set_permissions(before.permissions())?;
    }
    if sync {
        file.as_file().sync_all()?;
    }
    file.persist(path).map_err(|e| nameless(e.error))?;
    #[cfg(unix)]
    if sync {
        std::fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// End of the names of files that are being written.
const LEFTOVER: &str = ".eddy-tmp";

/// After so long, a file that is being written is one that will never be finished.
const DEAD: Duration = Duration::from_secs(60);

/// What makes temporary files names them in its errors, and the artist knows no file of that name.
fn nameless(error: Error) -> Error {
    match (error.get_ref(), error.kind()) {
        (None, _) => error,
        (_, ErrorKind::NotFound) => Error::new(ErrorKind::NotFound, "there is no such folder"),
        (_, kind) => kind.into(),
    }
}

/// Takes away what processes that died while they wrote have left in a folder, for files of such names.
pub(super) fn remove_leftovers(folder: &Path, is_one: impl Fn(&str) -> bool) {
    let old = |entry: &std::fs::DirEntry| {
        let age = entry.metadata().and_then(|m| m.modified()).ok();
        age.and_then(|t| t.elapsed().ok())
            .is_some_and(|age| age > DEAD)
    };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if is_one(&name) && name.ends_with(LEFTOVER) && old(&entry) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::fs::File;
    use std::time::SystemTime;

    #[test]
    fn what_a_killed_save_left_goes_with_the_next_one_of_that_file() {
        let folder = tempfile::tempdir().unwrap();
        let left = |name: &str, age: u64| {
            let path = folder.path().join(name);
            let file = File::create(&path).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age))
                .unwrap();
            path
        };
        let stale = left(".a.ron.x1Y2z3.eddy-tmp", 61);
        let kept = [
            left(".a.ron.fresh0.eddy-tmp", 5),
            left(".b.ron.x1Y2z3.eddy-tmp", 61),
            left(".a.ron.x1Y2z3.mine", 61),
        ];
        replace_file(&folder.path().join("a.ron"), b"a", true).unwrap();
        assert!(!stale.exists());
        for path in kept {
            assert!(path.exists(), "{path:?}");
        }
    }

    #[test]
    fn errors_name_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, b"").unwrap();
        for (path, kind) in [
            (folder.path().join("none/a.ron"), ErrorKind::NotFound),
            (file.join("a.ron"), ErrorKind::NotADirectory),
        ] {
            let error = replace_file(&path, b"a", false).unwrap_err();
            assert_eq!(error.kind(), kind);
            assert!(!error.to_string().contains("tmp"), "{error}");
        }
    }
}
