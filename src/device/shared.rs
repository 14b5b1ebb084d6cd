//! Structs that have the same layout in Rust and in WGSL.

/// One member of a [`Shared`] struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Name, the same on both sides.
    pub name: &'static str,
    /// Bytes from the beginning.
    pub offset: usize,
    /// Bytes.
    pub size: usize,
}

/// The layout of a type, to be compared with the shader's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedInfo {
    /// Name of the type, the same on both sides; empty for plain numbers.
    pub name: &'static str,
    /// Bytes.
    pub size: usize,
    /// Members in order; none for plain numbers.
    pub members: &'static [Member],
}

/// A type that can stand in a buffer or a uniform.
pub trait Shared {
    /// Its layout.
    const LAYOUT: SharedInfo;
}

macro_rules! plain {
    ($($type:ty),*) => {$(
        impl Shared for $type {
            const LAYOUT: SharedInfo = SharedInfo { name: "", size: size_of::<$type>(), members: &[] };
        }
    )*};
}
plain!(f32, u32, i32, [f32; 2], [f32; 4], [u32; 4]);

/// Declares a `#[repr(C)]` struct that a shader declares too, under the same name and with the same members.
/// WGSL aligns vec3 and vec4 to 16 bytes: order members so that no padding is needed, or add members for it.
#[macro_export]
macro_rules! shared {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$doc:meta])* pub $field:ident : $type:ty),* $(,)? }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        pub struct $name { $($(#[$doc])* pub $field: $type),* }
        impl $crate::device::Shared for $name {
            const LAYOUT: $crate::device::SharedInfo = $crate::device::SharedInfo {
                name: stringify!($name),
                size: size_of::<$name>(),
                members: &[$($crate::device::Member {
                    name: stringify!($field),
                    offset: core::mem::offset_of!($name, $field),
                    size: size_of::<$type>(),
                }),*],
            };
        }
    };
}
