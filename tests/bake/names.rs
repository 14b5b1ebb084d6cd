//! The names of all files are known, and differ, before anything is simulated; scripts name the files that there are.

use std::collections::BTreeSet;
use std::path::Path;

use eddy::bake::{estimate, problems};
use eddy::document::{Encoding, Engine, Layout, Output};

use super::support::*;

fn laid_out(name: &str, encoding: Encoding, layout: Layout) -> Output {
    Output {
        layout,
        ..named(name, encoding)
    }
}

#[test]
fn files_of_the_same_name_are_refused_before_anything_is_simulated() {
    use Encoding::{ExrHalf, Png8, Png16, Raw};
    use Layout::{Flipbook, Sequence, Single};
    let cases = [
        (
            laid_out("a", Png8, Sequence),
            laid_out("a_0002", Png16, Single),
            "_a_0002.png",
        ),
        (
            laid_out("A_0002", Png8, Single),
            laid_out("a", Png8, Sequence),
            "_A_0002.png",
        ),
        (
            laid_out("a", Png8, Flipbook),
            laid_out("a_2x2", Png8, Single),
            "_a_2x2.png",
        ),
    ];
    for (first, second, file) in cases {
        let document = document([8, 8], vec![first, second]);
        let dir = tempfile::tempdir().unwrap();
        let error = bake(
            &document,
            |_, _, _, _| panic!("simulated"),
            dir.path(),
            0..4,
        )
        .unwrap_err()
        .to_string();
        assert!(error.starts_with("bake.outputs.1.name: "), "{error}");
        assert!(
            error.contains(file) && error.contains("bake.outputs.0"),
            "{error}"
        );
        assert!(contents(dir.path()).is_empty());
    }
    let apart = [
        (
            laid_out("a", Png8, Sequence),
            laid_out("a_0004", Png8, Single),
        ),
        (
            laid_out("a", Png8, Sequence),
            laid_out("a_0002", ExrHalf, Single),
        ),
        (
            laid_out("a", Png8, Sequence),
            laid_out("a_0002", Png8, Sequence),
        ),
        (laid_out("a", Raw, Single), laid_out("a_json", Raw, Single)),
        (
            laid_out("import", Raw, Single),
            laid_out("bake", Png8, Single),
        ),
    ];
    for (first, second) in apart {
        let document = document([8, 8], vec![first, second]);
        let dir = tempfile::tempdir().unwrap();
        let report = bake(&document, steps, dir.path(), 0..4).unwrap();
        assert_eq!(contents(dir.path()).len(), report.files.len() + 1);
    }
}

#[test]
fn what_a_bake_would_refuse_is_a_problem_of_the_document() {
    let mut document = document([8, 8], vec![named("a", Encoding::Png8)]);
    assert!(problems(&document).is_empty());
    document
        .bake
        .outputs
        .push(laid_out("a_0000", Encoding::Png8, Layout::Single));
    let found = problems(&document);
    assert_eq!(
        (found.len(), found[0].path.as_str()),
        (1, "bake.outputs.1.name")
    );
    document.bake.outputs[1].red = "speed".to_owned();
    assert_eq!(problems(&document)[0].path, "bake.outputs.1.red");
}

#[test]
fn frames_beyond_the_last_one_are_refused_and_large_sums_do_not_wrap() {
    let many: Vec<Output> = (0..999)
        .map(|i| Output {
            width: 16_384,
            height: 16_384,
            ..named(&format!("o{i}"), Encoding::ExrFloat)
        })
        .collect();
    let document = document([64, 64], many);
    let sum = estimate(&document, 0..10_000_000).unwrap();
    assert!(
        sum.files > 9_000_000_000 && sum.bytes > 1 << 62 && sum.memory_bytes > 1 << 40,
        "{sum:?}"
    );
    for end in [10_000_001, u32::MAX] {
        let error = estimate(&document, 0..end).unwrap_err().to_string();
        assert!(
            error.starts_with("frames") && error.contains("10000000"),
            "{error}"
        );
    }
}

/// What an import script is told about each file, as a fake of the engine's Python writes it down.
const FAKE_UNREAL: &str = r#"
import sys
class Thing:
    def __init__(self, path=None): self.p = {}; self.path = path
    def set_editor_property(self, k, v): self.p[k] = v
    def get_editor_property(self, k): return [self.p["filename"]]
class Names:
    def __getattr__(self, name): return name
class Tools:
    @staticmethod
    def get_asset_tools(): return Tools()
    def import_asset_tasks(self, tasks): pass
class Library:
    @staticmethod
    def save_loaded_asset(t):
        import os
        assert os.path.isfile(t.path), t.path
        print(os.path.basename(t.path), t.p["srgb"], t.p["compression_settings"], t.p["address_x"], t.p["address_y"])
AssetImportTask = Thing
AssetToolsHelpers = Tools
EditorAssetLibrary = Library
TextureAddress = TextureCompressionSettings = TextureMipGenSettings = Names()
load_asset = Thing
def log_warning(m): sys.exit(m)
"#;

#[test]
fn import_scripts_name_every_texture_and_are_hashed() {
    for (engine, ending) in [
        (Engine::Unreal, "_import_unreal.py"),
        (Engine::Unity, "_ImportFluidBake.cs"),
        (Engine::Godot, "_import_godot.gd"),
    ] {
        let mut document = everything();
        document.bake.engine = engine;
        document.scene.domain.left.condition = eddy::scene::Condition::Periodic;
        document.bake.outputs.push(Output {
            red: "dye.x".into(),
            green: "dye.y".into(),
            blue: "dye.z".into(),
            ..named("dye", Encoding::Png8)
        });
        let dir = tempfile::tempdir().unwrap();
        let report = bake(&document, steps, dir.path(), 0..3).unwrap();
        let files = contents(dir.path());
        assert_eq!(estimate_files(&document), files.len());
        let script = format!("test_look{ending}");
        assert!(
            sidecar(dir.path()).files.iter().any(|f| f.name == script),
            "{script}"
        );
        let text = String::from_utf8(files[&script].clone()).unwrap();
        let textures: BTreeSet<&str> = report
            .files
            .iter()
            .filter(|f| !["raw", "json", "text"].contains(&f.encoding.as_str()))
            .map(|f| Path::new(&f.path).file_name().unwrap().to_str().unwrap())
            .collect();
        for name in &textures {
            assert_eq!(text.matches(&format!("\"{name}\"")).count(), 1, "{name}");
        }
        assert!(!text.contains(".f32") && !text.contains("eddy_look") && !text.contains("eddy:"));
        let notes = String::from_utf8(files["test_look_import.txt"].clone()).unwrap();
        assert!(notes.contains(&script), "{notes}");
        if engine == Engine::Unreal {
            run_in_fake_unreal(dir.path(), &script, &textures);
        }
    }
}

fn estimate_files(document: &eddy::document::Document) -> usize {
    estimate(document, 0..3).unwrap().files as usize
}

fn run_in_fake_unreal(dir: &Path, script: &str, textures: &BTreeSet<&str>) {
    let fake = tempfile::tempdir().unwrap();
    std::fs::write(fake.path().join("unreal.py"), FAKE_UNREAL).unwrap();
    let python = std::process::Command::new("python3")
        .arg("-B")
        .arg(dir.join(script))
        .env("PYTHONPATH", fake.path())
        .output();
    let Ok(output) = python else {
        return println!("skipped: no python3");
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(said.lines().count(), textures.len());
    for line in [
        "test_look_dye_0000.png True TC_DEFAULT TA_WRAP TA_CLAMP",
        "test_look_png8_0001.png False TC_VECTOR_DISPLACEMENTMAP TA_WRAP TA_CLAMP",
        "test_look_half_0002.exr False TC_HDR TA_WRAP TA_CLAMP",
        "test_look_float_0000.exr False TC_HDR_F32 TA_WRAP TA_CLAMP",
        // The cells of a sheet must not bleed round its edges.
        "test_look_sheet_2x2.png False TC_HDR TA_CLAMP TA_CLAMP",
    ] {
        assert!(said.lines().any(|l| l == line), "{line}:\n{said}");
    }
}
