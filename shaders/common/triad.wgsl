// a = b + s·c: b, c → a. The measure of a device's memory.
import package::common::item::item;

struct TriadFactor { len: u32, s: f32 }
@group(0) @binding(0) var<uniform> p: TriadFactor;
@group(0) @binding(1) var<storage, read> b: array<vec4f>;
@group(0) @binding(2) var<storage, read> c: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> a: array<vec4f>;

@compute @workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = item(id, groups, 256u);
    if i >= p.len / 4u { return; }
    a[i] = b[i] + p.s * c[i];
}
