//! The queue of waiting jobs: its checker, and what becomes of jobs that the book at hand could never run.

use bookahead::{
    BestEffortJob, CountBook, Discipline, Event, EventKind, JobQueue, PeCount, Queue, Refusal,
    Slot, Span, Violation, raw::WaitingJob,
};
use bookahead_heap::BoxedJobQueue;

const fn job(estimate: u32, pes: u32) -> BestEffortJob {
    BestEffortJob {
        estimate: Span::new(estimate),
        pes: PeCount::new(pes),
    }
}

/// Damages a queue of three jobs in a book of `pes` PEs and `slots` slots, and says what the checker finds.
fn found(pes: u16, slots: u32, damage: impl Fn(&mut [WaitingJob])) -> Result<(), Violation> {
    let mut large = CountBook::<1, 4, 4>::new(PeCount::new(4), Span::new(64)).unwrap();
    let mut book = large.view();
    let mut memory = BoxedJobQueue::new(Discipline::Easy, 4).unwrap();
    let mut queue = memory.view();
    for estimate in [10, 20, 30] {
        queue.submit(&mut book, &job(estimate, 3)).unwrap();
    }
    assert_eq!(queue.check_invariants(&mut book), Ok(()));
    damage(memory.parts().jobs);
    let mut small = CountBook::<1, 4, 4>::new(PeCount::new(pes.into()), Span::new(slots)).unwrap();
    memory.view().check_invariants(&mut small.view())
}

#[test]
fn damage_to_the_queue_is_noticed() {
    assert_eq!(found(4, 64, |_| ()), Ok(()));
    let violation = Err(Violation::Queue);
    assert_eq!(found(4, 64, |jobs| jobs.swap(0, 1)), violation);
    assert_eq!(found(4, 64, |jobs| jobs[1] = jobs[0]), violation);
    assert_eq!(found(4, 64, |jobs| jobs[2] = WaitingJob::NONE), violation);
    let rubbish = found(4, 64, |jobs| jobs[3] = jobs[0]);
    assert_eq!(rubbish, violation, "behind the last job");
    assert_eq!(found(2, 64, |_| ()), violation, "too wide");
    assert_eq!(found(4, 29, |_| ()), violation, "too long");
}

#[test]
fn jobs_of_a_larger_book_wait_for_ever() {
    let mut large = CountBook::<2, 4, 4>::new(PeCount::new(4), Span::new(128)).unwrap();
    let mut memory = JobQueue::<4>::new(Discipline::Easy);
    let mut queue = memory.view();
    let mut book = large.view();
    queue.submit(&mut book, &job(128, 1)).unwrap();
    queue.submit(&mut book, &job(1, 4)).unwrap();
    queue.submit(&mut book, &job(1, 1)).unwrap();
    let mut small = CountBook::<1, 2, 4>::new(PeCount::new(2), Span::new(64)).unwrap();
    let mut book = small.view();
    let mut events = heapless::Vec::<Event, 8>::new();
    let _ = queue.advance(&mut book, Slot::new(0), &mut events).unwrap();
    assert_eq!((events.len(), queue.len()), (1, 2), "only the last fits");
    assert_eq!(events[0].kind, EventKind::BestEffortStarted);
    assert_eq!(queue.shadow(&mut book), None);
    assert_eq!(book.check_invariants(), Ok(()));
}

#[test]
fn a_full_queue_refuses_and_keeps_what_it_has() {
    let mut memory = CountBook::<1, 4, 4>::new(PeCount::new(4), Span::new(64)).unwrap();
    let mut book = memory.view();
    let mut waiting = JobQueue::<2>::new(Discipline::Fcfs);
    let mut submit = |queue: &mut Queue<'_>| queue.submit(&mut book, &job(1, 1));
    submit(&mut waiting.view()).unwrap();
    submit(&mut waiting.view()).unwrap();
    let before = waiting.clone();
    let refused = submit(&mut waiting.view());
    assert_eq!(refused, Err(Refusal::QueueFull.into()));
    assert!(waiting == before);
}

#[cfg(feature = "plan")]
#[test]
fn requests_wait_in_a_list_only_which_goes_with_its_book() {
    use bookahead::{Commitment, Policy, Request, UsageError, WaitingList};

    let mut memory = CountBook::<1, 4, 4>::new(PeCount::new(4), Span::new(32)).unwrap();
    let mut waiting = JobQueue::<2>::new(Discipline::Easy);
    let mut list = WaitingList::<3>::new();
    let mut book = memory.view();
    let request = Request {
        ready: Slot::new(0),
        duration: Span::new(1),
        deadline: Slot::new(9),
        pes: PeCount::new(1),
    };
    let (policy, terms) = (Policy::FirstFit, Commitment::Confirmed);
    let mut queue = waiting.view();
    let refused = queue.wait(&mut book, &request, policy, terms, 0);
    assert_eq!(refused, Err(Refusal::QueueFull.into()));
    assert_eq!(queue.requests_capacity(), 0);
    let mut queue = list.beside(queue);
    queue.wait(&mut book, &request, policy, terms, 0).unwrap();
    assert_eq!(book.next(Slot::new(1)), Ok(None));
    let behind = Err(UsageError::QueueLeftBehind.into());
    assert_eq!(queue.next(&mut book, Slot::new(2)), behind);
}

/// Records do not hold the schedule, so that jobs which have started since the snapshot are not planned any more.
#[cfg(all(feature = "plan", feature = "journal"))]
#[test]
fn a_planned_queue_follows_records_behind_its_snapshot() {
    use bookahead::{Advanced, Journal, heapless};

    fn giver<'b>(mut rest: &'b [u8]) -> impl FnMut(&mut [u8]) -> bool + 'b {
        move |piece| {
            let Some((read, behind)) = rest.split_at_checked(piece.len()) else {
                return false;
            };
            piece.copy_from_slice(read);
            rest = behind;
            true
        }
    }
    fn taker(bytes: &mut Vec<u8>) -> impl FnMut(&[u8]) -> bool + '_ {
        |piece| {
            bytes.extend_from_slice(piece);
            true
        }
    }
    let mut memory: [_; 4] = core::array::from_fn(|_| {
        CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(64)).unwrap()
    });
    let mut journal = Journal::<8>::new();
    let [mut first, second, mut other, other_second] =
        memory.each_mut().map(|memory| memory.view());
    first.keep_journal(journal.parts()).unwrap();
    let queue = || BoxedJobQueue::new(Discipline::Conservative, 8).unwrap();
    let mut last = queue();
    let (mut jobs, mut other_jobs) = (
        queue().with_schedule().unwrap(),
        queue().with_schedule().unwrap(),
    );
    let mut planned = jobs.planned(second);
    for (estimate, pes) in [(5, 3), (5, 4), (5, 1), (9, 2)] {
        planned.submit(&mut first, &job(estimate, pes)).unwrap();
    }
    let [mut of_book, mut of_queue, mut book_record, mut queue_record] = [const { Vec::new() }; 4];
    let news = planned
        .queue()
        .write_record(&mut last.view(), &mut |_| true);
    assert_eq!(news, Ok(true));
    first.write_record(&mut |_| true).unwrap();
    first.write_snapshot(&mut taker(&mut of_book)).unwrap();
    planned.write_snapshot(&mut taker(&mut of_queue)).unwrap();
    let mut events = heapless::Vec::<Event, 16>::new();
    let done = planned.advance(&mut first, Slot::new(2), &mut events);
    assert_eq!(done, Ok(Advanced::Done));
    let started = events
        .iter()
        .filter(|event| event.kind == EventKind::BestEffortStarted);
    assert_eq!(started.count(), 2, "{events:?}");
    first.write_record(&mut taker(&mut book_record)).unwrap();
    let news = planned
        .queue()
        .write_record(&mut last.view(), &mut taker(&mut queue_record));
    assert_eq!(news, Ok(true));

    let mut standby = other_jobs.planned(other_second);
    other.read_snapshot(&mut giver(&of_book)).unwrap();
    standby
        .read_snapshot(&other, &mut giver(&of_queue))
        .unwrap();
    other.apply_record(&mut giver(&book_record)).unwrap();
    standby
        .apply_record(&other, &mut giver(&queue_record))
        .unwrap();
    assert_eq!(standby.check_invariants(&mut other), Ok(()));
    for slot in 3..40 {
        let mut told = [const { heapless::Vec::<Event, 16>::new() }; 2];
        let [of_first, of_other] = &mut told;
        let _ = planned.advance(&mut first, Slot::new(slot), of_first);
        let _ = standby.advance(&mut other, Slot::new(slot), of_other);
        let [of_first, of_other] = told.map(|told| {
            let kinds = told.iter().map(|event| event.kind);
            kinds.collect::<Vec<_>>()
        });
        assert_eq!(of_first, of_other, "{slot}");
        assert_eq!(standby.check_invariants(&mut other), Ok(()));
    }
    assert!(other.is_empty() && standby.queue().is_empty());
}
