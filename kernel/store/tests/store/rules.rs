//! Books with rules: these survive, and jobs without a known end with them.

use bookahead::{
    Absent, Conflict, Event, EventKind, Meeting, PeCount, PeWorkspace, Rule, Slot, Span,
};
use bookahead_heap::{BoxedPeBook, BoxedRuledBook, Sizes, Survives};
use bookahead_store::Store;

use crate::campaign::{acts::Dice, disk::SimulatedDisk};

type Ruled = BoxedRuledBook<BoxedPeBook<u32>, u32>;

fn book() -> Ruled {
    let sizes = Sizes {
        pes: 4,
        slots: 48,
        reservations: 8,
    };
    Ruled::new(sizes).expect("it is small")
}

/// Sets a rule that takes PEs 0 and 1 in 8 of every 100 slots, from `phase` on.
fn set_rule(book: &mut Ruled, phase: u32) -> Result<(), bookahead::Error> {
    let weekly = Rule {
        phase: Span::new(phase),
        period: Span::new(100),
        length: Span::new(8),
    };
    let (mut workspace, mut broken) = (
        PeWorkspace::<u32, 1, 4, 0>::new(),
        heapless::Vec::<_, 4>::new(),
    );
    let mut book = book.view();
    let mut transaction = book.transaction(workspace.view(), 1_000);
    transaction.set_rule(0, Some((weekly, Absent::These(&[0b11]))), &mut broken)?;
    transaction.commit()
}

#[test]
fn rules_and_open_ended_jobs_survive() {
    let disk = SimulatedDisk::new(Dice(1));
    let (mut store, mut committer) = Store::open_in(disk.clone(), book()).expect("it is new");
    let set = store.call(|book| set_rule(book, 92)).unwrap();
    let started = store.call(|book| {
        let mut conflict = Conflict::NONE;
        book.view()
            .reserve_open(PeCount::new(3), Meeting::Allow, &mut conflict)
    });
    let hash = store.call(Survives::state_hash).unwrap();
    committer.commit().expect("the disk is sound");
    assert_eq!(set.wait().unwrap(), Ok(()));
    let (job, hash) = (
        started.unwrap().wait().unwrap().expect("three are free"),
        hash.wait().unwrap(),
    );
    // From the records, and from a snapshot.
    for _ in 0..2 {
        let (mut store, mut committer) = Store::open_in(disk.clone(), book()).expect("it is there");
        let found = store
            .call(|book| (book.state_hash(), book.view().check_invariants()))
            .unwrap();
        store.compact().unwrap();
        committer.commit().expect("the disk is sound");
        assert_eq!(found.wait().unwrap(), (hash, Ok(())));
    }
    let (mut store, mut committer) = Store::open_in(disk.clone(), book()).expect("it is there");
    let told = store.call(|book| {
        let mut events = heapless::Vec::<Event, 4>::new();
        let _ = book
            .view()
            .advance(Slot::new(95), &mut events)
            .expect("it is ahead");
        events
    });
    committer.commit().expect("the disk is sound");
    let told = told.unwrap().wait().unwrap();
    let told: Vec<_> = told
        .iter()
        .map(|event| (event.at, event.kind, event.handle))
        .collect();
    assert_eq!(told, [(Slot::new(92), EventKind::RuleMet, job)]);
}

/// That a job has been told of a turn in the present slot is no change of the bookings, and is kept all the same.
#[test]
fn nobody_is_told_of_a_turn_twice() {
    let disk = SimulatedDisk::new(Dice(1));
    let told = |book: &mut Ruled| {
        let mut events = heapless::Vec::<Event, 4>::new();
        let _ = book
            .view()
            .advance(Slot::new(0), &mut events)
            .expect("it is now");
        events.len()
    };
    for expected in [1, 0] {
        let (mut store, mut committer) = Store::open_in(disk.clone(), book()).expect("it is sound");
        if expected == 1 {
            let job = store.call(|book| {
                let mut conflict = Conflict::NONE;
                let job = book
                    .view()
                    .reserve_open(PeCount::new(3), Meeting::Allow, &mut conflict);
                job.and_then(|_| set_rule(book, 0))
            });
            committer.commit().expect("the disk is sound");
            assert_eq!(job.unwrap().wait().unwrap(), Ok(()));
        }
        let met = store.call(told).unwrap();
        committer.commit().expect("the disk is sound");
        assert_eq!(met.wait().unwrap(), expected);
    }
}
