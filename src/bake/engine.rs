//! What each engine expects: the sign of green, the axes of the picture in its world, its unit of length.

use serde::{Deserialize, Serialize};

use crate::document::Engine;
use crate::scene::Plane;

/// How the picture lies in the engine's world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisMap {
    /// World axis to the right of the picture.
    pub right: String,
    /// World axis to the top of the picture.
    pub up: String,
    /// Whether a positive green of a vector points `up` or `down` in the picture.
    pub green: String,
    /// Direction in which the texture coordinate V grows in the picture.
    pub v: String,
    /// Engine units in a metre: a speed in m/s times this is in engine units a second.
    pub units_per_metre: f32,
}

/// Factor for the y component of vectors: −1 where green points down.
pub fn green_sign(engine: Engine) -> f32 {
    match engine {
        Engine::Unreal => -1.0,
        Engine::None | Engine::Unity | Engine::Godot => 1.0,
    }
}

/// The map of a 2D scene. A scene seen from above has its y axis along the ground, away from the viewer: −z in a
/// right-handed world with y up, which is −Y in Unreal and +Z in Unity.
pub fn axis_map(engine: Engine, plane: Plane) -> AxisMap {
    let up = match (engine, plane) {
        (Engine::None, _) => "+Y",
        (Engine::Unreal, Plane::SideView) => "+Z",
        (Engine::Unreal, Plane::TopDown) => "-Y",
        (Engine::Unity | Engine::Godot, Plane::SideView) => "+Y",
        (Engine::Unity, Plane::TopDown) => "+Z",
        (Engine::Godot, Plane::TopDown) => "-Z",
    };
    let v_up = matches!(engine, Engine::None | Engine::Unity);
    let direction = |up: bool| if up { "up" } else { "down" }.to_owned();
    AxisMap {
        right: "+X".to_owned(),
        up: up.to_owned(),
        green: direction(green_sign(engine) > 0.0),
        v: direction(v_up),
        units_per_metre: if engine == Engine::Unreal { 100.0 } else { 1.0 },
    }
}

/// The name in sentences.
pub fn title(engine: Engine) -> &'static str {
    match engine {
        Engine::None => "plain data",
        Engine::Unreal => "Unreal Engine",
        Engine::Unity => "Unity",
        Engine::Godot => "Godot",
    }
}
