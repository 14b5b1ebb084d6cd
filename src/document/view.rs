//! What the viewport shows.

crate::choice! {
    /// How numbers become colours.
    pub enum ColorMap {
        /// What suits the field.
        Auto,
        /// Dark blue to yellow, even in lightness.
        Viridis,
        /// Black over red to pale yellow, even in lightness.
        Inferno,
        /// Blue over white to red, for values of both signs.
        CoolWarm,
        /// Black to white.
        Grey,
        /// Direction as hue, speed as brightness.
        Hue,
    }
}

/// How dark ink is: the paper's light falls by e to the power of this times what the ink takes away.
pub const INK_DENSITY: f32 = 1.35;
/// What ink takes away of a channel is this times its brightest channel, less the channel itself.
pub const INK_GREY: f32 = 1.06;

crate::params! {
    /// What the viewport shows.
    pub struct ViewSettings {
        /// Name of the field.
        live field: String = String::from("dye");
        /// How numbers become colours.
        live color_map: ColorMap = ColorMap::Auto;
        /// Follow the values of the field; otherwise the range below is used.
        live auto_range: bool = true;
        /// Value at the low end of the colour map.
        live range_low: f32 = 0.0, hard -1e12..=1e12, soft -10.0..=10.0;
        /// Value at the high end of the colour map.
        live range_high: f32 = 1.0, hard -1e12..=1e12, soft -10.0..=10.0;
        /// Brightness of dye, in stops.
        live exposure: f32 = 0.0, hard -20.0..=20.0, soft -4.0..=4.0, "EV";
        /// Glow around bright dye.
        live bloom: f32 = 0.3, hard 0.0..=4.0, soft 0.0..=1.0;
        /// Light that falls across the dye as if it were a relief.
        live shading: f32 = 0.4, hard 0.0..=4.0, soft 0.0..=1.0;
        /// Colour behind the dye.
        live background: [f32; 3] = [0.006, 0.008, 0.012], hard 0.0..=10.0, soft 0.0..=1.0, color;
        /// Colour of obstacles.
        live obstacles: [f32; 3] = [0.09, 0.10, 0.12], hard 0.0..=10.0, soft 0.0..=1.0, color;
        /// Dye absorbs the light of the paper behind it, as ink in water does, instead of shining.
        live ink: bool = false;
        /// Colour of the paper or the water behind ink.
        live paper: [f32; 3] = [0.83, 0.82, 0.78], hard 0.0..=10.0, soft 0.0..=1.0, color;
    }
}
