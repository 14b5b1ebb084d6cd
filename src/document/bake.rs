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
crate::choice! {
    /// Where zero lies in a PNG of numbers of both signs.
    pub enum Zero {
        /// Exactly on a code: 128 of 255 (32768 of 65535). Still fluid stays still; read as (x·255 − 128) / 127 · vmax.
        Exact,
        /// Between two codes, as most shaders expect it: read as (x − 0.5) · 2 · vmax. Still fluid drifts by up to 0.4 % of vmax in 8 bits.
        Centred,
    }
}
crate::choice! {
    /// How colours are written into 8-bit PNG. Everything else is always linear.
    pub enum ColorSpace {
        /// With the sRGB curve: import with sRGB on.
        Srgb,
        /// Linear: import with sRGB off. Dark tones show steps.
        Linear,
    }
}
crate::choice! {
    /// Which values the ends of a PNG's range stand for. The same for all frames, so that nothing flickers.
    pub enum RangeMode {
        /// The extremes of all frames: nothing is cut off.
        Sequence,
        /// A percentile of all values: a few extremes are cut off and the rest keeps more precision.
        Percentile,
        /// The values below.
        Fixed,
    }
}
crate::choice! {
    /// What happens to cells of a sheet for which there is no frame.
    pub enum Spare {
        /// The last frame is repeated; the number of real frames stands in the sidecar.
        RepeatLast,
        /// The bake is refused, with frame counts that would fit.
        Refuse,
    }
}
crate::choice! {
    /// How the end of a sequence is joined to its beginning.
    pub enum Looping {
        /// It is not.
        None,
        /// More frames are simulated, and the last ones fade into those before the first.
        TailBlend,
    }
}
crate::choice! {
    /// How vectors are joined where a loop fades. Scalars and colours are averaged.
    pub enum VectorBlend {
        /// The direction of the weighted average with the weighted average of the lengths: smooth, and as fast as before where two directions meet.
        KeepLength,
        /// At each texel the stronger of the two after weighting: only vectors that were simulated, with edges between them.
        Select,
        /// The weighted average: smooth, but opposite vectors cancel to grey.
        Average,
    }
}
crate::params! {
    /// One kind of texture.
    pub struct Output {
        /// Part of the file names: `<look>_<name>_0000.png`.
        live name: String = String::from("velocity");
        /// Whether it is written.
        live enabled: bool = true;
        /// What goes into the red channel: a field, with `.x`, `.y`, `.z` or `.length` for a vector; `0`, `1` or a number for a constant.
        live red: String = String::from("velocity.x");
        /// What goes into the green channel; empty for none.
        live green: String = String::from("velocity.y");
        /// What goes into the blue channel; empty for none.
        live blue: String = String::new();
        /// What goes into the alpha channel; empty for none. Colours are never multiplied by it.
        live alpha: String = String::new();
        /// How numbers are written.
        live encoding: Encoding = Encoding::Png16;
        /// Where zero lies in a PNG of numbers of both signs. A direction has it between two codes, as engines unpack normal maps.
        live zero: Zero = Zero::Exact;
        /// How colours are written into 8-bit PNG.
        live color: ColorSpace = ColorSpace::Srgb;
        /// Which values the ends of a PNG's range stand for.
        live range: RangeMode = RangeMode::Sequence;
        /// Share of values inside the range, for `Percentile`.
        live percentile: f32 = 99.9, hard 50.0..=100.0, soft 95.0..=100.0, "%";
        /// Value at the low end, for `Fixed`. Numbers of both signs use the larger of the two ends for both.
        live range_low: f32 = 0.0, hard -1e12..=1e12, soft -10.0..=10.0;
        /// Value at the high end, for `Fixed`.
        live range_high: f32 = 1.0, hard -1e12..=1e12, soft -10.0..=10.0;
        /// How frames become files.
        live layout: Layout = Layout::Sequence;
        /// Columns of a sheet; 0 chooses a shape that is nearly square.
        live columns: u32 = 0, hard 0..=4096, soft 0..=16;
        /// Rows of a sheet; 0 for as many as are needed.
        live rows: u32 = 0, hard 0..=4096, soft 0..=16;
        /// What happens to cells of a sheet for which there is no frame.
        live spare: Spare = Spare::RepeatLast;
        /// Texels around each cell of a sheet that repeat its edge, or its opposite edge where the domain is periodic, so that filtering does not bleed.
        live gutter: u32 = 0, hard 0..=256, soft 0..=16;
        /// Width of a frame; 0 for one texel a cell, or to follow the height.
        live width: u32 = 0, hard 0..=16384, soft 0..=2048;
        /// Height of a frame; 0 for one texel a cell, or to follow the width.
        live height: u32 = 0, hard 0..=16384, soft 0..=2048;
    }
}
crate::params! {
    /// What is exported.
    pub struct BakeSettings {
        /// For whom.
        live engine: Engine = Engine::None;
        /// How the end of the sequence is joined to its beginning.
        live looping: Looping = Looping::None;
        /// Frames over which a loop fades; so many more are simulated.
        live loop_blend: u32 = 12, hard 1..=10_000, soft 1..=60;
        /// How vectors are joined where a loop fades.
        live loop_vectors: VectorBlend = VectorBlend::KeepLength;
        /// The textures. Without any, velocity (PNG 16) and dye (PNG 8) are written.
        [outputs]: Vec<Output>;
    }
}

impl BakeSettings {
    /// Whether any texture holds more than one frame: without one there is nothing that a loop could join.
    pub fn holds_motion(&self) -> bool {
        let moves = |o: &Output| o.enabled && o.layout != Layout::Single;
        self.outputs.is_empty() || self.outputs.iter().any(moves)
    }
}
