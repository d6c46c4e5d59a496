//! Outages: where processing elements were away, in a chart and in a table.

use maud::{Markup, html};

use super::{
    excerpt::Excerpt,
    run::{Run, number},
    words::{grouped, short},
};
use crate::files::OutageRow;

/// The style class of what is away, and what it means.
pub(super) const LOOK: (&str, &str) = ("away", "away: a failure or maintenance");

/// Outages drawn and listed at most.
const MOST: usize = 200;

/// The parts of outages of an excerpt, each with the rows of the chart in which its processing elements are drawn; in order of announcement.
pub(super) fn parts<'a>(run: &'a Run, excerpt: &Excerpt) -> Vec<(&'a OutageRow, Vec<(u32, u32)>)> {
    let known = run.outages.iter().flatten();
    let meets = |row: &&OutageRow| {
        let [start, end] = row.effect().unwrap_or([row.start, row.end]).map(number);
        start < excerpt.to && excerpt.from < end.max(start + 1.0)
    };
    let parts = known.filter(meets).map(|row| {
        let rows = match &run.layout {
            Some(layout) => layout.group_by_group(&row.pes).0,
            None => row.pes.0.clone(),
        };
        (row, rows)
    });
    parts.collect()
}

/// Those that are drawn: from when to when they are away inside the excerpt, and where.
pub(super) fn drawn<'a>(
    parts: &'a [(&'a OutageRow, Vec<(u32, u32)>)],
    excerpt: &Excerpt,
) -> impl Iterator<Item = (&'a OutageRow, [f64; 2], (u32, u32))> {
    let inside = [excerpt.from, excerpt.to];
    let parts = parts.iter().filter_map(move |(row, places)| {
        let times = row
            .effect()?
            .map(|time| number(time).clamp(inside[0], inside[1]));
        (times[0] < times[1]).then_some(places.iter().map(move |place| (*row, times, *place)))
    });
    parts.flatten().take(MOST)
}

/// What a pointer at a part is told.
pub(super) fn tooltip(row: &OutageRow) -> String {
    let [start, end] = row
        .effect()
        .unwrap_or_default()
        .map(|time| short(number(time)));
    let OutageRow {
        id,
        kind,
        pes,
        broken,
        moved,
        late,
        ..
    } = row;
    format!(
        "outage {id}, {kind}: PEs {pes}, away from {start} to {end}\nknown at {}\npromises broken {broken}, moved {moved}, of these late {late}",
        short(number(row.announced))
    )
}

/// What left and came back, and what that did to promises.
pub(super) fn table(parts: &[(&OutageRow, Vec<(u32, u32)>)]) -> Markup {
    let times = |[start, end]: [u64; 2]| format!("{}–{}", short(number(start)), short(number(end)));
    let heads = [
        "outage", "kind", "known at", "wanted", "PEs", "away", "broken", "moved", "late",
    ];
    html! {
        details {
            summary { "Outages of this excerpt, and what they did to promises" }
            div.scroll tabindex="0" role="group" aria-label="Outages" { table.runs {
                thead { tr { @for name in heads { th { (name) } } } }
                tbody { @for (row, _) in parts.iter().take(MOST) { tr {
                    td { (row.id) }
                    td { (row.kind) }
                    td { (short(number(row.announced))) }
                    td { (times([row.start, row.end])) }
                    td { @if row.pes.is_empty() { "none" } @else { (row.pes) } }
                    td { (row.effect().map_or("–".to_owned(), times)) }
                    @for count in [row.broken, row.moved, row.late] { td { (grouped(count as usize)) } }
                } } }
            } }
            @if parts.len() > MOST { p.note { "The first " (MOST) " of " (grouped(parts.len())) " rows." } }
        }
    }
}
