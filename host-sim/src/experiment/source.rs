//! Which paper an experiment is about, and what its words mean.

use serde_json::{Value, json};

use crate::{
    error::{Error, Result},
    told::{Answer, Seen},
};

/// A paper, so that a reader can find it.
pub(super) struct Source {
    pub(super) title: &'static str,
    pub(super) authors: &'static str,
    /// Nothing where the paper's text does not say.
    pub(super) year: Option<u16>,
    /// What it asks, in a sentence for somebody who has not read it.
    pub(super) question: &'static str,
    /// What our runs answer.
    pub(super) answer: Vec<Answer>,
    /// What to see in its figures, each by its short name.
    pub(super) see: Vec<(String, Seen)>,
}

/// Words and what they mean, for settings.json: a table with the columns word and meaning becomes a list that keeps its order.
pub(super) fn glossary(table: &str) -> Result<Value> {
    let mut words = Vec::new();
    for row in csv::Reader::from_reader(table.as_bytes()).deserialize() {
        let row: std::result::Result<[String; 2], csv::Error> = row;
        let [word, meaning] =
            row.map_err(|error| Error::Internal(format!("the table of words: {error}")))?;
        words.push(json!({ "word": word, "meaning": meaning }));
    }
    Ok(words.into())
}
