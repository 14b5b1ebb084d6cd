// Number of the item in a one-dimensional dispatch, which is folded into rows of groups when it is long.
// id: global_invocation_id, groups: num_workgroups, width: the workgroup's size along x.
fn item(id: vec3u, groups: vec3u, width: u32) -> u32 {
    return id.x + id.y * groups.x * width;
}
