//! Words about the files: records for the sidecar, import notes for the engine, the description beside raw numbers.

use std::fmt::Write as _;

use super::coding::{Coding, Curve};
use super::engine::{self, AxisMap};
use super::job::{Job, Work};
use super::plan::{Channel, OutputPlan, is_png};
use super::sidecar::{ChannelRecord, FileRecord, LoopRecord, OutputRecord, SCHEMA, Sidecar};
use super::{BakeError, write};
use crate::document::{Document, Encoding, Engine, Layout, Looping, RangeMode};

/// The text about an engine: parts that begin with a line `[name]`.
fn texts(engine: Engine) -> &'static str {
    match engine {
        Engine::None => include_str!("../../assets/engines/none.txt"),
        Engine::Unreal => include_str!("../../assets/engines/unreal.txt"),
        Engine::Unity => include_str!("../../assets/engines/unity.txt"),
        Engine::Godot => include_str!("../../assets/engines/godot.txt"),
    }
}

/// A part of the text about an engine; empty if it has none of that name.
pub fn part(engine: Engine, name: &str) -> &'static str {
    let text = texts(engine);
    let head = format!("[{name}]\n");
    let Some(at) = text.find(&head) else {
        return "";
    };
    let rest = &text[at + head.len()..];
    rest.find("\n[").map_or(rest, |end| &rest[..end]).trim_end()
}

fn axes(document: &Document) -> AxisMap {
    engine::axis_map(document.bake.engine, document.scene.domain.plane)
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
    let preset = crate::document::to_ron(document).map_err(|e| BakeError::Encode {
        file: "the preset in the sidecar".to_owned(),
        message: e.to_string(),
    })?;
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
        eddy: env!("CARGO_PKG_VERSION").to_owned(),
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
            mode: document.bake.looping,
            blend: plan.looping.map_or(0, |l| l.blend),
            vectors: document.bake.loop_vectors,
        },
        solves: job.reports.solves(),
        invariants: job.reports.invariants(),
        outputs,
        files: job.files.iter().map(file).collect(),
        preset,
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

/// The import notes.
pub(super) fn import_text(job: &Job, outputs: &[OutputRecord]) -> String {
    let (document, plan) = (job.document, &job.plan);
    let (engine, axes) = (document.bake.engine, axes(document));
    let mut text = format!(
        "{}, for {}\n\n{}\n",
        document.name,
        engine::title(engine),
        part(engine, "intro")
    );
    let seconds = plan.frames.len() as f32 / document.time.frame_rate;
    let _ = write!(
        text,
        "Axes: the picture's right is {}, its top is {}. {} frames at {} a second: {seconds} s.\n\
         The domain is {} m wide and {} m high.\n",
        axes.right,
        axes.up,
        plan.frames.len(),
        document.time.frame_rate,
        plan.grid.size()[0],
        plan.grid.size()[1],
    );
    let tiling: Vec<_> = ["across", "down"]
        .iter()
        .zip(plan.periodic)
        .filter_map(|(name, p)| p.then_some(*name))
        .collect();
    if !tiling.is_empty() {
        let _ = writeln!(
            text,
            "Textures tile {}: set the address mode to wrap there.",
            tiling.join(" and ")
        );
    }
    for (output, work) in outputs.iter().zip(&job.outputs) {
        describe(&mut text, engine, output, work, plan.frames.len());
    }
    text
}

fn describe(text: &mut String, engine: Engine, output: &OutputRecord, work: &Work, frames: usize) {
    let files = match work.files.as_slice() {
        [one] => one.clone(),
        [first, .., last] => format!("{first} to {last}"),
        [] => String::new(),
    };
    let _ = write!(text, "\n{}\n  Files: {files}\n", output.name);
    let _ = writeln!(text, "  Frame: {} x {} texels", output.width, output.height);
    let kind = match output.encoding {
        _ if output.srgb => "color",
        Encoding::Png8 | Encoding::Png16 => "data",
        Encoding::ExrHalf | Encoding::ExrFloat | Encoding::Raw => "float",
    };
    let _ = writeln!(text, "  Import: {}", part(engine, kind));
    if let Some(sheet) = output.sheet {
        let _ = writeln!(
            text,
            "  Sheet: {} columns, {} rows, {frames} frames. {}",
            sheet.columns,
            sheet.rows,
            part(engine, "flipbook")
        );
        if sheet.gutter > 0 {
            let (w, h, g) = (output.width, output.height, sheet.gutter);
            let vector = part(engine, "vector");
            let _ = writeln!(
                text,
                "  Gutter: {g} texels around each frame, good for mip level {}. Inside a cell: uv = ({g}.0 + uv * {vector}({w}.0, {h}.0)) / {vector}({}.0, {}.0);",
                g.ilog2(),
                w + 2 * g,
                h + 2 * g
            );
        }
    }
    for channel in &output.channels {
        let (unit, space) = (
            &channel.unit,
            if channel.unit.is_empty() { "" } else { " " },
        );
        let _ = writeln!(
            text,
            "  {}: {}, {:?} to {:?}{space}{unit}",
            channel.channel, channel.source, channel.min, channel.max
        );
    }
    for line in shader_lines(engine, output) {
        let _ = writeln!(text, "  Shader: {line}");
    }
    if output.channels.iter().any(|c| c.curve == Curve::Centred) {
        text.push_str("  Zero lies between two codes: still fluid drifts slowly. Choose the exact zero to avoid it.\n");
    }
    if let Some(seam) = output.loop_seam.filter(|_| output.layout != Layout::Single) {
        let _ = writeln!(
            text,
            "  Last frame to first: {:.2} times the step between frames.",
            seam.ratio
        );
    }
}

/// Lines that give the numbers back, one for each run of channels with the same coding. They are in the picture's axes: a
/// green that points down stays so.
fn shader_lines(engine: Engine, output: &OutputRecord) -> Vec<String> {
    let texture = part(engine, "texture");
    let vector = part(engine, "vector").trim_end_matches('2');
    let letter = |c: &ChannelRecord| c.channel.chars().next().unwrap_or('r');
    let same = |a: &ChannelRecord, b: &ChannelRecord| {
        let stem = |c: &ChannelRecord| c.source.split('.').next().unwrap_or("").to_owned();
        let length = |c: &ChannelRecord| c.source.ends_with(".length");
        stem(a) == stem(b) && !length(a) && !length(b) && a.curve == b.curve && a.high == b.high
    };
    let mut lines = Vec::new();
    let used: Vec<_> = output
        .channels
        .iter()
        .filter(|c| c.source.parse::<f32>().is_err())
        .collect();
    for run in used.chunk_by(|a, b| same(a, b)) {
        let swizzle: String = run.iter().map(|c| letter(c)).collect();
        let kind = if run.len() == 1 {
            "float".to_owned()
        } else {
            format!("{vector}{}", run.len())
        };
        let c = run[0];
        let curve = if c.curve == Curve::Srgb {
            Curve::Linear
        } else {
            c.curve
        };
        let coding = Coding {
            curve,
            low: c.low,
            high: c.high,
            levels: if output.encoding == Encoding::Png8 {
                255
            } else {
                65535
            },
        };
        let name = if run.len() == 1 {
            c.source.replace('.', "_")
        } else {
            c.source.split('.').next().unwrap_or("v").to_owned()
        };
        lines.push(format!(
            "{kind} {name} = {};",
            coding.formula(&format!("{texture}.{swizzle}"))
        ));
    }
    lines
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
