//! The points of the paper's figures.
//!
//! Source: `sulistio`, section 4.1.

pub(super) use bookahead_oracle::papers::sulistio::{SLOT, SLOTS};

/// An hour (s).
pub(super) const HOUR: u64 = 3_600;
/// Compute nodes.
pub(super) const NODES: u16 = 64;
/// How long the simulated part of the log is (s).
pub(super) const TWO_WEEKS: u64 = 14 * 24 * HOUR;
/// The share of the jobs that reserve.
pub(super) const RESERVING: f64 = 0.3;

/// The book-ahead times (h).
pub(super) const BOOK_AHEAD: [u64; 3] = [1, 5, 10];
/// The search limit times (h).
pub(super) const SEARCH_LIMIT: [u64; 8] = [0, 1, 2, 4, 6, 8, 10, 12];
/// Those of the short version: both sides of 6 h, the ends, and the 8 h of figure 5.
pub(super) const FEW_SEARCH_LIMITS: [u64; 4] = [0, 4, 8, 12];

/// How far ahead is reserved, and how much room to move there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::experiment) struct Point {
    /// From the submission to the start of the interval (h).
    pub(super) book_ahead: u64,
    /// By how much the interval is longer than the job (h).
    pub(super) search_limit: u64,
}

impl Point {
    pub(super) const fn new(book_ahead: u64, search_limit: u64) -> Self {
        Self {
            book_ahead,
            search_limit,
        }
    }

    /// What it is called in notes.
    pub(super) fn name(self) -> String {
        format!("bt {} h, slt {} h", self.book_ahead, self.search_limit)
    }
}

/// Where figure 5 looks.
pub(super) const BUSY_NODES: Point = Point::new(5, 8);
/// Where figure 7 has its least reduction.
pub(super) const LEAST_REDUCTION: Point = Point::new(5, 0);
/// Where figure 7 has its greatest.
pub(super) const GREATEST_REDUCTION: Point = Point::new(10, 12);

/// All book-ahead times with these search limits.
pub(super) fn grid(search_limits: &[u64]) -> Vec<Point> {
    let at = |ahead| {
        let limits = search_limits.iter();
        limits.map(move |&limit| Point::new(ahead, limit))
    };
    BOOK_AHEAD.into_iter().flat_map(at).collect()
}

/// What the log's processors are of the paper's compute nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ComputeNode {
    /// One node of the machine, with all its processors.
    Node,
    /// One processor.
    Processor,
}

#[cfg(test)]
mod tests {
    use super::{
        BUSY_NODES, FEW_SEARCH_LIMITS, GREATEST_REDUCTION, LEAST_REDUCTION, SEARCH_LIMIT, grid,
    };

    #[test]
    fn both_grids_have_the_points_that_claims_are_about() {
        let (all, few) = (grid(&SEARCH_LIMIT), grid(&FEW_SEARCH_LIMITS));
        assert_eq!((all.len(), few.len()), (24, 12));
        for point in [BUSY_NODES, LEAST_REDUCTION, GREATEST_REDUCTION] {
            assert!(all.contains(&point) && few.contains(&point), "{point:?}");
        }
    }
}
