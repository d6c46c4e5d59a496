//! Juggling: accepted reservations that have not started are arranged anew inside their own windows, so that a newcomer
//! fits. A search over transactions; it writes nothing itself.

mod alternatives;
#[cfg(feature = "plan")]
mod forward;
mod line;
mod order;
mod rules;
mod search;

pub use alternatives::{Alternative, Behind, Sides, Suggested, Suggesting};
pub use order::Order;
pub use rules::{Admission, AfterFailure, Juggling};

use crate::{
    book::{Ask, Book, Booking, Commitment, asking},
    error::{Error, Refusal},
    policy::Policy,
    request::Request,
    ring::Ring,
    transaction::{Movable, Transaction, Workspace},
};
use search::Newcomer;

impl<R: Ring> Book<'_, R> {
    /// Reserves for `request`, and moves flexible reservations inside their own windows if that is necessary, in a
    /// transaction of its own. As [`Transaction::juggle`]; a newcomer that fits as things are costs what
    /// [`reserve`](Self::reserve) costs, unless the rules say otherwise.
    ///
    /// ```
    /// use bookahead::{Commitment, CountWorkspace, Flexibility, Freeze, Juggling, Order};
    /// # use bookahead::{CountBook, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let flexible = Commitment::Flexible { kind: Flexibility::Interval, freeze: Freeze::Never };
    /// let rules = Juggling::by(Order::EarliestDeadline);
    /// let mut workspace = CountWorkspace::<16, 8>::new();
    /// let patient = book.juggle(&request, flexible, &rules, workspace.view())?;
    /// assert_eq!(patient.start, Slot::new(3));
    ///
    /// // The newcomer can run at once only, so the other one runs after it.
    /// let urgent = Request { deadline: Slot::new(8), ..request };
    /// let urgent = book.juggle(&urgent, flexible, &rules, workspace.view())?;
    /// assert_eq!(urgent.start, Slot::new(3));
    /// assert_eq!(book.get(patient.handle)?.window.start, Slot::new(8));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::juggle`].
    pub fn juggle<'q>(
        &mut self,
        request: impl Ask<'q, R, Request>,
        commitment: Commitment,
        rules: &Juggling<'_>,
        workspace: Workspace<'_, R::Part>,
    ) -> Result<Booking, Error> {
        asking!(self.ring, request, |request| self
            .juggle_asked(request, commitment, rules, workspace))
    }

    /// As [`juggle`](Self::juggle), for the class that asks.
    fn juggle_asked(
        &mut self,
        request: &Request,
        commitment: Commitment,
        rules: &Juggling<'_>,
        workspace: Workspace<'_, R::Part>,
    ) -> Result<Booking, Error> {
        if rules.admission == Admission::PlainFirst {
            let plain = self.reserve_asked(request, Policy::FirstFit, commitment);
            if plain != Err(Refusal::NoRoom.into()) {
                return plain;
            }
        }
        let always = Juggling {
            admission: Admission::Always,
            ..*rules
        };
        let mut transaction = self.transaction(workspace, rules.work);
        let (booking, _) = transaction.try_juggle(request, commitment, &always);
        let booking = booking?;
        transaction.commit()?;
        Ok(booking)
    }

    /// Arranges all flexible reservations anew, in a transaction of its own: as [`Transaction::replan`].
    ///
    /// ```
    /// use bookahead::{Commitment, CountWorkspace, Flexibility, Freeze, Juggling, Order};
    /// # use bookahead::{CountBook, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let flexible = Commitment::Flexible { kind: Flexibility::Interval, freeze: Freeze::Never };
    /// let rules = Juggling::by(Order::EarliestDeadline);
    /// let mut workspace = CountWorkspace::<9, 8>::new();
    /// let first = book.juggle(&request, flexible, &rules, workspace.view())?;
    /// let second = book.juggle(&request, flexible, &rules, workspace.view())?;
    /// assert_eq!(second.start, Slot::new(8));
    ///
    /// book.cancel(first.handle)?;
    /// book.replan(&rules, workspace.view())?;
    /// assert_eq!(book.get(second.handle)?.window.start, Slot::new(3));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::replan`].
    pub fn replan(
        &mut self,
        rules: &Juggling<'_>,
        workspace: Workspace<'_, R::Part>,
    ) -> Result<(), Error> {
        let mut transaction = self.transaction(workspace, rules.work);
        transaction.replan(rules)?;
        transaction.commit()
    }
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// Inserts a newcomer, and moves flexible reservations inside their own windows so that it fits. Its handle is
    /// valid once the transaction is committed. [`moves`](Self::moves) lists what moved, and
    /// [`plan`](Self::plan) makes a what-if of it: with the same version of the book and the same rules, the same call
    /// has the same result.
    ///
    /// The waiting reservations and the newcomer are sorted. Those that come after the newcomer are lifted. Then the
    /// newcomer and they are placed in order, each at the earliest start in its own window at which it fits, with early
    /// binding perhaps on other processing elements, also at its own start; those before the newcomer, and those whose start is fixed (strict, held, running, frozen), stay where they are. If the
    /// newcomer does not fit, it is refused. If another reservation does not,
    /// [`AfterFailure`] says what happens; the newcomer then comes strictly later, so
    /// there are at most as many rounds as waiting reservations. Nothing that was accepted is ever moved out of its window.
    ///
    /// For each flexible reservation that comes after the newcomer, the workspace needs an entry and an element for a
    /// waiting reservation, and one more entry for the newcomer. Often less is enough, as a search touches only what it has to.
    ///
    /// With n reservations after the newcomer, at worst n rounds in which all of them are lifted and placed:
    /// O(n² x (first fit + duration x columns + log n) + n x horizon + rows). Mostly far less: one or two rounds, which
    /// end early. The work that was granted is a bound in any state: when it is used up, everybody is where they were.
    ///
    /// # Errors
    ///
    /// Those of [`Book::reserve`]; [`Refusal::MoveLimit`] when the workspace is too small, or more
    /// reservations would move than the rules allow; [`Refusal::WorkLimit`]. In every case the transaction is as it was
    /// before, except for the work.
    ///
    /// ```
    /// use bookahead::{Commitment, CountWorkspace, Flexibility, Freeze, Juggling, Move, Order};
    /// # use bookahead::{CountBook, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let flexible = Commitment::Flexible { kind: Flexibility::Interval, freeze: Freeze::Never };
    /// let rules = Juggling::by(Order::EarliestDeadline);
    /// let mut workspace = CountWorkspace::<9, 8>::new();
    /// let patient = book.juggle(&request, flexible, &rules, workspace.view())?;
    ///
    /// // What would an urgent request move?
    /// let urgent = Request { deadline: Slot::new(8), ..request };
    /// let mut moves = heapless::Vec::<Move, 4>::new();
    /// let mut what_if = book.transaction(workspace.view(), rules.work);
    /// what_if.juggle(&urgent, flexible, &rules)?;
    /// what_if.plan(&mut moves)?;
    /// let moved = moves.iter().find(|change| change.handle == patient.handle).unwrap();
    /// assert_eq!(moved.to.map(|to| to.start), Some(Slot::new(8)));
    /// assert_eq!(book.get(patient.handle)?.window.start, Slot::new(3));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// Source: `netto`, algorithm 1.
    pub fn juggle<'q>(
        &mut self,
        request: impl Ask<'q, R, Request>,
        commitment: Commitment,
        rules: &Juggling<'_>,
    ) -> Result<Booking, Error> {
        asking!(self.book.ring, request, |request| self
            .try_juggle(request, commitment, rules)
            .0)
    }

    /// As [`juggle`](Self::juggle), with the newcomer's place in the order at the end.
    fn try_juggle(
        &mut self,
        request: &Request,
        commitment: Commitment,
        rules: &Juggling<'_>,
    ) -> (Result<Booking, Error>, u128) {
        let accepted = self.book.ledger.state.accepted;
        let key = rules
            .order
            .key_of_newcomer(request, commitment, accepted, self.now());
        let mut place = Movable::new(key, accepted, 0).place();
        let juggled = self.all_or_nothing(|transaction| {
            if rules.admission == Admission::PlainFirst {
                let plain = transaction.insert_first_fit(request, commitment);
                if plain != Err(Refusal::NoRoom.into()) {
                    return plain;
                }
            }
            let newcomer = Newcomer {
                request,
                job: transaction.admit(request, commitment)?.1,
                commitment,
            };
            let (juggled, behind) = transaction.arrange(Some(&newcomer), rules, Some(place));
            place = behind.unwrap_or(place);
            Ok(juggled?.ok_or(Refusal::NoRoom)?)
        });
        (juggled, place)
    }

    /// Arranges all flexible reservations anew, each at the earliest start in its own window, in the order of the
    /// rules. Worthwhile after cancellations and early ends.
    ///
    /// If one does not fit, [`AfterFailure::Retry`] leaves it and those before it where they were and arranges those
    /// after it again; [`AfterFailure::Refuse`] refuses. Costs as [`juggle`](Self::juggle).
    ///
    /// # Errors
    ///
    /// [`Refusal::MoveLimit`], [`Refusal::WorkLimit`], [`Refusal::NoRoom`]. In every case the transaction is as it was
    /// before, except for the work.
    pub fn replan(&mut self, rules: &Juggling<'_>) -> Result<(), Error> {
        self.all_or_nothing(|transaction| transaction.arrange(None, rules, None).0.map(drop))
    }
}
