//! What tracks come to.

use super::*;

#[test]
fn values_are_exact_at_keys_and_right_between() {
    use Interpolation::*;
    let of = |interpolation| {
        with(vec![track(
            HEAT,
            vec![key(1.0, 10.0, interpolation), key(3.0, 30.0, interpolation)],
        )])
    };
    for interpolation in [Smooth, Linear, Stepped] {
        let d = of(interpolation);
        for (time, value) in [
            (-5.0, 10.0),
            (0.0, 10.0),
            (1.0, 10.0),
            (3.0, 30.0),
            (9.0, 30.0),
        ] {
            assert_eq!(heat(&d, time), value, "{interpolation:?} at {time}");
        }
    }
    assert_eq!(heat(&of(Linear), 1.5), 15.0);
    assert_eq!(heat(&of(Linear), 2.0), 20.0);
    assert_eq!(heat(&of(Smooth), 2.0), 20.0);
    // 3s² − 2s³ at a quarter.
    assert_eq!(heat(&of(Smooth), 1.5), 10.0 + 20.0 * 0.15625);
    assert_eq!(heat(&of(Stepped), 2.999), 10.0);
}

#[test]
fn a_smooth_curve_runs_through_its_keys_without_a_stop_or_a_hump() {
    use Interpolation::Smooth;
    let values = [0.0, 10.0, 30.0, 30.0, 5.0];
    let keys = values
        .iter()
        .enumerate()
        .map(|(i, v)| key(i as f32, *v, Smooth))
        .collect();
    let d = with(vec![track(HEAT, keys)]);
    let present = found(&d, &[HEAT])[0].clone().unwrap();
    let at = |t: f64| present.component(&d.animation.tracks[0], 0, t);
    assert!(at(1.0).rate > 5.0, "{:?}", at(1.0));
    for (i, pair) in values.windows(2).enumerate() {
        let (low, high) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
        for s in 0..=50 {
            let (t, e) = (i as f64 + f64::from(s) / 50.0, 1e-5);
            let v = at(t).value;
            assert!(
                v >= f64::from(low) - 1e-9 && v <= f64::from(high) + 1e-9,
                "{t}: {v}"
            );
            let difference = (at(t + e).value - at(t - e).value) / (2.0 * e);
            assert!((difference - at(t).rate).abs() < 1e-2, "{t}");
        }
    }
}

#[test]
fn jumps_come_with_the_frame_that_has_their_key_at_any_frame_rate() {
    for rate in [24.0, 25.0, 29.97, 30.0, 50.0, 60.0, 144.0] {
        let mut d = Document::default();
        d.time.frame_rate = rate;
        for frame in [0_u32, 1, 7, 37, 240, 9999] {
            let seconds = d.time.seconds(frame);
            assert_eq!(d.time.frame_at(f64::from(seconds as f32)), frame);
            let keys = vec![
                key(0.0, 1.0, Interpolation::Stepped),
                key(seconds as f32 + 1e-3, 2.0, Interpolation::Stepped),
            ];
            let mut d = with(vec![track(HEAT, keys)]);
            if frame > 0 {
                d.animation.tracks[0].keys[1].time = seconds as f32;
                assert_eq!(heat(&d, seconds), 2.0, "frame {frame} at {rate}");
                let dt = f64::from(1.0 / rate);
                assert_eq!(
                    heat(&d, seconds - dt * 0.25),
                    1.0,
                    "frame {frame} at {rate}"
                );
            }
        }
    }
}

#[test]
fn keys_repeat() {
    let mut t = track(
        HEAT,
        vec![
            key(0.0, 0.0, Interpolation::Linear),
            key(2.0, 20.0, Interpolation::Linear),
        ],
    );
    t.repeat = true;
    let d = with(vec![t]);
    for (time, value) in [
        (0.5, 5.0),
        (2.0, 0.0),
        (2.5, 5.0),
        (21.0, 10.0),
        (-0.5, 15.0),
    ] {
        assert!(
            (heat(&d, time) - value).abs() < 1e-4,
            "{time}: {}",
            heat(&d, time)
        );
    }
}

#[test]
fn what_has_no_numbers_jumps() {
    let mut d = rich();
    let step = |time, value| TrackKey {
        time,
        value,
        interpolation: Interpolation::Stepped,
    };
    d.animation.tracks[4].keys = vec![
        step(0.0, KeyValue::Flag(false)),
        step(1.0, KeyValue::Flag(true)),
    ];
    let mut tracks = Tracks::new(&d).unwrap();
    for (time, on) in [(-1.0, false), (0.9, false), (1.0, true), (5.0, true)] {
        tracks.set(time);
        assert_eq!(tracks.scene().emitters[0].enabled, on, "{time}");
        assert_eq!(
            tracks.scene().emitters[0].dye_blend,
            crate::scene::Blend::Add
        );
    }
}

/// Mean, least and greatest value over some time.
fn statistics(d: &Document, from: f64, to: f64) -> [f64; 3] {
    let present = found(d, &[HEAT])[0].clone().unwrap();
    let n = 20_000;
    let values = (0..n).map(|i| {
        let t = from + (to - from) * (f64::from(i) + 0.5) / f64::from(n);
        present.component(&d.animation.tracks[0], 0, t).value
    });
    let start = [0.0, f64::INFINITY, f64::NEG_INFINITY];
    values.fold(start, |[sum, low, high], v| {
        [sum + v / f64::from(n), low.min(v), high.max(v)]
    })
}

#[test]
fn oscillators_have_their_period_mean_and_reach() {
    for i in 0..4 {
        let form = params::Choice::from_index(i);
        let p = Oscillator {
            form,
            period: 0.8,
            phase: 30.0,
        };
        let d = with(vec![wave(Wave::Oscillator(p), Combine::Add, 5.0)]);
        let [mean, low, high] = statistics(&d, 3.0, 3.8);
        assert!((mean - 100.0).abs() < 1e-2, "{form:?}: {mean}");
        assert!(
            (low - 95.0).abs() < 1e-2 && (high - 105.0).abs() < 1e-2,
            "{form:?}"
        );
        for t in [0.1, 0.33, 0.77] {
            // The period is written in single precision.
            assert!((heat(&d, t) - heat(&d, t + f64::from(0.8_f32))).abs() < 1e-4);
        }
        assert!(
            (heat(&d, 0.1) - heat(&d, 0.5)).abs() > 0.1,
            "half a period is none"
        );
    }
    let sine = Oscillator {
        period: 4.0,
        ..Oscillator::default()
    };
    let d = with(vec![wave(
        Wave::Oscillator(sine.clone()),
        Combine::Scale,
        0.5,
    )]);
    assert_eq!(
        [heat(&d, 0.0), heat(&d, 1.0), heat(&d, 3.0)],
        [100.0, 150.0, 50.0]
    );
    let d = with(vec![wave(Wave::Oscillator(sine), Combine::Multiply, 0.5)]);
    assert_eq!(
        [heat(&d, 0.0), heat(&d, 1.0), heat(&d, 3.0)],
        [0.0, 50.0, -50.0]
    );
}

#[test]
fn noise_wanders_about_the_value_and_follows_its_seeds() {
    let noise = |seed, repeat| Noise {
        period: 0.1,
        seed,
        repeat,
    };
    let of = |seed| {
        with(vec![wave(
            Wave::Noise(noise(seed, 0.0)),
            Combine::Add,
            10.0,
        )])
    };
    let d = of(0);
    let [mean, low, high] = statistics(&d, 0.0, 400.0);
    assert!((mean - 100.0).abs() < 0.5, "{mean}");
    assert!((90.0..92.0).contains(&low) && (108.0..=110.0).contains(&high));
    let course =
        |d: &Document| -> Vec<f32> { (0..50).map(|i| heat(d, f64::from(i) * 0.037)).collect() };
    assert_eq!(course(&d), course(&d.clone()));
    assert_ne!(course(&d), course(&of(1)));
    let mut other = d.clone();
    other.scene.seed += 1;
    assert_ne!(course(&d), course(&other));
    // It comes back where it is to repeat, without a seam.
    let d = with(vec![wave(Wave::Noise(noise(3, 1.5)), Combine::Add, 10.0)]);
    for t in [0.0, 0.2, 1.31] {
        assert!((heat(&d, t) - heat(&d, t + 1.5)).abs() < 1e-3);
    }
    // The components of a place wander each by itself, those of a colour together.
    let mut place = wave(Wave::Noise(noise(0, 0.0)), Combine::Add, 0.1);
    place.path = PLACE.into();
    let mut colour = wave(Wave::Noise(noise(0, 0.0)), Combine::Scale, 0.1);
    colour.path = DYE.into();
    let mut tracks = Tracks::new(&with(vec![place, colour])).unwrap();
    tracks.set(0.23);
    let [x, y, _] = tracks.scene().obstacles[0].position;
    let [r, g, b] = tracks.scene().emitters[0].dye;
    assert!(x != y && r == g && g == b && r != 1.0);
}

#[test]
fn an_envelope_rises_stays_and_falls() {
    let burst = Envelope {
        delay: 1.0,
        attack: 0.5,
        hold: 1.0,
        decay: 2.0,
        repeat: 10.0,
    };
    let d = with(vec![wave(Wave::Envelope(burst), Combine::Multiply, 2.0)]);
    let course = [
        (-1.0, 0.0),
        (1.0, 0.0),
        (1.25, 100.0),
        (1.5, 200.0),
        (2.4, 200.0),
        (3.5, 100.0),
        (5.0, 0.0),
        (10.9, 0.0),
        (11.25, 100.0),
    ];
    for (time, value) in course {
        assert!(
            (heat(&d, time) - value).abs() < 1e-3,
            "{time}: {}",
            heat(&d, time)
        );
    }
}

#[test]
fn slopes_are_derivatives_and_values_stay_inside_their_limits() {
    let waves = [
        Wave::Oscillator(Oscillator::default()),
        Wave::Noise(Noise::default()),
        Wave::Envelope(Envelope::default()),
    ];
    for combine in [Combine::Add, Combine::Scale, Combine::Multiply] {
        for w in &waves {
            let mut t = wave(w.clone(), combine, 30.0);
            t.keys = vec![
                key(0.0, -20.0, Interpolation::Smooth),
                key(2.0, 90.0, Interpolation::Smooth),
            ];
            let d = with(vec![t]);
            let present = found(&d, &[HEAT])[0].clone().unwrap();
            let at = |t: f64| present.component(&d.animation.tracks[0], 0, t);
            for time in [0.031, 0.23, 0.47, 1.13, 1.71] {
                let e = 1e-6;
                let slope = (at(time + e).value - at(time - e).value) / (2.0 * e);
                let rate = at(time).rate;
                assert!(
                    (slope - rate).abs() < 1e-3 * rate.abs().max(1.0),
                    "{w:?} {time}"
                );
            }
        }
    }
    let mut limited = wave(Wave::Oscillator(Oscillator::default()), Combine::Add, 1e6);
    limited.path = "method.cooling".into();
    let mut tracks = Tracks::new(&with(vec![limited])).unwrap();
    for i in 0..20 {
        tracks.set(f64::from(i) * 0.09);
        let cooling = params::get(tracks.method(), "cooling").unwrap();
        assert!(matches!(cooling, Value::Float(v) if (0.0..=1e3).contains(&v)));
    }
}

#[test]
fn an_obstacle_whose_place_is_animated_takes_the_fluid_along() {
    let place = |time, x| TrackKey {
        time,
        value: KeyValue::Triple([x, 0.5, 0.0]),
        interpolation: Interpolation::Linear,
    };
    let d = with(vec![track(PLACE, vec![place(0.0, 0.2), place(2.0, 0.8)])]);
    let mut tracks = Tracks::new(&d).unwrap();
    tracks.set(1.0);
    let masks = crate::scene::Masks::default();
    let (scene, drifts) = (tracks.scene(), tracks.drifts());
    let frame = scene.at_with(1.0, 0.01, 60, 0.01, &masks, drifts);
    assert_eq!(scene.obstacles[0].position, [0.5, 0.5, 0.0]);
    assert_eq!(frame.obstacles[0].velocity[0], 0.3);
    let still = d.scene.at(1.0, 0.01, 60, 0.01, &masks);
    assert_eq!(still.obstacles[0].velocity[0], 0.0);
}
