//! What moving water leaves: foam where it breaks, wet ground where it was.
//!
//! Water breaks where it piles up or falls, which one speed says: w = h·max(−∇·u, 0) + max(−u·∇η, 0), in m/s.

use rayon::prelude::*;

use super::water::{WaterU, less, more};
use crate::device::Cpu;

crate::shared! {
    /// How foam and wet ground come and go during a step.
    pub struct TraceU {
        /// Foam for each metre by which water falls or rises beyond what is calm.
        pub foam: f32,
        /// Speed at which water begins to foam, m/s.
        pub calm: f32,
        /// Depth below which ground is not fully wet, m.
        pub film: f32,
        /// Share of wetness that stays.
        pub stays: f32,
        /// Step, s.
        pub dt: f32,
        /// 0 if there is neither dye nor foam.
        pub carries: f32,
        /// Nothing.
        pub unused1: f32,
        /// Nothing.
        pub unused2: f32,
    }
}

crate::kernel! {
    /// Foam is born where water breaks and stays on water; ground is wet under water and dries: (depth, ground, u, v) →
    /// (scalars, wet). Foam is the fourth of the scalars.
    pub Traces = "shallow_water/traces.wgsl", traces {
        uniform at: WaterU, uniform trace: TraceU,
        read depth: f32, read ground: f32, read u: f32, read v: f32, write scalars: f32, write wet: f32,
    }
}

/// The water as it is.
#[derive(Clone, Copy)]
pub struct Water<'a> {
    pub at: &'a WaterU,
    pub depth: &'a [f32],
    pub ground: &'a [f32],
    pub u: &'a [f32],
    pub v: &'a [f32],
}

impl Water<'_> {
    /// Height of the surface in a cell as another sees it: its own where the cell is dry.
    #[inline(always)]
    fn surface(&self, c: usize, own: f32) -> f32 {
        if self.depth[c] > self.at.dry {
            self.depth[c] + self.ground[c]
        } else {
            own
        }
    }

    /// Velocity at a centre, m/s.
    #[inline(always)]
    pub fn velocity(&self, i: usize, j: usize) -> [f32; 2] {
        let [nx, _] = self.at.size();
        let (c, k) = (j * nx + i, j * (nx + 1) + i);
        [
            0.5 * (self.u[k] + self.u[k + 1]),
            0.5 * (self.v[c] + self.v[c + nx]),
        ]
    }

    /// Slope of the surface along x and y.
    #[inline(always)]
    pub fn slope(&self, i: usize, j: usize) -> [f32; 2] {
        let [nx, ny] = self.at.size();
        let c = j * nx + i;
        let own = self.depth[c] + self.ground[c];
        let at = |i: usize, j: usize| self.surface(j * nx + i, own);
        let x = at(self.at.after(i, nx, 0), j) - at(self.at.before(i, nx, 0), j);
        let y = at(i, self.at.after(j, ny, 1)) - at(i, self.at.before(j, ny, 1));
        [x * (0.5 / self.at.h), y * (0.5 / self.at.h)]
    }

    /// How fast the water of a cell breaks, m/s.
    #[inline(always)]
    pub fn breaks(&self, i: usize, j: usize) -> f32 {
        let [nx, _] = self.at.size();
        let (c, k) = (j * nx + i, j * (nx + 1) + i);
        let opens = ((self.u[k + 1] - self.u[k]) + (self.v[c + nx] - self.v[c])) / self.at.h;
        let ([x, y], [sx, sy]) = (self.velocity(i, j), self.slope(i, j));
        self.depth[c] * more(-opens, 0.0) + more(-(x * sx + y * sy), 0.0)
    }
}

fn traces(
    _: &Cpu,
    _: [u32; 3],
    at: &WaterU,
    trace: &TraceU,
    depth: &[f32],
    ground: &[f32],
    u: &[f32],
    v: &[f32],
    scalars: &mut [f32],
    wet: &mut [f32],
) {
    let [nx, _] = at.size();
    let water = Water {
        at,
        depth,
        ground,
        u,
        v,
    };
    let rows = scalars.par_chunks_mut(4 * nx).zip(wet.par_chunks_mut(nx));
    rows.enumerate()
        .with_min_len(4)
        .for_each(|(j, (scalars, wet))| {
            let depth = &depth[j * nx..][..nx];
            let cells = scalars.as_chunks_mut::<4>().0;
            if trace.foam > 0.0 {
                for (i, cell) in cells.iter_mut().enumerate() {
                    let born = trace.foam * more(water.breaks(i, j) - trace.calm, 0.0) * trace.dt;
                    cell[3] = less(cell[3] + born, 1.0);
                }
            }
            wets(trace, at.dry, depth, cells, wet);
        });
}

crate::simd_fn! {
    /// Foam stays on water, and ground under water is wet.
    fn wets(trace: &TraceU, dry: f32, depth: &[f32], cells: &mut [[f32; 4]], wet: &mut [f32]) {
        if trace.carries != 0.0 {
            for (h, cell) in depth.iter().zip(cells) {
                cell[3] = if *h > dry { cell[3] } else { 0.0 };
            }
        }
        for (h, wet) in depth.iter().zip(wet) {
            *wet = more(less(*h / trace.film, 1.0), *wet * trace.stays);
        }
    }
}
