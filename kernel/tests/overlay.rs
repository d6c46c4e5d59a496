//! Overlays: what is accepted on top of others, and what becomes of it.

use bookahead::{
    BestEffortJob, Commitment, Discipline, Event, EventKind, Exponential, Flexibility, Freeze,
    Guarantee, Handle, JobQueue, OverlayBook, OverlayPlan, OverlayView, Overlaying, PeCount,
    Policy, Probability, Refusal, Request, Run, RunTimeLaw, Slot, Span, UsageError, Violation,
    raw::{
        BookState, CountParts, NativeScan, OverlayParts, Row, Scan, Timer, UndoEntry, Workspace,
    },
};

type Memory = OverlayBook<1, 4, 16>;

fn memory() -> Memory {
    Memory::new(PeCount::new(4), Span::new(64)).unwrap()
}

fn at(start: u64, duration: u32, pes: u16) -> Request {
    Request {
        ready: Slot::new(start),
        duration: Span::new(duration),
        deadline: Slot::new(start + u64::from(duration)),
        pes: PeCount::new(pes.into()),
    }
}

/// Jobs take 5 slots on average.
fn law() -> RunTimeLaw<'static> {
    RunTimeLaw::Exponential(Exponential::new(1, 5).unwrap())
}

fn plan(
    book: &OverlayView<'_>,
    request: &Request,
    threshold: u32,
) -> Result<OverlayPlan, bookahead::Error> {
    let overlaying = Overlaying {
        guarantee: Guarantee::Access,
        threshold: Probability::rounding_up(threshold, 100).unwrap(),
        law: law(),
    };
    let mut predecessors = heapless::Vec::<Run<'_>, 16>::new();
    let mut table = [Probability::ZERO; 4];
    book.plan_overlay(
        request,
        &overlaying,
        |_, _| law(),
        &mut predecessors,
        &mut table,
    )
}

fn overlay(book: &mut OverlayView<'_>, request: &Request) -> Handle {
    let plan = plan(book, request, 0).unwrap();
    let handle = book.commit_overlay(&plan, Commitment::Confirmed).unwrap();
    assert_eq!(book.check_invariants(), Ok(()));
    handle
}

fn firm(book: &mut OverlayView<'_>, request: &Request) -> Handle {
    book.reserve(request, Policy::FirstFit, Commitment::Confirmed)
        .unwrap()
        .handle
}

fn until(book: &mut OverlayView<'_>, slot: u64) -> Vec<(u64, EventKind, Handle)> {
    let mut seen = Vec::new();
    while let Some(Event {
        at, handle, kind, ..
    }) = book.next(Slot::new(slot)).unwrap()
    {
        assert_eq!(book.check_invariants(), Ok(()), "{kind:?}");
        seen.push((at.get(), kind, handle));
    }
    assert_eq!(book.check_invariants(), Ok(()));
    seen
}

#[test]
fn what_is_too_risky_is_refused() {
    let mut memory = memory();
    let mut book = memory.view();
    firm(&mut book, &at(0, 40, 4));
    let wanted = at(10, 5, 2);
    // 1 - 1/e^2 = 0.864...
    assert!(plan(&book, &wanted, 86).is_ok());
    assert_eq!(plan(&book, &wanted, 87), Err(Refusal::TooRisky.into()));
}

#[test]
fn newcomers_see_neither_what_is_booked_nor_what_is_overlaid() {
    let mut memory = memory();
    let mut book = memory.view();
    firm(&mut book, &at(0, 40, 2));
    let over = overlay(&mut book, &at(10, 10, 3));
    assert_eq!(book.overlaid(over).unwrap(), PeCount::new(1));
    let mut narrow = at(0, 15, 1);
    narrow.deadline = Slot::new(60);
    assert_eq!(
        book.reserve(&narrow, Policy::FirstFit, Commitment::Confirmed)
            .unwrap()
            .start,
        Slot::new(20)
    );
    book.cancel(over).unwrap();
    assert_eq!(
        book.reserve(&narrow, Policy::FirstFit, Commitment::Confirmed)
            .unwrap()
            .start,
        Slot::new(0)
    );
    assert_eq!(book.check_invariants(), Ok(()));
}

#[test]
fn a_late_overlay_says_whom_it_waits_for_and_starts_when_they_end() {
    let mut memory = memory();
    let mut book = memory.view();
    let first = firm(&mut book, &at(0, 40, 4));
    let over = overlay(&mut book, &at(10, 10, 2));
    assert_eq!(
        until(&mut book, 12),
        [
            (0, EventKind::Started, first),
            (10, EventKind::LateStart, over)
        ]
    );
    assert!(book.waits_for(over).unwrap().eq([first]));
    assert_eq!(book.get(over).unwrap().window.start, Slot::new(13));
    book.complete(first, Slot::new(15)).unwrap();
    assert_eq!(
        until(&mut book, 19),
        [
            (15, EventKind::Completed, first),
            (15, EventKind::OverlayBooked, over),
            (15, EventKind::Started, over),
        ]
    );
    assert_eq!(until(&mut book, 20), [(20, EventKind::EndReached, over)]);
}

#[test]
fn a_queued_job_starts_in_the_slot_that_a_late_overlay_leaves() {
    let mut memory = memory();
    let mut book = memory.view();
    let mut jobs = JobQueue::<4>::new(Discipline::Fcfs);
    let mut queue = jobs.view();
    firm(&mut book, &at(0, 20, 2));
    overlay(&mut book, &at(10, 10, 3));
    let job = BestEffortJob {
        estimate: Span::new(1),
        pes: PeCount::new(2),
    };
    for now in [10, 13] {
        let at = Slot::new(now);
        // The overlay has told that it is late, or waits in silence.
        while queue.next(&mut book, at).unwrap().is_some() {}
        queue.submit(&mut book, &job).unwrap();
        queue.submit(&mut book, &job).unwrap();
        let mut starts = Vec::new();
        while let Some(event) = queue.next(&mut book, Slot::new(now + 1)).unwrap() {
            let started = event.kind == EventKind::BestEffortStarted;
            starts.extend(started.then_some(event.at.get()));
        }
        assert_eq!(starts, [now, now + 1]);
    }
}

#[test]
fn an_overlay_that_waits_in_vain_is_missed() {
    let mut memory = memory();
    let mut book = memory.view();
    firm(&mut book, &at(0, 40, 4));
    let over = overlay(&mut book, &at(10, 3, 2));
    assert_eq!(
        until(&mut book, 12)[1..],
        [(10, EventKind::LateStart, over)]
    );
    assert_eq!(until(&mut book, 20), [(13, EventKind::Missed, over)]);
}

#[test]
fn firm_starts_and_earlier_overlays_stop_later_ones() {
    let mut memory = memory();
    let mut book = memory.view();
    let first = firm(&mut book, &at(0, 40, 4));
    let early = overlay(&mut book, &at(20, 10, 4));
    let late = overlay(&mut book, &at(10, 30, 1));
    assert_eq!(until(&mut book, 1), [(0, EventKind::Started, first)]);
    book.complete(first, Slot::new(2)).unwrap();
    // The room is the first overlay's; what is left of it becomes the second's.
    assert_eq!(
        until(&mut book, 25),
        [
            (1, EventKind::OverlayBooked, early),
            (2, EventKind::Completed, first),
            (10, EventKind::Started, late),
            (20, EventKind::CutShort, late),
            (20, EventKind::Started, early)
        ]
    );
}

#[test]
fn those_that_an_overlay_covers_are_pinned() {
    let mut memory = memory();
    let mut book = memory.view();
    let first = firm(&mut book, &at(0, 40, 4));
    let over = overlay(&mut book, &at(10, 10, 2));
    let mut workspace = bookahead::CountWorkspace::<4, 0>::new();
    for handle in [first, over] {
        let mut transaction = book.transaction(workspace.view(), u64::MAX);
        assert_eq!(transaction.lift(handle), Err(Refusal::Pinned.into()));
    }
    let mut transaction = book.transaction(workspace.view(), u64::MAX);
    transaction.remove(over).unwrap();
    transaction.lift(first).unwrap();
    drop(transaction);
    assert_eq!(book.check_invariants(), Ok(()));
    assert_eq!(book.overlaid(over).unwrap(), PeCount::new(2));
}

const HELD: Commitment = Commitment::Held { ttl: Span::new(5) };

#[test]
fn an_overlay_is_not_flexible() {
    let mut memory = memory();
    let mut book = memory.view();
    firm(&mut book, &at(0, 40, 4));
    let over = plan(&book, &at(10, 10, 2), 0).unwrap();
    let flexible = Commitment::Flexible {
        kind: Flexibility::Interval,
        freeze: Freeze::Never,
    };
    let version = book.version();
    assert_eq!(
        book.commit_overlay(&over, flexible),
        Err(UsageError::FlexibleOverlay.into())
    );
    assert_eq!((book.version(), book.len()), (version, 1));
    assert!(book.commit_overlay(&over, Commitment::Confirmed).is_ok());
}

#[test]
fn a_hold_may_be_an_overlay() {
    let mut memory = memory();
    let mut book = memory.view();
    firm(&mut book, &at(0, 40, 4));
    let held = plan(&book, &at(10, 10, 2), 0).unwrap();
    let one = book.commit_overlay(&held, HELD).unwrap();
    let held = plan(&book, &at(10, 10, 2), 0).unwrap();
    let other = book.commit_overlay(&held, HELD).unwrap();
    book.confirm(one).unwrap();
    let events = until(&mut book, 10);
    assert_eq!(
        events[1..],
        [
            (5, EventKind::Expired, other),
            (10, EventKind::LateStart, one)
        ]
    );
}

/// What a book with overlays consists of, for 4 processing elements and 48 of 64 slots.
struct Arrays {
    state: BookState,
    rows: [Row; 4],
    starts: [u32; 64],
    timers: [Timer; 4],
    busy: [u16; 64],
    summaries: [u16; NativeScan::SUMMARIES],
    change: [u32; 2],
    release: [u32; 2],
    owner: [u32; 4],
    firm: [u16; 64],
    overlaid: [u16; 64],
    of_row: [u16; 4],
    seen: u64,
}

impl Arrays {
    fn new() -> Self {
        Self {
            state: BookState::default(),
            rows: [Row::VACANT; 4],
            starts: [0; 64],
            timers: [Timer::NONE; 4],
            busy: [0; 64],
            summaries: [0; NativeScan::SUMMARIES],
            change: [0; 2],
            release: [0; 2],
            owner: [0; 4],
            firm: [0; 64],
            overlaid: [0; 64],
            of_row: [0; 4],
            seen: 0,
        }
    }

    fn parts(&mut self) -> OverlayParts<'_> {
        OverlayParts {
            book: CountParts {
                state: &mut self.state,
                rows: &mut self.rows,
                starts: &mut self.starts,
                timers: &mut self.timers,
                busy: &mut self.busy,
                summaries: &mut self.summaries,
                change: &mut self.change,
                release: &mut self.release,
                owner: &mut self.owner,
            },
            firm: &mut self.firm,
            overlaid: &mut self.overlaid,
            of_row: &mut self.of_row,
            seen: &mut self.seen,
        }
    }
}

/// What the checker says of a book with an overlay after some damage.
fn checked(damage: impl FnOnce(OverlayParts<'_>)) -> Result<(), Violation> {
    let mut arrays = Arrays::new();
    let mut book = arrays.parts().init(PeCount::new(4), Span::new(48)).unwrap();
    firm(&mut book, &at(0, 40, 4));
    overlay(&mut book, &at(10, 10, 2));
    damage(arrays.parts());
    arrays.parts().open().unwrap().check_invariants()
}

#[test]
fn damage_to_the_layers_is_noticed() {
    assert_eq!(checked(|_| ()), Ok(()));
    let occupancy = Err(Violation::Occupancy);
    assert_eq!(checked(|parts| parts.firm[12] -= 1), occupancy);
    assert_eq!(checked(|parts| parts.overlaid[12] += 1), occupancy);
    assert_eq!(checked(|parts| parts.overlaid[60] = 1), occupancy);
    let overlay = Err(Violation::Overlay);
    assert_eq!(checked(|parts| parts.of_row[3] = 1), overlay, "vacant");
    assert_eq!(
        checked(|parts| parts.of_row[0] = 1),
        overlay,
        "not so booked"
    );
    assert_eq!(
        checked(|parts| parts.of_row[1] = 0),
        overlay,
        "not overlaid"
    );
    assert_eq!(checked(|parts| parts.book.busy[12] = 3), overlay, "shown");
    assert_eq!(
        checked(|parts| parts.book.summaries[0] = 5),
        Err(Violation::Summary)
    );
    assert_eq!(
        checked(|parts| parts.book.change[0] ^= 4),
        Err(Violation::Edge)
    );
}

#[test]
fn arrays_of_other_lengths_are_refused() {
    let mut arrays = Arrays::new();
    let mut of_row = [0; 3];
    let parts = OverlayParts {
        of_row: &mut of_row,
        ..arrays.parts()
    };
    assert!(parts.init(PeCount::new(4), Span::new(48)).is_err());
    let mut firm = [0; 128];
    let parts = OverlayParts {
        firm: &mut firm,
        ..arrays.parts()
    };
    assert!(parts.open().is_none());
}

/// An overlay that runs beside another that waits for more covers no slot any more at the end of its window, and is not to be altered all the same.
#[test]
fn an_overlay_that_is_about_to_end_is_still_pinned() {
    let mut memory = memory();
    let mut book = memory.view();
    firm(&mut book, &at(0, 40, 1));
    let beside = firm(&mut book, &at(5, 3, 1));
    overlay(&mut book, &at(7, 5, 4));
    let runs = overlay(&mut book, &at(5, 3, 1));
    until(&mut book, 7);
    assert_eq!(book.overlaid(runs), Ok(PeCount::new(1)));
    // The first of two that end in the same slot.
    let ended = book.next(Slot::new(8)).unwrap().map(|event| event.handle);
    assert_eq!((ended, book.now()), (Some(beside), Slot::new(8)));
    let mut entries = [UndoEntry::default(); 8];
    let mut transaction = book.transaction(Workspace::new(&mut entries, &mut [], &mut []), 1_000);
    assert_eq!(transaction.lift(runs), Err(Refusal::Pinned.into()));
}
