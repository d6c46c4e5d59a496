//! At how many sites a reservation is booked, and at which.
//!
//! Source: `xiao`, section 4.2.

use std::{cmp::Reverse, fmt, str::FromStr};

use bookahead::{Probability, Refusal, Replica as Candidate, Subtask, select_replicas};

use super::{outcome::Reason, strategy::Proposal};

/// At how many sites a reservation is booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redundancy {
    /// At so many, or refused.
    Copies(u16),
    /// At as few as it takes for the promise to be kept with this probability, in millionths.
    Kept(u32),
}

/// Millionths in a whole.
const WHOLE: u32 = 1_000_000;

impl fmt::Display for Redundancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Copies(copies) => write!(f, "copies:{copies}"),
            Self::Kept(kept) => write!(f, "{}", f64::from(*kept) / f64::from(WHOLE)),
        }
    }
}

impl FromStr for Redundancy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let copies = text.strip_prefix("copies:").map(str::parse::<u16>);
        let read = match copies {
            Some(copies) => copies.ok().filter(|copies| *copies > 0).map(Self::Copies),
            None => text
                .parse()
                .ok()
                .filter(|share: &f64| (0.0..=1.0).contains(share))
                .map(|share| Self::Kept((share * f64::from(WHOLE)).round() as u32)),
        };
        read.ok_or_else(|| "expected a probability such as 0.95, or copies:2".to_owned())
    }
}

impl Redundancy {
    /// How many sites that are certain suffice.
    pub(super) fn certain(self) -> usize {
        match self {
            Self::Copies(copies) => copies.into(),
            Self::Kept(_) => 1,
        }
    }

    /// Why there are too few places.
    pub(super) const fn lacking(self) -> Refusal {
        match self {
            Self::Copies(_) => Refusal::NoRoom,
            Self::Kept(_) => Refusal::TooRisky,
        }
    }

    /// The sites to book at, among those with a place; nothing where they do not suffice.
    pub(super) fn choose(self, proposals: &[Result<Proposal, Reason>]) -> Option<Vec<usize>> {
        let places = proposals.iter().enumerate();
        let places = places.filter_map(|(site, one)| Some((site, one.as_ref().ok()?)));
        let mut places: Vec<_> = places.collect();
        places.sort_by_key(|(site, one)| (Reverse(one.kept), one.start, *site));
        match self {
            Self::Copies(copies) => {
                places.truncate(copies.into());
                let enough = places.len() == usize::from(copies);
                enough.then(|| places.into_iter().map(|(site, _)| site).collect())
            }
            Self::Kept(kept) => {
                let mut replicas: Vec<Candidate> = places
                    .into_iter()
                    .map(|(site, one)| Candidate {
                        site: site as u32,
                        start: one.start,
                        late: one.late,
                        kept: one.kept,
                    })
                    .collect();
                let mut subtasks = [Subtask {
                    replicas: &mut replicas,
                    chosen: 0,
                }];
                let wanted = Probability::rounding_up(kept, WHOLE).unwrap_or(Probability::ONE);
                select_replicas(&mut subtasks, wanted)?;
                let chosen = subtasks[0].chosen;
                Some(
                    replicas[..chosen]
                        .iter()
                        .map(|one| one.site as usize)
                        .collect(),
                )
            }
        }
    }
}
