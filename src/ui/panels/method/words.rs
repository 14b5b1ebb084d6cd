//! What a method costs and leaves out, in words.

use crate::document::Document;
use crate::document::animation::Tracks;
use crate::params::label_from_name;
use crate::poisson::SolverInfo;
use crate::solvers::{Cost, Feature, MethodInfo, used_by};
use crate::ui::format;

/// Up to this share of the budget a frame is cheap.
const CHEAP: f64 = 0.25;

/// Times at which keys are looked at, at most.
const LOOKS: usize = 32;

/// The parts of the scene that a document uses at the time of any key; obstacles with keys move.
pub fn used(document: &Document) -> Vec<Feature> {
    let mut used = used_by(&document.scene);
    // It copies the document: only where there are keys.
    let keyed = !document.animation.tracks.is_empty();
    let still = keyed.then(|| document.without_strokes());
    if let Some(mut at) = still.as_ref().and_then(Tracks::new) {
        let keys = document.animation.tracks.iter().flat_map(|t| &t.keys);
        for key in keys.take(LOOKS) {
            at.set(f64::from(key.time));
            for feature in used_by(at.scene()) {
                if !used.contains(&feature) {
                    used.push(feature);
                }
            }
        }
    }
    let tracks = &document.animation.tracks;
    let moved = |path: &str| {
        path.starts_with("scene.obstacles.")
            && (path.ends_with(".position") || path.ends_with(".rotation"))
    };
    if used.contains(&Feature::Obstacles)
        && !used.contains(&Feature::MovingObstacles)
        && tracks.iter().any(|t| moved(&t.path))
    {
        used.push(Feature::MovingObstacles);
    }
    used
}

/// A part of the scene, as people call it.
pub fn called(feature: Feature) -> String {
    label_from_name(feature.name()).to_lowercase()
}

fn list(features: &[Feature]) -> String {
    let mut names: Vec<String> = features.iter().map(|f| called(*f)).collect();
    let last = names.pop().unwrap_or_default();
    match names.is_empty() {
        true => last,
        false => format!("{} and {last}", names.join(", ")),
    }
}

/// What the scene uses and the method leaves out.
pub fn missing(info: &MethodInfo, used: &[Feature]) -> Option<String> {
    let left: Vec<Feature> = used
        .iter()
        .copied()
        .filter(|f| !info.honours.contains(f))
        .collect();
    (!left.is_empty()).then(|| {
        format!(
            "This scene has {}: {} leaves that out.",
            list(&left),
            info.title
        )
    })
}

/// What a method leaves out that the scene does not use.
pub fn not_missed(info: &MethodInfo, used: &[Feature]) -> Option<String> {
    let left: Vec<Feature> = Feature::ALL
        .iter()
        .copied()
        .filter(|f| !info.honours.contains(f) && !used.contains(f))
        .collect();
    (!left.is_empty()).then(|| format!("Also leaves out {}.", list(&left)))
}

/// What a pressure solver is not made for in this scene.
pub fn beyond(info: &SolverInfo, document: &Document) -> Option<&'static str> {
    let obstacles = document.scene.obstacles.iter().any(|o| o.enabled);
    (obstacles && !info.obstacles).then_some(
        "This scene has obstacles, for which this solver is not made: it leaves errors round them.",
    )
}

/// What the present run takes.
pub fn measured(ms: f64, budget: f32, document: &Document, device: &str) -> String {
    let share = ms / f64::from(budget);
    let class = match share {
        s if s <= CHEAP => Cost::Cheap,
        s if s <= 1.0 => Cost::Moderate,
        _ => Cost::Costly,
    };
    let grid = document.scene.domain.grid();
    let cells: Vec<String> = grid
        .cells
        .iter()
        .enumerate()
        .filter(|(axis, n)| *axis < 2 || **n > 1)
        .map(|(_, n)| n.to_string())
        .collect();
    let on = match device {
        "" => String::new(),
        device => format!(" on {device}"),
    };
    format!(
        "{} in this run: {ms:.1} ms a frame at {} cells{on}, {:.0} % of the budget",
        class.name(),
        cells.join(" × "),
        share * 100.0
    )
}

/// What is known without running it.
pub fn declared(cost: Cost) -> String {
    format!("{}: {}; not measured in this run", cost.name(), cost.doc())
}

/// What the pressure of a frame takes in the present run.
pub fn solve(ms: f64) -> String {
    format!(
        "{} ms of a frame in this run",
        format::number((ms * 100.0).round() * 0.01)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::animation::Track;
    use crate::scene::Obstacle;
    use crate::solvers::METHODS;

    #[test]
    fn what_a_scene_uses_and_a_method_leaves_out_is_said() {
        const SOME: &[Feature] = &[Feature::Dye];
        let info = MethodInfo {
            honours: SOME,
            ..*METHODS[0]
        };
        assert_eq!(missing(&info, SOME), None);
        let used = [Feature::Dye, Feature::Obstacles, Feature::Motors];
        let text = missing(&info, &used).expect("two are left out");
        assert!(
            text.starts_with("This scene has obstacles and motors: "),
            "{text}"
        );
        let rest = not_missed(&info, &used).expect("others too");
        assert!(
            rest.contains("gravity") && !rest.contains("motors"),
            "{rest}"
        );
    }

    #[test]
    fn only_a_solver_for_boxes_is_warned_of_and_only_among_obstacles() {
        use crate::poisson::SOLVERS;
        let mut document = Document::default();
        let warned = |document: &Document| {
            let all = SOLVERS.iter().filter(|s| beyond(s, document).is_some());
            all.map(|s| s.obstacles).collect::<Vec<_>>()
        };
        assert!(warned(&document).is_empty());
        document.scene.obstacles.push(Obstacle::default());
        let found = warned(&document);
        assert!(!found.is_empty() && !found.contains(&true));
        document.scene.obstacles[0].enabled = false;
        assert!(warned(&document).is_empty());
    }

    #[test]
    fn obstacles_with_keys_move() {
        let mut document = Document::default();
        document.scene.obstacles.push(Obstacle::default());
        assert_eq!(used(&document), [Feature::Obstacles]);
        document.animation.tracks.push(Track {
            path: "scene.obstacles.0.position".to_owned(),
            ..Track::default()
        });
        let both = [Feature::Obstacles, Feature::MovingObstacles];
        assert_eq!(used(&document), both);
    }

    #[test]
    fn the_class_of_a_run_follows_from_its_budget() {
        let document = Document::default();
        let class = |ms| {
            let text = measured(ms, 16.0, &document, "a test");
            text.split(' ').next().map(str::to_owned)
        };
        let classes = [2.0, 12.0, 17.0].map(class).map(Option::unwrap);
        assert_eq!(classes, ["cheap", "moderate", "costly"]);
        let text = measured(8.0, 16.0, &document, "a test");
        let cells = document.scene.domain.cells_x;
        assert!(
            text.contains(&format!("8.0 ms a frame at {cells} × ")),
            "{text}"
        );
        assert!(text.ends_with("on a test, 50 % of the budget"), "{text}");
    }
}
