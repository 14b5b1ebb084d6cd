//! Release builds carry shaders, presets and assets inside; a new file among them must lead to a new build.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("PROFILE").is_ok_and(|p| p == "release") {
        let dirs = ["shaders", "presets", "assets"];
        for dir in dirs.iter().filter(|d| std::path::Path::new(d).exists()) {
            println!("cargo:rerun-if-changed={dir}");
        }
    }
}
