//! All strategies on the same requests: a sweep, and the claims that it decides.

use std::path::Path;

use super::{basics::Basics, screen, sweep, traces};
use crate::{
    error::Result,
    experiment::{strategies, sweep::Plan},
    report::FILE,
};

/// The plan, as it stands among the examples.
const PLAN: &str = include_str!("../../../examples/sweeps/strategies.toml");

/// Its logs.
const LOGS: [&str; 2] = [
    "SDSC-SP2-1998-4-filtered.swf.gz",
    "SDSC-BLUE-2000-4-filtered.swf.gz",
];
/// What stands for them where they are missing.
const MODELS: [&str; 2] = ["lublin", "poisson"];

/// What a quick sweep has instead.
const QUICK: [(&str, &str); 2] = [
    ("\nreplications = 5\n", "\nreplications = 2\n"),
    ("\njobs = 2000\n", "\njobs = 200\n"),
];

/// Runs the sweep into the folder `out` and judges the claims.
pub(super) fn reproduce(quick: bool, out: &Path, basics: &Basics) -> Result<()> {
    let has_logs = LOGS
        .iter()
        .all(|log| traces::find(Path::new(log)).is_some());
    let text = plan(quick, has_logs, basics.seed());
    let plan = Plan::parse(Path::new("strategies.toml"), text)?;
    sweep::make(plan, out, basics)?;
    let note = match has_logs {
        true => "",
        false => "The jobs are synthetic, not those of logs.",
    };
    let verdicts = strategies::judge(out, note)?;
    let workloads = if has_logs { LOGS } else { MODELS };
    screen::line(&format!("strategies, seed {}: {verdicts}", basics.seed()))?;
    screen::line(&format!("workload: {}", workloads.join(" and ")))?;
    for (what, file) in [("claims", "claims.csv"), ("report", FILE)] {
        screen::line(&format!("{what}: {}", out.join(file).display()))?;
    }
    Ok(())
}

fn plan(quick: bool, has_logs: bool, seed: u64) -> String {
    let mut text = PLAN.replace("\nseed = 1\n", &format!("\nseed = {seed}\n"));
    for (all, few) in QUICK.iter().filter(|_| quick) {
        text = text.replace(all, few);
    }
    for (log, model) in LOGS.iter().zip(MODELS).filter(|_| !has_logs) {
        text = text.replace(log, model);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{LOGS, PLAN, QUICK, plan};

    #[test]
    fn the_plan_has_all_that_is_replaced() {
        let all = QUICK.map(|(all, _)| all).into_iter().chain(LOGS);
        for text in all.chain(["\nseed = 1\n"]) {
            assert_eq!(PLAN.matches(text).count(), 1, "{text:?}");
        }
        assert_eq!(plan(false, true, 1), PLAN);
    }
}
