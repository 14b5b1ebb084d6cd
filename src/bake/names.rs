//! The name of a look as the first part of file names. The rule for names stands in [`crate::document`].

use crate::document::names::{LONGEST, is_reserved};

/// Letters of the hash that tells names apart.
const HASH: usize = 8;

/// A name for files from the name of a look: lower case, words joined by underscores. Where that loses more of it than
/// capitals, a hash of the name follows, so that different names give different files.
pub fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
    }
    let all = out.trim_end_matches('_');
    let same = all == name.to_ascii_lowercase().replace(' ', "_");
    // `con.bake.ron` is the console on Windows.
    if same && !all.is_empty() && all.len() <= LONGEST && !is_reserved(all) {
        return all.to_owned();
    }
    let hash = super::sha256(name.as_bytes());
    let short = &all[..all.len().min(LONGEST - HASH - 1)];
    let short = match short.trim_end_matches('_') {
        "" => "look",
        short => short,
    };
    format!("{short}_{}", &hash[..HASH])
}

/// Checks what is asked for as the first part of all file names.
///
/// # Errors
/// Why no file can begin so.
pub fn check_look(name: &str) -> Result<(), &'static str> {
    match name.trim().trim_matches('.') {
        "" => Err("no file can be named so; use letters and digits"),
        _ => Ok(()),
    }
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
        assert_eq!(slug("Campfire Close 2"), "campfire_close_2");
        assert_eq!(slug("ink_drop"), "ink_drop");
        let hashed = |name: &str, begin: &str| {
            let slug = slug(name);
            let hash = slug.strip_prefix(begin).and_then(|s| s.strip_prefix('_'));
            let is_hash = |h: &str| h.len() == HASH && h.bytes().all(|b| b.is_ascii_hexdigit());
            assert!(hash.is_some_and(is_hash), "{name}: {slug}");
        };
        hashed("Campfire – Close, 2!", "campfire_close_2");
        hashed("../../etc/passwd", "etc_passwd");
        hashed("☃", "look");
        hashed("CON", "con");
        hashed("lpt1", "lpt1");
        assert_eq!(slug("水墨"), "look_7a9d6d6d");
    }

    #[test]
    fn different_names_give_different_files() {
        let long = "long ".repeat(99);
        let names = [
            "水墨",
            "Огонь",
            "Вода",
            "💩",
            "☃",
            "",
            ".",
            "..",
            "_",
            "con",
            "con look",
            "look",
            "Fog",
            "Fög",
            "a+1",
            "a-1",
            "a 1",
            &long,
            &format!("{long}a"),
            &format!("{long}b"),
            &"x".repeat(64),
            &"x".repeat(65),
            &"x".repeat(66),
        ];
        let slugs: std::collections::BTreeSet<_> = names.iter().map(|n| slug(n)).collect();
        assert_eq!(slugs.len(), names.len(), "{slugs:?}");
        for slug in slugs {
            crate::document::names::check(&slug).unwrap_or_else(|e| panic!("{slug}: {e}"));
        }
    }

    #[test]
    fn a_look_is_not_nothing() {
        for bad in ["", " ", ".", "..", "..."] {
            assert!(check_look(bad).is_err(), "{bad:?}");
        }
        for good in ["a", ".a", "水墨"] {
            assert!(check_look(good).is_ok(), "{good:?}");
        }
    }
}
