//! Buffers on the GPU.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Numbers of buffers that are gone, whose bind groups can go too.
pub type Graveyard = Arc<Mutex<Vec<u64>>>;

/// A buffer on the GPU. Clones are the same buffer.
#[derive(Clone)]
pub struct GpuBuffer(Arc<Inner>);

struct Inner {
    id: u64,
    raw: wgpu::Buffer,
    /// The chunk of commands that last mentions it.
    used: AtomicU64,
    graveyard: Graveyard,
}

impl Drop for Inner {
    fn drop(&mut self) {
        let mut gone = self
            .graveyard
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        gone.push(self.id);
    }
}

impl GpuBuffer {
    pub fn new(id: u64, raw: wgpu::Buffer, graveyard: Graveyard) -> Self {
        Self(Arc::new(Inner {
            id,
            raw,
            used: AtomicU64::new(0),
            graveyard,
        }))
    }
    /// Never the same for two buffers of a device.
    pub fn id(&self) -> u64 {
        self.0.id
    }
    pub fn raw(&self) -> &wgpu::Buffer {
        &self.0.raw
    }
    /// Notes that a command of chunk `chunk` mentions it.
    pub fn mark(&self, chunk: u64) {
        self.0.used.store(chunk, Ordering::Relaxed);
    }
    /// The chunk of commands that last mentions it.
    pub fn used(&self) -> u64 {
        self.0.used.load(Ordering::Relaxed)
    }
    /// Whether a command of chunk `chunk` mentions it.
    pub fn is_used_in(&self, chunk: u64) -> bool {
        self.used() == chunk
    }
}
