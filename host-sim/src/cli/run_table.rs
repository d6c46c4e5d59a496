//! The table of runs on the terminal.

use std::io::{self, Write};

use crate::{
    engine::{
        System,
        metrics::{Decided, Metrics},
    },
    output::{self, Timing},
    report::words::{self, grouped},
};

/// A run that is over.
pub(super) struct FinishedRun {
    pub(super) system: System,
    pub(super) metrics: Metrics,
    pub(super) timing: Timing,
}

/// A column of the table, right-aligned.
struct Column {
    name: &'static str,
    /// Whether a run has something to show in it; it is left out where none has.
    has: fn(&FinishedRun) -> bool,
    show: fn(&FinishedRun) -> String,
}

const COLUMNS: [Column; 19] = [
    Column {
        name: "accepted",
        has: |_| true,
        show: |run| percent(run.metrics.acceptance_rate),
    },
    Column {
        name: "lost to rounding",
        has: |run| run.metrics.lost_to_rounding > 0,
        show: |run| grouped(run.metrics.lost_to_rounding),
    },
    Column {
        name: "accepted of the rest",
        has: |run| run.metrics.lost_to_rounding > 0,
        show: |run| percent(run.metrics.acceptance_rate_after_rounding),
    },
    Column {
        name: "deadlines kept",
        has: |run| run.metrics.deadlines.is_some(),
        show: |run| {
            let deadlines = run.metrics.deadlines;
            percent(deadlines.and_then(|deadlines| deadlines.deadlines_kept_rate))
        },
    },
    // Where it is told which deadlines were kept, the queue has jobs with and without one in some runs, and without one in others.
    Column {
        name: "queued for",
        has: |run| run.system.best_effort.is_some() && run.metrics.deadlines.is_none(),
        show: |run| or_dash(run.metrics.best_effort.waiting_time, words::time),
    },
    Column {
        name: "others queued for",
        has: |run| run.system.best_effort.is_some() && run.metrics.deadlines.is_some(),
        show: |run| {
            let deadlines = run.metrics.deadlines;
            or_dash(
                deadlines.and_then(|told| told.undated_waiting_time),
                words::time,
            )
        },
    },
    // The times above say nothing of these, and others had their room.
    Column {
        name: "never ran",
        has: |run| run.metrics.best_effort.impossible().next().is_some(),
        show: |run| {
            let impossible = run.metrics.best_effort.impossible();
            grouped(impossible.map(|(_, count)| count).sum())
        },
    },
    Column {
        name: "by work",
        has: |_| true,
        show: |run| percent(run.metrics.accepted_work_rate),
    },
    Column {
        name: "slowdown",
        has: |_| true,
        show: |run| or_dash(run.metrics.slowdown.mean, |mean| format!("{mean:.3}")),
    },
    Column {
        name: "utilisation",
        has: |_| true,
        show: |run| percent(run.metrics.utilization),
    },
    Column {
        name: "stranded",
        has: |run| run.metrics.fragments.is_some(),
        show: |run| {
            let fragments = run.metrics.fragments.unwrap_or_default();
            percent(fragments.fragmentation)
        },
    },
    Column {
        name: "blocks/job",
        has: |run| {
            let fragments = run.metrics.fragments.unwrap_or_default();
            fragments.blocks_per_job.is_some()
        },
        show: |run| {
            let fragments = run.metrics.fragments.unwrap_or_default();
            or_dash(fragments.blocks_per_job, |blocks| format!("{blocks:.2}"))
        },
    },
    Column {
        name: "made room",
        has: |run| run.system.relocates(),
        show: |run| grouped(run.metrics.relocated_for),
    },
    Column {
        name: "operations done",
        has: |run| !run.metrics.operations.is_empty(),
        show: |run| grouped(operations(run).map(|decided| decided.accepted).sum()),
    },
    Column {
        name: "operations refused",
        has: |run| !run.metrics.operations.is_empty(),
        show: |run| grouped(operations(run).map(|decided| decided.refused).sum()),
    },
    Column {
        name: "decisions/s",
        has: |_| true,
        show: |run| format!("{:.0}", run.timing.decisions_per_second),
    },
    Column {
        name: "promises broken",
        has: |run| run.metrics.outages.is_some() || run.system.strategy.overlay().is_some(),
        show: |run| {
            let outages = run.metrics.outages;
            let broken = outages.map_or(0, |there| there.promises_broken);
            grouped(broken + run.metrics.overlays.violations())
        },
    },
    Column {
        name: "placed again",
        has: |run| run.metrics.outages.is_some(),
        show: |run| {
            or_dash(run.metrics.outages, |there| {
                grouped(there.outage_replacements.unwrap_or(there.promises_moved))
            })
        },
    },
    Column {
        name: "revenue",
        has: |run| System::has_prices(&run.system),
        show: |run| {
            let both = [run.metrics.revenue, run.metrics.best_effort.revenue];
            format!("{:.2}", both.map(output::units).iter().sum::<f64>())
        },
    },
];

/// Numbers are at least this wide, so that the columns of tables in a row stand below each other.
const WIDTH: usize = 8;

/// Writes a line for each run under a line of names, and which operations were refused.
pub(super) fn print(done: &[FinishedRun], out: &mut dyn Write) -> io::Result<()> {
    let there = |column: &&Column| done.iter().any(column.has);
    let columns: Vec<&Column> = COLUMNS.iter().filter(there).collect();
    let prefers = done.iter().any(|run| run.system.placing.is_some());
    write!(out, "{:21}  {:12}", "policy or strategy", "binding")?;
    if prefers {
        write!(out, "  {:16}", "preference")?;
    }
    for column in &columns {
        write!(out, "  {:>1$}", column.name, column.width(done))?;
    }
    writeln!(out)?;
    for run in done {
        let (strategy, binding) = (run.system.strategy.label(), run.system.binding.name());
        write!(out, "{strategy:21}  {binding:12}")?;
        if let Some(placing) = &run.system.placing {
            write!(out, "  {:16}", placing.prefer.to_string())?;
        }
        for column in &columns {
            write!(out, "  {:>1$}", (column.show)(run), column.width(done))?;
        }
        writeln!(out)?;
    }
    print_refused(done, out)?;
    print_waited(done, out)
}

/// Writes a line for each run that refused operations, with their reasons.
fn print_refused(done: &[FinishedRun], out: &mut dyn Write) -> io::Result<()> {
    for run in done {
        let refusals = run.metrics.operation_refusals.iter();
        let refusals = refusals
            .map(|((name, reason), count)| format!("{} {name} as {reason}", grouped(*count)));
        let refusals: Vec<String> = refusals.collect();
        if !refusals.is_empty() {
            let (strategy, binding) = (run.system.strategy.label(), run.system.binding.name());
            let refusals = refusals.join(", ");
            writeln!(
                out,
                "operations refused ({strategy}, {binding}): {refusals}"
            )?;
        }
    }
    Ok(())
}

/// Writes a line for each run in which requests waited: what became of them.
fn print_waited(done: &[FinishedRun], out: &mut dyn Write) -> io::Result<()> {
    for run in done {
        let Some(late) = run.metrics.late.filter(|late| late.waited() > 0) else {
            continue;
        };
        let (strategy, binding) = (run.system.strategy.label(), run.system.binding.name());
        let told = words::waited(late.promised_late, late.gave_up, late.promise_delay);
        writeln!(out, "waiting ({strategy}, {binding}): {told}")?;
    }
    Ok(())
}

fn operations(run: &FinishedRun) -> impl Iterator<Item = &Decided> {
    run.metrics.operations.values()
}

impl Column {
    fn width(&self, done: &[FinishedRun]) -> usize {
        let cells = done.iter().map(|run| (self.show)(run).chars().count());
        cells.fold(WIDTH.max(self.name.len()), usize::max)
    }
}

fn percent(rate: Option<f64>) -> String {
    or_dash(rate, |rate| format!("{:.1} %", 100.0 * rate))
}

/// A rate or a mean over nothing is a dash.
fn or_dash<T>(number: Option<T>, show: impl Fn(T) -> String) -> String {
    number.map_or("–".to_owned(), show)
}
