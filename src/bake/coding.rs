//! How a number becomes a code of a PNG and comes back.
//!
//! With `L` the largest code (255 or 65535), `x = code / L` as a shader samples it, and `v` the number:
//!
//! | values | code | back |
//! |---|---|---|
//! | both signs, zero exact | round(clamp(v / vmax, −1, 1) · (L−1)/2) + (L+1)/2 | (x · L − (L+1)/2) / ((L−1)/2) · vmax |
//! | both signs, centred | round((v / (2 · vmax) + 0.5) · L) | (x − 0.5) · 2 · vmax |
//! | other | round((v − low) / (high − low) · L) | low + x · (high − low) |
//! | colour, sRGB (8 bits) | round(srgb((v − low) / (high − low)) · 255) | low + linear(x) · (high − low) |
//!
//! Float files hold the numbers themselves.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// How codes stand for numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Curve {
    /// The number itself, in a float file.
    Raw,
    /// Both signs, zero on a code.
    ExactZero,
    /// Both signs, zero between two codes.
    Centred,
    /// Low to high.
    Linear,
    /// Low to high, with the sRGB curve.
    Srgb,
}

/// The coding of one channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coding {
    /// How codes stand for numbers.
    pub curve: Curve,
    /// Number at the low end.
    pub low: f32,
    /// Number at the high end.
    pub high: f32,
    /// Largest code: 255 or 65535; 0 for float files.
    pub levels: u32,
}

/// The 8-bit sRGB code nearest to linear light of 0 to 1: as many as there are limits between codes below it. A table
/// is faster than the curve, and depends less on the machine's `pow`.
fn srgb_code(v: f64) -> u32 {
    static LIMITS: LazyLock<Vec<f64>> = LazyLock::new(|| {
        let limit = |code: u32| srgb_to_linear((f64::from(code) + 0.5) / 255.0);
        (0..255).map(limit).collect()
    });
    LIMITS.partition_point(|limit| *limit <= v) as u32
}

/// The sRGB curve to linear light, both 0 to 1 (IEC 61966-2-1).
pub fn srgb_to_linear(x: f64) -> f64 {
    if x <= 0.040_45 {
        x / 12.92
    } else {
        ((x + 0.055) / 1.055).powf(2.4)
    }
}

impl Coding {
    /// Half of the codes, on either side of an exact zero.
    fn half(&self) -> f64 {
        f64::from((self.levels - 1) / 2)
    }
    fn span(&self) -> f64 {
        f64::from(self.high) - f64::from(self.low)
    }

    /// Whether a number is outside of the range and would be cut off.
    pub fn clips(&self, v: f32) -> bool {
        self.curve != Curve::Raw && (v < self.low || v > self.high)
    }

    /// The code of a number; meaningless for float files.
    pub fn encode(&self, v: f32) -> u32 {
        let l = f64::from(self.levels);
        let unit = ((f64::from(v) - f64::from(self.low)) / self.span()).clamp(0.0, 1.0);
        // Adding a half and cutting off rounds what is not negative, several times as fast as `round`.
        let rounded = |code: f64| (code + 0.5) as u32;
        let n = || (f64::from(v) / f64::from(self.high)).clamp(-1.0, 1.0);
        match self.curve {
            Curve::Raw | Curve::Linear => rounded(unit * l),
            Curve::Srgb => srgb_code(unit),
            Curve::Centred => rounded((n() * 0.5 + 0.5) * l),
            Curve::ExactZero => {
                let (n, zero) = (n(), (self.levels - 1) / 2 + 1);
                let distance = rounded(n.abs() * self.half());
                if n < 0.0 {
                    zero - distance
                } else {
                    zero + distance
                }
            }
        }
    }

    /// The number that a code stands for, by the formula of [`Coding::formula`].
    pub fn decode(&self, code: u32) -> f32 {
        let x = f64::from(code) / f64::from(self.levels.max(1));
        let v = match self.curve {
            Curve::Raw | Curve::Linear => f64::from(self.low) + x * self.span(),
            Curve::Srgb => f64::from(self.low) + srgb_to_linear(x) * self.span(),
            Curve::Centred => (x - 0.5) * 2.0 * f64::from(self.high),
            Curve::ExactZero => {
                (f64::from(code) - self.half() - 1.0) / self.half() * f64::from(self.high)
            }
        };
        v as f32
    }

    /// `[scale, bias]` of `v = x · scale + bias`; for sRGB, `x` is the sample after the curve is undone (as engines do).
    pub fn scale_bias(&self) -> [f32; 2] {
        let high = f64::from(self.high);
        let (scale, bias) = match self.curve {
            Curve::Raw => (1.0, 0.0),
            Curve::Linear | Curve::Srgb => (self.span(), f64::from(self.low)),
            Curve::Centred => (2.0 * high, -high),
            Curve::ExactZero => (
                f64::from(self.levels) / self.half() * high,
                -(self.half() + 1.0) / self.half() * high,
            ),
        };
        [scale as f32, bias as f32]
    }

    /// How a shader gets the number back from the sample `x` (0 to 1, or the number itself in a float file).
    pub fn formula(&self, x: &str) -> String {
        let span = self.span() as f32;
        let low_high = |x: &str| {
            if self.low == 0.0 && span == 1.0 {
                x.to_owned()
            } else if self.low == 0.0 {
                format!("{x} * {span:?}")
            } else {
                format!("{:?} + {x} * {span:?}", self.low)
            }
        };
        match self.curve {
            Curve::Raw => x.to_owned(),
            Curve::Linear => low_high(x),
            Curve::Srgb => low_high(&format!("linear({x})")),
            Curve::Centred => format!("({x} - 0.5) * 2.0 * {:?}", self.high),
            Curve::ExactZero => format!(
                "({x} * {}.0 - {}.0) / {}.0 * {:?}",
                self.levels,
                (self.levels - 1) / 2 + 1,
                (self.levels - 1) / 2,
                self.high
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(curve: Curve, levels: u32) -> Coding {
        Coding {
            curve,
            low: -3.0,
            high: 3.0,
            levels,
        }
    }

    #[test]
    fn exact_zero_is_exact_and_never_emits_code_zero() {
        for (levels, zero) in [(255, 128), (65535, 32768)] {
            let c = signed(Curve::ExactZero, levels);
            assert_eq!(c.encode(0.0), zero);
            assert_eq!(c.decode(zero), 0.0);
            assert_eq!(c.encode(-0.0), zero);
            assert_eq!(c.encode(-99.0), 1);
            assert_eq!(c.encode(99.0), levels);
            assert_eq!(c.decode(1), -3.0);
            assert_eq!(c.decode(levels), 3.0);
        }
    }

    #[test]
    fn centred_has_the_drift_that_the_sidecar_warns_of() {
        let c = signed(Curve::Centred, 255);
        assert_eq!(c.encode(0.0), 128);
        assert!((c.decode(128) - 3.0 / 255.0).abs() < 1e-6);
        assert_eq!((c.encode(-3.0), c.encode(3.0)), (0, 255));
        assert_eq!((c.decode(0), c.decode(255)), (-3.0, 3.0));
    }

    #[test]
    fn srgb_codes_are_those_of_the_curve() {
        let curve = |v: f64| {
            if v <= 0.003_130_8 {
                12.92 * v
            } else {
                1.055 * v.powf(1.0 / 2.4) - 0.055
            }
        };
        for i in 0..=100_000 {
            let v = f64::from(i) / 100_000.0;
            let x = curve(v) * 255.0;
            // At a tie either neighbour is right.
            if (x.fract() - 0.5).abs() > 1e-4 {
                assert_eq!(srgb_code(v), x.round() as u32, "{v}");
            }
        }
        assert_eq!((srgb_code(0.0), srgb_code(1.0)), (0, 255));
    }

    #[test]
    fn every_code_comes_back_and_the_shader_line_agrees() {
        let codings = [
            signed(Curve::ExactZero, 255),
            signed(Curve::Centred, 255),
            signed(Curve::Linear, 255),
            Coding {
                curve: Curve::Srgb,
                low: 0.0,
                high: 2.5,
                levels: 255,
            },
            signed(Curve::ExactZero, 65535),
            signed(Curve::Linear, 65535),
        ];
        for c in codings {
            let first = u32::from(c.curve == Curve::ExactZero);
            let [scale, bias] = c.scale_bias();
            for code in first..=c.levels {
                let v = c.decode(code);
                assert_eq!(c.encode(v), code, "{c:?}");
                let x = f64::from(code) / f64::from(c.levels);
                let x = if c.curve == Curve::Srgb {
                    srgb_to_linear(x)
                } else {
                    x
                };
                let shader = (x as f32) * scale + bias;
                assert!(
                    (shader - v).abs() < 2e-6 * c.high,
                    "{c:?} {code}: {shader} {v}"
                );
            }
        }
    }

    #[test]
    fn the_exact_formula_is_zero_in_single_precision_too() {
        for levels in [255.0_f32, 65535.0] {
            let half = (levels - 1.0) / 2.0;
            let sample = (half + 1.0) / levels;
            assert_eq!((sample * levels - (half + 1.0)) / half * 3.0, 0.0);
        }
        assert_eq!(
            signed(Curve::ExactZero, 255).formula("x"),
            "(x * 255.0 - 128.0) / 127.0 * 3.0"
        );
    }
}
