//! The kernel's books as the side under test.

use bookahead::{
    Advanced, BestEffortJob, Column, CountBook, Discipline, Error, Event, Handle, JobQueue, Offer,
    OfferTerms, Offered, PeBook, PeCount, Plan, Policy, Portion, Query, Record, Rectangle, Request,
    Reservation, Slot, Span, Terms, Ticket, Window,
};
use heapless::{Vec as Bounded, VecView};

use crate::{Happening, Kind, LONG_OFFERS, Progress, Subject};

/// When a book is told that a job ends: one slot late with the feature `canary`.
const fn told(at: Slot) -> Slot {
    let late = if cfg!(feature = "canary") { 1 } else { 0 };
    at.saturating_add(Span::new(late))
}

/// What all books answer alike, given a way from the memory to its book.
macro_rules! forward {
    ($kind:expr) => {
        type Handle = Handle;
        type Plan = Plan;

        fn kind(&self) -> Kind {
            $kind
        }
        fn now(&mut self) -> Slot {
            self.book.view().now()
        }
        fn horizon(&mut self) -> Span {
            self.book.view().horizon()
        }
        fn pes(&mut self) -> PeCount {
            self.book.view().pes()
        }
        fn len(&mut self) -> usize {
            self.book.view().len()
        }
        fn capacity(&mut self) -> usize {
            self.book.view().capacity()
        }
        fn plan(&mut self, request: &Request, policy: Policy) -> Result<(Plan, Slot), Error> {
            let plan = self.book.view().plan(request, policy)?;
            Ok((plan, plan.window().start))
        }
        fn commit(&mut self, plan: &Plan, terms: Terms) -> Result<Handle, Error> {
            self.book.view().commit(plan, terms)
        }
        fn book(
            &mut self,
            request: &Request,
            policy: Policy,
            terms: Terms,
        ) -> Result<(Handle, Slot), Error> {
            let mut book = self.book.view();
            let booking = match terms {
                Terms::Confirmed => book.reserve(request, policy)?,
                Terms::Held { ttl } => book.hold(request, policy, ttl)?,
            };
            Ok((booking.handle, booking.start))
        }
        fn confirm(&mut self, handle: Handle) -> Result<(), Error> {
            self.book.view().confirm(handle)
        }
        fn cancel(&mut self, handle: Handle) -> Result<(), Error> {
            self.book.view().cancel(handle)
        }
        fn complete(&mut self, handle: Handle, at: Slot) -> Result<(), Error> {
            self.book.view().complete(handle, told(at))
        }
        fn advance(&mut self, to: Slot, room: usize) -> Result<Progress<Handle>, Error> {
            let mut book = self.book.view();
            progress(room, |events| book.advance(to, events))
        }
        fn offers(
            &mut self,
            query: &Query,
            terms: &OfferTerms,
            room: usize,
        ) -> Result<(Offered, Vec<Offer>), Error> {
            let mut book = self.book.view();
            with_list::<_, _, LONG_OFFERS>(room, |offers| {
                let offered = book.offers(query, terms, offers)?;
                Ok((offered, offers.to_vec()))
            })
        }
        fn accept(
            &mut self,
            offer: &Offer,
            portion: Portion,
            terms: Terms,
        ) -> Result<(Handle, Slot), Error> {
            let booking = self.book.view().accept(offer, portion, terms)?;
            Ok((booking.handle, booking.start))
        }
        fn under(mut self, discipline: Discipline) -> Self {
            let _ = self.queue.format(discipline);
            self
        }
        fn discipline(&mut self) -> Discipline {
            self.queue.view().discipline()
        }
        fn queue_capacity(&mut self) -> usize {
            self.queue.view().capacity()
        }
        fn submit(&mut self, job: &BestEffortJob) -> Result<Ticket, Error> {
            self.queue.view().submit(&self.book.view(), job)
        }
        fn withdraw(&mut self, ticket: Ticket) -> Result<(), Error> {
            self.queue.view().withdraw(ticket)
        }
        fn advance_queue(&mut self, to: Slot, room: usize) -> Result<Progress<Handle>, Error> {
            let (mut book, mut queue) = (self.book.view(), self.queue.view());
            progress(room, |events| queue.advance(&mut book, to, events))
        }
        fn waiting(&mut self) -> Vec<(Ticket, BestEffortJob)> {
            let queue = self.queue.view();
            let jobs: Vec<_> = queue.iter().collect();
            assert_eq!(
                (queue.len(), queue.is_empty()),
                (jobs.len(), jobs.is_empty())
            );
            jobs
        }
        fn shadow(&mut self) -> Option<Slot> {
            self.queue.view().shadow(&mut self.book.view())
        }
        fn next_queue_event(&mut self) -> Option<Slot> {
            self.queue.view().next_event(&self.book.view())
        }
        fn get(&mut self, handle: Handle) -> Result<Reservation, Error> {
            self.book.view().get(handle)
        }
        fn pes_of(&mut self, handle: Handle) -> Result<Vec<u16>, Error> {
            let book = self.book.view();
            let pes = book.pes_of(handle)?;
            Ok(pes.map(|pe| pe.get()).collect())
        }
        fn by_start(&mut self) -> Vec<(Handle, Reservation)> {
            self.book.view().iter().collect()
        }
        fn starting_at(&mut self, slot: Slot) -> Vec<Handle> {
            self.book.view().starting_at(slot).collect()
        }
        fn next_event(&mut self) -> Option<Slot> {
            self.book.view().next_event()
        }
        fn check_invariants(&mut self) -> Result<(), String> {
            let mut book = self.book.view();
            let verdict = book.check_invariants();
            let both = verdict.and_then(|()| self.queue.view().check_invariants(&mut book));
            both.map_err(|violation| format!("{violation:?}"))
        }
        fn free_during(&mut self, window: Window) -> Option<PeCount> {
            self.book.view().free_during(window)
        }
        fn rectangle(&mut self, start: Slot, duration: Span) -> Option<Rectangle> {
            self.book.view().rectangle(start, duration)
        }
        fn records(&mut self) -> Vec<Record> {
            self.book.view().records().collect()
        }
        fn candidate_starts(&mut self, request: &Request) -> Result<Vec<Slot>, Error> {
            let book = self.book.view();
            let starts = book.candidate_starts(request)?;
            Ok(starts.collect())
        }
    };
}

/// A book of the kernel and the queue beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel<M, const JOBS: usize> {
    /// The book.
    pub book: M,
    /// The queue.
    pub queue: JobQueue<JOBS>,
}

impl<M, const JOBS: usize> Kernel<M, JOBS> {
    /// This book with an empty queue.
    #[must_use]
    pub fn new(book: M) -> Self {
        Self {
            book,
            queue: JobQueue::new(Discipline::Fcfs),
        }
    }
}

impl<const BLOCKS: usize, const PES: usize, const ROWS: usize, const JOBS: usize> Subject
    for Kernel<CountBook<BLOCKS, PES, ROWS>, JOBS>
{
    forward!(Kind::Counts);
}

impl<C: Column, const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize, const JOBS: usize>
    Subject for Kernel<PeBook<C, BLOCKS, COLUMNS, ROWS>, JOBS>
{
    forward!(Kind::Sets);
}

/// Runs `call` with a list that has room for so many; capacities are constants, so there is one list for each short length.
fn with_list<T, A, const LONG: usize>(room: usize, call: impl FnOnce(&mut VecView<T>) -> A) -> A {
    match room {
        0 => call(&mut Bounded::<_, 0>::new()),
        1 => call(&mut Bounded::<_, 1>::new()),
        2 => call(&mut Bounded::<_, 2>::new()),
        3 => call(&mut Bounded::<_, 3>::new()),
        4 => call(&mut Bounded::<_, 4>::new()),
        5 => call(&mut Bounded::<_, 5>::new()),
        6 => call(&mut Bounded::<_, 6>::new()),
        7 => call(&mut Bounded::<_, 7>::new()),
        _ => call(&mut Bounded::<_, LONG>::new()),
    }
}

/// What `advance` does with a list that has room for so many events.
fn progress(
    room: usize,
    advance: impl FnOnce(&mut VecView<Event>) -> Result<Advanced, Error>,
) -> Result<Progress<Handle>, Error> {
    with_list::<_, _, 4096>(room, |events| {
        let how_far = advance(events)?;
        let told = events.iter().map(|event| Happening {
            at: event.at,
            whose: event.handle,
            kind: event.kind,
            ticket: event.ticket,
        });
        Ok((how_far, told.collect()))
    })
}
