//! Progress on stderr: a bar on a terminal, a line now and then elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Least time between two lines where there is no terminal.
const INTERVAL: Duration = Duration::from_secs(5);

/// Shows how far a command has come. What is shown is taken away when it is dropped.
pub struct Progress {
    bar: Option<ProgressBar>,
    last: Instant,
}

impl Progress {
    /// Begins; shows nothing yet.
    pub fn new() -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {percent} % {eta}") {
                bar.set_style(style);
            }
            bar
        });
        Self {
            bar,
            last: Instant::now(),
        }
    }

    /// So much is done of so much.
    pub fn update(&mut self, what: &str, done: u64, total: u64) {
        match &self.bar {
            Some(bar) => {
                bar.set_length(total);
                bar.set_message(what.to_owned());
                bar.set_position(done);
            }
            None if self.last.elapsed() >= INTERVAL => {
                self.last = Instant::now();
                let _ = writeln!(std::io::stderr(), "{what}: {} %", percent(done, total));
            }
            None => {}
        }
    }
}

/// The share that is done, rounded down: 100 only at the end.
fn percent(done: u64, total: u64) -> u128 {
    u128::from(done) * 100 / u128::from(total.max(1))
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
