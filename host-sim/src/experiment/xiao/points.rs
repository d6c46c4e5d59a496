//! The points of the paper's figures.
//!
//! Source: `xiao`, section 5.

/// Sites.
pub(super) const SITES: u16 = 16;
/// A site is one resource, which serves one request at a time (section 3).
pub(super) const PES: u16 = 1;
/// Seconds of a slot. Longer in tests, where a kernel may check itself after each call, which takes as long as its book is.
pub(super) const SLOT: u64 = if cfg!(test) { 3_600 } else { 300 };
/// How many slots can be booked ahead: two months, more than nearly all requests need.
pub(super) const SLOTS: u32 = (60 * 86_400 / SLOT) as u32;
/// Seconds of a bin of the history of service times: 200 of them hold the longest.
pub(super) const BIN: u32 = 900;
/// Requests that reserve (%).
pub(super) const SHARES: [u64; 4] = [5, 10, 15, 20];
/// k_over: how many times its run time a request books.
pub(super) const OVER: [(f64, f64); 3] = [(1.0, 1.2), (1.2, 1.5), (1.5, 1.8)];
pub(super) const OVER_NAMES: [&str; OVER.len()] = ["k1", "k2", "k3"];
/// The place of the second.
pub(super) const K2: usize = 1;
/// v* (%).
pub(super) const THRESHOLDS: [u32; 8] = [60, 65, 70, 75, 80, 85, 90, 95];
/// The place of p* = 0.8.
pub(super) const P80: usize = 4;
/// What the paper does not say and is fitted to the utilisation that it prints for the traditional mode, and to nothing else: how many
/// times faster than in the model jobs arrive, at how many sites each reservation is booked, and up to how many of its durations ahead.
/// Of all combinations of the candidates these bring the traditional mode nearest to [`PRINTED`] with k2, by the greater of the two
/// distances.
pub(super) const ARRIVAL: f64 = 5.0;
/// See [`ARRIVAL`].
pub(super) const COPIES: u16 = 4;
/// See [`ARRIVAL`].
pub(super) const AHEAD: f64 = 30.0;
// The candidates.
pub(super) const ARRIVALS: [f64; 5] = [3.0, 4.0, 5.0, 6.0, 9.0];
pub(super) const ALL_COPIES: [u16; 5] = [1, 2, 3, 4, 5];
pub(super) const ALL_AHEAD: [f64; 3] = [3.0, 10.0, 30.0];
/// What the paper prints for the traditional mode with 5 % and with 20 % reservations (%).
pub(super) const PRINTED: [f64; 2] = [71.0, 30.0];

/// Who reserves, and how much is booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::experiment) struct Point {
    /// Requests that reserve (%).
    pub(super) share: u64,
    /// The place of k_over.
    pub(super) over: usize,
}

/// All of them.
pub(super) fn grid() -> Vec<Point> {
    let points = SHARES.into_iter().flat_map(|share| {
        let at = move |over| Point { share, over };
        (0..OVER.len()).map(at)
    });
    points.collect()
}
