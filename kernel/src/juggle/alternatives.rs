//! Alternatives to a request that juggling refuses: the same window, earlier or later.

use heapless::VecView;

use super::Juggling;
use crate::{
    book::{Ask, Book, Commitment, asking},
    error::{Error, Refusal},
    ledger::RowOf,
    named::named,
    request::Request,
    ring::Ring,
    time::{Slot, Window},
    transaction::{Movable, Transaction, Workspace},
};

/// An alternative to a refused request: the same run in the same length of window, at another time.
///
/// ```
/// # use bookahead::{Alternative, PeCount, Request, Slot, Span};
/// # let request = Request {
/// #     ready: Slot::new(3), duration: Span::new(8), deadline: Slot::new(20), pes: PeCount::new(3),
/// # };
/// let earlier = Alternative { request, start: Slot::new(3), shift: -6 };
/// assert_eq!(earlier.phi_per_mille(), -750);
/// ```
///
/// Source: `netto`, section 3.2 (the options of algorithm 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Alternative {
    /// The request to make instead.
    pub request: Request,
    /// The start that it would get now.
    pub start: Slot,
    /// How many slots later its window is than the one that was asked for; below zero earlier.
    pub shift: i64,
}

impl Alternative {
    /// Returns the shift in thousandths of the duration, rounded towards zero.
    ///
    /// Source: `netto`, section 3.2 (phi).
    #[must_use]
    pub fn phi_per_mille(&self) -> i64 {
        let duration = i64::from(self.request.duration.get());
        let thousandfold = self.shift.saturating_mul(1_000);
        thousandfold.checked_div(duration).unwrap_or_default()
    }
}

/// On which sides of the requested window alternatives are looked for. Codes are permanent.
///
/// ```
/// use bookahead::Sides;
/// assert_eq!((Sides::Before.code(), Sides::Before.name()), (1, "before"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Sides {
    /// Earlier and later windows.
    Both,
    /// Earlier windows only.
    Before,
    /// Later windows only.
    After,
}

named!(Sides { Both => "both", Before => "before", After => "after" });

/// Where a later window begins, given the reservation in the way. Codes are permanent.
///
/// ```
/// use bookahead::Behind;
/// assert_eq!((Behind::Deadline.code(), Behind::Deadline.name()), (0, "deadline"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Behind {
    /// At its deadline, as `netto` prints it.
    Deadline,
    /// At its booked end.
    End,
}

named!(Behind { Deadline => "deadline", End => "end" });

/// What alternatives are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Suggesting {
    /// On which sides.
    pub sides: Sides,
    /// The greatest shift, in hundredths of the duration.
    pub max_percent: u32,
    /// Where later windows begin.
    pub behind: Behind,
}

impl Suggesting {
    /// All of them: on both sides, however far, as `netto` prints it.
    pub const ALL: Self = Self {
        sides: Sides::Both,
        max_percent: u32::MAX,
        behind: Behind::Deadline,
    };
}

/// How far a search for alternatives got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Suggested {
    /// How many windows were tried.
    pub tried: u32,
    /// [`WorkLimit`](Refusal::WorkLimit) when the work ended the search; [`MoveLimit`](Refusal::MoveLimit) when some
    /// windows could not be tried for that; otherwise `None`.
    pub limit: Option<Refusal>,
}

impl<R: Ring> Book<'_, R> {
    /// Lists alternatives to a request that [`juggle`](Self::juggle) refuses, without changing the book. `found`, which
    /// is cleared first, receives as many as it holds; a list of one has the best.
    ///
    /// For each reservation in the way, the whole window is tried just before its start and just behind it, where
    /// [`Behind`] says. In the way are those that cover a slot of the requested window and whose start is fixed or
    /// whose place is before that of the newcomer. Windows are tried by increasing shift, an earlier one before a later
    /// one, and those that begin before `now`, or before the earliest slot of the rules, or end behind the horizon
    /// are left out. Each alternative in the list can be booked: [`juggle`](Self::juggle) with its request and the same
    /// rules gives it its start, as long as the book has not changed. A request that can be booked has none.
    ///
    /// O(windows tried x (juggling + window + longest duration + running + reservations that start there)).
    ///
    /// ```
    /// use bookahead::{Alternative, Commitment, CountWorkspace, Juggling, Order, Suggesting};
    /// # use bookahead::{CountBook, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(9), duration: Span::new(5), deadline: Slot::new(14), pes: PeCount::new(3),
    /// # };
    /// // A strict reservation from 9 to 14 is in the way of another one.
    /// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let rules = Juggling::by(Order::EarliestDeadline);
    /// let mut workspace = CountWorkspace::<16, 8>::new();
    /// let mut found = heapless::Vec::<Alternative, 4>::new();
    /// book.alternatives(
    ///     &request, Commitment::Confirmed, &rules, &Suggesting::ALL, workspace.view(), &mut found,
    /// )?;
    /// let starts: Vec<_> = found.iter().map(|found| found.start.get()).collect();
    /// assert_eq!(starts, [4, 14]);
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`juggle`](Self::juggle) as far as the request itself is the cause.
    ///
    /// Source: `netto`, algorithm 2.
    #[allow(
        clippy::too_many_arguments,
        reason = "a request, two sets of rules, a workspace, and where the answers go"
    )]
    pub fn alternatives<'q>(
        &mut self,
        request: impl Ask<'q, R, Request>,
        commitment: Commitment,
        rules: &Juggling<'_>,
        wanted: &Suggesting,
        workspace: Workspace<'_, R::Part>,
        found: &mut VecView<Alternative>,
    ) -> Result<Suggested, Error> {
        found.clear();
        asking!(self.ring, request, |request| self.alternatives_asked(
            request, commitment, rules, wanted, workspace, found
        ))
    }

    /// As [`alternatives`](Self::alternatives), for the class that asks, with an empty list.
    #[allow(clippy::too_many_arguments, reason = "as there")]
    fn alternatives_asked(
        &mut self,
        request: &Request,
        commitment: Commitment,
        rules: &Juggling<'_>,
        wanted: &Suggesting,
        workspace: Workspace<'_, R::Part>,
        found: &mut VecView<Alternative>,
    ) -> Result<Suggested, Error> {
        let mut transaction = self.transaction(workspace, rules.work);
        let (juggled, place) = transaction.try_juggle(request, commitment, rules);
        let mut search = Suggested::default();
        match juggled {
            Err(Error::Refused(Refusal::NoRoom)) => (),
            Err(Error::Refused(limit @ (Refusal::MoveLimit | Refusal::WorkLimit))) => {
                search.limit = Some(limit);
                return Ok(search);
            }
            juggled => return juggled.map(|_| search),
        }
        let mut last = (0, 0);
        while let Some(shift) = transaction.next_shift(request, rules, wanted, place, last) {
            if found.is_full() || search.limit == Some(Refusal::WorkLimit) {
                break;
            }
            last = rank(shift);
            let moved = shifted(request, shift);
            search.tried = search.tried.saturating_add(1);
            let before = transaction.savepoint();
            let (juggled, _) = transaction.try_juggle(&moved, commitment, rules);
            match juggled {
                Ok(booking) => {
                    transaction.rollback_to(before)?;
                    // Cannot fail: the list is not full.
                    let _ = found.push(Alternative {
                        request: moved,
                        start: booking.start,
                        shift,
                    });
                }
                Err(Error::Refused(Refusal::NoRoom)) => (),
                Err(Error::Refused(limit @ (Refusal::MoveLimit | Refusal::WorkLimit))) => {
                    search.limit = Some(limit);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(search)
    }
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// Returns the shift of the next window to try after the one ranked `last`, where the newcomer's place is `place`.
    fn next_shift(
        &self,
        request: &Request,
        rules: &Juggling<'_>,
        wanted: &Suggesting,
        place: u128,
        last: (u64, i64),
    ) -> Option<i64> {
        let axis = self.book.ring.axis();
        let (now, end) = (axis.now(), axis.end());
        let window = Window {
            start: request.ready,
            end: request.deadline,
        };
        let in_the_way = |(index, row): &(usize, &RowOf<R>)| {
            let key = rules.order.key(row, *index, now);
            let movable = Movable::new(key, row.accepted, *index);
            movable.place() <= place || !self.book.is_movable(row, now)
        };
        let length = request.deadline.since(request.ready).unwrap_or_default();
        let earliest = now.max(rules.earliest);
        let farthest =
            u64::from(wanted.max_percent).saturating_mul(request.duration.get().into()) / 100;
        let possible = |shift: &i64| {
            let moved = shifted(request, *shift);
            shift.unsigned_abs() <= farthest
                && moved.ready >= earliest
                && moved.deadline <= end
                && rank(*shift) > last
        };
        self.book
            .covering_rows(window)
            .filter(in_the_way)
            .flat_map(|(_, row)| {
                let before = row.start().get().checked_sub(length.get().into());
                let behind = match wanted.behind {
                    Behind::Deadline => row.deadline(),
                    Behind::End => row.end(),
                };
                let before = before.filter(|_| wanted.sides != Sides::After);
                let behind = Some(behind.get()).filter(|_| wanted.sides != Sides::Before);
                [before, behind]
            })
            .flatten()
            .map(|ready| ready.wrapping_sub(request.ready.get()) as i64)
            .filter(possible)
            .min_by_key(|shift| rank(*shift))
    }
}

/// Returns the rank of a shift: the least first, ties the earlier first.
const fn rank(shift: i64) -> (u64, i64) {
    (shift.unsigned_abs(), shift)
}

/// Returns the request so many slots later. Saturates, so that the window of a shift that is too far is none.
const fn shifted(request: &Request, by: i64) -> Request {
    Request {
        ready: Slot::new(request.ready.get().saturating_add_signed(by)),
        deadline: Slot::new(request.deadline.get().saturating_add_signed(by)),
        ..*request
    }
}
