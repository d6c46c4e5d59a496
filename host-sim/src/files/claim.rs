//! claims.csv, evidence.csv and figures.csv: what a reproduction found.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::{Decimal, Row};

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    /// It was seen.
    Holds,
    /// The data do not tell.
    Undecidable,
    /// The opposite was seen.
    Fails,
}

impl Verdict {
    /// As in the files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Undecidable => "undecidable",
            Self::Fails => "fails",
        }
    }
}

impl<'de> Deserialize<'de> for Verdict {
    fn deserialize<D: Deserializer<'de>>(cell: D) -> Result<Self, D::Error> {
        match &*Cow::<str>::deserialize(cell)? {
            "holds" => Ok(Self::Holds),
            "undecidable" => Ok(Self::Undecidable),
            "fails" => Ok(Self::Fails),
            _ => Err(Error::custom("one of holds, fails, undecidable")),
        }
    }
}

/// One claim of a paper and what was measured; columns by name and in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClaimRow {
    pub(crate) id: String,
    pub(crate) paper: String,
    pub(crate) kind: String,
    pub(crate) claim: String,
    pub(crate) claimed: String,
    pub(crate) measured: String,
    pub(crate) ci95: String,
    pub(crate) verdict: Verdict,
    pub(crate) note: String,
}

impl Row for ClaimRow {
    const COLUMNS: &'static [&'static str] = &[
        "id", "paper", "kind", "claim", "claimed", "measured", "ci95", "verdict", "note",
    ];
}

/// What was compared or measured for a claim; columns by name and in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct EvidenceRow {
    pub(crate) id: String,
    pub(crate) what: String,
    #[serde(rename = "where")]
    pub(crate) place: String,
    pub(crate) value: String,
    pub(crate) ci95: String,
    /// What it says about the claim, where it says something by itself.
    pub(crate) verdict: Option<Verdict>,
}

impl Row for EvidenceRow {
    const COLUMNS: &'static [&'static str] = &["id", "what", "where", "value", "ci95", "verdict"];
}

impl EvidenceRow {
    /// A value that decides nothing by itself.
    pub(crate) fn fact(what: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            value: value.into(),
            ..Self::default()
        }
    }

    /// A value with what it says about the claim.
    pub(crate) fn verdict(
        what: impl Into<String>,
        value: impl Into<String>,
        verdict: Verdict,
    ) -> Self {
        Self {
            verdict: Some(verdict),
            ..Self::fact(what, value)
        }
    }

    /// The same at a place.
    pub(crate) fn at(self, place: impl Into<String>) -> Self {
        let place = place.into();
        Self { place, ..self }
    }
}

/// One point of one series of a figure; columns by name and in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FigureRow {
    pub(crate) figure: String,
    pub(crate) title: String,
    pub(crate) x_label: String,
    pub(crate) y_label: String,
    pub(crate) series: String,
    #[serde(serialize_with = "write_number", deserialize_with = "read_number")]
    pub(crate) x: f64,
    /// What its tick says; empty on an axis of plain numbers.
    pub(crate) x_text: String,
    /// Empty where the series has a gap.
    pub(crate) mean: Option<Decimal>,
    pub(crate) ci95: Option<Decimal>,
    /// The ends of the interval that is drawn; these and what follows earlier versions did not write.
    #[serde(default)]
    pub(crate) low: Option<Decimal>,
    #[serde(default)]
    pub(crate) high: Option<Decimal>,
    /// What the quantity is at least and at most by its nature; empty where nothing bounds it.
    #[serde(default)]
    pub(crate) least: Option<Decimal>,
    #[serde(default)]
    pub(crate) most: Option<Decimal>,
}

/// With all its digits.
fn write_number<S: Serializer>(number: &f64, cell: S) -> Result<S::Ok, S::Error> {
    cell.collect_str(number)
}

fn read_number<'de, D: Deserializer<'de>>(cell: D) -> Result<f64, D::Error> {
    Decimal::deserialize(cell).map(|number| number.0)
}

impl Row for FigureRow {
    const COLUMNS: &'static [&'static str] = &[
        "figure", "title", "x_label", "y_label", "series", "x", "x_text", "mean", "ci95",
    ];

    fn check(&self) -> Result<(), (&'static str, String)> {
        match self.ci95 {
            Some(Decimal(half)) if half < 0.0 => {
                Err(("ci95", "a half width of at least 0".to_owned()))
            }
            _ => in_order(self.low, self.high),
        }
    }
}

/// The ends of an interval, where it has some.
pub(super) fn in_order(
    low: Option<Decimal>,
    high: Option<Decimal>,
) -> Result<(), (&'static str, String)> {
    match (low, high) {
        (Some(low), Some(high)) if low.0 > high.0 => Err(("low", format!("at most {}", high.0))),
        _ => Ok(()),
    }
}
