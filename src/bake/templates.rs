//! Sets of textures that most people want, by name: the editor has a button for each, the command line a word.

use super::output_of;
use crate::document::{Document, Encoding, Layout, Output, RangeMode};
use crate::field::FieldDesc;

/// A set of outputs under the name by which artists ask for it.
pub struct Template {
    /// Snake case, as on the command line.
    pub id: &'static str,
    /// On its button.
    pub name: &'static str,
    /// What one gets.
    pub doc: &'static str,
    /// Whether the method has the fields that it is made of.
    pub fits: fn(&Document) -> bool,
    /// Makes the outputs.
    pub outputs: fn(&Document) -> Vec<Output>,
}

/// Every template, in the order of the buttons.
pub const TEMPLATES: &[Template] = &[
    Template {
        id: "flow_map",
        name: "Flow map",
        doc: "One PNG of the last frame's velocity, a texel for each cell unless a size was set: red to the right, green up or down as the engine wants it.",
        fits: |_| true,
        outputs: flow_map,
    },
    Template {
        id: "water_maps",
        name: "Water maps",
        doc: "All that a water shader asks for. A numbered PNG for every frame of height, normal and foam; of the last frame depth, flow, wetness and the distance to the shore. Green of the normal points up or down as the engine wants it.",
        fits: has_water,
        outputs: water_maps,
    },
    Template {
        id: "flipbook",
        name: "Flipbook",
        doc: "One sheet with every frame of the dye, and one with the velocity for blending between frames.",
        fits: |_| true,
        outputs: flipbook,
    },
    Template {
        id: "sequence",
        name: "Sequence",
        doc: "A numbered PNG for every frame: dye in 8 bits and velocity in 16.",
        fits: |_| true,
        outputs: sequence,
    },
    Template {
        id: "everything",
        name: "Everything (EXR)",
        doc: "Every field of every frame as OpenEXR in half precision: for compositing, or to decide later.",
        fits: |_| true,
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

/// Whether there is a surface of water over a ground.
fn has_water(document: &Document) -> bool {
    ["surface", "depth"]
        .iter()
        .all(|n| field(document, n).is_some())
}

/// The maps of water as far as the method has them. Heights, depths, distances and faint ripples in normals need 16
/// bits, or they show steps.
fn water_maps(document: &Document) -> Vec<Output> {
    let map = |name: &str, of: &str, encoding, layout| {
        let desc = field(document, of)?;
        let mut output = output_of(desc, encoding);
        output.name = name.to_owned();
        output.layout = layout;
        Some(output)
    };
    let moving = [
        map("height", "surface", Encoding::Png16, Layout::Sequence),
        map("normal", "normal", Encoding::Png16, Layout::Sequence),
        map("foam", "foam", Encoding::Png8, Layout::Sequence),
    ];
    let last = [
        map("depth", "depth", Encoding::Png16, Layout::Single),
        map("wetness", "wetness", Encoding::Png8, Layout::Single),
        map("shore", "shore", Encoding::Png16, Layout::Single),
    ];
    // A thin film that runs down a slope is fast, and would leave few codes for the rest.
    let flow = flow_map(document).into_iter().map(|output| Output {
        range: RangeMode::Percentile,
        percentile: 99.0,
        ..output
    });
    let all = moving.into_iter().chain(last).flatten();
    all.chain(flow).collect()
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

/// The template of an id.
///
/// # Errors
/// The ids that there are for this document, where there is none of that name or it does not fit.
pub fn by_id(id: &str, document: &Document) -> Result<&'static Template, String> {
    let fitting = || TEMPLATES.iter().filter(|t| (t.fits)(document));
    fitting().find(|t| t.id == id).ok_or_else(|| {
        let ids: Vec<_> = fitting().map(|t| t.id).collect();
        format!(
            "there is no template `{id}` for {}; there are {}",
            document.method.info().title,
            ids.join(", ")
        )
    })
}
