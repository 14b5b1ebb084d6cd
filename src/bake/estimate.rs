//! What a bake would take, before anything is done. Sums that no machine can hold stop at the largest number.

use std::ops::Range;

use super::plan::{OutputPlan, Plan};
use super::range;
use super::{BakeError, BakeOptions, Estimate, files};
use crate::document::{Document, Encoding, Layout, RangeMode};

/// Names, hash and record of a file, in the report, the sidecar and its text.
const RECORD: u64 = 1 << 10;

/// What baking these frames of a document would take.
///
/// # Errors
/// The first setting that cannot be honoured.
pub fn estimate(document: &Document, frames: Range<u32>) -> Result<Estimate, BakeError> {
    let plan = Plan::new(document, document.method.info().fields, frames, None)?;
    let limit = BakeOptions::default().memory_limit;
    Ok(of_plan(document, &plan, limit).0)
}

/// Whether frames that wait fit into memory: at most half of what is allowed, and what the rest of the bake leaves. Else they
/// wait on disk, so that a bake is refused only for what it cannot do without.
fn fits(waiting: u64, rest: u64, limit: u64) -> bool {
    waiting <= limit / 2 && rest.saturating_add(waiting) <= limit
}

/// The estimate for a plan that may take `limit` bytes of memory, and whether frames wait in memory.
pub(super) fn of_plan(document: &Document, plan: &Plan, limit: u64) -> (Estimate, bool) {
    let waiting_bytes = waiting(plan);
    let cells = plan.grid.len() as u64;
    // Each field is read as up to four components, in the form of the device and in its own.
    let fields = product(&[plan.fields.len() as u64, cells, 4 * 4 * 2]);
    let (mut working, mut kept) = (0, 0_u64);
    let mut count = plan.words().len() as u64;
    let mut bytes: u64 = 64 << 10;
    for output in &plan.outputs {
        let [width, height] = picture(output);
        let texels = u64::from(width) * u64::from(height);
        let channels = output.channels.len() as u64;
        let own = output.files.count();
        count = count
            .saturating_add(own)
            .saturating_add(u64::from(files::raw_description(output).is_some()));
        bytes = bytes.saturating_add(product(&[own, texels, texel_bytes(output)]));
        // The picture as numbers, as bytes and compressed; a frame at the grid's and at its own size.
        let at_once = if output.sheet.is_some() { 1 } else { 4 };
        let picture = product(&[texels, channels * 4 + texel_bytes(output) * 2]);
        let frame = frame_bytes(output);
        working = u64::max(
            working,
            product(&[at_once, picture]).saturating_add(product(&[4, frame + cells * 16])),
        );
        // The first and the last frame, for the seam, and what the range is found by.
        let histograms = match output.range {
            RangeMode::Percentile => output.groups.len() as u64 * range::HISTOGRAM_BYTES,
            RangeMode::Sequence | RangeMode::Fixed => 0,
        };
        kept = kept.saturating_add(2 * frame + histograms);
    }
    let records = product(&[count, RECORD]);
    bytes = bytes.saturating_add(records);
    let simulation = document.method.memory_bytes(&plan.grid);
    let rest = [simulation, fields, working, kept, records];
    let rest = rest.into_iter().fold(0, u64::saturating_add);
    let in_memory = fits(waiting_bytes, rest, limit);
    let estimate = Estimate {
        files: count,
        bytes,
        memory_bytes: if in_memory {
            rest.saturating_add(waiting_bytes)
        } else {
            rest
        },
        waiting_bytes,
    };
    (estimate, in_memory)
}

fn product(factors: &[u64]) -> u64 {
    factors.iter().fold(1, |all, f| all.saturating_mul(*f))
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
        .map(|o| product(&[frames(o), frame_bytes(o)]))
        .fold(0, u64::saturating_add)
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

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn what_a_refusal_names_is_enough() {
        // Allowed more, frames that waited on disk may wait in memory: never so many that this is too little again.
        for waiting in [0, 10, 400, 999, 5000] {
            for limit in [1, 999] {
                let needs = |limit| {
                    1000 + if fits(waiting, 1000, limit) {
                        waiting
                    } else {
                        0
                    }
                };
                assert!(needs(limit) > limit && needs(needs(limit)) <= needs(limit));
            }
        }
    }
}
