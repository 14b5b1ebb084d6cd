//! What the method says about itself, and its small kernels on both devices.

use eddy::device::{Device, Kernel, PARTIALS};
use eddy::grid::Lattice;
use eddy::scene::{Condition, Stroke, StrokePoint};
use eddy::solvers::lattice_boltzmann::cells::{
    LatticeFaces, LatticeForce, LatticeMeasure, LatticeMoments, LatticePressure, LatticeRescale,
    LatticeSolids, LatticeVelocity, RescaleU, ScaleU,
};
use eddy::solvers::lattice_boltzmann::links::{JOINED, LatticeMarks, OPEN, SLIP, WALL};
use eddy::solvers::lattice_boltzmann::sets::d2q9::Q;
use eddy::solvers::lattice_boltzmann::stream::LatticeU;
use eddy::solvers::lattice_boltzmann::{FixedSteps, Parameters, Solver, Steps};
use eddy::solvers::{Method, MethodParams};

use super::flows::Lab;
use super::lattice::lattice;
use crate::kernels::cases::Case;
use crate::kernels::{Compared, noise};
use crate::stable_fluids::{busy, square};

/// The kernels that are compared here, on the cases of the staggered grid.
pub const COMPARED: &[Compared<Case>] = &[
    (LatticeMarks::INFO, marks),
    (LatticeMoments::INFO, moments),
    (LatticeFaces::INFO, faces),
    (LatticeForce::INFO, force),
    (LatticeSolids::INFO, solids),
    (LatticeMeasure::INFO, measure),
    (LatticeVelocity::INFO, velocity),
    (LatticePressure::INFO, pressure),
];

const SCALE: ScaleU = ScaleU {
    speed: 13.0,
    per_step: 60.0,
    force: 3e-4,
    unused: 0.0,
};

fn of(case: &Case) -> LatticeU {
    let [nx, ny, _] = case.mac.grid.cells;
    let kinds = if case.mac.pressure().periodic(0) {
        [JOINED, JOINED, WALL, OPEN]
    } else {
        [WALL, OPEN, SLIP, WALL]
    };
    lattice([nx, ny], kinds, 0, 0.6)
}

fn marks(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let (lattice, solid) = (of(case), &case.solid(dev));
    let len = (lattice.cells[3] * lattice.cells[1]) as usize;
    let mut marks = dev.buf("marks", len).unwrap();
    let kernel = LatticeMarks {
        lattice,
        solid,
        marks: &mut marks,
    };
    dev.run([lattice.cells[3], lattice.cells[1], 1], kernel);
    let found = dev.read(&marks).unwrap();
    vec![
        found
            .iter()
            .flat_map(|w| [(w & 0xffff) as f32, (w >> 16) as f32])
            .collect(),
    ]
}

/// Populations of a slow flow.
fn populations(dev: &mut Device, case: &Case) -> eddy::device::Buf<f32> {
    let data: Vec<f32> = noise(21, Q * case.cells())
        .iter()
        .map(|f| 0.01 * f)
        .collect();
    dev.buf_from("populations", &data).unwrap()
}

fn moments(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let n = case.cells();
    let (f, force) = (&populations(dev, case), &case.numbers(dev, 2, 22));
    let (solid, solid_velocity) = (&case.solid(dev), &case.solid_velocity(dev));
    let [mut rho, mut u, mut v] = ["rho", "u", "v"].map(|name| dev.buf(name, n).unwrap());
    let kernel = LatticeMoments {
        lattice: of(case),
        scale: SCALE,
        f,
        force,
        solid,
        solid_velocity,
        rho: &mut rho,
        u: &mut u,
        v: &mut v,
    };
    dev.run(case.mac.grid.cells, kernel);
    [rho, u, v].iter().map(|b| dev.read(b).unwrap()).collect()
}

fn faces(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let (solid, cells) = (&case.solid(dev), &case.numbers(dev, 1, 23));
    let one = |at: Lattice| {
        let mut faces = dev.buf("faces", at.len()).unwrap();
        dev.run(
            at.items(),
            LatticeFaces {
                at,
                solid,
                cells,
                faces: &mut faces,
            },
        );
        dev.read(&faces).unwrap()
    };
    [case.mac.velocity(0), case.mac.velocity(1)]
        .map(one)
        .to_vec()
}

fn force(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let [pushed_u, pushed_v, u, v] = [1, 2, 3, 4].map(|seed| case.numbers(dev, 1, seed));
    let (acceleration, solid) = (&case.numbers(dev, 2, 5), &case.solid(dev));
    let mut force = dev.buf("force", 2 * case.cells()).unwrap();
    let kernel = LatticeForce {
        lattice: of(case),
        scale: SCALE,
        pushed_u: &pushed_u,
        pushed_v: &pushed_v,
        u: &u,
        v: &v,
        acceleration,
        solid,
        force: &mut force,
    };
    dev.run(case.mac.grid.cells, kernel);
    vec![dev.read(&force).unwrap()]
}

fn rescale(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let mut f = populations(dev, case);
    let by = RescaleU {
        speed: 0.7,
        stress: 0.4,
    };
    dev.run(
        case.mac.grid.cells,
        LatticeRescale {
            lattice: of(case),
            by,
            f: &mut f,
        },
    );
    vec![dev.read(&f).unwrap()]
}

fn solids(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let mut f = populations(dev, case);
    let (solid, solid_velocity) = (&case.solid(dev), &case.solid_velocity(dev));
    let kernel = LatticeSolids {
        lattice: of(case),
        solid,
        solid_velocity,
        f: &mut f,
    };
    dev.run(case.mac.grid.cells, kernel);
    vec![dev.read(&f).unwrap()]
}

fn measure(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let [rho, u, v] = [1, 2, 3].map(|seed| case.numbers(dev, 1, seed));
    let (scalars, solid) = (&case.numbers(dev, 4, 4), &case.solid(dev));
    let mut partials = dev.buf("partials", 12 * PARTIALS).unwrap();
    let kernel = LatticeMeasure {
        lattice: of(case),
        rho: &rho,
        u: &u,
        v: &v,
        scalars,
        solid,
        partials: &mut partials,
    };
    dev.run([PARTIALS as u32, 1, 1], kernel);
    vec![dev.read(&partials).unwrap()]
}

fn velocity(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let n = case.cells();
    let [u, v] = [1, 2].map(|seed| case.numbers(dev, 1, seed));
    let mut out = dev.buf("out", 2 * n).unwrap();
    dev.run(
        [n as u32, 1, 1],
        LatticeVelocity {
            u: &u,
            v: &v,
            out: &mut out,
        },
    );
    vec![dev.read(&out).unwrap()]
}

fn pressure(dev: &mut Device, case: &Case) -> Vec<Vec<f32>> {
    let n = case.cells();
    let rho = case.numbers(dev, 1, 1);
    let mut out = dev.buf("out", n).unwrap();
    dev.run(
        [n as u32, 1, 1],
        LatticePressure {
            scale: SCALE,
            rho: &rho,
            out: &mut out,
        },
    );
    vec![dev.read(&out).unwrap()]
}

#[test]
fn too_few_lattice_steps_are_refused_with_what_would_do() {
    let mut scene = square(64, Condition::NoSlip);
    scene.domain.top.velocity = [1.0, 0.0, 0.0];
    let fixed = |count| Parameters {
        steps: Steps::Fixed(FixedSteps { count }),
        ..Parameters::default()
    };
    let mut lab = Lab::new(scene.clone(), fixed(10));
    lab.run(1, 0.1);
    let why = lab
        .solver
        .report(&mut lab.dev)
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(
        why.contains("0.64 cells") && why.contains("64 lattice steps instead of 10"),
        "{why}"
    );
    let mut lab = Lab::new(scene.clone(), fixed(32));
    let report = lab.run(1, 0.1).report();
    assert!(
        report.notices[0].contains("0.20 cells") && report.notices[0].contains("64 lattice steps"),
        "{:?}",
        report.notices
    );
    let mut lab = Lab::new(scene, fixed(64));
    let report = lab.run(1, 0.1).report();
    assert_eq!(report.notices, Vec::<String>::new());
    let found = |name| report.get(name).unwrap();
    assert!((found("mach") - found("lattice_speed") * 3f64.sqrt()).abs() < 1e-6);
    assert!((found("tau") - (0.5 + 3.0 * 1e-4 * (0.1 / 64.0) * 64.0 * 64.0)).abs() < 1e-5);
    assert!((found("reynolds") - found("max_speed") / 1e-4).abs() < 1e-3 * found("reynolds"));
}

#[test]
fn memory_is_what_was_said() {
    let gpu = crate::kernels::gpu();
    for dev in [Some(crate::kernels::cpu()), gpu].into_iter().flatten() {
        let lab = Lab::on(dev, square(128, Condition::NoSlip), Parameters::default());
        let said = Solver::memory_bytes(&lab.scene.domain.grid(), &lab.params) as f64;
        let ratio = lab.dev.memory_used() as f64 / said;
        assert!((0.97..1.05).contains(&ratio), "{ratio}");
    }
}

/// A stroke asks for more lattice steps while it is painted, and the flow that it leaves for no fewer too soon.
#[test]
fn a_stroke_of_any_speed_is_followed() {
    let mut scene = square(48, Condition::NoSlip);
    scene.strokes.push(Stroke {
        points: (2..6)
            .map(|frame| StrokePoint {
                frame,
                position: [0.2 * frame as f32 - 0.3, 0.5, 0.0],
            })
            .collect(),
        ..Stroke::default()
    });
    let mut lab = Lab::new(scene, Parameters::default());
    let mut most = 0.0f64;
    let mut steps = Vec::new();
    for _ in 0..40 {
        let report = lab.run(1, 1.0 / 60.0).report();
        most = most.max(report.get("lattice_speed").unwrap());
        steps.push(report.get("lattice_steps").unwrap());
        assert!(report.invariants.iter().all(|i| i.value.is_finite()));
    }
    assert!(
        most < 0.25 && steps[0] < steps[4] && steps[39] <= steps[4],
        "{most}: {steps:?}"
    );
}

/// A scene that was made for another method runs as it is.
#[test]
fn scenes_of_other_methods_run() {
    let mut dev = crate::kernels::cpu();
    let scene = busy(48);
    let masks = eddy::scene::Masks::load(&scene, ".".as_ref()).unwrap();
    for id in ["stable_fluids", "lattice_boltzmann"] {
        let params = MethodParams::from_id(id).unwrap();
        let dt = 1.0 / 60.0;
        let at = |i: u32| scene.at(f64::from(i) * f64::from(dt), dt, i, dt, &masks);
        let mut method = params.create(&mut dev, &at(0)).unwrap();
        for i in 0..30 {
            method.step(&mut dev, &at(i), &params, dt);
        }
        let report = method.report(&mut dev).unwrap().wait(&mut dev).unwrap();
        let [speed, dye, heat] =
            ["max_speed", "dye_mass", "mean_temperature"].map(|n| report.get(n).unwrap());
        println!("{id}: {speed:.3} m/s, {dye:.4} m² of dye, {heat:.3} K");
        assert!(
            (0.3..6.0).contains(&speed) && dye > 0.01 && heat > 0.1,
            "{id}"
        );
    }
}

/// Within rounding: compilers of shaders put its products together in their own order.
#[test]
fn rescaling_agrees_on_both_devices() {
    for case in crate::kernels::cases::cases() {
        crate::kernels::twin_within(&case.name, 1e-6, |dev| rescale(dev, &case));
    }
}
