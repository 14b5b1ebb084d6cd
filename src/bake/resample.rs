//! Resampling: each axis on its own, by area where it shrinks and linearly where it grows.

use super::texels::Texels;

/// For one target texel: the source texels that it takes, with weights that add up to one.
type Taps = Vec<(usize, f32)>;

/// Weights of one axis. A periodic axis wraps round where a linear tap leaves the picture.
fn taps(from: u32, to: u32, periodic: bool) -> Vec<Taps> {
    let ratio = f64::from(from) / f64::from(to);
    let last = i64::from(from) - 1;
    let index = |i: i64| -> usize {
        let i = if periodic {
            i.rem_euclid(i64::from(from))
        } else {
            i.clamp(0, last)
        };
        i as usize
    };
    (0..to)
        .map(|t| {
            if to < from {
                let (a, b) = (f64::from(t) * ratio, f64::from(t + 1) * ratio);
                let (first, end) = (a.floor() as i64, b.ceil() as i64);
                (first..end.min(last + 1))
                    .map(|i| {
                        let covered = b.min(i as f64 + 1.0) - a.max(i as f64);
                        (index(i), (covered / ratio) as f32)
                    })
                    .filter(|(_, w)| *w > 0.0)
                    .collect()
            } else {
                let x = (f64::from(t) + 0.5) * ratio - 0.5;
                let (low, w) = (x.floor() as i64, (x - x.floor()) as f32);
                vec![(index(low), 1.0 - w), (index(low + 1), w)]
            }
        })
        .collect()
}

/// The picture at another size. `periodic` tells for x and y whether opposite edges meet.
pub fn resample(source: Texels, width: u32, height: u32, periodic: [bool; 2]) -> Texels {
    if (source.width, source.height) == (width, height) {
        return source;
    }
    let n = source.channels;
    let mut across = Texels::new(width, source.height, n);
    let columns = taps(source.width, width, periodic[0]);
    let row_len = width as usize * n;
    for (y, row) in across.data.chunks_exact_mut(row_len).enumerate() {
        let from = source.row(y as u32);
        for (texel, taps) in row.chunks_exact_mut(n).zip(&columns) {
            for (i, w) in taps {
                for (value, from) in texel.iter_mut().zip(&from[i * n..]) {
                    *value += w * from;
                }
            }
        }
    }
    let mut out = Texels::new(width, height, n);
    let rows = taps(source.height, height, periodic[1]);
    for (row, taps) in out.data.chunks_exact_mut(row_len).zip(&rows) {
        for (i, w) in taps {
            for (value, from) in row.iter_mut().zip(across.row(*i as u32)) {
                *value += w * from;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(width: u32) -> Texels {
        Texels {
            width,
            height: 1,
            channels: 1,
            data: (0..width).map(|i| i as f32).collect(),
        }
    }

    #[test]
    fn shrinking_averages_by_area() {
        assert_eq!(resample(ramp(4), 2, 1, [false; 2]).data, [0.5, 2.5]);
        let thirds = resample(ramp(3), 2, 1, [false; 2]).data;
        assert!((thirds[0] - 1.0 / 3.0).abs() < 1e-6 && (thirds[1] - 5.0 / 3.0).abs() < 1e-6);
    }

    #[test]
    fn growing_is_linear_and_wraps_only_where_periodic() {
        assert_eq!(
            resample(ramp(2), 4, 1, [false; 2]).data,
            [0.0, 0.25, 0.75, 1.0]
        );
        assert_eq!(
            resample(ramp(2), 4, 1, [true, false]).data,
            [0.25, 0.25, 0.75, 0.75]
        );
    }

    #[test]
    fn weights_add_up_to_one() {
        for (from, to) in [(7, 3), (3, 7), (100, 99), (1, 5), (5, 1)] {
            for taps in taps(from, to, true) {
                let sum: f32 = taps.iter().map(|t| t.1).sum();
                assert!((sum - 1.0).abs() < 1e-5, "{from} to {to}: {sum}");
            }
        }
    }
}
