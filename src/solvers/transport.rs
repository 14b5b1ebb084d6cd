//! How methods on a grid carry things along their flow: what one can choose, and the passes of the chosen advection scheme;
//! see [`crate::grid::advect`] and [`crate::grid::push`] for what they do.

use crate::device::{Buf, Device, Result};
use crate::grid::advect::{CLAMP, COMPENSATE, CORRECT, FREE, LIMIT, PLAIN, REVERT};
use crate::grid::{
    AdvectComponent, AdvectScalars, Advection, Lattice, Mac, Push, PushForward, Settle,
};

crate::choice! {
    /// How something is carried along by the flow.
    pub enum Scheme {
        /// Goes back along the flow and takes what was there. Never overshoots; blurs a little at every step, so small swirls and sharp edges fade.
        SemiLagrangian,
        /// Estimates the blur by going back and forth, and takes half of it away. Keeps small swirls and edges much longer for twice the cost.
        MacCormack,
        /// Takes the blur away before carrying. Sharper still than MacCormack, for three times the cost.
        Bfecc,
        /// Pushes ahead along the flow as well as looking back, as game wind does: gusts run on into still air even without pressure. The softest of all, and dearer than BFECC. What is pushed is cut at ±32768.
        ForwardReverse,
    }
}

crate::choice! {
    /// What happens to values beyond those that they came from.
    pub enum Limiter {
        /// They stop at the nearest of those values.
        Clamp,
        /// The blurred, safe value is taken instead: softer, no stripes.
        Revert,
        /// Nothing. Rings appear round sharp edges, and fast flows may become unstable.
        Off,
    }
}

crate::choice! {
    /// How the way back along the flow is found.
    pub enum Backtrace {
        /// Straight back (Euler). Swirls drift outwards when they turn far in one step.
        Rk1,
        /// With the velocity half way back (midpoint). Swirls stay round.
        Rk2,
        /// With two looks ahead (Ralston). For long steps in tight swirls.
        Rk3,
    }
}

/// What is carried, with the room that it takes to carry it.
pub struct Transported {
    /// The state.
    pub now: Buf<f32>,
    /// Room for the result of a pass. Its contents mean nothing between steps.
    pub spare: Buf<f32>,
    /// What else its scheme needs.
    extra: Extra,
}

enum Extra {
    Nothing,
    /// The result of a pass.
    Pass(Buf<f32>),
    /// What was pushed where.
    Sums(Buf<u32>),
}

impl Transported {
    /// Zeros: `samples` of 1 or 4 numbers.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(
        dev: &mut Device,
        label: &str,
        samples: usize,
        numbers: u32,
        scheme: Scheme,
    ) -> Result<Self> {
        let len = samples * numbers as usize;
        let words = samples * Push::words(numbers) as usize;
        Ok(Self {
            now: dev.buf(label, len)?,
            spare: dev.buf(&format!("{label}, spare"), len)?,
            extra: match scheme {
                Scheme::SemiLagrangian => Extra::Nothing,
                Scheme::MacCormack | Scheme::Bfecc => {
                    Extra::Pass(dev.buf(&format!("{label}, one pass"), len)?)
                }
                Scheme::ForwardReverse => Extra::Sums(dev.buf(&format!("{label}, pushed"), words)?),
            },
        })
    }

    /// Bytes that it takes for each sample.
    pub fn bytes(numbers: u32, scheme: Scheme) -> u64 {
        let extra = match scheme {
            Scheme::SemiLagrangian => 0,
            Scheme::MacCormack | Scheme::Bfecc => numbers,
            Scheme::ForwardReverse => Push::words(numbers),
        };
        4 * u64::from(2 * numbers + extra)
    }

    /// Makes `spare` the state.
    pub fn swap(&mut self) {
        std::mem::swap(&mut self.now, &mut self.spare);
    }
}

/// What is chosen about the way in which things are carried.
#[derive(Clone, Copy)]
pub struct How {
    /// Of the velocity.
    pub velocity_scheme: Scheme,
    /// Of dye and temperature.
    pub scalar_scheme: Scheme,
    /// See [`Limiter`].
    pub limiter: Limiter,
    /// See [`Backtrace`].
    pub backtrace: Backtrace,
    /// Share of the velocity that is lost a second, at first.
    pub velocity_damping: f32,
    /// The same of dye.
    pub dye_dissipation: f32,
    /// The same of temperature.
    pub cooling: f32,
}

/// How everything is carried in one step.
#[derive(Clone, Copy)]
pub struct Transport {
    velocity_at: [Lattice; 2],
    scalars_at: Lattice,
    base: Advection,
    velocity_gain: [f32; 4],
    scalar_gain: [f32; 4],
    velocity_scheme: Scheme,
    scalar_scheme: Scheme,
}

impl Transport {
    /// For a step of `dt` s.
    pub fn new(mac: &Mac, params: &How, dt: f32, solids: bool) -> Self {
        let kept = |rate: f32| (-rate * dt).exp();
        let dye = kept(params.dye_dissipation);
        Self {
            velocity_at: [mac.velocity(0), mac.velocity(1)],
            scalars_at: mac.scalars(),
            base: Advection {
                gain: [1.0; 4],
                c: dt / mac.grid.h,
                order: match params.backtrace {
                    Backtrace::Rk1 => 1,
                    Backtrace::Rk2 => 2,
                    Backtrace::Rk3 => 3,
                },
                mode: PLAIN,
                limiter: match params.limiter {
                    Limiter::Clamp => CLAMP,
                    Limiter::Revert => REVERT,
                    Limiter::Off => FREE,
                },
                solids: u32::from(solids),
                unused0: 0,
                unused1: 0,
                unused2: 0,
            },
            velocity_gain: [kept(params.velocity_damping); 4],
            scalar_gain: [dye, dye, dye, kept(params.cooling)],
            velocity_scheme: params.velocity_scheme,
            scalar_scheme: params.scalar_scheme,
        }
    }

    /// Carries dye and temperature.
    pub fn scalars(
        &self,
        dev: &mut Device,
        [u, v]: [&Buf<f32>; 2],
        solid: &Buf<u32>,
        scalars: &mut Transported,
    ) {
        let [u_at, v_at] = self.velocity_at;
        let at = self.scalars_at;
        carry(
            self.scalar_scheme,
            scalars,
            self.scalar_gain,
            |mode, gain, src, other, dst| {
                let step = Advection {
                    mode,
                    gain,
                    ..self.base
                };
                dev.run(
                    at.items(),
                    AdvectScalars {
                        step,
                        u_at,
                        v_at,
                        at,
                        u,
                        v,
                        solid,
                        src,
                        other,
                        dst,
                    },
                );
            },
        );
        let Transported {
            now, spare, extra, ..
        } = scalars;
        if let Extra::Sums(sums) = extra {
            self.push(dev, at, [u, v], solid, now, spare, sums);
        }
        scalars.swap();
    }

    /// Carries the velocity along itself.
    pub fn velocity(&self, dev: &mut Device, solid: &Buf<u32>, velocity: &mut [Transported; 2]) {
        let [u_at, v_at] = self.velocity_at;
        for axis in 0..2 {
            let at = self.velocity_at[axis];
            let [a, b] = velocity.each_mut();
            let (moved, fixed) = if axis == 0 { (a, &b.now) } else { (b, &a.now) };
            carry(
                self.velocity_scheme,
                moved,
                self.velocity_gain,
                |mode, gain, src, other, dst| {
                    let step = Advection {
                        mode,
                        gain,
                        ..self.base
                    };
                    // The component itself is the source of every pass.
                    let (u, v) = if axis == 0 {
                        (src, fixed)
                    } else {
                        (fixed, src)
                    };
                    dev.run(
                        at.items(),
                        AdvectComponent {
                            step,
                            u_at,
                            v_at,
                            at,
                            u,
                            v,
                            src,
                            other,
                            dst,
                        },
                    );
                },
            );
            let Transported {
                now, spare, extra, ..
            } = moved;
            if let Extra::Sums(sums) = extra {
                let flow = if axis == 0 {
                    [&*now, fixed]
                } else {
                    [fixed, &*now]
                };
                self.push(dev, at, flow, solid, now, spare, sums);
            }
        }
        velocity.iter_mut().for_each(Transported::swap);
    }

    /// Adds what the flow pushes ahead to what was found by going back, where the scheme does both.
    fn push(
        &self,
        dev: &mut Device,
        at: Lattice,
        [u, v]: [&Buf<f32>; 2],
        solid: &Buf<u32>,
        src: &Buf<f32>,
        q: &mut Buf<f32>,
        sums: &mut Buf<u32>,
    ) {
        let cells = at.size[3] == 3;
        let step = Push {
            gain: if cells {
                self.scalar_gain
            } else {
                self.velocity_gain
            },
            c: self.base.c,
            order: self.base.order,
            numbers: if cells { 4 } else { 1 },
            solids: u32::from(cells) * self.base.solids,
        };
        let [u_at, v_at] = self.velocity_at;
        dev.clear(sums);
        dev.run(
            at.items(),
            PushForward {
                step,
                u_at,
                v_at,
                at,
                u,
                v,
                solid,
                src,
                sums,
            },
        );
        dev.run(at.items(), Settle { step, at, sums, q });
    }
}

/// Calls `pass(mode, gain, src, other, dst)` for each pass of the scheme and leaves the result in `spare`.
fn carry(
    scheme: Scheme,
    q: &mut Transported,
    gain: [f32; 4],
    mut pass: impl FnMut(u32, [f32; 4], &Buf<f32>, &Buf<f32>, &mut Buf<f32>),
) {
    const ONE: [f32; 4] = [1.0; 4];
    let Transported {
        now, spare, extra, ..
    } = q;
    match (scheme, extra) {
        (Scheme::MacCormack, Extra::Pass(once)) => {
            pass(PLAIN, ONE, now, now, once);
            pass(CORRECT, gain, now, once, spare);
        }
        (Scheme::Bfecc, Extra::Pass(once)) => {
            pass(PLAIN, ONE, now, now, once);
            pass(COMPENSATE, ONE, now, once, spare);
            pass(LIMIT, gain, now, spare, once);
            std::mem::swap(once, spare);
        }
        // The gain comes when it settles.
        (Scheme::ForwardReverse, _) => pass(PLAIN, ONE, now, now, spare),
        _ => pass(PLAIN, gain, now, now, spare),
    }
}
