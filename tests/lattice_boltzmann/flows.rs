//! Whole flows through the method.

use eddy::device::Device;
use eddy::scene::{Condition, Disc, Masks, Obstacle, PathPoint, Scene, Shape};
use eddy::solvers::lattice_boltzmann::{
    AutoSteps, Collision, FixedSteps, OneRate, Parameters, Regularised, Solver, Steps, TwoRates,
};
use eddy::solvers::{Method, StepReport};

use crate::kernels::cpu;
use crate::stable_fluids::{busy, square};

/// A method with its device and scene.
pub struct Lab {
    pub dev: Device,
    pub scene: Scene,
    pub params: Parameters,
    pub solver: Solver,
    masks: Masks,
    time: f64,
    frame: u32,
}

impl Lab {
    pub fn new(scene: Scene, params: Parameters) -> Self {
        Self::on(cpu(), scene, params)
    }
    pub fn on(mut dev: Device, scene: Scene, params: Parameters) -> Self {
        let masks = Masks::load(&scene, ".".as_ref()).unwrap();
        let frame = scene.at(0.0, 0.1, 0, 0.1, &masks);
        let solver = Solver::new(&mut dev, &frame, &params).unwrap();
        Self {
            dev,
            scene,
            params,
            solver,
            masks,
            time: 0.0,
            frame: 0,
        }
    }
    pub fn run(&mut self, steps: u32, dt: f32) -> &mut Self {
        for _ in 0..steps {
            let frame = self.scene.at(self.time, dt, self.frame, dt, &self.masks);
            self.solver.step(&mut self.dev, &frame, &self.params, dt);
            self.time += f64::from(dt);
            self.frame += 1;
        }
        self
    }
    pub fn report(&mut self) -> StepReport {
        let ticket = self.solver.report(&mut self.dev).unwrap();
        ticket.wait(&mut self.dev).unwrap()
    }
    pub fn get(&mut self, name: &str) -> f64 {
        self.report().get(name).unwrap()
    }
    pub fn state(&mut self, name: &str) -> Vec<f32> {
        let mut state = self.solver.state();
        let part = state.iter_mut().find(|s| s.name == name).unwrap();
        self.dev.read(part.buf).unwrap()
    }
}

pub fn collisions() -> [Collision; 3] {
    [
        Collision::Regularised(Regularised {}),
        Collision::TwoRates(TwoRates::default()),
        Collision::OneRate(OneRate {}),
    ]
}

/// The largest difference from the reference along both centre lines, in units of the lid's speed.
fn cavity(reynolds: f64, collision: Collision, time: u32) -> f64 {
    let mut scene = square(128, Condition::NoSlip);
    scene.domain.top.velocity = [1.0, 0.0, 0.0];
    let params = Parameters {
        viscosity: (1.0 / reynolds) as f32,
        eddy_viscosity: 0.0,
        collision,
        // 0.1 cells a step.
        steps: Steps::Fixed(FixedSteps { count: 1280 }),
        ..Parameters::default()
    };
    let mut lab = Lab::new(scene, params);
    lab.run(time, 1.0);
    let (u, v) = (lab.state("velocity x"), lab.state("velocity y"));
    let table = include_str!("../../assets/reference/cavity.csv");
    let first = match reynolds as u32 {
        100 => 2,
        400 => 4,
        _ => 6,
    };
    let mut worst = 0.0_f64;
    let rows = table
        .lines()
        .filter(|l| l.starts_with(|c: char| c.is_ascii_digit()));
    for line in rows {
        let row: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
        let j = row[0] as usize;
        if j == 0 || j == 128 {
            continue;
        }
        let mean = |field: &[f32], cells: [usize; 4]| {
            cells.iter().map(|k| f64::from(field[*k])).sum::<f64>() / 4.0
        };
        let along = |j: usize| [j * 128 + 63, j * 128 + 64];
        let across = |i: usize| [63 * 128 + i, 64 * 128 + i];
        let ours_u = mean(&u, [along(j - 1), along(j)].concat().try_into().unwrap());
        let ours_v = mean(&v, [across(j - 1), across(j)].concat().try_into().unwrap());
        worst = worst
            .max((ours_u - row[first]).abs())
            .max((ours_v - row[first + 1]).abs());
    }
    println!("cavity at Re {reynolds}: {worst:.4} U");
    worst
}

#[test]
fn lid_driven_cavity_at_re_100() {
    let [_, two, one] = collisions();
    assert!(cavity(100.0, two, 16) <= 0.01);
    assert!(cavity(100.0, one, 16) <= 0.01);
}

#[test]
fn lid_driven_cavity_at_re_400() {
    let [regularised, two, _] = collisions();
    assert!(cavity(400.0, two, 32) <= 0.01);
    assert!(cavity(400.0, regularised, 32) <= 0.01);
}

#[test]
fn lid_driven_cavity_at_re_1000() {
    let [_, two, _] = collisions();
    assert!(cavity(1000.0, two, 60) <= 0.02);
}

/// Flow along x: in at the left, out at the right, sliding along the walls, with a post in it.
fn tunnel() -> Scene {
    let mut scene = square(48, Condition::FreeSlip);
    scene.domain.cells_x = 96;
    scene.domain.width = 2.0;
    scene.domain.left.condition = Condition::Inflow;
    scene.domain.left.velocity = [1.0, 0.0, 0.0];
    scene.domain.right.condition = Condition::Open;
    scene.obstacles.push(Obstacle {
        shape: Shape::Disc(Disc { radius: 0.1 }),
        position: [0.6, 0.5, 0.0],
        ..Obstacle::default()
    });
    scene
}

#[test]
fn what_flows_in_flows_out() {
    for collision in collisions() {
        let params = Parameters {
            viscosity: 2e-3,
            collision,
            ..Parameters::default()
        };
        let mut lab = Lab::new(tunnel(), params);
        lab.run(160, 0.05);
        // Mean over a while: eddies pass.
        let mut through = [0.0; 2];
        for _ in 0..40 {
            lab.run(1, 0.05);
            let u = lab.state("velocity x");
            let column = |i: usize| (0..48).map(|j| f64::from(u[j * 96 + i])).sum::<f64>() / 48.0;
            through = [
                through[0] + column(2) / 40.0,
                through[1] + column(93) / 40.0,
            ];
        }
        println!("through the inlet and the outlet: {through:.4?}");
        assert!(
            (through[0] - 1.0).abs() < 0.02 && (through[1] - 1.0).abs() < 0.03,
            "{through:?}"
        );
        assert!((lab.get("mass") - 1.0).abs() < 0.02);
    }
}

#[test]
fn a_moving_obstacle_drags_the_fluid_along() {
    let mut scene = square(48, Condition::NoSlip);
    let mut ball = Obstacle {
        shape: Shape::Disc(Disc { radius: 0.12 }),
        position: [0.3, 0.5, 0.0],
        ..Obstacle::default()
    };
    ball.path.points = [0.0, 0.4]
        .map(|x| PathPoint {
            offset: [x, 0.0, 0.0],
        })
        .to_vec();
    ball.path.duration = 2.0;
    scene.obstacles.push(ball);
    let mut lab = Lab::new(
        scene,
        Parameters {
            viscosity: 1e-3,
            ..Parameters::default()
        },
    );
    lab.run(30, 1.0 / 60.0);
    let speed = lab.get("max_speed");
    let momentum = lab.get("momentum_x");
    println!("momentum {momentum} kg/s a metre of depth");
    assert!(speed > 0.2 && speed < 2.0, "{speed}");
    // Nothing passes the walls: what the ball pushes on goes back round it.
    assert!(momentum < -0.005, "{momentum}");
    assert!((lab.get("mass") - 1.0).abs() < 0.01, "{}", lab.get("mass"));
}

/// When the lattice step changes, the flow does not.
#[test]
fn a_change_of_the_lattice_step_leaves_the_flow() {
    let with = |top_speed| {
        Steps::Auto(AutoSteps {
            speed: 0.1,
            top_speed,
        })
    };
    let mut lab = Lab::new(
        tunnel(),
        Parameters {
            viscosity: 5e-3,
            steps: with(2.0),
            ..Parameters::default()
        },
    );
    lab.run(40, 0.05);
    let before = [lab.state("velocity x"), lab.state("velocity y")];
    let energy = lab.get("kinetic_energy");
    let step = lab.state("lattice step")[0];
    lab.params.steps = with(4.0);
    lab.run(1, 1e-4);
    assert!(
        lab.state("lattice step")[0] < 0.5 * step,
        "it is another one"
    );
    let after = [lab.state("velocity x"), lab.state("velocity y")];
    for (a, b) in before.iter().zip(&after) {
        let difference =
            eddy::field::difference_l2(a, b) / eddy::field::difference_l2(a, &vec![0.0; a.len()]);
        assert!(difference < 0.01, "{difference}");
    }
    assert!((lab.get("kinetic_energy") / energy - 1.0).abs() < 0.01);
}

#[test]
fn a_busy_scene_stays_finite_with_every_collision() {
    for collision in collisions() {
        let mut lab = Lab::new(
            busy(64),
            Parameters {
                collision,
                ..Parameters::default()
            },
        );
        lab.run(60, 1.0 / 60.0);
        let report = lab.report();
        assert!(
            report.invariants.iter().all(|i| i.value.is_finite()),
            "{report:?}"
        );
        assert!(report.get("max_speed").unwrap() > 0.1 && report.get("dye_mass").unwrap() > 0.0);
    }
}

/// Water, whose Reynolds number no grid resolves, in a jet at a coarse grid: the eddy viscosity keeps it whole.
#[test]
fn thin_fluids_stay_whole() {
    let mut lab = Lab::new(
        tunnel(),
        Parameters {
            viscosity: 1e-6,
            ..Parameters::default()
        },
    );
    lab.run(300, 1.0 / 60.0);
    let speed = lab.get("max_speed");
    assert!(speed > 1.0 && speed < 3.0, "{speed}");
}
