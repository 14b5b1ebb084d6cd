//! Tracers: points without mass that are carried by the flow and leave a trail, as smoke or tufts do in a wind tunnel.

use super::streams::Flow;

/// Places that a trail remembers.
pub const TRAIL: usize = 12;
/// Frames that a tracer lives, at least and at most.
const LIFE: [u32; 2] = [40, 140];
/// Cells that a tracer is carried a step at most.
const CELLS: f32 = 1.0;
/// Steps a frame at most.
const STEPS: f32 = 32.0;

/// Some tracers.
#[derive(Clone, Debug, Default)]
pub struct Tracers {
    all: Vec<Tracer>,
    /// Counts what was drawn by lot.
    drawn: u64,
}

/// One of them.
#[derive(Clone, Debug)]
pub struct Tracer {
    /// Where it is and was, m; the latest place comes last.
    pub trail: Vec<[f32; 2]>,
    /// Frames so far, and in all.
    age: u32,
    life: u32,
}

impl Tracer {
    /// How much it shows, from 0 to 1: they come and go gently.
    pub fn strength(&self) -> f32 {
        const GENTLY: f32 = 10.0;
        let left = self.life.saturating_sub(self.age) as f32;
        (self.age as f32 / GENTLY).min(left / GENTLY).min(1.0)
    }
}

impl Tracers {
    /// All of them.
    pub fn all(&self) -> &[Tracer] {
        &self.all
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Carries them for `dt` s by the midpoint rule; there are `count` of them then. Those that leave the domain, stand
    /// still or are old begin anew elsewhere.
    pub fn advance(&mut self, flow: &Flow<'_>, dt: f32, count: usize) {
        self.all.truncate(count);
        while self.all.len() < count {
            // Ages differ, so that they do not all go at once.
            let tracer = self.anew(flow, true);
            self.all.push(tracer);
        }
        let still = 1e-4 * flow.fastest();
        let carried = |tracer: &Tracer| {
            let from = *tracer.trail.last()?;
            let to = carry(flow, from, dt, still)?;
            (tracer.age < tracer.life).then_some(to)
        };
        for i in 0..self.all.len() {
            match carried(&self.all[i]) {
                Some(to) => {
                    let tracer = &mut self.all[i];
                    tracer.age += 1;
                    if tracer.trail.len() == TRAIL {
                        tracer.trail.remove(0);
                    }
                    tracer.trail.push(to);
                }
                None => self.all[i] = self.anew(flow, false),
            }
        }
    }

    fn anew(&mut self, flow: &Flow<'_>, any_age: bool) -> Tracer {
        let [w, h] = flow.size();
        let at = [w * self.lot(), h * self.lot()];
        let [least, most] = LIFE;
        let life = least + (self.lot() * (most - least) as f32) as u32;
        let age = if any_age {
            (self.lot() * life as f32) as u32
        } else {
            0
        };
        Tracer {
            trail: vec![at],
            age,
            life,
        }
    }

    /// The next number by lot, from 0 to 1: the same ones in each run (SplitMix64; Steele, Lea and Flood 2014).
    fn lot(&mut self) -> f32 {
        self.drawn = self.drawn.wrapping_add(1);
        let mut z = self.drawn.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u32 << 24) as f32
    }
}

/// Where the flow carries a point; none where it leaves the domain or stands still.
fn carry(flow: &Flow<'_>, mut at: [f32; 2], dt: f32, still: f32) -> Option<[f32; 2]> {
    let go = |at: [f32; 2], v: [f32; 2], t: f32| [at[0] + v[0] * t, at[1] + v[1] * t];
    let first = flow.at(at)?;
    let speed = first[0].hypot(first[1]);
    // Neither does what is not a number.
    if speed.is_nan() || speed <= still {
        return None;
    }
    let steps = (speed * dt / (CELLS * flow.cell()))
        .ceil()
        .clamp(1.0, STEPS);
    let dt = dt / steps;
    for _ in 0..steps as u32 {
        let half = go(at, flow.at(at)?, 0.5 * dt);
        at = go(at, flow.at(half)?, dt);
    }
    flow.at(at).map(|_| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::streams::tests::field;

    #[test]
    fn they_go_round_a_turning_disc() {
        let disc = field(64, |x, y| [-(y - 0.5), x - 0.5]);
        let flow = Flow::new(&disc).expect("two components");
        let mut at = [0.8, 0.5];
        let quarter = std::f32::consts::FRAC_PI_2;
        for _ in 0..10 {
            at = carry(&flow, at, quarter / 10.0, 0.0).expect("inside");
        }
        assert!(
            (at[0] - 0.5).abs() < 2e-3 && (at[1] - 0.8).abs() < 2e-3,
            "{at:?}"
        );
    }

    #[test]
    fn there_are_as_many_as_asked_and_all_are_inside() {
        let wind = field(16, |_, y| [1.0, y - 0.5]);
        let flow = Flow::new(&wind).expect("two components");
        let mut tracers = Tracers::default();
        for (frame, count) in [(0, 200), (1, 200), (2, 500), (3, 50)] {
            tracers.advance(&flow, 0.05, count);
            assert_eq!(tracers.all().len(), count, "frame {frame}");
        }
        for _ in 0..300 {
            tracers.advance(&flow, 0.05, 50);
            for tracer in tracers.all() {
                assert!(tracer.trail.len() <= TRAIL && (0.0..=1.0).contains(&tracer.strength()));
                assert!(tracer.trail.iter().all(|p| flow.at(*p).is_some()));
            }
        }
        let long = tracers.all().iter().filter(|t| t.trail.len() > 6).count();
        assert!(long > 10, "{long} have trails");
        let mut again = Tracers::default();
        again.advance(&flow, 0.05, 10);
        let mut anew = Tracers::default();
        anew.advance(&flow, 0.05, 10);
        assert_eq!(again.all[3].trail, anew.all[3].trail);
    }

    #[test]
    fn still_and_broken_fluid_carries_nothing() {
        for velocity in [[0.0, 0.0], [f32::NAN, 0.0], [f32::INFINITY, 0.0]] {
            let field = field(8, |_, _| velocity);
            let flow = Flow::new(&field).expect("two components");
            let mut tracers = Tracers::default();
            tracers.advance(&flow, 0.1, 20);
            tracers.advance(&flow, 0.1, 20);
            assert!(tracers.all().iter().all(|t| t.trail.len() == 1));
        }
    }
}
