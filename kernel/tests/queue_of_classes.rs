//! Jobs of a queue that ask for such processing elements.
#![cfg(feature = "placement")]

use bookahead::{
    BestEffortJob, Class, ClassError, ClassId, Commitment, Discipline, Eligible, Event, EventKind,
    JobQueue, Layout, Pe, PeCount, PlacedBook, Policy, Refusal, Request, Shape, Slot, Span,
    UsageError,
};

/// Two nodes of two processing elements, one entry for a class.
type Memory = PlacedBook<u32, 1, 1, 8, 1, 0>;

const NODES: Layout<'_> = Layout {
    groups: 2,
    kinds: &[2],
    missing: &[],
    levels: &[],
};

const WHOLE: Class<'_> = Class {
    shape: Shape::WholeGroups,
    ..Class::ANY
};

const fn job(slots: u32, pes: u32) -> BestEffortJob {
    BestEffortJob {
        estimate: Span::new(slots),
        pes: PeCount::new(pes),
    }
}

#[test]
fn a_job_waits_for_a_whole_node_which_no_other_may_delay() {
    let (mut memory, mut waiting) = (Memory::zeroed(), JobQueue::<4>::new(Discipline::Easy));
    let mut book = memory.init(&NODES, Span::new(48)).unwrap();
    let mut queue = waiting.view();
    let whole = book.class_add(&WHOLE).unwrap();
    // The lower node is broken into until 5.
    let request = Request {
        ready: Slot::new(0),
        duration: Span::new(5),
        deadline: Slot::new(5),
        pes: PeCount::new(1),
    };
    book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    let first = queue.submit(&mut book, (whole, &job(9, 2))).unwrap();
    let second = queue.submit(&mut book, (whole, &job(4, 2))).unwrap();
    // One is free until 5; whoever keeps it for longer delays the second.
    let long = queue.submit(&mut book, &job(6, 1)).unwrap();
    let short = queue.submit(&mut book, &job(5, 1)).unwrap();

    let mut events = heapless::Vec::<Event, 8>::new();
    let _ = queue.advance(&mut book, Slot::new(0), &mut events).unwrap();
    let started = |events: &[Event]| {
        let starts = events
            .iter()
            .filter(|event| event.kind == EventKind::BestEffortStarted);
        starts
            .map(|event| (event.at, event.ticket.unwrap(), event.handle))
            .collect::<Vec<_>>()
    };
    let starts = started(&events);
    assert_eq!(starts.len(), 2);
    assert_eq!((starts[0].1, starts[1].1), (first, short));
    assert!(book.pes_of(starts[0].2).unwrap().eq([2, 3].map(Pe::new)));
    assert!(book.pes_of(starts[1].2).unwrap().eq([1].map(Pe::new)));
    assert_eq!(book.class_of(starts[0].2), Ok(whole));
    assert_eq!(book.class_of(starts[1].2), Ok(ClassId::ANY));
    assert_eq!(queue.shadow(&mut book), Some(Slot::new(5)));

    // Dropped, the class stays for those who wait; its entry is given to nobody else.
    book.class_drop(whole).unwrap();
    let stale = Err(UsageError::StaleClass.into());
    assert_eq!(queue.submit(&mut book, (whole, &job(4, 2))), stale);
    let pairs = Class {
        shape: Shape::PerGroup(&[1]),
        ..Class::ANY
    };
    assert_eq!(book.class_add(&pairs), Err(ClassError::ClassesFull));
    events.clear();
    let _ = queue.advance(&mut book, Slot::new(5), &mut events).unwrap();
    let starts = started(&events);
    assert_eq!((starts[0].0, starts[0].1), (Slot::new(5), second));
    assert!(book.pes_of(starts[0].2).unwrap().eq([0, 1].map(Pe::new)));
    queue.check_invariants(&mut book).unwrap();
    events.clear();
    let _ = queue.advance(&mut book, Slot::new(9), &mut events).unwrap();
    let starts = started(&events);
    assert_eq!((starts[0].0, starts[0].1), (Slot::new(9), long));
    assert!(queue.is_empty());
}

#[test]
fn what_its_class_cannot_have_is_refused_at_once() {
    let (mut memory, mut waiting) = (Memory::zeroed(), JobQueue::<1>::new(Discipline::Fcfs));
    let mut book = memory.init(&NODES, Span::new(48)).unwrap();
    let mut queue = waiting.view();
    let whole = book.class_add(&WHOLE).unwrap();
    let refused = queue.submit(&mut book, (whole, &job(4, 3)));
    assert_eq!(refused, Err(UsageError::NotWholeGroups.into()));
    book.class_drop(whole).unwrap();
    let one = Class {
        eligible: Eligible::Pes(&[0b1100]),
        ..Class::ANY
    };
    let one = book.class_add(&one).unwrap();
    let refused = queue.submit(&mut book, (one, &job(4, 3)));
    assert_eq!(refused, Err(Refusal::NotEligible.into()));

    // A job that was taken out keeps its class until the queue next looks at its book.
    let ticket = queue.submit(&mut book, (one, &job(4, 2))).unwrap();
    book.class_drop(one).unwrap();
    queue.withdraw(ticket).unwrap();
    assert_eq!(book.class_add(&WHOLE), Err(ClassError::ClassesFull));
    let mut events = heapless::Vec::<Event, 1>::new();
    let _ = queue.advance(&mut book, Slot::new(0), &mut events).unwrap();
    assert!(book.class_add(&WHOLE).is_ok());
}
