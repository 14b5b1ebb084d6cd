//! One scene in several ways, cost and error side by side.
//!
//! 1. *Ways* ([`combinations`], [`Question`]): the document with other methods, solvers or values of parameters.
//! 2. *Reference* ([`references`]): the scene as it is given but with every iterative solver ten times as long as any that is
//!    compared and without an early end; where pressure solvers are compared, with the one that leaves the least residual.
//! 3. *Measure* ([`run`]): all begin with the same state and run in step. What a way costs is the median of its frames; what
//!    it leaves of the residual and of the divergence is that of the last frame. How it *looks* is measured against the
//!    reference: the root mean square, over the cells, of the difference in dye and velocity at the same frame. A way that
//!    fails says why, and the others go on.
//! 4. *Judge* ([`Measure`], [`pareto`], [`cheapest_within`]): which ways are cheaper than all that are as good, and which is the
//!    cheapest that is good enough.
//!
//! The command line and the editor only show what comes of it.

mod field;
mod judge;
mod measure;
mod question;
mod racer;
mod reference;
mod run;
mod ways;
mod work;

pub use field::{Kept, coarser, difference};
pub use judge::{Budget, Cost, Measure, cheapest_within, closest, doubt, pareto};
pub use measure::{COLUMNS, Column, Reference, Row};
pub use question::{Question, variable};
pub use reference::{Candidate, REFERENCE_FACTOR, references};
pub use run::{At, Ended, Entry, Open, Plan, Progress, Stand, Standing, Watch, run};
pub use ways::{Change, MAX_WAYS, Way, changes, combinations, same_but_strokes, same_simulation};
