//! Every method on the GPU against the CPU: the same fields after ten steps, within the method's own bound.

use eddy::device::Device;
use eddy::field::difference_l2;
use eddy::params;
use eddy::scene::{Masks, Scene};
use eddy::solvers::{METHODS, MethodInfo, MethodParams};

use crate::kernels::{cpu, gpu};
use crate::stable_fluids::busy;

/// No method may ask for more.
const CAP: f32 = 1e-3;

/// All fields after ten steps.
fn fields(dev: &mut Device, scene: &Scene, params: &MethodParams) -> Vec<(&'static str, Vec<f32>)> {
    let masks = Masks::load(scene, ".".as_ref()).unwrap();
    let dt = 1.0 / 60.0;
    let at = |i: u32| scene.at(f64::from(i) * f64::from(dt), dt, i, dt, &masks);
    let mut method = params.create(dev, &at(0)).unwrap();
    for i in 0..10 {
        method.step(dev, &at(i), params, dt);
    }
    let names = method.info().fields;
    names
        .iter()
        .map(|desc| {
            let field = method.field(dev, desc.name).unwrap();
            let data = dev.read(field.buf).unwrap();
            let (stride, offset) = (field.stride as usize, field.offset as usize);
            let cells = data.chunks_exact(stride);
            let values = cells.flat_map(|c| &c[offset..offset + desc.components as usize]);
            (desc.name, values.copied().collect())
        })
        .collect()
}

/// Compares what is large; a field that is zero but for rounding is compared with the velocity's rate of change.
fn compare(
    [gpu, cpu]: &mut [Device; 2],
    info: &MethodInfo,
    what: &str,
    scene: &Scene,
    params: &MethodParams,
) {
    let on_gpu = fields(gpu, scene, params);
    let on_cpu = fields(cpu, scene, params);
    let size = |v: &[f32]| difference_l2(v, &vec![0.0; v.len()]);
    for ((name, a), (_, b)) in on_gpu.iter().zip(&on_cpu) {
        let floor = match *name {
            "divergence" | "residual" => on_cpu
                .iter()
                .find(|f| f.0 == "vorticity")
                .map_or(0.0, |f| size(&f.1)),
            _ => 0.0,
        };
        let scale = size(b).max(floor).max(1e-12);
        let difference = difference_l2(a, b) / scale;
        println!("{} {what} {name}: {difference:.1e} of {scale:.1e}", info.id);
        assert!(a.len() == b.len() && size(b) > 0.0, "{name} is empty");
        assert!(
            difference <= info.parity,
            "{} {what}: {name} differs by {difference:e}, more than {:e}",
            info.id,
            info.parity
        );
    }
}

#[test]
fn fields_agree_on_both_devices() {
    let Some(gpu) = gpu() else { return };
    let mut devices = [gpu, cpu()];
    for info in METHODS {
        assert!(info.parity <= CAP, "{}", info.id);
        let params = MethodParams::from_id(info.id).unwrap();
        compare(&mut devices, info, "by default", &busy(48), &params);
    }
}

/// Every alternative of every parameter that is a choice, one at a time.
#[test]
fn choices_agree_on_both_devices() {
    let Some(gpu) = gpu() else { return };
    let mut devices = [gpu, cpu()];
    for info in METHODS {
        let base = MethodParams::from_id(info.id).unwrap();
        for entry in params::entries(&base) {
            let params::ValueKind::Choice(options) = entry.spec.kind else {
                continue;
            };
            for option in options.iter().skip(1) {
                let mut other = base.clone();
                if entry.path == "kind" {
                    continue;
                }
                params::set(&mut other, &entry.path, option.name).unwrap();
                let what = format!("{} = {}", entry.path, option.name);
                compare(&mut devices, info, &what, &busy(32), &other);
            }
        }
    }
}
