//! Typed buffers and the account of what they take.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{DeviceError, Result, Shared, gpu::GpuBuffer};

/// Values that a buffer can hold.
pub trait Plain: bytemuck::Pod + Send + Sync + Shared {}
impl<T: bytemuck::Pod + Send + Sync + Shared> Plain for T {}

/// A flat array on a device. It frees itself.
pub struct Buf<T> {
    label: String,
    len: usize,
    store: Store<T>,
    _charge: Charge,
}

enum Store<T> {
    Cpu(Vec<T>),
    Gpu(GpuBuffer),
}

impl<T: Plain> Buf<T> {
    pub(super) fn on_cpu(label: &str, data: Vec<T>, charge: Charge) -> Self {
        Self {
            label: label.to_owned(),
            len: data.len(),
            store: Store::Cpu(data),
            _charge: charge,
        }
    }
    pub(super) fn on_gpu(label: &str, len: usize, buffer: GpuBuffer, charge: Charge) -> Self {
        Self {
            label: label.to_owned(),
            len,
            store: Store::Gpu(buffer),
            _charge: charge,
        }
    }
    /// What it is for.
    pub fn label(&self) -> &str {
        &self.label
    }
    /// Number of values.
    pub fn len(&self) -> usize {
        self.len
    }
    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// The values on the CPU device; empty on a GPU.
    pub fn host(&self) -> &[T] {
        match &self.store {
            Store::Cpu(data) => data,
            Store::Gpu(_) => &[],
        }
    }
    /// The values on the CPU device; empty on a GPU.
    pub fn host_mut(&mut self) -> &mut [T] {
        match &mut self.store {
            Store::Cpu(data) => data,
            Store::Gpu(_) => &mut [],
        }
    }
    /// The buffer on a GPU device.
    #[expect(
        clippy::panic,
        reason = "a buffer of one device given to another is a programming error"
    )]
    pub(super) fn gpu(&self) -> &GpuBuffer {
        match &self.store {
            Store::Gpu(buffer) => buffer,
            Store::Cpu(_) => panic!("the buffer \"{}\" belongs to the CPU device", self.label),
        }
    }
}

/// Bytes that are taken until it is dropped.
pub struct Charge {
    bytes: u64,
    used: Arc<AtomicU64>,
}

impl Charge {
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// What the buffers of a device take, and what they may take.
pub struct Account {
    used: Arc<AtomicU64>,
    limit: u64,
}

impl Default for Account {
    fn default() -> Self {
        Self {
            used: Arc::default(),
            limit: 4 << 30,
        }
    }
}

impl Account {
    pub(super) fn set_limit(&mut self, bytes: u64) {
        self.limit = bytes;
    }
    pub(super) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }
    pub(super) fn take(&self, label: &str, bytes: u64) -> Result<Charge> {
        let used = self.used();
        if used.saturating_add(bytes) > self.limit {
            return Err(DeviceError::Memory {
                label: label.to_owned(),
                needed: bytes,
                used,
                limit: self.limit,
            });
        }
        self.used.fetch_add(bytes, Ordering::Relaxed);
        Ok(Charge {
            bytes,
            used: Arc::clone(&self.used),
        })
    }
}
