//! What the runner's thread shows.

use std::iter;
use std::sync::Arc;
use std::time::Instant;

use super::{Goal, OBSTACLES, Worker};
use crate::field::FieldData;
use crate::sim::runner::{Snapshot, State};
use crate::sim::{Fault, Simulation};

impl Worker {
    fn state(&self) -> State {
        if let Some(fault) = &self.fault {
            return State::Fault(fault.clone(), self.last_change.clone());
        }
        match (&self.simulation, self.goal) {
            (None, _) => State::Starting(0, 0),
            (Some(s), _) if s.warming_up() => State::Starting(s.done(), self.document.time.warm_up),
            (Some(s), Goal::Reach(frame)) if frame > s.frame() + 1 => {
                State::Starting(s.frame(), frame)
            }
            (_, Goal::Play) => State::Playing,
            _ => State::Paused,
        }
    }

    /// Leaves a snapshot. That the device is gone may be found out here, where nothing else is going on.
    pub(super) fn post(&mut self) {
        if let Err(lost) = self.try_post()
            && !std::mem::replace(&mut self.replacing, true)
        {
            self.attempt(|_| Err(lost));
            self.replacing = false;
        }
    }

    /// Names of the fields that a picture needs: that of the view first.
    pub(super) fn watched(&self) -> Vec<String> {
        let mut names = vec![self.document.view.field.clone()];
        for name in iter::once(OBSTACLES).chain(self.watch.iter().map(String::as_str)) {
            if !names.iter().any(|n| n == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// Reads the watched fields and leaves a snapshot of those that there are.
    fn try_post(&mut self) -> Result<(), Fault> {
        let mut fields = Vec::new();
        let mut lost = Ok(());
        self.pictured = Instant::now();
        let names = self.watched();
        if let Some(simulation) = &mut self.simulation {
            for name in &names {
                match simulation.field(name) {
                    Ok(field) => fields.push(Arc::new(field)),
                    Err(fault @ Fault::Device(_)) => lost = Err(fault),
                    // A field that this method has not: the view says so itself.
                    Err(_) => {}
                }
            }
        }
        let time = self.simulation.as_ref().map_or(0.0, Simulation::time);
        self.show(self.frame(), time, fields);
        lost
    }

    /// Leaves a snapshot of that frame.
    pub(super) fn show(&mut self, frame: u32, time: f64, fields: Vec<Arc<FieldData>>) {
        self.serial += 1;
        let (device, memory_bytes) = match &mut self.simulation {
            Some(s) => (s.device().name(), s.device().memory_used()),
            None => (String::new(), 0),
        };
        self.board.post(Snapshot {
            serial: self.serial,
            state: self.state(),
            frame,
            time,
            fields,
            report: Arc::clone(&self.report),
            frame_ms: self.frame_ms,
            history: Arc::new(self.history.clone()),
            checkpoints: Arc::new(self.checkpoints.frames()),
            device,
            memory_bytes,
            notice: self.notice.clone(),
            mixed: self.is_mixed(),
        });
    }
}
