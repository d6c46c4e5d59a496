//! What rules and figures look at.

use super::{
    measures::{JOBS, UTILISATION},
    points::{Point, RATES, SHARES, point},
    systems::{EDS, LRH, WITHOUT},
};
use crate::experiment::{Curves, Measure, Panel, Samples, Tick};

pub(super) const OF_EDS: usize = 0;
pub(super) const OF_LRH: usize = 1;

/// What rules and figures look at.
pub(super) struct Views {
    // Over the shares, a panel for each rate.
    /// All systems.
    pub(super) used: Curves,
    /// FCFS-LRH less the baseline.
    pub(super) gained: Curves,
    /// FCFS-EDS and FCFS-LRH with cancellations.
    pub(super) cancelled: Curves,
    /// FCFS-LRH at each rate, a series for each share.
    pub(super) by_share: [Curves; 2],
    /// FCFS-LRH over the shares, a series for each rate.
    pub(super) by_rate: Curves,
    /// Over the shares, a series for each rate.
    pub(super) submitted: Curves,
    // Means over the shares, over the rates.
    /// The baseline and FCFS-LRH.
    pub(super) means: Curves,
    /// FCFS-LRH less FCFS-EDS with cancellations.
    pub(super) mean_cancelled_gain: Curves,
}

impl Views {
    pub(super) fn of(samples: &Samples<Point>) -> Self {
        let used = |rate| systems(samples, rate, &UTILISATION, false);
        let cancelled = |rate| systems(samples, rate, &UTILISATION, true).only(&[EDS, LRH]);
        let cancelled_gain = |rate| cancelled(rate).less(&[OF_LRH], OF_EDS);
        Self {
            used: Curves::new("utilisation", RATES.map(used)),
            gained: Curves::new(
                "gain in utilisation",
                RATES.map(|rate| used(rate).less(&[LRH], WITHOUT)),
            ),
            cancelled: Curves::new("utilisation with cancellations", RATES.map(cancelled)),
            by_share: [
                Curves::one(
                    "utilisation with FCFS-LRH by share, mu = 3",
                    by_share(&used(RATES[0])),
                ),
                Curves::one(
                    "utilisation with FCFS-LRH by share, mu = 4",
                    by_share(&used(RATES[1])),
                ),
            ],
            by_rate: Curves::one(
                "utilisation with FCFS-LRH by rate",
                by_rate(samples, LRH, &UTILISATION),
            ),
            submitted: Curves::one("jobs submitted", by_rate(samples, LRH, &JOBS)),
            means: Curves::one(
                "mean utilisation over all shares",
                means(|rate| used(rate).only(&[WITHOUT, LRH])),
            ),
            mean_cancelled_gain: Curves::one(
                "mean gain over all shares with cancellations",
                means(cancelled_gain),
            ),
        }
    }
}

/// The means over the shares, over the rates.
fn means(panel: impl Fn(u64) -> Panel) -> Panel {
    Panel::averages(
        ("mu", ""),
        RATES.map(|rate| (Tick::number(rate as f64), panel(rate))),
    )
}

/// All systems over the shares.
pub(super) fn systems(
    samples: &Samples<Point>,
    rate: u64,
    measure: &Measure,
    cancelling: bool,
) -> Panel {
    let along = SHARES.map(|share| (Tick::number(share as f64), point(rate, share, cancelling)));
    let panel = samples.panel(SHARE, &along, measure);
    panel.placed(format!("mu = {rate}"))
}

/// The axis of most figures.
pub(super) const SHARE: (&str, &str) = ("flexible users", "%");

/// A measure of a system over the shares, a series for each rate.
fn by_rate(samples: &Samples<Point>, system: usize, measure: &Measure) -> Panel {
    let along = SHARES.map(|share| {
        let at = |rate| samples.at(point(rate, share, false), system, measure);
        (Tick::number(share as f64), RATES.map(at))
    });
    Panel::of(SHARE, RATES.map(|rate| format!("mu = {rate}")), along)
}

/// FCFS-LRH, the shares side by side.
fn by_share(panel: &Panel) -> Panel {
    panel.across(LRH, |tick| format!("{} %", tick.text))
}
