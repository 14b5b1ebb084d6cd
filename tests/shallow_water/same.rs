//! Symmetry, and the same bits wherever and however often.

use eddy::device::Device;
use eddy::field::difference_l2;
use eddy::scene::{Condition, Disc, Shape, Terrain};
use eddy::solvers::Method;
use eddy::solvers::shallow_water::{Momentum, Parameters, Solver};

use super::{Pool, basin, plain};
use crate::kernels::gpu;
use crate::stable_fluids::busy;

#[test]
fn four_quarters_stay_alike() {
    for momentum in [Momentum::Conservative, Momentum::Linear] {
        let n = 65_usize;
        let mut scene = basin(n as u32, n as u32, 1.0, Condition::NoSlip);
        // An island in the middle, dry on top.
        scene.terrain.push(Terrain {
            shape: Shape::Disc(Disc { radius: 0.2 }),
            softness: 0.2,
            height: 0.2,
            ..Terrain::default()
        });
        let mut params = plain(0.1);
        (params.momentum, params.friction) = (momentum, 0.01);
        let mut pool = Pool::new(scene, params);
        let mut depth = pool.field("depth");
        for (c, h) in depth.iter_mut().enumerate() {
            let r = |k: usize| k as f32 - 32.0;
            let (x, y) = (r(c % n), r(c / n));
            *h += if x * x + y * y > 26.0 * 26.0 { 0.08 } else { 0.0 };
        }
        pool.put("depth", &depth);
        pool.run(120, 1.0 / 60.0);
        let depth = pool.field("depth");
        assert!(pool.get("max_speed") > 0.05);
        let mut worst = 0.0_f32;
        for j in 0..n {
            for i in 0..n {
                let (a, b) = (n - 1 - i, n - 1 - j);
                for (x, y) in [(a, j), (i, b), (j, i)] {
                    worst = worst.max((depth[j * n + i] - depth[y * n + x]).abs());
                }
            }
        }
        println!("{momentum:?}: {worst:e} m");
        assert!(worst <= 1e-6);
    }
}

/// Everything that changes.
fn everything(pool: &mut Pool) -> Vec<u32> {
    let names: Vec<_> = pool.solver.state().iter().map(|s| s.name).collect();
    let state = names.into_iter().flat_map(|name| pool.state(name));
    state.map(f32::to_bits).collect()
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let run = |threads| {
        let mut pool = Pool::on(Device::cpu_with_threads(threads), busy(70), Parameters::default());
        pool.run(12, 1.0 / 60.0);
        (everything(&mut pool), pool.report())
    };
    let one = run(1);
    for threads in [2, 3, 5] {
        let many = run(threads);
        assert!(one.0 == many.0, "{threads} threads give another state");
        assert_eq!(one.1, many.1, "{threads} threads give another report");
    }
}

#[test]
fn both_devices_agree_for_a_second() {
    let Some(gpu) = gpu() else { return };
    let run = |dev| {
        let mut pool = Pool::on(dev, busy(48), Parameters::default());
        pool.run(60, 1.0 / 60.0);
        let fields = ["depth", "velocity", "foam", "spray", "wetness"];
        fields.map(|name| (name, pool.field(name)))
    };
    let on_cpu = run(crate::kernels::cpu());
    for ((name, a), (_, b)) in run(gpu).iter().zip(&on_cpu) {
        let size = difference_l2(b, &vec![0.0; b.len()]);
        let difference = difference_l2(a, b) / size.max(1e-12);
        println!("{name}: {difference:e} of {size:e}");
        assert!(difference <= Solver::INFO.parity, "{name}: {difference:e}");
    }
}

#[test]
fn memory_is_what_was_said() {
    let pool = Pool::new(basin(256, 192, 1.0, Condition::NoSlip), Parameters::default());
    let said = Solver::memory_bytes(&pool.scene.domain.grid(), &pool.params);
    let ratio = pool.dev.memory_used() as f64 / said as f64;
    println!("{ratio}");
    assert!((0.95..1.05).contains(&ratio), "{ratio}");
}
