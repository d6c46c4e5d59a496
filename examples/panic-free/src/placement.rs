//! Books on machines with layouts, and their classes.

use core::{fmt::Write as _, hint::black_box};

use bookahead::{
    BestEffortJob, Book, Class, ClassError, ClassId, Commitment, Conflict, Discipline, Eligible,
    Fewer, JobQueue, Layout, LayoutError, PeCount, PeWorkspace, PlacedBook, PlacedError, Policy,
    Preference, Queue, Rules, Shape, SizeError, Slot, Span, Transaction, Window, Within,
    raw::{ClassEntry, Column, Geometry, NativeScan, PlacedParts, Ring, Scan},
};

use crate::{
    books::{self, EarlyMemory},
    keep, of_kept,
    values::{Sink, a_handle, a_request, a_span},
    waiting,
};

/// A book on a machine with a layout, with columns of one type, searched in one way.
#[inline(never)]
pub fn every_operation<C: Column, S: Scan>(none: C) {
    let mut memory = PlacedMemory::new(none);
    let missing = [Fewer {
        groups: black_box(1)..black_box(3),
        kind: black_box(1),
        pes: black_box(1),
    }];
    let layout = black_box(Layout {
        groups: black_box(4),
        kinds: black_box(&[4, 2]),
        missing: black_box(&missing),
        levels: black_box(&[2, 3]),
    });
    keep(Layout::check(&layout));
    keep(Layout::pes(&layout));
    keep(Layout::columns::<C>(&layout));
    if let Ok(mut book) = PlacedParts::init(memory.parts(), &layout, Span::new(black_box(48))) {
        classes(&mut book);
    }
    if let Some(mut book) = PlacedParts::open(memory.parts()) {
        classes(&mut book);
    }
    keep(PlacedParts::view(memory.parts()));
    books::every_operation(PlacedParts::view_with::<S>(memory.parts()));
    of_kept(PlacedParts::view_with::<S>(memory.parts()));
    let mut second = PlacedMemory::new(none);
    waiting::every_plan(
        &mut PlacedParts::view_with::<S>(memory.parts()),
        PlacedParts::view_with::<S>(second.parts()),
    );
    with_rules::<C, S>(&mut memory);
}

/// With rules.
#[inline(never)]
fn with_rules<C: Column, S: Scan>(memory: &mut PlacedMemory<C>) {
    let mut rules = Rules::<C, 1>::new();
    let book = PlacedParts::view_with::<S>(memory.parts());
    if let Some(book) = Book::with_rules(book, Rules::view(black_box(&mut rules))) {
        books::every_operation(book);
    }
    if let Some(book) = Book::with_rules(PlacedParts::view_with::<S>(memory.parts()), rules.view())
    {
        of_kept(book);
    }
}

/// Everything that depends on classes. Reservations of classes go the way of others, but for what the book is asked for.
#[inline(never)]
fn classes<C: Column>(book: &mut Book<'_, bookahead::raw::PlacedRing<'_, C>>) {
    let preferences = [
        Preference::Lowest,
        Preference::Pack,
        Preference::Spread,
        Preference::Order(black_box(&[1, 0])),
        Preference::Compact(black_box(0)),
    ];
    let ranges = black_box([1..3, 3..4]);
    for preference in black_box(preferences) {
        let class = black_box(Class {
            eligible: black_box(Eligible::Groups {
                groups: black_box(&ranges),
                kinds: black_box(3),
            }),
            shape: black_box(Shape::PerGroup(black_box(&[1, 2]))),
            within: black_box(Within::Required(black_box(0))),
            preference,
        });
        keep(Book::class_add(black_box(book), &class));
    }
    let id = ClassId::from_number(black_box(0x0001_0001));
    keep(ClassId::number(id));
    keep(Book::classes(black_box(book)));
    let start = Slot::new(black_box(3));
    keep(Book::failing(black_box(book), &a_request(), start));
    keep(Book::failing(black_box(book), (id, &a_request()), start));
    keep(bookahead::raw::choose(
        black_box(book),
        (id, &a_request()),
        start,
    ));
    keep(Book::class_of(black_box(book), a_handle()));
    let mut waiting = JobQueue::<2>::new(black_box(Discipline::Easy));
    let job = BestEffortJob {
        estimate: a_span(),
        pes: PeCount::new(black_box(2)),
    };
    let id = black_box(ClassId::ANY);
    keep(Queue::submit(
        &mut black_box(&mut waiting).view(),
        black_box(&mut *book),
        (id, &job),
    ));
    let terms = black_box(Commitment::Held { ttl: a_span() });
    let policy = black_box(Policy::FirstFit);
    keep(Book::reserve(
        black_box(book),
        (id, &a_request()),
        policy,
        terms,
    ));
    keep(Book::class_drop(black_box(book), id));
    let (mut conflict, set) = (Conflict::NONE, black_box([0b110_u32]));
    let pes = black_box(&set[..]);
    let window = Window {
        start: Slot::new(black_box(3)),
        end: Slot::new(black_box(9)),
    };
    keep(Book::reserve_exactly(
        black_box(book),
        window,
        pes,
        terms,
        &mut conflict,
    ));
    keep(conflict);
    keep(Book::numbers(black_box(book)));
    let mut lent = black_box(PeWorkspace::<C, 1, 4, 1>::new());
    let mut transaction = Book::transaction(book, lent.view(), black_box(1_000));
    move_exactly(&mut transaction);
    keep(Transaction::relocate(
        black_box(&mut transaction),
        (id, &a_request()),
        terms,
        black_box(2),
    ));
    keep(Transaction::commit(black_box(transaction)));
}

/// Moves of a transaction to exactly these processing elements.
#[inline(never)]
fn move_exactly<R: Ring>(transaction: &mut Transaction<'_, '_, R>) {
    let set = black_box([0b110_u32]);
    let (pes, start) = (black_box(&set[..]), Slot::new(black_box(3)));
    keep(Transaction::place_exactly(
        black_box(transaction),
        a_handle(),
        start,
        pes,
    ));
    let window = Window {
        start,
        end: Slot::new(black_box(9)),
    };
    let own = black_box(Some(a_handle()));
    keep(Transaction::conflict_exactly(
        black_box(transaction),
        own,
        window,
        pes,
    ));
}

/// The owner of memory, and the faults.
#[inline(never)]
pub fn owned() {
    keep(PlacedBook::<u32, 2, 2, 8, 3, 2>::zeroed());
    let mut memory = black_box(PlacedBook::<u32, 2, 2, 8, 3, 2>::zeroed());
    let layout = black_box(Layout {
        groups: black_box(4),
        kinds: black_box(&[4]),
        missing: black_box(&[]),
        levels: black_box(&[]),
    });
    keep(PlacedBook::init(black_box(&mut memory), &layout, Span::new(black_box(100))).map(drop));
    keep(PlacedBook::view(black_box(&mut memory)));
    keep(bookahead::raw::placed_book_bytes::<u32, NativeScan>(
        black_box(100),
        black_box(2),
        black_box(8),
        black_box(3),
        black_box(2),
    ));
    let fault = black_box(LayoutError::NoGroups);
    keep((LayoutError::code(fault), LayoutError::name(fault)));
    keep(write!(Sink, "{fault}"));
    let fault = black_box(ClassError::BadShape);
    keep((ClassError::code(fault), ClassError::name(fault)));
    keep(write!(Sink, "{fault}"));
    keep(write!(
        Sink,
        "{}",
        black_box(PlacedError::Size(SizeError::NoPes))
    ));
}

/// What such a book lies in.
struct PlacedMemory<C> {
    book: EarlyMemory<C>,
    geometry: Geometry,
    sets: [[C; 1]; 2],
    classes: [ClassEntry; 3],
    masks: [C; 3],
    orders: [u16; 6],
}

impl<C: Column> PlacedMemory<C> {
    fn new(none: C) -> Self {
        Self {
            book: EarlyMemory::new(none),
            geometry: Geometry::default(),
            sets: [[none]; 2],
            classes: [ClassEntry::VACANT; 3],
            masks: [none; 3],
            orders: [0; 6],
        }
    }

    /// The arrays, of whose lengths nothing is known.
    fn parts(&mut self) -> PlacedParts<'_, C> {
        let [existing, candidate] = &mut self.sets;
        PlacedParts {
            book: self.book.parts(),
            geometry: black_box(&mut self.geometry),
            existing: black_box(&mut existing[..]),
            classes: black_box(&mut self.classes[..]),
            masks: black_box(&mut self.masks[..]),
            candidate: black_box(&mut candidate[..]),
            orders: black_box(&mut self.orders[..]),
        }
    }
}
