//! Makes the pictures of a comparison.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use egui::ColorImage;

use super::{CompareEvent, Results, Shown};
use crate::compare::{self, Kept};
use crate::document::{ColorMap, ViewSettings};
use crate::field::FieldData;
use crate::sim::{Fault, Simulation, panic_text};
use crate::ui::editor::Editor;
use crate::ui::files::Event;
use crate::view;

/// Longer edge of a picture, pixels, and most cells along the longer edge of a field that is not kept whole.
const LONG_EDGE: u32 = 512;
/// What the fields of all pictures may take together, bytes, before they are kept in part.
const KEPT: u64 = 256 << 20;

/// What differs between two pictures of a comparison.
pub struct Difference {
    /// Of which comparison, and between which two.
    pub of: (u64, usize, usize),
    /// What came of it, or why nothing did.
    pub outcome: Result<Differing, String>,
}

/// A picture of a difference.
pub struct Differing {
    /// The picture.
    pub image: ColorImage,
    /// The numbers at the two ends of its colours.
    pub range: [f32; 2],
    /// The largest difference.
    pub most: f32,
    /// Unit of the numbers.
    pub unit: &'static str,
    /// What was compared where that was not every cell; else empty.
    pub cells: String,
}

/// Makes pictures whose colours mean the same.
pub struct Gallery {
    pub settings: ViewSettings,
    /// Whether the range of colours stands.
    ranged: bool,
    /// What the field of one picture may take, bytes.
    room: u64,
}

impl Gallery {
    /// For so many pictures.
    pub fn new(settings: ViewSettings, pictures: usize) -> Self {
        Self {
            settings,
            ranged: false,
            room: KEPT / pictures.max(1) as u64,
        }
    }

    /// What the simulation looks like; the first one sets the range of the colours for all.
    pub fn picture(&mut self, simulation: &mut Simulation) -> Result<Option<Shown>, Fault> {
        let fields = simulation.fields();
        let has = |name: &str| fields.iter().any(|f| f.name == name);
        if !has(&self.settings.field) {
            return Ok(None);
        }
        let field = simulation.field(&self.settings.field)?;
        let solid = match has("obstacle") {
            true => Some(simulation.field("obstacle")?),
            false => None,
        };
        if !self.ranged {
            let [low, high] = view::range(&field, &self.settings);
            let settings = &mut self.settings;
            (settings.range_low, settings.range_high) = (low, high);
            (settings.auto_range, self.ranged) = (false, true);
        }
        let threads = simulation.device().threads();
        let image = threads.run(|| image(&field, solid.as_ref(), &self.settings));
        Ok(Some(Shown {
            image,
            kept: Kept::new(field, self.room, LONG_EDGE),
        }))
    }
}

fn image(field: &FieldData, solid: Option<&FieldData>, settings: &ViewSettings) -> ColorImage {
    let size = view::fitting_size(&field.grid, LONG_EDGE);
    let picture = view::picture(field, solid, settings, size);
    let size = [picture.width as usize, picture.height as usize];
    ColorImage::from_rgba_unmultiplied(size, &picture.rgba)
}

/// Has the difference between two pictures worked out, the reference being the last.
pub fn differ(editor: &mut Editor, results: &Arc<Results>, a: usize, b: usize) {
    let results = Arc::clone(results);
    editor.jobs.spawn(move |report| {
        let outcome = catch_unwind(AssertUnwindSafe(|| differing(&results, a, b)))
            .unwrap_or_else(|panic| Err(format!("Internal error: {}", panic_text(&*panic))));
        let of = (results.number, a, b);
        let difference = Box::new(Difference { of, outcome });
        report(Event::Compare(CompareEvent::Difference(difference)));
    });
}

fn differing(results: &Results, a: usize, b: usize) -> Result<Differing, String> {
    let kept = |i: usize| Some(&results.shown.get(i)?.as_ref()?.kept);
    let (Some(a), Some(b)) = (kept(a), kept(b)) else {
        return Err(
            "One of the two has no such field, so there is nothing to subtract.".to_owned(),
        );
    };
    let field = compare::difference(&a.field, &b.field)
        .ok_or("These two have no cells in common, so there is nothing to subtract.")?;
    let settings = ViewSettings {
        color_map: ColorMap::Inferno,
        auto_range: true,
        ..results.settings.clone()
    };
    Ok(Differing {
        image: image(&field, None, &settings),
        range: view::range(&field, &settings),
        most: field.stats().max,
        unit: field.desc.unit,
        cells: a.of.clone(),
    })
}
