//! Numbers as a reader wants them.

use super::plot::with_step;

/// A count with commas between thousands.
pub(crate) fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count and what is counted.
pub(crate) fn plural(count: usize, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        _ => format!("{} {thing}s", grouped(count)),
    }
}

/// What became of requests that waited, of which so many were promised a start, on average so many seconds after they came.
pub(crate) fn waited(late: usize, gave_up: usize, delay: Option<f64>) -> String {
    let delay = delay.map_or(String::new(), |delay| {
        format!(", {} after they came on average", time(delay))
    });
    format!(
        "{} waited: {} promised a start late{delay}, and {} given up when the latest start had passed",
        grouped(late + gave_up),
        was(late),
        was(gave_up),
    )
}

/// A count as a subject.
fn was(count: usize) -> String {
    match count {
        1 => "1 was".to_owned(),
        _ => format!("{} were", grouped(count)),
    }
}

/// Digits of a number that a reader can use.
const DIGITS: usize = 6;

/// A text with its numbers as a reader wants them: of six digits at most but for counts, whose thousands are set apart, and no zero with a
/// minus. Letters beside a number make a name of it, which stays.
pub(crate) fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(from) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(from);
        tidied += before;
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.');
        let number = &number[..end.unwrap_or(number.len())];
        let number = number.trim_end_matches('.');
        rest = &rest[from + number.len()..];
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let in_name = tidied.ends_with(is_part) || rest.starts_with(is_part);
        match rounded(number).filter(|_| !in_name) {
            Some(rounded) => {
                let is_zero = rounded.chars().all(|c| matches!(c, '0' | '.'));
                if let Some(positive) = tidied.strip_suffix('-').filter(|_| is_zero)
                    && !positive.ends_with(is_part)
                {
                    tidied.truncate(positive.len());
                }
                tidied += &rounded;
            }
            None => tidied += number,
        }
    }
    tidied + rest
}

/// A number without a sign in six digits; nothing for what is none.
fn rounded(number: &str) -> Option<String> {
    let value: f64 = number.parse().ok()?;
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let digits = number.replace('.', "").trim_start_matches('0').len();
    if digits <= DIGITS {
        return Some(number.to_owned());
    }
    if decimals.is_empty() {
        return Some(whole.parse().map_or_else(|_| whole.to_owned(), grouped));
    }
    let before = whole.trim_start_matches('0').len();
    if before >= DIGITS {
        return Some(grouped(value.round() as usize));
    }
    // Zeros behind the point count for nothing while there is nothing before it.
    let zeros = decimals.len() - decimals.trim_start_matches('0').len();
    let zeros = if before == 0 { zeros } else { 0 };
    let decimals = DIGITS - before + zeros;
    let text = format!("{value:.decimals$}");
    Some(text.trim_end_matches('0').trim_end_matches('.').to_owned())
}

/// A number in three decimals, or fewer where it is large.
pub(super) fn three_decimals(number: f64) -> String {
    tidy(&format!("{number:.3}"))
}

/// A number without decimals where it has none.
pub(super) fn short(number: f64) -> String {
    let decimals = if number.fract() == 0.0 { 0 } else { 2 };
    tidy(&format!("{number:.decimals$}"))
}

/// A share of one in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// An amount of money, in whole units where they are enough.
pub(super) fn money(amount: f64) -> String {
    match amount {
        large if large >= 1000.0 => grouped(large.round() as usize),
        small => format!("{small:.2}"),
    }
}

/// A mean and half its interval: four significant digits of the larger, and as many decimals for the other.
pub(crate) fn estimate(mean: f64, half: Option<f64>) -> String {
    let step = fourth_digit(mean.abs().max(half.unwrap_or(0.0)));
    let mean = with_step(mean, step);
    match half {
        None => mean,
        Some(half) => format!("{mean} ± {}", with_step(half, step)),
    }
}

/// What the fourth significant digit of a size stands for; a millionth at least.
pub(super) fn fourth_digit(size: f64) -> f64 {
    match size {
        0.0 => 1.0,
        size => 10f64.powf(size.log10().floor() - 3.0).max(1e-6),
    }
}

/// So many seconds, as the largest unit that they fill and the next smaller one.
pub(crate) fn time(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        3600..86_400 => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} d {} h", whole / 86_400, whole % 86_400 / 3600),
    }
}

/// How a setting of a run is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// As an option of a command.
    Option,
    /// As a key of a plan of a sweep.
    Key,
}

impl Setting {
    /// Its name.
    pub(crate) fn name(self, option: &str) -> String {
        match self {
            Self::Option => format!("--{option}"),
            Self::Key => option.replace('-', "_"),
        }
    }

    /// It with a value.
    pub(crate) fn with(self, option: &str, value: impl std::fmt::Display) -> String {
        let name = self.name(option);
        match self {
            Self::Option => format!("{name} {value}"),
            Self::Key => format!("{name} = {value}"),
        }
    }
}

/// The unit of time in which so many seconds are a handy number: its seconds and its name.
pub(super) fn unit(seconds: f64) -> (f64, &'static str) {
    match seconds {
        s if s < 300.0 => (1.0, "s"),
        s if s < 4.0 * 3600.0 => (60.0, "min"),
        s if s < 14.0 * 86_400.0 => (3600.0, "h"),
        _ => (86_400.0, "days"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (65_535, "65,535"),
            (1_234_567, "1,234,567"),
        ];
        for (count, words) in cases {
            assert_eq!(grouped(count), words);
        }
    }

    #[test]
    fn numbers_in_texts_have_six_digits_and_zeros_no_sign() {
        let cases = [
            ("50.099999999999994", "50.1"),
            ("at v* 0.15000000000000002", "at v* 0.15"),
            ("size 80.323 to 2512.545", "size 80.323 to 2512.55"),
            ("+2327.9830 ± 3955.7985", "+2327.98 ± 3955.8"),
            ("0.0000123456789", "0.0000123457"),
            ("1183059.25 of 6020000", "1,183,059 of 6,020,000"),
            ("-0.0000 ± 0.0004", "0.0000 ± 0.0004"),
            ("-0.0003, 4-0, bt-0", "-0.0003, 4-0, bt-0"),
            ("{t0,2} 1.00 theta-20190000x", "{t0,2} 1.00 theta-20190000x"),
            ("ends with 12.", "ends with 12."),
            ("0.1.0", "0.1.0"),
        ];
        for (text, expected) in cases {
            assert_eq!(tidy(text), expected);
        }
    }

    #[test]
    fn times_and_amounts_are_as_precise_as_they_are_large() {
        let times = [
            (0.0, "0.0 s"),
            (59.4, "59.4 s"),
            (59.6, "1 min 0 s"),
            (3599.0, "59 min 59 s"),
            (15_371.2, "4 h 16 min"),
            (200_000.0, "2 d 7 h"),
        ];
        for (seconds, words) in times {
            assert_eq!(time(seconds), words);
        }
        let amounts = [(0.0, "0.00"), (999.5, "999.50"), (1_183_059.2, "1,183,059")];
        for (amount, words) in amounts {
            assert_eq!(money(amount), words);
        }
    }
}
