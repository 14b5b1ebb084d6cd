//! From SI to lattice units: how many lattice steps a step has, and whether they can carry the flow.
//!
//! A lattice step is `δ` s, a cell `h` m. Velocities are `u δ/h` cells a step, the relaxation time of the stress is
//! `τ = ½ + 3 ν δ/h²` steps, the speed of sound is 1/√3 cells a step, so that the Mach number is `√3 u δ/h`. Errors by
//! compression go with its square.

use super::params::{Parameters, Steps};
use crate::scene::{Condition, SceneFrame};

/// Speed of sound, cells a step.
pub const SOUND: f32 = 0.577_350_26;
/// Beyond this speed, in cells a step, compression begins to show.
pub const WARN: f32 = 0.1;
/// Beyond this speed nothing is right any more.
pub const REFUSE: f32 = 0.3;
/// Largest relaxation time that is chosen: beyond it walls shift and stress is smeared.
const MOST_TAU: f32 = 1.0;
/// Most lattice steps in one step of the simulation; beyond that, the simulation takes sub-steps.
pub const MOST_STEPS: u32 = 256;

/// The lattice steps of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Edge of a cell, m.
    pub h: f32,
    /// How many there are.
    pub steps: u32,
    /// How long each is, s.
    pub dt: f32,
    /// Relaxation time, steps.
    pub tau: f32,
    /// Fastest thing to be reckoned with, cells a step.
    pub speed: f32,
}

impl Units {
    /// For a step of `dt` s with flow of up to `top` m/s.
    pub fn new(h: f32, dt: f32, top: f32, p: &Parameters) -> Self {
        let steps = match &p.steps {
            Steps::Fixed(fixed) => fixed.count.max(1),
            Steps::Auto(auto) => rung((dt / longest(h, top, auto.speed, p.viscosity)).ceil()),
        };
        let each = dt / steps as f32;
        Self {
            h,
            steps,
            dt: each,
            tau: 0.5 + 3.0 * p.viscosity * each / (h * h),
            speed: top * each / h,
        }
    }

    /// m/s of a cell a step.
    pub fn scale(&self) -> f32 {
        self.h / self.dt
    }

    /// Why the lattice cannot carry this, and what would.
    pub fn refusal(&self, p: &Parameters) -> Option<String> {
        let Self { h, steps, .. } = *self;
        if self.speed > REFUSE {
            let wanted = (steps as f32 * self.speed / WARN).ceil();
            let larger = h * self.speed / WARN;
            let finer = match &p.steps {
                Steps::Fixed(_) => format!(
                    "{wanted:.0} lattice steps instead of {steps} would do, or steps.kind = Auto"
                ),
                Steps::Auto(_) => format!(
                    "{:.0} times as many sub-steps (time.max_substeps) would do, or a smaller scene speed",
                    (self.speed / WARN).ceil()
                ),
            };
            return Some(format!(
                "the fastest flow moves {:.2} cells a lattice step, and beyond {REFUSE} nothing is right. {finer}, or cells \
                 of {larger:.2e} m instead of {h:.2e} m",
                self.speed,
            ));
        }
        if self.tau <= 0.5 && p.eddy_viscosity == 0.0 {
            // τ − ½ that leaves some digits.
            let least = 1e-4 / 3.0 * h * h / self.dt;
            return Some(format!(
                "the relaxation time is as good as ½ a step, and must be more. A viscosity of {least:.1e} m²/s or more would do, \
                 or cells of {:.1e} m instead of {h:.1e} m, or an eddy viscosity of 0.1",
                h * (p.viscosity.max(1e-12) / least).sqrt(),
            ));
        }
        None
    }

    /// What people should know about the lattice.
    pub fn notices(&self, p: &Parameters) -> Vec<String> {
        let mut all = Vec::new();
        if self.speed > WARN * 1.001 {
            all.push(format!(
                "The fastest thing in the scene moves {:.2} cells a lattice step (Mach {:.2}): beyond {WARN} compression shows. \
                 {} lattice steps would keep it below.",
                self.speed,
                self.speed / SOUND,
                (self.steps as f32 * self.speed / WARN).ceil(),
            ));
        }
        if self.tau < 0.502 && p.eddy_viscosity == 0.0 {
            all.push(format!(
                "The relaxation time is {:.4} steps: so near to ½ the flow may burst. An eddy viscosity of 0.1 keeps it whole.",
                self.tau
            ));
        }
        if self.tau > 2.0 {
            all.push(format!(
                "The relaxation time is {:.1} steps: beyond 2 walls shift and stress is smeared. {} lattice steps would keep it at 1.",
                self.tau,
                (self.steps as f32 * (self.tau - 0.5) / 0.5).ceil(),
            ));
        }
        all
    }
}

/// Longest lattice step, s.
pub fn longest(h: f32, top: f32, speed: f32, viscosity: f32) -> f32 {
    let by_speed = speed * h / top.max(1e-20);
    let by_stress = (MOST_TAU - 0.5) * h * h / (3.0 * viscosity);
    by_speed.min(by_stress)
}

/// The next of 1, 2, 3, 4, 6, 8, 12, 16, … : so that the step rarely changes when the scene does.
fn rung(wanted: f32) -> u32 {
    let mut low = 1;
    while low < MOST_STEPS && (low as f32) < wanted {
        let middle = low + low / 2;
        if middle > low && middle as f32 >= wanted {
            return middle;
        }
        low *= 2;
    }
    low
}

/// Fastest flow that a scene is likely to make, m/s.
pub fn top_speed(scene: &SceneFrame, p: &Parameters) -> f32 {
    if let Steps::Auto(auto) = &p.steps
        && auto.top_speed > 0.0
    {
        return auto.top_speed;
    }
    let size = |v: &[f32]| (v[0] * v[0] + v[1] * v[1]).sqrt();
    let across = |low: &[f32; 4], high: &[f32; 4]| {
        let domain = scene.grid.size();
        let along = |a: usize| (high[a].min(domain[a]) - low[a].max(0.0)).max(0.0);
        along(0).max(along(1))
    };
    let moving = [Condition::NoSlip, Condition::Inflow];
    let faces = scene.faces[..4].iter();
    let faces = faces.filter(|f| moving.contains(&f.condition));
    let faces = faces.map(|f| size(&f.velocity));
    let emitters = scene.emitters.iter().map(|e| match e.velocity_blend {
        0 => 0.0,
        // An acceleration over the emitter's own size.
        1 => {
            let push = size(&e.velocity) * e.velocity[3].abs();
            (2.0 * push * across(&e.place.low, &e.place.high)).sqrt()
        }
        _ => size(&e.velocity) * e.velocity[3].abs().max(1.0),
    });
    // What a fan gives to air that passes it two or three times.
    let motors = scene
        .motors
        .iter()
        .map(|m| (6.0 * m.direction[3].abs() * m.centre[3]).sqrt());
    // The fluid takes a share of the brush's velocity at each step while the brush goes over it: about two steps.
    let strokes = scene
        .strokes
        .iter()
        .map(|s| size(&s.velocity) * (2.0 * s.end[3]).min(1.0));
    let obstacles = scene.obstacles.iter().map(|o| {
        let reach = 0.5 * across(&o.place.low, &o.place.high);
        size(&o.velocity) + o.turn[2].abs() * reach
    });
    // Free rise over half of the domain.
    let hottest = scene.emitters.iter().filter(|e| e.temperature_blend != 0);
    let hottest = hottest.map(|e| e.dye[3].abs()).fold(0.0, f32::max);
    let brightest = scene.emitters.iter().filter(|e| e.dye_blend != 0);
    let brightest = brightest
        .map(|e| (e.dye[0] + e.dye[1] + e.dye[2]) / 3.0)
        .fold(0.0, f32::max);
    let lighter = scene.buoyancy * hottest + scene.dye_weight.abs() * brightest;
    let height = scene.grid.size()[1];
    let rise = (size(&scene.gravity) * lighter * height).sqrt();
    let all = faces
        .chain(emitters)
        .chain(motors)
        .chain(strokes)
        .chain(obstacles);
    all.fold(rise, f32::max)
}

/// What is left after `dt` s of a flow of `top` m/s in a domain of `length` m when nothing drives it: eddies lose their speed
/// in about the time in which they turn.
pub fn after(top: f32, dt: f32, length: f32) -> f32 {
    top / (1.0 + 0.1 * top * dt / length.max(1e-6))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers::lattice_boltzmann::FixedSteps;

    #[test]
    fn steps_are_few_sizes_and_enough() {
        for (wanted, rung_of_it) in [
            (0.0, 1),
            (1.0, 1),
            (2.0, 2),
            (3.0, 3),
            (5.0, 6),
            (7.0, 8),
            (9.0, 12),
            (200.0, 256),
            (9e9, 256),
        ] {
            assert_eq!(rung(wanted), rung_of_it, "{wanted}");
        }
    }

    #[test]
    fn the_lattice_is_that_of_the_formulas() {
        let p = Parameters {
            viscosity: 1e-3,
            ..Parameters::default()
        };
        let u = Units::new(0.01, 0.1, 1.0, &p);
        // 0.1 cells a step at 1 m/s: a millisecond.
        assert_eq!(u.steps, 128);
        assert!((u.tau - (0.5 + 3.0 * 1e-3 * u.dt / 1e-4)).abs() < 1e-6);
        assert!((u.speed - u.dt / 0.01).abs() < 1e-6 && u.speed <= 0.1);
        assert_eq!(u.refusal(&p), None);
        assert!(u.notices(&p).is_empty());
    }

    #[test]
    fn what_it_suggests_would_do() {
        let fixed = |count| Parameters {
            steps: Steps::Fixed(FixedSteps { count }),
            ..Parameters::default()
        };
        let few = Units::new(0.01, 0.1, 1.0, &fixed(10));
        let why = few.refusal(&fixed(10)).unwrap();
        assert!(
            why.contains("1.00 cells") && why.contains("100 lattice steps"),
            "{why}"
        );
        let enough = Units::new(0.01, 0.1, 1.0, &fixed(100));
        assert_eq!(enough.refusal(&fixed(100)), None);
        let warned = Units::new(0.01, 0.1, 1.0, &fixed(50));
        assert_eq!(warned.refusal(&fixed(50)), None);
        assert!(warned.notices(&fixed(50))[0].contains("Mach 0.35"));
        let thin = Parameters {
            viscosity: 1e-9,
            eddy_viscosity: 0.0,
            ..fixed(1000)
        };
        let units = Units::new(1.0, 0.1, 1.0, &thin);
        let why = units.refusal(&thin).unwrap();
        assert!(why.contains("3.3e-1 m²/s"), "{why}");
        let thicker = Parameters {
            viscosity: 3.4e-1,
            ..thin
        };
        assert_eq!(Units::new(1.0, 0.1, 1.0, &thicker).refusal(&thicker), None);
    }
}
