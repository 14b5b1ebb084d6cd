//! The name of a look as the first part of file names. The rule for names stands in [`crate::document`].

use crate::document::names::{LONGEST, is_reserved};

/// A name for files from the name of a look: lower case, words joined by underscores.
pub fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if out.len() == LONGEST {
            break;
        }
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
    }
    let out = out.trim_end_matches('_');
    match out {
        "" => "look".to_owned(),
        // `con.bake.ron` is the console on Windows.
        out if is_reserved(out) => format!("{out}_look"),
        out => out.to_owned(),
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
        assert_eq!(slug("Campfire – Close, 2!"), "campfire_close_2");
        assert_eq!(slug("../../etc/passwd"), "etc_passwd");
        assert_eq!(slug("☃"), "look");
        assert_eq!(slug("CON"), "con_look");
        assert_eq!(slug("lpt1"), "lpt1_look");
        assert_eq!(slug(&"long ".repeat(99)).len(), 64);
    }
}
