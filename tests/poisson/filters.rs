//! Poisson filters: that they are the sweeps that they stand for, and that repeating them is safe.

use eddy::device::{Device, DeviceKind};
use eddy::poisson::{SolverParams, System};

use super::system::{Problem, Side, devices, noise, set, sides, solver};
use Side::{Closed, Face, Node, Periodic};

/// The filter with some parameters set.
fn filter(values: &[(&str, &str)]) -> SolverParams {
    let mut params = solver("poisson_filter", 1);
    for (name, value) in values {
        set(&mut params, name, value);
    }
    params
}

/// Sweeps `x' = x + (b − A x) / d` in f64, d being the diagonal where there is a cell behind every face. Where b and x have
/// no mean, nothing else is a sweep of Jacobi's with what lies beyond the sides seen as in a mirror. The first one has a weight.
fn sweeps(p: &Problem, x: &[f64], count: u32, first: f64) -> Vec<f64> {
    let diagonal = f64::from(p.shift) + if p.dims[2] > 1 { 6.0 } else { 4.0 };
    let mut x = x.to_vec();
    for sweep in 0..count {
        let weight = if sweep == 0 { first } else { 1.0 };
        let ax = p.apply(&x);
        for ((x, ax), b) in x.iter_mut().zip(ax).zip(&p.rhs) {
            *x += weight * (f64::from(*b) - ax) / diagonal;
        }
    }
    x
}

/// Boxes with all kinds of sides, smaller than a filter and larger.
fn boxes() -> Vec<(&'static str, Problem)> {
    let all = [
        (
            "closed",
            Problem::open([37, 50, 1], sides(Closed, Closed, Closed)),
        ),
        (
            "face",
            Problem::open([64, 33, 1], sides(Face, Face, Closed)),
        ),
        (
            "node",
            Problem::open([41, 40, 1], sides(Node, Node, Closed)),
        ),
        (
            "periodic",
            Problem::open([48, 31, 1], sides(Periodic, Periodic, Closed)),
        ),
        (
            "mixed",
            Problem::open([40, 45, 1], [Closed, Face, Node, Closed, Closed, Closed]),
        ),
        (
            "flat",
            Problem::open([90, 3, 1], sides(Periodic, Closed, Closed)),
        ),
        (
            "deep closed",
            Problem::open([12, 10, 11], sides(Closed, Closed, Closed)),
        ),
        (
            "deep mixed",
            Problem::open([9, 14, 8], [Closed, Face, Node, Node, Periodic, Periodic]),
        ),
    ];
    all.into_iter()
        .map(|(name, p)| (name, p.with_noise(7, true)))
        .collect()
}

fn without_mean(mut x: Vec<f32>) -> Vec<f32> {
    let mean = x.iter().map(|v| f64::from(*v)).sum::<f64>() / x.len() as f64;
    x.iter_mut().for_each(|v| *v -= mean as f32);
    x
}

#[test]
fn whole_kernels_are_the_sweeps_that_they_stand_for() {
    for mut dev in devices() {
        for (name, mut p) in boxes() {
            let three = p.dims[2] > 1;
            for (order, shift) in [(1, 0.0), (5, 0.0), (32, 0.0), (7, 0.4)] {
                if order > 7 && (three || dev.kind() != DeviceKind::Cpu) {
                    continue;
                }
                p.shift = shift;
                let from = without_mean(noise(p.codes.len(), 3));
                for (warm, times) in [("false", 1), ("false", 3), ("true", 1), ("true", 2)] {
                    let mut params = filter(&[
                        ("full_kernel", "true"),
                        ("repeat", "TwoFilters"),
                        ("warm_start", warm),
                    ]);
                    set(&mut params, "order", &order.to_string());
                    set(&mut params, "iterations", &times.to_string());
                    let mut x = from.clone();
                    p.solve(&mut dev, &params, &mut x);
                    let mut exact: Vec<f64> = from.iter().map(|v| f64::from(*v)).collect();
                    for time in 0..times {
                        let zero = warm == "false" && time == 0;
                        if zero {
                            exact.fill(0.0);
                        }
                        // On what is there, an odd number of sweeps begins with a shorter one.
                        let first = if zero || order % 2 == 0 { 1.0 } else { 0.625 };
                        exact = sweeps(&p, &exact, order, first);
                    }
                    let free =
                        p.shift == 0.0 && !["face", "node", "mixed", "deep mixed"].contains(&name);
                    let off = p.difference(&x, &exact, free);
                    assert!(
                        off < 1e-5,
                        "{name}, order {order}, {times} times, warm {warm}, shift {shift}: {off}"
                    );
                }
            }
        }
    }
}

/// Away from the sides they are the sweeps of the solver that does nothing else.
#[test]
fn whole_kernels_equal_jacobi_away_from_sides() {
    let mut dev = Device::cpu_with_threads(2);
    for (dims, order) in [([100, 90, 1], 32), ([60, 70, 1], 10), ([24, 26, 22], 6)] {
        let p = Problem::open(dims, sides(Face, Face, Face)).with_noise(5, true);
        let mut params = filter(&[("full_kernel", "true"), ("warm_start", "false")]);
        set(&mut params, "order", &order.to_string());
        let (mut x, mut y) = (vec![0.0; p.codes.len()], vec![0.0; p.codes.len()]);
        p.solve(&mut dev, &params, &mut x);
        p.solve(&mut dev, &solver("jacobi", order), &mut y);
        let [nx, ny, nz] = dims;
        let largest = y.iter().fold(0.0_f32, |m, v| m.max(v.abs()));
        let mut compared = 0;
        for (c, (a, b)) in x.iter().zip(&y).enumerate() {
            let c = c as u32;
            let inner = |at: u32, n: u32| n == 1 || (at >= order && at + order < n);
            if inner(c % nx, nx) && inner(c / nx % ny, ny) && inner(c / (nx * ny), nz) {
                assert!((a - b).abs() < 1e-5 * largest, "{dims:?}, {c}: {a} {b}");
                compared += 1;
            }
        }
        assert!(compared > 500, "{compared}");
    }
}

/// Products of filters are as far from the whole kernel as theory says: in a large box of noise, by the relative error of
/// the kernel itself.
#[test]
fn ranks_are_as_far_off_as_their_kernels() {
    let p = Problem::open([256, 256, 1], sides(Periodic, Periodic, Closed)).with_noise(3, true);
    for mut dev in devices() {
        for (order, rank, error) in [
            (10, 1, 0.116474),
            (10, 2, 0.0191826),
            (30, 1, 0.153747),
            (30, 2, 0.0217483),
            (30, 4, 0.00149235),
            (30, 6, 2.08e-5),
        ] {
            let mut params = filter(&[("warm_start", "false"), ("threshold", "0")]);
            set(&mut params, "order", &order.to_string());
            set(&mut params, "rank", &rank.to_string());
            let mut x = vec![0.0; p.codes.len()];
            p.solve(&mut dev, &params, &mut x);
            let exact = sweeps(&p, &vec![0.0; x.len()], order, 1.0);
            let off = p.difference(&x, &exact, true);
            assert!(
                (off / error - 1.0).abs() < 0.1,
                "order {order}, rank {rank}: {off}, {error}"
            );
        }
    }
}

/// All ways to apply filters.
fn ways() -> Vec<Vec<(&'static str, &'static str)>> {
    vec![
        vec![("rank", "1")],
        vec![("rank", "6"), ("threshold", "0")],
        vec![("order", "33"), ("rank", "5"), ("threshold", "0.02")],
        vec![("repeat", "TwoFilters")],
        vec![
            ("repeat", "TwoFilters"),
            ("rank", "7"),
            ("order", "9"),
            ("threshold", "0"),
        ],
        vec![("warm_start", "false")],
        vec![
            ("warm_start", "false"),
            ("repeat", "TwoFilters"),
            ("order", "2"),
        ],
        vec![("order", "5"), ("full_kernel", "true")],
        vec![
            ("order", "4"),
            ("full_kernel", "true"),
            ("repeat", "TwoFilters"),
        ],
        // So far that a tile of the GPU is filled more than once.
        vec![("order", "128"), ("threshold", "0"), ("rank", "4")],
    ]
}

#[test]
fn every_way_is_the_same_on_both_devices_and_any_number_of_threads() {
    let mut gpu = devices().into_iter().nth(1);
    let mut problems = boxes();
    let holes = |i: u32, j: u32, k: u32| (i * 7 + j * 13 + k * 5).is_multiple_of(31);
    let mixed = [Closed, Face, Closed, Closed, Node, Closed];
    problems.push((
        "holes",
        Problem::new([70, 53, 1], mixed, holes).with_noise(7, false),
    ));
    problems.push((
        "deep holes",
        Problem::new([17, 20, 13], mixed, holes).with_noise(7, false),
    ));
    for (name, p) in problems {
        for way in ways() {
            if way.contains(&("order", "128")) && p.dims[2] > 1 {
                continue;
            }
            let mut params = filter(&way);
            set(&mut params, "iterations", "2");
            let from = noise(p.codes.len(), 3);
            let run = |dev: &mut Device| {
                let mut x = from.clone();
                p.solve(dev, &params, &mut x);
                x
            };
            let one = run(&mut Device::cpu_with_threads(1));
            for threads in [2, 5] {
                assert_eq!(
                    one,
                    run(&mut Device::cpu_with_threads(threads)),
                    "{name}, {way:?}"
                );
            }
            if let Some(gpu) = &mut gpu {
                let exact: Vec<f64> = one.iter().map(|v| f64::from(*v)).collect();
                let off = p.difference(&run(gpu), &exact, false);
                assert!(off < 1e-6, "{name}, {way:?}: {off}");
            }
        }
    }
}

/// x·A x: the measure in which a symmetric correction makes every error smaller.
fn energy(p: &Problem, x: &[f32]) -> f64 {
    let x: Vec<f64> = x.iter().map(|v| f64::from(*v)).collect();
    p.apply(&x).iter().zip(&x).map(|(ax, x)| ax * x).sum()
}

/// With nothing on the right the guess is the error. No way of repeating a filter makes it grow, at any rank and threshold.
#[test]
fn repeating_a_filter_never_makes_an_error_grow() {
    let mut dev = Device::cpu_with_threads(2);
    let holes = |i: u32, j: u32, _: u32| (i * 7 + j * 13).is_multiple_of(31) || i == 9;
    for (name, mut p) in [
        (
            "closed",
            Problem::open([24, 31, 1], sides(Closed, Closed, Closed)),
        ),
        (
            "face",
            Problem::open([24, 20, 1], sides(Face, Face, Closed)),
        ),
        (
            "periodic",
            Problem::open([16, 24, 1], sides(Periodic, Periodic, Closed)),
        ),
        (
            "holes",
            Problem::new(
                [26, 21, 1],
                [Closed, Face, Node, Closed, Closed, Closed],
                holes,
            ),
        ),
        (
            "deep",
            Problem::open([8, 9, 10], sides(Closed, Face, Periodic)),
        ),
    ] {
        p.rhs.fill(0.0);
        for order in [1, 2, 3, 8, 32, 65] {
            if p.dims[2] > 1 && order > 8 {
                continue;
            }
            for (rank, threshold) in [
                (1, "0"),
                (1, "0.1"),
                (2, "0.03"),
                (3, "1e-3"),
                (4, "1e-3"),
                (8, "1e-4"),
            ] {
                for repeat in ["Correction", "TwoFilters"] {
                    let mut params = filter(&[
                        ("threshold", threshold),
                        ("repeat", repeat),
                        ("iterations", "60"),
                    ]);
                    set(&mut params, "order", &order.to_string());
                    set(&mut params, "rank", &rank.to_string());
                    let masked = noise(p.codes.len(), 9).into_iter().zip(&p.codes);
                    let mut x: Vec<f32> = masked
                        .map(|(x, code)| if *code == 0 { 0.0 } else { x })
                        .collect();
                    let first = energy(&p, &x);
                    let mut before = first;
                    for _ in 0..4 {
                        p.solve(&mut dev, &params, &mut x);
                        let after = energy(&p, &x);
                        // Until nothing is left but rounding.
                        assert!(
                            after <= 1.0001 * before.max(1e-12 * first),
                            "{name}, order {order}, rank {rank}, {threshold}, {repeat}: {before} to {after}"
                        );
                        before = after;
                    }
                }
            }
        }
    }
}

/// Nor does a flow that begins with the pressure of the frame before.
#[test]
fn no_way_of_filtering_blows_up_a_flow() {
    let holes = |i: u32, j: u32, _: u32| (i / 5 + j / 4) % 5 == 2;
    let open = [Closed, Face, Closed, Closed, Closed, Closed];
    let boxes = [
        (
            "closed",
            Problem::open([40, 30, 1], sides(Closed, Closed, Closed)),
        ),
        (
            "periodic",
            Problem::open([32, 24, 1], sides(Periodic, Periodic, Closed)),
        ),
        ("holes", Problem::new([35, 28, 1], open, holes)),
        (
            "deep",
            Problem::open([10, 12, 8], sides(Closed, Face, Periodic)),
        ),
    ];
    for (name, p) in boxes {
        let p = p.with_noise(3, true);
        let first = p.residual(&vec![0.0; p.rhs.len()]).0;
        for (order, rank, threshold) in [
            (1, 1, "0"),
            (2, 2, "0"),
            (3, 1, "0"),
            (5, 2, "0.03"),
            (8, 1, "0.1"),
            (9, 3, "1e-3"),
            (32, 1, "1e-3"),
            (33, 4, "1e-3"),
        ] {
            if p.dims[2] > 1 && order > 9 {
                continue;
            }
            for (repeat, iterations) in [
                ("Correction", "1"),
                ("Correction", "3"),
                ("TwoFilters", "1"),
                ("TwoFilters", "2"),
            ] {
                let mut params = filter(&[
                    ("threshold", threshold),
                    ("repeat", repeat),
                    ("iterations", iterations),
                ]);
                set(&mut params, "order", &order.to_string());
                set(&mut params, "rank", &rank.to_string());
                let left = super::frames::left_over(p.clone(), &params, 60);
                let most = left.iter().copied().fold(0.0, f64::max);
                let last = left[59];
                assert!(
                    most < 2.0 * first && last < 0.8 * first,
                    "{name}, order {order}, rank {rank}, {threshold}, {repeat} {iterations}: {} {}",
                    most / first,
                    last / first
                );
            }
        }
    }
}

/// Each parameter has its effect.
#[test]
fn more_of_everything_is_closer() {
    let p = Problem::open([128, 96, 1], sides(Closed, Closed, Closed)).with_noise(3, true);
    let mut dev = Device::cpu_with_threads(2);
    let mut left = |values: &[(&str, &str)]| {
        let mut x = vec![0.0; p.codes.len()];
        p.solve(&mut dev, &filter(values), &mut x).l2
    };
    let plain = left(&[]);
    assert!(left(&[("order", "96")]) < plain && plain < left(&[("order", "8")]));
    assert!(left(&[("iterations", "6")]) < 0.7 * plain);
    assert!(plain < left(&[("rank", "1")]));
    assert!(plain < left(&[("threshold", "0.05")]));
}

#[test]
fn what_a_filter_takes_was_said_for_every_rank() {
    let dims = [96, 80, 1];
    for mut dev in devices() {
        for values in [
            vec![("rank", "8")],
            vec![("rank", "8"), ("repeat", "TwoFilters")],
            vec![("rank", "1")],
        ] {
            let params = filter(&values);
            let before = dev.memory_used();
            let solver = params.create(&mut dev, dims).unwrap();
            let taken = dev.memory_used() - before;
            assert!(
                taken <= params.memory_bytes(dims) + 64 * 1024,
                "{values:?}: {taken}"
            );
            drop(solver);
        }
    }
}

/// A measurement, of no use under load: `cargo test --test suite filters::time -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn time_of_a_filter() {
    use std::time::Instant;
    for n in [128_u32, 256, 512, 1024, 2048] {
        let p = Problem::open([n, n, 1], sides(Closed, Closed, Closed)).with_noise(3, true);
        let cases: [(&str, SolverParams); 7] = [
            ("jacobi 32", solver("jacobi", 32)),
            (
                "rank 4, all taps",
                filter(&[("threshold", "0"), ("warm_start", "false")]),
            ),
            ("rank 4", filter(&[("warm_start", "false")])),
            ("rank 4, correction", filter(&[])),
            ("rank 4, two filters", filter(&[("repeat", "TwoFilters")])),
            ("rank 1", filter(&[("rank", "1"), ("warm_start", "false")])),
            ("rank 8", filter(&[("rank", "8"), ("warm_start", "false")])),
        ];
        for (what, params) in cases {
            let mut dev = Device::cpu_with_threads(2);
            let mut solver = params.create(&mut dev, p.dims).unwrap();
            let stencil = dev.buf_from("stencil", &p.codes).unwrap();
            let rhs = dev.buf_from("rhs", &p.rhs).unwrap();
            let mut x = dev.buf("x", p.codes.len()).unwrap();
            let system = System {
                dims: p.dims,
                stencil: &stencil,
                revision: 1,
                shift: 0.0,
                rhs: &rhs,
                residual_scale: 1.0,
                name: "test",
                unit: "",
            };
            let mut times = Vec::new();
            for _ in 0..30 {
                dev.clear(&mut x);
                let begin = Instant::now();
                dev.threads()
                    .run(|| solver.solve(&mut dev, &system, &mut x, &params));
                times.push(begin.elapsed().as_secs_f64() * 1e3);
                solver.report(&mut dev).unwrap().wait(&mut dev).unwrap();
            }
            times.sort_by(f64::total_cmp);
            let report = solver.report(&mut dev).unwrap().wait(&mut dev).unwrap();
            println!(
                "{n}² {what}: least {:.3} ms, median {:.3} ms, leaves {:.3}",
                times[0],
                times[15],
                report.l2 / report.l2_zero
            );
            for t in dev.take_timings() {
                println!("    {t:?}");
            }
        }
    }
}
