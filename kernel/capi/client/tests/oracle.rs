//! The C interface against the twin: random commands to books of all kinds, from careful and from careless callers.

use bookahead::{Discipline, EventKind, Layout, PeCount, Refusal, Span};
use bookahead_capi_client::{Binding, CapiSide, Careless};
use bookahead_commands::{Answer, Call, Command, Kind, Machine, Placed, Reply, Size, Subject};
use bookahead_oracle::generate::{
    CROWDED, Classes, EVERYTHING, FLEXIBLE, OVERLAID, Profile, RULED, Situation, Source, Topic,
    WAITING, draw,
};
use bookahead_oracle::{Recorded, Tally};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Operations in each of ten lives, or so many as the environment variable `BOOKAHEAD_OPERATIONS` says in all.
fn operations() -> u64 {
    std::env::var("BOOKAHEAD_OPERATIONS").map_or(3_000, |number| {
        let all: u64 = number.parse().expect("BOOKAHEAD_OPERATIONS is a number");
        all / 10
    })
}

/// The mistakes of somebody who makes one in three calls or so, or none.
fn mistakes(rng: &mut ChaCha8Rng, is_careless: bool) -> Careless {
    let mut mistakes = vec![0; if is_careless { 40_009 } else { 0 }];
    rng.fill_bytes(&mut mistakes);
    Careless::by(mistakes)
}

/// The discipline of the queues of such callers: of one with a schedule, too, in which mistakes are made.
const fn discipline(is_careless: bool) -> Discipline {
    match is_careless {
        true => Discipline::Conservative,
        false => Discipline::Easy,
    }
}

/// A life of random commands, the same ones every time.
fn life(
    binding: Binding,
    sizes: [u32; 3],
    is_careless: bool,
    topics: &'static [(u16, Topic)],
) -> Tally {
    let [pes, _, rows] = sizes;
    let mut rng = ChaCha8Rng::from_seed([binding as u8 + pes as u8 + rows as u8; 32]);
    let side = CapiSide::new(binding, sizes, 5, mistakes(&mut rng, is_careless));
    let subject: Box<dyn Subject> = Box::new(side);
    let both = Recorded::within(CapiSide::SCOPE, subject.under(discipline(is_careless)));
    // Of units so many that 16 bits could not count those of two.
    let width = if pes > 65_535 { 60_000 } else { 9 };
    live(both, rng, (topics, width), None)
}

/// The same on a machine with a layout, with reservations of many classes.
fn life_on_nodes(
    kind: Kind,
    machine: Machine,
    is_careless: bool,
    topics: &'static [(u16, Topic)],
) -> Tally {
    let missing = machine.fewer();
    let layout: Layout<'_> = machine.layout(&missing);
    let size = Size {
        kind,
        pes: PeCount::new(layout.pes().into()),
        horizon: Span::new(70),
        capacity: 24,
        discipline: discipline(is_careless),
        jobs: 5,
        has_layer: false,
    };
    let mut rng = ChaCha8Rng::from_seed([layout.pes() as u8; 32]);
    let placed = Placed {
        machine: machine.clone(),
        classes: 4,
        order: 4,
    };
    let side = CapiSide::on(&size, &placed, mistakes(&mut rng, is_careless));
    let both = Recorded::on(CapiSide::SCOPE, Box::new(side), &placed);
    live(
        both,
        rng,
        (topics, 9),
        Some(Classes::new(machine, placed.order)),
    )
}

fn live(
    mut both: Recorded,
    mut rng: ChaCha8Rng,
    (topics, width): (&'static [(u16, Topic)], u16),
    mut classes: Option<Classes>,
) -> Tally {
    let profile = Profile {
        duration: 20,
        width,
        step: 2,
        topics,
    };
    let mut rules = Rules::default();
    for _ in 0..operations() {
        let mut bytes = [0; 1024];
        rng.fill_bytes(&mut bytes);
        let (source, situation) = (&mut Source::new(&bytes), &both.harness.situation);
        let mut command = next(&classes, &profile, situation, source);
        if both.says_no_class(&command) || !rules.are_enough(&mut command) {
            continue;
        }
        let reply = both.apply(command.clone());
        let reply = reply.unwrap_or_else(|disagreement| panic!("{disagreement}"));
        rules.note(&reply);
        if let Some(classes) = &mut classes {
            classes.note(&command, &reply);
        }
    }
    if rules.drawn > 100 {
        assert!(rules.several > 5 && rules.moving > 0, "{rules:?}");
    }
    lived(&both.harness.tally);
    both.harness.tally
}

fn next(
    classes: &Option<Classes>,
    profile: &Profile,
    situation: &Situation,
    source: &mut Source<'_>,
) -> Command {
    let drawn = match classes {
        Some(classes) => classes.draw(profile, situation, source),
        None => draw(profile, situation, source),
    };
    drawn.expect("there are enough bytes")
}

/// The rules that were drawn so far, each alone.
#[derive(Debug, Default)]
struct Rules {
    drawn: u32,
    kept: Vec<Call>,
    /// How many transactions have changed several, and how many of these broke a promise or moved somebody.
    several: u32,
    moving: u32,
}

impl Rules {
    /// Of three transactions that change a rule, the second one waits, and changes its rule together with the third.
    fn are_enough(&mut self, command: &mut Command) -> bool {
        let command = match command {
            Command::For(_, command) => &mut **command,
            command => command,
        };
        let Command::Transact(transact) = command else {
            return true;
        };
        if !matches!(transact.calls[..], [Call::SetRule(..) | Call::Resize(_)]) {
            return true;
        }
        self.drawn += 1;
        if self.drawn % 3 == 2 {
            self.kept.append(&mut transact.calls);
            return false;
        }
        transact.calls.splice(..0, self.kept.drain(..));
        true
    }

    fn note(&mut self, reply: &Reply) {
        let Reply::Transacted(outcome) = reply else {
            return;
        };
        let is_ruled = |answer: &_| matches!(answer, (Ok(Answer::Ruled(_)), _));
        let ruled = outcome.answers.iter().filter(|answer| is_ruled(answer));
        if let (2.., Some((_, sight))) = (ruled.count(), outcome.answers.last()) {
            self.several += 1;
            self.moving += u32::from(!sight.moves.is_empty());
        }
    }
}

/// A life in which nothing is booked, moved or refused proves nothing.
fn lived(tally: &Tally) {
    assert!(tally.accepted > 20 && tally.moved > 0, "{tally:?}");
    assert!(tally.because(Refusal::NoRoom) > 20, "{tally:?}");
}

#[test]
fn late_binding() {
    life(Binding::Late, [12, 70, 40], false, EVERYTHING);
}

#[test]
fn late_binding_and_a_careless_caller() {
    life(Binding::Late, [12, 70, 9], true, FLEXIBLE);
}

#[test]
fn early_binding_in_narrow_columns() {
    life(Binding::Early, [12, 70, 40], true, EVERYTHING);
}

#[test]
fn early_binding_in_wide_columns() {
    life(Binding::Early, [129, 70, 40], true, EVERYTHING);
}

#[test]
fn overlays() {
    life(Binding::Overlaid, [12, 70, 40], true, OVERLAID);
}

#[test]
fn overlays_among_all_else() {
    life(Binding::Overlaid, [12, 70, 12], false, EVERYTHING);
}

#[test]
fn units() {
    life(Binding::Units, [12, 70, 40], false, EVERYTHING);
}

#[test]
fn more_units_than_16_bits_count_and_a_careless_caller() {
    life(Binding::Units, [80_000, 70, 40], true, EVERYTHING);
}

#[test]
fn requests_that_wait() {
    life(Binding::Late, [7, 70, 24], false, WAITING);
}

#[test]
fn requests_that_wait_and_a_careless_caller() {
    life(Binding::Early, [12, 70, 24], true, WAITING);
}

/// Rules and jobs without a known end, and little else.
const RULES_ABOVE_ALL: &[(u16, Topic)] = &[
    (6, Topic::Rule),
    (2, Topic::Reserve),
    (2, Topic::Advance),
    (2, Topic::Of(RULED)),
];

/// A life in which rules come, change and go, and meet jobs without a known end.
fn life_with_rules(binding: Binding, sizes: [u32; 3], is_careless: bool) {
    ruled(&life(binding, sizes, is_careless, RULES_ABOVE_ALL));
}

/// A life without rules says nothing about them.
fn ruled(tally: &Tally) {
    for what in ["rule", "drop a rule"] {
        assert!(tally.times(what, "") > 0, "{what}: {tally:?}");
    }
    assert!(tally.times("rule", "broken") > 0, "{tally:?}");
    assert!(tally.of(EventKind::RuleMet) > 0, "{tally:?}");
}

#[test]
fn rules_of_numbers() {
    life_with_rules(Binding::LateRuled, [6, 70, 40], false);
}

#[test]
fn rules_of_numbers_and_a_careless_caller() {
    life_with_rules(Binding::LateRuled, [12, 70, 9], true);
}

#[test]
fn rules_of_sets_in_narrow_columns_and_a_careless_caller() {
    life_with_rules(Binding::EarlyRuled, [40, 70, 40], true);
}

#[test]
fn rules_of_sets_in_wide_columns() {
    life_with_rules(Binding::EarlyRuled, [129, 70, 40], true);
}

/// A life with all the rest in books with rules.
#[test]
fn rules_among_all_else() {
    life(Binding::LateRuled, [12, 70, 40], false, RULED);
    life(Binding::EarlyRuled, [40, 70, 40], true, RULED);
}

/// Four nodes of 4 cores and 2 GPUs, which one of them lacks, in two racks: in columns of 32.
fn narrow() -> Machine {
    Machine {
        groups: 4,
        kinds: vec![4, 2],
        missing: vec![(3, 4, 1, 0)],
        levels: vec![2],
    }
}

/// Nodes that are wider than 128 PEs when they are padded: in columns of 512.
fn wide() -> Machine {
    Machine {
        groups: 5,
        kinds: vec![2, 1, 33],
        missing: vec![(0, 5, 2, 1)],
        levels: vec![2, 4],
    }
}

#[test]
fn small_nodes() {
    life_on_nodes(Kind::Sets, narrow(), false, CROWDED);
}

#[test]
fn nodes_in_wide_columns_and_a_careless_caller() {
    life_on_nodes(Kind::Sets, wide(), true, FLEXIBLE);
}

/// Rules take PEs of nodes whose reservations are of many classes.
#[test]
fn rules_on_small_nodes_and_a_careless_caller() {
    let tally = life_on_nodes(Kind::RuledSets, narrow(), true, RULES_ABOVE_ALL);
    ruled(&tally);
    for (what, how) in [("make room", "in space"), ("take out", "")] {
        assert!(tally.times(what, how) > 0, "{what}: {tally:?}");
    }
}

#[test]
fn rules_on_nodes_in_wide_columns() {
    ruled(&life_on_nodes(
        Kind::RuledSets,
        wide(),
        false,
        RULES_ABOVE_ALL,
    ));
}
