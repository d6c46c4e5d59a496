//! The runs beside each other: table and bars.

use maud::{Markup, html};
use serde_json::Value;

use super::{
    bars::{self, Bar},
    metrics_file::MetricsFile,
    palette::looks,
    run::Run,
    words::{grouped, money, percent, plural, three_decimals, time},
};
use crate::{engine::REMOVED_LATE, error::Result};

/// A column of numbers.
struct Column {
    name: &'static str,
    entry: &'static str,
    show: fn(f64) -> String,
    /// Value at which the small bars begin.
    from: f64,
    /// Value at which they are full; the greatest of the column where there is no natural one.
    to: Option<f64>,
}

const ACCEPTED: Column = Column {
    name: "accepted",
    entry: "acceptance_rate",
    show: percent,
    from: 0.0,
    to: Some(1.0),
};

/// Of runs that lost requests to rounding.
const ACCEPTED_OF_THE_REST: Column = Column {
    name: "accepted of the rest",
    entry: "acceptance_rate_after_rounding",
    ..ACCEPTED
};

/// More requests may be accepted by taking small jobs for wide ones.
const BY_WORK: Column = Column {
    name: "by work",
    entry: "accepted_work_rate",
    ..ACCEPTED
};

/// Of jobs with a deadline, whether they reserve or are queued.
const KEPT: Column = Column {
    name: "deadlines kept",
    entry: "deadlines_kept_rate",
    ..ACCEPTED
};

const SLOWDOWN: Column = Column {
    name: "average slowdown",
    entry: "average_slowdown",
    show: three_decimals,
    // A slowdown of 1 is no waiting at all: only what is above it is worth a bar.
    from: 1.0,
    to: None,
};

const USED: Column = Column {
    name: "utilisation",
    entry: "utilization",
    ..ACCEPTED
};

/// Of runs in which jobs used less than was booked.
const BOOKED: Column = Column {
    name: "booked utilisation",
    entry: "booked_utilization",
    ..ACCEPTED
};

const BEST_EFFORT_WAIT: Column = Column {
    name: "best-effort wait",
    entry: "best_effort_waiting_time",
    show: time,
    from: 0.0,
    to: None,
};

/// In its place where it is told which deadlines were kept: the queue has jobs with a deadline in some runs and without in others.
const OTHERS_WAIT: Column = Column {
    name: "others queued for",
    entry: "undated_waiting_time",
    ..BEST_EFFORT_WAIT
};

const REVENUE: Column = Column {
    name: "revenue of reservations",
    entry: "revenue_reservations",
    show: money,
    ..BEST_EFFORT_WAIT
};

/// Columns of what only some systems have, beside deadlines and how long jobs of the queue wait.
const EXTRAS: [Column; 5] = [
    Column {
        name: "fairness among users",
        entry: "fairness",
        show: three_decimals,
        ..ACCEPTED
    },
    REVENUE,
    Column {
        name: "revenue of best effort",
        entry: "revenue_best_effort",
        ..REVENUE
    },
    Column {
        name: "free PEs out of reach",
        entry: "fragmentation",
        ..ACCEPTED
    },
    Column {
        name: "blocks per job",
        entry: "blocks_per_job",
        show: three_decimals,
        ..BEST_EFFORT_WAIT
    },
];

/// By outages, by overruns, and to what lies on top of others.
const BROKEN: Column = Column {
    name: "promises broken",
    entry: "promises_broken",
    show: |count| grouped(count as usize),
    ..BEST_EFFORT_WAIT
};

/// Counts of what only some systems have.
const COUNTS: [(&str, &str); 4] = [
    ("promised_late", "promised late"),
    ("gave_up", "gave up"),
    ("reduced", "reduced"),
    ("best_effort_started", "best-effort jobs"),
];

/// How many requests were lost to rounding: as many in all runs that are compared, so that a bar would say nothing.
const LOST_TO_ROUNDING: &str = "lost_to_rounding";

/// All columns that any of the runs has.
fn columns(runs: &[Run]) -> impl Iterator<Item = &'static Column> {
    let there = |column: &&Column| column.values(runs).next().is_some();
    let rest = loses_to_rounding(runs).then_some(&ACCEPTED_OF_THE_REST);
    // What whoever has a queue compares stands where no table is too wide for it.
    let of_queues = [&KEPT, wait(runs)].into_iter().filter(there);
    let of_requests = [&ACCEPTED]
        .into_iter()
        .chain(rest)
        .chain(of_queues)
        .chain([&BY_WORK, &SLOWDOWN]);
    let differ = |run: &Run| number(run, USED.entry) != number(run, BOOKED.entry);
    let booked = runs.iter().any(differ).then_some(&BOOKED);
    let of_machines = [&USED].into_iter().chain(booked);
    let breaks = runs.iter().filter_map(|run| run.metrics.as_ref());
    let breaks =
        breaks.flat_map(|metrics| [BROKEN.entry, "overlays"].map(|name| metrics.entry(name)));
    let broken = breaks.flatten().next().map(|_| &BROKEN);
    of_requests
        .chain(of_machines)
        .chain(EXTRAS.iter().filter(there))
        .chain(broken)
}

/// Whether more than the machine was booked without overlays, whose purpose that is.
pub(super) fn books_again(runs: &[Run]) -> bool {
    let more = runs
        .iter()
        .filter(|run| number(run, BOOKED.entry) > Some(1.0));
    let mut strategies = more.filter_map(|run| run.metrics.as_ref()?.text("strategy"));
    strategies.any(|strategy| strategy != "overlay")
}

/// How long jobs of the queue wait.
fn wait(runs: &[Run]) -> &'static Column {
    match OTHERS_WAIT.values(runs).next() {
        Some(_) => &OTHERS_WAIT,
        None => &BEST_EFFORT_WAIT,
    }
}

fn loses_to_rounding(runs: &[Run]) -> bool {
    runs.iter()
        .any(|run| number(run, LOST_TO_ROUNDING) > Some(0.0))
}

fn number(run: &Run, entry: &str) -> Option<f64> {
    let metrics = run.metrics.as_ref()?;
    match entry == BROKEN.entry {
        true => metrics.broken().map(|count| count as f64),
        false => metrics.number(entry),
    }
}

impl Column {
    fn values<'a>(&self, runs: &'a [Run]) -> impl Iterator<Item = f64> + use<'a> {
        let entry = self.entry;
        runs.iter().filter_map(move |run| number(run, entry))
    }

    fn full(&self, runs: &[Run]) -> f64 {
        let greatest = self.values(runs).fold(self.from, f64::max);
        self.to.unwrap_or(greatest).max(self.from + 1e-9)
    }

    fn cell(&self, runs: &[Run], run: &Run) -> Markup {
        let Some(value) = number(run, self.entry) else {
            return html! { td.number { "–" } };
        };
        let share = ((value - self.from) / (self.full(runs) - self.from)).clamp(0.0, 1.0);
        html! {
            td.number {
                ((self.show)(value))
                @if runs.len() > 1 { span.track { span.bar style=(format!("width:{:.1}%", 100.0 * share)) {} } }
            }
        }
    }
}

/// The run that accepts most, the first of several; nothing when no run says.
pub(super) fn most_accepting(runs: &[Run]) -> Option<&Run> {
    let most = ACCEPTED.values(runs).max_by(f64::total_cmp)?;
    runs.iter()
        .find(|run| number(run, ACCEPTED.entry) == Some(most))
}

/// How many jobs of the queue never ran, since the machine or its horizon can never hold them; the times of the others say nothing of these.
fn never_ran(run: &Run) -> usize {
    let entry = run
        .metrics
        .as_ref()
        .and_then(|metrics| metrics.entry("best_effort_refusals"));
    let reasons = entry.and_then(Value::as_object).into_iter().flatten();
    let never = reasons.filter(|(reason, _)| *reason != REMOVED_LATE);
    let never: u64 = never.filter_map(|(_, count)| count.as_u64()).sum();
    never as usize
}

/// The table of runs.
pub(super) fn table(runs: &[Run]) -> Markup {
    let moving = runs.iter().any(|run| run.moves.is_some());
    let rounding = loses_to_rounding(runs);
    let never = runs.iter().any(|run| never_ran(run) > 0);
    let counted = |entry| runs.iter().any(|run| number(run, entry).is_some());
    let counts: Vec<_> = COUNTS
        .into_iter()
        .filter(|(entry, _)| counted(entry))
        .collect();
    html! {
        div.scroll tabindex="0" role="group" aria-label="Comparison of runs" { table.runs {
            thead { tr {
                th { "policy, binding" @if counted("best_effort_started") { ", queue" } }
                th.number { "requests" }
                @if rounding { th.number { "lost to rounding" } }
                @for column in columns(runs) { th.number { (column.name) } }
                @for (_, words) in &counts { th.number { (words) } }
                @if never { th.number { "never ran" } }
                @if moving { th.number { "moved" } }
            } }
            tbody { @for run in runs { tr {
                (name(run))
                td.number { (count(run, "requests")) }
                @if rounding { td.number { (count(run, LOST_TO_ROUNDING)) } }
                @for column in columns(runs) { (column.cell(runs, run)) }
                @for (entry, _) in &counts { td.number { (count(run, entry)) } }
                @if never { td.number { (grouped(never_ran(run))) } }
                @if moving { td.number { (moved(run)) } }
            } } }
        } }
    }
}

fn name(run: &Run) -> Markup {
    let text = |name: &str| run.metrics.as_ref().and_then(|metrics| metrics.text(name));
    let label = run.metrics.as_ref().and_then(MetricsFile::strategy_label);
    html! {
        th scope="row" title=(run.folder) {
            (label.unwrap_or_else(|| run.label.clone()))
            @if let Some(binding) = text("binding") {
                div.soft { (binding) @if let Some(prefer) = text("prefer") { ", " (prefer) } @if let Some(queue) = text("best_effort") { ", " (queue) } }
            }
        }
    }
}

fn count(run: &Run, entry: &str) -> String {
    number(run, entry).map_or("–".to_owned(), |n| grouped(n as usize))
}

fn moved(run: &Run) -> String {
    let Some(moves) = &run.moves else {
        return "–".to_owned();
    };
    format!(
        "{} ({})",
        grouped(moves.reservations),
        plural(moves.made.len(), "move")
    )
}

/// Bars of acceptance and of slowdown.
pub(super) fn plots(runs: &[Run]) -> Result<Markup> {
    let acceptance = plot(runs, "Accepted requests", &ACCEPTED)?;
    let rest = match loses_to_rounding(runs) {
        true => plot(
            runs,
            "Accepted of the requests not lost to rounding",
            &ACCEPTED_OF_THE_REST,
        )?,
        false => html! {},
    };
    let slowdown = plot(runs, "Average slowdown, above 1 (no waiting)", &SLOWDOWN)?;
    let wait = match wait(runs) {
        others if others.entry == OTHERS_WAIT.entry => {
            plot(runs, "Mean wait of jobs without a deadline", others)?
        }
        all => plot(runs, "Mean wait of best-effort jobs", all)?,
    };
    let revenue = plot(runs, "Revenue of reservations", &REVENUE)?;
    Ok(html! { div.figures { (acceptance) (rest) (slowdown) (wait) (revenue) } })
}

fn plot(runs: &[Run], title: &str, column: &Column) -> Result<Markup> {
    let looks = looks(runs.iter().map(|run| run.label.as_str()));
    let bars: Vec<Bar> = runs
        .iter()
        .zip(looks)
        .filter_map(|(run, look)| {
            let value = number(run, column.entry)?;
            Some(Bar {
                name: run.label.clone(),
                value,
                words: (column.show)(value),
                look,
            })
        })
        .collect();
    if bars.is_empty() {
        return Ok(html! {});
    }
    let plot = bars::markup(title, &bars, column.from, column.full(runs))?;
    Ok(html! { figure { figcaption { (title) } (plot) } })
}
