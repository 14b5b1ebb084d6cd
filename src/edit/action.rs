//! What a shortcut, a menu entry or the palette asks for.

/// Something that can be asked for by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A new document.
    New,
    /// Choose a document and open it.
    Open,
    /// Save under its name, or ask for one.
    Save,
    /// Ask for a name and save.
    SaveAs,
    /// Put a copy among the user's own presets.
    SavePreset,
    /// Back to what stands in the file.
    Revert,
    /// Export textures.
    Bake,
    /// One step back.
    Undo,
    /// One step forward.
    Redo,
    /// Play if paused, pause if playing.
    PlayPause,
    /// One frame, then pause.
    Step,
    /// Back to frame 0.
    Reset,
    /// After a fault: back to the last good state.
    Recover,
    /// Take all brush strokes away.
    ClearStrokes,
    /// Run from the first frame, with all brush strokes.
    Replay,
    /// Choose, move, scale and turn things in the picture.
    SelectTool,
    /// Stir in the picture.
    BrushTool,
    /// Double what is chosen in the scene.
    DuplicateItems,
    /// Delete what is chosen in the scene.
    DeleteItems,
    /// Give what is chosen in the scene another name.
    RenameItem,
    /// What is chosen, further up in its list.
    RaiseItems,
    /// What is chosen, further down in its list.
    LowerItems,
    /// Leave what is chosen out, or take it in again.
    HideItems,
    /// Hold what is chosen fast, or let go of it.
    LockItems,
    /// Show all of the domain.
    FitView,
    /// Show the next field.
    NextField,
    /// Show the field before.
    PreviousField,
    /// A smaller brush.
    SmallerBrush,
    /// A larger brush.
    LargerBrush,
    /// Panels for tuning a look.
    LookWorkspace,
    /// Panels for comparing methods, solvers and values.
    CompareWorkspace,
    /// Panels for exporting textures.
    BakeWorkspace,
    /// The panels where they were at first.
    ResetLayout,
    /// Search all actions.
    Palette,
    /// Show all keys.
    Keys,
    /// Leave.
    Quit,
}

impl Action {
    /// Every action, in the order in which they are listed.
    pub const ALL: [Self; 36] = [
        Self::New,
        Self::Open,
        Self::Save,
        Self::SaveAs,
        Self::SavePreset,
        Self::Revert,
        Self::Bake,
        Self::Undo,
        Self::Redo,
        Self::PlayPause,
        Self::Step,
        Self::Reset,
        Self::Recover,
        Self::ClearStrokes,
        Self::Replay,
        Self::SelectTool,
        Self::BrushTool,
        Self::DuplicateItems,
        Self::DeleteItems,
        Self::RenameItem,
        Self::RaiseItems,
        Self::LowerItems,
        Self::HideItems,
        Self::LockItems,
        Self::FitView,
        Self::NextField,
        Self::PreviousField,
        Self::SmallerBrush,
        Self::LargerBrush,
        Self::LookWorkspace,
        Self::CompareWorkspace,
        Self::BakeWorkspace,
        Self::ResetLayout,
        Self::Palette,
        Self::Keys,
        Self::Quit,
    ];

    /// As shown.
    pub fn label(self) -> &'static str {
        match self {
            Self::New => "New",
            Self::Open => "Open…",
            Self::Save => "Save",
            Self::SaveAs => "Save as…",
            Self::SavePreset => "Save to my presets…",
            Self::Revert => "Revert",
            Self::Bake => "Bake…",
            Self::Undo => "Undo",
            Self::Redo => "Redo",
            Self::PlayPause => "Play / pause",
            Self::Step => "Step one frame",
            Self::Reset => "Reset to frame 0",
            Self::Recover => "Back to the last good state",
            Self::ClearStrokes => "Clear strokes",
            Self::Replay => "Replay strokes",
            Self::SelectTool => "Tool: select and move",
            Self::BrushTool => "Tool: brush",
            Self::DuplicateItems => "Duplicate",
            Self::DeleteItems => "Delete",
            Self::RenameItem => "Rename",
            Self::RaiseItems => "Move up in the list",
            Self::LowerItems => "Move down in the list",
            Self::HideItems => "Switch off / on",
            Self::LockItems => "Lock / unlock",
            Self::FitView => "Fit the view",
            Self::NextField => "Next field",
            Self::PreviousField => "Previous field",
            Self::SmallerBrush => "Smaller brush",
            Self::LargerBrush => "Larger brush",
            Self::LookWorkspace => "Workspace: look",
            Self::CompareWorkspace => "Workspace: compare",
            Self::BakeWorkspace => "Workspace: bake",
            Self::ResetLayout => "Reset layout",
            Self::Palette => "Search actions…",
            Self::Keys => "Keys…",
            Self::Quit => "Quit",
        }
    }

    /// What it does, in a sentence.
    pub fn doc(self) -> &'static str {
        match self {
            Self::New => "Begin a new look.",
            Self::Open => "Choose a look in a file and open it.",
            Self::Save => "Save the look under its name, or ask for one.",
            Self::SaveAs => "Save the look under another name.",
            Self::SavePreset => "Put a copy with its picture among your presets.",
            Self::Revert => "Go back to what stands in the file.",
            Self::Bake => "Write textures for an engine.",
            Self::Undo => "Take the last change back. What was simulated is not undone.",
            Self::Redo => "Do again what was taken back.",
            Self::PlayPause => "Run the simulation, or hold it.",
            Self::Step => "Run one frame, then hold.",
            Self::Reset => "Start again from the first frame.",
            Self::Recover => "After something went wrong: return to the last good state.",
            Self::ClearStrokes => "Take all brush strokes out of the look.",
            Self::Replay => "Run from the first frame, with every brush stroke as it was painted.",
            Self::SelectTool => "Choose, move, scale and turn things in the picture.",
            Self::BrushTool => "Stir and paint in the picture.",
            Self::DuplicateItems => "Double what is chosen in the scene.",
            Self::DeleteItems => "Delete what is chosen in the scene.",
            Self::RenameItem => "Give what is chosen in the scene another name.",
            Self::RaiseItems => "Move what is chosen one place up in its list.",
            Self::LowerItems => "Move what is chosen one place down in its list.",
            Self::HideItems => "Leave what is chosen out of the simulation, or take it in again.",
            Self::LockItems => "Hold what is chosen fast in the picture, or let go of it.",
            Self::FitView => "Show the whole domain.",
            Self::NextField => "Show the next field.",
            Self::PreviousField => "Show the field before.",
            Self::SmallerBrush => "Make the brush smaller.",
            Self::LargerBrush => "Make the brush larger.",
            Self::LookWorkspace => "Arrange the panels for tuning a look.",
            Self::CompareWorkspace => {
                "Arrange the panels for comparing what choices cost and change."
            }
            Self::BakeWorkspace => "Arrange the panels for exporting textures.",
            Self::ResetLayout => "Put all panels back where they were at first.",
            Self::Palette => "Find anything that can be done by typing its name.",
            Self::Keys => "Show all keys on one sheet.",
            Self::Quit => "Leave Eddy.",
        }
    }

    /// Keys, as shown; `Ctrl` stands for the command key where there is one. Empty for none.
    pub fn keys(self) -> &'static str {
        match self {
            Self::New => "Ctrl+N",
            Self::Open => "Ctrl+O",
            Self::Save => "Ctrl+S",
            Self::SaveAs => "Ctrl+Shift+S",
            Self::Bake => "Ctrl+B",
            Self::Undo => "Ctrl+Z",
            Self::Redo => "Ctrl+Shift+Z",
            Self::PlayPause => "Space",
            Self::Step => "Period",
            Self::Reset => "R",
            Self::SavePreset
            | Self::Recover
            | Self::ClearStrokes
            | Self::Revert
            | Self::ResetLayout => "",
            Self::Replay => "Shift+R",
            Self::SelectTool => "W",
            Self::BrushTool => "B",
            Self::DuplicateItems => "Ctrl+D",
            Self::DeleteItems => "Delete",
            Self::RenameItem => "F2",
            Self::RaiseItems => "Alt+ArrowUp",
            Self::LowerItems => "Alt+ArrowDown",
            Self::HideItems => "H",
            Self::LockItems => "L",
            Self::FitView => "F",
            Self::NextField => "V",
            Self::PreviousField => "Shift+V",
            Self::SmallerBrush => "OpenBracket",
            Self::LargerBrush => "CloseBracket",
            Self::LookWorkspace => "Ctrl+1",
            Self::CompareWorkspace => "Ctrl+2",
            Self::BakeWorkspace => "Ctrl+3",
            Self::Palette => "Ctrl+P",
            Self::Keys => "F1",
            Self::Quit => "Ctrl+Q",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_keys_are_unique() {
        let mut labels: Vec<_> = Action::ALL.iter().map(|a| a.label()).collect();
        let mut keys: Vec<_> = Action::ALL
            .iter()
            .map(|a| a.keys())
            .filter(|k| !k.is_empty())
            .collect();
        let (n, m) = (labels.len(), keys.len());
        labels.sort_unstable();
        labels.dedup();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!((labels.len(), keys.len()), (n, m));
    }
}
