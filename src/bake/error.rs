//! What can go wrong in a bake.

use std::path::{Path, PathBuf};

use crate::document::printable;
use crate::sim::Fault;

/// Why nothing was baked. The output folder is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum BakeError {
    /// A setting that cannot be honoured.
    #[error("{at}: {message}")]
    Setting {
        /// Path inside the document, such as `bake.outputs.0.red`.
        at: String,
        /// What is wrong and what would do.
        message: String,
    },
    /// A value that no file should hold.
    #[error("{field} is not a finite number at cell ({}, {}, {}) in frame {frame}; nothing was written", cell[0], cell[1], cell[2])]
    NotFinite {
        /// Name of the field.
        field: String,
        /// Cell, from the low corner of the domain.
        cell: [u32; 3],
        /// Frame.
        frame: u32,
    },
    /// More memory than was allowed.
    #[error("the bake needs about {} MiB of memory, more than the {} MiB allowed; bake fewer frames in a sheet, smaller frames, or raise the limit", needed.div_ceil(1 << 20), limit >> 20)]
    Memory {
        /// Bytes.
        needed: u64,
        /// Bytes.
        limit: u64,
    },
    /// The simulation stopped.
    #[error(transparent)]
    Simulation(Fault),
    /// The file system refused.
    #[error("{}: {message}", path.display())]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// What was tried, and why it failed.
        message: String,
    },
    /// A picture could not be encoded.
    #[error("{file} could not be encoded: {message}")]
    Encode {
        /// Name of the file.
        file: String,
        /// What the encoder said.
        message: String,
    },
    /// The caller asked to stop.
    #[error("cancelled; nothing was written")]
    Cancelled,
}

impl From<Fault> for BakeError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Cancelled => Self::Cancelled,
            other => Self::Simulation(other),
        }
    }
}

impl BakeError {
    /// A setting that cannot be honoured.
    pub(super) fn setting(at: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Setting {
            at: at.into(),
            message: printable(&message.into()),
        }
    }
    /// A failed call on the file system.
    pub(super) fn io(path: &Path, what: &str, error: &std::io::Error) -> Self {
        // What makes temporary files names them in its errors; the path here is the one that the artist knows.
        let error = match error.get_ref() {
            Some(_) => error.kind().to_string(),
            None => error.to_string(),
        };
        Self::Io {
            path: path.to_owned(),
            message: format!("{what}: {error}"),
        }
    }
}
