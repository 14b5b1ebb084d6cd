//! The kernels of the staggered grid on random inputs: every condition of a face, obstacles anywhere.

use eddy::device::{Buf, Device, Kernel, PARTIALS};
use eddy::field::Grid;
use eddy::grid::advect::{CLAMP, COMPENSATE, CORRECT, FREE, LIMIT, PLAIN, REVERT};
use eddy::grid::{
    Accelerate, Acceleration, AddAcceleration, AdvectComponent, AdvectScalars, Advection,
    CellVelocity, Coverage, Curl, DiffuseExplicit, DiffusionResult, DiffusionSystem, Divergence,
    Enforce, Factor, Lattice, Mac, Measure, PressureResidual, PressureStencil, ScaleGuess, Side,
    SubtractGradient, ViscosityStencil,
};

use super::{Compared, noise};

/// The kernels that are compared here.
pub const COMPARED: &[Compared<Case>] = &[
    (AdvectComponent::INFO, advect_component),
    (AdvectScalars::INFO, advect_scalars),
    (CellVelocity::INFO, cell_velocity),
    (Coverage::INFO, coverage),
    (Curl::INFO, curl),
    (Accelerate::INFO, accelerate),
    (AddAcceleration::INFO, add_acceleration),
    (Enforce::INFO, enforce),
    (PressureStencil::INFO, pressure_stencil),
    (Divergence::INFO, divergence),
    (ScaleGuess::INFO, scale_guess),
    (SubtractGradient::INFO, subtract_gradient),
    (PressureResidual::INFO, pressure_residual),
    (ViscosityStencil::INFO, viscosity_stencil),
    (DiffuseExplicit::INFO, diffuse_explicit),
    (DiffusionSystem::INFO, diffusion_system),
    (DiffusionResult::INFO, diffusion_result),
    (Measure::INFO, measure),
];

/// A grid with its faces, and whether there are obstacles.
pub struct Case {
    pub name: String,
    mac: Mac,
    solids: bool,
}

const WALL: Side = Side::NoSlip([0.3, -0.2, 0.0]);
const WIND: Side = Side::Inflow([0.7, 0.4, 0.0]);

/// Every condition on all faces, and mixtures; odd and even sizes, one wider than the run of points that advection takes.
pub fn cases() -> Vec<Case> {
    use Side::{FreeSlip, Open, Periodic};
    let faces = [
        ("no-slip", [WALL; 4]),
        ("free-slip", [FreeSlip; 4]),
        ("open", [Open; 4]),
        ("inflow", [WIND; 4]),
        ("periodic", [Periodic; 4]),
        ("periodic along x", [Periodic, Periodic, WALL, Open]),
        ("periodic along y", [WIND, Open, Periodic, Periodic]),
        ("one of each", [WIND, Open, FreeSlip, WALL]),
    ];
    let mut all = Vec::new();
    for (name, [left, right, bottom, top]) in faces {
        for (cells, solids) in [([70, 18, 1], true), ([70, 18, 1], false), ([7, 5, 1], true)] {
            let grid = Grid { cells, h: 0.1 };
            all.push(Case {
                name: format!("{name}, {cells:?}, obstacles {solids}"),
                mac: Mac::new(grid, [left, right, bottom, top, FreeSlip, FreeSlip]),
                solids,
            });
        }
    }
    all
}

impl Case {
    fn cells(&self) -> usize {
        self.mac.grid.len()
    }

    /// `n` numbers a cell.
    fn numbers(&self, dev: &mut Device, n: usize, seed: u32) -> Buf<f32> {
        let data = noise(seed, n * self.cells());
        dev.buf_from("numbers", &data).unwrap()
    }

    /// A component of the velocity; along a periodic axis the last sample repeats the first.
    fn component(&self, dev: &mut Device, axis: usize, seed: u32) -> Buf<f32> {
        let at = self.mac.velocity(axis);
        let mut data = noise(seed, at.len());
        if at.periodic(axis) {
            let (width, height) = (at.size[0] as usize, at.size[1] as usize);
            match axis {
                0 => data
                    .chunks_exact_mut(width)
                    .for_each(|row| row[width - 1] = row[0]),
                _ => data.copy_within(..width, (height - 1) * width),
            }
        }
        dev.buf_from("component", &data).unwrap()
    }

    /// A third of the cells, at random, or none.
    fn solid(&self, dev: &mut Device) -> Buf<u32> {
        let solid = |x: &f32| u32::from(self.solids && *x > 0.3);
        let data: Vec<u32> = noise(91, self.cells()).iter().map(solid).collect();
        dev.buf_from("solid", &data).unwrap()
    }

    /// A velocity for each cell, and whether the fluid slides along it.
    fn solid_velocity(&self, dev: &mut Device) -> Buf<f32> {
        let mut data = noise(92, 4 * self.cells());
        data.iter_mut()
            .skip(3)
            .step_by(4)
            .for_each(|slides| *slides = f32::from(*slides > 0.0));
        dev.buf_from("solid velocity", &data).unwrap()
    }

    /// The pressure's codes.
    fn pressure_codes(&self, dev: &mut Device) -> Buf<u32> {
        let (at, solid) = (self.mac.pressure(), &self.solid(dev));
        let mut stencil = dev.buf("stencil", self.cells()).unwrap();
        dev.run(
            at.items(),
            PressureStencil {
                at,
                solid,
                stencil: &mut stencil,
            },
        );
        stencil
    }

    /// The codes of a component's viscosity, with its lattice and the number of its unknowns.
    fn viscosity_codes(&self, dev: &mut Device, axis: usize) -> (Lattice, usize, Buf<u32>) {
        let at = self.mac.velocity(axis);
        let n = at.distinct().iter().map(|n| *n as usize).product();
        let (solid, solid_velocity) = (&self.solid(dev), &self.solid_velocity(dev));
        let mut stencil = dev.buf("stencil", n).unwrap();
        let kernel = ViscosityStencil {
            at,
            solid,
            solid_velocity,
            stencil: &mut stencil,
        };
        dev.run(at.distinct(), kernel);
        (at, n, stencil)
    }
}

/// Codes as numbers, which hold them exactly.
fn read_codes(dev: &mut Device, codes: &Buf<u32>) -> Vec<f32> {
    dev.read(codes).unwrap().iter().map(|c| *c as f32).collect()
}

/// Every pass, order of the trace and limiter; three cells a step at most, so that many points leave the domain.
fn passes(solids: bool) -> impl Iterator<Item = Advection> {
    let modes = [PLAIN, CORRECT, COMPENSATE, LIMIT];
    let ways = [(1, CLAMP), (2, REVERT), (3, FREE)];
    modes.into_iter().flat_map(move |mode| {
        ways.into_iter().map(move |(order, limiter)| Advection {
            gain: [0.9, 0.8, 1.1, 0.7],
            c: 3.0,
            order,
            mode,
            limiter,
            solids: u32::from(solids),
            unused0: 0,
            unused1: 0,
            unused2: 0,
        })
    })
}

fn advect_component(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let (u, v) = (case.component(dev, 0, 1), case.component(dev, 1, 2));
    let (u_at, v_at) = (case.mac.velocity(0), case.mac.velocity(1));
    let mut found = Vec::new();
    for (axis, at) in [u_at, v_at].into_iter().enumerate() {
        let (src, other) = (case.component(dev, axis, 3), case.component(dev, axis, 4));
        for step in passes(case.solids) {
            let mut dst = dev.buf("dst", at.len()).unwrap();
            let (u, v, src, other) = (&u, &v, &src, &other);
            let kernel = AdvectComponent {
                step,
                u_at,
                v_at,
                at,
                u,
                v,
                src,
                other,
                dst: &mut dst,
            };
            dev.run(at.items(), kernel);
            found.push(dev.read(&dst).unwrap());
        }
    }
    found
}

fn advect_scalars(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let (u, v) = (case.component(dev, 0, 1), case.component(dev, 1, 2));
    let (u_at, v_at, at) = (
        case.mac.velocity(0),
        case.mac.velocity(1),
        case.mac.scalars(),
    );
    let (src, other) = (case.numbers(dev, 4, 3), case.numbers(dev, 4, 4));
    let solid = case.solid(dev);
    let run = |step| {
        let mut dst = dev.buf("dst", 4 * at.len()).unwrap();
        let (u, v, solid, src, other) = (&u, &v, &solid, &src, &other);
        let kernel = AdvectScalars {
            step,
            u_at,
            v_at,
            at,
            u,
            v,
            solid,
            src,
            other,
            dst: &mut dst,
        };
        dev.run(at.items(), kernel);
        dev.read(&dst).unwrap()
    };
    passes(case.solids).map(run).collect()
}

fn cell_velocity(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let (u, v) = (&case.component(dev, 0, 1), &case.component(dev, 1, 2));
    let at = case.mac.pressure();
    let mut out = dev.buf("out", 2 * case.cells()).unwrap();
    dev.run(
        at.items(),
        CellVelocity {
            at,
            u,
            v,
            out: &mut out,
        },
    );
    vec![dev.read(&out).unwrap()]
}

fn coverage(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let sdf = &case.numbers(dev, 1, 1);
    let per_cell = Factor { value: 1.7 };
    let mut out = dev.buf("out", case.cells()).unwrap();
    dev.run(
        [case.cells() as u32, 1, 1],
        Coverage {
            per_cell,
            sdf,
            out: &mut out,
        },
    );
    vec![dev.read(&out).unwrap()]
}

fn curl(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let (u, v) = (&case.component(dev, 0, 1), &case.component(dev, 1, 2));
    let (u_at, v_at) = (case.mac.velocity(0), case.mac.velocity(1));
    let half = Factor { value: 5.0 };
    let mut out = dev.buf("out", case.cells()).unwrap();
    dev.run(
        case.mac.grid.cells,
        Curl {
            u_at,
            v_at,
            half,
            u,
            v,
            out: &mut out,
        },
    );
    vec![dev.read(&out).unwrap()]
}

/// Weight and buoyancy alone, confinement alone, and both.
fn accelerate(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let at = case.mac.pressure();
    let (scalars, vorticity) = (&case.numbers(dev, 4, 1), &case.numbers(dev, 1, 2));
    let solid = &case.solid(dev);
    let run = |(expansion, dye_weight, confinement)| {
        let by = Acceleration {
            gravity: [0.6, -9.81, 0.0, 0.0],
            expansion,
            dye_weight,
            confinement,
            unused: 0.0,
        };
        let mut out = dev.buf("out", 2 * case.cells()).unwrap();
        dev.run(
            at.items(),
            Accelerate {
                at,
                by,
                scalars,
                vorticity,
                solid,
                out: &mut out,
            },
        );
        dev.read(&out).unwrap()
    };
    [(0.3, 0.7, 0.0), (0.0, 0.0, 0.5), (0.3, 0.7, 0.5)]
        .map(run)
        .into()
}

fn add_acceleration(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let acceleration = &case.numbers(dev, 2, 1);
    let run = |axis| {
        let at = case.mac.velocity(axis);
        let mut u = case.component(dev, axis, 2);
        let dt = Factor { value: 0.3 };
        dev.run(
            at.items(),
            AddAcceleration {
                at,
                dt,
                acceleration,
                u: &mut u,
            },
        );
        dev.read(&u).unwrap()
    };
    [0, 1].map(run).into()
}

fn enforce(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let (solid, solid_velocity) = (&case.solid(dev), &case.solid_velocity(dev));
    let run = |axis| {
        let at = case.mac.velocity(axis);
        let u = &case.component(dev, axis, 2);
        let mut out = dev.buf("out", at.len()).unwrap();
        dev.run(
            at.items(),
            Enforce {
                at,
                solid,
                solid_velocity,
                u,
                out: &mut out,
            },
        );
        dev.read(&out).unwrap()
    };
    [0, 1].map(run).into()
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

fn measure(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let at = case.mac.pressure();
    let stencil = &case.pressure_codes(dev);
    let (u, v) = (&case.component(dev, 0, 1), &case.component(dev, 1, 2));
    let scalars = &case.numbers(dev, 4, 3);
    let per_cell = Factor { value: 10.0 };
    let mut partials = dev.buf("partials", 12 * PARTIALS).unwrap();
    let kernel = Measure {
        at,
        per_cell,
        stencil,
        u,
        v,
        scalars,
        partials: &mut partials,
    };
    dev.run([PARTIALS as u32, 1, 1], kernel);
    vec![dev.read(&partials).unwrap()]
}
