//! What the editor needs from outside: a running simulation and dialogs for files. Tests put their own in their place.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SendError, Sender, channel};
use std::time::{Duration, Instant};

use crate::device::DeviceChoice;
use crate::document::Document;
use crate::sim::{Command, Runner, Snapshot, panic_text};

/// A simulation that runs on its own. Neither call ever waits for a step.
pub trait Engine {
    /// Asks for something.
    fn send(&self, command: Command);
    /// What it looks like now.
    fn latest(&self) -> Arc<Snapshot>;
}

impl Engine for Runner {
    fn send(&self, command: Command) {
        Runner::send(self, command);
    }
    fn latest(&self) -> Arc<Snapshot> {
        Runner::latest(self)
    }
}

/// What an engine calls whenever there is something new to see.
pub type Wake = Box<dyn Fn() + Send + Sync>;

/// Starts an engine for a document; `wake` is called whenever there is a new snapshot.
pub type StartEngine =
    Box<dyn FnOnce(Arc<Document>, PathBuf, Wake) -> std::io::Result<Box<dyn Engine>>>;

/// Starts the runner on a device.
pub fn runner(device: DeviceChoice) -> StartEngine {
    Box::new(move |document, base, wake| Ok(Box::new(Runner::start(document, base, device, wake)?)))
}

/// What came of asking for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// This one.
    Chosen(PathBuf),
    /// The dialog was closed.
    Closed,
    /// The desktop has no dialog to show.
    Unavailable,
}

/// Asks people for files. Called on a thread of its own, so it may wait.
pub trait Dialogs: Send + Sync {
    /// A document to open.
    fn open(&self, folder: Option<&Path>) -> Answer;
    /// Where to save a document.
    fn save(&self, folder: Option<&Path>, name: &str) -> Answer;
    /// A folder to write to.
    fn folder(&self, folder: Option<&Path>) -> Answer;
    /// Shows a folder in the desktop's own window for files.
    ///
    /// # Errors
    /// Says why nothing could be shown.
    fn reveal(&self, folder: &Path) -> Result<(), String>;
}

/// The dialogs of the desktop.
pub struct NativeDialogs;

/// Nobody opens a dialog, reads it and closes it in so short a time: there was none.
const AT_ONCE: Duration = Duration::from_millis(400);

impl NativeDialogs {
    fn dialog(folder: Option<&Path>) -> rfd::FileDialog {
        let dialog = rfd::FileDialog::new();
        match folder {
            Some(folder) => dialog.set_directory(folder),
            None => dialog,
        }
    }

    fn ask(ask: impl FnOnce() -> Option<PathBuf>) -> Answer {
        if !possible() {
            return Answer::Unavailable;
        }
        let begin = Instant::now();
        match ask() {
            Some(path) => Answer::Chosen(path),
            None if begin.elapsed() < AT_ONCE => Answer::Unavailable,
            None => Answer::Closed,
        }
    }
}

/// Whether there is anything that could show a dialog: on Linux a session bus for the portal, or Zenity. Without either
/// the library says nothing and gives nothing back.
fn possible() -> bool {
    if !cfg!(any(target_os = "linux", target_os = "freebsd")) {
        return true;
    }
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
    let bus = set("DBUS_SESSION_BUS_ADDRESS").is_some()
        || set("XDG_RUNTIME_DIR").is_some_and(|dir| Path::new(&dir).join("bus").exists());
    let zenity = || {
        set("PATH").is_some_and(|all| {
            std::env::split_paths(&all).any(|folder| folder.join("zenity").is_file())
        })
    };
    bus || zenity()
}

impl Dialogs for NativeDialogs {
    fn open(&self, folder: Option<&Path>) -> Answer {
        Self::ask(|| {
            Self::dialog(folder)
                .set_title("Open a look")
                .add_filter("Eddy look", &["ron"])
                .pick_file()
        })
    }
    fn save(&self, folder: Option<&Path>, name: &str) -> Answer {
        Self::ask(|| {
            let path = Self::dialog(folder)
                .set_title("Save the look")
                .add_filter("Eddy look", &["ron"])
                .set_file_name(name)
                .save_file()?;
            Some(match path.extension() {
                Some(_) => path,
                None => path.with_extension("ron"),
            })
        })
    }
    fn folder(&self, folder: Option<&Path>) -> Answer {
        Self::ask(|| {
            Self::dialog(folder)
                .set_title("Folder for the textures")
                .pick_folder()
        })
    }
    fn reveal(&self, folder: &Path) -> Result<(), String> {
        let program = if cfg!(target_os = "windows") {
            "explorer"
        } else if cfg!(target_os = "macos") {
            "open"
        } else {
            "xdg-open"
        };
        let status = std::process::Command::new(program)
            .arg(folder)
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .status()
            .map_err(|e| format!("{program}: {e}"))?;
        // The explorer of Windows says 1 where all went well.
        if status.success() || cfg!(target_os = "windows") {
            Ok(())
        } else {
            Err(format!("{program} ended with {status}"))
        }
    }
}

/// Work that is done beside the interface, whose outcomes come back as events.
pub struct Jobs<E> {
    sender: Sender<E>,
    receiver: Receiver<E>,
    wake: egui::Context,
    /// What is reported of work that panicked.
    broken: fn(String) -> E,
    /// Where work goes that is done one after the other; there once there has been any.
    queue: Option<Sender<Work>>,
}

type Work = Box<dyn FnOnce() + Send>;

impl<E: Send + 'static> Jobs<E> {
    /// Outcomes wake this context; of work that panics, `broken` is reported with what the panic said.
    pub fn new(wake: egui::Context, broken: fn(String) -> E) -> Self {
        let (sender, receiver) = channel();
        Self {
            sender,
            receiver,
            wake,
            broken,
            queue: None,
        }
    }

    /// The work together with what takes its reports.
    fn reporting(&self, work: impl FnOnce(&dyn Fn(E)) + Send + 'static) -> Work {
        let (sender, wake, broken) = (self.sender.clone(), self.wake.clone(), self.broken);
        Box::new(move || {
            let report = |event| {
                // The editor is gone when this fails, and with it whoever would care.
                let _ = sender.send(event);
                wake.request_repaint();
            };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(&report))) {
                report(broken(panic_text(&*panic)));
            }
        })
    }

    /// Does `work` on a thread of its own. Every event that it reports arrives at [`Jobs::take`].
    pub fn spawn(&self, work: impl FnOnce(&dyn Fn(E)) + Send + 'static) {
        let job = self.reporting(work);
        if let Err(error) = std::thread::Builder::new()
            .name("eddy-job".to_owned())
            .spawn(job)
        {
            log::error!("a background job could not be started: {error}");
        }
    }

    /// Does `work` after all that was given here before, one at a time: for files, of which the newest is to stay.
    pub fn in_turn(&mut self, work: impl FnOnce(&dyn Fn(E)) + Send + 'static) {
        let job = self.reporting(work);
        let queue = self.queue.get_or_insert_with(queue);
        if let Err(SendError(job)) = queue.send(job) {
            // No thread could be started, or it is gone: late is better than never.
            self.queue = None;
            job();
        }
    }

    /// Waits for what is done in turn, but not for longer than `most`.
    pub fn finish(&mut self, most: Duration) {
        let Some(queue) = self.queue.take() else {
            return;
        };
        let (done, wait) = channel();
        let last = Box::new(move || {
            let _ = done.send(());
        });
        if queue.send(last).is_ok() && wait.recv_timeout(most).is_err() {
            log::warn!("some files were still being written");
        }
    }

    /// The next event, if there is one.
    pub fn take(&self) -> Option<E> {
        self.receiver.try_recv().ok()
    }
}

/// A thread that does what it is sent, until nobody can send any more.
fn queue() -> Sender<Work> {
    let (sender, receiver) = channel::<Work>();
    let work = move || receiver.into_iter().for_each(|job| job());
    if let Err(error) = std::thread::Builder::new()
        .name("eddy-files".to_owned())
        .spawn(work)
    {
        log::error!("a thread for files could not be started: {error}");
    }
    sender
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_in_turn_keeps_its_order_and_is_waited_for() {
        let mut jobs = Jobs::new(egui::Context::default(), |_| 99);
        for i in 0..8_u64 {
            // The first ones take longest.
            jobs.in_turn(move |report| {
                std::thread::sleep(Duration::from_millis(16 >> i));
                report(i);
            });
        }
        jobs.finish(Duration::from_secs(60));
        let done: Vec<u64> = std::iter::from_fn(|| jobs.take()).collect();
        assert_eq!(done, [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn work_that_panics_says_so_and_does_not_keep_others_from_being_done() {
        let mut jobs = Jobs::new(egui::Context::default(), |text| text);
        jobs.in_turn(|_| panic!("a mistake"));
        jobs.in_turn(|report| report("done".to_owned()));
        jobs.finish(Duration::from_secs(60));
        let done: Vec<String> = std::iter::from_fn(|| jobs.take()).collect();
        assert_eq!(done, ["a mistake", "done"]);
    }
}
