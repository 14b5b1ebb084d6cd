//! Choosing an adapter and opening a device on it.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::Status;
use crate::device::{DeviceError, Result};

/// An open device.
pub struct Opened {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub info: wgpu::AdapterInfo,
}

/// Opens the best adapter that can compute; with `software_too`, one that runs on the CPU if there is no other.
pub fn open(software_too: bool, status: &Status) -> Result<Opened> {
    let adapter = best(wgpu::Backends::PRIMARY, software_too)
        .or_else(|| best(wgpu::Backends::SECONDARY, software_too))
        .ok_or_else(|| {
            DeviceError::NoAdapter(if software_too {
                "no driver for Vulkan, Metal, DirectX 12 or OpenGL can compute".into()
            } else {
                "there is no hardware GPU with a driver".into()
            })
        })?;
    let (device, queue) = block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        label: Some("eddy"),
        required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
        required_limits: limits(&adapter.limits()),
        memory_hints: wgpu::MemoryHints::Performance,
        ..Default::default()
    }))
    .map_err(|e| DeviceError::NoAdapter(format!("{}: {e}", adapter.get_info().name)))?;
    let seen = status.clone();
    device.on_uncaptured_error(std::sync::Arc::new(move |e: wgpu::Error| {
        seen.report(DeviceError::Gpu(e.to_string()));
    }));
    let seen = status.clone();
    device.set_device_lost_callback(move |reason, message| {
        // Dropping the device also ends here; nobody looks then.
        seen.lose(&format!("{reason:?} {message}"));
    });
    Ok(Opened {
        device,
        queue,
        info: adapter.get_info(),
    })
}

/// The best adapter of these interfaces. OpenGL is asked only when the others have none: to ask takes time, and its
/// libraries complain about missing displays.
fn best(backends: wgpu::Backends, software_too: bool) -> Option<wgpu::Adapter> {
    let mut description = wgpu::InstanceDescriptor::new_without_display_handle();
    description.backends = backends;
    // No flags: the driver's validation layers are slow and report false errors about wgpu's own shaders, and checking
    // indirect calls costs two thirds of a closed gate (42–75 against 9–11 µs an iteration). wgpu's own checks stay.
    description.flags = wgpu::InstanceFlags::empty();
    let instance = wgpu::Instance::new(description);
    block_on(instance.enumerate_adapters(backends))
        .into_iter()
        .filter(|a| can_compute(a) && (software_too || !is_software(&a.get_info())))
        .min_by_key(|a| rank(&a.get_info()))
}

/// Whether it is a driver that runs on the CPU.
pub fn is_software(info: &wgpu::AdapterInfo) -> bool {
    let name = info.name.to_lowercase();
    info.device_type == wgpu::DeviceType::Cpu
        || ["llvmpipe", "softpipe", "swiftshader"]
            .iter()
            .any(|s| name.contains(s))
}

fn can_compute(adapter: &wgpu::Adapter) -> bool {
    let downlevel = adapter.get_downlevel_capabilities();
    downlevel
        .flags
        .contains(wgpu::DownlevelFlags::COMPUTE_SHADERS | wgpu::DownlevelFlags::INDIRECT_EXECUTION)
        && adapter.limits().max_compute_invocations_per_workgroup >= 256
}

/// Smaller is better.
fn rank(info: &wgpu::AdapterInfo) -> u32 {
    match info.device_type {
        _ if is_software(info) => 4,
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        _ => 3,
    }
}

/// What kernels may count on: WebGPU's defaults, with larger buffers and more of them where the adapter has them.
fn limits(have: &wgpu::Limits) -> wgpu::Limits {
    wgpu::Limits {
        max_storage_buffers_per_shader_stage: have.max_storage_buffers_per_shader_stage.min(16),
        max_storage_buffer_binding_size: have.max_storage_buffer_binding_size,
        max_buffer_size: have.max_buffer_size,
        ..wgpu::Limits::defaults().or_worse_values_from(have)
    }
}

/// Waits for a future of wgpu. On native platforms they are ready at once.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::yield_now(),
        }
    }
}
