//! The velocity at any point, and tracing points along it, a run of points of one row at a time.
//!
//! Points are held in small arrays that stay in the first cache, so that all arithmetic vectorises; only the four loads of
//! an interpolation are done point by point (measured: 2.7 ns a point and thread for a first-order trace with its
//! interpolation, 4.5 where everything was done point by point). Points whose four samples do not all lie inside the array
//! take the general path of [`Lattice::tap`]; both give the same bits.

use super::lattice::{Lattice, lerp};

/// Points that are worked on together. 32 and 128 are slower.
pub const CHUNK: usize = 64;

/// One number for each point.
pub type Lane = [f32; CHUNK];

/// Positions (in cells) or velocities (in m/s) of up to [`CHUNK`] points.
#[derive(Clone, Copy)]
pub struct Points {
    /// Along x.
    pub x: Lane,
    /// Along y.
    pub y: Lane,
    /// How many there are.
    pub n: usize,
}

impl Default for Points {
    fn default() -> Self {
        Self {
            x: [0.0; CHUNK],
            y: [0.0; CHUNK],
            n: 0,
        }
    }
}

impl Points {
    /// Becomes the places of samples `i..i+n` of row `j` of an array.
    pub fn set_row(&mut self, at: &Lattice, i: usize, j: usize, n: usize) {
        self.n = n;
        for (c, x) in self.x.iter_mut().enumerate() {
            *x = (i + c) as f32 + at.offset[0];
        }
        self.y = [j as f32 + at.offset[1]; CHUNK];
    }

    #[inline]
    pub(super) fn get(&self, c: usize) -> [f32; 2] {
        [self.x[c], self.y[c]]
    }
}

/// Marks a point whose samples do not all lie inside the array.
pub const EDGE: u32 = u32::MAX;

/// Index of the first of four samples, and weights.
pub struct Located {
    /// First sample, or [`EDGE`].
    pub k: [u32; CHUNK],
    /// Weight of the second column.
    pub sx: Lane,
    /// Weight of the second row.
    pub sy: Lane,
}

impl Default for Located {
    fn default() -> Self {
        Self {
            k: [EDGE; CHUNK],
            sx: [0.0; CHUNK],
            sy: [0.0; CHUNK],
        }
    }
}

/// Floor of a number between 0 and 2²², and the same as an integer. Adding 2²³ leaves the integer in the low bits, which
/// vectorises where a conversion does not.
#[inline(always)]
fn floor(g: f32) -> (f32, u32) {
    const SHIFT: f32 = 8_388_608.0;
    let near = (g + SHIFT) - SHIFT;
    let floor = if near > g { near - 1.0 } else { near };
    (floor, (floor + SHIFT).to_bits() & 0x007f_ffff)
}

/// The lesser one, in one instruction (`f32::min` takes three for its care with what is not a number).
#[inline(always)]
pub(super) fn less(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The greater one.
#[inline(always)]
pub(super) fn more(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn middle(a: f32, b: f32) -> f32 {
    lerp(a, b, 0.5)
}

crate::simd_fn! {
    /// Finds the samples about each point.
    pub fn locate(at: &Lattice, points: &Points, found: &mut Located) {
        let stride = at.size[0];
        let (ox, oy) = (at.offset[0], at.offset[1]);
        let (last_x, last_y) = ((at.size[0] - 1) as f32, (at.size[1] - 1) as f32);
        for c in 0..CHUNK {
            let (gx, gy) = (points.x[c] - ox, points.y[c] - oy);
            let inside = (gx >= 0.0) & (gx < last_x) & (gy >= 0.0) & (gy < last_y);
            let ((fx, ix), (fy, iy)) = (floor(gx), floor(gy));
            let k = iy.wrapping_mul(stride).wrapping_add(ix);
            found.k[c] = if inside { k } else { EDGE };
            found.sx[c] = gx - fx;
            found.sy[c] = gy - fy;
        }
    }

    /// out = home − c·k.
    fn advance(home: &Points, c: f32, k: &Points, out: &mut Points) {
        for t in 0..CHUNK {
            out.x[t] = home.x[t] - c * k.x[t];
            out.y[t] = home.y[t] - c * k.y[t];
        }
        out.n = home.n;
    }

    /// k3 becomes the mean of Ralston's third-order scheme.
    fn ralston(k1: &Points, k2: &Points, k3: &mut Points) {
        for t in 0..CHUNK {
            k3.x[t] = (2.0 * k1.x[t] + 3.0 * k2.x[t] + 4.0 * k3.x[t]) * (1.0 / 9.0);
            k3.y[t] = (2.0 * k1.y[t] + 3.0 * k2.y[t] + 4.0 * k3.y[t]) * (1.0 / 9.0);
        }
    }

    fn blend(corners: &[Lane; 4], found: &Located, out: &mut Lane) {
        for t in 0..CHUNK {
            let low = lerp(corners[0][t], corners[1][t], found.sx[t]);
            let high = lerp(corners[2][t], corners[3][t], found.sx[t]);
            out[t] = lerp(low, high, found.sy[t]);
        }
    }

    fn extremes(corners: &[Lane; 4], low: &mut Lane, high: &mut Lane) {
        for t in 0..CHUNK {
            let (a, b, c, d) = (corners[0][t], corners[1][t], corners[2][t], corners[3][t]);
            low[t] = less(less(a, b), less(c, d));
            high[t] = more(more(a, b), more(c, d));
        }
    }

    /// Mean of four neighbours: of the pairs in each row, then of the rows.
    fn mean_of_rows(low: &[f32], high: &[f32], out: &mut [f32]) {
        let n = out.len();
        let (a, b, c, d) = (&low[..n], &low[1..n + 1], &high[..n], &high[1..n + 1]);
        for t in 0..n {
            out[t] = middle(middle(a[t], b[t]), middle(c[t], d[t]));
        }
    }

    fn mean_of_two(a: &[f32], b: &[f32], out: &mut [f32]) {
        let n = out.len();
        let (a, b) = (&a[..n], &b[..n]);
        for t in 0..n {
            out[t] = middle(a[t], b[t]);
        }
    }
}

/// Room for interpolations.
pub struct Sampler {
    found: Located,
    corners: [Lane; 4],
}

impl Default for Sampler {
    fn default() -> Self {
        Self {
            found: Located::default(),
            corners: [[0.0; CHUNK]; 4],
        }
    }
}

impl Sampler {
    /// Fetches the four values about each point.
    pub fn gather(&mut self, at: &Lattice, data: &[f32], points: &Points) {
        let stride = at.size[0] as usize;
        locate(at, points, &mut self.found);
        let [a, b, d, e] = &mut self.corners;
        for c in 0..points.n {
            let k = self.found.k[c] as usize;
            let rows = (data.get(k..k + 2), data.get(k + stride..k + stride + 2));
            if let (Some([p, q]), Some([r, s])) = rows {
                (a[c], b[c], d[c], e[c]) = (*p, *q, *r, *s);
            } else {
                let [px, py] = points.get(c);
                let (x, y) = (at.tap(px, 0), at.tap(py, 1));
                [a[c], b[c], d[c], e[c]] = at.corners(data, &x, &y);
                (self.found.sx[c], self.found.sy[c]) = (x.s, y.s);
            }
        }
    }

    /// Interpolates between the values that were fetched.
    pub fn blend(&self, out: &mut Lane) {
        blend(&self.corners, &self.found, out);
    }

    /// Least and greatest of the values that were fetched.
    pub fn extremes(&self, low: &mut Lane, high: &mut Lane) {
        extremes(&self.corners, low, high);
    }

    /// Interpolates `data` at each point.
    pub fn sample(&mut self, at: &Lattice, data: &[f32], points: &Points, out: &mut Lane) {
        self.gather(at, data, points);
        self.blend(out);
    }
}

/// A velocity on a staggered grid.
#[derive(Clone, Copy)]
pub struct Flow<'a> {
    /// Component along x, m/s.
    pub u: &'a [f32],
    /// Component along y, m/s.
    pub v: &'a [f32],
    /// Where `u` stands.
    pub u_at: &'a Lattice,
    /// Where `v` stands.
    pub v_at: &'a Lattice,
}

/// A run of samples of one row with the velocity there, and room to trace it.
#[derive(Default)]
pub struct Run {
    /// Where the samples stand.
    pub home: Points,
    /// The velocity there.
    pub k: Points,
    k2: Points,
    k3: Points,
    there: Points,
    /// For interpolations.
    pub sampler: Sampler,
}

impl Flow<'_> {
    /// Moves a run to samples `i..i+n` of row `j` of an array: either component, or centres of cells.
    pub fn place(&self, run: &mut Run, at: &Lattice, i: usize, j: usize, n: usize) {
        run.home.set_row(at, i, j, n);
        let (home, k) = (&run.home, &mut run.k);
        k.n = n;
        let (nx, ny) = (at.cells[0] as usize, at.cells[1] as usize);
        let u_row = |j: usize| &self.u[j * (nx + 1)..][..nx + 1];
        let v_row = |j: usize| &self.v[j * nx..][..nx];
        match at.size[3] {
            0 => {
                k.x[..n].copy_from_slice(&u_row(j)[i..i + n]);
                let (first, last) = (i.max(1), (i + n).min(nx));
                if last > first {
                    let (low, high) = (&v_row(j)[first - 1..], &v_row(j + 1)[first - 1..]);
                    mean_of_rows(low, high, &mut k.y[first - i..last - i]);
                }
                for edge in [0, nx].into_iter().filter(|e| (i..i + n).contains(e)) {
                    k.y[edge - i] = self.v_at.sample(self.v, home.get(edge - i));
                }
            }
            1 => {
                k.y[..n].copy_from_slice(&v_row(j)[i..i + n]);
                if j == 0 || j == ny {
                    for c in 0..n {
                        k.x[c] = self.u_at.sample(self.u, home.get(c));
                    }
                } else {
                    mean_of_rows(&u_row(j - 1)[i..], &u_row(j)[i..], &mut k.x[..n]);
                }
            }
            _ => {
                let u = &u_row(j)[i..][..n + 1];
                mean_of_two(u, &u[1..], &mut k.x[..n]);
                mean_of_two(&v_row(j)[i..], &v_row(j + 1)[i..], &mut k.y[..n]);
            }
        }
    }

    /// Where the samples of a run were before they moved with the flow, by Runge–Kutta of the given order (1; 2, midpoint;
    /// 3, Ralston). `c` is the step over the edge of a cell, s/m; it is negative to go forward.
    pub fn trace(&self, run: &mut Run, c: f32, order: u32, out: &mut Points) {
        let Run {
            home,
            k,
            k2,
            k3,
            there,
            sampler,
        } = run;
        if order <= 1 {
            return advance(home, c, k, out);
        }
        let mut speed = |p: &Points, k: &mut Points| {
            sampler.sample(self.u_at, self.u, p, &mut k.x);
            sampler.sample(self.v_at, self.v, p, &mut k.y);
        };
        advance(home, 0.5 * c, k, there);
        speed(there, k2);
        if order == 2 {
            return advance(home, c, k2, out);
        }
        advance(home, 0.75 * c, k2, there);
        speed(there, k3);
        ralston(k, k2, k3);
        advance(home, c, k3, out);
    }
}

/// Whether points have stayed where nothing comes in from outside.
#[inline]
pub fn stays(at: &Lattice, p: &Points) -> [bool; CHUNK] {
    let ([x0, x1], [y0, y1]) = (at.reach(0), at.reach(1));
    std::array::from_fn(|t| (p.x[t] >= x0) & (p.x[t] <= x1) & (p.y[t] >= y0) & (p.y[t] <= y1))
}
