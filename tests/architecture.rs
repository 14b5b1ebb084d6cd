//! Who may use whom: reads the sources and fails on an edge that is not listed.

use std::path::{Path, PathBuf};

/// A module and the modules that it may use; `*` is everything.
const ALLOWED: &[(&str, &[&str])] = &[
    ("params", &[]),
    ("field", &[]),
    ("device", &["field"]),
    ("scene", &["params", "field", "device"]),
    ("grid", &["device", "field"]),
    ("particles", &["device", "field"]),
    ("poisson", &["grid", "params", "device"]),
    (
        "solvers",
        &[
            "params",
            "field",
            "device",
            "scene",
            "grid",
            "particles",
            "poisson",
        ],
    ),
    ("document", &["params", "scene", "solvers"]),
    (
        "sim",
        &["document", "solvers", "scene", "device", "field", "params"],
    ),
    (
        "bake",
        &[
            "document", "field", "device", "sim", "params", "scene", "solvers",
        ],
    ),
    (
        "compare",
        &[
            "document", "params", "sim", "solvers", "poisson", "field", "device",
        ],
    ),
    ("view", &["document", "field", "device"]),
    ("edit", &["document", "params", "scene", "solvers"]),
    ("bench", &["field", "device", "poisson", "solvers", "scene"]),
    (
        "ui",
        &[
            "edit", "sim", "view", "bake", "compare", "document", "params", "scene", "solvers",
            "poisson", "field", "device",
        ],
    ),
    ("app", &["*"]),
    ("cli", &["*"]),
];

/// Files of the viewport that know egui: what is painted inside its frames.
const PAINTERS: &[&str] = &["viewport.rs", "blit.rs", "shader.rs", "camera.rs"];

/// Longest file.
const MAX_LINES: usize = 500;

struct Source {
    /// Relative to `src`.
    path: PathBuf,
    /// First part of the path.
    module: String,
    /// Without comments.
    code: Vec<(usize, String)>,
    lines: usize,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let path = path.strip_prefix(&root).unwrap().to_owned();
                let first = path
                    .components()
                    .next()
                    .unwrap()
                    .as_os_str()
                    .to_string_lossy()
                    .into_owned();
                let code: Vec<(usize, String)> = text
                    .lines()
                    .enumerate()
                    .filter(|(_, l)| !l.trim_start().starts_with("//"))
                    .map(|(i, l)| (i + 1, l.split(" // ").next().unwrap_or(l).to_owned()))
                    .collect();
                let code = joined(code);
                found.push(Source {
                    module: first.trim_end_matches(".rs").to_owned(),
                    path,
                    code,
                    lines: text.lines().count(),
                });
            }
        }
    }
    assert!(found.len() > 50);
    found
}

/// Lists of uses that go over several lines become one.
fn joined(code: Vec<(usize, String)>) -> Vec<(usize, String)> {
    let mut out: Vec<(usize, String)> = Vec::new();
    for (number, line) in code {
        match out.last_mut() {
            Some((_, last)) if last.contains("crate::{") && open(last) => {
                last.push_str(line.trim());
            }
            _ => out.push((number, line)),
        }
    }
    out
}

/// Whether more braces are opened than closed.
fn open(line: &str) -> bool {
    line.matches('{').count() > line.matches('}').count()
}

/// Names after each `crate::` of a line. Macros (`crate::params!`) and the attributes of macros belong to no module's use.
fn uses(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices("crate::") {
        let before = line[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &line[at + "crate::".len()..];
        let names: Vec<&str> = match rest.strip_prefix('{') {
            Some(list) => list.split([',', '}']).map(str::trim).collect(),
            None => vec![rest],
        };
        for name in names {
            let end = name
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(name.len());
            if end > 0 && !name[end..].starts_with('!') {
                found.push(name[..end].to_owned());
            }
        }
    }
    found
}

#[test]
fn modules_use_only_what_lies_below_them() {
    let sources = sources();
    let macros: Vec<&str> = sources
        .iter()
        .flat_map(|s| &s.code)
        .filter_map(|(_, l)| l.trim().strip_prefix("macro_rules! "))
        .map(|l| l.trim_end_matches([' ', '{']))
        .filter(|name| ALLOWED.iter().all(|(module, _)| module != name))
        .collect();
    let mut bad = Vec::new();
    for source in sources
        .iter()
        .filter(|s| !["lib", "main"].contains(&s.module.as_str()))
    {
        let Some((_, allowed)) = ALLOWED.iter().find(|(m, _)| *m == source.module) else {
            bad.push(format!(
                "{}: module `{}` has no rule",
                source.path.display(),
                source.module
            ));
            continue;
        };
        for (number, line) in &source.code {
            for used in uses(line) {
                let fine = used == source.module
                    || macros.contains(&used.as_str())
                    || allowed.contains(&"*")
                    || allowed.contains(&used.as_str());
                if !fine {
                    bad.push(format!(
                        "{}:{number}: {} may not use {used}",
                        source.path.display(),
                        source.module
                    ));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Whether the line names the crate: `wgpu::`, `use wgpu`, but not `egui_wgpu::`.
fn names_crate(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = &line[at + name.len()..];
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '"')
            && (after.starts_with("::") || line.trim_start().starts_with(&format!("use {name}")))
    })
}

#[test]
fn wgpu_and_egui_stay_where_they_belong() {
    let mut bad = Vec::new();
    for source in sources() {
        let module = source.module.as_str();
        let paint = module == "view" && PAINTERS.iter().any(|p| source.path.ends_with(p));
        for (number, line) in &source.code {
            let wgpu = names_crate(line, "wgpu") && !["device", "view", "app"].contains(&module);
            let egui = ["egui", "eframe", "egui_wgpu", "egui_plot", "egui_tiles"]
                .iter()
                .any(|c| names_crate(line, c));
            if wgpu || (egui && !["ui", "app"].contains(&module) && !paint) {
                bad.push(format!(
                    "{}:{number}: {}",
                    source.path.display(),
                    line.trim()
                ));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn methods_are_named_only_in_their_folder_and_the_registry() {
    let mut bad = Vec::new();
    for (folder, registry) in [("solvers", "solvers/mod.rs"), ("poisson", "poisson/mod.rs")] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src")
            .join(folder);
        let names: Vec<String> = std::fs::read_dir(root)
            .unwrap()
            .flatten()
            .filter(|e| e.path().is_dir())
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .collect();
        assert!(!names.is_empty());
        // A standard workload is a method by its name.
        for source in sources().iter().filter(|s| s.module != "bench") {
            for (number, line) in &source.code {
                for name in &names {
                    let own = source.path.starts_with(Path::new(folder).join(name))
                        || source.path.ends_with(registry);
                    let module = names_module(line, name) || line.contains(&format!("::{name}"));
                    let id =
                        line.contains(&format!("\"{name}\"")) || line.contains(&format!("={name}"));
                    let test = source.path.ends_with("tests.rs");
                    if (module || id) && !own && !test && !in_test(source, *number) {
                        bad.push(format!(
                            "{}:{number}: {}",
                            source.path.display(),
                            line.trim()
                        ));
                    }
                }
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Whether the line names the module: `sor::`, but not `Cursor::`.
fn names_module(line: &str, name: &str) -> bool {
    line.match_indices(&format!("{name}::")).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// Whether a line stands after `#[cfg(test)]`.
fn in_test(source: &Source, number: usize) -> bool {
    let mut begin = source
        .code
        .iter()
        .filter(|(_, l)| l.contains("#[cfg(test)]"));
    begin.any(|(n, _)| *n < number)
}

#[test]
fn files_can_be_read_at_a_sitting() {
    let long: Vec<String> = sources()
        .iter()
        .filter(|s| s.lines > MAX_LINES)
        .map(|s| format!("{}: {} lines", s.path.display(), s.lines))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}
