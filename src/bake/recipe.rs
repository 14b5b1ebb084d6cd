//! What is known about the files: records for the sidecar, notes for the artist, the description beside raw numbers.

use super::coding::Coding;
use super::engine::{self, AxisMap};
use super::job::{Job, Work};
use super::plan::{Channel, OutputPlan, is_png};
use super::sidecar::{ChannelRecord, FileRecord, LoopRecord, OutputRecord, SCHEMA, Sidecar};
use super::{BakeError, write};
use crate::document::{Document, Looping, RangeMode};

/// How the pictures lie in the engine's world.
pub(super) fn axes(document: &Document) -> AxisMap {
    engine::axis_map(document.bake.engine, document.scene.domain.plane)
}

/// Version of Eddy, and where it was built from a checkout, which commit.
fn program() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match option_env!("EDDY_COMMIT") {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    }
}

/// What each channel of an output means.
pub(super) fn channel_records(
    output: &OutputPlan,
    codings: &[Coding],
    extremes: [&[f32]; 2],
    clipped: &[u64],
) -> Vec<ChannelRecord> {
    let percentile = (is_png(output.encoding) && output.range == RangeMode::Percentile)
        .then_some(output.percentile);
    output
        .channels
        .iter()
        .zip(codings)
        .enumerate()
        .map(|(c, (channel, coding))| {
            let [scale, bias] = coding.scale_bias();
            ChannelRecord {
                channel: channel.name.to_owned(),
                source: channel.source.expression(),
                sign: channel.sign,
                unit: channel.source.field().map_or("", |f| f.unit).to_owned(),
                min: extremes[0][c],
                max: extremes[1][c],
                low: coding.low,
                high: coding.high,
                curve: coding.curve,
                percentile: channel.group.and(percentile),
                scale,
                bias,
                decode: decode_line(channel, coding),
                clipped: clipped[c],
            }
        })
        .collect()
}

/// The line that gives a channel back.
fn decode_line(channel: &Channel, coding: &Coding) -> String {
    let expression = channel.source.expression();
    if channel.group.is_none() {
        return format!("always {expression}");
    }
    format!(
        "{expression} = {}",
        signed(channel.sign, &coding.formula("x"))
    )
}

/// A decoded number in the axes of the simulation again.
fn signed(sign: f32, formula: &str) -> String {
    if sign < 0.0 {
        format!("-({formula})")
    } else {
        formula.to_owned()
    }
}

/// The records of all outputs.
pub(super) fn output_records(job: &Job) -> Vec<OutputRecord> {
    let record = |(output, work): (&OutputPlan, &Work)| {
        // A float file stands for the values that it holds.
        let codings = if is_png(output.encoding) {
            work.codings.clone()
        } else {
            write::codings(output, &work.ranges)
        };
        let extremes = [work.ranges.min.as_slice(), work.ranges.max.as_slice()];
        OutputRecord {
            name: output.name.clone(),
            encoding: output.encoding,
            layout: output.layout,
            width: output.size[0],
            height: output.size[1],
            sheet: output.sheet,
            srgb: write::is_srgb(output),
            straight_alpha: true,
            channels: channel_records(output, &codings, extremes, &work.clipped),
            loop_seam: work.seam.time(),
            tile_seam: [work.seam.space(0), work.seam.space(1)],
        }
    };
    job.plan
        .outputs
        .iter()
        .zip(&job.outputs)
        .map(record)
        .collect()
}

/// The sidecar of a bake whose files have been written.
pub(super) fn sidecar(
    job: &Job,
    device: String,
    outputs: Vec<OutputRecord>,
) -> Result<Sidecar, BakeError> {
    let (document, plan) = (job.document, &job.plan);
    let time = &document.time;
    let tile_axes = ["x", "y"].iter().zip(plan.periodic).filter(|(_, p)| *p);
    let file = |f: &super::BakedFile| FileRecord {
        name: std::path::Path::new(&f.path)
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default(),
        sha256: f.sha256.clone(),
        frame: f.frame,
    };
    Ok(Sidecar {
        schema: SCHEMA,
        eddy: program(),
        look: document.name.clone(),
        method: document.method.info().id.to_owned(),
        seed: document.scene.seed,
        device,
        engine: document.bake.engine,
        axes: axes(document),
        frame_rate: time.frame_rate,
        dt: time.time_scale / time.frame_rate,
        time_scale: time.time_scale,
        warm_up: time.warm_up,
        frames: plan.frames.clone(),
        simulated: plan.source.clone(),
        grid: plan.grid.cells,
        cell_size: plan.grid.h,
        tile_axes: tile_axes.map(|(name, _)| (*name).to_owned()).collect(),
        looping: LoopRecord {
            mode: match plan.looping {
                Some(_) => document.bake.looping,
                None => Looping::None,
            },
            blend: plan.looping.map_or(0, |l| l.blend),
            vectors: document.bake.loop_vectors,
        },
        solves: job.reports.solves(),
        invariants: job.reports.invariants(),
        outputs,
        files: job.files.iter().map(file).collect(),
        preset: job.origin.preset.clone(),
    })
}

/// What the artist should know.
pub(super) fn notes(outputs: &[OutputRecord], looping: Looping) -> Vec<String> {
    let mut notes = Vec::new();
    for output in outputs {
        let clipped: u64 = output.channels.iter().map(|c| c.clipped).sum();
        if clipped > 0 {
            notes.push(format!(
                "{}: {clipped} values lay outside of the range and were cut off",
                output.name
            ));
        }
        if let (Some(seam), true) = (output.loop_seam, looping != Looping::None)
            && seam.ratio > 2.0
        {
            notes.push(format!(
                "{}: the loop jumps {:.1} times as far as it moves from frame to frame; fade over more frames",
                output.name, seam.ratio
            ));
        }
        for (axis, seam) in ["left and right", "top and bottom"]
            .iter()
            .zip(output.tile_seam)
        {
            if let Some(seam) = seam.filter(|s| s.ratio > 3.0) {
                notes.push(format!(
                    "{}: {axis} edges differ {:.1} times as much as neighbours inside; the seam will be seen",
                    output.name, seam.ratio
                ));
            }
        }
    }
    notes
}

/// The description beside raw numbers.
pub(super) fn raw_description(job: &Job, index: usize) -> Result<String, serde_json::Error> {
    let (plan, output, work) = (&job.plan, &job.plan.outputs[index], &job.outputs[index]);
    let [width, height] = output.sheet.map_or(output.size, |s| s.size(output.size));
    let channels: Vec<_> = output
        .channels
        .iter()
        .enumerate()
        .map(|(c, channel)| {
            serde_json::json!({
                "name": channel.name,
                "source": channel.source.expression(),
                "sign": channel.sign,
                "unit": channel.source.field().map_or("", |f| f.unit),
                "min": work.ranges.min[c],
                "max": work.ranges.max[c],
            })
        })
        .collect();
    let description = serde_json::json!({
        "type": "float32",
        "byte_order": "little endian",
        "order": "channels interleaved, texels left to right, rows top to bottom",
        "width": width,
        "height": height,
        "channels": channels,
        "sheet": output.sheet,
        "frames": { "start": plan.frames.start, "end": plan.frames.end },
        "dt": job.document.time.time_scale / job.document.time.frame_rate,
        "cell_size": plan.grid.h,
        "files": work.files,
    });
    let mut text = serde_json::to_string_pretty(&description)?;
    text.push('\n');
    Ok(text)
}
