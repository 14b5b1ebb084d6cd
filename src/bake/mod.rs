//! Field textures: channels, ranges, loops and sheets, written as PNG, OpenEXR or raw numbers with a sidecar that tells
//! what every number means.
//!
//! A bake is worked out and checked first ([`estimate()`]), then frames are simulated and packed into pictures of numbers,
//! then ranges are found over all of them, then files are written into a hidden folder, and only when everything is there
//! do they move into place. A cancelled or failed bake leaves the output folder as it was. The same document and seed give
//! the same bytes on the CPU at any number of threads.
//!
//! Steps and where they stand: [`channel`] expressions → [`plan`] → [`pack`] (row 0 at the top, engine's signs) →
//! [`looping`] → [`range`] → [`coding`] → [`sheet`] → `png_file`, `exr_file` → [`sidecar`] and [`recipe`].

pub mod channel;
pub mod coding;
pub mod engine;
mod error;
mod estimate;
mod exr_file;
mod files;
mod import;
mod job;
pub mod looping;
mod meaning;
mod names;
pub mod pack;
pub mod plan;
mod png_file;
mod preview;
pub mod range;
pub mod recipe;
mod resample;
mod scripts;
pub mod scroll;
pub mod sheet;
pub mod sidecar;
mod source;
mod spool;
mod stage;
mod teller;
pub mod templates;
mod texels;
mod unfinished;
mod write;

use sha2::{Digest, Sha256};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::device::Device;
use crate::document::Document;
use crate::params::Problem;
use crate::scene::Masks;

pub use error::BakeError;
pub use estimate::estimate;
pub use names::check_look;
pub use plan::{default_outputs, output_of};
pub use preview::{Preview, fields_of, preview};
pub use sidecar::Sidecar;
pub use source::FrameSource;
pub use texels::Texels;
pub use unfinished::abandon;

/// What a bake may take, and how its files are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BakeOptions {
    /// First part of all file names; the document's name in small letters where there is none.
    pub look: Option<String>,
    /// Most memory that may be taken, bytes.
    pub memory_limit: u64,
    /// Files that the bake is made from, and must not replace: the preset, say.
    pub inputs: Vec<PathBuf>,
}

impl Default for BakeOptions {
    /// Three quarters of what is free now, or 4 GiB where that is not known.
    fn default() -> Self {
        Self {
            look: None,
            memory_limit: free_memory().map_or(4 << 30, |free| free / 4 * 3),
            inputs: Vec::new(),
        }
    }
}

/// Free memory as Linux counts it; none where that is not known.
pub fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}

/// What a bake is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Frames before the first one that is written.
    WarmUp,
    /// Frames that are written.
    Simulating,
    /// Ranges and files.
    Writing,
    /// Moving files into place.
    Finishing,
}

/// How far a bake is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What it is doing.
    pub stage: Stage,
    /// The frame it is at.
    pub frame: u32,
    /// Steps done.
    pub done: u64,
    /// Steps in all.
    pub total: u64,
}

impl Progress {
    /// 0 to 1.
    pub fn fraction(&self) -> f32 {
        (self.done as f64 / self.total.max(1) as f64) as f32
    }
}

/// What a bake would take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Estimate {
    /// Files, the sidecar included.
    pub files: u64,
    /// Bytes of all files before compression: about the most that they can take.
    pub bytes: u64,
    /// Memory that is taken on the way, bytes.
    pub memory_bytes: u64,
    /// Memory, or where that is short, disk, for frames that wait for their range; part of `memory_bytes` while it fits.
    pub waiting_bytes: u64,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct BakedFile {
    /// Where it lies: the output folder and its name.
    pub path: String,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// Fields in it, joined by `+`; empty for files of words.
    pub field: String,
    /// The frame; none for a sheet and for files about all frames.
    pub frame: Option<u32>,
    /// `png8`, `png16`, `exr_half`, `exr_float`, `raw`, `json` or `text`.
    pub encoding: String,
}

/// What was written, in the form of `eddy bake --json`.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct BakeReport {
    /// Files in the order of writing, without the sidecar.
    pub files: Vec<BakedFile>,
    /// Where the sidecar lies.
    pub sidecar: String,
    /// What the artist should know: values that were cut off, seams that will be seen.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// What keeps the document's own range of frames from being baked, by the path of the setting: the first thing that is found.
pub fn problems(document: &Document) -> Vec<Problem> {
    let frames = document.time.first_frame..document.time.end_frame;
    match plan::Plan::new(document, document.method.info().fields, frames, None) {
        Err(BakeError::Setting { at, message }) => vec![Problem { path: at, message }],
        _ => Vec::new(),
    }
}

/// Bakes the frames of a document.
///
/// `base` is where relative paths in the document begin, `out` the folder that gets the files. `progress` is told of each
/// frame and each sub-step, and stops the bake by returning `false`.
///
/// # Errors
/// See [`BakeError`]. After an error nothing in `out` has changed: files that were replaced before it are put back. Only a file
/// system that refuses that too leaves some of the new ones, each of them whole; the error then says where the old ones are.
pub fn run(
    document: &Arc<Document>,
    base: &Path,
    out: &Path,
    frames: Range<u32>,
    device: Device,
    options: &BakeOptions,
    progress: &mut dyn FnMut(Progress) -> bool,
) -> Result<BakeReport, BakeError> {
    let mut options = options.clone();
    options.inputs.extend(Masks::files(&document.scene, base));
    let fields = document.method.info().fields;
    let job = job::Job::new(document, fields, out, frames, &options)?;
    let mut source = source::Simulated::new(document, base, device)?;
    job.run(&mut source, progress)
}

/// Bakes frames from any source: tests, or frames that were simulated before.
///
/// # Errors
/// See [`BakeError`]. After an error nothing in `out` has changed: files that were replaced before it are put back. Only a file
/// system that refuses that too leaves some of the new ones, each of them whole; the error then says where the old ones are.
pub fn run_from(
    document: &Document,
    source: &mut dyn FrameSource,
    out: &Path,
    frames: Range<u32>,
    options: &BakeOptions,
    progress: &mut dyn FnMut(Progress) -> bool,
) -> Result<BakeReport, BakeError> {
    job::Job::new(document, source.fields(), out, frames, options)?.run(source, progress)
}

/// SHA-256 in small letters.
fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|b| format!("{b:02x}")).collect()
}
