//! Stable Fluids as the article's program runs it.
//!
//! That program works on 500 × 500 units, 512² cells, in steps of 0.002 s; here a unit is 1/500 m. Its viscosity of
//! 0.02 units²/s is 8·10⁻⁸ m²/s. Its cursor goes round a circle of a quarter of the box in 90 frames, pushing by 2000
//! units/s a frame at its centre, a little less than half of its own speed of 4363 units/s, and adding dye.

use super::solves::FILTER;
use super::{BenchError, Running, Size};
use crate::device::Device;
use crate::poisson::{SolverParams, jacobi, spectral};
use crate::scene::{Condition, Masks, Scene, Stroke, StrokePoint};
use crate::solvers::stable_fluids::{Backtrace, ExplicitViscosity, Parameters, Scheme, Viscosity};
use crate::solvers::{AnyMethod, MethodParams};

const SWEEPS: u32 = 100;
const DT: f32 = 0.002;
const WIDTH: f32 = 1.0;
/// Frames in which the cursor goes round once.
const ROUND: u32 = 90;
/// Frames of the stroke; a longer run begins it again.
const STROKE: u32 = 10 * ROUND;

pub(super) struct Stable {
    side: u32,
    pressure: Pressure,
    method: Box<dyn AnyMethod>,
    params: MethodParams,
    scene: Scene,
    masks: Masks,
}

/// What is solved with.
#[derive(Clone, Copy)]
pub(super) enum Pressure {
    /// 100 sweeps.
    Jacobi,
    /// One spectral solve.
    Spectral,
    /// The filter of 32 sweeps from zero with all its taps, rank 4.
    Filter,
}

pub(super) fn jacobi(dev: &mut Device, side: u32) -> Result<Box<dyn Running>, BenchError> {
    Ok(Box::new(Stable::new(dev, side, Pressure::Jacobi)?))
}

pub(super) fn spectral(dev: &mut Device, side: u32) -> Result<Box<dyn Running>, BenchError> {
    Ok(Box::new(Stable::new(dev, side, Pressure::Spectral)?))
}

pub(super) fn filter(dev: &mut Device, side: u32) -> Result<Box<dyn Running>, BenchError> {
    Ok(Box::new(Stable::new(dev, side, Pressure::Filter)?))
}

impl Pressure {
    fn params(self) -> SolverParams {
        match self {
            Self::Jacobi => SolverParams::Jacobi(jacobi::Parameters {
                iterations: SWEEPS,
                ..jacobi::Parameters::default()
            }),
            Self::Spectral => SolverParams::Spectral(spectral::Parameters::default()),
            Self::Filter => SolverParams::PoissonFilter(FILTER),
        }
    }

    /// Bytes a cell, and the kernels that move them on either device.
    fn moved(self) -> (f64, &'static [&'static str]) {
        match self {
            Self::Jacobi => (12.0 * f64::from(SWEEPS), &["JacobiSweeps", "JacobiSweep"]),
            Self::Spectral => (24.0, &["SpectralPass"]),
            // b is read and x written; a GPU also writes and reads the vectors between its passes.
            Self::Filter => (8.0, &["PoissonFilter", "FilterRows", "FilterColumns"]),
        }
    }
}

impl Stable {
    pub fn new(dev: &mut Device, side: u32, pressure: Pressure) -> Result<Self, BenchError> {
        let params = MethodParams::StableFluids(Parameters {
            velocity_advection: Scheme::SemiLagrangian,
            dye_advection: Scheme::SemiLagrangian,
            backtrace: Backtrace::Rk1,
            viscosity: Viscosity::Explicit(ExplicitViscosity { kinematic: 8e-8 }),
            pressure: pressure.params(),
            ..Parameters::default()
        });
        let scene = scene(side);
        let masks = Masks::default();
        let method = params.create(dev, &scene.at(0.0, DT, 0, DT, &masks))?;
        Ok(Self {
            side,
            pressure,
            method,
            params,
            scene,
            masks,
        })
    }

    /// Largest speed after the last frame, m/s.
    #[cfg(test)]
    pub fn max_speed(&mut self, dev: &mut Device) -> Result<f64, BenchError> {
        let report = self.method.report(dev)?.wait(dev)?;
        Ok(report.get("max_speed").unwrap_or(f64::NAN))
    }
}

fn scene(side: u32) -> Scene {
    let mut scene = Scene::default();
    let domain = &mut scene.domain;
    (domain.width, domain.cells_x, domain.cells_y, domain.cells_z) = (WIDTH, side, side, 1);
    for face in [
        &mut domain.left,
        &mut domain.right,
        &mut domain.bottom,
        &mut domain.top,
    ] {
        face.condition = Condition::FreeSlip;
    }
    scene.environment.gravity = [0.0; 3];
    let angle = |frame: u32| frame as f32 * std::f32::consts::TAU / ROUND as f32;
    scene.strokes.push(Stroke {
        radius: 18.0 / side as f32 * WIDTH,
        drag: 0.46,
        dye: [450.0, 275.0, 150.0],
        points: (0..=STROKE)
            .map(|frame| StrokePoint {
                frame,
                position: [
                    (0.5 + 0.25 * angle(frame).cos()) * WIDTH,
                    (0.5 + 0.25 * angle(frame).sin()) * WIDTH,
                    0.0,
                ],
            })
            .collect(),
        ..Stroke::default()
    });
    scene
}

impl Running for Stable {
    fn frame(&mut self, dev: &mut Device, frame: u32) -> Result<(), BenchError> {
        let frame = frame % STROKE;
        let time = f64::from(frame) * f64::from(DT);
        let scene = self.scene.at(time, DT, frame, DT, &self.masks);
        self.method.step(dev, &scene, &self.params, DT);
        Ok(())
    }
    fn report(&mut self, dev: &mut Device) -> Result<(), BenchError> {
        self.method.report(dev)?.wait(dev)?;
        Ok(())
    }
    fn size(&self) -> Size {
        let cells = f64::from(self.side * self.side);
        let (bytes, counted) = self.pressure.moved();
        Size {
            triad: self.side * self.side,
            updates: cells,
            bytes: bytes * cells,
            counted,
        }
    }
}
