//! OpenEXR: one part, scan lines, ZIP in blocks of 16 rows, channels R, G, B and A where there is one.
//!
//! Written from the public description of the file layout (openexr.com, "OpenEXR File Layout"): magic, version, header of
//! attributes, table of block offsets, blocks. Attributes are written in a fixed order and blocks by one thread, so that
//! equal pictures are equal files.

use std::io::Write;

use flate2::{Compression, write::ZlibEncoder};
use half::f16;

use super::BakeError;
use super::texels::Texels;

/// Rows that are compressed together.
const BLOCK_ROWS: u32 = 16;
/// Deflate level: fixed, because it is part of the bytes.
const LEVEL: u32 = 6;
/// The code of ZIP in blocks of 16 rows.
const ZIP: u8 = 3;

/// A custom attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    /// A number.
    Float(f32),
    /// A whole number.
    Int(i32),
    /// Words.
    Text(String),
}

/// Largest magnitude of a 16-bit float.
pub const HALF_MAX: f32 = 65504.0;

/// Writes a picture in 16-bit (`half`) or 32-bit float, with further attributes after the standard ones.
///
/// # Errors
/// What the compressor says.
pub fn write(
    texels: &Texels,
    half: bool,
    attributes: &[(&str, Attribute)],
    name: &str,
) -> Result<Vec<u8>, BakeError> {
    let mut out = Vec::new();
    out.extend_from_slice(&[0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0]);
    header(&mut out, texels, half, attributes);
    let blocks = texels.height.div_ceil(BLOCK_ROWS);
    let table = out.len();
    out.resize(table + blocks as usize * 8, 0);
    for block in 0..blocks {
        let offset = out.len() as u64;
        let slot = table + block as usize * 8;
        out[slot..slot + 8].copy_from_slice(&offset.to_le_bytes());
        let first = block * BLOCK_ROWS;
        let data = rows(texels, half, first..(first + BLOCK_ROWS).min(texels.height));
        let packed = compress(&data).map_err(|e| BakeError::Encode {
            file: name.to_owned(),
            message: e.to_string(),
        })?;
        // A block that does not shrink is stored as it is.
        let payload = if packed.len() < data.len() {
            packed
        } else {
            data
        };
        out.extend_from_slice(&(first as i32).to_le_bytes());
        out.extend_from_slice(&(payload.len() as i32).to_le_bytes());
        out.extend_from_slice(&payload);
    }
    Ok(out)
}

/// Channels in the order of the file, by name, with their position in a texel.
fn channels(count: usize) -> Vec<(&'static str, Option<usize>)> {
    let position = |c: usize| (c < count).then_some(c);
    let mut list = vec![("B", position(2)), ("G", position(1)), ("R", position(0))];
    if count > 3 {
        list.insert(0, ("A", Some(3)));
    }
    list
}

fn header(out: &mut Vec<u8>, texels: &Texels, half: bool, extra: &[(&str, Attribute)]) {
    let mut attribute = |name: &str, kind: &str, value: &[u8]| {
        for text in [name, kind] {
            out.extend_from_slice(text.as_bytes());
            out.push(0);
        }
        out.extend_from_slice(&(value.len() as i32).to_le_bytes());
        out.extend_from_slice(value);
    };
    let mut list = Vec::new();
    for (name, _) in channels(texels.channels) {
        list.extend_from_slice(name.as_bytes());
        list.push(0);
        let kind: i32 = if half { 1 } else { 2 };
        // Sample type, "perceptually linear" and padding, then one sample a texel along x and y.
        for word in [kind, 0, 1, 1] {
            list.extend_from_slice(&word.to_le_bytes());
        }
    }
    list.push(0);
    let window: Vec<u8> = [0, 0, texels.width as i32 - 1, texels.height as i32 - 1]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    attribute("channels", "chlist", &list);
    attribute("compression", "compression", &[ZIP]);
    attribute("dataWindow", "box2i", &window);
    attribute("displayWindow", "box2i", &window);
    attribute("lineOrder", "lineOrder", &[0]);
    attribute("pixelAspectRatio", "float", &1.0_f32.to_le_bytes());
    attribute("screenWindowCenter", "v2f", &[0; 8]);
    attribute("screenWindowWidth", "float", &1.0_f32.to_le_bytes());
    for (name, value) in extra {
        match value {
            Attribute::Float(v) => attribute(name, "float", &v.to_le_bytes()),
            Attribute::Int(v) => attribute(name, "int", &v.to_le_bytes()),
            Attribute::Text(v) => attribute(name, "string", v.as_bytes()),
        }
    }
    out.push(0);
}

/// The samples of some rows: row by row, channel by channel.
fn rows(texels: &Texels, half: bool, range: std::ops::Range<u32>) -> Vec<u8> {
    let mut data = Vec::new();
    for y in range {
        let row = texels.row(y);
        for (_, position) in channels(texels.channels) {
            for texel in row.chunks_exact(texels.channels) {
                let v = position.map_or(0.0, |c| texel[c]);
                if half {
                    let v = f16::from_f32(v.clamp(-HALF_MAX, HALF_MAX));
                    data.extend_from_slice(&v.to_le_bytes());
                } else {
                    data.extend_from_slice(&v.to_le_bytes());
                }
            }
        }
    }
    data
}

/// ZIP: even bytes before odd ones, differences of neighbours, deflate.
fn compress(data: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut split: Vec<u8> = data.iter().step_by(2).copied().collect();
    split.extend(data.iter().skip(1).step_by(2));
    let mut previous = split.first().copied().unwrap_or(0);
    for v in split.iter_mut().skip(1) {
        let difference = v.wrapping_sub(previous).wrapping_add(128);
        previous = std::mem::replace(v, difference);
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(LEVEL));
    encoder.write_all(&split)?;
    encoder.finish()
}
