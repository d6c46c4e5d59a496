//! How long jobs of the queue without a deadline wait, by how many PEs they ask for: a mean over all of them hides that it is the wide ones that wait.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::{
    breakdown::size_class,
    run::{Run, number},
    words::{grouped, time},
};
use crate::files::Job;

/// The jobs of each size class.
pub(super) type Widths = BTreeMap<u32, Waits>;

/// The jobs of a class.
#[derive(Clone, Copy, Default)]
pub(super) struct Waits {
    ran: usize,
    never_ran: usize,
    /// Seconds of all that ran.
    sum: f64,
    longest: f64,
}

/// One more row of jobs.csv.
pub(super) fn add(widths: &mut Widths, job: &Job<'_>) {
    if !job.is_best_effort() || job.metadata.window().is_some() {
        return;
    }
    let class = size_class(number(job.requested_number_of_resources));
    let waits = widths.entry(class).or_default();
    match job.ran() {
        None => waits.never_ran += 1,
        Some([start, _]) => {
            let wait = number(start.saturating_sub(job.submission_time));
            waits.ran += 1;
            waits.sum += wait;
            waits.longest = waits.longest.max(wait);
        }
    }
}

/// The widths of a class in words.
fn name(class: u32) -> String {
    match class {
        0 => "1".to_owned(),
        1 => "2".to_owned(),
        _ => format!(
            "{} to {}",
            grouped((1 << (class - 1)) + 1),
            grouped(1 << class)
        ),
    }
}

/// The table of a group's runs; nothing where none of them has such a job.
pub(super) fn markup(runs: &[Run]) -> Option<Markup> {
    let known = runs
        .iter()
        .filter_map(|run| Some((run, &run.jobs.as_ref()?.widths)));
    let known: Vec<(&Run, &Widths)> = known.collect();
    let classes = known.iter().flat_map(|(_, widths)| widths.keys());
    let classes: BTreeSet<u32> = classes.copied().collect();
    if classes.is_empty() {
        return None;
    }
    let several = runs.len() > 1;
    let row = |widths: &Widths, class| {
        let Waits {
            ran,
            never_ran,
            sum,
            longest,
        } = widths.get(&class).copied().unwrap_or_default();
        let waited = |seconds| match ran {
            0 => "–".to_owned(),
            _ => time(seconds),
        };
        [
            grouped(ran),
            grouped(never_ran),
            waited(sum / ran as f64),
            waited(longest),
        ]
    };
    Some(html! {
        h3 { "How long queued jobs wait, by width" }
        p { "Those without a deadline: how long from their submission to their start." }
        div.scroll tabindex="0" role="group" aria-label="How long queued jobs wait, by width" { table.runs {
            thead { tr { th { "PEs" } @if several { th { "run" } } th.number { "ran" } th.number { "never ran" } th.number { "waited (mean)" } th.number { "waited (longest)" } } }
            @for class in classes { tbody {
                @for (at, (run, widths)) in known.iter().enumerate() { tr {
                    @if at == 0 { th scope="rowgroup" rowspan=(known.len()) { (name(class)) } }
                    @if several { td { (run.label) } }
                    @for cell in row(widths, class) { td.number { (cell) } }
                } }
            } }
        } }
    })
}
