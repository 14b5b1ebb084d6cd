// to = from: words of 32 bits.
import package::common::item::item;

struct Words { len: u32 }
@group(0) @binding(0) var<uniform> p: Words;
@group(0) @binding(1) var<storage, read> from_words: array<u32>;
@group(0) @binding(2) var<storage, read_write> to_words: array<u32>;

@compute @workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = item(id, groups, 256u);
    if i >= p.len { return; }
    to_words[i] = from_words[i];
}
