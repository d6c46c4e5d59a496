//! Claims 3.01 and 3.02: the log.

use super::super::{
    points::{ComputeNode, MAIN, PROCESSORS},
    workload::{Facts, Workload},
};
use super::Judged;
use crate::experiment::{
    claims::Claim,
    rules::{Judgement, Verdict},
};

/// What the paper counts.
const JOBS: f64 = 3_200.0;
/// How far from that is still "approximately".
const ABOUT: f64 = 0.05;
/// Jobs of a kind make a mixture from this share on.
const MIXED: f64 = 0.05;

const COUNT: Claim = Claim {
    id: "3.01",
    kind: "N",
    claim: "The first two weeks of the log are approximately 3200 jobs.",
    claimed: "3200",
    rule: "jobs submitted in the two weeks from the first submission on, counted by their numbers, since a filtered log keeps the numbers of what it leaves out; within 5 % of 3200 holds, else fails; undecidable without a log.",
};

const MIXTURE: Claim = Claim {
    id: "3.02",
    kind: "D",
    claim: "The log contains a mixture of single and parallel jobs.",
    claimed: "single and parallel jobs",
    rule: "of the jobs that ran, at least 5 % take one compute node and at least 5 % more than one, under the main reading of a compute node; undecidable without a log.",
};

/// The rows.
pub(super) fn rows(workload: &Workload) -> Vec<Judged> {
    let Some(facts) = &workload.facts else {
        return [COUNT, MIXTURE]
            .map(|claim| (claim, no_log(workload)))
            .to_vec();
    };
    let (count, mixture) = (count(facts, workload.len()), mixture(facts, workload));
    vec![(COUNT, count), (MIXTURE, mixture)]
}

fn no_log(workload: &Workload) -> Judgement {
    Judgement {
        verdict: Verdict::Undecidable,
        measured: format!("no log; {} jobs of a model", workload.len()),
        ci95: None,
        note: "Jobs of a model say nothing about the log. ".to_owned(),
    }
}

fn count(facts: &Facts, ran: usize) -> Judgement {
    let numbered = facts.numbered as f64;
    Judgement {
        verdict: Verdict::of((numbered - JOBS).abs() <= ABOUT * JOBS),
        measured: format!("{} submitted, {ran} of them simulated", facts.numbered),
        ci95: None,
        note: "Simulated are those whose run time is above 0; the others, cancelled before they started, have nothing to run. "
            .to_owned(),
    }
}

fn mixture(facts: &Facts, workload: &Workload) -> Judgement {
    let ran = workload.len().max(1) as f64;
    let share = |single: usize| single as f64 / ran;
    let mixed = |single: usize| (MIXED..=1.0 - MIXED).contains(&share(single));
    let reading = |name, single: usize, node| {
        format!(
            "{name}: {:.1} % single, load of 64 CNs {:.2}",
            100.0 * share(single),
            workload.load(node)
        )
    };
    let other = Verdict::of(mixed(facts.one_processor)).name();
    Judgement {
        verdict: Verdict::of(mixed(facts.one_node)),
        measured: [
            reading(MAIN.name, facts.one_node, ComputeNode::Node),
            reading(PROCESSORS.name, facts.one_processor, ComputeNode::Processor),
        ]
        .join("; "),
        ci95: None,
        note: format!(
            "{}: {other}. The header gives {} processors to a node; jobs wider than 64 CNs are cut to them, as the paper does. ",
            PROCESSORS.name, workload.per_node
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{Facts, count, mixture};
    use crate::experiment::{
        rules::Verdict::{Fails, Holds},
        sulistio::workload::Workload,
    };

    #[test]
    fn logs_are_counted_and_sorted() {
        let facts = |numbered, one_node| Facts {
            numbered,
            one_processor: 0,
            one_node,
        };
        assert_eq!(count(&facts(3_271, 0), 2_673).verdict, Holds);
        assert_eq!(count(&facts(2_673, 0), 2_673).verdict, Fails);
        let workload = Workload::synthetic(1).unwrap();
        let half = workload.len() / 2;
        assert_eq!(mixture(&facts(1, half), &workload).verdict, Holds);
        assert_eq!(mixture(&facts(1, 0), &workload).verdict, Fails);
        assert_eq!(mixture(&facts(1, 2 * half), &workload).verdict, Fails);
    }
}
