//! The import notes of a bake: what an artist sets in the engine, and the lines that give the numbers back in a shader.

use std::fmt::Write as _;

use super::coding::{Coding, Curve};
use super::engine;
use super::job::{Job, Work};
use super::meaning;
use super::recipe::axes;
use super::sidecar::{ChannelRecord, OutputRecord};
use crate::document::{Encoding, Engine, Layout};

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
fn part(engine: Engine, name: &str) -> &'static str {
    let text = texts(engine);
    let head = format!("[{name}]\n");
    let Some(at) = text.find(&head) else {
        return "";
    };
    let rest = &text[at + head.len()..];
    rest.find("\n[").map_or(rest, |end| &rest[..end]).trim_end()
}

/// The import notes.
pub(super) fn text(job: &Job, outputs: &[OutputRecord]) -> String {
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
        "Axes: the picture's right is {}, its top is {}. {} frames at {} a second: {} s.\n\
         The domain is {} m wide and {} m high.\n",
        axes.right,
        axes.up,
        plan.frames.len(),
        document.time.frame_rate,
        legible(seconds),
        legible(plan.grid.size()[0]),
        legible(plan.grid.size()[1]),
    );
    let tiling: Vec<_> = ["across", "down"]
        .iter()
        .zip(plan.periodic)
        .filter_map(|(name, p)| p.then_some(*name))
        .collect();
    if !tiling.is_empty() {
        let _ = writeln!(text, "Textures tile {}.", tiling.join(" and "));
    }
    if let Some(script) = plan.script() {
        let _ = writeln!(text, "{}\n  {script}", part(engine, "script"));
    }
    for (output, work) in outputs.iter().zip(&job.outputs) {
        describe(&mut text, job, output, work);
    }
    text
}

fn describe(text: &mut String, job: &Job, output: &OutputRecord, work: &Work) {
    let (engine, periodic) = (job.document.bake.engine, job.plan.periodic);
    let frames = job.plan.frames.len();
    let files = match work.files.as_slice() {
        [one] => one.clone(),
        [first, .., last] => format!("{first} to {last}"),
        [] => String::new(),
    };
    let _ = write!(text, "\n{}\n  Files: {files}\n", output.name);
    let _ = writeln!(text, "  Frame: {} x {} texels", output.width, output.height);
    let import = match output.encoding {
        _ if meaning::is_normal_map(output) => part(engine, "normal"),
        _ if output.srgb => part(engine, "color"),
        Encoding::Png8 | Encoding::Png16 => part(engine, "data"),
        Encoding::ExrHalf | Encoding::ExrFloat => part(engine, "float"),
        Encoding::Raw => {
            "Numbers for programs, no texture: the .json beside them says how they lie."
        }
    };
    let import = meaning::filled(import, engine, output, periodic);
    let _ = writeln!(text, "  Import: {import}");
    if output.encoding != Encoding::Raw {
        let edges = meaning::edges(output, periodic);
        let _ = writeln!(text, "  Address mode: {edges}");
    }
    if density_and_alpha(output) {
        let _ = writeln!(text, "  Blend: {}", part(engine, "blend"));
    }
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
        let _ = match is_constant(channel) {
            true => writeln!(text, "  {}: {} everywhere", channel.channel, channel.source),
            false => writeln!(
                text,
                "  {}: {}, {} to {}{space}{unit}",
                channel.channel,
                channel.source,
                legible(channel.min),
                legible(channel.max)
            ),
        };
    }
    if meaning::is_normal_map(output) {
        let _ = writeln!(text, "  Shader: {}", part(engine, "unpack"));
    } else if output.encoding != Encoding::Raw {
        for line in shader_lines(engine, output) {
            let _ = writeln!(text, "  Shader: {line}");
        }
        let vector = part(engine, "vector").trim_end_matches('2');
        for line in meaning::lines(job, output, vector) {
            let _ = writeln!(text, "  {line}");
        }
    }
    if output.channels.iter().any(|c| c.curve == Curve::Centred) && !meaning::is_normal_map(output)
    {
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

/// A number for people: four digits. The exact one stands in the sidecar.
fn legible(v: f32) -> String {
    if v != 0.0 && !(1e-3..1e6).contains(&v.abs()) {
        return format!("{v:.3e}");
    }
    let whole = v.abs().max(1.0).log10().floor() as usize;
    let text = format!("{v:.*}", 3_usize.saturating_sub(whole));
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

fn is_constant(channel: &ChannelRecord) -> bool {
    channel.source.parse::<f32>().is_ok()
}

/// Whether colours stand beside an alpha that is no constant. Dye is colour times density, so an alpha must not be
/// multiplied onto it once more.
fn density_and_alpha(output: &OutputRecord) -> bool {
    let color = |c: &ChannelRecord| matches!(c.curve, Curve::Srgb) || c.source.starts_with("dye.");
    output.channels.len() == 4 && color(&output.channels[0]) && !is_constant(&output.channels[3])
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
        let scale = a.curve == Curve::Raw || a.high == b.high;
        stem(a) == stem(b) && !length(a) && !length(b) && a.curve == b.curve && scale
    };
    let mut lines = Vec::new();
    let used: Vec<_> = output.channels.iter().filter(|c| !is_constant(c)).collect();
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
