//! Jobs that make room for reservations: random lives, each advance of which is a jump that is compared with steps of one slot, every sequence of operations up to a
//! stated length in a small world, and single cases.

use bookahead::{
    BestEffortJob, Commitment, Discipline, EventKind, PeCount, Policy, Preemption, Refusal, Slot,
    Span, Ticket, UsageError,
    raw::{BulkScan, PlainScan},
};
use bookahead_commands::{Command, Happening, Placed, Reply, Subject};
use bookahead_oracle::generate::{LONG_LIST, PREEMPTED};
use bookahead_oracle::{Recorded, Tally};

use crate::classes::{Life, machine};
use crate::common::letters::{Ask, Letter, act, advance, advance_queue, complete, letter};
use crate::common::{
    World, job, kernels,
    lives::{self, shown},
    request,
};
use crate::exhaustive::{self, PES, ROWS, SLOTS};
use crate::waiting::steps_as_jump;

pub const WORLD: World = World {
    pes: 6,
    slots: 40,
    duration: 16,
    width: 4,
    step: 2,
};

pub fn life(subject: Box<dyn Subject>, discipline: Discipline, seed: u8) -> Tally {
    let profile = WORLD.used_for(PREEMPTED);
    let mut jumps = 0;
    let subject = subject.under(discipline);
    let operations = lives::operations(240_000, 6);
    let tally = lives::watched_life(subject, seed, operations, &profile, |side, command| {
        if let Command::AdvanceQueue(to, LONG_LIST) = *command {
            jumps += u64::from(steps_as_jump(side, to));
        }
    });
    shown!(jumps > 100, "{jumps}");
    let preempted = tally.of(EventKind::Preempted);
    shown!(preempted > 5, "{tally:?}");
    for error in [UsageError::WrongState, UsageError::StaleHandle] {
        shown!(tally.because(error) > 0, "{error:?}: {tally:?}");
    }
    shown!(tally.because(Refusal::QueueFull) > 0, "{tally:?}");
    tally
}

#[test]
fn life_of_counts() {
    life(
        kernels::counts(WORLD.pes, WORLD.slots, 12),
        Discipline::Easy,
        1,
    );
}

#[test]
fn life_of_counts_with_few_rows() {
    life(kernels::counts(WORLD.pes, 64, 5), Discipline::Fcfs, 2);
}

#[test]
fn life_of_narrow_sets() {
    life(
        kernels::narrow(WORLD.pes, WORLD.slots, 12),
        Discipline::Fcfs,
        3,
    );
}

#[test]
fn life_of_wide_sets() {
    life(
        kernels::wide(WORLD.pes, WORLD.slots, 12),
        Discipline::Conservative,
        4,
    );
}

#[test]
fn life_of_planned_counts() {
    life(
        kernels::counts(WORLD.pes, WORLD.slots, 12),
        Discipline::Conservative,
        5,
    );
}

#[test]
fn life_with_overlays() {
    life(
        kernels::overlays(WORLD.pes, WORLD.slots, 12),
        Discipline::Easy,
        6,
    );
}

#[test]
fn life_of_nodes() {
    let subject = kernels::placed::<u32, PlainScan>(WORLD.pes, WORLD.slots, 12);
    life(subject, Discipline::Conservative, 7);
}

#[test]
fn life_with_rules() {
    // Only a queue that plans nothing goes with rules.
    life(
        kernels::ruled_counts::<BulkScan>(WORLD.pes, WORLD.slots, 12),
        Discipline::Easy,
        8,
    );
    life(
        kernels::ruled_sets::<u32, PlainScan>(WORLD.pes, WORLD.slots, 12),
        Discipline::Easy,
        9,
    );
}

#[test]
fn life_with_classes() {
    let machine = machine(3, &[2, 1], &[(2, 3, 1, 0)], &[]);
    let subject = kernels::on::<u32, PlainScan>(&machine, WORLD.slots, 12);
    planned_life_with_classes(subject, &machine, 10);
}

pub fn planned_life_with_classes(subject: Box<dyn Subject>, machine: &Placed, seed: u8) {
    let subject = subject.under(Discipline::Conservative);
    let (mut life, profile) = (Life::new(subject, machine, seed), WORLD.used_for(PREEMPTED));
    for _ in 0..lives::operations(240_000, 6) {
        life.step(&profile);
    }
    let tally = &life.both.harness.tally;
    shown!(tally.of(EventKind::Preempted) > 25, "{tally:?}");
}

const fn submit(estimate: u32, pes: u32) -> Command {
    Command::Submit(BestEffortJob {
        estimate: Span::new(estimate),
        pes: PeCount::new(pes),
    })
}

const fn terms(min_run: u32, keeps: bool) -> Preemption {
    Preemption {
        min_run: Span::new(min_run),
        keeps,
    }
}

/// A job that starts now, if it can, and may be preempted.
fn run(estimate: u32, pes: u32, terms: Preemption) -> Letter {
    Box::new(move |play| {
        play.apply(submit(estimate, pes))?;
        let now = play.harness.twin.oracle.now();
        let told = play.apply(Command::AdvanceQueue(now, LONG_LIST))?;
        let Reply::Passed(_, events) = told else {
            return Ok(());
        };
        let started = |event: &&Happening| event.kind == EventKind::BestEffortStarted;
        for number in events
            .iter()
            .filter(started)
            .filter_map(|event| event.whose)
        {
            play.apply(Command::MakePreemptible(number, terms))?;
        }
        Ok(())
    })
}

fn preempt(ask: Ask, terms: Commitment) -> Letter {
    letter(move |oracle| {
        let request = ask.at(oracle.now());
        Some(Command::ReservePreempting(request, Policy::FirstFit, terms))
    })
}

/// Something that is done with the latest of the reservations.
fn last(act: fn(bookahead_commands::Number) -> Command) -> Letter {
    letter(move |oracle| oracle.live().last().copied().map(act))
}

/// 3 jobs, 3 reservations for which they make room, 3 acts, 3 advances.
fn alphabet() -> Vec<Letter> {
    let held = Commitment::Held { ttl: Span::new(2) };
    vec![
        run(4, 2, terms(1, true)),
        run(5, 1, terms(2, false)),
        letter(|_| Some(submit(2, 2))),
        preempt(Ask(0, 2, 1, 3), Commitment::Confirmed),
        preempt(Ask(1, 2, 1, 2), held),
        preempt(Ask(2, 3, 1, 2), Commitment::Confirmed),
        last(Command::Cancel),
        complete(0, 2),
        act(0, |number| Command::MakePreemptible(number, terms(3, true))),
        advance_queue(1, 8),
        advance_queue(2, 1),
        advance(1, 8),
    ]
}

/// 12 letters, length 5.
fn sequences(subject: &dyn Fn() -> Box<dyn Subject>) {
    let alphabet = alphabet();
    assert_eq!(alphabet.len(), 12);
    let sum = exhaustive::exhaust(|| Recorded::new(subject()), &alphabet, 5);
    assert!(sum.of(EventKind::Preempted) > 1_000, "{sum:?}");
    assert!(sum.because(UsageError::QueueLeftBehind) > 0, "{sum:?}");
}

#[test]
fn sequences_of_counts() {
    sequences(&|| kernels::counts(PES, SLOTS, ROWS).under(Discipline::Easy));
}

#[test]
fn sequences_of_sets() {
    sequences(&|| kernels::narrow(PES, SLOTS, ROWS).under(Discipline::Conservative));
}

/// A book of 8 PEs on which such jobs run from slot 0 on.
fn running(jobs: &[(u32, u32, Preemption)]) -> Recorded {
    let mut both = Recorded::new(kernels::narrow(8, 40, 12).under(Discipline::Fcfs));
    for (estimate, pes, terms) in jobs {
        run(*estimate, *pes, *terms)(&mut both).unwrap();
    }
    both
}

fn told(both: &mut Recorded, to: u64) -> Vec<(EventKind, u64, Option<u64>)> {
    match both.apply(Command::AdvanceQueue(Slot::new(to), LONG_LIST)) {
        Ok(Reply::Passed(_, events)) => {
            let events = events.iter();
            let told = |event: &Happening| (event.kind, event.at.get(), event.whose);
            events.map(told).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn reserve(both: &mut Recorded, ready: u64, duration: u32, deadline: u64, pes: u32) -> Reply {
    let request = request(ready, duration, deadline, pes);
    let confirmed = Commitment::Confirmed;
    both.apply(Command::ReservePreempting(
        request,
        Policy::FirstFit,
        confirmed,
    ))
    .unwrap()
}

/// Of five jobs the first two lose the least work. The first of them is not needed, once the second makes room; and who has to run on, stays.
#[test]
fn those_who_lose_the_least_make_room() {
    let mut both = running(&[
        (20, 1, terms(0, false)),
        (20, 3, terms(0, false)),
        (20, 2, terms(9, true)),
        (20, 1, terms(40, true)),
        (20, 1, terms(0, false)),
    ]);
    assert_eq!(
        reserve(&mut both, 5, 4, 11, 3),
        Reply::Booked(5, Slot::new(5))
    );
    assert_eq!(
        told(&mut both, 5),
        [
            (EventKind::Preempted, 5, Some(1)),
            (EventKind::Started, 5, Some(5)),
        ]
    );
    assert_eq!(
        reserve(&mut both, 6, 2, 8, 2),
        Reply::Booked(6, Slot::new(6))
    );
    assert_eq!(
        told(&mut both, 6),
        [
            (EventKind::Preempted, 6, Some(0)),
            (EventKind::Preempted, 6, Some(4)),
            (EventKind::Started, 6, Some(6)),
        ]
    );
    // The others leave five from 9 on, and then the third has run for long enough.
    assert_eq!(
        reserve(&mut both, 7, 3, 12, 6),
        Reply::Booked(7, Slot::new(9))
    );
}

/// The newcomer leaves: its room is the job's again, as far as nobody else has it.
#[test]
fn who_is_cut_is_grown_back() {
    let mut both = running(&[(20, 8, terms(2, true))]);
    assert_eq!(
        reserve(&mut both, 10, 4, 16, 8),
        Reply::Booked(1, Slot::new(10))
    );
    both.harness
        .apply_all(&[job(16, 18, 1), Command::Cancel(1)])
        .unwrap();
    let window = |both: &Recorded| both.harness.twin.oracle.get(0).unwrap().window.end.get();
    assert_eq!((told(&mut both, 5), window(&both)), (vec![], 16));
    both.harness.apply_all(&[Command::Cancel(2)]).unwrap();
    assert_eq!((told(&mut both, 6), window(&both)), (vec![], 20));
    assert_eq!(
        reserve(&mut both, 10, 4, 16, 8),
        Reply::Booked(3, Slot::new(10))
    );
    // What its owner ends does not come back.
    both.harness
        .apply_all(&[Command::Complete(0, Slot::new(10))])
        .unwrap();
    assert_eq!(
        told(&mut both, 10),
        [
            (EventKind::Completed, 10, Some(0)),
            (EventKind::Started, 10, Some(3)),
        ]
    );
}

/// Whoever is cut has a place in the queue from then on.
#[test]
fn places_are_kept() {
    let mut both = running(&[(20, 8, terms(2, true)), (9, 8, terms(0, true))]);
    let free = both.harness.twin.queue.capacity() - 1;
    for _ in 0..free {
        assert!(matches!(both.apply(submit(9, 8)), Ok(Reply::Waits(_))));
    }
    let full = Reply::done(Err(Refusal::QueueFull.into()));
    assert_eq!(reserve(&mut both, 10, 4, 16, 8), full);
    let ticket = Ticket::from_number(3).unwrap();
    both.apply(Command::Withdraw(ticket)).unwrap();
    let booked = reserve(&mut both, 10, 4, 16, 8);
    assert_eq!(booked, Reply::Booked(1, Slot::new(10)));
    assert_eq!(both.apply(submit(9, 8)).unwrap(), full);
    // It comes before those that came later, with what is left.
    assert_eq!(told(&mut both, 10)[0], (EventKind::Preempted, 10, Some(0)));
    let first = both.harness.twin.queue.jobs()[0];
    assert_eq!((first.ticket, first.job.estimate), (1, Span::new(10)));
}

/// A transaction has given the job more than it asks for by now: what makes room is what was added, and whoever ends with all it asked for is not queued again.
#[test]
fn whoever_has_all_it_asked_for_needs_no_place() {
    let mut both = running(&[(20, 8, terms(2, true))]);
    let free = both.harness.twin.queue.capacity();
    for _ in 0..free {
        assert!(matches!(both.apply(submit(9, 8)), Ok(Reply::Waits(_))));
    }
    let given = "transact 8 64 [ alter 0 shorten 12 lift 0 place 0 0 20 8 ] commit [ ]";
    both.apply(given.parse().unwrap()).unwrap();
    let full = Reply::done(Err(Refusal::QueueFull.into()));
    assert_eq!(reserve(&mut both, 11, 3, 14, 2), full);
    assert_eq!(
        reserve(&mut both, 12, 3, 15, 2),
        Reply::Booked(1, Slot::new(12))
    );
    assert_eq!(
        told(&mut both, 12)[..2],
        [
            (EventKind::EndReached, 12, Some(0)),
            (EventKind::Started, 12, Some(1)),
        ]
    );
}
