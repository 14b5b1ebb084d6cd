//! Names of files that every file system and engine takes.

/// Names that Windows keeps for devices.
const RESERVED: &[&str] = &["con", "prn", "aux", "nul"];

/// A name for files from the name of a look: lower case, words joined by underscores.
pub fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars().take(64) {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
    }
    let out = out.trim_end_matches('_');
    if out.is_empty() {
        "look".to_owned()
    } else {
        out.to_owned()
    }
}

/// Checks the name of an output.
///
/// # Errors
/// What is wrong with it.
pub fn check(name: &str) -> Result<(), String> {
    let fine = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.len() > 64 {
        return Err("a name has 1 to 64 letters".to_owned());
    }
    if let Some(c) = name.chars().find(|c| !fine(*c)) {
        return Err(format!(
            "{c:?} cannot stand in a name of files; use letters, digits, `_` and `-`"
        ));
    }
    if RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(format!("`{name}` is a name that Windows keeps for itself"));
    }
    Ok(())
}

/// Digits that all frame numbers of a sequence have: four, or more where the last one needs them.
pub fn digits(last_frame: u32) -> usize {
    last_frame.to_string().len().max(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs() {
        assert_eq!(slug("Campfire – Close, 2!"), "campfire_close_2");
        assert_eq!(slug("../../etc/passwd"), "etc_passwd");
        assert_eq!(slug("☃"), "look");
    }

    #[test]
    fn names_with_separators_are_refused() {
        assert!(check("flow-map_2").is_ok());
        for bad in ["", "a/b", "..", "a.b", "NUL", "ä", &"x".repeat(65)] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }
}
