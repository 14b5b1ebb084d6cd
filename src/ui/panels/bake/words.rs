//! The settings of a bake in the words of those who paint, and which of them do anything.

use crate::document::{
    BakeSettings, Document, Encoding, Engine, Layout, Looping, Output, RangeMode,
};

use super::templates::{holds_color, holds_signs, holds_signs_only};
use crate::params::{Spec, Value};
use crate::ui::format;

/// What a setting is called.
pub fn label(document: &Document, path: &str) -> Option<&'static str> {
    let name = path.rsplit('.').next()?;
    Some(match name {
        "range_high" if is_limit(document, path) => "Limit (±)",
        "loop_blend" => "Fade over",
        "loop_vectors" => "Fade vectors by",
        "enabled" => "Write it",
        "encoding" => "File format",
        "zero" => "Still fluid is",
        "color" => "Colours",
        "range" => "Black to white",
        "percentile" => "Keep inside",
        "range_low" => "Black is",
        "range_high" => "White is",
        "layout" => "Frames",
        "spare" => "Left-over cells",
        "gutter" => "Gap round cells",
        "looping" => "Loop",
        "width" => "Width (0: a texel a cell)",
        "height" => "Height (0: a texel a cell)",
        "columns" => "Columns (0: fitting)",
        "rows" => "Rows (0: fitting)",
        "outputs" => "Textures",
        _ => return None,
    })
}

/// What an alternative is called.
pub fn option(path: &str, name: &str) -> Option<&'static str> {
    let setting = path.rsplit('.').next()?;
    Some(match (setting, name) {
        ("engine", "None") => "No engine",
        ("engine", "Unreal") => "Unreal",
        ("encoding", "Png8") => "PNG, 8 bits",
        ("encoding", "Png16") => "PNG, 16 bits",
        ("encoding", "ExrHalf") => "EXR, half floats",
        ("encoding", "ExrFloat") => "EXR, full floats",
        ("encoding", "Raw") => "Raw floats + JSON",
        ("layout", "Sequence") => "A file for each",
        ("layout", "Flipbook") => "One sheet",
        ("layout", "Single") => "The last one only",
        ("zero", "Exact") => "A whole code (128)",
        ("zero", "Centred") => "Middle grey (127.5)",
        ("color", "Srgb") => "sRGB",
        ("range", "Sequence") => "Least to most",
        ("range", "Percentile") => "Without extremes",
        ("range", "Fixed") => "As given",
        ("spare", "RepeatLast") => "Repeat the last frame",
        ("spare", "Refuse") => "Refuse to bake",
        ("looping", "None") => "No",
        ("looping", "TailBlend") => "Fade end into start",
        ("loop_vectors", "KeepLength") => "Keep their length",
        ("loop_vectors", "Select") => "The stronger one",
        ("loop_vectors", "Average") => "Average",
        _ => return None,
    })
}

/// Whether the setting at a path is the limit of a fixed range that reaches as far below zero as above it. There the
/// larger of the two ends counts for both, so that one number says it.
fn is_limit(document: &Document, path: &str) -> bool {
    let output = output_of(document, path).map(|(output, _)| output);
    path.ends_with(".range_high") && output.is_some_and(|o| holds_signs_only(document, o))
}

/// The output that a setting belongs to, and the setting's own name.
fn output_of<'a, 'b>(document: &'a Document, path: &'b str) -> Option<(&'a Output, &'b str)> {
    let (i, name) = path.strip_prefix("bake.outputs.")?.split_once('.')?;
    Some((document.bake.outputs.get(i.parse::<usize>().ok()?)?, name))
}

/// Shows the two ends of such a range as one limit above zero: that which counts.
pub fn adapt(document: &Document, path: &str, spec: &mut Spec, value: &mut Value) {
    if !is_limit(document, path) {
        return;
    }
    if let Some((output, _)) = output_of(document, path) {
        *value = Value::Float(output.range_high.abs().max(output.range_low.abs()));
        (spec.hard[0], spec.soft[0]) = (0.0, 0.0);
        spec.doc =
            "White stands for this much, black for as much below zero; larger numbers are cut off.";
    }
}

/// What has to change together with a setting: the low end with such a limit.
pub fn also(document: &Document, path: &str, value: &Value) -> Option<(String, Value)> {
    match (path.strip_suffix("range_high"), value) {
        (Some(output), Value::Float(limit)) if is_limit(document, path) => {
            Some((format!("{output}range_low"), Value::Float(-limit)))
        }
        _ => None,
    }
}

/// Which frames a texture has, and in how many files.
pub fn frames(document: &Document, output: &Output) -> String {
    let time = &document.time;
    let count = time.end_frame.saturating_sub(time.first_frame);
    match output.layout {
        Layout::Single => format!(
            "the last frame, {}, in one file",
            time.end_frame.saturating_sub(1)
        ),
        Layout::Sequence => format!(
            "a file for each of {}",
            format::count(count as usize, "frame")
        ),
        Layout::Flipbook => format!("{} on one sheet", format::count(count as usize, "frame")),
    }
}

/// Whether a setting has no effect as the others are.
pub fn is_idle(document: &Document, path: &str) -> bool {
    match output_of(document, path) {
        Some((output, name)) => idle_output(document, output, name),
        None => path
            .strip_prefix("bake.")
            .is_some_and(|name| idle_setting(&document.bake, name)),
    }
}

fn idle_setting(bake: &BakeSettings, name: &str) -> bool {
    match name {
        "looping" => !bake.holds_motion(),
        "loop_blend" | "loop_vectors" => bake.looping == Looping::None || !bake.holds_motion(),
        // Drawn as buttons.
        "engine" => true,
        _ => false,
    }
}

fn idle_output(document: &Document, output: &Output, name: &str) -> bool {
    let png = matches!(output.encoding, Encoding::Png8 | Encoding::Png16);
    let sheet = output.layout == Layout::Flipbook;
    match name {
        "enabled" => false,
        _ if !output.enabled => name != "name",
        "zero" => !png || !holds_signs(document, output),
        "color" => output.encoding != Encoding::Png8 || !holds_color(document, output),
        "range" => !png,
        "percentile" => !png || output.range != RangeMode::Percentile,
        "range_low" | "range_high" if !png || output.range != RangeMode::Fixed => true,
        "range_low" => holds_signs_only(document, output),
        "columns" | "rows" | "spare" | "gutter" => !sheet,
        _ => false,
    }
}

/// What the choice of an engine sets, in one line.
pub fn engine(engine: Engine) -> &'static str {
    match engine {
        Engine::None => "Plain data: green points up, as simulated.",
        Engine::Unreal => "For Unreal: green points down, V runs down, 100 units to the metre.",
        Engine::Unity => "For Unity: green points up, V runs up.",
        Engine::Godot => "For Godot: green points up, V runs down.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{self, ValueKind};

    /// What is hidden must do nothing, and what is shown something; tried on the estimate and on the words themselves.
    #[test]
    fn settings_are_shown_where_they_do_something() {
        let mut document = Document::default();
        document.bake.outputs = vec![Output::default()];
        let idle = |d: &Document, name: &str| is_idle(d, &format!("bake.outputs.0.{name}"));
        assert!(idle(&document, "gutter") && idle(&document, "percentile"));
        assert!(!idle(&document, "zero") && !idle(&document, "range"));
        assert!(idle(&document, "color"), "velocity has no colours");
        document.bake.outputs[0].layout = Layout::Flipbook;
        document.bake.outputs[0].encoding = Encoding::ExrHalf;
        assert!(!idle(&document, "gutter") && idle(&document, "zero") && idle(&document, "range"));
        document.bake.outputs[0].enabled = false;
        assert!(idle(&document, "gutter") && !idle(&document, "enabled"));
        assert!(is_idle(&document, "bake.loop_blend"));
        document.bake.looping = Looping::TailBlend;
        document.bake.outputs[0].enabled = true;
        assert!(!is_idle(&document, "bake.loop_blend"));
        // One frame of each texture is no motion that could go in a circle.
        document.bake.outputs[0].layout = Layout::Single;
        assert!(is_idle(&document, "bake.loop_blend") && is_idle(&document, "bake.looping"));
    }

    /// Of a range about zero only the larger end counts: it is the one that is shown, and it sets both.
    #[test]
    fn a_range_about_zero_has_one_limit() {
        let mut document = Document::default();
        let mut output = Output {
            range: RangeMode::Fixed,
            range_low: -5.0,
            range_high: 2.0,
            ..Output::default()
        };
        document.bake.outputs = vec![output.clone()];
        let high = "bake.outputs.0.range_high";
        let shown = |d: &Document| {
            let entries = params::entries(d);
            let e = entries.into_iter().find(|e| e.path == high).expect("there");
            let (mut spec, mut value) = (e.spec, e.value);
            adapt(d, high, &mut spec, &mut value);
            (spec.hard[0], value)
        };
        assert!(is_idle(&document, "bake.outputs.0.range_low"));
        assert!(!is_idle(&document, high));
        assert_eq!(shown(&document), (0.0, Value::Float(5.0)));
        let low = ("bake.outputs.0.range_low".to_owned(), Value::Float(-3.0));
        assert_eq!(also(&document, high, &Value::Float(3.0)), Some(low));
        // Where there is anything else too, each end counts for something.
        output.alpha = "velocity.length".to_owned();
        document.bake.outputs = vec![output];
        assert!(!is_idle(&document, "bake.outputs.0.range_low"));
        assert_eq!(shown(&document), (-1e12, Value::Float(2.0)));
        assert_eq!(also(&document, high, &Value::Float(3.0)), None);
    }

    /// Every word belongs to an alternative that there is.
    #[test]
    fn alternatives_have_their_names() {
        for (path, name, shown) in [
            ("bake.engine", "None", "No engine"),
            ("bake.outputs.0.encoding", "ExrHalf", "EXR, half floats"),
            ("bake.outputs.3.layout", "Flipbook", "One sheet"),
            ("bake.looping", "TailBlend", "Fade end into start"),
        ] {
            assert_eq!(option(path, name), Some(shown));
        }
    }

    #[test]
    fn no_alternative_is_shown_by_a_name_from_the_code() {
        let mut document = Document::default();
        document.bake.outputs = vec![Output::default()];
        for e in params::entries(&document) {
            let ValueKind::Choice(options) = e.spec.kind else {
                continue;
            };
            if !e.path.starts_with("bake.") {
                continue;
            }
            for o in options {
                let shown = option(&e.path, o.name)
                    .map_or_else(|| params::label_from_name(o.name), str::to_owned);
                let code = ["Exr", "Png8", "Png16", "None", "Tail"];
                assert!(!code.iter().any(|c| shown.starts_with(c)), "{shown}");
            }
            assert!(matches!(e.value, Value::Choice(_)));
        }
    }
}
