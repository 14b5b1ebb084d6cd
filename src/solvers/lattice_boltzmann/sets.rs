//! Velocity sets: the directions in which populations go, their weights, and the collision of a run of cells.
//!
//! Directions come in pairs of opposites, a and b = a + 1 with a odd, so that what is even (density, stress) and what is
//! odd (momentum) in a pair can be relaxed apart (two relaxation times: Ginzburg, Verhaeghe and d'Humières 2008). Populations
//! are stored without their weight, f − w, which keeps seven more bits of a slow flow in `f32`, and rest exactly at rest.
//!
//! With s = fa + fb, d = fa − fb, ρ = 1 + Σ f and ρu = Σ c f + ½ρa for an acceleration a (Guo, Zheng and Shi 2002):
//! - even equilibrium of the pair `e = 2w (Σf + ρ (9/2 (c·u)² − 3/2 u²))`, odd `o = 6w ρ c·u`
//! - BGK and TRT: `fa += ½ω⁺(e − s) + ½ω⁻(o − d)`, `fb += ½ω⁺(e − s) − ½ω⁻(o − d)`; BGK has ω⁻ = ω⁺
//! - regularised (Latt and Chopard 2006): what is not in equilibrium is replaced by the part that carries stress,
//!   `9/2 w (c·Π·c − ⅓ tr Π)` with `Π = Σ cc (f − feq)`
//! - force: `(1 − ω/2)` times `w (9 (c·u)(c·F) − 3 u·F)` and `3w c·F`, F = ρa
//! - eddy viscosity (Smagorinsky; Hou, Sterling, Chen and Doolen 1996): `τ' = ½(τ + √(τ² + 18√2 C² |Π| / ρ))`; with it, the
//!   velocity in the equilibrium is held below [`BRAKE`], beyond which a lattice cannot follow.

/// Cells that are handled together; small enough for the first cache, and a multiple of every vector.
pub const LANES: usize = 64;

/// A run of cells: for each direction so many populations.
pub type Run<const Q: usize> = [[f32; LANES]; Q];

/// A collision: populations → what they become, under an acceleration.
pub type Collide<const Q: usize> = fn(&[&[f32; LANES]; Q], &mut Run<Q>, &[[f32; LANES]; 3], &Relax);

/// Largest speed in an equilibrium, cells a step, where there is an eddy viscosity. Its square and root are exact.
pub const BRAKE: f32 = 0.25;

/// Bhatnagar, Gross and Krook: one relaxation time.
pub const BGK: u32 = 0;
/// Two relaxation times.
pub const TRT: u32 = 1;
/// Regularised.
pub const REGULARISED: u32 = 2;

/// How fast populations relax.
#[derive(Clone, Copy, Debug)]
pub struct Relax {
    /// Relaxation time τ of the stress, in steps.
    pub tau: f32,
    /// (τ⁺ − ½)(τ⁻ − ½).
    pub magic: f32,
    /// 18√2 C².
    pub eddies: f32,
}

impl Relax {
    /// ω⁺ and ω⁻ at relaxation time `tau`.
    #[inline(always)]
    pub fn rates<const KIND: u32>(&self, tau: f32) -> [f32; 2] {
        let even = 1.0 / tau;
        let odd = if KIND == TRT {
            1.0 / (0.5 + self.magic / (tau - 0.5))
        } else {
            even
        };
        [even, odd]
    }
}

/// c·v, without products.
macro_rules! along {
    ($v:expr; p o o) => {
        $v[0]
    };
    ($v:expr; o p o) => {
        $v[1]
    };
    ($v:expr; o o p) => {
        $v[2]
    };
    ($v:expr; p p o) => {
        ($v[0] + $v[1])
    };
    ($v:expr; p m o) => {
        ($v[0] - $v[1])
    };
    ($v:expr; p o p) => {
        ($v[0] + $v[2])
    };
    ($v:expr; p o m) => {
        ($v[0] - $v[2])
    };
    ($v:expr; o p p) => {
        ($v[1] + $v[2])
    };
    ($v:expr; o p m) => {
        ($v[1] - $v[2])
    };
    ($v:expr; p p p) => {
        ($v[0] + $v[1] + $v[2])
    };
    ($v:expr; p p m) => {
        ($v[0] + $v[1] - $v[2])
    };
    ($v:expr; p m p) => {
        ($v[0] - $v[1] + $v[2])
    };
    ($v:expr; p m m) => {
        ($v[0] - $v[1] - $v[2])
    };
}

/// v += c·d.
macro_rules! add_along {
    ($v:ident $d:ident $x:ident $y:ident $z:ident) => {
        add_along!(@ $v $d 0 $x);
        add_along!(@ $v $d 1 $y);
        add_along!(@ $v $d 2 $z);
    };
    (@ $v:ident $d:ident $i:literal p) => { $v[$i] += $d; };
    (@ $v:ident $d:ident $i:literal m) => { $v[$i] -= $d; };
    (@ $v:ident $d:ident $i:literal o) => {};
}

/// The tensor (xx, yy, zz, xy, xz, yz) += cc·d.
macro_rules! add_square {
    ($v:ident $d:ident $x:ident $y:ident $z:ident) => {
        add_square!(@ $v $d 0 $x $x);
        add_square!(@ $v $d 1 $y $y);
        add_square!(@ $v $d 2 $z $z);
        add_square!(@ $v $d 3 $x $y);
        add_square!(@ $v $d 4 $x $z);
        add_square!(@ $v $d 5 $y $z);
    };
    (@ $v:ident $d:ident $i:literal p p) => { $v[$i] += $d; };
    (@ $v:ident $d:ident $i:literal m m) => { $v[$i] += $d; };
    (@ $v:ident $d:ident $i:literal p m) => { $v[$i] -= $d; };
    (@ $v:ident $d:ident $i:literal m p) => { $v[$i] -= $d; };
    (@ $v:ident $d:ident $i:literal $x:ident $y:ident) => {};
}

/// c·Π·c.
macro_rules! square_along {
    ($p:ident; p o o) => {
        $p[0]
    };
    ($p:ident; o p o) => {
        $p[1]
    };
    ($p:ident; o o p) => {
        $p[2]
    };
    ($p:ident; p p o) => {
        ($p[0] + $p[1] + 2.0 * $p[3])
    };
    ($p:ident; p m o) => {
        ($p[0] + $p[1] - 2.0 * $p[3])
    };
    ($p:ident; p o p) => {
        ($p[0] + $p[2] + 2.0 * $p[4])
    };
    ($p:ident; p o m) => {
        ($p[0] + $p[2] - 2.0 * $p[4])
    };
    ($p:ident; o p p) => {
        ($p[1] + $p[2] + 2.0 * $p[5])
    };
    ($p:ident; o p m) => {
        ($p[1] + $p[2] - 2.0 * $p[5])
    };
    ($p:ident; p p p) => {
        ($p[0] + $p[1] + $p[2] + 2.0 * ($p[3] + $p[4] + $p[5]))
    };
    ($p:ident; p p m) => {
        ($p[0] + $p[1] + $p[2] + 2.0 * ($p[3] - $p[4] - $p[5]))
    };
    ($p:ident; p m p) => {
        ($p[0] + $p[1] + $p[2] + 2.0 * ($p[4] - $p[3] - $p[5]))
    };
    ($p:ident; p m m) => {
        ($p[0] + $p[1] + $p[2] + 2.0 * ($p[5] - $p[3] - $p[4]))
    };
}

macro_rules! step_of {
    (p) => {
        1
    };
    (m) => {
        -1
    };
    (o) => {
        0
    };
}

macro_rules! set {
    ($(#[$doc:meta])* $set:ident, $q:literal, $dim:literal, $rest:expr, $(($a:literal $b:literal $x:ident $y:ident $z:ident $w:expr))+) => {
        $(#[$doc])*
        pub mod $set {
            use super::{BGK, BRAKE, Collide, LANES, REGULARISED, Relax, Run};

            /// Number of directions.
            pub const Q: usize = $q;
            /// Dimensions.
            pub const DIM: usize = $dim;
            /// The directions.
            pub const C: [[i32; 3]; Q] = {
                let mut c = [[0; 3]; Q];
                $(
                    c[$a] = [step_of!($x), step_of!($y), step_of!($z)];
                    c[$b] = [-step_of!($x), -step_of!($y), -step_of!($z)];
                )+
                c
            };
            /// The weights.
            pub const W: [f32; Q] = {
                let mut w = [$rest; Q];
                $(w[$a] = $w; w[$b] = $w;)+
                w
            };

            /// Populations in equilibrium, without their weights: `rho` is the density above one, `u` in cells a step.
            #[inline]
            pub fn equilibrium(rho: f32, u: [f32; 3]) -> [f32; Q] {
                let r = 1.0 + rho;
                let speed2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
                let drag = 1.5 * speed2;
                let mut f = [W[0] * rho - 1.5 * W[0] * (r * speed2); Q];
                $({
                    let cu: f32 = along!(u; $x $y $z);
                    let even = $w * (rho + r * (4.5 * cu * cu - drag));
                    let odd = 3.0 * $w * (r * cu);
                    (f[$a], f[$b]) = (even + odd, even - odd);
                })+
                f
            }

            /// Density above one, and momentum: of populations without their weights.
            #[inline]
            pub fn moments(f: &[f32; Q]) -> (f32, [f32; 3]) {
                let (mut rho, mut j) = (f[0], [0.0; 3]);
                $({
                    let (s, d) = (f[$a] + f[$b], f[$a] - f[$b]);
                    rho += s;
                    add_along!(j d $x $y $z);
                })+
                (rho, j)
            }

            /// Σ cc (f − feq), as xx, yy, zz, xy, xz, yz.
            #[inline]
            pub fn stress(f: &[f32; Q], feq: &[f32; Q]) -> [f32; 6] {
                let mut pi = [0.0; 6];
                $({
                    let p = (f[$a] + f[$b]) - (feq[$a] + feq[$b]);
                    add_square!(pi p $x $y $z);
                })+
                pi
            }

            /// The populations that carry a stress and nothing else.
            #[inline]
            pub fn carrying(pi: &[f32; 6]) -> [f32; Q] {
                let trace = pi[0] + pi[1] + pi[2];
                let third = trace * (1.0 / 3.0);
                let mut f = [-1.5 * W[0] * trace; Q];
                $({
                    let p = 4.5 * $w * (square_along!(pi; $x $y $z) - third);
                    (f[$a], f[$b]) = (p, p);
                })+
                f
            }

            crate::simd_fn! {
                /// What the populations of a run of cells become when they collide, under the acceleration `a` (cells a step²).
                pub fn collide<const KIND: u32, const FORCE: bool, const EDDIES: bool>(f: &[&[f32; LANES]; $q], out: &mut Run<$q>, a: &[[f32; LANES]; 3], relax: &Relax) {
                    let [even0, odd0] = relax.rates::<KIND>(relax.tau);
                    for t in 0..LANES {
                        let (mut rho, mut j) = (f[0][t], [0.0f32; 3]);
                        $({
                            let (s, d) = (f[$a][t] + f[$b][t], f[$a][t] - f[$b][t]);
                            rho += s;
                            add_along!(j d $x $y $z);
                        })+
                        let r = 1.0 + rho;
                        let inverse = 1.0 / r;
                        let a = if FORCE { [a[0][t], a[1][t], if DIM == 3 { a[2][t] } else { 0.0 }] } else { [0.0; 3] };
                        let mut u = [j[0] * inverse, j[1] * inverse, if DIM == 3 { j[2] * inverse } else { 0.0 }];
                        if FORCE {
                            u = [u[0] + 0.5 * a[0], u[1] + 0.5 * a[1], if DIM == 3 { u[2] + 0.5 * a[2] } else { 0.0 }];
                        }
                        let mut speed2 = u[0] * u[0] + u[1] * u[1];
                        if DIM == 3 {
                            speed2 += u[2] * u[2];
                        }
                        if EDDIES {
                            let most = if speed2 > BRAKE * BRAKE { speed2 } else { BRAKE * BRAKE };
                            let brake = BRAKE / most.sqrt();
                            u = [u[0] * brake, u[1] * brake, if DIM == 3 { u[2] * brake } else { 0.0 }];
                            speed2 *= brake * brake;
                        }
                        let drag = 1.5 * speed2;
                        let mut pi = [0.0f32; 6];
                        if EDDIES || KIND == REGULARISED {
                            $({
                                let cu: f32 = along!(u; $x $y $z);
                                let e = 2.0 * $w * (rho + r * (4.5 * cu * cu - drag));
                                let p = (f[$a][t] + f[$b][t]) - e;
                                add_square!(pi p $x $y $z);
                            })+
                        }
                        let (mut even, mut odd) = (even0, odd0);
                        if EDDIES {
                            let mut size = pi[0] * pi[0] + pi[1] * pi[1];
                            let mut beside = pi[3] * pi[3];
                            if DIM == 3 {
                                size += pi[2] * pi[2];
                                beside += pi[4] * pi[4] + pi[5] * pi[5];
                            }
                            let shear = (size + 2.0 * beside).sqrt() * inverse;
                            let tau = 0.5 * (relax.tau + (relax.tau * relax.tau + relax.eddies * shear).sqrt());
                            [even, odd] = relax.rates::<KIND>(tau);
                        }
                        let force = [r * a[0], r * a[1], if DIM == 3 { r * a[2] } else { 0.0 }];
                        let mut power = u[0] * force[0] + u[1] * force[1];
                        if DIM == 3 {
                            power += u[2] * force[2];
                        }
                        let (keep_even, keep_odd) = (1.0 - 0.5 * even, 1.0 - 0.5 * odd);
                        let trace = if DIM == 3 { pi[0] + pi[1] + pi[2] } else { pi[0] + pi[1] };
                        let third = trace * (1.0 / 3.0);
                        let rest = W[0] * (rho - r * drag);
                        let mut f0 = if KIND == REGULARISED {
                            rest - (1.0 - even) * (1.5 * W[0] * trace)
                        } else {
                            f[0][t] + even * (rest - f[0][t])
                        };
                        if FORCE {
                            f0 -= keep_even * (3.0 * W[0] * power);
                        }
                        out[0][t] = f0;
                        $({
                            let (s, d) = (f[$a][t] + f[$b][t], f[$a][t] - f[$b][t]);
                            let cu: f32 = along!(u; $x $y $z);
                            let e = 2.0 * $w * (rho + r * (4.5 * cu * cu - drag));
                            let o = 6.0 * $w * (r * cu);
                            let cf: f32 = if FORCE { along!(force; $x $y $z) } else { 0.0 };
                            if KIND == REGULARISED {
                                let mut x = 0.5 * e + (1.0 - even) * (4.5 * $w * (square_along!(pi; $x $y $z) - third));
                                let mut y = 0.5 * o;
                                if FORCE {
                                    x += keep_even * ($w * (9.0 * cu * cf - 3.0 * power));
                                    // What is odd and not in equilibrium is half of the force, so ω⁻ cancels.
                                    y += 1.5 * $w * cf;
                                }
                                out[$a][t] = x + y;
                                out[$b][t] = x - y;
                            } else {
                                let mut x = 0.5 * even * (e - s);
                                let mut y = 0.5 * odd * (o - d);
                                if FORCE {
                                    x += keep_even * ($w * (9.0 * cu * cf - 3.0 * power));
                                    y += keep_odd * (3.0 * $w * cf);
                                }
                                out[$a][t] = f[$a][t] + (x + y);
                                out[$b][t] = f[$b][t] + (x - y);
                            }
                        })+
                    }
                }
            }

            /// The collision that was chosen.
            pub fn chosen(kind: u32, force: bool, eddies: bool) -> Collide<$q> {
                const TRT: u32 = super::TRT;
                match (kind, force, eddies) {
                    (BGK, false, false) => collide::<BGK, false, false>,
                    (BGK, false, true) => collide::<BGK, false, true>,
                    (BGK, true, false) => collide::<BGK, true, false>,
                    (BGK, true, true) => collide::<BGK, true, true>,
                    (TRT, false, false) => collide::<TRT, false, false>,
                    (TRT, false, true) => collide::<TRT, false, true>,
                    (TRT, true, false) => collide::<TRT, true, false>,
                    (TRT, true, true) => collide::<TRT, true, true>,
                    (_, false, false) => collide::<REGULARISED, false, false>,
                    (_, false, true) => collide::<REGULARISED, false, true>,
                    (_, true, false) => collide::<REGULARISED, true, false>,
                    (_, true, true) => collide::<REGULARISED, true, true>,
                }
            }
        }
    };
}

const W9A: f32 = 1.0 / 9.0;
const W9B: f32 = 1.0 / 36.0;

set! {
    /// Two dimensions, nine directions.
    d2q9, 9, 2, 4.0 / 9.0,
    (1 2 p o o super::W9A) (3 4 o p o super::W9A) (5 6 p p o super::W9B) (7 8 p m o super::W9B)
}

/// The opposite direction.
#[inline(always)]
pub const fn opposite(q: usize) -> usize {
    if q == 0 {
        0
    } else if q % 2 == 1 {
        q + 1
    } else {
        q - 1
    }
}
