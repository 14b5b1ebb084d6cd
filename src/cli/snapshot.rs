//! `eddy snapshot`: what the viewport shows, as a PNG.

use std::path::PathBuf;
use std::sync::Arc;

use super::picture::{can_be_written, write_picture};
use super::progress::Progress;
use super::scene::{DeviceArgs, PresetArgs, field_problem};
use super::{Error, Result, interrupt, output};
use crate::bake::plan::MAX_FRAME;
use crate::document::Document;
use crate::sim::{Fault, Simulation};
use crate::view;

/// Arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    preset: PresetArgs,
    #[command(flatten)]
    device: DeviceArgs,
    /// Runs this method instead of the preset's.
    #[arg(long, value_name = "ID")]
    method: Option<String>,
    /// Frames to simulate before the picture is taken.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(..i64::from(MAX_FRAME)))]
    frame: u32,
    /// PNG file to write; its folder is made where there is none.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Pixels along the longer edge.
    #[arg(long, value_name = "PIXELS", default_value_t = 512, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=16384))]
    size: u32,
    /// Shows this field instead of the preset's.
    #[arg(long, value_name = "NAME")]
    field: Option<String>,
}

/// Simulates and writes the picture.
pub fn run(args: &Args) -> Result {
    let mut document = args.preset.load(args.method.as_deref())?;
    if let Some(field) = &args.field {
        document.view.field.clone_from(field);
    }
    if let Some(problem) = field_problem(&document) {
        return Err(Error::Usage(match &args.field {
            Some(_) => problem.message,
            None => args.preset.located(&document, &problem),
        }));
    }
    can_be_written(&args.out, &document, &args.preset)?;
    fits(&document, args)?;
    interrupt::listen();
    let document = Arc::new(document);
    let explain = |fault: Fault| args.preset.explain(&document, &fault);
    let device = args.device.open(&document)?;
    let base = args.preset.base().to_owned();
    let mut simulation = Simulation::new(document.clone(), base, device).map_err(explain)?;
    let mut progress = Progress::new();
    // Frame 0 is after the warm-up.
    simulation.run_to(0, &interrupt::asked)?;
    while simulation.frame() < args.frame {
        let frame = simulation.frame();
        let what = format!("simulating frame {frame} of {}", args.frame);
        progress.update(&what, frame.into(), args.frame.into());
        simulation.step(&interrupt::asked)?;
    }
    drop(progress);
    let shown = simulation.field(&document.view.field)?;
    let solid = match simulation.fields().iter().find(|f| f.name == "obstacle") {
        Some(desc) => Some(simulation.field(desc.name)?),
        None => None,
    };
    if interrupt::asked() {
        return Err(Fault::Cancelled.into());
    }
    let size = view::fitting_size(&shown.grid, args.size);
    let picture = view::picture(&shown, solid.as_ref(), &document.view, size);
    write_picture(&args.out, &picture)?;
    output::text(&args.out.display().to_string())
}

/// Refuses a picture that takes more memory than is allowed, before anything is simulated for it.
fn fits(document: &Document, args: &Args) -> Result {
    let grid = document.scene.domain.grid();
    let [width, height] = view::fitting_size(&grid, args.size);
    let needed = document.memory_bytes().saturating_add(picture_bytes(
        [width, height].map(u64::from),
        grid.cells.map(u64::from),
    ));
    if needed <= args.device.bytes() {
        return Ok(());
    }
    Err(Error::Failed(format!(
        "a picture of {width} × {height} pixels needs {needed} MiB of memory with its simulation, and {} MiB are allowed; \
         --memory {needed} allows them, and a smaller --size needs less",
        args.device.memory,
        needed = needed.div_ceil(1 << 20),
    )))
}

/// Memory that a picture takes: the field and the obstacles as numbers, the planes that become colours before and after they
/// are stretched to the width, and the pixels with alpha, without, and in the file.
fn picture_bytes([width, height]: [u64; 2], [nx, ny, nz]: [u64; 3]) -> u64 {
    /// Most planes of a picture: three of colour, four of obstacles.
    const PLANES: u64 = 7;
    let fields = nx * ny * nz * (4 + 1) * 4;
    let planes = (2 * nx + width) * ny * PLANES * 4;
    fields + planes + width * height * (4 + 3 + 3)
}
