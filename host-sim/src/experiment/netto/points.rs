//! The points of the paper's figures.
//!
//! Source: `netto`, section 4.1.

/// Processors of the machine.
pub(super) const PES: u16 = 128;
/// Seconds of a slot: no job is shorter. Half an hour in tests, where a kernel may check itself after each call, which
/// takes as long as its book is.
pub(super) const SLOT: u64 = if cfg!(test) { 1_800 } else { 60 };
/// How many slots can be booked ahead: 40 days, more than the latest deadline of the paper's log; in
/// another, jobs beyond it are refused.
pub(super) const SLOTS: u32 = (40 * 86_400 / SLOT) as u32;
/// How long a simulated part of the log is (s).
pub(super) const FIFTEEN_DAYS: u64 = 15 * 86_400;

/// How many submissions there are for a hundred of the log.
pub(super) const LOADS: [u64; 3] = [100, 125, 150];
/// The place among them of the load that the paper calls medium.
pub(super) const MEDIUM_LOAD: usize = 1;
/// Mean lengths by which flexible intervals exceed a duration, in percent of it; the first are the fixed ones.
pub(super) const INTERVALS: [(u64, &str); 4] =
    [(0, "fixed"), (25, "short"), (50, "medium"), (100, "long")];
/// The greatest phi of a suggestion (%).
pub(super) const SUGGESTED: [u32; 3] = [25, 50, 100];
/// The share of the wait after which a start becomes fixed (%); the first is fixed at acceptance.
pub(super) const FIXED_AFTER: [u16; 4] = [0, 25, 50, 75];

/// How much is asked for, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::experiment) struct Point {
    /// Submissions for a hundred of the log.
    pub(super) load: u64,
    /// Mean length by which a flexible interval exceeds the duration (% of it).
    pub(super) interval: u64,
    /// Whether jobs run for less than they book.
    pub(super) overestimated: bool,
}

pub(super) const fn point(load: u64, interval: u64, overestimated: bool) -> Point {
    Point {
        load,
        interval,
        overestimated,
    }
}

/// All of them.
pub(super) fn grid() -> Vec<Point> {
    let points = [false, true].map(|overestimated| {
        LOADS.map(|load| INTERVALS.map(|(interval, _)| point(load, interval, overestimated)))
    });
    points.concat().concat()
}
