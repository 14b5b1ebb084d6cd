//! What a linked shader declares, by naga.

use naga::{AddressSpace, ArraySize, StorageAccess, TypeInner};

use super::Linked;
use crate::device::Access;

/// A binding of a shader.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// Name of the variable.
    pub name: String,
    /// Its number in group 0.
    pub slot: u32,
    /// How it is used.
    pub access: Access,
    /// Bytes that must be bound at least.
    pub min_size: u64,
    /// The uniform's type, or the type of an element of the array.
    pub layout: Layout,
}

/// The layout of a type as the shader sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Name of the struct; empty for numbers and vectors.
    pub name: String,
    /// Bytes, in an array from one element to the next.
    pub size: usize,
    /// Name, offset and bytes of each member.
    pub members: Vec<(String, usize, usize)>,
}

/// What a shader declares.
#[derive(Clone, Debug, PartialEq)]
pub struct Reflection {
    /// In the order of their numbers.
    pub bindings: Vec<Binding>,
    /// Invocations in a group.
    pub workgroup: [u32; 3],
}

/// Parses and validates the linked text and lists what it declares.
///
/// # Errors
/// What is wrong, with file and line.
pub fn reflect(linked: &Linked) -> Result<Reflection, String> {
    let module = parse(linked)?;
    list(&module).map_err(|e| format!("shaders/{}: {e}", linked.files[0]))
}

/// The same for a shader of any kind, which may bind textures too: its uniforms alone.
///
/// # Errors
/// What is wrong, with file and line.
pub fn uniforms(linked: &Linked) -> Result<Vec<Binding>, String> {
    let module = parse(linked)?;
    let all = bindings(&module, |v| v.space == AddressSpace::Uniform);
    all.map_err(|e| format!("shaders/{}: {e}", linked.files[0]))
}

/// Parses and validates the linked text.
fn parse(linked: &Linked) -> Result<naga::Module, String> {
    let text = &linked.text;
    let at = |line: Option<usize>| {
        line.map_or_else(
            || format!("shaders/{}", linked.files[0]),
            |l| linked.origin(l),
        )
    };
    let module = naga::front::wgsl::parse_str(text).map_err(|e| {
        let line = e.location(text).map(|l| l.line_number as usize);
        let detail: Vec<&str> = e
            .labels()
            .map(|l| l.1)
            .filter(|label| !label.is_empty())
            .chain(e.notes())
            .collect();
        let detail = if detail.is_empty() {
            String::new()
        } else {
            format!(" ({})", detail.join("; "))
        };
        format!("{}: {}{detail}", at(line), e.message())
    })?;
    let mut validator = naga::valid::Validator::new(
        naga::valid::ValidationFlags::all(),
        naga::valid::Capabilities::empty(),
    );
    validator.validate(&module).map_err(|e| {
        let line = e.location(text).map(|l| l.line_number as usize);
        let mut message = e.as_inner().to_string();
        let mut source = std::error::Error::source(e.as_inner());
        while let Some(inner) = source {
            message = format!("{message}: {inner}");
            source = inner.source();
        }
        format!("{}: {message}", at(line))
    })?;
    Ok(module)
}

fn list(module: &naga::Module) -> Result<Reflection, String> {
    let entry = module
        .entry_points
        .iter()
        .find(|e| e.name == "main" && e.stage == naga::ShaderStage::Compute)
        .ok_or("no compute entry point `main`")?;
    let mut workgroup = entry.workgroup_size;
    for (axis, expression) in entry.workgroup_size_overrides.iter().flatten().enumerate() {
        if let Some(expression) = expression {
            workgroup[axis] =
                default_of(module, *expression).ok_or("the workgroup size has no number")?;
        }
    }
    let bindings = bindings(module, |_| true)?;
    if let Some(twice) = bindings.windows(2).find(|w| w[0].slot == w[1].slot) {
        return Err(format!(
            "`{}` and `{}` have the same number",
            twice[0].name, twice[1].name
        ));
    }
    Ok(Reflection {
        bindings,
        workgroup,
    })
}

/// The bindings that are asked for, in the order of their numbers.
fn bindings(
    module: &naga::Module,
    wanted: impl Fn(&naga::GlobalVariable) -> bool,
) -> Result<Vec<Binding>, String> {
    let mut layouter = naga::proc::Layouter::default();
    layouter
        .update(module.to_ctx())
        .map_err(|e| e.to_string())?;
    let mut bindings = Vec::new();
    for (_, variable) in module.global_variables.iter() {
        let Some(place) = variable.binding.filter(|_| wanted(variable)) else {
            continue;
        };
        let name = variable.name.clone().unwrap_or_default();
        if place.group != 0 {
            return Err(format!("`{name}` is not in group 0"));
        }
        let access = match variable.space {
            AddressSpace::Uniform => Access::Uniform,
            AddressSpace::Storage { access } if access.contains(StorageAccess::STORE) => {
                Access::Write
            }
            AddressSpace::Storage { .. } => Access::Read,
            _ => return Err(format!("`{name}` is neither a uniform nor a buffer")),
        };
        let element = match &module.types[variable.ty].inner {
            TypeInner::Array {
                base,
                stride,
                size: ArraySize::Dynamic | ArraySize::Constant(_),
            } if access != Access::Uniform => layout(module, &layouter, *base, *stride),
            _ => {
                let size = layouter[variable.ty].size;
                layout(module, &layouter, variable.ty, size)
            }
        };
        bindings.push(Binding {
            name,
            slot: place.binding,
            access,
            min_size: u64::from(layouter[variable.ty].size),
            layout: element,
        });
    }
    bindings.sort_by_key(|b| b.slot);
    Ok(bindings)
}

fn layout(
    module: &naga::Module,
    layouter: &naga::proc::Layouter,
    ty: naga::Handle<naga::Type>,
    size: u32,
) -> Layout {
    let ty = &module.types[ty];
    let members = match &ty.inner {
        TypeInner::Struct { members, .. } => members
            .iter()
            .map(|m| {
                let name = m.name.clone().unwrap_or_default();
                (name, m.offset as usize, layouter[m.ty].size as usize)
            })
            .collect(),
        _ => Vec::new(),
    };
    Layout {
        name: if members.is_empty() {
            String::new()
        } else {
            ty.name.clone().unwrap_or_default()
        },
        size: size as usize,
        members,
    }
}

/// The number that a workgroup size stands for: a literal, or an override's default.
fn default_of(module: &naga::Module, expression: naga::Handle<naga::Expression>) -> Option<u32> {
    match module.global_expressions[expression] {
        naga::Expression::Literal(naga::Literal::U32(n)) => Some(n),
        naga::Expression::Literal(naga::Literal::I32(n)) => u32::try_from(n).ok(),
        naga::Expression::Override(o) => default_of(module, module.overrides[o].init?),
        naga::Expression::Constant(c) => default_of(module, module.constants[c].init),
        _ => None,
    }
}
