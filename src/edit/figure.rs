//! Where an item of the scene stands in the plane and how large it is, and what pulling at it makes of that.
//!
//! An item is seen as a [`Figure`]: a centre, an angle and a [`Form`]. A hand takes it by a [`Grip`]; pulled to a place,
//! the form becomes another one about the same centre. [`form_values`] says which parameters that changes.

use crate::document::Document;
use crate::params::Value;
use crate::scene::{MotorKind, Path, Scene, Shape};

use super::List;

/// An item: its list and its position there.
pub type Item = (List, usize);

/// The outline of an item, in a frame of its own; lengths in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A disc of this radius.
    Disc(f32),
    /// A box with these half edges.
    Box([f32; 2]),
    /// A segment with flat ends: length, thickness.
    Line([f32; 2]),
    /// A segment with round ends: length between their centres, radius.
    Capsule([f32; 2]),
    /// A picture: its longer edge, and its edges as shares of that.
    Picture(f32, [f32; 2]),
    /// The reach of a motor, and whether it blows one way.
    Reach(f32, bool),
}

/// By what an item is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grip {
    /// All of it.
    Body,
    /// A side (one of the numbers is 0) or a corner, in the frame of the item.
    Size(i8, i8),
    /// The knob that turns it.
    Turn,
}

/// An item in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// Where its centre is seen, m.
    pub centre: [f32; 2],
    /// How far it is turned, degrees anticlockwise.
    pub angle: f32,
    /// Its outline.
    pub form: Form,
}

/// Least size that a hand can give, m: what is smaller cannot be taken hold of again.
const LEAST: f32 = 1e-3;

const SIDES: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const CORNERS: [(i8, i8); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

impl Form {
    /// Half of the edges of the box that holds it.
    pub fn half(self) -> [f32; 2] {
        match self {
            Self::Disc(r) | Self::Reach(r, _) => [r, r],
            Self::Box(half) => half,
            Self::Line([length, thickness]) => [0.5 * length, 0.5 * thickness],
            Self::Capsule([length, radius]) => [0.5 * length + radius, radius],
            Self::Picture(size, share) => share.map(|s| 0.5 * size * s),
        }
    }

    /// Whether turning it makes a difference.
    pub fn turns(self) -> bool {
        !matches!(self, Self::Disc(_) | Self::Reach(_, false))
    }

    /// By what its size can be changed.
    pub fn sizes(self) -> impl Iterator<Item = (i8, i8)> {
        let (sides, corners) = match self {
            Self::Disc(_) | Self::Reach(..) | Self::Line(_) | Self::Capsule(_) => (4, 0),
            Self::Box(_) => (4, 4),
            Self::Picture(..) => (0, 4),
        };
        CORNERS
            .into_iter()
            .take(corners)
            .chain(SIDES.into_iter().take(sides))
    }

    /// Signed distance of a point in its own frame, negative inside, m.
    pub fn distance(self, [x, y]: [f32; 2]) -> f32 {
        match self {
            Self::Disc(r) | Self::Reach(r, _) => x.hypot(y) - r,
            Self::Capsule([length, radius]) => (x.abs() - 0.5 * length).max(0.0).hypot(y) - radius,
            _ => {
                let [a, b] = self.half();
                let (dx, dy) = (x.abs() - a, y.abs() - b);
                dx.max(0.0).hypot(dy.max(0.0)) + dx.max(dy).min(0.0)
            }
        }
    }

    /// The form when its side or corner is pulled to a point of its own frame. `even` keeps the proportions; lengths are
    /// brought to multiples of a step by `tidy`.
    pub fn pulled(
        self,
        (sx, sy): (i8, i8),
        to: [f32; 2],
        even: bool,
        tidy: impl Fn(f32) -> f32,
    ) -> Self {
        let tidy = |v: f32| tidy(v).max(LEAST);
        // How far the point lies out on the side that was taken.
        let out = [to[0] * f32::from(sx), to[1] * f32::from(sy)].map(|v| v.max(0.0));
        let along_x = sx != 0;
        let both = |[a, b]: [f32; 2], new: f32| {
            let factor = new / if along_x { a } else { b }.max(LEAST);
            [a * factor, b * factor].map(|v| v.max(LEAST))
        };
        match self {
            Self::Disc(_) => Self::Disc(tidy(out[usize::from(!along_x)])),
            Self::Reach(_, one_way) => Self::Reach(tidy(out[usize::from(!along_x)]), one_way),
            Self::Box([a, b]) => {
                let half = |v: f32| 0.5 * tidy(2.0 * v);
                if !even {
                    return Self::Box([
                        if sx == 0 { a } else { half(out[0]) },
                        if sy == 0 { b } else { half(out[1]) },
                    ]);
                }
                // The edge that is pulled further decides.
                let by_x = sx != 0 && (sy == 0 || out[0] * b >= out[1] * a);
                let factor = if by_x {
                    half(out[0]) / a.max(LEAST)
                } else {
                    half(out[1]) / b.max(LEAST)
                };
                Self::Box([a * factor, b * factor].map(|v| v.max(LEAST)))
            }
            Self::Line(sizes) => {
                let new = tidy(2.0 * out[usize::from(!along_x)]);
                Self::Line(match (even, along_x) {
                    (true, _) => both(sizes, new),
                    (false, true) => [new, sizes[1]],
                    (false, false) => [sizes[0], new],
                })
            }
            Self::Capsule([length, radius]) => {
                let new = if along_x {
                    tidy(2.0 * (out[0] - radius))
                } else {
                    tidy(out[1])
                };
                Self::Capsule(match (even, along_x) {
                    (true, _) if length > LEAST || !along_x => both([length, radius], new),
                    (_, true) => [new, radius],
                    (_, false) => [length, new],
                })
            }
            Self::Picture(_, share) => {
                let size = (0..2).map(|i| 2.0 * out[i] / share[i].max(1e-6));
                Self::Picture(tidy(size.fold(0.0, f32::max)), share)
            }
        }
    }
}

impl Figure {
    /// A point of the plane in the frame of the item.
    pub fn local(&self, world: [f32; 2]) -> [f32; 2] {
        let [dx, dy] = [world[0] - self.centre[0], world[1] - self.centre[1]];
        let (sin, cos) = self.angle.to_radians().sin_cos();
        [cos * dx + sin * dy, cos * dy - sin * dx]
    }

    /// A point of the frame of the item in the plane.
    pub fn world(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let (sin, cos) = self.angle.to_radians().sin_cos();
        [
            self.centre[0] + cos * x - sin * y,
            self.centre[1] + sin * x + cos * y,
        ]
    }

    /// Where a side or a corner is in the plane.
    pub fn place(&self, (sx, sy): (i8, i8)) -> [f32; 2] {
        let [a, b] = self.form.half();
        self.world([a * f32::from(sx), b * f32::from(sy)])
    }

    /// Signed distance of a point of the plane from the outline, m.
    pub fn distance(&self, world: [f32; 2]) -> f32 {
        self.form.distance(self.local(world))
    }
}

/// Name, path and flags of an item.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether it takes part.
    pub enabled: bool,
    /// Whether it is held fast.
    pub locked: bool,
    /// Where its centre stands, m; strokes have none.
    pub position: Option<[f32; 3]>,
    /// How it moves; strokes and terrain do not.
    pub path: Option<&'a Path>,
}

/// What is common to all items; none where there is no such item.
pub fn facts(scene: &Scene, (list, i): Item) -> Option<Facts<'_>> {
    macro_rules! moving {
        ($item:expr) => {
            $item.map(|e| Facts {
                name: &e.name,
                enabled: e.enabled,
                locked: e.locked,
                position: Some(e.position),
                path: Some(&e.path),
            })
        };
    }
    match list {
        List::Emitters => moving!(scene.emitters.get(i)),
        List::Obstacles => moving!(scene.obstacles.get(i)),
        List::Motors => moving!(scene.motors.get(i)),
        List::Terrain => scene.terrain.get(i).map(|t| Facts {
            name: &t.name,
            enabled: t.enabled,
            locked: t.locked,
            position: Some(t.position),
            path: None,
        }),
        List::Strokes => scene.strokes.get(i).map(|s| Facts {
            name: &s.name,
            enabled: s.enabled,
            locked: s.locked,
            position: None,
            path: None,
        }),
        List::Outputs => None,
    }
}

/// Every item of a scene that stands somewhere.
pub fn standing(scene: &Scene) -> impl Iterator<Item = Item> {
    let lists = [
        (List::Terrain, scene.terrain.len()),
        (List::Motors, scene.motors.len()),
        (List::Obstacles, scene.obstacles.len()),
        (List::Emitters, scene.emitters.len()),
    ];
    lists
        .into_iter()
        .flat_map(|(list, n)| (0..n).map(move |i| (list, i)))
}

/// The path of an item in the document.
pub fn path_of((list, i): Item) -> String {
    format!("{}.{i}", list.path())
}

/// How an item stands at a time, s. `edges` says how wide and how high a picture is.
pub fn figure(
    scene: &Scene,
    item: Item,
    time: f64,
    edges: impl FnOnce(&str) -> Option<[u32; 2]>,
) -> Option<Figure> {
    let (position, turned, path, form) = match item {
        (List::Emitters, i) => {
            let e = scene.emitters.get(i)?;
            let form = form(&e.shape, edges);
            (e.position_at(time), e.rotation[2], &e.path, form)
        }
        (List::Obstacles, i) => {
            let o = scene.obstacles.get(i)?;
            let form = form(&o.shape, edges);
            (o.position_at(time), o.rotation[2], &o.path, form)
        }
        (List::Terrain, i) => {
            let t = scene.terrain.get(i)?;
            return Some(Figure {
                centre: [t.position[0], t.position[1]],
                angle: t.rotation[2],
                form: form(&t.shape, edges),
            });
        }
        (List::Motors, i) => {
            let m = scene.motors.get(i)?;
            let form = Form::Reach(m.radius, matches!(m.kind, MotorKind::Directional(_)));
            let turned = match &m.kind {
                MotorKind::Directional(d) => d.direction[1].atan2(d.direction[0]).to_degrees(),
                _ => 0.0,
            };
            let place = m.position_at(time);
            return Some(Figure {
                centre: [place[0], place[1]],
                angle: turned,
                form,
            });
        }
        _ => return None,
    };
    Some(Figure {
        centre: [position[0], position[1]],
        angle: turned + path.angle_at(time),
        form,
    })
}

fn form(shape: &Shape, edges: impl FnOnce(&str) -> Option<[u32; 2]>) -> Form {
    match shape {
        Shape::Disc(s) => Form::Disc(s.radius),
        Shape::Box(s) => Form::Box([s.half_size[0], s.half_size[1]]),
        Shape::Line(s) => Form::Line([s.length, s.thickness]),
        Shape::Capsule(s) => Form::Capsule([s.length, s.radius]),
        Shape::Mask(s) => {
            let edges = edges(&s.image).unwrap_or([1, 1]).map(|n| n.max(1) as f32);
            let longer = edges[0].max(edges[1]);
            Form::Picture(s.size, edges.map(|e| e / longer))
        }
    }
}

/// The parameters that hold a form of an item, with their values.
pub fn form_values(document: &Document, item: Item, form: Form) -> Vec<(String, Value)> {
    let at = path_of(item);
    let shape = |name: &str, v: f32| (format!("{at}.shape.{name}"), Value::Float(v));
    match form {
        Form::Disc(r) => vec![shape("radius", r)],
        Form::Box([a, b]) => {
            let depth = match shape_of(&document.scene, item) {
                Some(Shape::Box(s)) => s.half_size[2],
                _ => a.min(b),
            };
            let path = format!("{at}.shape.half_size");
            vec![(path, Value::Vec3([a, b, depth]))]
        }
        Form::Line([length, thickness]) => {
            vec![shape("length", length), shape("thickness", thickness)]
        }
        Form::Capsule([length, radius]) => vec![shape("length", length), shape("radius", radius)],
        Form::Picture(size, _) => vec![shape("size", size)],
        Form::Reach(r, _) => vec![(format!("{at}.radius"), Value::Float(r))],
    }
}

/// The parameter that holds the angle of an item, with its value when it is turned by so many degrees.
pub fn turned(scene: &Scene, item: Item, to: f32) -> Option<(String, Value)> {
    let at = path_of(item);
    let rotation = match item {
        (List::Emitters, i) => scene.emitters.get(i)?.rotation,
        (List::Obstacles, i) => scene.obstacles.get(i)?.rotation,
        (List::Terrain, i) => scene.terrain.get(i)?.rotation,
        (List::Motors, i) => {
            let MotorKind::Directional(d) = &scene.motors.get(i)?.kind else {
                return None;
            };
            let (sin, cos) = f64::from(to).to_radians().sin_cos();
            // A quarter turn is exactly that.
            let tidy = |v: f64| (v * 1e6).round() as f32 / 1e6;
            let direction = [tidy(cos), tidy(sin), d.direction[2]];
            return Some((format!("{at}.kind.direction"), Value::Vec3(direction)));
        }
        _ => return None,
    };
    let value = Value::Vec3([rotation[0], rotation[1], to]);
    Some((format!("{at}.rotation"), value))
}

/// The angle that [`turned`] sets, degrees, without what a spin adds.
pub fn own_angle(scene: &Scene, item: Item) -> Option<f32> {
    match item {
        (List::Emitters, i) => Some(scene.emitters.get(i)?.rotation[2]),
        (List::Obstacles, i) => Some(scene.obstacles.get(i)?.rotation[2]),
        (List::Terrain, i) => Some(scene.terrain.get(i)?.rotation[2]),
        (List::Motors, _) => figure(scene, item, 0.0, |_| None).map(|f| f.angle),
        _ => None,
    }
}

fn shape_of(scene: &Scene, item: Item) -> Option<&Shape> {
    match item {
        (List::Emitters, i) => scene.emitters.get(i).map(|e| &e.shape),
        (List::Obstacles, i) => scene.obstacles.get(i).map(|o| &o.shape),
        (List::Terrain, i) => scene.terrain.get(i).map(|t| &t.shape),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
