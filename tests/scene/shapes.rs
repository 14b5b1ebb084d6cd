//! Shapes, obstacles and pictures.

use eddy::scene::*;

use super::{DT, at, close, cpu, disc, obstacle, probes, rotated, scene};

#[test]
fn distances_of_shapes_at_probe_points() {
    let centre = [0.55, 0.45, 0.7];
    for (shape, points) in probes() {
        // A picture is as exact as its pixels: 0.4 m / 96.
        let bound = if matches!(shape, Shape::Mask(_)) {
            2.5e-3
        } else {
            2e-6
        };
        for angle in [0.0, 30.0, -135.0, 720.0] {
            let mut scene = scene([64, 64, 1]);
            scene.obstacles = vec![obstacle(shape.clone(), centre)];
            // In 2D tilts and z are ignored.
            scene.obstacles[0].rotation = [40.0, 20.0, angle];
            let frame = at(&scene, 0.0, 0);
            for (p, expected) in &points {
                let [x, y] = rotated(*p, angle);
                let p = [centre[0] + x, centre[1] + y, 0.0];
                let d = frame.obstacles[0].place.distance(frame.masks.texels(), p);
                close(d, *expected, bound, &format!("{shape:?} {angle}° {p:?}"));
            }
            assert!(
                points
                    .iter()
                    .all(|(p, d)| *d > 0.0 || p[0].hypot(p[1]) <= shape.radius() + 1e-6)
            );
        }
    }
}

#[test]
fn rotation_in_3d_is_about_x_then_y_then_z() {
    let mut scene = scene([16, 16, 16]);
    let shape = Shape::Capsule(Capsule {
        length: 0.4,
        radius: 0.05,
    });
    scene.obstacles = vec![obstacle(shape, [0.5; 3])];
    // About y by 90° the axis x becomes −z; about z nothing more happens to it.
    scene.obstacles[0].rotation = [17.0, 90.0, 50.0];
    let frame = at(&scene, 0.0, 0);
    let distance = |p| frame.obstacles[0].place.distance(&[], p);
    close(distance([0.5, 0.5, 0.2]), 0.05, 1e-6, "below");
    close(distance([0.5, 0.5, 0.7]), -0.05, 1e-6, "inside");
    // About y alone x turns towards −z.
    scene.obstacles[0].rotation = [0.0, 30.0, 0.0];
    let frame = at(&scene, 0.0, 0);
    let distance = |z: f32| {
        let p = [0.5 + 0.2 * 0.75_f32.sqrt(), 0.5, z];
        frame.obstacles[0].place.distance(&[], p)
    };
    close(distance(0.4), -0.05, 1e-6, "on the axis");
    assert!(distance(0.6) > 0.1);
}

#[test]
fn obstacles_become_distance_mask_and_velocity() {
    let mut dev = cpu();
    let mut scene = scene([48, 32, 1]);
    scene.domain.width = 1.5;
    scene.obstacles = vec![
        obstacle(disc(0.2), [0.4, 0.5, 0.0]),
        obstacle(disc(0.3), [1.0, 0.5, 0.0]),
    ];
    scene.obstacles[1].surface = Slip::FreeSlip;
    scene.obstacles[1].path.spin = 90.0;
    let grid = scene.domain.grid();
    let mut raster = Raster::new(&mut dev, &grid).unwrap();
    let frame = at(&scene, 0.25, 15);
    assert!(raster.update(&mut dev, &frame).unwrap());
    let omega = 90.0_f32.to_radians();
    for j in 0..32 {
        for i in 0..48 {
            let c = grid.index(i, j, 0);
            let p = [(i as f32 + 0.5) * grid.h, (j as f32 + 0.5) * grid.h];
            let d = [
                (p[0] - 0.4).hypot(p[1] - 0.5) - 0.2,
                (p[0] - 1.0).hypot(p[1] - 0.5) - 0.3,
            ];
            close(raster.sdf.host()[c], d[0].min(d[1]), 1e-6, "distance");
            let owner = d.iter().position(|d| *d < 0.0).map_or(0, |n| n as u32 + 1);
            assert_eq!(raster.solid.host()[c], owner);
            let v = &raster.solid_velocity.host()[4 * c..4 * c + 4];
            let expected = match owner {
                2 => [-omega * (p[1] - 0.5), omega * (p[0] - 1.0), 0.0, 1.0],
                _ => [0.0; 4],
            };
            for n in 0..4 {
                close(v[n], expected[n], 1e-5, "velocity of the solid");
            }
        }
    }
    // What stands still is not done again; a disc that turns about its centre changes its rotation.
    assert!(!raster.update(&mut dev, &frame).unwrap());
    scene.obstacles[1].path.spin = 0.0;
    assert!(raster.update(&mut dev, &at(&scene, 0.25, 15)).unwrap());
    assert!(!raster.update(&mut dev, &at(&scene, 0.5, 30)).unwrap());
    scene.obstacles[0].enabled = false;
    assert!(raster.update(&mut dev, &at(&scene, 0.5, 30)).unwrap());
    scene.obstacles.clear();
    raster.update(&mut dev, &at(&scene, 0.5, 30)).unwrap();
    assert!(raster.sdf.host().iter().all(|d| *d == 1e18));
    assert!(raster.solid.host().iter().all(|s| *s == 0));
}

#[test]
fn thin_walls_have_no_holes() {
    let mut dev = cpu();
    let mut scene = scene([64, 64, 1]);
    let shape = Shape::Line(Line {
        length: 4.0,
        thickness: 1e-4,
    });
    for angle in [0.0, 17.0, 45.0, 90.0, 131.0] {
        scene.obstacles = vec![obstacle(shape.clone(), [0.5, 0.5, 0.0])];
        scene.obstacles[0].rotation[2] = angle;
        let grid = scene.domain.grid();
        let mut raster = Raster::new(&mut dev, &grid).unwrap();
        raster.update(&mut dev, &at(&scene, 0.0, 0)).unwrap();
        // No two neighbours in the fluid lie on different sides.
        let side = |i: u32, j: u32| {
            let [_, y] = rotated(
                [
                    (i as f32 + 0.5) * grid.h - 0.5,
                    (j as f32 + 0.5) * grid.h - 0.5,
                ],
                -angle,
            );
            (raster.solid.host()[grid.index(i, j, 0)] == 0).then_some(y > 0.0)
        };
        for j in 0..63 {
            for i in 0..63 {
                for next in [side(i + 1, j), side(i, j + 1)] {
                    if let (Some(a), Some(b)) = (side(i, j), next) {
                        assert_eq!(a, b, "a hole at {i}, {j} at {angle}°");
                    }
                }
            }
        }
    }
}

#[test]
fn a_moving_obstacle_has_the_velocity_of_its_motion() {
    let mut scene = scene([64, 64, 1]);
    let mut item = obstacle(disc(0.2), [0.5, 0.5, 0.0]);
    let point = |x, y| PathPoint {
        offset: [x, y, 0.0],
    };
    item.path.points = vec![point(0.0, 0.0), point(0.2, 0.1), point(-0.1, 0.2)];
    item.path.spin = 60.0;
    scene.obstacles = vec![item];
    let centre = |t: f64| at(&scene, t, 0).obstacles[0].place.centre();
    let turn = |t: f64| {
        let row = at(&scene, t, 0).obstacles[0].place.row_x;
        row[1].atan2(row[0])
    };
    for t in [0.3, 1.1, 2.9] {
        let o = at(&scene, t, 0).obstacles[0];
        let (a, b) = (centre(t - 0.01), centre(t + 0.01));
        for i in 0..2 {
            close(o.velocity[i], (b[i] - a[i]) / 0.02, 1e-3, "velocity");
        }
        close(
            o.turn[2],
            (turn(t + 0.01) - turn(t - 0.01)) / 0.02,
            1e-3,
            "turn",
        );
    }
}

#[test]
fn pictures_that_cannot_be_read_are_located_errors() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("broken.png"), b"\x89PNG\r\n\x1a\n no").unwrap();
    std::fs::write(dir.path().join("huge.png"), huge_png()).unwrap();
    std::fs::write(
        dir.path().join("good.png"),
        grey_png(3, 2, &[255, 255, 0, 0, 0, 0]),
    )
    .unwrap();
    let mut scene = scene([32, 32, 1]);
    let images = [
        "no_such.png",
        "broken.png",
        "huge.png",
        "",
        "..",
        "///",
        "good.png",
    ];
    for image in images {
        let mask = MaskImage {
            image: image.into(),
            size: 0.3,
        };
        let mut item = obstacle(Shape::Mask(mask), [0.5, 0.5, 0.0]);
        item.name = format!("Rock {image}");
        scene.obstacles.push(item);
    }
    scene.emitters = vec![Emitter::default()];
    let problems = Masks::load(&scene, dir.path()).unwrap_err();
    let found: Vec<&str> = problems.iter().map(|p| p.path.as_str()).collect();
    let expected = [0, 1, 2, 3, 5].map(|i| format!("obstacles.{i}.shape.image"));
    // ".." is a picture: two pixels outside.
    assert_eq!(found, expected);
    assert!(
        problems[0].message.contains("Rock no_such.png")
            && problems[0].message.contains(dir.path().to_str().unwrap())
    );
    assert!(
        problems[2].message.contains("8192"),
        "{}",
        problems[2].message
    );
    // The rest works: white pixels on the top row, left and middle.
    let (masks, problems) = Masks::load_what_can(&scene, dir.path());
    assert_eq!(problems.len(), 5);
    let frame = scene.at(0.0, DT, 0, DT, &masks);
    assert_eq!(frame.obstacles.len(), 2);
    let place = &frame.obstacles[1].place;
    let distance = |x: f32, y: f32| place.distance(masks.texels(), [0.5 + x, 0.5 + y, 0.0]);
    assert!(distance(-0.1, 0.05) < 0.0 && distance(0.0, 0.05) < 0.0);
    assert!(distance(0.1, 0.05) > 0.0 && distance(-0.1, -0.05) > 0.0);
}

fn grey_png(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(pixels).unwrap();
    writer.finish().unwrap();
    bytes
}

/// A header that promises 60,000 × 60,000 pixels.
fn huge_png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = png::Encoder::new(&mut bytes, 60_000, 60_000);
    let mut writer = encoder.write_header().unwrap();
    writer.write_chunk(png::chunk::IDAT, &[0x78, 0x9c]).unwrap();
    drop(writer);
    bytes
}
