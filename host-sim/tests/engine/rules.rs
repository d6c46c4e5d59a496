//! Rules by which processing elements are not there again and again.

use bookahead_sim::{
    engine::{self, Binding, Cause, Elastic, Story, Strategy, System, User, outcome::Ended},
    operation::Script,
    outage::Breaker,
    request::Demand,
    rule::Rule,
};

use crate::{
    operations::{
        scripts::{self, Draws},
        told,
    },
    outages::{FIRST_FIT, Lie, fates, job, notices_lies, script, strategies},
};

/// A rule in a file: name; phase, period and length; PEs; and when it is announced and taken back.
fn rule(name: &str, [phase, period, length]: [u64; 3], pes: &str, known: [u64; 2]) -> String {
    let [announced, until] = known;
    let until = match until {
        u64::MAX => String::new(),
        until => format!("until = {until}\n"),
    };
    format!(
        "[[rule]]\nname = \"{name}\"\nphase = {phase}\nperiod = {period}\nlength = {length}\npes = {pes}\nannounced = {announced}\n{until}"
    )
}

/// A machine of four PEs.
fn machine(strategy: Strategy, binding: Binding, slot: u32, rules: &[String]) -> System {
    let text = rules.concat();
    let rules = Rule::parse("rules.toml".as_ref(), &text, 4, slot).unwrap();
    System {
        rules,
        ..System::new(4, 64, slot, strategy, binding)
    }
}

const ALWAYS: [u64; 2] = [0, u64::MAX];

#[test]
fn a_rule_keeps_its_pes_free_of_jobs_and_comes_again_behind_the_horizon() {
    let night = |pes| rule("night", [5, 300, 91], pes, ALWAYS);
    // On edges, it lasts from 0 to 100, of every 300 seconds.
    let jobs = [
        job(1, 0, [0, 100, 640], 4),
        job(2, 0, [0, 100, 640], 2),
        job(3, 0, [0, 110, 640], 3),
        job(4, 580, [880, 100, 1200], 4),
    ];
    for (binding, pes) in [(Binding::Early, "\"0-1\""), (Binding::Late, "2")] {
        let system = machine(FIRST_FIT, binding, 10, &[night(pes)]);
        let story = told(&system, &script(&jobs, &[]));
        let starts: Vec<u64> = fates(&story).iter().map(|fate| fate.0).collect();
        assert_eq!(starts, [100, 0, 400, 1000], "{binding:?}");
        assert_eq!(story.moves, []);
        let early = binding == Binding::Early;
        assert_eq!(fates(&story)[1].2 == [(2, 3)], early);
    }
}

/// The rule becomes known inside the slot before 50, and takes PEs from 100 to 130.
fn surprised(binding: Binding, pes: &str) -> (System, Story) {
    let rules = [
        rule("first", [0, 1000, 10], pes, ALWAYS),
        rule("late-news", [100, 1000, 30], pes, [41, 120]),
    ];
    let jobs = [
        job(1, 0, [20, 90, 110], 2),
        job(2, 0, [20, 90, 110], 2),
        job(3, 10, [110, 10, 120], 4),
        job(4, 10, [110, 10, 300], 3),
        job(5, 60, [110, 20, 300], 4),
    ];
    let system = machine(FIRST_FIT, binding, 10, &rules);
    let story = told(&system, &script(&jobs, &[]));
    (system, story)
}

/// When each job began, and whether a rule broke its promise.
fn broken(story: &Story) -> Vec<(u64, Option<String>)> {
    let placed = story.placed();
    let fate = placed.map(|placed| (placed.began, placed.broken().map(|(by, _)| by.to_string())));
    fate.collect()
}

#[test]
fn a_rule_that_becomes_known_moves_and_breaks() {
    let by_rule = || Some("rule:late-news".to_owned());
    let (_, early) = surprised(Binding::Early, "\"0-1\"");
    let expected = [
        (20, by_rule()),
        (20, None),
        (110, by_rule()),
        (130, None),
        (140, None),
    ];
    assert_eq!(broken(&early), expected);
    // That the rule is taken back at 120 moves nobody back.
    let moves = early.moves.iter();
    let moves: Vec<_> = moves
        .map(|row| (row.time, row.job_id, row.cause, row.cause_job_id))
        .collect();
    assert_eq!(moves, [(50, 4, Cause::Rule, Some(2))]);
    // Where only a number leaves, who was accepted last goes first.
    let (_, late) = surprised(Binding::Late, "2");
    let expected = [
        (20, None),
        (20, by_rule()),
        (110, by_rule()),
        (130, None),
        (140, None),
    ];
    assert_eq!(broken(&late), expected);
}

#[test]
fn lies_about_rules_are_noticed() {
    let (system, story) = surprised(Binding::Early, "\"0-1\"");
    let lies: [Lie; 6] = [
        (
            |story| story.outcomes[1].decision.as_mut().unwrap().pes = vec![(1, 2)],
            "job 2: uses PE 1 at 100, as rule late-news does",
        ),
        (
            |story| {
                let placed = story.outcomes[3].decision.as_mut().unwrap();
                placed.changed.as_mut().unwrap().start = 110;
                placed.began = 110;
            },
            "job 4: uses PE 0 at 110, as rule late-news does",
        ),
        (
            |story| story.moves[0].time = 60,
            "moves.csv: moved at 60 by rule late-news, which does not become known then",
        ),
        (
            |story| story.moves[0].cause_job_id = Some(3),
            "moves.csv: moved at 50 because of job 3, which explains no move then",
        ),
        (
            |story| {
                end(
                    story,
                    0,
                    Ended::Broken {
                        by: Breaker::parse("rule:first").unwrap(),
                        at: 50,
                    },
                )
            },
            "broken at 50 by rule first, which does not become known then",
        ),
        (
            |story| {
                end(
                    story,
                    3,
                    Ended::Broken {
                        by: Breaker::parse("rule:late-news").unwrap(),
                        at: 50,
                    },
                )
            },
            "broken at 50 by rule late-news, which 130-140 on 3 PEs does not meet",
        ),
    ];
    notices_lies(&system, &story, &lies);
    let (system, story) = surprised(Binding::Late, "2");
    let moved: Lie = (
        |story| {
            story.moves.clear();
            let placed = story.outcomes[3].decision.as_mut().unwrap();
            placed.changed.as_mut().unwrap().start = 110;
            placed.began = 110;
        },
        "at 110, jobs use 3 of 4 PEs, and rule late-news takes 2",
    );
    let refused: Lie = (
        |story| story.outcomes[4].decision = Err(bookahead::Refusal::NoRoom.into()),
        "job 5: refused for no-room, although there is room at 140",
    );
    notices_lies(&system, &story, &[moved, refused]);
    // The same refusal is right where a rule has all of it in the window.
    let full = rule("full", [150, 1000, 150], "1", ALWAYS);
    let system = machine(FIRST_FIT, Binding::Late, 10, &[full]);
    let story = told(&system, &script(&[job(1, 0, [140, 20, 300], 4)], &[]));
    assert!(story.outcomes[0].decision.is_err());
}

fn end(story: &mut Story, job: usize, ended: Ended) {
    let placed = story.outcomes[job].decision.as_mut().unwrap();
    let mut changed = placed.changed.clone().unwrap();
    changed.ended = ended;
    placed.changed = Some(changed);
}

#[test]
fn a_rule_that_never_applies_changes_no_decision() {
    for strategy in strategies() {
        for (binding, pes) in [(Binding::Early, "\"0-3\""), (Binding::Late, "4")] {
            for seed in 0..4 {
                let script = scripts::random(seed, 60, 4, 10);
                // It would be the turn of this one in a thousand years.
                let far = rule("far", [30_000_000_000, 40_000_000_000, 10], pes, ALWAYS);
                let ruled = machine(strategy, binding, 10, &[far]);
                let plain = System {
                    rules: Vec::new(),
                    ..ruled.clone()
                };
                let (plain, ruled) = (told(&plain, &script), told(&ruled, &script));
                let decided = |story: &Story| {
                    let outcomes = story.outcomes.iter();
                    outcomes.map(|one| one.decision.clone()).collect::<Vec<_>>()
                };
                assert_eq!(decided(&plain), decided(&ruled), "{strategy:?} {seed}");
                assert_eq!(plain.moves, ruled.moves);
            }
        }
    }
}

/// Up to five rules, some of which come later or go.
fn random(seed: u64, slot: u64, last: u64, early: bool) -> Vec<String> {
    let mut draws = Draws::new(seed ^ 0x0ad1);
    let rules = (0..1 + draws.below(5)).map(|number| {
        let period = (2 + draws.below(30)) * slot;
        let length = 1 + draws.below(period.min(12 * slot));
        let announced = draws.below(2) * draws.below(last);
        let until = match draws.below(3) {
            0 => announced + 1 + draws.below(last),
            _ => u64::MAX,
        };
        let first = draws.below(4);
        let pes = match early {
            true => format!("\"{first}-{}\"", first + draws.below(4 - first)),
            false => (1 + draws.below(4)).to_string(),
        };
        let turns = [draws.below(3 * period), period, length];
        rule(&format!("rule-{number}"), turns, &pes, [announced, until])
    });
    rules.collect()
}

#[test]
fn the_checker_finds_nothing_wrong_with_random_rules() {
    let elastic = Elastic {
        user: User::AskAgain,
        ..Elastic::default()
    };
    let all = strategies().into_iter().chain([Strategy::Elastic(elastic)]);
    let all: Vec<Strategy> = all.collect();
    let (mut gone, mut moved, mut refused) = ([0; 2], [0; 2], 0);
    for seed in 0..12 {
        let slot = [1, 10, 60][seed as usize % 3];
        let mut script = scripts::random(seed, 60, 4, slot);
        if seed % 2 == 0 {
            script.operations.clear();
        }
        for (number, demand) in (0..).zip(&mut script.demands) {
            if let Demand::Reserve(request) = demand {
                request.deadline += (number % 3) * 8 * slot;
                request.run = request.duration * (1 + number % 3) / 2;
            }
        }
        let last = script.demands.iter().map(Demand::arrival).max().unwrap();
        for &strategy in &all {
            for binding in [Binding::Early, Binding::Late] {
                let rules = random(seed, slot, last, binding == Binding::Early);
                let system = System {
                    overrun: seed % 4 == 1 && !matches!(strategy, Strategy::Elastic(_)),
                    ..machine(strategy, binding, slot as u32, &rules)
                };
                let story = told(&system, &script);
                let by_rule = |by: Breaker| matches!(by, Breaker::Rule(_));
                let broken = || {
                    let broken = |by: (Breaker, u64)| by_rule(by.0);
                    story
                        .placed()
                        .filter(move |placed| placed.broken().is_some_and(broken))
                };
                gone[0] += broken().filter(|placed| placed.has_run()).count();
                gone[1] += broken().filter(|placed| !placed.has_run()).count();
                for row in story.moves.iter().filter(|row| row.cause == Cause::Rule) {
                    let same = row.from.is_some_and(|from| from.start == row.to.start);
                    moved[usize::from(same)] += 1;
                }
                refused += story
                    .outcomes
                    .iter()
                    .filter(|one| one.decision.is_err())
                    .count();
            }
        }
    }
    let all = (gone, moved, refused);
    assert!(gone[0] > 30 && gone[1] > 60, "{all:?}");
    assert!(moved[0] > 60 && moved[1] > 15 && refused > 1_000, "{all:?}");
}

/// A system, what is changed of it, and what is said then.
type Case<'a> = (&'a System, fn(&mut System), &'a str);

#[test]
fn what_does_not_go_with_rules_is_refused() {
    let message = |system: &System| {
        let error = engine::replay(system, &Script::default(), &|| {}).unwrap_err();
        error.to_string()
    };
    let set = machine(
        FIRST_FIT,
        Binding::Early,
        10,
        &[rule("a", [0, 100, 10], "\"1\"", ALWAYS)],
    );
    let number = machine(
        FIRST_FIT,
        Binding::Late,
        10,
        &[rule("b", [0, 100, 10], "1", ALWAYS)],
    );
    let change = |system: &System, change: fn(&mut System)| {
        let mut system = system.clone();
        change(&mut system);
        message(&system)
    };
    let cases: [Case<'_>; 8] = [
        (
            &set,
            |system| system.binding = Binding::Late,
            "rule a says which PEs it takes, but with late binding they are chosen when a job starts; say how many, as in pes = 4",
        ),
        (
            &number,
            |system| system.binding = Binding::Early,
            "rule b says how many PEs it takes, but with early binding it has to say which, as in pes = \"0-3\"",
        ),
        (
            &number,
            |system| system.slot_seconds = 30,
            "the period of rule b is no number of whole slots",
        ),
        (
            &set,
            |system| system.sites = 2,
            "rules are those of one site",
        ),
        (
            &set,
            |system| system.best_effort = Some(bookahead::Discipline::Easy),
            "leave out --queue",
        ),
        (
            &number,
            |system| system.binding = Binding::LateControl,
            "say early or late",
        ),
        (
            &set,
            |system| system.outages = true,
            "leave out --outages and --mtbf",
        ),
        (
            &set,
            |system| system.wait = Some(engine::Priority::Age),
            "--wait: --rules do not go with it yet, as who waits would not hear of a rule that ends; leave out --rules",
        ),
    ];
    for (system, how, expected) in cases {
        let said = change(system, how);
        assert!(said.contains(expected), "{said}");
    }
}
