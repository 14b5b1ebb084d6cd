//! The two passes that every sub-step has: depth, then velocity (Stelling and Duinmeijer 2003).
//!
//! Depth h stands in the cells, u and v on their faces. A flux is the velocity times the depth of the cell it comes from, q =
//! u·h, and where a cell would give more than it has, all that leaves it shrinks alike: that is all that wetting and drying
//! needs for h ≥ 0, and what one cell loses another one gains.
//!
//! The velocity changes by what momentum the fluxes bring, over the depth at the face *after* them. So the sum of h·u stays
//! to rounding, a bore runs at its right speed, and a new velocity lies between the old ones about it, however thin the water.
//! The velocity that a flux brings is drawn on along a limited slope, which keeps whirls and fronts twice as sharp.

use rayon::prelude::*;

use crate::device::Cpu;

/// Bit of [`WaterU::flags`]: left and right are joined.
pub const JOINED_X: u32 = 1;
/// Bit of [`WaterU::flags`]: bottom and top are joined.
pub const JOINED_Y: u32 = 2;
/// Bit of [`WaterU::flags`]: momentum is carried along.
pub const CARRIED: u32 = 4;

crate::shared! {
    /// What all kernels of the water are told.
    pub struct WaterU {
        /// Cells along x and y.
        pub cells: [u32; 2],
        /// Bits: see the constants.
        pub flags: u32,
        /// Edge of a cell, m.
        pub h: f32,
        /// Sub-step, s.
        pub dt: f32,
        /// Gravity, m/s².
        pub gravity: f32,
        /// Water thinner than this does not flow, m.
        pub dry: f32,
        /// Drag of the ground.
        pub friction: f32,
        /// Largest speed along an axis, m/s.
        pub max_speed: f32,
        /// Deeper water has waves as if it were so deep, m.
        pub deepest: f32,
        /// Height of the water at rest, m.
        pub rest: f32,
        /// Speed of which that of spray is a whole number of parts, m/s.
        pub fastest: f32,
    }
}

crate::kernel! {
    /// h ← h − dt ∇·q with upwind fluxes, which are kept: (depth, u, v) → (next, qx, qy). Nothing passes the ends of the
    /// domain but where they are joined.
    pub Depth = "shallow_water/depth.wgsl", depth {
        uniform at: WaterU, read depth: f32, read u: f32, read v: f32, write next: f32, write qx: f32, write qy: f32,
    }
}
crate::kernel! {
    /// u ← u + dt (momentum that the fluxes bring − g ∇η − friction): (depth, head, u, v, qx, qy) → (next u, next v). `head`
    /// is the ground with what presses on the water, both as heights.
    pub Velocity = "shallow_water/velocity.wgsl", velocity {
        uniform at: WaterU, read depth: f32, read head: f32, read u: f32, read v: f32, read qx: f32, read qy: f32,
        write next_u: f32, write next_v: f32,
    }
}

/// The larger one, as one instruction.
#[inline(always)]
pub fn more(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
/// The smaller one, as one instruction.
#[inline(always)]
pub fn less(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

impl WaterU {
    /// Cells along x and y.
    pub fn size(&self) -> [usize; 2] {
        self.cells.map(|n| n as usize)
    }
    /// Whether the ends of an axis are joined.
    pub fn joined(&self, axis: usize) -> bool {
        self.flags >> axis & 1 == 1
    }
    /// Row or column before `k` of `n` and whether it is there; the same one where it is not.
    #[inline(always)]
    pub fn before(&self, k: usize, n: usize, axis: usize) -> usize {
        match k {
            0 if self.joined(axis) => n - 1,
            0 => 0,
            _ => k - 1,
        }
    }
    /// Row or column after `k` of `n`; the same one where there is none.
    #[inline(always)]
    pub fn after(&self, k: usize, n: usize, axis: usize) -> usize {
        if k + 1 < n {
            k + 1
        } else if self.joined(axis) {
            0
        } else {
            k
        }
    }
}

/// Rounding of the heights of two cells, relative to the sum of all their parts.
const BLUR: f32 = 1.2e-7;
/// Share of a cell that water may cross in a sub-step, both ways together.
pub const MOST_CROSSED: f32 = 0.95;
/// Rows that one task takes.
const ROWS: usize = 16;

fn depth(
    _: &Cpu,
    _: [u32; 3],
    at: &WaterU,
    depth: &[f32],
    u: &[f32],
    v: &[f32],
    next: &mut [f32],
    qx: &mut [f32],
    qy: &mut [f32],
) {
    let [nx, ny] = at.size();
    let (inner, last) = qy.split_at_mut(nx * ny);
    let tasks = next
        .par_chunks_mut(ROWS * nx)
        .zip(qx.par_chunks_mut(ROWS * (nx + 1)))
        .zip(inner.par_chunks_mut(ROWS * nx));
    tasks.enumerate().for_each(|(task, ((next, qx), qy))| {
        let water = Fluxes { at, depth, u, v };
        water.rows(task * ROWS, next, qx, qy);
    });
    if at.joined(1) {
        last.copy_from_slice(&inner[..nx]);
    } else {
        last.fill(0.0);
    }
}

/// What fluxes are made from.
struct Fluxes<'a> {
    at: &'a WaterU,
    depth: &'a [f32],
    u: &'a [f32],
    v: &'a [f32],
}

impl Fluxes<'_> {
    /// The share of what wants to leave the cells of a row that may.
    fn shares(&self, j: usize, out: &mut [f32]) {
        let [nx, _] = self.at.size();
        let u = &self.u[j * (nx + 1)..][..nx + 1];
        let (low, high) = (&self.v[j * nx..][..nx], &self.v[(j + 1) * nx..][..nx]);
        shares_row(self.at.dt / self.at.h, u, low, high, out);
    }

    /// Rows from `first` on, as many as there is room for.
    fn rows(&self, first: usize, next: &mut [f32], qx: &mut [f32], qy: &mut [f32]) {
        let at = self.at;
        let [nx, ny] = at.size();
        let count = next.len() / nx;
        let rate = at.dt / at.h;
        let row = |j: usize| &self.depth[j * nx..][..nx];
        let (mut share, mut above, mut top) = (vec![0.0; nx], vec![0.0; nx], vec![0.0; nx]);
        self.shares(first, &mut share);
        // What comes in from the row below.
        let below = at.before(first, ny, 1);
        if below == first {
            qy[..nx].fill(0.0);
        } else {
            self.shares(below, &mut above);
            let v = &self.v[first * nx..][..nx];
            flux_row(v, row(below), row(first), &above, &share, &mut qy[..nx]);
        }
        for k in 0..count {
            let j = first + k;
            let next_row = at.after(j, ny, 1);
            if next_row == j {
                top.fill(0.0);
            } else {
                self.shares(next_row, &mut above);
                let v = &self.v[(j + 1) * nx..][..nx];
                flux_row(v, row(j), row(next_row), &share, &above, &mut top);
            }
            let own = &mut qx[k * (nx + 1)..][..nx + 1];
            let u = &self.u[j * (nx + 1)..][..nx + 1];
            let (h, s) = (row(j), &share[..]);
            flux_row(
                &u[1..nx],
                &h[..nx - 1],
                &h[1..],
                &s[..nx - 1],
                &s[1..],
                &mut own[1..nx],
            );
            own[0] = if at.joined(0) {
                upwind(u[0], h[nx - 1] * s[nx - 1], h[0] * s[0])
            } else {
                0.0
            };
            own[nx] = own[0];
            depth_row(
                rate,
                h,
                own,
                &qy[k * nx..][..nx],
                &top,
                &mut next[k * nx..][..nx],
            );
            if k + 1 < count {
                qy[(k + 1) * nx..][..nx].copy_from_slice(&top);
            }
            std::mem::swap(&mut share, &mut above);
        }
    }
}

/// What flows at speed `u` out of the cell before or after the face.
#[inline(always)]
fn upwind(u: f32, before: f32, after: f32) -> f32 {
    u * if u > 0.0 { before } else { after }
}

crate::simd_fn! {
    fn shares_row(rate: f32, u: &[f32], low: &[f32], high: &[f32], out: &mut [f32]) {
        let n = out.len();
        let (u0, u1, low, high) = (&u[..n], &u[1..n + 1], &low[..n], &high[..n]);
        for i in 0..n {
            let leaves = (more(u1[i], 0.0) + more(-u0[i], 0.0)) + (more(high[i], 0.0) + more(-low[i], 0.0));
            out[i] = 1.0 / more(rate * leaves, 1.0);
        }
    }
    fn flux_row(u: &[f32], h0: &[f32], h1: &[f32], s0: &[f32], s1: &[f32], out: &mut [f32]) {
        let n = out.len();
        let (u, h0, h1, s0, s1) = (&u[..n], &h0[..n], &h1[..n], &s0[..n], &s1[..n]);
        for i in 0..n {
            out[i] = upwind(u[i], h0[i] * s0[i], h1[i] * s1[i]);
        }
    }
    fn depth_row(rate: f32, h: &[f32], qx: &[f32], low: &[f32], high: &[f32], out: &mut [f32]) {
        let n = out.len();
        let (h, q0, q1, low, high) = (&h[..n], &qx[..n], &qx[1..n + 1], &low[..n], &high[..n]);
        for i in 0..n {
            out[i] = more(h[i] - rate * ((q1[i] - q0[i]) + (high[i] - low[i])), 0.0);
        }
    }
}

fn velocity(
    _: &Cpu,
    _: [u32; 3],
    at: &WaterU,
    depth: &[f32],
    head: &[f32],
    u: &[f32],
    v: &[f32],
    qx: &[f32],
    qy: &[f32],
    next_u: &mut [f32],
    next_v: &mut [f32],
) {
    let [nx, ny] = at.size();
    let all = Momentum {
        at,
        depth,
        head,
        u,
        v,
        qx,
        qy,
    };
    let (inner, last) = next_v.split_at_mut(nx * ny);
    let rows = next_u.par_chunks_mut(nx + 1).zip(inner.par_chunks_mut(nx));
    rows.enumerate()
        .with_min_len(4)
        .for_each(
            |(j, (next_u, next_v))| match (at.flags & CARRIED != 0, at.friction > 0.0) {
                (true, true) => all.row::<true, true>(j, next_u, next_v),
                (true, false) => all.row::<true, false>(j, next_u, next_v),
                (false, true) => all.row::<false, true>(j, next_u, next_v),
                (false, false) => all.row::<false, false>(j, next_u, next_v),
            },
        );
    last.copy_from_slice(if at.joined(1) {
        &inner[..nx]
    } else {
        &v[nx * ny..]
    });
}

/// Row `j` of an array of rows of `w`.
fn line(a: &[f32], j: usize, w: usize) -> &[f32] {
    &a[j * w..][..w]
}

/// What velocities are made from.
struct Momentum<'a> {
    at: &'a WaterU,
    depth: &'a [f32],
    head: &'a [f32],
    u: &'a [f32],
    v: &'a [f32],
    qx: &'a [f32],
    qy: &'a [f32],
}

impl Momentum<'_> {
    fn row<const CARRY: bool, const DRAG: bool>(&self, j: usize, u: &mut [f32], v: &mut [f32]) {
        self.u_row::<CARRY, DRAG>(j, u);
        self.v_row::<CARRY, DRAG>(j, v);
    }

    /// Faces across x in row `j`. Those at the ends of the domain stay as they are, unless they are joined.
    fn u_row<const CARRY: bool, const DRAG: bool>(&self, j: usize, out: &mut [f32]) {
        let [nx, ny] = self.at.size();
        let w = nx + 1;
        let (below, above) = (self.at.before(j, ny, 1), self.at.after(j, ny, 1));
        let (below2, above2) = (self.at.before(below, ny, 1), self.at.after(above, ny, 1));
        let (h, z) = (line(self.depth, j, nx), line(self.head, j, nx));
        let [u, ub, ut, ub2, ut2] = [j, below, above, below2, above2].map(|j| line(self.u, j, w));
        let q = line(self.qx, j, w);
        let [ql, qh] = [j, j + 1].map(|j| line(self.qy, j, nx));
        let [vl, vh] = [j, j + 1].map(|j| line(self.v, j, nx));
        // Faces from the third of `i` on, as many as `out` holds, with two on either side, and the cell `c` before the first.
        let run = |c: usize, i: [usize; 5], out: &mut [f32]| {
            let n = out.len();
            let [mm, m, i, p, pp] = i;
            faces::<CARRY, DRAG>(
                self.at,
                [&h[c..c + n], &h[i..i + n], &z[c..c + n], &z[i..i + n]],
                [
                    &u[mm..mm + n],
                    &u[m..m + n],
                    &u[i..i + n],
                    &u[p..p + n],
                    &u[pp..pp + n],
                ],
                [&ub2[i..i + n], &ub[i..i + n], &ut[i..i + n], &ut2[i..i + n]],
                [&q[m..m + n], &q[i..i + n], &q[p..p + n]],
                [&ql[c..c + n], &ql[i..i + n], &qh[c..c + n], &qh[i..i + n]],
                [&vl[c..c + n], &vl[i..i + n], &vh[c..c + n], &vh[i..i + n]],
                out,
            );
        };
        run(1, [0, 1, 2, 3, 4], &mut out[2..nx - 1]);
        let joined = self.at.joined(0);
        run(
            0,
            [if joined { nx - 1 } else { 0 }, 0, 1, 2, 3],
            &mut out[1..2],
        );
        let end = if joined { 1 } else { nx };
        run(
            nx - 2,
            [nx - 3, nx - 2, nx - 1, nx, end],
            &mut out[nx - 1..nx],
        );
        if joined {
            run(nx - 1, [nx - 2, nx - 1, 0, 1, 2], &mut out[..1]);
            out[nx] = out[0];
        } else {
            (out[0], out[nx]) = (u[0], u[nx]);
        }
    }

    /// Faces across y between rows `j` − 1 and `j`.
    fn v_row<const CARRY: bool, const DRAG: bool>(&self, j: usize, out: &mut [f32]) {
        let [nx, ny] = self.at.size();
        let below = self.at.before(j, ny, 1);
        let v = line(self.v, j, nx);
        if below == j {
            out.copy_from_slice(v);
            return;
        }
        let w = nx + 1;
        // The last row of faces repeats the first one where they are joined.
        let beyond = match j + 2 {
            k if k <= ny => k,
            _ if self.at.joined(1) => 1,
            _ => ny,
        };
        let [hl, hh] = [below, j].map(|j| line(self.depth, j, nx));
        let [zl, zh] = [below, j].map(|j| line(self.head, j, nx));
        let [vl2, vl, vh, vh2] =
            [self.at.before(below, ny, 1), below, j + 1, beyond].map(|j| line(self.v, j, nx));
        let [ql, q, qh] = [below, j, j + 1].map(|j| line(self.qy, j, nx));
        let [sl, sh] = [below, j].map(|j| line(self.qx, j, w));
        let [ul, uh] = [below, j].map(|j| line(self.u, j, w));
        let run = |i: [usize; 5], out: &mut [f32]| {
            let n = out.len();
            let [ll, l, i, r, rr] = i;
            let (here, next) = (i..i + n, i + 1..i + 1 + n);
            faces::<CARRY, DRAG>(
                self.at,
                [
                    &hl[here.clone()],
                    &hh[here.clone()],
                    &zl[here.clone()],
                    &zh[here.clone()],
                ],
                [
                    &vl2[here.clone()],
                    &vl[here.clone()],
                    &v[here.clone()],
                    &vh[here.clone()],
                    &vh2[here.clone()],
                ],
                [&v[ll..ll + n], &v[l..l + n], &v[r..r + n], &v[rr..rr + n]],
                [&ql[here.clone()], &q[here.clone()], &qh[here.clone()]],
                [
                    &sl[here.clone()],
                    &sh[here.clone()],
                    &sl[next.clone()],
                    &sh[next.clone()],
                ],
                [&ul[here.clone()], &uh[here], &ul[next.clone()], &uh[next]],
                out,
            );
        };
        run([0, 1, 2, 3, 4], &mut out[2..nx - 2]);
        for i in [0, 1, nx - 2, nx - 1] {
            let (l, r) = (self.at.before(i, nx, 0), self.at.after(i, nx, 0));
            let (ll, rr) = (self.at.before(l, nx, 0), self.at.after(r, nx, 0));
            run([ll, l, i, r, rr], &mut out[i..i + 1]);
        }
    }
}

/// The smaller slope of two that go the same way, else none (minmod).
#[inline(always)]
fn gentler(a: f32, b: f32) -> f32 {
    more(less(a, b), 0.0) + less(more(a, b), 0.0)
}

/// What two fluxes bring, one from below and one to above: q (u* − u), u* being the velocity where each comes from, drawn on
/// to the place between along the gentler slope (van Leer 1979). `u` are five neighbours.
#[inline(always)]
fn brings(from: f32, to: f32, u: [f32; 5]) -> f32 {
    let [s0, s1, s2, s3] = [u[1] - u[0], u[2] - u[1], u[3] - u[2], u[4] - u[3]];
    let [before, own, after] = [gentler(s0, s1), gentler(s1, s2), gentler(s2, s3)];
    (more(from, 0.0) * (0.5 * before - s1) + more(-to, 0.0) * (s2 - 0.5 * after))
        + 0.5 * own * (more(-from, 0.0) - more(to, 0.0))
}

crate::wide_simd_fn! {
    /// A run of faces across an axis: depth before and after each face and heads before and after; the velocity at two faces
    /// before, at the face and at two after; at two faces beside it on either side; the fluxes along; the fluxes across through both
    /// corners on either side; and the velocities across at the four corners.
    fn faces<const CARRY: bool, const DRAG: bool>(
        at: &WaterU, cell: [&[f32]; 4], along: [&[f32]; 5], beside: [&[f32]; 4], flux: [&[f32]; 3], corner: [&[f32]; 4], across: [&[f32]; 4], out: &mut [f32],
    ) {
        let n = out.len();
        // One by one: a `map` is not always inlined, and then the lengths are not known in the loop.
        let (h0, h1, z0, z1) = (&cell[0][..n], &cell[1][..n], &cell[2][..n], &cell[3][..n]);
        let (umm, um, u, up, upp) = (&along[0][..n], &along[1][..n], &along[2][..n], &along[3][..n], &along[4][..n]);
        let (ubb, ub, ut, utt) = (&beside[0][..n], &beside[1][..n], &beside[2][..n], &beside[3][..n]);
        let (qm, q, qp) = (&flux[0][..n], &flux[1][..n], &flux[2][..n]);
        let (c0, c1, c2, c3) = (&corner[0][..n], &corner[1][..n], &corner[2][..n], &corner[3][..n]);
        let (a0, a1, a2, a3) = (&across[0][..n], &across[1][..n], &across[2][..n], &across[3][..n]);
        let at = *at;
        let rate = at.dt / at.h;
        let (push, drag, crossed) = (rate * at.gravity, at.friction * at.dt, rate * (1.0 / MOST_CROSSED));
        for i in 0..n {
            // Two quotients by one division: 1/h at the face, and H/h where it is deeper than H.
            let (mean, deep) = (more(0.5 * (h0[i] + h1[i]), at.dry), more(more(h0[i], h1[i]), at.deepest));
            let both = 1.0 / (mean * deep);
            let (per_depth, slower) = (both * deep, both * mean * at.deepest);
            // Where the ground drops by more than a cell's edge, water falls: that does not push it on.
            let rise = (h1[i] + z1[i]) - (h0[i] + z0[i]);
            let rise = less(more(rise, -(h0[i] + at.h)), h1[i] + at.h);
            // What is less than the heights can tell is no slope: water at rest stays so for ever.
            let blur = BLUR * ((h0[i] + h1[i]) + (z0[i].abs() + z1[i].abs()));
            let rise = if rise.abs() > blur { rise } else { 0.0 };
            let own = u[i];
            let mut new = own - push * slower * rise;
            if CARRY {
                let line = brings(0.5 * (qm[i] + q[i]), 0.5 * (q[i] + qp[i]), [umm[i], um[i], own, up[i], upp[i]]);
                let side = brings(0.5 * (c0[i] + c1[i]), 0.5 * (c2[i] + c3[i]), [ubb[i], ub[i], own, ut[i], utt[i]]);
                new += rate * per_depth * (line + side);
            }
            let other = 0.25 * ((a0[i] + a1[i]) + (a2[i] + a3[i]));
            if DRAG {
                let speed = (own * own + other * other).sqrt();
                new /= 1.0 + drag * speed * per_depth;
            }
            // What crosses more than a cell, along both axes together, would run past itself: it breaks into stripes. Askew
            // those come sooner, as slopes are drawn on along each axis for itself.
            let (along, across) = (new.abs(), other.abs());
            new /= more(crossed * (along + across + less(along, across)), 1.0);
            new = less(more(new, -at.max_speed), at.max_speed);
            let from = if new > 0.0 { h0[i] } else { h1[i] };
            out[i] = if from > at.dry { new } else { 0.0 };
        }
    }
}
