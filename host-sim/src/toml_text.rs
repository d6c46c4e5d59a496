//! What readers of TOML have in common: places in a text, and values as messages name them.

use std::{ops::Range, path::Path};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::{
    error::{Error, Result},
    text_file::input_error,
};

/// The whole of a text that came from `file`.
pub(crate) fn document<'t>(file: &Path, text: &'t str) -> Result<Spanned<DeTable<'t>>> {
    DeTable::parse(text).map_err(|error| {
        let line = error.span().map(|span| line_of(text, &span));
        input_error(file, line, None, error.message().replace('\n', "; "))
    })
}

/// A part of a document.
pub(crate) type Part<'a> = Spanned<DeValue<'a>>;

/// A text that is being read, with the file that it came from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) file: &'a Path,
    pub(crate) text: &'a str,
}

impl Source<'_> {
    /// The line of a place.
    pub(crate) fn line<T>(self, place: &Spanned<T>) -> u64 {
        line_of(self.text, &place.span())
    }

    /// What is wrong with a key at a place.
    pub(crate) fn wrong<T>(self, place: &Spanned<T>, key: &str, problem: String) -> Error {
        input_error(self.file, Some(self.line(place)), Some(key), problem)
    }

    /// A key that the document has not.
    pub(crate) fn missing(self, key: &str, expected: &str) -> Error {
        let problem = format!("missing, expected {expected}");
        input_error(self.file, None, Some(key), problem)
    }

    /// A value that is not what was expected there.
    pub(crate) fn unexpected(self, value: &Part<'_>, key: &str, expected: &str) -> Error {
        let found = found(value.get_ref());
        self.wrong(value, key, format!("found {found}, expected {expected}"))
    }
}

/// What is wrong with a key that is none of these, somewhere in a document, and which of them was perhaps meant.
pub(crate) fn unknown(key: &str, place: &str, known: &[&str]) -> String {
    let near = known.iter().map(|name| (strsim::jaro(key, name), name));
    let nearest = near.max_by(|(a, _), (b, _)| a.total_cmp(b));
    // As near as clap wants it to be in an option.
    let nearest = nearest.filter(|(likeness, _)| *likeness > 0.7);
    let perhaps = nearest.map_or(String::new(), |(_, name)| format!(", perhaps {name}"));
    format!(
        "unknown{place}{perhaps}, expected one of {}",
        known.join(", ")
    )
}

/// The line of a place in a text, counted from 1.
pub(crate) fn line_of(text: &str, span: &Range<usize>) -> u64 {
    let before = text.as_bytes().iter().take(span.start);
    1 + before.filter(|&&byte| byte == b'\n').count() as u64
}

/// A whole number, however it is written.
pub(crate) fn integer(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// A number.
pub(crate) fn number(value: &DeValue<'_>) -> Option<f64> {
    let float = value
        .as_float()
        .and_then(|float| float.as_str().parse().ok());
    float.or_else(|| Some(integer(value)? as f64))
}

/// A value as a message names it.
pub(crate) fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(items) if items.is_empty() => "an empty list".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
