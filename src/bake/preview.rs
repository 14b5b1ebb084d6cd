//! One frame through a file and back: what an engine will see, and how far it is from what was simulated.

use super::BakeError;
use super::coding::Coding;
use super::exr_file::HALF_MAX;
use super::pack::{check, pack};
use super::plan::{Plan, default_outputs};
use super::range::Ranges;
use super::recipe::channel_records;
use super::sidecar::ChannelRecord;
use super::texels::Texels;
use super::write;
use crate::document::{Document, Encoding, Layout, Looping};
use crate::field::FieldData;

/// One frame of an output, before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// What was to be written.
    pub source: Texels,
    /// What comes back by the formula of the sidecar, in the same units.
    pub decoded: Texels,
    /// The file.
    pub file: Vec<u8>,
    /// What the channels mean. Ranges are those of this frame.
    pub channels: Vec<ChannelRecord>,
    /// Largest difference of each channel.
    pub max_error: Vec<f32>,
}

/// Names of the fields that an output reads.
///
/// # Errors
/// A setting that cannot be honoured.
pub fn fields_of(document: &Document, output: usize) -> Result<Vec<&'static str>, BakeError> {
    let fields = document.method.info().fields;
    Ok(Plan::new(&only(document, fields, output), fields, 0..1, None)?.fields)
}

/// The document with one output, at its place, as single frames.
fn only(document: &Document, fields: &[crate::field::FieldDesc], output: usize) -> Document {
    let mut document = document.clone();
    if document.bake.outputs.is_empty() {
        document.bake.outputs = default_outputs(fields);
    }
    for (i, o) in document.bake.outputs.iter_mut().enumerate() {
        o.enabled = i == output;
        o.layout = Layout::Single;
    }
    document.bake.looping = Looping::None;
    document
}

/// Encodes one frame of the output at `output` (of the usual outputs, where the document has none) and decodes it again.
/// `fields` are those of [`fields_of`].
///
/// # Errors
/// See [`BakeError`].
pub fn preview(
    document: &Document,
    fields: &[FieldData],
    output: usize,
    frame: u32,
) -> Result<Preview, BakeError> {
    let descs: Vec<_> = fields.iter().map(|f| f.desc).collect();
    let document = only(document, &descs, output);
    let plan = Plan::new(&document, &descs, frame..frame.saturating_add(1), None)?;
    let Some(output) = plan.outputs.first() else {
        return Err(BakeError::setting(
            "bake.outputs",
            "there is no such output",
        ));
    };
    for field in fields.iter().filter(|f| plan.fields.contains(&f.desc.name)) {
        check(field, &plan.grid, frame)?;
    }
    let source = pack(&plan, output, fields)?;
    let mut ranges = Ranges::new(output);
    ranges.add(output, &source);
    let codings = write::codings(output, &ranges);
    let mut clipped = vec![0; codings.len()];
    write::count_clipped(output, &source, &codings, &mut clipped);
    let decoded = decode(output.encoding, &source, &codings);
    let mut max_error = vec![0.0_f32; source.channels];
    let texels = source.data.chunks_exact(source.channels);
    for (a, b) in texels.zip(decoded.data.chunks_exact(source.channels)) {
        for ((worst, a), b) in max_error.iter_mut().zip(a).zip(b) {
            *worst = worst.max((a - b).abs());
        }
    }
    Ok(Preview {
        file: write::file(
            &write::Origin::new(&document)?,
            output,
            &source,
            &codings,
            frame,
            &output.name,
        )?,
        channels: channel_records(output, &codings, [&ranges.min, &ranges.max], &clipped),
        source,
        decoded,
        max_error,
    })
}

/// What comes back from a file.
fn decode(encoding: Encoding, source: &Texels, codings: &[Coding]) -> Texels {
    let mut out = source.clone();
    for texel in out.data.chunks_exact_mut(source.channels) {
        for (v, coding) in texel.iter_mut().zip(codings) {
            *v = match encoding {
                Encoding::Png8 | Encoding::Png16 => coding.decode(coding.encode(*v)),
                Encoding::ExrHalf => half::f16::from_f32(v.clamp(-HALF_MAX, HALF_MAX)).to_f32(),
                Encoding::ExrFloat | Encoding::Raw => *v,
            };
        }
    }
    out
}
