//! The velocity at any point, and tracing points along it, a run of points of one row at a time.
//!
//! Points are held in small arrays so that all arithmetic vectorises; only the four loads of an interpolation are done
//! point by point. Points whose four samples do not all lie inside the array take the general path of
//! [`Lattice::sample`]; both give the same bits.

use super::lattice::{Lattice, lerp};

/// Points that are worked on together.
pub const CHUNK: usize = 64;

/// Positions (in cells) or velocities (in m/s) of up to [`CHUNK`] points.
#[derive(Clone, Copy)]
pub struct Points {
    /// Along x.
    pub x: [f32; CHUNK],
    /// Along y.
    pub y: [f32; CHUNK],
    /// How many there are.
    pub n: usize,
}

impl Points {
    /// No points.
    pub fn new() -> Self {
        Self {
            x: [0.0; CHUNK],
            y: [0.0; CHUNK],
            n: 0,
        }
    }

    /// Where samples `i..i+n` of row `j` of an array stand.
    pub fn of_row(at: &Lattice, i: usize, j: usize, n: usize) -> Self {
        let mut points = Self::new();
        points.n = n;
        for (c, x) in points.x.iter_mut().enumerate() {
            *x = (i + c) as f32 + at.offset[0];
        }
        points.y = [j as f32 + at.offset[1]; CHUNK];
        points
    }

    #[inline]
    fn get(&self, c: usize) -> [f32; 2] {
        [self.x[c], self.y[c]]
    }
}

impl Default for Points {
    fn default() -> Self {
        Self::new()
    }
}

/// Marks a point whose samples do not all lie inside the array.
pub const EDGE: u32 = u32::MAX;

/// Index of the first of four samples, and weights.
pub struct Located {
    /// First sample, or [`EDGE`].
    pub k: [u32; CHUNK],
    /// Weight of the second column.
    pub sx: [f32; CHUNK],
    /// Weight of the second row.
    pub sy: [f32; CHUNK],
}

impl Located {
    /// Finds the samples about each point.
    #[inline]
    pub fn new(at: &Lattice, points: &Points) -> Self {
        let stride = at.size[0];
        let [ox, oy] = [at.offset[0], at.offset[1]];
        let (last_x, last_y) = ((at.size[0] - 1) as f32, (at.size[1] - 1) as f32);
        let mut found = Self {
            k: [EDGE; CHUNK],
            sx: [0.0; CHUNK],
            sy: [0.0; CHUNK],
        };
        for c in 0..CHUNK {
            let (gx, gy) = (points.x[c] - ox, points.y[c] - oy);
            let inside = (gx >= 0.0) & (gx < last_x) & (gy >= 0.0) & (gy < last_y);
            let ((ix, sx), (iy, sy)) = (split(gx), split(gy));
            found.k[c] = if inside { iy * stride + ix } else { EDGE };
            found.sx[c] = sx;
            found.sy[c] = sy;
        }
        found
    }
}

/// Floor and remainder of a number between 0 and 2²². Adding 2²³ leaves the integer in the low bits, which vectorises
/// where a conversion does not.
#[inline]
fn split(g: f32) -> (u32, f32) {
    const SHIFT: f32 = 8_388_608.0;
    let near = (g + SHIFT) - SHIFT;
    let floor = if near > g { near - 1.0 } else { near };
    ((floor + SHIFT).to_bits() & 0x007f_ffff, g - floor)
}

/// Interpolates `data` at each point.
#[inline]
pub fn sample(at: &Lattice, data: &[f32], points: &Points, out: &mut [f32; CHUNK]) {
    let stride = at.size[0] as usize;
    let found = Located::new(at, points);
    for c in 0..points.n {
        out[c] = if found.k[c] == EDGE {
            at.sample(data, points.get(c))
        } else {
            let [a, b, d, e] = four(data, found.k[c] as usize, stride);
            lerp(
                lerp(a, b, found.sx[c]),
                lerp(d, e, found.sx[c]),
                found.sy[c],
            )
        };
    }
}

/// Least and greatest of the four values about each point.
#[inline]
pub fn range(
    at: &Lattice,
    data: &[f32],
    points: &Points,
    low: &mut [f32; CHUNK],
    high: &mut [f32; CHUNK],
) {
    let stride = at.size[0] as usize;
    let found = Located::new(at, points);
    for c in 0..points.n {
        let [a, b, d, e] = if found.k[c] == EDGE {
            let p = points.get(c);
            at.corners(data, &at.tap(p[0], 0), &at.tap(p[1], 1))
        } else {
            four(data, found.k[c] as usize, stride)
        };
        low[c] = a.min(b).min(d.min(e));
        high[c] = a.max(b).max(d.max(e));
    }
}

#[inline]
fn four(data: &[f32], k: usize, stride: usize) -> [f32; 4] {
    let (low, high) = (&data[k..k + 2], &data[k + stride..k + stride + 2]);
    [low[0], low[1], high[0], high[1]]
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

impl Flow<'_> {
    /// The velocity at a position in cells.
    #[inline]
    pub fn at(&self, p: [f32; 2]) -> [f32; 2] {
        [self.u_at.sample(self.u, p), self.v_at.sample(self.v, p)]
    }

    fn at_points(&self, p: &Points) -> Points {
        let mut k = Points::new();
        k.n = p.n;
        sample(self.u_at, self.u, p, &mut k.x);
        sample(self.v_at, self.v, p, &mut k.y);
        k
    }

    /// The velocity at samples `i..i+n` of row `j` of an array (either component, or centres of cells), where `home`
    /// has their positions.
    pub fn own(&self, at: &Lattice, i: usize, j: usize, home: &Points) -> Points {
        let n = home.n;
        let (nx, ny) = (at.cells[0] as usize, at.cells[1] as usize);
        let mut k = Points::new();
        k.n = n;
        let u_row = |j: usize| &self.u[j * (nx + 1)..][..nx + 1];
        let v_row = |j: usize| &self.v[j * nx..][..nx];
        match at.size[3] {
            0 => {
                k.x[..n].copy_from_slice(&u_row(j)[i..i + n]);
                let (low, high) = (v_row(j), v_row(j + 1));
                let (first, last) = (i.max(1), (i + n).min(nx));
                if last > first {
                    let m = last - first;
                    let (a, b) = (&low[first - 1..][..m], &low[first..][..m]);
                    let (c, d) = (&high[first - 1..][..m], &high[first..][..m]);
                    let out = &mut k.y[first - i..][..m];
                    for t in 0..m {
                        out[t] = middle(middle(a[t], b[t]), middle(c[t], d[t]));
                    }
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
                    let (low, high) = (&u_row(j - 1)[i..][..n + 1], &u_row(j)[i..][..n + 1]);
                    let out = &mut k.x[..n];
                    for t in 0..n {
                        out[t] = middle(middle(low[t], low[t + 1]), middle(high[t], high[t + 1]));
                    }
                }
            }
            _ => {
                let u = &u_row(j)[i..][..n + 1];
                let (low, high) = (&v_row(j)[i..][..n], &v_row(j + 1)[i..][..n]);
                for t in 0..n {
                    k.x[t] = middle(u[t], u[t + 1]);
                    k.y[t] = middle(low[t], high[t]);
                }
            }
        }
        k
    }

    /// Where points were before they moved with the flow, by Runge–Kutta of the given order (1; 2, midpoint; 3,
    /// Ralston). `c` is the step over the edge of a cell, s/m; it is negative to go forward. `k` has the velocities at `home`.
    pub fn trace(&self, home: &Points, k: &Points, c: f32, order: u32) -> Points {
        match order {
            0 | 1 => moved(home, c, k),
            2 => moved(home, c, &self.at_points(&moved(home, 0.5 * c, k))),
            _ => {
                let k2 = self.at_points(&moved(home, 0.5 * c, k));
                let k3 = self.at_points(&moved(home, 0.75 * c, &k2));
                let mut mean = Points::new();
                mean.n = home.n;
                for t in 0..CHUNK {
                    mean.x[t] = ralston(k.x[t], k2.x[t], k3.x[t]);
                    mean.y[t] = ralston(k.y[t], k2.y[t], k3.y[t]);
                }
                moved(home, c, &mean)
            }
        }
    }
}

#[inline]
fn middle(a: f32, b: f32) -> f32 {
    lerp(a, b, 0.5)
}

#[inline]
fn ralston(a: f32, b: f32, c: f32) -> f32 {
    (2.0 * a + 3.0 * b + 4.0 * c) * (1.0 / 9.0)
}

#[inline]
fn moved(home: &Points, c: f32, k: &Points) -> Points {
    let mut out = *home;
    for t in 0..CHUNK {
        out.x[t] = home.x[t] - c * k.x[t];
        out.y[t] = home.y[t] - c * k.y[t];
    }
    out
}

/// Whether points have stayed where nothing comes in from outside.
#[inline]
pub fn stays(at: &Lattice, p: &Points) -> [bool; CHUNK] {
    let ([x0, x1], [y0, y1]) = (at.reach(0), at.reach(1));
    std::array::from_fn(|t| (p.x[t] >= x0) & (p.x[t] <= x1) & (p.y[t] >= y0) & (p.y[t] <= y1))
}
