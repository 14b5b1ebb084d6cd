//! Time per kernel by timestamps. While it is on, each dispatch has a pass of its own, which costs about 3 µs of the CPU.

use std::time::Duration;

use super::readback::{Arrival, Readback, Stagings};
use crate::device::Timings;

/// Dispatches that one query set can time.
const DISPATCHES: u32 = 2048;

/// Timestamps around dispatches.
pub struct Clock {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    ns_per_tick: f64,
    /// Part and kernel of each dispatch of the chunk that is being recorded.
    dispatches: Vec<[&'static str; 2]>,
    coming: Vec<(Vec<[&'static str; 2]>, Readback)>,
}

impl Clock {
    /// None where the adapter has no timestamps.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Option<Self> {
        if !device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        Some(Self {
            set: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timing"),
                ty: wgpu::QueryType::Timestamp,
                count: 2 * DISPATCHES,
            }),
            resolved: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timing"),
                size: u64::from(2 * DISPATCHES) * 8,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            ns_per_tick: f64::from(queue.get_timestamp_period()),
            dispatches: Vec::new(),
            coming: Vec::new(),
        })
    }

    /// Whether the chunk has to be sent before another dispatch can be timed.
    pub fn is_full(&self) -> bool {
        self.dispatches.len() == DISPATCHES as usize
    }

    /// Where the pass of the next dispatch, a part and a kernel, writes its times.
    pub fn time(&mut self, what: [&'static str; 2]) -> wgpu::ComputePassTimestampWrites<'_> {
        let at = 2 * self.dispatches.len() as u32;
        self.dispatches.push(what);
        wgpu::ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(at),
            end_of_pass_write_index: Some(at + 1),
        }
    }

    /// Records the end of the chunk.
    pub fn finish(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        stagings: &mut Stagings,
        chunk: u64,
    ) {
        if self.dispatches.is_empty() {
            return;
        }
        let count = 2 * self.dispatches.len() as u32;
        encoder.resolve_query_set(&self.set, 0..count, &self.resolved, 0);
        let copy = stagings.issue(device, encoder, &self.resolved, u64::from(count) * 8, chunk);
        self.coming
            .push((std::mem::take(&mut self.dispatches), copy));
    }

    /// Adds the times that have arrived.
    pub fn collect(&mut self, stagings: &mut Stagings, timings: &mut Timings) {
        let ns_per_tick = self.ns_per_tick;
        self.coming.retain_mut(|(dispatches, copy)| {
            let bytes = match stagings.take(copy) {
                Arrival::Coming => return true,
                Arrival::Here(bytes) => bytes,
                Arrival::Failed => return false,
            };
            let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
            for ([part, name], t) in dispatches.iter().zip(ticks.chunks_exact(2)) {
                let ns = t[1].saturating_sub(t[0]) as f64 * ns_per_tick;
                timings.add_to(part, name, Duration::from_nanos(ns as u64));
            }
            false
        });
    }
}
