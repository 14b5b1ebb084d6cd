//! What changes with time: a lane for each track, with its keys and its curve, under a ruler of frames.
//!
//! `ruler` shows and sets the present frame, `lanes` draws tracks, `keys` their keys under the hand, `curve` the values,
//! `hand` turns what was done to keys into changes of the document, `side` shows the chosen track in full.

mod curve;
mod hand;
mod header;
mod keys;
mod lanes;
mod ruler;
mod side;

use std::collections::BTreeSet;

use egui::{Rect, Ui, UiBuilder, pos2, vec2};

use crate::document::Document;
use crate::document::animation::{Present, Track, found};
use crate::edit::List;
use crate::edit::figure::facts;
use crate::params::label_from_name;
use crate::ui::editor::Editor;
use crate::ui::{theme, widgets};

/// Width of the names of tracks.
const NAMES: f32 = 230.0;
/// The same, as a share of the room, where that is less.
const NAMES_SHARE: f32 = 0.34;
/// Width of what is shown about the chosen track, where there is room: enough for sliders beside their numbers.
const SIDE: f32 = 284.0;
/// Room for the bar that scrolls the lanes.
const SCROLL_BAR: f32 = 10.0;
/// Width of the panel from which on there is.
const ROOM_FOR_SIDE: f32 = 700.0;
/// Room before frame 0 that stands for the warm-up.
const WARM_UP: f32 = 54.0;

/// What the panel remembers.
#[derive(Default)]
pub struct Timeline {
    /// Path of the chosen track.
    chosen: Option<String>,
    /// Keys that are picked: path of the track, bits of the time.
    picked: BTreeSet<(String, u32)>,
    /// First and last frame that are seen; all where none.
    view: Option<[f32; 2]>,
    /// What was seen last.
    shown: Option<[f32; 2]>,
    /// Keys to be put in again.
    copied: Vec<hand::Copied>,
    /// Keys under the hand.
    drag: Option<hand::Drag>,
    /// Where a frame around keys was begun.
    band: Option<egui::Pos2>,
    /// The frame at which the ruler is held.
    scrub: Option<u32>,
}

impl Timeline {
    /// Another document.
    pub fn forget(&mut self) {
        *self = Self {
            copied: std::mem::take(&mut self.copied),
            ..Self::default()
        };
    }

    /// Shows a track in full.
    pub fn choose(&mut self, path: &str) {
        self.chosen = Some(path.to_owned());
    }

    fn is_picked(&self, path: &str, time: f32) -> bool {
        self.picked.contains(&(path.to_owned(), time.to_bits()))
    }

    /// Forgets what is not there any more.
    fn tidy(&mut self, document: &Document) {
        let animation = &document.animation;
        self.picked.retain(|(path, time)| {
            let there = |t: &Track| t.keys.iter().any(|k| k.time.to_bits() == *time);
            animation.track(path).is_some_and(|(_, t)| there(t))
        });
        if self
            .chosen
            .as_ref()
            .is_none_or(|path| animation.track(path).is_none())
        {
            self.chosen = animation.tracks.first().map(|t| t.path.clone());
        }
    }
}

/// A track with what is known of its parameter.
struct Lane {
    index: usize,
    track: Track,
    present: Present,
    /// Whose it is and what it is.
    label: String,
}

fn lanes_of(document: &Document) -> Vec<Lane> {
    let tracks = &document.animation.tracks;
    let paths: Vec<&str> = tracks.iter().map(|t| t.path.as_str()).collect();
    let present = found(document, &paths);
    tracks
        .iter()
        .zip(present)
        .enumerate()
        .filter_map(|(index, (track, present))| {
            let present = present?;
            Some(Lane {
                index,
                label: label_of(document, &track.path, &present.spec.label()),
                track: track.clone(),
                present,
            })
        })
        .collect()
}

/// What the timeline calls the parameter at a path; the path itself where it is not there.
pub(super) fn label_at(document: &Document, path: &str) -> String {
    match found(document, &[path]).pop().flatten() {
        Some(present) => label_of(document, path, &present.spec.label()),
        None => path.to_owned(),
    }
}

/// "Left flame · temperature": the item that it belongs to, or the last group, and the parameter.
fn label_of(document: &Document, path: &str, label: &str) -> String {
    let steps: Vec<&str> = path.split('.').collect();
    let scene = &document.scene;
    let name = match steps.as_slice() {
        ["scene", list, i, ..] => {
            let of = |l: &List| l.path().strip_prefix("scene.") == Some(*list);
            match (List::ALL.into_iter().find(of), i.parse()) {
                (Some(list), Ok(i)) => facts(scene, (list, i)).map(|f| f.name.to_owned()),
                _ if *list == "domain" => Some(label_from_name(i)),
                _ => None,
            }
        }
        ["method", groups @ .., _] => groups.last().map(|g| label_from_name(g)),
        _ => None,
    };
    match name.filter(|n| !n.is_empty()) {
        Some(name) => format!("{name} · {}", label.to_lowercase()),
        None => label.to_owned(),
    }
}

/// Where frames are on the screen.
#[derive(Clone, Copy)]
struct Scale {
    rect: Rect,
    /// Where frame `from` is.
    left: f32,
    from: f32,
    to: f32,
}

impl Scale {
    fn new(rect: Rect, [from, to]: [f32; 2], warm_up: bool) -> Self {
        let left = rect.left() + if warm_up && from <= 0.0 { WARM_UP } else { 8.0 };
        Self {
            rect,
            left,
            from,
            to,
        }
    }
    fn pixels(&self) -> f32 {
        (self.rect.right() - 10.0 - self.left).max(1.0) / (self.to - self.from).max(1e-3)
    }
    fn x(&self, frame: f32) -> f32 {
        self.left + (frame - self.from) * self.pixels()
    }
    fn frame(&self, x: f32) -> f32 {
        self.from + (x - self.left) / self.pixels()
    }
}

/// The last frame of interest.
fn last_frame(editor: &Editor, document: &Document) -> f32 {
    let time = &document.time;
    let keys = document.animation.tracks.iter().flat_map(|t| &t.keys);
    let last_key = keys.map(|k| time.frame_at(f64::from(k.time))).max();
    // Beyond the end in steps: a ruler that moved with every frame could not be pointed at.
    let end = time.end_frame.max(1);
    let times = editor.snapshot.frame.div_ceil(end).max(1);
    let last = end.saturating_mul(times.next_power_of_two());
    last.max(last_key.unwrap_or(0)).max(1) as f32
}

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    let document = editor.document().clone();
    editor.panels.timeline.tidy(&document);
    let lanes = lanes_of(&document);
    ui.spacing_mut().item_spacing.y = 2.0;
    header::ui(editor, ui, &document, &lanes);

    let mut body = ui
        .available_rect_before_wrap()
        .shrink2(vec2(f32::from(theme::MARGIN), 2.0));
    // Also while it is empty: nothing moves when the first key is set.
    let wide = body.width() > ROOM_FOR_SIDE;
    if wide {
        let side = body.with_min_x(body.right() - SIDE);
        body.max.x -= SIDE + theme::GAP;
        let x = body.right() + theme::GAP * 0.5;
        let line = egui::Stroke::new(1.0, theme::line());
        ui.painter().vline(x, body.y_range(), line);
        let mut child = ui.new_child(UiBuilder::new().id_salt("side").max_rect(side));
        side::ui(editor, &mut child, &document, &lanes);
    }
    let names = NAMES.min(body.width() * NAMES_SHARE).max(120.0);
    let mut times = body.with_min_x(body.left() + names);
    times.max.x -= SCROLL_BAR;
    let last = last_frame(editor, &document);
    // Nothing moves away under the hand.
    let timeline = &mut editor.panels.timeline;
    let held = ui.input(|i| i.pointer.any_down()).then_some(timeline.shown);
    let view = held.flatten().or(timeline.view).unwrap_or([0.0, last]);
    timeline.shown = Some(view);
    let scale = Scale::new(times, view, document.time.warm_up > 0);
    zoom(editor, ui, &scale, last);

    let ruler = Rect::from_min_size(times.min, vec2(times.width(), ruler::HEIGHT));
    ruler::ui(editor, ui, &document, ruler, &scale);
    let below = Rect::from_min_max(pos2(body.left(), ruler.bottom() + 2.0), body.max);
    let mut child = ui.new_child(UiBuilder::new().id_salt("lanes").max_rect(below));
    let mut ends = below.bottom();
    if lanes.is_empty() {
        ends = ruler.bottom();
        widgets::empty(
            &mut child,
            "Nothing changes with time yet",
            "Go to a frame and click the diamond at the end of a parameter's row: that is its first key.",
        );
    } else {
        egui::ScrollArea::vertical()
            .id_salt("timeline lanes")
            .auto_shrink([false, false])
            .show(&mut child, |ui| {
                lanes::ui(editor, ui, &document, &lanes, &scale, names, wide);
                if !wide {
                    ends = ends.min(ui.cursor().top());
                    ui.add_space(theme::GROUP_GAP);
                    side::details(editor, ui, &document, &lanes);
                }
            });
    }
    header::keyboard(editor, ui, &document, &lanes);
    ruler::playhead(editor, ui, &scale, ends);
    ui.allocate_rect(ui.available_rect_before_wrap(), egui::Sense::hover());
}

/// Ctrl and the wheel zoom about the pointer; the wheel with Shift, or sideways, goes along.
fn zoom(editor: &mut Editor, ui: &Ui, scale: &Scale, last: f32) {
    let Some(pointer) = ui.input(|i| i.pointer.hover_pos()) else {
        return;
    };
    if !scale.rect.contains(pointer) || !ui.rect_contains_pointer(scale.rect) {
        return;
    }
    let (zoom, along) = ui.input(|i| (i.zoom_delta(), i.smooth_scroll_delta.x));
    if zoom == 1.0 && along == 0.0 {
        return;
    }
    let about = scale.frame(pointer.x);
    let (from, to) = (
        about + (scale.from - about) / zoom,
        about + (scale.to - about) / zoom,
    );
    let by = -along / scale.pixels();
    let length = (to - from).clamp(4.0, last * 4.0);
    let from = (from + by).clamp(0.0, (last * 2.0 - length).max(0.0));
    let all = from <= 0.0 && (length - last).abs() < 0.5;
    editor.panels.timeline.view = (!all).then_some([from, from + length]);
}
