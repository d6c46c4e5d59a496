//! Altering an accepted reservation.

use super::{Transaction, Workspace};
use crate::{
    book::{Book, Conflict},
    error::{Error, Refusal, UsageError},
    fit,
    handle::Handle,
    ledger::{Placement, Row, RowOf, mark},
    pe::{PeCount, RowPes},
    ring::{Ring, Width},
    time::{Slot, Span},
};

/// A change to a reservation that its owner requests. Codes are permanent. The table shows in which states it is
/// possible:
///
/// | | held | confirmed | running | running, end announced |
/// |---|---|---|---|---|
/// | shift, widen, change window | yes | yes | no | no |
/// | extend, shorten, narrow | yes | yes | yes | no |
/// | [split](Book::split) | no | yes | yes | no |
///
/// Nothing of it is possible for a running job without a known end.
///
/// ```
/// use bookahead::{Alteration, Slot};
/// let later = Alteration::Shift { start: Slot::new(9) };
/// assert_eq!((later.code(), later.name()), (0, "shift"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Alteration {
    /// Another start, inside the reservation's own window.
    Shift {
        /// The new start.
        start: Slot,
    },
    /// A longer run. A new end beyond the deadline moves the deadline to it.
    Extend {
        /// The new duration.
        duration: Span,
    },
    /// A shorter run.
    Shorten {
        /// The new duration.
        duration: Span,
    },
    /// More processing elements.
    Widen {
        /// The new number.
        pes: PeCount,
    },
    /// Fewer processing elements.
    Narrow {
        /// The new number.
        pes: PeCount,
    },
    /// Another window. The reservation keeps its placement if that lies in the new window; otherwise it gets the
    /// earliest start in the new window.
    ChangeWindow {
        /// The new earliest start.
        ready: Slot,
        /// The new latest end, exclusive.
        deadline: Slot,
    },
}

impl Alteration {
    /// Returns the permanent number, from 0.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Shift { .. } => 0,
            Self::Extend { .. } => 1,
            Self::Shorten { .. } => 2,
            Self::Widen { .. } => 3,
            Self::Narrow { .. } => 4,
            Self::ChangeWindow { .. } => 5,
        }
    }

    /// Returns the permanent name, as files and logs show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shift { .. } => "shift",
            Self::Extend { .. } => "extend",
            Self::Shorten { .. } => "shorten",
            Self::Widen { .. } => "widen",
            Self::Narrow { .. } => "narrow",
            Self::ChangeWindow { .. } => "change-window",
        }
    }

    /// Checks whether a reservation in this state may be altered so: the table above.
    fn check_state<N: Width>(self, row: &Row<N>) -> Result<(), Error> {
        let while_running = matches!(
            self,
            Self::Extend { .. } | Self::Shorten { .. } | Self::Narrow { .. }
        );
        if row.is_marked(mark::ENDING) || row.is_running() && !while_running {
            return Err(UsageError::WrongState.into());
        }
        Ok(())
    }

    /// Checks whether it changes the reservation in the direction of its name.
    fn check_direction<N: Width>(self, row: &Row<N>) -> Result<(), Error> {
        let right = match self {
            Self::Extend { duration } => duration > row.duration,
            Self::Shorten { duration } => duration < row.duration,
            Self::Widen { pes } => pes > row.pes.count(),
            Self::Narrow { pes } => pes < row.pes.count(),
            Self::Shift { .. } | Self::ChangeWindow { .. } => true,
        };
        if right {
            Ok(())
        } else {
            Err(UsageError::WrongDirection.into())
        }
    }
}

impl<R: Ring> Book<'_, R> {
    /// Alters one reservation, in a transaction of its own that takes one entry of `workspace`. Returns the new placement.
    /// When too few processing elements are free, nothing has changed, and `conflict` lists the reservations in the way
    /// (of a changed window: at its earliest start): with early binding all that cover a slot of it, whichever processing elements they have. In all other cases it is empty.
    ///
    /// Costs as lifting and placing, and a first fit more for a changed window that moves the reservation:
    /// O(duration x columns + window x columns + log rows).
    ///
    /// ```
    /// use bookahead::{Commitment, Alteration, Conflict, CountWorkspace, Refusal};
    /// # use bookahead::{CountBook, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let first = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let second = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let (mut workspace, mut conflict) = (CountWorkspace::<1, 0>::new(), Conflict::NONE);
    /// let longer = Alteration::Extend { duration: Span::new(7) };
    /// let refused = book.alter(first.handle, longer, workspace.view(), &mut conflict);
    /// assert_eq!(refused, Err(Refusal::NoRoom.into()));
    /// assert_eq!(conflict.handles(), [second.handle]);
    ///
    /// book.alter(second.handle, longer, workspace.view(), &mut conflict)?;
    /// assert_eq!(book.get(second.handle)?.window.end, Slot::new(15));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`], [`Refusal::Pinned`],
    /// [`UsageError::WrongState`], [`UsageError::WrongDirection`], those of [`Transaction::place`] as far as the new placement itself is the cause;
    /// for a changed window [`Refusal::ReadyInPast`], [`Refusal::WindowTooShort`], [`Refusal::BeyondHorizon`];
    /// [`Refusal::MoveLimit`], [`Refusal::NoRoom`].
    pub fn alter(
        &mut self,
        handle: Handle,
        alteration: Alteration,
        workspace: Workspace<'_, R::Part>,
        conflict: &mut Conflict,
    ) -> Result<Placement, Error> {
        *conflict = Conflict::NONE;
        let mut transaction = self.transaction(workspace, u64::MAX);
        let altered = transaction.alter(handle, alteration);
        if altered == Err(Refusal::NoRoom.into()) {
            *conflict = transaction.conflict_of(handle, alteration);
        }
        let placement = altered?;
        transaction.commit()?;
        Ok(placement)
    }
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// Alters a reservation that is not lifted. Returns its new placement. See [`Book::alter`].
    ///
    /// # Errors
    ///
    /// Those of [`Book::alter`]; [`UsageError::AlreadyLifted`]; [`Refusal::WorkLimit`].
    pub fn alter(&mut self, handle: Handle, alteration: Alteration) -> Result<Placement, Error> {
        let (index, old) = self.booked(handle)?;
        alteration.check_state(&old)?;
        alteration.check_direction(&old)?;
        if let Alteration::ChangeWindow { ready, deadline } = alteration {
            return self.change_window(index, &old, ready, deadline);
        }
        if let Alteration::Extend { duration } = alteration
            && old.lead.get().checked_add(duration.get()).is_none()
        {
            return Err(Refusal::BeyondHorizon.into());
        }
        let new = altered(&old, alteration);
        let placement = wanted(&old, alteration);
        self.check_placement(&new, &placement)?;
        if placement != old.placement() {
            let new = placed(&new, &placement);
            self.check_log(&[index])?;
            self.spend(work(&old, &new))?;
            self.move_row(index, &old, &new)?;
        }
        Ok(placement)
    }

    /// Returns the reservations in the way of an alteration that was refused for lack of capacity.
    fn conflict_of(&self, handle: Handle, alteration: Alteration) -> Conflict {
        let Ok((_, row)) = self.find(handle) else {
            return Conflict::NONE;
        };
        let mut placement = wanted(&row, alteration);
        if let Alteration::ChangeWindow { ready, .. } = alteration {
            placement.start = ready.max(self.now());
        }
        self.conflict(Some(handle), &placement)
    }

    fn change_window(
        &mut self,
        index: usize,
        old: &RowOf<R>,
        ready: Slot,
        deadline: Slot,
    ) -> Result<Placement, Error> {
        let axis = *self.book.ring.axis();
        if ready < axis.now() && ready != old.ready {
            return Err(Refusal::ReadyInPast.into());
        }
        let room = deadline
            .since(ready)
            .filter(|room| *room >= old.duration)
            .ok_or(Refusal::WindowTooShort)?;
        if deadline > axis.end() {
            return Err(Refusal::BeyondHorizon.into());
        }
        self.check_log(&[index])?;
        let booked_at = old.ready.saturating_sub(old.ahead);
        let promised = Row {
            ready,
            room,
            ahead: ready.since(booked_at).unwrap_or_default(),
            ..*old
        };
        if old.start() >= ready && old.end() <= deadline {
            let new = placed(&promised, &old.placement());
            self.touch(index);
            self.set_row(index, old, &new);
            return Ok(new.placement());
        }
        R::may_choose(old, 0)?;
        let from = ready.max(axis.now());
        let reach = deadline.since(from).unwrap_or_default();
        let work = work(old, old).saturating_add(reach.get().into());
        self.spend(work)?;
        self.book.writer().release(index, old.window());
        let job = self.job_of(&promised, from);
        let found = job.and_then(|job| {
            self.book
                .for_class(R::class_of(old), |book| fit::earliest(&mut book.ring, &job))
        });
        let offsets = self.book.ring.axis().covered(old.window());
        self.book.ring.restore(index, offsets, old.pes.get());
        let start = axis.slot(found.ok_or(Refusal::NoRoom)?);
        let placement = Placement {
            start,
            ..old.placement()
        };
        self.move_row(index, old, &placed(&promised, &placement))?;
        Ok(placement)
    }

    /// Moves a row that is not lifted, or changes nothing when too few processing elements are free.
    pub(super) fn move_row(
        &mut self,
        index: usize,
        old: &RowOf<R>,
        new: &RowOf<R>,
    ) -> Result<(), Error> {
        let logged = self.touch(index);
        self.book.writer().release(index, old.window());
        if self.claim(index, new) {
            self.set_row(index, old, new);
            return Ok(());
        }
        let ring = &mut self.book.ring;
        let offsets = ring.axis().covered(old.window());
        ring.restore(index, offsets, old.pes.get());
        self.untouch(logged);
        Err(Refusal::NoRoom.into())
    }
}

/// Returns the placement that an alteration asks for.
fn wanted<N: Width>(row: &Row<N>, alteration: Alteration) -> Placement {
    let placement = row.placement();
    match alteration {
        Alteration::Shift { start } => Placement { start, ..placement },
        Alteration::Extend { duration } | Alteration::Shorten { duration } => Placement {
            duration,
            ..placement
        },
        Alteration::Widen { pes } | Alteration::Narrow { pes } => Placement { pes, ..placement },
        Alteration::ChangeWindow { .. } => placement,
    }
}

/// Returns the row with the promise that an alteration asks for.
fn altered<N: Width>(row: &Row<N>, alteration: Alteration) -> Row<N> {
    let mut new = *row;
    match alteration {
        Alteration::Extend { duration } => {
            let end = row.lead.get().saturating_add(duration.get());
            new.requested = duration;
            new.room = row.room.max(Span::new(end));
        }
        Alteration::Shorten { duration } => new.requested = duration,
        Alteration::Widen { pes } | Alteration::Narrow { pes } => {
            new.requested_pes = RowPes::of(pes);
        }
        Alteration::Shift { .. } | Alteration::ChangeWindow { .. } => (),
    }
    new
}

fn placed<N: Width>(row: &Row<N>, placement: &Placement) -> Row<N> {
    let mut placed = *row;
    placed.set_placement(placement);
    placed
}

/// Returns the work of lifting a reservation and placing it.
fn work<N: Width>(old: &Row<N>, new: &Row<N>) -> u64 {
    u64::from(old.duration.get()).saturating_add(new.duration.get().into())
}
