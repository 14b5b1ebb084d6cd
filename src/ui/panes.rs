//! How the panels and their tabs look and behave.

use egui::{Color32, Stroke, Ui, Visuals, WidgetText};
use egui_tiles::{Behavior, Container, SimplificationOptions, TabState, Tile, TileId, UiResponse};

use super::dock::Tiles;
use super::editor::Editor;
use super::{panels, theme};

/// Frames within which a row of tabs goes to the one in front: its place is known from the second on.
const REVEALING: u8 = 4;
/// Width and height of a panel in which something is drawn.
const LEAST: [f32; 2] = [120.0, 48.0];
/// Room of an arrow at either end of a row of tabs.
const ARROW: f32 = 34.0;

/// The panels of an arrangement, as the library for tiles asks for them.
pub(super) struct Panes<'a> {
    editor: &'a mut Editor,
    /// Tiles that are seen.
    in_front: Vec<TileId>,
    /// The arrangement that they belong to.
    of: egui::Id,
}

impl<'a> Panes<'a> {
    /// Those of an arrangement.
    pub(super) fn of(tree: &Tiles, editor: &'a mut Editor) -> Self {
        Self {
            editor,
            in_front: tree.active_tiles(),
            of: tree.id(),
        }
    }
}

impl Behavior<String> for Panes<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, pane: &mut String) -> UiResponse {
        if let Some(panel) = panels::find(pane) {
            let room = ui.max_rect();
            ui.painter().rect_filled(room, 0.0, theme::panel());
            // In less nothing can be read, and widgets would be given less than no room.
            if room.width() >= LEAST[0] && room.height() >= LEAST[1] {
                (panel.ui)(self.editor, ui);
            }
        }
        UiResponse::None
    }
    fn tab_title_for_pane(&mut self, pane: &String) -> WidgetText {
        panels::find(pane).map_or(pane.as_str(), |p| p.title).into()
    }
    /// A group among tabs is called as what is in front in it.
    fn tab_title_for_tile(
        &mut self,
        tiles: &egui_tiles::Tiles<String>,
        tile: TileId,
    ) -> WidgetText {
        let mut at = tile;
        // As deep as groups can lie in each other.
        for _ in 0..tiles.len() {
            at = match tiles.get(at) {
                Some(Tile::Pane(pane)) => return self.tab_title_for_pane(pane),
                Some(Tile::Container(Container::Tabs(tabs))) => match tabs.active {
                    Some(active) => active,
                    None => break,
                },
                Some(Tile::Container(group)) => match group.children().next() {
                    Some(child) => *child,
                    None => break,
                },
                None => break,
            };
        }
        "Group".into()
    }
    /// All but the picture; a cross on every tab would be too much.
    fn is_tab_closable(&self, tiles: &egui_tiles::Tiles<String>, tile: TileId) -> bool {
        self.in_front.contains(&tile)
            && !matches!(tiles.get(tile), Some(Tile::Pane(id)) if id == "viewport")
    }
    fn on_tab_button(
        &mut self,
        _: &mut egui_tiles::Tiles<String>,
        tile: TileId,
        tab: egui::Response,
    ) -> egui::Response {
        if self.in_front.contains(&tile) {
            tab.ctx
                .data_mut(|d| d.insert_temp(self.of.with(("tab", tile)), tab.rect));
        }
        tab
    }
    /// A row with more tabs than room goes to the one that has come to the front, wherever that was asked for.
    fn top_bar_right_ui(
        &mut self,
        _: &egui_tiles::Tiles<String>,
        ui: &mut Ui,
        row: TileId,
        tabs: &egui_tiles::Tabs,
        offset: &mut f32,
    ) {
        let (Some(active), key) = (tabs.active, self.of.with(("row", row))) else {
            return;
        };
        let known = ui.data(|d| d.get_temp::<(TileId, u8)>(key));
        let left = match known {
            Some((of, left)) if of == active => left,
            _ => REVEALING,
        };
        ui.data_mut(|d| d.insert_temp(key, (active, left.saturating_sub(1))));
        let place = ui.data(|d| d.get_temp::<egui::Rect>(self.of.with(("tab", active))));
        if let (Some(tab), true) = (place, left > 0) {
            let bar = ui.max_rect().shrink2(egui::vec2(ARROW, 0.0));
            let past = tab.right() - bar.right();
            let before = bar.left() - tab.left();
            if past > 0.0 {
                *offset += past;
            } else if before > 0.0 {
                *offset -= before;
            }
            ui.ctx().request_repaint();
        }
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
    fn tab_bg_color(
        &self,
        _: &Visuals,
        _: &egui_tiles::Tiles<String>,
        _: TileId,
        state: &TabState,
    ) -> Color32 {
        if state.active {
            theme::panel()
        } else {
            theme::deep()
        }
    }
    fn tab_outline_stroke(
        &self,
        _: &Visuals,
        _: &egui_tiles::Tiles<String>,
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
        _: &egui_tiles::Tiles<String>,
        _: TileId,
        state: &TabState,
    ) -> Color32 {
        if state.active {
            theme::bright()
        } else {
            theme::tab()
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
