//! Pictures that serve as shapes: loaded once, kept as signed distances.
//!
//! 1. Read a PNG (white and opaque is inside) or the inline form `"..##../######"`.
//! 2. Bring it to a bounded size: large pictures are averaged down, small inline ones enlarged to keep their corners.
//! 3. Signed distance to the outline in pixels by the exact distance transform of Felzenszwalb and Huttenlocher 2012
//!    (Distance transforms of sampled functions, Theory of Computing 8).

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::distance;
use super::heights;
use super::{Scene, Shape};
use crate::params::Problem;

/// Longest edge of a picture that is read, pixels.
const MAX_READ: u32 = 8192;
/// The same for an interlaced one, which is whole in memory.
const MAX_INTERLACED: u32 = 2048;
/// Longest edge that is kept, pixels.
const MAX_EDGE: u32 = 512;
/// Inline pictures are enlarged to about this edge, pixels.
const INLINE_EDGE: u32 = 96;
/// Pictures a scene may have.
const MAX_PICTURES: usize = 64;

/// The pictures of a scene. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Masks {
    atlas: Arc<Atlas>,
}

#[derive(Debug, Default)]
struct Atlas {
    texels: Vec<f32>,
    entries: BTreeMap<String, Mask>,
    heights: BTreeMap<String, Mask>,
    /// Hash of the texels.
    revision: u64,
}

/// One picture in the array of texels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mask {
    /// First texel.
    pub texel: u32,
    /// Texels along x, with a border of one on each side.
    pub width: u32,
    /// Texels along y, with a border of one on each side.
    pub height: u32,
    /// Longer edge without the border, texels.
    pub long_edge: f32,
    /// Shorter edge without the border, texels.
    pub short_edge: f32,
}

/// A grey picture: rows from top to bottom, 0 outside to 1 inside.
struct Picture {
    width: u32,
    height: u32,
    inside: Vec<f32>,
}

impl Masks {
    /// The files of the pictures that a scene uses. `base` is where relative paths begin.
    pub fn files(scene: &Scene, base: &Path) -> Vec<PathBuf> {
        let named = |image: &&str| !image.is_empty() && !is_inline(image);
        let images = images(scene).into_iter().map(|(_, _, image)| image);
        let maps = scene.terrain.iter().map(|t| t.height_map.as_str());
        let all = images.chain(maps).filter(named);
        all.map(|image| base.join(image)).collect()
    }

    /// Width and height of one picture, in pixels; none where it cannot be read.
    pub fn edges(image: &str, base: &Path) -> Option<[u32; 2]> {
        if image.is_empty() {
            return None;
        }
        if is_inline(image) {
            let width = image.split('/').map(str::len).max()?;
            let edges = [width as u32, image.split('/').count() as u32];
            return (width > 0).then_some(edges);
        }
        let file = std::fs::File::open(base.join(image)).ok()?;
        let reader = png::Decoder::new(std::io::BufReader::new(file))
            .read_info()
            .ok()?;
        Some(reader.info().size().into())
    }

    /// Loads all pictures of a scene. Paths are relative to `base`.
    ///
    /// # Errors
    /// One problem for each item whose picture is missing, unreadable, malformed or too large.
    pub fn load(scene: &Scene, base: &Path) -> Result<Self, Vec<Problem>> {
        let (masks, problems) = Self::load_what_can(scene, base);
        if problems.is_empty() {
            Ok(masks)
        } else {
            Err(problems)
        }
    }

    /// Loads the pictures that can be loaded; items with the others are left out of the scene.
    pub fn load_what_can(scene: &Scene, base: &Path) -> (Self, Vec<Problem>) {
        let mut atlas = Atlas::default();
        let mut problems = Vec::new();
        for (path, name, image) in images(scene) {
            if atlas.entries.contains_key(image) {
                continue;
            }
            let result = if atlas.entries.len() < MAX_PICTURES {
                picture(image, base)
            } else {
                Err(format!("a scene may have {MAX_PICTURES} pictures"))
            };
            match result {
                Ok(picture) => atlas.add(image, &picture),
                Err(why) => problems.push(Problem {
                    path,
                    message: format!("the mask of \"{name}\": {why}"),
                }),
            }
        }
        for (i, terrain) in scene.terrain.iter().enumerate() {
            let file = terrain.height_map.as_str();
            if file.is_empty() || atlas.heights.contains_key(file) {
                continue;
            }
            match heights::load(&base.join(file)) {
                Ok(map) => atlas.add_heights(file, &map),
                Err(why) => problems.push(Problem {
                    path: format!("terrain.{i}.height_map"),
                    message: format!("the height map of \"{}\": {file}: {why}", terrain.name),
                }),
            }
        }
        let mut hasher = DefaultHasher::new();
        hasher.write(bytemuck::cast_slice(&atlas.texels));
        atlas.revision = hasher.finish();
        let masks = Self {
            atlas: Arc::new(atlas),
        };
        (masks, problems)
    }

    /// The picture of that name, if it was loaded.
    pub fn get(&self, image: &str) -> Option<Mask> {
        self.atlas.entries.get(image).copied()
    }

    /// The height map of that name, if it was loaded. Its texels are heights between 0 and 1 where the file has whole
    /// numbers, and those of the file where it has floats.
    pub fn heights(&self, file: &str) -> Option<Mask> {
        self.atlas.heights.get(file).copied()
    }

    /// Signed distances of all pictures, in texels, negative inside, and height maps; each row by row from the bottom.
    pub fn texels(&self) -> &[f32] {
        &self.atlas.texels
    }

    /// A number that differs where the pictures differ.
    pub(super) fn revision(&self) -> u64 {
        self.atlas.revision
    }
}

impl Atlas {
    fn add(&mut self, image: &str, picture: &Picture) {
        let (width, height) = (picture.width + 2, picture.height + 2);
        let mask = Mask {
            texel: self.texels.len() as u32,
            width,
            height,
            long_edge: picture.width.max(picture.height) as f32,
            short_edge: picture.width.min(picture.height) as f32,
        };
        self.texels.extend(signed_distance(picture));
        self.entries.insert(image.to_owned(), mask);
    }

    fn add_heights(&mut self, file: &str, map: &heights::HeightMap) {
        let mask = Mask {
            texel: self.texels.len() as u32,
            width: map.width,
            height: map.height,
            long_edge: map.width.max(map.height) as f32,
            short_edge: map.width.min(map.height) as f32,
        };
        let rows = map.texels.chunks_exact(map.width.max(1) as usize);
        self.texels.extend(rows.rev().flatten());
        self.heights.insert(file.to_owned(), mask);
    }
}

/// Path, item name and picture of every item that has one.
fn images(scene: &Scene) -> Vec<(String, &str, &str)> {
    let emitters = scene.emitters.iter().map(|e| (&e.name, &e.shape));
    let obstacles = scene.obstacles.iter().map(|o| (&o.name, &o.shape));
    let terrain = scene.terrain.iter().map(|t| (&t.name, &t.shape));
    let numbered = emitters
        .enumerate()
        .map(|(i, item)| ("emitters", i, item))
        .chain(
            obstacles
                .enumerate()
                .map(|(i, item)| ("obstacles", i, item)),
        )
        .chain(terrain.enumerate().map(|(i, item)| ("terrain", i, item)));
    numbered
        .filter_map(|(list, i, (name, shape))| match shape {
            Shape::Mask(mask) => Some((
                format!("{list}.{i}.shape.image"),
                name.as_str(),
                mask.image.as_str(),
            )),
            _ => None,
        })
        .collect()
}

fn picture(image: &str, base: &Path) -> Result<Picture, String> {
    if image.is_empty() {
        return Err("no picture is given".to_owned());
    }
    if is_inline(image) {
        return inline(image);
    }
    let file = base.join(image);
    let shown = file.display();
    read_png(&file).map_err(|why| format!("{shown}: {why}"))
}

fn is_inline(image: &str) -> bool {
    image.chars().all(|c| matches!(c, '.' | '#' | '/'))
}

fn inline(image: &str) -> Result<Picture, String> {
    let rows: Vec<&[u8]> = image.split('/').map(str::as_bytes).collect();
    let (width, height) = (rows.iter().map(|r| r.len()).max().unwrap_or(0), rows.len());
    if width == 0 {
        return Err("the picture has no pixel".to_owned());
    }
    if width.max(height) > MAX_EDGE as usize {
        return Err(format!(
            "the picture is {width}×{height}; at most {MAX_EDGE} pixels an edge are allowed"
        ));
    }
    let scale = (INLINE_EDGE as usize / width.max(height)).max(1);
    let mut inside = Vec::with_capacity(width * height * scale * scale);
    for y in 0..height * scale {
        let row = rows[y / scale];
        inside.extend((0..width * scale).map(|x| f32::from(row.get(x / scale) == Some(&b'#'))));
    }
    Ok(Picture {
        width: (width * scale) as u32,
        height: (height * scale) as u32,
        inside,
    })
}

/// Reads a PNG row by row and averages blocks of pixels until the picture is small enough: a large one is never whole in
/// memory.
fn read_png(file: &Path) -> Result<Picture, String> {
    let kind = std::fs::metadata(file).map_err(|e| e.to_string())?;
    if !kind.is_file() {
        return Err("it is no file".to_owned());
    }
    let source = std::fs::File::open(file).map_err(|e| e.to_string())?;
    let mut decoder = png::Decoder::new(std::io::BufReader::new(source));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|e| e.to_string())?;
    let (width, height) = reader.info().size();
    let (most, kind) = match reader.info().interlaced {
        true => (MAX_INTERLACED, "interlaced picture"),
        false => (MAX_READ, "picture"),
    };
    if width.max(height) > most {
        return Err(format!(
            "the {kind} is {width}×{height}; at most {most} pixels an edge are allowed"
        ));
    }
    let channels = reader.output_color_type().0.samples();
    let mut small = Reduced::new(width, height);
    if reader.info().interlaced {
        let bytes = reader.output_buffer_size().ok_or("it is too large")?;
        let mut data = vec![0; bytes];
        let info = reader.next_frame(&mut data).map_err(|e| e.to_string())?;
        for row in data[..info.buffer_size()].chunks_exact(info.line_size) {
            small.add(row, channels);
        }
    } else {
        while let Some(row) = reader.next_row().map_err(|e| e.to_string())? {
            small.add(row.data(), channels);
        }
    }
    small.finish()
}

/// How much of a pixel is inside.
fn inside(pixel: &[u8]) -> f32 {
    let v = |i: usize| f32::from(pixel[i]) / 255.0;
    match pixel.len() {
        1 => v(0),
        2 => v(0) * v(1),
        n => {
            let luma = 0.2126 * v(0) + 0.7152 * v(1) + 0.0722 * v(2);
            if n == 4 { luma * v(3) } else { luma }
        }
    }
}

/// Averages of blocks of pixels, gathered row by row.
struct Reduced {
    /// Pixels along x and y.
    full: [u32; 2],
    /// Rows that came.
    rows: u32,
    /// Edge of a block.
    scale: u32,
    /// With sums where averages will be.
    picture: Picture,
}

impl Reduced {
    fn new(width: u32, height: u32) -> Self {
        let scale = width.max(height).div_ceil(MAX_EDGE).max(1);
        let (w, h) = (width.div_ceil(scale), height.div_ceil(scale));
        Self {
            full: [width, height],
            rows: 0,
            scale,
            picture: Picture {
                width: w,
                height: h,
                inside: vec![0.0; w as usize * h as usize],
            },
        }
    }

    fn add(&mut self, row: &[u8], channels: usize) {
        if self.rows < self.full[1] {
            let (width, scale) = (self.picture.width as usize, self.scale as usize);
            let first = (self.rows / self.scale) as usize * width;
            for (x, pixel) in row
                .chunks_exact(channels)
                .take(self.full[0] as usize)
                .enumerate()
            {
                self.picture.inside[first + x / scale] += inside(pixel);
            }
            self.rows += 1;
        }
    }

    fn finish(mut self) -> Result<Picture, String> {
        if self.rows < self.full[1] || self.picture.inside.is_empty() {
            return Err("the picture is incomplete".to_owned());
        }
        // The last blocks of a row and of a column may be cut off.
        let edge = |k: usize, full: u32| self.scale.min(full - k as u32 * self.scale);
        let [width, height] = self.full;
        let w = self.picture.width as usize;
        for (i, sum) in self.picture.inside.iter_mut().enumerate() {
            *sum /= (edge(i % w, width) * edge(i / w, height)) as f32;
        }
        Ok(self.picture)
    }
}

/// Signed distance to the outline, texels, with a border of one texel; rows from the bottom.
fn signed_distance(picture: &Picture) -> Vec<f32> {
    let (width, height) = (picture.width as usize + 2, picture.height as usize + 2);
    let is_inside = |x: usize, y: usize| {
        let (row, column) = ((height - 1 - y).wrapping_sub(1), x.wrapping_sub(1));
        row < picture.height as usize
            && column < picture.width as usize
            && picture.inside[row * picture.width as usize + column] >= 0.5
    };
    let distance = |target: bool| {
        let mut squared = Vec::with_capacity(width * height);
        for y in 0..height {
            squared.extend((0..width).map(|x| if is_inside(x, y) == target { 0.0 } else { 1e12 }));
        }
        distance::transform(&mut squared, width, height);
        squared
    };
    let (to_inside, to_outside) = (distance(true), distance(false));
    // The outline lies half-way between two texels.
    to_inside
        .iter()
        .zip(&to_outside)
        .map(|(a, b)| {
            let d = if *a > 0.0 {
                a.sqrt() - 0.5
            } else {
                0.5 - b.sqrt()
            };
            d.min(1e5) as f32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_is_the_nearest_texel_of_the_other_side() {
        let picture = inline(".#../####/..#.").unwrap();
        let (w, h) = (picture.width as usize + 2, picture.height as usize + 2);
        let sdf = signed_distance(&picture);
        let inside = |i: usize| sdf[i] < 0.0;
        for i in (0..w * h).step_by(37) {
            let nearest = (0..w * h)
                .filter(|j| inside(*j) != inside(i))
                .map(|j| {
                    ((i % w) as f32 - (j % w) as f32).hypot((i / w) as f32 - (j / w) as f32) - 0.5
                })
                .fold(f32::MAX, f32::min);
            assert!(
                (sdf[i].abs() - nearest).abs() < 1e-3,
                "{i}: {} {nearest}",
                sdf[i]
            );
        }
        // The first row of the picture is at the top.
        assert!(inside((h - 3) * w + 2 + w / 4));
        assert!(!inside(3 * w + 2 + w / 4));
    }
}
