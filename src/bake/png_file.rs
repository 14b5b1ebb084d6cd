//! PNG. Fixed compression and filtering, no time stamp, no gamma chunk: the bytes depend on the picture alone.

use super::BakeError;
use super::coding::{Coding, Curve};
use super::texels::Texels;

/// Deflate level: fixed, because it is part of the bytes.
const LEVEL: u8 = 6;

/// Writes a picture; each channel by its own coding, all with the same number of levels.
///
/// # Errors
/// What the encoder says.
pub fn write(texels: &Texels, codings: &[Coding], name: &str) -> Result<Vec<u8>, BakeError> {
    let failed = |e: png::EncodingError| BakeError::Encode {
        file: name.to_owned(),
        message: e.to_string(),
    };
    let wide = codings.first().is_some_and(|c| c.levels > 255);
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, texels.width, texels.height);
    encoder.set_color(match texels.channels {
        1 => png::ColorType::Grayscale,
        3 => png::ColorType::Rgb,
        _ => png::ColorType::Rgba,
    });
    encoder.set_depth(if wide {
        png::BitDepth::Sixteen
    } else {
        png::BitDepth::Eight
    });
    encoder.set_deflate_compression(png::DeflateCompression::Level(LEVEL));
    encoder.set_filter(png::Filter::Adaptive);
    let colors = &codings[..codings.len().min(3)];
    if colors.iter().all(|c| c.curve == Curve::Srgb) {
        encoder.set_source_srgb(png::SrgbRenderingIntent::RelativeColorimetric);
    }
    let mut writer = encoder.write_header().map_err(failed)?;
    writer
        .write_image_data(&codes(texels, codings, wide))
        .map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(out)
}

fn codes(texels: &Texels, codings: &[Coding], wide: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(texels.data.len() * if wide { 2 } else { 1 });
    for texel in texels.data.chunks_exact(texels.channels) {
        for (v, coding) in texel.iter().zip(codings) {
            let code = coding.encode(*v);
            if wide {
                bytes.extend_from_slice(&(code as u16).to_be_bytes());
            } else {
                bytes.push(code as u8);
            }
        }
    }
    bytes
}
