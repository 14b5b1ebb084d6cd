// The faces of the domain: the twin of src/solvers/shallow_water/border.rs.

struct BorderU {
    kind: vec4u,
    speed: vec4f,
    calm: vec4f,
    strength: f32,
    unused0: f32,
    unused1: f32,
    unused2: f32,
}

const CLOSED = 0u;
const INFLOW = 1u;
const JOINED = 3u;
