//! The flow map at work: a texture that it carries along, as a shader with two phases draws it.
//!
//! The picture is a net of quads whose texture coordinates move; the texture repeats, and the second phase lies over the first
//! with its share. So a frame costs some thousand additions here, whatever the size of the panel.

use egui::epaint::{Mesh, Vertex};
use egui::{
    Color32, ColorImage, DragValue, Pos2, Rect, TextureHandle, TextureOptions, TextureWrapMode, Ui,
    pos2,
};

use crate::bake::scroll::{FlowMap, Phase, phases};

/// Most quads along an edge.
const QUADS: u32 = 96;
/// Texels along an edge of the texture.
const TEXELS: usize = 256;
/// Waves across the coarsest pattern of the texture.
const WAVES: u32 = 4;

/// How the texture is carried along.
pub struct Scroll {
    /// For how long each phase is carried, s.
    period: f32,
    /// Factor on the speed.
    strength: f32,
    /// How often the texture repeats across.
    tiles: f32,
    texture: Option<TextureHandle>,
}

impl Default for Scroll {
    fn default() -> Self {
        Self {
            period: 1.0,
            strength: 1.0,
            tiles: 2.0,
            texture: None,
        }
    }
}

impl Scroll {
    /// Its settings, and what it is in words.
    pub fn settings(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            let period = DragValue::new(&mut self.period)
                .range(0.1..=20.0)
                .speed(0.01);
            ui.add(period.prefix("Period ").suffix(" s"))
                .on_hover_text("For how long each of the two phases is carried along");
            let strength = DragValue::new(&mut self.strength)
                .range(0.0..=100.0)
                .speed(0.01);
            ui.add(strength.prefix("Speed × "))
                .on_hover_text("1 is as fast as the fluid itself");
            let tiles = DragValue::new(&mut self.tiles)
                .range(0.5..=64.0)
                .speed(0.05);
            ui.add(tiles.prefix("Repeats ").max_decimals(1))
                .on_hover_text("How often the texture repeats across the picture");
        });
    }

    /// Draws the picture, and asks for the next one.
    pub fn draw(&mut self, ui: &Ui, rect: Rect, flow: &FlowMap) {
        let texture = self.texture.get_or_insert_with(|| {
            let options = TextureOptions {
                wrap_mode: TextureWrapMode::Repeat,
                ..TextureOptions::LINEAR
            };
            ui.ctx().load_texture("carried", pattern(), options)
        });
        let (id, time) = (texture.id(), ui.input(|i| i.time));
        for (k, phase) in phases(time, self.period).into_iter().enumerate() {
            let mut net = self.net(rect, flow, phase, k);
            net.texture_id = id;
            ui.painter().add(net);
        }
        ui.ctx().request_repaint();
    }

    /// One phase: the first is opaque, and the second lies over it with its share.
    fn net(&self, rect: Rect, flow: &FlowMap, phase: Phase, k: usize) -> Mesh {
        let [w, h] = flow.size.map(|n| n.clamp(1, QUADS));
        let aspect = rect.height() / rect.width().max(1.0);
        let repeats = [self.tiles, self.tiles * aspect];
        let color = match k {
            0 => Color32::WHITE,
            _ => Color32::from_white_alpha((phase.weight * 255.0).round() as u8),
        };
        // Where both are whole they show other parts of the texture, and so there is less to be seen of the beat.
        let apart = 0.5 * k as f32;
        let mut net = Mesh::default();
        for j in 0..=h {
            for i in 0..=w {
                let at = [i as f32 / w as f32, j as f32 / h as f32];
                let step = flow.at(at[0], at[1]);
                let carried: [f32; 2] = std::array::from_fn(|c| {
                    (at[c] - step[c] * self.strength * phase.age) * repeats[c] + apart
                });
                net.vertices.push(Vertex {
                    pos: place(rect, at),
                    uv: pos2(carried[0], carried[1]),
                    color,
                });
            }
        }
        for j in 0..h {
            for i in 0..w {
                let a = j * (w + 1) + i;
                let (b, c) = (a + 1, a + w + 1);
                net.add_triangle(a, b, c);
                net.add_triangle(c, b, c + 1);
            }
        }
        net
    }
}

fn place(rect: Rect, at: [f32; 2]) -> Pos2 {
    rect.lerp_inside(egui::vec2(at[0], at[1]))
}

/// Light on water, as it were: ridges of noise that repeats in both directions.
fn pattern() -> ColorImage {
    let value = |x: f32, y: f32| {
        let (mut sum, mut share, mut waves) = (0.0, 0.6, WAVES);
        for octave in 0..3 {
            let ridge = 1.0 - (2.0 * noise(x, y, waves, octave) - 1.0).abs();
            sum += share * ridge * ridge * ridge;
            (share, waves) = (share * 0.5, waves * 2);
        }
        sum.clamp(0.0, 1.0)
    };
    let color = |v: f32| {
        let mix = |low: f32, high: f32| (low + (high - low) * v).round() as u8;
        Color32::from_rgb(mix(8.0, 225.0), mix(44.0, 245.0), mix(66.0, 250.0))
    };
    let at = |k: usize| (k as f32 + 0.5) / TEXELS as f32;
    let pixels = (0..TEXELS * TEXELS).map(|k| color(value(at(k % TEXELS), at(k / TEXELS))));
    ColorImage::new([TEXELS, TEXELS], pixels.collect())
}

/// Smooth noise of 0 to 1 with `waves` cells in each direction, which repeats after them.
fn noise(x: f32, y: f32, waves: u32, octave: u32) -> f32 {
    let corner = |i: u32, j: u32| {
        let mut n = (i % waves).wrapping_mul(0x9E37_79B1)
            ^ (j % waves).wrapping_mul(0x85EB_CA77)
            ^ (octave * 0x27D4);
        n = (n ^ (n >> 15)).wrapping_mul(0x2C1B_3C6D);
        n = (n ^ (n >> 12)).wrapping_mul(0x297A_2D39);
        ((n ^ (n >> 15)) >> 8) as f32 / (1 << 24) as f32
    };
    let (x, y) = (x * waves as f32, y * waves as f32);
    let (i, j) = (x as u32, y as u32);
    let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
    let (s, t) = (smooth(x.fract()), smooth(y.fract()));
    let row = |j: u32| corner(i, j) + (corner(i + 1, j) - corner(i, j)) * s;
    row(j) + (row(j + 1) - row(j)) * t
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_texture_is_carried_by_the_flow_and_starts_where_it_was() {
        let flow = FlowMap {
            size: [2, 2],
            steps: vec![[0.25, -0.5]; 4],
        };
        let scroll = Scroll {
            tiles: 4.0,
            ..Scroll::default()
        };
        let rect = Rect::from_min_size(pos2(10.0, 20.0), egui::vec2(200.0, 100.0));
        let net = |age: f32| scroll.net(rect, &flow, Phase { age, weight: 0.3 }, 0);
        let (fresh, later) = (net(0.0), net(2.0));
        assert_eq!(fresh.vertices.len(), 9);
        assert_eq!(fresh.indices.len(), 4 * 6);
        assert_eq!(fresh.vertices[0].pos, rect.min);
        assert_eq!(
            fresh.vertices[8].uv,
            pos2(4.0, 2.0),
            "four tiles across, square ones"
        );
        for (a, b) in fresh.vertices.iter().zip(&later.vertices) {
            // Half a width to the right and a height up: what is seen there came from the left and from below.
            assert!((b.uv - a.uv - egui::vec2(-2.0, 2.0)).length() < 1e-5);
        }
        let over = scroll.net(
            rect,
            &flow,
            Phase {
                age: 0.0,
                weight: 0.3,
            },
            1,
        );
        assert_eq!(over.vertices[0].color, Color32::from_white_alpha(77));
    }

    #[test]
    fn the_texture_repeats_without_a_seam() {
        let image = pattern();
        let jump = |a: usize, b: usize| {
            let row = |r: usize| &image.pixels[r * TEXELS..(r + 1) * TEXELS];
            let each = row(a).iter().zip(row(b));
            each.map(|(a, b)| a.g().abs_diff(b.g())).max().unwrap_or(0)
        };
        let inside = (1..TEXELS).map(|r| jump(r - 1, r)).max().unwrap_or(0);
        assert!(inside > 0 && jump(TEXELS - 1, 0) <= inside);
    }
}
