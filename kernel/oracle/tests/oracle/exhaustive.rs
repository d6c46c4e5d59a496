//! Every sequence of operations up to a stated length in a small world: 3 PEs, 6 slots, at most 3 reservations.
//!
//! Storage comes in blocks of 64 slots, so from slots 0, 60 and 62 on the six slots lie at the block's start, across its end, and
//! cross it while time passes.

use crate::common::kernels;
use crate::common::letters::{
    Ask, Letter, Script, Step, Taking, accept, act, advance, advance_queue, alter, book, complete,
    hold, juggling, letter, nth, place_in, reserve, split,
};
use bookahead::{
    Alteration, BestEffortJob, Commitment, Direction, Discipline, ElasticRequest, EventKind,
    Flexibility, Freeze, Insertion, OfferOrder, OfferTerms, Part, PeCount, Placement, Policy,
    Refusal, Request, Search, Shifting, Slot, Span, Ticket, UsageError, Window,
};
use bookahead_commands::{
    Call, Command, Ending, Group, JuggleEnd, LONG_HANDLES, Lent, Recurrence, Reply, Subject,
};
use bookahead_oracle::generate::{later, tariff};
use bookahead_oracle::{Recorded, Tally};

pub const PES: u16 = 3;
pub const SLOTS: u16 = 6;
pub const ROWS: usize = 3;
const ORIGINS: [u64; 3] = [0, 60, 62];

/// Tries every continuation of `play` by up to `length` letters and adds up what happened in each.
///
/// Behind a letter that has changed nothing, all goes on as it does from `play`, of which every continuation is tried. One more letter is given
/// there, since the first may have left something in scratch memory, and the rest is not tried again.
fn explore(play: &Recorded, alphabet: &[Letter], length: u32, sum: &mut Sum) {
    for letter in alphabet {
        let mut next = play.clone();
        next.harness.tally = Tally::default();
        if let Err(disagreement) = letter(&mut next) {
            panic!("{disagreement}");
        }
        sum.letters += 1;
        sum.tally.add(&next.harness.tally);
        if length == 1 {
            continue;
        }
        let rest = match next.harness.goes_on_as(&play.harness) {
            true => 1,
            false => length - 1,
        };
        explore(&next, alphabet, rest, sum);
        let letters = alphabet.len() as u64;
        sum.letters += continuations(letters, length - 1) - continuations(letters, rest);
    }
}

/// All sequences of at least one letter, up to `length`, from an alphabet of `letters` letters.
fn continuations(letters: u64, length: u32) -> u64 {
    (1..=length).map(|length| letters.pow(length)).sum()
}

/// What all sequences came to.
#[derive(Default)]
struct Sum {
    /// How many letters they have, those among them that would do again what others have done.
    letters: u64,
    tally: Tally,
}

/// All sequences up to `length` with a book; how many letters there were is checked.
pub fn exhaust(make: impl Fn() -> Recorded, alphabet: &[Letter], length: u32) -> Tally {
    let mut sum = Sum::default();
    for origin in ORIGINS {
        let mut play = make();
        play.apply(Command::Advance(Slot::new(origin), 0)).unwrap();
        explore(&play, alphabet, length, &mut sum);
    }
    let from_one = continuations(alphabet.len() as u64, length);
    assert_eq!(sum.letters, ORIGINS.len() as u64 * from_one);
    sum.tally
}

/// Two durations, every width, exactly at one place or anywhere up to the horizon.
fn asks() -> Vec<(Ask, Policy)> {
    let mut asks = Vec::new();
    for (lead, duration) in [(0, 1), (0, 4), (1, 1), (2, 3)] {
        for pes in 1..=PES {
            let up_to_horizon = i64::from(SLOTS) - lead - duration;
            for slack in [0, up_to_horizon] {
                let policy = Policy::ALL[if slack == 0 { 0 } else { 2 }];
                asks.push((Ask(lead, duration, slack, pes.into()), policy));
            }
        }
    }
    asks.dedup();
    asks
}

fn acts(nths: std::ops::Range<usize>) -> Vec<Letter> {
    let of = |number| {
        [
            act(number, Command::Confirm),
            act(number, Command::Cancel),
            complete(number, 0),
            complete(number, 1),
        ]
    };
    nths.flat_map(of).collect()
}

/// Rich: 24 requests, 3 holds, 8 acts on the first two reservations, 5 advances.
fn rich() -> Vec<Letter> {
    let asks = asks();
    let confirmed = |(ask, policy): &(Ask, Policy)| book(*ask, *policy, Commitment::Confirmed);
    let mut alphabet: Vec<_> = asks.iter().map(confirmed).collect();
    for (index, ttl) in [(0, 1), (5, 2), (20, 3)] {
        let (ask, policy): (Ask, Policy) = asks[index];
        let ttl = Span::new(ttl);
        alphabet.push(book(ask, policy, Commitment::Held { ttl }));
    }
    alphabet.extend(acts(0..2));
    let steps = [(0, 8), (1, 8), (3, 8), (6, 8), (2, 1)];
    alphabet.extend(steps.map(|(by, room)| advance(by, room)));
    alphabet
}

/// Lean: 5 requests, a hold, 4 acts on the first reservation, 2 advances.
fn lean() -> Vec<Letter> {
    let mut alphabet = vec![
        reserve(Ask(0, 2, 0, 2)),
        reserve(Ask(0, 2, 4, 1)),
        reserve(Ask(0, 2, 4, 3)),
        reserve(Ask(4, 2, 0, 1)),
        hold(Ask(1, 3, 2, 2), 3),
    ];
    alphabet.extend(acts(0..1));
    alphabet.extend([advance(1, 8), advance(3, 1)]);
    alphabet
}

/// What is asked elastically from now to the horizon.
fn question(now: Slot, search: usize, duration: Option<u32>, pes: Option<u32>) -> Command {
    let query = ElasticRequest {
        ready: now,
        deadline: later(now, SLOTS.into()),
        duration: duration.map(Span::new),
        pes: pes.map(PeCount::new),
    };
    let terms = OfferTerms {
        search: Search::ALL[search],
        order: OfferOrder::ALL[0],
        ttl: Span::new(2),
        tariff: tariff(1),
    };
    Command::Offers(query, terms, LONG_HANDLES)
}

/// Elastic: 3 queries under both searches, 8 acceptances, 4 requests, a cancellation, 2 advances.
fn elastic() -> Vec<Letter> {
    type Sizes = (Option<u32>, Option<u32>);
    let sizes: [Sizes; 3] = [(None, None), (Some(2), Some(2)), (Some(4), Some(1))];
    let ask =
        |search: usize, (duration, pes): Sizes| move |now| question(now, search, duration, pes);
    let mut alphabet: Vec<Letter> = Vec::new();
    for sizes in sizes {
        for search in [0, 1] {
            let asked = ask(search, sizes);
            alphabet.push(letter(move |oracle| Some(asked(oracle.now()))));
        }
    }
    let late = || reserve(Ask(3, 1, 2, 2));
    let whole = Taking::whole;
    let part = |nth| Taking {
        fewer_slots: 1,
        terms: Commitment::Held { ttl: Span::new(2) },
        ..whole(nth)
    };
    let wider = Taking {
        more_pes: 1,
        ..whole(0)
    };
    let [any, wide, long] = sizes;
    alphabet.extend([
        accept(ask(0, any), whole(0), None),
        accept(ask(0, any), part(1), Some(late())),
        accept(ask(1, any), whole(0), Some(late())),
        accept(ask(0, wide), whole(0), Some(advance(1, 8))),
        accept(ask(1, wide), part(0), None),
        accept(ask(0, long), part(0), Some(advance(2, 8))),
        accept(ask(1, long), whole(1), Some(act(0, Command::Cancel))),
        accept(ask(0, long), wider, None),
        reserve(Ask(0, 1, 2, 2)),
        reserve(Ask(1, 2, 0, 1)),
        reserve(Ask(1, 3, 0, 1)),
        reserve(Ask(5, 1, 0, 2)),
        act(0, Command::Cancel),
        advance(1, 8),
        advance(4, 8),
    ]);
    alphabet
}

/// Queueing: 4 jobs, 2 requests, an early end, a withdrawal, 3 advances.
fn queueing() -> Vec<Letter> {
    let submit = |(estimate, pes): (u32, u32)| {
        let job = BestEffortJob {
            estimate: Span::new(estimate),
            pes: PeCount::new(pes),
        };
        letter(move |_| Some(Command::Submit(job)))
    };
    let mut alphabet = [(1, 1), (3, 1), (2, 2), (2, 3)]
        .map(submit)
        .into_iter()
        .collect::<Vec<_>>();
    let withdraw: Letter = Box::new(|play| {
        let first = play.harness.twin.queue.jobs().first().copied();
        match first.and_then(|waiting| Ticket::from_number(waiting.ticket)) {
            Some(ticket) => play.apply(Command::Withdraw(ticket)).map(drop),
            None => letter(|_| None)(play),
        }
    });
    alphabet.extend([
        reserve(Ask(0, 2, 0, 2)),
        reserve(Ask(2, 3, 0, 1)),
        complete(0, 0),
        withdraw,
        advance_queue(0, 8),
        advance_queue(1, 8),
        advance_queue(3, 1),
    ]);
    alphabet
}

/// Changing: 2 requests, a hold, 3 acts, 3 advances, 8 alterations and a split, 9 transactions, 4 calls for several.
fn changing() -> Vec<Letter> {
    let one_by_one: Letter = Box::new(|play| {
        let to = later(play.harness.twin.oracle.now(), 1);
        for _ in 0..2 {
            if !matches!(play.apply(Command::NextOfQueue(to))?, Reply::Next(Some(_))) {
                break;
            }
        }
        Ok(())
    });
    let mut alphabet = vec![
        reserve(Ask(0, 2, 4, 2)),
        reserve(Ask(1, 3, 0, 1)),
        hold(Ask(1, 2, 2, 2), 4),
        act(0, Command::Confirm),
        act(0, Command::Cancel),
        complete(0, 1),
        advance(1, 8),
        advance(2, 1),
        one_by_one,
        alter(0, |place, _| shifted(place, 1)),
        alter(0, |place, _| shifted(place, -1)),
        alter(0, |place, _| Alteration::Extend {
            duration: Span::new(place.duration.get() + 1),
        }),
        alter(0, |place, _| Alteration::Shorten {
            duration: Span::new(place.duration.get() - 1),
        }),
        alter(0, |place, _| Alteration::Widen {
            pes: PeCount::new(place.pes.get() + 1),
        }),
        alter(0, |place, _| narrowed(place)),
        alter(0, |place, now| window(now, place, 0, 2)),
        alter(0, |place, now| window(now, place, 2, 0)),
        split(0, 1),
    ];
    alphabet.extend(transactions());
    alphabet.extend(several());
    alphabet
}

fn shifted(place: Placement, by: i64) -> Alteration {
    Alteration::Shift {
        start: later(place.start, by),
    }
}

fn narrowed(place: Placement) -> Alteration {
    Alteration::Narrow {
        pes: PeCount::new(place.pes.get() - 1),
    }
}

/// Another window: ready so many slots from now, with so much slack.
fn window(now: Slot, place: Placement, lead: i64, slack: i64) -> Alteration {
    let ready = later(now, lead);
    let deadline = later(ready.saturating_add(place.duration), slack);
    Alteration::ChangeWindow { ready, deadline }
}

/// A series, parts that start together, all that live given up with what has ended, and an explanation.
fn several() -> [Letter; 4] {
    let series = letter(|oracle| {
        Some(Command::Series(Recurrence {
            first: Ask(0, 1, 1, 2).at(oracle.now()),
            period: Span::new(2),
            count: 2,
            exceptions: vec![9, 9],
            policy: Policy::FirstFit,
            terms: Commitment::Confirmed,
            limits: (2, 2),
        }))
    });
    let together = letter(|oracle| {
        let now = oracle.now();
        let part = |offset, duration, pes| Part {
            offset: Span::new(offset),
            duration: Span::new(duration),
            pes: PeCount::new(pes),
        };
        let end = later(now, SLOTS.into());
        Some(Command::Together(Group {
            window: Window { start: now, end },
            parts: vec![part(0, 2, 1), part(1, 2, 2)],
            terms: Commitment::Confirmed,
            limits: (2, 2),
        }))
    });
    let cancel_all: Letter = Box::new(|play| {
        let oracle = &play.harness.twin.oracle;
        let live = [0, 1].into_iter().filter_map(|place| nth(oracle, place));
        let ended = play.harness.situation.ended.iter().rev().cycle();
        let ended = ended.take(2).copied();
        let named = live.chain(ended).collect();
        play.apply(Command::CancelAll(named)).map(drop)
    });
    let explain = letter(|oracle| Some(Command::Explain(Ask(0, 2, 2, 3).at(oracle.now()), 2)));
    [series, together, cancel_all, explain]
}

const PATIENT: Commitment = Commitment::Flexible {
    kind: Flexibility::Interval,
    freeze: Freeze::Never,
};

const UNTIL_SOON: Commitment = Commitment::Flexible {
    kind: Flexibility::Deadline,
    freeze: Freeze::Lead { lead: Span::new(1) },
};

/// Others slide aside for a newcomer.
fn aside(
    ask: Ask,
    terms: Commitment,
    (direction, max_moves): (Direction, u32),
    log: usize,
    end: JuggleEnd,
) -> Letter {
    letter(move |oracle| {
        let rules = Shifting {
            direction,
            insertion: Insertion::Slides { depth: 2 },
            earliest: oracle.now(),
            max_moves,
            work: u64::MAX,
        };
        let newcomer: (Request, Commitment) = (ask.at(oracle.now()), terms);
        Some(Command::ShiftIn(newcomer, rules, log, end))
    })
}

/// Others are juggled for a newcomer, or arranged anew.
fn juggle(newcomer: Option<Ask>) -> Letter {
    letter(move |oracle| Some(juggling(newcomer.map(|ask| ask.at(oracle.now())), oracle)))
}

/// Moving: 2 flexible newcomers, 6 that others slide aside for, one that others are juggled for, a new arrangement, a hold, a split,
/// 3 acts, 2 advances.
fn moving() -> Vec<Letter> {
    let (urgent, wide) = (Ask(0, 2, 0, 2), Ask(1, 2, 2, 3));
    let (held, strict) = (
        Commitment::Held { ttl: Span::new(2) },
        Commitment::Confirmed,
    );
    let both = (Direction::Both, u32::MAX);
    let right = (Direction::Right, u32::MAX);
    let enough = Lent::ENOUGH.log;
    let (at_once, commit, plan) = (JuggleEnd::AtOnce, JuggleEnd::Commit, JuggleEnd::Plan);
    vec![
        aside(Ask(0, 2, 4, 2), PATIENT, both, enough, at_once),
        aside(Ask(1, 3, 2, 1), UNTIL_SOON, both, enough, at_once),
        aside(urgent, strict, right, enough, at_once),
        aside(urgent, held, both, enough, commit),
        aside(wide, strict, both, enough, at_once),
        aside(wide, PATIENT, both, enough, plan),
        aside(wide, PATIENT, both, 2, at_once),
        aside(
            Ask(2, 2, 0, 2),
            PATIENT,
            (Direction::Both, 1),
            enough,
            at_once,
        ),
        juggle(Some(urgent)),
        juggle(None),
        hold(Ask(3, 1, 2, 2), 2),
        split(0, 1),
        act(0, Command::Freeze),
        act(0, Command::Cancel),
        complete(0, 1),
        advance(1, 8),
        advance(2, 1),
    ]
}

/// Two swap places; one makes room for a newcomer, for good, for now, or with too short a log or too little work; what comes behind
/// savepoints is undone; one goes for another; what was planned is done a slot later, or not, since
/// it is outdated.
fn transactions() -> [Letter; 9] {
    let swap = Script::of(&[
        |attempt, _| nth(attempt.book(), 0).map(Call::Lift),
        |attempt, _| nth(attempt.book(), 1).map(Call::Lift),
        |attempt, before| {
            let (one, other) = (nth(attempt.book(), 0)?, nth(attempt.book(), 1)?);
            let start = before.placement(other).ok()?.start;
            Some(Call::Place(
                one,
                Placement {
                    start,
                    ..place_in(attempt, one)?
                },
            ))
        },
        |attempt, before| {
            let (one, other) = (nth(attempt.book(), 0)?, nth(attempt.book(), 1)?);
            let start = before.placement(one).ok()?.start;
            Some(Call::Place(
                other,
                Placement {
                    start,
                    ..place_in(attempt, other)?
                },
            ))
        },
    ]);
    let insert_two: Step = |_, before| Some(insert(before.now(), 2));
    let yields = Script::of(&[
        |attempt, _| nth(attempt.book(), 0).map(Call::Lift),
        insert_two,
        |attempt, before| {
            let lifted = attempt.lifted().first().copied()?;
            Some(Call::PlaceFirstFit(lifted, before.now()))
        },
    ]);
    let hurried = Script {
        log: 1,
        work: 5,
        ..yields.clone()
    };
    let narrow: Step = |attempt, _| {
        let first = nth(attempt.book(), 0)?;
        Some(Call::Alter(first, narrowed(place_in(attempt, first)?)))
    };
    let undone = Script::of(&[
        narrow,
        |_, _| Some(Call::Savepoint),
        |attempt, _| nth(attempt.book(), 0).map(Call::Lift),
        |attempt, _| {
            let first = nth(attempt.book(), 0)?;
            let place = place_in(attempt, first)?;
            let start = later(place.start, 1);
            Some(Call::Place(first, Placement { start, ..place }))
        },
        |_, _| Some(Call::Savepoint),
        |attempt, _| nth(attempt.book(), 1).map(Call::Remove),
        |_, _| Some(Call::RollbackTo(1)),
        |attempt, _| {
            let first = nth(attempt.book(), 0)?;
            Some(Call::Split(
                first,
                later(place_in(attempt, first)?.start, 1),
            ))
        },
        |_, _| Some(Call::RollbackTo(0)),
    ]);
    let replaced = Script::of(&[
        |attempt, _| nth(attempt.book(), 0).map(Call::Remove),
        |_, before| Some(insert(before.now(), 3)),
    ]);
    let shift_second = Script::of(&[|attempt, _| {
        let second = nth(attempt.book(), 1)?;
        Some(Call::Alter(second, shifted(place_in(attempt, second)?, 2)))
    }]);
    let narrow_first = Script::of(&[narrow]);
    [
        swap.clone().letter(Ending::Commit),
        swap.planned(None),
        yields.clone().letter(Ending::Commit),
        yields.letter(Ending::Drop),
        hurried.letter(Ending::Commit),
        undone.letter(Ending::Commit),
        replaced.letter(Ending::Commit),
        shift_second.planned(Some(advance(1, 8))),
        narrow_first.planned(Some(alter(0, |place, _| shifted(place, 1)))),
    ]
}

fn insert(now: Slot, pes: i64) -> Call {
    let request = Ask(0, 2, 0, pes).at(now);
    Call::Insert(request, request.ready, Commitment::Confirmed)
}

/// 40 letters, length 3: 196,920 operations.
pub fn rich_sequences(make: impl Fn() -> Box<dyn Subject>) {
    let alphabet = rich();
    assert_eq!(alphabet.len(), 40);
    exhaust(|| Recorded::new(make()), &alphabet, 3);
}

/// 11 letters, length 5: 531,468 operations.
pub fn lean_sequences(make: impl Fn() -> Box<dyn Subject>) {
    let alphabet = lean();
    assert_eq!(alphabet.len(), 11);
    exhaust(|| Recorded::new(make()), &alphabet, 5);
}

/// 21 letters, length 4: 612,612 operations.
pub fn elastic_sequences(make: impl Fn() -> Box<dyn Subject>) {
    let alphabet = elastic();
    assert_eq!(alphabet.len(), 21);
    let sum = exhaust(|| Recorded::new(make()), &alphabet, 4);
    assert!(sum.solutions > 0 && sum.alternatives > 0, "{sum:?}");
    assert!(sum.taken > sum.reduced && sum.reduced > 0, "{sum:?}");
    for refusal in [
        Refusal::Overtaken,
        Refusal::OfferExpired,
        Refusal::TableFull,
    ] {
        assert!(sum.because(refusal) > 0, "no {refusal:?} in {sum:?}");
    }
    assert!(sum.because(UsageError::BeyondOffer) > 0, "{sum:?}");
}

/// 11 letters, length 5: 531,468 operations.
pub fn queueing_sequences(make: impl Fn() -> Box<dyn Subject>) {
    let alphabet = queueing();
    assert_eq!(alphabet.len(), 11);
    let sum = exhaust(|| Recorded::new(make()), &alphabet, 5);
    assert!(sum.of(EventKind::BestEffortStarted) > 0, "{sum:?}");
    // A schedule looks at all jobs at once.
    let planned = make().size().discipline == Discipline::Conservative;
    assert!(sum.passed > 0, "{sum:?}");
    assert!(planned || sum.looks_cut_short > 0, "{sum:?}");
}

/// 31 letters, length 3: 92,349 operations.
pub fn changing_sequences(make: impl Fn() -> Box<dyn Subject>) {
    let alphabet = changing();
    assert_eq!(alphabet.len(), 31);
    let sum = exhaust(|| Recorded::new(make()), &alphabet, 3);
    let done = |what, states: &[&'static str]| {
        for state in states {
            assert!(sum.times(what, state) > 0, "no {what} {state} in {sum:?}");
        }
    };
    for what in ["shift", "widen", "change-window"] {
        done(what, &["held", "confirmed"]);
    }
    for what in ["extend", "shorten", "narrow", "lift", "place"] {
        done(what, &["held", "confirmed", "running"]);
    }
    done("split", &["confirmed", "running"]);
    done("remove", &["held", "confirmed", "running"]);
    done("apply", &["", "nothing"]);
    done("commit", &["changed", "unchanged", "refused"]);
    done("in the way of the alteration", &[""]);
    done("in the way of the parts", &[""]);
    done("expired", &["at its start"]);
    for refusal in [
        Refusal::NoRoom,
        Refusal::TableFull,
        Refusal::MoveLimit,
        Refusal::WorkLimit,
        Refusal::OutsideWindow,
    ] {
        assert!(sum.because(refusal) > 0, "no {refusal:?} in {sum:?}");
    }
    for misuse in [
        UsageError::WrongState,
        UsageError::StillLifted,
        UsageError::StalePlan,
    ] {
        assert!(sum.because(misuse) > 0, "no {misuse:?} in {sum:?}");
    }
}

/// 17 letters, length 4: 266,220 operations.
fn moving_sequences(make: impl Fn() -> Box<dyn Subject>) {
    let alphabet = moving();
    assert_eq!(alphabet.len(), 17);
    let sum = exhaust(|| Recorded::new(make()), &alphabet, 4);
    for how in [
        "moved",
        "plain",
        "planned",
        "no-room",
        "move-limit",
        "table-full",
    ] {
        assert!(sum.times("shift in", how) > 0, "no {how} in {sum:?}");
    }
    assert!(sum.times("juggle", "moved") > 0, "{sum:?}");
    assert!(sum.times("replan", "moved") > 0, "{sum:?}");
    assert!(sum.of(EventKind::StartFixed) > 0, "{sum:?}");
}

#[test]
fn counts_moving() {
    moving_sequences(|| kernels::counts(PES, SLOTS, ROWS));
}

#[test]
fn sets_moving() {
    moving_sequences(|| kernels::narrow(PES, SLOTS, ROWS));
}

#[test]
fn counts_changing() {
    changing_sequences(|| kernels::counts(PES, SLOTS, ROWS));
}

#[test]
fn narrow_changing() {
    changing_sequences(|| kernels::narrow(PES, SLOTS, ROWS));
}

#[test]
fn wide_changing() {
    changing_sequences(|| kernels::wide(PES, SLOTS, ROWS));
}

#[test]
fn counts_rich() {
    rich_sequences(|| kernels::counts(PES, SLOTS, ROWS));
}

#[test]
fn counts_lean() {
    lean_sequences(|| kernels::counts(PES, SLOTS, ROWS));
}

#[test]
fn sets_rich() {
    rich_sequences(|| kernels::narrow(PES, SLOTS, ROWS));
}

#[test]
fn sets_lean() {
    lean_sequences(|| kernels::narrow(PES, SLOTS, ROWS));
}

#[test]
fn counts_elastic() {
    elastic_sequences(|| kernels::counts(PES, SLOTS, ROWS));
}

#[test]
fn sets_elastic() {
    elastic_sequences(|| kernels::narrow(PES, SLOTS, ROWS));
}

#[test]
fn counts_easy() {
    queueing_sequences(|| kernels::counts(PES, SLOTS, ROWS).under(Discipline::Easy));
}

#[test]
fn sets_easy() {
    queueing_sequences(|| kernels::narrow(PES, SLOTS, ROWS).under(Discipline::Easy));
}

#[test]
fn counts_conservative() {
    queueing_sequences(|| kernels::counts(PES, SLOTS, ROWS).under(Discipline::Conservative));
}

#[test]
fn sets_conservative() {
    queueing_sequences(|| kernels::narrow(PES, SLOTS, ROWS).under(Discipline::Conservative));
}
