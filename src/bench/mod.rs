//! The standard workloads: the same work, timed the same way, on any device.
//!
//! A frame is timed from its beginning to the moment when the device has done it. After each frame a triad
//! (`a = b + s·c`, 12 bytes a cell) runs over arrays of the same footprint, all its passes in one parallel region, so that
//! both meet the machine in the same state, and what memory allows stands beside what was reached.

mod lattice;
mod solves;
mod stable;
mod water;

use std::ops::RangeInclusive;
use std::time::Instant;

use serde::Serialize;

use crate::device::{Device, DeviceError, DeviceKind, Triad};
use crate::field::median;

/// Passes of the triad that are timed together.
const PASSES: u32 = 100;

/// A standard workload.
pub struct Workload {
    /// Snake case, without the cells along a side.
    pub kind: &'static str,
    /// What one frame does.
    pub frame: &'static str,
    /// Frames if nothing else is asked for.
    pub frames: u32,
    /// Cells along a side that may be asked for.
    pub sides: RangeInclusive<u32>,
    make: Make,
}

/// Makes a workload of so many cells along a side.
type Make = fn(&mut Device, u32) -> Result<Box<dyn Running>, BenchError>;

/// Cells along a side where nothing else is asked for.
pub const SIDE: u32 = 512;

/// Every workload. `stable_jacobi_512` is the first one at 512² cells; those of solvers run at other sizes too.
pub const WORKLOADS: &[Workload] = &[
    Workload {
        kind: "stable_jacobi",
        frame: "Stable Fluids: advect dye and velocity (semi-Lagrangian, Euler), viscosity, stroke, 100 Jacobi sweeps, projection",
        frames: 60,
        sides: SIDE..=SIDE,
        make: stable::jacobi,
    },
    Workload {
        kind: "stable_fft",
        frame: "the same on 511² with one spectral solve instead of the sweeps",
        frames: 60,
        sides: 511..=511,
        make: stable::spectral,
    },
    Workload {
        kind: "stable_filter",
        frame: "the same with one Poisson filter of order 32 and rank 4 from zero, all its taps, instead of the sweeps",
        frames: 60,
        sides: SIDE..=SIDE,
        make: stable::filter,
    },
    Workload {
        kind: "lbm_d2q9",
        frame: "Lattice Boltzmann, one relaxation time, 24 lattice steps: stroke, stream and collide, advect dye, vorticity",
        frames: 60,
        sides: SIDE..=SIDE,
        make: lattice::d2q9,
    },
    Workload {
        kind: "swe",
        frame: "Shallow Water without momentum: 10 sub-steps, a block of dry land, calm strips at all faces, one column of water set on a circle",
        frames: 60,
        sides: SIDE..=SIDE,
        make: water::linear,
    },
    Workload {
        kind: "swe_momentum",
        frame: "the same with the momentum of the water carried along, which is more than the program does that it stands beside",
        frames: 60,
        sides: SIDE..=SIDE,
        make: water::conservative,
    },
    Workload {
        kind: "jacobi_sweep",
        frame: "100 Jacobi sweeps in a box with closed faces",
        frames: 60,
        sides: SIDES,
        make: solves::jacobi,
    },
    Workload {
        kind: "gauss_seidel_sweep",
        frame: "100 red-black Gauss-Seidel iterations",
        frames: 60,
        sides: SIDES,
        make: solves::gauss_seidel,
    },
    Workload {
        kind: "multigrid_solve",
        frame: "multigrid from zero to less than a thousandth of the right-hand side: two V(2, 2) cycles",
        frames: 60,
        sides: SIDES,
        make: solves::multigrid,
    },
    Workload {
        kind: "pcg_solve",
        frame: "conjugate gradients with multigrid from zero to less than a thousandth: three iterations",
        frames: 60,
        sides: SIDES,
        make: solves::pcg,
    },
    Workload {
        kind: "spectral_solve",
        frame: "one spectral solve, exact but for rounding",
        frames: 60,
        sides: SIDES,
        make: solves::spectral,
    },
    Workload {
        kind: "filter_apply",
        frame: "one Poisson filter of order 32 and rank 4 from zero, all its taps",
        frames: 60,
        sides: SIDES,
        make: solves::filter,
    },
];

/// What solvers are run at.
const SIDES: RangeInclusive<u32> = 16..=8192;

/// A workload and how large it is.
#[derive(Clone, Copy)]
pub struct Chosen {
    /// Which.
    pub workload: &'static Workload,
    /// Cells along a side.
    pub side: u32,
}

impl Chosen {
    /// As on the command line.
    pub fn name(&self) -> String {
        format!("{}_{}", self.workload.kind, self.side)
    }
    /// All at [`SIDE`], or as near as they go.
    pub fn all() -> impl Iterator<Item = Self> {
        WORKLOADS.iter().map(|workload| Self {
            workload,
            side: SIDE.clamp(*workload.sides.start(), *workload.sides.end()),
        })
    }
}

/// A workload that is set up.
trait Running {
    /// Does frame number `frame`.
    fn frame(&mut self, dev: &mut Device, frame: u32) -> Result<(), BenchError>;
    /// Asks for the report of the frame, as whatever shows a simulation does; not timed. A solver measures its curve in few
    /// frames, which it counts by them.
    fn report(&mut self, dev: &mut Device) -> Result<(), BenchError>;
    /// What a frame is made of.
    fn size(&self) -> Size;
}

/// What a frame of a workload is made of.
struct Size {
    /// Numbers in each of the three arrays of the triad, so that it has the footprint of what is counted.
    triad: u32,
    /// Updates of cells that are counted a frame.
    updates: f64,
    /// Bytes that the kernels in `counted` move in a frame.
    bytes: f64,
    /// Names of the kernels, on either device, whose bytes are counted.
    counted: &'static [&'static str],
}

/// Time of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchKernel {
    /// Name.
    pub name: String,
    /// Milliseconds a frame, on average.
    pub ms: f64,
}

/// What was measured; the form of `eddy bench --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchResult {
    /// Name of the workload.
    pub workload: String,
    /// Name of the device.
    pub device: String,
    /// Frames timed.
    pub frames: u32,
    /// Median time of a frame, ms.
    pub ms_median: f64,
    /// Least time of a frame, ms.
    pub ms_min: f64,
    /// Updates of cells a second, from the median: one a frame in the workloads of whole methods, one a sweep in the
    /// workloads of solvers, one a lattice step of lattice Boltzmann.
    pub updates_per_s: f64,
    /// Bytes that the pressure sweeps move a second while they run, from the median over the frames: 12 a cell and sweep
    /// (x and b read, x written), 8 a cell for a filter, 24 for a spectral solve; 73 a cell and lattice step (nine populations
    /// read and written, and a mark); 56 a cell and sub-step of shallow water. For multigrid and conjugate gradients, and where a GPU has no clock, over the whole frame.
    pub bytes_per_s: f64,
    /// Bytes that a triad over arrays of the same footprint moves a second, from the median over the frames.
    pub triad_bytes_per_s: f64,
    /// Time per kernel, in order of first use.
    pub kernels: Vec<BenchKernel>,
}

/// Why a workload did not run.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BenchError {
    /// There is none of that name.
    #[error("there is no workload \"{name}\"; there are {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// The method took another number of sub-steps than the workload is made for.
    #[error("{0} sub-steps were taken where the workload has {1}")]
    Steps(u32, u32),
    /// Someone asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// The workload of that name, such as `spectral_solve_1024`.
///
/// # Errors
/// There is none, with those that there are.
pub fn find(name: &str) -> Result<Chosen, BenchError> {
    let found = WORKLOADS.iter().find_map(|workload| {
        let side = name.strip_prefix(workload.kind)?.strip_prefix('_')?;
        let side = side.parse().ok().filter(|s| workload.sides.contains(s))?;
        Some(Chosen { workload, side })
    });
    let known = || {
        Chosen::all()
            .map(|c| c.name())
            .collect::<Vec<_>>()
            .join(", ")
    };
    found.ok_or_else(|| BenchError::Unknown {
        name: name.to_owned(),
        known: format!(
            "{}; those of solvers with any number of cells along a side from {} to {}",
            known(),
            SIDES.start(),
            SIDES.end()
        ),
    })
}

/// Frames that are not timed: caches fill, a GPU compiles its shaders.
const WARM_UP: u32 = 10;

/// Runs `frames` timed frames of a workload. `stop` is asked before each frame.
///
/// # Errors
/// A device that fails, or someone who asked to stop.
pub fn run(
    chosen: Chosen,
    dev: &mut Device,
    frames: u32,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<BenchResult, BenchError> {
    let threads = dev.threads();
    let frames = frames.clamp(1, u32::MAX - WARM_UP);
    threads.run(|| measure(chosen, dev, frames, stop))
}

fn measure(
    chosen: Chosen,
    dev: &mut Device,
    frames: u32,
    stop: &dyn Fn() -> bool,
) -> Result<BenchResult, BenchError> {
    let ask = || match stop() {
        true => Err(BenchError::Cancelled),
        false => Ok(()),
    };
    ask()?;
    let mut running = (chosen.workload.make)(dev, chosen.side)?;
    let size = running.size();
    let mut triad = Triad::new(dev, size.triad as usize)?;
    for frame in 0..WARM_UP {
        ask()?;
        running.frame(dev, frame)?;
        running.report(dev)?;
        triad.bytes_per_s(dev, PASSES)?;
    }
    let mut measured = Measured::default();
    for frame in WARM_UP..WARM_UP + frames {
        ask()?;
        dev.sync()?;
        dev.take_timings();
        let begin = Instant::now();
        running.frame(dev, frame)?;
        dev.sync()?;
        measured.frame(begin.elapsed().as_secs_f64(), dev, &size);
        running.report(dev)?;
        measured.triads.push(triad.bytes_per_s(dev, PASSES)?);
    }
    // There is at least one frame.
    let middle = |values: &mut [f64]| median(values).unwrap_or(f64::NAN);
    let median_s = middle(&mut measured.seconds);
    Ok(BenchResult {
        workload: chosen.name(),
        device: dev.name(),
        frames,
        ms_median: median_s * 1e3,
        ms_min: measured
            .seconds
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min)
            * 1e3,
        updates_per_s: size.updates / median_s,
        bytes_per_s: size.bytes / middle(&mut measured.counted),
        triad_bytes_per_s: middle(&mut measured.triads),
        kernels: measured.kernels(frames),
    })
}

/// Times of the frames, s.
#[derive(Default)]
struct Measured {
    seconds: Vec<f64>,
    counted: Vec<f64>,
    /// Bytes a second.
    triads: Vec<f64>,
    kernels: Vec<BenchKernel>,
}

impl Measured {
    fn frame(&mut self, seconds: f64, dev: &mut Device, size: &Size) {
        self.seconds.push(seconds);
        let mut counted = 0.0;
        for time in dev.take_timings() {
            if size.counted.contains(&time.name) {
                counted += time.ms * 1e-3;
            }
            match self.kernels.iter_mut().find(|k| k.name == time.name) {
                Some(k) => k.ms += time.ms,
                None => self.kernels.push(BenchKernel {
                    name: time.name.to_owned(),
                    ms: time.ms,
                }),
            }
        }
        debug_assert!(
            counted > 0.0 || size.counted.is_empty() || dev.kind() != DeviceKind::Cpu,
            "no kernel of {:?} has run",
            size.counted
        );
        self.counted
            .push(if counted > 0.0 { counted } else { seconds });
    }
    fn kernels(self, frames: u32) -> Vec<BenchKernel> {
        let mut kernels = self.kernels;
        kernels.iter_mut().for_each(|k| k.ms /= f64::from(frames));
        kernels
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;
    use crate::device::DeviceChoice;

    #[test]
    fn every_workload_runs_and_has_the_keys_that_scripts_read() {
        let mut dev = Device::new(DeviceChoice::Cpu).unwrap();
        for chosen in Chosen::all() {
            let result = run(chosen, &mut dev, 2, &|| false).unwrap();
            assert_eq!((result.frames, &result.workload), (2, &chosen.name()));
            assert!(result.ms_min > 0.0 && result.ms_min <= result.ms_median);
            assert!(result.bytes_per_s > 0.0 && result.triad_bytes_per_s > 0.0);
            let frame = result.kernels.iter().map(|k| k.ms).sum::<f64>();
            assert!(frame > 0.0);
            let json = serde_json::to_value(&result).unwrap();
            let mut keys: Vec<&str> = json
                .as_object()
                .unwrap()
                .keys()
                .map(String::as_str)
                .collect();
            keys.sort_unstable();
            let expected = [
                "bytes_per_s",
                "device",
                "frames",
                "kernels",
                "ms_median",
                "ms_min",
                "triad_bytes_per_s",
                "updates_per_s",
                "workload",
            ];
            assert_eq!(keys, expected);
            assert!(json["kernels"][0]["name"].is_string() && json["kernels"][0]["ms"].is_number());
        }
    }

    #[test]
    fn the_stroke_pushes_the_fluid() {
        let mut dev = Device::new(DeviceChoice::Cpu).unwrap();
        let mut running = stable::Stable::new(&mut dev, SIDE, stable::Pressure::Jacobi).unwrap();
        for frame in 0..3 {
            running.frame(&mut dev, frame).unwrap();
        }
        let speed = running.max_speed(&mut dev).unwrap();
        // Between one and sixteen cells a frame, as in the program that this stands for.
        let cells = speed * 0.002 * 512.0;
        assert!((1.0..16.0).contains(&cells), "{cells}");
    }

    #[test]
    fn an_unknown_workload_is_an_error_that_names_the_known() {
        let error = find("nothing").err().map(|e| e.to_string()).unwrap();
        assert!(error.contains("nothing") && error.contains("stable_jacobi_512"));
        for name in [
            "stable_jacobi_512",
            "jacobi_sweep_512",
            "spectral_solve_100",
        ] {
            assert_eq!(find(name).unwrap().name(), name);
        }
        for name in [
            "stable_jacobi_256",
            "jacobi_sweep",
            "spectral_solve_9999",
            "filter_apply_-1",
        ] {
            assert!(find(name).is_err(), "{name}");
        }
    }

    #[test]
    fn it_stops_before_the_next_frame() {
        let mut dev = Device::new(DeviceChoice::Cpu).unwrap();
        let asked = std::sync::atomic::AtomicU32::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= WARM_UP + 3;
        let workload = find("jacobi_sweep_512").unwrap();
        let error = run(workload, &mut dev, u32::MAX, &stop).unwrap_err();
        assert!(matches!(error, BenchError::Cancelled), "{error}");
        assert_eq!(asked.into_inner(), WARM_UP + 4);
    }
}
