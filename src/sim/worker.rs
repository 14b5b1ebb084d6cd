//! The runner's thread.

mod devices;
mod memory;
mod play;
mod post;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::checkpoints::Checkpoints;
use super::mailbox::Closed;
use super::runner::{Board, Command, HistoryPoint};
use super::{Fault, Simulation, panic_text};
use crate::device::{DeviceChoice, DeviceError};
use crate::document::{Document, animation};
use crate::params;
use crate::solvers::StepReport;

/// Memory for checkpoints.
const CHECKPOINT_BYTES: usize = 512 << 20;
/// The name of the field that every picture needs besides its own.
const OBSTACLES: &str = "obstacle";

/// What the thread is to do next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Goal {
    Wait,
    Play,
    Reach(u32),
}

pub(super) struct Worker {
    document: Arc<Document>,
    base: PathBuf,
    device: DeviceChoice,
    memory: u64,
    board: Arc<Board>,
    simulation: Option<Simulation>,
    /// Whether the last frame was broken off, so that the state lies between two frames.
    partial: bool,
    /// The last frame that is as a run from the beginning would have it: of what comes later, something was changed under
    /// way. Before the first frame where a live parameter was changed, and no frame where nothing was.
    true_until: Option<i64>,
    /// Whether a lost device is being replaced.
    replacing: bool,
    goal: Goal,
    fault: Option<Fault>,
    last_change: Option<String>,
    notice: Option<String>,
    /// What the last report had to say, without its numbers.
    told: Vec<String>,
    speed: f32,
    looping: bool,
    watch: Vec<String>,
    checkpoints: Checkpoints,
    history: Vec<Arc<HistoryPoint>>,
    report: Arc<StepReport>,
    frame_ms: f32,
    serial: u64,
    /// When the last picture was asked for.
    pictured: Instant,
    next_frame: Instant,
}

impl Worker {
    pub(super) fn new(
        document: Arc<Document>,
        base: PathBuf,
        device: DeviceChoice,
        board: Arc<Board>,
    ) -> Self {
        let now = Instant::now();
        Self {
            document,
            base,
            device,
            memory: memory::WITHOUT_ASKING,
            board,
            simulation: None,
            partial: false,
            true_until: None,
            replacing: false,
            goal: Goal::Reach(0),
            fault: None,
            last_change: None,
            notice: None,
            told: Vec::new(),
            speed: 1.0,
            looping: false,
            watch: Vec::new(),
            checkpoints: Checkpoints::new(CHECKPOINT_BYTES),
            history: Vec::new(),
            report: Arc::default(),
            frame_ms: 0.0,
            serial: 0,
            pictured: now,
            next_frame: now,
        }
    }

    pub(super) fn run(mut self) {
        let mut open = true;
        while let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.work(open))) {
            // What panicked is gone; a reset or another document begins anew.
            open = false;
            (self.simulation, self.goal) = (None, Goal::Wait);
            self.fault = Some(Fault::Internal(panic_text(&*panic)));
            self.post();
        }
    }

    /// Until the handle is dropped.
    fn work(&mut self, open: bool) {
        if open {
            self.attempt(Self::open);
            self.post();
        }
        loop {
            match self.next_command() {
                Ok(Some(command)) => {
                    self.obey(command);
                    // The picture waits until all has been said.
                    while let Ok(Some(command)) = self.board.mail.next(Some(Instant::now())) {
                        self.obey(command);
                    }
                    self.post();
                }
                Ok(None) => self.attempt(Self::go_on),
                Err(Closed) => return,
            }
        }
    }

    /// The next command; none when there is something to do about frames; an error when nobody can send any more.
    fn next_command(&self) -> Result<Option<Command>, Closed> {
        let idle = self.fault.is_some() || self.goal == Goal::Wait || self.simulation.is_none();
        let frame_at = match self.goal {
            // What is under way is waited for by the device, not here.
            Goal::Play if self.under_way() == 0 => self.next_frame,
            _ => Instant::now(),
        };
        self.board.mail.next((!idle).then_some(frame_at))
    }

    fn obey(&mut self, command: Command) {
        if command.interrupts() {
            self.board.interrupts.fetch_sub(1, Ordering::AcqRel);
        }
        // It finds a whole frame, all of whose predecessors are known to be good.
        self.attempt(Self::land_all);
        match command {
            Command::Document(document, base) => self.attempt(|w| w.take_document(document, base)),
            Command::Play => self.goal = Goal::Play,
            Command::Pause => self.goal = Goal::Wait,
            Command::Step => self.goal = Goal::Reach(self.frame() + 1),
            Command::Reset => self.attempt(Self::restart),
            Command::GoTo(frame) => self.attempt(|w| w.go_to(frame)),
            Command::Recover => self.attempt(Self::recover),
            Command::Speed(speed) => {
                self.speed = if speed.is_finite() {
                    speed.max(0.0)
                } else {
                    1.0
                }
            }
            Command::Loop(looping) => self.looping = looping,
            Command::Watch(fields) => self.watch = fields,
            Command::Device(choice) => {
                self.device = choice;
                self.attempt(Self::change_device);
            }
            Command::Memory(bytes) => self.allow(bytes),
        }
    }

    /// Does something that can fail. A lost device is replaced; any other fault stops the run and is shown.
    fn attempt(&mut self, what: impl FnOnce(&mut Self) -> Result<(), Fault>) {
        let Err(fault) = what(self) else { return };
        let fault = match self.root_cause(fault) {
            // The command that interrupted is on its way, and puts the state right.
            Fault::Cancelled => {
                self.partial = true;
                return;
            }
            Fault::Device(DeviceError::Lost(why)) => match self.replace_device(&why) {
                Ok(()) => return,
                Err(fault) => fault,
            },
            other => other,
        };
        log::error!("frame {}: {fault}", self.frame());
        self.goal = Goal::Wait;
        self.fault = Some(fault);
        self.post();
    }

    fn open(&mut self) -> Result<(), Fault> {
        self.clear();
        self.simulation = None;
        self.fits()?;
        let device = self.open_device(self.device)?;
        self.open_on(device)
    }

    fn restart(&mut self) -> Result<(), Fault> {
        self.clear();
        match &mut self.simulation {
            Some(simulation) => simulation.reset()?,
            None => self.open()?,
        }
        self.reach_the_beginning();
        Ok(())
    }

    fn take_document(&mut self, document: Arc<Document>, base: PathBuf) -> Result<(), Fault> {
        // Strokes are compared as a whole: they can be long, and each point that is painted comes by here.
        let (before, after) = (self.document.without_strokes(), document.without_strokes());
        let mut changes = params::differences(&before, &after);
        // With another alternative come all its parameters: it is the alternative that was chosen.
        let chosen = changes.iter().position(|c| c.path.ends_with(".kind"));
        if let Some(change) = chosen
            .map(|i| changes.swap_remove(i))
            .or_else(|| changes.pop())
        {
            self.last_change = Some(change.path);
        } else if self.document.scene.strokes != document.scene.strokes {
            self.last_change = Some("scene.strokes".to_owned());
        }
        let changes_the_run = !before.scene.acts_like(&after.scene)
            || before.method != after.method
            || before.time != after.time;
        (self.document, self.base) = (Arc::clone(&document), base.clone());
        self.fits()?;
        let restarted = match &mut self.simulation {
            Some(simulation) => simulation.set_document(document, base)?,
            None => {
                self.open()?;
                true
            }
        };
        if restarted {
            self.clear();
            self.reach_the_beginning();
        } else {
            self.spoil(changes_the_run, &before, &after);
            if !matches!(
                self.fault,
                Some(Fault::NotFinite { .. } | Fault::Internal(_))
            ) {
                self.fault = None;
            }
        }
        Ok(())
    }

    /// Something was changed under way: says from where on what was simulated is not what a run from the beginning comes
    /// to, and forgets the states to go back to that are worthless.
    fn spoil(&mut self, live: bool, before: &Document, after: &Document) {
        let frame = self.frame();
        let mut until = i64::MAX;
        if live {
            until = -1;
        } else if let Some(time) = animation::first_difference(&before.animation, &after.animation)
        {
            until = (time / f64::from(after.time.frame_dt())).floor().max(-1.0) as i64;
            // What a change in the keys makes of the frames before is simulated anew on the way back.
            match u32::try_from(until) {
                Ok(until) => self.checkpoints.forget_after(until.min(frame)),
                // The warm-up too was another one.
                Err(_) => self.checkpoints.clear(),
            }
        }
        if until < i64::from(frame) && self.has_begun() {
            self.true_until = Some(self.true_until.map_or(until, |t| t.min(until)));
        }
        self.checkpoints.forget_after(frame);
    }

    /// Whether the present state is another than that of a run from the beginning.
    fn is_mixed(&self) -> bool {
        self.has_begun() && self.true_until.is_some_and(|t| t < i64::from(self.frame()))
    }

    fn go_to(&mut self, frame: u32) -> Result<(), Fault> {
        self.return_to(frame)?;
        self.goal = Goal::Reach(frame);
        Ok(())
    }

    /// Makes the state that of `frame` or of the nearest one before it that is at hand. A state that is whole and lies
    /// between the two is left alone.
    fn return_to(&mut self, frame: u32) -> Result<(), Fault> {
        let Some(simulation) = &mut self.simulation else {
            return self.open();
        };
        let whole = !self.partial && !matches!(self.fault, Some(Fault::NotFinite { .. }));
        let now = simulation.frame();
        match self.checkpoints.before(frame) {
            Some(checkpoint) if !whole || now > frame || checkpoint.frame > now => {
                simulation.restore(checkpoint)?;
            }
            None if !whole || now > frame => {
                simulation.reset()?;
            }
            _ => {}
        }
        if !self.is_mixed() {
            self.true_until = None;
        }
        self.settled();
        Ok(())
    }

    /// The state is whole again.
    fn settled(&mut self) {
        (self.partial, self.fault) = (false, None);
        let frame = self.frame();
        self.history.retain(|point| point.frame <= frame);
    }

    fn recover(&mut self) -> Result<(), Fault> {
        self.partial = true;
        self.return_to(self.frame())?;
        self.goal = Goal::Wait;
        if self.simulation.as_ref().is_none_or(Simulation::warming_up) {
            self.goal = Goal::Reach(0);
        }
        Ok(())
    }

    fn clear(&mut self) {
        (self.partial, self.true_until, self.fault) = (false, None, None);
        self.checkpoints.clear();
        self.history.clear();
        self.report = Arc::default();
    }

    /// Warm-up, if there is any, then what was going on before.
    fn reach_the_beginning(&mut self) {
        if self.goal != Goal::Play {
            self.goal = Goal::Reach(0);
        }
    }

    /// Whether there is a state that came about in steps.
    fn has_begun(&self) -> bool {
        self.simulation.as_ref().is_some_and(|s| s.done() > 0)
    }

    /// Frames under way.
    fn under_way(&self) -> usize {
        self.simulation.as_ref().map_or(0, Simulation::under_way)
    }

    /// Frames done, those under way included.
    fn frame(&self) -> u32 {
        self.simulation.as_ref().map_or(0, Simulation::frame)
    }
}
