//! Outages and rules: where processing elements were away, in a chart and in a table.

use maud::{Markup, html};

use super::{
    excerpt::Excerpt,
    run::{Run, number},
    words::{grouped, short},
};
use crate::{files::OutageRow, rule::Absent};

/// The style class of what is away, and what it means.
pub(super) const LOOK: (&str, &str) = ("away", "away: a failure, maintenance or a rule");

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

/// What is drawn: what a pointer is told, from when to when that is away inside the excerpt, and where.
pub(super) fn drawn<'a>(
    run: &'a Run,
    parts: &'a [(&'a OutageRow, Vec<(u32, u32)>)],
    excerpt: &Excerpt,
) -> impl Iterator<Item = (String, [f64; 2], (u32, u32))> {
    let inside = [excerpt.from, excerpt.to];
    let outages = parts.iter().filter_map(|(row, places)| {
        let words = tooltip(row);
        Some((words, row.effect()?, places.as_slice()))
    });
    let slot = run.metrics.as_ref();
    let slot = slot.and_then(|metrics| metrics.count("slot_seconds"));
    let slot = slot.unwrap_or(1).max(1) as u64;
    let rules = run.rules.iter().flat_map(move |rule| {
        // Which ones a number leaves out, nobody knows.
        let places: &[_] = match &rule.pes {
            Absent::These(pes) => &pes.0,
            Absent::Number(_) => &[],
        };
        let times = rule.times(inside.map(|time| time as u64), slot).take(MOST);
        times.map(move |times| (format!("rule {rule}"), times, places))
    });
    let parts = outages
        .chain(rules)
        .filter_map(move |(words, times, places)| {
            let times = times.map(|time| number(time).clamp(inside[0], inside[1]));
            let place = move |place: &(u32, u32)| (words.clone(), times, *place);
            (times[0] < times[1]).then(|| places.iter().map(place))
        });
    parts.flatten().take(MOST)
}

/// What a pointer at a part of an outage is told.
fn tooltip(row: &OutageRow) -> String {
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

/// What is not there again and again.
pub(super) fn rules(run: &Run) -> Markup {
    html! {
        p.note { "Rules leave out PEs:" }
        ul { @for rule in &run.rules { li { (rule) } } }
    }
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
