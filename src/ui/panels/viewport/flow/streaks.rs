//! The line-integral convolution over the picture, made beside the interface.

use std::sync::Arc;

use egui::{Color32, ColorImage, Rect, TextureHandle, TextureOptions, pos2};

use super::Over;
use crate::field::FieldData;
use crate::sim::Snapshot;
use crate::ui::beside::Beside;
use crate::view::{Flow, Patch, streaks};

/// Texels at most, about.
const MOST: f32 = 3e5;
/// Of a period, how far the streaks run by a frame; and by a picture at most, or they would seem to run upstream.
const RUN: [f32; 2] = [0.05, 0.2];
/// Strongest veil of white or black, of 255.
const VEIL: f32 = 170.0;

/// The streaks that are shown, and those that are being made.
#[derive(Default)]
pub struct Streaks {
    making: Beside<Asked, (Patch, ColorImage)>,
    shown: Option<(Patch, TextureHandle)>,
    /// How far they have run, in periods, and at which frame.
    phase: f32,
    frame: u32,
}

/// What streaks depend on.
#[derive(Clone, Copy, PartialEq)]
struct Asked {
    serial: u64,
    patch: Patch,
    contrast: f32,
}

impl Streaks {
    /// Draws them; where the flow or what is seen of it has changed, the earlier ones until the new ones are there.
    pub(super) fn paint(
        &mut self,
        over: &Over<'_>,
        snapshot: &Snapshot,
        flow: &Arc<FieldData>,
        contrast: f32,
    ) {
        let [low, high] = over.seen();
        if let Some(patch) = Patch::covering(low, high, MOST) {
            let asked = Asked {
                serial: snapshot.serial,
                patch,
                contrast,
            };
            let by = snapshot.frame.saturating_sub(self.frame) as f32 * RUN[0];
            let phase = (self.phase + by.min(RUN[1])).fract();
            let flow = Arc::clone(flow);
            let make = move || (asked.patch, veil(&flow, &asked, phase));
            if self.making.ask(over.painter.ctx(), asked, make) {
                (self.phase, self.frame) = (phase, snapshot.frame);
            }
        }
        if let Some((patch, image)) = self.making.take() {
            let options = TextureOptions::LINEAR;
            let texture = over.painter.ctx().load_texture("streaks", image, options);
            self.shown = Some((patch, texture));
        }
        if let Some((patch, texture)) = &self.shown {
            let [low, high] = patch.corners();
            let place = Rect::from_two_pos(over.at(low), over.at(high));
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            over.painter
                .image(texture.id(), place, whole, Color32::WHITE);
        }
    }
}

/// Light streaks as a veil of white, dark ones as one of black.
fn veil(flow: &FieldData, asked: &Asked, phase: f32) -> ColorImage {
    let size = asked.patch.size;
    let strength = VEIL * asked.contrast.clamp(0.0, 1.0);
    let pixels = match Flow::new(flow) {
        Some(flow) => streaks(&flow, &asked.patch, phase)
            .into_iter()
            .map(|v| {
                let alpha = (strength * v.abs()) as u8;
                match v > 0.0 {
                    true => Color32::from_white_alpha(alpha),
                    false => Color32::from_black_alpha(alpha),
                }
            })
            .collect(),
        None => vec![Color32::TRANSPARENT; size[0] * size[1]],
    };
    ColorImage::new(size, pixels)
}
