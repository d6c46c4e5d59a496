//! The worked example of `li`, sections 4.2 and 5, on the twin and on both rings: what each answers is what the paper prints.

use bookahead::{Commitment, Policy, Slot, Window};
use bookahead_commands::{Command, Kind, Subject};
use bookahead_oracle::Harness;
use bookahead_oracle::generate::LONG_LIST;
use bookahead_oracle::papers::li::example::{
    ADDED, ADVANCED, CANDIDATES, DELETED, JOBS, NEW, PES, RECORDS, STARTS, Seen, play, rectangles,
};

use crate::common::{job, kernels};

/// What the paper prints, and what follows from it on a ring of so many slots.
fn printed(slots: u64) -> Seen {
    // Rectangles by start: t2 3 x 7, t3 and t6 4 x 5, t7 2 x the whole horizon.
    assert!(2 * slots > 21, "t7 has the largest rectangle, too");
    Seen {
        records: RECORDS.to_vec(),
        candidates: CANDIDATES.to_vec(),
        rectangles: rectangles(slots).to_vec(),
        starts: Policy::ALL.into_iter().zip(STARTS).collect(),
        added: ADDED.to_vec(),
        deleted: DELETED.to_vec(),
        advanced: ADVANCED.to_vec(),
        // "If AvailRectList is empty, the request will be allocated to run at t_r immediately", whatever the policy.
        empty: Policy::ALL.map(|policy| (policy, NEW.ready.get())).to_vec(),
    }
}

fn records(harness: &mut Harness) -> Vec<(u64, u16)> {
    let records = harness.subject.state().records.into_iter();
    let pair = records.map(|record| (record.at.get(), record.busy.get() as u16));
    pair.collect()
}

/// The same with the twin beside, which agrees after every step, with the PEs that jobs get, and with jobs that run when they end.
fn beside_the_twin(subject: Box<dyn Subject>) {
    let mut harness = Harness::new(subject);
    let jobs = JOBS.map(|(start, end, pes)| job(start, end, pes.into()));
    harness.apply_all(&jobs).unwrap();
    let now = harness.situation.now;
    harness.apply(&Command::Advance(now, LONG_LIST)).unwrap();
    assert_eq!(records(&mut harness), RECORDS);
    let free = |start| {
        let window = Window::starting(Slot::new(start), NEW.duration).unwrap();
        harness.subject.free_during(window).unwrap().get()
    };
    assert_eq!([2, 3].map(free), [3, 4]);
    let added = Command::Book(NEW, Policy::ALL[2], Commitment::Confirmed);
    harness.apply(&added).unwrap();
    assert_eq!(records(&mut harness), ADDED);
    let pes = [2, 3].map(|number| harness.subject.pes_of(number).unwrap());
    match harness.subject.size().kind {
        Kind::Counts => assert!(pes.iter().all(Vec::is_empty)),
        // The new job's are those of job 1, so that records merge.
        _ => assert_eq!(pes, [vec![0, 1], vec![0]]),
    }
    let mut at_once = harness.clone();
    let reached = Command::Advance(Slot::new(1), LONG_LIST);
    harness.apply(&reached).unwrap();
    assert_eq!(records(&mut harness), ADVANCED);
    at_once.apply(&Command::Complete(1, now)).unwrap();
    assert_eq!(records(&mut at_once), DELETED);
}

/// On rings of several lengths, the shortest of which ends right behind job 3.
fn example(subject: impl Fn(u16) -> Box<dyn Subject>) {
    for slots in [11, 32, 64] {
        assert_eq!(play(&*subject(slots)), Ok(printed(slots.into())));
        beside_the_twin(subject(slots));
    }
}

#[test]
fn on_the_oracle() {
    for kind in [Kind::Counts, Kind::Sets] {
        example(|slots| kernels::twin(kind, PES, slots.into(), 8));
    }
}

#[test]
fn on_the_count_ring() {
    example(|slots| kernels::counts(PES, slots, 8));
}

#[test]
fn on_the_pe_ring() {
    example(|slots| kernels::narrow(PES, slots, 8));
    example(|slots| kernels::wide(PES, slots, 8));
}
