//! Numbers as a reader wants them.

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
}
