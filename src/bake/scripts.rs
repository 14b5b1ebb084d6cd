//! Scripts that set the import settings of a bake's textures in the engine: templates with the table of files put in.

use super::job::Job;
use super::meaning;
use super::sidecar::OutputRecord;
use crate::document::{Encoding, Engine};

/// The line of a template in whose place the table goes.
const TABLE: &str = "eddy:textures";
/// The word of a template in whose place the look goes.
const LOOK: &str = "eddy_look";

/// The script's name; none where there is nothing to be set.
pub fn name(engine: Engine, slug: &str) -> Option<String> {
    match engine {
        Engine::None => None,
        Engine::Unreal => Some(format!("{slug}_import_unreal.py")),
        Engine::Unity => Some(format!("{slug}_ImportFluidBake.cs")),
        Engine::Godot => Some(format!("{slug}_import_godot.gd")),
    }
}

fn template(engine: Engine) -> &'static str {
    match engine {
        Engine::None => "",
        Engine::Unreal => include_str!("../../assets/engines/import_unreal.py"),
        Engine::Unity => include_str!("../../assets/engines/ImportFluidBake.cs"),
        Engine::Godot => include_str!("../../assets/engines/import_godot.gd"),
    }
}

/// The script for the textures that were written.
pub(super) fn script(job: &Job, outputs: &[OutputRecord]) -> String {
    let engine = job.plan.engine;
    let mut rows = Vec::new();
    for (output, work) in outputs.iter().zip(&job.outputs) {
        let Some(kind) = kind(output) else { continue };
        let wrap = meaning::wraps(output, job.plan.periodic);
        rows.extend(work.files.iter().map(|file| row(engine, file, kind, wrap)));
    }
    fill(template(engine), &job.plan.slug, &rows)
}

/// What the engine is to make of an output; none for files that it does not read.
fn kind(output: &OutputRecord) -> Option<&'static str> {
    match output.encoding {
        Encoding::Raw => None,
        _ if output.srgb => Some("color"),
        _ if meaning::is_normal_map(output) => Some("normal"),
        Encoding::Png8 => Some("data8"),
        Encoding::Png16 => Some("data16"),
        Encoding::ExrHalf => Some("half"),
        Encoding::ExrFloat => Some("float"),
    }
}

/// A line of the table in the engine's language. Names of files need no quoting: they are letters, digits, `_`, `-` and `.`.
fn row(engine: Engine, file: &str, kind: &str, [x, y]: [bool; 2]) -> String {
    let python = |b: bool| if b { "True" } else { "False" };
    match engine {
        Engine::Unreal => format!("(\"{file}\", \"{kind}\", {}, {}),", python(x), python(y)),
        Engine::Unity => format!("{{ \"{file}\", (\"{kind}\", {x}, {y}) }},"),
        Engine::Godot | Engine::None => format!("\"{file}\": \"{kind}\","),
    }
}

/// Puts the table in the place of its line, with the same indent, and the look in the place of its word.
fn fill(template: &str, look: &str, rows: &[String]) -> String {
    let mut out = String::new();
    for line in template.lines() {
        if line.contains(TABLE) {
            let indent = &line[..line.len() - line.trim_start().len()];
            for row in rows {
                out.push_str(indent);
                out.push_str(row);
                out.push('\n');
            }
        } else {
            out.push_str(&line.replace(LOOK, look));
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_has_a_place_for_the_table_and_for_the_look() {
        for engine in [Engine::Unreal, Engine::Unity, Engine::Godot] {
            let text = template(engine);
            assert_eq!(text.matches(TABLE).count(), 1, "{engine:?}");
            assert!(text.contains(LOOK), "{engine:?}");
            let rows = [row(engine, "a_0000.png", "data8", [true, false])];
            let filled = fill(text, "a", &rows);
            assert!(filled.contains("\"a_0000.png\"") && filled.contains("\"data8\""));
            assert!(!filled.contains(TABLE) && !filled.contains(LOOK));
            for kind in ["color", "normal", "data8", "data16", "half", "float"] {
                assert!(text.contains(&format!("\"{kind}\"")), "{engine:?}: {kind}");
            }
        }
    }
}
