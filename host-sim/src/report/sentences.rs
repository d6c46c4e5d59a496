//! What a folder comes to, in sentences.

use super::{
    claims,
    folder::{Folder, JudgedClaim},
    metrics_file::MetricsFile,
    refusals,
    run::Run,
    words::{self, grouped, percent, plural, three_decimals, time},
};

/// What was reproduced.
pub(super) fn reproduced(folder: &Folder) -> String {
    let mut sentences = Vec::new();
    sentences.extend(folder.claims.as_deref().map(judged));
    if let Some(figures) = &folder.figures {
        sentences.push(format!(
            "{} redrawn from new measurements.",
            plural(figures.len(), "figure")
        ));
    }
    let runs = folder.runs().count();
    if runs > 0 {
        sentences.push(format!(
            "{} shown in detail below.",
            plural(runs, "sample run")
        ));
    }
    sentences.join(" ")
}

/// What became of claims.
pub(super) fn judged(all: &[JudgedClaim]) -> String {
    let [holds, fails, open] = claims::VERDICTS.map(|verdict| grouped(claims::count(all, verdict)));
    format!(
        "{} checked by experiment: {holds} hold, {fails} fail, {open} cannot be decided.",
        plural(all.len(), "claim")
    )
}

/// What the runs of one group decided.
pub(super) fn decided(runs: &[Run]) -> String {
    match runs {
        [run] => of_one(run).unwrap_or_default(),
        _ => of_several(runs),
    }
}

fn of_one(run: &Run) -> Option<String> {
    let metrics = run.metrics.as_ref()?;
    let (requests, beside) = match metrics.count("requests")? {
        0 => (
            "No job asked to reserve PEs in advance.".to_owned(),
            "From the queue",
        ),
        requests => (
            format!(
                "Of {} to reserve PEs in advance, {} were accepted ({}).",
                plural(requests, "request"),
                grouped(metrics.count("accepted")?),
                percent(metrics.number("acceptance_rate")?),
            ),
            "Beside them",
        ),
    };
    let slowdown = metrics.number("average_slowdown").map(|slowdown| {
        format!(
            " From the time it was ready to its end an accepted job took {} times its duration on average.",
            three_decimals(slowdown)
        )
    });
    let broken = match metrics.broken() {
        None | Some(0) => String::new(),
        Some(broken) => format!(
            " {} broken; whose it was counts in the slowdown as if it had been kept.",
            match broken {
                1 => "One promise was".to_owned(),
                _ => format!("{} promises were", grouped(broken)),
            }
        ),
    };
    let used = metrics
        .number("utilization")
        .map(|used| format!(" {} of the PEs' time was used.", percent(used)));
    Some(format!(
        "{requests}{}{broken}{}{}{}{}{}",
        slowdown.unwrap_or_default(),
        refusals::sentence(run).unwrap_or_default(),
        waited(metrics).unwrap_or_default(),
        deadlines(metrics).unwrap_or_default(),
        queued(metrics, beside).unwrap_or_default(),
        used.unwrap_or_default(),
    ))
}

/// What became of requests that waited.
fn waited(metrics: &MetricsFile) -> Option<String> {
    let [late, gave_up] = ["promised_late", "gave_up"].map(|entry| metrics.count(entry));
    let (late, gave_up) = (late?, gave_up?);
    if late + gave_up == 0 {
        return None;
    }
    let told = words::waited(late, gave_up, metrics.number("promise_delay"));
    Some(format!(" Of the requests that found no room, {told}."))
}

fn deadlines(metrics: &MetricsFile) -> Option<String> {
    let [kept, missed] = ["deadlines_kept", "deadlines_missed"].map(|entry| metrics.count(entry));
    let (kept, missed) = (kept?, missed?);
    Some(format!(
        " {} of {} were kept ({}).",
        grouped(kept),
        plural(kept + missed, "deadline"),
        percent(metrics.number("deadlines_kept_rate")?)
    ))
}

fn queued(metrics: &MetricsFile, beside: &str) -> Option<String> {
    let ran = metrics.count("best_effort_started")?;
    let (those, wait) = match metrics.number("undated_waiting_time") {
        Some(wait) => ("of which those without a deadline", wait),
        None => ("which", metrics.number("best_effort_waiting_time")?),
    };
    Some(format!(
        " {beside} ran {}, {those} waited for {} on average.",
        plural(ran, "best-effort job"),
        time(wait)
    ))
}

/// The extremes, without a verdict: one run each does not tell a better policy from luck.
fn of_several(runs: &[Run]) -> String {
    let sentences = [
        extremes(runs, "acceptance_rate", percent)
            .map(|range| format!("They accepted {range} of them.")),
        extremes(runs, "average_slowdown", three_decimals).map(|range| {
            format!(
                "From ready time to end accepted jobs took {range} times their duration on average."
            )
        }),
        extremes(runs, "best_effort_waiting_time", time)
            .map(|range| format!("Best-effort jobs waited for {range} on average.")),
    ];
    let decided = format!(
        "The same requests to reserve PEs in advance were decided in {}.",
        plural(runs.len(), "run")
    );
    let caution = "Each is a single run: whether the differences would last with other requests, only replications with other seeds can \
                   tell.";
    let sentences = sentences.into_iter().flatten();
    let all = [decided]
        .into_iter()
        .chain(sentences)
        .chain([caution.to_owned()]);
    all.collect::<Vec<_>>().join(" ")
}

/// The least and the greatest value of an entry, with the runs that have it.
fn extremes(runs: &[Run], entry: &str, show: fn(f64) -> String) -> Option<String> {
    let values = || {
        runs.iter()
            .filter_map(|run| Some((run.metrics.as_ref()?.number(entry)?, run.label.as_str())))
    };
    let (least, lowest) = values().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let (greatest, highest) = values().max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(match show(least) == show(greatest) {
        true => show(least),
        false => format!(
            "between {} ({lowest}) and {} ({highest})",
            show(least),
            show(greatest)
        ),
    })
}
