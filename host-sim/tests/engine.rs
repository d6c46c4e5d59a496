//! The engine keeps every promise, whatever policy and binding.

use bookahead::Policy;
use bookahead_sim::{
    engine::{self, Binding, Strategy, System},
    request::Demand,
    workload::{lublin::Lublin, reserve::Factors, six_class::Reconstruction},
};

#[test]
fn promises_are_kept_under_every_policy_and_binding() {
    let jobs = Lublin::lanl_cm5(7.0, Reconstruction::LogSample)
        .jobs(1, 0)
        .unwrap()
        .take(600);
    let demands: Vec<Demand> = Factors::default().demands(jobs, 1, 0).unwrap().collect();
    for policy in Policy::ALL {
        for binding in [Binding::Early, Binding::Late, Binding::LateControl] {
            let system = System::new(1024, 2048, 60, Strategy::Fit(policy), binding);
            let outcomes = engine::run(&system, &demands, &|| {}).unwrap();
            let accepted = outcomes
                .iter()
                .filter(|outcome| outcome.fate.is_ok())
                .count();
            println!("{} {} {accepted}", policy.name(), binding.name());
            assert!(accepted > 300, "{policy:?} {binding:?}: {accepted}");
        }
    }
}
