//! Statistics of a field.

use super::FieldData;

/// Extremes of the magnitude (vectors) or the value (scalars).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldStats {
    /// Least.
    pub min: f32,
    /// Greatest.
    pub max: f32,
    /// Arithmetic mean.
    pub mean: f32,
    /// First cell whose value is not finite.
    pub not_finite: Option<usize>,
}

impl FieldData {
    /// The value of a scalar, or the Euclidean length of a vector, at a cell.
    pub fn magnitude(&self, cell: usize) -> f32 {
        let n = self.desc.components as usize;
        match &self.data[cell * n..(cell + 1) * n] {
            [v] => *v,
            v => v.iter().map(|x| x * x).sum::<f32>().sqrt(),
        }
    }

    /// Extremes and mean over all finite cells, zero where there are none.
    pub fn stats(&self) -> FieldStats {
        let (mut min, mut max, mut sum, mut count) =
            (f32::INFINITY, f32::NEG_INFINITY, 0.0_f64, 0_u64);
        let mut not_finite = None;
        for cell in 0..self.grid.len() {
            let v = self.magnitude(cell);
            if v.is_finite() {
                min = min.min(v);
                max = max.max(v);
                sum += f64::from(v);
                count += 1;
            } else if not_finite.is_none() {
                not_finite = Some(cell);
            }
        }
        if count == 0 {
            return FieldStats {
                min: 0.0,
                max: 0.0,
                mean: 0.0,
                not_finite,
            };
        }
        FieldStats {
            min,
            max,
            mean: (sum / count as f64) as f32,
            not_finite,
        }
    }
}

/// The middle of the values, or the mean of the two in the middle; none if there are none. They are left in order.
pub fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.len().checked_sub(1)? / 2, values.len() / 2);
    Some((values[low] + values[high]) / 2.0)
}

/// Root mean square of the difference of two arrays of equal length.
pub fn difference_l2(a: &[f32], b: &[f32]) -> f32 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| f64::from(a - b).powi(2)).sum();
    (sum / a.len().max(1) as f64).sqrt() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [4.0]), Some(4.0));
        assert_eq!(median(&mut [9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut [9.0, 1.0, 2.0, 4.0]), Some(3.0));
    }
}
