//! `eddy bench`: the standard workloads, and how fast they are.

use super::output::table;
use super::progress::Progress;
use super::scene::DeviceArg;
use super::{Error, Result, interrupt, output};
use crate::bake::plan::MAX_FRAME;
use crate::bench::{self, BenchResult, Chosen};
use crate::device::Device;

/// Arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Workload to run; all of them where nothing is said. Can be given more than once. The number is that of cells along a
    /// side; those of solvers run with any from 16 to 8192.
    #[arg(long = "workload", value_name = "NAME")]
    workloads: Vec<String>,
    /// Where to run: `auto` takes a real GPU if there is one, else the CPU.
    #[arg(long, value_enum, default_value_t = DeviceArg::Auto)]
    device: DeviceArg,
    /// Frames to time; each workload's own number where nothing is said.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_FRAME)))]
    frames: Option<u32>,
    /// Writes the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the workloads one after the other on one device.
pub fn run(args: &Args) -> Result {
    let mut chosen = Vec::new();
    if args.workloads.is_empty() {
        chosen.extend(Chosen::all());
    }
    for name in &args.workloads {
        chosen.push(bench::find(name).map_err(|e| Error::Usage(e.to_string()))?);
    }
    interrupt::listen();
    let mut device = Device::new(args.device.choice())?;
    let mut progress = Progress::new();
    let mut results = Vec::new();
    for (i, workload) in chosen.iter().enumerate() {
        progress.update(&workload.name(), i as u64, chosen.len() as u64);
        let frames = args.frames.unwrap_or(workload.workload.frames);
        results.push(bench::run(
            *workload,
            &mut device,
            frames,
            &interrupt::asked,
        )?);
    }
    drop(progress);
    if args.json {
        return output::json(&serde_json::to_value(&results)?);
    }
    output::text(&report(&results))
}

fn report(results: &[BenchResult]) -> String {
    let head = [
        "workload",
        "frames",
        "ms median",
        "ms least",
        "Mupdates/s",
        "GB/s",
        "triad GB/s",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for r in results {
        rows.push(vec![
            r.workload.clone(),
            r.frames.to_string(),
            format!("{:.3}", r.ms_median),
            format!("{:.3}", r.ms_min),
            format!("{:.1}", r.updates_per_s / 1e6),
            format!("{:.2}", r.bytes_per_s / 1e9),
            format!("{:.2}", r.triad_bytes_per_s / 1e9),
        ]);
    }
    let device = results.first().map_or("", |r| r.device.as_str());
    let mut text = format!("{device}\n\n{}", table(&rows));
    for r in results {
        let mut rows = Vec::new();
        for k in &r.kernels {
            rows.push(vec![format!("  {}", k.name), format!("{:.4} ms", k.ms)]);
        }
        text += &format!(
            "\n{}, time per kernel a frame\n{}",
            r.workload,
            table(&rows)
        );
    }
    text
}
