// words = 0.
import package::common::item::item;

struct Words { len: u32 }
@group(0) @binding(0) var<uniform> p: Words;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = item(id, groups, 256u);
    if i >= p.len { return; }
    words[i] = 0u;
}
