//! Kernels of the staggered grid that make linear systems, of the pressure and of viscosity, and use their solutions.

use eddy::device::{Buf, Device, Kernel};
use eddy::grid::{
    DiffuseExplicit, DiffusionResult, DiffusionSystem, Divergence, Factor, PressureResidual,
    PressureStencil, ScaleGuess, SubtractGradient, ViscosityStencil,
};

use super::cases::Case;
use super::{Compared, noise};

/// The kernels that are compared here.
pub const COMPARED: &[Compared<Case>] = &[
    (PressureStencil::INFO, pressure_stencil),
    (Divergence::INFO, divergence),
    (ScaleGuess::INFO, scale_guess),
    (SubtractGradient::INFO, subtract_gradient),
    (PressureResidual::INFO, pressure_residual),
    (ViscosityStencil::INFO, viscosity_stencil),
    (DiffuseExplicit::INFO, diffuse_explicit),
    (DiffusionSystem::INFO, diffusion_system),
    (DiffusionResult::INFO, diffusion_result),
];

/// Codes as numbers, which hold them exactly.
fn read_codes(dev: &mut Device, codes: &Buf<u32>) -> Vec<f32> {
    dev.read(codes).unwrap().iter().map(|c| *c as f32).collect()
}

fn pressure_stencil(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let codes = case.pressure_codes(dev);
    vec![read_codes(dev, &codes)]
}

fn divergence(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let at = case.mac.pressure();
    let stencil = &case.pressure_codes(dev);
    let (u, v) = (&case.component(dev, 0, 1), &case.component(dev, 1, 2));
    let factor = Factor { value: -1.3 };
    let mut out = dev.buf("out", case.cells()).unwrap();
    dev.run(
        at.items(),
        Divergence {
            at,
            factor,
            stencil,
            u,
            v,
            out: &mut out,
        },
    );
    vec![dev.read(&out).unwrap()]
}

/// After no step, a shorter one and a longer one.
fn scale_guess(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let at = case.mac.pressure();
    let run = |last: f32| {
        let step = &dev.buf_from("step", &[last]).unwrap();
        let mut pressure = case.numbers(dev, 1, 1);
        let dt = Factor { value: 0.03 };
        dev.run(
            at.items(),
            ScaleGuess {
                at,
                dt,
                step,
                pressure: &mut pressure,
            },
        );
        dev.read(&pressure).unwrap()
    };
    [0.0, 0.01, 0.05].map(run).into()
}

fn subtract_gradient(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let stencil = &case.pressure_codes(dev);
    let pressure = &case.numbers(dev, 1, 1);
    let run = |axis| {
        let at = case.mac.velocity(axis);
        let mut u = case.component(dev, axis, 2);
        let factor = Factor { value: 0.7 };
        dev.run(
            at.items(),
            SubtractGradient {
                at,
                factor,
                stencil,
                pressure,
                u: &mut u,
            },
        );
        dev.read(&u).unwrap()
    };
    [0, 1].map(run).into()
}

fn pressure_residual(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let at = case.mac.pressure();
    let stencil = &case.pressure_codes(dev);
    let (rhs, pressure) = (&case.numbers(dev, 1, 1), &case.numbers(dev, 1, 2));
    let factor = Factor { value: -0.4 };
    let mut out = dev.buf("out", case.cells()).unwrap();
    dev.run(
        at.items(),
        PressureResidual {
            at,
            factor,
            stencil,
            rhs,
            pressure,
            out: &mut out,
        },
    );
    vec![dev.read(&out).unwrap()]
}

fn viscosity_stencil(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let run = |axis| {
        let (_, _, codes) = case.viscosity_codes(dev, axis);
        read_codes(dev, &codes)
    };
    [0, 1].map(run).into()
}

fn diffuse_explicit(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let run = |axis| {
        let (at, _, stencil) = case.viscosity_codes(dev, axis);
        let (stencil, u) = (&stencil, &case.component(dev, axis, 2));
        let factor = Factor { value: 0.2 };
        let mut out = dev.buf("out", at.len()).unwrap();
        dev.run(
            at.items(),
            DiffuseExplicit {
                at,
                factor,
                stencil,
                u,
                out: &mut out,
            },
        );
        dev.read(&out).unwrap()
    };
    [0, 1].map(run).into()
}

fn diffusion_system(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let mut found = Vec::new();
    for axis in [0, 1] {
        let (at, n, stencil) = case.viscosity_codes(dev, axis);
        let (stencil, u) = (&stencil, &case.component(dev, axis, 2));
        let factor = Factor { value: 2.5 };
        let (mut x, mut rhs) = (dev.buf("x", n).unwrap(), dev.buf("rhs", n).unwrap());
        let kernel = DiffusionSystem {
            at,
            factor,
            stencil,
            u,
            x: &mut x,
            rhs: &mut rhs,
        };
        dev.run(at.distinct(), kernel);
        found.extend([dev.read(&x).unwrap(), dev.read(&rhs).unwrap()]);
    }
    found
}

fn diffusion_result(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let run = |axis| {
        let (at, n, stencil) = case.viscosity_codes(dev, axis);
        let (stencil, x) = (&stencil, &dev.buf_from("x", &noise(1, n)).unwrap());
        let mut u = case.component(dev, axis, 2);
        dev.run(
            at.items(),
            DiffusionResult {
                at,
                stencil,
                x,
                u: &mut u,
            },
        );
        dev.read(&u).unwrap()
    };
    [0, 1].map(run).into()
}
