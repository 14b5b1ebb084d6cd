//! The way down to the solution is shown without changing or slowing what is computed.

use std::time::Instant;

use eddy::device::Device;
use eddy::poisson::{SolveReport, SolverParams, System};

use super::system::{Problem, Side, noise, set, sides, solver};

/// Solves again and again on one solver, each time from zero; the reports, the last solution, and the wall time in ms.
fn again(p: &Problem, params: &SolverParams, times: usize) -> (Vec<SolveReport>, Vec<f32>, f64) {
    let mut dev = Device::cpu_with_threads(2);
    let mut solver = params.create(&mut dev, p.dims).unwrap();
    let stencil = dev.buf_from("stencil", &p.codes).unwrap();
    let rhs = dev.buf_from("rhs", &p.rhs).unwrap();
    let mut x = dev.buf("x", p.codes.len()).unwrap();
    let system = System {
        dims: p.dims,
        stencil: &stencil,
        revision: 1,
        shift: p.shift,
        rhs: &rhs,
        residual_scale: 1.0,
        name: "test",
        unit: "",
    };
    let begin = Instant::now();
    let mut reports = Vec::new();
    for _ in 0..times {
        dev.clear(&mut x);
        solver.solve(&mut dev, &system, &mut x, params);
        reports.push(solver.report(&mut dev).unwrap().wait(&mut dev).unwrap());
    }
    let ms = begin.elapsed().as_secs_f64() * 1e3;
    (reports, dev.read(&x).unwrap(), ms)
}

fn problem(n: u32) -> Problem {
    let mut p = Problem::new(
        [n, n, 1],
        sides(Side::Closed, Side::Closed, Side::Closed),
        |i, j, _| i / 16 == 3 && j / 16 == 2,
    );
    p.rhs = noise(p.codes.len(), 3);
    p
}

#[test]
fn every_solve_comes_with_a_curve_and_none_is_changed_by_it() {
    let p = problem(160);
    for id in ["jacobi", "gauss_seidel"] {
        for iterations in [13, 24, 40] {
            let seldom = solver(id, iterations);
            let mut ends = seldom.clone();
            set(&mut ends, "check_every", &iterations.to_string());
            let (reports, x, _) = again(&p, &seldom, 30);
            let (_, same, _) = again(&p, &ends, 30);
            assert_eq!(x, same, "{id} {iterations}");
            for r in &reports {
                assert!(r.curve.len() >= 8, "{id} {iterations}: {:?}", r.curve);
                assert_eq!(r.curve[0], (0, r.l2_before));
                assert_eq!(r.curve[r.curve.len() - 1], (iterations, r.l2));
            }
            let along = reports.iter().filter(|r| r.residuals.len() > 2).count();
            assert_eq!(along, 2, "measured along the way in one of twenty-four");
        }
    }
}

#[test]
fn a_tolerance_is_met_without_saying_how_often_to_look() {
    let p = problem(96);
    for id in ["jacobi", "gauss_seidel"] {
        let mut params = solver(id, 480);
        let (reports, ..) = again(&p, &params, 1);
        let halfway = reports[0].curve[reports[0].curve.len() / 2].1;
        set(&mut params, "tolerance", &halfway.to_string());
        let (reports, ..) = again(&p, &params, 14);
        for r in reports {
            assert!(r.converged && r.iterations < 480, "{id}: {r:?}");
            assert!(r.l2 <= halfway);
        }
    }
}
