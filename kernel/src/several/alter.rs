//! Altering a joint reservation: its times, in all books.

use super::{Asked, Asker, BookPart, JointError, Parts, Several};
use crate::{
    error::{Error, Refusal, UsageError},
    ledger::{Row, mark},
    pe::PeCount,
    request::Request,
    time::{Slot, Span, Window},
};

impl Several<'_, '_> {
    /// Gives all parts of a reservation another window and duration: they get the first start in it at which each has room in its book, what they have
    /// themselves counting as free. A running one keeps its start, which has to be `ready`, and what it runs on. Returns the start.
    /// How much a part has is not altered: that is done in its book, by [`Widen` or `Narrow`](crate::Alteration).
    ///
    /// Costs as [`reserve`](Self::reserve), whose `work` it takes, and as releasing and claiming the slots of each part.
    ///
    /// ```
    /// # use bookahead::{CountBook, JointRequest, Joined, Need, PeCount, Slot, Span, Several, Tie};
    /// # let mut memory = [bookahead::fixture::memory(), bookahead::fixture::memory()];
    /// # let mut ties = [[Tie::NONE; 8]; 2];
    /// # let [mut nodes, mut licences] = memory.each_mut().map(|memory| memory.view());
    /// # let [of_nodes, of_licences] = &mut ties;
    /// # let mut books = [Joined { book: &mut nodes, ties: of_nodes }, Joined { book: &mut licences, ties: of_licences }];
    /// # let mut site = Several::new(&mut books)?;
    /// let needs = [Need::new(PeCount::new(3)); 2];
    /// let request = JointRequest { ready: Slot::new(5), duration: Span::new(10), deadline: Slot::new(40), needs: &needs };
    /// let booking = site.reserve(&request, None, 1_000)?;
    /// // Longer, and not before slot 12.
    /// assert_eq!(site.alter(booking.part, Slot::new(12), Span::new(15), Slot::new(40), 1_000)?, Slot::new(12));
    /// # Ok::<(), bookahead::JointError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`parts`](Self::parts). [`UsageError::WrongState`] for a running one at another start, whose end is announced or that has none. Of one book after the other
    /// those of [`Book::plan`](crate::Book::plan) but for `TableFull`, and for a running one [`Refusal::OutsideWindow`] if it would have ended already. [`Refusal::WorkLimit`] and
    /// [`Refusal::NoRoom`] as of [`reserve`](Self::reserve).
    pub fn alter(
        &mut self,
        part: BookPart,
        ready: Slot,
        duration: Span,
        deadline: Slot,
        work: u64,
    ) -> Result<Slot, JointError> {
        let parts = self.parts(part)?;
        let row = self.look_up(part)?.0;
        let times = Request {
            ready,
            duration,
            deadline,
            pes: PeCount::ZERO,
        };
        let running = row.is_running();
        if running {
            self.check_running(&row, &times)
                .map_err(JointError::of(part.book))?;
        }
        self.for_each(&parts, |member, at| member.release(at, row.window()));
        let start = if running {
            Ok(ready)
        } else {
            let mut asked = Asked::new();
            let mut parts = parts.iter();
            let admitted = parts.try_for_each(|part| {
                let asker = Asker::Row(part.handle.index());
                self.admit(&mut asked, part.book, asker, &times)
            });
            let found = admitted.and_then(|()| self.common_start(&asked, work));
            found.map(|offset| self.slot(offset))
        };
        let claimed = start.and_then(|start| {
            let end = start.saturating_add(duration);
            self.claim(&parts, Window { start, end })
        });
        match claimed {
            Ok(window) => {
                self.for_each(&parts, |member, at| member.write_window(at, window));
                Ok(window.start)
            }
            Err(error) => {
                self.for_each(&parts, |member, at| member.restore(at));
                Err(error)
            }
        }
    }

    /// Checks whether a running reservation, which is `row`, may have these times, apart from free processing elements.
    fn check_running(&self, row: &Row<u32>, times: &Request) -> Result<(), Error> {
        let axis = self.books.first().map(|joined| *joined.book.axis());
        let (now, end_of_axis) = axis.map_or((Slot::LAST_NOW, Slot::LAST_NOW), |axis| {
            (axis.now(), axis.end())
        });
        if times.ready != row.start() || row.is_marked(mark::ENDING) || row.is_open() {
            return Err(UsageError::WrongState.into());
        }
        if times.duration == Span::ZERO {
            return Err(UsageError::ZeroDuration.into());
        }
        let end = times.ready.saturating_add(times.duration);
        if end > times.deadline {
            return Err(Refusal::WindowTooShort.into());
        }
        if end <= now {
            return Err(Refusal::OutsideWindow.into());
        }
        if end > end_of_axis {
            return Err(Refusal::BeyondHorizon.into());
        }
        Ok(())
    }

    /// Claims a window for all parts, which have released theirs, or for none.
    fn claim(&mut self, parts: &Parts, window: Window) -> Result<Window, JointError> {
        for (number, part) in parts.iter().enumerate() {
            let claimed = self.ask(part.book, |member| {
                Ok(member.claim(part.handle.index(), window))
            })?;
            if !claimed {
                let before = parts.get(..number).unwrap_or_default();
                self.for_each(before, |member, at| member.release(at, window));
                return Err(JointError::of(part.book)(Refusal::NoRoom.into()));
            }
        }
        Ok(window)
    }

    /// Does something to the row of each part.
    fn for_each(
        &mut self,
        parts: &[BookPart],
        mut action: impl FnMut(&mut dyn super::Resource, usize),
    ) {
        for part in parts {
            if let Some(joined) = self.books.get_mut(part.book as usize) {
                action(joined.book, part.handle.index());
            }
        }
    }
}
