// The two bits that a linear system has for each face of a cell, in the order x−, x+, y−, y+, z−, z+; bit 12: the cell is
// an unknown. The twin of src/grid/codes.rs.

const CLOSED: u32 = 0u;
const LINK: u32 = 1u;
const FACE_CODE: u32 = 2u;
const NODE_CODE: u32 = 3u;
const UNKNOWN: u32 = 4096u;

/// The code of a face.
fn code_of(codes: u32, face: u32) -> u32 {
    return (codes >> (2u * face)) & 3u;
}

/// Nothing, a cell away, half a cell away, a cell away: 0, 1, 2, 1.
fn weight_of(code: u32) -> u32 {
    return code - 2u * (code & (code >> 1u));
}
