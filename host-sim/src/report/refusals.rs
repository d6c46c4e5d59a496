//! Why requests and operations were refused, in each run of a group.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::{
    run::Run,
    words::{grouped, plural},
};

/// How often something was refused, a count for each run, by what it was and why.
type Refusals<'a, const N: usize> = BTreeMap<[&'a str; N], Vec<usize>>;

/// The reasons for which requests to reserve were refused.
pub(super) fn of_requests(runs: &[Run]) -> Markup {
    let refusals = count(runs, |run| {
        let refused = run.requests.iter().flat_map(|requests| &requests.refusals);
        refused.map(|(reason, count)| ([reason.as_str()], *count))
    });
    table("Why requests were refused", ["reason"], &refusals, runs)
}

/// The same of operations on reservations; nothing where there are none.
pub(super) fn of_operations(runs: &[Run]) -> Markup {
    if !runs.iter().any(has_operations) {
        return html! {};
    }
    let refusals = count(runs, |run| {
        let rows = run.operations.iter().flatten();
        let refused = rows.filter(|row| !row.is_accepted());
        refused.map(|row| ([row.op.as_ref(), row.reason.as_ref()], 1))
    });
    let columns = ["operation", "reason"];
    table("Why operations were refused", columns, &refusals, runs)
}

/// How many operations of a run were done, in a sentence.
pub(super) fn sentence(run: &Run) -> Option<String> {
    let operations = run.operations.as_ref().filter(|_| has_operations(run))?;
    let done = operations.iter().filter(|row| row.is_accepted()).count();
    Some(format!(
        " Of {} on reservations, {} were done and {} refused.",
        plural(operations.len(), "operation"),
        grouped(done),
        grouped(operations.len() - done),
    ))
}

fn has_operations(run: &Run) -> bool {
    run.operations.iter().flatten().next().is_some()
}

fn count<'a, const N: usize, Refused: Iterator<Item = ([&'a str; N], usize)>>(
    runs: &'a [Run],
    refused: impl Fn(&'a Run) -> Refused,
) -> Refusals<'a, N> {
    let mut refusals = Refusals::new();
    for (at, run) in runs.iter().enumerate() {
        for (names, count) in refused(run) {
            let counts = refusals.entry(names).or_insert_with(|| vec![0; runs.len()]);
            counts[at] += count;
        }
    }
    refusals
}

fn table<const N: usize>(
    heading: &str,
    columns: [&str; N],
    refusals: &Refusals<'_, N>,
    runs: &[Run],
) -> Markup {
    let most = refusals.values().flatten().copied().max().unwrap_or(0);
    html! {
        div.reasons {
            h3 { (heading) }
            @if refusals.is_empty() { p { "None was refused." } }
            @else {
                div.scroll tabindex="0" role="group" aria-label="Reasons of refusals" { table.runs {
                    thead { tr {
                        @for column in columns { th { (column) } }
                        @for run in runs { th.number { (run.label) } }
                    } }
                    tbody { @for (names, counts) in refusals { tr {
                        @for (at, name) in names.iter().enumerate() { (named(at, name)) }
                        @for count in counts { (cell(*count, most)) }
                    } } }
                } }
            }
        }
    }
}

fn named(at: usize, name: &str) -> Markup {
    let name = if name.is_empty() { "not stated" } else { name };
    match at {
        0 => html! { th scope="row" { (name) } },
        _ => html! { td { (name) } },
    }
}

fn cell(count: usize, most: usize) -> Markup {
    html! {
        td.number {
            (grouped(count))
            span.track { span.bar style=(format!("width:{:.1}%", 100.0 * count as f64 / most.max(1) as f64)) {} }
        }
    }
}
