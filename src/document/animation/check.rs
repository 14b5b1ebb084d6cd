//! What is wrong with tracks.

use super::{Interpolation, Track, TrackKey, Tracks, found};
use crate::document::Document;
use crate::params::{self, Effect, Problem, Spec, ValueKind};

/// Times at which a scene whose faces are animated is looked at besides its keys.
const LOOKS: u32 = 64;

/// Whether the parameter at a path can be animated.
///
/// # Errors
/// Why it cannot.
pub fn animatable(path: &str, spec: &Spec) -> Result<(), &'static str> {
    let mut parts = path.split('.');
    let root = parts.next();
    let part = parts.next();
    if !matches!(root, Some("scene" | "method")) {
        return Err("only parameters of the scene and of the method can be animated");
    }
    if spec.name == "kind" {
        return Err("it decides which other parameters there are");
    }
    if spec.effect == Effect::Restart {
        return Err("changing it starts the simulation again");
    }
    if spec.kind == ValueKind::Text {
        return Err("a text cannot be animated");
    }
    if spec.name == "locked" {
        return Err("the simulation does not care about it");
    }
    if root == Some("scene") && part == Some("strokes") {
        return Err("brush strokes are recorded as they are");
    }
    if parts.any(|p| matches!(p, "activity" | "path")) {
        return Err("it says itself how something changes with time");
    }
    Ok(())
}

/// Everything that stands against animating a document as it says.
pub fn problems(document: &Document) -> Vec<Problem> {
    let tracks = &document.animation.tracks;
    let mut problems = Vec::new();
    if tracks.is_empty() {
        return problems;
    }
    let paths: Vec<&str> = tracks.iter().map(|t| t.path.as_str()).collect();
    let present = found(document, &paths);
    for (i, track) in tracks.iter().enumerate() {
        let at = format!("animation.tracks.{i}");
        let about_path = |message: String| Problem {
            path: format!("{at}.path"),
            message,
        };
        if paths[..i].contains(&track.path.as_str()) {
            problems.push(about_path(format!("another track has `{}`", track.path)));
            continue;
        }
        let Some(present) = &present[i] else {
            problems.push(about_path(unknown(document, &track.path)));
            continue;
        };
        if let Err(why) = animatable(&track.path, &present.spec) {
            let message = format!("`{}` cannot be animated: {why}", track.path);
            problems.push(about_path(message));
            continue;
        }
        check_keys(&at, track, &present.spec, &mut problems);
        if present.components() == 0 && !track.modulator.is_off() {
            problems.push(Problem {
                path: format!("{at}.modulator.wave.kind"),
                message: format!("`{}` has no numbers that could swing", track.path),
            });
        }
    }
    if problems.is_empty() {
        check_faces(document, &mut problems);
    }
    problems
}

/// Says that there is no such parameter, and which ones are near.
fn unknown(document: &Document, path: &str) -> String {
    let document = document.without_strokes();
    let entries = params::entries(&document);
    let mut known: Vec<String> = entries
        .into_iter()
        .filter(|e| animatable(&e.path, &e.spec).is_ok())
        .map(|e| e.path)
        .collect();
    known.sort_by_cached_key(|k| params::distance(k, path));
    known.truncate(3);
    format!(
        "there is no parameter `{path}` to animate; nearest: {}",
        known.join(", ")
    )
}

fn check_keys(at: &str, track: &Track, spec: &Spec, problems: &mut Vec<Problem>) {
    let jumps = matches!(spec.kind, ValueKind::Bool | ValueKind::Choice(_));
    let mut before: Option<&TrackKey> = None;
    for (k, key) in track.keys.iter().enumerate() {
        let mut found = |name: &str, message: String| {
            problems.push(Problem {
                path: format!("{at}.keys.{k}.{name}"),
                message,
            });
        };
        if let Some(before) = before
            && key.time <= before.time
        {
            found(
                "time",
                format!(
                    "{} s follows {} s; keys must stand in order of time",
                    key.time, before.time
                ),
            );
        }
        match key.value.as_kind(spec.kind) {
            Err(message) => found("value", message),
            Ok(value) => {
                if let Some(message) = params::complaint(spec, &value) {
                    found("value", message);
                }
            }
        }
        if jumps && key.interpolation != Interpolation::Stepped {
            let message = format!("`{}` can only jump: expected Stepped", track.path);
            found("interpolation", message);
        }
        before = Some(key);
    }
}

/// An incompressible fluid that enters must be able to leave at any time, not only as the document begins.
fn check_faces(document: &Document, problems: &mut Vec<Problem>) {
    let tracks = &document.animation.tracks;
    let faces = |t: &&Track| t.enabled && t.path.starts_with("scene.domain.");
    let Some(first) = tracks.iter().position(|t| faces(&t)) else {
        return;
    };
    let Some(mut at) = Tracks::new(&document.without_strokes()) else {
        return;
    };
    let keys = tracks.iter().filter(faces).flat_map(|t| &t.keys);
    let time = &document.time;
    let end = time.seconds(time.end_frame);
    let looks = (0..=LOOKS).map(|i| end * f64::from(i) / f64::from(LOOKS));
    for time in keys.map(|k| f64::from(k.time)).chain(looks) {
        at.set(time);
        if let Some(problem) = at.scene().check().pop() {
            problems.push(Problem {
                path: format!("animation.tracks.{first}.keys"),
                message: format!("at {time:.3} s: {}", problem.message),
            });
            return;
        }
    }
}
