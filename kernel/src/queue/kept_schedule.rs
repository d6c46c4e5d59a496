//! Planned queues as bytes: the snapshot of the queue, and behind it that of its schedule.
//!
//! A schedule does not follow from the queue and its book: where a job is planned depends on what was booked when it came, and the book may have changed since
//! the schedule looked at it.
//!
//! | bytes | what |
//! |---:|---|
//! | 4 | `BKPS` |
//! | 2, 1, 1 | version of the format, kind of the book, 0 |
//! | 8, 8 | `now` of the schedule, and the revision of the book that it takes into account |
//! | 8, 8, 8, 1 | `alarm`, `wake`, `leaving`, and 1 once it is known what was booked |
//! | 4, 4 for each stretch | for how many slots the same was booked, and how many PEs, until all slots are told |
//! | a bit for each number of a PE | with early binding, where there were any: which |
//! | 4 | how many jobs are planned |
//! | 8, 12 for each | its start, and the job as a queue writes it |
//! | a bit for each number of a PE | with early binding: on which it is planned |
//! | 8 | the FNV-1a sum of all bytes before |

use super::{
    PlannedJob, PlannedQueue, Queue, Schedule, ScheduleState, WaitingJob,
    kept::{DAMAGED, Entry},
};
use crate::{
    book::Book,
    bytes::{Input, Output, Piece, SnapshotError, Sum},
    ledger::{Row, RowOf},
    pe::RowPes,
    ring::{Count, Kept},
    time::Slot,
    violation::Violation,
};

const MAGIC: [u8; 4] = *b"BKPS";

impl<R: Kept> PlannedQueue<'_, R> {
    /// Writes a snapshot of the queue as [`Queue::write_snapshot`], and behind it one of its schedule, if its jobs are planned: calls `write` with one piece of at
    /// most 48 bytes after the other, until it returns `false`. The queue stays as it is. O(slots x columns + jobs x estimate x columns + requests).
    ///
    /// ```
    /// # use bookahead::{BestEffortJob, CountBook, Discipline, JobQueue, JobSchedule, PeCount, Slot, Span};
    /// # fn giver<'b>(mut rest: &'b [u8]) -> impl FnMut(&mut [u8]) -> bool + 'b {
    /// #     move |piece| {
    /// #         let Some((read, behind)) = rest.split_at_checked(piece.len()) else { return false };
    /// #         piece.copy_from_slice(read);
    /// #         rest = behind;
    /// #         true
    /// #     }
    /// # }
    /// let new = || CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap();
    /// let (mut first, mut second, mut jobs, mut schedule) =
    ///     (new(), new(), JobQueue::<8>::new(Discipline::Conservative), JobSchedule::<8>::new());
    /// let mut book = first.view();
    /// let mut queue = jobs.view().planned(schedule.over(second.view()));
    /// for pes in [3, 4, 1] {
    ///     queue.submit(&mut book, &BestEffortJob { estimate: Span::new(5), pes: PeCount::new(pes) })?;
    /// }
    /// let (mut book_file, mut queue_file) = (Vec::new(), Vec::new());
    /// book.write_snapshot(&mut |piece| { book_file.extend_from_slice(piece); true })?;
    /// queue.write_snapshot(&mut |piece| { queue_file.extend_from_slice(piece); true })?;
    ///
    /// // After a restart: the book first, for the queue is judged by it.
    /// let (mut first, mut second, mut jobs, mut schedule) =
    ///     (new(), new(), JobQueue::<8>::new(Discipline::Conservative), JobSchedule::<8>::new());
    /// let mut book = first.view();
    /// let mut queue = jobs.view().planned(schedule.over(second.view()));
    /// book.read_snapshot(&mut giver(&book_file))?;
    /// queue.read_snapshot(&book, &mut giver(&queue_file))?;
    /// assert!(queue.starts().map(|(_, start)| start).eq([0, 5, 0].map(Slot::new)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SnapshotError::Stopped`] when `write` returns `false`.
    pub fn write_snapshot(
        &mut self,
        write: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Result<(), SnapshotError> {
        self.queue.write_snapshot(write)?;
        match self.is_planned() {
            true => Sum::behind(write, |out| self.schedule.write(out)),
            false => Ok(()),
        }
    }

    /// Makes an empty queue with a new schedule what a snapshot says, as [`Queue::read_snapshot`]: all next answers are those of the queue that was written. Any bytes may
    /// be read: what is read passes [`check_invariants`](Self::check_invariants). O(slots x columns + jobs x estimate x columns + requests).
    ///
    /// # Errors
    ///
    /// Those of [`Queue::read_snapshot`]; [`SnapshotError::NotNew`] also for a schedule that has been used, and [`SnapshotError::OtherBook`] for one of another size
    /// than the book, or of fewer jobs than are planned. Queue and schedule are empty then.
    pub fn read_snapshot(
        &mut self,
        book: &Book<'_, R>,
        read: &mut dyn FnMut(&mut [u8]) -> bool,
    ) -> Result<(), SnapshotError> {
        if *self.schedule.state != ScheduleState::default() {
            return Err(SnapshotError::NotNew);
        }
        let before = *self.queue.state;
        self.queue.read_snapshot(book, read)?;
        if !self.is_planned() {
            return Ok(());
        }
        let (queue, schedule) = (&self.queue, &mut self.schedule);
        let whole = match schedule.ring.is_like(&book.ring) {
            true => Sum::checked(read, |input| schedule.read(queue, book, input)),
            false => Err(SnapshotError::OtherBook),
        };
        let whole = whole.and_then(|()| match schedule.is_sound(queue, book) {
            true => Ok(()),
            false => Err(DAMAGED),
        });
        if whole.is_err() {
            self.schedule.begin_again();
            self.queue.state.incarnation = before.incarnation;
            self.queue.begin_again(before.discipline);
        }
        whole
    }
}

impl<'q, R: Kept> PlannedQueue<'q, R> {
    /// Becomes what a record of the [queue](Queue::write_record) says. Records do not hold the schedule, so jobs are planned anew, in their order, when the queue is used next. As
    /// [`Queue::apply_record`], and O(slots x columns).
    ///
    /// # Errors
    ///
    /// Those of [`Queue::apply_record`].
    pub fn apply_record(
        &mut self,
        book: &Book<'_, R>,
        read: &mut dyn FnMut(&mut [u8]) -> bool,
    ) -> Result<(), SnapshotError> {
        let applied = self.queue.apply_record(book, read);
        self.schedule.begin_again();
        applied
    }
}

impl<R: Kept> Schedule<'_, R> {
    fn write(&mut self, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        out.begin(MAGIC, R::KIND)?;
        let state = *self.state;
        let scalars: [u8; 41] = Piece::NEW
            .and(self.ring.now().get().to_le_bytes())
            .and(state.seen.to_le_bytes())
            .and(state.alarm.get().to_le_bytes())
            .and(state.wake.get().to_le_bytes())
            .and(state.leaving.to_le_bytes())
            .and([u8::from(state.known > 0)])
            .whole();
        out.put(&scalars)?;
        self.unplanned(|schedule| schedule.write_booked(out))?;
        out.number(state.len)?;
        for (index, planned) in self.iter() {
            out.long(planned.start.get())?;
            planned.job.write(out)?;
            if R::EARLY {
                self.ring.write_pes(index, out)?;
            }
        }
        Ok(())
    }

    /// Writes what was booked, which the ring holds and nothing else.
    fn write_booked(&mut self, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        let axis = *self.ring.axis();
        let mut start = 0_usize;
        // Each round comes nearer to the end.
        while start < axis.slots() {
            let behind = start.saturating_add(1)..axis.slots();
            let end = self.ring.edges().next_change(&axis, behind);
            let end = end.unwrap_or(axis.slots());
            let pes = self.ring.counts().at(axis.index(start)).get();
            out.number(end.saturating_sub(start) as u32)?;
            out.number(pes)?;
            if pes > 0 {
                self.ring.write_busy(start, out)?;
            }
            start = end;
        }
        Ok(())
    }

    fn read(
        &mut self,
        queue: &Queue<'_>,
        book: &Book<'_, R>,
        input: &mut Input<'_, '_>,
    ) -> Result<(), SnapshotError> {
        input.begin(MAGIC, R::KIND)?;
        let now = Slot::new(input.long()?);
        let seen = input.long()?;
        // What the schedule has seen lies behind the book, or it would not look when the book comes there.
        if now > book.now() || seen > book.version().revision {
            return Err(DAMAGED);
        }
        self.ring.advance(now);
        self.ring.copy_classes(&book.ring);
        self.state.seen = seen;
        self.state.alarm = Slot::new(input.long()?);
        self.state.wake = Slot::new(input.long()?);
        self.state.leaving = input.long()?;
        let known = match input.take()? {
            [0] => false,
            [1] => true,
            _ => return Err(DAMAGED),
        };
        let until = self.read_booked(input)?;
        if known {
            self.know_until(until);
        }
        self.read_jobs(queue, input)
    }

    /// Reads what was booked, and returns the offset from which on nothing was.
    fn read_booked(&mut self, input: &mut Input<'_, '_>) -> Result<usize, SnapshotError> {
        let (slots, most) = (self.ring.axis().slots(), self.ring.axis().width());
        let (mut start, mut until) = (0_usize, 0_usize);
        // Each round comes nearer to the end.
        while start < slots {
            let (len, pes) = (input.number()? as usize, input.number()?);
            let offsets = start..start.saturating_add(len);
            if offsets.is_empty() || offsets.end > slots || pes > most {
                return Err(DAMAGED);
            }
            start = offsets.end;
            if pes > 0 {
                until = offsets.end;
                // No job has the first element yet.
                self.read_set(0, pes, input)?;
                self.ring.restore(0, offsets.clone(), pes);
                self.ring.forget(0);
                self.see_more(offsets, pes);
            }
        }
        Ok(until)
    }

    /// Reads the planned jobs. Those that are not in the queue have left it since they were planned.
    fn read_jobs(
        &mut self,
        queue: &Queue<'_>,
        input: &mut Input<'_, '_>,
    ) -> Result<(), SnapshotError> {
        let len = input.number()? as usize;
        if len > self.jobs.len() {
            return Err(SnapshotError::OtherBook);
        }
        let mut queued = queue.waiting().iter().peekable();
        for index in 0..len {
            let start = Slot::new(input.long()?);
            let job = WaitingJob::read(input)?;
            let stays = queued.next_if(|queued| **queued == job).is_some();
            self.insert(index, index.checked_sub(1), (start, job));
            self.read_set(index, job.pes.count().get(), input)?;
            self.claim_read(index, stays)?;
        }
        Ok(())
    }

    /// Plans a job that has been read on its processing elements, which serve it as long as it is queued.
    fn claim_read(&mut self, index: usize, stays: bool) -> Result<(), SnapshotError> {
        let planned = self.jobs.get(index).copied().unwrap_or(PlannedJob::NONE);
        let (axis, pes) = (self.ring.axis(), planned.pes());
        let offsets = axis.covered(planned.window());
        let whole = offsets.len() == planned.job.estimate.get() as usize && !offsets.is_empty();
        let sound = whole && planned.start >= axis.now() && (1..=axis.width()).contains(&pes);
        if !sound || !self.ring.reclaim(index, offsets, pes, true) {
            return Err(DAMAGED);
        }
        let mut row = RowOf::<R> {
            pes: RowPes::of(planned.job.pes.count()),
            ..Row::VACANT
        };
        R::set_class(&mut row, R::numbered(planned.job.class()));
        match !stays || self.ring.serves(index, &row) {
            true => Ok(()),
            false => Err(SnapshotError::Damaged(Violation::Class)),
        }
    }

    /// Reads the processing elements of an element of the schedule, where there are sets of them.
    fn read_set(
        &mut self,
        index: usize,
        pes: u32,
        input: &mut Input<'_, '_>,
    ) -> Result<(), SnapshotError> {
        match R::EARLY {
            true => self.ring.read_pes(index, pes, input),
            false => Ok(()),
        }
    }

    /// Becomes as it was when it had looked at no book.
    fn begin_again(&mut self) {
        let end = self.ring.axis().end();
        self.ring.move_now(end);
        self.ring.begin_again();
        for index in 0..self.jobs.len() {
            self.ring.forget(index);
        }
        self.seen.fill(0);
        self.jobs.fill(PlannedJob::NONE);
        *self.state = ScheduleState::default();
    }
}
