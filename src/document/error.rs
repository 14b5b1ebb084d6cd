//! Why a file is not a document.

use std::path::PathBuf;

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Issue {
    /// Line, from one; zero where the file as a whole is meant.
    pub line: u32,
    /// Column in characters, from one; zero where the file as a whole is meant.
    pub column: u32,
    /// Dotted path inside the document; empty where none is known.
    pub at: String,
    /// What is wrong and what was expected.
    pub message: String,
}

/// A text with everything that would move a terminal's cursor, break the line or turn the direction of writing spelled
/// out, and cut where it is too long to be read: parts of it come from files.
pub fn printable(text: &str) -> String {
    const LONGEST: usize = 600;
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let mut out = String::with_capacity(text.len());
    for (i, c) in text.chars().enumerate() {
        if i == LONGEST {
            out.push('…');
            break;
        }
        if hidden(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

impl Issue {
    /// At a place in the text.
    pub fn new(line: u32, column: u32, at: &str, message: &str) -> Self {
        Self {
            line,
            column,
            at: printable(at),
            message: printable(message),
        }
    }
    /// About the file as a whole.
    pub fn whole(message: &str) -> Self {
        Self::new(0, 0, "", message)
    }
}

/// Why a file is not a document: everything that was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct LoadError {
    /// The file, or what stands for it.
    pub file: PathBuf,
    /// What is wrong, in the order of the file; at least one.
    pub issues: Vec<Issue>,
}

impl std::fmt::Display for LoadError {
    /// `file:line:column: path: message`, one a line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, issue) in self.issues.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{}:", printable(&self.file.display().to_string()))?;
            if issue.line > 0 {
                write!(f, "{}:{}:", issue.line, issue.column)?;
            }
            if !issue.at.is_empty() {
                write!(f, " {}:", issue.at)?;
            }
            write!(f, " {}", issue.message)?;
        }
        Ok(())
    }
}
