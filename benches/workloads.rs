//! `cargo bench`: the standard workloads on the CPU, or those named, as `eddy bench` runs them.

use eddy::bench::{Chosen, find, run};
use eddy::device::{Device, DeviceChoice};

fn main() -> anyhow::Result<()> {
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let mut dev = Device::new(DeviceChoice::Cpu)?;
    let chosen = match named.is_empty() {
        true => Chosen::all().collect(),
        false => named
            .iter()
            .map(|n| find(n))
            .collect::<Result<Vec<_>, _>>()?,
    };
    for workload in chosen {
        let r = run(workload, &mut dev, workload.workload.frames, &|| false)?;
        println!(
            "{}: {:.3} ms a frame (least {:.3}), {:.1} GB/s in the sweeps, {:.1} GB/s in a triad, ratio {:.2}",
            r.workload,
            r.ms_median,
            r.ms_min,
            r.bytes_per_s * 1e-9,
            r.triad_bytes_per_s * 1e-9,
            r.bytes_per_s / r.triad_bytes_per_s,
        );
        for k in &r.kernels {
            println!("    {:24} {:8.4} ms", k.name, k.ms);
        }
    }
    Ok(())
}
