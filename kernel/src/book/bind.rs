//! Which processing elements a reservation has, as whoever launches jobs says.

use super::Book;
use crate::{
    error::{Error, Refusal, UsageError},
    handle::Handle,
    ledger::Phase,
    ring::Ring,
};

impl<R: Ring> Book<'_, R> {
    /// Says which processing elements a reservation has from now on, where late binding would give it the lowest-numbered idle ones, or has done so: those of the nodes that failed for a part of an
    /// [outage](crate::Transaction::take_out), or those on which a job was really launched. The set is given as for [`reserve_exactly`](Self::reserve_exactly), for a book of as many as it has.
    ///
    /// A reservation that runs may exchange its own for idle ones. One that starts in the present slot, and was not reported as started, starts by this call, and no event says so. Tell all that ends in that slot first
    /// ([`next`](Self::next)): until then it has its processing elements. O(PEs + log rows).
    ///
    /// ```
    /// use bookahead::{Absent, Broken, CountBook, CountWorkspace, Handle, Outage, Pe, PeCount, Slot, Span};
    /// let mut memory = CountBook::<1, 8, 4>::new(PeCount::new(8), Span::new(48)).unwrap();
    /// let mut book = memory.view();
    /// // Node 5 fails. Whoever runs there is broken, and one less is there from now on.
    /// let (mut workspace, node) = (CountWorkspace::<8, 0>::new(), [1 << 5]);
    /// let (mut parts, mut broken) = (heapless::Vec::<Handle, 4>::new(), heapless::Vec::<Broken, 4>::new());
    /// let mut transaction = book.transaction(workspace.view(), 1_000);
    /// transaction.take_out(Outage::Failure { until: Slot::new(9) }, Absent::These(&node), &mut parts, &mut broken)?;
    /// transaction.commit()?;
    /// book.bind(parts[0], &node)?;
    /// assert!(book.pes_of(parts[0])?.map(Pe::get).eq([5]));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`], [`UsageError::BadPes`] for a set of another size than the reservation or the machine, and in every book with early binding, with overlays, or of units,
    /// [`UsageError::WrongState`] for a reservation that neither runs nor is confirmed and starts now, [`Refusal::NoRoom`] where somebody else has one of them.
    pub fn bind(&mut self, handle: Handle, pes: &[u32]) -> Result<(), Error> {
        let (index, row) = self.ledger.find(handle)?;
        let row = *row;
        if self.ring.named(pes) != Some(row.pes.get()) {
            return Err(UsageError::BadPes.into());
        }
        let starts = row.phase == Phase::CONFIRMED && row.start() == self.now();
        if !starts && !row.is_running() {
            return Err(UsageError::WrongState.into());
        }
        if !self.ring.bind_these(index, pes) {
            return Err(Refusal::NoRoom.into());
        }
        let now = self.now();
        let mut writer = self.writer();
        if starts {
            let list = writer.list_index(&row);
            writer.ledger.start(index, list, now);
        }
        writer.ledger.note(index);
        writer.changed();
        self.self_check();
        Ok(())
    }
}
