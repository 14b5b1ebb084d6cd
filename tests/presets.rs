//! The looks that come with Eddy: each loads, is canonically written, runs, and has a picture.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eddy::device::{Device, DeviceChoice};
use eddy::document::{self, Document};
use eddy::sim::Simulation;

struct Preset {
    /// Such as `stable_fluids/smoke`.
    id: String,
    path: PathBuf,
    text: String,
    document: Document,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn presets() -> Vec<Preset> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root().join("presets")).unwrap().flatten() {
        for entry in std::fs::read_dir(folder.path())
            .into_iter()
            .flatten()
            .flatten()
        {
            let path = entry.path();
            if path.extension().is_some_and(|e| e == "ron") {
                let loaded = document::load(&path).unwrap_or_else(|e| panic!("{e}"));
                let id = path.with_extension("");
                found.push(Preset {
                    id: id
                        .strip_prefix(root().join("presets"))
                        .unwrap()
                        .display()
                        .to_string(),
                    text: std::fs::read_to_string(&path).unwrap(),
                    document: loaded.document,
                    path,
                });
            }
        }
    }
    assert!(found.len() >= 8, "only {} presets", found.len());
    found
}

/// Whoever opens a look can bake it as it is.
#[test]
fn their_textures_can_be_baked() {
    for preset in presets() {
        assert_eq!(eddy::bake::problems(&preset.document), [], "{}", preset.id);
    }
}

#[test]
fn they_are_canonically_written() {
    for preset in presets() {
        let text = document::to_ron(&preset.document).unwrap();
        if std::env::var_os("EDDY_UPDATE").is_some() {
            std::fs::write(&preset.path, &text).unwrap();
        } else {
            let hint = "is not in canonical form; run the test with EDDY_UPDATE=1";
            assert!(preset.text == text, "{} {hint}", preset.path.display());
        }
    }
}

#[test]
fn they_say_what_they_are() {
    let presets = presets();
    for (i, preset) in presets.iter().enumerate() {
        let (id, d) = (&preset.id, &preset.document);
        let folder = id.split(['/', '\\']).next().unwrap();
        assert_eq!(
            folder,
            d.method.info().id,
            "{id} lies in the folder of another method"
        );
        assert!(
            !d.name.is_empty() && d.description.len() > 20 && !d.tags.is_empty(),
            "{id} says too little"
        );
        assert!(
            presets[..i].iter().all(|p| p.document.name != d.name),
            "{id}: its name is another one's too"
        );
        let shown = &d.view.field;
        assert!(
            d.method.info().fields.iter().any(|f| f.name == shown),
            "{id}: there is no field {shown}"
        );
    }
}

#[test]
fn they_run_three_frames() {
    for preset in presets() {
        let device = Device::new(DeviceChoice::Cpu).unwrap();
        let base = preset.path.parent().unwrap().to_owned();
        let mut simulation = Simulation::new(Arc::new(preset.document), base, device).unwrap();
        for _ in 0..3 {
            simulation.advance(&|| false).unwrap();
        }
        for desc in simulation.fields() {
            let data = simulation.field(desc.name).unwrap().data;
            assert!(
                data.iter().all(|v| v.is_finite()),
                "{}: {}",
                preset.id,
                desc.name
            );
        }
    }
}

#[test]
fn they_have_pictures_that_show_something() {
    let mut seen: Vec<Vec<u8>> = Vec::new();
    for preset in presets() {
        let path = root()
            .join("assets/thumbnails")
            .join(&preset.id)
            .with_extension("png");
        let file = std::fs::File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut reader = png::Decoder::new(std::io::BufReader::new(file))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let mean = pixels.iter().map(|p| f64::from(*p)).sum::<f64>() / pixels.len() as f64;
        let spread = pixels
            .iter()
            .map(|p| (f64::from(*p) - mean).powi(2))
            .sum::<f64>()
            / pixels.len() as f64;
        assert!(spread.sqrt() > 8.0, "{} shows nothing", path.display());
        assert!(
            !seen.contains(&pixels),
            "{} shows the same as another",
            path.display()
        );
        seen.push(pixels);
    }
}
