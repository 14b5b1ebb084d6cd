//! `eddy check`: says whether presets are well-formed, and where not.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::scene::{field_problem, picture_problems};
use super::{Error, Result, output};
use crate::document::Document;
use crate::params::Problem;
use crate::{bake, document};

/// Arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Documents to check.
    #[arg(required = true)]
    presets: Vec<PathBuf>,
    /// Writes the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Checks every file; fails if one is bad.
pub fn run(args: &Args) -> Result {
    let (mut rows, mut lines, mut good) = (Vec::new(), Vec::new(), true);
    for path in &args.presets {
        let base = path.parent().unwrap_or(Path::new(""));
        let issues = match document::load_with(path, &|d| further(d, base)) {
            Ok(loaded) => {
                lines.push(match loaded.migrated_from {
                    Some(v) => format!("{}: ok, in the form of version {v}", path.display()),
                    None => format!("{}: ok", path.display()),
                });
                Vec::new()
            }
            Err(error) => {
                lines.push(error.to_string());
                error.issues
            }
        };
        good &= issues.is_empty();
        rows.push(json!({ "path": path.display().to_string(), "ok": issues.is_empty(), "errors": issues }));
    }
    if args.json {
        output::json(&rows.into())?;
    } else {
        output::text(&lines.join("\n"))?;
    }
    if good { Ok(()) } else { Err(Error::Silent) }
}

/// What could be opened but not shown or baked is found now, not after an hour of simulating.
fn further(document: &Document, base: &Path) -> Vec<Problem> {
    let mut problems = bake::problems(document);
    problems.extend(field_problem(document));
    problems.extend(picture_problems(document, base));
    problems
}
