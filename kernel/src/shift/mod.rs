//! Shifting: accepted reservations that have not started slide inside their own windows, so that a newcomer fits. A
//! search over transactions, whose undo log is its stack; it writes nothing itself.

mod exact;
mod room;
mod rules;
mod slides;

pub use rules::{Direction, Insertion, Shifting};

use crate::{
    book::{Ask, Book, Booking, Commitment, asking},
    error::{Error, Refusal},
    fit::Job,
    policy::Policy,
    request::Request,
    ring::Ring,
    transaction::{Transaction, Workspace},
};

impl<R: Ring> Book<'_, R> {
    /// Reserves for `request`, and shifts flexible reservations inside their own windows if that is necessary, in a
    /// transaction of its own. As [`Transaction::shift_in`]; a newcomer that fits as things are costs what
    /// [`reserve`](Self::reserve) costs.
    ///
    /// ```
    /// use bookahead::{Commitment, CountWorkspace, Flexibility, Freeze, Shifting};
    /// # use bookahead::{CountBook, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let flexible = Commitment::Flexible { kind: Flexibility::Interval, freeze: Freeze::Never };
    /// let mut workspace = CountWorkspace::<16, 0>::new();
    /// let patient = book.shift_in(&request, flexible, &Shifting::LRH, workspace.view())?;
    /// assert_eq!(patient.start, Slot::new(3));
    ///
    /// // The newcomer can run at once only, so the other one slides to the right.
    /// let urgent = Request { deadline: Slot::new(8), ..request };
    /// let urgent = book.shift_in(&urgent, flexible, &Shifting::LRH, workspace.view())?;
    /// assert_eq!(urgent.start, Slot::new(3));
    /// assert_eq!(book.get(patient.handle)?.window.start, Slot::new(8));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::shift_in`].
    pub fn shift_in<'q>(
        &mut self,
        request: impl Ask<'q, R, Request>,
        commitment: Commitment,
        rules: &Shifting,
        workspace: Workspace<'_, R::Part>,
    ) -> Result<Booking, Error> {
        asking!(self.ring, request, |request| self
            .shift_in_asked(request, commitment, rules, workspace))
    }

    /// As [`shift_in`](Self::shift_in), for the class that asks.
    fn shift_in_asked(
        &mut self,
        request: &Request,
        commitment: Commitment,
        rules: &Shifting,
        workspace: Workspace<'_, R::Part>,
    ) -> Result<Booking, Error> {
        let plain = self.reserve_asked(request, Policy::FirstFit, commitment);
        if plain != Err(Refusal::NoRoom.into()) {
            return plain;
        }
        let mut transaction = self.transaction(workspace, rules.work);
        let booking = transaction.insert_shifting(request, commitment, rules)?;
        transaction.commit()?;
        Ok(booking)
    }
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// Inserts a newcomer, and shifts flexible reservations inside their own windows so that it fits. Its handle is
    /// valid once the transaction is committed. [`moves`](Self::moves) lists what moved, and [`plan`](Self::plan) makes
    /// a what-if of it: with the same version of the book and the same rules, the same call has the same result.
    ///
    /// First fit is tried first, and nothing moves if that finds a start. Otherwise [`Insertion`] says how a start is
    /// sought. Reservations whose start is fixed (strict, held, running, frozen) stay where they are, and no other one
    /// ever leaves its window.
    ///
    /// [`Insertion::Slides`] tries the newcomer's starts from the earliest on. While some slot of its run has too few
    /// free processing elements, a reservation that covers the first such slot slides out of it: the widest
    /// one, ties the last accepted; to the right, or to the left where that fails; slot by slot to the nearest start
    /// at which it has room. It may land in the newcomer's run where there is room for both. Where nobody in the way
    /// finds room so, they may push others in turn, in the same way, as deep as the rules say. When none can
    /// slide, all slides for this start are rolled back, and the next start tried is the one behind that slot. Each
    /// start costs O((rows x window)^depth x (duration x columns + longest duration)) at worst.
    ///
    /// The exact searches try all arrangements and take the best, among those equally good the first that they
    /// find. O((rows x window)^moves). With early binding, they choose the starts; a reservation keeps its processing
    /// elements where it can, else it gets the lowest-numbered. So slides, which come to other sets, move fewer at times.
    /// At most [`Shifting::DEEPEST`] reservations are moved.
    ///
    /// No state makes either take more work than was granted: when it is used up, everybody is where they were.
    ///
    /// The log needs an entry for the newcomer, and two for each slide that has not been rolled back.
    ///
    /// # Errors
    ///
    /// Those of [`Book::reserve`]; [`Refusal::MoveLimit`] when no room was found, but more moves or
    /// a longer log might have found some, and of exact searches whenever the log is too short;
    /// [`Refusal::WorkLimit`]. In every case the transaction is as it was before, except for the work.
    ///
    /// Source: `pujiyanta`, algorithms I to V. Its `insRes` is not printed; this is a design of our own.
    pub fn shift_in<'q>(
        &mut self,
        request: impl Ask<'q, R, Request>,
        commitment: Commitment,
        rules: &Shifting,
    ) -> Result<Booking, Error> {
        asking!(self.book.ring, request, |request| self.all_or_nothing(
            |transaction| {
                let plain = transaction.insert_first_fit(request, commitment);
                if plain != Err(Refusal::NoRoom.into()) {
                    return plain;
                }
                transaction.insert_shifting(request, commitment, rules)
            }
        ))
    }

    /// Inserts a newcomer that does not fit as things are. A failure may leave changes, for the caller to undo.
    fn insert_shifting(
        &mut self,
        request: &Request,
        commitment: Commitment,
        rules: &Shifting,
    ) -> Result<Booking, Error> {
        let (index, job) = self.admit(request, commitment)?;
        match rules.insertion {
            Insertion::Slides { depth } => {
                let offset = self.slide_for(&job, depth, rules)?;
                self.insert_job(index, &job, offset, commitment)
            }
            Insertion::FewestMoves | Insertion::LeastShift => {
                self.insert_exactly(index, &job, commitment, rules)
            }
        }
    }

    /// Inserts a job for which there is room.
    fn insert_job(
        &mut self,
        index: usize,
        job: &Job,
        offset: usize,
        commitment: Commitment,
    ) -> Result<Booking, Error> {
        self.check_log(&[index])?;
        self.spend(job.duration as u64)?;
        let handle = self.insert_at(index, job, offset, commitment)?;
        let start = self.book.ring.axis().slot(offset);
        Ok(Booking { handle, start })
    }
}
