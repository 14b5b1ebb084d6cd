//! Numbers as people read them.

use crate::params::label_from_name;

/// Four significant digits, with a power of ten where there would be too many zeros: `0.0034`, `1.5e-6`, `42`.
pub fn number(v: f64) -> String {
    let size = v.abs();
    if v == 0.0 {
        return "0".to_owned();
    }
    if !v.is_finite() {
        return if v.is_nan() {
            "not a number"
        } else {
            "infinite"
        }
        .to_owned();
    }
    if !(1e-3..1e5).contains(&size) {
        let text = format!("{v:.2e}");
        return match text.split_once('e') {
            Some((digits, power)) => format!("{}e{power}", trim(digits)),
            None => text,
        };
    }
    let decimals = (3 - size.log10().floor() as i32).clamp(0, 6) as usize;
    trim(&format!("{v:.decimals$}")).to_owned()
}

/// A number with its unit.
pub fn with_unit(v: f64, unit: &str) -> String {
    if unit.is_empty() {
        number(v)
    } else {
        format!("{} {unit}", number(v))
    }
}

fn trim(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

/// Reads what people type as a number of `unit`: a decimal comma, powers of ten and the unit are fine, and so are its usual
/// multiples. Anything else is no number: what was meant by it cannot be known.
pub fn parse(text: &str, unit: &str) -> Option<f64> {
    let text = text.trim().replace(',', ".").replace('−', "-");
    let end = text
        .char_indices()
        .find(|(i, c)| {
            let in_power = matches!(c, 'e' | 'E')
                && text[i + 1..].starts_with(|n: char| n.is_ascii_digit() || n == '-' || n == '+');
            !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+') || in_power)
        })
        .map_or(text.len(), |(i, _)| i);
    let value = text[..end].parse::<f64>().ok()? * times(text[end..].trim(), unit)?;
    value.is_finite().then_some(value)
}

/// How many of `unit` a unit that was typed is; none where it is another kind.
fn times(typed: &str, unit: &str) -> Option<f64> {
    const MULTIPLES: &[(&str, &[(&str, f64)])] = &[
        ("m", &[("mm", 1e-3), ("cm", 1e-2), ("km", 1e3)]),
        ("s", &[("ms", 1e-3), ("min", 60.0)]),
        (
            "m/s",
            &[("mm/s", 1e-3), ("cm/s", 1e-2), ("km/h", 1.0 / 3.6)],
        ),
        ("°", &[("deg", 1.0)]),
    ];
    if typed.is_empty() || typed == unit {
        return Some(1.0);
    }
    let (_, multiples) = MULTIPLES.iter().find(|(of, _)| *of == unit)?;
    multiples
        .iter()
        .find(|(name, _)| *name == typed)
        .map(|(_, times)| *times)
}

/// `512 B`, `3.2 MB`.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 || value >= 100.0 {
        format!("{value:.0} {}", UNITS[unit])
    } else {
        format!("{value:.1} {}", UNITS[unit])
    }
}

/// A time in the unit that suits it.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "a second".to_owned(),
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// `1 file`, `3 files`.
pub fn count(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

/// A round length near `target`: 1, 2 or 5 times a power of ten, not longer.
pub fn round_length(target: f64) -> f64 {
    if target <= 0.0 || !target.is_finite() {
        return 1.0;
    }
    let power = 10_f64.powf(target.log10().floor());
    let steps = [5.0, 2.0, 1.0];
    steps
        .iter()
        .map(|s| s * power)
        .find(|v| *v <= target * 1.000_001)
        .unwrap_or(power)
}

/// A length in the unit that suits it.
pub fn length(metres: f64) -> String {
    let size = metres.abs();
    if size >= 1000.0 {
        format!("{} km", number(metres / 1000.0))
    } else if size >= 1.0 || size == 0.0 {
        format!("{} m", number(metres))
    } else if size >= 0.01 {
        format!("{} cm", number(metres * 100.0))
    } else {
        format!("{} mm", number(metres * 1000.0))
    }
}

/// Where a parameter is and what it is called, in words: `Scene › Emitters 1`, `Speed`.
pub fn path_words(path: &str) -> (String, String) {
    let mut parts: Vec<String> = Vec::new();
    for part in path.split('.') {
        match (part.parse::<usize>(), parts.last_mut()) {
            (Ok(i), Some(last)) => last.push_str(&format!(" {}", i + 1)),
            _ => parts.push(label_from_name(part)),
        }
    }
    let name = parts.pop().unwrap_or_default();
    (parts.join(" › "), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_read_back() {
        for (v, text) in [
            (0.0, "0"),
            (1e-6, "1e-6"),
            (0.0034, "0.0034"),
            (0.5, "0.5"),
            (42.0, "42"),
            (1234.56, "1235"),
            (-3.1, "-3.1"),
            (2.5e7, "2.5e7"),
        ] {
            assert_eq!(number(v), text);
            let back = parse(text, "");
            assert!(
                back.is_some_and(|b| (b - v).abs() <= v.abs() * 1e-3),
                "{text} → {back:?}"
            );
        }
        assert_eq!(parse("0,25 m²/s", "m²/s"), Some(0.25));
        assert_eq!(parse("1e-3 m", "m"), Some(1e-3));
        assert_eq!(parse("5 EV", "EV"), Some(5.0));
        assert_eq!(parse("−7.5cm", "m"), Some(-0.075));
        assert_eq!(parse("36 km/h", "m/s"), Some(10.0));
        for nonsense in [
            "two", "1/0", "0x10", "3*2", "50%", "5 5", "2 m/s", "", "1e999",
        ] {
            assert_eq!(parse(nonsense, "1/s"), None, "{nonsense}");
        }
    }

    #[test]
    fn sizes_and_lengths() {
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(3_200_000), "3.2 MB");
        assert_eq!(round_length(0.37), 0.2);
        assert_eq!(round_length(5.1), 5.0);
        assert_eq!(length(0.25), "25 cm");
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(count(3, "file"), "3 files");
    }

    #[test]
    fn times_are_told_in_the_unit_that_suits_them() {
        assert_eq!(duration(0.2), "a second");
        assert_eq!(duration(42.4), "42 s");
        assert_eq!(duration(600.0), "10 min");
        assert_eq!(duration(9000.0), "2.5 h");
    }

    #[test]
    fn paths_are_told_in_words() {
        let (place, name) = path_words("scene.emitters.0.dye_rate");
        assert_eq!(
            (place.as_str(), name.as_str()),
            ("Scene › Emitters 1", "Dye rate")
        );
    }
}
