//! Kernels of the staggered grid that move the fluid or look at it.

use eddy::device::{Device, Kernel, PARTIALS};
use eddy::grid::advect::{CLAMP, COMPENSATE, CORRECT, FREE, LIMIT, PLAIN, REVERT};
use eddy::grid::push::fixed;
use eddy::grid::{
    Accelerate, Acceleration, AddAcceleration, AdvectComponent, AdvectScalars, Advection,
    CellVelocity, Coverage, Curl, Enforce, Factor, Lattice, Measure, Push, PushForward, Settle,
};

use super::Compared;
use super::cases::Case;

/// The kernels that are compared here.
pub const COMPARED: &[Compared<Case>] = &[
    (AdvectComponent::INFO, advect_component),
    (AdvectScalars::INFO, advect_scalars),
    (PushForward::INFO, push_forward),
    (Settle::INFO, settle),
    (CellVelocity::INFO, cell_velocity),
    (Coverage::INFO, coverage),
    (Curl::INFO, curl),
    (Accelerate::INFO, accelerate),
    (AddAcceleration::INFO, add_acceleration),
    (Enforce::INFO, enforce),
    (Measure::INFO, measure),
];

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

/// Both components and the scalars, up to three cells a step.
fn pushes(case: &Case) -> impl Iterator<Item = (Push, Lattice)> {
    let (u_at, v_at) = (case.mac.velocity(0), case.mac.velocity(1));
    let solids = u32::from(case.solids);
    let arrays = [(u_at, 1, 0), (v_at, 1, 0), (case.mac.scalars(), 4, solids)];
    [1, 2, 3].into_iter().flat_map(move |order| {
        arrays.map(|(at, numbers, solids)| {
            let push = Push {
                gain: [0.9, 0.8, 1.1, 0.7],
                c: 3.0,
                order,
                numbers,
                solids,
            };
            (push, at)
        })
    })
}

fn push_forward(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let (u, v) = (&case.component(dev, 0, 1), &case.component(dev, 1, 2));
    let (u_at, v_at) = (case.mac.velocity(0), case.mac.velocity(1));
    let solid = &case.solid(dev);
    let mut run = |(step, at): (Push, Lattice)| {
        let src = if step.numbers == 4 {
            case.numbers(dev, 4, 3)
        } else {
            case.component(dev, at.size[3] as usize, 3)
        };
        let words = Push::words(step.numbers) as usize * at.len();
        let mut sums = dev.buf("sums", words).unwrap();
        let kernel = PushForward {
            step,
            u_at,
            v_at,
            at,
            u,
            v,
            solid,
            src: &src,
            sums: &mut sums,
        };
        dev.run(at.items(), kernel);
        let sums = dev.read(&sums).unwrap();
        let (pairs, _) = sums.as_chunks();
        pairs.iter().map(|pair| fixed::number(*pair)).collect()
    };
    pushes(case).map(&mut run).collect()
}

fn settle(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let mut run = |(step, at): (Push, Lattice)| {
        // Sums of either sign and shares on both sides of one, some of more than 32 bits.
        let words = Push::words(step.numbers) as usize;
        let pairs = (0..at.len() * words / 2).flat_map(|k| {
            let size = (k as f32 * 0.37).sin() * if k % 5 == 0 { 900.0 } else { 1.5 };
            let last = (k + 1) % (words / 2) == 0;
            let mut pair = [0; 2];
            fixed::add(&mut pair, fixed::of(if last { size.abs() } else { size }));
            pair
        });
        let sums = dev.buf_from("sums", &pairs.collect::<Vec<u32>>()).unwrap();
        let mut q = if step.numbers == 4 {
            case.numbers(dev, 4, 3)
        } else {
            case.component(dev, at.size[3] as usize, 3)
        };
        let kernel = Settle {
            step,
            at,
            sums: &sums,
            q: &mut q,
        };
        dev.run(at.items(), kernel);
        dev.read(&q).unwrap()
    };
    pushes(case).map(&mut run).collect()
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
