//! The scene at a time, and the rasteriser.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests are outside test functions"
)]

mod forces;
mod heights;
mod shapes;
mod sources;
mod whole;

use std::path::Path as FilePath;

use eddy::device::{Device, DeviceChoice};
use eddy::scene::*;

const DT: f32 = 1.0 / 60.0;

fn cpu() -> Device {
    Device::new(DeviceChoice::Cpu).unwrap()
}

/// A scene of 1 m × 1 m without gravity.
fn scene(cells: [u32; 3]) -> Scene {
    let mut scene = Scene::default();
    [
        scene.domain.cells_x,
        scene.domain.cells_y,
        scene.domain.cells_z,
    ] = cells;
    scene
}

fn at(scene: &Scene, time: f64, frame: u32) -> SceneFrame {
    let masks = Masks::load(scene, FilePath::new(".")).unwrap();
    scene.at(time, DT, frame, DT, &masks)
}

fn obstacle(shape: Shape, position: [f32; 3]) -> Obstacle {
    Obstacle {
        shape,
        position,
        ..Obstacle::default()
    }
}

fn disc(radius: f32) -> Shape {
    Shape::Disc(Disc { radius })
}

fn close(a: f32, b: f32, bound: f32, what: &str) {
    assert!((a - b).abs() <= bound, "{what}: {a} is not {b}");
}

fn rotated(p: [f32; 2], degrees: f32) -> [f32; 2] {
    let (s, c) = degrees.to_radians().sin_cos();
    [c * p[0] - s * p[1], s * p[0] + c * p[1]]
}

/// A point in a shape's own frame, and its distance worked out by hand.
type Probe = ([f32; 2], f32);

fn probes() -> Vec<(Shape, Vec<Probe>)> {
    let diagonal = 0.05_f32.hypot(0.1);
    vec![
        (
            disc(0.2),
            vec![
                ([0.0, 0.0], -0.2),
                ([0.5, 0.0], 0.3),
                ([0.12, 0.16], 0.0),
                ([0.0, -0.1], -0.1),
            ],
        ),
        (
            Shape::Box(BoxShape {
                half_size: [0.3, 0.1, 0.1],
                rounding: 0.0,
            }),
            vec![
                ([0.0, 0.0], -0.1),
                ([0.4, 0.0], 0.1),
                ([0.35, 0.2], diagonal),
                ([-0.28, 0.0], -0.02),
            ],
        ),
        (
            Shape::Box(BoxShape {
                half_size: [0.3, 0.1, 0.1],
                rounding: 0.05,
            }),
            vec![
                ([0.0, 0.1], 0.0),
                ([0.3, 0.1], 0.05 * (2.0_f32.sqrt() - 1.0)),
                ([0.4, 0.0], 0.1),
            ],
        ),
        (
            Shape::Line(Line {
                length: 0.4,
                thickness: 0.1,
            }),
            vec![
                ([0.0, 0.0], -0.05),
                ([0.3, 0.0], 0.1),
                ([0.25, 0.15], diagonal),
            ],
        ),
        (
            Shape::Capsule(Capsule {
                length: 0.4,
                radius: 0.1,
            }),
            vec![
                ([0.1, 0.0], -0.1),
                ([0.4, 0.0], 0.1),
                ([0.25, 0.05], 0.005_f32.sqrt() - 0.1),
                ([-0.2, 0.3], 0.2),
            ],
        ),
        (
            Shape::Mask(MaskImage {
                image: "####/####".into(),
                size: 0.4,
            }),
            vec![
                ([0.0, 0.0], -0.1),
                ([0.3, 0.0], 0.1),
                ([0.0, -0.3], 0.2),
                ([0.0, 0.08], -0.02),
            ],
        ),
    ]
}

fn stroke() -> Stroke {
    let mut stroke = Stroke {
        radius: 0.08,
        dye: [2.0, 1.0, 0.5],
        ..Stroke::default()
    };
    for (frame, x) in [(3, 0.3), (4, 0.4), (7, 0.7)] {
        stroke.push(frame, [x, 0.5, 0.0]);
    }
    stroke
}
