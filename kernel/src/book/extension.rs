//! Until when a running reservation could go on.

use super::Book;
use crate::{
    error::{Error, UsageError},
    handle::Handle,
    ring::{Count, CountScan, Ring},
    time::{Slot, Window},
};

impl<R: Ring> Book<'_, R> {
    /// Returns until when a running reservation could go on without hurting anybody: the first slot behind its end that is taken, or the horizon. With late
    /// binding, a slot is taken in which too few processing elements are free; with early binding, one in which somebody has, or a rule takes, one of those that it holds.
    /// O(horizon) with late binding, O(reservations x columns + horizon) with early.
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request { ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3) };
    /// let job = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let next = book.reserve(&Request { ready: Slot::new(10), ..request }, Policy::FirstFit, Commitment::Confirmed)?;
    /// let mut events = heapless::Vec::<Event, 4>::new();
    /// let _ = book.advance(Slot::new(3), &mut events)?;
    /// assert_eq!(book.extension(job.handle)?, next.start);
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`], [`UsageError::WrongState`] for one that does not run.
    pub fn extension(&self, handle: Handle) -> Result<Slot, Error> {
        let (index, row) = self.ledger.find(handle)?;
        if !row.is_running() {
            return Err(UsageError::WrongState.into());
        }
        let axis = self.ring.axis();
        let behind = Window {
            start: row.end(),
            end: axis.end(),
        };
        if R::COUNTS_DECIDE {
            let most = axis.width().saturating_sub(row.pes.get());
            let counts = self.ring.counts();
            let taken = R::Scan::first_above(counts, axis, axis.covered(behind), Count::of(most));
            return Ok(taken.map_or(behind.end, |offset| axis.slot(offset)));
        }
        let others = self
            .covering_rows(behind)
            .filter(|(other, _)| *other != index);
        let others = others.filter(|(other, _)| self.ring.shares(index, *other));
        let taken = others.map(|(_, other)| other.start().max(behind.start));
        let ruled = self.ring.first_ruled(index, axis.covered(behind));
        let taken = taken.chain(ruled.map(|offset| axis.slot(offset))).min();
        Ok(taken.unwrap_or(behind.end))
    }
}
