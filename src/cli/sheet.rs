//! The pictures of all ways of a comparison on one sheet.

use std::path::Path;

use super::picture::{can_be_written, write_picture};
use super::scene::PresetArgs;
use super::{Error, Result};
use crate::compare::{Measure, Reference, Row};
use crate::document::{Document, ViewSettings};
use crate::sim::Simulation;
use crate::ui::format;
use crate::ui::lettering::Pen;
use crate::view::{Gallery, Picture};

/// Pixels along the longer edge of a picture.
const EDGE: u32 = 384;
/// Pixels between pictures.
const GAP: u32 = 12;
/// Pixels of a letter.
const LETTER: f32 = 15.0;
const BACKGROUND: [u8; 4] = [16, 18, 22, 255];
const BRIGHT: [u8; 3] = [235, 238, 242];
const WEAK: [u8; 3] = [160, 168, 178];

/// Refuses a place where no picture can be put, before anything is simulated for it.
pub fn check(out: &Path, document: &Document, preset: &PresetArgs) -> Result {
    can_be_written(out, document, preset)
}

/// Pictures as they come in.
pub struct Sheet {
    gallery: Gallery,
    pictures: Vec<Option<Picture>>,
    of_reference: Option<Picture>,
}

impl Sheet {
    /// For so many ways.
    pub fn new(settings: &ViewSettings, ways: usize) -> Self {
        Self {
            gallery: Gallery::new(settings.clone()),
            pictures: vec![None; ways],
            of_reference: None,
        }
    }

    /// Takes the picture of a way, or of the reference.
    pub fn take(&mut self, way: Option<usize>, simulation: &mut Simulation) -> Result {
        let name = self.gallery.settings.field.clone();
        let fields = simulation.fields();
        let has = |name: &str| fields.iter().any(|f| f.name == name);
        if !has(&name) {
            return Ok(());
        }
        let field = simulation.field(&name)?;
        let obstacle = match has("obstacle") {
            true => Some(simulation.field("obstacle")?),
            false => None,
        };
        let picture = self.gallery.picture(&field, obstacle.as_ref(), EDGE);
        match way {
            Some(i) => self.pictures[i] = Some(picture),
            None => self.of_reference = Some(picture),
        }
        Ok(())
    }

    /// Puts all on one picture, with what each costs and leaves, and writes that.
    pub fn write(self, out: &Path, rows: &[Row], reference: &Reference) -> Result {
        let ways = rows.iter().zip(&self.pictures);
        let mut all: Vec<(String, String, Option<&Picture>)> = ways
            .map(|(row, picture)| (row.label.clone(), below(row, reference), picture.as_ref()))
            .collect();
        let costs = below(&reference.row, reference);
        all.push(("Reference".to_owned(), costs, self.of_reference.as_ref()));
        let sheet = together(&all).ok_or_else(|| {
            let field = &self.gallery.settings.field;
            Error::Failed(format!(
                "no way has the field \"{field}\", so there is no picture to write"
            ))
        })?;
        write_picture(out, &sheet)
    }
}

/// What a way costs, and what it leaves.
fn below(row: &Row, reference: &Reference) -> String {
    if let Some(error) = &row.error {
        return error.clone();
    }
    let ms = format::number(row.get("ms_per_frame").unwrap_or(0.0));
    let left = Measure::Pressure.share(row, reference);
    match left {
        Some(share) => format!(
            "{ms} ms, {} % of the pressure error left",
            format::number(share * 100.0)
        ),
        None => format!("{ms} ms"),
    }
}

/// As many columns as make it about as wide as high. None where there is no picture.
fn together(all: &[(String, String, Option<&Picture>)]) -> Option<Picture> {
    let sizes = all
        .iter()
        .filter_map(|(_, _, p)| p.map(|p| [p.width, p.height]));
    let [width, height] = sizes.reduce(|a, b| [a[0].max(b[0]), a[1].max(b[1])])?;
    let mut pen = Pen::new(LETTER);
    let [across, down] = [width.max(EDGE / 2) + GAP, height + 2 * pen.line() + GAP];
    let n = all.len() as u32;
    let columns = (1..=n)
        .min_by_key(|c| (c * across).abs_diff(n.div_ceil(*c) * down))
        .unwrap_or(1);
    let (width, height) = (columns * across + GAP, n.div_ceil(columns) * down + GAP);
    let mut sheet = Picture {
        width,
        height,
        rgba: BACKGROUND.repeat((width * height) as usize),
    };
    for (i, (title, costs, picture)) in (0..).zip(all) {
        let at = [GAP + i % columns * across, GAP + i / columns * down];
        let top = down - GAP - 2 * pen.line();
        if let Some(picture) = picture {
            put(&mut sheet, picture, at);
        }
        let line = [at[0], at[1] + top + 4];
        pen.write(&mut sheet, line, across - GAP, title, BRIGHT);
        pen.write(
            &mut sheet,
            [line[0], line[1] + pen.line()],
            across - GAP,
            costs,
            WEAK,
        );
    }
    Some(sheet)
}

fn put(sheet: &mut Picture, picture: &Picture, [left, top]: [u32; 2]) {
    let rows = picture.rgba.chunks_exact(picture.width as usize * 4);
    for (y, row) in (top..).zip(rows) {
        let at = ((y * sheet.width + left) * 4) as usize;
        sheet.rgba[at..at + row.len()].copy_from_slice(row);
    }
}
