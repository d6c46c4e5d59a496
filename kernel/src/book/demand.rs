//! What a window costs by a tariff that follows demand.

use super::Book;
use crate::{
    error::{Error, Refusal, UsageError},
    pe::PeCount,
    price::{DemandStep, Money},
    ring::{Count, Profile, Ring},
    time::Window,
};

impl<R: Ring> Book<'_, R> {
    /// Returns the price of `pes` processing elements during `window` by what is busy there now, as one would pay who took them one after the other: each costs the rate of the step
    /// that those busy before it have reached. So it does not matter whether a job is booked as one or in pieces, and the sum of what all pay for a slot depends on how full it becomes, and on
    /// nothing else.
    ///
    /// The price is of this moment. Whoever offers a start says the price with it, and keeps both: what is booked later makes it dearer for others only.
    /// O(changes in the window x steps), and O(window / 64).
    ///
    /// ```
    /// use bookahead::{CountBook, DemandStep, Money, PeCount, Request, Slot, Span, Window};
    /// # use bookahead::{Commitment, Policy};
    /// // A cent for each of the first half of the machine, three for each of the rest.
    /// let steps = [(0, 1), (2, 3)].map(|(busy, rate)| DemandStep { busy: PeCount::new(busy), rate: Money::new(rate) });
    /// let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap();
    /// let mut book = memory.view();
    /// let night = Window { start: Slot::new(0), end: Slot::new(10) };
    /// let price = |book: &bookahead::Book<'_, _>, pes| book.price_by_demand(&steps, night, PeCount::new(pes)).map(Money::get);
    /// assert_eq!([price(&book, 1), price(&book, 4)], [Ok(10), Ok(80)]);
    /// let request = Request { ready: Slot::new(0), duration: Span::new(5), deadline: Slot::new(5), pes: PeCount::new(2) };
    /// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// // Dear in the five slots of that one.
    /// assert_eq!(price(&book, 1), Ok(5 * 3 + 5));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UsageError::ZeroDuration`], [`UsageError::ZeroPes`]; [`Refusal::ReadyInPast`] and [`Refusal::BeyondHorizon`] for a window that the book does not cover; [`Refusal::NoRoom`] if fewer are free
    /// in one of its slots; [`Refusal::PriceOverflow`].
    pub fn price_by_demand(
        &self,
        steps: &[DemandStep],
        window: Window,
        pes: PeCount,
    ) -> Result<Money, Error> {
        let Profile {
            axis,
            counts,
            edges,
        } = self.ring.profile();
        if window.is_empty() {
            return Err(UsageError::ZeroDuration.into());
        }
        if pes == PeCount::ZERO {
            return Err(UsageError::ZeroPes.into());
        }
        if window.start < axis.now() {
            return Err(Refusal::ReadyInPast.into());
        }
        let offsets = axis.ahead(window)?;
        let (mut at, mut sum) = (offsets.start, 0_u64);
        while at < offsets.end {
            let later = at.saturating_add(1)..offsets.end;
            let next = edges.next_change(axis, later).unwrap_or(offsets.end);
            let busy = counts.at(axis.index(at)).get();
            let taken = busy.saturating_add(pes.get());
            if taken > axis.pes().get() {
                return Err(Refusal::NoRoom.into());
            }
            let slots = next.saturating_sub(at) as u64;
            let price = DemandStep::of_a_slot(steps, busy, taken)
                .and_then(|price| price.checked_mul(slots))
                .and_then(|price| price.checked_add(sum));
            sum = price.ok_or(Refusal::PriceOverflow)?;
            at = next;
        }
        Ok(Money::new(sum))
    }
}
