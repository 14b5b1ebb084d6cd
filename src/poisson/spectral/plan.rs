//! How a discrete Fourier transform of any length is done in place, and the tables that it needs.
//!
//! A length is a product of radices r₁ r₂ … of at most 13 (4 before 2). The transform gathers them from the first on, each
//! stage in place (Cooley and Tukey 1965): r transforms of length P that lie one behind the other become one of length r P. For
//! that the numbers begin in the order of their digits reversed: they are put there as they are loaded. The same stages
//! backwards (Gentleman and Sande 1966), each the transpose of its own, take numbers in order and leave their digits reversed.
//! So neither way needs a pass for the order, nor a second array.
//!
//! A length with a larger prime factor is done after Bluestein (1970): as jk = (j² + k² − (k − j)²)/2, the transform is a
//! convolution with a chirp: a transform of a good length M ≥ 2L − 1 from natural to reversed order, a product, and one from
//! reversed to natural order.

use std::f64::consts::PI;

/// The largest radix.
pub(super) const LARGEST: usize = 13;
/// Stages that can be written down, four bits each.
const MOST_STAGES: usize = 16;

/// What a transform needs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    /// Numbers that are worked on: the length, or more for Bluestein's way.
    pub size: usize,
    /// Radices of `size`, the first stage first, four bits each.
    pub radices: u64,
    /// Number of radices.
    pub stages: u32,
    /// Whether it is done by a convolution with a chirp.
    pub chirp: bool,
    /// Roots of unity of `size`; then, for Bluestein's way, the chirp and the transformed chirp, digits reversed.
    pub turns: Vec<[f32; 2]>,
    length: usize,
}

/// exp(2πi x) times `scale`.
pub(super) fn turn(x: f64, scale: f64) -> [f64; 2] {
    let angle = 2.0 * PI * x;
    [scale * angle.cos(), scale * angle.sin()]
}

/// exp(−πi j²/L): with the square taken modulo 2L, which keeps all digits.
fn chirp(j: usize, length: usize) -> [f64; 2] {
    turn(-((j * j % (2 * length)) as f64) / (2 * length) as f64, 1.0)
}

/// Radices of a length, if none is larger than 13.
fn radices(mut n: usize) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    for r in [4, 2, 3, 5, 7, 11, LARGEST] {
        while n.is_multiple_of(r) && n > 1 {
            all.push(r);
            n /= r;
        }
    }
    (n == 1 && all.len() <= MOST_STAGES).then_some(all)
}

/// The shortest good length for a convolution of `length` numbers.
fn padded(length: usize) -> usize {
    let least = 2 * length - 1;
    let up = |r: usize| r * least.div_ceil(r).next_power_of_two();
    [up(1), up(3), up(5)].into_iter().min().unwrap_or(least)
}

impl Plan {
    /// For transforms of `length` numbers.
    pub fn new(length: usize) -> Self {
        let (size, found) = match radices(length) {
            Some(found) => (length, found),
            None => (padded(length), radices(padded(length)).unwrap_or_default()),
        };
        let roots = (0..size).map(|m| turn(-(m as f64) / size as f64, 1.0).map(|v| v as f32));
        let mut plan = Self {
            size,
            radices: found.iter().rev().fold(0, |all, r| all << 4 | *r as u64),
            stages: found.len() as u32,
            chirp: size != length,
            turns: roots.collect(),
            length,
        };
        if plan.chirp {
            let chirp = (0..length).map(|j| chirp(j, length).map(|v| v as f32));
            plan.turns.extend(chirp);
            plan.turns.extend(plan.spectrum(&found));
        }
        plan
    }

    /// What the convolution multiplies with, digits reversed.
    fn spectrum(&self, radices: &[usize]) -> Vec<[f32; 2]> {
        let mut kernel = vec![[0.0; 2]; self.size];
        for j in 0..self.length {
            let [re, im] = chirp(j, self.length);
            let value = [re / self.size as f64, -im / self.size as f64];
            kernel[j] = value;
            kernel[(self.size - j) % self.size] = value;
        }
        let mut reversed = vec![[0.0; 2]; self.size];
        for (k, z) in dft(&kernel, radices).iter().enumerate() {
            reversed[self.reversed(k)] = z.map(|v| v as f32);
        }
        reversed
    }

    fn radix(&self, stage: u32) -> usize {
        (self.radices >> (4 * stage)) as usize & 15
    }

    /// Where number `i` stands with its digits reversed.
    fn reversed(&self, mut i: usize) -> usize {
        let (mut at, mut span) = (0, self.size);
        for stage in (0..self.stages).rev() {
            let r = self.radix(stage);
            span /= r;
            at += i % r * span;
            i /= r;
        }
        at
    }

    /// Where number `i` is put before a transform, and is found after a transposed one.
    pub fn place(&self, i: usize) -> u32 {
        (if self.chirp { i } else { self.reversed(i) }) as u32
    }

    /// The factor with which it is put there, if it shall have the factor `s`.
    pub fn enter(&self, i: usize, s: [f64; 2]) -> [f64; 2] {
        if !self.chirp {
            return s;
        }
        let c = chirp(i, self.length);
        [s[0] * c[0] - s[1] * c[1], s[0] * c[1] + s[1] * c[0]]
    }
}

/// In f64, for the tables: by the first radix, then each part by the others.
fn dft(x: &[[f64; 2]], radices: &[usize]) -> Vec<[f64; 2]> {
    let Some((r, rest)) = radices.split_first() else {
        return x.to_vec();
    };
    let n = x.len();
    let parts: Vec<_> = (0..*r)
        .map(|q| {
            dft(
                &x.iter().skip(q).step_by(*r).copied().collect::<Vec<_>>(),
                rest,
            )
        })
        .collect();
    let value = |k: usize| {
        let mut sum = [0.0; 2];
        for (q, part) in parts.iter().enumerate() {
            let (w, z) = (
                turn(-((q * k % n) as f64) / n as f64, 1.0),
                part[k % (n / r)],
            );
            sum[0] += w[0] * z[0] - w[1] * z[1];
            sum[1] += w[0] * z[1] + w[1] * z[0];
        }
        sum
    };
    (0..n).map(value).collect()
}
