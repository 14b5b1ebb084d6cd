//! How long the parts of a step take; run by `cargo test --release -- --ignored stable_fluids_speed --nocapture`.

use super::*;
use crate::device::DeviceChoice;
use crate::scene::{Emitter, Masks, Scene};

fn time_of(name: &str, params: &Parameters) {
    let mut scene = Scene::default();
    (scene.domain.cells_x, scene.domain.cells_y) = (512, 512);
    scene.emitters.push(Emitter::default());
    let masks = Masks::load(&scene, ".".as_ref()).unwrap();
    let mut dev = Device::new(DeviceChoice::Cpu).unwrap();
    let mut solver = Solver::new(&mut dev, &scene.at(0.0, 0.0, 0, 0.01, &masks), params).unwrap();
    // A swirl, so that the flow crosses cells.
    let [u, v] = &mut solver.velocity;
    for (k, u) in u.now.host_mut().iter_mut().enumerate() {
        *u = ((k / 513) as f32 * 0.02).sin();
    }
    for (k, v) in v.now.host_mut().iter_mut().enumerate() {
        *v = ((k % 512) as f32 * 0.03).sin();
    }
    let mut best: Vec<(String, f64)> = Vec::new();
    let mut fastest = f64::INFINITY;
    for i in 0..40 {
        let frame = scene.at(f64::from(i) * 0.004, 0.004, i, 0.004, &masks);
        dev.take_timings();
        let begin = std::time::Instant::now();
        solver.step(&mut dev, &frame, params, 0.004);
        fastest = fastest.min(begin.elapsed().as_secs_f64() * 1e3);
        for t in dev.take_timings() {
            match best.iter_mut().find(|b| b.0 == t.name) {
                Some(b) => b.1 = b.1.min(t.ms),
                None => best.push((t.name.to_owned(), t.ms)),
            }
        }
    }
    println!("{name}: {fastest:.2} ms a step");
    for (kernel, ms) in best {
        println!("    {kernel:24} {ms:.3} ms");
    }
}

#[test]
#[ignore = "a measurement"]
fn stable_fluids_speed() {
    let lean = Parameters {
        velocity_advection: Scheme::SemiLagrangian,
        dye_advection: Scheme::SemiLagrangian,
        backtrace: Backtrace::Rk1,
        viscosity: Viscosity::Explicit(ExplicitViscosity { kinematic: 1e-5 }),
        ..Parameters::default()
    };
    time_of("semi-Lagrangian, RK1", &lean);
    let sharp = Parameters {
        vorticity_confinement: 1.0,
        ..Parameters::default()
    };
    time_of("MacCormack, RK2, confinement", &sharp);
}
