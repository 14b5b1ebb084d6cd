//! Every method on the GPU against the CPU: the same fields after ten steps, within the method's own bound.

use eddy::device::Device;
use eddy::field::difference_l2;
use eddy::params;
use eddy::scene::{Condition, Masks, Scene, Slip};
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

/// Where a wind blows through, with obstacles that it slides along, and where faces are joined along one axis or all.
fn scenes(n: u32) -> Vec<(&'static str, Scene)> {
    use Condition::{FreeSlip, Inflow, NoSlip, Open, Periodic};
    let scene = |[left, right, bottom, top]: [Condition; 4]| {
        let mut scene = busy(n);
        let d = &mut scene.domain;
        for (face, condition) in [
            (&mut d.left, left),
            (&mut d.right, right),
            (&mut d.bottom, bottom),
            (&mut d.top, top),
        ] {
            face.condition = condition;
            if condition == Inflow {
                face.velocity = [0.6, 0.3, 0.0];
            }
        }
        scene.environment.dye_weight = 0.2;
        scene.environment.buoyancy = 0.01;
        scene
    };
    let mut tunnel = scene([Inflow, Open, FreeSlip, FreeSlip]);
    tunnel.obstacles[0].surface = Slip::FreeSlip;
    vec![
        ("in a wind tunnel", tunnel),
        ("joined all round", scene([Periodic; 4])),
        (
            "joined left and right",
            scene([Periodic, Periodic, Inflow, Open]),
        ),
        (
            "joined below and above",
            scene([NoSlip, FreeSlip, Periodic, Periodic]),
        ),
    ]
}

/// Every choice at one of its options, and every number that is zero at a tenth of its slider.
fn all_on(base: &MethodParams, option: impl Fn(usize) -> usize) -> MethodParams {
    let mut all = base.clone();
    // A choice may bring others.
    let mut done = vec!["kind".to_owned()];
    while let Some(entry) = params::entries(&all)
        .into_iter()
        .find(|e| matches!(e.spec.kind, params::ValueKind::Choice(_)) && !done.contains(&e.path))
    {
        if let params::ValueKind::Choice(options) = entry.spec.kind {
            let name = options[option(options.len())].name;
            params::set(&mut all, &entry.path, name).unwrap();
        }
        done.push(entry.path);
    }
    for entry in params::entries(&all.clone()) {
        if entry.value == params::Value::Float(0.0) {
            let [low, high] = entry.spec.soft;
            let value = params::Value::Float(low + 0.1 * (high - low));
            assert!(params::set_value(&mut all, &entry.path, &value));
        }
    }
    all
}

#[test]
fn fields_agree_at_every_kind_of_face_with_everything_switched_on() {
    let Some(gpu) = gpu() else { return };
    let mut devices = [gpu, cpu()];
    for info in METHODS {
        let base = MethodParams::from_id(info.id).unwrap();
        let last = all_on(&base, |n| n - 1);
        let second = all_on(&base, |n| 1.min(n - 1));
        for (name, scene) in scenes(32) {
            compare(&mut devices, info, name, &scene, &base);
            let what = format!("{name}, all on");
            compare(&mut devices, info, &what, &scene, &last);
            let what = format!("{name}, second options");
            compare(&mut devices, info, &what, &scene, &second);
        }
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
