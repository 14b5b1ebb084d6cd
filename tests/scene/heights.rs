//! Height maps from files, and the ground that they make.

use eddy::device::Buf;
use eddy::scene::{BoxShape, Groundwork, Masks, Raster, Scene, Shape, Terrain};

use super::cpu;

const SIZE: usize = 8;

/// Row from the top, column.
fn height(row: usize, column: usize) -> f32 {
    (row * SIZE + column) as f32 / 100.0
}

fn png_of_16_bits(path: &std::path::Path) {
    let file = std::fs::File::create(path).unwrap();
    let mut encoder = png::Encoder::new(file, SIZE as u32, SIZE as u32);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    let bytes: Vec<u8> = (0..SIZE * SIZE)
        .flat_map(|k| ((height(k / SIZE, k % SIZE) * 65535.0).round() as u16).to_be_bytes())
        .collect();
    encoder
        .write_header()
        .unwrap()
        .write_image_data(&bytes)
        .unwrap();
}

fn exr_of(path: &std::path::Path, compression: exr::prelude::Compression) {
    use exr::prelude::*;
    let channels = SpecificChannels::rgb(|at: Vec2<usize>| {
        let h = height(at.1, at.0);
        (h, -h, 0.5 * h)
    });
    let encoding = Encoding {
        compression,
        ..Encoding::UNCOMPRESSED
    };
    let layer = Layer::new((SIZE, SIZE), LayerAttributes::default(), encoding, channels);
    Image::from_layer(layer).write().to_file(path).unwrap();
}

/// The ground of a scene of 8² cells under a map that is spread over all of it.
fn ground(file: &str, base: &std::path::Path) -> Vec<f32> {
    let mut scene = Scene::default();
    (scene.domain.cells_x, scene.domain.cells_y) = (SIZE as u32, SIZE as u32);
    scene.terrain.push(Terrain {
        shape: Shape::Box(BoxShape {
            half_size: [0.5, 0.5, 1.0],
            rounding: 0.0,
        }),
        softness: 0.0,
        build: Groundwork::Add,
        height: 1.0,
        height_map: file.to_owned(),
        ..Terrain::default()
    });
    let masks = Masks::load(&scene, base).unwrap();
    let frame = scene.at(0.0, 0.1, 0, 0.1, &masks);
    let mut dev = cpu();
    let mut raster = Raster::new(&mut dev, &frame.grid).unwrap();
    raster.update(&mut dev, &frame).unwrap();
    let mut make = || -> Buf<f32> { dev.buf("heights", SIZE * SIZE).unwrap() };
    let (mut heights, mut change) = (make(), make());
    let arrays = [&mut heights, &mut change];
    raster
        .relief(&mut dev, &frame, &frame.terrain, 1.0, false, arrays)
        .unwrap();
    dev.read(&heights).unwrap()
}

#[test]
fn ground_is_as_high_as_the_map_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    png_of_16_bits(&path("map.png"));
    exr_of(&path("plain.exr"), exr::prelude::Compression::Uncompressed);
    exr_of(&path("lines.exr"), exr::prelude::Compression::ZIP1);
    exr_of(&path("blocks.exr"), exr::prelude::Compression::ZIP16);
    for name in ["map.png", "plain.exr", "lines.exr", "blocks.exr"] {
        let heights = ground(name, folder.path());
        // Away from the edge, where the slope of the piece of ground begins. The first row of the picture is at the top.
        for j in 1..SIZE - 1 {
            for i in 1..SIZE - 1 {
                let (found, expected) = (heights[j * SIZE + i], height(SIZE - 1 - j, i));
                assert!(
                    (found - expected).abs() < 2e-5,
                    "{name} {i} {j}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn a_map_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("cut.exr"),
        [0x76, 0x2f, 0x31, 0x01, 2, 0],
    )
    .unwrap();
    std::fs::write(folder.path().join("text.png"), "no picture").unwrap();
    exr_of(
        &folder.path().join("rle.exr"),
        exr::prelude::Compression::RLE,
    );
    let cases = [
        ("none.png", "No such file"),
        ("cut.exr", "ends too early"),
        ("text.png", "Invalid PNG"),
        ("rle.exr", "compression"),
        ("map.tif", "No such file"),
    ];
    for (name, why) in cases {
        let mut scene = Scene::default();
        scene.terrain.push(Terrain {
            height_map: name.to_owned(),
            ..Terrain::default()
        });
        let problems = Masks::load(&scene, folder.path()).unwrap_err();
        assert_eq!(problems[0].path, "terrain.0.height_map");
        let said = &problems[0].message;
        assert!(said.contains(name) && said.contains(why), "{said}");
    }
}
