//! Reading without waiting.

use super::{Buf, Device, Plain, Result, gpu};

/// A copy of a buffer that is on its way. Made by [`Device::read_later`], redeemed by [`Device::take`].
pub struct Ticket<T> {
    state: State<T>,
}

enum State<T> {
    Here(Vec<T>),
    Coming { copy: gpu::Readback },
    Taken,
}

impl Device {
    /// Asks for the contents that the buffer has after the work so far. Later work does not change what is read.
    pub fn read_later<T: Plain>(&mut self, buf: &Buf<T>) -> Ticket<T> {
        let state = match &mut self.backend {
            super::Backend::Cpu(_) => State::Here(buf.host().to_vec()),
            super::Backend::Gpu(gpu) => State::Coming {
                copy: gpu.read_later(buf.gpu(), (buf.len() * size_of::<T>()) as u64),
            },
        };
        Ticket { state }
    }

    /// The values, as soon as they are there; `None` before that and after they were taken. Never waits for the GPU's
    /// work to end, but sends off what was recorded.
    ///
    /// # Errors
    /// Whatever went wrong on the device since the last call that could say so.
    pub fn take<T: Plain>(&mut self, ticket: &mut Ticket<T>) -> Result<Option<Vec<T>>> {
        self.look()?;
        if let (State::Coming { copy }, super::Backend::Gpu(gpu)) =
            (&mut ticket.state, &mut self.backend)
        {
            let Some(bytes) = gpu.take(copy)? else {
                return Ok(None);
            };
            let values = bytemuck::pod_collect_to_vec(&bytes);
            ticket.state = State::Here(values);
        }
        match std::mem::replace(&mut ticket.state, State::Taken) {
            State::Here(values) => Ok(Some(values)),
            other => {
                ticket.state = other;
                Ok(None)
            }
        }
    }
}
