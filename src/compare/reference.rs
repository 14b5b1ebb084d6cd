//! What the ways are measured against.

use crate::document::Document;
use crate::params::{self, Value};

/// How much longer the solvers of the reference run.
pub const REFERENCE_FACTOR: u32 = 10;

/// The scene with every iterative solver ten times as long and no tolerance, and that in words.
pub fn reference(document: &Document) -> (Document, String) {
    let mut reference = document.clone();
    let (mut some, mut all) = (false, true);
    for entry in params::entries(&document.method) {
        let path = format!("method.{}", entry.path);
        match (entry.spec.name, &entry.value) {
            ("iterations", Value::Int(n)) => {
                let most = entry.spec.hard[1].min(u32::MAX as f32) as u32;
                let wanted = n.saturating_mul(REFERENCE_FACTOR);
                let longer = Value::Int(wanted.min(most));
                (some, all) = (true, all && wanted <= most);
                params::set_value(&mut reference, &path, &longer);
            }
            ("tolerance", Value::Float(_)) => {
                params::set_value(&mut reference, &path, &Value::Float(entry.spec.hard[0]));
            }
            _ => continue,
        }
        reference.animation.tracks.retain(|t| t.path != path);
    }
    (reference, in_words(some, all))
}

/// What the reference is: whether its method has iterations, and whether all of them can be so many more.
fn in_words(some: bool, all: bool) -> String {
    match (some, all) {
        (false, _) => "the scene as given, whose method has no iterations to add".to_owned(),
        (true, true) => format!("the scene as given, with {REFERENCE_FACTOR} times the iterations"),
        (true, false) => format!(
            "the scene as given, with {REFERENCE_FACTOR} times the iterations or the most that are allowed"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::set_by_name;

    #[test]
    fn the_reference_is_called_what_it_is() {
        let (_, words) = reference(&Document::default());
        assert!(words.ends_with("with 10 times the iterations"), "{words}");
        let mut most = Document::default();
        assert!(set_by_name(&mut most, "pressure.iterations", "100000").is_ok());
        let (longer, words) = reference(&most);
        assert!(words.contains("the most that are allowed"), "{words}");
        assert_eq!(
            params::get(&longer, "method.pressure.iterations"),
            Some(Value::Int(100_000))
        );
        assert!(!in_words(false, true).contains("times"));
    }
}
