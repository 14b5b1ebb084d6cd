//! How things change with time.

crate::params! {
    /// A value at a time.
    pub struct Key {
        /// When.
        live time: f32 = 0.0, hard 0.0..=1e6, soft 0.0..=20.0, "s";
        /// How strong.
        live value: f32 = 1.0, hard -1000.0..=1000.0, soft 0.0..=2.0;
    }
}
crate::params! {
    /// How strong something is over time: straight lines between keys, the end values outside. Without keys it is one.
    pub struct Activity {
        /// Keys in order of time.
        [keys]: Vec<Key>;
        /// Start again after the last key.
        live repeat: bool = false;
    }
}
crate::params! {
    /// A point on a path.
    pub struct PathPoint {
        /// Offset from the item's own position.
        live offset: [f32; 3] = [0.0; 3], hard -1e5..=1e5, soft -1.0..=1.0, "m";
    }
}
crate::params! {
    /// A closed or open path along which something moves, and a spin. Without points it stays where it is.
    pub struct Path {
        /// Points, passed at equal intervals on a smooth curve (Catmull–Rom).
        [points]: Vec<PathPoint>;
        /// Time for the whole path.
        live duration: f32 = 4.0, hard 1e-3..=1e6, soft 0.1..=60.0, log, "s";
        /// Return to the first point and go round; otherwise it goes back and forth.
        live closed: bool = true;
        /// Rotation about z (about the view axis in 2D), positive anticlockwise.
        live spin: f32 = 0.0, hard -1e5..=1e5, soft -360.0..=360.0, "°/s";
    }
}
