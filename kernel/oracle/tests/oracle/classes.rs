//! Random lives of books on machines with layouts, with reservations of many classes: the book and its twin, which looks at all subsets of
//! groups, agree on all that can be seen.

use std::collections::BTreeMap;

use bookahead::{
    Discipline, Error,
    raw::{BulkScan, PlainScan},
};
use bookahead_commands::{Command, Machine, Placed, Reply, Scope, Subject};
use bookahead_heap::HostColumn;
use bookahead_oracle::generate::{
    CROWDED as TOPICS, Classes, FLEXIBLE as MOVING, Profile, Source, is_no_class,
};
use bookahead_oracle::{Harness, Recorded, Twin};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::common::{
    World,
    kernels::on,
    lives::{self, shown},
};

/// Both sides, and what they came to.
pub struct Life {
    pub both: Recorded,
    classes: Classes,
    rng: ChaCha8Rng,
    /// How often each answer was given.
    pub tally: BTreeMap<String, u64>,
}

impl Life {
    pub fn new(mut subject: Box<dyn Subject>, placed: &Placed, seed: u8) -> Self {
        let Reply::Size(size) = subject.perform(&Command::Size) else {
            panic!("a book has a size");
        };
        let twin = Twin::on(&size, placed);
        Self {
            both: Recorded::of(Harness::beside(Scope::Whole, subject, twin)),
            classes: Classes::new(placed.machine.clone(), placed.order),
            rng: lives::random(seed),
            tally: BTreeMap::new(),
        }
    }

    pub fn step(&mut self, profile: &Profile) {
        let mut bytes = [0; 1024];
        self.rng.fill_bytes(&mut bytes);
        let source = &mut Source::new(&bytes);
        let drawn = self
            .classes
            .draw(profile, &self.both.harness.situation, source);
        let command = drawn.expect("there are enough bytes");
        if let Command::ClassAdd(_) = command
            && is_no_class(&self.both.harness.subject.copy().perform(&command))
        {
            return;
        }
        let reply = match self.both.apply(command.clone()) {
            Ok(reply) => reply,
            Err(disagreement) => panic!("{disagreement}"),
        };
        let how = match &reply {
            Reply::Unfit(fault) => fault.name(),
            _ => reply.error().map_or("done", Error::name),
        };
        let what = format!("{} {how}", name_of(&command));
        *self.tally.entry(what).or_default() += 1;
        self.classes.note(&command, &reply);
    }
}

/// What is asked for, whatever the class.
fn name_of(command: &Command) -> String {
    let line = command.inner().to_string();
    line.split(' ').next().unwrap_or_default().to_owned()
}

/// A machine with room for so few classes that the table fills up.
pub fn machine(
    groups: u16,
    kinds: &[u8],
    missing: &[(u16, u16, u8, u8)],
    levels: &[u16],
) -> Placed {
    let machine = Machine {
        groups,
        kinds: kinds.to_vec(),
        missing: missing.to_vec(),
        levels: levels.to_vec(),
    };
    Placed {
        machine,
        classes: 4,
        order: 4,
    }
}

/// Lives the life, and checks that there was much in it.
pub fn live(
    subject: Box<dyn Subject>,
    placed: &Placed,
    seed: u8,
    profile: &Profile,
) -> BTreeMap<String, u64> {
    let mut life = Life::new(subject.under(Discipline::Easy), placed, seed);
    for _ in 0..lives::operations(60_000, 6) {
        life.step(profile);
    }
    let told = &life.both.harness.tally;
    let in_space = told.times("make room", "in space");
    let out = ["in parts", "broken", ""].map(|how| told.times("take out", how));
    shown!(out.iter().all(|times| *times > 0), "outages: {out:?}");
    life.tally.insert("moved in space".to_owned(), in_space);
    println!("{:?}", life.tally);
    for what in [
        "book done",
        "book no-room",
        "book not-eligible",
        "book not-whole-groups",
        "book stale-class",
        "class-add done",
        "class-add classes-full",
        "book-exactly done",
        "book-exactly no-room",
        "book-exactly exactly-these",
        "book-exactly bad-pes",
        "relocate done",
        "relocate no-room",
        "alter done",
        "juggle done",
        "shift-in done",
    ] {
        shown!(life.tally.contains_key(what), "no {what}: {:?}", life.tally);
    }
    life.tally
}

/// Crowded, with a machine of some twenty PEs.
pub const WORLD: World = World {
    pes: 20,
    slots: 70,
    duration: 25,
    width: 12,
    step: 2,
};

#[test]
fn nodes_with_gpus() {
    let machine = machine(4, &[4, 2], &[(3, 4, 1, 0)], &[2]);
    let tallies = [
        live(
            on::<u32, PlainScan>(&machine, WORLD.slots, 24),
            &machine,
            1,
            &WORLD.used_for(TOPICS),
        ),
        live(
            on::<HostColumn, BulkScan>(&machine, WORLD.slots, 24),
            &machine,
            2,
            &WORLD.used_for(TOPICS),
        ),
    ];
    for what in [
        "alter exactly-these",
        "moved in space",
        "relocate move-limit",
    ] {
        let times = tallies.iter().filter_map(|tally| tally.get(what));
        assert!(times.sum::<u64>() > 0, "{what}");
    }
}

#[test]
fn uneven_nodes() {
    let machine = machine(5, &[3, 1, 2], &[(0, 2, 0, 2), (4, 5, 2, 0)], &[2, 4]);
    live(
        on::<HostColumn, BulkScan>(&machine, WORLD.slots, 30),
        &machine,
        3,
        &WORLD.used_for(MOVING),
    );
    live(
        on::<u32, PlainScan>(&machine, WORLD.slots, 30),
        &machine,
        4,
        &WORLD.used_for(MOVING),
    );
}

#[test]
fn small_nodes() {
    let machine = machine(6, &[1, 1], &[], &[3]);
    live(
        on::<u32, PlainScan>(&machine, 40, 16),
        &machine,
        5,
        &WORLD.used_for(TOPICS),
    );
    live(
        on::<HostColumn, BulkScan>(&machine, 40, 16),
        &machine,
        6,
        &WORLD.used_for(MOVING),
    );
}
