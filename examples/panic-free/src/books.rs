//! Every operation of a book, on every kind of ring.

use core::hint::black_box;

use bookahead::{
    Book, Commitment, Event, PeBook, PeCount, Plan, Policy, Span, Version,
    raw::{
        BookState, BulkScan, Column, CountArrays, CountMemory, PeParts, Ring, Row, Scan, Timer,
        Width,
    },
};
use heapless::{Vec, VecView};

use crate::{
    juggle, keep, mould, of_features, of_kept, offers, queue, shift, transactions,
    values::{a_handle, a_request, a_slot, a_span, a_window},
};

pub const SLOTS: usize = 64;
pub const ROWS: usize = 8;

/// A book that counts, searched in one way.
#[inline(never)]
pub fn late<N: Width, S: Scan>() {
    let mut memory = LateMemory::<N>::default();
    let made = CountArrays::init(
        memory.parts(),
        PeCount::new(black_box(8)),
        Span::new(black_box(48)),
    );
    keep(made);
    keep(CountArrays::open(memory.parts()));
    keep(CountArrays::view(memory.parts()));
    every_operation(CountArrays::view_with::<S>(memory.parts()));
    of_kept(CountArrays::view_with::<S>(memory.parts()));
    if let Ok(ring) = CountArrays::init_ring(
        memory.parts(),
        PeCount::new(black_box(8)),
        Span::new(black_box(48)),
    ) {
        every_ring_operation(ring, &black_box(PeCount::new(3)));
    }
}

/// A book with early binding, searched in one way.
#[inline(never)]
pub fn early<C: Column, S: Scan>(none: C) {
    let mut memory = EarlyMemory::new(none);
    let made = PeParts::init(
        memory.parts(),
        PeCount::new(black_box(8)),
        Span::new(black_box(48)),
    );
    keep(made);
    keep(PeParts::open(memory.parts()));
    keep(PeParts::view(memory.parts()));
    every_operation(PeParts::view_with::<S>(memory.parts()));
    of_kept(PeParts::view_with::<S>(memory.parts()));
    if let Ok(ring) = PeParts::init_ring(
        memory.parts(),
        PeCount::new(black_box(8)),
        Span::new(black_box(48)),
    ) {
        every_ring_operation(ring, unknown(&mut [none]));
    }
}

/// The owners of memory. The books they give are of the types that were seen already.
#[inline(never)]
pub fn owned() {
    keep(CountMemory::<2, 4, 8, u16>::zeroed());
    keep(PeBook::<u32, 2, 1, 8>::zeroed());
    if let Ok(mut memory) =
        CountMemory::<2, 4, 8, u16>::new(PeCount::new(black_box(4)), Span::new(black_box(100)))
    {
        keep(CountMemory::view(black_box(&mut memory)));
        keep(CountMemory::init(
            black_box(&mut memory),
            PeCount::new(black_box(4)),
            Span::new(black_box(100)),
        ));
    }
    if let Ok(mut memory) =
        PeBook::<u32, 2, 1, 8>::new(PeCount::new(black_box(4)), Span::new(black_box(100)))
    {
        keep(PeBook::view(black_box(&mut memory)));
        keep(PeBook::init(
            black_box(&mut memory),
            PeCount::new(black_box(4)),
            Span::new(black_box(100)),
        ));
    }
}

/// Calls everything. Before each call the book goes through [`black_box`] again, so no call can lean on what another has
/// checked, nor on how the arrays fit together.
#[inline(never)]
pub fn every_operation<R: Ring>(book: Book<'_, R>) {
    let mut book = black_box(book);
    let book = &mut book;

    keep(Book::now(black_box(book)));
    keep(Book::horizon(black_box(book)));
    keep(Book::pes(black_box(book)));
    keep(Book::len(black_box(book)));
    keep(Book::is_empty(black_box(book)));
    keep(Book::capacity(black_box(book)));
    keep(Book::retired(black_box(book)));
    keep(Book::version(black_box(book)));
    Book::set_incarnation(black_box(book), black_box(1));

    // The policies are not known one by one, so each call contains all seven.
    for policy in black_box(Policy::ALL) {
        if let Ok(plan) = Book::plan(black_box(book), &a_request(), black_box(policy)) {
            let plan = black_box(plan);
            keep(Plan::request(&plan));
            keep(Plan::window(&plan));
            keep(Plan::version(&plan));
            keep(Plan::new(a_request(), a_slot(), a_version()));
            let terms = black_box(Commitment::Held { ttl: a_span() });
            keep(Book::commit(black_box(book), &plan, terms));
        }
        let terms = black_box(Commitment::Held { ttl: a_span() });
        keep(Book::reserve(black_box(book), &a_request(), policy, terms));
    }
    keep(Book::confirm(black_box(book), a_handle()));
    keep(Book::cancel(black_box(book), a_handle()));
    keep(Book::complete(black_box(book), a_handle(), a_slot()));

    let mut events = Vec::<Event, 4>::new();
    let events: &mut VecView<Event> = black_box(&mut events);
    keep(Book::advance(black_box(book), a_slot(), events));
    keep(Book::next(black_box(book), a_slot()));
    keep(Book::next_event(black_box(book)));

    keep(Book::get(black_box(book), a_handle()));
    if let Ok(pes) = Book::pes_of(black_box(book), a_handle()) {
        pes.for_each(keep);
    }
    if let Ok(ranges) = Book::pe_ranges_of(black_box(book), a_handle()) {
        ranges.for_each(keep);
    }
    of_features(book);
    Book::iter(black_box(book)).for_each(keep);
    Book::starting_at(black_box(book), a_slot()).for_each(keep);
    Book::records(black_box(book)).for_each(keep);
    Book::profile(black_box(book), a_window()).for_each(keep);
    if let Ok(starts) = Book::candidate_starts(black_box(book), &a_request()) {
        starts.for_each(keep);
    }
    keep(Book::free_during(black_box(book), a_window()));
    keep(Book::rectangle(black_box(book), a_slot(), a_span()));
    keep(Book::check_invariants(black_box(book)));
    offers::every_operation(book);
    mould::every_operation(book);
    queue::every_operation(book);
    transactions::every_operation(book);
    juggle::every_operation(book);
    shift::every_operation(book);
}

/// The same for a ring without a ledger.
#[inline(never)]
fn every_ring_operation<R: Ring>(ring: R, pes: &R::Pes) {
    let mut ring = black_box(ring);
    let ring = &mut ring;
    keep(bookahead::raw::find(
        black_box(ring),
        &a_request(),
        black_box(Policy::FirstFit),
    ));
    keep(Ring::now(black_box(ring)));
    Ring::advance(black_box(ring), a_slot());
    keep(Ring::add(black_box(ring), a_window(), black_box(pes)));
    keep(Ring::remove(black_box(ring), a_window(), black_box(pes)));
}

/// Some state of some book.
pub fn a_version() -> Version {
    black_box(Version {
        revision: black_box(7),
        incarnation: black_box(1),
    })
}

/// Hides how long a slice is.
fn unknown<T>(slice: &mut [T]) -> &mut [T] {
    black_box(slice)
}

/// What a book with late binding lies in.
pub struct LateMemory<N = u16> {
    state: BookState,
    rows: [Row<N>; ROWS],
    starts: [u32; SLOTS],
    timers: [Timer; ROWS],
    busy: [N; SLOTS],
    summaries: [N; BulkScan::SUMMARIES],
    edges: [[u32; 2]; 2],
    owner: [u32; 8],
}

impl<N: Width> Default for LateMemory<N> {
    fn default() -> Self {
        Self {
            state: BookState::default(),
            rows: [Row::VACANT; ROWS],
            starts: [0; SLOTS],
            timers: [Timer::NONE; ROWS],
            busy: [N::default(); SLOTS],
            summaries: [N::default(); BulkScan::SUMMARIES],
            edges: [[0; 2]; 2],
            owner: [0; 8],
        }
    }
}

impl<N: Width> LateMemory<N> {
    pub fn parts(&mut self) -> CountArrays<'_, N> {
        let summaries = &mut self.summaries;
        let [change, release] = &mut self.edges;
        CountArrays {
            state: black_box(&mut self.state),
            rows: unknown(&mut self.rows),
            starts: unknown(&mut self.starts),
            timers: unknown(&mut self.timers),
            busy: unknown(&mut self.busy),
            summaries: unknown(summaries),
            change: unknown(change),
            release: unknown(release),
            owner: unknown(&mut self.owner),
        }
    }
}

/// What a book with early binding lies in.
pub struct EarlyMemory<C> {
    state: BookState,
    rows: [Row; ROWS],
    starts: [u32; SLOTS],
    timers: [Timer; ROWS],
    busy: [C; SLOTS],
    any: [C; SLOTS / 8],
    counts: [u16; SLOTS],
    summaries: [u16; BulkScan::SUMMARIES],
    edges: [[u32; 2]; 2],
    sets: [C; ROWS],
    suffixes: [C; SLOTS],
    scratch: [[C; 1]; 2],
}

impl<C: Column> EarlyMemory<C> {
    pub fn new(none: C) -> Self {
        Self {
            state: BookState::default(),
            rows: [Row::VACANT; ROWS],
            starts: [0; SLOTS],
            timers: [Timer::NONE; ROWS],
            busy: [none; SLOTS],
            any: [none; SLOTS / 8],
            counts: [0; SLOTS],
            summaries: [0; BulkScan::SUMMARIES],
            edges: [[0; 2]; 2],
            sets: [none; ROWS],
            suffixes: [none; SLOTS],
            scratch: [[none]; 2],
        }
    }

    pub fn parts(&mut self) -> PeParts<'_, C> {
        let summaries = &mut self.summaries;
        let [change, release] = &mut self.edges;
        let [prefix, joined] = &mut self.scratch;
        PeParts {
            state: black_box(&mut self.state),
            rows: unknown(&mut self.rows),
            starts: unknown(&mut self.starts),
            timers: unknown(&mut self.timers),
            busy: unknown(&mut self.busy),
            any: unknown(&mut self.any),
            counts: unknown(&mut self.counts),
            summaries: unknown(summaries),
            change: unknown(change),
            release: unknown(release),
            sets: unknown(&mut self.sets),
            suffixes: unknown(&mut self.suffixes),
            prefix: unknown(prefix),
            joined: unknown(joined),
        }
    }
}
