// Group counts of a loop's dispatches, zero once the loop is done: template_args, progress → gate.
@group(0) @binding(0) var<storage, read> template_args: array<u32>;
@group(0) @binding(1) var<storage, read> progress: array<u32>;
@group(0) @binding(2) var<storage, read_write> gate: array<u32>;

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= 384u { return; }
    gate[id.x] = select(0u, template_args[id.x], progress[2] == 0u);
}
