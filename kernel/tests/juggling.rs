//! Flexible reservations: how their starts become fixed, and what moves when.

use bookahead::{
    Admission, AfterFailure, Alternative, Behind, Book, Booking, Commitment, CountBook,
    CountWorkspace, Error, Event, EventKind, Flexibility, Freeze, Handle, Juggling, Order, PeBook,
    PeCount, PeWorkspace, Policy, Refusal, Request, Sides, Slot, Span, Suggesting, Transaction,
    UsageError, raw::Ring,
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

/// Events: when, what, and to which reservation.
type Told = Vec<(u64, EventKind, Handle), 32>;

/// What happens up to a slot.
fn until<R: Ring>(book: &mut Book<'_, R>, to: u64) -> Told {
    let mut events = Vec::<Event, 32>::new();
    let _ = book.advance(Slot::new(to), &mut events).unwrap();
    let told = events.iter();
    told.map(|event| (event.at.get(), event.kind, event.handle))
        .collect()
}

#[test]
fn starts_become_fixed_when_the_terms_say() {
    let per_mille = |per_mille| Freeze::Share { per_mille };
    let lead = |lead| Freeze::Lead {
        lead: Span::new(lead),
    };
    // Booked in slot 3 for slot 13: ten slots of waiting.
    for (freeze, fixed) in [
        (Freeze::Never, None),
        (Freeze::Acceptance, Some(3)),
        (per_mille(0), Some(3)),
        (per_mille(1), Some(4)),
        (per_mille(250), Some(6)),
        (per_mille(500), Some(8)),
        (per_mille(900), Some(12)),
        // At its start, the start says it all.
        (per_mille(901), None),
        (per_mille(1_000), None),
        (per_mille(u16::MAX), None),
        (lead(0), None),
        (lead(1), Some(12)),
        (lead(10), Some(3)),
        (lead(u32::MAX), Some(3)),
    ] {
        let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(40)).unwrap();
        let mut view = memory.view();
        until(&mut view, 3);
        let handle = book(&mut view, &ask(13, 5, 30, 2), flexible(freeze));
        for slot in 3..13 {
            let told = until(&mut view, slot);
            let due = fixed.is_some_and(|fixed| slot >= fixed);
            assert_eq!(view.is_frozen(handle), Ok(due), "{freeze:?} at {slot}");
            let expected = if Some(slot) == fixed {
                &[(slot, EventKind::StartFixed, handle)][..]
            } else {
                &[]
            };
            assert_eq!(told, expected, "{freeze:?}");
            assert_eq!(view.check_invariants(), Ok(()));
        }
        let started = (13, EventKind::Started, handle);
        assert_eq!(until(&mut view, 13), [started], "{freeze:?}");
        assert_eq!(view.is_frozen(handle), Ok(true), "it runs");
    }
}

#[test]
fn one_jump_reports_what_many_steps_do() {
    let mut told: [Told; 2] = [Vec::new(), Vec::new()];
    for (steps, told) in [1, 15].into_iter().zip(&mut told) {
        let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(40)).unwrap();
        let mut view = memory.view();
        // All in slot 10: an end, a hold that expires, a start that is fixed, a start.
        book(&mut view, &ask(5, 5, 10, 1), Commitment::Confirmed);
        let fixed = Freeze::Lead { lead: Span::new(2) };
        book(&mut view, &ask(12, 9, 30, 1), flexible(fixed));
        book(&mut view, &ask(10, 20, 30, 1), Commitment::Confirmed);
        let ttl = Span::new(10);
        book(&mut view, &ask(15, 5, 30, 1), Commitment::Held { ttl });
        told.extend(until(&mut view, 5));
        for step in 1..=steps {
            told.extend(until(&mut view, 5 + step * 15 / steps));
        }
    }
    assert_eq!(told[0], told[1]);
    let kinds: Vec<_, 8> = told[0]
        .iter()
        .filter(|(at, ..)| *at == 10)
        .map(|(_, kind, _)| *kind)
        .collect();
    use EventKind::{EndReached, Expired, StartFixed, Started};
    assert_eq!(kinds, [EndReached, Expired, StartFixed, Started]);
}

/// Moved so that the slot in which it would have been fixed has passed, a start is fixed at once, and for good.
#[test]
fn a_move_may_fix_a_start() {
    let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(40)).unwrap();
    let mut view = memory.view();
    let half = flexible(Freeze::Share { per_mille: 500 });
    // It waits behind another, until 20, and is fixed at 10.
    let first = book(&mut view, &ask(6, 14, 20, 4), Commitment::Confirmed);
    let moved = book(&mut view, &ask(6, 5, 40, 4), half);
    assert_eq!(until(&mut view, 5), []);
    view.cancel(first).unwrap();
    let mut workspace = CountWorkspace::<8, 8>::new();
    view.replan(&RULES, workspace.view()).unwrap();
    // From 6 on: half of that has passed in slot 3.
    assert_eq!(view.get(moved).unwrap().window.start, Slot::new(6));
    assert_eq!(view.is_frozen(moved), Ok(true));
    assert_eq!(until(&mut view, 5), [(5, EventKind::StartFixed, moved)]);
    let refused = view.juggle(&ask(6, 5, 11, 4), half, &RULES, workspace.view());
    assert_eq!(
        refused,
        Err(Refusal::NoRoom.into()),
        "it is not moved again"
    );
    assert_eq!(until(&mut view, 6), [(6, EventKind::Started, moved)]);
}

#[test]
fn freezing_is_once_and_for_good() {
    let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(40)).unwrap();
    let mut view = memory.view();
    let handle = book(&mut view, &ask(5, 5, 30, 4), flexible(Freeze::Never));
    let version = view.version();
    view.freeze(handle).unwrap();
    assert_ne!(view.version(), version, "a plan must not move it any more");
    let version = view.version();
    view.freeze(handle).unwrap();
    assert_eq!(view.version(), version, "once is enough");
    let mut workspace = CountWorkspace::<8, 8>::new();
    let urgent = ask(5, 5, 10, 4);
    let refused = view.juggle(&urgent, flexible(Freeze::Never), &RULES, workspace.view());
    assert_eq!(refused, Err(Refusal::NoRoom.into()));
    assert_eq!(until(&mut view, 4), [(0, EventKind::StartFixed, handle)]);
    assert_eq!(until(&mut view, 5), [(5, EventKind::Started, handle)]);
    view.cancel(handle).unwrap();
    let stale: Error = UsageError::StaleHandle.into();
    assert_eq!(view.freeze(handle), Err(stale));
    assert_eq!(view.is_frozen(handle), Err(stale));
}

/// A transaction in which somebody else has lifted one, which stays lifted.
fn juggle_around<R: Ring>(
    mut transaction: Transaction<'_, '_, R>,
    lifted: Handle,
    request: &Request,
) -> Result<Booking, Error> {
    let place = transaction.lift(lifted)?;
    let booking = transaction.juggle(request, Commitment::Confirmed, &RULES)?;
    assert_eq!(
        transaction.place(lifted, place),
        Err(Refusal::NoRoom.into())
    );
    transaction.place_first_fit(lifted, Slot::new(0))?;
    transaction.commit()?;
    Ok(booking)
}

#[test]
fn what_the_caller_has_lifted_is_the_callers() {
    let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(40)).unwrap();
    let mut view = memory.view();
    let lifted = book(&mut view, &ask(5, 5, 30, 4), flexible(Freeze::Never));
    let other = book(&mut view, &ask(5, 5, 30, 4), flexible(Freeze::Never));
    let mut workspace = CountWorkspace::<8, 8>::new();
    let transaction = view.transaction(workspace.view(), u64::MAX);
    let booking = juggle_around(transaction, lifted, &ask(5, 5, 10, 4)).unwrap();
    let starts = [booking.handle, other, lifted].map(|handle| {
        let known = view.get(handle).unwrap();
        known.window.start.get()
    });
    assert_eq!(starts, [5, 10, 15]);
}

/// With early binding, a reservation that keeps its time may get other processing elements, and the plan says so.
#[test]
fn a_plan_lists_who_gets_other_pes() {
    let mut memory = PeBook::<u32, 1, 1, 8>::new(PeCount::new(4), Span::new(40)).unwrap();
    let mut view = memory.view();
    let wide = book(&mut view, &ask(5, 5, 30, 2), flexible(Freeze::Never));
    let mut workspace = PeWorkspace::<u32, 1, 8, 8>::new();
    let mut transaction = view.transaction(workspace.view(), u64::MAX);
    let always = Juggling {
        admission: Admission::Always,
        ..RULES
    };
    let urgent = ask(5, 5, 10, 2);
    transaction
        .juggle(&urgent, Commitment::Confirmed, &always)
        .unwrap();
    let change = transaction.moves().find(|change| change.handle == wide);
    let change = change.expect("the newcomer takes the lowest ones");
    assert_eq!(change.from, change.to);
    transaction.commit().unwrap();
    let pes: Vec<_, 4> = view.pes_of(wide).unwrap().map(|pe| pe.get()).collect();
    assert_eq!(pes, [2, 3]);
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
    until(&mut view, 5);
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
