//! The canonical form of RON text: what fits stands on one line, the rest has one entry a line.

use super::scan::{Scanner, Token};

/// Longest line, where it can be helped.
const WIDTH: usize = 100;

struct Piece<'a> {
    token: Token,
    text: &'a str,
    /// Characters from the beginning of the text, were it all on one line, to the end of this piece.
    end: usize,
    /// For an opening bracket: the piece that closes it.
    close: usize,
}

/// Lays compact, well-formed RON out.
pub(super) fn pretty(compact: &str) -> String {
    let pieces = pieces(compact);
    let mut out = String::with_capacity(compact.len() * 3 / 2);
    let mut at = 0;
    value(&pieces, &mut at, 0, 0, true, &mut out);
    out.push('\n');
    out
}

fn pieces(compact: &str) -> Vec<Piece<'_>> {
    let mut scanner = Scanner::new(compact);
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut open = Vec::new();
    let mut end = 0;
    loop {
        let (token, at) = scanner.next();
        let text = &compact[at];
        end += match token {
            Token::Colon | Token::Comma => 2,
            Token::End => return pieces,
            _ => text.chars().count(),
        };
        match token {
            Token::Open(_) => open.push(pieces.len()),
            Token::Close => {
                let here = pieces.len();
                if let Some(piece) = open.pop().and_then(|i| pieces.get_mut(i)) {
                    piece.close = here;
                }
            }
            _ => {}
        }
        pieces.push(Piece {
            token,
            text,
            end,
            close: 0,
        });
    }
}

/// Writes the value that begins at `pieces[*at]`; `column` is where it begins, `indent` that of its line.
fn value(
    pieces: &[Piece<'_>],
    at: &mut usize,
    indent: usize,
    column: usize,
    broken: bool,
    out: &mut String,
) {
    let Some(first) = pieces.get(*at) else { return };
    let begin = first.end - first.text.chars().count();
    if first.token == Token::Atom {
        atom(first.text, out);
        *at += 1;
    }
    let Some(open) = pieces.get(*at) else { return };
    if !matches!(open.token, Token::Open(_)) {
        return;
    }
    let close = open.close;
    // One more for the comma that follows.
    let fits = column + pieces[close].end - begin < WIDTH;
    out.push_str(open.text);
    *at += 1;
    if *at < close && (broken || !fits) {
        while *at < close {
            out.push('\n');
            entry(pieces, at, indent + 4, out);
            out.push(',');
            if pieces[*at].token == Token::Comma {
                *at += 1;
            }
        }
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', indent));
    } else {
        while *at < close {
            let piece = &pieces[*at];
            match piece.token {
                Token::Colon => out.push_str(": "),
                Token::Comma => out.push_str(", "),
                Token::Atom => atom(piece.text, out),
                _ => out.push_str(piece.text),
            }
            *at += 1;
        }
    }
    out.push_str(pieces[close].text);
    *at = close + 1;
}

/// Writes `key: value` or a value on a line of its own.
fn entry(pieces: &[Piece<'_>], at: &mut usize, indent: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', indent));
    let mut column = indent;
    if pieces.get(*at + 1).is_some_and(|p| p.token == Token::Colon) {
        let key = pieces[*at].text;
        out.push_str(key);
        out.push_str(": ");
        column += key.chars().count() + 2;
        *at += 2;
    }
    value(pieces, at, indent, column, false, out);
}

/// Texts lose the escape of the single quote, and the alternative `None` the mark that it is no option: neither is needed.
fn atom(text: &str, out: &mut String) {
    if let Some(name) = text.strip_prefix("r#")
        && name.starts_with(char::is_alphabetic)
    {
        return out.push_str(name);
    }
    if !text.starts_with('"') {
        return out.push_str(text);
    }
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('\'') => out.push('\''),
            Some(escaped) => out.extend(['\\', escaped]),
            None => out.push('\\'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[test]
    fn short_values_stay_on_a_line() {
        let long = format!("\"{}\"", "x".repeat(80));
        let text = pretty(&format!(
            "(a:1,b:[],c:Disc(r:(1.0,2.0)),d:[(k:{long}),(k:\"it\\'s\",l:{long})])"
        ));
        let expected = format!(
            "(\n    a: 1,\n    b: [],\n    c: Disc(r: (1.0, 2.0)),\n    d: [\n        (k: {long}),\n        (\n            \
             k: \"it's\",\n            l: {long},\n        ),\n    ],\n)\n"
        );
        assert_eq!(text, expected);
        assert_eq!(pretty(&text), text);
        assert_eq!(pretty("()"), "()\n");
        assert_eq!(pretty("(a:r#None)"), "(\n    a: None,\n)\n");
    }
}
