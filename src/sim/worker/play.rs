//! Frame after frame. On a GPU the next frame is sent before the one under way has landed.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::{Goal, Worker};
use crate::sim::runner::HistoryPoint;
use crate::sim::{Fault, Simulation};

/// Frames in the history; when there are more the oldest quarter goes.
const MOST_HISTORY: usize = 4000;
/// While playing, pictures are at least so far apart: a screen shows no more.
const PICTURE_INTERVAL: Duration = Duration::from_millis(12);

impl Worker {
    /// Sends the next frame when it is time for it. Until then what is under way may land.
    pub(super) fn go_on(&mut self) -> Result<(), Fault> {
        let left = self.next_frame.saturating_duration_since(Instant::now());
        if self.goal == Goal::Play && self.under_way() > 0 && !left.is_zero() {
            return self.land(Some(left)).map(drop);
        }
        if self.partial {
            // The command that broke a frame off did not put the state right: it may have failed.
            self.return_to(self.frame())?;
        }
        if self.is_at_goal() {
            self.land_all()?;
            // A frame that was undone is still to be done.
            if self.is_at_goal() {
                self.goal = Goal::Wait;
                self.keep_checkpoint()?;
                self.post();
            }
            return Ok(());
        }
        if self.is_at_end() {
            self.land_all()?;
            // A frame that was undone is still to be done.
            if self.is_at_end() {
                return self.return_to(self.document.time.first_frame);
            }
            return Ok(());
        }
        self.one_frame()
    }

    /// Whether the frame to reach has been sent.
    fn is_at_goal(&self) -> bool {
        let whole = |s: &Simulation, frame| !s.warming_up() && s.frame() >= frame;
        let simulation = self.simulation.as_ref();
        matches!(self.goal, Goal::Reach(frame) if simulation.is_some_and(|s| whole(s, frame)))
    }

    /// Whether the range is to be played from its beginning.
    fn is_at_end(&self) -> bool {
        let time = &self.document.time;
        let ended = |s: &Simulation| s.frame() >= time.end_frame && !s.warming_up();
        self.looping
            && self.goal == Goal::Play
            && time.first_frame < time.end_frame
            && self.simulation.as_ref().is_some_and(ended)
    }

    fn one_frame(&mut self) -> Result<(), Fault> {
        while self.simulation.as_mut().is_some_and(|s| !s.may_send()) {
            self.land(None)?;
        }
        let (begin, board) = (Instant::now(), Arc::clone(&self.board));
        let Some(simulation) = &mut self.simulation else {
            return Ok(());
        };
        let sent = simulation.send(&|| board.interrupts.load(Ordering::Acquire) > 0);
        if let Err(fault) = sent {
            // What went wrong before it comes first.
            self.land_all()?;
            return Err(fault);
        }
        if !simulation.warming_up() && self.checkpoints.wants(simulation.frame()) {
            simulation.ask_checkpoint();
        }
        if self.pictured.elapsed() >= PICTURE_INTERVAL {
            self.pictured = Instant::now();
            let names = self.watched();
            if let Some(simulation) = &mut self.simulation {
                simulation.ask_fields(&names);
            }
        }
        let interval = if self.speed > 0.0 {
            1.0 / (self.speed * self.document.time.frame_rate)
        } else {
            0.0
        };
        self.next_frame = begin + Duration::from_secs_f32(interval.min(10.0));
        // On the CPU this is the frame itself.
        while self.land(Some(Duration::ZERO))? {}
        Ok(())
    }

    /// Waits for all that is under way.
    pub(super) fn land_all(&mut self) -> Result<(), Fault> {
        while self.land(None)? {}
        Ok(())
    }

    /// Shows what a report has to say that the one before did not. Numbers may change from frame to frame.
    fn tell(&mut self, notices: &[String]) {
        let plain = |text: &String| text.chars().filter(|c| !c.is_ascii_digit()).collect();
        let now: Vec<String> = notices.iter().map(plain).collect();
        let new = now.iter().position(|text| !self.told.contains(text));
        if let Some(text) = new.and_then(|i| notices.get(i)) {
            self.notice = Some(text.clone());
        }
        self.told = now;
    }

    /// Takes over what the oldest frame under way did, if it lands within `time`; with none, it is waited for. Whether one
    /// has landed.
    fn land(&mut self, time: Option<Duration>) -> Result<bool, Fault> {
        let Some(simulation) = &mut self.simulation else {
            return Ok(false);
        };
        let Some(landed) = simulation.land(time)? else {
            return Ok(false);
        };
        if let Some(message) = simulation.device().take_messages().pop() {
            self.notice = Some(message);
        }
        if landed.next_undone {
            self.next_frame = Instant::now();
        }
        self.tell(&landed.report.notices);
        self.frame_ms = landed.ms;
        self.report = Arc::new(landed.report);
        if !landed.warming_up {
            self.remember(landed.frame);
        }
        if let Some(checkpoint) = landed.checkpoint {
            self.checkpoints.keep(checkpoint);
        }
        if let Some(fields) = landed.fields {
            let fields = fields.into_iter().map(Arc::new).collect();
            self.show(landed.frame, self.report.time, fields);
        }
        Ok(true)
    }

    /// Keeps a checkpoint of the present frame, if one is wanted. Nothing is under way.
    fn keep_checkpoint(&mut self) -> Result<(), Fault> {
        if let Some(simulation) = &mut self.simulation
            && self.checkpoints.wants(simulation.frame())
        {
            let checkpoint = simulation.checkpoint()?;
            self.checkpoints.keep(checkpoint);
        }
        Ok(())
    }

    fn remember(&mut self, frame: u32) {
        let solve = self.report.pressure();
        let mut point = HistoryPoint {
            frame,
            frame_ms: self.frame_ms,
            substeps: self.report.substeps,
            residual: solve.map_or([0.0; 2], |s| [s.l2_before, s.l2]),
            brought: solve.map_or(0.0, |s| s.l2_zero),
            iterations: solve.map_or(0, |s| s.iterations),
            converged: solve.is_some_and(|s| s.converged),
            invariants: self.report.invariants.clone(),
            kernels: self.report.kernels.clone(),
        };
        point.kernels.retain(|k| k.ms > 0.0);
        self.history.push(Arc::new(point));
        if self.history.len() > MOST_HISTORY {
            self.history.drain(..MOST_HISTORY / 4);
        }
    }
}
