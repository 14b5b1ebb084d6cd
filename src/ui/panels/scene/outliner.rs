//! What is chosen in the scene, and what a hand is doing in its outline.

use std::ops::RangeInclusive;

use crate::document::Document;
use crate::edit::figure::facts;
use crate::edit::{Item, List};

/// What is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Chosen {
    /// Domain, forces and seed.
    #[default]
    Domain,
    /// An item of a list.
    Item(List, usize),
}

/// A name that is being typed.
pub(super) struct Renaming {
    pub item: Item,
    pub text: String,
    /// Nothing has been typed yet: the field has to get the focus.
    pub fresh: bool,
}

/// What the outliner remembers.
#[derive(Default)]
pub struct Outliner {
    /// In the order in which they were chosen; the last one is shown in the inspector.
    items: Vec<Item>,
    pub(super) renaming: Option<Renaming>,
    /// The row that is being carried to another place.
    pub(super) carried: Option<Item>,
    /// The row that gets the keyboard.
    pub(super) focus: Option<Chosen>,
}

impl Outliner {
    /// Chooses the domain.
    pub fn clear(&mut self) {
        self.items.clear();
        (self.renaming, self.carried) = (None, None);
    }
    /// What is chosen; where that are several items, the one that was chosen last.
    pub fn chosen(&self) -> Chosen {
        let last = self.items.last();
        last.map_or(Chosen::Domain, |(list, i)| Chosen::Item(*list, *i))
    }
    /// Every item that is chosen.
    pub fn items(&self) -> &[Item] {
        &self.items
    }
    /// Chooses something, and nothing else.
    pub fn choose(&mut self, chosen: Chosen) {
        self.items.clear();
        if let Chosen::Item(list, i) = chosen {
            self.items.push((list, i));
        }
    }
    /// Chooses several items.
    pub fn choose_all(&mut self, items: Vec<Item>) {
        self.items = items;
    }
    /// Adds an item to what is chosen, or takes it out.
    pub fn toggle(&mut self, item: Item) {
        let before = self.items.len();
        self.items.retain(|i| *i != item);
        if self.items.len() == before {
            self.items.push(item);
        }
    }
    /// Chooses all from the one that was chosen last to this one.
    pub fn extend(&mut self, (list, to): Item) {
        let from = match self.items.last() {
            Some((l, from)) if *l == list => *from,
            _ => to,
        };
        let range: RangeInclusive<usize> = from.min(to)..=from.max(to);
        self.items.retain(|(l, i)| *l != list || !range.contains(i));
        self.items.extend(range.map(|i| (list, i)));
        // The next one is counted from where this one was.
        self.items.retain(|i| *i != (list, from));
        self.items.push((list, from));
    }
    /// Forgets what is not there any more.
    pub fn keep(&mut self, document: &Document) {
        let there = |(list, i): &Item| *i < list.len(document);
        self.items.retain(there);
        if self.renaming.as_ref().is_some_and(|r| !there(&r.item)) {
            self.renaming = None;
        }
        if self.carried.as_ref().is_some_and(|item| !there(item)) {
            self.carried = None;
        }
    }
    /// Begins to type another name for an item.
    pub(super) fn rename(&mut self, document: &Document, item: Item) {
        if let Some(facts) = facts(&document.scene, item) {
            self.renaming = Some(Renaming {
                item,
                text: facts.name.to_owned(),
                fresh: true,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const E: List = List::Emitters;

    #[test]
    fn several_are_chosen_one_by_one_or_as_a_range() {
        let mut o = Outliner::default();
        o.choose(Chosen::Item(E, 1));
        o.toggle((E, 3));
        o.toggle((E, 1));
        assert_eq!(o.items(), [(E, 3)]);
        o.extend((E, 1));
        let mut all = o.items().to_vec();
        all.sort_by_key(|(_, i)| *i);
        assert_eq!(all, [(E, 1), (E, 2), (E, 3)]);
        o.extend((E, 5));
        assert!(o.items().contains(&(E, 5)) && o.chosen() == Chosen::Item(E, 3));
        o.choose(Chosen::Domain);
        assert!(o.items().is_empty());
    }
}
