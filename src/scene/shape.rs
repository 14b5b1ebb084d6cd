//! Shapes, in a frame of their own: the item that has the shape gives position and rotation.

crate::params! {
    /// A disc, or a ball in 3D.
    pub struct Disc {
        /// Distance from the centre to the edge.
        live radius: f32 = 0.1, hard 1e-4..=1e5, soft 0.01..=1.0, log, "m";
    }
}
crate::params! {
    /// A box with rounded corners.
    pub struct BoxShape {
        /// Half of the edges.
        live half_size: [f32; 3] = [0.1, 0.1, 0.1], hard 1e-4..=1e5, soft 0.01..=1.0, "m";
        /// Radius of the corners.
        live rounding: f32 = 0.0, hard 0.0..=1e5, soft 0.0..=0.1, "m";
    }
}
crate::params! {
    /// A segment along x, centred, of some thickness and with flat ends.
    pub struct Line {
        /// From end to end.
        live length: f32 = 0.5, hard 1e-4..=1e5, soft 0.01..=2.0, log, "m";
        /// Across.
        live thickness: f32 = 0.02, hard 1e-4..=1e5, soft 0.002..=0.2, log, "m";
    }
}
crate::params! {
    /// A segment along x, centred, with round ends.
    pub struct Capsule {
        /// From centre to centre of the two ends.
        live length: f32 = 0.3, hard 0.0..=1e5, soft 0.01..=2.0, "m";
        /// Radius of the ends.
        live radius: f32 = 0.05, hard 1e-4..=1e5, soft 0.002..=0.5, log, "m";
    }
}
crate::params! {
    /// An image: white is inside, black is outside. The long edge of the picture spans `size`. In 3D it is extruded to the
    /// depth of its short edge.
    pub struct MaskImage {
        /// PNG file, relative to the document; or the picture itself as rows of '.' and '#' separated by '/'.
        restart image: String = String::from("..##../.####./######/.####./..##..");
        /// Length of the longer edge.
        live size: f32 = 0.3, hard 1e-4..=1e5, soft 0.01..=2.0, log, "m";
    }
}
crate::variants! { live
    /// What something looks like.
    pub enum Shape {
        /// A disc, or a ball in 3D.
        Disc(Disc),
        /// A box.
        Box(BoxShape),
        /// A segment with flat ends.
        Line(Line),
        /// A segment with round ends.
        Capsule(Capsule),
        /// A picture.
        Mask(MaskImage),
    }
}
