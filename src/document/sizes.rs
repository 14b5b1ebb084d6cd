//! Limits on the size of a document's text, checked before memory is taken for what it says.

use super::scan::{Scanner, Token};

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 64;
/// Most items in a list.
const MAX_ITEMS: usize = 1000;
/// Most points in a brush stroke.
const MAX_POINTS: usize = 1_000_000;
/// Most items in all lists together.
const MAX_TOTAL: usize = 4_000_000;

/// Refuses what is nested too deep and lists that are too long, before memory is taken for them: where, path and why.
pub(super) fn check(text: &str) -> Result<(), (usize, String, String)> {
    struct Level<'a> {
        open: u8,
        key: &'a str,
        items: usize,
        limit: usize,
    }
    let mut levels: Vec<Level<'_>> = Vec::new();
    let mut scanner = Scanner::new(text);
    let (mut total, mut key, mut atom, mut fresh) = (0_usize, "", "", true);
    loop {
        let (token, at) = scanner.next();
        // The first token after `[` or `,` begins an item.
        if fresh
            && !matches!(token, Token::Close | Token::End | Token::Comma)
            && let Some(level) = levels.last_mut().filter(|l| l.open == b'[')
        {
            level.items += 1;
            total += 1;
            let (items, limit, name) = (level.items, level.limit, level.key);
            if items > limit || total > MAX_TOTAL {
                let path: Vec<&str> = levels.iter().map(|l| l.key).collect();
                let path = path.into_iter().filter(|k| !k.is_empty());
                let message = if items > limit {
                    format!("more than {limit} items in the list `{name}`")
                } else {
                    format!("more than {MAX_TOTAL} items in all lists together")
                };
                return Err((at.start, path.collect::<Vec<_>>().join("."), message));
            }
        }
        fresh = false;
        match token {
            Token::Open(open) => {
                if levels.len() == MAX_DEPTH {
                    let message = format!("nested deeper than {MAX_DEPTH} levels");
                    return Err((at.start, String::new(), message));
                }
                let stroke = levels.len() >= 2 && levels[levels.len() - 2].key == "strokes";
                let limit = if key == "points" && stroke {
                    MAX_POINTS
                } else {
                    MAX_ITEMS
                };
                levels.push(Level {
                    open,
                    key,
                    items: 0,
                    limit,
                });
                (key, fresh) = ("", true);
            }
            Token::Close => {
                levels.pop();
                key = "";
            }
            Token::Colon => key = atom,
            Token::Comma => (key, fresh) = ("", true),
            Token::Atom => atom = &text[at],
            Token::End => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn sizes_are_refused_before_anything_is_made() {
        let list = |n: usize, item: &str| format!("[{}]", format!("{item},").repeat(n));
        assert!(check("(a: [1, (b: [2])])").is_ok());
        assert!(check(&format!("(a: {})", list(1000, "()"))).is_ok());
        let (at, path, message) =
            check(&format!("(a: {})", list(1001, "()"))).expect_err("too long");
        assert_eq!((at, path.as_str()), (5 + 3 * 1000, "a"));
        assert!(message.contains("1000 items"), "{message}");
        let stroke = |n| format!("(scene: (strokes: [(points: {})]))", list(n, "()"));
        assert!(check(&stroke(2000)).is_ok());
        assert!(check(&stroke(1_000_001)).is_err());
        assert!(check(&"(".repeat(1_000_000)).is_err());
    }
}
