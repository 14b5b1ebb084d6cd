//! A picture of numbers: what a frame is between simulation and file.

/// A picture: row 0 is the top, texels run left to right, `channels` interleaved numbers each.
#[derive(Clone, Debug, PartialEq)]
pub struct Texels {
    /// Texels across.
    pub width: u32,
    /// Texels down.
    pub height: u32,
    /// Numbers a texel, 1 to 4.
    pub channels: usize,
    /// `width · height · channels` values.
    pub data: Vec<f32>,
}

impl Texels {
    /// A picture of zeros.
    pub fn new(width: u32, height: u32, channels: usize) -> Self {
        Self {
            width,
            height,
            channels,
            data: vec![0.0; width as usize * height as usize * channels],
        }
    }
    /// The values of a row, from the top.
    pub fn row(&self, y: u32) -> &[f32] {
        let n = self.width as usize * self.channels;
        &self.data[y as usize * n..(y as usize + 1) * n]
    }
    /// The values of a texel.
    pub fn at(&self, x: u32, y: u32) -> &[f32] {
        let i = (y as usize * self.width as usize + x as usize) * self.channels;
        &self.data[i..i + self.channels]
    }
}
