//! What is exported.

crate::choice! {
    /// For whom the textures are made: sets axes, the sign of green and the notes that come with them.
    pub enum Engine {
        /// Plain data: y up, as simulated.
        None,
        /// Unreal Engine: V runs down, green points down.
        Unreal,
        /// Unity: V runs up, green points up.
        Unity,
        /// Godot: V runs down, green points up.
        Godot,
    }
}
crate::choice! {
    /// How numbers are written.
    pub enum Encoding {
        /// PNG, 8 bits a channel.
        Png8,
        /// PNG, 16 bits a channel.
        Png16,
        /// OpenEXR, 16-bit float.
        ExrHalf,
        /// OpenEXR, 32-bit float.
        ExrFloat,
        /// Little-endian 32-bit floats beside a JSON description.
        Raw,
    }
}
crate::choice! {
    /// How frames become files.
    pub enum Layout {
        /// One file a frame, numbered.
        Sequence,
        /// One sheet with all frames, from the top left, row by row.
        Flipbook,
        /// The last frame only.
        Single,
    }
}
crate::params! {
    /// One kind of texture.
    pub struct Output {
        /// First part of the file names.
        live name: String = String::from("velocity");
        /// Whether it is written.
        live enabled: bool = true;
        /// What goes into the red channel: a field, with `.x`, `.y`, `.z` or `.length` for a vector; `0`, `1` or a number for a constant.
        live red: String = String::from("velocity.x");
        /// What goes into the green channel; empty for none.
        live green: String = String::from("velocity.y");
        /// What goes into the blue channel; empty for none.
        live blue: String = String::new();
        /// What goes into the alpha channel; empty for none.
        live alpha: String = String::new();
        /// How numbers are written.
        live encoding: Encoding = Encoding::Png16;
        /// How frames become files.
        live layout: Layout = Layout::Sequence;
    }
}
crate::params! {
    /// What is exported.
    pub struct BakeSettings {
        /// For whom.
        live engine: Engine = Engine::None;
        /// The textures.
        [outputs]: Vec<Output>;
    }
}
