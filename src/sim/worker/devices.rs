//! The device changes: because someone chose another, or because it was lost.

use std::sync::Arc;

use super::{Goal, Worker};
use crate::device::{Device, DeviceChoice, DeviceError};
use crate::sim::{Fault, Simulation};

impl Worker {
    pub(super) fn open_on(&mut self, device: Device) -> Result<(), Fault> {
        let document = Arc::clone(&self.document);
        self.simulation = Some(Simulation::new(document, self.base.clone(), device)?);
        Ok(())
    }

    pub(super) fn change_device(&mut self) -> Result<(), Fault> {
        let device = self.open_device(self.device)?;
        match &mut self.simulation {
            Some(simulation) => {
                let frame = simulation.frame();
                simulation.move_to(device, self.checkpoints.before(frame))?;
                self.settled();
                self.goal = if self.goal == Goal::Play {
                    Goal::Play
                } else {
                    Goal::Reach(frame)
                };
                Ok(())
            }
            None => self.open(),
        }
    }

    /// A driver that goes away may complain about a command first: whatever it says, a device that is lost is lost.
    pub(super) fn root_cause(&mut self, fault: Fault) -> Fault {
        match (&fault, &mut self.simulation) {
            (Fault::Device(DeviceError::Gpu(_)), Some(simulation)) => {
                match simulation.device().sync() {
                    Err(lost @ DeviceError::Lost(_)) => Fault::Device(lost),
                    _ => fault,
                }
            }
            _ => fault,
        }
    }

    /// The GPU went away: another one, or the CPU, goes on from the last checkpoint.
    pub(super) fn replace_device(&mut self, why: &str) -> Result<(), Fault> {
        let device = self
            .open_device(self.device)
            .or_else(|_| self.open_device(DeviceChoice::Cpu))?;
        self.notice = Some(format!(
            "The GPU was lost ({why}); going on with {}.",
            device.name()
        ));
        let Some(simulation) = &mut self.simulation else {
            return self.open_on(device);
        };
        let frame = simulation.frame();
        simulation.move_to(device, self.checkpoints.before(frame))?;
        self.settled();
        if self.goal == Goal::Wait {
            self.goal = Goal::Reach(frame);
        }
        self.post();
        Ok(())
    }
}
