//! The engine keeps every promise, whatever strategy, binding and queue.

mod best_effort;
mod elastic;
mod lengths;
mod metrics;
mod moving;
mod operations;
mod outages;
mod overruns;
mod preempting;
mod prices;
mod rules;
mod several;
mod waiting;

use std::fmt::Debug;

use bookahead::{Discipline, OfferOrder, Policy, Search};
use bookahead_sim::{
    check,
    engine::{self, Binding, Elastic, Outcome, Story, Strategy, System, User, metrics::Metrics},
    output::{self, RunInfo},
    request::{BestEffortRequest, Demand, Hold, JobRequest},
    workload::{
        lublin::{Lublin, six_class::Reconstruction},
        reserve::Factors,
    },
};

fn workload(count: usize, share: f64) -> Vec<Demand> {
    let jobs = Lublin::lanl_cm5(7.0, Reconstruction::LogSample)
        .jobs(1, 0)
        .unwrap()
        .take(count);
    let factors = Factors {
        share,
        ..Factors::default()
    };
    factors.demands(jobs, 1, 0).unwrap().collect()
}

/// Four PEs and 64 slots of a minute.
fn small(strategy: Strategy, binding: Binding, best_effort: Option<Discipline>) -> System {
    System {
        best_effort,
        ..System::new(4, 64, 60, strategy, binding)
    }
}

/// The same demands with numbers from 1.
fn numbered(demands: &[Demand]) -> Vec<Demand> {
    let mut demands = demands.to_vec();
    for (number, demand) in (1..).zip(&mut demands) {
        match demand {
            Demand::Reserve(request) | Demand::Hold(Hold { request, .. }) => {
                request.job_id = number;
            }
            Demand::BestEffort(job) => job.job_id = number,
        }
    }
    demands
}

/// Systems that are refused, with a part of what is said.
#[track_caller]
fn refused(cases: impl IntoIterator<Item = (System, &'static str)>) {
    for (system, expected) in cases {
        let problem = system.check().unwrap_err().to_string();
        assert!(problem.contains(expected), "{problem}");
    }
}

/// Runs, writes the files, and has them checked, and the run in memory too.
#[track_caller]
fn checked(system: &System, demands: &[Demand]) -> Vec<Outcome> {
    checked_story(system, demands).outcomes
}

/// As [`checked`], with what is told beside that.
#[track_caller]
fn checked_story(system: &System, demands: &[Demand]) -> Story {
    let story = engine::tell(system, &numbered(demands), &|| {}).unwrap();
    assert_sound(system, &story, &"");
    story
}

/// Writes the files of what became of something, and has them and the story checked.
#[track_caller]
fn assert_sound(system: &System, story: &Story, of: &dyn Debug) {
    let folder = tempfile::tempdir().unwrap();
    let info = RunInfo {
        system: system.clone(),
        workload: "test".into(),
        seed: 1,
    };
    output::write_story(folder.path(), &info, story).unwrap();
    for run in check::folder(folder.path()).unwrap() {
        assert_eq!(run.violations, [], "{system:?} {of:#?}");
    }
    assert_eq!(check::story(system, story), [], "{system:?} {of:#?}");
}

/// Start and end of the run, and the number of PEs; nothing where there is none.
fn ran(outcomes: &[Outcome]) -> Vec<Option<(u64, u64, u64)>> {
    let of = |outcome: &Outcome| {
        let placed = outcome.decision.as_ref().ok()?;
        Some((placed.start, placed.finish(), placed.width()))
    };
    outcomes.iter().map(of).collect()
}

#[test]
fn promises_are_kept_under_every_policy_and_binding() {
    let demands = workload(600, 1.0);
    for policy in Policy::ALL {
        for binding in [Binding::Early, Binding::Late, Binding::LateControl] {
            let system = System::new(1024, 2048, 60, Strategy::Fit(policy), binding);
            let outcomes = checked(&system, &demands);
            let accepted = outcomes.iter().filter_map(Outcome::accepted).count();
            assert!(accepted > 300, "{policy:?} {binding:?}: {accepted}");
        }
    }
}

#[test]
fn promises_are_kept_beside_a_queue() {
    let demands = workload(250, 0.4);
    let elastic = Elastic {
        user: User::AskAgain,
        ..Elastic::default()
    };
    let strategies = [
        Strategy::Fit(Policy::FirstFit),
        Strategy::Fit(Policy::PeDurationWorstFit),
        Strategy::Rigid,
        Strategy::Elastic(elastic),
        Strategy::Elastic(Elastic {
            search: Search::ParetoFront,
            order: OfferOrder::Widest,
            offers: 5,
            ..elastic
        }),
    ];
    for strategy in strategies {
        for binding in [Binding::Early, Binding::Late] {
            for discipline in Discipline::ALL {
                let free = System::new(1024, 2048, 60, strategy, binding);
                let system = System {
                    best_effort: Some(discipline),
                    ..free
                };
                let metrics = Metrics::of(&checked(&system, &demands), 1024);
                let what = format!("{strategy:?} {binding:?} {discipline:?}: {metrics:?}");
                assert!(metrics.accepted > 40, "{what}");
                assert_eq!(
                    metrics.best_effort.started,
                    demands.len() - metrics.requests,
                    "{what}"
                );
                assert!(metrics.best_effort.waiting_time > Some(1000.0), "{what}");
                let reduces = matches!(strategy, Strategy::Elastic(_));
                assert_eq!(metrics.reduced > 0, reduces, "{what}");
            }
        }
    }
}
