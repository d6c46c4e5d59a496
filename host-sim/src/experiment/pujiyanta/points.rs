//! The points of the paper's figures, and the table that it prints.
//!
//! Source: `pujiyanta`, sections II and III, table IV.

/// Nodes of the machine.
pub(super) const NODES: u16 = 30;
/// Seconds of a slot.
pub(super) const SLOT: u64 = 300;
/// Slots that can be booked ahead: more than the latest deadline in any reading.
pub(super) const SLOTS: u32 = 48;
/// Slots of the sliding window over which the utilisation is taken: an hour.
pub(super) const WINDOW: usize = 12;
/// The latest earliest start, in slots from the request on.
pub(super) const AHEAD: u64 = 24;
/// The longest t_f, in slots.
pub(super) const LONGEST_FLEXIBILITY: u64 = 12;

/// Mean requests in a slot: mu.
pub(super) const RATES: [u64; 2] = [3, 4];
/// Flexible users (%).
pub(super) const SHARES: [u64; 4] = [25, 50, 75, 100];

/// A row of table IV.
#[derive(Clone, Copy)]
pub(super) struct Printed {
    pub(super) jobs: u32,
    /// The utilisation without reservations (%).
    pub(super) without: f64,
    /// The utilisation with FCFS-LRH (%).
    pub(super) shifting: f64,
}

const fn printed(jobs: u32, without: f64, shifting: f64) -> Printed {
    Printed {
        jobs,
        without,
        shifting,
    }
}

/// Table IV: for each rate its rows by share.
pub(super) const TABLE_4: [[Printed; SHARES.len()]; RATES.len()] = [
    [
        printed(615, 92.39, 94.88),
        printed(673, 92.11, 94.43),
        printed(618, 91.14, 94.95),
        printed(601, 91.08, 94.68),
    ],
    [
        printed(793, 92.92, 96.66),
        printed(799, 92.37, 95.93),
        printed(800, 90.62, 94.74),
        printed(786, 93.28, 97.43),
    ],
];

/// Who asks, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::experiment) struct Point {
    /// Mean requests in a slot.
    pub(super) rate: u64,
    /// Flexible users (%).
    pub(super) share: u64,
    /// Whether 2 % of the jobs are cancelled.
    pub(super) cancelling: bool,
}

pub(super) const fn point(rate: u64, share: u64, cancelling: bool) -> Point {
    Point {
        rate,
        share,
        cancelling,
    }
}

/// All of them.
pub(super) fn grid() -> Vec<Point> {
    let points = [false, true]
        .map(|cancelling| RATES.map(|rate| SHARES.map(|share| point(rate, share, cancelling))));
    points.concat().concat()
}
