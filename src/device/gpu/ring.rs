//! Uniforms: one buffer, filled on the host while commands are recorded and sent before they are. Equal bytes share a place.

use std::collections::HashMap;

/// Offsets of uniforms are multiples of this on every adapter.
const ALIGN: usize = 256;
const BYTES: usize = 64 << 10;

/// The uniforms of the commands that are being recorded.
pub struct Ring {
    raw: wgpu::Buffer,
    bytes: Vec<u8>,
    places: HashMap<Box<[u8]>, u32>,
}

impl Ring {
    pub fn new(device: &wgpu::Device) -> Self {
        Self {
            raw: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("uniforms"),
                size: BYTES as u64,
                usage: wgpu::BufferUsages::UNIFORM
                    | wgpu::BufferUsages::STORAGE
                    | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            bytes: Vec::with_capacity(BYTES),
            places: HashMap::new(),
        }
    }

    /// Whether uniforms of these sizes fit.
    pub fn has_room(&self, sizes: impl Iterator<Item = usize>) -> bool {
        let more: usize = sizes.map(|s| s.next_multiple_of(ALIGN)).sum();
        self.bytes.len() + more <= BYTES
    }

    /// Where these bytes stand.
    pub fn place(&mut self, value: &[u8]) -> u32 {
        if let Some(at) = self.places.get(value) {
            return *at;
        }
        let at = self.bytes.len();
        self.bytes.extend_from_slice(value);
        self.bytes
            .resize(at + value.len().next_multiple_of(ALIGN), 0);
        self.places.insert(value.into(), at as u32);
        at as u32
    }

    /// The binding, to which a dynamic offset is added. Some interfaces want multiples of 16 bytes.
    pub fn binding(&self, min_size: u64) -> wgpu::BindingResource<'_> {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &self.raw,
            offset: 0,
            size: std::num::NonZeroU64::new(min_size.next_multiple_of(16)),
        })
    }

    /// Sends everything off and starts anew. Writes and submissions keep their order.
    pub fn send(&mut self, queue: &wgpu::Queue) {
        if !self.bytes.is_empty() {
            queue.write_buffer(&self.raw, 0, &self.bytes);
            self.bytes.clear();
            self.places.clear();
        }
    }
}
