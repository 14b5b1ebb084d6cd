//! Filters that are ready to be applied: separated, truncated, and safe to be applied again and again.
//!
//! From frame to frame a flow keeps of every wave what a solve leaves of it, and begins the next solve with the pressure of the
//! last (see [`crate::poisson`]). For a pair `F b + G x` the two make a recurrence whose matrix has the trace 1 − λF + G and
//! the determinant G, λ, F and G being what A and the filters make of the wave. It dies out if |G| ≤ 1, F ≥ 0 and
//! λF < 2 + 2G: true for whole kernels, but for two things.
//!
//! * An odd number of sweeps turns round what alternates from cell to cell, G being −1 there. So one of them goes less far
//!   ([`ODD`]), as in the solver that does nothing but sweeps.
//! * Separation and truncation break each a little. So G is made smaller by what its largest gain is too much, F is lifted by a
//!   constant c where it is negative, and made smaller where it is too large.
//!
//! A correction `x += ω (F + c) (b − A x)` leaves 1 − ω(F + c)λ, which must not be less than −⅓. There c lifts the least gain
//! to [`FLOOR`], without which alternating cells would never be corrected, and ω keeps the largest below [`REACH`].

use std::sync::{Arc, Mutex, PoisonError};

use super::separate::{Product, separate};
use super::sweep_kernel::{Octant, Sweeps, of_sweeps};
use super::waves::Waves;

/// Products of a vector.
pub(super) const LANES: usize = 4;
/// Largest order there is.
pub(super) const MAX_ORDER: usize = 128;
/// Weight of the first of an odd number of sweeps: of what alternates, a quarter is turned round.
const ODD: f64 = 0.625;
/// Least gain of a correction, in units of one over the diagonal: a sweep has one.
const FLOOR: f64 = 1.0 / 16.0;
/// Largest `ω (F + c) λ`.
const REACH: f64 = 1.25;
/// Taps that an f32 sum does not notice, and that the decomposition leaves where there should be none.
const NOISE: f64 = 1e-9;
/// Sets of filters that are kept.
const KEPT: usize = 32;

/// What filters hang on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    /// Sweeps that an application stands for.
    pub order: usize,
    /// Axes.
    pub dim: usize,
    pub shift: f32,
    /// Products; none: the whole kernel.
    pub rank: Option<usize>,
    /// Taps of at most this size are left out.
    pub threshold: f32,
}

/// What filters are applied for, in the order in which they are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// x' = F b + G x.
    Pair,
    /// x += F (b − A x).
    Correction,
    /// x = F b, whatever the number of sweeps.
    FromZero,
}

/// All filters of a choice.
#[derive(Debug)]
pub(super) struct Filters {
    pub kind: Kind,
    /// c of a pair, of a correction, and from zero.
    pub centre: [f32; 3],
    /// Largest (F + c) λ of a correction.
    pub largest: f64,
}

/// How kernels are applied.
#[derive(Debug, PartialEq)]
pub(super) enum Kind {
    /// Products, four to a vector.
    Separable {
        /// Products of F, and of G.
        rank: usize,
        /// Where the vectors for each purpose are.
        banks: [Bank; 3],
        /// For every vector one tap more than its bank's radius.
        taps: Vec<[f32; LANES]>,
        /// The same with the signs of the products.
        signed: Vec<[f32; LANES]>,
    },
    /// The octants of F and G, and of F from zero, of `side` values along each axis.
    Whole { side: usize, values: Vec<f32> },
}

/// The vectors for a purpose: of F, then of G.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bank {
    pub begin: usize,
    /// Taps on each side.
    pub radius: usize,
    pub vectors: [usize; 2],
}

impl Filters {
    /// The filters of a choice, made once.
    pub fn of(choice: Choice) -> Arc<Self> {
        static MADE: Mutex<Vec<(Choice, Arc<Filters>)>> = Mutex::new(Vec::new());
        let lock = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, filters)) = lock().iter().find(|(c, _)| *c == choice) {
            return Arc::clone(filters);
        }
        let filters = Arc::new(Self::make(&choice));
        let mut made = lock();
        if made.len() >= KEPT {
            made.remove(0);
        }
        made.push((choice, Arc::clone(&filters)));
        filters
    }

    fn make(choice: &Choice) -> Self {
        let sweeps = Sweeps {
            order: choice.order,
            dim: choice.dim,
            shift: f64::from(choice.shift),
            first: if choice.order % 2 == 1 { ODD } else { 1.0 },
        };
        let kernels = of_sweeps(&sweeps);
        let [from_zero, _] = of_sweeps(&Sweeps {
            first: 1.0,
            ..sweeps
        });
        let waves = Waves::new(choice);
        let (kind, f) = match choice.rank {
            None => (
                whole(&kernels, &from_zero),
                waves.whole_gains(&sweeps)[0].clone(),
            ),
            Some(rank) => {
                let few = |kernel: &Octant| few(kernel, rank, choice.threshold);
                let mut pair = kernels.each_ref().map(few);
                let keeps = (1.0 - sweeps.shift / choice.diagonal()).powi(choice.order as i32);
                tame(&mut pair, &waves, keeps);
                let f = waves.gains(&pair[0]);
                (pack(&pair, &few(&from_zero), rank), f)
            }
        };
        let least = f.iter().copied().fold(f64::INFINITY, f64::min);
        let lift = (FLOOR / choice.diagonal() - least).max(0.0);
        let reached = f
            .iter()
            .zip(waves.lambdas())
            .map(|(f, lambda)| (f + lift) * lambda);
        Self {
            kind,
            centre: [(-least).max(0.0) as f32, lift as f32, 0.0],
            largest: reached.fold(0.0, f64::max),
        }
    }

    /// ω, where faces that the filters do not know make the system at most `harder` times as stiff.
    pub fn weight(&self, harder: f64) -> f32 {
        (REACH / (harder * self.largest)).min(1.0) as f32
    }
}

/// The products of a kernel, without their small taps.
fn few(kernel: &Octant, rank: usize, threshold: f32) -> Vec<Product> {
    let mut products = separate(kernel, rank);
    for product in &mut products {
        product.truncate(f64::from(threshold).max(NOISE));
    }
    products
}

/// Makes a pair safe; `keeps` is what the sweeps leave of a constant.
fn tame([f, g]: &mut [Vec<Product>; 2], waves: &Waves, keeps: f64) {
    // What a constant keeps is made right on the way, so that long waves are carried on from frame to frame.
    let gains = waves.gains(g);
    let largest = gains.iter().fold(f64::MIN_POSITIVE, |m, g| m.max(g.abs()));
    let least = gains.iter().copied().fold(0.0, f64::min);
    let scale = (keeps / largest).min(0.25 / (-least).max(f64::MIN_POSITIVE));
    g.iter_mut().for_each(|p| p.sign *= scale);
    let gains_f = waves.gains(f);
    let lift = gains_f.iter().fold(0.0_f64, |m, f| m.max(-f));
    let reach = |((f, g), lambda): ((&f64, &f64), f64)| {
        0.98 * (2.0 + 2.0 * scale * g) / ((f + lift) * lambda)
    };
    let all = gains_f.iter().zip(&gains).zip(waves.lambdas());
    let scale = all.map(reach).filter(|r| *r > 0.0).fold(1.0, f64::min);
    f.iter_mut().for_each(|p| p.sign *= scale);
}

fn whole([f, g]: &[Octant; 2], from_zero: &Octant) -> Kind {
    let values = [f, g, from_zero].into_iter().flat_map(|k| &k.values);
    Kind::Whole {
        side: f.side,
        values: values.map(|v| *v as f32).collect(),
    }
}

fn pack([f, g]: &[Vec<Product>; 2], from_zero: &[Product], rank: usize) -> Kind {
    let vectors = rank.div_ceil(LANES);
    let mut begin = 0;
    let banks = [vec![&f[..], g], vec![&f[..]], vec![from_zero]].map(|sets| {
        let radius = sets
            .iter()
            .flat_map(|s| s.iter())
            .map(Product::radius)
            .max()
            .unwrap_or(0);
        let bank = Bank {
            begin,
            radius,
            vectors: [vectors, (sets.len() - 1) * vectors],
        };
        begin += sets.len() * vectors * (radius + 1);
        (bank, sets)
    });
    let packed = |with_sign: bool| {
        let mut packed = Vec::new();
        for (bank, sets) in &banks {
            for (set, v) in sets
                .iter()
                .flat_map(|set| (0..vectors).map(move |v| (set, v)))
            {
                let tap = |k: usize, lane: usize| {
                    let product = set.get(v * LANES + lane)?;
                    let sign = if with_sign { product.sign } else { 1.0 };
                    product.filter.get(k).map(|tap| sign * tap)
                };
                let lanes =
                    |k: usize| std::array::from_fn(|lane| tap(k, lane).unwrap_or(0.0) as f32);
                packed.extend((0..=bank.radius).map(lanes));
            }
        }
        packed
    };
    Kind::Separable {
        rank,
        taps: packed(false),
        signed: packed(true),
        banks: banks.map(|(bank, _)| bank),
    }
}

impl Choice {
    fn diagonal(&self) -> f64 {
        2.0 * self.dim as f64 + f64::from(self.shift)
    }
}

impl Product {
    fn truncate(&mut self, threshold: f64) {
        for tap in &mut self.filter {
            if tap.abs() <= threshold {
                *tap = 0.0;
            }
        }
    }

    /// Taps on each side.
    pub fn radius(&self) -> usize {
        self.filter.iter().rposition(|tap| *tap != 0.0).unwrap_or(0)
    }
}
