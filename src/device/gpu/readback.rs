//! Copies on their way from the GPU to the host.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const COMING: u8 = 0;
const HERE: u8 = 1;
const FAILED: u8 = 2;

/// A copy on its way.
pub struct Readback {
    staging: Option<wgpu::Buffer>,
    state: Arc<AtomicU8>,
    bytes: u64,
    /// The chunk of commands that makes the copy.
    pub chunk: u64,
}

impl Readback {
    /// A copy that never comes, of a device that is gone.
    pub fn never() -> Self {
        Self {
            staging: None,
            state: Arc::new(AtomicU8::new(FAILED)),
            bytes: 0,
            chunk: 0,
        }
    }
}

/// How far a copy is.
pub enum Arrival {
    Coming,
    Here(Vec<u8>),
    Failed,
}

/// Buffers that the host can read, to be used again.
#[derive(Default)]
pub struct Stagings {
    free: Vec<wgpu::Buffer>,
}

/// More than this many are not kept: a frame asks for a dozen copies, and two frames are under way at a time.
const KEPT: usize = 32;

impl Stagings {
    /// Records a copy of the first `bytes` of `source`, to be mapped as soon as it is made.
    pub fn issue(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        source: &wgpu::Buffer,
        bytes: u64,
        chunk: u64,
    ) -> Readback {
        let size = bytes.next_multiple_of(4).max(4);
        let fits = |b: &wgpu::Buffer| b.size() >= size && b.size() <= 4 * size.max(1024);
        let staging = match self.free.iter().position(fits) {
            Some(at) => self.free.swap_remove(at),
            None => device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("readback"),
                size: size.next_power_of_two().max(1024),
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        };
        encoder.copy_buffer_to_buffer(source, 0, &staging, 0, size);
        let state = Arc::new(AtomicU8::new(COMING));
        let seen = Arc::clone(&state);
        encoder.map_buffer_on_submit(&staging, wgpu::MapMode::Read, 0..size, move |result| {
            let now = if result.is_ok() { HERE } else { FAILED };
            seen.store(now, Ordering::Release);
        });
        Readback {
            staging: Some(staging),
            state,
            bytes,
            chunk,
        }
    }

    /// The bytes, once they are there.
    pub fn take(&mut self, copy: &mut Readback) -> Arrival {
        match copy.state.load(Ordering::Acquire) {
            COMING => return Arrival::Coming,
            HERE => {}
            _ => return Arrival::Failed,
        }
        let Some(staging) = copy.staging.take() else {
            return Arrival::Failed;
        };
        let size = copy.bytes.next_multiple_of(4).max(4);
        let values = match staging.slice(0..size).get_mapped_range() {
            Ok(view) => view[..copy.bytes as usize].to_vec(),
            Err(_) => return Arrival::Failed,
        };
        staging.unmap();
        if self.free.len() < KEPT {
            self.free.push(staging);
        }
        Arrival::Here(values)
    }
}
