//! The line-integral convolution over the picture, made beside the interface.

use std::sync::Arc;

use egui::{Color32, ColorImage, Rect, TextureHandle, TextureOptions, pos2};

use super::Over;
use crate::field::FieldData;
use crate::sim::Snapshot;
use crate::view::{Background, Flow, Patch, streaks};

/// Texels at most, about.
const MOST: f32 = 3e5;
/// Frames after which the streaks have gone round.
const PERIOD: u32 = 20;
/// Strongest veil of white or black, of 255.
const VEIL: f32 = 170.0;

/// The streaks that are shown, and those that are being made.
#[derive(Default)]
pub struct Streaks {
    work: Option<Background<(Patch, ColorImage)>>,
    shown: Option<(Patch, TextureHandle)>,
    asked: Option<Asked>,
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
        let work = self.work.get_or_insert_with(|| Background::new(1));
        if let Some((patch, image)) = work.take() {
            let texture = over
                .painter
                .ctx()
                .load_texture("streaks", image, TextureOptions::LINEAR);
            self.shown = Some((patch, texture));
        }
        let [low, high] = over.seen();
        let wanted = Patch::covering(low, high, MOST).map(|patch| Asked {
            serial: snapshot.serial,
            patch,
            contrast,
        });
        if wanted.is_some() && wanted != self.asked {
            let (flow, wake) = (Arc::clone(flow), over.painter.ctx().clone());
            let phase = (snapshot.frame % PERIOD) as f32 / PERIOD as f32;
            let make = move |asked: Asked| (asked.patch, veil(&flow, &asked, phase));
            let begun = wanted.is_some_and(|asked| {
                work.begin(move || make(asked), move || wake.request_repaint())
            });
            if begun {
                self.asked = wanted;
            }
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
