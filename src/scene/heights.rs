//! Height maps: PNG of 8 or 16 bits, or OpenEXR, as rows of numbers.
//!
//! Whole numbers become 0 to 1, floats stay what they are. Of a picture with colours the first channel counts. A large map
//! is averaged down to an edge of [`MAX_EDGE`].

use std::path::Path;

/// Longest edge of a map that is read, texels.
const MAX_READ: u32 = 8192;
/// Longest edge that is kept, texels.
const MAX_EDGE: u32 = 2048;

/// Rows from top to bottom.
pub struct HeightMap {
    /// Texels along x.
    pub width: u32,
    /// Texels along y.
    pub height: u32,
    /// Heights.
    pub texels: Vec<f32>,
}

/// Reads a map, by the ending of its name.
///
/// # Errors
/// What is wrong with the file, in words that follow its name.
pub fn load(file: &Path) -> Result<HeightMap, String> {
    let kind = std::fs::metadata(file).map_err(|e| e.to_string())?;
    if !kind.is_file() {
        return Err("it is no file".to_owned());
    }
    let ending = file.extension().map(|e| e.to_string_lossy().to_lowercase());
    let map = match ending.as_deref() {
        Some("png") => read_png(file),
        Some("exr") => super::exr::read(file),
        _ => Err("height maps are .png or .exr".to_owned()),
    }?;
    if map.texels.iter().any(|t| !t.is_finite()) {
        return Err("it has heights that are not numbers".to_owned());
    }
    Ok(reduced(map))
}

/// Refuses a picture that has no texel or too many.
///
/// # Errors
/// How large it is and may be.
pub fn check_size(width: u32, height: u32) -> Result<(), String> {
    if width == 0 || height == 0 {
        return Err("it has no texel".to_owned());
    }
    if width.max(height) > MAX_READ {
        return Err(format!(
            "it is {width}×{height}; at most {MAX_READ} texels an edge are allowed"
        ));
    }
    Ok(())
}

fn read_png(file: &Path) -> Result<HeightMap, String> {
    let source = std::fs::File::open(file).map_err(|e| e.to_string())?;
    let mut decoder = png::Decoder::new(std::io::BufReader::new(source));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|e| e.to_string())?;
    let (width, height) = reader.info().size();
    check_size(width, height)?;
    let (color, depth) = reader.output_color_type();
    let bytes = reader.output_buffer_size().ok_or("it is too large")?;
    let mut data = vec![0; bytes];
    let info = reader.next_frame(&mut data).map_err(|e| e.to_string())?;
    let pixel = color.samples()
        * if depth == png::BitDepth::Sixteen {
            2
        } else {
            1
        };
    let mut texels = Vec::with_capacity(width as usize * height as usize);
    for row in data[..info.buffer_size()].chunks_exact(info.line_size) {
        let pixels = row.chunks_exact(pixel).take(width as usize);
        texels.extend(pixels.map(|p| match (depth, p) {
            (png::BitDepth::Sixteen, [a, b, ..]) => {
                f32::from(u16::from_be_bytes([*a, *b])) / 65535.0
            }
            (_, [a, ..]) => f32::from(*a) / 255.0,
            _ => 0.0,
        }));
    }
    if texels.len() != width as usize * height as usize {
        return Err("it is incomplete".to_owned());
    }
    Ok(HeightMap {
        width,
        height,
        texels,
    })
}

/// Averages of blocks, where the map is larger than what is kept.
fn reduced(map: HeightMap) -> HeightMap {
    let scale = map.width.max(map.height).div_ceil(MAX_EDGE).max(1);
    if scale == 1 {
        return map;
    }
    let (width, height) = (map.width.div_ceil(scale), map.height.div_ceil(scale));
    let block = |x: u32, y: u32| {
        let end = |at: u32, n: u32| ((at + 1) * scale).min(n);
        let (mut sum, mut count) = (0.0_f64, 0.0);
        for j in y * scale..end(y, map.height) {
            for i in x * scale..end(x, map.width) {
                sum += f64::from(map.texels[(j * map.width + i) as usize]);
                count += 1.0;
            }
        }
        (sum / count) as f32
    };
    let texels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let texels = texels.map(|(x, y)| block(x, y)).collect();
    HeightMap {
        width,
        height,
        texels,
    }
}
