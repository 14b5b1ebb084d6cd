//! Linear systems to be solved, with an arithmetic in f64 that shares no code with the solvers.

use eddy::device::{Device, DeviceChoice};
use eddy::poisson::{CLOSED, FACE, LINK, NODE, SolveReport, SolverParams, System, UNKNOWN};

/// What lies behind a face of the box.
#[derive(Clone, Copy, PartialEq)]
pub enum Side {
    Closed,
    Face,
    Node,
    Periodic,
}

/// A system with everything on the host.
#[derive(Clone)]
pub struct Problem {
    pub dims: [u32; 3],
    pub codes: Vec<u32>,
    pub shift: f32,
    pub rhs: Vec<f32>,
    pub revision: u64,
}

/// Numbers between −1 and 1.
pub fn noise(n: usize, seed: u32) -> Vec<f32> {
    let mut s = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    (0..n)
        .map(|_| {
            s ^= s << 13;
            s ^= s >> 17;
            s ^= s << 5;
            (s >> 8) as f32 / 8_388_608.0 - 1.0
        })
        .collect()
}

/// The same conditions at both ends of each axis.
pub fn sides(x: Side, y: Side, z: Side) -> [Side; 6] {
    [x, x, y, y, z, z]
}

impl Problem {
    pub fn new(dims: [u32; 3], sides: [Side; 6], solid: impl Fn(u32, u32, u32) -> bool) -> Self {
        let mut codes = Vec::new();
        let [nx, ny, nz] = dims;
        for (k, j, i) in
            (0..nz).flat_map(|k| (0..ny).flat_map(move |j| (0..nx).map(move |i| (k, j, i))))
        {
            let mut code = if solid(i, j, k) { 0 } else { UNKNOWN };
            #[expect(clippy::needless_range_loop, reason = "f is also a bit and an axis")]
            for f in 0..6 {
                let axis = f / 2;
                let mut at = [i, j, k];
                let n = dims[axis];
                let outside = at[axis] == if f % 2 == 0 { 0 } else { n - 1 };
                at[axis] = (at[axis] + if f % 2 == 0 { n - 1 } else { 1 }) % n;
                let behind = match sides[f] {
                    _ if n == 1 => CLOSED,
                    Side::Closed if outside => CLOSED,
                    Side::Face if outside => FACE,
                    Side::Node if outside => NODE,
                    _ if solid(at[0], at[1], at[2]) => CLOSED,
                    _ => LINK,
                };
                if code & UNKNOWN != 0 {
                    code |= behind << (2 * f);
                }
            }
            codes.push(code);
        }
        let n = codes.len();
        Self {
            dims,
            codes,
            shift: 0.0,
            rhs: vec![0.0; n],
            revision: 1,
        }
    }

    /// A box without obstacles.
    pub fn open(dims: [u32; 3], sides: [Side; 6]) -> Self {
        Self::new(dims, sides, |_, _, _| false)
    }

    /// With a right-hand side of noise, which adds up to zero if `balanced`.
    pub fn with_noise(mut self, seed: u32, balanced: bool) -> Self {
        self.rhs = noise(self.codes.len(), seed);
        for (b, code) in self.rhs.iter_mut().zip(&self.codes) {
            if code & UNKNOWN == 0 {
                *b = 0.0;
            }
        }
        if balanced {
            let n = self.unknowns();
            let mean = self.rhs.iter().map(|b| f64::from(*b)).sum::<f64>() / n as f64;
            for (b, code) in self.rhs.iter_mut().zip(&self.codes) {
                if code & UNKNOWN != 0 {
                    *b -= mean as f32;
                }
            }
        }
        self
    }

    pub fn unknowns(&self) -> usize {
        self.codes.iter().filter(|c| **c & UNKNOWN != 0).count()
    }

    /// A x.
    pub fn apply(&self, x: &[f64]) -> Vec<f64> {
        let [nx, ny, nz] = self.dims.map(|n| n as usize);
        let mut out = vec![0.0; x.len()];
        for c in 0..x.len() {
            if self.codes[c] & UNKNOWN == 0 {
                continue;
            }
            let (i, j, k) = (c % nx, c / nx % ny, c / (nx * ny));
            let near = [
                ((i + nx - 1) % nx, j, k),
                ((i + 1) % nx, j, k),
                (i, (j + ny - 1) % ny, k),
                (i, (j + 1) % ny, k),
                (i, j, (k + nz - 1) % nz),
                (i, j, (k + 1) % nz),
            ];
            out[c] = f64::from(self.shift) * x[c];
            for (f, (i, j, k)) in near.into_iter().enumerate() {
                out[c] += match (self.codes[c] >> (2 * f)) & 3 {
                    LINK => x[c] - x[(k * ny + j) * nx + i],
                    FACE => 2.0 * x[c],
                    NODE => x[c],
                    _ => 0.0,
                };
            }
        }
        out
    }

    /// Root mean square over the unknowns, and largest magnitude, of b − A x.
    pub fn residual(&self, x: &[f32]) -> (f64, f64) {
        let x: Vec<f64> = x.iter().map(|v| f64::from(*v)).collect();
        let r: Vec<f64> = self
            .apply(&x)
            .iter()
            .zip(&self.rhs)
            .zip(&self.codes)
            .filter(|(_, code)| **code & UNKNOWN != 0)
            .map(|((ax, b), _)| f64::from(*b) - ax)
            .collect();
        let square = r.iter().map(|r| r * r).sum::<f64>() / r.len() as f64;
        (square.sqrt(), r.iter().fold(0.0, |m, r| m.max(r.abs())))
    }

    /// The solution by conjugate gradients in f64. If it is `free` to an added constant, b is first made to add up to zero.
    pub fn exact(&self, free: bool) -> Vec<f64> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut x = vec![0.0; self.rhs.len()];
        let mut r: Vec<f64> = self.rhs.iter().map(|b| f64::from(*b)).collect();
        if free {
            let mean = r.iter().sum::<f64>() / self.unknowns() as f64;
            for (r, code) in r.iter_mut().zip(&self.codes) {
                *r -= if code & UNKNOWN != 0 { mean } else { 0.0 };
            }
        }
        let mut p = r.clone();
        let mut rr = dot(&r, &r);
        let enough = rr * 1e-26;
        for _ in 0..20 * r.len() {
            if rr <= enough {
                break;
            }
            let ap = self.apply(&p);
            let alpha = rr / dot(&p, &ap);
            for c in 0..x.len() {
                x[c] += alpha * p[c];
                r[c] -= alpha * ap[c];
            }
            let next = dot(&r, &r);
            for c in 0..x.len() {
                p[c] = r[c] + next / rr * p[c];
            }
            rr = next;
        }
        x
    }

    /// Relative difference in the L2 norm over the unknowns, each without its mean if `free`.
    pub fn difference(&self, a: &[f32], b: &[f64], free: bool) -> f64 {
        let pairs: Vec<(f64, f64)> = (0..a.len())
            .filter(|c| self.codes[*c] & UNKNOWN != 0)
            .map(|c| (f64::from(a[c]), b[c]))
            .collect();
        let n = pairs.len() as f64;
        let (mut ma, mut mb) = (0.0, 0.0);
        if free {
            ma = pairs.iter().map(|p| p.0).sum::<f64>() / n;
            mb = pairs.iter().map(|p| p.1).sum::<f64>() / n;
        }
        let d: f64 = pairs.iter().map(|(a, b)| (a - ma - b + mb).powi(2)).sum();
        let s: f64 = pairs.iter().map(|(_, b)| (b - mb).powi(2)).sum();
        (d / s).sqrt()
    }

    /// Solves from `x`, on a solver of its own.
    pub fn solve(&self, dev: &mut Device, params: &SolverParams, x: &mut [f32]) -> SolveReport {
        let mut solver = params.create(dev, self.dims).unwrap();
        let stencil = dev.buf_from("stencil", &self.codes).unwrap();
        let rhs = dev.buf_from("rhs", &self.rhs).unwrap();
        let mut buf = dev.buf_from("x", x).unwrap();
        let system = System {
            dims: self.dims,
            stencil: &stencil,
            revision: self.revision,
            shift: self.shift,
            rhs: &rhs,
            residual_scale: 1.0,
            name: "test",
            unit: "",
        };
        solver.solve(dev, &system, &mut buf, params);
        let report = solver.report(dev).unwrap().wait(dev).unwrap();
        x.copy_from_slice(&dev.read(&buf).unwrap());
        report
    }
}

/// The CPU, and any adapter there is.
pub fn devices() -> Vec<Device> {
    let mut all = vec![Device::new(DeviceChoice::Cpu).unwrap()];
    all.extend(crate::kernels::gpu());
    all
}

/// A solver with its number of iterations set.
pub fn solver(id: &str, iterations: u32) -> SolverParams {
    let mut params = SolverParams::from_id(id).unwrap();
    set(&mut params, "iterations", &iterations.to_string());
    params
}

/// Sets a parameter of a solver by its name.
pub fn set(params: &mut SolverParams, name: &str, value: &str) {
    let path = eddy::params::entries(params)
        .into_iter()
        .map(|e| e.path)
        .find(|p| p == name || p.ends_with(&format!(".{name}")))
        .unwrap_or_else(|| panic!("no parameter {name}"));
    eddy::params::set(params, &path, value).unwrap();
}
