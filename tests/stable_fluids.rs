//! Stable Fluids: what its parts do, one by one.

use eddy::device::{Device, DeviceChoice};
use eddy::scene::{Blend, Condition, Disc, Emitter, Masks, Motor, Obstacle, Scene, Shape};
use eddy::solvers::stable_fluids::{Parameters, Solver};
use eddy::solvers::{Method, StepReport};

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
        self.solver.report(&mut self.dev).unwrap()
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
    pub fn state(&mut self, name: &str) -> Vec<f32> {
        let mut state = self.solver.state();
        let buf = state.iter_mut().find(|s| s.0 == name).unwrap();
        self.dev.read(buf.1).unwrap()
    }
    pub fn put(&mut self, name: &str, data: &[f32]) {
        let mut state = self.solver.state();
        let buf = state.iter_mut().find(|s| s.0 == name).unwrap();
        self.dev.write(buf.1, data);
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

/// Dye, heat, wind and a moving obstacle.
pub fn busy(n: u32) -> Scene {
    let mut scene = square(n, Condition::NoSlip);
    scene.domain.top.condition = Condition::Open;
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
