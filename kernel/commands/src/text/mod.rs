//! How commands and replies are written and read: a line of words each.
//!
//! A variant is the word that its name is in small letters with hyphens, followed by what it holds; a value of several fields is their words in
//! order. A list stands in brackets, `-` is nothing, and what was done begins with `ok`, what was not with `no`. The tables in `tables` say
//! which fields there are; they alone are to be changed with a type.

mod history;
mod tables;

use alloc::{borrow::ToOwned, boxed::Box, string::String, vec::Vec};
use core::{fmt, str::FromStr};

use crate::{Call, Command, Placed, Reply};
use tables::Variants as _;

pub use history::{Difference, History, Step};

/// Where a text does not say what it should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The line, counted from 1.
    pub line: usize,
    /// The word in it, counted from 1.
    pub word: usize,
    /// What is there; empty at the end of the line.
    pub found: String,
    /// What should be there.
    pub expected: String,
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, word, .. } = self;
        let found = match &*self.found {
            "" => "the line ends",
            found => found,
        };
        write!(
            f,
            "line {line}, word {word}: {found}; expected is {}",
            self.expected
        )
    }
}

impl core::error::Error for Misread {}

/// The words of a line.
#[derive(Clone, Debug)]
pub(crate) struct Words<'t> {
    rest: core::iter::Peekable<core::str::SplitAsciiWhitespace<'t>>,
    line: usize,
    /// How many have been read.
    read: usize,
}

impl<'t> Words<'t> {
    fn of(text: &'t str, line: usize) -> Self {
        Self {
            rest: text.split_ascii_whitespace().peekable(),
            line,
            read: 0,
        }
    }

    /// The next word.
    fn next(&mut self) -> &'t str {
        self.read += 1;
        self.rest.next().unwrap_or_default()
    }

    /// Whether the next word is this one, which then is read.
    fn takes(&mut self, word: &str) -> bool {
        let takes = self.rest.next_if_eq(&word).is_some();
        self.read += usize::from(takes);
        takes
    }

    /// That the word read last is not what it should be.
    fn misread(&self, found: &str, expected: impl Into<String>) -> Misread {
        Misread {
            line: self.line,
            word: self.read,
            found: found.to_owned(),
            expected: expected.into(),
        }
    }

    /// The value that all words together say.
    fn all<T: Text>(mut self) -> Result<T, Misread> {
        let value = T::read(&mut self)?;
        match self.next() {
            "" => Ok(value),
            more => Err(self.misread(more, "the end of the line")),
        }
    }
}

/// What is written as words.
pub(crate) trait Text: Sized {
    /// Appends the words.
    fn write(&self, to: &mut String);
    /// Reads what [`write`](Self::write) has written.
    fn read(words: &mut Words<'_>) -> Result<Self, Misread>;
    /// Any value.
    #[cfg(test)]
    fn draw(from: &mut tests::Random) -> Self;
}

/// Appends a word.
fn put(to: &mut String, word: impl fmt::Display) {
    use fmt::Write as _;
    if !to.is_empty() {
        to.push(' ');
    }
    // A string takes all that it is given.
    let _ = write!(to, "{word}");
}

/// A variant's word.
fn word_of(variant: &str) -> impl Iterator<Item = char> {
    let letters = variant.chars().enumerate();
    letters.flat_map(|(place, letter)| {
        let hyphen = place > 0 && letter.is_ascii_uppercase();
        let hyphen = hyphen.then_some('-');
        hyphen.into_iter().chain([letter.to_ascii_lowercase()])
    })
}

fn one_of<W: AsRef<str>>(words: impl IntoIterator<Item = W>) -> String {
    let mut text = String::from("one of");
    for (place, word) in words.into_iter().enumerate() {
        text += if place == 0 { " " } else { ", " };
        text += word.as_ref();
    }
    text
}

impl<T: Text> Text for Option<T> {
    fn write(&self, to: &mut String) {
        match self {
            Some(value) => value.write(to),
            None => put(to, "-"),
        }
    }

    fn read(words: &mut Words<'_>) -> Result<Self, Misread> {
        (!words.takes("-")).then(|| T::read(words)).transpose()
    }

    #[cfg(test)]
    fn draw(from: &mut tests::Random) -> Self {
        bool::draw(from).then(|| T::draw(from))
    }
}

impl<T: Text> Text for Vec<T> {
    fn write(&self, to: &mut String) {
        put(to, "[");
        self.iter().for_each(|value| value.write(to));
        put(to, "]");
    }

    fn read(words: &mut Words<'_>) -> Result<Self, Misread> {
        if !words.takes("[") {
            let found = words.next();
            return Err(words.misread(found, "a list in brackets"));
        }
        let mut values = Self::new();
        while !words.takes("]") {
            values.push(T::read(words)?);
        }
        Ok(values)
    }

    #[cfg(test)]
    fn draw(from: &mut tests::Random) -> Self {
        (0..from.below(4)).map(|_| T::draw(from)).collect()
    }
}

impl<T: Text, E: Text> Text for Result<T, E> {
    fn write(&self, to: &mut String) {
        match self {
            Ok(value) => {
                put(to, "ok");
                value.write(to);
            }
            Err(reason) => {
                put(to, "no");
                reason.write(to);
            }
        }
    }

    fn read(words: &mut Words<'_>) -> Result<Self, Misread> {
        match words.next() {
            "ok" => Ok(Ok(T::read(words)?)),
            "no" => Ok(Err(E::read(words)?)),
            other => Err(words.misread(other, one_of(["ok", "no"]))),
        }
    }

    #[cfg(test)]
    fn draw(from: &mut tests::Random) -> Self {
        if bool::draw(from) {
            Ok(T::draw(from))
        } else {
            Err(E::draw(from))
        }
    }
}

impl<T: Text> Text for Box<T> {
    fn write(&self, to: &mut String) {
        T::write(self, to);
    }

    fn read(words: &mut Words<'_>) -> Result<Self, Misread> {
        T::read(words).map(Self::new)
    }

    #[cfg(test)]
    fn draw(from: &mut tests::Random) -> Self {
        Self::new(T::draw(from))
    }
}

/// What can be written as a line of its own and read from one.
macro_rules! lines {
    ($($type:ident),+) => {$(
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut line = String::new();
                self.write(&mut line);
                f.write_str(&line)
            }
        }

        impl $type {
            /// The word that each variant is written with, in their order.
            pub fn words() -> impl Iterator<Item = String> {
                Self::VARIANTS.iter().map(|variant| word_of(variant).collect())
            }
        }

        impl FromStr for $type {
            type Err = Misread;

            fn from_str(line: &str) -> Result<Self, Misread> {
                Words::of(line, 1).all()
            }
        }
    )+};
}

lines!(Call, Command, Reply);

impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::from(Self::WORD);
        self.write(&mut line);
        f.write_str(&line)
    }
}

impl Placed {
    /// What its line begins with.
    const WORD: &'static str = "layout";

    /// What a line says that begins with the word.
    fn in_line(text: &str, line: usize) -> Result<Self, Misread> {
        let mut words = Words::of(text, line);
        match words.next() {
            Self::WORD => words.all(),
            other => Err(words.misread(other, Self::WORD)),
        }
    }
}

impl FromStr for Placed {
    type Err = Misread;

    fn from_str(line: &str) -> Result<Self, Misread> {
        Self::in_line(line, 1)
    }
}

#[cfg(test)]
mod tests {
    use alloc::{collections::BTreeSet, string::ToString};

    use super::*;

    /// Numbers that follow from a seed.
    pub(crate) struct Random(pub u64);

    impl Random {
        /// A number of any length in bits.
        pub(crate) fn number(&mut self) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let mixed = self.0 ^ (self.0 >> 29);
            mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (self.0 >> 58)
        }

        pub(crate) fn below(&mut self, limit: u64) -> u64 {
            self.number() % limit
        }
    }

    /// Whatever is written is read as the same, and every variant has been.
    fn comes_back<T>(words: impl Iterator<Item = String>)
    where
        T: Text + fmt::Display + FromStr<Err = Misread> + PartialEq + fmt::Debug,
    {
        let mut random = Random(1);
        let mut seen = BTreeSet::new();
        for _ in 0..20_000 {
            let value = T::draw(&mut random);
            let line = value.to_string();
            assert_eq!(line.parse::<T>(), Ok(value), "{line}");
            seen.extend(line.split(' ').next().map(ToOwned::to_owned));
        }
        assert_eq!(seen, words.collect::<BTreeSet<_>>());
    }

    #[test]
    fn commands_and_replies_come_back() {
        comes_back::<Command>(Command::words());
        comes_back::<Reply>(Reply::words());
    }

    #[test]
    fn a_line_is_readable() {
        for line in [
            "refused no-room [ 3 4 ] 0",
            "pes [ 0 1 5 ]",
            "passed events-waiting [ 7 3 started - 9 4 best-effort-started 2 ]",
            "state ok 7 0 - [ ] [ ] [ ] [ 7 [ ] ] [ ] - - 3 0 [ ]",
        ] {
            assert_eq!(line.parse::<Reply>().unwrap().to_string(), line);
        }
    }

    #[test]
    fn a_layout_is_the_second_line() {
        let size = "size sets 22 64 8 fcfs 4 no";
        let layout = "layout 4 [ 4 2 ] [ 3 4 1 0 ] [ 2 ] 4 2";
        let text = [size, layout, "look"].join("\n");
        let mut history = History::of(&text).unwrap();
        let placed = history.placed().unwrap();
        assert_eq!((placed.to_string(), placed.classes), (layout.into(), 4));
        assert_eq!(history.next().unwrap().unwrap().line, 3);
        assert_eq!(History::of(size).unwrap().placed(), None);
        let misread = History::of(&text.replace("[ 2 ]", "2")).unwrap_err();
        assert_eq!(
            misread.to_string(),
            "line 2, word 13: 2; expected is a list in brackets"
        );
        let misread = "layouts 4".parse::<Placed>().unwrap_err();
        assert_eq!(misread.expected, "layout");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let misread = |line: &str| line.parse::<Command>().unwrap_err().to_string();
        assert_eq!(
            misread("confirm soon"),
            "line 1, word 2: soon; expected is a whole number of at most 64 bits"
        );
        assert_eq!(
            misread("queue lifo"),
            "line 1, word 2: lifo; expected is one of fcfs, easy, conservative"
        );
        assert_eq!(
            misread("cancel-all [ 1 2"),
            "line 1, word 5: the line ends; expected is a whole number of at most 64 bits"
        );
        assert_eq!(
            misread("look here"),
            "line 1, word 2: here; expected is the end of the line"
        );
        assert!(misread("jump").starts_with("line 1, word 1: jump; expected is one of remember, "));
    }
}
