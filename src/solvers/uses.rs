//! Which parts of what a method may honour a scene has.

use super::Feature;
use crate::scene::{Blend, Condition, Domain, Obstacle, Scene};

/// The parts that a scene uses, in the order of [`Feature::ALL`]. What is switched off uses nothing, and gravity is used
/// where there is something for it to act on: heat, the weight of dye, or water over a ground.
pub fn used_by(scene: &Scene) -> Vec<Feature> {
    let all = Feature::ALL.iter().copied();
    all.filter(|f| uses(scene, *f)).collect()
}

fn uses(scene: &Scene, feature: Feature) -> bool {
    let mut emitters = scene.emitters.iter().filter(|e| e.enabled);
    let mut strokes = scene.strokes.iter().filter(|s| s.enabled);
    let mut obstacles = scene.obstacles.iter().filter(|o| o.enabled);
    let faces = |condition| has_face(&scene.domain, condition);
    match feature {
        Feature::Dye => {
            let painted = |c: [f32; 3]| c != [0.0; 3];
            emitters.any(|e| e.dye_blend != Blend::Off)
                || strokes.any(|s| s.erase || painted(s.dye))
        }
        Feature::Temperature => emitters.any(|e| e.temperature_blend != Blend::Off),
        Feature::Velocity => {
            emitters.any(|e| e.velocity_blend != Blend::Off) || strokes.any(|s| s.drag != 0.0)
        }
        Feature::Obstacles => obstacles.next().is_some(),
        Feature::MovingObstacles => obstacles.any(moves),
        Feature::Motors => scene.motors.iter().any(|m| m.enabled && m.strength != 0.0),
        Feature::OpenFaces => faces(Condition::Open),
        Feature::InflowFaces => faces(Condition::Inflow),
        Feature::PeriodicFaces => faces(Condition::Periodic),
        Feature::AbsorbingFaces => faces(Condition::Absorbing),
        Feature::Terrain => scene.terrain.iter().any(|t| t.enabled),
        Feature::Liquid => emitters.any(|e| e.liquid_blend != Blend::Off),
        Feature::Boats => obstacles.any(|o| o.draught > 0.0),
        Feature::Gravity => {
            let world = &scene.environment;
            let hot = world.buoyancy != 0.0 && uses(scene, Feature::Temperature);
            let heavy = world.dye_weight != 0.0 && uses(scene, Feature::Dye);
            let free = uses(scene, Feature::Terrain) || uses(scene, Feature::Liquid);
            world.gravity != [0.0; 3] && (hot || heavy || free)
        }
    }
}

fn moves(obstacle: &Obstacle) -> bool {
    obstacle.path.points.len() > 1 || obstacle.path.spin != 0.0
}

/// Whether a face that counts has that condition: those of an axis with one cell do not.
fn has_face(domain: &Domain, condition: Condition) -> bool {
    let cells = domain.grid().cells;
    (0..3)
        .filter(|axis| cells[*axis] > 1)
        .any(|axis| domain.faces(axis).iter().any(|f| f.condition == condition))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Emitter, Motor, PathPoint, Terrain};

    #[test]
    fn a_scene_uses_what_is_in_it() {
        let mut scene = Scene::default();
        assert_eq!(used_by(&scene), []);
        scene.emitters.push(Emitter::default());
        assert_eq!(used_by(&scene), [Feature::Dye]);
        scene.emitters[0].temperature_blend = Blend::Clamp;
        let hot = [Feature::Dye, Feature::Temperature, Feature::Gravity];
        assert_eq!(used_by(&scene), hot);
        scene.environment.gravity = [0.0; 3];
        assert_eq!(used_by(&scene), [Feature::Dye, Feature::Temperature]);
        scene.emitters[0].enabled = false;
        scene.obstacles.push(Obstacle::default());
        scene.motors.push(Motor::default());
        scene.domain.left.condition = Condition::Open;
        scene.domain.back.condition = Condition::Periodic;
        let still = [Feature::Obstacles, Feature::Motors, Feature::OpenFaces];
        assert_eq!(used_by(&scene), still);
        let points = &mut scene.obstacles[0].path.points;
        *points = vec![PathPoint::default(), PathPoint::default()];
        assert!(used_by(&scene).contains(&Feature::MovingObstacles));
        scene.environment.gravity = [0.0, -9.81, 0.0];
        assert!(!used_by(&scene).contains(&Feature::Gravity));
        scene.terrain.push(Terrain::default());
        assert!(used_by(&scene).contains(&Feature::Gravity));
    }

    #[test]
    fn every_part_is_listed_once() {
        let mut all = Feature::ALL.to_vec();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), Feature::ALL.len());
        assert_eq!(all.last().map(|f| *f as usize + 1), Some(all.len()));
    }
}
