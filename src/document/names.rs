//! Names that become parts of file names: what every file system and engine takes.

/// Longest name, in characters. Look, output, frame and ending together stay below the 255 bytes of file systems.
pub const LONGEST: usize = 64;

/// Whether Windows keeps this name for a device, in any case and with any ending: `con`, `nul.png`, `COM1`.
pub fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or("").to_ascii_lowercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix)
            .is_some_and(|n| matches!(n.as_bytes(), [b'1'..=b'9']))
    };
    ["con", "prn", "aux", "nul"].contains(&stem.as_str()) || numbered("com") || numbered("lpt")
}

/// Checks a name: 1 to 64 letters, digits, `_` and `-`, and none that Windows keeps for itself. So there is no separator,
/// no dot or space at an end, and nothing that an engine would rename.
///
/// # Errors
/// What is wrong with it.
pub fn check(name: &str) -> Result<(), String> {
    let fine = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if let Some(c) = name.chars().find(|c| !fine(*c)) {
        return Err(format!(
            "{c:?} cannot stand in a name of files; use letters a to z, digits, `_` and `-`"
        ));
    }
    if name.is_empty() || name.len() > LONGEST {
        return Err(format!(
            "a name of files has 1 to {LONGEST} letters, and this one has {}",
            name.len()
        ));
    }
    if is_reserved(name) {
        return Err(format!("`{name}` is a name that Windows keeps for itself"));
    }
    Ok(())
}

/// What makes two names the same file on Windows and macOS.
pub fn folded(name: &str) -> String {
    name.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_some_file_system_refuses_are_refused() {
        for good in [
            "flow-map_2",
            "a",
            "com",
            "com10",
            "console",
            "lpt0",
            &"x".repeat(64),
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        let bad = [
            "", "a/b", "a\\b", "..", "a.b", "a.", "a ", " a", "a:b", "a\0", "a\n", "ä", "con",
            "NUL", "Aux", "prn", "com1", "COM9", "lpt5",
        ];
        for bad in bad.into_iter().chain([&*"x".repeat(65)]) {
            assert!(check(bad).is_err(), "{bad:?}");
        }
        assert!(
            is_reserved("nul.png") && is_reserved("Con.bake.ron") && !is_reserved("con_dye.png")
        );
    }
}
