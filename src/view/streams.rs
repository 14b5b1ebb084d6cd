//! The flow as lines: streamlines through a velocity field, about evenly apart (after Jobard and Lefer 1997, *Creating
//! evenly-spaced streamlines of arbitrary density*): a line ends where it comes near an earlier one.

use std::collections::HashMap;

use crate::field::FieldData;

/// The first two components at a position in metres, bilinear between cell centres; none outside the domain.
#[derive(Clone, Copy)]
pub struct Flow<'a> {
    data: &'a [f32],
    cells: [usize; 2],
    components: usize,
    h: f32,
    fastest: f32,
}

impl<'a> Flow<'a> {
    /// Of a field with two components or more; of a volume, its middle layer.
    pub fn new(field: &'a FieldData) -> Option<Self> {
        let [nx, ny, nz] = field.grid.cells.map(|n| n as usize);
        let components = field.desc.components as usize;
        let layer = nx * ny * components;
        let begin = layer * (nz / 2);
        let data = field.data.get(begin..begin + layer)?;
        if components < 2 || layer == 0 {
            return None;
        }
        let speed2 = |v: &[f32]| v[0] * v[0] + v[1] * v[1];
        let cells = data.chunks_exact(components);
        Some(Self {
            data,
            cells: [nx, ny],
            components,
            h: field.grid.h,
            fastest: cells.map(speed2).fold(0.0, f32::max).sqrt(),
        })
    }

    /// Width and height of the domain, m.
    pub fn size(&self) -> [f32; 2] {
        self.cells.map(|n| n as f32 * self.h)
    }

    /// Edge of a cell, m.
    pub fn cell(&self) -> f32 {
        self.h
    }

    /// Velocity at a position.
    pub fn at(&self, [x, y]: [f32; 2]) -> Option<[f32; 2]> {
        let [w, h] = self.size();
        if !(0.0..=w).contains(&x) || !(0.0..=h).contains(&y) {
            return None;
        }
        let along = |x: f32, n: usize| {
            let x = (x / self.h - 0.5).clamp(0.0, (n - 1) as f32);
            let i = (x as usize).min(n - 1);
            (i, (i + 1).min(n - 1), x - i as f32)
        };
        let ((i0, i1, fx), (j0, j1, fy)) = (along(x, self.cells[0]), along(y, self.cells[1]));
        let value =
            |i: usize, j: usize, c: usize| self.data[(j * self.cells[0] + i) * self.components + c];
        Some([0, 1].map(|c| {
            let low = value(i0, j0, c) * (1.0 - fx) + value(i1, j0, c) * fx;
            let high = value(i0, j1, c) * (1.0 - fx) + value(i1, j1, c) * fx;
            low * (1.0 - fy) + high * fy
        }))
    }

    /// Largest speed at a centre, m/s.
    pub fn fastest(&self) -> f32 {
        self.fastest
    }

    /// The line along the flow through a position, both ways, up to `length` m each way in steps of `step` m by the
    /// midpoint rule. It ends where the fluid leaves the domain or stands still.
    pub fn line(&self, through: [f32; 2], length: f32, step: f32) -> Vec<[f32; 2]> {
        self.line_in(through, length, step, |_| true)
    }

    /// Lines through the given positions as by [`Flow::line`], but none where another is nearer than about half of `apart` m.
    pub fn lines(
        &self,
        through: &[[f32; 2]],
        length: f32,
        step: f32,
        apart: f32,
    ) -> Vec<Vec<[f32; 2]>> {
        let square = |at: [f32; 2]| at.map(|v| (v / (0.5 * apart)).floor() as i32);
        // By which line a square is taken.
        let mut taken: HashMap<[i32; 2], usize> = HashMap::new();
        let mut lines: Vec<Vec<[f32; 2]>> = Vec::new();
        for seed in through {
            let number = lines.len();
            let free = |at| taken.get(&square(at)).is_none_or(|by| *by == number);
            let about = |d: i32| {
                [
                    seed[0] + 0.5 * apart * (d % 3 - 1) as f32,
                    seed[1] + 0.5 * apart * (d / 3 - 1) as f32,
                ]
            };
            if !(0..9).map(about).all(free) {
                continue;
            }
            let line = self.line_in(*seed, length, step, free);
            for at in &line {
                taken.entry(square(*at)).or_insert(number);
            }
            lines.push(line);
        }
        lines
    }

    fn line_in(
        &self,
        through: [f32; 2],
        length: f32,
        step: f32,
        free: impl Fn([f32; 2]) -> bool,
    ) -> Vec<[f32; 2]> {
        let mut line = self.half(through, length, -step, &free);
        line.reverse();
        line.pop();
        line.extend(self.half(through, length, step, &free));
        line
    }

    fn half(
        &self,
        from: [f32; 2],
        length: f32,
        step: f32,
        free: &impl Fn([f32; 2]) -> bool,
    ) -> Vec<[f32; 2]> {
        const MOST: f32 = 400.0;
        let still = 1e-4 * self.fastest;
        let direction = |at: [f32; 2]| {
            let [u, v] = self.at(at)?;
            let speed = u.hypot(v);
            (speed > still).then(|| [u / speed, v / speed])
        };
        let go = |at: [f32; 2], d: [f32; 2], s: f32| [at[0] + d[0] * s, at[1] + d[1] * s];
        let mut line = vec![from];
        let mut at = from;
        for _ in 0..(length / step.abs()).min(MOST) as usize {
            let Some(d) = direction(at) else { break };
            let Some(d) = direction(go(at, d, 0.5 * step)) else {
                break;
            };
            at = go(at, d, step);
            if !free(at) {
                break;
            }
            line.push(at);
        }
        line
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::field::{FieldDesc, Grid, RangeHint};

    /// A field of velocities.
    pub fn field(n: u32, velocity: impl Fn(f32, f32) -> [f32; 2]) -> FieldData {
        let desc = FieldDesc {
            name: "velocity",
            label: "Velocity",
            unit: "m/s",
            components: 2,
            range: RangeHint::Signed,
        };
        let at = |i: u32| (i as f32 + 0.5) / n as f32;
        let data = (0..n)
            .flat_map(|j| (0..n).map(move |i| (i, j)))
            .flat_map(|(i, j)| velocity(at(i), at(j)))
            .collect();
        FieldData {
            desc,
            grid: Grid {
                cells: [n, n, 1],
                h: 1.0 / n as f32,
            },
            data,
        }
    }

    #[test]
    fn lines_of_a_turning_disc_are_circles() {
        let field = field(64, |x, y| [-(y - 0.5), x - 0.5]);
        let flow = Flow::new(&field).expect("two components");
        let line = flow.line([0.8, 0.5], 0.9, 0.01);
        assert!(line.len() > 150, "{}", line.len());
        for [x, y] in line {
            let radius = (x - 0.5).hypot(y - 0.5);
            assert!((radius - 0.3).abs() < 2e-3, "{radius}");
        }
        assert!((flow.fastest() - 0.696).abs() < 5e-3, "{}", flow.fastest());
    }

    #[test]
    fn lines_keep_apart() {
        let wind = field(32, |x, _| [1.0, 0.2 * (6.0 * x).sin()]);
        let flow = Flow::new(&wind).expect("two components");
        let seeds: Vec<[f32; 2]> = (0..400)
            .map(|i| [i % 20, i / 20].map(|v| v as f32 / 20.0))
            .collect();
        let lines = flow.lines(&seeds, 1.0, 0.005, 0.1);
        assert!((8..60).contains(&lines.len()), "{}", lines.len());
        let square = |p: &[f32; 2]| p.map(|v| (v / 0.05).floor() as i32);
        for (i, a) in lines.iter().enumerate() {
            let mine: Vec<_> = a.iter().map(square).collect();
            let others = lines[..i].iter().flatten().map(square);
            assert!(!others.into_iter().any(|s| mine.contains(&s)), "line {i}");
        }
    }

    #[test]
    fn lines_end_at_walls_and_in_still_fluid() {
        let still = field(8, |_, _| [0.0, 0.0]);
        let flow = Flow::new(&still).expect("two components");
        assert_eq!(flow.line([0.5, 0.5], 1.0, 0.1), [[0.5, 0.5]]);
        let wind = field(8, |_, _| [2.0, 0.0]);
        let line = Flow::new(&wind)
            .expect("two components")
            .line([0.5, 0.5], 9.0, 0.1);
        assert!(line.iter().all(|p| (p[1] - 0.5).abs() < 1e-6));
        assert!(line[0][0] < 0.05 && line[line.len() - 1][0] > 0.95);
        assert!(line.len() < 20);
    }
}
