//! Recurring reservations.

use heapless::VecView;

use super::{Transaction, Workspace};
use crate::{
    book::{Ask, Book, Commitment, Conflict},
    error::{Error, Refusal, UsageError},
    fit::{self, Job},
    handle::Handle,
    ledger::Placement,
    policy::Policy,
    request::Request,
    ring::Ring,
    time::{Slot, Span},
};

/// A request that recurs: instance number k is ready k periods after the first, and its deadline is k periods after the
/// first's.
///
/// ```
/// use bookahead::{CountBook, CountWorkspace, Conflict, Handle, Policy, Series, Commitment};
/// # use bookahead::{PeCount, Request, Slot, Span};
/// # let mut memory = bookahead::fixture::memory();
/// # let mut book = memory.view();
/// # let request = Request {
/// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(9), pes: PeCount::new(3),
/// # };
/// // Every ten slots, four times, but not the third time.
/// let series = Series { first: request, period: Span::new(10), count: 4, exceptions: &[2] };
/// let (mut workspace, mut handles) = (CountWorkspace::<4, 0>::new(), heapless::Vec::<Handle, 4>::new());
/// let mut conflict = Conflict::NONE;
/// book.reserve_series(&series, Policy::FirstFit, Commitment::Confirmed, workspace.view(), &mut handles, &mut conflict)?;
/// let starts: Vec<_> = handles.iter().map(|handle| book.get(*handle).unwrap().window.start.get()).collect();
/// assert_eq!(starts, [3, 13, 33]);
///
/// book.cancel(handles[0])?; // One by itself,
/// assert_eq!(book.cancel_all(handles.iter().copied())?, 2); // or all that are left.
/// # Ok::<(), bookahead::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series<'s> {
    /// The first instance.
    pub first: Request,
    /// The time from one instance to the next.
    pub period: Span,
    /// The number of instances, the exceptions included.
    pub count: u32,
    /// The numbers, from 0, of instances that are left out.
    pub exceptions: &'s [u32],
}

impl Series<'_> {
    /// Returns the requests, in order of time; `None` for one beyond the end of time.
    fn requests(&self) -> impl Iterator<Item = Option<Request>> {
        let numbers = (0..self.count).filter(|number| !self.exceptions.contains(number));
        numbers.map(|number| {
            let later = u64::from(self.period.get()).checked_mul(u64::from(number))?;
            let shifted = |slot: Slot| slot.get().checked_add(later).map(Slot::new);
            Some(Request {
                ready: shifted(self.first.ready)?,
                deadline: shifted(self.first.deadline)?,
                ..self.first
            })
        })
    }
}

impl<R: Ring> Book<'_, R> {
    /// Reserves all instances of a series or none, in one transaction that takes an entry of `workspace` for each. Every
    /// instance is placed by `policy` beside those before it. `handles`, which is cleared first, receives their handles
    /// in order of time.
    ///
    /// The first instance that cannot be reserved decides the error. When it finds no room, `conflict` lists the reservations in
    /// its way at its earliest start, and in the way of those later ones that find none either, as far as the first that fails
    /// for another reason: with early binding all that cover a slot of it, whichever processing elements they have ([`Book::explain`] names those
    /// that have what the request may have). In all other cases `conflict` is empty.
    ///
    /// Costs as planning and committing each, O(count x (exceptions + plan)).
    ///
    /// See [`Series`] for an example.
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::ZeroHold`]; [`UsageError::BadSeries`] for a series without instances, or of
    /// several with a period of no slots; [`UsageError::TooManyParts`] when the capacity of `handles` is too small for
    /// all. Then for one instance after the other those of [`Book::plan`] and [`Refusal::MoveLimit`].
    pub fn reserve_series<'q, 's: 'q>(
        &mut self,
        series: impl Ask<'q, R, Series<'s>>,
        policy: Policy,
        commitment: Commitment,
        workspace: Workspace<'_, R::Part>,
        handles: &mut VecView<Handle>,
        conflict: &mut Conflict,
    ) -> Result<(), Error> {
        *conflict = Conflict::NONE;
        handles.clear();
        let (class, series) = (series.class(&self.ring, 0)?, series.what());
        commitment.check()?;
        // Count only as far as it takes to detect several instances, and too many.
        let enough = handles.capacity().saturating_add(1).max(2);
        let instances = series.requests().take(enough).count();
        if instances == 0 || instances > 1 && series.period == Span::ZERO {
            return Err(UsageError::BadSeries.into());
        }
        if instances > handles.capacity() {
            return Err(UsageError::TooManyParts.into());
        }
        let mut transaction = self.transaction(workspace, u64::MAX);
        let booked = transaction.for_class(class, |transaction| {
            transaction.book_series(series, policy, commitment, handles, conflict)
        });
        let booked = booked.and_then(|()| transaction.commit());
        if booked.is_err() {
            handles.clear();
        }
        booked
    }

    /// Cancels those of the reservations that are still live, and returns how many these were. Reservations that have
    /// ended are skipped. O(handles x (duration x columns + log rows)).
    ///
    /// See [`Series`] for an example.
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownHandle`] when one of them was never given out; then nothing is cancelled.
    pub fn cancel_all(
        &mut self,
        handles: impl IntoIterator<Item = Handle, IntoIter: Clone>,
    ) -> Result<u32, Error> {
        let handles = handles.into_iter();
        let unknown = Err(UsageError::UnknownHandle.into());
        let found = |handle: Handle| self.ledger.find(handle).map(|_| ());
        if handles.clone().any(|handle| found(handle) == unknown) {
            return Err(UsageError::UnknownHandle.into());
        }
        let mut cancelled = 0_u32;
        for handle in handles {
            if let Ok((row, _)) = self.ledger.find(handle) {
                #[cfg(feature = "outages")]
                if R::RULES {
                    self.end_open(row, self.now());
                }
                self.writer().remove(row);
                cancelled = cancelled.saturating_add(1);
            }
        }
        if cancelled > 0 {
            self.writer().changed();
        }
        self.self_check();
        Ok(cancelled)
    }
}

impl<R: Ring> Transaction<'_, '_, R> {
    fn book_series(
        &mut self,
        series: &Series<'_>,
        policy: Policy,
        commitment: Commitment,
        handles: &mut VecView<Handle>,
        conflict: &mut Conflict,
    ) -> Result<(), Error> {
        let mut failed = Ok(());
        for request in series.requests() {
            let booked = request
                .ok_or(Refusal::BeyondHorizon.into())
                .and_then(|request| self.book_instance(&request, policy, commitment));
            match (booked, request) {
                (Ok(handle), _) => {
                    // Cannot fail: the capacity was checked before.
                    let _ = handles.push(handle);
                }
                (Err(Error::Refused(Refusal::NoRoom)), Some(request)) => {
                    failed = Err(Refusal::NoRoom.into());
                    let earliest = Placement {
                        start: request.ready,
                        duration: request.duration,
                        pes: request.pes,
                    };
                    self.book.add_conflict(None, &earliest, true, conflict);
                }
                (Err(error), _) => return failed.and(Err(error)),
            }
        }
        failed
    }

    fn book_instance(
        &mut self,
        request: &Request,
        policy: Policy,
        commitment: Commitment,
    ) -> Result<Handle, Error> {
        let job = Job::admit(self.book.ring.axis(), request)?;
        self.book.ring.admit(self.book.ring.asked(), job.pes)?;
        if self.book.ledger.next_row().is_none() {
            return Err(Refusal::TableFull.into());
        }
        let offset = fit::choose(&mut self.book.ring, &job, policy).ok_or(Refusal::NoRoom)?;
        let start = self.book.ring.axis().slot(offset);
        self.insert_asked(request, start, commitment)
    }
}
