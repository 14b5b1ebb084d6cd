// How kernels over lists are told the list's length.

struct CountU {
    /// Items.
    count: u32,
}
