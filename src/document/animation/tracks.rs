//! From tracks to values: the scene and the parameters of a document at a time.

use super::{KeyValue, Sample, Track};
use crate::document::Document;
use crate::params::{Group, Params, Slot, Spec, Value, Visitor};
use crate::scene::{Drift, Scene};
use crate::solvers::MethodParams;

/// Shows the leaves with some paths, and walks only those groups that lead to one.
struct Reach<'a> {
    wanted: &'a [&'a str],
    path: String,
    lengths: Vec<usize>,
    each: &'a mut dyn FnMut(usize, &Spec, Slot<'_>),
}

impl Visitor for Reach<'_> {
    fn leaf(&mut self, spec: &Spec, slot: Slot<'_>) {
        let begin = self.path.len();
        self.path.push_str(spec.name);
        let found = self.wanted.iter().position(|w| *w == self.path);
        self.path.truncate(begin);
        if let Some(i) = found {
            (self.each)(i, spec, slot);
        }
    }
    fn open(&mut self, group: &Group) -> bool {
        self.lengths.push(self.path.len());
        self.path.push_str(&group.name);
        self.path.push('.');
        self.wanted.iter().any(|w| w.starts_with(&self.path))
    }
    fn close(&mut self) {
        self.path.truncate(self.lengths.pop().unwrap_or(0));
    }
}

/// Calls `each` with the leaves that are wanted, and their position among those.
fn reach(
    scene: &mut Scene,
    method: &mut MethodParams,
    wanted: &[&str],
    each: &mut dyn FnMut(usize, &Spec, Slot<'_>),
) {
    for (root, part) in [
        ("scene", scene as &mut dyn Params),
        ("method", method as &mut dyn Params),
    ] {
        let mut visitor = Reach {
            wanted,
            path: String::new(),
            lengths: Vec::new(),
            each: &mut *each,
        };
        if visitor.open(&Group::new(root, "")) {
            part.visit(&mut visitor);
        }
    }
}

/// What is known about the parameters of the scene or the method at some paths, and what the document says they are; none
/// for those that are not there.
pub fn found(document: &Document, paths: &[&str]) -> Vec<Option<Present>> {
    let mut all = vec![None; paths.len()];
    // Those of strokes can be a great many, and none is animated.
    let Document {
        mut scene,
        mut method,
        ..
    } = document.without_strokes();
    reach(&mut scene, &mut method, paths, &mut |i, spec, slot| {
        all[i] = Some(Present {
            spec: spec.clone(),
            base: slot.value(),
            seed: document.scene.seed,
        });
    });
    all
}

/// What a track needs to know of the document.
#[derive(Clone, Debug, PartialEq)]
pub struct Present {
    /// What is known about the parameter.
    pub spec: Spec,
    /// What it is where nothing is animated.
    pub base: Value,
    /// Seed of the scene.
    pub seed: u32,
}

impl Present {
    /// Number of components; none for what has only jumps.
    pub fn components(&self) -> usize {
        KeyValue::of(&self.base).map_or(0, |v| v.numbers().len())
    }

    /// A component at a time, by keys and modulator, inside the limits of the parameter.
    pub fn component(&self, track: &Track, axis: usize, time: f64) -> Sample {
        let value = track
            .keyed(axis, time)
            .unwrap_or_else(|| self.base_component(axis));
        if track.modulator.is_off() {
            return self.limited(value);
        }
        let triple = (self.components() > 1).then_some(axis);
        // A colour changes as a whole; every component of anything else wanders by itself.
        let own = if self.spec.color { 0 } else { axis as u32 };
        let seed = self.seed.wrapping_add(own.wrapping_mul(0x9E37_79B9));
        self.limited(track.modulator.apply(value, triple, time, seed))
    }

    fn base_component(&self, axis: usize) -> Sample {
        let base = KeyValue::of(&self.base);
        let number = base.and_then(|v| v.numbers().get(axis).copied());
        Sample {
            value: f64::from(number.unwrap_or(0.0)),
            rate: 0.0,
        }
    }

    fn limited(&self, sample: Sample) -> Sample {
        let [low, high] = self.spec.hard.map(f64::from);
        if (low..=high).contains(&sample.value) {
            return sample;
        }
        Sample {
            value: sample.value.clamp(low, high),
            rate: 0.0,
        }
    }

    /// What the keys say at a time; what the document says where there are none.
    pub fn keyed(&self, track: &Track, time: f64) -> Value {
        let still = Track {
            modulator: Default::default(),
            ..track.clone()
        };
        self.at(&still, time)
    }

    /// The value at a time.
    pub fn at(&self, track: &Track, time: f64) -> Value {
        let one = |axis| self.component(track, axis, time).value as f32;
        match &self.base {
            Value::Float(_) => Value::Float(one(0)),
            Value::Int(_) => Value::Int(self.component(track, 0, time).value.round() as u32),
            Value::Vec2(_) => Value::Vec2([0, 1].map(one)),
            Value::Vec3(_) => Value::Vec3([0, 1, 2].map(one)),
            other => track
                .step_at(time)
                .and_then(|v| v.as_kind(self.spec.kind).ok())
                .unwrap_or_else(|| other.clone()),
        }
    }
}

/// The value of a parameter at a time, with its modulator; none where there is no such parameter.
pub fn sample(document: &Document, track: &Track, time: f64) -> Option<Value> {
    let present = found(document, &[&track.path]).pop().flatten()?;
    Some(present.at(track, time))
}

/// The scene and the parameters of a document, at whatever time was set last.
pub struct Tracks {
    tracks: Vec<(Track, Present)>,
    scene: Scene,
    method: MethodParams,
    drifts: Vec<Drift>,
}

impl Tracks {
    /// Those of a document, at time 0; none where nothing is animated.
    pub fn new(document: &Document) -> Option<Self> {
        let enabled = document.animation.tracks.iter().filter(|t| t.enabled);
        let wanted: Vec<&Track> = enabled.collect();
        if wanted.is_empty() {
            return None;
        }
        let paths: Vec<&str> = wanted.iter().map(|t| t.path.as_str()).collect();
        let present = found(document, &paths);
        let tracks = wanted.into_iter().zip(present);
        let tracks: Vec<_> = tracks
            .filter_map(|(track, present)| Some((track.clone(), present?)))
            .collect();
        let moves = tracks.iter().any(|(t, _)| drift_of(&t.path).is_some());
        let obstacles = if moves {
            document.scene.obstacles.len()
        } else {
            0
        };
        let mut this = Self {
            tracks,
            scene: document.scene.clone(),
            method: document.method.clone(),
            drifts: vec![Drift::default(); obstacles],
        };
        this.set(0.0);
        Some(this)
    }

    /// Goes to a time, s.
    pub fn set(&mut self, time: f64) {
        let tracks = &self.tracks;
        let paths: Vec<&str> = tracks.iter().map(|(t, _)| t.path.as_str()).collect();
        let mut each = |i: usize, _: &Spec, slot: Slot<'_>| {
            let (track, present) = &tracks[i];
            assign(slot, present.at(track, time));
        };
        reach(&mut self.scene, &mut self.method, &paths, &mut each);
        // What moves takes the fluid along.
        for (track, present) in tracks {
            let Some((i, turns)) = drift_of(&track.path) else {
                continue;
            };
            let rate = [0, 1, 2].map(|a| present.component(track, a, time).rate as f32);
            if let Some(drift) = self.drifts.get_mut(i) {
                *(if turns {
                    &mut drift.turn
                } else {
                    &mut drift.velocity
                }) = rate;
            }
        }
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The parameters of the method.
    pub fn method(&self) -> &MethodParams {
        &self.method
    }

    /// How the obstacles move because their places are animated; empty where none is.
    pub fn drifts(&self) -> &[Drift] {
        &self.drifts
    }
}

/// The obstacle whose place (or rotation, then `true`) is at a path.
fn drift_of(path: &str) -> Option<(usize, bool)> {
    let rest = path.strip_prefix("scene.obstacles.")?;
    let (index, name) = rest.split_once('.')?;
    match name {
        "position" => Some((index.parse().ok()?, false)),
        "rotation" => Some((index.parse().ok()?, true)),
        _ => None,
    }
}

fn assign(slot: Slot<'_>, value: Value) {
    match (slot, value) {
        (Slot::Float(s), Value::Float(v)) => *s = v,
        (Slot::Int(s), Value::Int(v)) => *s = v,
        (Slot::Bool(s), Value::Bool(v)) => *s = v,
        (Slot::Vec2(s), Value::Vec2(v)) => *s = v,
        (Slot::Vec3(s), Value::Vec3(v)) => *s = v,
        (Slot::Choice { index, options }, Value::Choice(v)) => {
            *index = options.iter().position(|o| o.name == v).unwrap_or(*index);
        }
        _ => {}
    }
}
