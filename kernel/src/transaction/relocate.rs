//! Room in space: reservations that have not started move to other processing elements at their own starts.

use core::ops::Range;

use super::Transaction;
use crate::{
    book::{Ask, Booking, Commitment, asking},
    error::{Error, Refusal},
    fit::{Candidates, Job},
    placement::Failing,
    request::Request,
    ring::OnLayout,
    time::Window,
};

#[allow(private_bounds, reason = "sealed: only the crate's own rings")]
impl<R: OnLayout> Transaction<'_, '_, R> {
    /// Makes a new reservation at the earliest candidate start at which it fits, or at which others can make room for it in space: where enough processing
    /// elements are free, but in too few groups, or not in one block, reservations that have not started move to others *at the same start*, by their own
    /// classes. So no promise changes. The moves can be [listed](Self::moves) before they are committed, and where [each](Self::pes_of) has gone.
    ///
    /// At each start, up to `targets` targets are tried, those first in which the fewest processing elements are busy: the blocks of the level that the class
    /// requires, or else as many groups as are lacking. Whoever holds some of the target is lifted, the newcomer is placed by its class, and the others behind
    /// it, the latest accepted first; they keep what they had where that is still free. The first success wins. This is a heuristic: a refusal proves nothing.
    /// What is running, is [pinned](Refusal::Pinned), or has [exactly these](crate::Book::reserve_exactly) processing elements stays where it is.
    ///
    /// For each start and target O(targets x blocks x groups) to find it, and what lifting and placing cost.
    ///
    /// ```
    /// use bookahead::{
    ///     Class, Commitment, Conflict, Layout, PeCount, PeWorkspace, PlacedBook, Policy, Refusal, Request, Shape, Slot, Span, Window, Within,
    /// };
    /// // Four nodes in two racks. A job has a node of the first one, and half a node of the second is out of service.
    /// let mut memory = PlacedBook::<u32, 1, 1, 8, 3, 0>::zeroed();
    /// let mut book = memory.init(&Layout { groups: 4, kinds: &[2], missing: &[], levels: &[2] }, Span::new(64))?;
    /// let request = |pes| Request { ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(8), pes: PeCount::new(pes) };
    /// let whole = Class { shape: Shape::WholeGroups, ..Class::ANY };
    /// let one = book.class_add(&whole)?;
    /// let rack = book.class_add(&Class { within: Within::Required(0), ..whole })?;
    /// let first = book.reserve((one, &request(2)), Policy::FirstFit, Commitment::Confirmed)?;
    /// let window = Window { start: Slot::new(3), end: Slot::new(8) };
    /// book.reserve_exactly(window, &[0b1_0000], Commitment::Confirmed, &mut Conflict::NONE)?;
    /// let refused = book.reserve((rack, &request(4)), Policy::FirstFit, Commitment::Confirmed);
    /// assert_eq!(refused, Err(Refusal::NoRoom.into()));
    ///
    /// let mut workspace = PeWorkspace::<u32, 1, 8, 0>::new();
    /// let mut transaction = book.transaction(workspace.view(), 10_000);
    /// let job = transaction.relocate((rack, &request(4)), Commitment::Confirmed, 2)?;
    /// // It moved in space only, to the other rack.
    /// assert!(transaction.moves().any(|change| change.handle == first.handle && change.from == change.to));
    /// assert!(transaction.pes_of(first.handle)?.map(|pe| pe.get()).eq([6, 7]));
    /// transaction.commit()?;
    /// assert!(book.pes_of(job.handle)?.map(|pe| pe.get()).eq([0, 1, 2, 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::ZeroHold`](crate::UsageError::ZeroHold), those of [`Book::plan`](crate::Book::plan) as far as the request itself is the
    /// cause, [`Refusal::TableFull`], [`Refusal::MoveLimit`], [`Refusal::WorkLimit`], [`Refusal::NoRoom`]. In every case the transaction is as it was before, except
    /// for the work.
    pub fn relocate<'q>(
        &mut self,
        request: impl Ask<'q, R, Request>,
        commitment: Commitment,
        targets: u16,
    ) -> Result<Booking, Error> {
        asking!(self.book.ring, request, |request| self
            .relocate_asked(request, commitment, targets))
    }

    /// As [`relocate`](Self::relocate), for the class that asks.
    fn relocate_asked(
        &mut self,
        request: &Request,
        commitment: Commitment,
        targets: u16,
    ) -> Result<Booking, Error> {
        let (index, job) = self.admit(request, commitment)?;
        self.check_log(&[index])?;
        let mut candidates = Candidates::new(&job);
        while let Some(offset) = candidates.next(self.book.ring.profile(), &job) {
            self.spend(job.duration as u64)?;
            let failing =
                |ring: &mut R| ring.placed(|ring| ring.failing(job.window(offset), job.pes));
            match failing(&mut self.book.ring) {
                Some(Failing::Number { .. }) => continue,
                Some(_) => (),
                None => return self.insert_newcomer(&job, offset, commitment),
            }
            for number in 0..targets {
                let window = job.window(offset);
                let ring = &mut self.book.ring;
                if !ring.placed(|ring| ring.note_target(window, job.pes, number)) {
                    break;
                }
                let made = self
                    .all_or_nothing(|transaction| transaction.clear_for(&job, offset, commitment));
                if made != Err(Refusal::NoRoom.into()) {
                    return made;
                }
            }
        }
        Err(Refusal::NoRoom.into())
    }

    /// Lifts whoever holds some of the target that was noted, inserts the newcomer, and places the others again. A failure may leave changes, for the caller to
    /// undo.
    fn clear_for(
        &mut self,
        job: &Job,
        offset: usize,
        commitment: Commitment,
    ) -> Result<Booking, Error> {
        let first = self.len;
        while let Some(index) = self.next_on_target(job.window(offset)) {
            let row = self.book.ledger.rows.get(index).copied();
            self.lift_row(index, &row.unwrap_or_default())?;
        }
        let lifted = first..self.len;
        self.spend(job.duration as u64)?;
        let made = self.insert_newcomer(job, offset, commitment)?;
        while let Some((_, index)) = self.lifted_rows(lifted.clone()).max() {
            let row = self.book.ledger.rows.get(index).copied();
            let row = row.unwrap_or_default();
            self.spend(row.duration.get().into())?;
            self.place_row(index, &row, &row.placement())?;
        }
        Ok(made)
    }

    /// Inserts the newcomer into a vacant row, which there is.
    fn insert_newcomer(
        &mut self,
        job: &Job,
        offset: usize,
        commitment: Commitment,
    ) -> Result<Booking, Error> {
        let index = self.book.ledger.next_row().ok_or(Refusal::TableFull)?;
        self.check_log(&[index])?;
        let handle = self.insert_at(index, job, offset, commitment)?;
        let start = self.book.ring.axis().slot(offset);
        Ok(Booking { handle, start })
    }

    /// Returns the next row to lift: it is not lifted, may move in space, and holds some of the target that was noted.
    fn next_on_target(&self, offsets: Range<usize>) -> Option<usize> {
        let axis = self.book.ring.axis();
        let window = Window {
            start: axis.slot(offsets.start),
            end: axis.slot(offsets.end),
        };
        let mut rows = self.book.covering_rows(window);
        let found = rows.find(|(index, row)| {
            let may_move = !row.is_running() && !self.book.is_pinned(*index, row);
            let may_move = may_move && R::may_choose(row, 0).is_ok();
            may_move && self.book.ring.meets(*index)
        });
        found.map(|(index, _)| index)
    }
}
