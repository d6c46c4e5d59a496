//! The orders in which waiting reservations are placed.

use core::fmt;

use crate::{
    book::Commitment,
    flexibility::Flexibility,
    handle::Handle,
    ledger::{Row, terms},
    request::Request,
    ring::Width,
    time::{Slot, Span},
};

/// The order in which waiting reservations and a newcomer are placed. Ties are placed in order of acceptance, with the
/// newcomer last. Codes and names are permanent.
///
/// ```
/// use bookahead::Order;
/// assert_eq!((Order::EarliestDeadline.code(), Order::EarliestDeadline.name()), (0, "edf"));
/// ```
///
/// Source: `netto`, section 3.1.
#[derive(Clone, Copy)]
pub enum Order<'r> {
    /// The earliest deadline first.
    EarliestDeadline,
    /// The least time flexibility first: the deadline less the duration, less the planned start, or less `now` where
    /// that is later or the reservation has a [deadline](Flexibility::Deadline) only. A newcomer is planned at its ready
    /// time.
    LeastFlexible,
    /// The largest duration times processing elements first.
    BiggestFirst,
    /// In order of acceptance. As the newcomer comes last, no other reservation moves.
    Fifo,
    /// In an order that follows from the seed and the numbers of acceptance.
    Shuffle {
        /// The seed; the same seed always gives two reservations the same order.
        seed: u64,
    },
    /// The greatest revenue first, which the caller knows.
    Revenue {
        /// The revenue of the newcomer.
        newcomer: u64,
        /// Returns the revenue of a waiting reservation.
        of: &'r dyn Fn(Handle) -> u64,
    },
}

impl Order<'_> {
    /// Returns the permanent number, from 0.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::EarliestDeadline => 0,
            Self::LeastFlexible => 1,
            Self::BiggestFirst => 2,
            Self::Fifo => 3,
            Self::Shuffle { .. } => 4,
            Self::Revenue { .. } => 5,
        }
    }

    /// Returns the permanent name, as commands and files show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EarliestDeadline => "edf",
            Self::LeastFlexible => "lff",
            Self::BiggestFirst => "bjf",
            Self::Fifo => "fifo",
            Self::Shuffle { .. } => "shuffle",
            Self::Revenue { .. } => "revenue",
        }
    }

    /// Returns the sort key of the waiting reservation in row number `index`; the least is placed first.
    pub(super) fn key<N: Width>(self, row: &Row<N>, index: usize, now: Slot) -> u64 {
        match self {
            Self::EarliestDeadline => row.deadline().get(),
            Self::LeastFlexible => {
                let planned = if row.is_marked(terms::DEADLINE) {
                    now
                } else {
                    row.start().max(now)
                };
                flexibility(row.deadline(), planned, row.duration)
            }
            Self::BiggestFirst => !area(row.duration, row.pes.get()),
            Self::Fifo => 0,
            Self::Shuffle { seed } => shuffled(seed, row.accepted),
            Self::Revenue { of, .. } => !of(row.handle(index)),
        }
    }

    /// Returns the sort key of a newcomer that would be accepted as number `accepted`.
    pub(super) fn key_of_newcomer(
        self,
        request: &Request,
        commitment: Commitment,
        accepted: u64,
        now: Slot,
    ) -> u64 {
        match self {
            Self::EarliestDeadline => request.deadline.get(),
            Self::LeastFlexible => {
                let planned = match commitment {
                    Commitment::Flexible {
                        kind: Flexibility::Deadline,
                        ..
                    } => now,
                    _ => request.ready.max(now),
                };
                flexibility(request.deadline, planned, request.duration)
            }
            Self::BiggestFirst => !area(request.duration, request.pes.get()),
            Self::Fifo => 0,
            Self::Shuffle { seed } => shuffled(seed, accepted),
            Self::Revenue { newcomer, .. } => !newcomer,
        }
    }
}

impl fmt::Debug for Order<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the time flexibility of `netto`, section 3.1: how much later than planned a job may start.
fn flexibility(deadline: Slot, planned: Slot, duration: Span) -> u64 {
    let left = deadline.get().saturating_sub(planned.get());
    left.saturating_sub(duration.get().into())
}

fn area(duration: Span, pes: u32) -> u64 {
    u64::from(duration.get()).saturating_mul(pes.into())
}

/// Returns a number that looks random: the output of the generator SplitMix64 whose state is the seed plus the number
/// of acceptance times its increment.
const fn shuffled(seed: u64, accepted: u64) -> u64 {
    let increments = accepted.wrapping_add(1);
    let state = seed.wrapping_add(increments.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
