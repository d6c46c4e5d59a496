//! The rules of juggling.

use super::Order;
use crate::{named::named, time::Slot};

/// Whether a newcomer that fits as things are is accepted without moving anything. Codes are permanent.
///
/// ```
/// use bookahead::Admission;
/// assert_eq!((Admission::PlainFirst.code(), Admission::PlainFirst.name()), (0, "plain-first"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Admission {
    /// Yes: juggling begins only where first fit finds no room.
    PlainFirst,
    /// No: the waiting reservations are arranged anew for each newcomer, as `netto` prints it.
    Always,
}

named!(Admission { PlainFirst => "plain-first", Always => "always" });

/// What happens when a waiting reservation finds no room any more because the newcomer was placed before it. Codes are
/// permanent.
///
/// ```
/// use bookahead::AfterFailure;
/// assert_eq!((AfterFailure::Retry.code(), AfterFailure::Retry.name()), (0, "retry"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum AfterFailure {
    /// All up to and including that reservation return to where they were, the newcomer is placed behind it, and those
    /// that come after are arranged again.
    Retry,
    /// The newcomer is refused, as `netto` prints algorithm 1: the next step is to look for alternatives.
    Refuse,
}

named!(AfterFailure { Retry => "retry", Refuse => "refuse" });

/// The rules of juggling: in which order, when, and how much of it.
///
/// ```
/// use bookahead::{Admission, Juggling, Order, Slot};
/// let rules = Juggling {
///     earliest: Slot::new(5),
///     max_moves: 20,
///     ..Juggling::by(Order::LeastFlexible)
/// };
/// assert_eq!(rules.admission, Admission::PlainFirst);
/// ```
///
/// Source: `netto`, algorithm 1.
#[derive(Clone, Copy, Debug)]
pub struct Juggling<'r> {
    /// The order in which reservations are placed.
    pub order: Order<'r>,
    /// Whether a newcomer that fits as things are moves others.
    pub admission: Admission,
    /// What happens when the newcomer is in the way of another reservation.
    pub after_failure: AfterFailure,
    /// No waiting reservation is placed before this slot; for callers whose `now` is under way.
    pub earliest: Slot,
    /// At most so many reservations get another start in one arrangement; those that only get other processing elements
    /// are not counted. One more is [`MoveLimit`](crate::Refusal::MoveLimit).
    pub max_moves: u32,
    /// At most so many slots are written and searched, where the call begins a transaction of its own. More is
    /// [`WorkLimit`](crate::Refusal::WorkLimit).
    pub work: u64,
}

impl<'r> Juggling<'r> {
    /// Returns the rules with this order, plain first fit first, retries, and no limits.
    #[must_use]
    pub const fn by(order: Order<'r>) -> Self {
        Self {
            order,
            admission: Admission::PlainFirst,
            after_failure: AfterFailure::Retry,
            earliest: Slot::new(0),
            max_moves: u32::MAX,
            work: u64::MAX,
        }
    }
}
