//! Every operation that moves reservations, books several at once, or says who is in the way.

use core::hint::black_box;

use bookahead::{
    Alteration, Book, Commitment, Conflict, Handle, Move, Obstacle, Part, PeCount, PeWorkspace,
    Placement, Policy, Series, Transaction,
    raw::{LateWorkspace, Movable, Ring, SetPart, UndoEntry, Workspace},
};
use heapless::{Vec, VecView};

use crate::{
    keep,
    values::{a_handle, a_request, a_slot, a_span, a_window},
};

/// The functions of the value types, and the memory of workspaces.
#[inline(never)]
pub fn values() {
    for alteration in alterations() {
        keep(Alteration::code(alteration));
        keep(Alteration::name(alteration));
    }
    keep(Placement::window(&a_placement()));
    let conflict = black_box(Conflict::NONE);
    keep(Conflict::handles(&conflict));
    keep(Conflict::more(&conflict));
    keep(Conflict::len(&conflict));
    keep(Conflict::is_empty(&conflict));
    keep(bookahead::raw::workspace_bytes::<u32>(
        black_box(2),
        black_box(4),
        black_box(4),
    ));
    let mut late = LateWorkspace::<4, 4, u16>::new();
    keep(LateWorkspace::view(black_box(&mut late)));
    let mut early = PeWorkspace::<u32, 2, 4, 4>::new();
    keep(PeWorkspace::view(black_box(&mut early)));
}

/// What a book does in one call.
pub fn every_operation<R: Ring>(book: &mut Book<'_, R>) {
    let mut memory = Memory::<R>::new();
    let mut conflict = Conflict::NONE;
    for alteration in alterations() {
        keep(Book::alter(
            black_box(book),
            a_handle(),
            alteration,
            memory.view(),
            black_box(&mut conflict),
        ));
    }
    keep(Book::split(
        black_box(book),
        a_handle(),
        a_slot(),
        memory.view(),
    ));

    let mut handles = Vec::<Handle, 4>::new();
    let handles: &mut VecView<Handle> = black_box(&mut handles);
    let series = black_box(Series {
        first: a_request(),
        period: a_span(),
        count: black_box(3),
        exceptions: black_box(&[1]),
    });
    let terms = black_box(Commitment::Held { ttl: a_span() });
    for policy in black_box(Policy::ALL) {
        keep(Book::reserve_series(
            black_box(book),
            &series,
            policy,
            terms,
            memory.view(),
            handles,
            black_box(&mut conflict),
        ));
    }
    keep(Book::cancel_all(
        black_box(book),
        black_box(&*handles).iter().copied(),
    ));
    let part = black_box(Part {
        offset: a_span(),
        duration: a_span(),
        pes: a_count(),
    });
    keep(Book::reserve_together(
        black_box(book),
        a_slot(),
        a_slot(),
        black_box(&[part, part]),
        terms,
        memory.view(),
        handles,
        black_box(&mut conflict),
    ));

    let mut obstacles = Vec::<Obstacle, 4>::new();
    let obstacles: &mut VecView<Obstacle> = black_box(&mut obstacles);
    keep(Book::explain(black_box(book), &a_request(), obstacles));
    Book::covering(black_box(book), a_window()).for_each(keep);

    each_step(book, &mut memory);
}

/// What a transaction does, each with one of unknown contents.
fn each_step<R: Ring>(book: &mut Book<'_, R>, memory: &mut Memory<R>) {
    let mut transaction = begin(book, memory);
    let steps = &mut transaction;
    keep(Transaction::now(black_box(steps)));
    keep(Transaction::work_left(black_box(steps)));
    keep(Transaction::logged(black_box(steps)));
    keep(Transaction::get(black_box(steps), a_handle()));
    if let Ok(pes) = Transaction::pes_of(black_box(steps), a_handle()) {
        pes.for_each(keep);
    }
    Transaction::covering(black_box(steps), a_window()).for_each(keep);
    keep(Transaction::lift(black_box(steps), a_handle()));
    keep(Transaction::place(
        black_box(steps),
        a_handle(),
        a_placement(),
    ));
    keep(Transaction::place_first_fit(
        black_box(steps),
        a_handle(),
        a_slot(),
    ));
    let savepoint = black_box(Transaction::savepoint(black_box(steps)));
    let terms = black_box(Commitment::Held { ttl: a_span() });
    keep(Transaction::insert(
        black_box(steps),
        &a_request(),
        a_slot(),
        terms,
    ));
    keep(Transaction::remove(black_box(steps), a_handle()));
    for alteration in alterations() {
        keep(Transaction::alter(black_box(steps), a_handle(), alteration));
    }
    keep(Transaction::split(black_box(steps), a_handle(), a_slot()));
    let handle = black_box(Some(a_handle()));
    keep(Transaction::conflict(
        black_box(steps),
        handle,
        &a_placement(),
    ));
    Transaction::moves(black_box(steps)).for_each(keep);
    let change = black_box(Move {
        handle: a_handle(),
        from: black_box(Some(a_placement())),
        to: black_box(Some(a_placement())),
    });
    keep(Transaction::apply(
        black_box(steps),
        black_box(&[change, change]),
    ));
    keep(Transaction::rollback_to(black_box(steps), savepoint));
    keep(Transaction::commit(transaction));

    let mut moves = Vec::<Move, 4>::new();
    let moves: &mut VecView<Move> = black_box(&mut moves);
    keep(Transaction::plan(begin(book, memory), moves));
    // Dropped, which puts everything back.
    keep(begin(book, memory));
}

/// A transaction of which nothing is known.
pub fn begin<'t, 'a, R: Ring>(
    book: &'t mut Book<'a, R>,
    memory: &'t mut Memory<R>,
) -> Transaction<'t, 'a, R> {
    black_box(Book::transaction(
        black_box(book),
        memory.view(),
        black_box(1_000),
    ))
}

/// What the workspace lies in.
pub struct Memory<R: Ring> {
    entries: [UndoEntry<<R::Part as SetPart>::Count>; 4],
    sets: [R::Part; 4],
    waiting: [Movable; 4],
}

impl<R: Ring> Memory<R> {
    pub fn new() -> Self {
        Self {
            entries: [UndoEntry::NONE; 4],
            sets: [R::Part::default(); 4],
            waiting: [Movable::NONE; 4],
        }
    }

    pub fn view(&mut self) -> Workspace<'_, R::Part> {
        let workspace = Workspace::new(
            black_box(self.entries.as_mut_slice()),
            black_box(self.sets.as_mut_slice()),
            black_box(self.waiting.as_mut_slice()),
        );
        keep(Workspace::capacity(&workspace));
        workspace
    }
}

/// One of each kind.
fn alterations() -> [Alteration; 6] {
    black_box([
        Alteration::Shift { start: a_slot() },
        Alteration::Extend { duration: a_span() },
        Alteration::Shorten { duration: a_span() },
        Alteration::Widen { pes: a_count() },
        Alteration::Narrow { pes: a_count() },
        Alteration::ChangeWindow {
            ready: a_slot(),
            deadline: a_slot(),
        },
    ])
}

/// Some placement, which need not make sense.
fn a_placement() -> Placement {
    black_box(Placement {
        start: a_slot(),
        duration: a_span(),
        pes: a_count(),
    })
}

/// Some number of processing elements.
fn a_count() -> PeCount {
    black_box(PeCount::new(black_box(3)))
}
