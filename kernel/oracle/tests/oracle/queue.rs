//! Best effort beside reservations: where a look at the queue goes on, crowded books, and one jump against many small steps.

use crate::common::lives::{self, drawn, shown};
use crate::common::{World, job, kernels, request};
use bookahead::{
    Advanced, BestEffortJob, Commitment, Discipline, EventKind, PeCount, Policy, Slot, Span, State,
};
use bookahead_commands::{Command, Happening, Kind, Progress, Reply, Subject};
use bookahead_oracle::generate::{LONG_LIST, QUEUEING};
use bookahead_oracle::{Harness, Tally};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const fn submit(estimate: u32, pes: u32) -> Command {
    Command::Submit(BestEffortJob {
        estimate: Span::new(estimate),
        pes: PeCount::new(pes),
    })
}

const fn advance(to: u64) -> Command {
    Command::AdvanceQueue(Slot::new(to), LONG_LIST)
}

/// The estimates of the jobs that wait.
fn waiting(harness: &mut Harness) -> Vec<u32> {
    let jobs = harness.subject.state().waiting;
    jobs.iter().map(|(_, job)| job.estimate.get()).collect()
}

/// The estimates of the jobs that run best effort.
fn running(harness: &mut Harness) -> Vec<u32> {
    let all = harness.subject.state().by_start;
    let best_effort = all.iter().filter(|(_, known)| known.ticket.is_some());
    best_effort
        .map(|(_, known)| {
            assert_eq!(known.state, State::Running);
            known.request.duration.get()
        })
        .collect()
}

/// Four PEs with names: 0 and 1 run until 4, 3 is reserved from 6 to 9, and the first job wants three from 4 to 8, which can only be
/// 0, 1 and 2.
fn three_wanted(subject: Box<dyn Subject>) -> Harness {
    let mut harness = Harness::new(subject.under(Discipline::Easy));
    let operations = [
        job(6, 9, 3),
        job(6, 9, 1),
        Command::Cancel(0),
        job(0, 4, 2),
        submit(4, 3),
        advance(0),
    ];
    harness.apply_all(&operations).unwrap();
    assert_eq!(harness.subject.state().shadow, Some(Slot::new(4)));
    harness
}

/// A job until 5 takes the lowest free PE, which is 2, and is in the way of the first. Once another has PE 2 it would be in nobody's way, but it has had
/// its turn: a full list of events only interrupts a look, so how long lists are makes no difference.
#[test]
fn a_look_goes_on_where_it_stopped() {
    fn example(subject: Box<dyn Subject>) {
        let mut whole = three_wanted(subject);
        let jobs = [submit(5, 1), submit(4, 1), submit(3, 1)];
        whole.apply_all(&jobs).unwrap();
        let mut pieces = whole.clone();
        whole.apply(&advance(0)).unwrap();
        let one_event = Command::AdvanceQueue(Slot::new(0), 1);
        pieces.apply_all(&[one_event.clone(), one_event]).unwrap();
        assert_eq!(pieces.tally.looks_cut_short, 1);
        for harness in [&mut whole, &mut pieces] {
            let (running, waiting) = (running(harness), waiting(harness));
            assert_eq!((running, waiting), (vec![4, 3], vec![4, 5]));
        }
    }
    example(kernels::twin(Kind::Sets, 4, 32, 16));
    example(kernels::narrow(4, 32, 16));
    example(kernels::wide(4, 32, 16));
}

/// One step of a life with a queue that is never empty for long.
fn step(harness: &Harness, rng: &mut ChaCha8Rng) -> Command {
    let (pes, slots) = (
        harness.twin.oracle.pes().get() as u16,
        harness.twin.oracle.horizon().get() as u16,
    );
    let world = World {
        pes,
        slots,
        duration: slots / 4,
        width: pes / 2,
        step: 5,
    };
    drawn(&world.used_for(QUEUEING), &harness.situation, rng)
}

/// Book and queue stay as the twins say, and enough happens.
pub fn crowded(subject: Box<dyn Subject>, discipline: Discipline, seed: u8) {
    let mut rng = lives::random(seed);
    let mut harness = Harness::new(subject.under(discipline));
    for number in 0..lives::operations(20_000, 10) {
        let operation = step(&harness, &mut rng);
        if let Err(difference) = harness.apply(&operation) {
            panic!("step {number}, {operation:?}: {difference}");
        }
    }
    let Tally {
        passed,
        looks_cut_short,
        submitted,
        ..
    } = harness.tally;
    let started = harness.tally.of(EventKind::BestEffortStarted);
    shown!(started > 100 && submitted > started, "{:?}", harness.tally);
    // A schedule looks at all jobs at once.
    let planned = discipline == Discipline::Conservative;
    shown!(planned || looks_cut_short > 0, "{:?}", harness.tally);
    match discipline {
        Discipline::Fcfs => assert_eq!(passed, 0),
        _ => shown!(passed > 30, "{:?}", harness.tally),
    }
}

// Ten lives of 2,000 steps, unless the environment variable BOOKAHEAD_OPERATIONS says how many in all.

#[test]
fn counts_fcfs() {
    crowded(kernels::counts(20, 70, 48), Discipline::Fcfs, 1);
}

#[test]
fn counts_easy() {
    crowded(kernels::counts(20, 70, 48), Discipline::Easy, 2);
}

#[test]
fn counts_easy_few_rows() {
    crowded(kernels::counts(8, 40, 4), Discipline::Easy, 3);
}

#[test]
fn narrow_fcfs() {
    crowded(kernels::narrow(20, 70, 48), Discipline::Fcfs, 4);
}

#[test]
fn narrow_easy() {
    crowded(kernels::narrow(40, 70, 48), Discipline::Easy, 5);
}

#[test]
fn wide_easy() {
    crowded(kernels::wide(20, 70, 48), Discipline::Easy, 6);
}

#[test]
fn counts_conservative() {
    crowded(kernels::counts(20, 70, 48), Discipline::Conservative, 7);
}

#[test]
fn counts_conservative_few_rows() {
    crowded(kernels::counts(8, 40, 4), Discipline::Conservative, 8);
}

#[test]
fn narrow_conservative() {
    crowded(kernels::narrow(40, 70, 48), Discipline::Conservative, 9);
}

#[test]
fn wide_conservative() {
    crowded(kernels::wide(20, 70, 48), Discipline::Conservative, 10);
}

/// Advances to `to` with lists of `room`, until all is told.
fn tell(subject: &mut Box<dyn Subject>, to: Slot, room: usize) -> Vec<Happening> {
    let mut all = Vec::new();
    loop {
        let (how_far, events): Progress = subject.advance_queue(to, room).unwrap();
        all.extend(events);
        if how_far == Advanced::Done {
            return all;
        }
    }
}

/// The same, one event after the other.
fn tell_one_by_one(subject: &mut Box<dyn Subject>, to: Slot) -> Vec<Happening> {
    std::iter::from_fn(|| subject.next_of_queue(to).unwrap()).collect()
}

/// All that can be seen of a book and its queue.
fn sight(subject: &mut Box<dyn Subject>) -> String {
    let listed = subject.state().by_start;
    let pes: Vec<_> = listed
        .iter()
        .map(|(handle, _)| subject.pes_of(*handle).unwrap())
        .collect();
    let (waiting, shadow) = (subject.state().waiting, subject.state().shadow);
    let (next, records) = (subject.state().next_queue_event, subject.state().records);
    format!("{listed:?} {pes:?} {waiting:?} {shadow:?} {next:?} {records:?}")
}

/// Jumps of up to two rings, with a long list, with lists of one event, event by event, and slot by slot: the same events, and the same
/// afterwards.
/// Stepping, nothing is missed; so a jump in which something is proves nothing about steps.
fn jumps(subject: Box<dyn Subject>, discipline: Discipline, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut harness = Harness::new(subject.under(discipline));
    let (mut compared, mut started, mut missed, mut expired) = (0, 0, 0, 0);
    for _ in 0..1_000 {
        for _ in 0..rng.random_range(1..6) {
            let operation = step(&harness, &mut rng);
            harness.apply(&operation).unwrap();
        }
        let far = rng.random_range(1..=2 * harness.twin.oracle.horizon().get());
        let by = if rng.random_bool(0.8) {
            far % 12 + 1
        } else {
            far
        };
        let now = harness.twin.oracle.now();
        let to = now.saturating_add(Span::new(by));
        let [mut jump, mut bits, mut single, mut steps] = [(); 4].map(|()| harness.subject.clone());
        let events = tell(&mut jump, to, 8);
        assert_eq!(tell(&mut bits, to, 1), events);
        assert_eq!(sight(&mut bits), sight(&mut jump));
        assert_eq!(tell_one_by_one(&mut single, to), events);
        assert_eq!(sight(&mut single), sight(&mut jump));
        if events.iter().any(|event| event.kind == EventKind::Missed) {
            missed += 1;
            continue;
        }
        let slot_by_slot: Vec<_> = (0..=by)
            .flat_map(|by| tell(&mut steps, now.saturating_add(Span::new(by)), 8))
            .collect();
        assert_eq!(slot_by_slot, events);
        assert_eq!(sight(&mut steps), sight(&mut jump));
        compared += 1;
        let count = |kind| events.iter().filter(|event| event.kind == kind).count();
        started += count(EventKind::BestEffortStarted);
        expired += count(EventKind::Expired);
    }
    let met = (compared, started, missed, expired);
    assert!(compared > 400 && started > 400, "{met:?}");
    assert!(missed > 50 && expired > 50, "{met:?}");
}

#[test]
fn counts_jumps() {
    jumps(kernels::counts(20, 60, 24), Discipline::Easy, 1);
}

#[test]
fn counts_jumps_fcfs() {
    jumps(kernels::counts(20, 60, 24), Discipline::Fcfs, 2);
}

#[test]
fn narrow_jumps() {
    jumps(kernels::narrow(20, 60, 24), Discipline::Easy, 3);
}

#[test]
fn wide_jumps() {
    jumps(kernels::wide(20, 60, 24), Discipline::Easy, 4);
}

#[test]
fn twin_jumps() {
    jumps(kernels::twin(Kind::Sets, 8, 30, 8), Discipline::Easy, 5);
}

#[test]
fn counts_jumps_conservative() {
    jumps(kernels::counts(20, 60, 24), Discipline::Conservative, 6);
}

#[test]
fn wide_jumps_conservative() {
    jumps(kernels::wide(20, 60, 24), Discipline::Conservative, 7);
}

/// Short jobs come again and again, and each lasts until the first job, which wants all PEs for 8 of 10 slots, has no start within the horizon. EASY lets them
/// pass for ever; where starts are planned, nobody is planned or started behind the first.
#[test]
fn a_wide_job_on_a_short_ring_waits_for_ever_with_easy_and_not_where_starts_are_planned() {
    for (discipline, starts_by) in [
        (Discipline::Easy, None),
        (Discipline::Conservative, Some(6)),
    ] {
        let mut harness = Harness::new(kernels::counts(4, 10, 12).under(discipline));
        let setup = [job(5, 6, 1), submit(8, 4), submit(5, 1), advance(0)];
        harness.apply_all(&setup).unwrap();
        let mut began = None;
        for now in 1..60 {
            if now % 2 == 0 {
                harness.apply(&submit(5, 1)).unwrap();
            }
            harness.apply(&advance(now)).unwrap();
            if running(&mut harness).contains(&8) {
                began = began.or(Some(now));
            }
        }
        assert_eq!(began, starts_by, "{discipline:?}");
    }
}

/// A job that is submitted after the first of two holds of a slot has expired is told of at `now`, which is still that slot: it starts there, unless starts are planned,
/// for a schedule has left the slot with the first hold.
#[test]
fn who_comes_between_two_holds_that_expire_may_start_in_their_slot() {
    for (discipline, start) in [
        (Discipline::Fcfs, 3),
        (Discipline::Easy, 3),
        (Discipline::Conservative, 4),
    ] {
        let mut harness = Harness::new(kernels::counts(4, 30, 12).under(discipline));
        let hold = Command::Book(
            request(3, 5, 8, 1),
            Policy::FirstFit,
            Commitment::Held {
                ttl: Span::new(u32::MAX),
            },
        );
        let next = |harness: &mut Harness| {
            let to = Command::NextOfQueue(Slot::new(4));
            match harness.apply(&to) {
                Ok(Reply::Next(Some(event))) => (event.kind, event.at.get()),
                other => panic!("{other:?}"),
            }
        };
        harness.apply_all(&[hold.clone(), hold]).unwrap();
        assert_eq!(next(&mut harness), (EventKind::Expired, 3));
        harness.apply(&submit(2, 3)).unwrap();
        let expected = [
            (EventKind::BestEffortStarted, start),
            (EventKind::Expired, 3),
        ];
        let mut told = [next(&mut harness), next(&mut harness)];
        told.sort_by_key(|(kind, _)| *kind == EventKind::Expired);
        assert_eq!(told, expected, "{discipline:?}");
    }
}
