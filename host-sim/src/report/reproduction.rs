//! What opens the report of a reproduction: which paper, how much of its experiment was run, and what its words mean.

use std::path::Path;

use maud::{Markup, html};
use serde_json::Value;

use super::{
    claims,
    folder::JudgedClaim,
    metrics_file::MetricsFile,
    words::{plural, tidy},
};
use crate::{
    error::Result,
    files::Verdict,
    output,
    told::{Answer, Seen, Told},
};

/// Instead of a year that the paper's text does not say.
const UNDATED: &str = "undated";

/// Authors, year and title of a paper.
fn citation(authors: &str, year: Option<&str>, title: &str) -> String {
    let year = year.unwrap_or(UNDATED);
    format!("{authors} ({year}), \u{201c}{title}\u{201d}")
}

/// How much was run of an experiment, and what more of it would tell; `command` repeats it.
pub(crate) fn extent(quick: bool, replications: u32, in_full: u32, command: &str) -> String {
    let run = plural(replications as usize, "replication");
    match quick {
        false => format!("The full experiment: {run} of each point."),
        true if replications < in_full => format!(
            "A quick reproduction: {run} of each point, with fewer or shorter runs; the full experiment takes {in_full} replications. Few \
             replications decide less, so that more claims cannot be decided: `bookahead reproduce {command}` runs the full experiment."
        ),
        true => format!(
            "A quick reproduction: {run} of each point, as many as the full experiment, which tries other readings of the paper more often: \
             `bookahead reproduce {command}` runs it."
        ),
    }
}

/// All that the settings of a reproduction say of these, and what came out: what the paper asks, what these runs answer, how many claims hold.
pub(super) fn opening(settings: &MetricsFile, claims: &[JudgedClaim], came_out: &str) -> Markup {
    let told = settings.told();
    html! {
        @if let Some([by, question]) = about(settings) { p.citation { (by) } p.lead { (question) } }
        @else if let Some(question) = settings.text("question") { p.lead { (question) } }
        (answer(&told, claims, ""))
        p.lead { (came_out) }
        @if !claims.is_empty() { p { (MEANING) } }
        @if !told.disclaimer.is_empty() { p { (told.disclaimer) } }
        @if let Some(extent) = extent_of(settings) { p.extent { (with_commands(&extent)) } }
    }
}

/// What it means that a claim holds, fails or stays open.
pub(super) const MEANING: &str = "A claim holds when the whole 95 % interval of what was measured lies where the paper says, and fails when the whole interval lies \
     elsewhere: our runs contradict it, though the paper may still be right, since it leaves open some of what they had to decide. Where the interval \
     lies on both sides these runs are too few to tell, which says nothing about the paper. What no chance is in, an equation or a worked example, is \
     compared as it is.";

/// The sentences that are true of these runs, each with the claims that it rests on, which stand in a page.
pub(super) fn answer(told: &Told, claims: &[JudgedClaim], page: &str) -> Markup {
    let shown = told
        .answer
        .iter()
        .filter(|sentence| is_shown(sentence, claims));
    html! {
        p.answer { @for sentence in shown {
            (sentence.says) " " span.rests { "("
                @for (at, (id, verdict)) in sentence.because.iter().enumerate() {
                    @if at > 0 { ", " }
                    a href=(format!("{page}#{}", claims::anchor(id))) { (id) } " " (verdict.name())
                }
            ")" } " "
        } }
    }
}

/// Whether all claims are what they have to be.
fn is_shown(sentence: &Answer, claims: &[JudgedClaim]) -> bool {
    let became = |id: &str| claims.iter().find(|claim| claim.row.id == id);
    let mut all = sentence.because.iter();
    all.all(|(id, verdict)| became(id).is_some_and(|claim| claim.row.verdict == *verdict))
}

/// What is said of a claim that fails where nobody has looked for the cause.
const UNKNOWN: &str =
    "Why it fails in these runs is not known; what was compared stands beside it below.";

/// The claims that fail, behind the words that they use, each with the reason as far as it is known.
pub(super) fn failed(told: &Told, claims: &[JudgedClaim]) -> Markup {
    let failed: Vec<&JudgedClaim> = (claims.iter())
        .filter(|claim| claim.row.verdict == Verdict::Fails)
        .collect();
    let why = |claim: &JudgedClaim| {
        told.why_it_fails
            .get(&claim.row.id)
            .map_or(UNKNOWN, String::as_str)
    };
    html! {
        @if !failed.is_empty() {
            section id="failed" {
            h2 { "What fails, and why" }
            ul.failed { @for claim in failed {
                li { a href=(format!("#{}", claims::anchor(&claim.row.id))) { (claim.row.id) } " " (claim.row.claim) p.cause { (why(claim)) } }
            } }
            }
        }
    }
}

/// What to see in the figures of a name, and what the paper says of it.
pub(super) fn seen(seen: &Seen, claims: &[JudgedClaim]) -> Markup {
    let about: Vec<&JudgedClaim> = (seen.claims.iter())
        .filter_map(|id| claims.iter().find(|claim| claim.row.id == *id))
        .collect();
    html! {
        p.see { (seen.see) }
        @if !about.is_empty() {
            ul.printed { @for claim in about {
                li {
                    a href=(format!("#{}", claims::anchor(&claim.row.id))) { (claim.row.id) } " " (claim.row.claim)
                    // A sentence without the number that it is about would say little.
                    @if claim.row.kind == "N" { " Printed: " (tidy(&claim.row.claimed)) "." }
                    " " span class=(format!("verdict {}", claim.row.verdict.name())) { (claim.row.verdict.name()) }
                }
            } }
        }
    }
}

/// Whose paper it is and what that asks, where the settings say so.
pub(super) fn about(settings: &MetricsFile) -> Option<[String; 2]> {
    let year = settings.text("year");
    let by = format!(
        "A paper by {} ({})",
        settings.text("authors")?,
        year.as_deref().unwrap_or(UNDATED)
    );
    Some([by, settings.text("question")?])
}

/// What stands between backticks is a command.
fn with_commands(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// Which paper a folder is about and how much of its experiment was run, where its settings say so.
pub(crate) fn citation_and_extent(dir: &Path) -> Result<Option<[String; 2]>> {
    let settings = MetricsFile::read(&dir.join(output::SETTINGS))?;
    Ok(settings.and_then(|settings| Some([cited(&settings)?, extent_of(&settings)?])))
}

fn cited(settings: &MetricsFile) -> Option<String> {
    let [authors, title] = [settings.text("authors")?, settings.text("paper_title")?];
    Some(citation(&authors, settings.text("year").as_deref(), &title))
}

fn extent_of(settings: &MetricsFile) -> Option<String> {
    let quick = settings.entry("quick")?.as_bool()?;
    let count = |name| settings.count(name).map(|count| count as u32);
    let (run, in_full) = (count("replications")?, count("replications_in_full")?);
    let mut command = settings.text("paper")?;
    if settings.entry("workload_is_a_log").and_then(Value::as_bool) == Some(true) {
        command += &format!(" --workload {}", settings.text("workload")?);
    }
    Some(extent(quick, run, in_full, &command))
}

/// The words of the paper, before any figure or claim uses them.
pub(super) fn glossary(settings: &MetricsFile) -> Markup {
    let words = settings.entry(GLOSSARY).and_then(Value::as_array);
    let words = words.into_iter().flatten();
    let words: Vec<(&str, &str)> = words
        .filter_map(|word| Some((word.get("word")?.as_str()?, word.get("meaning")?.as_str()?)))
        .collect();
    html! {
        @if !words.is_empty() {
            section id="words" {
                h2 { "Words used here" }
                dl.definitions { @for (word, meaning) in words { div { dt { (word) } dd { (meaning) } } } }
            }
        }
    }
}

/// The entry of the settings that has the words.
const GLOSSARY: &str = "glossary";

/// Whether an entry of the settings stands elsewhere in the page.
pub(super) fn is_told(entry: &str) -> bool {
    entry == GLOSSARY || Told::ENTRIES.contains(&entry)
}

/// What kind of claim a letter of claims.csv stands for.
pub(super) fn kind(letter: &str) -> &str {
    match letter {
        "D" => "definition",
        "W" => "worked example",
        "T" => "trend",
        "O" => "ordering",
        "N" => "number",
        "by-construction" => "true by construction",
        other => other,
    }
}
