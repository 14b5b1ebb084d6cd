//! Ctrl-C: the first one asks the command to stop cleanly, the second one ends it at once.

use std::sync::atomic::{AtomicU32, Ordering};

static ASKED: AtomicU32 = AtomicU32::new(0);

/// Begins to listen. Commands that never call it end at the first Ctrl-C.
pub fn listen() {
    let handler = || {
        if ASKED.fetch_add(1, Ordering::Relaxed) > 0 {
            std::process::exit(130);
        }
    };
    if let Err(e) = ctrlc::set_handler(handler) {
        log::warn!("Ctrl-C will not stop cleanly: {e}");
    }
}

/// Whether someone asked to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed) > 0
}
