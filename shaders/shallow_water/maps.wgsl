// How maps are made: the twin of src/solvers/shallow_water/maps.rs.

struct MapsU {
    steep: f32,
    shore_depth: f32,
    unused0: f32,
    unused1: f32,
}
