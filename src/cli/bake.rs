//! `eddy bake`: simulates a preset and writes its textures.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::progress::Progress;
use super::scene::{DeviceArgs, PresetArgs, parse_frames};
use super::{Error, Result, interrupt, output};
use crate::bake::{self, BakeError, BakeOptions, Stage};
use crate::params::Problem;

/// Arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    preset: PresetArgs,
    #[command(flatten)]
    device: DeviceArgs,
    /// Folder for the files; made where there is none.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Frames to bake, B not included; the preset's range where nothing is said.
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, value_parser = parse_frames)]
    frames: Option<Range<u32>>,
    /// Runs this method instead of the preset's.
    #[arg(long, value_name = "ID")]
    method: Option<String>,
    /// Writes a ready set of textures instead of the preset's own: `flow_map`, `water_maps`, `flipbook`, `sequence`, `everything`.
    #[arg(long, value_name = "ID")]
    template: Option<String>,
    /// First part of all file names; the document's name in small letters where nothing is said.
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    name: Option<String>,
    /// Writes what was written as JSON.
    #[arg(long)]
    json: bool,
}

/// Bakes.
pub fn run(args: &Args) -> Result {
    let mut document = args.preset.load(args.method.as_deref())?;
    if let Some(id) = &args.template {
        let template = bake::templates::by_id(id, &document).map_err(Error::Usage)?;
        document.bake.outputs = (template.outputs)(&document);
    }
    let document = Arc::new(document);
    let time = &document.time;
    let frames = args
        .frames
        .clone()
        .unwrap_or(time.first_frame..time.end_frame);
    interrupt::listen();
    let device = args.device.open(&document)?;
    let options = BakeOptions {
        look: args.name.clone(),
        memory_limit: args.device.bytes(),
        inputs: vec![args.preset.preset.clone()],
    };
    let range = frames.clone();
    let mut shown = Progress::new();
    let mut progress = |p: bake::Progress| {
        shown.update(&stage(&p, &range), p.done, p.total);
        !interrupt::asked()
    };
    let report = bake::run(
        &document,
        args.preset.base(),
        &args.out,
        frames,
        device,
        &options,
        &mut progress,
    )
    .map_err(|e| match e {
        BakeError::Setting { at: path, message } => {
            Error::Usage(args.preset.located(&document, &Problem { path, message }))
        }
        BakeError::Simulation(fault) => args.preset.explain(&document, &fault),
        BakeError::Memory { needed, limit } => Error::Failed(format!(
            "the bake needs {needed} MiB of memory, and {} MiB are allowed; --memory {needed} allows them, and smaller \
             frames or fewer of them in a sheet need less",
            limit >> 20,
            needed = needed.div_ceil(1 << 20),
        )),
        other => other.into(),
    })?;
    drop(shown);
    for note in &report.notes {
        output::complain(note);
    }
    if args.json {
        return output::json(&serde_json::to_value(&report)?);
    }
    let mut lines: Vec<String> = report.files.iter().map(|f| f.path.clone()).collect();
    lines.push(report.sidecar);
    output::text(&lines.join("\n"))
}

/// Reads the first part of all file names.
fn parse_name(text: &str) -> std::result::Result<String, &'static str> {
    bake::check_look(text).map(|()| text.to_owned())
}

/// What it is doing, and at which frame of which.
fn stage(progress: &bake::Progress, frames: &Range<u32>) -> String {
    let frame = progress.frame;
    match progress.stage {
        Stage::WarmUp => format!("warming up, frame {frame}"),
        Stage::Simulating => format!(
            "simulating frame {frame} of {}..{}",
            frames.start, frames.end
        ),
        Stage::Writing => format!("writing frame {frame} of {}..{}", frames.start, frames.end),
        Stage::Finishing => "putting files in place".to_owned(),
    }
}
