//! Obstacles that are honoured cost nothing of what a solve leaves.

use eddy::device::Device;
use eddy::poisson::SOLVERS;

use super::system::{Problem, Side, set, sides, solver};

/// With a disc in its way, a flow through a channel comes out as free of divergence as without.
#[test]
fn a_disc_in_a_channel_leaves_no_more_than_none() {
    use Side::{Closed, Face};
    let disc = |i: u32, j: u32, _: u32| (i as i32 - 15).pow(2) + (j as i32 - 11).pow(2) < 25;
    let mut dev = Device::cpu_with_threads(2);
    for info in SOLVERS.iter().filter(|s| s.obstacles) {
        let left = [false, true].map(|there| {
            let solid = |i: u32, j: u32, k: u32| there && disc(i, j, k);
            let p =
                Problem::new([48, 24, 1], sides(Face, Closed, Closed), solid).with_noise(5, false);
            let mut params = solver(info.id, 20_000);
            set(&mut params, "tolerance", "1e-5");
            let mut x = vec![0.0; p.codes.len()];
            let report = p.solve(&mut dev, &params, &mut x);
            assert!(report.converged, "{}, disc {there}: {report:?}", info.id);
            p.residual(&x).0
        });
        assert!(left.iter().all(|l| *l < 1.1e-5), "{}: {left:?}", info.id);
    }
}
