//! Reads the first channel of an OpenEXR picture, for height maps.
//!
//! Written from the public description of the file layout (openexr.com, "OpenEXR File Layout"): one part of scan lines, not
//! compressed or by ZIP, numbers of 16 or 32 bits. Of several channels `Y`, `Z` or `R` is taken, else the first.

use std::io::Read;
use std::path::Path;

use super::heights::{HeightMap, check_size};

/// Bytes of a file that is read.
const MOST_BYTES: u64 = 1 << 30;

/// A channel of the file.
struct Channel {
    name: String,
    /// 0 whole numbers of 32 bits, 1 floats of 16, 2 floats of 32.
    kind: u32,
}

impl Channel {
    fn bytes(&self) -> usize {
        if self.kind == 1 { 2 } else { 4 }
    }
}

/// What the header says.
#[derive(Default)]
struct Header {
    channels: Vec<Channel>,
    /// Lines that are packed together, and whether they are compressed.
    packing: Option<(u32, bool)>,
    /// Least x and y, greatest x and y.
    window: [i32; 4],
}

/// Bytes that are taken one after the other.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], String> {
        let (head, rest) = self.0.split_at_checked(n).ok_or("it ends too early")?;
        self.0 = rest;
        Ok(head)
    }
    fn int(&mut self) -> Result<i32, String> {
        let bytes = self.take(4)?;
        Ok(i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }
    /// Up to a zero byte, which is taken too.
    fn text(&mut self) -> Result<String, String> {
        let end = self
            .0
            .iter()
            .position(|b| *b == 0)
            .ok_or("it ends too early")?;
        let text = String::from_utf8_lossy(self.take(end)?).into_owned();
        self.take(1)?;
        Ok(text)
    }
}

/// Reads a file.
///
/// # Errors
/// What is wrong with it, or what it uses that is not understood.
pub fn read(file: &Path) -> Result<HeightMap, String> {
    let source = std::fs::File::open(file).map_err(|e| e.to_string())?;
    let mut bytes = Vec::new();
    let read = source.take(MOST_BYTES).read_to_end(&mut bytes);
    read.map_err(|e| e.to_string())?;
    parse(&bytes)
}

fn parse(bytes: &[u8]) -> Result<HeightMap, String> {
    let mut at = Cursor(bytes);
    if at.take(4)? != [0x76, 0x2f, 0x31, 0x01] {
        return Err("it is no OpenEXR file".to_owned());
    }
    // Flags beside the version: tiles, long names, deep data, several parts. Long names change nothing here.
    if at.int()? as u32 & 0x1a00 != 0 {
        return Err("only plain scan lines in one part are understood".to_owned());
    }
    let header = header(&mut at)?;
    let [x0, y0, x1, y1] = header.window.map(i64::from);
    let size = |from: i64, to: i64| u32::try_from(to - from + 1).unwrap_or(0);
    let (width, height) = (size(x0, x1), size(y0, y1));
    check_size(width, height)?;
    let Some((lines, packed)) = header.packing else {
        return Err("its compression is not understood; save it with ZIP or with none".to_owned());
    };
    let (first, channel) = chosen(&header.channels)?;
    let line_bytes: usize = header
        .channels
        .iter()
        .map(|c| c.bytes() * width as usize)
        .sum();
    let mut texels = vec![0.0; width as usize * height as usize];
    let blocks = height.div_ceil(lines);
    at.take(8 * blocks as usize)?;
    for _ in 0..blocks {
        let y = i64::from(at.int()?) - y0;
        let length = usize::try_from(at.int()?).map_err(|_| "a block has no length")?;
        let data = at.take(length)?;
        let begin = u32::try_from(y).ok().filter(|y| *y < height);
        let begin = begin.ok_or("a block lies outside the picture")?;
        let count = lines.min(height - begin) as usize;
        let whole = unpacked(data, line_bytes * count, packed)?;
        let rows = texels.chunks_exact_mut(width as usize).skip(begin as usize);
        for (row, line) in rows.zip(whole.chunks_exact(line_bytes)) {
            let own = &line[first * width as usize..];
            for (texel, b) in row.iter_mut().zip(own.chunks_exact(channel.bytes())) {
                *texel = number(channel.kind, b);
            }
        }
    }
    Ok(HeightMap {
        width,
        height,
        texels,
    })
}

fn header(at: &mut Cursor<'_>) -> Result<Header, String> {
    let mut header = Header::default();
    loop {
        let name = at.text()?;
        if name.is_empty() {
            return Ok(header);
        }
        at.text()?;
        let length = usize::try_from(at.int()?).map_err(|_| "an attribute has no length")?;
        let mut value = Cursor(at.take(length)?);
        match name.as_str() {
            "channels" => header.channels = channels(&mut value)?,
            "compression" => {
                header.packing = match value.take(1)? {
                    [0] => Some((1, false)),
                    [2] => Some((1, true)),
                    [3] => Some((16, true)),
                    _ => None,
                }
            }
            "dataWindow" => {
                for v in &mut header.window {
                    *v = value.int()?;
                }
            }
            _ => {}
        }
    }
}

fn channels(value: &mut Cursor<'_>) -> Result<Vec<Channel>, String> {
    let mut list = Vec::new();
    loop {
        let name = value.text()?;
        if name.is_empty() {
            return Ok(list);
        }
        let kind = value.int()? as u32;
        value.take(4)?;
        let (x, y) = (value.int()?, value.int()?);
        if kind > 2 || x != 1 || y != 1 {
            return Err(format!(
                "its channel {name} is of a kind that is not understood"
            ));
        }
        list.push(Channel { name, kind });
    }
}

/// The channel that has the heights, with the bytes a pixel of the channels before it.
fn chosen(channels: &[Channel]) -> Result<(usize, &Channel), String> {
    let named = |wanted: &&str| channels.iter().position(|c| c.name == *wanted);
    let index = ["Y", "Z", "R"].iter().find_map(named).unwrap_or(0);
    let channel = channels.get(index).ok_or("it has no channel")?;
    Ok((channels[..index].iter().map(Channel::bytes).sum(), channel))
}

/// The bytes of a block.
fn unpacked(data: &[u8], length: usize, packed: bool) -> Result<Vec<u8>, String> {
    // A block that would have grown is kept as it is.
    if !packed || data.len() == length {
        return (data.len() == length)
            .then(|| data.to_vec())
            .ok_or_else(|| "a block has the wrong length".to_owned());
    }
    let mut sums = Vec::with_capacity(length);
    let mut inflater = flate2::read::ZlibDecoder::new(data).take(length as u64);
    inflater.read_to_end(&mut sums).map_err(|e| e.to_string())?;
    if sums.len() != length {
        return Err("a block has the wrong length".to_owned());
    }
    // Differences to the byte before, then all even bytes before all odd ones.
    for i in 1..length {
        sums[i] = sums[i - 1].wrapping_add(sums[i]).wrapping_sub(128);
    }
    let (even, odd) = sums.split_at(length.div_ceil(2));
    Ok((0..length)
        .map(|i| if i % 2 == 0 { even[i / 2] } else { odd[i / 2] })
        .collect())
}

fn number(kind: u32, bytes: &[u8]) -> f32 {
    match (kind, bytes) {
        (1, [a, b]) => half::f16::from_le_bytes([*a, *b]).to_f32(),
        (0, [a, b, c, d]) => u32::from_le_bytes([*a, *b, *c, *d]) as f32,
        (_, [a, b, c, d]) => f32::from_le_bytes([*a, *b, *c, *d]),
        _ => 0.0,
    }
}
