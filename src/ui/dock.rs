//! Where the panels are: tabs that can be dragged, split and put back.

use egui::{Color32, Context, Stroke, Ui, Visuals, WidgetText};
use egui_tiles::{
    Behavior, Container, Linear, LinearDir, SimplificationOptions, TabState, Tile, TileId, Tiles,
    Tree, UiResponse,
};

use super::editor::{Editor, Request};
use super::panels::{self, PANELS};
use super::theme;

/// The arrangement of the panels, by id.
pub type Layout = Tree<String>;

/// The arrangement that one starts with.
pub fn default_layout() -> Layout {
    let mut tiles = Tiles::default();
    let tabs = |tiles: &mut Tiles<String>, ids: &[&str]| {
        let panes = ids
            .iter()
            .map(|id| tiles.insert_pane((*id).to_owned()))
            .collect();
        tiles.insert_tab_tile(panes)
    };
    let left = tabs(&mut tiles, &["presets", "scene", "history"]);
    let viewport = tabs(&mut tiles, &["viewport"]);
    let below = tabs(&mut tiles, &["plots", "cost"]);
    let right = tabs(
        &mut tiles,
        &["parameters", "method", "view", "time", "bake"],
    );
    let mut middle = Linear::new(LinearDir::Vertical, vec![viewport, below]);
    middle.shares.set_share(viewport, 0.74);
    middle.shares.set_share(below, 0.26);
    let middle = tiles.insert_new(Tile::Container(Container::Linear(middle)));
    let mut all = Linear::new(LinearDir::Horizontal, vec![left, middle, right]);
    all.shares.set_share(left, 0.19);
    all.shares.set_share(middle, 0.55);
    all.shares.set_share(right, 0.26);
    let root = tiles.insert_new(Tile::Container(Container::Linear(all)));
    let mut tree = Tree::new(egui::Id::unique("eddy layout"), root, tiles);
    for id in ["presets", "viewport", "plots", "parameters"] {
        show(&mut tree, id);
    }
    tree
}

/// Whether every panel stands in the layout once. One that an older Eddy remembered may lack some.
pub fn is_complete(layout: &Layout) -> bool {
    let panes: Vec<&String> = layout
        .tiles
        .tiles()
        .filter_map(|t| match t {
            Tile::Pane(id) => Some(id),
            Tile::Container(_) => None,
        })
        .collect();
    panes.len() == PANELS.len() && PANELS.iter().all(|p| panes.iter().any(|id| *id == p.id))
}

/// Brings a panel to the front of its tabs.
pub fn show(layout: &mut Layout, panel: &str) {
    layout.make_active(|_, tile| matches!(tile, Tile::Pane(id) if id == panel));
}

/// Draws all panels and does what the editor asked of the layout.
pub fn ui(layout: &mut Layout, editor: &mut Editor, ui: &mut Ui) {
    match editor.layout_request.take() {
        Some(Request::Show(panel)) => show(layout, panel),
        Some(Request::ResetLayout) => *layout = default_layout(),
        _ => {}
    }
    layout.ui(&mut Panes { editor }, ui);
}

/// Ids of the panels that are seen at present.
pub fn visible(layout: &Layout) -> Vec<String> {
    layout
        .active_tiles()
        .into_iter()
        .filter_map(|id| layout.tiles.get_pane(&id).cloned())
        .collect()
}

struct Panes<'a> {
    editor: &'a mut Editor,
}

impl Behavior<String> for Panes<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, pane: &mut String) -> UiResponse {
        if let Some(panel) = panels::find(pane) {
            ui.painter().rect_filled(ui.max_rect(), 0.0, theme::panel());
            (panel.ui)(self.editor, ui);
        }
        UiResponse::None
    }
    fn tab_title_for_pane(&mut self, pane: &String) -> WidgetText {
        panels::find(pane).map_or(pane.as_str(), |p| p.title).into()
    }
    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        28.0
    }
    /// All tabs of a side are in sight in a window of a thousand pixels.
    fn tab_title_spacing(&self, _: &Visuals) -> f32 {
        5.0
    }
    fn gap_width(&self, _: &egui::Style) -> f32 {
        3.0
    }
    fn min_size(&self) -> f32 {
        120.0
    }
    fn tab_bar_color(&self, _: &Visuals) -> Color32 {
        theme::deep()
    }
    fn tab_bg_color(&self, _: &Visuals, _: &Tiles<String>, _: TileId, state: &TabState) -> Color32 {
        if state.active {
            theme::panel()
        } else {
            theme::deep()
        }
    }
    fn tab_outline_stroke(
        &self,
        _: &Visuals,
        _: &Tiles<String>,
        _: TileId,
        _: &TabState,
    ) -> Stroke {
        Stroke::NONE
    }
    fn tab_bar_hline_stroke(&self, _: &Visuals) -> Stroke {
        Stroke::NONE
    }
    fn tab_text_color(
        &self,
        _: &Visuals,
        _: &Tiles<String>,
        _: TileId,
        state: &TabState,
    ) -> Color32 {
        if state.active {
            theme::bright()
        } else {
            theme::weak()
        }
    }
    fn tab_hover_cursor_icon(&self) -> egui::CursorIcon {
        egui::CursorIcon::PointingHand
    }
    fn resize_stroke(&self, _: &egui::Style, state: egui_tiles::ResizeState) -> Stroke {
        match state {
            egui_tiles::ResizeState::Idle => Stroke::new(3.0, theme::deep()),
            _ => Stroke::new(3.0, theme::accent()),
        }
    }
    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions {
            all_panes_must_have_tabs: true,
            ..SimplificationOptions::default()
        }
    }
}

/// The key under which a layout is remembered: another Eddy may have other panels.
pub fn storage_key() -> String {
    format!("layout {}", env!("CARGO_PKG_VERSION"))
}

/// Forgets which groups are open and where panels were scrolled.
pub fn forget(ctx: &Context) {
    ctx.memory_mut(|m| m.data = Default::default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_panel_has_a_place_and_the_layout_survives_a_round_trip() {
        let layout = default_layout();
        assert!(is_complete(&layout));
        let text = ron::to_string(&layout).expect("a layout can be written");
        let back: Layout = ron::from_str(&text).expect("and read");
        assert!(is_complete(&back));
        assert!(visible(&back).contains(&"viewport".to_owned()));
    }
}
