//! What the window is arranged for, and which panels are where at first.

use egui_tiles::{Container, Linear, LinearDir, Tile, Tree};

use super::dock::Tiles;

/// What one is about, with panels that help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Workspace {
    /// Tuning.
    Look,
    /// Finding out what choices cost and change.
    Compare,
    /// Exporting.
    Bake,
}

impl Workspace {
    /// Every one, in order.
    pub const ALL: [Self; 3] = [Self::Look, Self::Compare, Self::Bake];

    /// As shown.
    pub fn label(self) -> &'static str {
        match self {
            Self::Look => "Look",
            Self::Compare => "Compare",
            Self::Bake => "Bake",
        }
    }

    /// What it is for.
    pub fn doc(self) -> &'static str {
        match self {
            Self::Look => "Presets, parameters and plots around the picture",
            Self::Compare => "What methods, solvers and values cost and change",
            Self::Bake => "The settings of textures beside the picture",
        }
    }

    /// The panels of each group of tabs: left, below, right. The first one of a group is in front.
    pub(super) fn groups(self) -> [&'static [&'static str]; 3] {
        match self {
            Self::Look => [
                &["presets", "scene", "history", "changes"],
                &["plots", "timeline", "cost", "log", "texture", "compare"],
                &["parameters", "method", "view", "time", "bake"],
            ],
            Self::Compare => [
                &[],
                &["parameters", "method", "view", "time", "scene", "presets"],
                &[
                    "compare", "plots", "cost", "timeline", "log", "texture", "bake", "history",
                    "changes",
                ],
            ],
            Self::Bake => [
                &["presets", "scene", "history", "changes"],
                &["texture", "compare"],
                &["bake", "time", "view", "parameters", "method"],
            ],
        }
    }

    /// The same for a window too narrow for three columns: everything to set on one side, everything to look at on the other.
    /// The panel in front on the side comes first.
    fn narrow_groups(self) -> [&'static [&'static str]; 2] {
        let side: &[&str] = match self {
            Self::Look => &[
                "parameters",
                "presets",
                "scene",
                "view",
                "bake",
                "time",
                "method",
                "history",
                "changes",
            ],
            Self::Compare => &[
                "compare",
                "parameters",
                "method",
                "view",
                "time",
                "scene",
                "history",
                "changes",
                "bake",
                "presets",
            ],
            Self::Bake => &[
                "bake",
                "time",
                "view",
                "parameters",
                "presets",
                "scene",
                "method",
                "history",
                "changes",
            ],
        };
        match self {
            Self::Look => [
                &[
                    "viewport", "plots", "timeline", "cost", "log", "texture", "compare",
                ],
                side,
            ],
            Self::Compare => [
                &["viewport", "plots", "timeline", "cost", "log", "texture"],
                side,
            ],
            Self::Bake => [&["viewport", "texture", "compare"], side],
        }
    }

    /// The arrangement for a narrow window.
    fn narrow_tiles(self) -> Tiles {
        let mut tiles = egui_tiles::Tiles::default();
        let groups = self.narrow_groups();
        let [looked, side] = groups.map(|ids| {
            let panes = ids.iter().map(|id| tiles.insert_pane((*id).to_owned()));
            let panes = panes.collect();
            tiles.insert_tab_tile(panes)
        });
        let mut row = Linear::new(LinearDir::Horizontal, vec![looked, side]);
        row.shares.set_share(looked, 0.5);
        row.shares.set_share(side, 0.5);
        let root = tiles.insert_new(Tile::Container(Container::Linear(row)));
        let id = egui::Id::unique(("eddy narrow layout", self.label()));
        let mut tree = Tree::new(id, root, tiles);
        for id in groups.iter().filter_map(|ids| ids.first()) {
            front(&mut tree, id);
        }
        tree
    }

    /// Shares of the width: left, middle, right.
    fn shares(self) -> [f32; 3] {
        match self {
            Self::Look => [0.19, 0.55, 0.26],
            Self::Compare => [0.0, 0.36, 0.64],
            Self::Bake => [0.17, 0.47, 0.36],
        }
    }

    /// The picture's share of the height.
    fn height(self) -> f32 {
        match self {
            Self::Compare => 0.5,
            Self::Look | Self::Bake => 0.74,
        }
    }

    /// The arrangement that one starts with.
    fn tiles(self) -> Tiles {
        let mut tiles = egui_tiles::Tiles::default();
        let groups = self.groups();
        let [left, below, right] = groups.map(|ids| {
            let panes: Vec<_> = ids
                .iter()
                .map(|id| tiles.insert_pane((*id).to_owned()))
                .collect();
            (!panes.is_empty()).then(|| tiles.insert_tab_tile(panes))
        });
        let viewport = tiles.insert_pane("viewport".to_owned());
        let viewport = tiles.insert_tab_tile(vec![viewport]);
        let mut middle = Linear::new(LinearDir::Vertical, vec![viewport]);
        middle.shares.set_share(viewport, self.height());
        if let Some(below) = below {
            middle.children.push(below);
            middle.shares.set_share(below, 1.0 - self.height());
        }
        let middle = tiles.insert_new(Tile::Container(Container::Linear(middle)));
        let mut all = Linear::new(LinearDir::Horizontal, Vec::new());
        for (tile, share) in [left, Some(middle), right].into_iter().zip(self.shares()) {
            if let Some(tile) = tile {
                all.children.push(tile);
                all.shares.set_share(tile, share);
            }
        }
        let root = tiles.insert_new(Tile::Container(Container::Linear(all)));
        let mut tree = Tree::new(egui::Id::unique(("eddy layout", self.label())), root, tiles);
        for id in groups
            .iter()
            .filter_map(|ids| ids.first())
            .chain(&["viewport"])
        {
            front(&mut tree, id);
        }
        tree
    }
}

/// The arrangement that one starts with.
pub(super) fn original(workspace: Workspace, narrow: bool) -> Tiles {
    match narrow {
        true => workspace.narrow_tiles(),
        false => workspace.tiles(),
    }
}

/// Brings a panel to the front of its tabs.
pub(super) fn front(tree: &mut Tiles, panel: &str) {
    tree.make_active(|_, tile| matches!(tile, Tile::Pane(id) if id == panel));
}
