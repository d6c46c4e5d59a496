//! What a reproduction tells its readers in words, and settings.json keeps for its report.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::files::Verdict;

/// The words of a reproduction that are written down with its claims, and what they rest on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Told {
    /// What has to be known of all results; may be empty.
    pub(crate) disclaimer: String,
    /// What came out, sentence by sentence.
    pub(crate) answer: Vec<Answer>,
    /// Why a claim fails where it does, by its number: what the paper says, what comes out here, and the cause as far as it is known.
    pub(crate) why_it_fails: BTreeMap<String, String>,
    /// What to see in the figures, by their short names.
    pub(crate) see: BTreeMap<String, Seen>,
}

/// A sentence about what came out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) says: String,
    /// The claims by which it is true, and what has to become of each.
    pub(crate) because: Vec<(String, Verdict)>,
}

/// What to see in a figure.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Seen {
    pub(crate) see: String,
    /// The claims that the paper makes about it.
    pub(crate) claims: Vec<String>,
}

impl Told {
    /// The entries that it has in settings.json.
    pub(crate) const ENTRIES: [&str; 4] = ["disclaimer", "answer", "why_it_fails", "see"];
}

/// A sentence about what came out, and what has to become of which claims so that it is true.
pub(crate) fn answer(says: &str, because: &[(&str, Verdict)]) -> Answer {
    let because = because
        .iter()
        .map(|(id, verdict)| ((*id).to_owned(), *verdict));
    Answer {
        says: says.to_owned(),
        because: because.collect(),
    }
}

/// What to see in the figure of this name, and the claims that the paper makes about it.
pub(crate) fn see(figure: &str, see: &str, claims: &[&str]) -> (String, Seen) {
    let claims = claims.iter().map(|id| (*id).to_owned()).collect();
    let see = see.to_owned();
    (figure.to_owned(), Seen { see, claims })
}
