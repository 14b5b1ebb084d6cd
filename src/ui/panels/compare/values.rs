//! Values of a parameter: which to begin with, and which may be typed.

use crate::params::{Entry, Value, ValueKind};
use crate::ui::format;

/// Values to begin with: what there is to choose, or some about the present one.
pub fn usual_values(entry: &Entry) -> String {
    let [low, high] = entry.spec.hard;
    let times = [0.25, 0.5, 1.0, 2.0, 4.0];
    let values: Vec<String> = match (&entry.value, entry.spec.kind) {
        (Value::Choice(_), ValueKind::Choice(options)) => {
            options.iter().map(|o| o.name.to_owned()).collect()
        }
        (Value::Bool(_), _) => vec!["false".to_owned(), "true".to_owned()],
        (Value::Int(v), _) => {
            let v = (*v).max(4) as f32;
            let all = times.map(|t| (v * t).round().clamp(low, high) as u32);
            let mut all = all.to_vec();
            all.dedup();
            all.iter().map(u32::to_string).collect()
        }
        (Value::Float(v), _) => {
            let [soft_low, soft_high] = entry.spec.soft;
            let all = match *v {
                // Nothing times so much is nothing: steps along the slider.
                0.0 => [0.0, 0.25, 0.5, 0.75, 1.0].map(|s| soft_low + s * (soft_high - soft_low)),
                v => times.map(|t| v * t),
            };
            let mut all = all.map(|v| v.clamp(low, high)).to_vec();
            all.dedup();
            all.iter().map(|v| format::number(f64::from(*v))).collect()
        }
        _ => Vec::new(),
    };
    values.join(", ")
}

/// What may be typed.
pub fn allowed(entry: &Entry) -> String {
    let [low, high] = entry.spec.hard.map(f64::from);
    let unit = entry.spec.unit;
    match entry.spec.kind {
        ValueKind::Choice(options) => {
            let names: Vec<&str> = options.iter().map(|o| o.name).collect();
            format!("Any of {}.", names.join(", "))
        }
        ValueKind::Bool => "true or false.".to_owned(),
        _ if high.is_finite() && high < 1e8 => {
            format!(
                "From {} to {}.",
                format::number(low),
                format::with_unit(high, unit)
            )
        }
        _ if low.is_finite() => format!("From {} up.", format::with_unit(low, unit)),
        _ => format!(
            "Any number{}.",
            if unit.is_empty() {
                String::new()
            } else {
                format!(" of {unit}")
            }
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Question, variable};
    use crate::document::Document;

    /// What is suggested for a parameter can be run.
    #[test]
    fn usual_values_fit_every_parameter() {
        let document = Document::default();
        for (entry, label) in variable(&document) {
            let values = usual_values(&entry);
            let question = Question::Parameter(entry.path.clone(), values.clone());
            let ways = question.ways(&document, 24);
            assert!(
                ways.as_ref().is_ok_and(|w| w.len() > 1),
                "{label}: {values}: {ways:?}"
            );
            assert!(!allowed(&entry).is_empty());
        }
    }
}
