//! How much memory a book may take.

use std::{str::FromStr, sync::OnceLock};

use clap::Args;
use sysinfo::{MemoryRefreshKind, RefreshKind, System as Host};

use super::machine;
use crate::{
    arrivals::Arrivals,
    engine::System,
    error::{Error, Result},
    report::words::grouped,
};

/// The limit.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = super::machine::HEADING)]
pub(super) struct Memory {
    /// Most memory the books may take, in bytes or with K, M, G, T (powers of 1024) [default: half of the RAM]
    #[arg(long, value_name = "BYTES")]
    max_memory: Option<Bytes>,
}

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bytes(u64);

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        let shift = match &text[digits.len()..] {
            "" | "B" => 0,
            "K" | "KiB" => 10,
            "M" | "MiB" => 20,
            "G" | "GiB" => 30,
            "T" | "TiB" => 40,
            unit => return Err(format!("unit {unit:?}: expected none or K, M, G, T")),
        };
        digits
            .parse::<u64>()
            .ok()
            .filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|number| number.checked_mul(1 << shift))
            .map(Self)
            .ok_or_else(|| "expected a number of bytes such as 500000 or 8G".to_owned())
    }
}

impl Memory {
    /// How many of the books fit into memory at a time, each of which must fit by itself.
    pub(super) fn books_at_a_time(
        &self,
        systems: &[System],
        arrivals: &Arrivals<'_>,
    ) -> Result<usize> {
        let allowed = self.max_memory.map_or_else(half_of_ram, |bytes| bytes.0);
        let mut largest = None;
        for system in systems {
            let needed = system.bytes(arrivals)? as u64;
            // Of equal ones the last.
            if largest.is_none_or(|(most, _)| most <= needed) {
                largest = Some((needed, system));
            }
        }
        let Some((needed, largest)) = largest else {
            return Ok(1);
        };
        let needed = needed.max(1);
        if needed > allowed {
            return Err(Error::Usage(format!(
                "{} need {} bytes of memory ({} binding), allowed are {}: take fewer, or more with --max-memory",
                machine::size(largest).join(" and "),
                grouped(needed as usize),
                largest.binding.name(),
                grouped(allowed as usize),
            )));
        }
        Ok(usize::try_from(allowed / needed).unwrap_or(usize::MAX))
    }
}

/// Half of the RAM there was when it was asked for first: a sweep asks at every point.
fn half_of_ram() -> u64 {
    static HALF: OnceLock<u64> = OnceLock::new();
    *HALF.get_or_init(|| ram() / 2)
}

/// Of the container where there is one; no limit where nobody knows how much RAM there is.
fn ram() -> u64 {
    let ram = MemoryRefreshKind::nothing().with_ram();
    let Ok(host) = Host::new_with_specifics(RefreshKind::nothing().with_memory(ram)) else {
        return u64::MAX;
    };
    let container = host.cgroup_limits().map(|limits| limits.total_memory);
    let total = host.total_memory();
    container.map_or(total, |limit| limit.min(total))
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn bytes_take_units_of_1024() {
        let good = [
            ("0", 0),
            ("17", 17),
            ("2K", 2048),
            ("3MiB", 3 << 20),
            ("1T", 1 << 40),
        ];
        for (text, bytes) in good {
            assert_eq!(text.parse(), Ok(Bytes(bytes)));
        }
        for text in ["", "G", "-1", "+1", "1.5G", "8 G", "8g", "99999999999T"] {
            assert!(text.parse::<Bytes>().is_err(), "{text}");
        }
    }
}
