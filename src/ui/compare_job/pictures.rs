//! Makes the pictures of a comparison.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use egui::ColorImage;

use super::{CompareEvent, Results, Shown};
use crate::compare::{self, Kept};
use crate::document::{ColorMap, ViewSettings};
use crate::sim::{Fault, Simulation, panic_text};
use crate::ui::editor::Editor;
use crate::ui::files::Event;
use crate::view::{self, Gallery, Picture};

/// Longer edge of a picture, pixels, and most cells along the longer edge of a field that is not kept whole.
const LONG_EDGE: u32 = 512;
/// What the fields of all pictures may take together, bytes, before they are kept in part.
const KEPT: u64 = 256 << 20;

/// Two pictures of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Which comparison.
    pub number: u64,
    /// After so many frames.
    pub frames: u32,
    /// Which two, by position; the reference is the last.
    pub two: [usize; 2],
}

/// What differs between two pictures of a comparison.
pub struct Difference {
    /// Of what.
    pub of: Pair,
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

/// What each simulation looks like; the first one sets the range of the colours for all. A way of some `pictures` that are
/// kept together.
pub fn shown(
    gallery: &mut Gallery,
    simulation: &mut Simulation,
    pictures: usize,
) -> Result<Option<Shown>, Fault> {
    let fields = simulation.fields();
    let has = |name: &str| fields.iter().any(|f| f.name == name);
    let name = gallery.settings.field.clone();
    if !has(&name) {
        return Ok(None);
    }
    let field = simulation.field(&name)?;
    let solid = match has("obstacle") {
        true => Some(simulation.field("obstacle")?),
        false => None,
    };
    let threads = simulation.device().threads();
    let picture = threads.run(|| gallery.picture(&field, solid.as_ref(), LONG_EDGE));
    Ok(Some(Shown {
        image: Arc::new(image(&picture)),
        kept: Kept::new(field, KEPT / pictures.max(1) as u64, LONG_EDGE),
    }))
}

fn image(picture: &Picture) -> ColorImage {
    let size = [picture.width as usize, picture.height as usize];
    ColorImage::from_rgba_unmultiplied(size, &picture.rgba)
}

/// Has the difference between two pictures worked out, the reference being the last.
pub fn differ(editor: &mut Editor, results: &Arc<Results>, of: Pair) {
    let results = Arc::clone(results);
    editor.jobs.spawn(move |report| {
        let outcome = catch_unwind(AssertUnwindSafe(|| differing(&results, of.two)))
            .unwrap_or_else(|panic| Err(format!("Internal error: {}", panic_text(&*panic))));
        // Whoever hears of it may count on nothing being held any more.
        drop(results);
        let difference = Box::new(Difference { of, outcome });
        report(Event::Compare(CompareEvent::Difference(difference)));
    });
}

fn differing(results: &Results, [a, b]: [usize; 2]) -> Result<Differing, String> {
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
    let size = view::fitting_size(&field.grid, LONG_EDGE);
    Ok(Differing {
        image: image(&view::picture(&field, None, &settings, size)),
        range: view::range(&field, &settings),
        most: field.stats().max,
        unit: field.desc.unit,
        cells: a.of.clone(),
    })
}
