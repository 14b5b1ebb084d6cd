//! The GPU executor.

use super::{DeviceError, Kernel, Result, Timings};

/// A buffer on the GPU.
pub struct GpuBuffer;

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
    pub fn run<K: Kernel>(&mut self, _items: [u32; 3], _kernel: &K) {}
    pub fn sync(&mut self) -> Result<()> {
        Ok(())
    }
    pub fn collect_timings(&mut self, _timings: &mut Timings) {}
}
