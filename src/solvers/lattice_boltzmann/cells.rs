//! What is done once a step, or less: density and velocity from populations and back, forces, sums.

use rayon::prelude::*;

use super::sets::d2q9::{Q, carrying, equilibrium, moments, stress};
use super::stream::LatticeU;
use crate::device::{Buf, Cpu, Device, PARTIALS, Result, Ticket};
use crate::grid::Lattice;
use crate::grid::lattice::FIXED;

crate::shared! {
    /// Factors between lattice and SI units.
    pub struct ScaleU {
        /// m/s of a cell a step.
        pub speed: f32,
        /// A second in what velocities are divided by to give an acceleration, 1/s.
        pub per_step: f32,
        /// Cells a step² of a m/s².
        pub force: f32,
        /// Nothing.
        pub unused: f32,
    }
}

crate::shared! {
    /// How populations change when the step of the lattice does.
    pub struct RescaleU {
        /// Factor of velocities: new step over old.
        pub speed: f32,
        /// Factor of what is not in equilibrium.
        pub stress: f32,
    }
}

crate::kernel! {
    /// ρ − 1 and velocity in m/s, that of solids in them: (f, force, solid, solid velocity) → (rho, u, v). Populations after a
    /// collision have the whole of the step's push, of which the velocity has half.
    pub LatticeMoments = "lattice_boltzmann/moments.wgsl", moments_twin {
        uniform lattice: LatticeU, uniform scale: ScaleU, read f: f32, read force: f32, read solid: u32,
        read solid_velocity: f32, write rho: f32, write u: f32, write v: f32,
    }
}
crate::kernel! {
    /// A component of the velocity on faces, from that in cells: (solid, cells) → faces. Faces of solids have theirs.
    pub LatticeFaces = "lattice_boltzmann/faces.wgsl", faces {
        uniform at: Lattice, read solid: u32, read cells: f32, write faces: f32,
    }
}
crate::kernel! {
    /// Acceleration in cells a step² from what was pushed to where, and what accelerates besides:
    /// (pushed u and v, u, v, acceleration, solid) → force.
    pub LatticeForce = "lattice_boltzmann/force.wgsl", force_twin {
        uniform lattice: LatticeU, uniform scale: ScaleU, read pushed_u: f32, read pushed_v: f32, read u: f32, read v: f32,
        read acceleration: f32, read solid: u32, write force: f32,
    }
}
crate::kernel! {
    /// Populations for a step of another length: f → f.
    pub LatticeRescale = "lattice_boltzmann/rescale.wgsl", rescale {
        uniform lattice: LatticeU, uniform by: RescaleU, write f: f32,
    }
}
crate::kernel! {
    /// Solid cells are in equilibrium at the velocity of the solid, for when it leaves: (solid, solid velocity) → f.
    pub LatticeSolids = "lattice_boltzmann/solids.wgsl", solids {
        uniform lattice: LatticeU, read solid: u32, read solid_velocity: f32, write f: f32,
    }
}
crate::kernel! {
    /// Partial result p of fluid cells p, p + 1024, …: (rho, u, v, scalars, solid) → largest |u|², Σ|u|², Σ(ρ−1), number of
    /// cells, Σ red, Σ green, Σ blue, Σ temperature, Σ u, Σ v, largest |ρ−1|, nothing.
    pub LatticeMeasure = "lattice_boltzmann/measure.wgsl", measure {
        uniform lattice: LatticeU, read rho: f32, read u: f32, read v: f32, read scalars: f32, read solid: u32,
        write partials: f32,
    }
}

crate::kernel! {
    /// Both components beside each other: (u, v) → out.
    pub LatticeVelocity = "lattice_boltzmann/velocity.wgsl", velocity {
        read u: f32, read v: f32, write out: f32,
    }
}
crate::kernel! {
    /// p = (ρ − 1)/3 · (m/s of a cell a step)²: rho → out, m²/s².
    pub LatticePressure = "lattice_boltzmann/pressure.wgsl", pressure {
        uniform scale: ScaleU, read rho: f32, write out: f32,
    }
}

/// Cells that one task takes.
const CHUNK: usize = 4096;

fn moments_twin(
    _: &Cpu,
    _: [u32; 3],
    _: &LatticeU,
    scale: &ScaleU,
    f: &[f32],
    force: &[f32],
    solid: &[u32],
    solid_velocity: &[f32],
    rho: &mut [f32],
    u: &mut [f32],
    v: &mut [f32],
) {
    let n = rho.len();
    let out = rho.par_chunks_mut(CHUNK).zip(u.par_chunks_mut(CHUNK));
    let out = out.zip(v.par_chunks_mut(CHUNK)).enumerate();
    out.for_each(|(c, ((rho, u), v))| {
        let (begin, len) = (c * CHUNK, rho.len());
        let of = |q: usize| &f[q * n + begin..][..len];
        let f: [&[f32]; Q] = std::array::from_fn(of);
        let force = [0, 1].map(|axis| &force[axis * n + begin..][..len]);
        fluid_moments(scale.speed, &f, &force, rho, u, v);
        for i in (0..len).filter(|i| solid[begin + i] != 0) {
            rho[i] = 0.0;
            [u[i], v[i]] = [0, 1].map(|axis| solid_velocity[4 * (begin + i) + axis]);
        }
    });
}

crate::simd_fn! {
    fn fluid_moments(speed: f32, f: &[&[f32]; 9], force: &[&[f32]; 2], rho: &mut [f32], u: &mut [f32], v: &mut [f32]) {
        const RUN: usize = 32;
        let mut run = [[0.0f32; RUN]; 9];
        let mut a = [[0.0f32; RUN]; 2];
        for begin in (0..rho.len()).step_by(RUN) {
            let len = RUN.min(rho.len() - begin);
            for (run, f) in run.iter_mut().zip(f) {
                run[..len].copy_from_slice(&f[begin..begin + len]);
            }
            for (a, force) in a.iter_mut().zip(force) {
                a[..len].copy_from_slice(&force[begin..begin + len]);
            }
            let mut out = [[0.0f32; RUN]; 3];
            for t in 0..RUN {
                let (m, j) = moments(&std::array::from_fn(|q| run[q][t]));
                let inverse = 1.0 / (1.0 + m);
                out[0][t] = m;
                out[1][t] = speed * (j[0] * inverse - 0.5 * a[0][t]);
                out[2][t] = speed * (j[1] * inverse - 0.5 * a[1][t]);
            }
            rho[begin..begin + len].copy_from_slice(&out[0][..len]);
            u[begin..begin + len].copy_from_slice(&out[1][..len]);
            v[begin..begin + len].copy_from_slice(&out[2][..len]);
        }
    }
}

fn faces(_: &Cpu, _: [u32; 3], at: &Lattice, solid: &[u32], cells: &[f32], faces: &mut [f32]) {
    let axis = at.size[3] as usize;
    let (width, n) = (at.size[0] as usize, at.cells[axis] as usize);
    let nx = at.cells[0] as usize;
    // What is known at an end.
    let known = |here: usize| {
        let low = here == 0 && at.low_kind[axis] == FIXED;
        let high = here == n && at.high_kind[axis] == FIXED;
        (!at.periodic(axis) && (low || high)).then_some(if low {
            at.low[axis]
        } else {
            at.high[axis]
        })
    };
    let one = |i: usize, j: usize| {
        let [a, b] = at.cells_beside(i, j);
        known([i, j][axis]).unwrap_or(mean(cells[a], cells[b], solid[a], solid[b]))
    };
    faces
        .par_chunks_mut(width)
        .enumerate()
        .for_each(|(j, row)| {
            if axis == 0 {
                let (values, solids) = (&cells[j * nx..][..nx], &solid[j * nx..][..nx]);
                row[0] = one(0, j);
                row[nx] = one(nx, j);
                let (a, b) = (&values[..nx - 1], &values[1..]);
                means(a, b, &solids[..nx - 1], &solids[1..], &mut row[1..nx]);
            } else if let Some(value) = known(j) {
                row.fill(value);
            } else {
                let [a, b] = at.cells_beside(0, j);
                let of = |first: usize| (&cells[first..][..nx], &solid[first..][..nx]);
                let ((a, sa), (b, sb)) = (of(a), of(b));
                means(a, b, sa, sb, row);
            }
        });
}

/// Half way between two cells; the solid's where one of them is solid.
#[inline(always)]
fn mean(a: f32, b: f32, solid_a: u32, solid_b: u32) -> f32 {
    let half = a + (b - a) * 0.5;
    let one = if solid_a != 0 { a } else { b };
    if (solid_a != 0) == (solid_b != 0) {
        half
    } else {
        one
    }
}

crate::simd_fn! {
    fn means(a: &[f32], b: &[f32], solid_a: &[u32], solid_b: &[u32], out: &mut [f32]) {
        let n = out.len();
        let (a, b, solid_a, solid_b) = (&a[..n], &b[..n], &solid_a[..n], &solid_b[..n]);
        for i in 0..n {
            out[i] = mean(a[i], b[i], solid_a[i], solid_b[i]);
        }
    }
}

fn force_twin(
    _: &Cpu,
    _: [u32; 3],
    _: &LatticeU,
    scale: &ScaleU,
    pushed_u: &[f32],
    pushed_v: &[f32],
    u: &[f32],
    v: &[f32],
    acceleration: &[f32],
    solid: &[u32],
    force: &mut [f32],
) {
    let n = u.len();
    let parts = [(pushed_u, u), (pushed_v, v)];
    for (axis, (force, (pushed, u))) in force.chunks_exact_mut(n).zip(parts).enumerate() {
        force
            .par_iter_mut()
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(k, out)| {
                let push = (pushed[k] - u[k]) * scale.per_step;
                let all = (push + acceleration[2 * k + axis]) * scale.force;
                *out = if solid[k] != 0 { 0.0 } else { all };
            });
    }
}

fn velocity(_: &Cpu, _: [u32; 3], u: &[f32], v: &[f32], out: &mut [f32]) {
    let cells = out.par_chunks_exact_mut(2).zip(u.par_iter().zip(v));
    cells
        .with_min_len(CHUNK)
        .for_each(|(out, (u, v))| out.copy_from_slice(&[*u, *v]));
}

fn pressure(_: &Cpu, _: [u32; 3], scale: &ScaleU, rho: &[f32], out: &mut [f32]) {
    let factor = scale.speed * scale.speed * (1.0 / 3.0);
    let cells = out.par_iter_mut().zip(rho).with_min_len(CHUNK);
    cells.for_each(|(out, rho)| *out = rho * factor);
}

/// Hands `work` the populations of each row of cells.
fn by_rows(f: &mut [f32], lattice: &LatticeU, work: impl Fn(usize, [&mut [f32]; Q]) + Sync) {
    let [nx, ny, ..] = lattice.cells.map(|n| n as usize);
    let mut planes: Vec<_> = f
        .chunks_exact_mut(nx * ny)
        .map(|plane| plane.chunks_exact_mut(nx))
        .collect();
    let mut row = || {
        std::array::from_fn(|q| {
            planes
                .get_mut(q)
                .and_then(Iterator::next)
                .unwrap_or_default()
        })
    };
    let rows: Vec<[&mut [f32]; Q]> = (0..ny).map(|_| row()).collect();
    rows.into_par_iter()
        .enumerate()
        .for_each(|(j, row)| work(j, row));
}

fn rescale(_: &Cpu, _: [u32; 3], lattice: &LatticeU, by: &RescaleU, f: &mut [f32]) {
    by_rows(f, lattice, |_, mut row| {
        for i in 0..row[0].len() {
            let own: [f32; Q] = std::array::from_fn(|q| row[q][i]);
            let (rho, j) = moments(&own);
            let inverse = 1.0 / (1.0 + rho);
            let u = [j[0] * inverse, j[1] * inverse, 0.0];
            let rest = carrying(&stress(&own, &equilibrium(rho, u)));
            let u = [u[0] * by.speed, u[1] * by.speed, 0.0];
            let balanced = equilibrium(rho * (by.speed * by.speed), u);
            for (q, row) in row.iter_mut().enumerate() {
                row[i] = balanced[q] + rest[q] * by.stress;
            }
        }
    });
}

fn solids(
    _: &Cpu,
    _: [u32; 3],
    lattice: &LatticeU,
    solid: &[u32],
    solid_velocity: &[f32],
    f: &mut [f32],
) {
    by_rows(f, lattice, |j, mut row| {
        let begin = j * row[0].len();
        for i in 0..row[0].len() {
            let k = begin + i;
            if solid[k] == 0 {
                continue;
            }
            let u = [0, 1].map(|axis| solid_velocity[4 * k + axis] * lattice.relax[3]);
            let balanced = equilibrium(0.0, [u[0], u[1], 0.0]);
            for (q, row) in row.iter_mut().enumerate() {
                row[i] = balanced[q];
            }
        }
    });
}

/// Numbers that each partial result has.
const VALUES: usize = 12;

/// Room for partial results.
pub struct Measurement {
    partials: Buf<f32>,
}

/// Sums over all fluid cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Largest speed, m/s.
    pub max_speed: f64,
    /// Σ |u|², m²/s².
    pub speed2: f64,
    /// Σ (ρ − 1).
    pub density: f64,
    /// Largest |ρ − 1|.
    pub max_density: f64,
    /// Fluid cells.
    pub cells: f64,
    /// Σ of red, green, blue and temperature.
    pub scalars: [f64; 4],
    /// Σ of the velocity, m/s.
    pub velocity: [f64; 2],
}

impl Measurement {
    /// Makes room.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device) -> Result<Self> {
        let partials = dev.buf("partial measures", PARTIALS * VALUES)?;
        Ok(Self { partials })
    }

    /// Measures, after the work so far.
    pub fn totals(
        &mut self,
        dev: &mut Device,
        lattice: LatticeU,
        rho: &Buf<f32>,
        [u, v]: [&Buf<f32>; 2],
        scalars: &Buf<f32>,
        solid: &Buf<u32>,
    ) -> Ticket<Totals> {
        let partials = &mut self.partials;
        dev.run(
            [PARTIALS as u32, 1, 1],
            LatticeMeasure {
                lattice,
                rho,
                u,
                v,
                scalars,
                solid,
                partials,
            },
        );
        dev.read_later(&self.partials)
            .map(|partials| sum(&partials))
    }
}

fn sum(partials: &[f32]) -> Totals {
    let mut all = Totals::default();
    for p in partials.chunks_exact(VALUES) {
        let p: [f64; VALUES] = std::array::from_fn(|i| f64::from(p[i]));
        // What is not a number wins.
        let larger = |a: f64, b: f64| if b <= a || a.is_nan() { a } else { b };
        all.max_speed = larger(all.max_speed, p[0]);
        all.speed2 += p[1];
        all.density += p[2];
        all.cells += p[3];
        all.scalars = std::array::from_fn(|i| all.scalars[i] + p[4 + i]);
        all.velocity = [all.velocity[0] + p[8], all.velocity[1] + p[9]];
        all.max_density = larger(all.max_density, p[10]);
    }
    all.max_speed = all.max_speed.sqrt();
    all
}

/// Partial results that one task takes; neighbours in memory.
const LANES: usize = 128;

fn measure(
    _: &Cpu,
    _: [u32; 3],
    _: &LatticeU,
    rho: &[f32],
    u: &[f32],
    v: &[f32],
    scalars: &[f32],
    solid: &[u32],
    partials: &mut [f32],
) {
    let worst = |a: f32, b: f32| if b <= a || a.is_nan() { a } else { b };
    let n = rho.len();
    let tasks = partials.par_chunks_mut(LANES * VALUES).enumerate();
    tasks.for_each(|(task, partials)| {
        partials.fill(0.0);
        for base in (task * LANES..n).step_by(PARTIALS) {
            for (lane, sums) in partials.chunks_exact_mut(VALUES).enumerate() {
                let k = base + lane;
                if k >= n || solid[k] != 0 {
                    continue;
                }
                let speed2 = u[k] * u[k] + v[k] * v[k];
                sums[0] = worst(sums[0], speed2);
                sums[1] += speed2;
                sums[2] += rho[k];
                sums[3] += 1.0;
                for c in 0..4 {
                    sums[4 + c] += scalars[4 * k + c];
                }
                sums[8] += u[k];
                sums[9] += v[k];
                sums[10] = worst(sums[10], rho[k].abs());
            }
        }
    });
}
