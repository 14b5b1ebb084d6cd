//! Frames under way: a GPU is given the next frame before it has said what became of the last.
//!
//! 1. [`Simulation::send`] gives the device the sub-steps of a frame and asks for the report. How many sub-steps there are
//!    hangs on the largest speed after the frame before. Where that frame is still under way, the speed after the one before
//!    that is taken, and the state is copied on the device.
//! 2. [`Simulation::ask_fields`] and [`Simulation::ask_checkpoint`] ask for more of the same frame.
//! 3. [`Simulation::land`] takes what the oldest frame under way did. If a value is not finite, the state goes back to the end
//!    of that frame. If the frame after it was begun with another number of sub-steps than the speed now asks for, the state
//!    goes back too, and that frame has to be sent again.
//!
//! So the run is bit by bit the one that [`Simulation::advance`] makes, which waits for each frame. On the CPU a frame lands as
//! soon as it was sent, and nothing is ever copied or undone.

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use super::fault::MOST_SUBSTEPS;
use super::{Checkpoint, Fault, Simulation};
use crate::device::{DeviceError, Ticket};
use crate::field::FieldData;
use crate::solvers::StepReport;

/// Frames that may be under way.
pub(super) const MOST_FLIGHTS: usize = 2;

/// A frame that has landed.
#[derive(Debug)]
pub struct Landed {
    /// What it did.
    pub report: StepReport,
    /// Frames done with it; 0 during warm-up.
    pub frame: u32,
    /// Whether more of the warm-up comes after it.
    pub warming_up: bool,
    /// Wall time, ms: from when it was sent, or the frame before it had landed, until it was there.
    pub ms: f32,
    /// Fields after it, if they were asked for.
    pub fields: Option<Vec<FieldData>>,
    /// The state after it, if it was asked for.
    pub checkpoint: Option<Checkpoint>,
    /// Whether the frame after it was undone and is to be sent again.
    pub next_undone: bool,
}

/// A frame under way.
pub(super) struct Flight {
    /// Frames done with it, warm-up included.
    done: u32,
    substeps: u32,
    /// Sub-steps that the method must have.
    needed: u32,
    begun: Instant,
    /// Wall time, where the frame was done as soon as it was sent.
    took: Option<Duration>,
    landed: Ticket<Landed>,
}

impl Simulation {
    /// Frames under way.
    pub fn under_way(&self) -> usize {
        self.flights.len()
    }

    /// Whether a frame may be sent before another has landed. Not while it is in doubt how many sub-steps it has: a wrong
    /// guess costs a frame.
    pub fn may_send(&mut self) -> bool {
        match self.flights.len() {
            0 => true,
            n if n < MOST_FLIGHTS => {
                let change = 2.0 * (self.max_speed - self.speed_before).abs();
                let [fewest, most] =
                    [-change, change].map(|c| self.for_accuracy(self.max_speed + c));
                let (device, backup) = (&mut self.device, &mut self.backup);
                fewest == most && backup.has_room(device, &self.method.state())
            }
            _ => false,
        }
    }

    /// Sends a frame off, be it of the warm-up or not. `cancelled` is asked before each sub-step.
    ///
    /// # Errors
    /// See [`Simulation::step`]. [`Fault::Internal`] if no frame may be sent.
    pub fn send(&mut self, cancelled: &dyn Fn() -> bool) -> Result<(), Fault> {
        if !self.may_send() {
            return Err(Fault::Internal("too many frames are under way".to_owned()));
        }
        self.device.submit();
        // What was done to begin, for pictures and for checkpoints is not the frame's.
        let between = self.device.timings_later();
        let (frame_dt, begun) = (self.frame_dt(), Instant::now());
        let needed = self.needed(frame_dt)?;
        let substeps = self.for_accuracy(self.max_speed).max(needed);
        if self.flights.is_empty() {
            self.backup.forget();
        } else {
            let state = self.method.state();
            self.backup.keep(&mut self.device, &state, self.done);
        }
        let dt = frame_dt / substeps as f32;
        let (begin, threads) = (self.time(), self.device.threads());
        for i in 0..substeps {
            if cancelled() {
                return Err(Fault::Cancelled);
            }
            threads.run(|| {
                let scene = self.scene_at(begin + f64::from(dt) * f64::from(i), dt);
                let params = match &self.tracks {
                    Some(tracks) => tracks.method(),
                    None => &self.document.method,
                };
                self.method.step(&mut self.device, &scene, params, dt);
            });
        }
        let report = threads.run(|| self.method.report(&mut self.device))?;
        self.done += 1;
        let kernels = self.device.timings_later();
        let (time, frame, warming_up) = (self.time(), self.frame(), self.warming_up());
        let all = between.and(report).and(kernels);
        let landed = all.map(move |((_, report), kernels)| Landed {
            report: StepReport {
                time,
                dt,
                substeps,
                kernels,
                ..report
            },
            frame,
            warming_up,
            ms: 0.0,
            fields: None,
            checkpoint: None,
            next_undone: false,
        });
        self.flights.push_back(Flight {
            done: self.done,
            substeps,
            needed,
            begun,
            took: landed.is_here().then(|| begun.elapsed()),
            landed,
        });
        Ok(())
    }

    /// Asks for fields as they are after the frame that was sent last. Those that the method has not are left out.
    pub fn ask_fields(&mut self, names: &[String]) {
        let names = names.iter();
        let fields = names.filter_map(|name| self.field_later(name).ok());
        let fields = Ticket::all(fields.collect());
        self.ask(fields, |landed, fields| landed.fields = Some(fields));
    }

    /// Asks for the state after the frame that was sent last.
    pub fn ask_checkpoint(&mut self) {
        let state = self.checkpoint_later();
        self.ask(state, |landed, state| landed.checkpoint = Some(state));
    }

    fn ask<V: Send + 'static>(&mut self, ticket: Ticket<V>, put: fn(&mut Landed, V)) {
        if let Some(mut flight) = self.flights.pop_back() {
            flight.landed = flight.landed.and(ticket).map(move |(mut landed, value)| {
                put(&mut landed, value);
                landed
            });
            self.flights.push_back(flight);
        }
    }

    /// Takes what the oldest frame under way did, if it is there within `time`; with none, it is waited for. Nothing if no
    /// frame is under way.
    ///
    /// # Errors
    /// [`Fault::NotFinite`] and those of the device; see [`Simulation::step`]. Nothing is under way then.
    pub fn land(&mut self, time: Option<Duration>) -> Result<Option<Landed>, Fault> {
        let Some(flight) = self.flights.front_mut() else {
            return Ok(None);
        };
        // The frames behind it too, so that there is work when it has landed.
        self.device.submit();
        let landed = match self.device.take_within(&mut flight.landed, time) {
            Ok(Some(landed)) => landed,
            Ok(None) if time.is_some() => return Ok(None),
            Ok(None) => {
                self.flights.clear();
                return Err(DeviceError::Gpu("the GPU did not send a report".to_owned()).into());
            }
            Err(e) => {
                self.flights.clear();
                return Err(e.into());
            }
        };
        match self.flights.pop_front() {
            Some(flight) => self.judge(&flight, landed).map(Some),
            None => Ok(None),
        }
    }

    /// What follows from a frame that has landed.
    fn judge(&mut self, flight: &Flight, mut landed: Landed) -> Result<Landed, Fault> {
        let took = flight
            .took
            .unwrap_or_else(|| flight.begun.max(self.landed_at).elapsed());
        landed.ms = took.as_secs_f32() * 1e3;
        self.landed_at = Instant::now();
        let speed = landed.report.get("max_speed").unwrap_or(0.0) as f32;
        (self.speed_before, self.max_speed) = (self.max_speed, speed);
        if let Some(checkpoint) = &mut landed.checkpoint {
            checkpoint.max_speed = speed;
        }
        if let Some(bad) = landed
            .report
            .invariants
            .iter()
            .find(|i| !i.value.is_finite())
        {
            self.undo_after(flight.done);
            return Err(self.first_bad_cell(bad.label)?);
        }
        if let Some(next) = self.flights.front()
            && next.substeps != self.for_accuracy(speed).max(next.needed)
        {
            self.undo_after(flight.done);
            landed.next_undone = true;
        }
        Ok(landed)
    }

    /// Undoes what was done after `done` frames.
    fn undo_after(&mut self, done: u32) {
        self.flights.clear();
        let mut state = self.method.state();
        if self.backup.put_back(&mut self.device, &mut state, done) {
            drop(state);
            self.method.restored();
            self.done = done;
        }
    }

    /// Waits until nothing is under way.
    pub(super) fn settle(&mut self) -> Result<(), Fault> {
        while self.land(None)?.is_some() {}
        Ok(())
    }

    /// Sub-steps that the CFL limit asks for at that speed, but no more than allowed.
    fn for_accuracy(&self, speed: f32) -> u32 {
        let time = &self.document.time;
        let h = self.document.scene.domain.grid().h;
        let wanted = (speed * self.frame_dt() / (time.cfl * h)).ceil();
        (wanted as u32).clamp(1, time.max_substeps.max(1))
    }

    /// Sub-steps that the method must have.
    fn needed(&mut self, frame_dt: f32) -> Result<u32, Fault> {
        let scene = self.scene_at(self.time(), frame_dt);
        let mut max_dt = self.method.max_dt(&scene, self.params());
        if self.tracks.is_some() {
            // What is animated may need shorter steps at the end of the frame.
            let scene = self.scene_at(self.time() + f64::from(frame_dt), frame_dt);
            max_dt = max_dt.min(self.method.max_dt(&scene, self.params()));
        }
        let needed = (frame_dt / max_dt).ceil();
        if needed > MOST_SUBSTEPS as f32 {
            let hint = "reduce what limits the step (explicit viscosity, say), the cells, or the time scale";
            return Err(Fault::Unstable { needed, hint });
        }
        Ok(needed as u32)
    }
}
