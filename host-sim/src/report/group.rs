//! Runs that can be compared: those of the same requests on machines of the same size.

use std::collections::BTreeSet;

use super::{
    metrics_file::MetricsFile,
    palette,
    run::Run,
    words::{grouped, plural, short},
};

/// Entries of metrics.json that are equal in all runs of a group.
const CONDITIONS: [&str; 8] = [
    "workload",
    "seed",
    "pes",
    "sites",
    "slots",
    "slot_seconds",
    "requests",
    "best_effort_submitted",
];

/// Runs that differ in how they decide, and in nothing else that the report knows of.
pub(super) struct Group {
    /// At least one, policies in the order used everywhere.
    pub(super) runs: Vec<Run>,
}

/// What the runs of a group have in common.
#[derive(PartialEq)]
struct Conditions {
    entries: [Option<String>; CONDITIONS.len()],
    /// Stands for the requests themselves, where the run says which they were.
    requests: Option<u64>,
}

impl Conditions {
    fn of(run: &Run) -> Self {
        let entry = |name| run.metrics.as_ref()?.text(name);
        Self {
            entries: CONDITIONS.map(entry),
            requests: run.requests.as_ref().map(|requests| requests.fingerprint),
        }
    }
}

/// Puts together what can be compared, groups in the order of their first runs.
pub(super) fn groups(runs: Vec<Run>) -> Vec<Group> {
    let mut groups: Vec<(Conditions, Group)> = Vec::new();
    for run in runs {
        let conditions = Conditions::of(&run);
        match groups.iter_mut().find(|(known, _)| *known == conditions) {
            Some((_, group)) => group.runs.push(run),
            None => groups.push((conditions, Group { runs: vec![run] })),
        }
    }
    let groups = groups.into_iter().map(|(_, group)| group);
    groups.map(Group::in_order).collect()
}

impl Group {
    fn in_order(mut self) -> Self {
        self.runs.sort_by_cached_key(|run| {
            let policy = run.metrics.as_ref().and_then(MetricsFile::strategy_label);
            palette::rank(&policy.unwrap_or_default())
        });
        label(&mut self.runs);
        self
    }

    /// What was asked of which machine.
    pub(super) fn conditions(&self) -> String {
        let metrics = self.runs.first().and_then(|run| run.metrics.as_ref());
        let Some(metrics) = metrics else {
            return "unknown requests".to_owned();
        };
        let count = |name| metrics.count(name);
        let queued = count("best_effort_submitted").map(|jobs| plural(jobs, "best-effort job"));
        let slots = count("slots").zip(metrics.number("slot_seconds"));
        let slots = slots
            .map(|(slots, seconds)| format!("{} slots of {} s", grouped(slots), short(seconds)));
        let words = [
            metrics.text("workload"),
            count("requests").map(|requests| plural(requests, "request")),
            queued,
            count("pes").map(|pes| machine(pes, count("sites"))),
            slots,
            metrics.text("seed").map(|seed| format!("seed {seed}")),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The PEs of one site or of each of several.
fn machine(pes: usize, sites: Option<usize>) -> String {
    let pes = plural(pes, "PE");
    match sites {
        None => pes,
        Some(sites) => format!("{pes} at each of {}", plural(sites, "site")),
    }
}

/// Runs that differ in their policy alone are known by it, others by policy and binding, else by folder.
fn label(runs: &mut [Run]) {
    let by_policy = |run: &Run| run.metrics.as_ref()?.strategy_label();
    let by_both = |run: &Run| {
        let metrics = run.metrics.as_ref()?;
        Some(format!(
            "{}-{}",
            metrics.strategy_label()?,
            metrics.text("binding")?
        ))
    };
    let labels = distinct(runs, by_policy).or_else(|| distinct(runs, by_both));
    for (run, label) in runs.iter_mut().zip(labels.unwrap_or_default()) {
        run.label = label;
    }
    if let Some(run) = runs.iter_mut().find(|run| run.label.is_empty()) {
        run.label = "this run".to_owned();
    }
}

fn distinct(runs: &[Run], name: impl Fn(&Run) -> Option<String>) -> Option<Vec<String>> {
    let names: Vec<String> = runs.iter().map(name).collect::<Option<_>>()?;
    let different: BTreeSet<&String> = names.iter().collect();
    (different.len() == names.len()).then_some(names)
}
