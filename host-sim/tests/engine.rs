//! The engine keeps every promise, whatever policy and binding.

use bookahead::Policy;
use bookahead_sim::{
    engine::{self, Binding, System},
    workload::{
        lublin::Lublin,
        reserve::{Demand, Factors},
        six_class::Reconstruction,
    },
};

#[test]
fn promises_are_kept_under_every_policy_and_binding() {
    let jobs = Lublin::lanl_cm5(7.0, Reconstruction::LogSample)
        .jobs(1, 0)
        .unwrap()
        .take(600);
    let requests: Vec<_> = Factors::default()
        .demands(jobs, 1, 0)
        .unwrap()
        .filter_map(|demand| match demand {
            Demand::Reserve(request) => Some(request),
            Demand::BestEffort(_) => None,
        })
        .collect();
    for policy in Policy::ALL {
        for binding in [Binding::Early, Binding::Late, Binding::LateControl] {
            let system = System {
                pes: 1024,
                slots: 2048,
                slot_seconds: 60,
                policy,
                binding,
            };
            let outcomes = engine::run(&system, &requests, &|| {}).unwrap();
            let accepted = outcomes
                .iter()
                .filter(|outcome| outcome.decision.is_ok())
                .count();
            println!("{} {} {accepted}", policy.name(), binding.name());
            assert!(accepted > 300, "{policy:?} {binding:?}: {accepted}");
        }
    }
}
