//! What most people want to bake, by one click.

use crate::document::{Document, Encoding, Layout, Output};
use crate::field::{FieldDesc, RangeHint};

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
        doc: "One PNG of the last frame's velocity: red to the right, green up or down as the engine wants it.",
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

/// All components of a field in order: there are at most three.
fn of_field(desc: &FieldDesc) -> Output {
    let channel = |i: usize| match desc.components {
        n if i >= n as usize => String::new(),
        1 => desc.name.to_owned(),
        _ => format!("{}.{}", desc.name, ["x", "y", "z"][i]),
    };
    Output {
        name: desc.name.to_owned(),
        red: channel(0),
        green: channel(1),
        blue: channel(2),
        ..Output::default()
    }
}

/// Velocity, or the first field where there is none.
fn velocity(document: &Document) -> Option<Output> {
    let desc = field(document, "velocity").or_else(|| document.method.info().fields.first())?;
    Some(of_field(desc))
}

fn dye(document: &Document) -> Option<Output> {
    let mut output = of_field(field(document, "dye")?);
    output.encoding = Encoding::Png8;
    Some(output)
}

fn flow_map(document: &Document) -> Vec<Output> {
    let single = |mut output: Output| {
        output.name = "flow".to_owned();
        output.encoding = Encoding::Png8;
        output.layout = Layout::Single;
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
    document
        .method
        .info()
        .fields
        .iter()
        .map(|desc| {
            let mut output = of_field(desc);
            output.encoding = Encoding::ExrHalf;
            output
        })
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
    channels.iter().any(|c| {
        let name = c.split('.').next().unwrap_or_default();
        field(document, name).is_some_and(|f| f.range == RangeHint::Color)
    })
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
    channels.into_iter().filter_map(move |c| {
        let (name, part) = c.split_once('.').unwrap_or((c, ""));
        let field = field(document, name.trim())?;
        Some(part.trim() != "length" && field.range == RangeHint::Signed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake;
    use crate::bake::channel::Source;
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
                let output = of_field(desc);
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
