//! Frames that are made up, and readers.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use eddy::bake::{BakeError, BakeOptions, BakeReport, FrameSource, Sidecar, run_from};
use eddy::document::{BakeSettings, Document, Encoding, Layout, Output};
use eddy::field::{FieldData, FieldDesc, Grid, RangeHint};
use eddy::sim::Fault;
use eddy::solvers::{Invariant, SolveReport, StepReport};

pub const FIELDS: &[FieldDesc] = &[
    FieldDesc {
        name: "velocity",
        label: "Velocity",
        unit: "m/s",
        components: 2,
        range: RangeHint::Signed,
    },
    FieldDesc {
        name: "dye",
        label: "Dye",
        unit: "",
        components: 3,
        range: RangeHint::Color,
    },
    FieldDesc {
        name: "pressure",
        label: "Pressure",
        unit: "Pa",
        components: 1,
        range: RangeHint::Signed,
    },
    FieldDesc {
        name: "obstacle",
        label: "Obstacle",
        unit: "",
        components: 1,
        range: RangeHint::Unit,
    },
    FieldDesc {
        name: "height",
        label: "Height",
        unit: "m",
        components: 1,
        range: RangeHint::Level,
    },
    FieldDesc {
        name: "normal",
        label: "Normal",
        unit: "",
        components: 3,
        range: RangeHint::Direction,
    },
];

/// A value for a field, frame, cell and component.
pub type Formula = fn(&str, u32, [u32; 2], u32) -> f32;

pub struct MadeUp {
    pub grid: Grid,
    pub frame: u32,
    pub formula: Formula,
    pub warm_up: u32,
}

impl FrameSource for MadeUp {
    fn fields(&self) -> &[FieldDesc] {
        FIELDS
    }
    fn device(&self) -> String {
        "made up".to_owned()
    }
    fn warm_up(&self) -> u32 {
        self.warm_up
    }
    fn advance(&mut self, cancelled: &dyn Fn() -> bool) -> Result<StepReport, Fault> {
        if cancelled() {
            return Err(Fault::Cancelled);
        }
        self.frame += 1;
        let after = 1.0 / self.frame as f32;
        Ok(StepReport {
            solves: vec![SolveReport {
                solver: "jacobi",
                system: "pressure",
                iterations: 20,
                l2_before: 2.0,
                l2: after,
                unit: "1/s",
                ..SolveReport::default()
            }],
            invariants: vec![Invariant {
                name: "cfl",
                label: "CFL",
                unit: "",
                value: f64::from(self.frame),
            }],
            ..StepReport::default()
        })
    }
    fn field(&mut self, name: &str) -> Result<FieldData, Fault> {
        let desc = *FIELDS
            .iter()
            .find(|f| f.name == name)
            .expect("a field that exists");
        let [nx, ny, _] = self.grid.cells;
        let mut data = Vec::new();
        for j in 0..ny {
            for i in 0..nx {
                for c in 0..desc.components {
                    data.push((self.formula)(name, self.frame - self.warm_up, [i, j], c));
                }
            }
        }
        Ok(FieldData {
            desc,
            grid: self.grid,
            data,
        })
    }
}

/// A document of so many cells with such outputs.
pub fn document(cells: [u32; 2], outputs: Vec<Output>) -> Document {
    let mut document = Document {
        name: "Test look".to_owned(),
        ..Document::default()
    };
    document.scene.domain.cells_x = cells[0];
    document.scene.domain.cells_y = cells[1];
    document.bake = BakeSettings {
        outputs,
        ..BakeSettings::default()
    };
    document
}

pub fn source(document: &Document, formula: Formula) -> MadeUp {
    MadeUp {
        grid: document.scene.domain.grid(),
        frame: 0,
        formula,
        warm_up: document.time.warm_up,
    }
}

pub fn options() -> BakeOptions {
    BakeOptions {
        look: None,
        memory_limit: 1 << 30,
        ..BakeOptions::default()
    }
}

pub fn bake(
    document: &Document,
    formula: Formula,
    out: &Path,
    frames: Range<u32>,
) -> Result<BakeReport, BakeError> {
    run_from(
        document,
        &mut source(document, formula),
        out,
        frames,
        &options(),
        &mut |_| true,
    )
}

/// Whole numbers and simple fractions, the same on every machine.
pub fn steps(name: &str, frame: u32, [i, j]: [u32; 2], c: u32) -> f32 {
    let n = (i * 7 + j * 5 + c * 3 + frame * 11) % 16;
    if name == "velocity" {
        n as f32 / 4.0 - 2.0
    } else {
        n as f32 / 16.0
    }
}

pub fn named(name: &str, encoding: Encoding) -> Output {
    Output {
        name: name.to_owned(),
        encoding,
        ..Output::default()
    }
}

pub fn everything() -> Document {
    let encodings = [
        ("png8", Encoding::Png8),
        ("png16", Encoding::Png16),
        ("half", Encoding::ExrHalf),
        ("float", Encoding::ExrFloat),
        ("raw", Encoding::Raw),
    ];
    let mut outputs: Vec<_> = encodings
        .map(|(name, encoding)| named(name, encoding))
        .to_vec();
    outputs.push(Output {
        layout: Layout::Flipbook,
        gutter: 2,
        ..named("sheet", Encoding::Png16)
    });
    outputs.push(Output {
        layout: Layout::Single,
        ..named("last", Encoding::Png8)
    });
    document([8, 6], outputs)
}

/// Names of the files in a folder with their bytes; hidden ones too.
pub fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| {
            (
                path.file_name()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned(),
                std::fs::read(path).expect("a file"),
            )
        })
        .collect()
}

pub fn sidecar(folder: &Path) -> Sidecar {
    let text = std::fs::read_to_string(folder.join("test_look.bake.ron")).expect("the sidecar");
    Sidecar::from_ron(&text).expect("a readable sidecar")
}

/// The codes of a PNG, read by zune-png: width, height, channels, codes.
pub fn read_png(bytes: &[u8]) -> (usize, usize, usize, Vec<u32>) {
    use zune_png::zune_core::{bytestream::ZCursor, result::DecodingResult};
    let mut decoder = zune_png::PngDecoder::new(ZCursor::new(bytes));
    let codes: Vec<u32> = match decoder.decode().expect("a PNG") {
        DecodingResult::U8(v) => v.into_iter().map(u32::from).collect(),
        DecodingResult::U16(v) => v.into_iter().map(u32::from).collect(),
        _ => panic!("neither 8 nor 16 bits"),
    };
    let (width, height) = decoder.dimensions().expect("dimensions");
    let channels = codes.len() / width / height;
    (width, height, channels, codes)
}

/// The channels of an OpenEXR file by name, read by the `exr` crate, and the numbers among its attributes.
pub fn read_exr(bytes: &[u8]) -> (BTreeMap<String, Vec<f32>>, BTreeMap<String, f64>) {
    use exr::prelude::*;
    let image = read()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .first_valid_layer()
        .all_attributes()
        .from_buffered(std::io::Cursor::new(bytes))
        .expect("an OpenEXR file");
    let layer = &image.layer_data;
    let channels = layer
        .channel_data
        .list
        .iter()
        .map(|c| (c.name.to_string(), c.sample_data.values_as_f32().collect()))
        .collect();
    let attributes = layer
        .attributes
        .other
        .iter()
        .chain(&image.attributes.other)
        .filter_map(|(name, value)| match value {
            AttributeValue::F32(v) => Some((name.to_string(), f64::from(*v))),
            AttributeValue::I32(v) => Some((name.to_string(), f64::from(*v))),
            _ => None,
        })
        .collect();
    (channels, attributes)
}
