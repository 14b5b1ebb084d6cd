//! A flow is solved for its pressure again and again, each time from the pressure of the frame before: what one solve leaves
//! over stays in the velocity, and is solved for by the next.
//!
//! Let `R` be what a solve leaves of the error e of its guess. The velocity keeps the gradient of eₙ, the guess is off by that
//! much once more, and so eₙ₊₁ = R (2 eₙ − eₙ₋₁). It fades away where all eigenvalues of R lie between −1/3 and 1, and grows
//! without bounds where one lies below −1/3: a solver that overshoots by that much blows up the flow, however well it
//! converges when it is left alone.

use eddy::device::Device;
use eddy::poisson::{SOLVERS, SolverParams};

use super::system::{Problem, Side, sides, solver};

/// Frames that are solved.
const FRAMES: usize = 100;

/// The root mean square of what is left after each frame, where nothing happens between them.
pub fn left_over(mut p: Problem, params: &SolverParams, frames: usize) -> Vec<f64> {
    let mut dev = Device::cpu_with_threads(2);
    let mut x = vec![0.0_f32; p.rhs.len()];
    let mut left = Vec::new();
    for _ in 0..frames {
        p.solve(&mut dev, params, &mut x);
        let wide: Vec<f64> = x.iter().map(|v| f64::from(*v)).collect();
        let taken = p.apply(&wide);
        for (b, ax) in p.rhs.iter_mut().zip(taken) {
            *b -= ax as f32;
        }
        left.push(p.residual(&vec![0.0; x.len()]).0);
    }
    left
}

#[test]
fn what_a_solve_leaves_is_never_blown_up_by_the_next_ones() {
    let holes =
        |i: u32, j: u32, _: u32| (i / 5 + j / 4) % 5 == 2 || (i * 7 + j * 13).is_multiple_of(29);
    let open = [
        Side::Closed,
        Side::Face,
        Side::Closed,
        Side::Closed,
        Side::Closed,
        Side::Closed,
    ];
    let all = [
        (
            "closed",
            Problem::open([48, 32, 1], sides(Side::Closed, Side::Closed, Side::Closed)),
        ),
        ("holes", Problem::new([45, 33, 1], open, holes)),
        ("long", Problem::open([96, 12, 1], open)),
        (
            "periodic",
            Problem::open(
                [32, 32, 1],
                sides(Side::Periodic, Side::Periodic, Side::Closed),
            ),
        ),
    ];
    for info in SOLVERS {
        for (name, p) in &all {
            for iterations in [1, 2, 3, 5, 40] {
                let p = p.clone().with_noise(3, true);
                let first = p.residual(&vec![0.0; p.rhs.len()]).0;
                let left = left_over(p, &solver(info.id, iterations), FRAMES);
                let most = left.iter().copied().fold(0.0, f64::max);
                let last = left[FRAMES - 1];
                println!(
                    "{:14} {iterations:3} {name:9} most {:.3} last {:.2e}",
                    info.id,
                    most / first,
                    last / first
                );
                assert!(
                    most < 2.0 * first && last < 0.5 * first,
                    "{} {iterations} {name}",
                    info.id
                );
            }
        }
    }
}
