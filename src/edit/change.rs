//! A change of the document that can be named, sent and applied.

use std::cmp::Ordering;

use crate::document::animation::{KeyValue, Track, animatable, found};
use crate::document::{Document, Output};
use crate::params::{self, Problem, Value};
use crate::scene::{Emitter, Motor, Obstacle, Stroke, Terrain};
use crate::solvers::MethodParams;

/// A list in the document to which items can be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum List {
    /// Sources.
    Emitters,
    /// Solid things.
    Obstacles,
    /// Hills, shores and beds under water.
    Terrain,
    /// Fans.
    Motors,
    /// Brush strokes.
    Strokes,
    /// Textures to bake.
    Outputs,
}

impl List {
    /// Every list.
    pub const ALL: [Self; 6] = [
        Self::Emitters,
        Self::Obstacles,
        Self::Terrain,
        Self::Motors,
        Self::Strokes,
        Self::Outputs,
    ];

    /// Path in the document.
    pub fn path(self) -> &'static str {
        match self {
            Self::Emitters => "scene.emitters",
            Self::Obstacles => "scene.obstacles",
            Self::Terrain => "scene.terrain",
            Self::Motors => "scene.motors",
            Self::Strokes => "scene.strokes",
            Self::Outputs => "bake.outputs",
        }
    }

    /// What one item is called.
    pub fn item(self) -> &'static str {
        match self {
            Self::Emitters => "emitter",
            Self::Obstacles => "obstacle",
            Self::Terrain => "terrain",
            Self::Motors => "motor",
            Self::Strokes => "stroke",
            Self::Outputs => "output",
        }
    }

    /// Number of items in a document.
    pub fn len(self, document: &Document) -> usize {
        match self {
            Self::Emitters => document.scene.emitters.len(),
            Self::Obstacles => document.scene.obstacles.len(),
            Self::Terrain => document.scene.terrain.len(),
            Self::Motors => document.scene.motors.len(),
            Self::Strokes => document.scene.strokes.len(),
            Self::Outputs => document.bake.outputs.len(),
        }
    }

    /// Calls `change` with the list, whatever it holds.
    fn with(self, document: &mut Document, change: Shuffle) -> bool {
        let scene = &mut document.scene;
        match self {
            Self::Emitters => change.run(&mut scene.emitters),
            Self::Obstacles => change.run(&mut scene.obstacles),
            Self::Terrain => change.run(&mut scene.terrain),
            Self::Motors => change.run(&mut scene.motors),
            Self::Strokes => change.run(&mut scene.strokes),
            Self::Outputs => change.run(&mut document.bake.outputs),
        }
    }
}

/// What can be done to any list.
#[derive(Clone, Copy)]
enum Shuffle {
    Remove(usize),
    Duplicate(usize),
    Move(usize, usize),
}

impl Shuffle {
    fn run<T: Clone>(self, list: &mut Vec<T>) -> bool {
        let len = list.len();
        match self {
            Self::Remove(i) if i < len => {
                list.remove(i);
            }
            Self::Duplicate(i) if i < len => list.insert(i + 1, list[i].clone()),
            Self::Move(from, to) if from < len && to < len => {
                let item = list.remove(from);
                list.insert(to, item);
            }
            _ => return false,
        }
        true
    }
}

impl Shuffle {
    /// Tracks go with their items.
    fn tracks(self, list: List, document: &mut Document) {
        let (path, tracks) = (list.path(), &mut document.animation);
        match self {
            Self::Remove(gone) => tracks.renumber(path, |i| match i.cmp(&gone) {
                Ordering::Less => Some(i),
                Ordering::Equal => None,
                Ordering::Greater => Some(i - 1),
            }),
            Self::Duplicate(of) => {
                tracks.renumber(path, |i| Some(if i > of { i + 1 } else { i }));
                tracks.copy_item(path, of, of + 1);
            }
            Self::Move(from, to) => tracks.renumber(path, |i| {
                Some(if i == from {
                    to
                } else if from < i && i <= to {
                    i - 1
                } else if to <= i && i < from {
                    i + 1
                } else {
                    i
                })
            }),
        }
    }
}

/// A change of the document.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// A parameter gets a value.
    Set(String, Value),
    /// A parameter gets a value that is read from text, as with `--set`.
    SetText(String, String),
    /// A parameter gets its default back.
    ResetParameter(String),
    /// The method becomes another one, with its default parameters.
    Method(String),
    /// An emitter is added.
    AddEmitter(Box<Emitter>),
    /// An obstacle is added.
    AddObstacle(Box<Obstacle>),
    /// A piece of terrain is added.
    AddTerrain(Box<Terrain>),
    /// A motor is added.
    AddMotor(Box<Motor>),
    /// A stroke is added.
    AddStroke(Box<Stroke>),
    /// A texture to bake is added.
    AddOutput(Box<Output>),
    /// An item is taken away.
    Remove(List, usize),
    /// An item is doubled; the copy comes after it.
    Duplicate(List, usize),
    /// An item moves to another place in its list.
    Move(List, usize, usize),
    /// All strokes are taken away.
    ClearStrokes,
    /// A parameter has that value at that time, s: the key there gets it, or there is a new one.
    SetKey(String, f64, KeyValue),
    /// A track takes the place of the one of its parameter, or is new.
    Track(Box<Track>),
    /// A parameter is not animated any more.
    RemoveTrack(String),
    /// Everything becomes another document.
    Replace(Box<Document>),
}

impl Edit {
    /// Adds a default item to a list.
    pub fn add(list: List) -> Self {
        match list {
            List::Emitters => Self::AddEmitter(Box::default()),
            List::Obstacles => Self::AddObstacle(Box::default()),
            List::Terrain => Self::AddTerrain(Box::default()),
            List::Motors => Self::AddMotor(Box::default()),
            List::Strokes => Self::AddStroke(Box::default()),
            List::Outputs => Self::AddOutput(Box::default()),
        }
    }

    /// What the history says about it.
    pub fn label(&self) -> String {
        match self {
            Self::Set(path, value) => format!("Set {} to {value}", last(path)),
            Self::SetText(path, text) => format!("Set {} to {text}", last(path)),
            Self::ResetParameter(path) => format!("Reset {}", last(path)),
            Self::Method(id) => format!("Use {id}"),
            Self::AddEmitter(_) => "Add emitter".into(),
            Self::AddObstacle(_) => "Add obstacle".into(),
            Self::AddTerrain(_) => "Add terrain".into(),
            Self::AddMotor(_) => "Add motor".into(),
            Self::AddStroke(_) => "Brush stroke".into(),
            Self::AddOutput(_) => "Add output".into(),
            Self::Remove(list, _) => format!("Remove {}", list.item()),
            Self::Duplicate(list, _) => format!("Duplicate {}", list.item()),
            Self::Move(list, ..) => format!("Move {}", list.item()),
            Self::ClearStrokes => "Clear strokes".into(),
            Self::SetKey(path, ..) => format!("Key {}", last(path)),
            Self::Track(track) => format!("Animate {}", last(&track.path)),
            Self::RemoveTrack(path) => format!("Stop animating {}", last(path)),
            Self::Replace(_) => "Replace all".into(),
        }
    }

    /// Changes the document. Tracks of what is not there any more go.
    ///
    /// # Errors
    /// A path, position, method or value that there is not; the document is then as before.
    pub fn apply(self, document: &mut Document) -> Result<(), Problem> {
        let first = document.time.first_frame;
        self.change(document)?;
        document.drop_lost_tracks();
        // A range has a frame at least, or the document could not be opened again: the other end gives way.
        let time = &mut document.time;
        if time.end_frame <= time.first_frame {
            if time.first_frame == first {
                time.first_frame = time.end_frame.saturating_sub(1);
            } else {
                time.end_frame = time.first_frame.saturating_add(1);
            }
        }
        Ok(())
    }

    fn change(self, document: &mut Document) -> Result<(), Problem> {
        let problem = |path: &str, message: String| {
            Err(Problem {
                path: path.to_owned(),
                message,
            })
        };
        let shuffled = match self {
            Self::Set(path, value) => {
                return if params::set_value(document, &path, &value) {
                    Ok(())
                } else {
                    problem(&path, format!("{value} does not fit here"))
                };
            }
            Self::SetText(path, text) => return params::set(document, &path, &text),
            Self::ResetParameter(path) => {
                let found = params::entries(document)
                    .into_iter()
                    .find(|e| e.path == path);
                return match found {
                    Some(e) if params::set_value(document, &path, &e.spec.default) => Ok(()),
                    _ => problem(&path, "no such parameter".to_owned()),
                };
            }
            Self::Method(id) => {
                return match MethodParams::from_id(&id) {
                    Some(method) => {
                        document.method = method;
                        Ok(())
                    }
                    None => problem("method", format!("there is no method \"{id}\"")),
                };
            }
            Self::AddEmitter(item) => {
                document.scene.emitters.push(*item);
                return Ok(());
            }
            Self::AddObstacle(item) => {
                document.scene.obstacles.push(*item);
                return Ok(());
            }
            Self::AddTerrain(item) => {
                document.scene.terrain.push(*item);
                return Ok(());
            }
            Self::AddMotor(item) => {
                document.scene.motors.push(*item);
                return Ok(());
            }
            Self::AddStroke(item) => {
                document.scene.strokes.push(*item);
                return Ok(());
            }
            Self::AddOutput(item) => {
                document.bake.outputs.push(*item);
                return Ok(());
            }
            Self::ClearStrokes => {
                document.scene.strokes.clear();
                return Ok(());
            }
            Self::Replace(other) => {
                *document = *other;
                return Ok(());
            }
            Self::SetKey(path, time, value) => {
                let mut track = animated(document, path)?;
                track.set_key(time, value, document.time.frame_dt());
                put(document, track);
                return Ok(());
            }
            Self::Track(track) => {
                animated(document, track.path.clone())?;
                put(document, *track);
                return Ok(());
            }
            Self::RemoveTrack(path) => {
                document.animation.tracks.retain(|t| t.path != path);
                return Ok(());
            }
            Self::Remove(list, i) => (list, Shuffle::Remove(i)),
            Self::Duplicate(list, i) => (list, Shuffle::Duplicate(i)),
            Self::Move(list, from, to) => (list, Shuffle::Move(from, to)),
        };
        let (list, shuffle) = shuffled;
        if list.with(document, shuffle) {
            shuffle.tracks(list, document);
            Ok(())
        } else {
            problem(list.path(), "no such item".to_owned())
        }
    }
}

/// The track of a parameter, or a new one.
fn animated(document: &Document, path: String) -> Result<Track, Problem> {
    let present = found(document, &[&path]).pop().flatten();
    let why = match present {
        Some(present) => animatable(&path, &present.spec).err(),
        None => Some("there is no such parameter"),
    };
    if let Some(why) = why {
        let message = format!("it cannot be animated: {why}");
        return Err(Problem { path, message });
    }
    let there = document.animation.track(&path).map(|(_, t)| t.clone());
    Ok(there.unwrap_or_else(|| Track {
        path,
        ..Track::default()
    }))
}

/// Puts a track in the place of the one of its parameter, or behind all others. One that says nothing goes.
fn put(document: &mut Document, track: Track) {
    let tracks = &mut document.animation.tracks;
    match tracks.iter().position(|t| t.path == track.path) {
        Some(i) if track.is_idle() => {
            tracks.remove(i);
        }
        Some(i) => tracks[i] = track,
        None if track.is_idle() => {}
        None => tracks.push(track),
    }
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_change_what_they_name_and_refuse_the_rest() {
        let mut d = Document::default();
        let apply = |d: &mut Document, e: Edit| e.apply(d);
        assert!(apply(&mut d, Edit::Set("time.cfl".into(), Value::Float(2.0))).is_ok());
        assert_eq!(d.time.cfl, 2.0);
        assert!(apply(&mut d, Edit::ResetParameter("time.cfl".into())).is_ok());
        assert_eq!(d.time.cfl, 4.0);
        assert!(apply(&mut d, Edit::Set("time.cfl".into(), Value::Int(2))).is_err());
        assert!(apply(&mut d, Edit::SetText("time.cfl".into(), "-1".into())).is_err());
        assert!(apply(&mut d, Edit::Method("none".into())).is_err());
        for list in List::ALL {
            assert!(apply(&mut d, Edit::add(list)).is_ok());
            assert!(apply(&mut d, Edit::Duplicate(list, 0)).is_ok());
            assert!(apply(&mut d, Edit::Move(list, 0, 1)).is_ok());
            assert_eq!(list.len(&d), 2);
            assert!(apply(&mut d, Edit::Remove(list, 1)).is_ok());
            assert!(apply(&mut d, Edit::Remove(list, 1)).is_err());
            assert_eq!(list.len(&d), 1);
        }
    }
}
