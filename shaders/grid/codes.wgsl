// The two bits that a Poisson system has for each face of a cell.

const CLOSED: u32 = 0u;
const LINK: u32 = 1u;
const FACE_CODE: u32 = 2u;
const NODE_CODE: u32 = 3u;
const UNKNOWN: u32 = 4096u;

fn code_of(codes: u32, face: u32) -> u32 {
    return (codes >> (2u * face)) & 3u;
}

/// Nothing, a cell away, half a cell away, a cell away.
fn weight_of(code: u32) -> f32 {
    return f32(code - 2u * (code & (code >> 1u)));
}
