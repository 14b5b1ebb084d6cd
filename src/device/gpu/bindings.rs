//! Bind groups, kept by pipeline and buffers: making one costs 0.8–1.7 µs, finding one a tenth of that.

use std::collections::HashMap;
use std::sync::PoisonError;

use super::buffer::Graveyard;
use super::pipelines::Pipeline;
use super::ring::Ring;
use crate::device::{Access, Arg};

/// All bind groups of a device.
#[derive(Default)]
pub struct BindGroups {
    /// Keys are the pipeline's number and then the buffers' in the order of the slots.
    groups: HashMap<Box<[u64]>, wgpu::BindGroup>,
    scratch: Vec<u64>,
}

impl BindGroups {
    /// The bind group of these arguments.
    pub fn get(
        &mut self,
        device: &wgpu::Device,
        ring: &Ring,
        pipeline: &Pipeline,
        args: &[Arg<'_>],
    ) -> &wgpu::BindGroup {
        self.scratch.clear();
        self.scratch.push(pipeline.id);
        for slot in &pipeline.slots {
            if let Arg::Buffer(buffer) = &args[slot.arg] {
                self.scratch.push(buffer.id());
            }
        }
        if !self.groups.contains_key(self.scratch.as_slice()) {
            let group = create(device, ring, pipeline, args);
            self.groups.insert(self.scratch.as_slice().into(), group);
        }
        &self.groups[self.scratch.as_slice()]
    }

    /// Forgets the groups of buffers that are gone; they would keep the memory.
    pub fn bury(&mut self, graveyard: &Graveyard) {
        let mut gone = graveyard.lock().unwrap_or_else(PoisonError::into_inner);
        if gone.is_empty() {
            return;
        }
        gone.sort_unstable();
        self.groups
            .retain(|key, _| !key[1..].iter().any(|id| gone.binary_search(id).is_ok()));
        gone.clear();
    }
}

fn create(
    device: &wgpu::Device,
    ring: &Ring,
    pipeline: &Pipeline,
    args: &[Arg<'_>],
) -> wgpu::BindGroup {
    let entries: Vec<wgpu::BindGroupEntry<'_>> = pipeline
        .slots
        .iter()
        .map(|slot| wgpu::BindGroupEntry {
            binding: slot.binding,
            resource: match &args[slot.arg] {
                Arg::Buffer(buffer) => buffer.raw().as_entire_binding(),
                Arg::Uniform(_) => ring.binding(slot.min_size),
            },
        })
        .collect();
    debug_assert!(
        pipeline
            .slots
            .iter()
            .all(|s| { (s.access == Access::Uniform) == matches!(args[s.arg], Arg::Uniform(_)) })
    );
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.layout,
        entries: &entries,
    })
}
