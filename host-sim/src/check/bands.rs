//! How often bands of likely starts were right, against ranks of sorted ratios. Rule 7.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{
    entries::{near, ratio, same},
    findings::Findings,
    settings::Settings,
};
use crate::files::Job;

/// How many waits of each doubling are remembered.
const LAST: usize = 256;

/// The shares for which they are said, in a hundred.
const SHARES: [&str; 4] = ["50", "80", "90", "95"];

/// What is said for one share.
#[derive(Deserialize)]
struct Told {
    told: u64,
    kept: u64,
    kept_rate: Option<f64>,
    median_width: Option<f64>,
}

/// Entries about them, by the share in a hundred.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Bands(BTreeMap<String, Told>);

/// A job in slots: from when on it may start, how long it was planned to wait then, how long it waited.
struct Wait {
    asked: u64,
    planned: u64,
    waited: u64,
}

impl Bands {
    /// Against the jobs of the queue and when each of them started.
    pub(super) fn check<'j>(
        &self,
        ran: impl Iterator<Item = (&'j Job<'j>, u64)>,
        settings: &Settings,
        found: &mut Findings,
    ) {
        let slot = settings.slots().0;
        let waits = ran.filter_map(|(job, began)| {
            let asked = job.queued_at().div_ceil(slot);
            let (planned, _) = job.metadata.planned()?;
            let planned = (planned / slot).checked_sub(asked)?;
            let waited = (began / slot).checked_sub(asked)?;
            // Else it was not planned as it came.
            let inside = planned + job.requested_time.div_ceil(slot) <= settings.horizon();
            inside.then_some(Wait {
                asked,
                planned,
                waited,
            })
        });
        let mut waits: Vec<Wait> = waits.collect();
        waits.sort_by_key(|wait| wait.asked);
        let shares: Vec<&str> = self.0.keys().map(String::as_str).collect();
        same("start_bands, its shares", &shares, &SHARES.to_vec(), found);
        for (share, told) in &self.0 {
            told.check(share, &waits, slot, found);
        }
    }
}

impl Told {
    fn check(&self, share: &str, waits: &[Wait], slot: u64, found: &mut Findings) {
        // In 200ths of all that are known and the next one: this much on each side.
        let outside = share
            .parse()
            .map_or(0, |share: u64| 100_u64.saturating_sub(share));
        let (mut kept, mut widths) = (0, Vec::new());
        // By doublings of the planned wait, in the order of their starts.
        let mut history: BTreeMap<u32, Vec<u128>> = BTreeMap::new();
        let mut started: BTreeMap<(u64, usize), &Wait> = BTreeMap::new();
        for (number, wait) in waits.iter().enumerate() {
            while let Some(first) = started.first_entry()
                && first.key().0 < wait.asked
            {
                let other = first.remove();
                if let Some(class) = other.planned.checked_ilog2() {
                    history.entry(class).or_default().push(other.ratio());
                }
            }
            started.insert((wait.asked + wait.waited, number), wait);
            let Some(class) = wait.planned.checked_ilog2() else {
                continue;
            };
            let known = history.get(&class).map_or(&[][..], Vec::as_slice);
            let mut known = known[known.len().saturating_sub(LAST)..].to_vec();
            known.sort_unstable();
            let side = (known.len() + 1) * outside as usize / 200;
            if side == 0 {
                continue;
            }
            let planned = u128::from(wait.planned);
            let earliest = (planned * known[side - 1]) >> 16;
            let latest = (planned * (known[known.len() - side] + 1)).div_ceil(1 << 16) - 1;
            kept += u64::from((earliest..=latest).contains(&u128::from(wait.waited)));
            widths.push(slot * (latest - earliest) as u64);
        }
        let entry = |name: &str| format!("start_bands, {share} in a hundred, {name}");
        same(&entry("told"), &self.told, &(widths.len() as u64), found);
        same(&entry("kept"), &self.kept, &kept, found);
        let rate = ratio(kept as f64, widths.len() as f64);
        near(&entry("kept_rate"), self.kept_rate, rate, found);
        widths.sort_unstable();
        let median = widths.len().div_ceil(2).checked_sub(1);
        let median = median.map(|middle| widths[middle] as f64);
        near(&entry("median_width"), self.median_width, median, found);
    }
}

impl Wait {
    /// Waited / planned, in 65,536ths rounded down.
    fn ratio(&self) -> u128 {
        (u128::from(self.waited) << 16) / u128::from(self.planned)
    }
}
