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
    /// Show all of the domain.
    FitView,
    /// Show the next field.
    NextField,
    /// Show the field before.
    PreviousField,
    /// Search all actions.
    Palette,
    /// Leave.
    Quit,
}

impl Action {
    /// Every action, in the order in which they are listed.
    pub const ALL: [Self; 17] = [
        Self::New,
        Self::Open,
        Self::Save,
        Self::SaveAs,
        Self::Bake,
        Self::Undo,
        Self::Redo,
        Self::PlayPause,
        Self::Step,
        Self::Reset,
        Self::Recover,
        Self::ClearStrokes,
        Self::FitView,
        Self::NextField,
        Self::PreviousField,
        Self::Palette,
        Self::Quit,
    ];

    /// As shown.
    pub fn label(self) -> &'static str {
        match self {
            Self::New => "New",
            Self::Open => "Open…",
            Self::Save => "Save",
            Self::SaveAs => "Save as…",
            Self::Bake => "Bake…",
            Self::Undo => "Undo",
            Self::Redo => "Redo",
            Self::PlayPause => "Play / pause",
            Self::Step => "Step one frame",
            Self::Reset => "Reset to frame 0",
            Self::Recover => "Back to the last good state",
            Self::ClearStrokes => "Clear strokes",
            Self::FitView => "Fit the view",
            Self::NextField => "Next field",
            Self::PreviousField => "Previous field",
            Self::Palette => "Search actions…",
            Self::Quit => "Quit",
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
            Self::Recover | Self::ClearStrokes => "",
            Self::FitView => "F",
            Self::NextField => "CloseBracket",
            Self::PreviousField => "OpenBracket",
            Self::Palette => "Ctrl+P",
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
