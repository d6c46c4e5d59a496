//! The histories are what the command writes, and contain what they are there to show.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::{Debug, Write as _},
    process,
};

use bookahead::{
    Advanced, Direction, Discipline, Error, EventKind, FormChoice, Guarantee, OfferOrder, Policy,
    Refusal, Search, Slot, UsageError,
};
use bookahead_commands::{
    Answer, Call, Command, Happening, History, InTheWay, Juggled, Law, Moved, Number, Reply,
    Sorting, Step,
};
use bookahead_stream::{COUNT, OVERLAY, PE, PLACED, RULED, WAITING};

const BOTH: [(&str, &str); 2] = [("count", COUNT), ("pe", PE)];
/// All that the C interface has words for.
const ALL: [(&str, &str); 5] = [
    BOTH[0],
    BOTH[1],
    ("overlay", OVERLAY),
    ("placed", PLACED),
    ("waiting", WAITING),
];

fn steps(text: &'static str) -> impl Iterator<Item = (Command, Reply)> {
    let steps = History::of(text).unwrap().map(Result::unwrap);
    steps.map(|step: Step| (step.command, step.expected.expect("it is golden")))
}

fn word(line: &impl ToString) -> String {
    let line = line.to_string();
    line.split(' ').next().unwrap().to_owned()
}

fn run(words: &[&str]) -> process::Output {
    process::Command::new(env!("CARGO_BIN_EXE_bookahead-stream"))
        .args(words)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap()
}

/// Replays the file; what is printed, or what is said of the first difference.
fn replay(file: &str, on: &str) -> Result<String, String> {
    let output = run(&["replay", file, "--on", on]);
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    if output.status.success() {
        Ok(out)
    } else {
        Err(err)
    }
}

#[test]
fn every_kernel_answers_what_is_on_file() {
    for (file, text) in ALL.into_iter().chain([("ruled", RULED)]) {
        assert!(
            replay(&format!("{file}.txt"), "kernel").unwrap() == text,
            "{file}"
        );
    }
    assert!(replay("pe.txt", "wide").unwrap() == PE);
}

#[test]
fn the_twin_answers_the_same_as_far_as_it_can() {
    assert!(replay("overlay.txt", "twin").unwrap() == OVERLAY);
    assert!(replay("waiting.txt", "twin").unwrap() == WAITING);
    assert!(replay("ruled.txt", "twin").unwrap() == RULED);
    // The twin moves in an order of its own.
    let told = replay("placed.txt", "twin").unwrap();
    assert_eq!(told.lines().count(), PLACED.lines().count());
    for (file, _) in BOTH {
        let said = replay(&format!("{file}.txt"), "twin").unwrap_err();
        assert!(said.contains("needs the exact search"), "{said}");
        let agreed = said.split("until then ").nth(1).unwrap();
        let agreed = agreed.split(' ').next().unwrap().parse::<u32>();
        assert!(agreed.unwrap() > 4_500, "{said}");
    }
}

#[test]
fn the_c_interface_answers_what_is_on_file() {
    for (file, text) in ALL.into_iter().chain([("ruled", RULED)]) {
        // Every reply was the expected one, as far as C tells of transactions what happens inside.
        let told = replay(&format!("{file}.txt"), "c").unwrap();
        assert_eq!(told.lines().count(), text.lines().count(), "{file}");
    }
}

#[test]
fn the_first_difference_is_named() {
    let folder = std::env::temp_dir().join(format!("bookahead-stream-{}", process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("changed.txt");
    let text = "size counts 4 64 4 fcfs 2 no\n# Full.\nbook 0 4 4 4 first-fit confirmed\n= booked 0 0\n\nbook 0 4 4 1 first-fit confirmed\n= booked 1 0\n";
    std::fs::write(&file, text).unwrap();
    let said = replay(file.to_str().unwrap(), "kernel").unwrap_err();
    assert!(said.contains("line 6: book 0 4 4 1 first-fit confirmed\n  expected: booked 1 0\n  found:    refused no-room"), "{said}");
    std::fs::write(&file, text.replace("= booked 0 0", "= booked zero 0")).unwrap();
    let said = replay(file.to_str().unwrap(), "kernel").unwrap_err();
    assert!(said.contains("line 4, word 2: zero"), "{said}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// What is drawn is a history that others agree with, and follows from its seed.
#[test]
fn a_history_is_drawn() {
    let draw = |seed| {
        let output = run(&["draw", "--commands", "400", "--seed", seed]);
        String::from_utf8(output.stdout).unwrap()
    };
    let drawn = draw("1");
    assert!(drawn == draw("1") && drawn != draw("2"));
    assert_eq!(drawn.lines().count(), 801);
    let file = std::env::temp_dir().join(format!("bookahead-stream-drawn-{}", process::id()));
    std::fs::write(&file, &drawn).unwrap();
    for on in ["kernel", "wide"] {
        assert!(replay(file.to_str().unwrap(), on).unwrap() == drawn, "{on}");
    }
    std::fs::remove_file(file).unwrap();
}

/// Every command is given, and answered otherwise than that it is refused; so is every call of a transaction.
#[test]
fn every_command_occurs() {
    let (mut commands, mut calls) = (BTreeSet::new(), BTreeSet::new());
    let texts = ALL.into_iter().map(|(_, text)| text).chain([RULED]);
    for (command, reply) in texts.flat_map(steps) {
        if reply.error().is_none() {
            commands.extend([word(&command), word(command.inner())]);
        }
        if let (Command::Transact(transact), Reply::Transacted(outcome)) = (command, reply) {
            let answers = outcome.answers.iter();
            let done = transact
                .calls
                .iter()
                .zip(answers)
                .filter(|(_, (answer, _))| answer.is_ok());
            calls.extend(done.map(|(call, _)| word(call)));
        }
    }
    assert_eq!(commands, Command::words().collect());
    assert_eq!(calls, Call::words().collect());
}

/// On either book every reason is given that these commands can be given, and everything happens that can happen.
#[test]
fn every_answer_occurs() {
    // Time that goes back or ends is not among them; each advance reports all expired holds, so that none is left to be confirmed.
    let out_of_reach = [
        UsageError::TimeWentBack,
        UsageError::EndOfTime,
        UsageError::HoldExpired,
        // Only of overlays.
        UsageError::FlexibleOverlay,
        // Only of classes and sets.
        UsageError::StaleClass,
        UsageError::NotWholeGroups,
        UsageError::ExactlyThese,
        UsageError::BadPes,
        // Only of rules.
        UsageError::BadRule,
        // Of books that have no schedule of queued jobs.
        UsageError::NoSchedule,
        // Of several books.
        UsageError::BooksApart,
        UsageError::PartsApart,
        UsageError::BadNeeds,
    ];
    // Only of overlays, and of classes.
    let of_others = [
        Refusal::TooRisky,
        Refusal::ScratchTooShort,
        Refusal::Pinned,
        Refusal::NotEligible,
    ];
    let refusals = Refusal::ALL
        .iter()
        .filter(|reason| !of_others.contains(reason));
    let misuses = UsageError::ALL
        .iter()
        .filter(|reason| !out_of_reach.contains(reason));
    let refusals = refusals.map(|reason| reason.name());
    let expected: BTreeSet<_> = refusals
        .chain(misuses.map(|reason| reason.name()))
        .collect();
    let only_overlaid = [
        EventKind::LateStart,
        EventKind::CutShort,
        EventKind::OverlayBooked,
    ];
    let only_waiting = [EventKind::Promised, EventKind::GaveUp, EventKind::Preempted];
    let only_ruled = [EventKind::RuleMet];
    let others = [&only_overlaid[..], &only_waiting, &only_ruled].concat();
    let kinds = EventKind::ALL.iter().filter(|kind| !others.contains(kind));
    let kinds: BTreeSet<_> = kinds.map(|kind| kind.name()).collect();
    for (book, text) in BOTH {
        let reasons: BTreeSet<_> = reasons(text)
            .into_iter()
            .map(|(_, reason)| reason)
            .collect();
        assert_eq!(reasons, expected, "{book}");
        let happened: BTreeSet<_> = events(text).map(|event| event.kind.name()).collect();
        assert_eq!(happened, kinds, "{book}");
    }
    let happened: BTreeSet<_> = events(OVERLAY).map(|event| event.kind.name()).collect();
    for kind in only_overlaid {
        assert!(happened.contains(kind.name()), "{kind:?}");
    }
    let happened: BTreeSet<_> = events(WAITING).map(|event| event.kind.name()).collect();
    for kind in only_waiting {
        assert!(happened.contains(kind.name()), "{kind:?}");
    }
    for kind in only_ruled {
        assert!(events(RULED).any(|event| event.kind == kind), "{kind:?}");
    }
    let reasons: BTreeSet<_> = reasons(PLACED)
        .into_iter()
        .map(|(_, reason)| reason)
        .collect();
    for reason in [
        Refusal::NotEligible.name(),
        UsageError::StaleClass.name(),
        UsageError::NotWholeGroups.name(),
        UsageError::ExactlyThese.name(),
        UsageError::BadPes.name(),
    ] {
        assert!(reasons.contains(reason), "{reason}");
    }
    let bad_rule = ("step set-rule".to_owned(), UsageError::BadRule.name());
    let no_schedule = ("submit".to_owned(), UsageError::NoSchedule.name());
    for reason in [bad_rule, no_schedule] {
        assert!(self::reasons(RULED).contains(&reason), "{reason:?}");
    }
}

/// What is refused, by the word of the command or with `step` before it, of the call in a transaction, and why.
fn reasons(text: &'static str) -> BTreeSet<(String, &'static str)> {
    let mut found = BTreeSet::new();
    for (command, reply) in steps(text) {
        if let Some(error) = reply.error() {
            found.insert((word(&command), error.name()));
        }
        if let (Command::Transact(transact), Reply::Transacted(outcome)) = (command, reply) {
            for (call, (answer, _)) in transact.calls.iter().zip(&outcome.answers) {
                if let Err(error) = answer {
                    found.insert((format!("step {}", word(call)), error.name()));
                }
            }
            if let Err(error) = outcome.end {
                found.insert(("step commit".to_owned(), error.name()));
            }
        }
    }
    found
}

fn events(text: &'static str) -> impl Iterator<Item = Happening> {
    steps(text).flat_map(|(_, reply)| match reply {
        Reply::Passed(_, events) => events,
        Reply::Next(event) => event.into_iter().collect(),
        _ => Vec::new(),
    })
}

const OF_REQUEST: &str =
    "too-wide too-long ready-in-past window-too-short beyond-horizon zero-duration zero-pes";
const OF_NEWCOMER: &str = "too-wide window-too-short beyond-horizon no-room zero-duration zero-pes";
const OF_ALTERATION: &str = "too-wide outside-window ready-in-past window-too-short beyond-horizon no-room wrong-state wrong-direction zero-duration zero-pes";
const OF_HANDLE: &str = "unknown-handle stale-handle";
const LIMITS: &str = "move-limit work-limit";

/// What moves reservations is answered on either book in every way that it can be, as a call and as a step of a transaction. What is
/// missing cannot be reached: no window reaches beyond the horizon, so nothing is placed there.
#[test]
fn every_move_is_answered_in_every_way() {
    let expected: [(&str, &[&str]); 21] = [
        ("juggle", &[OF_NEWCOMER, LIMITS]),
        ("shift-in", &[OF_NEWCOMER, LIMITS]),
        ("freeze", &[OF_HANDLE]),
        ("commit", &["stale-plan zero-hold"]),
        (
            "plan-mouldable",
            &["too-wide window-too-short over-budget no-forms zero-duration zero-pes"],
        ),
        ("alter", &[OF_ALTERATION, OF_HANDLE]),
        (
            "split",
            &["outside-window table-full wrong-state", OF_HANDLE],
        ),
        (
            "series",
            &[
                OF_REQUEST,
                "no-room table-full zero-hold bad-series too-many-parts",
            ],
        ),
        (
            "together",
            &[
                "too-wide ready-in-past window-too-short beyond-horizon table-full no-room zero-hold too-many-parts zero-duration zero-pes",
            ],
        ),
        ("cancel-all", &["unknown-handle"]),
        ("explain", &[OF_REQUEST]),
        ("step apply", &[LIMITS, "bad-move stale-plan"]),
        ("step commit", &["still-lifted"]),
        ("step rollback-to", &["bad-savepoint"]),
        (
            "step lift",
            &[LIMITS, OF_HANDLE, "already-lifted wrong-state"],
        ),
        (
            "step place",
            &[
                LIMITS,
                OF_HANDLE,
                "too-wide outside-window ready-in-past no-room not-lifted zero-duration zero-pes wrong-state",
            ],
        ),
        (
            "step place-first-fit",
            &[LIMITS, OF_HANDLE, "no-room not-lifted wrong-state"],
        ),
        (
            "step insert",
            &[
                OF_REQUEST,
                LIMITS,
                "zero-hold outside-window table-full no-room",
            ],
        ),
        ("step remove", &[LIMITS, OF_HANDLE]),
        (
            "step alter",
            &[OF_ALTERATION, LIMITS, OF_HANDLE, "already-lifted"],
        ),
        (
            "step split",
            &[
                LIMITS,
                OF_HANDLE,
                "outside-window already-lifted wrong-state",
            ],
        ),
    ];
    for (book, text) in BOTH {
        let found = reasons(text);
        for (what, reasons) in &expected {
            for reason in reasons.iter().flat_map(|names| names.split(' ')) {
                assert!(
                    found.contains(&(what.to_string(), reason)),
                    "{book} {what} {reason}"
                );
            }
        }
    }
}

/// Every alteration is allowed and forbidden on either book just as the state says.
#[test]
fn states_matter() {
    for (book, text) in BOTH {
        let mut started = BTreeSet::new();
        let mut found = BTreeSet::new();
        for (command, reply) in steps(text) {
            let events = match &reply {
                Reply::Passed(_, events) => events.clone(),
                Reply::Next(event) => event.iter().copied().collect(),
                _ => Vec::new(),
            };
            let begins = |event: &&Happening| {
                [EventKind::Started, EventKind::BestEffortStarted].contains(&event.kind)
            };
            started.extend(events.iter().filter(begins).filter_map(|event| event.whose));
            if let Command::Alter(number, alteration, _) = command {
                let wrong = Some(Error::from(UsageError::WrongState));
                if reply.error().is_none() || reply.error() == wrong {
                    found.insert((
                        alteration.name(),
                        started.contains(&number),
                        reply.error() == wrong,
                    ));
                }
            }
        }
        for kind in [
            "shift",
            "widen",
            "change-window",
            "extend",
            "shorten",
            "narrow",
        ] {
            let forbidden = ["shift", "widen", "change-window"].contains(&kind);
            assert!(found.contains(&(kind, true, forbidden)), "{book} {kind}");
            assert!(found.contains(&(kind, false, false)), "{book} {kind}");
        }
    }
}

/// Reservations that are in the way are named on either book, and so are obstacles, what else could be done, and moves of every kind.
#[test]
fn details_are_of_every_kind() {
    for (book, text) in BOTH {
        let several = |conflict: &InTheWay| conflict.names.len() > 1;
        let any = |found: &dyn Fn(&Reply) -> bool| steps(text).any(|(_, reply)| found(&reply));
        assert!(
            any(&|reply| matches!(reply, Reply::Refused(_, way) if several(way))),
            "{book}"
        );
        assert!(
            any(&|reply| matches!(reply, Reply::Named(names) if names.len() > 1)),
            "{book}"
        );
        let explained = |found: &dyn Fn(&bookahead::Explanation) -> bool| {
            any(&|reply| matches!(reply, Reply::Explained(all, _) if found(all)))
        };
        for is in [true, false] {
            assert!(explained(&|all| all.fits.is_some() == is), "{book} {is}");
            assert!(explained(&|all| all.earlier.is_some() == is), "{book} {is}");
            assert!(explained(&|all| all.later.is_some() == is), "{book} {is}");
        }
        let obstructed = |reply: &Reply| match reply {
            Reply::Explained(_, all) => all.iter().any(|obstacle| several(&obstacle.holders)),
            _ => false,
        };
        assert!(any(&obstructed), "{book}");
        let in_transaction = |reply: &Reply| match reply {
            Reply::Transacted(outcome) => outcome
                .answers
                .iter()
                .any(|(answer, _)| matches!(answer, Ok(Answer::Conflict(way)) if several(way))),
            _ => false,
        };
        assert!(any(&in_transaction), "{book}");
        let moves: Vec<Moved> = steps(text).flat_map(|(_, reply)| moves(&reply)).collect();
        for (from, to) in [(false, true), (true, false), (true, true)] {
            assert!(
                moves
                    .iter()
                    .any(|to_| (to_.from.is_some(), to_.to.is_some()) == (from, to)),
                "{book}"
            );
        }
    }
}

fn moves(reply: &Reply) -> Vec<Moved> {
    match reply {
        Reply::Transacted(outcome) => {
            let last = outcome.answers.last();
            last.map_or(Vec::new(), |(_, sight)| sight.moves.clone())
        }
        Reply::Juggled(Juggled { moves, .. }) => moves.clone(),
        _ => Vec::new(),
    }
}

/// On either book events wait for room in a list; a list of offers is full, one begins with a solution, and one has none.
#[test]
fn lists_are_full() {
    for (book, text) in BOTH {
        let waiting = |reply: &Reply| matches!(reply, Reply::Passed(Advanced::EventsWaiting, _));
        assert!(steps(text).any(|(_, reply)| waiting(&reply)), "{book}");
        let lists: Vec<_> = steps(text)
            .filter_map(|(command, reply)| match (command, reply) {
                (Command::Offers(_, _, room), Reply::Offered(_, offers)) => Some((room, offers)),
                _ => None,
            })
            .collect();
        assert!(
            lists.iter().any(|(room, offers)| offers.len() == *room),
            "{book}"
        );
        let mut heads = lists.iter().filter_map(|(_, offers)| offers.first());
        assert!(heads.clone().any(|offer| offer.solution) && heads.any(|offer| !offer.solution));
        let mut rest = lists.iter().flat_map(|(_, offers)| offers.iter().skip(1));
        assert!(rest.all(|offer| !offer.solution), "{book}");
    }
}

/// Jobs that come from the queue are passed by others, wait long, and are ended early.
#[test]
fn jobs_wait() {
    for (book, text) in BOTH {
        let (mut now, mut waiting) = (Slot::new(0), BTreeMap::new());
        let (mut passed, mut long, mut running, mut ended) = (false, false, BTreeSet::new(), false);
        for (command, reply) in steps(text) {
            match (command, reply) {
                (Command::Submit(_), Reply::Waits(ticket)) => drop(waiting.insert(ticket, now)),
                (Command::Withdraw(ticket), Reply::Done) => drop(waiting.remove(&ticket)),
                (Command::Queue(_), _) => waiting.clear(),
                (Command::Complete(number, _), Reply::Done) => ended |= running.contains(&number),
                (Command::AdvanceQueue(to, _), Reply::Passed(_, events)) => {
                    now = to;
                    for event in events {
                        let Some(since) = event.ticket.and_then(|ticket| waiting.remove(&ticket))
                        else {
                            continue;
                        };
                        running.extend(event.whose);
                        passed |= waiting.values().any(|other| *other < since);
                        long |= since.get() + 10 < event.at.get();
                    }
                }
                (Command::NextOfQueue(to), Reply::Next(event)) => {
                    now = to;
                    if let Some(event) = event
                        && let Some(since) = event.ticket.and_then(|ticket| waiting.remove(&ticket))
                    {
                        running.extend(event.whose);
                        passed |= waiting.values().any(|other| *other < since);
                        long |= since.get() + 10 < event.at.get();
                    }
                }
                _ => {}
            }
        }
        assert_eq!((passed, long, ended), (true, true, true), "{book}");
    }
}

/// Reservations move for newcomers on either book, by juggling and by shifting, and are moved forward again.
#[test]
fn newcomers_move_others() {
    for (book, text) in BOTH {
        let mut moved = BTreeSet::new();
        for (command, reply) in steps(text) {
            let newcomer = matches!(command, Command::Juggle(Some(_), ..));
            if moves(&reply)
                .iter()
                .any(|to| to.from.is_some() && to.to.is_some())
            {
                moved.insert((word(&command), newcomer));
            }
        }
        for what in [("juggle", true), ("juggle", false), ("shift-in", false)] {
            assert!(
                moved.contains(&(what.0.to_owned(), what.1)),
                "{book} {what:?}"
            );
        }
    }
}

/// Each search, order, discipline, rule and policy decides something that another one decides otherwise, on either book.
#[test]
fn manners_matter() {
    for order in OfferOrder::ALL {
        if order != OfferOrder::Discovery {
            decides_otherwise(order, OfferOrder::Discovery, |command| match command {
                Command::Offers(_, terms, _) => Some(&mut terms.order),
                _ => None,
            });
        }
    }
    for policy in Policy::ALL {
        if policy != Policy::FirstFit {
            decides_otherwise(policy, Policy::FirstFit, |command| match command {
                Command::Book(_, policy, _) | Command::Plan(_, policy) => Some(policy),
                _ => None,
            });
        }
    }
    for (one, other) in either_way(Search::StripPacking, Search::ParetoFront) {
        decides_otherwise(one, other, |command| match command {
            Command::Offers(_, terms, _) => Some(&mut terms.search),
            _ => None,
        });
    }
    for (one, other) in either_way(Discipline::Fcfs, Discipline::Easy) {
        decides_otherwise(one, other, |command| match command {
            Command::Queue(discipline) => Some(discipline),
            _ => None,
        });
    }
    for order in [Sorting::Flexibility, Sorting::Size, Sorting::Acceptance] {
        for (one, other) in either_way(order, Sorting::Deadline) {
            decides_otherwise(one, other, |command| match command {
                Command::Juggle(_, rules, ..) => Some(&mut rules.sorting),
                _ => None,
            });
        }
    }
    for (one, other) in either_way(true, false) {
        decides_otherwise(one, other, |command| match command {
            Command::Juggle(_, rules, ..) => Some(&mut rules.always),
            _ => None,
        });
    }
    for (one, other) in either_way(Direction::Right, Direction::Both) {
        decides_otherwise(one, other, |command| match command {
            Command::ShiftIn(_, rules, ..) => Some(&mut rules.direction),
            _ => None,
        });
    }
    for choice in [FormChoice::EarliestEnd, FormChoice::FewestPeSlots] {
        for (one, other) in either_way(choice, FormChoice::Cheapest) {
            decides_otherwise(one, other, |command| match command {
                Command::PlanMouldable(mould) => Some(&mut mould.choice),
                _ => None,
            });
        }
    }
}

fn either_way<T: Copy>(one: T, other: T) -> [(T, T); 2] {
    [(one, other), (other, one)]
}

/// With `other` in the place of `one` there in the commands, either book answers something else.
fn decides_otherwise<T: PartialEq + Copy + Debug>(
    one: T,
    other: T,
    place: impl Fn(&mut Command) -> Option<&mut T>,
) {
    for (book, text) in BOTH {
        let mut changed = text.lines().next().unwrap().to_owned();
        for (mut command, reply) in steps(text) {
            if let Some(place) = place(&mut command).filter(|place| **place == one) {
                *place = other;
            }
            write!(changed, "\n{command}\n= {reply}").unwrap();
        }
        let file = format!("bookahead-stream-{book}-{}", process::id());
        let file = std::env::temp_dir().join(file);
        std::fs::write(&file, changed).unwrap();
        let said = replay(file.to_str().unwrap(), "kernel").err();
        let said = said.unwrap_or_else(|| panic!("{book}: {one:?} decides as {other:?}"));
        assert!(said.contains("expected:"), "{said}");
        std::fs::remove_file(file).unwrap();
    }
}

/// The books part ways: in what they accept, in where it starts and in the PEs it gets.
#[test]
fn bindings_matter() {
    let books = |text| -> Vec<Reply> {
        let books = steps(text).filter(|(command, _)| matches!(command, Command::Book(..)));
        books.map(|(_, reply)| reply).collect()
    };
    let (late, early) = (books(COUNT), books(PE));
    assert_eq!(late.len(), early.len());
    let both = || late.iter().zip(&early);
    assert!(both().any(|(late, early)| late.error().is_none() != early.error().is_none()));
    let start = |reply: &Reply| match reply {
        Reply::Booked(_, start) => Some(*start),
        _ => None,
    };
    assert!(both().any(|(late, early)| {
        start(late)
            .zip(start(early))
            .is_some_and(|(late, early)| late != early)
    }));
    let first = |text| {
        let held = steps(text).filter_map(|(command, reply)| match (command, reply) {
            (Command::PesOf(number), Reply::Pes(pes)) if !pes.is_empty() => Some((number, pes)),
            _ => None,
        });
        held.collect::<BTreeMap<Number, Vec<u16>>>()
    };
    assert!(first(COUNT) != first(PE));
}

#[test]
fn they_are_long_enough() {
    for (_, text) in BOTH {
        assert!(steps(text).count() > 5_000);
        let last = events(text).last().unwrap().at;
        assert!(last > Slot::new(1_000), "the ring has turned round");
    }
}

/// Overlays are accepted and refused by every law and guarantee, with many probabilities, and violated.
#[test]
fn overlays_are_accepted_refused_and_violated() {
    let mut probable = BTreeSet::new();
    let mut counted = BTreeMap::<_, [usize; 2]>::new();
    for (command, reply) in steps(OVERLAY) {
        let Command::Overlay(_, risk) = command else {
            continue;
        };
        let law = match risk.law {
            Law::ServiceTimes(..) => 0,
            Law::UsedShares(_) => 1,
            Law::Part(_) | Law::Mean(_) => 2,
        };
        let counts = counted
            .entry((law, risk.guarantee == Guarantee::Access))
            .or_default();
        match reply {
            Reply::Overlaid((.., probability)) => {
                counts[0] += 1;
                probable.insert(probability);
            }
            reply => counts[1] += usize::from(reply.error() == Some(Refusal::TooRisky.into())),
        }
    }
    assert_eq!(counted.len(), 6);
    assert!(
        counted
            .values()
            .all(|[accepted, risky]| *accepted > 10 && *risky > 0)
    );
    assert!(probable.len() > 100, "{}", probable.len());
    let waits = |reply| matches!(reply, Reply::Layer((_, Ok(names))) if names.len() > 1);
    assert!(steps(OVERLAY).any(|(_, reply)| waits(reply)));
}
