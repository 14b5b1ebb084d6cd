//! `eddy snapshot`: what the viewport shows, as a PNG.

use std::path::PathBuf;
use std::sync::Arc;

use super::progress::Progress;
use super::scene::{DeviceArgs, PresetArgs};
use super::{Error, Result, interrupt, output};
use crate::document;
use crate::sim::Fault;
use crate::view::{self, Picture};

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
    #[arg(long, value_name = "N")]
    frame: u32,
    /// PNG file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Pixels along the longer edge.
    #[arg(long, value_name = "PIXELS", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=16384))]
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
    let fields = document.method.info().fields;
    if !fields.iter().any(|f| f.name == document.view.field) {
        let names: Vec<&str> = fields.iter().map(|f| f.name).collect();
        return Err(Error::Usage(format!(
            "there is no field \"{}\"; there are {}",
            document.view.field,
            names.join(", ")
        )));
    }
    interrupt::listen();
    let document = Arc::new(document);
    let mut simulation = args.device.simulate(document.clone(), args.preset.base())?;
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
    let cannot = |e: &dyn std::fmt::Display| {
        Error::Failed(format!("{} cannot be written: {e}", args.out.display()))
    };
    let bytes = png(&picture).map_err(|e| cannot(&e))?;
    document::replace_file(&args.out, &bytes, false).map_err(|e| cannot(&e))?;
    output::text(&args.out.display().to_string())
}

/// The picture as an sRGB PNG without transparency.
fn png(picture: &Picture) -> std::result::Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let rgb: Vec<u8> = picture
        .rgba
        .chunks_exact(4)
        .flat_map(|p| [p[0], p[1], p[2]])
        .collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    Ok(bytes)
}
