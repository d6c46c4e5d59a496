//! Flexible reservations: what moves when, as the claims of `netto` say.

use bookahead::{
    Admission, AfterFailure, Alternative, Behind, Book, Commitment, CountBook, CountWorkspace,
    Error, Flexibility, Freeze, Handle, Juggling, Order, PeCount, Policy, Refusal, Request, Sides,
    Slot, Span, Suggesting, raw::Ring,
};
use heapless::Vec;

const RULES: Juggling<'_> = Juggling::by(Order::EarliestDeadline);

fn ask(ready: u64, duration: u32, deadline: u64, pes: u16) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(duration),
        deadline: Slot::new(deadline),
        pes: PeCount::new(pes.into()),
    }
}

const fn flexible(freeze: Freeze) -> Commitment {
    let kind = Flexibility::Interval;
    Commitment::Flexible { kind, freeze }
}

/// Books at the earliest start, and moves nobody.
fn book<R: Ring>(book: &mut Book<'_, R>, request: &Request, terms: Commitment) -> Handle {
    let plan = book.plan(request, Policy::FirstFit).unwrap();
    book.commit(&plan, terms).unwrap()
}

/// A request by the rules, with enough memory; its start.
fn juggle<R: Ring<Part = ()>>(
    book: &mut Book<'_, R>,
    request: &Request,
    rules: &Juggling<'_>,
) -> Result<u64, Error> {
    let mut workspace = CountWorkspace::<8, 8>::new();
    let terms = flexible(Freeze::Never);
    let booking = book.juggle(request, terms, rules, workspace.view())?;
    Ok(booking.start.get())
}

fn start<R: Ring>(book: &Book<'_, R>, handle: Handle) -> u64 {
    book.get(handle).unwrap().window.start.get()
}

/// Claim 2.15: where another reservation finds no room any more, all up to it return to where they were, and the
/// newcomer is placed behind it; or it is refused at once, as printed.
#[test]
fn the_queue_is_fixed() {
    let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(40)).unwrap();
    let mut view = memory.view();
    let tight = book(&mut view, &ask(0, 5, 5, 3), flexible(Freeze::Never));
    let small = book(&mut view, &ask(0, 5, 20, 1), flexible(Freeze::Never));
    // The largest comes first, and takes the room of both.
    let retry = Juggling {
        admission: Admission::Always,
        ..Juggling::by(Order::BiggestFirst)
    };
    let printed = Juggling {
        after_failure: AfterFailure::Refuse,
        ..retry
    };
    let newcomer = ask(0, 6, 12, 4);
    let version = view.version();
    let refused = juggle(&mut view, &newcomer, &printed);
    assert_eq!(
        (refused, view.version()),
        (Err(Refusal::NoRoom.into()), version)
    );
    assert_eq!(juggle(&mut view, &newcomer, &retry), Ok(5));
    assert_eq!([start(&view, tight), start(&view, small)], [0, 0]);
}

/// Claims 2.16 and 2.19: windows just before and just behind what is in the way, by increasing shift.
#[test]
fn alternatives_lie_before_and_behind() {
    let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(60)).unwrap();
    let mut view = memory.view();
    let mut workspace = CountWorkspace::<8, 8>::new();
    // From 10 to 16, because until 10 it is not alone; its deadline is 40.
    let before = book(&mut view, &ask(8, 2, 10, 3), Commitment::Confirmed);
    book(&mut view, &ask(8, 6, 40, 3), Commitment::Confirmed);
    view.cancel(before).unwrap();
    let newcomer = ask(9, 4, 15, 2);
    let mut look = |wanted: Suggesting| {
        let mut found = Vec::<Alternative, 4>::new();
        let terms = Commitment::Confirmed;
        let log = workspace.view();
        let searched = view.alternatives(&newcomer, terms, &RULES, &wanted, log, &mut found);
        let shifts = found.iter().map(|found| (found.shift, found.start.get()));
        (searched.unwrap().tried, shifts.collect::<Vec<_, 4>>())
    };
    let (tried, found) = look(Suggesting::ALL);
    assert_eq!((tried, &found[..]), (2, &[(-5, 4), (31, 40)][..]));
    let behind = Behind::End;
    let (_, found) = look(Suggesting {
        behind,
        ..Suggesting::ALL
    });
    assert_eq!(found, [(-5, 4), (7, 16)]);
    let sides = Sides::Before;
    let (tried, found) = look(Suggesting {
        sides,
        ..Suggesting::ALL
    });
    assert_eq!((tried, &found[..]), (1, &[(-5, 4)][..]));
    // Five slots are 125 % of the duration.
    for (max_percent, tried) in [(124, 0), (125, 1)] {
        let wanted = Suggesting {
            max_percent,
            ..Suggesting::ALL
        };
        assert_eq!(look(wanted).0, tried);
    }
}

/// Claim 2.17: time flexibility counts from the planned start, and from `now` for what has a deadline only.
#[test]
fn time_flexibility_decides_who_moves() {
    for (kind, starts) in [
        (Flexibility::Interval, [5, 10]),
        (Flexibility::Deadline, [10, 5]),
    ] {
        let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(40)).unwrap();
        let mut view = memory.view();
        let freeze = Freeze::Never;
        let terms = Commitment::Flexible { kind, freeze };
        // Of this one, 20 slots are left, or 25.
        let waiting = book(&mut view, &ask(5, 5, 30, 4), terms);
        let rules = Juggling {
            admission: Admission::Always,
            ..Juggling::by(Order::LeastFlexible)
        };
        // Of the newcomer, 22.
        let newcomer = juggle(&mut view, &ask(5, 5, 32, 4), &rules).unwrap();
        assert_eq!([start(&view, waiting), newcomer], starts, "{kind:?}");
    }
}

/// Claim 2.18: everything is placed between its ready time, or the present, and its deadline.
#[test]
fn reservations_stay_in_their_windows() {
    let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(40)).unwrap();
    let mut view = memory.view();
    let waiting = book(&mut view, &ask(6, 4, 14, 4), flexible(Freeze::Never));
    assert_eq!(view.next(Slot::new(5)), Ok(None));
    assert_eq!(juggle(&mut view, &ask(6, 4, 10, 4), &RULES), Ok(6));
    assert_eq!(start(&view, waiting), 10, "as late as it may");
    let again = juggle(&mut view, &ask(8, 4, 13, 4), &RULES);
    assert_eq!(again, Err(Refusal::NoRoom.into()));
    // Not before the slot that the caller names, although it could start earlier.
    view.cancel(waiting).unwrap();
    let patient = book(&mut view, &ask(6, 4, 39, 4), flexible(Freeze::Never));
    assert_eq!(start(&view, patient), 10);
    let rules = Juggling {
        earliest: Slot::new(12),
        ..RULES
    };
    let mut workspace = CountWorkspace::<8, 8>::new();
    let fixed = view.iter().find(|(handle, _)| *handle != patient).unwrap();
    view.freeze(fixed.0).unwrap();
    view.replan(&rules, workspace.view()).unwrap();
    assert_eq!(start(&view, patient), 12);
}
