//! The two files are what the command writes, and contain what they are there to show.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use bookahead::{Misuse, Policy, Refusal};
use bookahead_stream::{
    Action, CALLS, EARLY, EVENTS, Entries, Entry, HEADER, LATE, NO_BOOKINGS, Replay, SLOTS,
};

const ANSWERS: &str = include_str!("../answers.txt");

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
    let mut bookings = [NO_BOOKINGS; 2];
    let mut replay = Replay::new(calls, late.view(), early.view(), &mut bookings);
    let mut answers = Vec::new();
    while replay
        .pass_slot(|answer| answers.push(answer.to_string()))
        .unwrap()
    {}
    answers
}

/// A line of the answers.
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
    let mut lines = ANSWERS.lines();
    assert_eq!(lines.next(), Some(HEADER));
    let read = |line: &'static str| {
        let fields: Vec<_> = line.split(' ').collect();
        let [binding, slot, what, job, code, start, pes] = fields[..] else {
            panic!("{line}");
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
    lines.map(read).collect()
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
    // A plan that the book has left behind, and time that goes back or ends, are not among the calls; each advance
    // reports all expired holds, so that none is left to be confirmed.
    let out_of_reach = [
        Misuse::StalePlan,
        Misuse::TimeWentBack,
        Misuse::EndOfTime,
        Misuse::HoldExpired,
    ];
    let misuses = Misuse::ALL
        .iter()
        .filter(|misuse| !out_of_reach.contains(misuse));
    let codes: BTreeSet<_> = Refusal::ALL
        .iter()
        .map(|refusal| refusal.code())
        .chain(misuses.map(|misuse| misuse.code()))
        .chain([0])
        .collect();
    let words = BTreeSet::from([
        "reserve",
        "hold",
        "confirm",
        "cancel",
        "complete",
        "completed",
        "overran",
        "expired",
        "started",
        "missed",
    ]);
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
        let name = format!(" {} ", policy.name());
        let replaced = answers_to(&CALLS.replace(&name, " first-fit "));
        for book in ["late", "early"] {
            let of_book = |line: &&str| line.starts_with(book);
            let kept = ANSWERS.lines().filter(of_book);
            let replaced = replaced.iter().map(String::as_str).filter(of_book);
            assert!(kept.ne(replaced), "{policy:?} on {book}");
        }
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
