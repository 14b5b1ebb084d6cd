//! Ctrl-C and SIGTERM: the first one asks the command to stop cleanly and says so, the second one ends it at once. A command
//! that has not stopped a few seconds after the first one, because it is deep inside a solve or a picture, is ended too.

use std::process::exit;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::output::complain;
use crate::bake;

static ASKED: AtomicU32 = AtomicU32::new(0);

/// How long a command may take to stop cleanly.
const GRACE: Duration = Duration::from_secs(3);

/// Begins to listen. Commands that never call it end at the first Ctrl-C.
pub fn listen() {
    let handler = || {
        if ASKED.fetch_add(1, Ordering::Relaxed) > 0 {
            bake::abandon();
            exit(130);
        }
        complain("stopping after this step; press Ctrl-C again to stop at once");
        let watch = || {
            std::thread::sleep(GRACE);
            // A bake that was finished meanwhile has something to say, and ends by itself.
            if bake::abandon() {
                complain("cancelled; nothing was written");
                exit(1);
            }
        };
        let watcher = std::thread::Builder::new().name("eddy-grace".to_owned());
        if let Err(e) = watcher.spawn(watch) {
            log::warn!("only a second Ctrl-C stops what does not look: {e}");
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
