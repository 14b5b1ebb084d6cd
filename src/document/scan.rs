//! A reader of RON text that keeps nothing but places: it finds where a dotted path stands in a file. It
//! accepts more than RON does; what is wrong is left for the parser to say.

use std::ops::Range;

/// The smallest part of a text that means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `(`, `[` or `{`.
    Open(u8),
    /// `)`, `]` or `}`.
    Close,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// A name, number, text or character.
    Atom,
    /// Nothing more.
    End,
}

/// Reads tokens one by one.
#[derive(Clone)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// A comment has been passed.
    commented: bool,
}

impl<'a> Scanner<'a> {
    /// From the beginning.
    pub fn new(text: &'a str) -> Self {
        Self::at(text, 0)
    }

    /// From a place on.
    fn at(text: &'a str, at: usize) -> Self {
        Self {
            text,
            at,
            commented: false,
        }
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text
            .as_bytes()
            .get(self.at + ahead)
            .copied()
            .unwrap_or(0)
    }

    /// The next token and where it stands.
    pub fn next(&mut self) -> (Token, Range<usize>) {
        self.skip_space();
        let start = self.at;
        if start >= self.text.len() {
            return (Token::End, self.text.len()..self.text.len());
        }
        let token = match self.byte(0) {
            open @ (b'(' | b'[' | b'{') => Token::Open(open),
            b')' | b']' | b'}' => Token::Close,
            b':' => Token::Colon,
            b',' => Token::Comma,
            _ => {
                self.skip_atom();
                return (Token::Atom, start..self.at);
            }
        };
        self.at += 1;
        (token, start..self.at)
    }

    /// Whether there is a comment in what is left.
    pub fn has_comments(mut self) -> bool {
        while self.next().0 != Token::End {}
        self.commented
    }

    /// The next token, which stays the next.
    pub fn peek(&self) -> (Token, Range<usize>) {
        self.clone().next()
    }

    fn skip_space(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            self.commented |= rest.starts_with("//") || rest.starts_with("/*");
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.skip_block_comment();
            } else {
                match rest.chars().next() {
                    Some(c) if c.is_whitespace() => self.at += c.len_utf8(),
                    _ => return,
                }
            }
        }
    }

    fn skip_block_comment(&mut self) {
        let mut depth = 0_usize;
        while self.at < self.text.len() {
            match (self.byte(0), self.byte(1)) {
                (b'/', b'*') => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.skip_char(),
            }
        }
    }

    fn skip_char(&mut self) {
        self.at += self.text[self.at..]
            .chars()
            .next()
            .map_or(1, char::len_utf8);
        self.at = self.at.min(self.text.len());
    }

    fn skip_atom(&mut self) {
        match self.byte(0) {
            b'"' => self.skip_quoted(b'"'),
            b'\'' => self.skip_quoted(b'\''),
            b'r' if matches!(self.byte(1), b'"' | b'#') && self.skip_raw() => {}
            b'b' if self.byte(1) == b'"' => {
                self.at += 1;
                self.skip_quoted(b'"');
            }
            _ => loop {
                self.skip_char();
                let rest = &self.text[self.at..];
                let stop = |c: char| c.is_whitespace() || "()[]{}:,\"'".contains(c);
                if rest.is_empty()
                    || rest.starts_with(stop)
                    || rest.starts_with("//")
                    || rest.starts_with("/*")
                {
                    return;
                }
            },
        }
    }

    fn skip_quoted(&mut self, quote: u8) {
        self.at += 1;
        while self.at < self.text.len() {
            match self.byte(0) {
                b'\\' => {
                    self.at += 1;
                    self.skip_char();
                }
                b if b == quote => {
                    self.at += 1;
                    return;
                }
                _ => self.skip_char(),
            }
        }
        self.at = self.text.len();
    }

    /// Skips `r"…"` or `r#"…"#`; `false`, having moved nothing, if it is neither.
    fn skip_raw(&mut self) -> bool {
        let rest = &self.text[self.at + 1..];
        let hashes = rest.bytes().take_while(|b| *b == b'#').count();
        if rest.as_bytes().get(hashes) != Some(&b'"') {
            return false;
        }
        let close = format!("\"{}", "#".repeat(hashes));
        let body = hashes + 1;
        self.at += 1 + match rest[body..].find(&close) {
            Some(end) => body + end + close.len(),
            None => rest.len(),
        };
        true
    }

    /// Skips a whole value; gives its place.
    fn skip_value(&mut self) -> Range<usize> {
        let (first, mut place) = self.next();
        let mut depth = usize::from(matches!(first, Token::Open(_)));
        if first == Token::Atom && matches!(self.peek().0, Token::Open(_)) {
            place.end = self.next().1.end;
            depth = 1;
        }
        while depth > 0 {
            let (token, at) = self.next();
            match token {
                Token::Open(_) => depth += 1,
                Token::Close => depth -= 1,
                Token::End => return place.start..at.end,
                _ => {}
            }
            place.end = at.end;
        }
        place
    }
}

/// Where an entry stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// `key: value`, or the value alone in a list.
    pub entry: Range<usize>,
    /// The value.
    pub value: Range<usize>,
}

/// Finds a dotted path, as `params` makes it. What does not stand in the text is missing.
pub(super) fn find(text: &str, path: &str) -> Option<Place> {
    let (place, missing) = nearest(text, path);
    (missing == 0).then_some(place)
}

/// Finds as much of a path as stands in the text, and says how many of its last elements are missing.
pub(super) fn nearest(text: &str, path: &str) -> (Place, usize) {
    let mut scanner = Scanner::new(text);
    while scanner.peek().0 == Token::Atom && text[scanner.peek().1].starts_with('#') {
        scanner.next(); // `#!` of an attribute, then the attribute itself.
        scanner.skip_value();
    }
    let start = scanner.peek().1.start;
    let mut place = Place {
        entry: start..text.len(),
        value: start..text.len(),
    };
    let elements: Vec<&str> = path.split('.').filter(|e| !e.is_empty()).collect();
    for (i, element) in elements.iter().enumerate() {
        match child(text, place.value.start, element) {
            Some(found) => place = found,
            None => return (place, elements.len() - i),
        }
    }
    (place, 0)
}

/// The entry called `element`, or at that position, of the value that begins at `start`.
fn child(text: &str, start: usize, element: &str) -> Option<Place> {
    let mut scanner = Scanner::at(text, start);
    let (mut token, name) = scanner.next();
    let named = token == Token::Atom;
    if named {
        token = scanner.next().0;
    }
    let index: Option<usize> = element.parse().ok();
    let mut position = 0;
    let open = matches!(token, Token::Open(_));
    loop {
        let (first, at) = scanner.peek();
        if !open || matches!(first, Token::Close | Token::End) {
            break;
        }
        let mut ahead = scanner.clone();
        let keyed = ahead.next().0 == Token::Atom && ahead.next().0 == Token::Colon;
        if keyed {
            scanner = ahead;
        }
        let value_start = scanner.peek().1.start;
        // A variant that is written with its inner parentheses too: `Disc((radius: 1.0))`.
        let wrapped = position == 0 && !keyed && named && index.is_none();
        if wrapped
            && matches!(first, Token::Open(b'('))
            && let Some(found) = child(text, value_start, element)
        {
            return Some(found);
        }
        let value = scanner.skip_value();
        if (keyed && text[at.clone()].trim_matches('"') == element)
            || (!keyed && index == Some(position))
        {
            return Some(Place {
                entry: at.start..value.end,
                value,
            });
        }
        position += 1;
        match scanner.next().0 {
            Token::Comma => {}
            _ => break,
        }
    }
    (named && element == "kind").then(|| Place {
        entry: name.clone(),
        value: name,
    })
}

/// The place after the comma that follows `at`, if one does.
pub(super) fn after_comma(text: &str, at: usize) -> usize {
    let mut scanner = Scanner::at(text, at);
    match scanner.next() {
        (Token::Comma, _) => scanner.peek().1.start,
        _ => at,
    }
}

/// Where the next token begins, or the end of the text.
pub(super) fn skip_space(text: &str, at: usize) -> usize {
    Scanner::at(text, at).peek().1.start
}

/// The place after the bracket that opens the value which begins at `start`.
pub(super) fn inside(text: &str, start: usize) -> Option<usize> {
    let mut scanner = Scanner::at(text, start);
    loop {
        match scanner.next() {
            (Token::Open(_), at) => return Some(at.end),
            (Token::Atom, _) => {}
            _ => return None,
        }
    }
}

/// Line and column of a byte, both from one; columns count characters.
pub(super) fn line_column(text: &str, at: usize) -> (u32, u32) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let line = before.bytes().filter(|b| *b == b'\n').count();
    let begin = before.rfind('\n').map_or(0, |i| i + 1);
    (line as u32 + 1, before[begin..].chars().count() as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r##"// A comment: with (brackets
#![enable(unwrap_variant_newtypes)]
(
    version: 1, /* and /* nested */ another */
    name: "a \" tricky: (name",
    raw: r#"as " it: is"#,
    scene: (emitters: [(shape: Disc(radius: 0.5)), (shape: Disc((radius: 0.25)), at: (1, 2, 3))]),
)"##;

    fn value(path: &str) -> Option<&str> {
        find(TEXT, path).map(|p| &TEXT[p.value])
    }

    #[test]
    fn paths_are_found_where_they_stand() {
        assert_eq!(value("version"), Some("1"));
        assert_eq!(value("name"), Some(r#""a \" tricky: (name""#));
        assert_eq!(value("scene.emitters.0.shape.radius"), Some("0.5"));
        assert_eq!(value("scene.emitters.1.shape.radius"), Some("0.25"));
        assert_eq!(value("scene.emitters.1.shape.kind"), Some("Disc"));
        assert_eq!(value("scene.emitters.1.at.2"), Some("3"));
        assert_eq!(value("scene.emitters.2"), None);
        assert_eq!(value("scene.emiters"), None);
        let (place, missing) = nearest(TEXT, "scene.emitters.0.position");
        assert_eq!(
            (&TEXT[place.value], missing),
            ("(shape: Disc(radius: 0.5))", 1)
        );
        let at = find(TEXT, "version").map(|p| line_column(TEXT, p.entry.start));
        assert_eq!(at, Some((4, 5)));
    }

    #[test]
    fn nonsense_ends() {
        for text in [
            "", "(", ")", "\"", "r#\"", "r#", "'", "/*", "(a:", "[,,,]", "é(ß:ü", "\\", "b\"\\",
        ] {
            assert!(find(text, "a.b.0").is_none());
            assert!(crate::document::sizes::check(text).is_ok());
        }
    }
}
