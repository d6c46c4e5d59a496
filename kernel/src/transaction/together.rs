//! Several reservations that start together, or at fixed distances.

use heapless::VecView;

use super::{Transaction, Workspace};
use crate::{
    book::{Ask, Asking, Book, Commitment, Conflict},
    error::{Error, Refusal, UsageError},
    fit::{self, Job},
    handle::Handle,
    ledger::Placement,
    request::Request,
    ring::{CountScan, Ring},
    time::{Slot, Span},
};

/// A part of a joint reservation: one of several reservations that are made together.
///
/// ```
/// use bookahead::{Conflict, CountBook, CountWorkspace, Handle, Part, PeCount, Slot, Span, Commitment};
/// # let mut memory = bookahead::fixture::memory();
/// # let mut book = memory.view();
/// // A server for ten slots, and three clients that join it two slots later.
/// let server = Part { offset: Span::ZERO, duration: Span::new(10), pes: PeCount::new(1) };
/// let clients = Part { offset: Span::new(2), duration: Span::new(6), pes: PeCount::new(3) };
/// let (mut workspace, mut handles) = (CountWorkspace::<2, 0>::new(), heapless::Vec::<Handle, 2>::new());
/// let start = book.reserve_together(
///     Slot::new(5), Slot::new(40), &[server, clients], Commitment::Confirmed,
///     workspace.view(), &mut handles, &mut Conflict::NONE,
/// )?;
/// assert_eq!(start, Slot::new(5));
/// assert_eq!(book.get(handles[1])?.window.start, Slot::new(7));
/// # Ok::<(), bookahead::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Part {
    /// The time from the common start to the start of this part.
    pub offset: Span,
    /// The duration of this part.
    pub duration: Span,
    /// How many processing elements this part needs.
    pub pes: crate::pe::PeCount,
}

impl Part {
    /// Returns the request whose only possible start is the part's offset after `start`.
    fn at(&self, start: Slot) -> Option<Request> {
        let ready = start.checked_add(self.offset)?;
        Some(Request {
            ready,
            duration: self.duration,
            deadline: ready.checked_add(self.duration)?,
            pes: self.pes,
        })
    }
}

impl<R: Ring> Book<'_, R> {
    /// Reserves all parts or none, in one transaction that takes an entry of `workspace` for each part. They get the earliest
    /// common start from `ready` on at which every part fits and ends by `deadline`. Returns that start; `handles`,
    /// which is cleared first, receives the handles in the order of the parts. The window of each reservation is
    /// exactly its run, so no part can be moved away from the others.
    ///
    /// The starts examined are `ready` and those at which a part would begin at a release, that is, where processing
    /// elements become free. Parts take their processing elements in the given order, each the lowest-numbered free
    /// ones; with early binding another order may fit where this one does not.
    ///
    /// When the parts do not fit, `conflict` lists the reservations in the way of the parts at `ready`, with early binding all that cover a slot of
    /// one, whichever processing elements they have; in all other cases it is empty.
    ///
    /// O(releases in the window x parts x (parts + duration x columns)).
    ///
    /// See [`Part`] for an example.
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::ZeroHold`]; [`UsageError::TooManyParts`] without a part, or when the
    /// capacity of `handles` is too small for all; for one part after the other [`UsageError::ZeroDuration`],
    /// [`UsageError::ZeroPes`], [`Refusal::TooWide`]; [`Refusal::ReadyInPast`], [`Refusal::WindowTooShort`],
    /// [`Refusal::BeyondHorizon`], [`Refusal::TableFull`], [`Refusal::MoveLimit`], [`Refusal::NoRoom`].
    #[allow(
        clippy::too_many_arguments,
        reason = "a window, what is wanted in it, and where the answers go"
    )]
    pub fn reserve_together<'q>(
        &mut self,
        ready: Slot,
        deadline: Slot,
        parts: impl Ask<'q, R, [Part]>,
        commitment: Commitment,
        workspace: Workspace<'_, R::Part>,
        handles: &mut VecView<Handle>,
        conflict: &mut Conflict,
    ) -> Result<Slot, Error> {
        *conflict = Conflict::NONE;
        handles.clear();
        let (asked, parts) = (parts, parts.what());
        for number in 0..parts.len() {
            asked.class(&self.ring, number)?;
        }
        commitment.check()?;
        if parts.is_empty() || parts.len() > handles.capacity() {
            return Err(UsageError::TooManyParts.into());
        }
        let latest = self.check_parts(ready, deadline, parts)?;
        for (number, part) in parts.iter().enumerate() {
            let class = asked.class(&self.ring, number)?;
            self.ring.admit(class, part.pes.get())?;
        }
        let used = self.len().saturating_add(self.retired());
        if parts.len() > self.capacity().saturating_sub(used) {
            return Err(Refusal::TableFull.into());
        }
        let mut transaction = self.transaction(workspace, u64::MAX);
        if parts.len() > transaction.log_room() {
            return Err(Refusal::MoveLimit.into());
        }
        let booked = transaction.book_together(ready, latest, asked, commitment, handles);
        if booked == Err(Refusal::NoRoom.into()) {
            transaction.name_conflicts(ready, asked, commitment, conflict);
        }
        let booked = booked.and_then(|start| transaction.commit().map(|()| start));
        if booked.is_err() {
            handles.clear();
        }
        booked
    }

    /// Returns the latest common start, or an error if the parts are invalid or cannot run between `ready` and
    /// `deadline`.
    fn check_parts(&self, ready: Slot, deadline: Slot, parts: &[Part]) -> Result<Slot, Error> {
        let axis = self.ring.axis();
        let mut length = 0_u64;
        for part in parts {
            if part.duration == Span::ZERO {
                return Err(UsageError::ZeroDuration.into());
            }
            if part.pes == crate::pe::PeCount::ZERO {
                return Err(UsageError::ZeroPes.into());
            }
            if part.pes > axis.pes() {
                return Err(Refusal::TooWide.into());
            }
            let end = u64::from(part.offset.get()).saturating_add(part.duration.get().into());
            length = length.max(end);
        }
        if ready < axis.now() {
            return Err(Refusal::ReadyInPast.into());
        }
        let latest = deadline
            .get()
            .checked_sub(length)
            .filter(|latest| *latest >= ready.get())
            .ok_or(Refusal::WindowTooShort)?;
        if deadline > axis.end() {
            return Err(Refusal::BeyondHorizon.into());
        }
        Ok(Slot::new(latest))
    }
}

impl<R: Ring> Transaction<'_, '_, R> {
    fn book_together<'q>(
        &mut self,
        ready: Slot,
        latest: Slot,
        asked: impl Asking<'q, R, [Part]>,
        commitment: Commitment,
        handles: &mut VecView<Handle>,
    ) -> Result<Slot, Error> {
        let (before, parts) = (self.savepoint(), asked.what());
        let mut start = ready;
        // Each round tries a later start, at which some part begins at a release.
        loop {
            let booked = parts.iter().enumerate().try_for_each(|(number, part)| {
                let request = part.at(start).ok_or(Refusal::BeyondHorizon)?;
                let handle = self.insert_part(asked, number, &request, commitment)?;
                // Cannot fail: the capacity was checked before.
                let _ = handles.push(handle);
                Ok::<(), Error>(())
            });
            match booked {
                Err(Error::Refused(Refusal::NoRoom)) => (),
                booked => return booked.map(|()| start),
            }
            self.rollback_to(before)?;
            handles.clear();
            start = self.next_common_start(start, latest, parts)?;
            if R::Scan::BULK {
                start = self.first_for_each(start, latest, parts)?;
            }
        }
    }

    /// Returns the first start from `start` on, which is one of those that are tried, at which there is room for each part on its own: at the
    /// greatest of their earliest ones, until none moves it.
    fn first_for_each(&mut self, start: Slot, latest: Slot, parts: &[Part]) -> Result<Slot, Error> {
        let mut start = start;
        loop {
            let mut next = start;
            for part in parts {
                let range = part.at(start).zip(part.at(latest));
                let (first, last) = range.ok_or(Refusal::BeyondHorizon)?;
                let request = Request {
                    deadline: last.deadline,
                    ..first
                };
                let ring = &mut self.book.ring;
                let job = Job::admit(ring.axis(), &request)?;
                let found = fit::earliest(ring, &job).ok_or(Refusal::NoRoom)?;
                let later = found.saturating_sub(job.ready) as u64;
                next = next.max(Slot::new(start.get().saturating_add(later)));
            }
            if next == start {
                return Ok(start);
            }
            start = next;
        }
    }

    /// Adds the reservations in the way of the parts at `ready`, with each part placed beside those before it that fit.
    fn name_conflicts<'q>(
        &mut self,
        ready: Slot,
        asked: impl Asking<'q, R, [Part]>,
        commitment: Commitment,
        conflict: &mut Conflict,
    ) {
        let parts = asked.what().iter().enumerate();
        for (number, request) in parts.filter_map(|(number, part)| Some((number, part.at(ready)?)))
        {
            if self
                .insert_part(asked, number, &request, commitment)
                .is_err()
            {
                let placement = Placement {
                    start: request.ready,
                    duration: request.duration,
                    pes: request.pes,
                };
                self.book.add_conflict(None, &placement, true, conflict);
            }
        }
    }

    /// Makes the reservation of the part with this number at its only start.
    #[inline(always)]
    fn insert_part<'q>(
        &mut self,
        asked: impl Asking<'q, R, [Part]>,
        number: usize,
        request: &Request,
        commitment: Commitment,
    ) -> Result<Handle, Error> {
        let class = asked.class(&self.book.ring, number)?;
        self.for_class(class, |transaction| {
            transaction.insert_asked(request, request.ready, commitment)
        })
    }

    /// Returns the next start after `start` at which some part begins at a release.
    fn next_common_start(&self, start: Slot, latest: Slot, parts: &[Part]) -> Result<Slot, Error> {
        let (axis, edges) = (self.book.ring.axis(), self.book.ring.edges());
        let (from, to) = (axis.nearest(start), axis.nearest(latest));
        let starts = parts.iter().filter_map(|part| {
            let offset = part.offset.get() as usize;
            let begins = |start: usize| start.saturating_add(offset).saturating_add(1);
            let release = edges.next_release(axis, begins(from)..begins(to))?;
            Some(axis.slot(release.saturating_sub(offset)))
        });
        Ok(starts.min().ok_or(Refusal::NoRoom)?)
    }
}
