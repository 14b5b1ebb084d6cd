//! Every shader links, validates and fits its kernel's declaration, with no adapter needed.

use eddy::device::{KernelInfo, check_kernel, check_uniforms, kernel_files, shader_files};
use eddy::view::shader::SHADERS as VIEW;

/// The list of every module but the methods. A shader that no list uses fails below, so none is forgotten.
const SHARED: &[&[KernelInfo]] = &[
    eddy::device::kernels::KERNELS,
    eddy::device::reduce::KERNELS,
    eddy::grid::KERNELS,
    eddy::poisson::KERNELS,
    eddy::scene::KERNELS,
    crate::kernels::KERNELS,
    crate::loops::KERNELS,
];

/// Every kernel that there is, of the editor and of tests.
pub fn all() -> impl Iterator<Item = &'static KernelInfo> {
    SHARED
        .iter()
        .chain(eddy::solvers::KERNELS)
        .flat_map(|list| list.iter())
}

#[test]
fn every_shader_fits_its_kernel() {
    let errors: Vec<String> = all()
        .filter_map(|kernel| check_kernel(kernel).err())
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// The viewport's shaders run on the window's device, where nothing else looks at their structs.
#[test]
fn every_shader_of_the_viewport_fits_its_uniforms() {
    let errors: Vec<String> = VIEW
        .iter()
        .filter_map(|shader| check_uniforms(shader).err())
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    // And a struct that does not fit is seen.
    let (blur, double) = (VIEW[1], VIEW[3]);
    let e = check_uniforms(&KernelInfo {
        args: double.args,
        ..blur
    });
    let e = e.unwrap_err();
    assert!(e.contains("the shader has no `level`"), "{e}");
    assert!(e.contains("the shader's `look` is not an argument"), "{e}");
}

#[test]
fn every_shader_is_used_by_some_kernel() {
    let used: Vec<String> = all()
        .chain(VIEW)
        .flat_map(|kernel| kernel_files(kernel).unwrap_or_default())
        .collect();
    let unused: Vec<String> = shader_files()
        .into_iter()
        .filter(|f| !used.contains(f))
        .collect();
    assert!(
        unused.is_empty(),
        "no kernel that is listed uses {}",
        unused.join(", ")
    );
}

#[test]
fn a_declaration_that_does_not_fit_is_named() {
    use eddy::device::{Access, ArgInfo, Member, SharedInfo};
    let fill = eddy::device::kernels::KERNELS
        .iter()
        .find(|k| k.name == "Fill")
        .copied()
        .unwrap();
    static WRONG_NAME: [ArgInfo; 2] = wrong(ArgInfo {
        name: "y",
        access: Access::Write,
        layout: NUMBER,
    });
    static WRONG_ACCESS: [ArgInfo; 2] = wrong(ArgInfo {
        name: "x",
        access: Access::Read,
        layout: NUMBER,
    });
    const NUMBER: SharedInfo = SharedInfo {
        name: "",
        size: 4,
        members: &[],
    };
    const fn wrong(x: ArgInfo) -> [ArgInfo; 2] {
        let p = SharedInfo {
            name: "FillValue",
            size: 8,
            members: &[
                Member {
                    name: "value",
                    offset: 0,
                    size: 4,
                },
                Member {
                    name: "len",
                    offset: 4,
                    size: 4,
                },
            ],
        };
        let p = ArgInfo {
            name: "p",
            access: Access::Uniform,
            layout: p,
        };
        [p, x]
    }
    let check = |args: &'static [ArgInfo]| check_kernel(&KernelInfo { args, ..fill }).unwrap_err();
    let e = check(&WRONG_NAME);
    assert!(e.contains("shaders/common/fill.wgsl"), "{e}");
    assert!(e.contains("the shader has no `y`"), "{e}");
    assert!(e.contains("`x` is not an argument"), "{e}");
    assert!(
        e.contains("value at 0 (4 bytes), len at 4 (4 bytes)"),
        "{e}"
    );
    let e = check(&WRONG_ACCESS);
    assert!(
        e.contains("`x` is read in Rust and write in the shader"),
        "{e}"
    );
}
