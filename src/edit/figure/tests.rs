use super::*;
use crate::params;
use crate::scene::{BoxShape, Capsule, Directional, Disc, Line, MaskImage, Motor, Obstacle};

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Disc(Disc { radius: 0.1 }),
        Shape::Box(BoxShape {
            half_size: [0.2, 0.1, 0.3],
            rounding: 0.0,
        }),
        Shape::Line(Line {
            length: 0.5,
            thickness: 0.1,
        }),
        Shape::Capsule(Capsule {
            length: 0.4,
            radius: 0.1,
        }),
        Shape::Mask(MaskImage {
            image: "####/####".into(),
            size: 0.4,
        }),
    ]
}

fn with(shape: Shape) -> Document {
    let mut document = Document::default();
    document.scene.obstacles.push(Obstacle {
        shape,
        rotation: [0.0, 0.0, 30.0],
        ..Obstacle::default()
    });
    document
}

fn read(document: &Document) -> Figure {
    let edges = |image: &str| crate::scene::Masks::edges(image, std::path::Path::new(""));
    figure(&document.scene, (List::Obstacles, 0), 0.0, edges).unwrap()
}

/// Pulling a grip to where it is changes nothing; pulled to the double distance, the form reaches there.
#[test]
fn every_shape_follows_each_of_its_grips() {
    for shape in shapes() {
        let document = with(shape);
        let was = read(&document);
        for grip in was.form.sizes() {
            let at = was.local(was.place(grip));
            let same = was.form.pulled(grip, at, false, |v| v);
            let (a, b) = (same.half(), was.form.half());
            assert!((0..2).all(|i| (a[i] - b[i]).abs() < 1e-5), "{same:?}");

            let far = at.map(|v| v * 2.0);
            let form = was.form.pulled(grip, far, false, |v| v);
            let mut changed = document.clone();
            for (path, value) in form_values(&document, (List::Obstacles, 0), form) {
                assert!(params::set_value(&mut changed, &path, &value), "{path}");
            }
            let now = read(&changed);
            let reached = now.local(now.place(grip));
            assert!(
                (0..2).all(|i| (reached[i] - far[i]).abs() < 1e-5),
                "{form:?} {reached:?} {far:?}"
            );
            assert_eq!(now.centre, was.centre);
        }
    }
}

#[test]
fn proportions_are_kept_on_demand_and_lengths_come_in_steps() {
    let form = Form::Box([0.2, 0.1]);
    let Form::Box([a, b]) = form.pulled((1, 1), [0.3, 0.11], true, |v| v) else {
        panic!("a box stays one");
    };
    assert!((a - 0.3).abs() < 1e-6 && (b - 0.15).abs() < 1e-6);
    let Form::Line([l, t]) = Form::Line([0.4, 0.1]).pulled((1, 0), [0.4, 9.0], true, |v| v) else {
        panic!("a line stays one");
    };
    assert!((l - 0.8).abs() < 1e-6 && (t - 0.2).abs() < 1e-6);
    let step = |v: f32| (v / 0.1).round() * 0.1;
    let Form::Disc(r) = Form::Disc(0.2).pulled((0, -1), [0.0, -0.337], false, step) else {
        panic!("a disc stays one");
    };
    assert!((r - 0.3).abs() < 1e-6);
    // Pulled through its centre it stays as small as a hand can hold.
    assert_eq!(
        Form::Disc(0.2).pulled((1, 0), [-5.0, 0.0], false, |v| v),
        Form::Disc(LEAST)
    );
}

#[test]
fn a_wind_blows_where_it_is_turned() {
    let mut document = Document::default();
    document.scene.motors.push(Motor {
        kind: MotorKind::Directional(Directional::default()),
        ..Motor::default()
    });
    let item = (List::Motors, 0);
    let (path, value) = turned(&document.scene, item, 90.0).unwrap();
    assert_eq!(value, Value::Vec3([0.0, 1.0, 0.0]));
    assert!(params::set_value(&mut document, &path, &value));
    assert_eq!(own_angle(&document.scene, item), Some(90.0));
}

#[test]
fn points_go_into_the_frame_of_an_item_and_back() {
    for shape in shapes() {
        let figure = read(&with(shape));
        let p = [0.31, -0.17];
        let q = figure.world(figure.local(p));
        assert!((0..2).all(|i| (p[i] - q[i]).abs() < 1e-6));
        assert!(figure.distance(figure.centre) < 0.0);
        assert!(figure.distance([9.0, 9.0]) > 8.0);
    }
}
