//! metrics.json as the report reads it: the numbers and settings of a run or of a whole experiment.

use std::{collections::BTreeMap, fmt::Display, path::Path};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    engine::Strategy,
    error::{Error, Result},
    files::LARGEST,
    layout::Layout,
    rule::Rule,
    several::{Principal, Resource},
    text_file,
    told::Told,
};

/// Entries that are numbers wherever they occur.
const NUMBERS: [&str; 22] = [
    "principal_fairness",
    "fairness",
    "requests",
    "accepted",
    "acceptance_rate",
    "lost_to_rounding",
    "acceptance_rate_after_rounding",
    "average_slowdown",
    "bounded_slowdown",
    "utilization",
    "booked_utilization",
    "pes",
    "slots",
    "slot_seconds",
    "reduced",
    "best_effort_submitted",
    "best_effort_started",
    "best_effort_waiting_time",
    "revenue_reservations",
    "revenue_best_effort",
    "fragmentation",
    "blocks_per_job",
];

/// The entry that says what the machine looks like.
const LAYOUT: &str = "layout";

/// The entry that says what is not there again and again.
const RULES: &str = "rules";

/// The entries that say who may have how much, and what there is beside the machine.
const QUOTAS: &str = "quotas";
const RESOURCES: &str = "resources";

/// The entries of a metrics.json, by name in alphabetical order.
pub(super) struct MetricsFile(BTreeMap<String, Value>);

impl MetricsFile {
    /// Reads a metrics.json, or nothing when there is no such file.
    pub(super) fn read(file: &Path) -> Result<Option<Self>> {
        let Some(text) = text_file::read_if_there(file)? else {
            return Ok(None);
        };
        let entries: BTreeMap<String, Value> =
            serde_json::from_str(&text).map_err(|error| Error::Input {
                file: file.to_owned(),
                line: Some(error.line() as u64),
                field: None,
                problem: format!("no JSON object: {error}"),
            })?;
        told(&entries).map_err(|error| Error::Input {
            file: file.to_owned(),
            line: None,
            field: None,
            problem: format!("the words for readers: {error}"),
        })?;
        // A mean over nothing is null, which is no error.
        let wrong = NUMBERS.iter().find_map(|&name| {
            let value = entries.get(name)?;
            let number = value.as_f64().filter(|n| n.abs() <= LARGEST);
            (number.is_none() && !value.is_null()).then_some((name, value))
        });
        match wrong {
            None => Ok(Some(Self(entries))),
            Some((name, value)) => Err(Error::Input {
                file: file.to_owned(),
                line: None,
                field: Some(name.to_owned()),
                problem: format!("{value} found, a number expected"),
            }),
        }
    }

    /// A number by name; a dot leads into an entry that has entries of its own.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        let mut names = name.split('.');
        let first = self.0.get(names.next()?)?;
        names
            .try_fold(first, |entry, name| entry.get(name))?
            .as_f64()
    }

    /// A whole number by name.
    pub(super) fn count(&self, name: &str) -> Option<usize> {
        self.number(name).map(|number| number as usize)
    }

    /// How many promises were broken, to whomever.
    pub(super) fn broken(&self) -> Option<usize> {
        let broken = ["promises_broken", "violations"].map(|entry| self.count(entry));
        broken
            .into_iter()
            .flatten()
            .reduce(|sum, count| sum + count)
    }

    /// What a reproduction tells its readers, where its settings have that; earlier versions wrote none.
    pub(super) fn told(&self) -> Told {
        told(&self.0).unwrap_or_default()
    }

    /// Any entry as it stands.
    pub(super) fn entry(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Any entry as text a reader understands, nothing for null.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        shown(self.0.get(name)?)
    }

    /// What tells a run from others with the same requests.
    pub(super) fn strategy_label(&self) -> Option<String> {
        let policy = self.text("policy");
        match (self.text("strategy"), &policy) {
            (Some(strategy), Some(policy)) => Some(Strategy::label_of(&strategy, policy)),
            (strategy, _) => strategy.or(policy),
        }
    }

    /// The layout of the machine, where there is one that adds up.
    pub(super) fn layout(&self) -> Option<Layout> {
        let layout = Layout::deserialize(self.0.get(LAYOUT)?).ok();
        layout.filter(|layout| layout.fault().is_none())
    }

    /// By which rules processing elements are not there.
    pub(super) fn rules(&self) -> Vec<Rule> {
        let rules = self.0.get(RULES);
        let rules = rules.and_then(|rules| Vec::deserialize(rules).ok());
        rules.unwrap_or_default()
    }

    /// All entries as text, in alphabetical order.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, String)> {
        self.0.iter().filter_map(|(name, value)| {
            let text = match name.as_str() {
                LAYOUT => self.layout().map(|layout| layout.to_string()),
                RULES => listed::<Rule>(value),
                QUOTAS => listed::<Principal>(value),
                RESOURCES => listed::<Resource>(value),
                _ => shown(value),
            };
            Some((name.as_str(), text?))
        })
    }
}

/// All of a list in the words of each.
fn listed<T: DeserializeOwned + Display>(list: &Value) -> Option<String> {
    let list = Vec::<T>::deserialize(list).ok()?;
    let words: Vec<String> = list.iter().map(T::to_string).collect();
    Some(words.join("; "))
}

fn told(entries: &BTreeMap<String, Value>) -> serde_json::Result<Told> {
    let words = entries
        .iter()
        .filter(|(name, _)| Told::ENTRIES.contains(&name.as_str()));
    let words = words.map(|(name, value)| (name.clone(), value.clone()));
    Told::deserialize(Value::Object(words.collect()))
}

fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => Some(
            items
                .iter()
                .filter_map(shown)
                .collect::<Vec<_>>()
                .join(", "),
        ),
        other => Some(other.to_string()),
    }
}
