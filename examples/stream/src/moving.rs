//! The calls that move reservations, and those that say what is in the way.

use bookahead::{
    Alteration, Booking, Conflict, Error, Explanation, Handle, Move, Obstacle, Placement, Refusal,
    Request, Savepoint, Series, Slot, Span, Transaction, UsageError, Window,
    raw::{Ring, UndoEntry, UndoLog},
};
use heapless::Vec;

use crate::{
    Deed, Detail, ENTRIES, Group, Jobs, Notes, OBSTACLES, PARTS, Recurrence, SAVEPOINTS, STEPS,
    Script, Step,
    call::terms,
    replay::{Details, Side},
};

/// The undo log of a book: as many entries as any transaction of the stream takes.
pub(crate) struct Undo<P> {
    entries: [UndoEntry; ENTRIES],
    sets: [P; ENTRIES],
}

impl<P: Copy + Default> Undo<P> {
    pub(crate) fn new() -> Self {
        Self {
            entries: [UndoEntry::NONE; ENTRIES],
            sets: [P::default(); ENTRIES],
        }
    }

    /// A log of so many entries, which are no more than there are. The machine of the stream has one column.
    pub(crate) fn log(&mut self, entries: usize) -> UndoLog<'_, P> {
        let entries = self.entries.get_mut(..entries).unwrap_or_default();
        UndoLog::new(entries, &mut self.sets)
    }
}

impl<R: Ring> Side<'_, R> {
    pub(crate) fn split(&mut self, of: u16, at: Slot) -> Result<Booking, Error> {
        let handle = self.notes.booking(of).handle;
        let handle = self.book.split(handle, at, Undo::new().log(ENTRIES))?;
        Ok(Booking { handle, start: at })
    }

    pub(crate) fn alter(
        &mut self,
        job: u16,
        alteration: Alteration,
        details: &mut Details,
    ) -> Result<Option<Slot>, Error> {
        let handle = self.notes.booking(job).handle;
        let (mut undo, mut conflict) = (Undo::new(), Conflict::NONE);
        let log = undo.log(ENTRIES);
        let altered = self.book.alter(handle, alteration, log, &mut conflict);
        self.note_conflict(&conflict, details);
        let start = altered?.start;
        self.notes.book(job, Booking { handle, start });
        Ok(None)
    }

    pub(crate) fn series(
        &mut self,
        job: u16,
        series: &Recurrence,
        details: &mut Details,
    ) -> Result<Option<Slot>, Error> {
        let wanted = Series {
            first: series.first,
            period: series.period,
            count: series.count,
            exceptions: &series.exceptions,
        };
        let (policy, terms) = (series.policy, terms(series.ttl));
        let (mut undo, mut conflict) = (Undo::new(), Conflict::NONE);
        let mut made = Vec::<Handle, PARTS>::new();
        let log = undo.log(ENTRIES);
        let reserved =
            self.book
                .reserve_series(&wanted, policy, terms, log, &mut made, &mut conflict);
        self.note_conflict(&conflict, details);
        reserved?;
        self.book_all(job, &made);
        Ok(None)
    }

    pub(crate) fn together(
        &mut self,
        job: u16,
        group: &Group,
        details: &mut Details,
    ) -> Result<Option<Slot>, Error> {
        let (mut undo, mut conflict) = (Undo::new(), Conflict::NONE);
        let mut made = Vec::<Handle, PARTS>::new();
        let reserved = self.book.reserve_together(
            group.ready,
            group.deadline,
            &group.parts,
            terms(group.ttl),
            undo.log(ENTRIES),
            &mut made,
            &mut conflict,
        );
        self.note_conflict(&conflict, details);
        let start = reserved?;
        self.book_all(job, &made);
        Ok(Some(start))
    }

    /// Jobs from `job` on have these reservations.
    fn book_all(&mut self, job: u16, handles: &[Handle]) {
        for (job, handle) in (job..).zip(handles) {
            let reservation = self.book.get(*handle);
            let start = reservation.map_or(Slot::new(0), |found| found.window.start);
            let handle = *handle;
            self.notes.book(job, Booking { handle, start });
        }
    }

    pub(crate) fn cancel_all(&mut self, job: u16, count: u16) -> Result<Option<Slot>, Error> {
        let jobs = job..job.saturating_add(count);
        let handles: Vec<_, PARTS> = jobs
            .map(|job| self.notes.booking(job).handle)
            .take(PARTS)
            .collect();
        let cancelled = self.book.cancel_all(&handles)?;
        Ok(Some(Slot::new(cancelled.into())))
    }

    pub(crate) fn explain(
        &mut self,
        request: &Request,
        details: &mut Details,
    ) -> Result<Option<Slot>, Error> {
        let mut obstacles = Vec::<Obstacle, OBSTACLES>::new();
        let explanation: Explanation = self.book.explain(request, &mut obstacles)?;
        for obstacle in &obstacles {
            let (jobs, more) = (self.jobs(&obstacle.holders), obstacle.holders.more());
            let lacking = obstacle.lacking.get();
            let detail = Detail::Obstacle(obstacle.start, obstacle.at, lacking, jobs, more);
            note(details, detail);
        }
        note(details, Detail::Explanation(explanation));
        Ok(Some(explanation.fits.unwrap_or_default()))
    }

    pub(crate) fn covering(&mut self, window: Window, details: &mut Details) -> Option<Slot> {
        let covering = self.book.covering(window);
        let jobs = covering.map(|handle| self.notes.job_of(handle));
        let jobs = jobs.take(crate::NAMED).collect();
        note(details, Detail::Covering(jobs));
        Some(window.start)
    }

    pub(crate) fn transaction(
        &mut self,
        script: &Script,
        details: &mut Details,
    ) -> Result<Option<Slot>, Error> {
        let (moves, made, work_left) = self.take_steps(script, details)?;
        note_moves(self.notes, &moves, &made, details);
        if script.plan {
            self.notes.moves = moves;
            return Ok(Some(Slot::new(work_left)));
        }
        for (job, handle) in made {
            // What was made and given up again is no booking.
            if let Some(placement) = booked(&moves, handle) {
                let start = placement.start;
                self.notes.book(job, Booking { handle, start });
            }
        }
        self.move_all(&moves);
        Ok(Some(Slot::new(work_left)))
    }

    /// What a transaction does, whom it makes, and what work is left.
    fn take_steps(
        &mut self,
        script: &Script,
        details: &mut Details,
    ) -> Result<(Vec<Move, ENTRIES>, Made, u64), Error> {
        let mut undo = Undo::new();
        let mut run = Run {
            transaction: self.book.transaction(undo.log(script.entries), script.work),
            notes: self.notes,
            savepoints: [None; SAVEPOINTS],
            refused: None,
            made: Vec::new(),
        };
        run.take_all(&script.steps, details)?;
        let moves = run.transaction.moves().collect();
        let work_left = run.transaction.work_left();
        if script.plan {
            run.transaction.plan(&mut Vec::<Move, 0>::new())?;
        } else {
            run.transaction.commit()?;
        }
        Ok((moves, run.made, work_left))
    }

    pub(crate) fn apply(&mut self, work: u64, entries: usize) -> Result<Option<Slot>, Error> {
        let mut undo = Undo::new();
        let moves = self.notes.moves.clone();
        let mut transaction = self.book.transaction(undo.log(entries), work);
        transaction.apply(&moves)?;
        transaction.commit()?;
        self.move_all(&moves);
        Ok(Some(Slot::new(0)))
    }

    /// Jobs are booked where the moves say.
    fn move_all(&mut self, moves: &[Move]) {
        for change in moves {
            if let Some(to) = change.to {
                self.notes.book_elsewhere(change.handle, to.start);
            }
        }
    }

    fn note_conflict(&self, conflict: &Conflict, details: &mut Details) {
        note_conflict(self.notes, conflict, details);
    }

    fn jobs(&self, conflict: &Conflict) -> Jobs {
        jobs(self.notes, conflict)
    }
}

/// Jobs that a transaction makes, and their reservations.
type Made = Vec<(u16, Handle), STEPS>;

/// A transaction under way.
struct Run<'n, 't, 'a, R: Ring> {
    transaction: Transaction<'t, 'a, R>,
    notes: &'n Notes,
    /// Each with the number of the step that noted it.
    savepoints: [Option<(Savepoint, usize)>; SAVEPOINTS],
    /// The last optional step that was refused.
    refused: Option<usize>,
    made: Made,
}

impl<R: Ring> Run<'_, '_, '_, R> {
    fn take_all(&mut self, steps: &[Step], details: &mut Details) -> Result<(), Error> {
        for (number, step) in steps.iter().enumerate() {
            let taken = self.take(&step.deed, number);
            let detail = Detail::Step {
                number,
                code: taken.err().map_or(0, Error::code),
                booked: taken.unwrap_or_default(),
            };
            note(details, detail);
            match taken {
                Ok(_) => {}
                Err(_) if step.optional => self.refused = Some(number),
                Err(error) => {
                    if error == Refusal::NoRoom.into() {
                        note_conflict(self.notes, &self.in_the_way(&step.deed), details);
                    }
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn take(&mut self, deed: &Deed, number: usize) -> Result<Option<Placement>, Error> {
        let handle_of = |job: u16| self.handle_of(job);
        Ok(match *deed {
            Deed::Lift(job) => {
                let handle = handle_of(job);
                Some(self.transaction.lift(handle)?)
            }
            Deed::Place(job, placement) => {
                let handle = handle_of(job);
                self.transaction.place(handle, placement)?;
                Some(placement)
            }
            Deed::PlaceFirstFit(job, earliest) => {
                let handle = handle_of(job);
                let start = self.transaction.place_first_fit(handle, earliest)?;
                Some(Placement {
                    start,
                    duration: Span::ZERO,
                    pes: bookahead::PeCount::ZERO,
                })
            }
            Deed::Insert(job, start, request, ttl) => {
                let handle = self.transaction.insert(&request, start, terms(ttl))?;
                self.make(job, handle);
                None
            }
            Deed::Remove(job) => {
                let handle = handle_of(job);
                self.transaction.remove(handle)?;
                None
            }
            Deed::Alter(job, alteration) => {
                let handle = handle_of(job);
                Some(self.transaction.alter(handle, alteration)?)
            }
            Deed::Split(rest, job, at) => {
                let handle = handle_of(job);
                let handle = self.transaction.split(handle, at)?;
                self.make(rest, handle);
                None
            }
            Deed::Savepoint(place) => {
                let savepoint = self.transaction.savepoint();
                let place = self.savepoints.get_mut(usize::from(place));
                *place.ok_or(UsageError::BadSavepoint)? = Some((savepoint, number));
                None
            }
            Deed::Rollback(place) => {
                let (savepoint, _) = self.noted(place)?;
                self.transaction.rollback_to(savepoint)?;
                None
            }
            Deed::RollbackIfRefused(place) => {
                let (savepoint, noted) = self.noted(place)?;
                if self.refused.is_some_and(|refused| refused > noted) {
                    self.transaction.rollback_to(savepoint)?;
                }
                None
            }
        })
    }

    fn noted(&self, place: u8) -> Result<(Savepoint, usize), Error> {
        let noted = self.savepoints.get(usize::from(place)).copied().flatten();
        noted.ok_or(UsageError::BadSavepoint.into())
    }

    /// The reservation of a job, be it that the transaction has made it.
    fn handle_of(&self, job: u16) -> Handle {
        let made = self.made.iter().rfind(|(made, _)| *made == job);
        made.map_or_else(|| self.notes.booking(job).handle, |(_, handle)| *handle)
    }

    fn make(&mut self, job: u16, handle: Handle) {
        // There is room for one of each step.
        let _ = self.made.push((job, handle));
    }

    /// Who is in the way of a step that says itself where it goes.
    fn in_the_way(&self, deed: &Deed) -> Conflict {
        match *deed {
            Deed::Place(job, placement) => {
                let handle = self.handle_of(job);
                self.transaction.conflict(Some(handle), &placement)
            }
            Deed::Insert(_, start, request, _) => {
                let placement = Placement {
                    start,
                    duration: request.duration,
                    pes: request.pes,
                };
                self.transaction.conflict(None, &placement)
            }
            _ => Conflict::NONE,
        }
    }
}

fn note(details: &mut Details, detail: Detail) {
    // There is room for all that a call can say.
    let _ = details.push(detail);
}

fn note_conflict(notes: &Notes, conflict: &Conflict, details: &mut Details) {
    if !conflict.is_empty() {
        let jobs = jobs(notes, conflict);
        note(details, Detail::Conflict(jobs, conflict.more()));
    }
}

fn jobs(notes: &Notes, conflict: &Conflict) -> Jobs {
    let handles = conflict.handles().iter();
    handles.map(|handle| notes.job_of(*handle)).collect()
}

pub(crate) fn note_moves(
    notes: &Notes,
    moves: &[Move],
    made: &[(u16, Handle)],
    details: &mut Details,
) {
    for change in moves {
        let new = made.iter().rfind(|(_, handle)| *handle == change.handle);
        let job = new
            .map(|(job, _)| *job)
            .or_else(|| notes.job_of(change.handle));
        note(details, Detail::Move(job, change.from, change.to));
    }
}

/// Where the moves put a reservation.
fn booked(moves: &[Move], handle: Handle) -> Option<Placement> {
    let change = moves.iter().find(|change| change.handle == handle);
    change.and_then(|change| change.to)
}
