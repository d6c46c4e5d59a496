//! The queue of waiting jobs: its checker, and what becomes of jobs that the book at hand could never run.

use bookahead::{
    Advanced, BestEffortJob, Book, Commitment, CountBook, Discipline, Event, EventKind, JobQueue,
    PeBook, PeCount, Policy, Queue, Refusal, Request, Slot, Span, UsageError, Violation,
    raw::{CountRing, WaitingJob},
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

/// Looking at a queue tries jobs out in the book; once the try of a job that had to wait was left in a vacant row.
#[test]
fn a_look_that_starts_nothing_changes_nothing() {
    let mut memory = PeBook::<u32, 1, 1, 4>::new(PeCount::new(4), Span::new(64)).unwrap();
    let mut waiting = JobQueue::<4>::new(Discipline::Easy);
    let (mut book, mut queue) = (memory.view(), waiting.view());
    let mut events = heapless::Vec::<Event, 8>::new();
    let now = Slot::new(0);
    // Two run until slot 10, the head waits for all four until then, and the last would hold it up.
    queue.submit(&mut book, &job(10, 2)).unwrap();
    queue.submit(&mut book, &job(5, 4)).unwrap();
    let _ = queue.advance(&mut book, now, &mut events).unwrap();
    assert_eq!((events.len(), queue.len()), (1, 1));
    queue.submit(&mut book, &job(20, 2)).unwrap();
    let before = memory.clone();
    let mut book = memory.view();
    let _ = queue.advance(&mut book, now, &mut events).unwrap();
    assert_eq!((events.len(), queue.len()), (1, 2), "neither may start");
    assert!(memory == before);
}

#[test]
fn a_queue_of_another_book_is_refused() {
    let mut memory = CountBook::<1, 4, 4>::new(PeCount::new(4), Span::new(64)).unwrap();
    let mut waiting = JobQueue::<4>::new(Discipline::Fcfs);
    let (mut book, mut queue) = (memory.view(), waiting.view());
    let mut events = heapless::Vec::<Event, 8>::new();
    book.set_incarnation(7);
    let foreign = UsageError::ForeignQueue.into();
    assert_eq!(queue.submit(&mut book, &job(1, 1)), Err(foreign));
    let now = Slot::new(0);
    assert_eq!(queue.advance(&mut book, now, &mut events), Err(foreign));
    assert_eq!(queue.next(&mut book, now), Err(foreign));
    queue.set_incarnation(7);
    queue.submit(&mut book, &job(1, 1)).unwrap();
    let started = queue.next(&mut book, now).unwrap().unwrap();
    assert_eq!(started.kind, EventKind::BestEffortStarted);
}

#[test]
fn a_queue_whose_book_was_advanced_alone_is_refused_while_jobs_wait() {
    let mut memory = CountBook::<1, 4, 4>::new(PeCount::new(4), Span::new(64)).unwrap();
    let mut waiting = JobQueue::<4>::new(Discipline::Fcfs);
    let (mut book, mut queue) = (memory.view(), waiting.view());
    let mut events = heapless::Vec::<Event, 8>::new();
    let behind = UsageError::QueueLeftBehind.into();
    // Without jobs nothing can be missed.
    let _ = book.advance(Slot::new(2), &mut events).unwrap();
    let ticket = queue.submit(&mut book, &job(1, 1)).unwrap();
    let _ = book.advance(Slot::new(3), &mut events).unwrap();
    assert_eq!(queue.submit(&mut book, &job(1, 1)), Err(behind));
    assert_eq!(queue.next(&mut book, Slot::new(4)), Err(behind));
    let refused = queue.advance(&mut book, Slot::new(4), &mut events);
    assert_eq!(refused, Err(behind));
    assert_eq!(book.now(), Slot::new(3));
    // Either the jobs are submitted anew, or the queue goes on from here.
    queue.withdraw(ticket).unwrap();
    queue.submit(&mut book, &job(1, 4)).unwrap();
    let _ = book.advance(Slot::new(4), &mut events).unwrap();
    queue.set_incarnation(0);
    let started = queue.next(&mut book, Slot::new(4)).unwrap().unwrap();
    assert_eq!(
        (started.kind, started.at),
        (EventKind::BestEffortStarted, Slot::new(4))
    );
}

/// One by one or in a list, whatever its length: the same events.
#[test]
fn events_come_one_by_one_as_in_a_list() {
    let run = |mut step: Box<Step>| {
        let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(64)).unwrap();
        let mut waiting = JobQueue::<8>::new(Discipline::Easy);
        let (mut book, mut queue) = (memory.view(), waiting.view());
        let mut seen = vec![];
        for (estimate, pes) in [(4, 2), (6, 4), (3, 2), (9, 1), (2, 1)] {
            queue.submit(&mut book, &job(estimate, pes)).unwrap();
        }
        let request = Request {
            ready: Slot::new(5),
            duration: Span::new(4),
            deadline: Slot::new(30),
            pes: PeCount::new(3),
        };
        book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)
            .unwrap();
        book.reserve(
            &request,
            Policy::FirstFit,
            Commitment::Held { ttl: Span::new(60) },
        )
        .unwrap();
        step(&mut queue, &mut book, &mut seen);
        assert_eq!(book.now(), Slot::new(40));
        seen
    };
    let to = Slot::new(40);
    let one_by_one = run(Box::new(move |queue, book, seen| {
        while let Some(event) = queue.next(book, to).unwrap() {
            seen.push(event);
        }
    }));
    let in_lists = run(Box::new(move |queue, book, seen| {
        let mut events = heapless::Vec::<Event, 2>::new();
        while queue.advance(book, to, &mut events).unwrap() == Advanced::EventsWaiting {
            seen.extend(events.iter().copied());
            events.clear();
        }
        seen.extend(events.iter().copied());
    }));
    assert!(one_by_one.len() > 10);
    assert_eq!(one_by_one, in_lists);
}

/// Lets time pass and notes what happens.
type Step = dyn FnMut(&mut Queue<'_>, &mut Book<'_, CountRing<'_>>, &mut Vec<Event>);

/// Two holds end with the slot in which they would have started: what they leave is for the slot behind, not for the one that is over.
#[test]
fn nobody_starts_in_a_slot_that_is_over() {
    let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(64)).unwrap();
    let mut waiting = JobQueue::<4>::new(Discipline::Fcfs);
    let (mut book, mut queue) = (memory.view(), waiting.view());
    let request = Request {
        ready: Slot::new(0),
        duration: Span::new(3),
        deadline: Slot::new(3),
        pes: PeCount::new(2),
    };
    for _ in 0..2 {
        book.reserve(
            &request,
            Policy::FirstFit,
            Commitment::Held { ttl: Span::new(9) },
        )
        .unwrap();
    }
    queue.submit(&mut book, &job(2, 2)).unwrap();
    assert_eq!(queue.next(&mut book, Slot::new(0)), Ok(None));
    let mut seen = vec![];
    while let Some(event) = queue.next(&mut book, Slot::new(1)).unwrap() {
        seen.push((event.at.get(), event.kind));
    }
    let expected = [
        (0, EventKind::Expired),
        (0, EventKind::Expired),
        (1, EventKind::BestEffortStarted),
    ];
    assert_eq!(seen, expected);
}
