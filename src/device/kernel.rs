//! A kernel: a WGSL file and its CPU twin, declared once.

use super::{Buf, Cpu, Plain, SharedInfo, gpu::GpuBuffer};

/// How a kernel uses an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A small struct, the same for all invocations.
    Uniform,
    /// A buffer that is only read.
    Read,
    /// A buffer that is written, and may be read.
    Write,
}

/// What is declared about an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgInfo {
    /// Name, the same in the shader.
    pub name: &'static str,
    /// How it is used.
    pub access: Access,
    /// Layout of the uniform, or of one element of the buffer.
    pub layout: SharedInfo,
}

/// What is declared about a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelInfo {
    /// Name of the struct in Rust.
    pub name: &'static str,
    /// Path below `shaders/`.
    pub shader: &'static str,
    /// WESL features that are on.
    pub features: &'static [&'static str],
    /// Arguments in order.
    pub args: &'static [ArgInfo],
}

/// An argument as the GPU needs it.
pub enum Arg<'a> {
    /// Bytes of the uniform.
    Uniform(&'a [u8]),
    /// A buffer.
    Buffer(&'a GpuBuffer),
}

/// Collects the arguments by name.
#[derive(Default)]
pub struct Bindings<'a> {
    pub(super) args: Vec<Arg<'a>>,
}

impl<'a> Bindings<'a> {
    /// Adds a uniform.
    pub fn uniform<T: Plain>(&mut self, value: &'a T) {
        self.args.push(Arg::Uniform(bytemuck::bytes_of(value)));
    }
    /// Adds a buffer.
    pub fn buffer<T: Plain>(&mut self, buf: &'a Buf<T>) {
        self.args.push(Arg::Buffer(buf.gpu()));
    }
}

/// A kernel with its arguments, ready to run. Declared by [`kernel!`](crate::kernel!).
pub trait Kernel: Sized + Send {
    /// What is declared about it.
    const INFO: KernelInfo;
    /// The arguments, in the order of `INFO.args`.
    fn bind<'a>(&'a self, bindings: &mut Bindings<'a>);
    /// The twin.
    fn cpu(self, cpu: &Cpu, items: [u32; 3]);
}

/// Declares a kernel: the name, the shader (with WESL features in brackets, if any), the CPU function, the arguments.
///
/// ```text
/// kernel! {
///     /// b = ∇·u: (u, v) → b.
///     pub Divergence = "grid/divergence.wgsl", divergence {
///         uniform grid: GridU, read u: f32, read v: f32, write b: f32,
///     }
/// }
/// fn divergence(cpu: &Cpu, items: [u32; 3], grid: &GridU, u: &[f32], v: &[f32], b: &mut [f32]) { … }
/// device.run(items, Divergence { grid, u: &u, v: &v, b: &mut b });
/// ```
///
/// In the shader, `grid` is `var<uniform>`, `u` and `v` are `var<storage, read>`, `b` is `var<storage, read_write>`, and the
/// entry point is `main`. Bindings are found by name; sizes and access are checked against the shader's.
#[macro_export]
macro_rules! kernel {
    ($(#[$meta:meta])* pub $name:ident = $shader:literal $([$($feature:literal),*])?, $twin:path {
        $($access:ident $arg:ident : $type:ty),* $(,)?
    }) => {
        $(#[$meta])*
        pub struct $name<'a> {
            $(#[doc = concat!("Argument `", stringify!($arg), "` (", stringify!($access), ").")]
            pub $arg: $crate::kernel!(@field $access 'a $type)),*
        }
        impl $crate::device::Kernel for $name<'_> {
            const INFO: $crate::device::KernelInfo = $crate::device::KernelInfo {
                name: stringify!($name),
                shader: $shader,
                features: &[$($($feature),*)?],
                args: &[$($crate::device::ArgInfo {
                    name: stringify!($arg),
                    access: $crate::kernel!(@access $access),
                    layout: <$type as $crate::device::Shared>::LAYOUT,
                }),*],
            };
            fn bind<'b>(&'b self, bindings: &mut $crate::device::Bindings<'b>) {
                $($crate::kernel!(@bind $access bindings self.$arg);)*
            }
            fn cpu(self, cpu: &$crate::device::Cpu, items: [u32; 3]) {
                $twin(cpu, items, $($crate::kernel!(@host $access self.$arg)),*);
            }
        }
    };
    (@field uniform $lt:lifetime $type:ty) => { $type };
    (@field read $lt:lifetime $type:ty) => { &$lt $crate::device::Buf<$type> };
    (@field write $lt:lifetime $type:ty) => { &$lt mut $crate::device::Buf<$type> };
    (@access uniform) => { $crate::device::Access::Uniform };
    (@access read) => { $crate::device::Access::Read };
    (@access write) => { $crate::device::Access::Write };
    (@bind uniform $list:ident $self:ident . $arg:ident) => { $list.uniform(&$self.$arg) };
    (@bind read $list:ident $self:ident . $arg:ident) => { $list.buffer($self.$arg) };
    (@bind write $list:ident $self:ident . $arg:ident) => { $list.buffer(&*$self.$arg) };
    (@host uniform $self:ident . $arg:ident) => { &$self.$arg };
    (@host read $self:ident . $arg:ident) => { $self.$arg.host() };
    (@host write $self:ident . $arg:ident) => { $self.$arg.host_mut() };
}
