//! Symmetry, and the same bits wherever and however often.

use eddy::device::{Buf, Device, PARTIALS};
use eddy::field::difference_l2;
use eddy::scene::{Condition, Disc, Groundwork, Masks, Raster, Shape, Terrain};
use eddy::solvers::Method;
use eddy::solvers::shallow_water::{
    Border, BorderU, Calm, Depth, Derive, LookKernel, LookU, MapsU, Momentum, Parameters,
    ShoreColumns, ShoreRows, Solver, SprayBirth, SprayFlight, SprayOver, SprayPush, SpraySettle,
    SprayU, SurfaceNormal, Totals, TraceU, Traces, Velocity, Walls, WantedU, WaterU,
};

use super::{Pool, basin, plain};
use crate::kernels::{gpu, noise, twin, twin_within};
use crate::stable_fluids::busy;

#[test]
fn four_quarters_stay_alike() {
    for momentum in [Momentum::Conservative, Momentum::Linear] {
        let n = 65_usize;
        let mut scene = basin(n as u32, n as u32, 1.0, Condition::NoSlip);
        // An island in the middle, dry on top.
        scene.terrain.push(Terrain {
            shape: Shape::Disc(Disc { radius: 0.2 }),
            softness: 0.2,
            height: 0.2,
            ..Terrain::default()
        });
        let mut params = plain(0.1);
        (params.momentum, params.friction) = (momentum, 0.01);
        let mut pool = Pool::new(scene, params);
        let mut depth = pool.field("depth");
        for (c, h) in depth.iter_mut().enumerate() {
            let r = |k: usize| k as f32 - 32.0;
            let (x, y) = (r(c % n), r(c / n));
            *h += if x * x + y * y > 26.0 * 26.0 {
                0.08
            } else {
                0.0
            };
        }
        pool.put("depth", &depth);
        pool.run(120, 1.0 / 60.0);
        let depth = pool.field("depth");
        assert!(pool.get("max_speed") > 0.05);
        let mut worst = 0.0_f32;
        for j in 0..n {
            for i in 0..n {
                let (a, b) = (n - 1 - i, n - 1 - j);
                for (x, y) in [(a, j), (i, b), (j, i)] {
                    worst = worst.max((depth[j * n + i] - depth[y * n + x]).abs());
                }
            }
        }
        println!("{momentum:?}: {worst:e} m");
        assert!(worst <= 1e-6);
    }
}

/// Everything that changes.
fn everything(pool: &mut Pool) -> Vec<u32> {
    let names: Vec<_> = pool.solver.state().iter().map(|s| s.name).collect();
    let state = names.into_iter().flat_map(|name| pool.state(name));
    state.map(f32::to_bits).collect()
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let run = |threads| {
        let mut pool = Pool::on(
            Device::cpu_with_threads(threads),
            busy(70),
            Parameters::default(),
        );
        pool.run(12, 1.0 / 60.0);
        (everything(&mut pool), pool.report())
    };
    let one = run(1);
    for threads in [2, 3, 5] {
        let many = run(threads);
        assert!(one.0 == many.0, "{threads} threads give another state");
        assert_eq!(one.1, many.1, "{threads} threads give another report");
    }
}

#[test]
fn both_devices_agree_for_a_second() {
    let Some(gpu) = gpu() else { return };
    let run = |dev| {
        let mut pool = Pool::on(dev, busy(48), Parameters::default());
        pool.run(60, 1.0 / 60.0);
        let fields = ["depth", "velocity", "foam", "spray", "wetness", "normal"];
        fields.map(|name| (name, pool.field(name)))
    };
    let on_cpu = run(crate::kernels::cpu());
    for ((name, a), (_, b)) in run(gpu).iter().zip(&on_cpu) {
        let size = difference_l2(b, &vec![0.0; b.len()]);
        let difference = difference_l2(a, b) / size.max(1e-12);
        println!("{name}: {difference:e} of {size:e}");
        assert!(difference <= Solver::INFO.parity, "{name}: {difference:e}");
    }
}

#[test]
fn memory_is_what_was_said() {
    let pool = Pool::new(
        basin(256, 192, 1.0, Condition::NoSlip),
        Parameters::default(),
    );
    let said = Solver::memory_bytes(&pool.scene.domain.grid(), &pool.params);
    let ratio = pool.dev.memory_used() as f64 / said as f64;
    println!("{ratio}");
    assert!((0.95..1.05).contains(&ratio), "{ratio}");
}

/// Numbers from `low` to `high`, a third of them zero where `holes`.
fn some(dev: &mut Device, seed: u32, len: usize, [low, high]: [f32; 2], holes: bool) -> Buf<f32> {
    let value = |x: &f32| {
        if holes && *x < -0.3 {
            0.0
        } else {
            low + (high - low) * (0.5 + 0.5 * x)
        }
    };
    let data: Vec<f32> = noise(seed, len).iter().map(value).collect();
    dev.buf_from("numbers", &data).unwrap()
}

/// Each kernel of the water on water of any shape, at faces of all kinds, on both devices.
#[test]
fn kernels_agree() {
    use eddy::solvers::shallow_water::{CARRIED, JOINED_X, JOINED_Y};
    for (nx, ny) in [(37_u32, 19_u32), (8, 5)] {
        for flags in [
            0,
            CARRIED,
            CARRIED | JOINED_X,
            CARRIED | JOINED_Y,
            JOINED_X | JOINED_Y,
        ] {
            let at = WaterU {
                cells: [nx, ny],
                flags,
                h: 0.1,
                dt: 0.013,
                gravity: 9.81,
                dry: 1e-3,
                friction: 0.02,
                max_speed: 1.5,
                deepest: 0.4,
                rest: 0.3,
                fastest: 4.0,
            };
            let what = format!("{nx} × {ny}, flags {flags}");
            twin(&what, |dev| {
                let mut out = moves(dev, at);
                out.extend(splashes(dev, at));
                out.extend(shows(dev, at));
                out.extend(shore(dev, at));
                out
            });
            // A GPU may mix two numbers in either of two ways.
            twin_within(&what, 1e-5, |dev| vec![seen(dev, at), leans(dev, at)]);
        }
    }
}

/// Water with dry places, its ground and the velocities on its faces.
struct Sample {
    n: usize,
    depth: Buf<f32>,
    ground: Buf<f32>,
    u: Buf<f32>,
    v: Buf<f32>,
}

impl Sample {
    fn new(dev: &mut Device, at: WaterU) -> Self {
        let [nx, ny] = at.cells.map(|n| n as usize);
        let mut face = |seed, len: usize, axis: u32| {
            let mut data: Vec<f32> = noise(seed, len);
            // The far end of a joined axis repeats the near one.
            if at.flags >> axis & 1 == 1 {
                match axis {
                    0 => data
                        .chunks_exact_mut(nx + 1)
                        .for_each(|row| row[nx] = row[0]),
                    _ => data.copy_within(..nx, nx * ny),
                }
            }
            dev.buf_from("velocity", &data).unwrap()
        };
        let (u, v) = (face(3, (nx + 1) * ny, 0), face(4, nx * (ny + 1), 1));
        Self {
            n: nx * ny,
            depth: some(dev, 1, nx * ny, [0.0, 0.6], true),
            ground: some(dev, 2, nx * ny, [-0.2, 0.5], false),
            u,
            v,
        }
    }
}

/// Depth, velocity, faces of the domain, calm strips, walls.
fn moves(dev: &mut Device, at: WaterU) -> Vec<Vec<f32>> {
    let Sample {
        n,
        depth,
        ground,
        mut u,
        mut v,
    } = Sample::new(dev, at);
    let cells = [at.cells[0], at.cells[1], 1];
    let (lu, lv) = (u.len(), v.len());
    let mut make = |len| dev.buf::<f32>("made", len).unwrap();
    let (mut next, mut added) = (make(n), make(n));
    let (mut qx, mut qy, mut next_u, mut next_v) = (make(lu), make(lv), make(lu), make(lv));
    dev.run(
        cells,
        Depth {
            at,
            depth: &depth,
            u: &u,
            v: &v,
            next: &mut next,
            qx: &mut qx,
            qy: &mut qy,
        },
    );
    let joined = |bit: u32, kind: u32| if at.flags & bit != 0 { 3 } else { kind };
    let edge = BorderU {
        kind: [joined(1, 1), joined(1, 2), joined(2, 2), joined(2, 0)],
        speed: [0.7, 0.0, -0.3, 0.0],
        calm: [3.0, 0.0, 2.5, 4.0],
        strength: 6.0,
        unused0: 0.0,
        unused1: 0.0,
        unused2: 0.0,
    };
    let items = [2 * (at.cells[0] + at.cells[1]) - 4, 1, 1];
    let ground = &ground;
    dev.run(
        items,
        Border {
            at,
            edge,
            ground,
            depth: &mut next,
            u: &mut u,
            v: &mut v,
            qx: &mut qx,
            qy: &mut qy,
            added: &mut added,
        },
    );
    dev.run(
        cells,
        Velocity {
            at,
            depth: &next,
            head: ground,
            u: &u,
            v: &v,
            qx: &qx,
            qy: &qy,
            next_u: &mut next_u,
            next_v: &mut next_v,
        },
    );
    dev.run(
        cells,
        Calm {
            at,
            edge,
            ground,
            depth: &mut next,
            u: &mut next_u,
            v: &mut next_v,
            added: &mut added,
        },
    );
    let mut out: Vec<Vec<f32>> = [&next, &added, &qx, &qy, &next_u, &next_v]
        .map(|b| dev.read(b).unwrap())
        .into();
    let solid: Vec<u32> = noise(8, n).iter().map(|x| u32::from(*x > 0.4)).collect();
    let solid = dev.buf_from("solid", &solid).unwrap();
    let solid_velocity = some(dev, 9, 4 * n, [-1.0, 1.0], false);
    dev.run(
        cells,
        Walls {
            at,
            solid: &solid,
            solid_velocity: &solid_velocity,
            u: &mut next_u,
            v: &mut next_v,
        },
    );
    out.extend([&next_u, &next_v].map(|b| dev.read(b).unwrap()));
    out
}

/// Foam, and spray that is thrown up, flies for a while, lands and is counted.
fn splashes(dev: &mut Device, at: WaterU) -> Vec<Vec<f32>> {
    let sample = Sample::new(dev, at);
    let cells = [at.cells[0], at.cells[1], 1];
    let strips = at.cells[0].div_ceil(8);
    let (mut scalars, mut wet) = (
        some(dev, 5, 4 * sample.n, [0.0, 1.0], false),
        some(dev, 6, sample.n, [0.0, 1.0], true),
    );
    let trace = TraceU {
        foam: 0.3,
        calm: 0.1,
        film: 0.05,
        stays: 0.9,
        dt: 0.02,
        carries: 1.0,
        unused1: 0.0,
        unused2: 0.0,
    };
    let Sample {
        mut depth,
        ground,
        mut u,
        mut v,
        n,
    } = sample;
    let ground = &ground;
    dev.run(
        cells,
        Traces {
            at,
            trace,
            depth: &depth,
            ground,
            u: &u,
            v: &v,
            scalars: &mut scalars,
            wet: &mut wet,
        },
    );
    let mut drops = dev
        .buf("drops", (strips * at.cells[1] * 8) as usize)
        .unwrap();
    let mut landed = dev.buf("landed", 3 * n).unwrap();
    let items = [strips, at.cells[1], 1];
    for step in 0..12 {
        let spray = SprayU {
            begins: 0.1,
            share: 0.1,
            lift: 0.4,
            dt: 0.04,
            step,
            seed: 7,
            strips,
            unused: 0,
        };
        dev.run(
            items,
            SprayBirth {
                at,
                spray,
                depth: &depth,
                ground,
                u: &u,
                v: &v,
                drops: &mut drops,
                landed: &mut landed,
            },
        );
        dev.run(
            items,
            SprayFlight {
                at,
                spray,
                depth: &depth,
                ground,
                drops: &mut drops,
                landed: &mut landed,
            },
        );
        dev.run(
            cells,
            SprayPush {
                at,
                depth: &depth,
                landed: &landed,
                u: &mut u,
                v: &mut v,
            },
        );
        dev.run(
            cells,
            SpraySettle {
                at,
                landed: &mut landed,
                depth: &mut depth,
            },
        );
    }
    let spray = SprayU {
        begins: 0.0,
        share: 0.0,
        lift: 0.0,
        dt: 0.0,
        step: 0,
        seed: 0,
        strips,
        unused: 0,
    };
    dev.run(
        items,
        SprayOver {
            at,
            spray,
            drops: &drops,
            landed: &mut landed,
        },
    );
    let mut over = dev.buf("over", n).unwrap();
    dev.run(
        cells,
        SpraySettle {
            at,
            landed: &mut landed,
            depth: &mut over,
        },
    );
    [&scalars, &wet, &drops, &depth, &u, &v, &over]
        .map(|b| dev.read(b).unwrap())
        .into()
}

/// The maps: where the shore is to the bit, as cells are counted.
fn shore(dev: &mut Device, at: WaterU) -> Vec<Vec<f32>> {
    let sample = Sample::new(dev, at);
    let depth = &sample.depth;
    let sdf = &some(dev, 11, sample.n, [-0.2, 1.0], false);
    let mut near = dev.buf("near", sample.n).unwrap();
    let mut out = dev.buf("shore", sample.n).unwrap();
    dev.run(
        [at.cells[1], 1, 1],
        ShoreRows {
            at,
            maps: MAPS,
            depth,
            sdf,
            near: &mut near,
        },
    );
    dev.run(
        [at.cells[0], at.cells[1], 1],
        ShoreColumns {
            at,
            near: &near,
            out: &mut out,
        },
    );
    vec![dev.read(&near).unwrap(), dev.read(&out).unwrap()]
}

const MAPS: MapsU = MapsU {
    steep: 2.5,
    shore_depth: 0.01,
    unused0: 0.0,
    unused1: 0.0,
};

/// The normal of the surface.
fn leans(dev: &mut Device, at: WaterU) -> Vec<f32> {
    let sample = Sample::new(dev, at);
    let sdf = &some(dev, 11, sample.n, [-0.2, 1.0], false);
    let mut out = dev.buf("normal", 3 * sample.n).unwrap();
    dev.run(
        [at.cells[0], at.cells[1], 1],
        SurfaceNormal {
            at,
            maps: MAPS,
            depth: &sample.depth,
            ground: &sample.ground,
            sdf,
            out: &mut out,
        },
    );
    dev.read(&out).unwrap()
}

/// What follows from the state, and heights that a scene changes.
fn shows(dev: &mut Device, at: WaterU) -> Vec<Vec<f32>> {
    let sample = Sample::new(dev, at);
    let (depth, ground, u, v) = (&sample.depth, &sample.ground, &sample.u, &sample.v);
    let cells = [at.cells[0], at.cells[1], 1];
    let mut out = Vec::new();
    for what in 0..2 {
        let mut field = dev.buf("field", sample.n).unwrap();
        let wanted = WantedU { what };
        dev.run(
            cells,
            Derive {
                at,
                wanted,
                depth,
                ground,
                u,
                v,
                out: &mut field,
            },
        );
        out.push(dev.read(&field).unwrap());
    }
    let (added, drops) = (
        &some(dev, 8, sample.n, [-0.1, 0.1], false),
        &some(
            dev,
            9,
            (at.cells[0].div_ceil(8) * at.cells[1] * 8) as usize,
            [0.0, 50.0],
            true,
        ),
    );
    let mut partials = dev.buf("partials", 12 * PARTIALS).unwrap();
    dev.run(
        [PARTIALS as u32, 1, 1],
        Totals {
            at,
            depth,
            ground,
            u,
            v,
            added,
            drops,
            partials: &mut partials,
        },
    );
    out.push(dev.read(&partials).unwrap());
    let mut scene = basin(at.cells[0], at.cells[1], 1.0, Condition::Periodic);
    let ways = [Groundwork::Add, Groundwork::Raise, Groundwork::Level];
    scene.terrain = ways
        .map(|build| Terrain {
            position: [0.3 + 0.2 * build as u32 as f32, 0.25, 0.0],
            rotation: [0.0, 0.0, 30.0],
            build,
            ..Terrain::default()
        })
        .into();
    let frame = scene.at(0.0, 0.1, 0, 0.1, &Masks::default());
    let mut raster = Raster::new(dev, &frame.grid).unwrap();
    raster.update(dev, &frame).unwrap();
    let mut change = dev.buf("change", sample.n).unwrap();
    let mut heights = some(dev, 10, sample.n, [0.0, 0.2], false);
    for noted in [false, true] {
        raster
            .relief(
                dev,
                &frame,
                &frame.terrain,
                0.5,
                noted,
                [&mut heights, &mut change],
            )
            .unwrap();
        out.extend([&heights, &change].map(|b| dev.read(b).unwrap()));
    }
    out
}

/// The picture from above.
fn seen(dev: &mut Device, at: WaterU) -> Vec<f32> {
    let sample = Sample::new(dev, at);
    let (depth, ground) = (&sample.depth, &sample.ground);
    let cells = [at.cells[0], at.cells[1], 1];
    let look = LookU {
        ground: [0.4, 0.3, 0.2, 2.0],
        deep: [0.0, 0.1, 0.2, 4.0],
        sky: [0.5, 0.6, 0.8, 0.02],
        sun: [0.4, 0.5, 0.768, 1.5],
        share: [1.0, 0.6, 1.0, 40.0],
    };
    let scalars = &some(dev, 5, 4 * sample.n, [0.0, 1.0], true);
    let (wet, spray) = (
        &some(dev, 6, sample.n, [0.0, 1.0], true),
        &some(dev, 7, sample.n, [0.0, 1e-3], true),
    );
    let mut color = dev.buf("color", 3 * sample.n).unwrap();
    dev.run(
        cells,
        LookKernel {
            at,
            look,
            depth,
            ground,
            scalars,
            wet,
            spray,
            out: &mut color,
        },
    );
    dev.read(&color).unwrap()
}
