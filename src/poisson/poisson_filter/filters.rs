//! Filters that are ready to be applied: separated, truncated, and safe to be applied again and again.
//!
//! On a box whose sides are mirrors (see `sides`) a filter has the same eigenvectors as the system: waves. What it makes of a
//! wave is its gain, the cosine transform of its taps; what A makes of it is `λ = Σ 4 sin²(θ/2) + shift`. Two conditions
//! keep repetition from running away, and separation and truncation break both a little:
//!
//! * what is applied to the pressure before, G, must not make any wave larger: it is divided by what its largest gain is too
//!   much;
//! * a correction `x += ω (F + c) (b − A x)` must not overshoot: `0 < ω (F + c) λ < 2` for every wave. So c lifts the least
//!   gain to [`FLOOR`], without which alternating cells would also never be corrected, and ω stays below two over the largest.

use std::sync::{Arc, Mutex, PoisonError};

use super::jacobi_kernel::{Octant, of_sweeps};
use super::separate::{Product, separate};

/// Products of a vector.
pub(super) const LANES: usize = 4;
/// Largest order there is.
pub(super) const MAX_ORDER: usize = 128;
/// Least gain of a correction, in units of one over the diagonal: a sweep has one.
const FLOOR: f64 = 1.0 / 16.0;
/// Largest `ω (F + c) λ`.
const REACH: f64 = 1.9;
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

/// F and G with what a correction needs.
#[derive(Debug)]
pub(super) struct Filters {
    pub kind: Kind,
    /// c.
    pub centre: f32,
    /// Largest (F + c) λ.
    pub largest: f64,
}

/// How the two kernels are applied.
#[derive(Debug, PartialEq)]
pub(super) enum Kind {
    /// Products, four to a vector: those of F, then those of G.
    Separable {
        /// Most taps on each side.
        radius: usize,
        /// Products of F, and of G.
        rank: usize,
        /// Vectors of F, and of G.
        groups: usize,
        /// For every vector `radius` + 1 taps.
        taps: Vec<[f32; LANES]>,
        /// The same with the signs of the products.
        signed: Vec<[f32; LANES]>,
    },
    /// The octants of F, then of G, of `side` values along each axis.
    Whole { side: usize, values: Vec<f32> },
}

impl Filters {
    /// The filters of a choice, made once.
    pub fn of(choice: Choice) -> Arc<Self> {
        static MADE: Mutex<Vec<(Choice, Arc<Filters>)>> = Mutex::new(Vec::new());
        let lock = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, filters)) = lock().iter().find(|(c, _)| *c == choice) {
            return Arc::clone(filters);
        }
        let filters = Arc::new(Self::make(choice));
        let mut made = lock();
        if made.len() >= KEPT {
            made.remove(0);
        }
        made.push((choice, Arc::clone(&filters)));
        filters
    }

    fn make(choice: Choice) -> Self {
        let kernels = of_sweeps(choice.order, choice.dim, f64::from(choice.shift));
        let (kind, gains) = match choice.rank {
            None => whole(&kernels, &choice),
            Some(rank) => separable(&kernels, rank, &choice),
        };
        let waves = Waves::new(&choice);
        let least = waves.map(&gains).fold(f64::INFINITY, |m, (f, _)| m.min(f));
        let centre = (FLOOR / choice.diagonal() - least).max(0.0);
        let product = |(f, lambda): (f64, f64)| (f + centre) * lambda;
        Self {
            kind,
            centre: centre as f32,
            largest: waves.map(&gains).map(product).fold(0.0, f64::max),
        }
    }

    /// ω, where faces that the filters do not know make the system at most `harder` times as stiff.
    pub fn weight(&self, harder: f64) -> f32 {
        (REACH / (harder * self.largest)).min(1.0) as f32
    }
}

/// Waves at which gains are looked at: from constant to alternating along each axis.
struct Waves {
    count: usize,
    dim: usize,
    shift: f64,
}

/// Gains of F of one axis or of all, by wave.
enum Gains {
    /// For each product its sign, and its gains along an axis.
    Products(Vec<(f64, Vec<f64>)>),
    /// Those of J, of which F is a sum of powers.
    Sweeps { order: usize, diagonal: f64 },
}

impl Waves {
    fn new(choice: &Choice) -> Self {
        // Gains are trigonometric polynomials of the order: some waves on each of their bumps are enough.
        let most = if choice.dim > 2 { 64 } else { 512 };
        Self {
            count: (4 * choice.order + 1).clamp(17, most),
            dim: choice.dim,
            shift: f64::from(choice.shift),
        }
    }

    fn angle(&self, wave: usize) -> f64 {
        std::f64::consts::PI * wave as f64 / (self.count - 1) as f64
    }

    /// Gain of F and λ of every wave; what is the same with its axes exchanged comes once.
    fn map(&self, gains: &Gains) -> impl Iterator<Item = (f64, f64)> {
        let layers = if self.dim > 2 { self.count } else { 1 };
        let plane = (0..layers).flat_map(move |k| (0..self.count).map(move |j| (j, k)));
        let all = plane.flat_map(move |(j, k)| (0..=j).map(move |i| [i, j, k]));
        let distinct = all.filter(move |[_, j, k]| self.dim < 3 || j <= k);
        distinct.map(move |wave| {
            let lambda = |w: &usize| 4.0 * (0.5 * self.angle(*w)).sin().powi(2);
            let lambda = wave[..self.dim].iter().map(lambda).sum::<f64>() + self.shift;
            (gains.at(&wave[..self.dim], lambda), lambda)
        })
    }
}

impl Gains {
    fn at(&self, wave: &[usize], lambda: f64) -> f64 {
        match self {
            Self::Products(all) => {
                let of = |(sign, gains): &(f64, Vec<f64>)| wave.iter().fold(*sign, |p, w| p * gains[*w]);
                all.iter().map(of).sum()
            }
            Self::Sweeps { order, diagonal } => {
                let j = 1.0 - lambda / diagonal;
                (0..*order).fold(0.0, |sum, _| sum * j + 1.0) / diagonal
            }
        }
    }
}

fn whole([f, g]: &[Octant; 2], choice: &Choice) -> (Kind, Gains) {
    let values = f.values.iter().chain(&g.values).map(|v| *v as f32).collect();
    let gains = Gains::Sweeps {
        order: choice.order,
        diagonal: choice.diagonal(),
    };
    let side = f.side;
    (Kind::Whole { side, values }, gains)
}

fn separable([f, g]: &[Octant; 2], rank: usize, choice: &Choice) -> (Kind, Gains) {
    let threshold = f64::from(choice.threshold).max(NOISE);
    let [f, mut g] = [f, g].map(|kernel| {
        let mut products = separate(kernel, rank);
        products.iter_mut().for_each(|p| p.truncate(threshold));
        products
    });
    let waves = Waves::new(choice);
    let constant = (1.0 - f64::from(choice.shift) / choice.diagonal()).powi(choice.order as i32);
    let largest = waves.map(&gains(&waves, &g)).fold(0.0_f64, |m, (g, _)| m.max(g.abs()));
    for product in &mut g {
        // What a constant keeps is what the sweeps leave of it, so that long waves are carried on from frame to frame.
        product.sign *= constant / largest.max(f64::MIN_POSITIVE);
    }
    let radius = f.iter().chain(&g).map(Product::radius).max().unwrap_or(0);
    let groups = rank.div_ceil(LANES);
    let pack = |with_sign: bool| {
        let mut packed = Vec::new();
        for products in [&f, &g] {
            for group in 0..groups {
                let tap = |k: usize, lane: usize| {
                    let product = products.get(group * LANES + lane)?;
                    let sign = if with_sign { product.sign } else { 1.0 };
                    product.filter.get(k).map(|tap| sign * tap)
                };
                packed.extend((0..=radius).map(|k| std::array::from_fn(|lane| tap(k, lane).unwrap_or(0.0) as f32)));
            }
        }
        packed
    };
    let kind = Kind::Separable {
        radius,
        rank,
        groups,
        taps: pack(false),
        signed: pack(true),
    };
    (kind, gains(&waves, &f))
}

fn gains(waves: &Waves, products: &[Product]) -> Gains {
    let of = |p: &Product| {
        let gain = |wave: usize| {
            let angle = waves.angle(wave);
            let taps = p.filter.iter().enumerate().skip(1);
            p.filter[0] + taps.map(|(k, tap)| 2.0 * tap * (angle * k as f64).cos()).sum::<f64>()
        };
        (p.sign, (0..waves.count).map(gain).collect())
    };
    Gains::Products(products.iter().map(of).collect())
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
