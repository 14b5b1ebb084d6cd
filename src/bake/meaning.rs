//! Lines of the import notes on what to do with the numbers: speeds become steps of texture coordinates, dye becomes the look.

use super::coding::Curve;
use super::engine::AxisMap;
use super::job::Job;
use super::recipe::axes;
use super::sidecar::OutputRecord;
use crate::document::{ColorMap, Engine, INK_DENSITY, INK_GREY, ViewSettings};

/// Along which axes an output's textures tile: those of the scene, but a sheet's cells never wrap into each other.
pub(super) fn wraps(output: &OutputRecord, periodic: [bool; 2]) -> [bool; 2] {
    periodic.map(|p| p && output.sheet.is_none())
}

/// Whether an output is a normal map as engines unpack it: the three parts of a direction, (x − 0.5) · 2 each.
pub(super) fn is_normal_map(output: &OutputRecord) -> bool {
    let Some(red) = output.channels.first() else {
        return false;
    };
    let stem = red.source.trim_end_matches(".x");
    let parts = output.channels.iter().zip([".x", ".y", ".z"]);
    let right = parts.clone().all(|(c, part)| {
        c.source.strip_suffix(part) == Some(stem) && c.curve == Curve::Centred && c.high == 1.0
    });
    right && output.channels.len() == 3
}

/// How the edges of an output's textures are sampled.
pub(super) fn edges(output: &OutputRecord, periodic: [bool; 2]) -> String {
    match wraps(output, periodic) {
        [true, true] => "wrap".to_owned(),
        [false, false] => "clamp".to_owned(),
        [x, _] => {
            let word = |wraps: bool| if wraps { "wrap" } else { "clamp" };
            format!("{} across, {} down", word(x), word(!x))
        }
    }
}

/// The hint of a sampler in Godot, which has one for both axes.
pub(super) fn repeat_hint(output: &OutputRecord, periodic: [bool; 2]) -> String {
    let [width, height] = [output.width, output.height];
    let clamped = |axis: char, texels: u32| {
        let edge = 0.5 / texels.max(1) as f32;
        format!(
            "repeat_enable (and UV.{axis} = clamp(UV.{axis}, {edge:?}, 1.0 - {edge:?}), which does not tile)"
        )
    };
    match wraps(output, periodic) {
        [true, true] => "repeat_enable".to_owned(),
        [false, false] => "repeat_disable".to_owned(),
        [true, false] => clamped('y', height),
        [false, true] => clamped('x', width),
    }
}

/// The lines; `vector` is a vector of the engine's shaders without its number.
pub(super) fn lines(job: &Job, output: &OutputRecord, vector: &str) -> Vec<String> {
    let domain = job.plan.grid.size();
    let time_scale = job.document.time.time_scale;
    let flow = flow(
        output,
        vector,
        [domain[0], domain[1]],
        time_scale,
        &axes(job.document),
    );
    let sources: Vec<&str> = output.channels.iter().map(|c| c.source.as_str()).collect();
    let dye = sources.starts_with(&["dye.x", "dye.y", "dye.z"]);
    let look = dye.then(|| look(&job.document.view, vector));
    flow.into_iter().chain(look.flatten()).collect()
}

/// From metres a simulated second to texture coordinates a second of playing.
fn flow(
    output: &OutputRecord,
    vector: &str,
    [width, height]: [f32; 2],
    time_scale: f32,
    axes: &AxisMap,
) -> Option<String> {
    let is = |i: usize, source: &str| output.channels.get(i).is_some_and(|c| c.source == source);
    let of_velocity = |c: &super::sidecar::ChannelRecord| {
        ["velocity.x", "velocity.y"].contains(&c.source.as_str())
    };
    let first = output.channels.iter().position(of_velocity)?;
    let height = if axes.green == axes.v {
        height
    } else {
        -height
    };
    let played = match time_scale {
        1.0 => String::new(),
        scale => format!(" * {scale:?}"),
    };
    let both = is(first, "velocity.x") && is(first + 1, "velocity.y");
    Some(if both {
        format!(
            "Flow, UV a second: {vector}2 flow = velocity.xy{played} / {vector}2({width:?}, {height:?});"
        )
    } else {
        format!(
            "Flow, UV a second: velocity.x{played} / {width:?} in U, velocity.y{played} / {height:?} in V"
        )
    })
}

/// How dye becomes what the editor shows.
fn look(view: &ViewSettings, vector: &str) -> Option<String> {
    if view.color_map != ColorMap::Auto {
        return None;
    }
    let gain = view.exposure.exp2();
    let color = |[r, g, b]: [f32; 3]| format!("{vector}3({r:?}, {g:?}, {b:?})");
    let exposure = match view.exposure {
        0.0 => String::new(),
        stops => format!(" The factor {gain:?} is the exposure of {stops} EV."),
    };
    Some(if view.ink {
        format!(
            "Look: ink that takes away the light of the paper behind it, {paper}. In linear colour, without blending: \
             {vector}3 ink = dye.rgb * {gain:?}; {vector}3 color = {paper} * exp({INK_DENSITY:?} * (ink - {INK_GREY:?} * \
             max(ink.r, max(ink.g, ink.b))));{exposure}",
            paper = color(view.paper),
        )
    } else {
        format!(
            "Look: dye that shines. In linear colour, before tone mapping: {vector}3 color = {} + dye.rgb * {gain:?};{exposure}",
            color(view.background),
        )
    })
}

/// Puts what depends on the output into a text about an engine.
pub(super) fn filled(
    text: &str,
    engine: Engine,
    output: &OutputRecord,
    periodic: [bool; 2],
) -> String {
    if engine == Engine::Godot {
        text.replace("{repeat}", &repeat_hint(output, periodic))
    } else {
        text.to_owned()
    }
}
