//! The GPU executor.

use super::{DeviceError, Kernel, Result, Timings};

/// A buffer on the GPU.
pub struct GpuBuffer;

/// A copy on its way to the host.
pub struct Readback;

/// A wgpu device and everything recorded on it.
pub struct Gpu;

impl Gpu {
    pub fn new(_software_too: bool) -> Result<Self> {
        Err(DeviceError::NoAdapter("not built yet".into()))
    }
    pub fn is_software(&self) -> bool {
        false
    }
    pub fn name(&self) -> String {
        String::new()
    }
    pub fn create(&mut self, _label: &str, _bytes: u64) -> Result<GpuBuffer> {
        Ok(GpuBuffer)
    }
    pub fn write(&mut self, _buf: &GpuBuffer, _data: &[u8]) {}
    pub fn copy(&mut self, _src: &GpuBuffer, _dst: &GpuBuffer, _bytes: u64) {}
    pub fn clear(&mut self, _buf: &GpuBuffer) {}
    pub fn read(&mut self, _buf: &GpuBuffer) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }
    pub fn read_later(&mut self, _buf: &GpuBuffer, _bytes: u64) -> Readback {
        Readback
    }
    pub fn take(&mut self, _copy: &mut Readback) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }
    pub fn run<K: Kernel>(&mut self, _items: [u32; 3], _kernel: &K) {}
    pub fn sync(&mut self) -> Result<()> {
        Ok(())
    }
    pub fn collect_timings(&mut self, _timings: &mut Timings) {}
}
