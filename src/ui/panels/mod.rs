//! The panels: one file each, and the registry that the layout iterates.

pub mod bake;
pub mod changes;
pub mod compare;
pub mod cost;
mod history;
pub mod lists;
mod log;
mod method;
pub mod parameters;
pub mod plots;
pub mod presets;
pub mod scene;
pub mod texture;
mod time;
pub mod timeline;
mod view;
pub mod viewport;

use egui::Ui;

use super::editor::Editor;

/// A panel.
pub struct Panel {
    /// As remembered in layouts.
    pub id: &'static str,
    /// On its tab.
    pub title: &'static str,
    /// Draws it.
    pub ui: fn(&mut Editor, &mut Ui),
}

const fn panel(id: &'static str, title: &'static str, ui: fn(&mut Editor, &mut Ui)) -> Panel {
    Panel { id, title, ui }
}

/// Every panel, in the order of the menu.
pub const PANELS: &[Panel] = &[
    panel("viewport", "Viewport", viewport::ui),
    panel("presets", "Presets", presets::ui),
    panel("scene", "Scene", scene::ui),
    panel("parameters", "Parameters", parameters::ui),
    panel("method", "Method", method::ui),
    panel("view", "Display", view::ui),
    panel("time", "Time", time::ui),
    panel("timeline", "Timeline", timeline::ui),
    panel("plots", "Plots", plots::ui),
    panel("cost", "Cost", cost::ui),
    panel("compare", "Compare", compare::ui),
    panel("bake", "Bake", bake::ui),
    panel("texture", "Texture", texture::ui),
    panel("history", "History", history::ui),
    panel("changes", "Changes", changes::ui),
    panel("log", "Log", log::ui),
];

/// The panel with that id.
pub fn find(id: &str) -> Option<&'static Panel> {
    PANELS.iter().find(|p| p.id == id)
}

/// What the panels remember from frame to frame.
#[derive(Default)]
pub struct States {
    /// The picture.
    pub viewport: viewport::ViewportState,
    /// The brush.
    pub brush: viewport::Brush,
    /// The gallery.
    pub presets: presets::Gallery,
    /// The parameters that are searched for.
    pub parameters: parameters::Search,
    /// What is chosen in the scene.
    pub scene: scene::Outliner,
    /// What is chosen in the time line.
    pub timeline: timeline::Timeline,
    /// The search over actions.
    pub palette: super::palette::Palette,
    /// Whether the sheet of keys is open.
    pub keys_sheet: bool,
    /// What is estimated about a bake.
    pub bake: bake::Sizes,
    /// What is compared, and how it is looked at.
    pub compare: compare::CompareView,
    /// What is pinned in the plots.
    pub plots: plots::Plots,
    /// The frame that is pointed at in any plot.
    pub cursor: plots::Cursor,
    /// The budget and the order of the kernels.
    pub cost: cost::Costs,
    /// What differs from what was saved.
    pub changes: changes::Known,
    /// What the steps of the history did.
    pub history: history::Told,
    /// The texture that is looked at.
    pub texture: texture::TextureView,
}

impl States {
    /// Another document: what is chosen in the old one is not there any more.
    pub fn forget(&mut self) {
        self.scene.clear();
        self.brush.forget();
        self.viewport.handles.forget();
        self.timeline.forget();
        self.plots.forget();
        self.compare.forget();
        self.texture.forget();
        self.viewport.go_to(None);
        self.viewport.fit();
    }
}
