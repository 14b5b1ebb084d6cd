//! Several items at once: doubled, deleted, moved in their lists; and names that are not taken yet.

use std::collections::BTreeSet;

use crate::document::Document;
use crate::document::animation::KeyValue;
use crate::params::Value;
use crate::scene::Scene;

use super::figure::{facts, path_of};
use super::{Edit, Item, List};

/// The indices of those items that are in a list, in order.
fn within(items: &[Item], list: List) -> BTreeSet<usize> {
    let own = items.iter().filter(|(l, _)| *l == list);
    own.map(|(_, i)| *i).collect()
}

/// Takes items out; those behind them move up.
pub fn delete(items: &[Item]) -> Vec<Edit> {
    let lists = List::ALL.into_iter();
    lists
        .flat_map(|list| {
            let indices = within(items, list).into_iter().rev();
            indices.map(move |i| Edit::Remove(list, i))
        })
        .collect()
}

/// Doubles items: each copy comes after its original, has a name of its own and stands `aside` of it, m. Gives the
/// changes, and where the copies are then.
pub fn duplicate(document: &Document, items: &[Item], aside: [f32; 2]) -> (Vec<Edit>, Vec<Item>) {
    let scene = &document.scene;
    let (mut edits, mut copies) = (Vec::new(), Vec::new());
    for list in List::ALL {
        let mut names = names(scene, list);
        for (done, i) in within(items, list).into_iter().enumerate() {
            let Some(facts) = facts(scene, (list, i)) else {
                continue;
            };
            edits.push(Edit::Duplicate(list, i + done));
            let copy = (list, i + done + 1);
            let at = path_of(copy);
            let name = free(&names, facts.name);
            names.push(name.clone());
            edits.push(Edit::Set(format!("{at}.name"), Value::Text(name)));
            if facts.locked {
                edits.push(Edit::Set(format!("{at}.locked"), Value::Bool(false)));
            }
            if let Some([x, y, z]) = facts.position {
                let position = Value::Vec3([x + aside[0], y + aside[1], z]);
                edits.push(Edit::Set(format!("{at}.position"), position));
                let own = format!("{}.position", path_of((list, i)));
                if let Some((_, track)) = document.animation.track(&own) {
                    let mut track = track.clone();
                    track.path = format!("{at}.position");
                    for key in &mut track.keys {
                        if let KeyValue::Triple([x, y, _]) = &mut key.value {
                            (*x, *y) = (*x + aside[0], *y + aside[1]);
                        }
                    }
                    edits.push(Edit::Track(Box::new(track)));
                }
            }
            copies.push(copy);
        }
    }
    (edits, copies)
}

/// Moves items one place up (−1) or down (1) in their lists; a block that has come to the end stays. Gives the changes,
/// and where the items are then.
pub fn shift(scene: &Scene, items: &[Item], by: i32) -> (Vec<Edit>, Vec<Item>) {
    let (mut edits, mut moved) = (Vec::new(), items.to_vec());
    for list in List::ALL {
        let len = names(scene, list).len();
        let mut order: Vec<usize> = within(items, list).into_iter().collect();
        if by > 0 {
            order.reverse();
        }
        let mut taken = None;
        for i in order {
            let to = i as i64 + i64::from(by.signum());
            let free = to >= 0 && to < len as i64 && taken != Some(to as usize);
            let place = if free { to as usize } else { i };
            taken = Some(place);
            if place == i {
                continue;
            }
            edits.push(Edit::Move(list, i, place));
            for (at, _) in items.iter().enumerate().filter(|(_, m)| **m == (list, i)) {
                moved[at] = (list, place);
            }
        }
    }
    (edits, moved)
}

/// Names in a list.
fn names(scene: &Scene, list: List) -> Vec<String> {
    let all = (0..).map_while(|i| facts(scene, (list, i)));
    all.map(|f| f.name.to_owned()).collect()
}

/// A name like this one that no item of the list has.
pub fn free_name(scene: &Scene, list: List, name: &str) -> String {
    free(&names(scene, list), name)
}

fn free(taken: &[String], name: &str) -> String {
    if !taken.iter().any(|t| t == name) {
        return name.to_owned();
    }
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = match stem.strip_suffix(' ') {
        Some(stem) if stem.len() + 1 < name.len() => stem,
        _ => name,
    };
    (2..)
        .map(|n| format!("{stem} {n}"))
        .find(|n| !taken.contains(n))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Obstacle;

    fn document() -> Document {
        let mut document = Document::default();
        for name in ["A", "B", "C", "D"] {
            document.scene.obstacles.push(Obstacle {
                name: name.into(),
                ..Obstacle::default()
            });
        }
        document
    }

    fn apply(document: &mut Document, edits: Vec<Edit>) -> Vec<String> {
        for edit in edits {
            edit.apply(document).unwrap();
        }
        names(&document.scene, List::Obstacles)
    }

    const O: List = List::Obstacles;

    #[test]
    fn several_are_deleted_whatever_their_order() {
        let mut d = document();
        let edits = delete(&[(O, 0), (O, 3), (O, 1)]);
        assert_eq!(apply(&mut d, edits), ["C"]);
    }

    #[test]
    fn copies_come_after_their_originals_with_names_of_their_own() {
        let mut d = document();
        d.scene.obstacles[2].locked = true;
        let (edits, copies) = duplicate(&d, &[(O, 2), (O, 0)], [0.1, 0.0]);
        assert_eq!(apply(&mut d, edits), ["A", "A 2", "B", "C", "C 2", "D"]);
        assert_eq!(copies, [(O, 1), (O, 4)]);
        let (a, b) = (&d.scene.obstacles[0], &d.scene.obstacles[1]);
        assert!((b.position[0] - a.position[0] - 0.1).abs() < 1e-6);
        assert!(!d.scene.obstacles[4].locked);
        // One whose place is keyed stands beside its original at each key.
        let place = KeyValue::Triple([0.5, 0.25, 0.0]);
        let keyed = Edit::SetKey("scene.obstacles.5.position".into(), 1.0, place);
        keyed.apply(&mut d).unwrap();
        let (edits, _) = duplicate(&d, &[(O, 5)], [0.125, 0.0]);
        apply(&mut d, edits);
        let (_, track) = d.animation.track("scene.obstacles.6.position").unwrap();
        assert_eq!(track.keys[0].value, KeyValue::Triple([0.625, 0.25, 0.0]));
        let (edits, _) = duplicate(&d, &[(O, 1)], [0.0; 2]);
        assert_eq!(apply(&mut d, edits)[2], "A 3");
    }

    #[test]
    fn a_block_moves_as_one_and_stops_at_the_end() {
        let mut d = document();
        let mut items = vec![(O, 1), (O, 2)];
        for expected in [["B", "C", "A", "D"], ["B", "C", "A", "D"]] {
            let (edits, moved) = shift(&d.scene, &items, -1);
            assert_eq!(apply(&mut d, edits), expected);
            items = moved;
            assert_eq!(items, [(O, 0), (O, 1)]);
        }
        let (edits, moved) = shift(&d.scene, &items, 1);
        assert_eq!(apply(&mut d, edits), ["A", "B", "C", "D"]);
        assert_eq!(moved, [(O, 1), (O, 2)]);
    }
}
