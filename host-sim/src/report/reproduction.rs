//! What opens the report of a reproduction: which paper, how much of its experiment was run, and what its words mean.

use std::path::Path;

use maud::{Markup, html};
use serde_json::Value;

use super::{metrics_file::MetricsFile, words::plural};
use crate::{error::Result, output};

/// Authors, year and title of a paper.
fn citation(authors: &str, year: Option<&str>, title: &str) -> String {
    let year = year.unwrap_or("undated");
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

/// All that the settings of a reproduction say of these.
pub(super) fn opening(settings: &MetricsFile) -> Markup {
    html! {
        @if let Some(cited) = cited(settings) { p.citation { (cited) } }
        @if let Some(extent) = extent_of(settings) { p.extent { (with_commands(&extent)) } }
        (glossary(settings))
    }
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
fn glossary(settings: &MetricsFile) -> Markup {
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
