//! What the hand does to keys, as changes of the document.

use egui::{Pos2, Ui};

use super::curve::Heights;
use super::{Lane, Scale, Timeline};
use crate::document::Document;
use crate::document::animation::{Interpolation, KeyValue, Track, TrackKey, found};
use crate::edit::Edit;
use crate::params::ValueKind;
use crate::ui::editor::{Editor, Request};
use crate::ui::format;

/// Keys that were copied: the path of their track, and when they come after the first one, s.
#[derive(Clone)]
pub(super) struct Copied {
    path: String,
    after: f64,
    key: TrackKey,
}

/// Keys that are being moved.
pub(super) struct Drag {
    /// The frame at which they were taken.
    from: f32,
    /// The tracks as they were, with the keys that are moved.
    tracks: Vec<(Track, Vec<usize>)>,
    lift: Option<Lift>,
}

/// How values go up and down with the hand, on the track whose curve it holds.
pub(super) struct Lift {
    path: String,
    /// Where it was taken, and whether it has gone far enough to mean the value and not the time alone.
    y: f32,
    begun: bool,
    /// What a point of the screen is worth.
    per_point: f64,
    kind: ValueKind,
    limits: [f32; 2],
}

/// So far up or down, in points, the hand means the time alone.
const LEVEL: f32 = 5.0;

impl Lift {
    /// On a track of single numbers, of which the curve is seen. One that is flat moves as a slider would.
    pub(super) fn of(lane: &Lane, heights: Option<Heights>, y: f32) -> Option<Self> {
        let (spec, heights) = (&lane.present.spec, heights?);
        let slider = f64::from(spec.soft[1] - spec.soft[0]) / f64::from(heights.height());
        let per_point = match heights.per_point() {
            0.0 => slider,
            worth => worth,
        };
        (lane.present.components() == 1 && per_point.is_finite()).then(|| Self {
            path: lane.track.path.clone(),
            y,
            begun: false,
            per_point,
            kind: spec.kind,
            limits: spec.hard,
        })
    }

    /// By how much the hand at a height raises the values.
    fn by(&mut self, y: f32) -> f64 {
        self.begun |= (self.y - y).abs() > LEVEL;
        match self.begun {
            true => f64::from(self.y - y) * self.per_point,
            false => 0.0,
        }
    }

    /// A key that is raised, within what is allowed.
    fn raise(&self, key: &mut TrackKey, by: f64) {
        if let KeyValue::Number(v) = &mut key.value {
            let raised = (f64::from(*v) + by) as f32;
            let raised = match self.kind {
                ValueKind::Int => raised.round(),
                _ => raised,
            };
            *v = raised.max(self.limits[0]).min(self.limits[1]);
        }
    }
}

fn frame_dt(document: &Document) -> f32 {
    document.time.frame_dt()
}

/// The tracks with picked keys, and which those are.
fn picked(timeline: &Timeline, document: &Document) -> Vec<(Track, Vec<usize>)> {
    let tracks = document.animation.tracks.iter();
    tracks
        .filter_map(|track| {
            let keys = track.keys.iter().enumerate();
            let picked: Vec<usize> = keys
                .filter(|(_, k)| timeline.is_picked(&track.path, k.time))
                .map(|(i, _)| i)
                .collect();
            (!picked.is_empty()).then(|| (track.clone(), picked))
        })
        .collect()
}

/// Takes the picked keys into the hand.
pub(super) fn take(timeline: &mut Timeline, document: &Document, from: f32, lift: Option<Lift>) {
    let tracks = picked(timeline, document);
    timeline.drag = Some(Drag { from, tracks, lift });
}

/// Moves what is in the hand, always from where it was, so that nothing on the way is lost. With Shift it goes along time or
/// value only, whichever it goes further along.
pub(super) fn follow(
    editor: &mut Editor,
    ui: &Ui,
    document: &Document,
    pointer: Pos2,
    scale: &Scale,
) {
    let Some(mut drag) = editor.panels.timeline.drag.take() else {
        return;
    };
    if !ui.input(|i| i.pointer.any_down()) {
        return;
    }
    let mut by = (scale.frame(pointer.x) - drag.from).round() as i64;
    let mut up = drag.lift.as_mut().map_or(0.0, |l| l.by(pointer.y));
    if let Some(lift) = drag
        .lift
        .as_ref()
        .filter(|_| ui.input(|i| i.modifiers.shift))
    {
        let along = (pointer.x - scale.x(drag.from)).abs();
        match along > (pointer.y - lift.y).abs() {
            true => up = 0.0,
            false => by = 0,
        }
    }
    let (tracks, raised) = (drag.tracks.clone(), drag.lift.as_ref().map(|l| (l, up)));
    let edits = moved(
        &mut editor.panels.timeline,
        tracks,
        by,
        frame_dt(document),
        raised,
    );
    editor.panels.timeline.drag = Some(drag);
    if !edits.is_empty() {
        editor.drag(ui.ctx(), "timeline keys", "Move keys", edits);
    }
}

/// Moves the picked keys by some frames, as a step of its own.
pub(super) fn nudge(editor: &mut Editor, document: &Document, by: i64) {
    let tracks = picked(&editor.panels.timeline, document);
    let dt = frame_dt(document);
    let edits = moved(&mut editor.panels.timeline, tracks, by, dt, None);
    if !edits.is_empty() {
        editor.ask(Request::Edit("Move keys".to_owned(), edits));
    }
}

/// The picked keys moved by some frames, and those of one track raised.
fn moved(
    timeline: &mut Timeline,
    tracks: Vec<(Track, Vec<usize>)>,
    by: i64,
    dt: f32,
    raised: Option<(&Lift, f64)>,
) -> Vec<Edit> {
    // All go as far as the one that comes to frame 0 first.
    let frame = |k: &TrackKey| (f64::from(k.time) / f64::from(dt)).round() as i64;
    let all = tracks
        .iter()
        .flat_map(|(t, p)| p.iter().map(|i| frame(&t.keys[*i])));
    let by = by.max(-all.min().unwrap_or(0));
    timeline.picked.clear();
    let edit = |(mut track, picked): (Track, Vec<usize>)| {
        for i in track.move_keys(&picked, by, dt) {
            let time = track.keys[i].time.to_bits();
            timeline.picked.insert((track.path.clone(), time));
            if let Some((lift, up)) = raised.filter(|(l, _)| l.path == track.path) {
                lift.raise(&mut track.keys[i], up);
            }
        }
        Edit::Track(Box::new(track))
    };
    tracks.into_iter().map(edit).collect()
}

/// Takes the picked keys away. A parameter that loses all of them keeps the value of the first of them.
pub(super) fn delete(editor: &mut Editor, document: &Document) {
    let tracks = picked(&editor.panels.timeline, document);
    let count: usize = tracks.iter().map(|(_, p)| p.len()).sum();
    if count == 0 {
        return;
    }
    let mut edits = Vec::new();
    for (mut track, picked) in tracks {
        let first = track.keys[picked[0]].value.clone();
        let mut at = 0..;
        track
            .keys
            .retain(|_| at.next().is_some_and(|i| !picked.contains(&i)));
        let present = found(document, &[&track.path]).pop().flatten();
        if track.keys.is_empty()
            && let Some(value) = present.and_then(|p| first.as_kind(p.spec.kind).ok())
        {
            edits.push(Edit::Set(track.path.clone(), value));
        }
        edits.push(Edit::Track(Box::new(track)));
    }
    editor.panels.timeline.picked.clear();
    editor.ask(Request::Edit(
        format!("Delete {}", format::count(count, "key")),
        edits,
    ));
}

/// Remembers the picked keys; whether there are any.
pub(super) fn copy(editor: &mut Editor, document: &Document) -> bool {
    let tracks = picked(&editor.panels.timeline, document);
    let all = || {
        tracks
            .iter()
            .flat_map(|(t, p)| p.iter().map(move |i| (t, &t.keys[*i])))
    };
    let Some(first) = all().map(|(_, k)| k.time).min_by(f32::total_cmp) else {
        return false;
    };
    let copied = all().map(|(track, key)| Copied {
        path: track.path.clone(),
        after: f64::from(key.time) - f64::from(first),
        key: key.clone(),
    });
    editor.panels.timeline.copied = copied.collect();
    true
}

/// Puts the copied keys in again, the first one at the present frame, into tracks that are there.
pub(super) fn paste(editor: &mut Editor, document: &Document) {
    let (time, dt) = (&document.time, frame_dt(document));
    let now = time.seconds(editor.present_frame());
    let copied = editor.panels.timeline.copied.clone();
    let mut edits = Vec::new();
    let mut picked = Vec::new();
    let mut count = 0;
    for track in &document.animation.tracks {
        let mut changed = track.clone();
        for c in copied.iter().filter(|c| c.path == track.path) {
            let frame = time.frame_at(now + c.after);
            let at = time.seconds(frame);
            changed.set_key(at, c.key.value.clone(), dt);
            if let Some(i) = changed.key_at(at, dt) {
                changed.keys[i].interpolation = c.key.interpolation;
                picked.push((track.path.clone(), changed.keys[i].time.to_bits()));
            }
            count += 1;
        }
        if changed != *track {
            edits.push(Edit::Track(Box::new(changed)));
        }
    }
    if edits.is_empty() {
        return;
    }
    editor.panels.timeline.picked = picked.into_iter().collect();
    editor.ask(Request::Edit(
        format!("Paste {}", format::count(count, "key")),
        edits,
    ));
}

/// How all picked keys go on; none where they differ.
pub(super) fn interpolation(timeline: &Timeline, document: &Document) -> Option<Interpolation> {
    let tracks = picked(timeline, document);
    let mut all = tracks
        .iter()
        .flat_map(|(t, p)| p.iter().map(|i| t.keys[*i].interpolation));
    let first = all.next()?;
    all.all(|i| i == first).then_some(first)
}

/// Lets the picked keys go on in another way. What can only jump does.
pub(super) fn interpolate(
    editor: &mut Editor,
    document: &Document,
    lanes: &[Lane],
    interpolation: Interpolation,
) {
    let jumps = |path: &str| {
        let lane = lanes.iter().find(|l| l.track.path == path);
        lane.is_none_or(|l| l.present.components() == 0)
    };
    let tracks = picked(&editor.panels.timeline, document);
    let edits: Vec<Edit> = tracks
        .into_iter()
        .filter(|(track, _)| !jumps(&track.path))
        .map(|(mut track, picked)| {
            for i in picked {
                track.keys[i].interpolation = interpolation;
            }
            Edit::Track(Box::new(track))
        })
        .collect();
    if !edits.is_empty() {
        editor.ask(Request::Edit("Interpolation".to_owned(), edits));
    }
}
