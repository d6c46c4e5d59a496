//! Overlays, and all else in a book with a layer for them.

use core::hint::black_box;

use bookahead::{
    Book, Commitment, Exponential, Guarantee, OverlayBook, OverlayPlan, OverlayView, Overlaying,
    PeCount, Plan, Policy, Probability, Run, RunTimeLaw, Span,
    raw::{BulkScan, NativeScan, OverlayParts},
};
use heapless::{Vec, VecView};

use crate::{
    books::{self, LateMemory, ROWS, SLOTS},
    keep, of_kept,
    risk::a_probability,
    values::{a_handle, a_request, a_span},
};

/// A book with late binding and overlays.
#[inline(never)]
pub fn every_operation() {
    let mut memory = OverlayMemory::default();
    if let Ok(book) = OverlayParts::init(
        memory.parts(),
        PeCount::new(black_box(8)),
        Span::new(black_box(48)),
    ) {
        books::every_operation(book);
    }
    if let Some(mut book) = OverlayParts::open(memory.parts()) {
        overlays(black_box(&mut book));
    }
    overlays(black_box(&mut OverlayParts::view(memory.parts())));
    books::every_operation(OverlayParts::view_with::<BulkScan>(memory.parts()));
    of_kept(OverlayParts::view(memory.parts()));
    of_kept(OverlayParts::view_with::<BulkScan>(memory.parts()));
    owned();
}

#[inline(never)]
fn overlays(book: &mut OverlayView<'_>) {
    let Some(law) = Exponential::new(black_box(3), black_box(40)) else {
        return;
    };
    let law = black_box(RunTimeLaw::Exponential(law));
    let overlaying = black_box(Overlaying {
        guarantee: Guarantee::Access,
        threshold: a_probability(),
        law,
    });
    let (mut predecessors, mut table) = (Vec::<Run<'_>, 4>::new(), [Probability::ZERO; 8]);
    let predecessors: &mut VecView<Run<'_>> = black_box(&mut predecessors);
    let planned = Book::plan_overlay(
        book,
        &a_request(),
        &overlaying,
        |_, _| black_box(law),
        predecessors,
        black_box(&mut table[..]),
    );
    if let Ok(plan) = &planned {
        let terms = black_box(Commitment::Held { ttl: a_span() });
        keep(Book::commit_overlay(book, plan, terms));
        keep(OverlayPlan::overlaid(plan));
        keep(OverlayPlan::plan(plan));
        keep(OverlayPlan::probability(plan));
    }
    if let Ok(plan) = Book::plan(book, &a_request(), black_box(Policy::FirstFit)) {
        let plan: Plan = black_box(plan);
        keep(OverlayPlan::new(
            plan,
            PeCount::new(black_box(2)),
            a_probability(),
        ));
    }
    keep(Book::overlaid(book, a_handle()));
    if let Ok(others) = Book::waits_for(book, a_handle()) {
        others.for_each(keep);
    }
}

#[inline(never)]
fn owned() {
    keep(OverlayBook::<2, 4, 8>::zeroed());
    let (pes, horizon) = (PeCount::new(black_box(4)), Span::new(black_box(100)));
    if let Ok(mut memory) = OverlayBook::<2, 4, 8>::new(pes, horizon) {
        keep(OverlayBook::view(black_box(&mut memory)));
        keep(OverlayBook::init(black_box(&mut memory), pes, horizon));
    }
    keep(bookahead::raw::overlay_book_bytes::<NativeScan>(
        black_box(100),
        black_box(4),
        black_box(8),
    ));
}

/// What such a book lies in.
struct OverlayMemory {
    book: LateMemory,
    firm: [u16; SLOTS],
    overlaid: [u16; SLOTS],
    of_row: [u16; ROWS],
    seen: u64,
}

impl Default for OverlayMemory {
    fn default() -> Self {
        Self {
            book: LateMemory::default(),
            firm: [0; SLOTS],
            overlaid: [0; SLOTS],
            of_row: [0; ROWS],
            seen: 0,
        }
    }
}

impl OverlayMemory {
    /// The arrays, of whose lengths nothing is known.
    fn parts(&mut self) -> OverlayParts<'_> {
        OverlayParts {
            book: self.book.parts(),
            firm: black_box(&mut self.firm[..]),
            overlaid: black_box(&mut self.overlaid[..]),
            of_row: black_box(&mut self.of_row[..]),
            seen: &mut self.seen,
        }
    }
}
