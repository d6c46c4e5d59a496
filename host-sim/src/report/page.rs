//! The page: which sections there are and in which order.

use std::collections::BTreeSet;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{
    breakdown, claims, compare, gantt, lines,
    load::{Folder, Run},
    metrics::Metrics,
    palette, stretch,
    words::{grouped, percent, plural},
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
                @if let Some(claims) = &folder.claims { (claims::section(claims)) }
                (figures(folder)?)
                (comparison(runs, drawn)?)
                (acceptance(runs, drawn)?)
                (schedules(runs)?)
                (entries(folder))
            } }
        }
    };
    Ok(page.into_string())
}

/// All metrics.json files of a folder, its own first.
fn all_metrics(folder: &Folder) -> impl Iterator<Item = &Metrics> {
    let of_runs = folder.runs.iter().filter_map(|run| run.metrics.as_ref());
    folder.settings.iter().chain(of_runs)
}

/// A setting as text; all of them where the runs differ.
fn setting(folder: &Folder, name: &str) -> Option<String> {
    let values: BTreeSet<String> = all_metrics(folder).filter_map(|m| m.text(name)).collect();
    (!values.is_empty()).then(|| values.into_iter().collect::<Vec<_>>().join(", "))
}

fn title(folder: &Folder) -> String {
    let on = setting(folder, "workload").map_or(String::new(), |name| format!(" on {name}"));
    if folder.claims.is_some() || folder.figures.is_some() {
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
        p.lead { (found(folder)) " " (best(&folder.runs)) }
        dl.settings {
            @for (name, words) in [
                ("workload", "workload"), ("pes", "PEs"), ("slots", "slots"), ("slot_seconds", "seconds per slot"),
                ("seed", "seed"), ("version", "bookahead"),
            ] {
                @if let Some(value) = setting(folder, name) { div { dt { (words) } dd { (value) } } }
            }
        }
    }
}

/// What the folder holds, in a sentence or two.
fn found(folder: &Folder) -> String {
    let mut sentences = Vec::new();
    if let Some(all) = &folder.claims {
        let [holds, fails, open] =
            ["holds", "fails", "undecidable"].map(|verdict| grouped(claims::count(all, verdict)));
        sentences.push(format!(
            "Of {} checked against measurements, {holds} hold, {fails} fail and {open} cannot be decided.",
            plural(all.len(), "claim")
        ));
    }
    if let Some(figures) = &folder.figures {
        sentences.push(format!(
            "{} redrawn from new measurements.",
            match figures.len() {
                1 => "One figure is".to_owned(),
                n => format!("{} figures are", grouped(n)),
            }
        ));
    }
    if let [run] = folder.runs.as_slice() {
        sentences.extend(run.metrics.as_ref().and_then(decided));
    } else if !folder.runs.is_empty() {
        sentences.push(format!(
            "{} of advance-reservation requests were compared.",
            plural(folder.runs.len(), "run")
        ));
    }
    sentences.join(" ")
}

fn decided(metrics: &Metrics) -> Option<String> {
    let count = |name: &str| metrics.number(name).map(|n| n as usize);
    let slowdown = metrics.number("average_slowdown").map_or(String::new(), |slowdown| {
        format!(" An accepted job took on average {slowdown:.3} times its duration, counted from its ready time.")
    });
    let used = metrics.number("utilization").map_or(String::new(), |used| {
        format!(" The machine was used to {}.", percent(used))
    });
    Some(format!(
        "Of {} to reserve PEs in advance, {} were accepted ({}).{slowdown}{used}",
        plural(count("requests")?, "request"),
        grouped(count("accepted")?),
        percent(metrics.number("acceptance_rate")?),
    ))
}

fn best(runs: &[Run]) -> Markup {
    let number = |run: &Run, name: &str| run.metrics.as_ref().and_then(|m| m.number(name));
    let (Some(most), Some(least), true) = (
        compare::most_accepting(runs),
        compare::least_slowed(runs),
        runs.len() > 1,
    ) else {
        return html! {};
    };
    html! {
        @if let Some(rate) = number(most, "acceptance_rate") {
            strong { (most.label) } " accepts most, " (percent(rate)) " of the requests"
        }
        @if let Some(slowdown) = number(least, "average_slowdown") {
            "; " strong { (least.label) } " makes accepted jobs wait least, with an average slowdown of "
            (format!("{slowdown:.3}"))
        }
        "."
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

fn comparison(runs: &[Run], drawn: &[Run]) -> Result<Markup> {
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
            h2 { @if runs.len() > 1 { "Runs compared" } @else { "The run " (runs[0].label) } }
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
                div.figures { @for plot in &plots { (plot) } }
                (reasons(runs))
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
        h3 { "Why requests were refused" }
        @if reasons.is_empty() { p { "None was refused." } }
        @else {
            div.scroll tabindex="0" role="group" aria-label="Reasons of refusals" { table.runs {
                thead { tr { th { "reason" } @for run in runs { th.number { (run.label) } } } }
                tbody { @for (reason, counts) in &reasons { tr {
                    th scope="row" { @if reason.is_empty() { "not stated" } @else { (reason) } }
                    @for count in counts { td.number {
                        (grouped(*count))
                        span.track { span.bar style=(format!("width:{:.1}%", 100.0 * *count as f64 / most as f64)) {} }
                    } }
                } } }
            } }
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
    let all = folder
        .settings
        .iter()
        .map(|settings| ("the whole", settings))
        .chain(of_runs);
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
