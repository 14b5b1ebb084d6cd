//! Words on pictures that are made without a window, in the letters of the interface.

use egui::epaint::text::{FontDefinitions, Fonts, TextOptions};
use egui::{Color32, FontId};

use crate::view::Picture;

/// Writes on pictures.
pub struct Pen {
    fonts: Fonts,
    size: f32,
}

impl Pen {
    /// With letters of that size, in pixels.
    pub fn new(size: f32) -> Self {
        Self {
            fonts: Fonts::new(TextOptions::default(), FontDefinitions::default()),
            size,
        }
    }

    /// Pixels from one line to the next.
    pub fn line(&self) -> u32 {
        (self.size * 1.4).ceil() as u32
    }

    /// Writes a line with its upper left corner at `at`, cut off with dots where it is wider than `width` pixels.
    pub fn write(
        &mut self,
        picture: &mut Picture,
        at: [u32; 2],
        width: u32,
        text: &str,
        color: [u8; 3],
    ) {
        let mut view = self.fonts.with_pixels_per_point(1.0);
        let font = FontId::proportional(self.size);
        let mut job =
            egui::text::LayoutJob::simple(text.to_owned(), font, Color32::WHITE, width as f32);
        job.wrap.max_rows = 1;
        job.wrap.break_anywhere = true;
        let galley = view.layout_job(job);
        let atlas = view.image();
        let [across, _] = atlas.size;
        for placed in &galley.rows {
            for glyph in placed.row.glyphs.iter().filter(|g| !g.uv_rect.is_nothing()) {
                let uv = glyph.uv_rect;
                let left = at[0] as f32 + placed.pos.x + glyph.pos.x + uv.offset.x;
                let top = at[1] as f32 + placed.pos.y + glyph.pos.y + uv.offset.y;
                let (left, top) = (left.round() as i64, top.round() as i64);
                for y in uv.min[1]..uv.max[1] {
                    for x in uv.min[0]..uv.max[0] {
                        let covered = atlas.pixels[usize::from(y) * across + usize::from(x)].a();
                        let to = [
                            left + i64::from(x - uv.min[0]),
                            top + i64::from(y - uv.min[1]),
                        ];
                        blend(picture, to, color, covered);
                    }
                }
            }
        }
    }
}

fn blend(picture: &mut Picture, [x, y]: [i64; 2], color: [u8; 3], covered: u8) {
    let inside =
        (0..i64::from(picture.width)).contains(&x) && (0..i64::from(picture.height)).contains(&y);
    if !inside {
        return;
    }
    let at = (y as usize * picture.width as usize + x as usize) * 4;
    for (to, from) in picture.rgba[at..at + 3].iter_mut().zip(color) {
        let share = u16::from(covered);
        *to = ((u16::from(*to) * (255 - share) + u16::from(from) * share) / 255) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blank(width: u32, height: u32) -> Picture {
        Picture {
            width,
            height,
            rgba: vec![0; (width * height * 4) as usize],
        }
    }

    /// Columns with something in them.
    fn columns(picture: &Picture) -> Vec<u32> {
        let lit = |x: &u32| {
            (0..picture.height).any(|y| picture.rgba[((y * picture.width + x) * 4) as usize] > 60)
        };
        (0..picture.width).filter(lit).collect()
    }

    #[test]
    fn words_stand_where_they_are_put_and_end_where_they_must() {
        let mut pen = Pen::new(14.0);
        let mut picture = blank(200, pen.line());
        pen.write(&mut picture, [20, 0], 100, "10 iterations", [255; 3]);
        let lit = columns(&picture);
        assert!(
            lit.len() > 40 && lit[0] >= 20 && lit[lit.len() - 1] < 120,
            "{lit:?}"
        );
        let mut long = blank(200, pen.line());
        pen.write(&mut long, [20, 0], 100, &"many words ".repeat(20), [255; 3]);
        let lit = columns(&long);
        assert!(lit[lit.len() - 1] < 122, "{lit:?}");
        // Outside there is nothing to write on.
        pen.write(&mut long, [190, 15], 100, "outside", [255; 3]);
    }
}
