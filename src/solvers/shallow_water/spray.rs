//! Spray: drops that fly while the water goes on, and bring back what they took.
//!
//! 1. *Birth.* A strip of [`STRIP`] cells along x has one drop, which is in the water or in the air. From the water it is
//!    thrown up where its strip breaks most, if that is enough, and takes some depth of that cell with it.
//! 2. *Flight.* It falls freely, and lands when it is below the surface of the cell under it, which gets its count.
//! 3. *Landing.* Faces beside a cell take half of the momentum each, then the cell takes the depth.
//!
//! Volume and momentum are whole numbers of quanta while they fly, and landings are summed as whole numbers, so nothing hangs
//! on the order, and what comes back is what was taken. The quantum of depth is a 4096th of a cell's edge, that of velocity a
//! 4096th of the largest speed. A strip has a place of its own for its drop, so that nothing is lost for want of room.

use rayon::prelude::*;

use super::traces::Water;
use super::water::{WaterU, less, more};
use crate::device::Cpu;

/// Cells of a strip.
pub const STRIP: u32 = 8;
/// Numbers a drop: x, y, z in m; quanta of depth (0 in the water) and of velocity along x and y; velocity upwards in m/s; age
/// in s.
pub const NUMBERS: u32 = 8;
/// Quanta of depth in an edge, and of velocity in the largest speed.
const QUANTA: f32 = 4096.0;
/// Quanta of depth that a drop takes at most.
const MOST: f32 = 512.0;
/// Words a cell for landings: depth, momentum along x and y.
pub const LANDED: u32 = 3;

crate::shared! {
    /// How drops are born and fly during a step.
    pub struct SprayU {
        /// Speed at which breaking water is thrown up, m/s.
        pub begins: f32,
        /// Share of the water of a cell that is thrown up at most.
        pub share: f32,
        /// Speed upwards for each m/s of breaking.
        pub lift: f32,
        /// Step, s.
        pub dt: f32,
        /// Number of the step.
        pub step: u32,
        /// Seed of everything random.
        pub seed: u32,
        /// Strips along x.
        pub strips: u32,
        /// Nothing.
        pub unused: u32,
    }
}

crate::kernel! {
    /// Drops are thrown up, which is a landing with the other sign: (depth, ground, u, v) → (drops, landed). One item a strip.
    pub SprayBirth = "shallow_water/spray_birth.wgsl", birth {
        uniform at: WaterU, uniform spray: SprayU, read depth: f32, read ground: f32, read u: f32, read v: f32,
        write drops: f32, write landed: u32,
    }
}
crate::kernel! {
    /// Drops fly and land: (depth, ground) → (drops, landed).
    pub SprayFlight = "shallow_water/spray_flight.wgsl", flight {
        uniform at: WaterU, uniform spray: SprayU, read depth: f32, read ground: f32, write drops: f32, write landed: u32,
    }
}
crate::kernel! {
    /// Momentum of what landed: (depth, landed) → (u, v). At the ends of the domain, walls take it.
    pub SprayPush = "shallow_water/spray_push.wgsl", push {
        uniform at: WaterU, read depth: f32, read landed: u32, write u: f32, write v: f32,
    }
}
crate::kernel! {
    /// Depth of what landed, which is forgotten then: → (landed, depth).
    pub SpraySettle = "shallow_water/spray_settle.wgsl", settle {
        uniform at: WaterU, write landed: u32, write depth: f32,
    }
}
crate::kernel! {
    /// Depth of the drops over each cell, m: (drops) → counts; then [`SpraySettle`] into zeros. A drop is shared by the four cells
    /// whose middles are about it, so that it moves evenly.
    pub SprayOver = "shallow_water/spray_over.wgsl", over {
        uniform at: WaterU, uniform spray: SprayU, read drops: f32, write landed: u32,
    }
}

impl WaterU {
    /// Depth that a quantum is, m.
    pub fn depth_quantum(&self) -> f32 {
        self.h / QUANTA
    }
    /// Speed that a quantum is, m/s.
    pub fn speed_quantum(&self) -> f32 {
        self.fastest / QUANTA
    }
}

/// A number from 0 to 1.
#[inline(always)]
fn random(seed: u32, slot: u32, step: u32) -> f32 {
    let mut x = seed.wrapping_mul(0x9E37_79B9)
        ^ slot.wrapping_mul(0x85EB_CA6B)
        ^ step.wrapping_mul(0xC2B2_AE35);
    for _ in 0..2 {
        x ^= x >> 16;
        x = x.wrapping_mul(0x7FEB_352D);
        x ^= x >> 15;
        x = x.wrapping_mul(0x846C_A68B);
    }
    ((x ^ (x >> 16)) >> 8) as f32 * (1.0 / 16_777_216.0)
}

fn birth(
    _: &Cpu,
    _: [u32; 3],
    at: &WaterU,
    spray: &SprayU,
    depth: &[f32],
    ground: &[f32],
    u: &[f32],
    v: &[f32],
    drops: &mut [f32],
    landed: &mut [u32],
) {
    let [nx, _] = at.size();
    let water = Water {
        at,
        depth,
        ground,
        u,
        v,
    };
    let per_row = (spray.strips * NUMBERS) as usize;
    let rows = drops
        .par_chunks_mut(per_row)
        .zip(landed.par_chunks_mut(LANDED as usize * nx));
    rows.enumerate()
        .with_min_len(4)
        .for_each(|(j, (drops, landed))| {
            for (s, drop) in drops.chunks_exact_mut(NUMBERS as usize).enumerate() {
                if drop[3] == 0.0 {
                    throw_up(&water, spray, [s, j], drop, landed);
                }
            }
        });
}

/// Throws the drop of a strip up, if the strip breaks. What the water loses lands in it with the other sign.
fn throw_up(
    water: &Water<'_>,
    spray: &SprayU,
    [s, j]: [usize; 2],
    drop: &mut [f32],
    landed: &mut [u32],
) {
    let at = water.at;
    let [nx, _] = at.size();
    let first = s * STRIP as usize;
    let (mut best, mut most) = (first, 0.0);
    for i in first..(first + STRIP as usize).min(nx) {
        let w = water.breaks(i, j);
        if w > most {
            (best, most) = (i, w);
        }
    }
    let c = j * nx + best;
    let h = water.depth[c];
    let count = less((spray.share * h / at.depth_quantum()).floor(), MOST);
    if most <= spray.begins || count < 1.0 || h <= 4.0 * at.dry {
        return;
    }
    let slot = j as u32 * spray.strips + s as u32;
    let chance = |n: u32| random(spray.seed.wrapping_add(n), slot, spray.step);
    let velocity = water
        .velocity(best, j)
        .map(|v| (v / at.speed_quantum()).round_ties_even());
    drop[0] = (best as f32 + chance(0)) * at.h;
    drop[1] = (j as f32 + chance(1)) * at.h;
    drop[2] = h + water.ground[c];
    drop[3] = count;
    (drop[4], drop[5]) = (velocity[0], velocity[1]);
    drop[6] = spray.lift * most * (0.5 + chance(2));
    drop[7] = 0.0;
    let [count, x, y] = [drop[3], drop[4], drop[5]].map(|n| n as i32);
    let sums = &mut landed[LANDED as usize * best..][..3];
    for (sum, take) in sums.iter_mut().zip([count, count * x, count * y]) {
        *sum = sum.wrapping_sub(take as u32);
    }
}

/// The cell over which a drop is; one that has left the domain is over the cell at its edge, or comes in at the other side.
#[inline(always)]
fn cell_under(at: &WaterU, drop: &[f32]) -> usize {
    let [nx, ny] = at.size();
    let place = |x: f32, n: usize, axis: usize| {
        let i = (x / at.h).floor();
        let i = if at.joined(axis) {
            i - (i / n as f32).floor() * n as f32
        } else {
            i
        };
        less(more(i, 0.0), (n - 1) as f32) as usize
    };
    place(drop[1], ny, 1) * nx + place(drop[0], nx, 0)
}

fn flight(
    _: &Cpu,
    _: [u32; 3],
    at: &WaterU,
    spray: &SprayU,
    depth: &[f32],
    ground: &[f32],
    drops: &mut [f32],
    landed: &mut [u32],
) {
    let speed = at.speed_quantum();
    for drop in drops.chunks_exact_mut(NUMBERS as usize) {
        if drop[3] == 0.0 {
            continue;
        }
        drop[0] += drop[4] * speed * spray.dt;
        drop[1] += drop[5] * speed * spray.dt;
        drop[2] += drop[6] * spray.dt;
        drop[6] -= at.gravity * spray.dt;
        drop[7] += spray.dt;
        let c = cell_under(at, drop);
        if drop[6] < 0.0 && drop[2] <= depth[c] + ground[c] {
            let [count, x, y] = [drop[3], drop[4], drop[5]].map(|n| n as i32);
            let sums = &mut landed[LANDED as usize * c..][..3];
            for (sum, add) in sums.iter_mut().zip([count, count * x, count * y]) {
                *sum = sum.wrapping_add(add as u32);
            }
            drop[3] = 0.0;
        }
    }
}

/// Velocity at a face that gets half of what has landed on both sides.
#[inline(always)]
fn pushed(
    at: &WaterU,
    axis: usize,
    a: usize,
    b: usize,
    u: f32,
    depth: &[f32],
    landed: &[u32],
) -> f32 {
    let of = |c: usize, n: usize| landed[LANDED as usize * c + n] as i32;
    let (more_a, more_b) = (of(a, 0), of(b, 0));
    if more_a == 0 && more_b == 0 {
        return u;
    }
    let quantum = at.depth_quantum();
    let momentum =
        of(a, 1 + axis).wrapping_add(of(b, 1 + axis)) as f32 * (quantum * at.speed_quantum());
    let (old, new) = (depth[a] + depth[b], (more_a + more_b) as f32 * quantum);
    (old * u + momentum) / more(old + new, at.dry)
}

fn push(
    _: &Cpu,
    _: [u32; 3],
    at: &WaterU,
    depth: &[f32],
    landed: &[u32],
    u: &mut [f32],
    v: &mut [f32],
) {
    let [nx, ny] = at.size();
    let (inner, last) = v.split_at_mut(nx * ny);
    let rows = u.par_chunks_mut(nx + 1).zip(inner.par_chunks_mut(nx));
    rows.enumerate().with_min_len(8).for_each(|(j, (u, v))| {
        let below = at.before(j, ny, 1);
        for i in 0..nx {
            let (c, left) = (j * nx + i, at.before(i, nx, 0));
            if left != i {
                u[i] = pushed(at, 0, j * nx + left, c, u[i], depth, landed);
            }
            if below != j {
                v[i] = pushed(at, 1, below * nx + i, c, v[i], depth, landed);
            }
        }
        if at.joined(0) {
            u[nx] = u[0];
        }
    });
    if at.joined(1) {
        last.copy_from_slice(&inner[..nx]);
    }
}

fn settle(_: &Cpu, _: [u32; 3], at: &WaterU, landed: &mut [u32], depth: &mut [f32]) {
    let quantum = at.depth_quantum();
    for (sums, depth) in landed.chunks_exact_mut(LANDED as usize).zip(depth) {
        if sums[0] != 0 {
            *depth += sums[0] as i32 as f32 * quantum;
        }
        sums.fill(0);
    }
}

fn over(_: &Cpu, _: [u32; 3], at: &WaterU, _: &SprayU, drops: &[f32], landed: &mut [u32]) {
    // The cell whose middle lies before a place, and how far it is from there to the next one.
    let split = |x: f32| {
        let x = x / at.h - 0.5;
        (x.floor(), x - x.floor())
    };
    for drop in drops.chunks_exact(NUMBERS as usize) {
        if drop[3] == 0.0 {
            continue;
        }
        let ((i, x), (j, y)) = (split(drop[0]), split(drop[1]));
        let right = (drop[3] * x).floor();
        for (i, count) in [(i, drop[3] - right), (i + 1.0, right)] {
            let above = (count * y).floor();
            for (j, count) in [(j, count - above), (j + 1.0, above)] {
                let place = [(i + 0.5) * at.h, (j + 0.5) * at.h];
                landed[LANDED as usize * cell_under(at, &place)] += count as u32;
            }
        }
    }
}
