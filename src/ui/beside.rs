//! What is worked out beside the interface, the latest of it.

use crate::view::Background;

/// What is made beside the interface, anew wherever what it depends on has changed: one at a time, and until it is there
/// the one before is shown.
pub struct Beside<K, T> {
    work: Option<Background<T>>,
    asked: Option<K>,
}

impl<K, T> Default for Beside<K, T> {
    fn default() -> Self {
        Self {
            work: None,
            asked: None,
        }
    }
}

impl<K: PartialEq, T: Send + 'static> Beside<K, T> {
    /// Begins to make it, unless it was asked for before or another one is being made. Returns whether it began.
    pub fn ask(
        &mut self,
        ctx: &egui::Context,
        wanted: K,
        make: impl FnOnce() -> T + Send + 'static,
    ) -> bool {
        if self.asked.as_ref() == Some(&wanted) {
            return false;
        }
        let work = self.work.get_or_insert_with(|| Background::new(1));
        let wake = ctx.clone();
        let begun = work.begin(make, move || wake.request_repaint());
        if begun {
            self.asked = Some(wanted);
        }
        begun
    }
    /// What has been made, once.
    pub fn take(&mut self) -> Option<T> {
        self.work.as_mut()?.take()
    }
}
