//! Keys: read from the table of actions, shown in menus, and turned into requests.

use egui::{Context, Key, KeyboardShortcut, Modifiers};

use crate::edit::Action;

/// The keys of an action.
pub fn of(action: Action) -> Option<KeyboardShortcut> {
    let mut modifiers = Modifiers::NONE;
    let mut key = None;
    for part in action.keys().split('+').filter(|p| !p.is_empty()) {
        match part {
            "Ctrl" => modifiers = modifiers.plus(Modifiers::COMMAND),
            "Shift" => modifiers = modifiers.plus(Modifiers::SHIFT),
            "Alt" => modifiers = modifiers.plus(Modifiers::ALT),
            name => key = Key::from_name(name),
        }
    }
    Some(KeyboardShortcut::new(modifiers, key?))
}

/// The keys of an action as people read them; empty for none.
pub fn shown(ctx: &Context, action: Action) -> String {
    of(action).map_or_else(String::new, |s| match (s.modifiers, s.logical_key) {
        (Modifiers::NONE, Key::Period) => ".".to_owned(),
        (Modifiers::ALT, Key::ArrowUp) => "Alt+↑".to_owned(),
        (Modifiers::ALT, Key::ArrowDown) => "Alt+↓".to_owned(),
        (Modifiers::NONE, Key::OpenBracket) => "[".to_owned(),
        (Modifiers::NONE, Key::CloseBracket) => "]".to_owned(),
        _ => ctx.format_shortcut(&s),
    })
}

/// The actions whose keys were pressed. Plain letters belong to text fields while one is typed into.
pub fn pressed(ctx: &Context) -> Vec<Action> {
    let typing = ctx.text_edit_focused();
    // The space bar is left to the viewport, which tells playing from panning; Delete to what lies under the hand.
    let mut all: Vec<(Action, KeyboardShortcut)> = Action::ALL
        .iter()
        .filter_map(|a| Some((*a, of(*a)?)))
        .filter(|(_, s)| !matches!(s.logical_key, Key::Space | Key::Delete))
        .collect();
    // Those with more modifiers first: Ctrl+Shift+Z is not Ctrl+Z.
    all.sort_by_key(|(_, s)| {
        std::cmp::Reverse(u8::from(s.modifiers.shift) + u8::from(s.modifiers.alt))
    });
    ctx.input_mut(|input| {
        all.into_iter()
            .filter(|(_, s)| !typing || s.modifiers.command)
            .filter(|(_, s)| input.consume_shortcut(s))
            .map(|(a, _)| a)
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_in_the_table_exists() {
        for action in Action::ALL {
            assert_eq!(
                of(action).is_some(),
                !action.keys().is_empty(),
                "{action:?}"
            );
        }
    }
}
