//! Where samples stand, and what lies beyond the ends of an array.

use crate::field::Grid;

/// Beyond the end, the last value goes on.
pub const COPY: u32 = 0;
/// A value is known on the face of the domain, half a cell beyond the last sample.
pub const FACE: u32 = 1;
/// A value is known one cell beyond the last sample.
pub const NODE: u32 = 2;
/// The last sample stands on the face of the domain and is known itself.
pub const FIXED: u32 = 3;

crate::shared! {
    /// Where the samples of an array stand, and what lies beyond its ends. Lengths are in cells; the axes are x, y, z.
    pub struct Lattice {
        /// Cells of the domain; in the last place one bit for each periodic axis.
        pub cells: [u32; 4],
        /// Samples along each axis; in the last place the axis of the component (3 for none).
        pub size: [u32; 4],
        /// Position of the first sample; 0 or ½ an axis.
        pub offset: [f32; 4],
        /// [`COPY`], [`FACE`], [`NODE`] or [`FIXED`] at the low end of each axis.
        pub low_kind: [u32; 4],
        /// The same at the high end.
        pub high_kind: [u32; 4],
        /// The known value at the low end.
        pub low: [f32; 4],
        /// The known value at the high end.
        pub high: [f32; 4],
    }
}

/// The two samples between which a position lies along one axis.
#[derive(Clone, Copy, Debug)]
pub struct Tap {
    /// Their positions in the array.
    pub i: [usize; 2],
    /// Weight of the second.
    pub s: f32,
    /// Whether the known value stands for them.
    pub given: [bool; 2],
    /// The known value.
    pub value: f32,
}

impl Lattice {
    /// Whether opposite ends are joined along `axis`.
    #[inline]
    pub fn periodic(&self, axis: usize) -> bool {
        self.cells[3] >> axis & 1 == 1
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.size[..3].iter().map(|&n| n as usize).product()
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The samples as items of a dispatch.
    pub fn items(&self) -> [u32; 3] {
        [self.size[0], self.size[1], self.size[2]]
    }

    /// Samples along each axis that are not copies of others: the far end of a periodic axis repeats the near one.
    pub fn distinct(&self) -> [u32; 3] {
        [0, 1, 2].map(|a| {
            if self.periodic(a) {
                self.cells[a]
            } else {
                self.size[a]
            }
        })
    }

    /// The samples about position `x` (in cells) along `axis`.
    #[inline]
    pub fn tap(&self, x: f32, axis: usize) -> Tap {
        let g = x - self.offset[axis];
        let n = self.size[axis];
        if self.periodic(axis) {
            let period = self.cells[axis];
            let g = g - (g / period as f32).floor() * period as f32;
            let i = (g as u32).min(period - 1);
            let next = if i + 1 == n { 0 } else { i + 1 };
            return Tap::between(i, next, g - i as f32);
        }
        if g < 0.0 {
            let s = match self.low_kind[axis] {
                FACE => (2.0 * g + 1.0).max(0.0),
                NODE => (g + 1.0).max(0.0),
                _ => return Tap::between(0, 0, 0.0),
            };
            Tap {
                i: [0, 0],
                s,
                given: [true, false],
                value: self.low[axis],
            }
        } else if g > (n - 1) as f32 {
            let last = n - 1;
            let d = g - last as f32;
            let s = match self.high_kind[axis] {
                FACE => (2.0 * d).min(1.0),
                NODE => d.min(1.0),
                _ => return Tap::between(last, last, 0.0),
            };
            Tap {
                i: [last as usize; 2],
                s,
                given: [false, true],
                value: self.high[axis],
            }
        } else {
            let i = (g as u32).min(n - 1);
            Tap::between(i, (i + 1).min(n - 1), g - i as f32)
        }
    }

    /// Least and greatest position along `axis` from which nothing has come in from outside.
    pub fn reach(&self, axis: usize) -> [f32; 2] {
        if self.periodic(axis) {
            return [f32::NEG_INFINITY, f32::INFINITY];
        }
        let margin = |kind| if kind == NODE { self.offset[axis] } else { 0.0 };
        [
            margin(self.low_kind[axis]),
            self.cells[axis] as f32 - margin(self.high_kind[axis]),
        ]
    }

    /// The value at a sample, or at one place beyond an end: a mirror image about a known value, or a copy.
    #[inline]
    pub fn ghost(&self, data: &[f32], i: i32, j: i32) -> f32 {
        let (k, sign, add) = self.ghost_at(i, 0);
        let (l, sign_y, add_y) = self.ghost_at(j, 1);
        let inner = data[l * self.size[0] as usize + k];
        sign_y * (sign * inner + add) + add_y
    }

    /// Positions in the array of cells of the two cells beside face (i, j) of a component; the same one twice at an end that
    /// is not periodic.
    #[inline]
    pub fn cells_beside(&self, i: usize, j: usize) -> [usize; 2] {
        let nx = self.cells[0] as usize;
        let axis = usize::from(self.size[3] != 0);
        let (here, n) = ([i, j][axis], self.cells[axis] as usize);
        let pair = match here {
            0 if self.periodic(axis) => [n - 1, 0],
            0 => [0, 0],
            _ if here < n => [here - 1, here],
            _ if self.periodic(axis) => [n - 1, 0],
            _ => [n - 1, n - 1],
        };
        pair.map(|k| if axis == 0 { j * nx + k } else { k * nx + i })
    }

    /// Index of a cell, or of the nearest one inside for one place beyond an end.
    #[inline]
    pub(super) fn inside(&self, i: i32, j: i32) -> usize {
        self.ghost_at(j, 1).0 * self.size[0] as usize + self.ghost_at(i, 0).0
    }

    /// Index, sign and constant so that `sign · data[index] + constant` is the value at sample `i` along `axis`.
    #[inline]
    fn ghost_at(&self, i: i32, axis: usize) -> (usize, f32, f32) {
        let n = self.size[axis] as i32;
        let period = self.cells[axis] as i32;
        if i >= 0 && i < n {
            (i as usize, 1.0, 0.0)
        } else if self.periodic(axis) {
            (i.rem_euclid(period) as usize, 1.0, 0.0)
        } else {
            let (end, kind, value) = if i < 0 {
                (0, self.low_kind[axis], self.low[axis])
            } else {
                (n - 1, self.high_kind[axis], self.high[axis])
            };
            match kind {
                FACE => (end as usize, -1.0, 2.0 * value),
                NODE => (end as usize, 0.0, value),
                _ => (end as usize, 1.0, 0.0),
            }
        }
    }

    /// The value at a position in cells: bilinear between the four samples about it.
    #[inline]
    pub fn sample(&self, data: &[f32], p: [f32; 2]) -> f32 {
        let (x, y) = (self.tap(p[0], 0), self.tap(p[1], 1));
        let [a, b, c, d] = self.corners(data, &x, &y);
        lerp(lerp(a, b, x.s), lerp(c, d, x.s), y.s)
    }

    /// The four values between which a position lies: low row first.
    #[inline]
    pub fn corners(&self, data: &[f32], x: &Tap, y: &Tap) -> [f32; 4] {
        let stride = self.size[0] as usize;
        let one = |a: usize, b: usize| {
            if y.given[b] {
                y.value
            } else if x.given[a] {
                x.value
            } else {
                data[y.i[b] * stride + x.i[a]]
            }
        };
        [one(0, 0), one(1, 0), one(0, 1), one(1, 1)]
    }
}

impl Tap {
    #[inline]
    fn between(a: u32, b: u32, s: f32) -> Self {
        Self {
            i: [a as usize, b as usize],
            s,
            given: [false, false],
            value: 0.0,
        }
    }
}

/// From `a` to `b`; exact where they are equal.
#[inline]
pub fn lerp(a: f32, b: f32, s: f32) -> f32 {
    a + (b - a) * s
}

/// Sample next to `i` in direction `side` (0 low, 1 high) along an axis of `n`, or none beyond an end.
#[inline]
pub fn neighbour(i: usize, n: usize, side: usize, periodic: bool) -> Option<usize> {
    match side {
        0 if i > 0 => Some(i - 1),
        1 if i + 1 < n => Some(i + 1),
        0 if periodic => Some(n - 1),
        1 if periodic => Some(0),
        _ => None,
    }
}

/// What happens at one face of the domain. Velocities are in m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    /// A wall to which the fluid sticks, and which may slide along itself.
    NoSlip([f32; 3]),
    /// A wall along which the fluid slides.
    FreeSlip,
    /// Fluid enters and leaves; the pressure is zero on the face.
    Open,
    /// Joined with the opposite face.
    Periodic,
    /// Fluid enters.
    Inflow([f32; 3]),
}

/// A staggered grid with its six faces, in the order x−, x+, y−, y+, z−, z+.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mac {
    /// The cells.
    pub grid: Grid,
    /// The faces of the domain.
    pub sides: [Side; 6],
}

impl Mac {
    /// Makes both faces of an axis periodic where one is.
    pub fn new(grid: Grid, mut sides: [Side; 6]) -> Self {
        for pair in sides.chunks_exact_mut(2) {
            if pair.contains(&Side::Periodic) {
                pair.fill(Side::Periodic);
            }
        }
        Self { grid, sides }
    }

    /// The faces normal to `axis`.
    pub fn velocity(&self, axis: usize) -> Lattice {
        let mut lattice = self.lattice(|along, side| match (along == axis, side) {
            (_, Side::Open | Side::Periodic) => (COPY, 0.0),
            (true, Side::NoSlip(_) | Side::FreeSlip) => (FIXED, 0.0),
            (true, Side::Inflow(v)) => (FIXED, v[axis]),
            (false, Side::FreeSlip) => (COPY, 0.0),
            (false, Side::NoSlip(v) | Side::Inflow(v)) => (FACE, v[axis]),
        });
        lattice.size[axis] += 1;
        lattice.size[3] = axis as u32;
        lattice.offset[axis] = 0.0;
        lattice
    }

    /// Centres of cells, for dye and temperature: nothing comes in from outside.
    pub fn scalars(&self) -> Lattice {
        self.lattice(|_, side| match side {
            Side::Open | Side::Inflow(_) => (NODE, 0.0),
            _ => (COPY, 0.0),
        })
    }

    /// Centres of cells, for the pressure: zero on open faces.
    pub fn pressure(&self) -> Lattice {
        self.lattice(|_, side| match side {
            Side::Open => (FACE, 0.0),
            _ => (COPY, 0.0),
        })
    }

    fn lattice(&self, end: impl Fn(usize, Side) -> (u32, f32)) -> Lattice {
        let [x, y, z] = self.grid.cells;
        let periodic = (0..3).fold(0, |bits, a| {
            bits | u32::from(self.sides[2 * a] == Side::Periodic) << a
        });
        let ends: [(u32, f32); 6] = std::array::from_fn(|f| end(f / 2, self.sides[f]));
        Lattice {
            cells: [x, y, z, periodic],
            size: [x, y, z, 3],
            offset: [0.5, 0.5, 0.5, 0.0],
            low_kind: [ends[0].0, ends[2].0, ends[4].0, 0],
            high_kind: [ends[1].0, ends[3].0, ends[5].0, 0],
            low: [ends[0].1, ends[2].1, ends[4].1, 0.0],
            high: [ends[1].1, ends[3].1, ends[5].1, 0.0],
        }
    }
}
