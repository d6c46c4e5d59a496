//! How long accepted requests wait: means and percentiles of each run, with the definitions.

use maud::{Markup, html};

use super::{
    run::Run,
    words::{three_decimals, time},
};
use crate::engine::measures::{BOUNDED_SLOWDOWN, JobMeasure, SLOWDOWN, STRETCH, WAITING};

/// A measure and where metrics.json has it.
struct MeasureRow {
    measure: JobMeasure,
    mean: &'static str,
    /// Of `p50`, `p90` and `p99`.
    percentiles: &'static str,
    show: fn(f64) -> String,
}

const ROWS: [MeasureRow; 4] = [
    MeasureRow {
        measure: WAITING,
        mean: "waiting.mean",
        percentiles: "waiting",
        show: time,
    },
    MeasureRow {
        measure: SLOWDOWN,
        mean: "average_slowdown",
        percentiles: "slowdown_percentiles",
        show: three_decimals,
    },
    MeasureRow {
        measure: BOUNDED_SLOWDOWN,
        mean: "bounded_slowdown",
        percentiles: "bounded_slowdown_percentiles",
        show: three_decimals,
    },
    MeasureRow {
        measure: STRETCH,
        mean: "stretch.mean",
        percentiles: "stretch",
        show: three_decimals,
    },
];

const PERCENTILES: [&str; 3] = ["p50", "p90", "p99"];

/// The table of a group's runs; nothing where no run accepted anything, or where all were written before these were measured.
pub(super) fn markup(runs: &[Run]) -> Option<Markup> {
    let number = |run: &Run, entry: &str| run.metrics.as_ref()?.number(entry);
    runs.iter().find_map(|run| number(run, ROWS[0].mean))?;
    let cells = |row: &MeasureRow, run: &Run| {
        let entries = PERCENTILES.map(|percentile| format!("{}.{percentile}", row.percentiles));
        let entries = [row.mean.to_owned()].into_iter().chain(entries);
        let shown = entries.map(|entry| number(run, &entry).map_or("–".to_owned(), row.show));
        shown.collect::<Vec<String>>()
    };
    let several = runs.len() > 1;
    Some(html! {
        h3 { "How long accepted requests wait" }
        div.scroll tabindex="0" role="group" aria-label="Waiting, slowdown and stretch" { table.runs {
            thead { tr { th { "measure" } @if several { th { "run" } } th.number { "mean" } th.number { "median" }
                th.number { "90th percentile" } th.number { "99th percentile" } } }
            @for row in &ROWS { tbody {
                @for (at, run) in runs.iter().enumerate() { tr {
                    @if at == 0 { th scope="rowgroup" rowspan=(runs.len()) { (row.measure.name) } }
                    @if several { td { (run.label) } }
                    @for cell in cells(row, run) { td.number { (cell) } }
                } }
            } }
        } }
    })
}

/// What is in the table.
pub(super) fn definitions() -> Markup {
    html! {
        dl.definitions {
            @for row in &ROWS { div { dt { (row.measure.name) } dd { (row.measure.definition) "." } } }
            div { dt { "percentile" } dd { "the least value that at least so many in a hundred accepted requests do not exceed (nearest rank)." } }
        }
    }
}
