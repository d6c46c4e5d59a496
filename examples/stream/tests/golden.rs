//! The two files are what the command writes, and contain what they are there to show.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use bookahead::{
    Admission, Direction, Discipline, EventKind, FormChoice, OfferOrder, Order, Policy, Refusal,
    Search, UsageError,
};
use bookahead_stream::{
    Action, CALLS, EARLY, EVENTS, Entries, Entry, HEADERS, LATE, NO_NOTES, OFFERS, OVERLAY_HEADERS,
    Replay, SLOTS,
};

const ANSWERS: &str = include_str!("../answers.txt");
const OVERLAYS: &str = include_str!("../overlays.txt");
/// Behind it everything is laid out, not drawn.
const LAST_DRAWN: u64 = 1_200 + SLOTS as u64;

fn run(word: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_bookahead-stream"))
        .arg(word)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn answers_to(calls: &str) -> Vec<String> {
    let (mut late, mut early) = (LATE.unwrap(), EARLY.unwrap());
    let mut notes = [NO_NOTES; 2];
    let mut replay = Replay::new(calls, late.view(), early.view(), &mut notes);
    let mut answers = Vec::new();
    while replay
        .pass_slot(|line| answers.push(line.to_string()))
        .unwrap()
    {}
    answers
}

/// The fields of every line, those of the headers left out.
fn fields() -> impl Iterator<Item = Vec<&'static str>> {
    let mut lines = ANSWERS.lines();
    for header in HEADERS {
        assert_eq!(lines.next(), Some(header));
    }
    lines.map(|line| line.split(' ').collect())
}

/// What begins a line that says more about the answer above it.
const DETAILS: [&str; 8] = [
    "offer",
    "conflict",
    "obstacle",
    "explained",
    "covers",
    "step",
    "move",
    "form",
];

/// A line of the answers that is no detail of another.
struct Line<'t> {
    binding: &'t str,
    slot: u64,
    what: &'t str,
    job: u16,
    code: u16,
    start: u64,
    pes: &'t str,
}

fn lines() -> Vec<Line<'static>> {
    let read = |fields: Vec<&'static str>| {
        let [binding, slot, what, job, code, start, pes] = fields[..] else {
            panic!("{fields:?}");
        };
        Line {
            binding,
            slot: slot.parse().unwrap(),
            what,
            job: job.parse().unwrap(),
            code: code.parse().unwrap(),
            start: start.parse().unwrap(),
            pes,
        }
    };
    let answers = fields().filter(|fields| !DETAILS.contains(&fields[2]));
    answers.map(read).collect()
}

#[test]
fn the_files_are_what_the_command_writes() {
    assert!(CALLS == run("calls"), "calls.txt is not what `calls` draws");
    let fresh = run("answers");
    for (number, (kept, fresh)) in ANSWERS.lines().zip(fresh.lines()).enumerate() {
        assert_eq!(kept, fresh, "line {} of answers.txt", number + 1);
    }
    assert!(
        ANSWERS == fresh,
        "answers.txt is longer or shorter than the answers"
    );
    assert!(
        OVERLAYS == run("overlays"),
        "overlays.txt is not what `overlays` writes"
    );
}

#[test]
fn overlays_are_accepted_refused_and_violated() {
    let numbers = |word: &'static str| {
        let lines = OVERLAYS.lines().skip(OVERLAY_HEADERS.len());
        let lines = lines.filter_map(move |line| line.strip_prefix(word));
        lines.map(|line| line.split(' ').map(|n| n.parse().unwrap()).collect())
    };
    for law in 0..3 {
        for guarantee in 0..2 {
            let asked = numbers("overlay ");
            let alike = asked.filter(|n: &Vec<u64>| (n[5], n[7]) == (law, guarantee));
            let codes: Vec<u64> = alike.map(|n| n[10]).collect();
            assert!(codes.iter().filter(|code| **code == 0).count() > 10);
            assert!(codes.contains(&Refusal::TooRisky.code().into()));
        }
    }
    let probable: BTreeSet<u64> = numbers("overlay ").map(|n: Vec<u64>| n[13]).collect();
    assert!(probable.len() > 100, "{}", probable.len());
    let happened: BTreeSet<u64> = numbers("event ").map(|n: Vec<u64>| n[1]).collect();
    for kind in [
        EventKind::LateStart,
        EventKind::CutShort,
        EventKind::OverlayBooked,
    ] {
        assert!(happened.contains(&kind.code().into()), "{kind:?}");
    }
    assert!(numbers("waits ").any(|n: Vec<u64>| n[1] > 1));
}

#[test]
fn it_is_long_enough() {
    let entries: Vec<_> = Entries::new(CALLS).map(Result::unwrap).collect();
    let calls = entries
        .iter()
        .filter(|entry| matches!(entry, Entry::Call(..)));
    assert!(calls.count() >= 400);
    assert!(matches!(entries.last(), Some(Entry::End(_))));
    let last = lines().last().unwrap().slot;
    assert!(last > 1_000 && last > 3 * u64::from(SLOTS));
}

/// On either book every reason is given that these calls can be given, and everything happens that can happen.
#[test]
fn every_answer_occurs() {
    // Time that goes back or ends is not among the calls; each advance reports all expired holds, so that none is left to be confirmed.
    let out_of_reach = [
        UsageError::TimeWentBack,
        UsageError::EndOfTime,
        UsageError::HoldExpired,
        // Only of overlays.
        UsageError::FlexibleOverlay,
    ];
    let misuses = UsageError::ALL
        .iter()
        .filter(|misuse| !out_of_reach.contains(misuse));
    // Nor are overlays.
    let of_overlays = [Refusal::TooRisky, Refusal::ScratchTooShort, Refusal::Pinned];
    let codes: BTreeSet<_> = Refusal::ALL
        .iter()
        .filter(|refusal| !of_overlays.contains(refusal))
        .map(|refusal| refusal.code())
        .chain(misuses.map(|misuse| misuse.code()))
        .chain([0])
        .collect();
    let calls = [
        "reserve",
        "hold",
        "confirm",
        "cancel",
        "complete",
        "offers",
        "accept",
        "queue",
        "submit",
        "withdraw",
        "shadow",
        "plan",
        "commit",
        "alter",
        "split",
        "series",
        "together",
        "cancel-all",
        "explain",
        "covering",
        "transaction",
        "apply",
        "incarnation",
        "commit-as",
        "freeze",
        "mould",
        "juggle",
        "replan",
        "shift-in",
    ];
    let of_overlays = [
        EventKind::LateStart,
        EventKind::CutShort,
        EventKind::OverlayBooked,
    ];
    let events = EventKind::ALL
        .iter()
        .filter(|kind| !of_overlays.contains(kind))
        .map(|kind| kind.name());
    let words: BTreeSet<_> = calls.into_iter().chain(events).collect();
    for binding in ["late", "early"] {
        let lines: Vec<_> = lines()
            .into_iter()
            .filter(|line| line.binding == binding)
            .collect();
        let found: BTreeSet<_> = lines.iter().map(|line| line.code).collect();
        assert_eq!(found, codes, "{binding}");
        let done = lines.iter().filter(|line| line.code == 0);
        let found: BTreeSet<_> = done.map(|line| line.what).collect();
        assert_eq!(found, words, "{binding}");
    }
}

/// What moves reservations is answered on either book in every way that it can be, as a call and as a step of a transaction. What is
/// missing cannot be reached: no window reaches beyond the horizon, so nothing is placed there.
#[test]
fn every_move_is_answered_in_every_way() {
    use Refusal::{
        BeyondHorizon, MoveLimit, NoRoom, OutsideWindow, OverBudget, ReadyInPast, TableFull,
        TooLong, TooWide, WindowTooShort, WorkLimit,
    };
    use UsageError::{
        AlreadyLifted, BadMove, BadSavepoint, BadSeries, NoForms, NotLifted, StaleHandle,
        StalePlan, StillLifted, TooManyParts, UnknownHandle, WrongDirection, WrongState,
        ZeroDuration, ZeroHold, ZeroPes,
    };
    let of_request: (&[_], &[_]) = (
        &[TooWide, TooLong, ReadyInPast, WindowTooShort, BeyondHorizon],
        &[ZeroDuration, ZeroPes],
    );
    let of_handle: &[_] = &[UnknownHandle, StaleHandle];
    let alterations: (&[_], &[_]) = (
        &[
            TooWide,
            OutsideWindow,
            ReadyInPast,
            WindowTooShort,
            BeyondHorizon,
            NoRoom,
        ],
        &[WrongState, WrongDirection, ZeroDuration, ZeroPes],
    );
    let limits: &[_] = &[MoveLimit, WorkLimit];
    type Reasons<'r> = (&'r [Refusal], &'r [UsageError]);
    let of_newcomer: (&[_], &[_]) = (
        &[TooWide, WindowTooShort, BeyondHorizon, NoRoom],
        &[ZeroDuration, ZeroPes],
    );
    let expected: [(&str, Vec<Reasons<'_>>); 22] = [
        ("juggle", vec![of_newcomer, (limits, &[])]),
        ("shift-in", vec![of_newcomer, (limits, &[])]),
        ("replan", vec![(&[WorkLimit], &[])]),
        ("freeze", vec![(&[], of_handle)]),
        ("commit-as", vec![(&[], &[StalePlan])]),
        (
            "mould",
            vec![(
                &[TooWide, WindowTooShort, OverBudget],
                &[NoForms, ZeroDuration, ZeroPes],
            )],
        ),
        ("alter", vec![alterations, (&[], of_handle)]),
        (
            "split",
            vec![
                (&[OutsideWindow, TableFull], &[WrongState]),
                (&[], of_handle),
            ],
        ),
        (
            "series",
            vec![
                of_request,
                (&[NoRoom, TableFull], &[ZeroHold, BadSeries, TooManyParts]),
            ],
        ),
        (
            "together",
            vec![(
                &[
                    TooWide,
                    ReadyInPast,
                    WindowTooShort,
                    BeyondHorizon,
                    TableFull,
                    NoRoom,
                ],
                &[ZeroHold, TooManyParts, ZeroDuration, ZeroPes],
            )],
        ),
        ("cancel-all", vec![(&[], &[UnknownHandle])]),
        ("explain", vec![of_request]),
        ("commit", vec![(&[], &[StalePlan, ZeroHold])]),
        ("apply", vec![(limits, &[BadMove, StalePlan])]),
        (
            "transaction",
            vec![
                (limits, of_handle),
                (&[NoRoom], &[WrongState, StillLifted, BadSavepoint]),
            ],
        ),
        (
            "step lift",
            vec![(limits, of_handle), (&[], &[AlreadyLifted, WrongState])],
        ),
        (
            "step place",
            vec![
                (limits, of_handle),
                (
                    &[TooWide, OutsideWindow, ReadyInPast, NoRoom],
                    &[NotLifted, ZeroDuration, ZeroPes, WrongState],
                ),
            ],
        ),
        (
            "step place-first-fit",
            vec![(limits, of_handle), (&[NoRoom], &[NotLifted, WrongState])],
        ),
        (
            "step insert",
            vec![
                of_request,
                (limits, &[ZeroHold]),
                (&[OutsideWindow, TableFull, NoRoom], &[]),
            ],
        ),
        ("step remove", vec![(limits, of_handle)]),
        (
            "step alter",
            vec![alterations, (limits, of_handle), (&[], &[AlreadyLifted])],
        ),
        (
            "step split",
            vec![
                (limits, of_handle),
                (&[OutsideWindow], &[AlreadyLifted, WrongState]),
            ],
        ),
    ];
    for binding in ["late", "early"] {
        for (what, reasons) in &expected {
            let found = codes_of(binding, what);
            let reasons = reasons.iter().flat_map(|(refusals, misuses)| {
                let refusals = refusals.iter().map(|refusal| refusal.code());
                refusals.chain(misuses.iter().map(|misuse| misuse.code()))
            });
            let expected: BTreeSet<_> = reasons.chain([0]).collect();
            let missing: Vec<_> = expected.difference(&found).collect();
            assert!(missing.is_empty(), "{binding} {what} lacks {missing:?}");
        }
    }
}

/// The codes of all answers to a word, or with `step` before it, to the steps of that word.
fn codes_of(binding: &str, what: &str) -> BTreeSet<u16> {
    let Some(word) = what.strip_prefix("step ") else {
        let of_call = |line: &Line<'_>| line.binding == binding && line.what == what;
        let lines = lines().into_iter().filter(of_call);
        return lines.map(|line| line.code).collect();
    };
    let mut scripts = BTreeMap::new();
    for entry in Entries::new(CALLS).map(Result::unwrap) {
        if let Entry::Call(_, call) = entry
            && let Action::Transaction(script) = call.action
        {
            scripts.insert(call.job.to_string(), script);
        }
    }
    let steps = fields().filter(|fields| fields[0] == binding && fields[2] == "step");
    let named = steps.filter(|fields| {
        let number: usize = fields[4].parse().unwrap();
        let text = scripts[fields[3]].steps[number].to_string();
        text.trim_start_matches('?').split(':').next() == Some(word)
    });
    named.map(|fields| fields[5].parse().unwrap()).collect()
}

/// Every alteration is allowed and forbidden on either book just as the state says: in what-ifs on a job in each.
#[test]
fn states_matter() {
    let all = lines();
    for binding in ["late", "early"] {
        let wrong = UsageError::WrongState.code();
        let started: BTreeSet<_> = all
            .iter()
            .filter(|line| line.binding == binding && line.what == "started")
            .map(|line| line.job)
            .collect();
        let altered = |kind: &str, refused: bool, running: bool| {
            let calls = Entries::new(CALLS).filter_map(|entry| match entry.unwrap() {
                Entry::Call(slot, call) => Some((slot, call)),
                Entry::End(_) => None,
            });
            let last = calls.filter(|(slot, call)| match &call.action {
                Action::Alter(alteration) => slot.get() > LAST_DRAWN && alteration.name() == kind,
                _ => false,
            });
            let mut answered = last.filter(|(_, call)| started.contains(&call.job) == running);
            answered.any(|(slot, call)| {
                all.iter().any(|line| {
                    line.binding == binding
                        && (line.slot, line.what, line.job) == (slot.get(), "alter", call.job)
                        && (line.code == wrong) == refused
                        && (refused || line.code == 0)
                })
            })
        };
        for kind in ["shift", "widen", "change-window"] {
            assert!(altered(kind, true, true), "{binding} {kind}");
            assert!(altered(kind, false, false), "{binding} {kind}");
        }
        for kind in ["extend", "shorten", "narrow"] {
            assert!(altered(kind, false, true), "{binding} {kind}");
            assert!(altered(kind, false, false), "{binding} {kind}");
        }
    }
}

/// Reservations that are in the way are named on either book, and so are obstacles, what else could be done, and moves of every kind.
#[test]
fn details_are_of_every_kind() {
    for binding in ["late", "early"] {
        let of = |what: &'static str| {
            fields().filter(move |fields| fields[0] == binding && fields[2] == what)
        };
        assert!(of("conflict").any(|line| line.len() > 6), "several");
        assert!(of("obstacle").any(|line| line.len() > 8), "several");
        for place in [4, 6, 7] {
            assert!(of("explained").any(|line| line[place] == "-"), "{place}");
            assert!(of("explained").any(|line| line[place] != "-"), "{place}");
        }
        assert!(of("covers").any(|line| line.len() > 6));
        assert!(of("move").any(|line| line[6] == "0"), "a new one");
        assert!(of("move").any(|line| line[9] == "0"), "one that is removed");
        assert!(of("move").any(|line| line[6] != "0" && line[9] != "0"));
    }
}

/// More events in one slot than one list holds, so that the books are advanced again.
#[test]
fn events_wait() {
    let mut reported = BTreeMap::<_, usize>::new();
    for line in lines() {
        // Events of one slot are reported by one advance, but for the starts of what is booked in the slot that is running.
        if ["completed", "overran", "expired"].contains(&line.what) {
            *reported.entry((line.binding, line.slot)).or_default() += 1;
        }
    }
    for book in ["late", "early"] {
        let mut most = reported.iter().filter(|((binding, _), _)| *binding == book);
        assert!(most.any(|(_, events)| *events > EVENTS), "{book}");
    }
}

/// On either book a list of offers is full, one begins with a solution, and one has none.
#[test]
fn offers_are_of_every_kind() {
    let mut lists = BTreeMap::<_, Vec<_>>::new();
    for offer in fields().filter(|fields| fields[2] == "offer") {
        let list = lists.entry((offer[0], offer[3])).or_default();
        list.push(offer[10] == "1");
    }
    for book in ["late", "early"] {
        let lists = || lists.iter().filter(|((binding, _), _)| *binding == book);
        assert!(lists().any(|(_, list)| list.len() == OFFERS), "{book}");
        assert!(lists().any(|(_, list)| list[0]), "{book}");
        assert!(lists().any(|(_, list)| !list[0]), "{book}");
        assert!(lists().all(|(_, list)| !list[1..].contains(&true)));
    }
}

/// Jobs that come from the queue are passed by others, wait long, and are ended early.
#[test]
fn jobs_wait() {
    let all = lines();
    for book in ["late", "early"] {
        let of = |what: &str| -> BTreeMap<_, _> {
            all.iter()
                .filter(|line| line.binding == book && line.what == what && line.code == 0)
                .map(|line| (line.job, line.slot))
                .collect()
        };
        let (submitted, started) = (of("submit"), of("best-effort-started"));
        let waited = |job: &u16| started.get(job).zip(submitted.get(job));
        assert!(
            started
                .keys()
                .any(|job| waited(job).is_some_and(|(start, submit)| *start > submit + 10))
        );
        let passed = |one: &u16| {
            let later = submitted.range(one + 1..).map(|(job, _)| job);
            started.contains_key(one)
                && later
                    .filter_map(|job| started.get(job))
                    .any(|start| *start < started[one])
        };
        assert!(submitted.keys().any(passed), "{book}");
        assert!(
            of("complete").keys().any(|job| started.contains_key(job)),
            "{book}"
        );
    }
}

/// Reservations move for newcomers on either book, by juggling and by shifting, and are moved forward again.
#[test]
fn newcomers_move_others() {
    for binding in ["late", "early"] {
        let mut what = BTreeMap::new();
        for line in lines().iter().filter(|line| line.binding == binding) {
            what.insert(line.job.to_string(), line.what);
        }
        let moved: BTreeSet<_> = fields()
            .filter(|line| line[0] == binding && line[2] == "move" && line[4] != line[3])
            .filter(|line| line[6] != "0" && line[9] != "0")
            .filter_map(|line| what.get(line[3]).copied())
            .collect();
        for word in ["juggle", "shift-in", "replan"] {
            assert!(moved.contains(word), "{binding} {word}: {moved:?}");
        }
    }
}

/// Each search, order, discipline and rule decides something that another one decides otherwise, on either book.
#[test]
fn manners_matter() {
    let discovery = OfferOrder::Discovery.name();
    for order in OfferOrder::ALL.map(OfferOrder::name) {
        if order != discovery {
            decides_otherwise(&["offers"], order, discovery);
        }
    }
    let moving: &[&str] = &["juggle", "replan"];
    let edf = Order::EarliestDeadline.name();
    for (calls, one, other) in [
        (
            &["offers"][..],
            Search::StripPacking.name(),
            Search::ParetoFront.name(),
        ),
        (&["queue"], Discipline::Fcfs.name(), Discipline::Easy.name()),
        (moving, Order::LeastFlexible.name(), edf),
        (moving, Order::BiggestFirst.name(), edf),
        (moving, Order::Fifo.name(), edf),
        (
            moving,
            Admission::PlainFirst.name(),
            Admission::Always.name(),
        ),
        (
            &["shift-in"],
            Direction::Right.name(),
            Direction::Both.name(),
        ),
        (
            &["mould"],
            FormChoice::EarliestEnd.name(),
            FormChoice::Cheapest.name(),
        ),
        (
            &["mould"],
            FormChoice::FewestPeSlots.name(),
            FormChoice::Cheapest.name(),
        ),
    ] {
        decides_otherwise(calls, one, other);
        decides_otherwise(calls, other, one);
    }
}

/// With `other` in the place of `name` in these calls either book answers something else.
fn decides_otherwise(calls: &[&str], name: &str, other: &str) {
    let (name, other) = (format!(" {name} "), format!(" {other} "));
    let mut replaced = 0;
    let text: String = CALLS
        .lines()
        .map(|line| {
            let made = line.split(' ').nth(1);
            if made.is_some_and(|made| calls.contains(&made)) && format!("{line} ").contains(&name)
            {
                replaced += 1;
                let line = format!("{line} ").replace(&name, &other);
                return format!("{}\n", line.trim_end());
            }
            format!("{line}\n")
        })
        .collect();
    assert!(replaced > 0, "{name}");
    let replaced = answers_to(&text);
    for book in ["late", "early"] {
        let of_book = |line: &&str| line.starts_with(book);
        let kept = ANSWERS.lines().filter(of_book);
        let replaced = replaced.iter().map(String::as_str).filter(of_book);
        assert!(kept.ne(replaced), "{name} on {book}");
    }
}

/// Each policy decides something that first fit decides otherwise, on either book.
#[test]
fn policies_matter() {
    for policy in Policy::ALL {
        let used = |entry: &Entry| match entry {
            Entry::Call(_, call) => match call.action {
                Action::Reserve(_, used) | Action::Hold(_, used, _) => used == policy,
                _ => false,
            },
            Entry::End(_) => false,
        };
        assert!(
            Entries::new(CALLS).map(Result::unwrap).any(|e| used(&e)),
            "{policy:?}"
        );
        if policy == Policy::FirstFit {
            continue;
        }
        let calls = ["reserve", "hold", "plan", "series"];
        decides_otherwise(&calls, policy.name(), Policy::FirstFit.name());
    }
}

/// The books part ways: in what they accept, in where it starts and in the PEs it gets.
#[test]
fn bindings_matter() {
    let all = lines();
    let of = |book: &str, what: &str| -> BTreeMap<_, _> {
        all.iter()
            .filter(|line| line.binding == book && line.what == what)
            .map(|line| (line.job, (line.code, line.start, line.pes)))
            .collect()
    };
    let (late, early) = (of("late", "reserve"), of("early", "reserve"));
    let both = || late.iter().map(|(job, answer)| (answer, early[job]));
    assert!(both().any(|(late, early)| late.0 != early.0));
    assert!(both().any(|(late, early)| late.0 == 0 && early.0 == 0 && late.1 != early.1));
    let (late, early) = (of("late", "started"), of("early", "started"));
    let same_start = |(job, late): (&u16, &(u16, u64, &str))| {
        early
            .get(job)
            .is_some_and(|early| early.1 == late.1 && early.2 != late.2)
    };
    assert!(late.iter().any(same_start));
}
