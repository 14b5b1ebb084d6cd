//! Shallow water against formulas, exact solutions and its own accounts.

mod accounts;
mod exact;
mod maps;
mod same;

use eddy::device::{Device, DeviceChoice};
use eddy::scene::{Condition, Masks, Scene};
use eddy::solvers::shallow_water::{Parameters, Solver};
use eddy::solvers::{Method, StepReport};

/// The water with its device and scene.
pub struct Pool {
    pub dev: Device,
    pub scene: Scene,
    pub params: Parameters,
    pub solver: Solver,
    pub time: f64,
    pub frame: u32,
    masks: Masks,
}

impl Pool {
    pub fn new(scene: Scene, params: Parameters) -> Self {
        Self::on(Device::new(DeviceChoice::Cpu).unwrap(), scene, params)
    }
    pub fn on(mut dev: Device, scene: Scene, params: Parameters) -> Self {
        let masks = Masks::load(&scene, ".".as_ref()).unwrap();
        let frame = scene.at(0.0, 1.0 / 60.0, 0, 1.0 / 60.0, &masks);
        let solver = Solver::new(&mut dev, &frame, &params).unwrap();
        Self {
            dev,
            scene,
            params,
            solver,
            time: 0.0,
            frame: 0,
            masks,
        }
    }
    pub fn step(&mut self, dt: f32) {
        let frame = self.scene.at(self.time, dt, self.frame, dt, &self.masks);
        self.solver.step(&mut self.dev, &frame, &self.params, dt);
        self.time += f64::from(dt);
        self.frame += 1;
    }
    pub fn run(&mut self, steps: u32, dt: f32) -> &mut Self {
        (0..steps).for_each(|_| self.step(dt));
        self
    }
    pub fn report(&mut self) -> StepReport {
        let report = self.solver.report(&mut self.dev).unwrap();
        report.wait(&mut self.dev).unwrap()
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
        let cells = data.chunks_exact(stride);
        cells.flat_map(|c| c[offset..offset + n].to_vec()).collect()
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
    /// Sum of the depths and of what flies, in cells' areas, in f64.
    pub fn water(&mut self) -> f64 {
        let h = self.scene.domain.grid().h;
        let quantum = f64::from(h / 4096.0);
        let drops = self.state("drops");
        let flies: f64 = drops.chunks_exact(8).map(|d| f64::from(d[3])).sum();
        let depth = self.field("depth");
        assert!(
            depth.iter().all(|h| *h >= 0.0),
            "there is less water than none"
        );
        depth.iter().map(|h| f64::from(*h)).sum::<f64>() + flies * quantum
    }
    /// Depth that came from outside, summed over the cells.
    pub fn added(&mut self) -> f64 {
        self.state("water from outside")
            .iter()
            .map(|h| f64::from(*h))
            .sum()
    }
}

/// A basin of `nx` by `ny` cells, all faces alike.
pub fn basin(nx: u32, ny: u32, width: f32, condition: Condition) -> Scene {
    let mut scene = Scene::default();
    let d = &mut scene.domain;
    (d.cells_x, d.cells_y, d.width) = (nx, ny, width);
    for face in [&mut d.left, &mut d.right, &mut d.bottom, &mut d.top] {
        face.condition = condition;
    }
    scene
}

/// Nothing but the water itself.
pub fn plain(rest_level: f32) -> Parameters {
    let mut p = Parameters {
        rest_level,
        friction: 0.0,
        foam: 0.0,
        ..Parameters::default()
    };
    p.spray.amount = 0.0;
    p
}
