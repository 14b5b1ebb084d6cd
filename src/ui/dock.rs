//! Where the panels are: tabs that can be dragged, split and put back.

use egui::{Context, Ui};
use egui_tiles::{Container, Tile, TileId, Tree};

use super::editor::{Editor, Request};
use super::panels;
use super::panes::Panes;
use super::workspace::{front, original};

pub use super::workspace::Workspace;

/// One arrangement of panels, by id.
pub(super) type Tiles = Tree<String>;

/// The arrangements of all workspaces, and which of them is seen.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub struct Layout {
    workspace: Workspace,
    all: Vec<(Workspace, Tiles)>,
    /// For a window too narrow for three columns.
    #[serde(default = "narrow_ones")]
    narrow: Vec<(Workspace, Tiles)>,
    /// Whether the window is that narrow.
    #[serde(skip)]
    is_narrow: bool,
}

/// Below this width, in points, three columns would cut what stands in them.
const NARROW: f32 = 900.0;

fn narrow_ones() -> Vec<(Workspace, Tiles)> {
    Workspace::ALL.map(|w| (w, original(w, true))).to_vec()
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            workspace: Workspace::Look,
            all: Workspace::ALL.map(|w| (w, original(w, false))).to_vec(),
            narrow: narrow_ones(),
            is_narrow: false,
        }
    }
}

impl Layout {
    /// Whether everything that is remembered can be shown. An older Eddy had other panels.
    pub fn is_sound(&self) -> bool {
        let known = |id: &String| panels::find(id).is_some();
        // One that an older Eddy did not have is made where it is wanted.
        let one_each = |all: &[(Workspace, Tiles)]| {
            Workspace::ALL
                .iter()
                .all(|w| all.iter().filter(|(of, _)| of == w).count() <= 1)
        };
        one_each(&self.all)
            && one_each(&self.narrow)
            && self.all.iter().chain(&self.narrow).all(|(_, tree)| {
                let ids = panes(tree);
                let once = |id: &String| ids.iter().filter(|other| **other == id).count() == 1;
                let picture = ids.iter().any(|id| *id == "viewport");
                picture && ids.iter().all(|id| known(id) && once(id)) && can_be_seen(tree)
            })
    }

    /// The one that is seen.
    pub fn workspace(&self) -> Workspace {
        self.workspace
    }

    fn tree(&mut self) -> &mut Tiles {
        let (workspace, all) = match self.is_narrow {
            true => (self.workspace, &mut self.narrow),
            false => (self.workspace, &mut self.all),
        };
        let at = all.iter().position(|(w, _)| *w == workspace);
        let at = at.unwrap_or_else(|| {
            all.push((workspace, original(workspace, self.is_narrow)));
            all.len() - 1
        });
        &mut all[at].1
    }

    /// Takes a panel out; it can be shown again. The picture stays.
    pub fn hide(&mut self, panel: &str) {
        let tree = self.tree();
        if panel != "viewport"
            && let Some(tile) = tree.tiles.find_pane(&panel.to_owned())
        {
            tree.remove_recursively(tile);
        }
    }

    /// Brings a panel to the front of its tabs; one that was closed comes back beside those it was with at first.
    pub fn show(&mut self, panel: &str) {
        let workspace = self.workspace;
        let tree = self.tree();
        if !panes(tree).iter().any(|id| *id == panel) {
            open(tree, workspace, panel);
        }
        front(tree, panel);
    }

    /// Where a panel was drawn last, without its tab.
    pub fn place(&mut self, panel: &str) -> Option<egui::Rect> {
        let tree = self.tree();
        let tile = tree.tiles.find_pane(&panel.to_owned())?;
        tree.tiles.rect(tile)
    }

    /// Ids of the panels that are seen at present.
    pub fn visible(&mut self) -> Vec<String> {
        let tree = self.tree();
        tree.active_tiles()
            .into_iter()
            .filter_map(|id| tree.tiles.get_pane(&id).cloned())
            .collect()
    }
}

fn panes(tree: &Tiles) -> Vec<&String> {
    let tiles = tree.tiles.tiles();
    tiles
        .filter_map(|tile| match tile {
            Tile::Pane(id) => Some(id),
            Tile::Container(_) => None,
        })
        .collect()
}

/// Whether every tile hangs on the root, none is hidden, and those beside each other have a share of the room.
fn can_be_seen(tree: &Tiles) -> bool {
    let mut left: Vec<TileId> = tree.root.into_iter().collect();
    let mut seen = 0;
    while let Some(id) = left.pop() {
        let Some(tile) = tree.tiles.get(id).filter(|_| tree.tiles.is_visible(id)) else {
            return false;
        };
        seen += 1;
        if seen > tree.tiles.len() {
            // A circle.
            return false;
        }
        let Tile::Container(container) = tile else {
            continue;
        };
        if let Container::Linear(row) = container {
            let fair = |child: &TileId| (1e-3..1e3).contains(&row.shares[*child]);
            if !row.children.iter().all(fair) {
                return false;
            }
        }
        left.extend(container.children());
    }
    seen == tree.tiles.len()
}

/// Puts a panel in that is not there.
fn open(tree: &mut Tiles, workspace: Workspace, panel: &str) {
    let tile = tree.tiles.insert_pane(panel.to_owned());
    let groups = [workspace, Workspace::Look].map(Workspace::groups);
    let with = groups.iter().flatten().find(|group| group.contains(&panel));
    let home = with.and_then(|group| {
        let sibling = |id: &&str| tree.tiles.find_pane(&(*id).to_owned());
        let tile = group.iter().filter(|id| **id != panel).find_map(sibling)?;
        tree.tiles.parent_of(tile)
    });
    if let Some(Tile::Container(home)) = home.and_then(|home| tree.tiles.get_mut(home)) {
        home.add_child(tile);
        return;
    }
    // None of them is there: a column of its own.
    let tabs = tree.tiles.insert_tab_tile(vec![tile]);
    let root = match tree.root {
        Some(root) => tree.tiles.insert_horizontal_tile(vec![root, tabs]),
        None => tabs,
    };
    tree.root = Some(root);
}

/// Draws all panels and does what the editor asked of the layout.
pub fn ui(layout: &mut Layout, editor: &mut Editor, ui: &mut Ui) {
    layout.is_narrow = ui.available_width() < NARROW;
    for request in std::mem::take(&mut editor.layout_requests) {
        match request {
            Request::Show(panel) => layout.show(panel),
            Request::Hide(panel) => layout.hide(panel),
            Request::Workspace(workspace) => layout.workspace = workspace,
            Request::ResetLayout => {
                *layout.tree() = original(layout.workspace, layout.is_narrow);
            }
            _ => {}
        }
    }
    let tree = layout.tree();
    let mut panes = Panes::of(tree, editor);
    tree.ui(&mut panes, ui);
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
    use crate::ui::panels::PANELS;

    #[test]
    fn every_panel_has_a_place_and_layouts_survive_a_round_trip() {
        let layout = Layout::default();
        assert!(layout.is_sound());
        let text = ron::to_string(&layout).expect("a layout can be written");
        let mut back: Layout = ron::from_str(&text).expect("and read");
        assert!(back.is_sound());
        for workspace in Workspace::ALL {
            back.workspace = workspace;
            for panel in PANELS {
                back.show(panel.id);
                assert!(
                    back.visible().contains(&panel.id.to_owned()),
                    "{}",
                    panel.id
                );
            }
            assert!(back.is_sound());
        }
    }

    #[test]
    fn what_was_closed_comes_back_even_into_an_empty_window() {
        let mut layout = Layout::default();
        for panel in PANELS.iter().filter(|p| p.id != "viewport") {
            let tree = layout.tree();
            let tile = tree.tiles.find_pane(&panel.id.to_owned()).expect("a tile");
            tree.remove_recursively(tile);
        }
        assert_eq!(panes(layout.tree()), ["viewport"]);
        for panel in PANELS {
            layout.show(panel.id);
        }
        assert!(layout.is_sound());
        assert_eq!(panes(layout.tree()).len(), PANELS.len());
    }

    #[test]
    fn rooms_without_a_share_or_a_root_are_not_taken_over() {
        let spoilt = |spoil: fn(&mut Tiles)| {
            let mut layout = Layout::default();
            spoil(layout.tree());
            layout.is_sound()
        };
        assert!(spoilt(|_| {}));
        assert!(!spoilt(|tree| tree.root = None));
        assert!(!spoilt(|tree| {
            let tile = tree.tiles.find_pane(&"plots".to_owned()).expect("a tile");
            tree.tiles.set_visible(tile, false);
        }));
        for share in [f32::NAN, 0.0, f32::INFINITY] {
            let mut layout = Layout::default();
            let tree = layout.tree();
            let root = tree.root.expect("a root");
            if let Some(Tile::Container(Container::Linear(row))) = tree.tiles.get_mut(root) {
                let child = row.children[0];
                row.shares.set_share(child, share);
            }
            assert!(!layout.is_sound(), "{share}");
        }
    }

    #[test]
    fn what_cannot_be_shown_is_not_taken_over() {
        let mut twice = Layout::default();
        let tree = twice.tree();
        let tile = tree.tiles.insert_pane("plots".to_owned());
        tree.root = Some(
            tree.tiles
                .insert_horizontal_tile(vec![tree.root.expect("a root"), tile]),
        );
        assert!(!twice.is_sound());
        let mut without = Layout::default();
        let picture = without
            .tree()
            .tiles
            .find_pane(&"viewport".to_owned())
            .expect("it is there");
        without.tree().remove_recursively(picture);
        assert!(!without.is_sound());
    }
}
