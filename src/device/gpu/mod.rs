//! The GPU executor, on wgpu.
//!
//! Commands are recorded into chunks ([`recorder`]); a dispatch needs a pipeline ([`pipelines`]), its uniforms
//! ([`ring`]) and a bind group ([`bindings`]), all of which are kept. Errors of the driver arrive out of order: the first
//! is kept ([`status`]) and returned by the next call that can say so.

mod adapter;
mod bindings;
mod buffer;
mod clock;
mod dispatch;
mod gate;
mod pipelines;
mod readback;
mod recorder;
mod ring;
mod status;

pub use buffer::GpuBuffer;
pub use gate::{Gate, SLOTS};
pub use readback::Readback;

use adapter::block_on;
use bindings::BindGroups;
use buffer::Graveyard;
use clock::Clock;
use gate::SLOT_BYTES;
use pipelines::Pipelines;
use readback::{Arrival, Stagings};
use recorder::Recorder;
use ring::Ring;
use status::Status;

use super::kernels::{CopyWords, Words, ZeroWords};
use super::{Arg, DeviceError, Kernel, Result, Timings};

/// A wgpu device and everything recorded on it.
pub struct Gpu {
    /// Declared first, so that a pass that is open ends before its device.
    recorder: Recorder,
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
    status: Status,
    pipelines: Pipelines,
    groups: BindGroups,
    ring: Ring,
    stagings: Stagings,
    clock: Option<Clock>,
    timing: bool,
    part: &'static str,
    gate: Option<Gate>,
    graveyard: Graveyard,
    buffers: u64,
}

impl Gpu {
    /// Opens the best adapter; with `software_too`, also one that runs on the CPU.
    pub fn new(software_too: bool) -> Result<Self> {
        let status = Status::default();
        let adapter::Opened {
            device,
            queue,
            info,
        } = adapter::open(software_too, &status)?;
        Ok(Self {
            recorder: Recorder::new(adapter::is_software(&info)),
            ring: Ring::new(&device),
            pipelines: Pipelines::new(adapter::is_software(&info)),
            info,
            status,
            groups: BindGroups::default(),
            stagings: Stagings::default(),
            clock: None,
            timing: false,
            part: "",
            gate: None,
            graveyard: Graveyard::default(),
            buffers: 0,
            device,
            queue,
        })
    }

    /// Whether the driver runs on the CPU.
    pub fn is_software(&self) -> bool {
        adapter::is_software(&self.info)
    }

    /// Adapter and interface.
    pub fn name(&self) -> String {
        format!("{} ({})", self.info.name, self.info.backend)
    }

    /// Bytes that one buffer may have.
    pub fn largest_buffer(&self) -> u64 {
        let limits = self.device.limits();
        limits
            .max_storage_buffer_binding_size
            .min(limits.max_buffer_size)
    }

    /// A buffer of zeros.
    pub fn create(&mut self, label: &str, bytes: u64, indirect: bool) -> Result<GpuBuffer> {
        if self.status.is_lost() {
            self.status.check()?;
        }
        let largest = self.largest_buffer();
        if bytes > largest {
            return Err(DeviceError::BufferSize {
                label: label.to_owned(),
                needed: bytes,
                limit: largest,
            });
        }
        let mut usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        usage.set(wgpu::BufferUsages::INDIRECT, indirect);
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let raw = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            // Shaders may look at numbers as vectors, and nothing may be bound empty.
            size: bytes.next_multiple_of(16).max(64),
            usage,
            mapped_at_creation: false,
        });
        if let Some(error) = block_on(scope.pop()) {
            return Err(DeviceError::Gpu(format!(
                "the GPU has no room for {label} ({bytes} bytes): {error}"
            )));
        }
        self.buffers += 1;
        Ok(GpuBuffer::new(self.buffers, raw, self.graveyard.clone()))
    }

    /// Replaces the beginning of a buffer, after the work so far.
    pub fn write(&mut self, buffer: &GpuBuffer, data: &[u8]) {
        if self.status.is_lost() || data.is_empty() {
            return;
        }
        if self.gate.is_some() {
            self.status.report(DeviceError::Gpu(
                "a loop's body writes from the host, which a gate cannot hold back".into(),
            ));
            return;
        }
        // A write comes before all commands of a chunk: those that use the buffer go first.
        if buffer.is_used_in(self.recorder.chunk) {
            self.flush();
        }
        self.queue.write_buffer(buffer.raw(), 0, data);
    }

    /// Copies the first bytes. Inside a loop the gate is obeyed.
    pub fn copy(&mut self, from: &GpuBuffer, to: &GpuBuffer, bytes: u64) {
        if self.status.is_lost() || bytes == 0 {
            return;
        }
        if self.gate.is_some() {
            let words = Words {
                len: (bytes / 4) as u32,
            };
            let args = [
                Arg::Uniform(bytemuck::bytes_of(&words)),
                Arg::Buffer(from),
                Arg::Buffer(to),
            ];
            return self.dispatch(&CopyWords::INFO, [words.len, 1, 1], &args, true);
        }
        self.mark(from);
        self.mark(to);
        self.recorder.encoder(&self.device).copy_buffer_to_buffer(
            from.raw(),
            0,
            to.raw(),
            0,
            bytes,
        );
    }

    /// Sets all bytes to zero. Inside a loop the gate is obeyed.
    pub fn clear(&mut self, buffer: &GpuBuffer) {
        if self.status.is_lost() {
            return;
        }
        if self.gate.is_some() {
            let words = Words {
                len: (buffer.raw().size() / 4) as u32,
            };
            let args = [
                Arg::Uniform(bytemuck::bytes_of(&words)),
                Arg::Buffer(buffer),
            ];
            return self.dispatch(&ZeroWords::INFO, [words.len, 1, 1], &args, true);
        }
        self.mark(buffer);
        self.recorder
            .encoder(&self.device)
            .clear_buffer(buffer.raw(), 0, None);
    }

    /// The first bytes, after all work so far.
    pub fn read(&mut self, buffer: &GpuBuffer, bytes: u64) -> Result<Vec<u8>> {
        let mut copy = self.read_later(buffer, bytes);
        self.finish();
        self.status.check()?;
        match self.stagings.take(&mut copy) {
            Arrival::Here(values) => Ok(values),
            Arrival::Coming | Arrival::Failed => {
                Err(DeviceError::Gpu("the GPU did not send a copy back".into()))
            }
        }
    }

    /// Records a copy of the first bytes to the host.
    pub fn read_later(&mut self, buffer: &GpuBuffer, bytes: u64) -> Readback {
        if self.status.is_lost() {
            return Readback::never();
        }
        self.mark(buffer);
        let chunk = self.recorder.chunk;
        let encoder = self.recorder.encoder(&self.device);
        self.stagings
            .issue(&self.device, encoder, buffer.raw(), bytes, chunk)
    }

    /// The copy, if it has arrived. Sends off the commands that make it.
    pub fn take(&mut self, copy: &mut Readback) -> Result<Option<Vec<u8>>> {
        if copy.chunk == self.recorder.chunk {
            self.flush();
        }
        let arrival = self.peek(copy);
        self.status.check()?;
        match arrival {
            Arrival::Here(values) => Ok(Some(values)),
            Arrival::Coming => Ok(None),
            Arrival::Failed => Err(DeviceError::Gpu("the GPU did not send a copy back".into())),
        }
    }

    /// The copy, if it has arrived; says nothing about errors and sends nothing off.
    pub fn peek_bytes(&mut self, copy: &mut Readback) -> Option<Vec<u8>> {
        match self.peek(copy) {
            Arrival::Here(values) => Some(values),
            _ => None,
        }
    }

    fn peek(&mut self, copy: &mut Readback) -> Arrival {
        self.poll();
        self.stagings.take(copy)
    }

    /// Takes note of what is done.
    fn poll(&mut self) {
        if !self.status.is_lost()
            && let Err(e) = self.device.poll(wgpu::PollType::Poll)
        {
            log::debug!("polling the GPU: {e}");
        }
    }

    /// Sends off what was recorded, waits for it, and says what went wrong.
    pub fn sync(&mut self) -> Result<()> {
        self.finish();
        self.status.check()
    }

    /// Whether kernels are timed from now on. Nothing happens where the adapter has no timestamps.
    pub fn set_timing(&mut self, on: bool) {
        if on && self.clock.is_none() {
            self.clock = Clock::new(&self.device, &self.queue);
        }
        self.timing = on && self.clock.is_some();
    }

    /// Adds the times of the chunks up to that one that have arrived. Whether all have. Sends off what was recorded of it.
    pub fn collect_timings(&mut self, timings: &mut Timings, chunk: u64) -> Result<bool> {
        if chunk == self.recorder.chunk {
            self.flush();
        }
        self.poll();
        self.status.check()?;
        let clock = self.clock.as_mut();
        Ok(clock.is_none_or(|clock| clock.collect(&mut self.stagings, timings, chunk)))
    }

    /// What is recorded from now on is for this part of the work.
    pub fn set_part(&mut self, part: &'static str) {
        self.part = part;
    }

    /// Adds the times that have arrived.
    pub fn collect_done_timings(&mut self, timings: &mut Timings) {
        if let Some(clock) = &mut self.clock {
            clock.collect(&mut self.stagings, timings, u64::MAX);
        }
    }

    /// Shaders that could not be loaded again after an edit.
    pub fn take_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.pipelines.messages)
    }

    /// Destroys the device, as a driver that crashes does.
    pub fn lose_for_test(&mut self) {
        self.device.destroy();
        if let Err(e) = self.device.poll(wgpu::PollType::Poll) {
            log::debug!("polling a destroyed device: {e}");
        }
    }
}
