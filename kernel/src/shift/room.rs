//! Whether there is room for a run, and who is in its way.

use core::{cmp::Reverse, iter::successors, ops::Range};

use crate::{
    error::Error,
    ledger::{Placement, RowOf},
    ring::{Count, GrowingWindow, Ring},
    time::{Slot, Window},
    transaction::Transaction,
};

/// The place of a run that is not booked yet, and those of the runs for which it has to move.
pub(super) struct Place<'p, K> {
    pub(super) window: Range<usize>,
    pub(super) pes: u32,
    /// The class that the run asks for.
    pub(super) class: K,
    pub(super) above: Option<&'p Self>,
}

impl<K> Place<'_, K> {
    /// Returns how many processing elements all these runs take in a slot.
    fn takes(&self, offset: usize) -> u32 {
        let places = successors(Some(self), |place| place.above);
        places
            .filter(|place| place.window.contains(&offset))
            .fold(0, |sum, place| sum.saturating_add(place.pes))
    }
}

/// The order in which those in the way are tried: the widest first, so that few have to move; ties the last accepted.
pub(super) type Rank = (u32, u64);

impl<R: Ring> Transaction<'_, '_, R> {
    /// Returns the first slot in which too few processing elements are free. O(window x columns). Not inlined on small devices, so that
    /// the code exists once in a program.
    #[cfg_attr(not(target_pointer_width = "64"), inline(never))]
    pub(super) fn first_short(
        &mut self,
        place: &Place<'_, R::Class>,
    ) -> Result<Option<usize>, Error> {
        self.spend(place.window.len() as u64)?;
        let all = self.book.ring.axis().width();
        let max_busy = all.saturating_sub(place.pes);
        Ok(self.book.for_class(place.class, |book| {
            book.ring.want(place.pes);
            let mut view = book.ring.growing_window();
            let (profile, growing) = (view.profile, &mut view.growing);
            growing.begin(place.window.start);
            place.window.clone().find(|offset| {
                let busy = profile.counts.at(profile.axis.index(*offset));
                let taken = busy.get().saturating_add(place.takes(*offset));
                if taken > all {
                    return true;
                }
                // With named processing elements, those that are free in each slot need not be the same.
                !R::COUNTS_DECIDE && !growing.extend(*offset, max_busy)
            })
        }))
    }

    /// Returns how many processing elements are busy at some time of `offsets`, with those that the class may not have. O(offsets x columns).
    pub(super) fn busy_during(
        &mut self,
        class: R::Class,
        offsets: Range<usize>,
    ) -> Result<u32, Error> {
        self.spend(offsets.len() as u64)?;
        Ok(self.book.for_class(class, |book| {
            book.ring.want(0);
            let mut view = book.ring.growing_window();
            view.growing.begin_with(offsets);
            view.growing.busy()
        }))
    }

    /// Returns the next reservation to try behind the one ranked `last`, of those that may be moved and are in the way
    /// in the slot `short` of the window that begins at `start`. It must also be `wanted`.
    /// O(running + window + longest duration + reservations that start there).
    pub(super) fn next_in_the_way(
        &mut self,
        start: usize,
        short: usize,
        last: Option<Rank>,
        wanted: impl Fn(&RowOf<R>) -> bool,
    ) -> Result<Option<(usize, Rank)>, Error> {
        let (axis, now) = (self.book.ring.axis(), self.now());
        // With named processing elements, those that are busy before that slot count, too.
        let from = if R::COUNTS_DECIDE { short } else { start };
        let window = Window {
            start: axis.slot(from),
            end: axis.slot(short.saturating_add(1)),
        };
        let longest = self.book.ledger.state.longest.get();
        self.spend(u64::from(longest).saturating_add(short.saturating_sub(from) as u64))?;
        Ok(self
            .book
            .covering_rows(window)
            .filter(|(_, row)| self.book.is_movable(row, now) && wanted(row))
            .map(|(index, row)| (index, (row.pes.get(), row.accepted)))
            .filter(|(_, rank)| last.is_none_or(|last| *rank < last))
            .min_by_key(|(_, rank)| Reverse(*rank)))
    }

    /// Returns whether enough processing elements would be free in the slot `short` if all that may be moved and are
    /// `wanted` left it. Costs as [`Self::next_in_the_way`].
    pub(super) fn can_be_relieved(
        &mut self,
        place: &Place<'_, R::Class>,
        short: usize,
        wanted: impl Fn(&Self, &RowOf<R>) -> bool,
    ) -> Result<bool, Error> {
        self.spend(self.book.ledger.state.longest.get().into())?;
        let (axis, now) = (self.book.ring.axis(), self.now());
        let covering = self.book.covering_rows(Window {
            start: axis.slot(short),
            end: axis.slot(short.saturating_add(1)),
        });
        let could_leave = covering
            .filter(|(_, row)| self.book.is_movable(row, now) && wanted(self, row))
            .fold(0_u32, |sum, (_, row)| sum.saturating_add(row.pes.get()));
        let busy = self.book.ring.counts().at(axis.index(short)).get();
        let stays = busy.saturating_sub(could_leave);
        Ok(stays.saturating_add(place.takes(short)) <= axis.width())
    }

    /// Returns the earliest and the latest offset at which a reservation may start, not before `earliest`.
    pub(super) fn starts_of(&self, row: &RowOf<R>, earliest: Slot) -> Option<(usize, usize)> {
        let axis = self.book.ring.axis();
        let first = axis.offset(row.ready.max(earliest).max(axis.now()))?;
        let latest = axis.offset(row.deadline())?;
        let latest = latest.checked_sub(row.duration.get() as usize)?;
        (first <= latest).then_some((first, latest))
    }

    /// Places a lifted reservation at another start.
    pub(super) fn place_at(
        &mut self,
        index: usize,
        row: &RowOf<R>,
        start: usize,
    ) -> Result<(), Error> {
        let placement = Placement {
            start: self.book.ring.axis().slot(start),
            ..row.placement()
        };
        self.check_log(&[index])?;
        self.spend(row.duration.get().into())?;
        self.place_row(index, row, &placement)
    }
}
