//! What the editor needs from outside: a running simulation and dialogs for files. Tests put their own in their place.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use crate::device::DeviceChoice;
use crate::document::Document;
use crate::sim::{Command, Runner, Snapshot};

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
}

/// Work that is done beside the interface, whose outcomes come back as events.
pub struct Jobs<E> {
    sender: Sender<E>,
    receiver: Receiver<E>,
    wake: egui::Context,
}

impl<E: Send + 'static> Jobs<E> {
    /// Outcomes wake this context.
    pub fn new(wake: egui::Context) -> Self {
        let (sender, receiver) = channel();
        Self {
            sender,
            receiver,
            wake,
        }
    }
    /// Does `work` on a thread of its own. Every event that it reports arrives at [`Jobs::take`].
    pub fn spawn(&self, work: impl FnOnce(&dyn Fn(E)) + Send + 'static) {
        let (sender, wake) = (self.sender.clone(), self.wake.clone());
        let job = move || {
            work(&|event| {
                // The editor is gone when this fails, and with it whoever would care.
                let _ = sender.send(event);
                wake.request_repaint();
            });
        };
        if let Err(error) = std::thread::Builder::new()
            .name("eddy-job".to_owned())
            .spawn(job)
        {
            log::error!("a background job could not be started: {error}");
        }
    }
    /// The next event, if there is one.
    pub fn take(&self) -> Option<E> {
        self.receiver.try_recv().ok()
    }
}
