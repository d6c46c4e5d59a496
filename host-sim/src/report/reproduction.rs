//! What opens the report of a reproduction: which paper, how much of its experiment was run, and what its words mean.

use std::path::Path;

use maud::{Markup, html};
use serde_json::Value;

use super::{claims, folder::JudgedClaim, metrics_file::MetricsFile, words::plural};
use crate::{error::Result, files::Verdict, output};

/// Instead of a year that the paper's text does not say.
const UNDATED: &str = "undated";

/// Authors, year and title of a paper.
fn citation(authors: &str, year: Option<&str>, title: &str) -> String {
    let year = year.unwrap_or(UNDATED);
    format!("{authors} ({year}), \u{201c}{title}\u{201d}")
}

/// How much was run of an experiment, and what more of it would tell.
pub(crate) fn extent(quick: bool, replications: u32, in_full: u32, name: &str) -> String {
    let run = plural(replications as usize, "replication");
    match quick {
        false => format!("The full experiment: {run} of each point."),
        true => format!(
            "A quick reproduction: {run} of each point, with fewer or shorter runs; the full experiment takes {in_full} replications. Few \
             replications decide less, so that more claims cannot be decided: `bookahead reproduce {name}` runs the full experiment."
        ),
    }
}

/// All that the settings of a reproduction say of these, and what came out.
pub(super) fn opening(settings: &MetricsFile, came_out: &str) -> Markup {
    html! {
        @if let Some([by, question]) = about(settings) { p.citation { (by) } p.lead { (question) } }
        p.lead { (came_out) }
        @if let Some(extent) = extent_of(settings) { p.extent { (with_commands(&extent)) } }
    }
}

/// The claims that fail, behind the words that they use.
pub(super) fn failed(claims: &[JudgedClaim]) -> Markup {
    let failed: Vec<&JudgedClaim> = (claims.iter())
        .filter(|claim| claim.row.verdict == Verdict::Fails)
        .collect();
    html! {
        @if !failed.is_empty() {
            section id="failed" {
            h2 { "What fails" }
            p { "A claim that fails is contradicted by our runs; the paper may still be right, since it leaves open some of what they had to decide. By which rule each is judged, and what is known about why it fails, stands beside it below:" }
            ul.failed { @for claim in failed {
                li { a href=(format!("#{}", claims::anchor(claim))) { (claim.row.id) } " " (claim.row.claim) }
            } }
            }
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
    Some(extent(quick, run, in_full, &settings.text("paper")?))
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
pub(super) const GLOSSARY: &str = "glossary";

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
