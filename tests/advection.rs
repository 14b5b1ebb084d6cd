//! Transport kernels against exact formulas and independent measurements (assets/reference/advection.csv).

use std::f64::consts::TAU;

use eddy::device::{Buf, Device};
use eddy::field::Grid;
use eddy::grid::advect::{CLAMP, COMPENSATE, CORRECT, FREE, LIMIT, PLAIN, REVERT};
use eddy::grid::{AdvectComponent, AdvectScalars, Advection, Mac, Side};

use crate::kernels::cpu;

/// A unit square of n² cells whose faces let everything through, with a velocity and four scalars.
struct Box2 {
    dev: Device,
    mac: Mac,
    u: Buf<f32>,
    v: Buf<f32>,
    solid: Buf<u32>,
    q: [Buf<f32>; 3],
}

impl Box2 {
    fn new(n: u32, side: Side, velocity: impl Fn(f64, f64) -> [f64; 2]) -> Self {
        let mut dev = cpu();
        let grid = Grid {
            cells: [n, n, 1],
            h: 1.0 / n as f32,
        };
        let h = 1.0 / f64::from(n);
        let mac = Mac::new(grid, [side; 6]);
        let faces = |axis: usize| {
            let at = mac.velocity(axis);
            let [w, rows] = [at.size[0], at.size[1]];
            let place = |k: u32| {
                let (i, j) = (f64::from(k % w), f64::from(k / w));
                let p = [i + f64::from(at.offset[0]), j + f64::from(at.offset[1])];
                velocity(p[0] * h, p[1] * h)[axis] as f32
            };
            (0..w * rows).map(place).collect::<Vec<f32>>()
        };
        let (u, v) = (faces(0), faces(1));
        let cells = grid.len();
        Self {
            u: dev.buf_from("u", &u).unwrap(),
            v: dev.buf_from("v", &v).unwrap(),
            solid: dev.buf("solid", cells).unwrap(),
            q: [(); 3].map(|()| dev.buf("q", 4 * cells).unwrap()),
            dev,
            mac,
        }
    }

    fn set(&mut self, q: &[f32]) {
        let four: Vec<f32> = q.iter().flat_map(|q| [*q, 1.0 - q, 2.0 * q, 0.5]).collect();
        self.dev.write(&mut self.q[0], &four);
    }

    /// The first of the four.
    fn get(&mut self) -> Vec<f32> {
        let four = self.dev.read(&self.q[0]).unwrap();
        four.chunks_exact(4).map(|c| c[0]).collect()
    }

    fn pass(&mut self, mode: u32, limiter: u32, dt: f32, order: u32, from: [usize; 2], to: usize) {
        let step = Advection {
            gain: [1.0; 4],
            c: dt / self.mac.grid.h,
            order,
            mode,
            limiter,
            solids: 0,
            unused0: 0,
            unused1: 0,
            unused2: 0,
        };
        let [u_at, v_at, at] = [
            self.mac.velocity(0),
            self.mac.velocity(1),
            self.mac.scalars(),
        ];
        let mut dst = std::mem::replace(&mut self.q[to], self.dev.buf("none", 0).unwrap());
        self.dev.run(
            at.items(),
            AdvectScalars {
                step,
                u_at,
                v_at,
                at,
                u: &self.u,
                v: &self.v,
                solid: &self.solid,
                src: &self.q[from[0]],
                other: &self.q[from[1]],
                dst: &mut dst,
            },
        );
        self.q[to] = dst;
    }

    fn step(&mut self, scheme: &str, dt: f32, order: u32) {
        let (name, rule) = scheme.split_once(' ').unwrap_or((scheme, ""));
        let limiter = match rule {
            "unlimited" => FREE,
            "revert-to-SL" => REVERT,
            _ => CLAMP,
        };
        match name {
            "MacCormack" => {
                self.pass(PLAIN, FREE, dt, order, [0, 0], 1);
                self.pass(CORRECT, limiter, dt, order, [0, 1], 2);
                self.q.swap(0, 2);
            }
            "BFECC" => {
                self.pass(PLAIN, FREE, dt, order, [0, 0], 1);
                self.pass(COMPENSATE, FREE, dt, order, [0, 1], 2);
                self.pass(LIMIT, limiter, dt, order, [0, 2], 1);
                self.q.swap(0, 1);
            }
            _ => {
                self.pass(PLAIN, FREE, dt, order, [0, 0], 1);
                self.q.swap(0, 1);
            }
        }
    }
}

fn rotation(x: f64, y: f64) -> [f64; 2] {
    [-TAU * (y - 0.5), TAU * (x - 0.5)]
}

/// Mean of a function over each cell, from 8×8 points, or its value at the centre.
fn cells(n: u32, fine: bool, f: impl Fn(f64, f64) -> f64) -> Vec<f32> {
    let m = if fine { 8 } else { 1 };
    let at = |i: u32, a: u32| (f64::from(i) + (f64::from(a) + 0.5) / f64::from(m)) / f64::from(n);
    (0..n * n)
        .map(|k| {
            let (i, j) = (k % n, k / n);
            let points = (0..m * m).map(|s| f(at(i, s % m), at(j, s / m)));
            (points.sum::<f64>() / f64::from(m * m)) as f32
        })
        .collect()
}

fn slotted_disc(x: f64, y: f64) -> f64 {
    let inside = (x - 0.5).hypot(y - 0.75) <= 0.15;
    let slot = (x - 0.5).abs() < 0.025 && y < 0.85;
    f64::from(inside && !slot)
}

fn gaussian(x: f64, y: f64) -> f64 {
    (-((x - 0.5).powi(2) + (y - 0.75).powi(2)) / (2.0 * 0.06 * 0.06)).exp()
}

/// L1 and L2 of the difference over those of `b`.
fn errors(a: &[f32], b: &[f32]) -> [f64; 2] {
    let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        a.iter()
            .zip(b)
            .map(|(a, b)| f(f64::from(*a), f64::from(*b)))
            .sum()
    };
    [
        sum(&|a, b| (a - b).abs()) / sum(&|_, b| b.abs()),
        (sum(&|a, b| (a - b).powi(2)) / sum(&|_, b| b * b)).sqrt(),
    ]
}

/// One revolution of each test of the table; errors within a tenth of the independent ones.
#[test]
fn rotating_bodies_lose_what_the_reference_loses() {
    let table = include_str!("../assets/reference/advection.csv");
    let mut found: Vec<(String, String, f64)> = Vec::new();
    for line in table
        .lines()
        .filter(|l| !l.starts_with('#') && !l.starts_with("test"))
    {
        let columns: Vec<&str> = line.split(',').collect();
        let [test, n, steps, scheme, l1, l2, _] = columns[..] else {
            panic!("{line}");
        };
        let (n, steps): (u32, u32) = (n.parse().unwrap(), steps.parse().unwrap());
        let shape = if test.starts_with("zalesak") {
            cells(n, true, slotted_disc)
        } else {
            cells(n, false, gaussian)
        };
        let mut square = Box2::new(n, Side::Open, rotation);
        square.set(&shape);
        for _ in 0..steps {
            square.step(scheme, 1.0 / steps as f32, 2);
        }
        let ours = errors(&square.get(), &shape);
        println!("{test} {n} {scheme}: {ours:.4?} against {l1} {l2}");
        for (ours, theirs) in ours.iter().zip([l1, l2]) {
            let theirs: f64 = theirs.parse().unwrap();
            assert!((ours / theirs - 1.0).abs() <= 0.1, "{line}: {ours}");
        }
        found.push((format!("{test} {n}"), scheme.to_owned(), ours[1]));
    }
    for case in [
        "zalesak_1rev 100",
        "zalesak_1rev 200",
        "gauss_rot_1rev 64",
        "gauss_rot_1rev 128",
    ] {
        let error = |scheme: &str| {
            found
                .iter()
                .find(|f| f.0 == case && f.1 == scheme)
                .unwrap()
                .2
        };
        let (sl, mc, bf) = (
            error("semi-Lagrangian bilinear"),
            error("MacCormack clamped"),
            error("BFECC clamped"),
        );
        assert!(sl > mc && mc > bf, "{case}: {sl} {mc} {bf}");
    }
}

/// A wave along x after one step: G = (1 − a) + a·e^(−iθ) for semi-Lagrangian, and what follows from it for the others.
#[test]
fn amplification_of_a_wave_is_exact() {
    type Complex = [f64; 2];
    let mul = |a: Complex, b: Complex| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    let n = 32;
    for waves in [1, 3, 7] {
        for cfl in [0.3, 0.85, 2.4] {
            let theta = TAU * f64::from(waves) / f64::from(n);
            // Whole cells only turn the wave.
            let (whole, a) = (f64::floor(cfl), cfl - f64::floor(cfl));
            let turn = |t: f64| [t.cos(), t.sin()];
            let pass = |sign: f64| {
                let g = [1.0 - a + a * theta.cos(), -sign * a * theta.sin()];
                mul(g, turn(-sign * whole * theta))
            };
            let (go, back) = (pass(1.0), pass(-1.0));
            let round = mul(go, back);
            let rest = [0.5 * (1.0 - round[0]), -0.5 * round[1]];
            let factors = [
                ("semi-Lagrangian", go),
                ("MacCormack unlimited", [go[0] + rest[0], go[1] + rest[1]]),
                ("BFECC unlimited", mul(go, [1.0 + rest[0], rest[1]])),
            ];
            for (scheme, g) in factors {
                let mut square = Box2::new(n, Side::Periodic, |_, _| [1.0, 0.0]);
                let wave = |phase: &dyn Fn(f64) -> f64| -> Vec<f32> {
                    (0..n * n)
                        .map(|k| phase(theta * f64::from(k % n)) as f32)
                        .collect()
                };
                square.set(&wave(&f64::cos));
                square.step(scheme, (cfl / f64::from(n)) as f32, 1);
                let expected = wave(&|x| g[0] * x.cos() - g[1] * x.sin());
                let worst = square
                    .get()
                    .iter()
                    .zip(&expected)
                    .map(|(a, b)| (a - b).abs())
                    .fold(0.0, f32::max);
                assert!(worst <= 1e-5, "{scheme} {waves} waves at {cfl}: {worst:e}");
            }
        }
    }
}

/// Random values and velocities, crossing many cells: nothing comes out that was not between what went in.
#[test]
fn limited_schemes_stay_within_the_data() {
    let mut state = 1_u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    let n = 40;
    let noise = |random: &mut dyn FnMut() -> f32, n: usize| -> Vec<f32> {
        (0..n).map(|_| random()).collect()
    };
    for side in [
        Side::NoSlip([0.0; 3]),
        Side::FreeSlip,
        Side::Open,
        Side::Periodic,
    ] {
        for scheme in [
            "semi-Lagrangian",
            "MacCormack clamped",
            "MacCormack revert-to-SL",
            "BFECC clamped",
            "BFECC revert-to-SL",
        ] {
            let mut square = Box2::new(n, side, |_, _| [0.0; 2]);
            let (faces, cells) = (square.u.len(), (n * n) as usize);
            let wind = |v: Vec<f32>| v.iter().map(|v| 2.0 * v - 1.0).collect::<Vec<f32>>();
            let (u, v) = (
                wind(noise(&mut random, faces)),
                wind(noise(&mut random, faces)),
            );
            square.dev.write(&mut square.u, &u);
            square.dev.write(&mut square.v, &v);
            square.set(&noise(&mut random, cells));
            for order in [1, 2, 3] {
                square.step(scheme, 0.2, order);
                for (k, q) in square.get().iter().enumerate() {
                    assert!((0.0..=1.0).contains(q), "{scheme} {side:?}: {q} at {k}");
                }
            }
        }
    }
}

/// The kernel of a component on the same data as the kernel of scalars: same numbers where the lattices agree.
#[test]
fn components_are_carried_like_scalars() {
    let n = 24;
    let mut square = Box2::new(n, Side::Periodic, |x, y| [(TAU * y).sin(), (TAU * x).cos()]);
    let [u_at, v_at] = [square.mac.velocity(0), square.mac.velocity(1)];
    let mut dst = square.dev.buf("carried", square.u.len()).unwrap();
    let step = Advection {
        gain: [1.0; 4],
        c: 0.03 * n as f32,
        order: 3,
        mode: PLAIN,
        limiter: FREE,
        solids: 0,
        unused0: 0,
        unused1: 0,
        unused2: 0,
    };
    let (u, v) = (&square.u, &square.v);
    let kernel = AdvectComponent {
        step,
        u_at,
        v_at,
        at: u_at,
        u,
        v,
        src: u,
        other: u,
        dst: &mut dst,
    };
    square.dev.run(u_at.items(), kernel);
    let carried = square.dev.read(&dst).unwrap();
    // In this flow du/dt = 2π cos(2πy)·v along the path; compare with the exact path in small steps.
    let mut worst = 0.0_f64;
    for (k, ours) in carried.iter().enumerate() {
        let (i, j) = (k as u32 % (n + 1), k as u32 / (n + 1));
        let (mut x, mut y) = (
            f64::from(i) / f64::from(n),
            (f64::from(j) + 0.5) / f64::from(n),
        );
        for _ in 0..300 {
            let (dx, dy) = ((TAU * y).sin(), (TAU * x).cos());
            (x, y) = (x - 1e-4 * dx, y - 1e-4 * dy);
        }
        worst = worst.max((f64::from(*ours) - (TAU * y).sin()).abs());
    }
    assert!(worst <= 0.01, "{worst}");
    let width = n as usize + 1;
    assert!(
        carried.chunks(width).all(|row| row[0] == row[width - 1]),
        "both ends of a periodic axis are one face"
    );
}
