//! Names of new outputs, and what their channels hold.

use crate::bake::channel::{Sign, Source};
use crate::document::{Document, Output};

/// A name for a new output that no other has.
pub fn free_name(document: &Document, wanted: &str) -> String {
    let taken = |name: &str| document.bake.outputs.iter().any(|o| o.name == name);
    (1..)
        .map(|i| match i {
            1 => wanted.to_owned(),
            i => format!("{wanted}_{i}"),
        })
        .find(|name| !taken(name))
        .unwrap_or_else(|| wanted.to_owned())
}

/// Whether a channel holds colours, which are written with the sRGB curve into 8 bits.
pub fn holds_color(document: &Document, output: &Output) -> bool {
    let channels = [&output.red, &output.green, &output.blue];
    sources(document, channels).any(|s| s.is_color())
}

/// Whether a channel holds numbers of both signs, for which a zero has to be placed.
pub fn holds_signs(document: &Document, output: &Output) -> bool {
    signs(document, output).any(|both| both)
}

/// Whether every channel that reads a field holds numbers of both signs, and there is one.
pub fn holds_signs_only(document: &Document, output: &Output) -> bool {
    holds_signs(document, output) && signs(document, output).all(|both| both)
}

/// For each channel that reads a field, whether its numbers have both signs.
fn signs(document: &Document, output: &Output) -> impl Iterator<Item = bool> {
    let channels = [&output.red, &output.green, &output.blue, &output.alpha];
    let read = sources(document, channels).filter(|s| s.field().is_some());
    read.map(|s| s.sign() == Sign::Both)
}

fn sources<const N: usize>(
    document: &Document,
    channels: [&String; N],
) -> impl Iterator<Item = Source> {
    let fields = document.method.info().fields;
    let read = channels.map(|c| Source::parse(c, fields).ok().flatten());
    read.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::templates::TEMPLATES;
    use crate::bake::{self, output_of};
    use crate::document::{Encoding, problems};
    use crate::solvers::METHODS;
    use crate::ui::presets;

    #[test]
    fn every_template_fits_every_look_and_says_how_much_it_writes() {
        for i in 0..presets::all().len() {
            let look = presets::document(i).expect("a look");
            for template in TEMPLATES.iter().filter(|t| (t.fits)(&look)) {
                let mut document = look.clone();
                document.bake.outputs = (template.outputs)(&document);
                assert!(!document.bake.outputs.is_empty());
                assert_eq!(problems(&document), [], "{}", template.name);
                let frames = document.time.first_frame..document.time.end_frame;
                let estimate = bake::estimate(&document, frames);
                assert!(
                    estimate.is_ok(),
                    "{} of {}: {estimate:?}",
                    template.name,
                    look.name
                );
            }
        }
    }

    #[test]
    fn water_maps_are_for_what_has_a_surface_of_water() {
        let water = (0..presets::all().len())
            .filter_map(|i| presets::document(i).ok())
            .find(|d| d.method.info().fields.iter().any(|f| f.name == "surface"))
            .expect("a look of water");
        let maps = (bake::templates::by_id("water_maps", &water)
            .expect("it fits")
            .outputs)(&water);
        let names: Vec<_> = maps.iter().map(|o| o.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "height", "normal", "foam", "depth", "wetness", "shore", "flow"
            ]
        );
        let smoke = Document::default();
        let error = bake::templates::by_id("water_maps", &smoke)
            .err()
            .expect("it does not fit");
        assert!(error.contains("flow_map"), "{error}");
    }

    #[test]
    fn everything_has_each_component_of_each_field() {
        for method in METHODS {
            for desc in method.fields {
                let output = output_of(desc, Encoding::ExrHalf);
                let all = [&output.red, &output.green, &output.blue, &output.alpha];
                let read: Vec<_> = all
                    .iter()
                    .filter_map(|c| Source::parse(c, method.fields).expect("it is read"))
                    .collect();
                let each: Vec<_> = (0..desc.components)
                    .map(|i| Source::Component(*desc, i))
                    .collect();
                assert_eq!(read, each, "{}", desc.name);
            }
        }
    }

    #[test]
    fn names_of_outputs_are_free() {
        let mut document = Document::default();
        document.bake.outputs = vec![Output::default()];
        assert_eq!(free_name(&document, "velocity"), "velocity_2");
        assert_eq!(free_name(&document, "dye"), "dye");
    }
}
