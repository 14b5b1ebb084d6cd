//! Reading without waiting: tickets.
//!
//! [`Device::read_later`] asks for a buffer as it is after the work so far, and gives a ticket for it. What is to be made of
//! the numbers is said at once, by [`Ticket::map`] and [`Ticket::and`], and done when they are there. Whoever needs the
//! result takes it ([`Device::take`]) or waits for it ([`Ticket::wait`]); meanwhile the device works on. On the CPU all is
//! there at once.

use std::mem::replace;
use std::time::Duration;

use super::{Backend, Buf, Device, DeviceError, KernelTime, Plain, Result};

/// A value that is on its way.
pub struct Ticket<V> {
    state: State<V>,
    /// The chunk of the GPU's commands that brings it.
    chunk: u64,
}

type Look<V> = Box<dyn FnMut(&mut Device) -> Result<Option<V>> + Send>;

enum State<V> {
    Here(V),
    Coming(Look<V>),
    Taken,
}

impl<V: Send + 'static> Ticket<V> {
    /// A value that is there already.
    pub fn here(value: V) -> Self {
        Self {
            state: State::Here(value),
            chunk: 0,
        }
    }

    fn coming(
        chunk: u64,
        look: impl FnMut(&mut Device) -> Result<Option<V>> + Send + 'static,
    ) -> Self {
        Self {
            state: State::Coming(Box::new(look)),
            chunk,
        }
    }

    /// Whether nothing has to be waited for; always so on the CPU.
    pub fn is_here(&self) -> bool {
        matches!(self.state, State::Here(_))
    }

    /// What `make` makes of the value, when it is there.
    pub fn map<W: Send + 'static>(
        mut self,
        make: impl FnOnce(V) -> W + Send + 'static,
    ) -> Ticket<W> {
        if let State::Here(value) = self.state {
            return Ticket::here(make(value));
        }
        let mut make = Some(make);
        Ticket::coming(self.chunk, move |dev| {
            let value = dev.take(&mut self)?;
            Ok(value.and_then(|value| Some(make.take()?(value))))
        })
    }

    /// Both values, when both are there.
    pub fn and<W: Send + 'static>(mut self, mut other: Ticket<W>) -> Ticket<(V, W)> {
        (self.state, other.state) = match (self.state, other.state) {
            (State::Here(a), State::Here(b)) => return Ticket::here((a, b)),
            states => states,
        };
        let chunk = self.chunk.max(other.chunk);
        let mut first = None;
        let look = move |dev: &mut Device| {
            if first.is_none() {
                first = dev.take(&mut self)?;
            }
            if first.is_none() {
                return Ok(None);
            }
            let second = dev.take(&mut other)?;
            Ok(second.and_then(|second| Some((first.take()?, second))))
        };
        Ticket::coming(chunk, look)
    }

    /// All values, when all are there.
    pub fn all(tickets: Vec<Self>) -> Ticket<Vec<V>> {
        tickets
            .into_iter()
            .fold(Ticket::here(Vec::new()), |list, next| {
                list.and(next).map(|(mut list, value)| {
                    list.push(value);
                    list
                })
            })
    }

    /// The value, when all work is done that it hangs on.
    ///
    /// # Errors
    /// As [`Device::read`].
    pub fn wait(mut self, dev: &mut Device) -> Result<V> {
        dev.take_within(&mut self, None)?
            .ok_or_else(|| DeviceError::Gpu("the GPU did not send a copy back".into()))
    }
}

impl Device {
    /// Asks for the contents that the buffer has after the work so far. Later work does not change what is read.
    pub fn read_later<T: Plain>(&mut self, buf: &Buf<T>) -> Ticket<Vec<T>> {
        match &mut self.backend {
            Backend::Cpu(_) => Ticket::here(buf.host().to_vec()),
            Backend::Gpu(gpu) => {
                let mut copy = gpu.read_later(buf.gpu(), (buf.len() * size_of::<T>()) as u64);
                Ticket::coming(copy.chunk, move |dev| {
                    let Backend::Gpu(gpu) = &mut dev.backend else {
                        return Ok(None);
                    };
                    let bytes = gpu.take(&mut copy)?;
                    Ok(bytes.map(|bytes| bytemuck::pod_collect_to_vec(&bytes)))
                })
            }
        }
    }

    /// Asks for what [`Device::take_timings`] gives when the work so far is done. Such tickets are taken in the order in
    /// which they were asked for; the times of one that is dropped go to the next.
    pub fn timings_later(&mut self) -> Ticket<Vec<KernelTime>> {
        match &mut self.backend {
            Backend::Cpu(_) => Ticket::here(self.timings.take()),
            Backend::Gpu(gpu) => {
                let chunk = gpu.last_chunk();
                Ticket::coming(chunk, move |dev| {
                    let Backend::Gpu(gpu) = &mut dev.backend else {
                        return Ok(None);
                    };
                    let all = gpu.collect_timings(&mut dev.timings, chunk)?;
                    Ok(all.then(|| dev.timings.take()))
                })
            }
        }
    }

    /// The value, as soon as it is there; `None` before that and after it was taken. Never waits for the GPU's work to
    /// end, but sends off what was recorded.
    ///
    /// # Errors
    /// Whatever went wrong on the device since the last call that could say so.
    pub fn take<V>(&mut self, ticket: &mut Ticket<V>) -> Result<Option<V>> {
        self.look()?;
        match replace(&mut ticket.state, State::Taken) {
            State::Here(value) => Ok(Some(value)),
            State::Taken => Ok(None),
            State::Coming(mut look) => {
                let found = look(self);
                if !matches!(found, Ok(Some(_))) {
                    ticket.state = State::Coming(look);
                }
                found
            }
        }
    }

    /// The value, if it comes within that time; with none, it is waited for.
    ///
    /// # Errors
    /// As [`Device::take`].
    pub fn take_within<V>(
        &mut self,
        ticket: &mut Ticket<V>,
        time: Option<Duration>,
    ) -> Result<Option<V>> {
        if let (Backend::Gpu(gpu), State::Coming(_)) = (&mut self.backend, &ticket.state) {
            gpu.wait_for(ticket.chunk, time);
        }
        self.take(ticket)
    }

    /// How often the host has waited until the GPU had nothing left to do: with each [`Device::read`] and
    /// [`Device::sync`], and with each wait for what was asked for last. Always 0 on the CPU.
    pub fn stalls(&self) -> u64 {
        match &self.backend {
            Backend::Cpu(_) => 0,
            Backend::Gpu(gpu) => gpu.stalls(),
        }
    }
}
