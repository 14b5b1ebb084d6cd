//! Where handles are on the screen, and what lies under the pointer.

use egui::{Pos2, vec2};

use super::{Grab, Sight, Stage};
use crate::edit::figure::{Figure, Form, Grip, facts};
use crate::edit::{Item, List};

/// How near to a handle the pointer must be, points of the screen.
const NEAR: f32 = 8.0;
/// How near to a line.
const BESIDE: f32 = 6.0;
/// Handles of the size stand at least so far from the centre, points of the screen.
const APART: f32 = 16.0;
/// The knob that turns stands so far outside, points of the screen.
pub(super) const KNOB: f32 = 26.0;
/// Where the knob of a motor that blows one way stands, as a share of its reach.
const ARROW: f32 = 0.62;
/// Straight pieces between two points of a path.
const PIECES: usize = 16;

/// The handles of what is chosen: all of them for one item, the centres for several. What is locked has none.
pub(super) fn spots(stage: &Stage, sight: &Sight, chosen: &[Item]) -> Vec<(Grab, Pos2)> {
    let mut spots = Vec::new();
    for item in stage.free(chosen) {
        let Some(figure) = stage.figure(item) else {
            continue;
        };
        let centre = sight.screen(figure.centre);
        if chosen.len() == 1 {
            for (i, at) in path_points(stage, item).into_iter().enumerate() {
                spots.push((Grab::Point(item, i), sight.screen(at)));
            }
            if figure.form.turns() {
                spots.push((Grab::Item(item, Grip::Turn), knob(figure, sight)));
            }
            for (sx, sy) in sizes(figure, sight) {
                let at = spread(centre, sight.screen(figure.place((sx, sy))));
                spots.push((Grab::Item(item, Grip::Size(sx, sy)), at));
            }
        }
        spots.push((Grab::Item(item, Grip::Body), centre));
    }
    spots
}

/// The sides and corners for which there is room.
fn sizes(figure: &Figure, sight: &Sight) -> Vec<(i8, i8)> {
    let [a, b] = figure.form.half().map(|v| v * sight.camera.zoom);
    let roomy = |(sx, sy): &(i8, i8)| {
        let corner = *sx != 0 && *sy != 0;
        let boxed = matches!(figure.form, Form::Box(_));
        corner || !boxed || if *sx == 0 { a > APART } else { b > APART }
    };
    figure.form.sizes().filter(roomy).collect()
}

/// Keeps a handle away from the centre.
fn spread(centre: Pos2, at: Pos2) -> Pos2 {
    let way = at - centre;
    let length = way.length();
    if length >= APART {
        at
    } else if length > 1e-3 {
        centre + way * (APART / length)
    } else {
        centre + vec2(APART, 0.0)
    }
}

/// Where an item is taken to turn it.
pub(super) fn knob(figure: &Figure, sight: &Sight) -> Pos2 {
    if let Form::Reach(radius, _) = figure.form {
        let tip = sight.screen(figure.world([ARROW * radius, 0.0]));
        return spread(sight.screen(figure.centre), tip);
    }
    let half = figure.form.half()[1].max(APART / sight.camera.zoom);
    sight.screen(figure.world([0.0, half + KNOB / sight.camera.zoom]))
}

/// The points of the path of an item, m.
pub(super) fn path_points(stage: &Stage, item: Item) -> Vec<[f32; 2]> {
    let Some(facts) = facts(&stage.scene, item) else {
        return Vec::new();
    };
    let (Some(position), Some(path)) = (facts.position, facts.path) else {
        return Vec::new();
    };
    let at = |offset: &[f32; 3]| [position[0] + offset[0], position[1] + offset[1]];
    path.points.iter().map(|p| at(&p.offset)).collect()
}

/// The path of an item as straight pieces, m: for each stretch between two points, where it goes.
pub(super) fn way(stage: &Stage, item: Item) -> Vec<Vec<[f32; 2]>> {
    let Some(facts) = facts(&stage.scene, item) else {
        return Vec::new();
    };
    let (Some(position), Some(path)) = (facts.position, facts.path) else {
        return Vec::new();
    };
    let n = path.points.len();
    if n < 2 {
        return Vec::new();
    }
    let stretches = if path.closed { n } else { n - 1 };
    let duration = f64::from(path.duration).max(1e-3);
    let point = |i: usize, k: usize| {
        // A little before the end, which is the beginning of the way back.
        let share = (i as f64 + k as f64 / PIECES as f64) / stretches as f64;
        let (offset, _) = path.at(duration * share.min(1.0 - 1e-9));
        [position[0] + offset[0], position[1] + offset[1]]
    };
    (0..stretches)
        .map(|i| (0..=PIECES).map(|k| point(i, k)).collect())
        .collect()
}

/// What lies under a place of the screen. Whole items only where one selects.
pub(super) fn hit(
    stage: &Stage,
    sight: &Sight,
    spots: &[(Grab, Pos2)],
    chosen: &[Item],
    at: Pos2,
    selecting: bool,
) -> Option<Grab> {
    let near = spots
        .iter()
        .map(|(grab, place)| (*grab, place.distance(at)))
        .filter(|(_, d)| *d <= NEAR)
        .min_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((grab, _)) = near {
        return Some(grab);
    }
    if let [item] = stage.free(chosen)[..]
        && chosen.len() == 1
    {
        let beside = |stretch: &Vec<[f32; 2]>| {
            stretch.windows(2).any(|pair| {
                let [a, b] = [sight.screen(pair[0]), sight.screen(pair[1])];
                distance(at, a, b) <= BESIDE
            })
        };
        if let Some(after) = way(stage, item).iter().position(beside) {
            return Some(Grab::Way(item, after));
        }
    }
    if !selecting {
        return None;
    }
    let body = body(stage, sight, chosen, at)?;
    Some(Grab::Item(body, Grip::Body))
}

/// The item at a place of the screen: what is chosen first, then the smallest. A motor or a piece of
/// terrain, which cover much, is taken by its middle or its edge.
fn body(stage: &Stage, sight: &Sight, chosen: &[Item], at: Pos2) -> Option<Item> {
    let world = sight.world(at);
    let seen = stage.figures.iter().filter(|(item, figure)| {
        let free = stage.enabled(*item) || chosen.contains(item);
        let distance = figure.distance(world) * sight.camera.zoom;
        let centre = sight.screen(figure.centre).distance(at);
        let inside = match item.0 {
            List::Motors | List::Terrain => distance.abs() <= BESIDE || centre <= 2.0 * NEAR,
            _ => distance <= 0.5 * BESIDE || centre <= NEAR,
        };
        free && inside && !stage.locked(*item)
    });
    let size = |figure: &Figure| figure.form.half().into_iter().fold(0.0, f32::max);
    let first = |(item, figure): &&(Item, Figure)| (!chosen.contains(item), size(figure));
    seen.min_by(|a, b| {
        let (a, b) = (first(a), first(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    })
    .map(|(item, _)| *item)
}

/// Distance of a point from a segment.
fn distance(p: Pos2, a: Pos2, b: Pos2) -> f32 {
    let (way, from) = (b - a, p - a);
    let share = (from.dot(way) / way.length_sq().max(1e-12)).clamp(0.0, 1.0);
    (from - way * share).length()
}
