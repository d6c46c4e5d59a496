//! The page: which sections there are and in which order.

use std::collections::BTreeSet;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{
    breakdown, claims, compare, gantt, lines,
    load::{Folder, Run},
    metrics::Metrics,
    palette, stretch,
    words::{grouped, percent, plural, time},
};
use crate::error::Result;

/// Runs drawn together in one plot; more lines than looks could not be told apart.
const TOGETHER: usize = 14;

/// Schedules drawn; each may have hundreds of rectangles.
const SCHEDULES: usize = 8;

/// The whole page.
pub(super) fn markup(folder: &Folder) -> Result<String> {
    let title = title(folder);
    let runs = &folder.runs;
    let drawn = &runs[..runs.len().min(TOGETHER)];
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " - bookahead" }
                style { (PreEscaped(include_str!("style.css"))) (PreEscaped(palette::css())) }
            }
            body { main {
                h1 { (title) }
                (summary(folder))
                (missing(&folder.missing))
                (figures(folder)?)
                @if let Some(claims) = &folder.claims { (claims::section(claims)) }
                (comparison(folder, drawn)?)
                (acceptance(runs, drawn)?)
                (schedules(runs)?)
                (entries(folder))
            } }
        }
    };
    Ok(page.into_string())
}

/// A setting of the whole folder, or else of its runs; all values where the runs differ.
fn setting(folder: &Folder, name: &str) -> Option<String> {
    let of_whole = folder.settings.as_ref().and_then(|m| m.text(name));
    if of_whole.is_some() {
        return of_whole;
    }
    let of_runs = folder.runs.iter().filter_map(|run| run.metrics.as_ref());
    let values: BTreeSet<String> = of_runs.filter_map(|m| m.text(name)).collect();
    (!values.is_empty()).then(|| values.into_iter().collect::<Vec<_>>().join(", "))
}

fn title(folder: &Folder) -> String {
    let on = setting(folder, "workload").map_or(String::new(), |name| format!(" on {name}"));
    if folder.is_reproduction() {
        let claims = folder.claims.iter().flatten();
        let papers: BTreeSet<&str> = claims.map(|claim| claim.paper.as_str()).collect();
        let papers: Vec<&str> = papers.into_iter().collect();
        return match papers.is_empty() {
            true => "Reproduction of published results".to_owned(),
            false => format!("Reproduction of {}", papers.join(", ")),
        };
    }
    match folder.runs.as_slice() {
        [run] => format!("{}{on}", run.label),
        runs => format!("{}{on}", plural(runs.len(), "run")),
    }
}

fn summary(folder: &Folder) -> Markup {
    html! {
        p.lead {
            @if folder.is_reproduction() { (reproduced(folder)) }
            @else { (decided(&folder.runs)) }
        }
        dl.settings {
            @for (name, words) in [
                ("workload", "workload"), ("pes", "PEs"), ("slots", "slots"), ("slot_seconds", "seconds per slot"),
                ("best_effort", "best-effort queue"), ("price_per_pe_minute", "price of a PE for a minute"),
                ("price_per_reserved_pe_slot", "price of a PE for a reserved slot"), ("seed", "seed"), ("version", "bookahead"),
            ] {
                @if let Some(value) = setting(folder, name) { div { dt { (words) } dd { (value) } } }
            }
        }
    }
}

fn reproduced(folder: &Folder) -> String {
    let mut sentences = Vec::new();
    if let Some(all) = &folder.claims {
        let [holds, fails, open] =
            ["holds", "fails", "undecidable"].map(|verdict| grouped(claims::count(all, verdict)));
        sentences.push(format!(
            "{} checked by experiment: {holds} hold, {fails} fail, {open} cannot be decided.",
            plural(all.len(), "claim")
        ));
    }
    if let Some(figures) = &folder.figures {
        sentences.push(format!(
            "{} redrawn from new measurements.",
            plural(figures.len(), "figure")
        ));
    }
    if !folder.runs.is_empty() {
        sentences.push(format!(
            "{} shown in detail below.",
            plural(folder.runs.len(), "sample run")
        ));
    }
    sentences.join(" ")
}

fn decided(runs: &[Run]) -> Markup {
    match runs {
        [run] => {
            html! { @if let Some(words) = run.metrics.as_ref().and_then(of_one_run) { (words) } }
        }
        _ => {
            html! {
                "The same kind of requests to reserve PEs in advance was decided in " (plural(runs.len(), "run")) ". " (best(runs))
                (shortest_wait(runs))
            }
        }
    }
}

fn of_one_run(metrics: &Metrics) -> Option<String> {
    let count = |name: &str| metrics.number(name).map(|n| n as usize);
    let slowdown = metrics.number("average_slowdown").map(|slowdown| {
        format!(
            " From the time it was ready to its end an accepted job took {slowdown:.3} times its duration on average."
        )
    });
    let used = metrics
        .number("utilization")
        .map(|used| format!(" {} of the PEs' time was used.", percent(used)));
    Some(format!(
        "Of {} to reserve PEs in advance, {} were accepted ({}).{}{}{}",
        plural(count("requests")?, "request"),
        grouped(count("accepted")?),
        percent(metrics.number("acceptance_rate")?),
        slowdown.unwrap_or_default(),
        queued(metrics).unwrap_or_default(),
        used.unwrap_or_default(),
    ))
}

fn queued(metrics: &Metrics) -> Option<String> {
    let ran = metrics.number("best_effort_started")? as usize;
    let wait = metrics.number("best_effort_waiting_time")?;
    Some(format!(
        " Beside them ran {}, which waited for {} on average.",
        plural(ran, "best-effort job"),
        time(wait)
    ))
}

/// Which run served the queue best.
fn shortest_wait(runs: &[Run]) -> Markup {
    let wait = |run: &Run| {
        let metrics = run.metrics.as_ref()?;
        metrics.number("best_effort_waiting_time")
    };
    let waits = runs.iter().filter_map(|run| Some((run, wait(run)?)));
    let least = waits.min_by(|a, b| a.1.total_cmp(&b.1));
    html! {
        @if let Some((run, wait)) = least {
            " Best-effort jobs waited least beside " strong { (run.label) } ", " (time(wait)) " on average."
        }
    }
}

fn best(runs: &[Run]) -> Markup {
    let number = |run: &Run, name: &str| run.metrics.as_ref().and_then(|m| m.number(name));
    let most =
        compare::most_accepting(runs).and_then(|run| Some((run, number(run, "acceptance_rate")?)));
    let least =
        compare::least_slowed(runs).and_then(|run| Some((run, number(run, "average_slowdown")?)));
    html! {
        @if let Some((run, rate)) = most {
            strong { (run.label) } " accepted most, " (percent(rate)) " of the requests. "
        }
        @if let Some((run, slowdown)) = least {
            strong { (run.label) } " made accepted jobs wait least: from ready time to end they took "
            (format!("{slowdown:.3}")) " times their duration on average."
        }
    }
}

fn missing(files: &[String]) -> Markup {
    html! {
        @if !files.is_empty() {
            p.missing { "Not in the folder, so not in this report: " (files.join(", ")) "." }
        }
    }
}

fn figures(folder: &Folder) -> Result<Markup> {
    let mut drawn = Vec::new();
    for figure in folder.figures.iter().flatten() {
        drawn.push(lines::markup(figure)?);
    }
    Ok(html! {
        @if !drawn.is_empty() {
            section id="figures" {
                h2 { "Figures" }
                p { "Points are means, shaded areas their 95 % confidence intervals." }
                div.figures { @for figure in &drawn { (figure) } }
            }
        }
    })
}

fn comparison(folder: &Folder, drawn: &[Run]) -> Result<Markup> {
    let runs = &folder.runs;
    if runs.iter().all(|run| run.metrics.is_none()) {
        return Ok(html! {});
    }
    let plots = if runs.len() > 1 {
        compare::plots(drawn)?
    } else {
        html! {}
    };
    Ok(html! {
        section id="runs" {
            h2 { @if runs.len() > 1 { "Runs compared" } @else if folder.is_reproduction() { "Sample run: " (runs[0].label) }
                @else { "The run" } }
            (compare::table(runs))
            @if runs.len() > drawn.len() {
                p.note { "The plots show the first " (drawn.len()) " of " (grouped(runs.len())) " runs." }
            }
            (plots)
        }
    })
}

fn acceptance(runs: &[Run], drawn: &[Run]) -> Result<Markup> {
    let mut plots = Vec::new();
    for figure in breakdown::figures(drawn) {
        plots.push(lines::markup(&figure)?);
    }
    Ok(html! {
        @if !plots.is_empty() {
            section id="acceptance" {
                h2 { "What is accepted" }
                div.figures {
                    @for plot in &plots { (plot) }
                    // A narrow table fills the gap that an odd number of plots leaves.
                    @if runs.len() == 1 { (reasons(runs)) }
                }
                @if runs.len() > 1 { (reasons(runs)) }
            }
        }
    })
}

fn reasons(runs: &[Run]) -> Markup {
    let reasons = breakdown::reasons(runs);
    let most = reasons
        .values()
        .flatten()
        .copied()
        .max()
        .unwrap_or(0)
        .max(1);
    html! {
        div.reasons {
            h3 { "Why requests were refused" }
            @if reasons.is_empty() { p { "None was refused." } }
            @else {
                div.scroll tabindex="0" role="group" aria-label="Reasons of refusals" { table.runs {
                    thead { tr { th { "reason" } @for run in runs { th.number { (run.label) } } } }
                    tbody { @for (reason, counts) in &reasons { tr {
                        th scope="row" { @if reason.is_empty() { "not stated" } @else { (reason) } }
                        @for count in counts { (reason_count(*count, most)) }
                    } } }
                } }
            }
        }
    }
}

fn reason_count(count: usize, most: usize) -> Markup {
    html! {
        td.number {
            (grouped(count))
            span.track { span.bar style=(format!("width:{:.1}%", 100.0 * count as f64 / most as f64)) {} }
        }
    }
}

/// One stretch for all runs, so that they can be compared; chosen by the run that accepts most.
fn schedules(runs: &[Run]) -> Result<Markup> {
    let first = compare::most_accepting(runs)
        .filter(|run| run.jobs.is_some())
        .or_else(|| runs.iter().find(|run| run.jobs.is_some()));
    let Some((first, stretch)) =
        first.and_then(|run| Some((run, stretch::choose(run.jobs.as_ref()?)?)))
    else {
        return Ok(html! {});
    };
    let Some(open) = gantt::markup(first, &stretch)? else {
        return Ok(html! {});
    };
    let others = runs.iter().filter(|run| !std::ptr::eq(*run, first));
    let mut folded = Vec::new();
    for run in others.take(SCHEDULES - 1) {
        folded.extend(gantt::markup(run, &stretch)?.map(|chart| (&run.label, chart)));
    }
    Ok(html! {
        section id="schedule" {
            h2 { "A stretch of the schedule" }
            (open)
            @if !folded.is_empty() { p { "The same stretch in other runs:" } }
            @for (label, chart) in &folded { details { summary { (label) } (chart) } }
        }
    })
}

/// Every entry of every metrics.json, for whoever needs the exact number.
fn entries(folder: &Folder) -> Markup {
    let of_runs = folder
        .runs
        .iter()
        .filter_map(|run| Some((run.label.as_str(), run.metrics.as_ref()?)));
    let mut all: Vec<(&str, &Metrics)> = of_runs.collect();
    if let Some(settings) = &folder.settings {
        all.insert(0, ("the whole", settings));
    }
    if all.is_empty() {
        return html! {};
    }
    html! {
        section id="entries" {
            h2 { "All numbers" }
            @for (label, metrics) in all {
                details {
                    summary { "metrics.json of " (label) }
                    div.scroll { table { tbody {
                        @for (name, value) in metrics.entries() { tr { th scope="row" { (name) } td { (value) } } }
                    } } }
                }
            }
        }
    }
}
