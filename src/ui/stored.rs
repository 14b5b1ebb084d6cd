//! What the window remembers from run to run, looked at before it is believed: a size or a magnification that no window can
//! have would end the program each time it starts.

use std::collections::BTreeMap;
use std::path::Path;

use ron::extensions::Extensions;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::document::replace_file;

/// Magnifications that egui's own keys reach.
const ZOOM: std::ops::RangeInclusive<f32> = 0.2..=5.0;
/// Edges of windows, points.
const EDGE: std::ops::RangeInclusive<f32> = 240.0..=16384.0;

#[derive(Deserialize)]
struct Memory {
    options: Options,
}

#[derive(Deserialize)]
struct Options {
    zoom_factor: f32,
}

#[derive(Deserialize)]
struct Window {
    normal_geometry: Option<Geometry>,
}

#[derive(Deserialize)]
struct Geometry {
    inner_size_points: Option<Size>,
}

#[derive(Deserialize)]
struct Size {
    x: f32,
    y: f32,
}

/// Takes out of a file of eframe's what cannot be used. Where there is no such file, or where it cannot be read or written,
/// nothing happens: eframe says so itself.
pub fn mend(file: &Path) {
    let Ok(text) = std::fs::read_to_string(file) else {
        return;
    };
    let Some(mended) = mended(&text) else { return };
    log::warn!("{}: what cannot be used was taken out", file.display());
    if let Err(e) = replace_file(file, mended.as_bytes(), false) {
        log::warn!("{}: {e}", file.display());
    }
}

/// The text without what cannot be used; none where all can be.
fn mended(text: &str) -> Option<String> {
    // eframe begins anew where it cannot read the file.
    let mut map: BTreeMap<String, String> = read(text)?;
    let before = map.len();
    map.retain(|key, value| match key.as_str() {
        "egui" => read::<Memory>(value).is_some_and(|m| ZOOM.contains(&m.options.zoom_factor)),
        "window" => read::<Window>(value).is_some_and(|w| {
            let size = w.normal_geometry.and_then(|g| g.inner_size_points);
            size.is_none_or(|s| EDGE.contains(&s.x) && EDGE.contains(&s.y))
        }),
        _ => true,
    });
    if map.len() == before {
        return None;
    }
    ron::to_string(&map).ok()
}

fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    options.from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(zoom: &str, width: &str) -> String {
        let egui =
            format!("(options:(theme_preference:Dark,zoom_factor:{zoom},more:(1,2)),data:())");
        let window = format!(
            "(normal_geometry:(outer_position_pixels:Some((x:0.0,y:0.0)),scale_factor:1.0,inner_size_points:(x:{width},y:900.0)),fullscreen:false,maximized:false)"
        );
        let map = BTreeMap::from([
            ("egui", egui),
            ("window", window),
            ("theme", "Light".to_owned()),
        ]);
        ron::to_string(&map).expect("a map can be written")
    }

    #[test]
    fn what_no_window_can_have_is_taken_out() {
        assert_eq!(mended(&stored("1.5", "1440.0")), None);
        for zoom in ["0.0", "-1.0", "NaN", "inf", "1000.0"] {
            let text = mended(&stored(zoom, "1440.0")).expect(zoom);
            assert!(
                !text.contains("zoom_factor") && text.contains("Light"),
                "{text}"
            );
            assert!(text.contains("inner_size"), "{text}");
        }
        for width in ["0.0", "NaN", "-5.0", "90000.0"] {
            let text = mended(&stored("1.0", width)).expect(width);
            assert!(
                !text.contains("inner_size") && text.contains("zoom_factor"),
                "{text}"
            );
        }
        assert_eq!(mended("garbage"), None);
    }

    #[test]
    fn what_a_window_really_stores_is_understood() {
        // As eframe writes it; the test of the real window shows that nothing is taken out of it.
        let memory = egui::Memory::default();
        let text = ron::to_string(&memory).expect("egui's memory can be written");
        let read: Memory = read(&text).expect("and understood");
        assert_eq!(read.options.zoom_factor, 1.0);
    }
}
