//! What stands in a place where a file or a folder is to go.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// Links that are followed before they are taken for a circle: as many as Linux follows.
const MOST_LINKS: usize = 40;

/// What stands there, in words: "a folder", "a device"; none where there is nothing. A link counts as what it leads to.
pub fn what(path: &Path) -> Option<String> {
    if let Ok(found) = std::fs::metadata(path) {
        return Some(kind(&found).to_owned());
    }
    let end = std::fs::read_link(path).ok()?;
    if is_circle(path) {
        return Some("a link that leads back to itself".to_owned());
    }
    Some(format!(
        "a link to {}, which is not there",
        super::printable(&end.display().to_string())
    ))
}

/// Refuses everything but a file and nothing: opening a pipe would wait for a reader, and what is written to a device is
/// gone.
///
/// # Errors
/// What stands there.
pub fn check_file(path: &Path) -> std::io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|m| m.is_file()) {
        return Ok(());
    }
    match what(path) {
        None => Ok(()),
        Some(what) => Err(Error::new(
            ErrorKind::InvalidInput,
            format!("it is {what}, not a file"),
        )),
    }
}

/// Refuses a file whose folder is not there and cannot be made, or cannot be written, so that it is known before what is to
/// be written is worked out. Makes nothing that stays.
///
/// # Errors
/// What stands in the way.
pub fn check_folder_of(file: &Path) -> std::io::Result<()> {
    let absolute = std::path::absolute(file)?;
    // The first one that there is, be it a link to nothing.
    let mut above = absolute.ancestors().skip(1);
    let Some(place) = above.find(|p| std::fs::symlink_metadata(p).is_ok()) else {
        return Ok(());
    };
    if !place.is_dir() {
        let what = what(place).unwrap_or_else(|| "no folder".to_owned());
        let message = format!("{} is {what}, not a folder", place.display());
        return Err(Error::new(ErrorKind::NotADirectory, message));
    }
    match tempfile::tempfile_in(place) {
        Ok(_) => Ok(()),
        Err(e) if e.kind() == ErrorKind::PermissionDenied => {
            let message = format!("nothing can be written in {}", place.display());
            Err(Error::new(e.kind(), message))
        }
        Err(e) => Err(e),
    }
}

fn kind(found: &std::fs::Metadata) -> &'static str {
    let kind = found.file_type();
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if kind.is_dir() {
        "a folder"
    } else if kind.is_file() {
        "a file"
    } else {
        "a device"
    }
}

fn is_circle(path: &Path) -> bool {
    let mut at = PathBuf::from(path);
    for _ in 0..MOST_LINKS {
        match std::fs::read_link(&at) {
            Ok(next) => at = at.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return false,
        }
    }
    true
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_stands_there_is_said_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), b"").unwrap();
        for (link, to) in [
            ("to_file", "file"),
            ("gone", "nowhere"),
            ("a", "b"),
            ("b", "a"),
        ] {
            symlink(to, at(link)).unwrap();
        }
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        for (name, words) in [
            ("gone", "a link to nowhere, which is not there"),
            ("a", "a link that leads back to itself"),
            ("socket", "a socket"),
            (".", "a folder"),
            ("/dev/full", "a device"),
        ] {
            let path = at(name);
            assert_eq!(what(&path).as_deref(), Some(words), "{name}");
            let error = check_file(&path).unwrap_err().to_string();
            assert_eq!(error, format!("it is {words}, not a file"), "{name}");
        }
        for fine in ["file", "to_file", "nothing", "nothing/below"] {
            check_file(&at(fine)).unwrap();
        }
    }
}
