//! Shallow Water as the article's program runs it.
//!
//! 512² cells of 0.1 m with water 3 m deep, but for a block of about 100² cells that stands out of it; gravity 10 m/s²; ten
//! sub-steps of 1 ms a frame. Its cursor goes round a circle of a quarter of the box in 90 frames and sets the water within
//! three cells to a depth of 12 m. That program has calm strips of ten cells, moves drops of which there are none, and blurs
//! what it then throws away; here nothing is blurred, and no drop flies either.

use super::{BenchError, Running, Size};
use crate::device::Device;
use crate::scene::{
    Blend, BoxShape, Condition, Disc, Emitter, Masks, PathPoint, Scene, Shape, Terrain,
};
use crate::solvers::shallow_water::{Momentum, Parameters};
use crate::solvers::{AnyMethod, MethodParams};

const N: u32 = 512;
const SUBSTEPS: u32 = 10;
const DT: f32 = 0.01;
const WIDTH: f32 = 51.2;
/// Frames in which the cursor goes round once.
const ROUND: u32 = 90;
/// Depth of the columns of water, m.
const COLUMN: f32 = 12.0;
/// Corners of the cursor's way.
const CORNERS: u32 = 32;

struct Water {
    method: Box<dyn AnyMethod>,
    params: MethodParams,
    scene: Scene,
    masks: Masks,
}

pub(super) fn conservative(dev: &mut Device, _: u32) -> Result<Box<dyn Running>, BenchError> {
    Ok(Box::new(Water::new(dev, Momentum::Conservative)?))
}

pub(super) fn linear(dev: &mut Device, _: u32) -> Result<Box<dyn Running>, BenchError> {
    Ok(Box::new(Water::new(dev, Momentum::Linear)?))
}

impl Water {
    fn new(dev: &mut Device, momentum: Momentum) -> Result<Self, BenchError> {
        let mut params = Parameters {
            rest_level: 3.0,
            momentum,
            friction: 0.0,
            max_speed: 50.0,
            max_depth: COLUMN,
            // Ten sub-steps a frame: C Δx / √(g H) is a little more than a millisecond.
            courant: 0.1096,
            calm_width: 10.0,
            foam: 0.0,
            ..Parameters::default()
        };
        params.spray.amount = 0.0;
        let params = MethodParams::ShallowWater(params);
        let (scene, masks) = (scene(), Masks::default());
        let method = params.create(dev, &scene.at(0.0, DT, 0, DT, &masks))?;
        Ok(Self {
            method,
            params,
            scene,
            masks,
        })
    }
}

fn scene() -> Scene {
    let mut scene = Scene::default();
    let domain = &mut scene.domain;
    (domain.width, domain.cells_x, domain.cells_y, domain.cells_z) = (WIDTH, N, N, 1);
    for face in [
        &mut domain.left,
        &mut domain.right,
        &mut domain.bottom,
        &mut domain.top,
    ] {
        face.condition = Condition::Absorbing;
    }
    scene.environment.gravity = [0.0, -10.0, 0.0];
    scene.terrain.push(Terrain {
        shape: Shape::Box(BoxShape {
            half_size: [4.9, 4.9, 1.0],
            rounding: 0.0,
        }),
        position: [25.05, 25.05, 0.0],
        softness: 0.0,
        height: COLUMN,
        ..Terrain::default()
    });
    let angle = |k: u32| k as f32 * std::f32::consts::TAU / CORNERS as f32;
    let mut cursor = Emitter {
        shape: Shape::Disc(Disc { radius: 0.3 }),
        position: [0.5 * WIDTH, 0.5 * WIDTH, 0.0],
        softness: 0.0,
        dye_blend: Blend::Off,
        liquid_blend: Blend::Replace,
        liquid: COLUMN,
        ..Emitter::default()
    };
    cursor.path.duration = ROUND as f32 * DT;
    cursor.path.points = (0..CORNERS)
        .map(|k| PathPoint {
            offset: [
                0.25 * WIDTH * angle(k).cos(),
                0.25 * WIDTH * angle(k).sin(),
                0.0,
            ],
        })
        .collect();
    scene.emitters.push(cursor);
    scene
}

impl Running for Water {
    fn frame(&mut self, dev: &mut Device, frame: u32) -> Result<(), BenchError> {
        let time = f64::from(frame) * f64::from(DT);
        let scene = self.scene.at(time, DT, frame, DT, &self.masks);
        self.method.step(dev, &scene, &self.params, DT);
        Ok(())
    }
    fn report(&mut self, dev: &mut Device) -> Result<(), BenchError> {
        let report = self.method.report(dev)?.wait(dev)?;
        match report.substeps {
            SUBSTEPS => Ok(()),
            // What is told by the cell would be wrong.
            n => Err(BenchError::Steps(n, SUBSTEPS)),
        }
    }
    fn size(&self) -> Size {
        let updates = f64::from(N * N) * f64::from(SUBSTEPS);
        Size {
            triad: N * N,
            updates,
            // Depth, u and v read, depth and both fluxes written; then six arrays read and two written.
            bytes: 56.0 * updates,
            counted: &["Depth", "Velocity"],
        }
    }
}
