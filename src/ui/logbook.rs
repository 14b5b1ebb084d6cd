//! What the program has noted since it started, for the Log panel; what goes to the terminal goes there as before.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use log::{Level, LevelFilter, Log, Metadata, Record};

/// Most notes that are kept; the oldest go first.
const MOST: usize = 500;

/// A note.
#[derive(Clone, Debug)]
pub struct Note {
    /// Seconds since the program started.
    pub seconds: f64,
    /// How grave it is.
    pub level: Level,
    /// Part of the program.
    pub part: String,
    /// What it says.
    pub text: String,
    /// How often it was said without anything in between.
    pub times: u32,
}

static NOTES: Mutex<VecDeque<Note>> = Mutex::new(VecDeque::new());

/// The notes, oldest first.
pub fn notes() -> Vec<Note> {
    let notes = NOTES.lock().unwrap_or_else(PoisonError::into_inner);
    notes.iter().cloned().collect()
}

/// Takes all notes away.
pub fn clear() {
    NOTES.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

struct Logbook {
    begin: Instant,
    terminal: Box<dyn Log>,
}

/// Keeps what is logged from now on, and passes it on to `terminal`, which shows what is at least as grave as `shown`.
pub fn install(terminal: Box<dyn Log>, shown: LevelFilter) {
    let book = Logbook {
        begin: Instant::now(),
        terminal,
    };
    // There is one already where the program is run within another: that one goes on.
    if log::set_boxed_logger(Box::new(book)).is_ok() {
        log::set_max_level(shown.max(LevelFilter::Info));
    }
}

impl Log for Logbook {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        // What libraries tell besides warnings is not for artists.
        let own = metadata.target().starts_with("eddy") && metadata.level() <= Level::Info;
        own || metadata.level() <= Level::Warn || self.terminal.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if in_vain(record) {
            return;
        }
        self.terminal.log(record);
        let own = record.target().starts_with("eddy") && record.level() <= Level::Info;
        if !own && record.level() > Level::Warn {
            return;
        }
        keep(Note {
            seconds: self.begin.elapsed().as_secs_f64(),
            level: record.level(),
            part: record.target().to_owned(),
            text: record.args().to_string(),
            times: 1,
        });
    }

    fn flush(&self) {
        self.terminal.flush();
    }
}

/// Whether it tells of an attempt with OpenGL, which is made beside Vulkan, Metal and Direct3D whether it is needed or not.
/// Where nothing works, that is said by what needed it.
fn in_vain(record: &Record<'_>) -> bool {
    record.target().starts_with("wgpu_hal::gles") && log::max_level() < LevelFilter::Debug
}

fn keep(note: Note) {
    let mut notes = NOTES.lock().unwrap_or_else(PoisonError::into_inner);
    // What a driver says again and again is one note.
    if let Some(last) = notes.back_mut()
        && (last.level, &last.part, &last.text) == (note.level, &note.part, &note.text)
    {
        last.times = last.times.saturating_add(1);
        return;
    }
    if notes.len() >= MOST {
        notes.pop_front();
    }
    notes.push_back(note);
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Silent;

    impl Log for Silent {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            false
        }
        fn log(&self, _: &Record<'_>) {}
        fn flush(&self) {}
    }

    #[test]
    fn keeps_what_concerns_people_and_not_without_end() {
        let book = Logbook {
            begin: Instant::now(),
            terminal: Box::new(Silent),
        };
        let say = |target: &str, level, text: &str| {
            let arguments = format_args!("{text}").to_string();
            book.log(
                &Record::builder()
                    .target(target)
                    .level(level)
                    .args(format_args!("{arguments}"))
                    .build(),
            );
        };
        say("eddy::test", Level::Info, "first of the test");
        say("wgpu_core", Level::Info, "a library's talk");
        say("wgpu_core", Level::Warn, "a library's warning");
        say("eddy::test", Level::Debug, "a detail");
        say("wgpu_hal::gles::egl", Level::Error, "an attempt in vain");
        let kept: Vec<String> = notes().into_iter().map(|n| n.text).collect();
        let has = |text: &str| kept.iter().any(|k| k == text);
        assert!(has("first of the test") && has("a library's warning"));
        assert!(!has("a library's talk") && !has("a detail") && !has("an attempt in vain"));
        for i in 0..2 * MOST {
            say("eddy::test", Level::Warn, &i.to_string());
        }
        assert_eq!(notes().len(), MOST);
    }
}
