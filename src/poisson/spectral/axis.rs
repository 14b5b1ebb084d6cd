//! The transform of one axis: what the kernel does is the same for all, what differs stands in tables.
//!
//! Whatever lies beyond the ends of an axis, the values on it can be continued, even or odd about each end, to a periodic
//! sequence, on which the stencil is a circulant. So each axis has modes that are cosines or sines, with the eigenvalue
//! 4 sin²(θ/2) (as 2 − 2 cos θ it would lose half of its digits where θ is small). With C closed, F a known value on the face,
//! N one a cell away, for n cells and k = 0 … n−1:
//!
//! | ends | modes at cell i | θ | transform |
//! |---|---|---|---|
//! | periodic | cas(θ i) | 2πk/n | Hartley's form of the DFT |
//! | C C | cos(θ (i+½)) | πk/n | DCT-II |
//! | F F | sin(θ (i+½)) | π(k+1)/n | DST-II |
//! | C F | cos(θ (i+½)) | π(k+½)/n | DCT-IV |
//! | F C | sin(θ (i+½)) | π(k+½)/n | DST-IV |
//! | N N | sin(θ (i+1)) | π(k+1)/(n+1) | DST-I |
//! | N F | sin(θ (i+1)) | π(k+1)/(n+½) | DST-V |
//! | N C | sin(θ (i+1)) | π(k+½)/(n+½) | DST-VII |
//! | F N, C N | the mirror images of the last two | | DST-VI, DCT-VIII |
//!
//! Each is X_k = Re(t_k Z_k) of a discrete Fourier transform Z of length L of the numbers s_i x_i, put at certain places:
//!
//! - C C after Makhoul (1980, *A fast cosine transform in one and two dimensions*): the even cells in order, then the odd ones
//!   backwards; L = n, s = 1, t_k = exp(−iπk/2n). For F F odd cells change their sign, which turns the order of the modes;
//! - C F in the same order: s = ± exp(−iπp/n) at place p, t_k = exp(−iπ(k+½)/2n). F C is its mirror image;
//! - N N and N F: at i + 1 among zeros, L = 2n + 2 or 2n + 1, t_k = i. For N C every other cell changes its sign, which turns θ
//!   into π − θ. Only these lengths are twice the number of cells;
//! - periodic: as they are, t_k = 1 + i.
//!
//! t is scaled so that every transform is orthonormal: its inverse is its transpose, the same steps backwards. Two lines are
//! transformed as real and imaginary part of one (Z_k and its partner Z_(c−k) tell them apart; c is 0, but −1 for C F), so
//! that no multiplication is spent on zeros.

use std::f64::consts::PI;

use super::bounds::{End, Ends};
use super::plan::{Plan, turn};

/// The tables of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    /// Cells.
    pub cells: usize,
    /// Length L of the Fourier transform.
    pub length: usize,
    /// How it is done.
    pub plan: Plan,
    /// The partner of k is (this − k) mod L.
    pub partner: usize,
    /// The k whose number is the first of the result.
    pub first: usize,
    /// For each cell: where its number goes.
    pub places: Vec<u32>,
    /// s of the cells, t of the frequencies, then what the plan needs.
    pub turns: Vec<[f32; 2]>,
    /// Eigenvalues.
    pub lambda: Vec<f32>,
}

/// What an axis is before it is written down: the tables as numbers in f64.
struct Form {
    length: usize,
    partner: usize,
    first: usize,
    /// Place and s of each cell.
    cells: Vec<(usize, [f64; 2])>,
    /// t of each frequency.
    t: Vec<[f64; 2]>,
    /// θ of each result.
    theta: Vec<f64>,
}

impl Axis {
    /// For an axis of `n` cells.
    pub fn new(n: usize, ends: Ends) -> Self {
        let form = Form::of(n, ends);
        let plan = Plan::new(form.length);
        let number = |z: [f64; 2]| z.map(|v| v as f32);
        let mut places = Vec::with_capacity(n);
        let mut turns = Vec::with_capacity(n + form.length + plan.turns.len());
        for (place, s) in &form.cells {
            places.push(plan.place(*place));
            turns.push(number(plan.enter(*place, *s)));
        }
        turns.extend(form.t.iter().map(|t| number(*t)));
        turns.extend(&plan.turns);
        Self {
            cells: n,
            length: form.length,
            partner: form.partner,
            first: form.first,
            places,
            turns,
            lambda: form
                .theta
                .iter()
                .map(|t| (4.0 * (t / 2.0).sin().powi(2)) as f32)
                .collect(),
            plan,
        }
    }

    /// The numbers that [`Axis::new`] makes of so many cells, about, in bytes.
    pub fn memory_bytes(n: u32) -> u64 {
        // Place, eigenvalue, s, t and the roots of unity of a length that is the number of cells.
        u64::from(n) * (4 + 4 + 3 * 8)
    }
}

impl Form {
    fn of(n: usize, ends: Ends) -> Self {
        use End::{Closed, Face, Node};
        match ends {
            Ends::Periodic => Self::periodic(n),
            Ends::Of(Closed, Closed) => Self::half(n, false),
            Ends::Of(Face, Face) => Self::half(n, true),
            Ends::Of(Closed, Face) => Self::quarter(n),
            Ends::Of(Face, Closed) => Self::quarter(n).mirrored(),
            Ends::Of(Node, high) => Self::node(n, high),
            Ends::Of(low, Node) => Self::node(n, low).mirrored(),
        }
    }

    fn periodic(n: usize) -> Self {
        let scale = (1.0 / n as f64).sqrt();
        Self {
            length: n,
            partner: 0,
            first: 0,
            cells: (0..n).map(|i| (i, [1.0, 0.0])).collect(),
            t: vec![[scale; 2]; n],
            theta: (0..n).map(|k| 2.0 * PI * k as f64 / n as f64).collect(),
        }
    }

    fn half(n: usize, odd: bool) -> Self {
        let t = |k: usize| {
            let scale = if k == 0 { 1.0 } else { 2.0 } / n as f64;
            turn(-(k as f64) / (4 * n) as f64, scale.sqrt())
        };
        let mode = |k: usize| if odd { n - k } else { k };
        let sign = |i: usize| if odd && i % 2 == 1 { -1.0 } else { 1.0 };
        Self {
            length: n,
            partner: 0,
            first: 0,
            cells: (0..n).map(|i| (folded(i, n), [sign(i), 0.0])).collect(),
            t: (0..n).map(t).collect(),
            theta: (0..n).map(|k| PI * mode(k) as f64 / n as f64).collect(),
        }
    }

    fn quarter(n: usize) -> Self {
        let scale = (2.0 / n as f64).sqrt();
        let cell = |i: usize| {
            let p = folded(i, n);
            let sign = if i % 2 == 1 { -1.0 } else { 1.0 };
            (p, turn(-(p as f64) / (2 * n) as f64, sign))
        };
        Self {
            length: n,
            partner: n - 1,
            first: 0,
            cells: (0..n).map(cell).collect(),
            t: (0..n)
                .map(|k| turn(-((2 * k + 1) as f64) / (8 * n) as f64, scale))
                .collect(),
            theta: (0..n)
                .map(|k| PI * (2 * k + 1) as f64 / (2 * n) as f64)
                .collect(),
        }
    }

    fn node(n: usize, high: End) -> Self {
        let length = if high == End::Node {
            2 * n + 2
        } else {
            2 * n + 1
        };
        let closed = high == End::Closed;
        let sign = |i: usize| {
            if closed && i.is_multiple_of(2) {
                -1.0
            } else {
                1.0
            }
        };
        let scale = (4.0 / length as f64).sqrt();
        let t = |k: usize| {
            if (1..=n).contains(&k) {
                [0.0, scale]
            } else {
                [0.0; 2]
            }
        };
        let theta = |k: usize| {
            // π − θ, written so that nothing cancels where it is small.
            let turns = if closed { length - 2 * k } else { 2 * k };
            PI * turns as f64 / length as f64
        };
        Self {
            length,
            partner: 0,
            first: 1,
            cells: (0..n).map(|i| (i + 1, [sign(i), 0.0])).collect(),
            t: (0..length).map(t).collect(),
            theta: (1..=n).map(theta).collect(),
        }
    }

    fn mirrored(mut self) -> Self {
        self.cells.reverse();
        self
    }
}

/// Makhoul's order: even cells, then odd ones backwards.
fn folded(i: usize, n: usize) -> usize {
    if i.is_multiple_of(2) {
        i / 2
    } else {
        n - 1 - i / 2
    }
}

#[cfg(test)]
/// The rows of the transform, as the tables say it: mode by cell.
pub(super) fn matrix(n: usize, ends: Ends) -> (Vec<Vec<f64>>, Vec<f64>) {
    let form = Form::of(n, ends);
    let value = |f: usize, i: usize| {
        let (p, s) = form.cells[i];
        let w = turn(-((f * p % form.length) as f64) / form.length as f64, 1.0);
        let z = [s[0] * w[0] - s[1] * w[1], s[0] * w[1] + s[1] * w[0]];
        form.t[f][0] * z[0] - form.t[f][1] * z[1]
    };
    let row = |k: usize| (0..n).map(|i| value(k + form.first, i)).collect();
    ((0..n).map(row).collect(), form.theta)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poisson::spectral::tests::{ALL_ENDS, apply};

    #[test]
    fn rows_are_orthonormal_modes_of_the_stencil() {
        for ends in ALL_ENDS {
            for n in [1, 2, 3, 4, 7, 8, 13] {
                let (rows, theta) = matrix(n, ends);
                for k in 0..n {
                    let lambda = 4.0 * (theta[k] / 2.0).sin().powi(2);
                    for (ax, x) in apply(&rows[k], ends).iter().zip(&rows[k]) {
                        assert!((ax - lambda * x).abs() < 1e-12, "{ends:?} {n}: {lambda}");
                    }
                    for l in 0..n {
                        let dot: f64 = rows[k].iter().zip(&rows[l]).map(|(a, b)| a * b).sum();
                        let exact = f64::from(u8::from(k == l));
                        assert!((dot - exact).abs() < 1e-12, "{ends:?} {n}: {k} {l}");
                    }
                }
            }
        }
    }
}
