//! Stable Fluids: what its parts do, one by one.

use eddy::device::{Device, DeviceChoice};
use eddy::params::{self, Value, ValueKind};
use eddy::scene::{
    Blend, BoxShape, Condition, Disc, Emitter, Masks, Motor, Obstacle, PathPoint, Scene, Shape,
    Slip, Terrain,
};
use eddy::solvers::stable_fluids::{ImplicitViscosity, Parameters, Scheme, Solver, Viscosity};
use eddy::solvers::{METHODS, Method, MethodParams, StepReport};

use crate::kernels::cpu;
use crate::physics::sweeps;

/// Numbers that look random and are always the same.
pub struct Noise(u32);

impl Noise {
    pub fn new(seed: u32) -> Self {
        Self(seed)
    }
    /// From −1 to 1.
    pub fn signed(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// A method with its device and scene.
pub struct Lab {
    pub dev: Device,
    pub scene: Scene,
    pub params: Parameters,
    pub solver: Solver,
    pub time: f64,
    pub frame: u32,
}

impl Lab {
    pub fn new(scene: Scene, params: Parameters) -> Self {
        Self::on(Device::new(DeviceChoice::Cpu).unwrap(), scene, params)
    }
    pub fn on(mut dev: Device, scene: Scene, params: Parameters) -> Self {
        let frame = scene.at(
            0.0,
            1.0,
            0,
            1.0,
            &Masks::load(&scene, ".".as_ref()).unwrap(),
        );
        let solver = Solver::new(&mut dev, &frame, &params).unwrap();
        Self {
            dev,
            scene,
            params,
            solver,
            time: 0.0,
            frame: 0,
        }
    }
    pub fn step(&mut self, dt: f32) {
        let masks = Masks::load(&self.scene, ".".as_ref()).unwrap();
        let frame = self.scene.at(self.time, dt, self.frame, dt, &masks);
        self.solver.step(&mut self.dev, &frame, &self.params, dt);
        self.time += f64::from(dt);
        self.frame += 1;
    }
    pub fn run(&mut self, steps: u32, dt: f32) -> &mut Self {
        (0..steps).for_each(|_| self.step(dt));
        self
    }
    pub fn report(&mut self) -> StepReport {
        self.solver
            .report(&mut self.dev)
            .unwrap()
            .wait(&mut self.dev)
            .unwrap()
    }
    pub fn get(&mut self, name: &str) -> f64 {
        self.report().get(name).unwrap()
    }
    /// A field, component by component interleaved.
    pub fn field(&mut self, name: &str) -> Vec<f32> {
        let field = self.solver.field(&mut self.dev, name).unwrap();
        let (n, stride, offset) = (
            field.desc.components as usize,
            field.stride as usize,
            field.offset as usize,
        );
        let data = self.dev.read(field.buf).unwrap();
        data.chunks_exact(stride)
            .flat_map(|c| c[offset..offset + n].to_vec())
            .collect()
    }
    /// Names of the parts of the state.
    pub fn names(&mut self) -> Vec<&'static str> {
        self.solver.state().iter().map(|s| s.name).collect()
    }
    pub fn state(&mut self, name: &str) -> Vec<f32> {
        let mut state = self.solver.state();
        let part = state.iter_mut().find(|s| s.name == name).unwrap();
        self.dev.read(part.buf).unwrap()
    }
    pub fn put(&mut self, name: &str, data: &[f32]) {
        let mut state = self.solver.state();
        let part = state.iter_mut().find(|s| s.name == name).unwrap();
        self.dev.write(part.buf, data);
        self.solver.restored();
    }
}

/// A square of `n`² cells, 1 m wide, all faces alike.
pub fn square(n: u32, condition: Condition) -> Scene {
    let mut scene = Scene::default();
    let d = &mut scene.domain;
    (d.cells_x, d.cells_y, d.width) = (n, n, 1.0);
    for face in [&mut d.left, &mut d.right, &mut d.bottom, &mut d.top] {
        face.condition = condition;
    }
    scene
}

/// Dye, heat, wind, a hill and a moving obstacle.
pub fn busy(n: u32) -> Scene {
    let mut scene = square(n, Condition::NoSlip);
    scene.domain.top.condition = Condition::Open;
    scene.domain.right.condition = Condition::Absorbing;
    scene.terrain.push(Terrain {
        position: [0.36, 0.3, 0.0],
        softness: 0.04,
        height: 0.099,
        ..Terrain::default()
    });
    scene.emitters.push(Emitter {
        temperature_blend: Blend::Clamp,
        velocity_blend: Blend::Replace,
        ..Emitter::default()
    });
    scene.motors.push(Motor::default());
    let mut ball = Obstacle {
        shape: Shape::Disc(Disc { radius: 0.1 }),
        position: [0.6, 0.6, 0.0],
        ..Obstacle::default()
    };
    ball.path.spin = 90.0;
    scene.obstacles.push(ball);
    scene
}

#[test]
fn a_busy_scene_stays_finite() {
    let mut lab = Lab::new(busy(64), Parameters::default());
    lab.run(50, 1.0 / 60.0);
    for name in [
        "velocity",
        "dye",
        "temperature",
        "pressure",
        "vorticity",
        "divergence",
        "residual",
    ] {
        let field = lab.field(name);
        assert!(field.iter().all(|v| v.is_finite()), "{name}");
        assert!(field.iter().any(|v| *v != 0.0), "{name}");
    }
    assert!(lab.get("dye_mass") > 0.0);
}

/// Flow along x through a square: in at the left, out at the right, between `walls`.
fn wind_tunnel(n: u32, walls: Condition) -> Scene {
    let mut scene = square(n, walls);
    scene.domain.left.condition = Condition::Inflow;
    scene.domain.left.velocity = [1.0, 0.0, 0.0];
    scene.domain.right.condition = Condition::Open;
    scene
}

fn syrup(kinematic: f32) -> Parameters {
    Parameters {
        viscosity: Viscosity::Implicit(ImplicitViscosity {
            kinematic,
            solver: sweeps(40),
        }),
        pressure: sweeps(300),
        ..Parameters::default()
    }
}

#[test]
fn even_wind_stays_even_between_slippery_walls() {
    let mut lab = Lab::new(wind_tunnel(32, Condition::FreeSlip), syrup(1e-2));
    lab.run(300, 0.02);
    for u in lab.state("velocity x") {
        assert!((u - 1.0).abs() < 1e-3, "{u}");
    }
    let v = lab.state("velocity y");
    assert!(v.iter().all(|v| v.abs() < 1e-3));
}

#[test]
fn walls_that_hold_the_fluid_slow_it() {
    let mut lab = Lab::new(wind_tunnel(32, Condition::NoSlip), syrup(1e-2));
    lab.run(200, 0.02);
    let u = lab.state("velocity x");
    let at = |j: usize| u[j * 33 + 24];
    assert!(at(0) < 0.3 && at(31) < 0.3, "{} {}", at(0), at(31));
    assert!(at(16) > 1.1, "{}", at(16));
    // What enters leaves: the flux is the same through every column.
    for i in 0..33 {
        let flux: f32 = (0..32).map(|j| u[j * 33 + i]).sum::<f32>() / 32.0;
        assert!((flux - 1.0).abs() < 2e-3, "column {i}: {flux}");
    }
}

#[test]
fn dye_leaves_through_an_open_face_and_none_enters() {
    let mut lab = Lab::new(wind_tunnel(32, Condition::FreeSlip), Parameters::default());
    lab.put("velocity x", &vec![1.0; 33 * 32]);
    let blob: Vec<f32> = (0..32 * 32).flat_map(|_| [1.0, 0.5, 0.25, 10.0]).collect();
    lab.put("dye and temperature", &blob);
    let mut mass = lab.get("dye_mass");
    assert!((mass - 1.75 / 3.0).abs() < 1e-5);
    for _ in 0..60 {
        lab.step(0.03);
        let now = lab.get("dye_mass");
        assert!(now <= mass * 1.0001, "{now} after {mass}");
        mass = now;
    }
    assert!(mass < 1e-3, "{mass}");
}

/// A look that is moved across a periodic face goes on as before.
#[test]
fn periodic_faces_are_not_there() {
    let n = 32_usize;
    let run = |shift: usize| {
        let mut lab = Lab::new(square(n as u32, Condition::Periodic), Parameters::default());
        let mut noise = Noise::new(9);
        let cell: Vec<[f32; 4]> = (0..n * n)
            .map(|_| [(); 4].map(|()| noise.signed().abs()))
            .collect();
        let flow: Vec<[f32; 2]> = (0..n * n)
            .map(|_| [noise.signed(), noise.signed()])
            .collect();
        let from = |i: usize, j: usize| ((j + n - shift) % n) * n + (i + n - shift) % n;
        let u = (0..n * (n + 1))
            .map(|k| flow[from(k % (n + 1), k / (n + 1))][0])
            .collect::<Vec<_>>();
        let v = (0..n * (n + 1))
            .map(|k| flow[from(k % n, k / n)][1])
            .collect::<Vec<_>>();
        let q = (0..n * n)
            .flat_map(|k| cell[from(k % n, k / n)])
            .collect::<Vec<_>>();
        lab.put("velocity x", &u);
        lab.put("velocity y", &v);
        lab.put("dye and temperature", &q);
        lab.run(5, 0.02);
        lab.field("dye")
    };
    let (still, moved) = (run(0), run(11));
    for k in 0..n * n {
        let (i, j) = (k % n, k / n);
        let other = ((j + 11) % n) * n + (i + 11) % n;
        let (a, b) = (still[3 * k], moved[3 * other]);
        assert!((a - b).abs() < 2e-4, "cell {i} {j}: {a} {b}");
    }
}

#[test]
fn a_moving_obstacle_pushes_the_fluid_aside() {
    let mut scene = square(48, Condition::NoSlip);
    let mut block = Obstacle {
        shape: Shape::Box(BoxShape {
            half_size: [0.1, 0.1, 0.1],
            rounding: 0.0,
        }),
        position: [0.3, 0.5, 0.0],
        ..Obstacle::default()
    };
    let point = |x| PathPoint {
        offset: [x, 0.0, 0.0],
    };
    block.path.points = vec![point(0.0), point(0.2), point(0.4)];
    (block.path.duration, block.path.closed) = (2.0, false);
    scene.obstacles.push(block);
    let params = Parameters {
        pressure: sweeps(400),
        ..Parameters::default()
    };
    let mut lab = Lab::new(scene, params);
    lab.run(30, 1.0 / 60.0);
    let (obstacle, velocity) = (lab.field("obstacle"), lab.field("velocity"));
    let centre = obstacle
        .iter()
        .enumerate()
        .filter(|c| c.0 / 48 == 24 && *c.1 > 0.99);
    let columns: Vec<usize> = centre.map(|c| c.0 % 48).collect();
    let (back, front) = (columns[0], columns[columns.len() - 1]);
    assert!(back > 10, "it has moved to {back}..{front}");
    let u = |i: usize, j: usize| velocity[2 * (j * 48 + i)];
    assert!(
        u(front + 1, 24) > 0.05 && u(back - 1, 24) > 0.05,
        "{} {}",
        u(front + 1, 24),
        u(back - 1, 24)
    );
    // The fluid flows back above and below.
    let middle = (back + front) / 2;
    assert!(
        u(middle, 44) < -0.01 && u(middle, 4) < -0.01,
        "{} {}",
        u(middle, 44),
        u(middle, 4)
    );
    let speed = lab.get("max_speed");
    assert!(lab.get("divergence_linf") < 1e-3 * speed * 48.0);
}

#[test]
fn fluid_slides_along_a_slippery_obstacle_and_sticks_to_a_rough_one() {
    let beside = |surface| {
        let mut scene = wind_tunnel(40, Condition::FreeSlip);
        scene.obstacles.push(Obstacle {
            shape: Shape::Box(BoxShape {
                half_size: [0.6, 0.05, 0.1],
                rounding: 0.0,
            }),
            position: [0.8, 0.5, 0.0],
            surface,
            ..Obstacle::default()
        });
        let mut lab = Lab::new(scene, syrup(1e-2));
        lab.run(150, 0.02);
        let (obstacle, velocity) = (lab.field("obstacle"), lab.field("velocity"));
        let row =
            (0..40).find(|j| obstacle[j * 40 + 30] < 0.01 && obstacle[(j + 1) * 40 + 30] > 0.5);
        velocity[2 * (row.unwrap() * 40 + 30)]
    };
    let (slips, sticks) = (beside(Slip::FreeSlip), beside(Slip::NoSlip));
    assert!(slips > 0.9 && sticks < 0.5, "{slips} {sticks}");
}

#[test]
fn obstacles_hold_no_dye_and_let_none_through() {
    let mut scene = square(40, Condition::NoSlip);
    // A wall from side to side, dye and wind below it.
    scene.obstacles.push(Obstacle {
        shape: Shape::Box(BoxShape {
            half_size: [2.0, 0.05, 0.1],
            rounding: 0.0,
        }),
        ..Obstacle::default()
    });
    scene.emitters.push(Emitter::default());
    scene.motors.push(Motor {
        position: [0.5, 0.3, 0.0],
        ..Motor::default()
    });
    for scheme in [
        Scheme::SemiLagrangian,
        Scheme::MacCormack,
        Scheme::Bfecc,
        Scheme::ForwardReverse,
    ] {
        let params = Parameters {
            velocity_advection: scheme,
            dye_advection: scheme,
            ..Parameters::default()
        };
        let mut lab = Lab::new(scene.clone(), params);
        lab.run(40, 0.03);
        let dye = lab.field("dye");
        assert!(dye[..3 * 40 * 18].iter().any(|d| *d > 0.1));
        assert!(dye[3 * 40 * 18..].iter().all(|d| *d == 0.0), "{scheme:?}");
    }
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let run = |threads| {
        let mut params = syrup(1e-3);
        params.vorticity_confinement = 1.0;
        let mut lab = Lab::on(Device::cpu_with_threads(threads), busy(70), params);
        lab.run(8, 1.0 / 60.0);
        let names = [
            "velocity x",
            "velocity y",
            "dye and temperature",
            "pressure",
        ];
        let state: Vec<u32> = names
            .iter()
            .flat_map(|n| lab.state(n))
            .map(f32::to_bits)
            .collect();
        (state, lab.report())
    };
    let one = run(1);
    for threads in [2, 3, 5] {
        let many = run(threads);
        assert!(one.0 == many.0, "{threads} threads give another state");
        assert_eq!(one.1, many.1, "{threads} threads give another report");
    }
}

#[test]
fn a_state_that_was_put_back_goes_on_bit_for_bit() {
    // A disc that goes its way, so that cells are uncovered.
    let mut scene = busy(40);
    let way = [0.0, 0.2].map(|x| PathPoint {
        offset: [x, 0.0, 0.0],
    });
    scene.obstacles[0].path.points = way.to_vec();
    let mut first = Lab::new(scene.clone(), Parameters::default());
    first.run(6, 1.0 / 60.0);
    let mut second = Lab::new(scene, Parameters::default());
    let names = first.names();
    for name in names.clone() {
        let data = first.state(name);
        second.put(name, &data);
    }
    (second.time, second.frame) = (first.time, first.frame);
    first.run(4, 1.0 / 60.0);
    second.run(4, 1.0 / 60.0);
    for name in names {
        assert!(first.state(name) == second.state(name), "{name}");
    }
    for desc in Solver::INFO.fields {
        assert!(
            first.field(desc.name) == second.field(desc.name),
            "{}",
            desc.name
        );
    }
}

#[test]
fn the_step_limit_is_that_of_explicit_viscosity() {
    let mut lab = Lab::new(square(32, Condition::NoSlip), Parameters::default());
    let frame = lab.scene.at(
        0.0,
        0.1,
        0,
        0.1,
        &Masks::load(&lab.scene, ".".as_ref()).unwrap(),
    );
    assert_eq!(lab.solver.max_dt(&frame, &lab.params), f32::INFINITY);
    params::set(&mut lab.params, "viscosity.kind", "explicit").unwrap();
    params::set(&mut lab.params, "viscosity.kinematic", "0.01").unwrap();
    let limit = lab.solver.max_dt(&frame, &lab.params);
    assert!((limit - 1.0 / (32.0 * 32.0) / 0.04).abs() < 1e-6 * limit);
}

#[test]
fn memory_is_what_was_said() {
    for text in ["off", "explicit", "implicit"] {
        for scheme in [
            Scheme::SemiLagrangian,
            Scheme::MacCormack,
            Scheme::ForwardReverse,
        ] {
            let mut p = Parameters {
                velocity_advection: scheme,
                dye_advection: scheme,
                ..Parameters::default()
            };
            params::set(&mut p, "viscosity.kind", text).unwrap();
            let lab = Lab::new(square(128, Condition::NoSlip), p.clone());
            let frame = lab.scene.at(
                0.0,
                0.1,
                0,
                0.1,
                &Masks::load(&lab.scene, ".".as_ref()).unwrap(),
            );
            let (said, taken) = (Solver::memory_bytes(&frame.grid, &p), lab.dev.memory_used());
            let ratio = taken as f64 / said as f64;
            assert!(
                (0.85..1.15).contains(&ratio),
                "{text} {scheme:?}: {taken} taken, {said} said"
            );
        }
    }
}

/// Values that differ from the one that an entry has.
fn others(entry: &params::Entry) -> Vec<Value> {
    let [low, high] = entry.spec.hard;
    match &entry.value {
        Value::Float(v) => [v * 8.0 + 0.3, v * 0.1 - 0.01]
            .into_iter()
            .map(|v| Value::Float(v.clamp(low, high)))
            .collect(),
        Value::Int(v) => vec![Value::Int(v * 3 + 2), Value::Int(low.max(1.0) as u32)],
        Value::Bool(v) => vec![Value::Bool(!v)],
        Value::Choice(v) => {
            let ValueKind::Choice(options) = entry.spec.kind else {
                unreachable!()
            };
            let names = options.iter().map(|o| o.name.to_owned());
            names.filter(|o| o != v).map(Value::Choice).collect()
        }
        _ => Vec::new(),
    }
}

/// Everything that a method shows after a few steps of a scene.
fn shown(scene: &Scene, params: &MethodParams) -> Vec<u32> {
    let masks = Masks::load(scene, ".".as_ref()).unwrap();
    let mut dev = cpu();
    let dt = 0.02;
    let at = |i: u32| scene.at(f64::from(i) * f64::from(dt), dt, i, dt, &masks);
    let mut method = params.create(&mut dev, &at(0)).unwrap();
    for i in 0..6 {
        method.step(&mut dev, &at(i), params, dt);
    }
    let mut all = Vec::new();
    for desc in method.info().fields {
        let field = method.field(&mut dev, desc.name).unwrap();
        all.extend(dev.read(field.buf).unwrap().into_iter().map(f32::to_bits));
    }
    all
}

/// Every parameter of every method, under every alternative that it can have, changes some field.
#[test]
fn no_parameter_is_without_effect() {
    let mut tried = 0;
    let scene = busy(24);
    let mut plain = scene.clone();
    let domain = &mut plain.domain;
    for face in [
        &mut domain.left,
        &mut domain.right,
        &mut domain.bottom,
        &mut domain.top,
    ] {
        face.condition = Condition::Periodic;
    }
    plain.obstacles.clear();
    for info in METHODS {
        let mut bases = vec![MethodParams::from_id(info.id).unwrap()];
        let mut done = 0;
        while done < bases.len() {
            let mut base = bases[done].clone();
            done += 1;
            // Solvers that stop early, after some iterations, so that when they look matters too.
            for entry in params::entries(&base) {
                let of_pressure = entry.path.starts_with("pressure");
                let value = match entry.spec.name {
                    "tolerance" => Value::Float(if of_pressure { 1.0 } else { 1e-3 }),
                    "check_every" => Value::Int(2),
                    "iterations" => Value::Int(400),
                    "kinematic" => Value::Float(0.1),
                    _ => continue,
                };
                params::set_value(&mut base, &entry.path, &value);
            }
            let before = shown(&scene, &base);
            for entry in params::entries(&base) {
                let values = others(&entry);
                // A choice of one.
                let mut changed = values.is_empty();
                for value in values {
                    let mut other = base.clone();
                    assert!(
                        params::set_value(&mut other, &entry.path, &value),
                        "{}",
                        entry.path
                    );
                    changed |= shown(&scene, &other) != before;
                    // What obstacles and open sides rule out shows where there are none.
                    changed = changed || shown(&plain, &other) != shown(&plain, &base);
                    // Alternatives with parameters of their own are looked at in turn, once each.
                    let seen =
                        |b: &MethodParams| params::get(b, &entry.path) == Some(value.clone());
                    if entry.spec.name == "kind" && !bases.iter().any(seen) {
                        bases.push(other);
                    }
                }
                assert!(changed, "{}: {} changes nothing", info.id, entry.path);
            }
        }
        tried += done;
    }
    assert!(tried > 2, "{tried} alternatives were tried");
}

#[test]
fn momentum_is_that_of_the_flow() {
    let mut lab = Lab::new(square(32, Condition::Periodic), Parameters::default());
    for (name, speed) in [("velocity x", 0.3), ("velocity y", -0.2)] {
        let n = lab.state(name).len();
        lab.put(name, &vec![speed; n]);
    }
    lab.run(3, 1.0 / 60.0);
    assert!((lab.get("momentum_x") - 0.3).abs() < 1e-5);
    assert!((lab.get("momentum_y") + 0.2).abs() < 1e-5);
}
