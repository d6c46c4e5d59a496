//! Values of options: names of a closed set, numbers within limits, and times.

use std::{ops::RangeInclusive, path::Path, time::Duration};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::{error::Error, report::words::grouped};

/// A name with what it stands for. Help lists the names, and a typo is answered with the nearest.
pub(super) type Named<T> = (PossibleValue, T);

/// A name and what it means.
pub(super) fn named<T>(name: &'static str, help: &'static str, value: T) -> Named<T> {
    (PossibleValue::new(name).help(help), value)
}

/// Takes one of these names.
pub(super) fn one_of<T>(all: Vec<Named<T>>) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    let names: Vec<PossibleValue> = all.iter().map(|(name, _)| name.clone()).collect();
    PossibleValuesParser::new(names).try_map(move |given| {
        let found = all.iter().find(|(name, _)| name.matches(&given, false));
        found.map(|(_, value)| value.clone()).ok_or("unknown name")
    })
}

/// Takes one of these by their names, each with what it means.
pub(super) fn each<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
    meaning: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    one_of(all.map(|one| named(name(one), meaning(one), one)).to_vec())
}

/// Takes a whole number within limits.
pub(super) fn whole<T: TryFrom<u64>>(
    limits: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| limits.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| {
            let [least, most] =
                [limits.start(), limits.end()].map(|limit| grouped(*limit as usize));
            format!("expected a whole number from {least} to {most}")
        })
    }
}

/// Takes a finite number.
pub(super) fn real(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "expected a number such as 0.5".to_owned())
}

/// Takes a finite number above 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    let number = real(text).ok().filter(|number| *number > 0.0);
    number.ok_or_else(|| "expected a number above 0 such as 0.5".to_owned())
}

/// Takes a range of whole numbers such as `1-32`.
pub(super) fn range(text: &str) -> Result<(u64, u64), String> {
    let parts = text
        .split_once('-')
        .and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    parts.ok_or_else(|| "expected two whole numbers such as 1-32".to_owned())
}

/// The first of these options that was given.
pub(super) fn first_given<const N: usize>(
    options: [(&'static str, bool); N],
) -> Option<&'static str> {
    let given = options.into_iter().find(|(_, given)| *given);
    given.map(|(name, _)| name)
}

/// The different ones in the order of their first mention.
pub(super) fn each_once<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for item in items {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}

/// Whether the file of an option is there.
pub(super) fn must_be_there(option: &str, file: &Path) -> Result<(), Error> {
    match file.exists() {
        true => Ok(()),
        false => Err(Error::Usage(format!(
            "{option} {}: no such file",
            file.display()
        ))),
    }
}

/// A length of time as people write it.
pub(super) fn time(text: &str) -> std::result::Result<Duration, String> {
    let read = humantime::parse_duration(text);
    read.map_err(|error| format!("{error}; expected a time such as 10min, 1h or 90s"))
}
