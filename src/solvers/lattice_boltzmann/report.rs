//! What a step says about the flow and about the lattice that carries it.

use super::cells::Totals;
use super::params::Parameters;
use super::sets::BRAKE;
use super::units::{SOUND, Units};
use crate::scene::SceneFrame;
use crate::solvers::Invariant;

/// What is known about a step before its sums are there.
#[derive(Clone, Debug, Default)]
pub struct Said {
    units: Option<Units>,
    viscosity: f32,
    /// Size of what the flow goes round, m.
    feature: f32,
    /// Edges of what is drawn finest, in cells.
    cells: f32,
    notices: Vec<String>,
}

impl Said {
    /// Notes what the scene says.
    pub fn scene(&mut self, scene: &SceneFrame, units: &Units, p: &Parameters) {
        self.units = Some(*units);
        self.viscosity = p.viscosity;
        let domain = scene.grid.size();
        let sides =
            |low: &[f32; 4], high: &[f32; 4]| [0, 1].map(|a| (high[a] - low[a]).min(domain[a]));
        let boxes = scene
            .obstacles
            .iter()
            .map(|o| sides(&o.place.low, &o.place.high));
        let boxes: Vec<[f32; 2]> = match scene.obstacles.is_empty() {
            false => boxes.collect(),
            true => scene
                .emitters
                .iter()
                .map(|e| sides(&e.place.low, &e.place.high))
                .collect(),
        };
        let all = [domain[0].min(domain[1]); 2];
        let finest = boxes.iter().flatten().copied().fold(all[0], f32::min);
        // A Reynolds number is that of the largest obstacle, across; without one, of the domain.
        let largest = match scene.obstacles.is_empty() {
            false => boxes.iter().map(|b| b[0].min(b[1])).fold(0.0, f32::max),
            true => all[0],
        };
        self.feature = largest;
        self.cells = finest / units.h;
        self.notices = units.notices(p);
        if self.cells < 4.0 && !boxes.is_empty() {
            self.notices.push(format!(
                "The finest thing in the scene is {:.1} cells across; below 4 it acts as something else. {} cells along x would do.",
                self.cells,
                (scene.grid.cells[0] as f32 * 4.0 / self.cells.max(0.01)).ceil(),
            ));
        }
    }

    /// The lattice steps of the last step.
    pub fn units(&self) -> Units {
        self.units.unwrap_or(Units {
            h: 1.0,
            steps: 1,
            dt: 1.0,
            tau: 1.0,
            speed: 0.0,
        })
    }

    /// See [`StepReport::notices`](crate::solvers::StepReport::notices).
    pub fn notices(&self, totals: &Totals) -> Vec<String> {
        let mut all = self.notices.clone();
        let speed = totals.max_speed / f64::from(self.units().scale());
        if speed > f64::from(BRAKE) {
            all.push(format!(
                "The flow is faster than the lattice can follow ({:.1} m/s, {speed:.2} cells a lattice step) and is being held back: \
                 set steps.top_speed to {:.1} m/s.",
                totals.max_speed,
                2.0 * totals.max_speed,
            ));
        }
        all
    }

    /// The totals after a step of `dt` s as invariants of a report.
    pub fn invariants(&self, totals: &Totals, dt: f32) -> Vec<Invariant> {
        let units = self.units();
        let (h, dt) = (f64::from(units.h), f64::from(dt));
        let area = h * h;
        let cells = totals.cells.max(1.0);
        let speed = totals.max_speed / f64::from(units.scale());
        let reynolds = totals.max_speed * f64::from(self.feature / self.viscosity.max(1e-20));
        let dye = (totals.scalars[0] + totals.scalars[1] + totals.scalars[2]) / 3.0;
        let item = Invariant::new;
        vec![
            item("max_speed", "Largest speed", "m/s", totals.max_speed),
            item("cfl", "Cells a step (CFL)", "", totals.max_speed * dt / h),
            item(
                "kinetic_energy",
                "Kinetic energy over density",
                "m⁴/s²",
                0.5 * totals.speed2 * area,
            ),
            item(
                "momentum_x",
                "Momentum over density, to the right",
                "m³/s",
                totals.velocity[0] * area,
            ),
            item(
                "momentum_y",
                "Momentum over density, upwards",
                "m³/s",
                totals.velocity[1] * area,
            ),
            item(
                "mass",
                "Mass over that at rest",
                "",
                1.0 + totals.density / cells,
            ),
            item(
                "compression",
                "Largest change of density",
                "",
                totals.max_density,
            ),
            item(
                "lattice_steps",
                "Lattice steps in a step",
                "",
                f64::from(units.steps),
            ),
            item("tau", "Relaxation time", "steps", f64::from(units.tau)),
            item(
                "lattice_speed",
                "Largest speed in cells a lattice step",
                "",
                speed,
            ),
            item(
                "mach",
                "Largest Mach number of the lattice",
                "",
                speed / f64::from(SOUND),
            ),
            item("reynolds", "Reynolds number", "", reynolds),
            item(
                "feature_cells",
                "Cells across the finest thing",
                "",
                f64::from(self.cells),
            ),
            item(
                "dye_mass",
                "Dye: mean of the colours times area",
                "m²",
                dye * area,
            ),
            item(
                "mean_temperature",
                "Mean temperature",
                "K",
                totals.scalars[3] / cells,
            ),
        ]
    }
}
