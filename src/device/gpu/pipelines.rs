//! Compute pipelines, made at first use and kept. In debug builds an edited shader is loaded again.
//!
//! Lavapipe bakes the values of uniforms that steer branches and loops into its code, and compiles anew whenever they are bound:
//! 1.7 ms and 130 kB, never given back, for each dispatch. What it reads from a storage buffer it leaves alone, so there
//! uniforms are declared as such.

use std::collections::HashMap;
use std::sync::Arc;
#[cfg(debug_assertions)]
use std::time::{Duration, Instant, SystemTime};

use super::adapter::block_on;
use crate::device::shader::{self, Linked};
use crate::device::{Access, KernelInfo};

/// An argument's place in the shader.
pub struct Slot {
    /// Which argument of the declaration.
    pub arg: usize,
    /// Number of the binding.
    pub binding: u32,
    pub access: Access,
    /// Bytes that the shader needs at least.
    pub min_size: u64,
}

/// A pipeline with what is needed to bind its arguments.
pub struct Pipeline {
    /// Never the same for two pipelines of a device.
    pub id: u64,
    pub raw: wgpu::ComputePipeline,
    pub layout: wgpu::BindGroupLayout,
    pub workgroup: [u32; 3],
    /// In the order of the bindings' numbers, as dynamic offsets are.
    pub slots: Vec<Slot>,
}

struct Entry {
    /// What a changed file is built from again.
    #[cfg(debug_assertions)]
    info: KernelInfo,
    pipeline: Result<Arc<Pipeline>, String>,
    #[cfg(debug_assertions)]
    files: Vec<(String, Option<SystemTime>)>,
}

/// Texts are static, so their addresses tell declarations apart without comparing them.
type Key = [usize; 4];

fn key(info: &KernelInfo) -> Key {
    [
        info.name.as_ptr() as usize,
        info.shader.as_ptr() as usize,
        info.features.as_ptr() as usize,
        info.args.as_ptr() as usize,
    ]
}

/// All pipelines of a device.
pub struct Pipelines {
    /// What uniforms are bound as.
    uniforms: wgpu::BufferBindingType,
    entries: Vec<Entry>,
    places: HashMap<Key, usize>,
    made: u64,
    #[cfg(debug_assertions)]
    looked: Option<Instant>,
    /// Failed reloads, for people.
    pub messages: Vec<String>,
}

impl Pipelines {
    /// None yet. `software` is a driver that runs on the CPU.
    pub fn new(software: bool) -> Self {
        let uniforms = match software {
            true => wgpu::BufferBindingType::Storage { read_only: true },
            false => wgpu::BufferBindingType::Uniform,
        };
        Self {
            uniforms,
            entries: Vec::new(),
            places: HashMap::new(),
            made: 0,
            #[cfg(debug_assertions)]
            looked: None,
            messages: Vec::new(),
        }
    }

    /// The pipeline of a kernel, or what is wrong with its shader.
    pub fn get(
        &mut self,
        device: &wgpu::Device,
        info: &KernelInfo,
    ) -> Result<Arc<Pipeline>, String> {
        #[cfg(debug_assertions)]
        self.reload_edited(device);
        let place = key(info);
        if let Some(at) = self.places.get(&place) {
            return self.entries[*at].pipeline.clone();
        }
        let entry = self.load(device, info);
        let pipeline = entry.pipeline.clone();
        self.places.insert(place, self.entries.len());
        self.entries.push(entry);
        pipeline
    }

    fn load(&mut self, device: &wgpu::Device, info: &KernelInfo) -> Entry {
        self.made += 1;
        let linked = shader::link(info.shader, info.features);
        Entry {
            #[cfg(debug_assertions)]
            info: *info,
            #[cfg(debug_assertions)]
            files: {
                let alone = vec![info.shader.to_owned()];
                let files = linked.as_ref().map_or(alone, |l| l.files.clone());
                files
                    .into_iter()
                    .map(|f| {
                        let stamp = shader::modified(&f);
                        (f, stamp)
                    })
                    .collect()
            },
            pipeline: linked
                .and_then(|linked| create(device, self.made, info, &linked, self.uniforms))
                .map(Arc::new),
        }
    }

    /// Looks twice a second whether a file was changed. A shader that does not compile any more leaves the old pipeline
    /// and a message.
    #[cfg(debug_assertions)]
    fn reload_edited(&mut self, device: &wgpu::Device) {
        let now = Instant::now();
        if self
            .looked
            .is_some_and(|t| now - t < Duration::from_millis(500))
        {
            return;
        }
        self.looked = Some(now);
        for at in 0..self.entries.len() {
            let edited = self.entries[at]
                .files
                .iter()
                .any(|(file, stamp)| shader::modified(file) != *stamp);
            if !edited {
                continue;
            }
            let info = self.entries[at].info;
            let fresh = self.load(device, &info);
            let old = &mut self.entries[at];
            // Also what is imported may have changed; what was imported before an error is still looked at.
            for (file, stamp) in fresh.files {
                match old.files.iter_mut().find(|f| f.0 == file) {
                    Some(known) => known.1 = stamp,
                    None => old.files.push((file, stamp)),
                }
            }
            for (file, stamp) in &mut old.files {
                *stamp = shader::modified(file);
            }
            match (&fresh.pipeline, &old.pipeline) {
                (Err(message), Ok(_)) => {
                    log::error!("{message}");
                    self.messages.push(message.clone());
                }
                _ => old.pipeline = fresh.pipeline,
            }
        }
    }
}

fn create(
    device: &wgpu::Device,
    id: u64,
    info: &KernelInfo,
    linked: &Linked,
    uniforms: wgpu::BufferBindingType,
) -> Result<Pipeline, String> {
    let reflection = shader::reflect(linked)?;
    shader::compare(info, &reflection)?;
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let text = match uniforms {
        wgpu::BufferBindingType::Uniform => linked.text.clone(),
        _ => linked.text.replace("var<uniform>", "var<storage, read>"),
    };
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(info.name),
        source: wgpu::ShaderSource::Wgsl(text.into()),
    });
    let entries: Vec<wgpu::BindGroupLayoutEntry> = reflection
        .bindings
        .iter()
        .map(|b| layout_entry(b, uniforms))
        .collect();
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(info.name),
        entries: &entries,
    });
    let raw = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(info.name),
        layout: Some(
            &device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(info.name),
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            }),
        ),
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    if let Some(error) = block_on(scope.pop()) {
        return Err(format!("shaders/{}: {error}", info.shader));
    }
    let slots = reflection
        .bindings
        .iter()
        .filter_map(|b| {
            Some(Slot {
                arg: info.args.iter().position(|a| a.name == b.name)?,
                binding: b.slot,
                access: b.access,
                min_size: b.min_size,
            })
        })
        .collect();
    Ok(Pipeline {
        id,
        raw,
        layout,
        workgroup: reflection.workgroup,
        slots,
    })
}

fn layout_entry(
    binding: &shader::Binding,
    uniforms: wgpu::BufferBindingType,
) -> wgpu::BindGroupLayoutEntry {
    let uniform = binding.access == Access::Uniform;
    wgpu::BindGroupLayoutEntry {
        binding: binding.slot,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: if uniform {
                uniforms
            } else {
                wgpu::BufferBindingType::Storage {
                    read_only: binding.access == Access::Read,
                }
            },
            has_dynamic_offset: uniform,
            min_binding_size: std::num::NonZeroU64::new(binding.min_size),
        },
        count: None,
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use crate::device::{Cpu, Device, DeviceChoice, DeviceError};

    crate::kernel! {
        /// x ← something that the test edits.
        pub Edited = "edited.wgsl", edited { write x: f32 }
    }
    fn edited(_cpu: &Cpu, _items: [u32; 3], _x: &mut [f32]) {}

    fn text(body: &str) -> String {
        format!(
            "@group(0) @binding(0) var<storage, read_write> x: array<f32>;
             @compute @workgroup_size(1) fn main() {{ {body} }}"
        )
    }

    #[test]
    fn an_edited_shader_is_loaded_again_and_a_broken_one_is_not() {
        let mut dev = match Device::new(DeviceChoice::Gpu) {
            Ok(dev) => dev,
            Err(DeviceError::NoAdapter(why)) => return println!("skipped: {why}"),
            Err(e) => panic!("{e}"),
        };
        let dir = tempfile::tempdir().unwrap();
        crate::device::shader::read_from(dir.path());
        let file = dir.path().join("edited.wgsl");
        let mut x = dev.buf::<f32>("x", 1).unwrap();
        let mut run = |body: &str| {
            std::fs::write(&file, text(body)).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(520));
            dev.run([1, 1, 1], Edited { x: &mut x });
            let value = dev.read(&x).map(|v| v[0]);
            (value, dev.take_messages())
        };
        let (value, _) = run("x[0] = nonsense;");
        let e = value.unwrap_err().to_string();
        assert!(e.contains("shaders/edited.wgsl"), "{e}");
        assert_eq!(run("x[0] = 1.0;").0.unwrap(), 1.0);
        assert_eq!(run("x[0] = 2.0;").0.unwrap(), 2.0);
        let (value, messages) = run("x[0] = x[0] + 3.0; nonsense");
        assert_eq!(value.unwrap(), 2.0);
        assert!(messages.len() == 1 && messages[0].contains("shaders/edited.wgsl"));
        let (value, messages) = run("x[0] = x[0] + 3.0;");
        assert_eq!(value.unwrap(), 5.0);
        assert!(messages.is_empty());
    }
}
