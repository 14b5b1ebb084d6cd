//! A flow map as an engine scrolls a texture by it, to be looked at before it is written.
//!
//! Vlachos 2010, *Water flow in Portal 2*: a texture that is carried along is torn apart with time, so it is drawn twice, the
//! second time half a period later, each carried for one period and then put back; a triangle of weights hides the jumps. The
//! flow is what comes back from the file, by the lines of the import notes, and so with all that a format loses.

use super::engine::AxisMap;
use super::preview::Preview;

/// Steps of texture coordinates in a second, row 0 at the top.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowMap {
    /// Texels across and down.
    pub size: [u32; 2],
    /// To the right and down the picture, in its widths and heights a second.
    pub steps: Vec<[f32; 2]>,
}

impl FlowMap {
    /// The flow of a texture; none where red and green are not the two parts of one speed. `domain` is its size in m,
    /// `time_scale` how many simulated seconds go by in one of playing.
    pub fn of(
        preview: &Preview,
        domain: [f32; 2],
        time_scale: f32,
        axes: &AxisMap,
    ) -> Option<Self> {
        let channel = |i: usize| preview.channels.get(i);
        let (red, green) = (channel(0)?, channel(1)?);
        let stem = red.source.strip_suffix(".x")?;
        if green.source.strip_suffix(".y") != Some(stem) || red.unit != "m/s" {
            return None;
        }
        // As the notes say: green over the height in V, with the other sign where they point apart.
        let v = if axes.green == axes.v { 1.0 } else { -1.0 };
        let down = if axes.v == "down" { v } else { -v };
        let texels = &preview.decoded;
        let steps = texels.data.chunks_exact(texels.channels);
        let step = |t: &[f32]| {
            [
                t[0] * time_scale / domain[0],
                down * t[1] * time_scale / domain[1],
            ]
        };
        Some(Self {
            size: [texels.width, texels.height],
            steps: steps.map(step).collect(),
        })
    }

    /// The step at a place, 0 to 1 from the left and from the top, between the middles of texels as a sampler mixes them.
    pub fn at(&self, u: f32, v: f32) -> [f32; 2] {
        let [w, h] = self.size.map(|n| n as usize);
        if self.steps.len() < w * h || w * h == 0 {
            return [0.0; 2];
        }
        let along = |x: f32, n: usize| {
            let x = (x * n as f32 - 0.5).clamp(0.0, (n - 1) as f32);
            let low = x as usize;
            (low, (low + 1).min(n - 1), x - low as f32)
        };
        let ((l, r, x), (t, b, y)) = (along(u, w), along(v, h));
        let mix = |a: f32, b: f32, share: f32| a + (b - a) * share;
        std::array::from_fn(|c| {
            let texel = |i: usize, j: usize| self.steps[j * w + i][c];
            let (upper, lower) = (
                mix(texel(l, t), texel(r, t), x),
                mix(texel(l, b), texel(r, b), x),
            );
            mix(upper, lower, y)
        })
    }
}

/// One of the two textures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    /// For how long it has been carried along, s.
    pub age: f32,
    /// Its share in the picture.
    pub weight: f32,
}

/// The two textures at a time, both carried for a `period`, s; their shares add up to one.
pub fn phases(time: f64, period: f32) -> [Phase; 2] {
    [0.0, 0.5].map(|later| {
        let part = (time / f64::from(period) + later).rem_euclid(1.0) as f32;
        Phase {
            age: part * period,
            weight: 1.0 - (2.0 * part - 1.0).abs(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::{engine, preview};
    use crate::document::{Document, Encoding, Engine, Output};
    use crate::field::FieldData;
    use crate::scene::Plane;

    #[test]
    fn shares_add_up_and_a_texture_jumps_unseen() {
        for i in 0..1000 {
            let [a, b] = phases(f64::from(i) * 0.0137, 0.7);
            assert!((a.weight + b.weight - 1.0).abs() < 1e-5);
            assert!(((a.age - b.age).abs() - 0.35).abs() < 1e-5);
            assert!((0.0..0.7).contains(&a.age) && (0.0..0.7).contains(&b.age));
        }
        for at in [0.0, 0.7, 1.4] {
            assert!(phases(at - 1e-6, 0.7)[0].weight < 1e-4, "before the jump");
            assert!(phases(at + 1e-6, 0.7)[0].weight < 1e-4, "after it");
        }
        assert_eq!(phases(0.35, 0.7)[0].weight, 1.0);
    }

    /// Water that runs right and up, 8 m/s and 2 m/s in a domain of 4 m by 2 m.
    fn flow(engine: Engine, encoding: Encoding) -> FlowMap {
        let mut document = Document::default();
        let domain = &mut document.scene.domain;
        (domain.width, domain.cells_x, domain.cells_y) = (4.0, 8, 4);
        document.bake.engine = engine;
        document.bake.outputs = vec![Output {
            encoding,
            ..Output::default()
        }];
        let fields = document.method.info().fields;
        let desc = *fields
            .iter()
            .find(|f| f.name == "velocity")
            .expect("a velocity");
        let field = FieldData {
            desc,
            grid: document.scene.domain.grid(),
            data: [8.0, 2.0].repeat(32),
        };
        let seen = preview(&document, &[field], 0, 0).expect("a preview");
        let axes = engine::axis_map(engine, Plane::TopDown);
        FlowMap::of(&seen, [4.0, 2.0], 0.5, &axes).expect("a flow")
    }

    #[test]
    fn every_engine_sees_the_same_flow() {
        for engine in [Engine::None, Engine::Unreal, Engine::Unity, Engine::Godot] {
            let flow = flow(engine, Encoding::ExrFloat);
            assert_eq!(flow.size, [8, 4]);
            // Half a simulated second in a second: a width to the right, half a height up.
            assert!(flow.steps.iter().all(|s| *s == [1.0, -0.5]), "{engine:?}");
        }
    }

    #[test]
    fn it_is_the_file_that_is_seen() {
        let flow = flow(Engine::Unreal, Encoding::Png8);
        // 2 of 8 m/s is 31.75 of 127 codes, and becomes 32.
        let expected = -32.0 / 127.0 * 8.0 * 0.5 / 2.0;
        assert!(
            (flow.steps[0][1] - expected).abs() < 1e-6,
            "{:?}",
            flow.steps[0]
        );
        assert_ne!(flow.steps[0][1], -0.5);
    }

    #[test]
    fn a_colour_is_no_flow() {
        let mut document = Document::default();
        (document.scene.domain.cells_x, document.scene.domain.cells_y) = (8, 4);
        let fields = document.method.info().fields;
        let desc = *fields.iter().find(|f| f.name == "dye").expect("a dye");
        document.bake.outputs = vec![crate::bake::output_of(&desc, Encoding::Png8)];
        let field = FieldData {
            desc,
            grid: document.scene.domain.grid(),
            data: vec![0.5; 96],
        };
        let seen = preview(&document, &[field], 0, 0).expect("a preview");
        let axes = engine::axis_map(Engine::None, Plane::TopDown);
        assert_eq!(FlowMap::of(&seen, [4.0, 2.0], 1.0, &axes), None);
    }

    #[test]
    fn between_texels_it_is_mixed_and_held_at_the_edge() {
        let flow = FlowMap {
            size: [2, 2],
            steps: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 4.0], [1.0, 4.0]],
        };
        assert_eq!(flow.at(0.25, 0.25), [0.0, 0.0]);
        assert_eq!(flow.at(0.5, 0.5), [0.5, 2.0]);
        assert_eq!(flow.at(0.5, 0.75), [0.5, 4.0]);
        assert_eq!(flow.at(0.0, 1.0), [0.0, 4.0]);
        assert_eq!(flow.at(1.0, 0.0), [1.0, 0.0]);
    }
}
