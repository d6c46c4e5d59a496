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

/// Its logs, and what stands for them where they are missing.
const LOGS: [(&str, &str); 2] = [
    ("SDSC-SP2-1998-4-filtered.swf.gz", "lublin"),
    ("SDSC-BLUE-2000-4-filtered.swf.gz", "poisson"),
];
/// What only logs have, and what stands for it: jobs that book more than they run.
const REQUESTED: (&str, &str) = ("\nduration = \"requested\"\n", "\nk_over = \"1.2-3\"\n");

/// What a quick sweep has instead.
const QUICK: [(&str, &str); 2] = [
    ("\nreplications = 5\n", "\nreplications = 2\n"),
    ("\njobs = 3000\n", "\njobs = 300\n"),
];

/// Runs the sweep into the folder `out` and judges the claims.
pub(super) fn reproduce(quick: bool, out: &Path, basics: &Basics) -> Result<()> {
    let is_there = |(log, _): &(&str, &str)| traces::find(Path::new(log)).is_some();
    let has_logs = LOGS.iter().all(is_there);
    let text = plan(quick, has_logs, basics.seed());
    let plan = Plan::parse(Path::new("strategies.toml"), text)?;
    let in_full = Plan::parse(Path::new("strategies.toml"), PLAN.to_owned())?.replications;
    let checked = sweep::make(plan, out, basics)?;
    let note = match has_logs {
        true => "",
        false => {
            "The jobs are synthetic, not those of logs, and book 1.2 to 3 times what they run."
        }
    };
    let [verdicts, extent] = strategies::judge(out, note, quick, in_full)?;
    let workloads = LOGS.map(|(log, model)| if has_logs { log } else { model });
    screen::line(&format!("strategies, seed {}: {verdicts}", basics.seed()))?;
    screen::line(&extent)?;
    screen::line(&format!("workload: {}", workloads.join(" and ")))?;
    screen::line(&format!(
        "checked: {checked} runs, no contradiction in what they wrote"
    ))?;
    for (what, file) in [("claims", "claims.csv"), ("report", FILE)] {
        screen::line(&format!("{what}: {}", out.join(file).display()))?;
    }
    Ok(())
}

fn plan(quick: bool, has_logs: bool, seed: u64) -> String {
    let mut text = PLAN.replace("\nseed = 1\n", &format!("\nseed = {seed}\n"));
    let smaller = QUICK.into_iter().filter(|_| quick);
    let synthetic = LOGS.into_iter().chain([REQUESTED]);
    for (old, new) in smaller.chain(synthetic.filter(|_| !has_logs)) {
        text = text.replace(old, new);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{LOGS, PLAN, QUICK, REQUESTED, plan};

    #[test]
    fn the_plan_has_all_that_is_replaced() {
        let all = QUICK.into_iter().chain(LOGS).chain([REQUESTED]);
        for (text, _) in all.chain([("\nseed = 1\n", "")]) {
            assert_eq!(PLAN.matches(text).count(), 1, "{text:?}");
        }
        assert_eq!(plan(false, true, 1), PLAN);
    }
}
