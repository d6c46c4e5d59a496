//! Options that say what jobs cost.

use std::str::FromStr;

use bookahead::{Factor, Money, Tariff};
use clap::Args;

use crate::{
    engine::MINUTE,
    error::{Error, Result},
};

/// What jobs cost.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Prices")]
pub(super) struct PriceOptions {
    /// What a PE costs per minute of a best-effort job; prices appear in the results only if this is given, and slots must be whole
    /// minutes then, such as --slot-seconds 60 [without an amount: 0.05]
    #[arg(long, value_name = "AMOUNT", num_args = 0..=1, default_missing_value = "0.05")]
    price: Option<Amount>,
    /// How many times as much a reserved minute costs, 1 or more [default: 4]
    #[arg(long, value_name = "X", requires = "price", value_parser = factor)]
    price_factor: Option<Factor>,
}

/// An amount of money.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Amount(pub(super) Money);

impl FromStr for Amount {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        let micro = (is_number(whole) && is_number(decimals) && decimals.len() <= 6)
            .then(|| format!("{whole}{decimals:0<6}").parse::<u64>().ok());
        match micro.flatten() {
            Some(micro) if micro > 0 && !whole.is_empty() => Ok(Self(Money::new(micro))),
            _ => Err("expected an amount above 0 with at most 6 decimals, such as 0.05".to_owned()),
        }
    }
}

impl PriceOptions {
    /// The tariff for slots of that length.
    pub(super) fn tariff(&self, slot_seconds: u32) -> Result<Tariff> {
        let Some(Amount(base)) = self.price else {
            return Ok(Tariff::FREE);
        };
        if !u64::from(slot_seconds).is_multiple_of(MINUTE) {
            return Err(Error::Usage(format!(
                "--price is per minute, so slots must be whole minutes: found --slot-seconds {slot_seconds}, expected 60, 120 and so on"
            )));
        }
        let factor = self.price_factor.unwrap_or(Factor::from_num(4));
        let minutes = slot_seconds / MINUTE as u32;
        Tariff::new(base, factor, minutes).ok_or_else(|| {
            Error::Usage(format!(
                "--price-factor {factor}: expected 1 or more, and a slot whose price can be counted"
            ))
        })
    }
}

fn factor(text: &str) -> std::result::Result<Factor, String> {
    let factor = text.parse();
    factor.map_err(|_| "expected a number of 1 or more, such as 4".to_owned())
}

#[cfg(test)]
mod tests {
    use super::Amount;
    use bookahead::Money;

    #[test]
    fn amounts_are_exact() {
        let good = [
            ("0.05", 50_000),
            ("1", 1_000_000),
            ("1.", 1_000_000),
            ("12.345678", 12_345_678),
        ];
        for (text, micro) in good {
            assert_eq!(text.parse(), Ok(Amount(Money::new(micro))), "{text}");
        }
        for text in [
            "",
            ".",
            "0",
            "0.0000001",
            "-1",
            "1,5",
            "1e3",
            "99999999999999",
        ] {
            assert!(text.parse::<Amount>().is_err(), "{text}");
        }
    }
}
