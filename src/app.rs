//! The window: eframe with a device of our own, and the editor in it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use egui::ThemePreference;
use egui_wgpu::{WgpuConfiguration, WgpuSetup, WgpuSetupCreateNew, wgpu};

use crate::bake;
use crate::device::DeviceChoice;
use crate::document::recovery::{self, Recovery};
use crate::document::{self, Document};
use crate::sim::Command;
use crate::ui::dock::{self, Layout};
use crate::ui::editor::{Editor, Guarded};
use crate::ui::panels::cost::Budget;
use crate::ui::panels::viewport::Canvas;
use crate::ui::services::{Dialogs, NativeDialogs, StartEngine, runner};
use crate::ui::welcome::Welcome;
use crate::ui::{files, presets, rescue, shelf, shell, stored, theme};
use crate::view::viewport::Viewport;

/// The name under which the system and what is remembered know the program.
const ID: &str = "eddy";

/// For so long the process stays after its window for what is still being written.
const LAST_WRITES: Duration = Duration::from_secs(20);

/// The key under which the theme is remembered.
const THEME: &str = "theme";
/// The key under which files are remembered.
const RECENT: &str = "recent files";
/// The key under which looks with a star are remembered.
const FAVOURITES: &str = "favourites";
/// The key under which it is remembered whether the first steps are done.
const WELCOME: &str = "first steps";
/// The key under which it is remembered what is drawn over the picture.
const OVERLAYS: &str = "overlays";

/// The key under which the artist's budget for a frame is remembered.
const BUDGET: &str = "budget";

/// Opens the editor, with the document at `path` or with the first look of the library, and returns when it is closed. What
/// is wrong with a file that is there is said in the window too: who has opened it from the desktop sees no terminal.
///
/// # Errors
/// There is no display, no graphics driver, or nothing at `path`; the message says what to do instead.
pub fn run(path: Option<PathBuf>) -> anyhow::Result<()> {
    let started = Instant::now();
    let asked = path.map(|path| (document::load_file(&path), path));
    let (document, path) = match &asked {
        Some((Ok(read), path)) => (read.document.clone(), Some(path.clone())),
        Some((Err(e), path)) if !path.exists() => return Err(e.clone().into()),
        Some((Err(e), _)) => {
            eprintln!("error: {e}");
            (presets::first(), None)
        }
        None => (presets::first(), None),
    };
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Eddy")
            .with_app_id(ID)
            .with_inner_size([1440.0, 900.0])
            .with_min_inner_size([720.0, 480.0])
            // What every driver can draw.
            .with_max_inner_size([8192.0, 8192.0])
            .with_icon(egui::IconData::default()),
        wgpu_options: WgpuConfiguration {
            wgpu_setup: wgpu_setup(),
            ..WgpuConfiguration::default()
        },
        ..eframe::NativeOptions::default()
    };
    if let Some(folder) = eframe::storage_dir(ID) {
        stored::mend(&folder.join("app.ron"));
    }
    let start = runner(DeviceChoice::Auto);
    eframe::run_native(
        ID,
        options,
        Box::new(move |cc| {
            let mut app = App::new(cc, document, path, start, Arc::new(NativeDialogs), started)?;
            app.keep_copies();
            app.end_when_asked(&cc.egui_ctx);
            match asked {
                Some((Ok(read), path)) => files::warn_of_comments(app.editor(), &path, &read),
                Some((Err(e), path)) => files::not_opened(app.editor(), &path, e.to_string()),
                None => {}
            }
            Ok(Box::new(app))
        }),
    )
    .map_err(|error| anyhow::anyhow!(explain(&error)))
}

/// A device with all that the adapter allows: the viewport's shaders need more than the defaults, and the defaults of a GL
/// device have no compute at all.
pub fn wgpu_setup() -> WgpuSetup {
    let mut setup = WgpuSetupCreateNew::without_display_handle();
    setup.device_descriptor = Arc::new(|adapter| wgpu::DeviceDescriptor {
        label: Some("eddy window"),
        required_limits: adapter.limits(),
        ..wgpu::DeviceDescriptor::default()
    });
    WgpuSetup::CreateNew(setup)
}

/// What people can do about a window that does not open.
fn explain(error: &eframe::Error) -> String {
    let bake = "Everything but the editor works without a window: see “eddy --help”, for instance “eddy bake”.";
    let text = error.to_string();
    let why = match error {
        eframe::Error::AppCreation(_) => "The editor could not start.",
        eframe::Error::Wgpu(_) => {
            "No graphics driver can draw a window. A software driver does too: on Debian and Ubuntu, install mesa-vulkan-drivers."
        }
        _ if text.contains("DISPLAY") => "There is no display to open a window on.",
        _ => "The window could not be opened.",
    };
    format!("{why} {bake}\n({text})")
}

/// The editor in its window.
pub struct App {
    editor: Editor,
    layout: Layout,
    theme: ThemePreference,
    title: String,
    smoke: Option<Smoke>,
    /// The system has asked the program to end.
    ending: Arc<AtomicBool>,
}

/// A run that ends by itself, for tests of the real window.
struct Smoke {
    started: Instant,
    limit: Duration,
    reported: bool,
}

impl App {
    /// An editor for a document, with the simulation and the dialogs given.
    ///
    /// # Errors
    /// The system refuses a thread for the simulation.
    pub fn new(
        cc: &eframe::CreationContext<'_>,
        document: Document,
        file: Option<PathBuf>,
        start: StartEngine,
        dialogs: Arc<dyn Dialogs>,
        started: Instant,
    ) -> std::io::Result<Self> {
        let ctx = &cc.egui_ctx;
        let stored = cc.storage.and_then(|s| eframe::get_value(s, THEME));
        theme::apply(ctx, stored.unwrap_or(ThemePreference::Dark));
        let document = Arc::new(document);
        let wake = ctx.clone();
        let engine = start(
            Arc::clone(&document),
            files::base(file.as_deref()),
            Box::new(move || wake.request_repaint()),
        )?;
        engine.send(Command::Play);
        let mut editor = Editor::new(ctx, document, file, engine, dialogs);
        let stored = cc.storage.and_then(|s| eframe::get_value(s, RECENT));
        editor.recent = stored.unwrap_or_default();
        let stored = cc.storage.and_then(|s| eframe::get_value(s, FAVOURITES));
        editor.panels.presets.favourites = stored.unwrap_or_default();
        let stored = cc.storage.and_then(|s| eframe::get_value(s, OVERLAYS));
        editor.panels.viewport.overlays = stored.unwrap_or_default();
        let stored = cc.storage.and_then(|s| eframe::get_value(s, BUDGET));
        editor.panels.cost.budget = stored.map(Budget::sound).unwrap_or_default();
        let stored = cc.storage.and_then(|s| eframe::get_value(s, WELCOME));
        // Where nothing can be remembered it would come each time.
        let first = if cc.storage.is_some() {
            Welcome::first()
        } else {
            Welcome::default()
        };
        editor.welcome = stored.unwrap_or(first);
        if let Some(file) = &editor.file {
            editor.recent.add(file);
        }
        if let Some(render) = &cc.wgpu_render_state {
            editor.panels.viewport.canvas = Canvas::on(Viewport::new(render));
        }
        let layout = cc
            .storage
            .and_then(|s| eframe::get_value::<Layout>(s, &dock::storage_key()))
            .filter(Layout::is_sound)
            .unwrap_or_default();
        let smoke = std::env::var("EDDY_SMOKE")
            .ok()
            .and_then(|s| s.parse().ok())
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
            .map(|limit| Smoke {
                started,
                limit,
                reported: false,
            });
        Ok(Self {
            editor,
            layout,
            theme: ctx.options(|o| o.theme_preference),
            title: String::new(),
            smoke,
            ending: Arc::default(),
        })
    }

    /// Keeps copies of unsaved work, and offers those that a crash has left.
    fn keep_copies(&mut self) {
        let Some(dir) = recovery::data_dir() else {
            self.editor.toasts.error(
                "Unsaved work cannot be kept safe from a crash",
                "There is no home folder to keep copies in.",
            );
            return;
        };
        shelf::open(&mut self.editor, dir.join("presets"));
        match Recovery::in_dir(&dir) {
            Ok(recovery) => rescue::begin(&mut self.editor, recovery, dir),
            Err(e) => self.editor.toasts.error(
                "Unsaved work cannot be kept safe from a crash",
                format!("{}: {e}", dir.display()),
            ),
        }
    }

    /// When the system asks the program to end, it does so at once, and leaves a copy of what is not saved.
    fn end_when_asked(&self, ctx: &egui::Context) {
        let (asked, ctx) = (Arc::clone(&self.ending), ctx.clone());
        let handler = move || {
            asked.store(true, Ordering::Release);
            ctx.request_repaint();
        };
        if let Err(e) = ctrlc::set_handler(handler) {
            log::warn!("a signal will end the program without a copy of what is not saved: {e}");
        }
    }

    /// The editor.
    pub fn editor(&mut self) -> &mut Editor {
        &mut self.editor
    }

    /// The arrangement of the panels.
    pub fn layout(&mut self) -> &mut Layout {
        &mut self.layout
    }

    fn close_requested(&mut self, ctx: &egui::Context) {
        let asked = ctx.input(|i| i.viewport().close_requested());
        if self.ending.load(Ordering::Acquire) {
            if !asked {
                rescue::keep_now(&mut self.editor);
                ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            }
            return;
        }
        if !asked || self.editor.closing {
            return;
        }
        let lost = if self.editor.history.is_dirty() {
            Guarded::Close
        } else if self.editor.bake.running() {
            Guarded::Bake
        } else {
            return;
        };
        ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
        self.editor.guard = Some(lost);
    }

    fn show_title(&mut self, ctx: &egui::Context) {
        let title = self.editor.title();
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    fn smoke(&mut self, ctx: &egui::Context) {
        let Some(smoke) = &mut self.smoke else { return };
        if self.editor.panels.viewport.shown && !smoke.reported {
            smoke.reported = true;
            println!(
                "first picture after {} ms",
                smoke.started.elapsed().as_millis()
            );
        }
        if smoke.started.elapsed() >= smoke.limit && !self.editor.closing {
            println!(
                "drawn {:.0} times a second ({:.0} lately), {:.1} ms of it for panels, longest {:.0} ms",
                ctx.cumulative_frame_nr() as f32 / smoke.started.elapsed().as_secs_f32(),
                self.editor.meter.ui_fps,
                self.editor.meter.work_ms,
                self.editor.meter.worst_ms
            );
            self.editor.quit(ctx);
        }
        // As fast as it goes, so that what is measured is how long a picture takes.
        ctx.request_repaint();
    }
}

impl Drop for App {
    /// Where a mistake of Eddy's ends the program, a copy is left of what is not saved.
    fn drop(&mut self) {
        if std::thread::panicking() {
            rescue::keep_now(&mut self.editor);
            self.editor.jobs.finish(LAST_WRITES);
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let begin = Instant::now();
        let ctx = ui.ctx().clone();
        self.editor.begin_frame(&ctx);
        self.close_requested(&ctx);
        shell::ui(&mut self.editor, &mut self.layout, ui);
        self.editor.end_frame(&ctx);
        self.show_title(&ctx);
        self.theme = ctx.options(|o| o.theme_preference);
        self.editor
            .meter
            .worked(begin.elapsed().as_secs_f32() * 1e3);
        self.smoke(&ctx);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, &dock::storage_key(), &self.layout);
        eframe::set_value(storage, THEME, &self.theme);
        eframe::set_value(storage, RECENT, &self.editor.recent);
        let favourites = &self.editor.panels.presets.favourites;
        eframe::set_value(storage, FAVOURITES, favourites);
        let overlays = &self.editor.panels.viewport.overlays;
        eframe::set_value(storage, OVERLAYS, overlays);
        eframe::set_value(storage, BUDGET, &self.editor.panels.cost.budget);
        eframe::set_value(storage, WELCOME, &self.editor.welcome);
    }

    fn on_exit(&mut self) {
        let given_up = self.editor.closing && !self.ending.load(Ordering::Acquire);
        if !self.editor.history.is_dirty() || given_up {
            rescue::discard_copy(&mut self.editor);
        }
        self.editor.jobs.finish(LAST_WRITES);
        self.editor.bake.cancel();
        self.editor.compare.cancel();
        bake::abandon();
    }

    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        theme::deep().to_normalized_gamma_f32()
    }
}
