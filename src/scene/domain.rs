//! The box, its faces, and what acts everywhere.

use crate::field::Grid;

crate::choice! {
    /// What happens at a face of the domain.
    pub enum Condition {
        /// A wall to which the fluid sticks.
        NoSlip,
        /// A wall along which the fluid slides.
        FreeSlip,
        /// Fluid enters and leaves freely; the pressure is zero there.
        Open,
        /// What leaves here enters at the opposite face.
        Periodic,
        /// Fluid enters with the velocity given.
        Inflow,
        /// Waves run out and none comes back: the water in front of it is calmed. Air and smoke leave freely.
        Absorbing,
    }
}

crate::choice! {
    /// How a 2D scene is meant, which decides the axes on export.
    pub enum Plane {
        /// Seen from the side: y is up.
        SideView,
        /// Seen from above: y points away from the viewer's feet, along the ground.
        TopDown,
    }
}

crate::params! {
    /// One face of the domain.
    pub struct Face {
        /// What happens at this face. A periodic face makes the opposite one periodic too.
        restart condition: Condition = Condition::NoSlip;
        /// Velocity of the wall (no-slip) or of the fluid that enters (inflow).
        live velocity: [f32; 3] = [0.0; 3], hard -1000.0..=1000.0, soft -5.0..=5.0, "m/s";
    }
}

crate::params! {
    /// The box in which the fluid moves. Cells are square: the height follows from the width and the cells.
    pub struct Domain {
        /// Width of the domain along x. Larger means the same look moves slower across the picture.
        restart width: f32 = 1.0, hard 1e-3..=1e5, soft 0.1..=100.0, log, "m";
        /// Cells along x. More cells show finer detail and cost more.
        restart cells_x: u32 = 256, hard 4..=16384, soft 32..=1024, log;
        /// Cells along y.
        restart cells_y: u32 = 256, hard 4..=16384, soft 32..=1024, log;
        /// Cells along z; one for a 2D scene.
        restart cells_z: u32 = 1, hard 1..=2048, soft 1..=256, log, advanced;
        /// How the plane of a 2D scene is meant.
        restart plane: Plane = Plane::SideView;
        /// The face at low x.
        @left: Face;
        /// The face at high x.
        @right: Face;
        /// The face at low y.
        @bottom: Face;
        /// The face at high y.
        @top: Face;
        /// The face at low z.
        @back: Face;
        /// The face at high z.
        @front: Face;
    }
}

impl Domain {
    /// The grid of cells.
    pub fn grid(&self) -> Grid {
        Grid {
            cells: [self.cells_x, self.cells_y, self.cells_z],
            h: self.width / self.cells_x as f32,
        }
    }
    /// Low and high face of an axis.
    pub fn faces(&self, axis: usize) -> [&Face; 2] {
        match axis {
            0 => [&self.left, &self.right],
            1 => [&self.bottom, &self.top],
            _ => [&self.back, &self.front],
        }
    }
    /// Whether opposite faces of an axis are joined.
    pub fn periodic(&self, axis: usize) -> bool {
        self.faces(axis)
            .iter()
            .any(|f| f.condition == Condition::Periodic)
    }
}

crate::params! {
    /// Forces that act everywhere.
    pub struct Environment {
        /// Acceleration of gravity. It levels water with a free surface: the stronger, the faster its waves. In a box that fluid fills it acts on heat and dye only, through buoyancy and the weight of dye.
        live gravity: [f32; 3] = [0.0, -9.81, 0.0], hard -1000.0..=1000.0, soft -20.0..=20.0, "m/s²";
        /// Expansion of the fluid with temperature (β of Boussinesq): how strongly heat rises against gravity.
        live buoyancy: f32 = 0.0034, hard 0.0..=10.0, soft 0.0..=0.1, "1/K";
        /// How much heavier the fluid gets with dye: relative density of dye at brightness one. It sinks where positive.
        live dye_weight: f32 = 0.0, hard -10.0..=10.0, soft -1.0..=1.0;
    }
}
