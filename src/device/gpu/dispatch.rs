//! Running a kernel: pipeline, uniforms, bind group, group counts, gate.

use super::{Gpu, SLOT_BYTES};
use crate::device::{Arg, Bindings, DeviceError, Kernel, KernelInfo};

/// Groups along one axis that every adapter takes.
const MAX_GROUPS: u32 = 65_535;

impl Gpu {
    /// Runs a kernel over at least `items` invocations.
    pub fn run<K: Kernel>(&mut self, items: [u32; 3], kernel: &K) {
        let mut bindings = Bindings::default();
        kernel.bind(&mut bindings);
        self.dispatch(&K::INFO, items, &bindings.args, true);
    }

    /// Records a dispatch. Inside a loop it runs only while the gate is open, unless `gated` is off.
    pub(super) fn dispatch(
        &mut self,
        info: &KernelInfo,
        items: [u32; 3],
        args: &[Arg<'_>],
        gated: bool,
    ) {
        if self.status.is_lost() || items.contains(&0) {
            return;
        }
        let pipeline = match self.pipelines.get(&self.device, info) {
            Ok(pipeline) => pipeline,
            Err(message) => return self.status.report(DeviceError::Gpu(message)),
        };
        let Some(groups) = group_counts(items, pipeline.workgroup) else {
            return self.status.report(DeviceError::Gpu(format!(
                "{}: {items:?} items are more than a GPU takes in one dispatch",
                info.name
            )));
        };
        let sizes = args.iter().filter_map(|a| match a {
            Arg::Uniform(bytes) => Some(bytes.len()),
            Arg::Buffer(_) => None,
        });
        if !self.ring.has_room(sizes) || self.clock.as_ref().is_some_and(super::Clock::is_full) {
            self.flush();
        }
        let slot = match gated && self.gate.is_some() {
            true => match self.gate_slot(groups) {
                Some(slot) => Some(slot),
                None => return,
            },
            false => None,
        };
        let mut offsets = [0u32; 8];
        let mut uniforms = 0;
        for place in &pipeline.slots {
            match &args[place.arg] {
                Arg::Uniform(bytes) => {
                    offsets[uniforms.min(7)] = self.ring.place(bytes);
                    uniforms += 1;
                }
                Arg::Buffer(buffer) => self.mark(buffer),
            }
        }
        let group = self.groups.get(&self.device, &self.ring, &pipeline, args);
        let clock = match &mut self.clock {
            Some(clock) if self.timing => Some((clock, [self.part, info.name])),
            _ => None,
        };
        let timed = clock.is_some();
        let pass = self.recorder.pass(&self.device, &pipeline, clock);
        pass.set_bind_group(0, group, &offsets[..uniforms.min(8)]);
        match (slot, &self.gate) {
            (Some(slot), Some(gate)) => {
                pass.dispatch_workgroups_indirect(
                    gate.args.raw(),
                    u64::from(slot) * u64::from(SLOT_BYTES),
                );
            }
            _ => pass.dispatch_workgroups(groups[0], groups[1], groups[2]),
        }
        if timed {
            self.recorder.end_pass();
        }
        let invocations = (0..3)
            .map(|a| f64::from(groups[a]) * f64::from(pipeline.workgroup[a]))
            .product();
        if self.recorder.count(invocations, slot.is_some()) {
            self.flush();
        }
    }
}

/// Groups along each axis. A row that is too long is folded into several; such shaders add `id.y` times a row's length.
fn group_counts(items: [u32; 3], workgroup: [u32; 3]) -> Option<[u32; 3]> {
    let mut groups = [0, 1, 2].map(|a| items[a].div_ceil(workgroup[a].max(1)));
    if groups[0] > MAX_GROUPS && items[1] == 1 && items[2] == 1 {
        let rows = groups[0].div_ceil(MAX_GROUPS);
        groups = [MAX_GROUPS, rows, 1];
    }
    groups.iter().all(|g| *g <= MAX_GROUPS).then_some(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rows_are_folded() {
        assert_eq!(group_counts([100, 1, 1], [64, 1, 1]), Some([2, 1, 1]));
        assert_eq!(
            group_counts([5_000_001, 1, 1], [64, 1, 1]),
            Some([65_535, 2, 1])
        );
        assert_eq!(group_counts([33, 17, 5], [16, 16, 1]), Some([3, 2, 5]));
        assert_eq!(group_counts([1 << 24, 2, 1], [16, 16, 1]), None);
    }
}
