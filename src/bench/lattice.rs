//! Lattice Boltzmann as the article's program runs it: 512² cells between walls, τ = 0.8, one relaxation time, 24 lattice steps
//! a frame, dye carried once a frame along the velocity, and the vorticity.
//!
//! A frame lasts 24 s and a cell is 1 m, so that the lattice's units are these. The cursor goes round a circle of a quarter of
//! the box in 90 frames, which is 0.37 cells a lattice step; the fluid takes a share of that.

use super::{BenchError, Running, Size};
use crate::device::Device;
use crate::scene::{Condition, Masks, Scene, Stroke, StrokePoint};
use crate::solvers::lattice_boltzmann::{
    Backtrace, Collision, FixedSteps, OneRate, Parameters, Scheme, Steps,
};
use crate::solvers::{AnyMethod, MethodParams};

const N: u32 = 512;
const STEPS: u32 = 24;
/// Frames in which the cursor goes round once.
const ROUND: u32 = 90;
/// Frames of the stroke; a longer run begins it again.
const STROKE: u32 = 10 * ROUND;

struct Lattice {
    method: Box<dyn AnyMethod>,
    params: MethodParams,
    scene: Scene,
    masks: Masks,
}

pub(super) fn d2q9(dev: &mut Device, _: u32) -> Result<Box<dyn Running>, BenchError> {
    let params = MethodParams::LatticeBoltzmann(Parameters {
        viscosity: 0.1,
        eddy_viscosity: 0.0,
        collision: Collision::OneRate(OneRate {}),
        steps: Steps::Fixed(FixedSteps { count: STEPS }),
        dye_advection: Scheme::SemiLagrangian,
        backtrace: Backtrace::Rk1,
        ..Parameters::default()
    });
    let (scene, masks) = (scene(), Masks::default());
    let dt = STEPS as f32;
    let method = params.create(dev, &scene.at(0.0, dt, 0, dt, &masks))?;
    Ok(Box::new(Lattice {
        method,
        params,
        scene,
        masks,
    }))
}

fn scene() -> Scene {
    let mut scene = Scene::default();
    let domain = &mut scene.domain;
    (domain.width, domain.cells_x, domain.cells_y, domain.cells_z) = (N as f32, N, N, 1);
    for face in [
        &mut domain.left,
        &mut domain.right,
        &mut domain.bottom,
        &mut domain.top,
    ] {
        face.condition = Condition::NoSlip;
    }
    scene.environment.gravity = [0.0; 3];
    let point = |frame: u32| {
        let angle = frame as f32 * std::f32::consts::TAU / ROUND as f32;
        let at = |x: f32| N as f32 * (0.5 + 0.25 * x);
        StrokePoint {
            frame,
            position: [at(angle.cos()), at(angle.sin()), 0.0],
        }
    };
    scene.strokes.push(Stroke {
        radius: 24.0,
        drag: 0.27,
        dye: [0.02, 0.012, 0.007],
        points: (0..=STROKE).map(point).collect(),
        ..Stroke::default()
    });
    scene
}

impl Running for Lattice {
    fn frame(&mut self, dev: &mut Device, frame: u32) -> Result<(), BenchError> {
        let frame = frame % STROKE;
        let dt = STEPS as f32;
        let time = f64::from(frame) * f64::from(dt);
        let at = self.scene.at(time, dt, frame, dt, &self.masks);
        self.method.step(dev, &at, &self.params, dt);
        self.method.field(dev, "vorticity");
        Ok(())
    }

    fn report(&mut self, dev: &mut Device) -> Result<(), BenchError> {
        self.method.report(dev)?.wait(dev)?;
        Ok(())
    }

    fn size(&self) -> Size {
        let cells = f64::from(N * N);
        Size {
            triad: 3 * N * N,
            updates: cells * f64::from(STEPS),
            bytes: 73.0 * cells * f64::from(STEPS),
            counted: &["LatticeStep"],
        }
    }
}
