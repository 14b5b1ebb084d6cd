//! The one kernel of the coarse levels: a part of a cycle, or a program of parts.

use super::prolong::{prolong, prolong_flat};
use super::rows::{Arrays, restrict, smooth};
use crate::device::{Cpu, Kernel, KernelInfo};

crate::shared! {
    /// What to do.
    pub struct CycleU {
        /// Kind, level, first pass, passes.
        pub part: [u32; 4],
        /// Parts of the program; zero: the part above.
        pub count: u32,
        /// Where the program begins in the tables.
        pub program: u32,
        /// Added to the diagonal of level 0.
        pub shift: f32,
        /// Nothing.
        pub pad0: f32,
    }
}

crate::kernel! {
    /// Parts of a multigrid cycle: (tables, coarse operators, stencil, b, x) → x, state of the coarse levels.
    pub MultigridPart = "poisson/multigrid.wgsl", multigrid_part {
        uniform cycle: CycleU, read tables: [u32; 4], read ints: u32, read coef: f32, read stencil: u32, read rhs: f32,
        write x: f32, write state: f32,
    }
}

/// All of them.
pub const KERNELS: &[KernelInfo] = &[MultigridPart::INFO];

/// Relaxes the level.
pub(super) const SMOOTH: u32 = 0;
/// Relaxes the level from zero; whatever x held does not count.
pub(super) const SMOOTH_ZERO: u32 = 1;
/// Sets x of the level to zero.
pub(super) const CLEAR: u32 = 2;
/// Hands the residual of the level to the next.
pub(super) const RESTRICT: u32 = 3;
/// Adds what the next level found to the level, interpolated.
pub(super) const PROLONG: u32 = 4;
/// Relaxes the level with the colours in the other order.
pub(super) const SMOOTH_BACK: u32 = 5;
/// Adds what the next level found as it is.
pub(super) const PROLONG_FLAT: u32 = 6;

fn multigrid_part(
    _: &Cpu,
    _: [u32; 3],
    cycle: &CycleU,
    tables: &[[u32; 4]],
    ints: &[u32],
    coef: &[f32],
    stencil: &[u32],
    rhs: &[f32],
    x: &mut [f32],
    state: &mut [f32],
) {
    let mut arrays = Arrays {
        tables,
        ints,
        coef,
        stencil,
        rhs,
        shift: cycle.shift,
        x,
        state,
    };
    let single = [cycle.part];
    let program = match cycle.count {
        0 => &single[..],
        n => &tables[cycle.program as usize..][..n as usize],
    };
    for [kind, level, first, passes] in program {
        let level = *level as usize;
        match *kind {
            RESTRICT => restrict(&mut arrays, level),
            PROLONG => prolong(&mut arrays, level),
            PROLONG_FLAT => prolong_flat(&mut arrays, level),
            CLEAR => arrays.at(level).x(arrays.state).fill(0.0),
            _ => {
                for pass in *first..*first + *passes {
                    let colour = (pass + u32::from(*kind == SMOOTH_BACK)) & 1;
                    smooth(
                        &mut arrays,
                        level,
                        pass & 1,
                        colour,
                        *kind == SMOOTH_ZERO && pass == 0,
                    );
                }
            }
        }
    }
}
