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

/// A number without decimals where it has none.
pub(super) fn short(number: f64) -> String {
    if number.fract() == 0.0 {
        format!("{number:.0}")
    } else {
        format!("{number:.2}")
    }
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
    let step = match mean.abs().max(half.unwrap_or(0.0)) {
        0.0 => 1.0,
        size => 10f64.powf(size.log10().floor() - 3.0).max(1e-6),
    };
    let mean = with_step(mean, step);
    match half {
        None => mean,
        Some(half) => format!("{mean} ± {}", with_step(half, step)),
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
