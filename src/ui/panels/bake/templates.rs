//! What most people want to bake, by one click.

use crate::bake::channel::{Sign, Source};
use crate::bake::output_of;
use crate::document::{Document, Encoding, Layout, Output};
use crate::field::FieldDesc;

/// A set of outputs under the name by which artists ask for it.
pub struct Template {
    /// On its button.
    pub name: &'static str,
    /// What one gets.
    pub doc: &'static str,
    /// Makes the outputs.
    pub outputs: fn(&Document) -> Vec<Output>,
}

/// Every template, in the order of the buttons.
pub const TEMPLATES: &[Template] = &[
    Template {
        name: "Flow map",
        doc: "One PNG of the last frame's velocity, a texel for each cell unless a size was set: red to the right, green up or down as the engine wants it.",
        outputs: flow_map,
    },
    Template {
        name: "Flipbook",
        doc: "One sheet with every frame of the dye, and one with the velocity for blending between frames.",
        outputs: flipbook,
    },
    Template {
        name: "Sequence",
        doc: "A numbered PNG for every frame: dye in 8 bits and velocity in 16.",
        outputs: sequence,
    },
    Template {
        name: "Everything (EXR)",
        doc: "Every field of every frame as OpenEXR in half precision: for compositing, or to decide later.",
        outputs: everything,
    },
];

/// Longest edge of a cell of a sheet, in texels: sheets of usual lengths stay under what engines take.
const CELL: u32 = 256;
/// Texels round each cell of a sheet, so that filtering does not bleed.
const GUTTER: u32 = 2;

fn field<'a>(document: &'a Document, name: &str) -> Option<&'a FieldDesc> {
    document
        .method
        .info()
        .fields
        .iter()
        .find(|f| f.name == name)
}

/// Velocity, or the first field where there is none.
fn velocity(document: &Document) -> Option<Output> {
    let desc = field(document, "velocity").or_else(|| document.method.info().fields.first())?;
    Some(output_of(desc, Encoding::Png16))
}

fn dye(document: &Document) -> Option<Output> {
    Some(output_of(field(document, "dye")?, Encoding::Png8))
}

fn flow_map(document: &Document) -> Vec<Output> {
    let single = |mut output: Output| {
        output.name = "flow".to_owned();
        output.encoding = Encoding::Png8;
        output.layout = Layout::Single;
        // A size that was set for it stays.
        let before = document.bake.outputs.iter().find(|o| o.name == output.name);
        if let Some(before) = before {
            (output.width, output.height) = (before.width, before.height);
        }
        output
    };
    velocity(document).into_iter().map(single).collect()
}

fn flipbook(document: &Document) -> Vec<Output> {
    let grid = document.scene.domain.grid();
    let sheet = |mut output: Output| {
        output.encoding = Encoding::Png8;
        output.layout = Layout::Flipbook;
        output.gutter = GUTTER;
        let [x, y] = [grid.cells[0], grid.cells[1]];
        match (x.max(y) > CELL, x >= y) {
            (true, true) => output.width = CELL,
            (true, false) => output.height = CELL,
            (false, _) => {}
        }
        output
    };
    let both = dye(document).into_iter().chain(velocity(document));
    both.map(sheet).collect()
}

fn sequence(document: &Document) -> Vec<Output> {
    dye(document)
        .into_iter()
        .chain(velocity(document))
        .collect()
}

fn everything(document: &Document) -> Vec<Output> {
    let fields = document.method.info().fields.iter();
    fields
        .map(|desc| output_of(desc, Encoding::ExrHalf))
        .collect()
}

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
    use crate::bake;
    use crate::document::problems;
    use crate::solvers::METHODS;
    use crate::ui::presets;

    #[test]
    fn every_template_fits_every_look_and_says_how_much_it_writes() {
        for i in 0..presets::all().len() {
            let look = presets::document(i).expect("a look");
            for template in TEMPLATES {
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
