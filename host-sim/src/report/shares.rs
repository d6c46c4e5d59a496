//! What principals with quotas got, how far resources beside the machine were used, and which of them refused requests.

use maud::{Markup, html};
use serde_json::Value;

use super::{
    run::Run,
    words::{grouped, percent, three_decimals},
};
use crate::files::PrincipalRow;

/// The entry of metrics.json that is there where more than machines decided.
const REFUSED_BY: &str = "refused_by";

/// The tables of a group's runs; nothing where only machines decided.
pub(super) fn markup(runs: &[Run]) -> Option<Markup> {
    let joined = |run: &&Run| {
        run.metrics
            .as_ref()
            .is_some_and(|metrics| metrics.entry(REFUSED_BY).is_some())
    };
    runs.iter().find(joined)?;
    let several = runs.len() > 1;
    Some(html! {
        h3 { "Quotas and resources" }
        div.scroll tabindex="0" role="group" aria-label="Quotas and resources" { table.runs {
            thead { tr { @if several { th { "run" } } th { "of what" } th { "which" } th.number { "number" } } }
            @for run in runs { @for [what, which, number] in figures(run) { tr {
                @if several { td { (run.label) } }
                td { (what) } td { (which) } td.number { (number) }
            } } }
        } }
        @if runs.iter().any(|run| !run.principals.is_empty()) {
            div.scroll tabindex="0" role="group" aria-label="Principals" { table.runs {
                thead { tr { @if several { th { "run" } } th { "principal" } th { "parent" } th.number { "requests" } th.number { "accepted" }
                    th.number { "PE-seconds asked for" } th.number { "PE-seconds used" } th.number { "share of all used" } } }
                @for run in runs { @for row in &run.principals { (principal(run, row, several)) } }
            } }
            p.note { "A parent has all that those below it have. The share is of all that was used." }
        }
    })
}

/// Shares of resources that were used, refusals, and Jain's index.
fn figures(run: &Run) -> Vec<[String; 3]> {
    let Some(metrics) = &run.metrics else {
        return Vec::new();
    };
    let entries = |name: &str| {
        metrics
            .entry(name)
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
    };
    let used = entries("resource_utilization").map(|(name, used)| (name.clone(), used));
    let used = used.filter_map(|(name, used)| {
        Some(["resource used".to_owned(), name, percent(used.as_f64()?)])
    });
    let refused = entries(REFUSED_BY).map(|(name, count)| (name.clone(), count));
    let refused = refused.filter_map(|(name, count)| {
        let count = usize::try_from(count.as_u64()?).ok()?;
        let name = match name.as_str() {
            "none" => "no single one".to_owned(),
            _ => name,
        };
        Some([
            "refused for want of room or for its size".to_owned(),
            name,
            grouped(count),
        ])
    });
    let index = metrics.number("principal_fairness").map(|index| {
        let what = "fairness among principals without others below them (Jain's index)";
        [
            what.to_owned(),
            "all of them".to_owned(),
            three_decimals(index),
        ]
    });
    used.chain(refused).chain(index).collect()
}

fn principal(run: &Run, row: &PrincipalRow, several: bool) -> Markup {
    let whole = |number: u64| grouped(usize::try_from(number).unwrap_or(usize::MAX));
    html! { tr {
        @if several { td { (run.label) } }
        td { @if row.principal.is_empty() { "nobody in particular" } @else { (row.principal) } } td { (row.parent) }
        td.number { (whole(row.requests)) } td.number { (whole(row.accepted)) }
        td.number { (whole(row.requested_pe_seconds)) } td.number { (whole(row.used_pe_seconds)) }
        td.number { (row.share.map_or("–".to_owned(), |share| percent(share.0))) }
    } }
}
