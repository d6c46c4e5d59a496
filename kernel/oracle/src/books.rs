//! The kernel's books as the side under test.

use bookahead::{
    Book, Column, CountBook, Error, Event, Handle, PeBook, PeCount, Plan, Policy, Record,
    Rectangle, Request, Reservation, Ring, Slot, Span, Terms, Window,
};
use heapless::{Vec as Bounded, VecView};

use crate::{Kind, Progress, Subject};

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
            self.view().now()
        }
        fn horizon(&mut self) -> Span {
            self.view().horizon()
        }
        fn pes(&mut self) -> PeCount {
            self.view().pes()
        }
        fn len(&mut self) -> usize {
            self.view().len()
        }
        fn capacity(&mut self) -> usize {
            self.view().capacity()
        }
        fn plan(&mut self, request: &Request, policy: Policy) -> Result<(Plan, Slot), Error> {
            let plan = self.view().plan(request, policy)?;
            Ok((plan, plan.window().start))
        }
        fn commit(&mut self, plan: &Plan, terms: Terms) -> Result<Handle, Error> {
            self.view().commit(plan, terms)
        }
        fn book(
            &mut self,
            request: &Request,
            policy: Policy,
            terms: Terms,
        ) -> Result<(Handle, Slot), Error> {
            let mut book = self.view();
            let booking = match terms {
                Terms::Confirmed => book.reserve(request, policy)?,
                Terms::Held { ttl } => book.hold(request, policy, ttl)?,
            };
            Ok((booking.handle, booking.start))
        }
        fn confirm(&mut self, handle: Handle) -> Result<(), Error> {
            self.view().confirm(handle)
        }
        fn cancel(&mut self, handle: Handle) -> Result<(), Error> {
            self.view().cancel(handle)
        }
        fn complete(&mut self, handle: Handle, at: Slot) -> Result<(), Error> {
            self.view().complete(handle, told(at))
        }
        fn advance(&mut self, to: Slot, room: usize) -> Result<Progress<Handle>, Error> {
            advance(&mut self.view(), to, room)
        }
        fn get(&mut self, handle: Handle) -> Result<Reservation, Error> {
            self.view().get(handle)
        }
        fn pes_of(&mut self, handle: Handle) -> Result<Vec<u16>, Error> {
            let book = self.view();
            let pes = book.pes_of(handle)?;
            Ok(pes.map(|pe| pe.get()).collect())
        }
        fn by_start(&mut self) -> Vec<(Handle, Reservation)> {
            self.view().iter().collect()
        }
        fn starting_at(&mut self, slot: Slot) -> Vec<Handle> {
            self.view().starting_at(slot).collect()
        }
        fn next_event(&mut self) -> Option<Slot> {
            self.view().next_event()
        }
        fn check_invariants(&mut self) -> Result<(), String> {
            let verdict = self.view().check_invariants();
            verdict.map_err(|violation| format!("{violation:?}"))
        }
        fn free_during(&mut self, window: Window) -> Option<PeCount> {
            self.view().free_during(window)
        }
        fn rectangle(&mut self, start: Slot, duration: Span) -> Option<Rectangle> {
            self.view().rectangle(start, duration)
        }
        fn records(&mut self) -> Vec<Record> {
            self.view().records().collect()
        }
        fn candidate_starts(&mut self, request: &Request) -> Result<Vec<Slot>, Error> {
            let book = self.view();
            let starts = book.candidate_starts(request)?;
            Ok(starts.collect())
        }
    };
}

impl<const BLOCKS: usize, const PES: usize, const ROWS: usize> Subject
    for CountBook<BLOCKS, PES, ROWS>
{
    forward!(Kind::Counts);
}

impl<C: Column, const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize> Subject
    for PeBook<C, BLOCKS, COLUMNS, ROWS>
{
    forward!(Kind::Sets);
}

/// Advances with a list that has room for so many events; capacities are constants, so there is one list for each short length.
fn advance<R: Ring>(
    book: &mut Book<'_, R>,
    to: Slot,
    room: usize,
) -> Result<Progress<Handle>, Error> {
    fn into<R: Ring>(
        book: &mut Book<'_, R>,
        to: Slot,
        events: &mut VecView<Event>,
    ) -> Result<Progress<Handle>, Error> {
        let how_far = book.advance(to, events)?;
        let events = events
            .iter()
            .map(|event| (event.at, event.handle, event.kind));
        Ok((how_far, events.collect()))
    }
    match room {
        0 => into(book, to, &mut Bounded::<_, 0>::new()),
        1 => into(book, to, &mut Bounded::<_, 1>::new()),
        2 => into(book, to, &mut Bounded::<_, 2>::new()),
        3 => into(book, to, &mut Bounded::<_, 3>::new()),
        4 => into(book, to, &mut Bounded::<_, 4>::new()),
        5 => into(book, to, &mut Bounded::<_, 5>::new()),
        6 => into(book, to, &mut Bounded::<_, 6>::new()),
        7 => into(book, to, &mut Bounded::<_, 7>::new()),
        _ => into(book, to, &mut Bounded::<_, 4096>::new()),
    }
}
