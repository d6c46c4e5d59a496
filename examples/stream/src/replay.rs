//! Makes the calls, slot by slot, and hands on the answers.

use core::{fmt, iter::Peekable};

use bookahead::{
    Advanced, Book, Booking, CountRing, Error, Event, Handle, PeRing, Ring, Slot, Span,
};

use crate::{Action, Answer, Bookings, Call, EVENTS, Entries, Entry};

/// Why a stream cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A line of the calls is not a call, or is out of order.
    BadLine {
        /// Its number, counted from 1.
        line: usize,
    },
    /// The calls stop without an end.
    NoEnd,
    /// A book would not be advanced.
    Stuck(Error),
    /// A book reported something about a reservation that it was never asked for.
    StrangeEvent(Event),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadLine { line } => write!(f, "line {line} of the calls cannot be read"),
            Self::NoEnd => f.write_str("the calls stop without an end"),
            Self::Stuck(error) => write!(f, "the book cannot be advanced: {error}"),
            Self::StrangeEvent(event) => write!(f, "nobody asked for what {event:?} is about"),
        }
    }
}

impl core::error::Error for Fault {}

/// What a job that was refused is remembered by, so that calls on it are made with a handle that no book gives out.
const REFUSED: Booking = Booking {
    handle: Handle::from_bits(u64::MAX),
    start: Slot::new(0),
};

/// Two books side by side, and the calls still to be made.
pub struct Replay<'m> {
    entries: Peekable<Entries<'m>>,
    late: Side<'m, CountRing<'m>>,
    early: Side<'m, PeRing<'m, u32>>,
    next: Slot,
}

impl<'m> Replay<'m> {
    /// Will make the calls of `calls` on `late` and `early`, two empty books at slot 0; what `bookings` hold does not matter. O(jobs).
    #[must_use]
    pub fn new(
        calls: &'m str,
        late: Book<'m, CountRing<'m>>,
        early: Book<'m, PeRing<'m, u32>>,
        bookings: &'m mut [Bookings; 2],
    ) -> Self {
        let [of_late, of_early] = bookings;
        Self {
            entries: Entries::new(calls).peekable(),
            late: Side::new("late", late, of_late),
            early: Side::new("early", early, of_early),
            next: Slot::new(0),
        }
    }

    /// The slot that [`pass_slot`](Self::pass_slot) advances to. O(1).
    #[must_use]
    pub const fn next_slot(&self) -> Slot {
        self.next
    }

    /// Advances both books to the next slot, makes its calls, and hands every answer to `sink`. Returns whether there is more to come.
    ///
    /// Not to be replaced by jumps: a jump over the whole window of a job misses it. Costs the calls, and O(jobs) for each event.
    ///
    /// # Errors
    ///
    /// A [`Fault`], and then the stream cannot go on.
    pub fn pass_slot(&mut self, mut sink: impl FnMut(&Answer)) -> Result<bool, Fault> {
        let now = self.next;
        self.late.advance(now, &mut sink)?;
        self.early.advance(now, &mut sink)?;
        self.next = now.saturating_add(Span::new(1));
        loop {
            match *self.entries.peek().ok_or(Fault::NoEnd)? {
                Err(fault) => return Err(fault),
                Ok(entry) if entry.slot() > now => return Ok(true),
                Ok(Entry::End(_)) => return Ok(false),
                Ok(Entry::Call(_, call)) => {
                    sink(&self.late.call(call));
                    sink(&self.early.call(call));
                    self.entries.next();
                }
            }
        }
    }
}

/// A book, and what it answered so far.
struct Side<'m, R> {
    binding: &'static str,
    book: Book<'m, R>,
    bookings: &'m mut Bookings,
}

impl<'m, R: Ring> Side<'m, R> {
    fn new(binding: &'static str, book: Book<'m, R>, bookings: &'m mut Bookings) -> Self {
        bookings.fill(REFUSED);
        Self {
            binding,
            book,
            bookings,
        }
    }

    fn advance(&mut self, to: Slot, sink: &mut impl FnMut(&Answer)) -> Result<(), Fault> {
        let mut events = heapless::Vec::<Event, EVENTS>::new();
        loop {
            let advanced = self.book.advance(to, &mut events).map_err(Fault::Stuck)?;
            for event in &events {
                sink(&self.report(event)?);
            }
            if advanced == Advanced::Done {
                return Ok(());
            }
            events.clear();
        }
    }

    fn report(&self, event: &Event) -> Result<Answer, Fault> {
        let about = |booking: &Booking| booking.handle == event.handle;
        let job = self.bookings.iter().position(about);
        let job = job.and_then(|job| u16::try_from(job).ok());
        Ok(Answer {
            slot: event.at,
            ..self.answer(event.kind.name(), job.ok_or(Fault::StrangeEvent(*event))?)
        })
    }

    fn call(&mut self, call: Call) -> Answer {
        let Call { job, action } = call;
        let handle = self.booking(job).handle;
        let done = match action {
            Action::Reserve(request, policy) => self
                .book
                .reserve(&request, policy)
                .map(|booking| self.remember(job, booking)),
            Action::Hold(request, policy, ttl) => self
                .book
                .hold(&request, policy, ttl)
                .map(|booking| self.remember(job, booking)),
            Action::Confirm => self.book.confirm(handle),
            Action::Cancel => self.book.cancel(handle),
            Action::Complete(at) => self.book.complete(handle, at),
        };
        Answer {
            code: done.err().map_or(0, Error::code),
            ..self.answer(action.name(), job)
        }
    }

    fn booking(&self, job: u16) -> Booking {
        let booking = self.bookings.get(usize::from(job));
        booking.copied().unwrap_or(REFUSED)
    }

    fn remember(&mut self, job: u16, booking: Booking) {
        if let Some(place) = self.bookings.get_mut(usize::from(job)) {
            *place = booking;
        }
    }

    /// How things stand with `job`.
    fn answer(&self, what: &'static str, job: u16) -> Answer {
        let Booking { handle, start } = self.booking(job);
        let held = self.book.pes_of(handle).into_iter().flatten();
        Answer {
            binding: self.binding,
            slot: self.book.now(),
            what,
            job,
            code: 0,
            start,
            pes: held.fold(0, |set, pe| {
                set | 1_u32.checked_shl(pe.get().into()).unwrap_or_default()
            }),
        }
    }
}
