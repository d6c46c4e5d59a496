//! The settings in metrics.json against those of the experiment: experiment.json, and settings.json of a reproduction. Rule 15.

use std::path::Path;

use serde_json::Value;

use super::findings::Findings;
use crate::{
    engine::{Strategy, System},
    error::Result,
    manifest::{FILE, Manifest, REPRODUCE},
    output::{METRICS, SETTINGS},
    result_folder::Run,
    text_file,
};

/// Entries that have the value of an option wherever there are both; the option where it has another name.
const SAID: [(&str, &str); 28] = [
    ("seed", "seed"),
    ("pes", "pes"),
    ("slots", "slots"),
    ("slot_seconds", "slot-seconds"),
    ("binding", "binding"),
    ("sites", "sites"),
    ("redundancy", "redundancy"),
    ("threshold", "threshold"),
    ("on_late", "on-late"),
    ("search", "search"),
    ("offer_order", "offer-order"),
    ("offers", "offers"),
    ("user", "user-policy"),
    ("direction", "direction"),
    ("insertion", "insertion"),
    ("depth", "depth"),
    ("order", "order"),
    ("admission", "admission"),
    ("suggest_max", "suggest-max"),
    ("replan", "replan"),
    ("freeze", "freeze"),
    ("move_limit", "move-limit"),
    ("work_limit", "work-limit"),
    ("best_effort", "queue"),
    ("prefer", "prefer"),
    ("relocate", "relocate"),
    ("overrun", "overrun"),
    ("pull_forward", "pull-forward"),
];

/// The same where one system was run.
const SYSTEM: [(&str, &str); 2] = [("strategy", "strategy"), ("policy", "policy")];

/// Entries that the sample of a reproduction shares with all its runs.
const SHARED: [&str; 6] = [
    "version",
    "workload",
    "seed",
    "pes",
    "slots",
    "slot_seconds",
];

/// Stands for all values of an option.
const ALL: &str = "all";

/// Notes where the settings of a run are not those of the experiment in `dir`.
///
/// # Errors
/// [`Error::Input`](crate::error::Error::Input) for files that are no JSON, [`Error::Io`](crate::error::Error::Io) for files that cannot be read.
pub(super) fn check(
    dir: &Path,
    manifest: &Manifest,
    run: &Run,
    found: &mut Findings,
) -> Result<()> {
    let Some(metrics) = json(&run.path.join(METRICS))? else {
        return Ok(());
    };
    let mut differs = |entry: &str, told: &str, expected: &str, file: &str| {
        let problem =
            format!("metrics.json, {entry}: found {told}, expected {expected}, as {file} says");
        found.add(None, problem);
    };
    let version = text(&metrics["version"]);
    if version != manifest.version {
        differs("version", &version, &manifest.version, FILE);
    }
    let is_reproduction = manifest.command == REPRODUCE;
    let is_alone = run.path == dir;
    // Of several systems, each has a folder that is called after it.
    let named = |entry| metrics[entry].as_str().unwrap_or_default();
    let label = Strategy::label_of(named("strategy"), named("policy"));
    let prefer = metrics["prefer"].as_str();
    let folder = System::folder_of(&label, named("binding"), prefer);
    if !is_reproduction && !is_alone && folder != run.name {
        differs("strategy, policy and binding", &folder, &run.name, FILE);
    }
    let system = SYSTEM.iter().filter(|_| is_alone);
    for (entry, option) in SAID.iter().chain(system) {
        let (Some(value), Some(said)) = (metrics.get(entry), manifest.options.get(*option)) else {
            continue;
        };
        let (value, said) = (text(value), text(said));
        let is_said = |one: &str| one == ALL || alike(&value, one);
        if !said.split(',').any(is_said) {
            differs(entry, &value, &said, FILE);
        }
    }
    let settings = match is_reproduction && !is_alone {
        true => json(&run.path.with_file_name(SETTINGS))?,
        false => None,
    };
    for entry in SHARED {
        let expected = settings.as_ref().and_then(|settings| settings.get(entry));
        if let Some(expected) = expected.filter(|expected| **expected != metrics[entry]) {
            let value = text(&metrics[entry]);
            differs(entry, &value, &text(expected), SETTINGS);
        }
    }
    Ok(())
}

fn json(file: &Path) -> Result<Option<Value>> {
    let Some(text) = text_file::read_if_there(file)? else {
        return Ok(None);
    };
    let value = serde_json::from_str(&text).map_err(|error| {
        let line = Some(error.line() as u64);
        text_file::input_error(file, line, None, error.to_string())
    })?;
    Ok(Some(value))
}

/// A value without quotes.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether two values are the same, however numbers in them are written: `share:0.50` is `share:0.5`.
fn alike(one: &str, other: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(':');
        let number = |part: &str| {
            part.parse::<f64>()
                .map_or(part.to_owned(), |n| n.to_string())
        };
        parts.map(number).collect()
    };
    parts(one) == parts(other)
}
