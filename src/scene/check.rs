//! What a scene must fulfil beyond the ranges of its parameters.

use super::{Activity, Condition, Scene};
use crate::params::Problem;

/// Cells a domain may have: interleaved scalars of more could not be indexed with 32 bits on a GPU.
const MAX_CELLS: u64 = 1 << 28;

impl Scene {
    /// Everything that stands against simulating the scene, with dotted paths that begin at the scene. Ranges are the
    /// business of [`crate::params::problems`]; pictures that of [`super::Masks::load`].
    pub fn check(&self) -> Vec<Problem> {
        let mut found = Vec::new();
        self.check_cells(&mut found);
        self.check_flow(&mut found);
        for (i, e) in self.emitters.iter().enumerate() {
            check_keys(&format!("emitters.{i}.activity"), &e.activity, &mut found);
        }
        for (i, m) in self.motors.iter().enumerate() {
            check_keys(&format!("motors.{i}.activity"), &m.activity, &mut found);
        }
        for (i, stroke) in self.strokes.iter().enumerate() {
            for (k, pair) in stroke.points.windows(2).enumerate() {
                if pair[1].frame <= pair[0].frame {
                    found.push(Problem {
                        path: format!("strokes.{i}.points.{}.frame", k + 1),
                        message: format!(
                            "frame {} follows frame {}; frames of a stroke must increase",
                            pair[1].frame, pair[0].frame
                        ),
                    });
                    break;
                }
            }
        }
        found
    }

    fn check_cells(&self, found: &mut Vec<Problem>) {
        let [x, y, z] = self.domain.grid().cells.map(u64::from);
        let cells = x.saturating_mul(y).saturating_mul(z);
        if cells > MAX_CELLS {
            found.push(Problem {
                path: "domain.cells_x".to_owned(),
                message: format!(
                    "{x} × {y} × {z} = {cells} cells are too many; at most {MAX_CELLS} are possible"
                ),
            });
        }
    }

    /// An incompressible fluid that enters must be able to leave.
    fn check_flow(&self, found: &mut Vec<Problem>) {
        const NAMES: [&str; 6] = ["left", "right", "bottom", "top", "back", "front"];
        let dim = self.domain.grid().dim() as usize;
        let size = self.domain.grid().size();
        let (mut entering, mut leaving, mut first) = (0.0_f32, 0.0_f32, None);
        for (side, name) in NAMES.into_iter().enumerate().take(2 * dim) {
            let axis = side / 2;
            let face = self.domain.faces(axis)[side % 2];
            if self.domain.periodic(axis) {
                continue;
            }
            match face.condition {
                Condition::Open | Condition::Absorbing => return,
                Condition::Inflow => {
                    let area: f32 = (0..dim).filter(|a| *a != axis).map(|a| size[a]).product();
                    let sign = if side % 2 == 0 { 1.0 } else { -1.0 };
                    let flow = sign * face.velocity[axis] * area;
                    entering += flow.max(0.0);
                    leaving += (-flow).max(0.0);
                    if flow != 0.0 && first.is_none() {
                        first = Some(name);
                    }
                }
                _ => {}
            }
        }
        let (Some(name), true) = (
            first,
            (entering - leaving).abs() > 1e-4 * entering.max(leaving),
        ) else {
            return;
        };
        let unit = if dim == 2 { "m²/s" } else { "m³/s" };
        found.push(Problem {
            path: format!("domain.{name}.condition"),
            message: format!(
                "{entering} {unit} of fluid enter and {leaving} leave, which an incompressible fluid cannot; open \
                 another face, or let as much leave as enters"
            ),
        });
    }
}

fn check_keys(path: &str, activity: &Activity, found: &mut Vec<Problem>) {
    for (k, pair) in activity.keys.windows(2).enumerate() {
        if pair[1].time < pair[0].time {
            found.push(Problem {
                path: format!("{path}.keys.{}.time", k + 1),
                message: format!(
                    "{} s follows {} s; keys must stand in order of time",
                    pair[1].time, pair[0].time
                ),
            });
            return;
        }
    }
}
