//! `eddy migrate`: brings a preset into the present form.

use std::path::PathBuf;

use super::{Result, output};
use crate::document::{self, VERSION};

/// Arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Document to rewrite in its place, in canonical form. One that is in the present form already is left alone.
    preset: PathBuf,
    /// Writes to this file instead.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Migrates the file.
pub fn run(args: &Args) -> Result {
    let loaded = document::load(&args.preset)?;
    let from = args.preset.display();
    let message = match (loaded.migrated_from, &args.out) {
        (None, None) => format!("{from}: in the form of version {VERSION} already"),
        (version, out) => {
            let to = out.as_ref().unwrap_or(&args.preset);
            document::save(to, &loaded.document).map_err(|e| {
                super::Error::Failed(format!("{} cannot be written: {e}", to.display()))
            })?;
            let version = version.unwrap_or(VERSION);
            format!("{}: from version {version} to {VERSION}", to.display())
        }
    };
    output::text(&message)
}
