//! Stable Fluids against formulas and independent measurements.

use std::f64::consts::TAU;

use eddy::device::Buf;
use eddy::field::{Grid, difference_l2};
use eddy::grid::{Mac, Side};
use eddy::poisson::{SolverParams, gauss_seidel};
use eddy::scene::{Condition, Scene};
use eddy::solvers::stable_fluids::{
    Backtrace, ExplicitViscosity, ImplicitViscosity, Parameters, Projection, Scheme, Viscosity,
};

use crate::kernels::cpu;
use crate::stable_fluids::{Lab, Noise, square};

pub fn sweeps(iterations: u32) -> SolverParams {
    SolverParams::GaussSeidel(gauss_seidel::Parameters {
        iterations,
        ..Default::default()
    })
}

/// As far as f32 goes: what sweeps leave of wide waves when their steps have become smaller than the rounding of the
/// pressure, coarser grids take away.
fn converged() -> SolverParams {
    let mut params = SolverParams::from_id("multigrid").unwrap();
    eddy::params::set(&mut params, "iterations", "60").unwrap();
    params
}

fn largest(v: &[f32]) -> f32 {
    v.iter().fold(0.0, |m, v| m.max(v.abs()))
}

fn difference(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

/// A projection of a 32 × 28 grid with a block of solid cells, and what it is given.
struct Bench {
    dev: eddy::device::Device,
    mac: Mac,
    projection: Projection,
    u: Buf<f32>,
    v: Buf<f32>,
    solid: Vec<u32>,
}

impl Bench {
    fn new(sides: [Side; 6]) -> Self {
        let mut dev = cpu();
        let grid = Grid {
            cells: [32, 28, 1],
            h: 0.1,
        };
        let mac = Mac::new(grid, sides);
        let mut projection = Projection::new(&mut dev, &mac, &converged()).unwrap();
        let block = |k: u32| (10..15).contains(&(k % 32)) && (8..20).contains(&(k / 32));
        let solid: Vec<u32> = (0..32 * 28).map(|k| u32::from(block(k))).collect();
        let mask = dev.buf_from("solid", &solid).unwrap();
        projection.rebuild(&mut dev, &mac, &mask);
        Self {
            u: dev.buf("u", mac.velocity(0).len()).unwrap(),
            v: dev.buf("v", mac.velocity(1).len()).unwrap(),
            dev,
            mac,
            projection,
            solid,
        }
    }

    /// Sets the faces that may change to `f(axis, i, j)`, the others to zero.
    fn set(&mut self, mut f: impl FnMut(usize, u32, u32) -> f32) {
        for axis in 0..2 {
            let at = self.mac.velocity(axis);
            let (w, n) = (at.size[0], at.cells[axis]);
            let values: Vec<f32> = (0..w * at.size[1])
                .map(|k| {
                    let p = [k % w, k / w];
                    let periodic = at.periodic(axis);
                    let mut low = p;
                    let mut high = p;
                    low[axis] = if p[axis] == 0 { n - 1 } else { p[axis] - 1 };
                    high[axis] = p[axis] % n;
                    let wall = (p[axis] == 0 && at.low_kind[axis] == 3)
                        || (p[axis] == n && at.high_kind[axis] == 3);
                    let solid = |c: [u32; 2]| self.solid[(c[1] * 32 + c[0]) as usize] != 0;
                    let mut same = p;
                    if periodic {
                        same[axis] %= n;
                    }
                    if wall || solid(low) || solid(high) {
                        0.0
                    } else {
                        f(axis, same[0], same[1])
                    }
                })
                .collect();
            let buf = if axis == 0 { &mut self.u } else { &mut self.v };
            self.dev.write(buf, &values);
        }
    }

    fn get(&mut self) -> Vec<f32> {
        let mut all = self.dev.read(&self.u).unwrap();
        all.extend(self.dev.read(&self.v).unwrap());
        all
    }

    fn project(&mut self) {
        let Self {
            dev,
            projection,
            u,
            v,
            ..
        } = self;
        projection.project(dev, u, v, 0.02, false, &converged());
    }

    fn divergence(&mut self) -> Vec<f32> {
        let mut out = self.dev.buf("divergence", 32 * 28).unwrap();
        self.projection
            .divergence(&mut self.dev, &self.u, &self.v, &mut out);
        self.dev.read(&out).unwrap()
    }
}

/// Walls, a mixture with open faces, and periodic along x.
fn kinds_of_box() -> [[Side; 6]; 3] {
    let wall = Side::NoSlip([0.0; 3]);
    [
        [wall; 6],
        [Side::Open, wall, wall, Side::FreeSlip, wall, wall],
        [Side::Periodic, Side::Periodic, wall, wall, wall, wall],
    ]
}

#[test]
fn projection_leaves_no_divergence_and_is_idempotent() {
    for sides in kinds_of_box() {
        let mut bench = Bench::new(sides);
        let mut noise = Noise::new(3);
        let mut table = std::collections::HashMap::new();
        bench.set(|a, i, j| *table.entry((a, i, j)).or_insert_with(|| noise.signed()));
        let speed = largest(&bench.get());
        bench.project();
        let left = largest(&bench.divergence());
        assert!(left <= 1e-5 * speed / 0.1, "{sides:?}: divergence {left:e}");
        let once = bench.get();
        bench.project();
        let again = bench.get();
        let moved = difference_l2(&once, &again) / difference_l2(&once, &vec![0.0; again.len()]);
        println!("{sides:?}: a second projection moves {moved:e}");
        assert!(
            moved <= 1e-6,
            "{sides:?}: a second projection moves {moved:e}"
        );
    }
}

#[test]
fn projection_keeps_what_has_no_divergence() {
    for sides in kinds_of_box() {
        let mut bench = Bench::new(sides);
        // From a stream function at the corners of cells, zero on walls and on the block.
        let mut noise = Noise::new(5);
        let psi: Vec<f32> = (0..33 * 29).map(|_| noise.signed()).collect();
        let psi = |i: u32, j: u32| {
            let (i, j) = (i % 33, j % 29);
            let periodic = sides[0] == Side::Periodic;
            let column = if periodic { i % 32 } else { i };
            let edge = j == 0 || j == 28 || (!periodic && (i == 0 || i == 32));
            let block = (10..=15).contains(&column) && (8..=20).contains(&j);
            if edge || block {
                0.0
            } else {
                psi[(j * 33 + column) as usize]
            }
        };
        bench.set(|axis, i, j| {
            if axis == 0 {
                psi(i, j + 1) - psi(i, j)
            } else {
                psi(i, j) - psi(i + 1, j)
            }
        });
        let before = bench.get();
        bench.project();
        let moved = difference(&before, &bench.get());
        assert!(moved <= 1e-6 * largest(&before), "{sides:?}: {moved:e}");
    }
}

#[test]
fn projection_removes_a_gradient() {
    for sides in kinds_of_box() {
        let mut bench = Bench::new(sides);
        let mut noise = Noise::new(7);
        let phi: Vec<f32> = (0..32 * 28).map(|_| noise.signed()).collect();
        let open = sides[0] == Side::Open;
        let phi = move |i: u32, j: u32| phi[(j * 32 + i) as usize];
        bench.set(|axis, i, j| match (axis, i) {
            // On an open face the potential is zero, half a cell away.
            (0, 0) if open => 2.0 * phi(0, j),
            (0, i) => phi(i % 32, j) - phi((i + 31) % 32, j),
            _ => phi(i, j) - phi(i, j - 1),
        });
        let before = largest(&bench.get());
        bench.project();
        let left = largest(&bench.get());
        assert!(left <= 1e-5 * before, "{sides:?}: {left:e} of {before}");
    }
}

/// Vortices that a periodic box keeps: u = sin 2πx cos 2πy, v = −cos 2πx sin 2πy, which decay by viscosity alone.
struct TaylorGreen {
    error: f64,
    energy_ratio: f64,
}

fn taylor_green(n: u32, scheme: Scheme, dt: f64, time: f64) -> TaylorGreen {
    let nu = 1e-3;
    let params = Parameters {
        velocity_advection: scheme,
        backtrace: Backtrace::Rk2,
        viscosity: Viscosity::Explicit(ExplicitViscosity {
            kinematic: nu as f32,
        }),
        pressure: sweeps(30),
        ..Parameters::default()
    };
    let mut lab = Lab::new(square(n, Condition::Periodic), params);
    let m = n as usize;
    let at = |k: usize, w: usize, ox: f64, oy: f64| {
        let (i, j) = (k % w, k / w);
        [
            TAU * (i as f64 + ox) / n as f64,
            TAU * (j as f64 + oy) / n as f64,
        ]
    };
    let u = |k: usize| {
        let p = at(k, m + 1, 0.0, 0.5);
        p[0].sin() * p[1].cos()
    };
    let v = |k: usize| {
        let p = at(k, m, 0.5, 0.0);
        -p[0].cos() * p[1].sin()
    };
    let faces = m * (m + 1);
    lab.put(
        "velocity x",
        &(0..faces).map(|k| u(k) as f32).collect::<Vec<_>>(),
    );
    lab.put(
        "velocity y",
        &(0..faces).map(|k| v(k) as f32).collect::<Vec<_>>(),
    );
    let p = |k: usize| {
        let p = at(k, m, 0.5, 0.5);
        0.25 * ((2.0 * p[0]).cos() + (2.0 * p[1]).cos())
    };
    lab.put(
        "pressure",
        &(0..m * m).map(|k| p(k) as f32).collect::<Vec<_>>(),
    );
    let energy = lab.get("kinetic_energy");
    let steps = (time / dt).round() as u32;
    lab.run(steps, (time / f64::from(steps)) as f32);
    let decay = (-2.0 * TAU * TAU * nu * time).exp();
    let ours = lab.state("velocity x");
    let square: f64 = ours
        .iter()
        .enumerate()
        .map(|(k, a)| (f64::from(*a) - decay * u(k)).powi(2))
        .sum();
    TaylorGreen {
        error: (square / faces as f64).sqrt(),
        energy_ratio: lab.get("kinetic_energy") / energy / (decay * decay),
    }
}

#[test]
fn taylor_green_converges_at_the_order_of_the_scheme() {
    // At a fixed CFL number semi-Lagrangian is of first order; the splitting of a step is of first order in dt, so the
    // second order of MacCormack in space shows where dt falls with h².
    let cases = [
        (Scheme::SemiLagrangian, 1, 0.9),
        (Scheme::MacCormack, 2, 1.9),
        (Scheme::ForwardReverse, 1, 0.9),
    ];
    for (scheme, power, least) in cases {
        let error = |n: u32| {
            let h = 1.0 / f64::from(n);
            let dt = 0.5 / 32.0 * (32.0 * h).powi(power);
            taylor_green(n, scheme, dt, 0.5).error
        };
        let errors = [error(32), error(64), error(128)];
        let orders = [
            (errors[0] / errors[1]).log2(),
            (errors[1] / errors[2]).log2(),
        ];
        println!("{scheme:?}: errors {errors:?}, orders {orders:.2?}");
        assert!(orders[1] >= least, "{scheme:?}: {orders:?}");
    }
}

/// Splitting advection from pressure costs energy in proportion to dt: 6.5 % a second at a CFL number of ½, 3.4 % at ¼,
/// 1.7 % at ⅛, 0.9 % at 1/16 (measured here; the vortices turn about once a second).
#[test]
fn taylor_green_keeps_its_energy() {
    let run = taylor_green(128, Scheme::MacCormack, 0.125 / 128.0, 1.0);
    println!("energy over exact: {}", run.energy_ratio);
    assert!(
        (run.energy_ratio - 1.0).abs() <= 0.02,
        "{}",
        run.energy_ratio
    );
}

/// The largest difference from the reference along both centre lines, in units of the lid's speed.
fn cavity(reynolds: f64, dt: f32, time: f32) -> f64 {
    let n = 128;
    let mut scene = square(n, Condition::NoSlip);
    scene.domain.top.velocity = [1.0, 0.0, 0.0];
    let params = Parameters {
        velocity_advection: Scheme::MacCormack,
        viscosity: Viscosity::Implicit(ImplicitViscosity {
            kinematic: (1.0 / reynolds) as f32,
            solver: sweeps(12),
        }),
        pressure: sweeps(30),
        ..Parameters::default()
    };
    let mut lab = Lab::new(scene, params);
    lab.run((time / dt).round() as u32, dt);
    let (u, v) = (lab.state("velocity x"), lab.state("velocity y"));
    let table = include_str!("../assets/reference/cavity.csv");
    let first = match reynolds as u32 {
        100 => 2,
        400 => 4,
        _ => 6,
    };
    let mut worst = 0.0_f64;
    for line in table
        .lines()
        .filter(|l| l.starts_with(|c: char| c.is_ascii_digit()))
    {
        let row: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
        let j = row[0] as usize;
        if j == 0 || j == 128 {
            continue;
        }
        let mean = |a: f32, b: f32| 0.5 * f64::from(a + b);
        let ours_u = mean(u[(j - 1) * 129 + 64], u[j * 129 + 64]);
        let ours_v = mean(v[64 * 128 + j - 1], v[64 * 128 + j]);
        worst = worst
            .max((ours_u - row[first]).abs())
            .max((ours_v - row[first + 1]).abs());
    }
    println!("cavity at Re {reynolds}: {worst:.4} U");
    worst
}

#[test]
fn lid_driven_cavity_at_re_100() {
    assert!(cavity(100.0, 0.01, 18.0) <= 0.02);
}

#[test]
fn lid_driven_cavity_at_re_400() {
    assert!(cavity(400.0, 0.01, 36.0) <= 0.03);
}

#[test]
fn lid_driven_cavity_at_re_1000() {
    assert!(cavity(1000.0, 0.01, 80.0) <= 0.05);
}

/// A channel along x, periodic, between walls at y = 0 and y = 1 m.
fn channel(n: u32, kinematic: f32) -> (Scene, Parameters) {
    let mut scene = square(n, Condition::NoSlip);
    scene.domain.left.condition = Condition::Periodic;
    let params = Parameters {
        viscosity: Viscosity::Implicit(ImplicitViscosity {
            kinematic,
            solver: sweeps(200),
        }),
        ..Parameters::default()
    };
    (scene, params)
}

#[test]
fn poiseuille_flow_is_a_parabola() {
    let (n, nu) = (24_u32, 0.1_f64);
    let (mut scene, params) = channel(n, nu as f32);
    // Evenly warm fluid and gravity along −x push with 1 m/s² along x.
    scene.environment.gravity = [-1.0, 0.0, 0.0];
    scene.environment.buoyancy = 1.0;
    let mut lab = Lab::new(scene, params);
    let warm: Vec<f32> = (0..n * n).flat_map(|_| [0.0, 0.0, 0.0, 1.0]).collect();
    lab.put("dye and temperature", &warm);
    lab.run(400, 0.05);
    let u = lab.state("velocity x");
    let h = 1.0 / f64::from(n);
    for j in 0..n as usize {
        let y = (j as f64 + 0.5) * h;
        // The wall half a cell away adds h²/(8ν) to every row, exactly.
        let exact = y * (1.0 - y) / (2.0 * nu) + h * h / (8.0 * nu);
        for i in 0..=n as usize {
            let ours = f64::from(u[j * (n as usize + 1) + i]);
            assert!(
                (ours - exact).abs() <= 2e-4,
                "row {j}: {ours} against {exact}"
            );
        }
    }
    assert!(largest(&lab.state("velocity y")) <= 1e-4);
}

#[test]
fn couette_flow_is_a_line() {
    let n = 24;
    let (mut scene, params) = channel(n, 0.1);
    scene.domain.top.velocity = [1.0, 0.0, 0.0];
    for explicit in [false, true] {
        let (kinematic, mut params) = (0.1, params.clone());
        let mut dt = 0.05;
        if explicit {
            params.viscosity = Viscosity::Explicit(ExplicitViscosity { kinematic });
            dt = 0.2 / (24.0 * 24.0) / kinematic;
        }
        let mut lab = Lab::new(scene.clone(), params);
        lab.run((20.0 / dt) as u32, dt);
        for (k, u) in lab.state("velocity x").iter().enumerate() {
            let y = ((k / (n as usize + 1)) as f32 + 0.5) / n as f32;
            assert!((u - y).abs() <= 1e-4, "at y {y}: {u}");
        }
    }
}

/// Steps in which the fluid first crosses fifty cells, ten thousand times: nothing grows.
#[test]
fn ten_thousand_long_steps_only_lose_energy() {
    let params = Parameters {
        velocity_advection: Scheme::SemiLagrangian,
        pressure: sweeps(60),
        ..Parameters::default()
    };
    let n = 32;
    let mut lab = Lab::new(square(n, Condition::FreeSlip), params);
    let mut noise = Noise::new(11);
    stir(&mut lab, &mut noise);
    let dt = (50.0 / f64::from(n) / lab.get("max_speed")) as f32;
    let mut before = f64::INFINITY;
    for step in 0..10_000 {
        let energy = lab.get("kinetic_energy");
        let limit = before * (1.0 + 1e-6);
        assert!(
            energy.is_finite() && energy <= limit,
            "step {step}: {energy} after {before}"
        );
        before = energy;
        lab.step(dt);
    }
}

/// Ten thousand steps in all of which the fastest fluid crosses fifty cells: there is never more energy than was stirred
/// in. From step to step it may grow a little (by 13 % once in 158 steps), because a way back over fifty cells does not keep
/// areas. Such steps calm the fluid, so it is stirred again whenever it has become slow.
#[test]
fn ten_thousand_steps_of_fifty_cells_stay_below_what_was_stirred_in() {
    let params = Parameters {
        velocity_advection: Scheme::SemiLagrangian,
        pressure: sweeps(60),
        ..Parameters::default()
    };
    let n = 32;
    let mut lab = Lab::new(square(n, Condition::FreeSlip), params);
    let mut noise = Noise::new(11);
    let mut stirred_in = f64::INFINITY;
    let mut stirred = 0;
    for step in 0..10_000 {
        if step == 0 || lab.get("max_speed") < 0.01 {
            stir(&mut lab, &mut noise);
            stirred_in = lab.get("kinetic_energy");
            stirred += 1;
        }
        let report = lab.report();
        let (energy, speed) = (
            report.get("kinetic_energy").unwrap(),
            report.get("max_speed").unwrap(),
        );
        assert!(
            energy.is_finite() && energy <= stirred_in * (1.0 + 1e-6),
            "step {step}: {energy} of {stirred_in}"
        );
        lab.step((50.0 / f64::from(n) / speed) as f32);
    }
    assert!(stirred > 10, "{stirred}");
}

/// Any velocity, made free of divergence.
fn stir(lab: &mut Lab, noise: &mut Noise) {
    for axis in ["velocity x", "velocity y"] {
        let values: Vec<f32> = lab.state(axis).iter().map(|_| noise.signed()).collect();
        lab.put(axis, &values);
    }
    // A step as short as this hardly does more than project. Its pressure is that of a blow, a million times what the next
    // step needs.
    lab.step(1e-6);
}
