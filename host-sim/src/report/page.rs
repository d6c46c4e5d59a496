//! The page: which sections there are and in which order.

use std::collections::BTreeSet;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use super::{
    claims,
    folder::Folder,
    line_drawing, line_plot,
    metrics_file::MetricsFile,
    palette::{self, Looks},
    reproduction,
    run_sections::{self, Place},
    sentences,
    words::{plural, tidy},
};
use crate::{error::Result, files::Verdict, told::Told};

/// The whole page.
pub(super) fn markup(folder: &Folder) -> Result<String> {
    let title = title(folder);
    let told = folder
        .settings
        .as_ref()
        .map(MetricsFile::told)
        .unwrap_or_default();
    let mut sections = Vec::new();
    for (number, group) in (1..).zip(&folder.groups) {
        let place = Place {
            number,
            of: folder.groups.len(),
            samples: folder.is_reproduction(),
        };
        sections.push(run_sections::markup(group, &place)?);
    }
    let content = html! {
        (summary(folder))
        (missing(&folder.missing))
        (figures(folder, &told)?)
        @if let Some(claims) = &folder.claims { (claims::section(claims, &told.disclaimer)) }
        @for section in &sections { (section) }
        (entries(folder))
    };
    Ok(whole(&title, &content))
}

/// A page that needs no other file.
pub(super) fn whole(title: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " - bookahead" }
                style { (PreEscaped(include_str!("style.css"))) (PreEscaped(palette::css())) }
                // Behind the page, whose drawings it looks for.
                script type="module" { (PreEscaped(include_str!("values.js"))) }
            }
            body { main {
                h1 { (title) }
                (content)
            } }
        }
    };
    page.into_string()
}

/// A setting of the whole folder, or else of its runs; all values where the runs differ.
fn setting(folder: &Folder, name: &str) -> Option<String> {
    let of_whole = folder.settings.as_ref().and_then(|m| m.text(name));
    if of_whole.is_some() {
        return of_whole;
    }
    let of_runs = folder.runs().filter_map(|run| run.metrics.as_ref());
    let values: BTreeSet<String> = of_runs.filter_map(|m| m.text(name)).collect();
    (!values.is_empty()).then(|| values.into_iter().collect::<Vec<_>>().join(", "))
}

fn title(folder: &Folder) -> String {
    let on = setting(folder, "workload").map_or(String::new(), |name| format!(" on {name}"));
    if folder.is_reproduction() {
        if let Some(title) = folder.settings.as_ref().and_then(|m| m.text("paper_title")) {
            return title;
        }
        let claims = folder.claims.iter().flatten();
        let papers: BTreeSet<&str> = claims.map(|claim| claim.row.paper.as_str()).collect();
        let papers: Vec<&str> = papers.into_iter().collect();
        return match papers.is_empty() {
            true => "Reproduction of published results".to_owned(),
            false => format!("Reproduction of {}", papers.join(", ")),
        };
    }
    match folder.groups.as_slice() {
        [group] if group.runs.len() == 1 => format!("{}{on}", group.runs[0].label),
        _ => format!("{}{on}", plural(folder.runs().count(), "run")),
    }
}

fn summary(folder: &Folder) -> Markup {
    // Each site is a machine of its own.
    let pes = match setting(folder, "sites") {
        Some(_) => "PEs of each site",
        None => "PEs",
    };
    let settings = [
        ("workload", "workload"),
        ("sites", "sites"),
        ("pes", pes),
        ("slots", "slots"),
        ("slot_seconds", "seconds per slot"),
        ("best_effort", "best-effort queue"),
        ("price_per_pe_minute", "price of a PE for a minute"),
        (
            "price_per_reserved_pe_slot",
            "price of a PE for a reserved slot",
        ),
        ("seed", "seed"),
        ("version", "bookahead"),
    ];
    html! {
        @match folder.settings.as_ref().filter(|_| folder.is_reproduction()) {
            Some(settings) => {
                (reproduction::opening(settings, folder.judged(), &sentences::reproduced(folder)))
                (contents(folder))
                (reproduction::glossary(settings))
                (reproduction::failed(&settings.told(), folder.judged()))
            }
            None => p.lead { @if folder.is_reproduction() { (sentences::reproduced(folder)) } @else { (decided(folder)) } },
        }
        dl.settings {
            @for (name, words) in settings {
                @if let Some(value) = setting(folder, name) { div { dt { (words) } dd { (shown(name, value)) } } }
            }
            @if let Some(options) = other_options(folder, &settings.map(|(name, _)| name)) { div { dt { "other options" } dd { code { (options) } } } }
        }
    }
}

/// The options that no setting shows, as they were given or by default.
fn other_options(folder: &Folder, settings: &[&str]) -> Option<String> {
    let is_shown = |name: &str| settings.contains(&&*name.replace('-', "_"));
    let others = folder.options.iter().filter(|(name, _)| !is_shown(name));
    let words = others.map(|(name, value)| match value {
        Value::String(text) if text == "true" => format!("--{name}"),
        Value::String(text) => format!("--{name} {text}"),
        value => format!("--{name} {value}"),
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The sections of a long page.
fn contents(folder: &Folder) -> Markup {
    html! {
        nav aria-label="Contents" { ul.contents {
            li { a href="#words" { "Words used here" } }
            @if claims::count(folder.judged(), Verdict::Fails) > 0 { li { a href="#failed" { "What fails, and why" } } }
            @if folder.figures.is_some() { li { a href="#figures" { "Figures" } } }
            @if folder.claims.is_some() { li { a href="#claims" { "Claims" } } }
            @if folder.runs().next().is_some() { li { a href="#runs" { "A run in detail" } } }
            li { a href="#entries" { "All numbers" } }
        } }
    }
}

fn decided(folder: &Folder) -> String {
    match folder.groups.as_slice() {
        [group] => sentences::decided(&group.runs),
        groups => format!(
            "{} in {} groups. Requests or machines of different groups differ, so that each group is shown by itself and none is compared \
             with another.",
            plural(folder.runs().count(), "run"),
            groups.len()
        ),
    }
}

fn missing(files: &[String]) -> Markup {
    html! {
        @if !files.is_empty() {
            p.missing { "Not in the folder, so not in this report: " (files.join(", ")) "." }
        }
    }
}

fn figures(folder: &Folder, told: &Told) -> Result<Markup> {
    let figures = folder.figures.as_deref().unwrap_or_default();
    let mut looks = Looks::default();
    let mut groups = Vec::new();
    for alike in figures.chunk_by(|a, b| a.id == b.id) {
        let draw = |figure| line_drawing::markup(figure, &mut looks);
        let drawn: Result<Vec<Markup>> = alike.iter().map(draw).collect();
        let seen = told.see.get(&alike[0].id);
        groups.push((
            drawn?,
            seen.map(|seen| reproduction::seen(seen, folder.judged())),
        ));
    }
    Ok(html! {
        @if !groups.is_empty() {
            section id="figures" {
                h2 { "Figures" }
                p { (line_plot::READING) " " (line_drawing::VALUES) }
                div.figures { @for (drawn, seen) in &groups {
                    // What is said of one figure stands below it, what is said of several above them all.
                    @match (&drawn[..], seen) {
                        ([one], Some(seen)) => div { (one) (seen) },
                        (all, seen) => { @if let Some(seen) = seen { div.all { (seen) } } @for figure in all { (figure) } },
                    }
                } }
            }
        }
    })
}

/// A value of an entry. A seed is a name, however many digits it has.
fn shown(name: &str, value: String) -> String {
    if name == "seed" { value } else { tidy(&value) }
}

/// Every entry of every metrics.json.
fn entries(folder: &Folder) -> Markup {
    let apart = folder.groups.len() > 1;
    let of_runs = folder.runs().filter_map(|run| {
        // Labels are unique in their group only.
        let label = if apart && !run.folder.is_empty() {
            &run.folder
        } else {
            &run.label
        };
        Some((label.as_str(), run.metrics.as_ref()?))
    });
    let mut all: Vec<(&str, &MetricsFile)> = of_runs.collect();
    if let Some(settings) = &folder.settings {
        all.insert(0, ("the whole", settings));
    }
    if all.is_empty() {
        return html! {};
    }
    html! {
        section id="entries" {
            h2 { "All numbers" }
            p { "At most six digits of each; the files have all of them." }
            @for (label, metrics) in all {
                details {
                    summary { "metrics.json of " (label) }
                    div.scroll { table { tbody {
                        // The words stand at the top of the page.
                        @for (name, value) in metrics.entries().filter(|(name, _)| !reproduction::is_told(name)) { tr { th scope="row" { (name) } td { (shown(name, value)) } } }
                    } } }
                }
            }
        }
    }
}
