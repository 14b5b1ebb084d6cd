//! What is wrong with a document that reads well.

use super::Document;
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
        let path = || format!("bake.outputs.{i}.name");
        if output.name.is_empty() || output.name.contains(['/', '\\', ':', '\0']) {
            found.push(Problem {
                path: path(),
                message: format!("{:?} cannot begin a file name", output.name),
            });
        } else if outputs[..i].iter().any(|o| o.name == output.name) {
            found.push(Problem {
                path: path(),
                message: format!("{:?} is the name of another output too", output.name),
            });
        }
    }
    found
}
