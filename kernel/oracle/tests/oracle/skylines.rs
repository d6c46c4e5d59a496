//! Each of the seven policies gets the start of the plain reading in states that are made to defeat what the search skips.

use crate::common::kernels;
use bookahead_oracle::{Ask, Harness, Operation, Pick, Skyline, Subject, Verb};

/// Which processing elements are busy, given how many.
#[derive(Clone, Copy, Debug)]
enum Members {
    /// The lowest-numbered, so that fuller slots contain emptier ones.
    Lowest,
    /// Consecutive ones that begin elsewhere in each slot.
    Turning,
}

/// A request for one run at a time from now.
fn exactly(slot: u16, pes: u16) -> Ask {
    Ask {
        lead: slot as i16,
        duration: 1,
        slack: 0,
        pes,
        policy: 0,
    }
}

/// Fills each slot, with a ring that begins inside its arrays.
fn build<S: Subject>(harness: &mut Harness<S>, skyline: Skyline, members: Members) {
    let slots = harness.oracle.horizon().get() as u16;
    let machine = harness.oracle.pes().get();
    let mut apply = |operation| harness.apply(&operation).unwrap();
    apply(Operation::Advance {
        by: 37,
        room: u8::MAX,
    });
    let mut booked = 0;
    for slot in 0..slots {
        let busy = skyline.busy(slot.into(), slots.into(), machine);
        if busy == 0 {
            continue;
        }
        let below = match members {
            Members::Lowest => 0,
            Members::Turning => (slot * 7 % machine).min(machine - busy),
        };
        // What is to be below the wanted ones is busy while they are booked.
        if below > 0 {
            apply(Operation::Reserve(exactly(slot, below)));
        }
        apply(Operation::Reserve(exactly(slot, busy)));
        if below > 0 {
            apply(Operation::Act(Pick::Live(booked), Verb::Cancel));
        }
        booked += 1;
    }
}

fn agree<S: Subject>(subject: impl Fn() -> S, members: Members) {
    let (mut found, mut asked) = (0, 0);
    let slots = Harness::new(subject()).oracle.horizon().get() as u16;
    for skyline in Skyline::all(slots.into()) {
        let mut harness = Harness::new(subject());
        build(&mut harness, skyline, members);
        let machine = harness.oracle.pes().get();
        for duration in [1, 2, 17, 64, slots / 2] {
            for pes in [1, machine / 3] {
                let request = harness.request(Ask {
                    lead: 0,
                    duration,
                    slack: (slots - duration) as i16,
                    pes,
                    policy: 0,
                });
                if let Err(difference) = harness.search(&request) {
                    panic!("{skyline:?}, {members:?}, {request:?}: {difference}");
                }
                let feasible = harness.oracle.feasible(&request);
                found += u32::from(feasible.is_ok_and(|starts| !starts.is_empty()));
                asked += 1;
            }
        }
    }
    assert!(
        asked / 20 < found && found < asked,
        "{found} of {asked} found room"
    );
}

#[test]
fn counts() {
    agree(|| kernels::counts(40, 200, 256), Members::Lowest);
}

#[test]
fn narrow_lowest() {
    agree(|| kernels::narrow(40, 150, 192), Members::Lowest);
}

#[test]
fn narrow_turning() {
    agree(|| kernels::narrow(40, 150, 192), Members::Turning);
}

#[test]
fn wide_turning() {
    agree(|| kernels::wide(530, 150, 192), Members::Turning);
}
