//! Flexible reservations are shifted aside, so that a newcomer fits.

use bookahead::{
    Book, Booking, Direction, Error as Denied, Insertion, Policy, Refusal, Shifting, raw::Ring,
};

use super::{
    admission::{Ask, reserve},
    moving::{Lent, Moving},
};
use crate::engine::story::Cause;

/// How accepted reservations are shifted where a policy finds no room.
///
/// Source: `pujiyanta`, section 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    /// Which start is taken where there is room.
    pub policy: Policy,
    /// To which side.
    pub direction: Direction,
    /// How a place is sought.
    pub insertion: Insertion,
}

impl Shift {
    /// Slots that a command lets one search for a newcomer write and read, unless it is told otherwise. A refusal takes 0.1 to
    /// 0.2 ms with that where bindings are late, and some milliseconds where they are early. In long windows more would be accepted with more.
    pub const WORK: u64 = 1_000_000;

    /// First fit, and these rules of the kernel.
    #[must_use]
    pub const fn by(rules: Shifting) -> Self {
        Self {
            policy: Policy::FirstFit,
            direction: rules.direction,
            insertion: rules.insertion,
        }
    }

    /// Books where there is room, else by shifting.
    pub(super) fn book<R: Ring>(
        &self,
        book: &mut Book<'_, R>,
        ask: &Ask,
        moving: &Moving,
        lent: &mut Lent<R::Part>,
    ) -> Result<Booking, Denied> {
        let plain = reserve(book, ask, self.policy);
        if plain != Err(Refusal::NoRoom.into()) {
            return plain;
        }
        let rules = Shifting {
            direction: self.direction,
            insertion: self.insertion,
            earliest: ask.earliest,
            max_moves: moving.max_moves(),
            work: moving.work(),
        };
        lent.transact(book, Cause::Shift, rules.work, |transaction| {
            transaction.shift_in(ask.asked(), ask.commitment, &rules)
        })
    }
}

impl Default for Shift {
    /// First fit, and slides to both sides.
    fn default() -> Self {
        Self::by(Shifting::LRH)
    }
}
