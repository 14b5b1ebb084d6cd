//! Pictures whose colours mean the same.

use super::{Picture, fitting_size, picture, range};
use crate::document::ViewSettings;
use crate::field::FieldData;

/// Makes pictures of one field of several simulations; the first one sets the range of the colours for all.
pub struct Gallery {
    /// How they are made. The range holds once there is a picture.
    pub settings: ViewSettings,
    ranged: bool,
}

impl Gallery {
    /// Of nothing yet.
    pub fn new(settings: ViewSettings) -> Self {
        Self {
            settings,
            ranged: false,
        }
    }

    /// A picture whose longer edge has so many pixels.
    pub fn picture(
        &mut self,
        field: &FieldData,
        obstacle: Option<&FieldData>,
        long_edge: u32,
    ) -> Picture {
        if !std::mem::replace(&mut self.ranged, true) {
            let [low, high] = range(field, &self.settings);
            let settings = &mut self.settings;
            (settings.range_low, settings.range_high) = (low, high);
            settings.auto_range = false;
        }
        let size = fitting_size(&field.grid, long_edge);
        picture(field, obstacle, &self.settings, size)
    }
}
