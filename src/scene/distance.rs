//! The exact Euclidean distance transform (Felzenszwalb and Huttenlocher 2012), for masks.

/// Squared distance to the nearest zero: columns, then rows.
pub(super) fn transform(values: &mut [f64], width: usize, height: usize) {
    let mut scratch = Scratch::default();
    let mut column = vec![0.0; height];
    for x in 0..width {
        for y in 0..height {
            column[y] = values[y * width + x];
        }
        scratch.line(&mut column);
        for y in 0..height {
            values[y * width + x] = column[y];
        }
    }
    for row in values.chunks_exact_mut(width) {
        scratch.line(row);
    }
}

/// The lower envelope of parabolas along a line.
#[derive(Default)]
struct Scratch {
    source: Vec<f64>,
    /// Position of each parabola and where its part of the envelope begins.
    hull: Vec<(usize, f64)>,
}

impl Scratch {
    fn line(&mut self, line: &mut [f64]) {
        self.source.clear();
        self.source.extend_from_slice(line);
        let f = &self.source;
        self.hull.clear();
        self.hull.push((0, f64::NEG_INFINITY));
        for q in 1..f.len() {
            let height = |p: usize| f[p] + (p * p) as f64;
            let mut begin = f64::NEG_INFINITY;
            while let Some(&(p, from)) = self.hull.last() {
                begin = (height(q) - height(p)) / (2 * (q - p)) as f64;
                if begin > from {
                    break;
                }
                self.hull.pop();
                begin = f64::NEG_INFINITY;
            }
            self.hull.push((q, begin));
        }
        let mut k = 0;
        for (x, out) in line.iter_mut().enumerate() {
            while self.hull.get(k + 1).is_some_and(|h| h.1 < x as f64) {
                k += 1;
            }
            let p = self.hull[k].0;
            *out = f[p] + (x as f64 - p as f64).powi(2);
        }
    }
}
