//! Presets and assets are carried inside, in release builds shaders too; a new file among them must lead to a new build.
//! Release builds also know the commit that they were built from, if they were built in Eddy's own checkout.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let release = std::env::var("PROFILE").is_ok_and(|p| p == "release");
    let carried = ["presets", "assets"]
        .into_iter()
        .chain(release.then_some("shaders"));
    for dir in carried.filter(|d| Path::new(d).exists()) {
        println!("cargo:rerun-if-changed={dir}");
    }
    if release && let Some(commit) = commit() {
        println!("cargo:rustc-env=EDDY_COMMIT={commit}");
    }
}

/// The commit of the checkout whose root this package is. None without git, in a package from a registry, or where the
/// package lies inside another project's checkout.
fn commit() -> Option<String> {
    let root = git(&["rev-parse", "--show-toplevel"])?;
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    if Path::new(&root).canonicalize().ok()? != here {
        return None;
    }
    for file in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", file]);
        if let Some(path) = path.filter(|p| Path::new(p).exists()) {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
