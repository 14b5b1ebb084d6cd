//! An editor without a window, with a simulation that only remembers what it was told.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use eddy::app::App;
use eddy::document::Document;
use eddy::field::FieldData;
use eddy::sim::{Command, HistoryPoint, Snapshot, State};
use eddy::solvers::{Invariant, StepReport};
use eddy::ui::editor::Editor;
use eddy::ui::services::{Answer, Dialogs, Engine, StartEngine};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

/// What was said to the simulation, and what it looks like.
#[derive(Clone)]
pub struct Fake {
    pub told: Arc<Mutex<Vec<Command>>>,
    pub shown: Arc<Mutex<Arc<Snapshot>>>,
}

impl Fake {
    pub fn change(&self, change: impl FnOnce(&mut Snapshot)) {
        let mut shown = self.shown.lock().unwrap();
        let mut next = (**shown).clone();
        next.serial += 1;
        change(&mut next);
        *shown = Arc::new(next);
    }
    /// Takes away what was said since the last call.
    pub fn heard(&self) -> Vec<Command> {
        std::mem::take(&mut self.told.lock().unwrap())
    }
}

impl Engine for Fake {
    fn send(&self, command: Command) {
        self.told.lock().unwrap().push(command);
    }
    fn latest(&self) -> Arc<Snapshot> {
        Arc::clone(&self.shown.lock().unwrap())
    }
}

/// Dialogs that answer at once.
#[derive(Clone, Default)]
pub struct Answers {
    pub open: Option<PathBuf>,
    pub save: Option<PathBuf>,
    pub folder: Option<PathBuf>,
    /// As on a desktop that has no dialogs.
    pub unavailable: bool,
    /// Folders that were shown.
    pub revealed: Arc<Mutex<Vec<PathBuf>>>,
}

impl Answers {
    fn answer(&self, path: Option<&PathBuf>) -> Answer {
        match path {
            _ if self.unavailable => Answer::Unavailable,
            Some(path) => Answer::Chosen(path.clone()),
            None => Answer::Closed,
        }
    }
}

impl Dialogs for Answers {
    fn open(&self, _: Option<&Path>) -> Answer {
        self.answer(self.open.as_ref())
    }
    fn save(&self, _: Option<&Path>, _: &str) -> Answer {
        self.answer(self.save.as_ref())
    }
    fn folder(&self, _: Option<&Path>) -> Answer {
        self.answer(self.folder.as_ref())
    }
    fn reveal(&self, folder: &Path) -> Result<(), String> {
        if self.unavailable {
            return Err("there is no desktop".to_owned());
        }
        self.revealed.lock().unwrap().push(folder.to_owned());
        Ok(())
    }
}

/// A paused simulation at frame 12 with a picture, a report and a history.
pub fn snapshot(document: &Document) -> Snapshot {
    let info = document.method.info();
    let grid = document.scene.domain.grid();
    let fields = info
        .fields
        .iter()
        .map(|desc| {
            let n = grid.len() * desc.components as usize;
            let data = (0..n).map(|i| (i % 17) as f32 / 17.0).collect();
            Arc::new(FieldData {
                desc: *desc,
                grid,
                data,
            })
        })
        .collect();
    let invariants = vec![
        Invariant {
            name: "kinetic_energy",
            label: "Kinetic energy",
            unit: "J/m",
            value: 0.25,
        },
        Invariant {
            name: "divergence_linf",
            label: "Largest divergence",
            unit: "1/s",
            value: 1e-3,
        },
    ];
    let solve = eddy::solvers::SolveReport {
        approximate: false,
        solver: "jacobi",
        system: "pressure",
        iterations: 3,
        residuals: vec![(0, 1.0), (3, 0.2)],
        curve: vec![(0, 1.0), (1, 0.5), (2, 0.3), (3, 0.2)],
        l2_zero: 1.0,
        l2_before: 1.0,
        l2: 0.2,
        linf: 0.4,
        unit: "1/s",
        converged: false,
    };
    let kernels = vec![
        eddy::device::KernelTime {
            name: "jacobi_sweep",
            part: "pressure",
            ms: 8.0,
            runs: 40,
        },
        eddy::device::KernelTime {
            name: "advect",
            part: "",
            ms: 1.0,
            runs: 2,
        },
    ];
    let history = (0..12)
        .map(|frame| {
            Arc::new(HistoryPoint {
                frame,
                frame_ms: 9.5,
                substeps: 1,
                residual: [1.0, 0.2],
                brought: 1.0,
                iterations: 3,
                converged: false,
                invariants: invariants.clone(),
                kernels: kernels.clone(),
            })
        })
        .collect();
    Snapshot {
        serial: 1,
        state: State::Paused,
        frame: 12,
        time: 0.2,
        fields,
        report: Arc::new(StepReport {
            notices: Vec::new(),
            time: 0.2,
            dt: 1.0 / 60.0,
            substeps: 1,
            solves: vec![solve],
            invariants,
            kernels,
        }),
        frame_ms: 9.5,
        history: Arc::new(history),
        checkpoints: Arc::new(vec![0, 10]),
        device: "a test".to_owned(),
        memory_bytes: 3_200_000,
        notice: None,
        mixed: false,
    }
}

/// A small document: what is tested here is the interface.
pub fn document() -> Document {
    let mut document = Document::default();
    document.scene.domain.cells_x = 24;
    document.scene.domain.cells_y = 24;
    document.scene.emitters.push(Default::default());
    document
}

/// An editor in a window of a usual size.
pub struct Rig<'a> {
    pub harness: Harness<'a, App>,
    pub fake: Fake,
}

pub fn rig() -> Rig<'static> {
    rig_with(document(), Answers::default())
}

pub fn rig_with(document: Document, answers: Answers) -> Rig<'static> {
    let fake = Fake {
        told: Arc::default(),
        shown: Arc::new(Mutex::new(Arc::new(snapshot(&document)))),
    };
    let engine = fake.clone();
    let start: StartEngine = Box::new(move |_, _, _| Ok(Box::new(engine)));
    let mut harness = Harness::builder()
        .with_size([1440.0, 900.0])
        .with_max_steps(12)
        .allow_missing_glyphs()
        .build_eframe(move |cc| {
            App::new(cc, document, None, start, Arc::new(answers), Instant::now())
                .expect("a fake needs no thread")
        });
    harness.run_steps(3);
    fake.heard();
    Rig { harness, fake }
}

impl Rig<'_> {
    pub fn editor(&mut self) -> &mut Editor {
        self.harness.state_mut().editor()
    }
    pub fn document(&mut self) -> Arc<Document> {
        Arc::clone(self.editor().document())
    }
    pub fn steps(&mut self) {
        self.harness.run_steps(3);
    }
    /// Clicks a button by its name.
    /// The first button of the pointer, with keys held.
    pub fn button(&mut self, pos: egui::Pos2, pressed: bool, modifiers: egui::Modifiers) {
        let event = egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers,
        };
        self.harness.event_modifiers(event, modifiers);
        self.harness.run_steps(1);
    }
    pub fn click(&mut self, name: &str) {
        self.harness
            .get_by_role_and_label(egui::Role::Button, name)
            .click();
        self.steps();
    }
    /// Brings a panel to the front by its tab, if it is not there yet.
    pub fn show(&mut self, title: &str) {
        let tab = self
            .harness
            .get_all_by_role_and_label(egui::Role::Button, title)
            .next();
        tab.expect("the panel has a tab").click();
        self.steps();
    }
    /// Opens the box with that name and chooses an entry.
    pub fn choose(&mut self, name: &str, entry: &str) {
        self.harness
            .get_by_role_and_label(egui::Role::ComboBox, name)
            .click();
        self.steps();
        self.harness
            .get_by_role_and_label(egui::Role::Button, entry)
            .click();
        self.steps();
    }
    /// Drags the slider with that name, in several steps, as a hand does.
    pub fn drag_slider(&mut self, name: &str, from: f32, to: f32) {
        let rect = self
            .harness
            .get_by_role_and_label(egui::Role::Slider, name)
            .rect();
        let at = |share: f32| egui::pos2(rect.left() + rect.width() * share, rect.center().y);
        self.drag(&[at(from), at(from * 0.6 + to * 0.4), at(to)]);
    }
    /// Presses at the first point, moves over the others and lets go at the last.
    pub fn drag(&mut self, points: &[egui::Pos2]) {
        self.harness.hover_at(points[0]);
        self.harness.run_steps(1);
        self.harness.drag_at(points[0]);
        self.harness.run_steps(2);
        for point in &points[1..] {
            self.harness.hover_at(*point);
            self.harness.run_steps(2);
        }
        self.harness.drop_at(points[points.len() - 1]);
        self.steps();
    }
    /// Goes on until something holds; panics when it does not within a while.
    pub fn wait(&mut self, what: &str, mut holds: impl FnMut(&mut Self) -> bool) {
        let begin = Instant::now();
        while !holds(self) {
            assert!(begin.elapsed() < Duration::from_secs(60), "never: {what}");
            std::thread::sleep(Duration::from_millis(5));
            self.harness.run_steps(1);
        }
        self.steps();
    }
    pub fn labels(&mut self) -> Vec<String> {
        self.editor().history.labels().map(str::to_owned).collect()
    }
}
