//! Whether a kernel's declaration in Rust and its shader agree.

use super::{Binding, Reflection, link, reflect, uniforms};
use crate::device::{Access, ArgInfo, KernelInfo};

/// Links, validates and reflects the kernel's shader and compares it with the declaration: names, access, sizes, and
/// each struct's members and offsets. Needs no adapter.
///
/// # Errors
/// What does not agree, with the file.
pub fn check_kernel(info: &KernelInfo) -> Result<(), String> {
    let linked = link(info.shader, info.features)?;
    let reflection = reflect(&linked)?;
    compare(info, &reflection)
}

/// The same for a shader that no kernel runs, of which only the uniforms are declared.
///
/// # Errors
/// As [`check_kernel`].
pub fn check_uniforms(info: &KernelInfo) -> Result<(), String> {
    let bindings = uniforms(&link(info.shader, info.features)?)?;
    let workgroup = [1; 3];
    compare(
        info,
        &Reflection {
            bindings,
            workgroup,
        },
    )
}

/// Paths below `shaders/` of the kernel's file and of all that it imports.
///
/// # Errors
/// What does not link.
pub fn kernel_files(info: &KernelInfo) -> Result<Vec<String>, String> {
    link(info.shader, info.features).map(|linked| linked.files)
}

/// Compares a declaration with what the shader declares.
pub fn compare(info: &KernelInfo, shader: &Reflection) -> Result<(), String> {
    let mut wrong = Vec::new();
    for arg in info.args {
        match shader.bindings.iter().find(|b| b.name == arg.name) {
            Some(binding) => compare_arg(arg, binding, &mut wrong),
            None => wrong.push(format!("the shader has no `{}`", arg.name)),
        }
    }
    for binding in &shader.bindings {
        if info.args.iter().all(|a| a.name != binding.name) {
            wrong.push(format!(
                "the shader's `{}` is not an argument",
                binding.name
            ));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = shader.bindings.iter().map(|b| b.name.as_str()).collect();
    Err(format!(
        "shaders/{} does not fit the kernel {}: {} (the shader binds {})",
        info.shader,
        info.name,
        wrong.join("; "),
        names.join(", ")
    ))
}

fn compare_arg(arg: &ArgInfo, binding: &Binding, wrong: &mut Vec<String>) {
    let name = arg.name;
    if arg.access != binding.access {
        wrong.push(format!(
            "`{name}` is {} in Rust and {} in the shader",
            word(arg.access),
            word(binding.access)
        ));
    }
    let (rust, wgsl) = (&arg.layout, &binding.layout);
    if rust.members.is_empty() && wgsl.members.is_empty() {
        // A shader may look at a buffer of numbers as vectors.
        let fits = match arg.access {
            Access::Uniform => wgsl.size == rust.size,
            _ => wgsl.size.is_multiple_of(rust.size),
        };
        if !fits {
            wrong.push(format!(
                "`{name}` has {} bytes in Rust and {} in the shader",
                rust.size, wgsl.size
            ));
        }
        return;
    }
    // Imported names carry their module's path in front.
    if wgsl.name != rust.name && !wgsl.name.ends_with(&format!("_{}", rust.name)) {
        wrong.push(format!(
            "`{name}` is a `{}` in Rust and a `{}` in the shader",
            rust.name, wgsl.name
        ));
        return;
    }
    if rust.size != wgsl.size {
        wrong.push(format!(
            "`{}` has {} bytes in Rust and {} in the shader",
            rust.name, rust.size, wgsl.size
        ));
    }
    let members = |list: Vec<(&str, usize, usize)>| {
        let texts: Vec<String> = list
            .iter()
            .map(|(name, offset, size)| format!("{name} at {offset} ({size} bytes)"))
            .collect();
        texts.join(", ")
    };
    let in_rust = members(
        rust.members
            .iter()
            .map(|m| (m.name, m.offset, m.size))
            .collect(),
    );
    let in_wgsl = members(
        wgsl.members
            .iter()
            .map(|m| (m.0.as_str(), m.1, m.2))
            .collect(),
    );
    if in_rust != in_wgsl {
        wrong.push(format!(
            "`{}` is laid out as [{in_rust}] in Rust and as [{in_wgsl}] in the shader",
            rust.name
        ));
    }
}

fn word(access: Access) -> &'static str {
    match access {
        Access::Uniform => "uniform",
        Access::Read => "read",
        Access::Write => "write",
    }
}
