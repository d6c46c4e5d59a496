//! Operations on reservations.

mod plain;
pub mod scripts;

use std::collections::BTreeMap;

use bookahead::{Discipline, Factor, Money, Policy, Tariff};
use bookahead_sim::{
    engine::{
        self, Binding, Cause, Elastic, Outcome, Placed, Story, Strategy, System, User,
        metrics::Metrics, outcome::Stretch, story::Declined,
    },
    operation::{Action, Operation, Script},
    request::{Demand, JobRequest},
};

use plain::{Fate, Machine, Moved};

/// Runs a script, writes the files, and has them checked.
#[track_caller]
pub fn told(system: &System, script: &Script) -> Story {
    let story = engine::replay(system, script, &|| {}).unwrap();
    crate::assert_sound(system, &story, script);
    story
}

#[test]
fn the_checker_finds_nothing_wrong_with_random_operations() {
    let elastic = Elastic {
        user: User::AskAgain,
        ..Elastic::default()
    };
    let strategies = [
        Strategy::Fit(Policy::FirstFit),
        Strategy::Fit(Policy::PeDurationWorstFit),
        Strategy::Rigid,
        Strategy::Elastic(elastic),
    ];
    // Done and not done, by name.
    let mut seen: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for seed in 0..24 {
        let script = scripts::random(seed, 60, 5, 10);
        for strategy in strategies {
            for binding in [Binding::Early, Binding::Late, Binding::LateControl] {
                let system = System::new(5, 40, 10, strategy, binding);
                if system.check().is_err() {
                    continue;
                }
                for done in &told(&system, &script).operated {
                    let counts = seen.entry(done.operation.action.name()).or_default();
                    counts[usize::from(done.decision.is_err())] += 1;
                }
            }
        }
    }
    for name in Action::NAMES {
        let counts = seen.get(name).copied().unwrap_or_default();
        assert!(
            counts.iter().all(|count| *count >= 20),
            "{name}: {counts:?}"
        );
    }
}

#[test]
fn the_checker_finds_nothing_wrong_beside_a_queue() {
    let strategies = [Strategy::Fit(Policy::PeWorstFit), Strategy::Rigid];
    let tariff = Tariff::new(Money::new(60_000), Factor::from_num(2), 1).unwrap();
    let (mut started, mut early) = (0, 0);
    for seed in 0..20 {
        let script = scripts::mixed(seed, &scripts::random(seed, 60, 5, 60));
        for (strategy, binding) in strategies.into_iter().zip([Binding::Early, Binding::Late]) {
            for discipline in Discipline::ALL {
                let system = System {
                    best_effort: Some(discipline),
                    tariff,
                    ..System::new(5, 40, 60, strategy, binding)
                };
                let story = told(&system, &script);
                let queued = story.outcomes.iter().filter_map(Outcome::best_effort);
                started += queued.filter(|(_, decision)| decision.is_ok()).count();
                let ran = story.outcomes.iter().filter_map(Outcome::accepted);
                early += ran
                    .filter(|(_, placed)| placed.has_run() && placed.changed.is_none())
                    .filter(|(_, placed)| placed.finish() < placed.end)
                    .count();
            }
        }
    }
    assert!(started > 500 && early > 50, "{started} {early}");
}

fn each(ranges: &[(u16, u16)]) -> Vec<u16> {
    let each = ranges.iter().flat_map(|(first, last)| *first..=*last);
    each.collect()
}

fn decision(placed: &Placed) -> Fate {
    let given_back = placed
        .changed
        .iter()
        .flat_map(|changed| &changed.given_back);
    Fate {
        promised: [placed.start, placed.end],
        final_start: placed.final_start(),
        ran: placed.has_run().then(|| [placed.began, placed.finish()]),
        pes: each(&placed.pes),
        given_back: given_back
            .map(|back| (back.until, each(&back.pes)))
            .collect(),
        broken: placed.broken().and_then(|(by, at)| Some((by.id()?, at))),
    }
}

fn moves(done: &engine::Operated, story: &Story) -> Result<Vec<Moved>, &'static str> {
    let numbers = |stretch: Stretch| [stretch.start, stretch.end, stretch.pes];
    done.decision.map_err(Declined::name)?;
    let moves = story.moves.iter();
    let operation = done.operation;
    let force = matches!(operation.action, Action::ExtendByForce { .. });
    let caused = moves.filter(|moved| match moved.cause {
        Cause::Overrun => {
            let cause = (moved.cause_job_id, moved.time);
            force && cause == (Some(operation.target), operation.arrival)
        }
        _ => moved.cause_job_id == Some(operation.job_id),
    });
    Ok(caused
        .map(|moved| (moved.job_id, moved.from.map(numbers), numbers(moved.to)))
        .collect())
}

#[test]
fn operations_do_what_the_plain_reading_of_the_rules_says() {
    let (mut compared, mut moved, mut broken) = (0, 0, 0);
    for seed in 0..1000 {
        // One processing element is a machine too, and slots of a second do not round.
        let pes = 1 + seed % 6;
        let slot_seconds = [1, 10, 60][seed as usize % 3];
        let script = scripts::random(seed, 80, pes, slot_seconds);
        for (binding, early) in [(Binding::Early, true), (Binding::Late, false)] {
            let slots = 24 + 4 * (seed % 5);
            let strategy = Strategy::Fit(Policy::FirstFit);
            let system = System::new(
                pes as u16,
                slots as u32,
                slot_seconds as u32,
                strategy,
                binding,
            );
            let story = engine::replay(&system, &script, &|| {}).unwrap();
            let machine = Machine {
                pes,
                slots,
                slot_seconds,
                early,
            };
            let plain = plain::run(&script, machine);
            let what = || format!("seed {seed}, {machine:?}\n{script:#?}");
            for (done, expected) in story.operated.iter().zip(&plain.operations) {
                assert_eq!(
                    moves(done, &story),
                    *expected,
                    "{:?} {}",
                    done.operation,
                    what()
                );
            }
            assert_eq!(story.operated.len(), plain.operations.len());
            let parts = story.operated.iter().filter_map(|done| done.part.as_ref());
            let mut found = 0;
            for outcome in story.outcomes.iter().chain(parts) {
                let Outcome { demand, .. } = outcome;
                let became = outcome.decision.as_ref().map(decision);
                let became = became.map_err(|reason| reason.name());
                let job_id = demand.job_id();
                assert_eq!(became, plain.fates[&job_id], "job {job_id} {}", what());
                found += 1;
            }
            assert_eq!(found, plain.fates.len());
            compared += found;
            moved += story
                .moves
                .iter()
                .filter(|moved| moved.cause == Cause::Overrun)
                .count();
            broken += story
                .placed()
                .filter(|placed| placed.broken().is_some())
                .count();
        }
    }
    let counts = (compared, moved, broken);
    assert!(
        compared > 60_000 && moved > 100 && broken > 100,
        "{counts:?}"
    );
}

#[test]
fn what_is_cancelled_as_it_starts_was_booked_for_no_time() {
    let asked = |job_id, ready| JobRequest {
        job_id,
        arrival: 0,
        ready,
        duration: 60,
        deadline: 600,
        pes: 2,
        run: 60,
        flexible: true,
        ..JobRequest::default()
    };
    let script = Script {
        demands: vec![Demand::Reserve(asked(1, 0)), Demand::Reserve(asked(2, 120))],
        operations: vec![Operation {
            job_id: 3,
            arrival: 120,
            target: 2,
            action: Action::Cancel,
            after: 2,
        }],
        ..Script::default()
    };
    let strategy = Strategy::Fit(Policy::FirstFit);
    let system = System::new(4, 64, 60, strategy, Binding::Early);
    let story = told(&system, &script);
    let last = story.outcomes[1].decision.as_ref().unwrap();
    assert!(last.has_run() && last.booked().next().is_none());
    // Two of four PEs in the one minute that anything was booked; it was used until the second at which the other began.
    let metrics = Metrics::on(&system, &story);
    assert_eq!(
        (metrics.booked_utilization, metrics.utilization),
        (Some(0.5), Some(0.25))
    );
}
