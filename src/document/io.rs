//! Documents as text and as files.

use std::io::Read;
use std::path::{Path, PathBuf};

use ron::extensions::Extensions;
use serde::Deserialize;

use super::error::{Issue, LoadError};
use super::migrate::{Draft, STEPS};
use super::replace::replace_file;
use super::{Document, VERSION, check, layout, scan, sizes};
use crate::params::Problem;

/// Largest file that is read.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// Most things wrong that are reported of a file: finding each one reads the file again.
const MAX_ISSUES: usize = 30;

/// A document as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The document, in the present form.
    pub document: Document,
    /// The older version in which the file is written, if it is.
    pub migrated_from: Option<u32>,
    /// Whether there are comments in the file, which a document does not keep.
    pub commented: bool,
}

/// Reads a document from a file.
///
/// # Errors
/// A file that cannot be read or is no document, with everything that is wrong with it.
pub fn load(path: &Path) -> Result<Loaded, LoadError> {
    load_with(path, &|_| Vec::new())
}

/// Reads a document from a file for someone who must not be kept waiting: a pipe is refused, whose end may never come.
///
/// # Errors
/// As [`load`].
pub fn load_file(path: &Path) -> Result<Loaded, LoadError> {
    super::target::check_file(path).map_err(|e| LoadError {
        file: path.to_owned(),
        issues: vec![Issue::whole(&format!("cannot be read: {e}"))],
    })?;
    load(path)
}

/// Reads a document from a file, and looks for further problems where it has none by itself.
///
/// # Errors
/// As [`load`], with the further problems at their places in the file.
pub fn load_with(
    path: &Path,
    further: &dyn Fn(&Document) -> Vec<Problem>,
) -> Result<Loaded, LoadError> {
    let text = read(path).map_err(|issue| LoadError {
        file: path.to_owned(),
        issues: vec![issue],
    })?;
    parse_with(&text, path.to_owned(), further)
}

fn read(path: &Path) -> Result<String, Issue> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|e| Issue::whole(&format!("cannot be read: {e}")))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        let message = format!("is larger than {} MiB", MAX_FILE_BYTES >> 20);
        return Err(Issue::whole(&message));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&e.as_bytes()[..at]);
        let before = without_mark(&before);
        let (line, column) = scan::line_column(before, before.len());
        let message = format!(
            "is not text in UTF-8: byte {:#04x}; save it as UTF-8",
            e.as_bytes()[at]
        );
        Issue::new(line, column, "", &message)
    })
}

/// Some editors on Windows put a byte-order mark first; it is no part of the text.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Whether a text begins as a document may: with a bracket, behind remarks, attributes and the name of what it is.
fn begins_well(text: &str) -> bool {
    let begin = &text[scan::skip_space(text, 0)..];
    let named = begin.strip_prefix("Document").unwrap_or(begin);
    begin.starts_with("#![") || named[scan::skip_space(named, 0)..].starts_with('(')
}

fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES)
}

/// Reads a document from text; `name` stands for the file in errors.
///
/// # Errors
/// Everything that is wrong with it.
pub fn parse(text: &str, name: impl Into<PathBuf>) -> Result<Loaded, LoadError> {
    parse_with(text, name.into(), &|_| Vec::new())
}

fn parse_with(
    text: &str,
    file: PathBuf,
    further: &dyn Fn(&Document) -> Vec<Problem>,
) -> Result<Loaded, LoadError> {
    let text = without_mark(text);
    match read_text(text, further) {
        Ok(loaded) => Ok(loaded),
        Err(mut issues) => {
            issues.sort_by_key(|i| (i.line, i.column));
            Err(LoadError { file, issues })
        }
    }
}

fn read_text(
    text: &str,
    further: &dyn Fn(&Document) -> Vec<Problem>,
) -> Result<Loaded, Vec<Issue>> {
    let issue = |at: usize, path: String, message: String| {
        let (line, column) = scan::line_column(text, at);
        Issue::new(line, column, &path, &message)
    };
    if !begins_well(text) {
        let message = "this is not an Eddy document, which begins with `(version: …`";
        let at = scan::skip_space(text, 0);
        return Err(vec![issue(at, String::new(), message.to_owned())]);
    }
    sizes::check(text).map_err(|(at, path, message)| vec![issue(at, path, message)])?;
    let Some(version) = scan::find(text, "version") else {
        deserialize(text).map_err(|(at, path, message)| vec![issue(at, path, message)])?;
        let message = format!("is missing; expected a whole number up to {VERSION}");
        return Err(vec![issue(0, "version".into(), message)]);
    };
    let wrong_version =
        |message: String| vec![issue(version.value.start, "version".into(), message)];
    let written = &text[version.value.clone()];
    let written: u32 = written.parse().map_err(|_| {
        wrong_version(format!(
            "expected a whole number up to {VERSION}, found {}",
            short(written)
        ))
    })?;
    if written > VERSION {
        return Err(wrong_version(format!(
            "version {written} was written by a newer Eddy; this one reads up to version {VERSION}"
        )));
    }
    let mut draft = Draft::new(text);
    for step in &STEPS[written as usize..] {
        step(&mut draft).map_err(|i| {
            let (place, _) = scan::nearest(&draft.text, &i.at);
            vec![issue(draft.origin(place.value.start), i.at, i.message)]
        })?;
    }
    if written < VERSION {
        draft.set_version(VERSION);
    }
    let document = deserialize(&draft.text)
        .map_err(|(at, path, message)| vec![issue(draft.origin(at), path, message)])?;
    let mut problems = check::problems(&document);
    if problems.is_empty() {
        problems = further(&document);
    }
    let more = problems.len().saturating_sub(MAX_ISSUES);
    let mut issues: Vec<Issue> = problems
        .into_iter()
        .take(MAX_ISSUES)
        .map(|p| {
            let (place, _) = scan::nearest(&draft.text, &p.path);
            issue(draft.origin(place.value.start), p.path, p.message)
        })
        .collect();
    if more > 0 {
        let message = format!("and {more} more things are wrong");
        issues.push(issue(text.len(), String::new(), message));
    }
    if issues.is_empty() {
        Ok(Loaded {
            document,
            migrated_from: (written < VERSION).then_some(written),
            commented: scan::Scanner::new(text).has_comments(),
        })
    } else {
        Err(issues)
    }
}

/// Reads the present form; where, dotted path and message of the first thing that is wrong.
fn deserialize(text: &str) -> Result<Document, (usize, String, String)> {
    let mut deserializer = match ron::Deserializer::from_str_with_options(text, &options()) {
        Ok(deserializer) => deserializer,
        Err(e) => return Err((offset(text, e.span.start), String::new(), lower(&e.code))),
    };
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut deserializer, &mut track);
    let result = Document::deserialize(tracked);
    match result.and_then(|document| deserializer.end().map(|()| document)) {
        Ok(document) => Ok(document),
        Err(code) => {
            let path = dotted(&track.path());
            let spanned = deserializer.span_error(code);
            Err(locate(text, path, &spanned))
        }
    }
}

/// The path as `params` makes it: without the names of alternatives.
fn dotted(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let elements: Vec<String> = path
        .iter()
        .filter_map(|segment| match segment {
            Segment::Seq { index } => Some(index.to_string()),
            Segment::Map { key } => Some(key.clone()),
            Segment::Enum { .. } | Segment::Unknown => None,
        })
        .collect();
    elements.join(".")
}

/// Where an error of the parser stands: at the name of what is not known, at the beginning of a value that does not fit,
/// and where the parser stopped for everything else.
fn locate(text: &str, path: String, error: &ron::error::SpannedError) -> (usize, String, String) {
    use ron::Error as E;
    let stopped = scan::skip_space(text, offset(text, error.span.end));
    let message = lower(&error.code);
    match &error.code {
        E::NoSuchStructField { found, .. } | E::InvalidIdentifier(found) => {
            let path = match path.strip_suffix(found.as_str()) {
                Some(owner) if owner.is_empty() || owner.ends_with('.') => path,
                _ if path.is_empty() => found.clone(),
                _ => format!("{path}.{found}"),
            };
            let at = scan::find(text, &path).map_or(stopped, |p| p.entry.start);
            (at, path, message)
        }
        E::DuplicateStructField { field, .. } => {
            let at = offset(text, error.span.start);
            let path = [path.as_str(), field].into_iter();
            let path = path.filter(|p| !p.is_empty()).collect::<Vec<_>>();
            (at, path.join("."), message)
        }
        E::Eof
        | E::ExpectedComma
        | E::ExpectedMapColon
        | E::ExpectedMapEnd
        | E::ExpectedArrayEnd
        | E::ExpectedStructLikeEnd
        | E::ExpectedStringEnd
        | E::ExpectedIdentifier
        | E::UnclosedBlockComment
        | E::InvalidEscape(_)
        | E::ExceededRecursionLimit
        | E::TrailingCharacters => (stopped, path, message),
        _ => match scan::find(text, &path) {
            Some(place) if !path.is_empty() => {
                let found = short(&text[place.value.clone()]);
                (place.value.start, path, format!("{message}, found {found}"))
            }
            _ => (stopped, path, message),
        },
    }
}

/// The parser's message, in the style of the others.
fn lower(code: &ron::Error) -> String {
    let message = code.to_string();
    let mut chars = message.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => message,
    }
}

/// The byte at a position of the parser.
fn offset(text: &str, position: ron::error::Position) -> usize {
    let mut begin = 0;
    for _ in 1..position.line {
        match text[begin..].find('\n') {
            Some(i) => begin += i + 1,
            None => return text.len(),
        }
    }
    text[begin..]
        .char_indices()
        .nth(position.col.saturating_sub(1))
        .map_or(text.len(), |(i, _)| begin + i)
}

fn short(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The canonical text of a document. Reading it gives the same document, and writing that gives the same text.
///
/// # Errors
/// None that is known: the writer's, should it ever fail.
pub fn to_ron(document: &Document) -> Result<String, ron::Error> {
    let current = Document {
        version: VERSION,
        ..document.clone()
    };
    Ok(layout::pretty(&options().to_string(&current)?))
}

/// Writes a document to a file, whole or not at all: beside it, to the disk, then in its place.
///
/// # Errors
/// A file that cannot be written. What stood there before is then untouched.
pub fn save(path: &Path, document: &Document) -> std::io::Result<()> {
    let text = to_ron(document).map_err(std::io::Error::other)?;
    replace_file(path, text.as_bytes(), true)
}
