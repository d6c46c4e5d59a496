//! Operations on a book with a queue and without a twin: nothing but panics and broken invariants counts.

use std::hint::black_box;

use bookahead::{
    Admission, Advanced, AfterFailure, Alteration, Alternative, Behind, Book, Commitment, Conflict,
    Error, Event, EventKind, Handle, Insertion, Juggling, Money, MouldableRequest, Movable, Move,
    Obstacle, Offer, Order, PeCount, Placement, Plan, Policy, PriceTerms, Queue, Request,
    Reservation, Series, Shifting, Sides, Slot, Span, Suggesting, Take, Tariff, Ticket,
    Transaction, Window,
    raw::{Ring, UndoEntry, UndoLog},
};
use bookahead_oracle::{
    Ask, Change, Disturbance, Finish, Hop, Inquiry, Juggle, Moulding, Operation, Pick, Script,
    Share, Shift, Spot, Step, Taking, Terms, Verb, commitment, later, policy, window,
};
use heapless::VecView;

/// A book's handles so far, live or not.
pub type Handles = Vec<Handle>;

/// Calls what `operation` says, as far as it says anything without a twin: offers are taken as they were made.
pub fn operate<R: Ring>(
    book: &mut Book<'_, R>,
    queue: &mut Queue<'_>,
    operation: &Operation,
    handles: &mut Handles,
) {
    match *operation {
        Operation::Reserve(ask) => {
            let booking = book.reserve(
                &ask.request(book.now()),
                policy(ask.policy),
                Commitment::Confirmed,
            );
            handles.extend(booking.map(|booking| booking.handle));
        }
        Operation::Hold { ask, ttl } => {
            let request = ask.request(book.now());
            let booking = book.reserve(
                &request,
                policy(ask.policy),
                Commitment::Held {
                    ttl: Span::new(ttl),
                },
            );
            handles.extend(booking.map(|booking| booking.handle));
        }
        // Only the target with a twin has books with a layer for that.
        Operation::Overlay { .. } => (),
        Operation::Act(pick, verb) => act(book, pick, verb, handles),
        Operation::Advance { by, .. } => {
            let to = book.now().saturating_add(Span::new(by.into()));
            advance(handles, |events| book.advance(to, events));
        }
        Operation::Query(inquiry) => {
            offers(book, inquiry);
        }
        Operation::QueryAccept {
            inquiry,
            taking,
            between,
            ..
        } => {
            let offers = offers(book, inquiry);
            if let Disturbance::Act(pick, verb) = between {
                act(book, pick, verb, handles);
            }
            handles.extend(accept(book, &offers, taking));
        }
        Operation::Submit(submission) => {
            let _ = queue.submit(book, &submission.job());
        }
        Operation::Withdraw(pick) => {
            let number = match pick {
                Pick::Live(nth) | Pick::Ended(nth) | Pick::Lifted(nth) => nth.into(),
                Pick::Never => u32::MAX,
            };
            if let Some(ticket) = Ticket::from_number(number) {
                let _ = queue.withdraw(ticket);
            }
        }
        Operation::AdvanceQueue { by, .. } => {
            let to = book.now().saturating_add(Span::new(by.into()));
            advance(handles, |events| queue.advance(book, to, events));
        }
        Operation::PlanCommit { ask, ttl, between } => {
            let Ok(plan) = book.plan(&ask.request(book.now()), policy(ask.policy)) else {
                return;
            };
            if let Disturbance::Act(pick, verb) = between {
                act(book, pick, verb, handles);
            }
            handles.extend(book.commit(&plan, commitment(ttl)));
        }
        Operation::Mould {
            moulding,
            ttl,
            between,
        } => {
            let Some(plan) = mould(book, &moulding) else {
                return;
            };
            if let Disturbance::Act(pick, verb) = between {
                act(book, pick, verb, handles);
            }
            handles.extend(book.commit(&plan, commitment(ttl)));
        }
        Operation::ReserveAt {
            ready,
            duration,
            deadline,
            pes,
            policy: index,
        } => {
            let request = Request {
                ready: Slot::new(ready),
                duration: Span::new(duration),
                deadline: Slot::new(deadline),
                pes: PeCount::new(pes),
            };
            let booking = book.reserve(&request, policy(index), Commitment::Confirmed);
            handles.extend(booking.map(|booking| booking.handle));
        }
        Operation::AdvanceTo { to, .. } => {
            advance(handles, |events| book.advance(Slot::new(to), events));
        }
        Operation::Next { by, most } => {
            let to = book.now().saturating_add(Span::new(by.into()));
            for _ in 0..most {
                if !matches!(book.next(to), Ok(Some(_))) {
                    break;
                }
            }
        }
        Operation::NextOfQueue { by, most } => {
            let to = book.now().saturating_add(Span::new(by.into()));
            for _ in 0..most {
                match queue.next(book, to) {
                    Ok(Some(event)) => handles.push(event.handle),
                    _ => break,
                }
            }
        }
        Operation::Restore(incarnation) => {
            book.set_incarnation(incarnation.into());
            queue.set_incarnation(incarnation.into());
        }
        Operation::Explain { ask, .. } => explain(book, ask),
        Operation::Covering { lead, length } => {
            black_box(book.covering(window(book.now(), lead, length)).count());
        }
        Operation::Juggle { .. } | Operation::Replan(_) | Operation::Alternatives { .. } => {
            juggle(book, operation, handles);
        }
        Operation::Shift { ask, terms, how } => shift(book, (ask, terms), how, handles),
        Operation::Alter { .. }
        | Operation::Split { .. }
        | Operation::Transaction(_)
        | Operation::Series { .. }
        | Operation::CancelAll { .. }
        | Operation::Together { .. } => change(book, operation, handles),
    }
}

/// Calls what changes several reservations, or what was accepted.
fn change<R: Ring>(book: &mut Book<'_, R>, operation: &Operation, handles: &mut Handles) {
    let mut undo = Undo::<R>::default();
    let mut conflict = Conflict::NONE;
    let mut made = heapless::Vec::<Handle, 8>::new();
    // Refused or not, the book is sound.
    match *operation {
        Operation::Alter { pick, change, log } => {
            let handle = picked(pick, handles);
            if let Ok(known) = book.get(handle) {
                let alteration = alteration(&known, change, book.now());
                let _ = book.alter(handle, alteration, undo.log(log), &mut conflict);
            }
        }
        Operation::Split { pick, after, log } => {
            let handle = picked(pick, handles);
            if let Ok(known) = book.get(handle) {
                let at = later(known.window.start, after);
                handles.extend(book.split(handle, at, undo.log(log)));
            }
        }
        Operation::Transaction(script) => transact(book, &script, handles),
        Operation::Series {
            ask,
            ttl,
            period,
            count,
            without,
            log,
            ..
        } => {
            let without = without.map(u32::from);
            let series = Series {
                first: ask.request(book.now()),
                period: Span::new(period.into()),
                count: (count % 16).into(),
                exceptions: &without,
            };
            let (policy, log) = (policy(ask.policy), undo.log(log));
            let _ = book.reserve_series(
                &series,
                policy,
                commitment(ttl),
                log,
                &mut made,
                &mut conflict,
            );
        }
        Operation::CancelAll { picks, length } => {
            let all = picks.map(|pick| picked(pick, handles));
            let some = usize::from(length) % (all.len() + 1);
            let _ = book.cancel_all(&all[..some]);
        }
        Operation::Together {
            lead,
            length,
            parts,
            count,
            ttl,
            log,
            ..
        } => {
            let ready = later(book.now(), lead);
            let parts = parts.map(|share: Share| share.part());
            let some = usize::from(count) % (parts.len() + 1);
            let _ = book.reserve_together(
                ready,
                later(ready, length),
                &parts[..some],
                commitment(ttl),
                undo.log(log),
                &mut made,
                &mut conflict,
            );
        }
        _ => (),
    }
    handles.extend(made);
}

/// Books a newcomer, and shifts flexible reservations for it: in one call, or in a transaction that is committed or dropped.
fn shift<R: Ring>(
    book: &mut Book<'_, R>,
    (ask, terms): (Ask, Terms),
    how: Shift,
    handles: &mut Handles,
) {
    let mut undo = Undo::<R>::default();
    let now = book.now();
    let request = ask.request(now);
    let slides = how.rules(now, 3);
    let rules = Shifting {
        insertion: match how.end / 3 % 4 {
            2 => Insertion::FewestMoves,
            3 => Insertion::LeastShift,
            _ => slides.insertion,
        },
        max_moves: how.moves.map_or(4, u32::from),
        work: how.work.map_or(100_000, u64::from),
        ..slides
    };
    let (promise, log) = (terms.commitment(), undo.log(how.log));
    // Refused or not, the book is sound.
    if how.end.is_multiple_of(3) {
        let booking = book.shift_in(&request, promise, &rules, log);
        handles.extend(booking.map(|booking| booking.handle));
        return;
    }
    let mut transaction = book.transaction(log, rules.work);
    let booking = transaction.shift_in(&request, promise, &rules);
    black_box(transaction.moves().count());
    if how.end % 3 == 1 && transaction.commit().is_ok() {
        handles.extend(booking.map(|booking| booking.handle));
    }
}

/// Moves flexible reservations, or asks where else there would be room.
fn juggle<R: Ring>(book: &mut Book<'_, R>, operation: &Operation, handles: &mut Handles) {
    let mut undo = Undo::<R>::default();
    let mut waiting = [Movable::NONE; 32];
    let mut found = heapless::Vec::<Alternative, 4>::new();
    let revenue = |handle: Handle| handle.to_bits() % 5;
    let now = book.now();
    // Refused or not, the book is sound.
    match *operation {
        Operation::Juggle { ask, terms, how } => {
            let (request, rules) = (ask.request(now), rules(now, how, &revenue));
            let waiting = &mut waiting[..usize::from(how.list).min(32)];
            if how.end % 3 == 0 {
                let log = undo.log(how.log);
                let booking = book.juggle(&request, terms.commitment(), &rules, log, waiting);
                handles.extend(booking.map(|booking| booking.handle));
                return;
            }
            let mut transaction = book.transaction(undo.log(how.log), rules.work);
            let booking = transaction.juggle(&request, terms.commitment(), &rules, waiting);
            black_box(transaction.moves().count());
            if how.end % 3 == 1 && transaction.commit().is_ok() {
                handles.extend(booking.map(|booking| booking.handle));
            }
        }
        Operation::Replan(how) => {
            let rules = rules(now, how, &revenue);
            let waiting = &mut waiting[..usize::from(how.list).min(32)];
            let _ = book.replan(&rules, undo.log(how.log), waiting);
        }
        Operation::Alternatives {
            ask,
            terms,
            how,
            sides,
            percent,
            end,
            ..
        } => {
            let (request, rules) = (ask.request(now), rules(now, how, &revenue));
            let wanted = Suggesting {
                sides: Sides::ALL[usize::from(sides) % Sides::ALL.len()],
                max_percent: percent.into(),
                behind: if end { Behind::End } else { Behind::Deadline },
            };
            let waiting = &mut waiting[..usize::from(how.list).min(32)];
            let (promise, log) = (terms.commitment(), undo.log(how.log));
            let suggested =
                book.alternatives(&request, promise, &rules, &wanted, log, waiting, &mut found);
            if suggested.is_ok() {
                black_box(found.iter().map(Alternative::phi_per_mille).sum::<i64>());
            }
        }
        _ => {}
    }
}

fn rules(now: Slot, how: Juggle, revenue: &dyn Fn(Handle) -> u64) -> Juggling<'_> {
    let order = match how.order % 6 {
        0 => Order::EarliestDeadline,
        1 => Order::LeastFlexible,
        2 => Order::BiggestFirst,
        3 => Order::Fifo,
        4 => Order::Shuffle {
            seed: how.seed.into(),
        },
        _ => Order::Revenue {
            newcomer: how.seed.into(),
            of: revenue,
        },
    };
    Juggling {
        order,
        admission: Admission::ALL[usize::from(how.always)],
        after_failure: AfterFailure::ALL[usize::from(!how.retry)],
        earliest: now.saturating_add(Span::new(how.earliest.into())),
        max_moves: how.moves.map_or(u32::MAX, u32::from),
        work: how.work.map_or(u64::MAX, u64::from),
    }
}

/// Memory of an undo log for any ring; the columns of the largest machine that is fuzzed fit.
struct Undo<R: Ring> {
    entries: [UndoEntry; 32],
    sets: Vec<R::Part>,
}

impl<R: Ring> Default for Undo<R> {
    fn default() -> Self {
        Self {
            entries: [UndoEntry::NONE; 32],
            sets: vec![Default::default(); 32 * 64],
        }
    }
}

impl<R: Ring> Undo<R> {
    /// A log of up to so many entries.
    fn log(&mut self, entries: u8) -> UndoLog<'_, R::Part> {
        let entries = usize::from(entries).min(self.entries.len());
        UndoLog::new(&mut self.entries[..entries], &mut self.sets)
    }
}

fn transact<R: Ring>(book: &mut Book<'_, R>, script: &Script, handles: &mut Handles) {
    let mut undo = Undo::<R>::default();
    let work = script.work.map_or(u64::MAX, u64::from);
    let mut moves = heapless::Vec::<Move, 16>::new();
    let mut transaction = book.transaction(undo.log(script.log), work);
    let mut savepoints = vec![];
    let mut inserted = vec![];
    for step in script.steps() {
        match *step {
            Step::Savepoint => savepoints.push(transaction.savepoint()),
            Step::RollbackTo(nth) => {
                if let Some(nth) = usize::from(nth).checked_rem(savepoints.len()) {
                    let _ = transaction.rollback_to(savepoints[nth]);
                }
            }
            Step::Insert { ask, after, ttl } => {
                let request = ask.request(transaction.now());
                let start = later(request.ready, after.into());
                inserted.extend(transaction.insert(&request, start, commitment(ttl)));
            }
            step => take(&mut transaction, step, handles),
        }
    }
    match script.finish {
        Finish::Commit => {
            if transaction.commit().is_ok() {
                handles.extend(inserted);
            }
        }
        Finish::Plan(_) => {
            let _ = transaction.plan(&mut moves);
        }
        Finish::PlanApply(_) => {
            if transaction.plan(&mut moves).is_ok() {
                let mut again = book.transaction(undo.log(u8::MAX), u64::MAX);
                let applied = again.apply(&moves);
                let _ = applied.and_then(|()| again.commit());
            }
        }
        Finish::Drop => drop(transaction),
    }
}

/// A step that concerns one reservation.
fn take<R: Ring>(transaction: &mut Transaction<'_, '_, R>, step: Step, handles: &Handles) {
    let placement = |transaction: &Transaction<'_, '_, R>, handle, hop: Hop| {
        let known = transaction.get(handle).ok()?;
        known.window.len().map(|_| hop.taken_from(place_of(&known)))
    };
    // Refused or not, the book is sound.
    match step {
        Step::Lift(pick) => {
            let _ = transaction.lift(picked(pick, handles));
        }
        Step::Place(pick, spot) => {
            let handle = picked(pick, handles);
            let place = match spot {
                Spot::Near(hop) => placement(transaction, handle, hop),
                Spot::Of(other) => {
                    let other = transaction.get(picked(other, handles)).ok();
                    let none = Hop {
                        by: 0,
                        longer: 0,
                        wider: 0,
                    };
                    let own = placement(transaction, handle, none);
                    own.zip(other).map(|(own, other)| Placement {
                        start: other.window.start,
                        ..own
                    })
                }
            };
            if let Some(place) = place {
                let _ = transaction.place(handle, place);
            }
        }
        Step::FirstFit(pick, from) => {
            let from = later(transaction.now(), from);
            let _ = transaction.place_first_fit(picked(pick, handles), from);
        }
        Step::Remove(pick) => {
            let _ = transaction.remove(picked(pick, handles));
        }
        Step::Alter(pick, change) => {
            let handle = picked(pick, handles);
            if let Ok(known) = transaction.get(handle) {
                let alteration = alteration(&known, change, transaction.now());
                let _ = transaction.alter(handle, alteration);
            }
        }
        Step::Split(pick, after) => {
            let handle = picked(pick, handles);
            if let Ok(known) = transaction.get(handle) {
                let _ = transaction.split(handle, later(known.window.start, after));
            }
        }
        Step::Conflict(pick, hop) => {
            let handle = pick.map(|pick| picked(pick, handles));
            if let Some(place) = handle.and_then(|handle| placement(transaction, handle, hop)) {
                black_box(transaction.conflict(handle, &place));
            }
        }
        Step::Apply | Step::Savepoint | Step::RollbackTo(_) | Step::Insert { .. } => (),
    }
}

fn alteration(known: &Reservation, change: Change, now: Slot) -> Alteration {
    let asked = Window {
        start: known.request.ready,
        end: known.request.deadline,
    };
    change.alteration(place_of(known), asked, now)
}

/// Where it is booked, or for no slots where that cannot be.
fn place_of(known: &Reservation) -> Placement {
    Placement {
        start: known.window.start,
        duration: known.window.len().unwrap_or_default(),
        pes: known.request.pes,
    }
}

fn explain<R: Ring>(book: &mut Book<'_, R>, ask: Ask) {
    let mut obstacles = heapless::Vec::<Obstacle, 4>::new();
    let request = ask.request(book.now());
    let _ = black_box(book.explain(&request, &mut obstacles));
}

/// A handle given out before, or one that this book may never have given out.
fn picked(pick: Pick, handles: &Handles) -> Handle {
    let (given_out, bits) = match pick {
        Pick::Live(nth) | Pick::Lifted(nth) => (usize::from(nth).checked_rem(handles.len()), nth),
        Pick::Ended(bits) => (None, bits),
        Pick::Never => (None, u8::MAX),
    };
    let other = Handle::from_bits(u64::from(bits >> 4) << 32 | u64::from(bits & 15));
    given_out.map_or(other, |nth| handles[nth])
}

fn act<R: Ring>(book: &mut Book<'_, R>, pick: Pick, verb: Verb, handles: &Handles) {
    let handle = picked(pick, handles);
    // Refused or not, the book is sound.
    let _ = match verb {
        Verb::Confirm => book.confirm(handle),
        Verb::Cancel => book.cancel(handle),
        Verb::Complete(after) => book.complete(handle, later(book.now(), after)),
        Verb::CompleteAt(at) => book.complete(handle, Slot::new(at)),
        Verb::Freeze => {
            let _ = black_box(book.is_frozen(handle));
            book.freeze(handle)
        }
    };
}

/// Advances until all is told, and keeps the handles of jobs that start.
fn advance(
    handles: &mut Handles,
    mut call: impl FnMut(&mut VecView<Event>) -> Result<Advanced, Error>,
) {
    let mut events = heapless::Vec::<Event, 8>::new();
    loop {
        let how_far = call(&mut events);
        let started = |event: &&Event| event.kind == EventKind::BestEffortStarted;
        handles.extend(events.iter().filter(started).map(|event| event.handle));
        events.clear();
        if how_far != Ok(Advanced::EventsWaiting) {
            return;
        }
    }
}

/// Whatever the book offers, as far as a short list goes.
fn offers<R: Ring>(book: &mut Book<'_, R>, inquiry: Inquiry) -> heapless::Vec<Offer, 8> {
    let (query, terms) = inquiry.question(book.now(), Tariff::FREE);
    let mut offers = heapless::Vec::new();
    // Refused or not, the book is sound.
    let _ = book.offers(&query, &terms, &mut offers);
    offers
}

/// The plan of one of the forms, if one can be booked.
fn mould<R: Ring>(book: &mut Book<'_, R>, moulding: &Moulding) -> Option<Plan> {
    let (forms, interval) = (
        moulding.forms(),
        window(book.now(), moulding.lead, moulding.length),
    );
    let request = MouldableRequest {
        ready: interval.start,
        deadline: interval.end,
        forms: &forms,
    };
    let budget = moulding.budget.map(|budget| Money::new(budget.into()));
    let terms = PriceTerms {
        tariff: Tariff::of_rates(Money::ZERO, Money::new(1)),
        discount: moulding.discount(),
        budget: budget.unwrap_or(Money::MAX),
    };
    let choice = moulding.choice();
    let moulded = book.plan_mouldable(&request, policy(moulding.policy), choice, &terms);
    moulded.ok().map(|moulded| moulded.plan)
}

/// Takes one of the offers, or part of it.
fn accept<R: Ring>(book: &mut Book<'_, R>, offers: &[Offer], taking: Taking) -> Option<Handle> {
    let nth = usize::from(taking.nth).checked_rem(offers.len())?;
    let offer = offers.get(nth)?;
    let Take { duration, pes } = offer.whole();
    let fewer = |fewer: i8| u16::from(fewer.unsigned_abs());
    let take = Take {
        duration: Span::new(
            duration
                .get()
                .saturating_sub(fewer(taking.fewer_slots).into()),
        ),
        pes: PeCount::new(pes.get().saturating_sub(fewer(taking.fewer_pes))),
    };
    let booking = book.accept(offer, take, commitment(taking.ttl));
    booking.ok().map(|booking| booking.handle)
}

/// Asks whatever can be asked without changing anything, of whatever there is in the memory.
///
/// # Panics
///
/// When an answer is longer than it can be.
pub fn read<R: Ring>(
    book: &mut Book<'_, R>,
    queue: &Queue<'_>,
    ask: Ask,
    inquiry: Inquiry,
    handles: &Handles,
) {
    let request = ask.request(book.now());
    let (slots, rows) = (book.horizon().get() as usize, book.capacity());
    black_box((book.pes(), book.len(), book.next_event()));
    assert!(book.iter().count() <= (slots + 1) * rows);
    assert!(book.records().count() <= slots + 1);
    assert!(book.starting_at(request.ready).count() <= rows);
    let window = Window {
        start: request.ready,
        end: request.deadline,
    };
    assert!(book.covering(window).count() <= (slots + 1) * rows);
    explain(book, ask);
    for policy in Policy::ALL {
        let _ = black_box(book.plan(&request, policy));
    }
    if let Ok(starts) = book.candidate_starts(&request) {
        assert!(starts.count() <= slots + 1);
    }
    black_box(offers(book, inquiry));
    assert!(queue.iter().count() <= queue.capacity());
    black_box((queue.len(), queue.shadow(book), queue.next_event(book)));
    black_box(book.free_during(window));
    black_box(book.rectangle(request.ready, request.duration));
    for handle in handles {
        let _ = black_box(book.get(*handle));
        if let Ok(pes) = book.pes_of(*handle) {
            assert!(pes.count() <= usize::from(u16::MAX));
        }
    }
}
