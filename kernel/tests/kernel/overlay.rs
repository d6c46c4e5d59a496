//! Books with overlays: the checker, arrays that make none, and what no overlay is.

use bookahead::{
    Commitment, EventKind, Exponential, Flexibility, Freeze, Guarantee, OverlayPlan, OverlayView,
    Overlaying, PeCount, Policy, Probability, Request, RunTimeLaw, Slot, Span, UsageError,
    Violation,
    raw::{BookState, CountParts, NativeScan, OverlayParts, Row, Scan, Timer},
};

fn at(start: u64, duration: u32, pes: u16) -> Request {
    Request {
        ready: Slot::new(start),
        duration: Span::new(duration),
        deadline: Slot::new(start + u64::from(duration)),
        pes: PeCount::new(pes.into()),
    }
}

/// A plan on top of others, however probable it is that they end early.
fn plan(book: &OverlayView<'_>, request: &Request) -> OverlayPlan {
    let law = RunTimeLaw::Exponential(Exponential::new(1, 5).unwrap());
    let overlaying = Overlaying {
        guarantee: Guarantee::Access,
        threshold: Probability::ZERO,
        law,
    };
    let mut predecessors = heapless::Vec::<_, 4>::new();
    let mut table = [Probability::ZERO; 4];
    book.plan_overlay(
        request,
        &overlaying,
        |_, _| law,
        &mut predecessors,
        &mut table,
    )
    .unwrap()
}

fn firm(book: &mut OverlayView<'_>, request: &Request) {
    let booked = book.reserve(request, Policy::FirstFit, Commitment::Confirmed);
    assert!(booked.is_ok());
}

#[test]
fn an_overlay_is_not_flexible() {
    let mut arrays = Arrays::new();
    let mut book = arrays.parts().init(PeCount::new(4), Span::new(48)).unwrap();
    firm(&mut book, &at(0, 40, 4));
    let over = plan(&book, &at(10, 10, 2));
    let flexible = Commitment::Flexible {
        kind: Flexibility::Interval,
        freeze: Freeze::Never,
    };
    let version = book.version();
    let refused = book.commit_overlay(&over, flexible);
    assert_eq!(refused, Err(UsageError::FlexibleOverlay.into()));
    assert_eq!((book.version(), book.len()), (version, 1));
    assert!(book.commit_overlay(&over, Commitment::Confirmed).is_ok());
}

/// On a ring of one slot, what is late to its end lies behind the ring, and is there all the same.
#[test]
fn an_overlay_that_is_late_to_its_end_is_listed() {
    let mut arrays = Arrays::new();
    let mut book = arrays.parts().init(PeCount::new(1), Span::new(1)).unwrap();
    firm(&mut book, &at(0, 1, 1));
    let over = plan(&book, &at(0, 1, 1));
    let late = book.commit_overlay(&over, Commitment::Confirmed).unwrap();
    let next = |book: &mut OverlayView<'_>| book.next(Slot::new(0)).unwrap();
    assert_eq!(next(&mut book).unwrap().kind, EventKind::Started);
    assert_eq!(next(&mut book).unwrap().kind, EventKind::LateStart);
    let listed: Vec<_> = book.iter().map(|(handle, _)| handle).collect();
    assert_eq!((listed.len(), listed[1]), (2, late));
    assert!(book.starting_at(Slot::new(1)).eq([late]));
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
    let over = plan(&book, &at(10, 10, 2));
    assert!(book.commit_overlay(&over, Commitment::Confirmed).is_ok());
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
