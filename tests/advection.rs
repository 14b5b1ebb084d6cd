//! Transport kernels against exact formulas and independent measurements (assets/reference/advection.csv).

use std::f64::consts::TAU;

use eddy::device::{Buf, Device};
use eddy::field::Grid;
use eddy::grid::advect::{CLAMP, COMPENSATE, CORRECT, FREE, LIMIT, PLAIN, REVERT};
use eddy::grid::push::fixed;
use eddy::grid::{AdvectComponent, AdvectScalars, Advection, Mac, Push, PushForward, Settle, Side};

use crate::kernels::cpu;

/// A unit square of n² cells whose faces let everything through, with a velocity and four scalars.
struct Box2 {
    dev: Device,
    mac: Mac,
    u: Buf<f32>,
    v: Buf<f32>,
    solid: Buf<u32>,
    solids: bool,
    q: [Buf<f32>; 3],
}

impl Box2 {
    fn new(n: u32, side: Side, velocity: impl Fn(f64, f64) -> [f64; 2]) -> Self {
        Self::on(cpu(), n, side, velocity)
    }

    fn on(mut dev: Device, n: u32, side: Side, velocity: impl Fn(f64, f64) -> [f64; 2]) -> Self {
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
            solids: false,
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
            solids: u32::from(self.solids),
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

    /// What is pushed ahead: two words for each of five numbers a cell.
    fn push(&mut self, dt: f32, order: u32) -> (Push, Buf<u32>) {
        let step = Push {
            gain: [1.0; 4],
            c: dt / self.mac.grid.h,
            order,
            numbers: 4,
            solids: u32::from(self.solids),
        };
        let at = self.mac.scalars();
        let words = Push::words(4) as usize * at.len();
        let mut sums = self.dev.buf("sums", words).unwrap();
        let kernel = PushForward {
            step,
            u_at: self.mac.velocity(0),
            v_at: self.mac.velocity(1),
            at,
            u: &self.u,
            v: &self.v,
            solid: &self.solid,
            src: &self.q[0],
            sums: &mut sums,
        };
        self.dev.run(at.items(), kernel);
        (step, sums)
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
            "forward" => {
                self.pass(PLAIN, FREE, dt, order, [0, 0], 1);
                let (step, sums) = self.push(dt, order);
                let (at, q) = (self.mac.scalars(), &mut self.q[1]);
                let sums = &sums;
                self.dev.run(at.items(), Settle { step, at, sums, q });
                self.q.swap(0, 1);
            }
            "semi-Lagrangian" => {
                self.pass(PLAIN, FREE, dt, order, [0, 0], 1);
                self.q.swap(0, 1);
            }
            _ => panic!("{scheme}"),
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
                // Where all moves alike, pushing and going back come to the same.
                ("forward and reverse", go),
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
            "forward and reverse",
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
                    // Sums in fixed point are rounded to 2⁻²⁴.
                    let slack = if scheme.starts_with("forward") {
                        1e-6
                    } else {
                        0.0
                    };
                    let range = 0.0..=1.0 + slack;
                    assert!(range.contains(q), "{scheme} {side:?}: {q} at {k}");
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

/// Random velocities of up to `cells` cells a step, in a box with a block in it.
fn storm(dev: Device, side: Side, cells: f64) -> Box2 {
    let n = 40;
    let mut state = 7_u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    let mut square = Box2::on(dev, n, side, |_, _| [0.0; 2]);
    let mut faces = || -> Vec<f32> {
        let (w, speed) = (n as usize + 1, 2.0 * cells / f64::from(n));
        let mut all: Vec<f32> = (0..w * n as usize)
            .map(|_| ((random() - 0.5) * speed) as f32)
            .collect();
        if side == Side::Periodic {
            // Both ends of a periodic axis are one face.
            all.fill((0.3 * speed) as f32);
        }
        all
    };
    let (u, v) = (faces(), faces());
    square.dev.write(&mut square.u, &u);
    square.dev.write(&mut square.v, &v);
    let block = |k: u32| u32::from((12..20).contains(&(k % n)) && (15..18).contains(&(k / n)));
    let solid: Vec<u32> = (0..n * n).map(block).collect();
    let numbers: Vec<f32> = solid
        .iter()
        .flat_map(|s| {
            [(); 4].map(|()| {
                if *s == 0 {
                    (random() - 0.3) as f32
                } else {
                    0.0
                }
            })
        })
        .collect();
    square.dev.write(&mut square.solid, &solid);
    square.dev.write(&mut square.q[0], &numbers);
    square.solids = true;
    square
}

/// Each of the sums, in units of fixed point.
fn totals(square: &mut Box2, sums: &Buf<u32>) -> [f64; 5] {
    let words = square.dev.read(sums).unwrap();
    let (pairs, _) = words.as_chunks::<2>();
    std::array::from_fn(|c| {
        let own = pairs.iter().skip(c).step_by(5);
        own.map(|pair| f64::from(fixed::number(*pair))).sum()
    })
}

/// Every share arrives somewhere: with closed and with periodic faces, round a block, from a fraction of a cell to far
/// beyond the domain.
#[test]
fn what_is_pushed_keeps_its_total() {
    for mut dev in [Some(cpu()), crate::kernels::gpu()].into_iter().flatten() {
        for side in [Side::FreeSlip, Side::Periodic] {
            for cells in [0.4, 3.0, 500.0] {
                let mut square = storm(dev, side, cells);
                let before = square.dev.read(&square.q[0]).unwrap();
                let (_, sums) = square.push(1.0, 1);
                let found = totals(&mut square, &sums);
                let count = before.len() as f64 / 4.0;
                for (c, found) in found[..4].iter().enumerate() {
                    let own = before.iter().skip(c).step_by(4);
                    let total: f64 = own.map(|q| f64::from(*q)).sum();
                    let off = (found - total).abs();
                    assert!(off <= 8.0 / 65536.0 * count, "{side:?} {cells}: {off}");
                    assert!(off <= 2e-7 * count, "{side:?} {cells}: {off}");
                }
                let free = count - 24.0;
                assert!((found[4] - free).abs() <= 2e-7 * count, "{}", found[4]);
                dev = square.dev;
            }
        }
    }
}

/// Sums are the same to the bit whatever threads make them, and in whatever order.
#[test]
fn what_is_pushed_does_not_depend_on_the_order() {
    let found = |dev: Device| {
        let mut square = storm(dev, Side::FreeSlip, 3.0);
        let (_, sums) = square.push(1.0, 2);
        square.dev.read(&sums).unwrap()
    };
    let one = found(Device::cpu_with_threads(1));
    for threads in [2, 5] {
        assert!(one == found(Device::cpu_with_threads(threads)));
    }
    for [a, b] in [(); 3].map(|()| [(); 2].map(|()| crate::kernels::gpu())) {
        if let (Some(a), Some(b)) = (a, b) {
            assert!(found(a) == found(b));
        }
    }
}

/// A gust in still air: going back finds only rest before it, and it stays; pushed ahead, it runs on.
#[test]
fn a_gust_runs_on_into_still_air() {
    let n = 64;
    let ahead = |scheme: &str| {
        let gust = |x: f64, _: f64| [if x < 0.25 { 1.0 } else { 0.0 }, 0.0];
        let mut square = Box2::new(n, Side::FreeSlip, gust);
        let dye: Vec<f32> = (0..n * n)
            .map(|k| if k % n < 16 { 1.0 } else { 0.0 })
            .collect();
        square.set(&dye);
        // Three cells.
        square.step(scheme, 3.0 / n as f32, 1);
        let row = square.get();
        row[17..20].iter().sum::<f32>()
    };
    assert!(ahead("semi-Lagrangian") <= 0.0);
    assert!(
        ahead("forward and reverse") > 0.5,
        "{}",
        ahead("forward and reverse")
    );
}

/// Numbers beyond what fixed point holds stop at its ends, and many of them together do not wrap round.
#[test]
fn fixed_point_stops_at_its_ends() {
    let mut words = [0; 2];
    for _ in 0..1000 {
        fixed::add(&mut words, fixed::of(f32::INFINITY));
    }
    assert!((fixed::number(words) - 1000.0 * fixed::MOST).abs() <= f32::EPSILON);
    for x in [
        0.0, 1.0, -1.0, 1.5e-7, -0.37, 255.996_1, -32_768.0, 20_000.004,
    ] {
        let mut words = [0; 2];
        fixed::add(&mut words, fixed::of(x));
        let off = (fixed::number(words) - x).abs();
        assert!(off <= 2.0_f32.powi(-25), "{x}: {off:e}");
        fixed::add(&mut words, -fixed::of(x));
        assert_eq!(words, [0; 2]);
    }
    assert_eq!(fixed::of(f32::NAN), 0);
}
