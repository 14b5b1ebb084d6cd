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

impl Issue {
    /// About the file as a whole.
    pub fn whole(message: impl Into<String>) -> Self {
        Self {
            line: 0,
            column: 0,
            at: String::new(),
            message: message.into(),
        }
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
            write!(f, "{}:", self.file.display())?;
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
