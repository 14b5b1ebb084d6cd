//! What is wrong with a document that reads well.

use super::{Document, animation, names};
use crate::params::{self, Problem};

/// Every number outside its limits, and everything that does not fit together.
pub fn problems(document: &Document) -> Vec<Problem> {
    let mut found = params::problems(document);
    // What does not fit together is looked at only where each part fits by itself.
    if found.is_empty() {
        found.extend(document.scene.check().into_iter().map(|p| Problem {
            path: format!("scene.{}", p.path),
            message: p.message,
        }));
        found.extend(animation::problems(document));
    }
    let (info, dim) = (document.method.info(), document.scene.domain.grid().dim());
    if !info.dims.contains(&dim) {
        found.push(Problem {
            path: "scene.domain.cells_z".to_owned(),
            message: format!(
                "{} cells along z make a {dim}D scene, which {} does not simulate",
                document.scene.domain.cells_z, info.title
            ),
        });
    }
    if document.time.first_frame >= document.time.end_frame {
        found.push(Problem {
            path: "time.end_frame".to_owned(),
            message: format!(
                "{} is not after the first frame, {}",
                document.time.end_frame, document.time.first_frame
            ),
        });
    }
    let outputs = &document.bake.outputs;
    for (i, output) in outputs.iter().enumerate() {
        let name = names::folded(&output.name);
        let before = || outputs[..i].iter().any(|o| names::folded(&o.name) == name);
        let message = match names::check(&output.name) {
            Err(message) => message,
            Ok(()) if before() => format!("another output is named `{}` too", output.name),
            Ok(()) => continue,
        };
        found.push(Problem {
            path: format!("bake.outputs.{i}.name"),
            message,
        });
    }
    found
}
