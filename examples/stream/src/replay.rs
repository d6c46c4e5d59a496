//! Makes the calls, slot by slot, and hands on the answers.

use core::{fmt, iter::Peekable};

use bookahead::{
    Advanced, Book, Booking, Commitment, Error, Event, EventKind, Money, Offer, PeCount, Slot,
    Span, Take, UsageError, Version, Window,
    raw::{CountRing, PeRing, Ring},
};

use crate::{
    Action, Answer, Call, Choice, Detail, EVENTS, Entries, Entry, Line, Noted, Notes, Offered,
    call::terms,
};

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

/// Taken where there is no offer: no book makes it, as it lasts for no slots.
const NO_OFFER: Offer = {
    let never = Window {
        start: Slot::new(0),
        end: Slot::new(0),
    };
    Offer {
        within: never,
        window: never,
        seed: never,
        expires: Slot::new(0),
        version: Version {
            revision: 0,
            incarnation: 0,
        },
        price: Money::ZERO,
        pes: PeCount::ZERO,
        solution: false,
    }
};

/// What is said beside an answer: a line for each step and each move, or for each obstacle, and one more.
pub(crate) type Details = heapless::Vec<Detail, { crate::STEPS + crate::ENTRIES + 1 }>;

/// Two books side by side, and the calls still to be made.
pub struct Replay<'m> {
    entries: Peekable<Entries<'m>>,
    late: Side<'m, CountRing<'m>>,
    early: Side<'m, PeRing<'m, u32>>,
    next: Slot,
}

impl<'m> Replay<'m> {
    /// Will make the calls of `calls` on `late` and `early`, two empty books at slot 0; what `notes` hold does not matter. O(jobs).
    #[must_use]
    pub fn new(
        calls: &'m str,
        late: Book<'m, CountRing<'m>>,
        early: Book<'m, PeRing<'m, u32>>,
        notes: &'m mut [Notes; 2],
    ) -> Self {
        let [of_late, of_early] = notes;
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
    pub fn pass_slot(&mut self, mut sink: impl FnMut(&Line)) -> Result<bool, Fault> {
        let now = self.next;
        self.late.advance(now, &mut sink)?;
        self.early.advance(now, &mut sink)?;
        self.next = now.saturating_add(Span::new(1));
        loop {
            match self.entries.peek().ok_or(Fault::NoEnd)? {
                Err(fault) => return Err(*fault),
                Ok(entry) if entry.slot() > now => return Ok(true),
                Ok(Entry::End(_)) => return Ok(false),
                Ok(Entry::Call(_, call)) => {
                    self.late.make(call, &mut sink);
                    self.early.make(call, &mut sink);
                    self.entries.next();
                }
            }
        }
    }
}

/// A book, and what it answered so far.
pub(crate) struct Side<'m, R> {
    binding: &'static str,
    pub(crate) book: Book<'m, R>,
    pub(crate) notes: &'m mut Notes,
}

impl<'m, R: Ring> Side<'m, R> {
    fn new(binding: &'static str, book: Book<'m, R>, notes: &'m mut Notes) -> Self {
        notes.clear();
        Self {
            binding,
            book,
            notes,
        }
    }

    fn advance(&mut self, to: Slot, sink: &mut impl FnMut(&Line)) -> Result<(), Fault> {
        let mut events = heapless::Vec::<Event, EVENTS>::new();
        loop {
            let mut queue = self.notes.queue.view();
            let advanced = if to.get().is_multiple_of(2) {
                queue.advance(&mut self.book, to, &mut events)
            } else {
                queue.next(&mut self.book, to).map(|event| {
                    events.extend(event);
                    match event {
                        Some(_) => Advanced::EventsWaiting,
                        None => Advanced::Done,
                    }
                })
            };
            let advanced = advanced.map_err(Fault::Stuck)?;
            for event in &events {
                let job = self.job_of(event).ok_or(Fault::StrangeEvent(*event))?;
                sink(&Line::Answer(Answer {
                    slot: event.at,
                    ..self.answer(event.kind.name(), job)
                }));
            }
            if advanced == Advanced::Done {
                return Ok(());
            }
            events.clear();
        }
    }

    /// Which job something happened to; one that comes from the queue is booked from now on.
    fn job_of(&mut self, event: &Event) -> Option<u16> {
        let handle = event.handle;
        if event.kind != EventKind::BestEffortStarted {
            return self.notes.job_of(handle);
        }
        let job = self.notes.job_with(event.ticket?)?;
        let start = event.at;
        self.notes.book(job, Booking { handle, start });
        Some(job)
    }

    /// Makes the call, and hands its answer to `sink`, and behind it whatever else there is to be said.
    fn make(&mut self, call: &Call, sink: &mut impl FnMut(&Line)) {
        let Call { job, action } = call;
        let mut details = heapless::Vec::new();
        let done = self.call(*job, action, &mut details);
        let mut answer = Answer {
            code: done.err().map_or(0, Error::code),
            ..self.answer(action.name(), *job)
        };
        if let Ok(Some(start)) = done {
            answer.start = start;
        }
        sink(&Line::Answer(answer));
        let (binding, slot, job) = (self.binding, self.book.now(), *job);
        for detail in details {
            sink(&Line::Note(Noted {
                binding,
                slot,
                job,
                detail,
            }));
        }
        if matches!(action, Action::Offers(..)) {
            for offer in &self.notes.offers {
                sink(&Line::Offer(Offered {
                    binding,
                    slot,
                    job,
                    offer: *offer,
                }));
            }
        }
    }

    /// Makes the call; what is not the start of the job's booking is answered.
    fn call(
        &mut self,
        job: u16,
        action: &Action,
        details: &mut Details,
    ) -> Result<Option<Slot>, Error> {
        let handle = self.notes.booking(job).handle;
        let booking = match action {
            Action::Reserve(request, policy) => {
                self.book.reserve(request, *policy, Commitment::Confirmed)?
            }
            Action::Hold(request, policy, ttl) => {
                self.book
                    .reserve(request, *policy, Commitment::Held { ttl: *ttl })?
            }
            Action::Accept(choice) => self.accept(choice)?,
            Action::Commit(ttl) => self.commit_as(terms(*ttl))?,
            Action::CommitAs(terms) => self.commit_as(*terms)?,
            Action::Split(of, at) => self.split(*of, *at)?,
            Action::Confirm => return self.book.confirm(handle).map(|()| None),
            Action::Cancel => return self.book.cancel(handle).map(|()| None),
            Action::Complete(at) => return self.book.complete(handle, *at).map(|()| None),
            Action::Offers(query, manner) => {
                let offers = &mut self.notes.offers;
                let offered = self.book.offers(query, &manner.terms(), offers);
                return offered.map(|_| None);
            }
            Action::Queue(discipline) => {
                self.notes.renew_queue(*discipline);
                let incarnation = self.book.version().incarnation;
                self.notes.queue.view().set_incarnation(incarnation);
                return Ok(None);
            }
            Action::Submit(waiting) => {
                let ticket = self.notes.queue.view().submit(&self.book, waiting)?;
                self.notes.submit(job, ticket);
                return Ok(None);
            }
            Action::Withdraw => {
                let ticket = self.notes.ticket(job).ok_or(UsageError::UnknownTicket)?;
                return self.notes.queue.view().withdraw(ticket).map(|()| None);
            }
            Action::Shadow => {
                let shadow = self.notes.queue.view().shadow(&mut self.book);
                return Ok(Some(shadow.unwrap_or_default()));
            }
            Action::Plan(request, policy) => {
                self.notes.plan = None;
                let plan = self.book.plan(request, *policy)?;
                self.notes.plan = Some(plan);
                return Ok(Some(plan.window().start));
            }
            Action::Incarnation(book, queue) => {
                self.book.set_incarnation(*book);
                self.notes.queue.view().set_incarnation(*queue);
                return Ok(None);
            }
            Action::Alter(alteration) => return self.alter(job, *alteration, details),
            Action::Series(series) => return self.series(job, series, details),
            Action::Together(group) => return self.together(job, group, details),
            Action::CancelAll(count) => return self.cancel_all(job, *count),
            Action::Explain(request) => return self.explain(request, details),
            Action::Covering(window) => return Ok(self.covering(*window, details)),
            Action::Transaction(script) => return self.transaction(script, details),
            Action::Apply(work, entries) => return self.apply(*work, *entries),
            Action::Freeze => return self.book.freeze(handle).map(|()| None),
            Action::Mould(mould) => return self.mould(mould, details),
            Action::Juggle(newcomer, rules, plan) => {
                return self.juggle(job, newcomer, rules, *plan, details);
            }
            Action::Replan(rules, plan) => return self.replan(rules, *plan, details),
            Action::ShiftIn(newcomer, rules, plan) => {
                return self.shift_in(job, newcomer, rules, *plan, details);
            }
        };
        self.notes.book(job, booking);
        Ok(None)
    }

    fn accept(&mut self, choice: &Choice) -> Result<Booking, Error> {
        let offer = self.notes.offers.get(choice.nth).unwrap_or(&NO_OFFER);
        let whole = offer.whole();
        let take = Take {
            duration: choice.duration.unwrap_or(whole.duration),
            pes: choice.pes.unwrap_or(whole.pes),
        };
        self.book.accept(offer, take, choice.terms())
    }

    /// How things stand with `job`.
    fn answer(&self, what: &'static str, job: u16) -> Answer {
        let Booking { handle, start } = self.notes.booking(job);
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
