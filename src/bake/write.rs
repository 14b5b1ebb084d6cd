//! One picture into the bytes of one file.

use super::coding::{Coding, Curve};
use super::exr_file::{self, Attribute};
use super::plan::{OutputPlan, is_png};
use super::range::Ranges;
use super::texels::Texels;
use super::{BakeError, png_file, sha256};
use crate::document::{self, ColorSpace, Document, Encoding, Zero};

/// The codings of all channels of an output, from the ranges found.
pub(super) fn codings(output: &OutputPlan, ranges: &Ranges) -> Vec<Coding> {
    let levels = match output.encoding {
        Encoding::Png8 => 255,
        Encoding::Png16 => 65535,
        Encoding::ExrHalf | Encoding::ExrFloat | Encoding::Raw => 0,
    };
    let srgb = is_srgb(output);
    output
        .channels
        .iter()
        .enumerate()
        .map(|(c, channel)| {
            let group = channel.group.map(|g| (g, &output.groups[g]));
            let [low, high] = match group {
                _ if levels == 0 => [ranges.min[c], ranges.max[c]],
                Some((g, _)) => ranges.of_group(output, g),
                None => [0.0, 1.0],
            };
            let both_signs = group.is_some_and(|(_, g)| g.both_signs);
            let curve = match (both_signs, output.zero) {
                _ if levels == 0 => Curve::Raw,
                // Engines unpack normal maps in one way.
                (true, _) if group.is_some_and(|(_, g)| g.known.is_some()) => Curve::Centred,
                (true, Zero::Exact) => Curve::ExactZero,
                (true, Zero::Centred) => Curve::Centred,
                (false, _) if srgb && c < 3 => Curve::Srgb,
                (false, _) => Curve::Linear,
            };
            Coding {
                curve,
                low,
                high,
                levels,
            }
        })
        .collect()
}

/// Whether the picture is in sRGB: engines switch that for a whole texture, so only if all its channels are colours.
pub(super) fn is_srgb(output: &OutputPlan) -> bool {
    let mut data = output.channels.iter().take(3).filter(|c| c.group.is_some());
    output.encoding == Encoding::Png8
        && output.color == ColorSpace::Srgb
        && data.clone().next().is_some()
        && data.all(|c| c.source.is_color())
}

/// The name of an encoding in reports.
pub(super) fn encoding_name(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Png8 => "png8",
        Encoding::Png16 => "png16",
        Encoding::ExrHalf => "exr_half",
        Encoding::ExrFloat => "exr_float",
        Encoding::Raw => "raw",
    }
}

/// The ending of file names.
pub(super) fn extension(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Png8 | Encoding::Png16 => "png",
        Encoding::ExrHalf | Encoding::ExrFloat => "exr",
        Encoding::Raw => "f32",
    }
}

/// Where the textures come from.
pub(super) struct Origin<'a> {
    pub document: &'a Document,
    /// The document as it is saved.
    pub preset: String,
    /// SHA-256 of that, as every EXR says it.
    preset_sha256: String,
}

impl<'a> Origin<'a> {
    pub fn new(document: &'a Document) -> Result<Self, BakeError> {
        let preset = document::to_ron(document).map_err(|e| BakeError::Encode {
            file: "the preset in the sidecar".to_owned(),
            message: e.to_string(),
        })?;
        Ok(Self {
            document,
            preset_sha256: sha256(preset.as_bytes()),
            preset,
        })
    }
}

/// The bytes of a file. `frame` is that of the picture; the first one for a sheet.
pub(super) fn file(
    origin: &Origin<'_>,
    output: &OutputPlan,
    texels: &Texels,
    codings: &[Coding],
    frame: u32,
    name: &str,
) -> Result<Vec<u8>, BakeError> {
    if is_png(output.encoding) {
        return png_file::write(texels, codings, name);
    }
    if output.encoding == Encoding::Raw {
        return Ok(texels.data.iter().flat_map(|v| v.to_le_bytes()).collect());
    }
    let document = origin.document;
    let time = &document.time;
    let vmax = texels.data.iter().fold(0.0_f32, |m, v| m.max(v.abs()));
    let sources: Vec<_> = output
        .channels
        .iter()
        .map(|c| c.source.expression())
        .collect();
    let attributes = [
        ("dt", Attribute::Float(time.time_scale / time.frame_rate)),
        (
            "eddyVersion",
            Attribute::Text(env!("CARGO_PKG_VERSION").to_owned()),
        ),
        (
            "frame",
            Attribute::Int(i32::try_from(frame).unwrap_or(i32::MAX)),
        ),
        (
            "presetSha256",
            Attribute::Text(origin.preset_sha256.clone()),
        ),
        ("project", Attribute::Text(document.name.clone())),
        ("seed", Attribute::Text(document.scene.seed.to_string())),
        ("sources", Attribute::Text(sources.join(", "))),
        // Of this file; that of the whole sequence stands in the sidecar.
        ("vmax", Attribute::Float(vmax)),
        (
            "voxelSize",
            Attribute::Float(document.scene.domain.grid().h),
        ),
    ];
    exr_file::write(
        texels,
        output.encoding == Encoding::ExrHalf,
        &attributes,
        name,
    )
}

/// How many values of each channel lie outside of what the file can hold.
pub(super) fn count_clipped(
    output: &OutputPlan,
    texels: &Texels,
    codings: &[Coding],
    clipped: &mut [u64],
) {
    let half = output.encoding == Encoding::ExrHalf;
    for texel in texels.data.chunks_exact(texels.channels) {
        for ((v, coding), count) in texel.iter().zip(codings).zip(&mut *clipped) {
            *count += u64::from(coding.clips(*v) || half && v.abs() > exr_file::HALF_MAX);
        }
    }
}
