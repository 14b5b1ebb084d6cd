//! What a bake would take, before anything is done.

use std::ops::Range;

use super::plan::{OutputPlan, Plan};
use super::{BakeError, BakeOptions, Estimate};
use crate::document::{Document, Encoding, Layout};

/// What baking these frames of a document would take.
///
/// # Errors
/// The first setting that cannot be honoured.
pub fn estimate(document: &Document, frames: Range<u32>) -> Result<Estimate, BakeError> {
    let plan = Plan::new(document, document.method.info().fields, frames, None)?;
    let limit = BakeOptions::default().memory_limit;
    Ok(of_plan(document, &plan, limit))
}

/// Whether frames that wait fit into memory: at most half of what is allowed.
pub(super) fn waits_in_memory(waiting: u64, limit: u64) -> bool {
    waiting <= limit / 2
}

/// The estimate for a plan that may take `limit` bytes of memory.
pub(super) fn of_plan(document: &Document, plan: &Plan, limit: u64) -> Estimate {
    let waiting_bytes = waiting(plan);
    let cells = plan.grid.len() as u64;
    // Each field is read as up to four components, in the form of the device and in its own.
    let fields = plan.fields.len() as u64 * cells * 4 * 4 * 2;
    let mut working = 0;
    let (mut files, mut bytes) = (2, 64 << 10);
    for output in &plan.outputs {
        let [width, height] = picture(output);
        let texels = u64::from(width) * u64::from(height);
        let count = match output.layout {
            Layout::Sequence => plan.frames.len() as u64,
            Layout::Flipbook | Layout::Single => 1,
        };
        files += count + u64::from(output.encoding == Encoding::Raw);
        bytes += count * texels * texel_bytes(output);
        // The picture as numbers, as bytes and compressed; frames at the grid's and at their own size, first and last.
        let at_once = if output.sheet.is_some() { 1 } else { 4 };
        let picture = texels * (output.channels.len() as u64 * 4 + texel_bytes(output) * 2);
        working = u64::max(
            working,
            at_once * picture + 6 * (frame_bytes(output) + cells * 16),
        );
    }
    let waiting = if waits_in_memory(waiting_bytes, limit) {
        waiting_bytes
    } else {
        0
    };
    Estimate {
        files,
        bytes,
        memory_bytes: document.method.memory_bytes(&plan.grid) + fields + working + waiting,
        waiting_bytes,
    }
}

/// Size of a file's picture.
fn picture(output: &OutputPlan) -> [u32; 2] {
    output.sheet.map_or(output.size, |s| s.size(output.size))
}

/// A frame as numbers.
fn frame_bytes(output: &OutputPlan) -> u64 {
    u64::from(output.size[0]) * u64::from(output.size[1]) * output.channels.len() as u64 * 4
}

/// All frames that wait for their range.
pub(super) fn waiting(plan: &Plan) -> u64 {
    let frames = |output: &OutputPlan| match (output.streams, output.layout) {
        (true, _) => 0,
        (false, Layout::Single) => 1,
        (false, _) => plan.source.len() as u64,
    };
    plan.outputs
        .iter()
        .map(|o| frames(o) * frame_bytes(o))
        .sum()
}

/// Bytes of a texel in a file, uncompressed.
fn texel_bytes(output: &OutputPlan) -> u64 {
    let channels = output.channels.len() as u64;
    match output.encoding {
        Encoding::Png8 => channels,
        Encoding::Png16 => channels * 2,
        Encoding::ExrHalf => channels.max(3) * 2,
        Encoding::ExrFloat => channels.max(3) * 4,
        Encoding::Raw => channels * 4,
    }
}
