//! The picture: what it shows, that it is the same everywhere, and that the shaders make the same one.

use eddy::document::{ColorMap, ViewSettings};
use eddy::field::{FieldData, FieldDesc, Grid, RangeHint};
use eddy::view::{self, Camera, Picture, colormap};

fn field(
    range: RangeHint,
    components: u32,
    cells: [u32; 2],
    value: impl Fn(f32, f32) -> Vec<f32>,
) -> FieldData {
    let grid = Grid {
        cells: [cells[0], cells[1], 1],
        h: 1.0 / cells[0] as f32,
    };
    let data = (0..cells[1])
        .flat_map(|j| (0..cells[0]).map(move |i| (i, j)))
        .flat_map(|(i, j)| value((i as f32 + 0.5) * grid.h, (j as f32 + 0.5) * grid.h))
        .collect();
    let desc = FieldDesc {
        name: "test",
        label: "Test",
        unit: "m/s",
        components,
        range,
    };
    FieldData { desc, grid, data }
}

/// Bands of colour from dark to far above one.
fn dye(cells: [u32; 2]) -> FieldData {
    field(RangeHint::Color, 3, cells, |x, y| {
        let a = (0.5 + 0.5 * (x * 9.0 + (y * 7.0).sin() * 2.0).sin()).powi(2);
        let b = (0.5 + 0.5 * (y * 11.0 - x * 5.0).cos()).powi(3);
        vec![3.0 * a * b, 0.6 * a, 8.0 * b * b * b]
    })
}

fn disc(cells: [u32; 2]) -> FieldData {
    let h = 1.0 / cells[0] as f32;
    field(RangeHint::Unit, 1, cells, |x, y| {
        let d = ((x - 0.6).powi(2) + (y - 0.4).powi(2)).sqrt() - 0.17;
        vec![(0.5 - d / h).clamp(0.0, 1.0)]
    })
}

fn vortex(cells: [u32; 2]) -> FieldData {
    field(RangeHint::Signed, 2, cells, |x, y| {
        vec![0.4 - y + 0.2 * (9.0 * x).sin(), x - 0.5]
    })
}

fn pixel(p: &Picture, x: u32, y: u32) -> [u8; 3] {
    let at = 4 * (y * p.width + x) as usize;
    [p.rgba[at], p.rgba[at + 1], p.rgba[at + 2]]
}

#[test]
fn y_is_up_and_row_zero_is_at_the_top() {
    let high = field(RangeHint::Unit, 1, [32, 16], |_, y| {
        vec![f32::from(u8::from(y > 0.25))]
    });
    let settings = ViewSettings {
        color_map: ColorMap::Grey,
        ..ViewSettings::default()
    };
    let p = view::picture(&high, None, &settings, [64, 32]);
    assert_eq!((p.width, p.height, p.rgba.len()), (64, 32, 64 * 32 * 4));
    assert!(pixel(&p, 10, 2)[0] > 250 && pixel(&p, 10, 29)[0] < 5);
    assert!(p.rgba.chunks(4).all(|c| c[3] == 255));
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let (dye, disc) = (dye([61, 47]), disc([61, 47]));
    let draw = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads")
            .install(|| view::picture(&dye, Some(&disc), &ViewSettings::default(), [150, 111]))
    };
    assert_eq!(draw(1), draw(5));
}

#[test]
fn every_setting_of_the_view_shows() {
    let (dye, disc) = (dye([64, 64]), disc([64, 64]));
    let draw = |s: &ViewSettings| view::picture(&dye, Some(&disc), s, [64, 64]);
    let plain = ViewSettings::default();
    let before = draw(&plain);
    type Change = fn(&mut ViewSettings);
    let changes: [(&str, Change); 8] = [
        ("color_map", |s| s.color_map = ColorMap::Inferno),
        ("exposure", |s| s.exposure = 1.0),
        ("bloom", |s| s.bloom = 0.0),
        ("shading", |s| s.shading = 0.0),
        ("background", |s| s.background = [0.2, 0.1, 0.1]),
        ("obstacles", |s| s.obstacles = [0.5, 0.1, 0.1]),
        ("ink", |s| s.ink = true),
        ("exposure down", |s| s.exposure = -3.0),
    ];
    for (name, change) in changes {
        let mut settings = plain.clone();
        change(&mut settings);
        assert_ne!(draw(&settings), before, "{name}");
    }
    let ink = ViewSettings { ink: true, ..plain };
    let blue_paper = ViewSettings {
        paper: [0.4, 0.6, 0.9],
        ..ink.clone()
    };
    assert_ne!(draw(&ink), draw(&blue_paper));
    let mapped = ViewSettings {
        color_map: ColorMap::Viridis,
        auto_range: false,
        ..ink.clone()
    };
    let narrow = ViewSettings {
        range_low: 0.2,
        range_high: 0.4,
        ..mapped.clone()
    };
    assert_ne!(draw(&mapped), draw(&narrow));
}

#[test]
fn brighter_dye_is_brighter_and_ends_in_white() {
    let draw = |exposure| {
        let orange = field(RangeHint::Color, 3, [16, 16], |_, _| vec![1.0, 0.4, 0.05]);
        let settings = ViewSettings {
            exposure,
            bloom: 0.0,
            ..ViewSettings::default()
        };
        pixel(&view::picture(&orange, None, &settings, [16, 16]), 8, 8)
    };
    let series: Vec<[u8; 3]> = (-6..=10).map(|e| draw(e as f32)).collect();
    for pair in series.windows(2) {
        for c in 0..3 {
            assert!(pair[1][c] as i32 + 1 >= pair[0][c] as i32, "{pair:?}");
        }
    }
    let [dim, normal, blinding] = [series[3], series[6], series[16]];
    assert!(normal[0] > dim[0] + 40);
    // Orange keeps its order of channels until it is white.
    assert!(
        normal[0] > normal[1] + 40 && normal[1] > normal[2] + 20,
        "{normal:?}"
    );
    assert!(blinding.iter().all(|&c| c >= 250), "{blinding:?}");
}

#[test]
fn ink_darkens_paper_and_no_ink_leaves_it() {
    let drop = field(RangeHint::Color, 3, [64, 64], |x, y| {
        let inside = (x - 0.5).hypot(y - 0.5) < 0.2;
        if inside {
            vec![0.1, 0.3, 2.0]
        } else {
            vec![0.0; 3]
        }
    });
    let settings = ViewSettings {
        ink: true,
        ..ViewSettings::default()
    };
    let p = view::picture(&drop, None, &settings, [64, 64]);
    let (paper, ink) = (pixel(&p, 3, 3), pixel(&p, 32, 32));
    assert!(paper[0] > 220 && paper[1] > 220, "{paper:?}");
    assert!(ink[2] > ink[0] + 80 && ink[0] < 80, "{ink:?}");
}

#[test]
fn an_obstacle_has_a_smooth_edge_and_leaves_no_seam() {
    let cells = [48, 48];
    let flat = field(RangeHint::Color, 3, cells, |x, y| {
        // The solver keeps no dye in solids.
        let solid = (x - 0.6).hypot(y - 0.4) < 0.17;
        if solid { vec![0.0; 3] } else { vec![0.7; 3] }
    });
    let settings = ViewSettings {
        obstacles: [0.7, 0.02, 0.02],
        bloom: 0.0,
        shading: 0.0,
        ..ViewSettings::default()
    };
    let p = view::picture(&flat, Some(&disc(cells)), &settings, [480, 480]);
    let (inside, outside) = (pixel(&p, 288, 288), pixel(&p, 100, 288));
    assert!(inside[0] > inside[1] + 80, "{inside:?}");
    // From the fluid into the disc green falls without a step, and nothing is darker than the disc.
    let line: Vec<u8> = (180..288).map(|x| pixel(&p, x, 288)[1]).collect();
    let steepest = line
        .windows(2)
        .map(|w| i32::from(w[0]) - i32::from(w[1]))
        .max();
    assert!(
        steepest.is_some_and(|s| s < i32::from(outside[1]) * 3 / 4),
        "{line:?}"
    );
    assert!(
        line.iter()
            .all(|&g| i32::from(g) + 12 >= i32::from(inside[1])),
        "{line:?}"
    );
}

#[test]
fn bad_numbers_and_odd_sizes_draw_something() {
    let mut broken = dye([20, 12]);
    broken.data[5] = f32::NAN;
    broken.data[100] = f32::INFINITY;
    broken.data[200] = -f32::INFINITY;
    for map in [ColorMap::Auto, ColorMap::Viridis, ColorMap::Hue] {
        let settings = ViewSettings {
            color_map: map,
            exposure: f32::NAN,
            ..ViewSettings::default()
        };
        for size in [[0, 0], [1, 1], [3, 200], [7, 5]] {
            let p = view::picture(&broken, None, &settings, size);
            assert_eq!(p.rgba.len(), 4 * (p.width * p.height) as usize);
        }
    }
    let mut short = dye([20, 12]);
    short.data.truncate(100);
    view::picture(&short, None, &ViewSettings::default(), [8, 8]);
    let empty = dye([0, 0]);
    view::picture(&empty, Some(&empty), &ViewSettings::default(), [8, 8]);
    // An obstacle of another size is left out.
    let p = view::picture(
        &dye([20, 12]),
        Some(&disc([9, 9])),
        &ViewSettings::default(),
        [8, 8],
    );
    let q = view::picture(&dye([20, 12]), None, &ViewSettings::default(), [8, 8]);
    assert_eq!(p, q);
}

#[test]
fn ranges_follow_the_values_and_ignore_a_few_outliers() {
    let mut positive = field(RangeHint::Positive, 1, [100, 100], |x, _| vec![3.1 * x]);
    let auto = ViewSettings::default();
    assert_eq!(view::range(&positive, &auto), [0.0, 4.0]);
    positive.data[17] = 1e9;
    positive.data[18] = f32::NAN;
    assert_eq!(view::range(&positive, &auto), [0.0, 4.0]);
    let signed = field(RangeHint::Signed, 1, [100, 100], |x, _| vec![x * 0.7 - 0.5]);
    assert_eq!(view::range(&signed, &auto), [-0.5, 0.5]);
    let set = ViewSettings {
        auto_range: false,
        range_low: -2.0,
        range_high: 7.0,
        ..ViewSettings::default()
    };
    assert_eq!(view::range(&signed, &set), [-2.0, 7.0]);
    for (low, high) in [(3.0, 3.0), (5.0, 2.0), (f32::NAN, 1.0)] {
        let odd = ViewSettings {
            range_low: low,
            range_high: high,
            ..set.clone()
        };
        let [a, b] = view::range(&signed, &odd);
        assert!(a < b, "{low} {high}");
    }
    assert_eq!(view::legend(&dye([8, 8]), &auto), None);
    let legend = view::legend(&signed, &auto).expect("a scalar has a legend");
    assert_eq!((legend.map, legend.unit), (ColorMap::CoolWarm, "m/s"));
}

#[test]
fn colour_maps_climb_in_lightness() {
    let lightness =
        |c: [f32; 3]| 0.2126 * c[0].powf(2.2) + 0.7152 * c[1].powf(2.2) + 0.0722 * c[2].powf(2.2);
    for map in [ColorMap::Viridis, ColorMap::Inferno, ColorMap::Grey] {
        let steps: Vec<f32> = (0..=50)
            .map(|i| lightness(colormap::sample(map, i as f32 / 50.0)))
            .collect();
        assert!(steps.windows(2).all(|w| w[1] > w[0]), "{map:?} {steps:?}");
        assert!(steps[50] > 0.65 && steps[0] < 0.05, "{map:?}");
    }
    let middle = colormap::sample(ColorMap::CoolWarm, 0.5);
    let ends = [0.0, 1.0].map(|t| colormap::sample(ColorMap::CoolWarm, t));
    assert!(middle.iter().all(|&c| c > 0.8), "{middle:?}");
    assert!((lightness(ends[0]) - lightness(ends[1])).abs() < 0.03);
    assert!(ends[0][2] > ends[0][0] + 0.3 && ends[1][0] > ends[1][2] + 0.3);
    assert_eq!(
        colormap::strip(ColorMap::Grey, 3),
        [[0, 0, 0, 255], [128, 128, 128, 255], [255; 4]]
    );
    assert_eq!(colormap::sample(ColorMap::Grey, f32::NAN), [0.0; 3]);
}

#[test]
fn the_probe_interpolates_linearly() {
    let plane = field(RangeHint::Signed, 2, [40, 20], |x, y| vec![2.0 * x + y, -y]);
    let v = view::probe(&plane, [0.5, 0.25]).expect("inside");
    assert!(
        (v[0] - 1.25).abs() < 1e-5 && (v[1] + 0.25).abs() < 1e-5,
        "{v:?}"
    );
    assert_eq!(view::probe(&plane, [-0.01, 0.2]), None);
    assert_eq!(view::probe(&plane, [0.2, 0.51]), None);
    assert!(view::probe(&plane, [1.0, 0.5]).is_some());
}

#[test]
fn the_camera_goes_there_and_back() {
    let rect = egui::Rect::from_min_size(egui::pos2(40.0, 20.0), egui::vec2(600.0, 300.0));
    let grid = Grid {
        cells: [100, 100, 1],
        h: 0.02,
    };
    let mut camera = Camera::fit(rect, &grid);
    assert_eq!(camera.center, [1.0, 1.0]);
    assert!((camera.zoom - 150.0).abs() < 1e-3);
    let pointer = egui::pos2(200.0, 130.0);
    let under = camera.to_world(rect, pointer);
    camera.zoom_at(rect, pointer, 3.0);
    let still = camera.to_world(rect, pointer);
    assert!((under[0] - still[0]).abs() < 1e-4 && (under[1] - still[1]).abs() < 1e-4);
    assert!((camera.to_screen(rect, still) - pointer).length() < 1e-2);
    camera.pan(egui::vec2(30.0, -10.0));
    let moved = camera.to_screen(rect, still);
    assert!((moved - pointer - egui::vec2(30.0, -10.0)).length() < 1e-2);
}

/// A device of any adapter, or nothing where there is none.
fn device() -> Option<(wgpu::Device, wgpu::Queue)> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter =
        pollster(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).ok()?;
    let wanted = wgpu::DeviceDescriptor {
        required_limits: adapter.limits(),
        ..Default::default()
    };
    pollster(adapter.request_device(&wanted)).ok()
}

/// wgpu's futures on native platforms are ready at once.
fn pollster<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(v) = future.as_mut().poll(&mut context) {
            return v;
        }
    }
}

fn read(device: &wgpu::Device, queue: &wgpu::Queue, texture: &wgpu::Texture) -> Vec<u8> {
    let (width, height) = (texture.width(), texture.height());
    let row = (4 * width).next_multiple_of(256);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(row * height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(row),
                rows_per_image: None,
            },
        },
        texture.size(),
    );
    queue.submit([encoder.finish()]);
    buffer.slice(..).map_async(wgpu::MapMode::Read, |_| {});
    device
        .poll(wgpu::PollType::wait_indefinitely())
        .expect("the device answers");
    let mapped = buffer.slice(..).get_mapped_range().expect("mapped");
    mapped
        .chunks(row as usize)
        .flat_map(|line| line[..4 * width as usize].to_vec())
        .collect()
}

#[test]
fn the_shaders_make_the_same_picture() {
    let Some((device, queue)) = device() else {
        println!("skipped: no adapter");
        return;
    };
    let Some(mut shader) = view::shader::Shader::new(&device) else {
        println!("skipped: the adapter cannot run the shaders");
        return;
    };
    let cells = [70, 45];
    let (dye, disc, vortex) = (dye(cells), disc(cells), vortex(cells));
    let scalar = field(RangeHint::Signed, 1, cells, |x, y| {
        vec![(8.0 * x).sin() * y]
    });
    let plain = ViewSettings::default();
    let with = |change: fn(&mut ViewSettings)| {
        let mut settings = plain.clone();
        change(&mut settings);
        settings
    };
    let cases = [
        ("dye", &dye, None, plain.clone()),
        (
            "bright dye",
            &dye,
            Some(&disc),
            with(|s| (s.exposure, s.bloom) = (3.0, 1.0)),
        ),
        ("ink", &dye, Some(&disc), with(|s| s.ink = true)),
        ("no bloom", &dye, Some(&disc), with(|s| s.bloom = 0.0)),
        (
            "luminance",
            &dye,
            None,
            with(|s| s.color_map = ColorMap::Inferno),
        ),
        ("scalar", &scalar, Some(&disc), plain.clone()),
        ("direction", &vortex, Some(&disc), plain.clone()),
        (
            "speed",
            &vortex,
            None,
            with(|s| s.color_map = ColorMap::Viridis),
        ),
    ];
    for size in [[200, 150], [70, 45], [31, 20]] {
        for (name, field, obstacle, settings) in &cases {
            let texture = view::viewport::new_texture(&device, size);
            assert!(
                shader.render(&queue, field, *obstacle, settings, &texture),
                "{name}"
            );
            let gpu = read(&device, &queue, &texture);
            let cpu = view::picture(field, *obstacle, settings, size).rgba;
            let worst = gpu.iter().zip(&cpu).map(|(a, b)| a.abs_diff(*b)).max();
            let differing = gpu.iter().zip(&cpu).filter(|(a, b)| a != b).count();
            // A rounding of the last bit may cross the threshold of the dither, which is one step.
            assert!(worst.is_some_and(|w| w <= 1), "{name} {size:?}: {worst:?}");
            assert!(
                differing * 50 < cpu.len(),
                "{name} {size:?}: {differing} of {}",
                cpu.len()
            );
        }
    }
}

/// A window with nothing but the picture.
struct Window {
    viewport: view::viewport::Viewport,
    grid: Grid,
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let rect = ui.max_rect();
        let camera = Camera::fit(rect, &self.grid);
        self.viewport.paint(ui.painter(), rect, &camera);
    }
}

#[test]
fn the_viewport_shows_the_picture_whichever_side_shades_it() {
    if device().is_none() {
        println!("skipped: no adapter");
        return;
    }
    let cells = [64, 40];
    let field = std::sync::Arc::new(dye(cells));
    let solid = std::sync::Arc::new(disc(cells));
    let settings = ViewSettings::default();
    let shown = |on_gpu| {
        let mut harness = egui_kittest::Harness::builder()
            .with_size(egui::vec2(400.0, 300.0))
            .with_pixels_per_point(1.0)
            .wgpu()
            .build_eframe(|cc| {
                let render = cc.wgpu_render_state.as_ref().expect("wgpu");
                let mut viewport = view::viewport::Viewport::with_shading(render, on_gpu);
                viewport.set_field(1, field.clone(), Some(solid.clone()), &settings);
                Window {
                    viewport,
                    grid: field.grid,
                }
            });
        harness.run_steps(2);
        harness.render().expect("an image")
    };
    let (gpu, cpu) = (shown(true), shown(false));
    let worst = gpu
        .as_raw()
        .iter()
        .zip(cpu.as_raw())
        .map(|(a, b)| a.abs_diff(*b))
        .max();
    assert!(worst.is_some_and(|w| w <= 2), "{worst:?}");
    // The picture fills the width and is centred, with its top at the top: compare with the picture itself. The panel
    // around it has a margin, so positions are those of the whole window shrunk a little.
    let picture = view::picture(&field, Some(&solid), &settings, [64, 40]);
    let mut off = 0;
    for y in (4..36).step_by(4) {
        for x in (4..60).step_by(4) {
            let margin = 8.0;
            let scale = (400.0 - 2.0 * margin) / 64.0;
            let at = [
                margin + (x as f32 + 0.5) * scale,
                150.0 + (y as f32 + 0.5 - 20.0) * scale,
            ];
            let seen = cpu.get_pixel(at[0] as u32, at[1] as u32);
            let meant = pixel(&picture, x, y);
            off += u32::from((0..3).any(|c| seen[c].abs_diff(meant[c]) > 40));
        }
    }
    assert!(off < 12, "{off} of 112 places differ");
}
