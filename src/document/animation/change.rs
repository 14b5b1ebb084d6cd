//! Tracks follow what they belong to, and what a change of them makes worthless.

use super::{Animation, Track, animatable, found};
use crate::document::Document;

impl Animation {
    /// Items of a list of the scene get other numbers: tracks go with their items. An item that gets none is gone.
    pub fn renumber(&mut self, list: &str, number: impl Fn(usize) -> Option<usize>) {
        self.tracks.retain_mut(|track| {
            let Some((i, rest)) = item_of(&track.path, list) else {
                return true;
            };
            match number(i) {
                Some(new) => {
                    track.path = format!("{list}.{new}.{rest}");
                    true
                }
                None => false,
            }
        });
    }

    /// Tracks of the item `from` for its copy, the item `to`.
    pub fn copy_item(&mut self, list: &str, from: usize, to: usize) {
        let copies: Vec<Track> = self
            .tracks
            .iter()
            .filter_map(|track| match item_of(&track.path, list)? {
                (i, rest) if i == from => Some(Track {
                    path: format!("{list}.{to}.{rest}"),
                    ..track.clone()
                }),
                _ => None,
            })
            .collect();
        self.tracks.extend(copies);
    }
}

/// The number of the item of a list that a path leads into, and the rest of the path.
fn item_of<'a>(path: &'a str, list: &str) -> Option<(usize, &'a str)> {
    let rest = path.strip_prefix(list)?.strip_prefix('.')?;
    let (index, rest) = rest.split_once('.')?;
    Some((index.parse().ok()?, rest))
}

impl Document {
    /// Takes tracks away whose parameter is not there any more: another shape or solver has other ones. Returns whether
    /// there were any.
    pub fn drop_lost_tracks(&mut self) -> bool {
        if self.animation.is_empty() {
            return false;
        }
        let paths: Vec<&str> = self.animation.tracks.iter().map(|t| &*t.path).collect();
        let there: Vec<bool> = found(self, &paths)
            .into_iter()
            .zip(&self.animation.tracks)
            .map(|(present, track)| {
                present.is_some_and(|p| {
                    animatable(&track.path, &p.spec).is_ok()
                        && track
                            .keys
                            .iter()
                            .all(|k| k.value.as_kind(p.spec.kind).is_ok())
                })
            })
            .collect();
        let before = there.len();
        let mut there = there.into_iter();
        self.animation
            .tracks
            .retain(|_| there.next().unwrap_or(true));
        self.animation.tracks.len() != before
    }
}

/// The time until which two animations agree for certain, s; none where they always do.
pub fn first_difference(before: &Animation, after: &Animation) -> Option<f64> {
    let both = |a: &Animation, b: &Animation| {
        a.tracks
            .iter()
            .filter_map(|track| one_difference(Some(track), b.track(&track.path).map(|(_, t)| t)))
            .min_by(f64::total_cmp)
    };
    let (a, b) = (both(before, after), both(after, before));
    [a, b].into_iter().flatten().min_by(f64::total_cmp)
}

fn one_difference(a: Option<&Track>, b: Option<&Track>) -> Option<f64> {
    let (Some(a), Some(b)) = (a, b) else {
        return Some(f64::NEG_INFINITY);
    };
    if a == b {
        return None;
    }
    let settings = |t: &Track| (t.enabled, t.repeat, t.modulator.clone());
    if settings(a) != settings(b) || a.repeat {
        return Some(f64::NEG_INFINITY);
    }
    let same = a.keys.iter().zip(&b.keys).take_while(|(a, b)| a == b);
    // The slope at a key depends on the one after it, and the way to a key on that slope.
    match same.count() {
        0 => Some(f64::NEG_INFINITY),
        n => Some(f64::from(a.keys[n.saturating_sub(2)].time)),
    }
}
