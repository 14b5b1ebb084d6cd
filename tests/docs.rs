//! What is written from the declarations is current, and what the README names is there.

use std::path::{Path, PathBuf};

#[test]
fn the_table_of_methods_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/methods.md");
    let current = eddy::cli::methods_markdown();
    if std::env::var_os("EDDY_UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &current).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == current,
        "docs/methods.md is not what `eddy methods --markdown` writes; run the test with EDDY_UPDATE=1"
    );
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The parts of a text between two marks.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    let parts = text.split(open).skip(1);
    parts
        .filter_map(|p| p.split_once(close).map(|(inside, _)| inside))
        .collect()
}

#[test]
fn links_and_paths_of_the_readme_lead_somewhere() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let links = between(&text, "](", ")");
    let links = links
        .into_iter()
        .filter(|l| !l.contains("://") && !l.starts_with('#'));
    let first = ["presets/", "docs/", "benches/", "assets/", "src/", "./x"];
    let words = text.split(|c: char| c.is_whitespace() || "`()[],;".contains(c));
    let paths = words
        .map(|w| w.trim_end_matches(['.', ':']))
        .filter(|w| first.iter().any(|f| w.starts_with(f)));
    let named: Vec<&str> = links.chain(paths).collect();
    assert!(named.len() > 10, "{named:?}");
    for path in named {
        let path = path.split('#').next().unwrap();
        assert!(root().join(path).exists(), "the README names {path}");
    }
}

#[test]
fn commands_of_the_readme_are_understood() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let known = [
        "bake", "compare", "bench", "methods", "check", "snapshot", "migrate",
    ];
    let lines = text.lines().filter_map(|l| l.trim().strip_prefix("eddy "));
    let spans = between(&text, "`eddy ", "`");
    let commands: Vec<&str> = lines.chain(spans).collect();
    assert!(commands.len() > 4, "{commands:?}");
    for command in commands {
        let mut words = command.split('#').next().unwrap().split_whitespace();
        let name = words.next().unwrap();
        assert!(known.contains(&name), "eddy {command}");
        let help = std::process::Command::new(env!("CARGO_BIN_EXE_eddy"))
            .args([name, "--help"])
            .output()
            .unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        for option in words.filter(|w| w.starts_with("--")) {
            assert!(help.contains(option), "eddy {command}: {option}");
        }
    }
}

#[test]
fn the_readme_counts_the_presets_that_there_are() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let presets = std::fs::read_dir(root().join("presets/stable_fluids")).unwrap();
    let count = presets
        .flatten()
        .filter(|e| e.path().extension().is_some_and(|x| x == "ron"));
    let words = [
        "Ten",
        "Eleven",
        "Twelve",
        "Thirteen",
        "Fourteen",
        "Fifteen",
        "Sixteen",
        "Seventeen",
        "Eighteen",
    ];
    let word = words[count.count() - 10];
    assert!(
        text.contains(&format!("{word} looks")),
        "the README does not say {word} looks"
    );
}
