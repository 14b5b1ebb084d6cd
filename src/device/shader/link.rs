//! Linking: a kernel's file and what it imports become one WGSL text.
//!
//! What WESL 0.4 does that one must know: imports stand first in a file; imported names are mangled, so bindings and
//! overrides live in the kernel's own file, and only functions, structs and constants are imported.

use std::borrow::Cow;

use wesl::syntax::{ModulePath, PathOrigin};
use wesl::{CompileOptions, Feature, Features, ResolveError, Resolver, SourceMap, Wesl};

use super::source;

/// Every feature that a shader may ask for with `@if(…)`. Others are errors, on both sides: an unset one would silently
/// be false.
pub const FEATURES: &[&str] = &["dim3"];

/// One WGSL text with what it was made of.
pub struct Linked {
    /// The text that the driver gets.
    pub text: String,
    /// The kernel's file and all files that it imports, below `shaders/`.
    pub files: Vec<String>,
    map: Option<wesl::BasicSourceMap>,
}

struct Files;

fn path_of(module: &ModulePath) -> String {
    format!("{}.wgsl", module.components.join("/"))
}

impl Resolver for Files {
    fn resolve_source<'a>(&'a self, module: &ModulePath) -> Result<Cow<'a, str>, ResolveError> {
        source::read(&path_of(module)).ok_or_else(|| {
            ResolveError::ModuleNotFound(
                module.clone(),
                format!("there is no shaders/{}", path_of(module)),
            )
        })
    }
    fn display_name(&self, module: &ModulePath) -> Option<String> {
        Some(format!("shaders/{}", path_of(module)))
    }
}

/// Links the file at `path` below `shaders/` with the given features on. With `EDDY_SHADER_DUMP` set to a folder, the
/// linked text is written there.
///
/// # Errors
/// What is wrong, with file and line where they are known.
pub fn link(path: &str, features: &[&str]) -> Result<Linked, String> {
    if let Some(unknown) = features.iter().find(|f| !FEATURES.contains(f)) {
        return Err(format!(
            "shaders/{path}: unknown feature `{unknown}`; known are {}",
            FEATURES.join(", ")
        ));
    }
    if source::read(path).is_none() {
        return Err(format!("there is no shaders/{path}"));
    }
    let components = path
        .trim_end_matches(".wgsl")
        .split('/')
        .map(str::to_owned)
        .collect();
    let root = ModulePath::new(PathOrigin::Absolute, components);
    let mut compiler = Wesl::new("").set_custom_resolver(Files);
    compiler.set_options(CompileOptions {
        validate: false,
        features: Features {
            default: Feature::Error,
            flags: FEATURES
                .iter()
                .map(|f| ((*f).to_owned(), features.contains(f).into()))
                .collect(),
        },
        ..CompileOptions::default()
    });
    let result = compiler
        .compile(&root)
        .map_err(|e| format!("shaders/{path}: {e}"))?;
    let linked = Linked {
        text: result.to_string(),
        files: std::iter::once(path.to_owned())
            .chain(result.modules.iter().map(path_of).filter(|f| f != path))
            .collect(),
        map: result.sourcemap,
    };
    dump(path, features, &linked.text);
    Ok(linked)
}

fn dump(path: &str, features: &[&str], text: &str) {
    let Some(dir) = std::env::var_os("EDDY_SHADER_DUMP") else {
        return;
    };
    let mut name = path.trim_end_matches(".wgsl").replace('/', "-");
    for feature in features {
        name = format!("{name}+{feature}");
    }
    let file = std::path::Path::new(&dir).join(format!("{name}.wgsl"));
    if let Err(e) = std::fs::create_dir_all(&dir).and_then(|()| std::fs::write(&file, text)) {
        log::warn!("the linked shader could not be written to {file:?}: {e}");
    }
}

impl Linked {
    /// Where line `line` (from 1) of the linked text comes from: file and line where the same words are found there, else
    /// the file and the words.
    pub fn origin(&self, line: usize) -> String {
        let root = &self.files[0];
        let words = self.text.lines().nth(line.wrapping_sub(1)).unwrap_or("");
        let file = self.module_at(line).unwrap_or_else(|| root.clone());
        let text = source::read(&file).unwrap_or_default();
        let wanted = squeeze(words);
        let found = (!wanted.is_empty())
            .then(|| text.lines().position(|l| squeeze(l).contains(&wanted)))
            .flatten();
        match found {
            Some(at) => format!("shaders/{file}:{}", at + 1),
            None => format!("shaders/{file}, near `{}`", words.trim()),
        }
    }

    /// The file whose declaration holds the line.
    fn module_at(&self, line: usize) -> Option<String> {
        let head = self
            .text
            .lines()
            .take(line)
            .filter(|l| !l.starts_with([' ', '\t', '}', '@']) && !l.is_empty())
            .last()?;
        head.split(|c: char| !c.is_alphanumeric() && c != '_')
            .find_map(|word| self.map.get_decl(word))
            .map(|(module, _)| path_of(module))
    }
}

/// Without what a printer may change.
fn squeeze(line: &str) -> String {
    let code = line.split("//").next().unwrap_or("");
    code.chars()
        .filter(|c| !c.is_whitespace() && !"();,".contains(*c))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::reflect;
    use super::*;

    #[test]
    fn unknown_features_and_files_are_refused() {
        let e = link("common/fill.wgsl", &["dimm3"]).err().unwrap();
        assert!(e.contains("dimm3") && e.contains("dim3"), "{e}");
        let e = link("common/nothing.wgsl", &[]).err().unwrap();
        assert!(e.contains("shaders/common/nothing.wgsl"), "{e}");
    }

    #[test]
    fn imports_are_linked_and_listed() {
        let linked = link("common/fill.wgsl", &[]).unwrap();
        assert_eq!(linked.files, ["common/fill.wgsl", "common/item.wgsl"]);
        assert!(reflect(&linked).is_ok());
    }

    #[test]
    fn errors_name_file_and_line() {
        let mut linked = link("common/sum_squares_partials.wgsl", &[]).unwrap();
        linked.text = linked.text.replace("const PARTIALS = 1024u;", "");
        let e = reflect(&linked).unwrap_err();
        let source = source::read("common/sum_squares_partials.wgsl").unwrap();
        let line = source
            .lines()
            .position(|l| l.contains("if id.x >="))
            .unwrap()
            + 1;
        let place = format!("shaders/common/sum_squares_partials.wgsl:{line}: ");
        assert!(e.starts_with(&place) && e.contains("PARTIALS"), "{e}");
        // In what is imported too.
        let mut linked = link("common/fill.wgsl", &[]).unwrap();
        linked.text = linked.text.replace("id.x +", "id.x + unknown +");
        let e = reflect(&linked).unwrap_err();
        assert!(e.starts_with("shaders/common/item.wgsl, near `"), "{e}");
    }
}
