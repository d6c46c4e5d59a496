//! Copies of a reservation at several sites, of which the first that starts on time is used.
//!
//! All of them are booked in two phases, or none. When one starts, the others are given back; so is one whose start is late, as long as
//! there are others.
//!
//! Source: `xiao`, section 4.2.

use std::{cmp::Reverse, fmt, str::FromStr};

use bookahead::{
    Application, Commitment, Handle, Probability, Refusal, Replica as Candidate, Request, Site,
    SiteError, SitePart, Slot, Span, Stage, Subtask, raw::Ring, select_replicas,
};

use super::{
    drive::{News, Run},
    outcome::{Reason, Replica},
    strategy::Proposal,
};
use crate::{
    error::{Error, Result},
    request::JobRequest,
};

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

    fn from_str(text: &str) -> std::result::Result<Self, String> {
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
    const fn lacking(self) -> Refusal {
        match self {
            Self::Copies(_) => Refusal::NoRoom,
            Self::Kept(_) => Refusal::TooRisky,
        }
    }

    /// The sites to book at, among those with a place; nothing where they do not suffice.
    fn choose(self, proposals: &[std::result::Result<Proposal, Reason>]) -> Option<Vec<usize>> {
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

/// The copies of one reservation.
pub(super) struct Group {
    parts: Vec<SitePart<Handle>>,
    /// All of them, as they were booked.
    pub(super) replicas: Vec<Replica>,
}

impl Group {
    /// Books the request at the sites that `redundancy` chooses, or says why not.
    pub(super) fn book<R: Ring>(
        sites: &mut [Run<'_, R>],
        redundancy: Redundancy,
        proposals: &[std::result::Result<Proposal, Reason>],
        asked: &JobRequest,
    ) -> Result<std::result::Result<Self, Reason>> {
        let Some(chosen) = redundancy.choose(proposals) else {
            return Ok(Err(redundancy.lacking().into()));
        };
        let request = match sites[chosen[0]].in_slots(asked) {
            Ok(request) => request,
            Err(reason) => return Ok(Err(reason)),
        };
        let mut parts: Vec<SitePart<Handle>> = chosen
            .into_iter()
            .map(|site| SitePart {
                site,
                subtask: 0,
                request,
                stage: Stage::Open,
            })
            .collect();
        let mut speakers = speakers(sites, Some(asked), None);
        let reserved = Application {
            sites: &mut speakers,
            parts: &mut parts,
        }
        .reserve(Span::new(1));
        let refused = speakers.iter().find_map(|site| site.refused);
        sound(speakers)?;
        if reserved.is_err() {
            return Ok(Err(refused.unwrap_or(Refusal::NoRoom.into())));
        }
        let mut replicas = Vec::with_capacity(parts.len());
        for part in &parts {
            if let Stage::Firm(handle) = part.stage {
                replicas.push(sites[part.site].copied(handle, part.site)?);
            }
        }
        Ok(Ok(Self { parts, replicas }))
    }

    /// Whether some copy has not started and may be given back.
    pub(super) fn is_open(&self) -> bool {
        let firm = self
            .parts
            .iter()
            .filter(|part| matches!(part.stage, Stage::Firm(_)));
        firm.count() > 1
    }

    /// Follows what happened to the copy at `site` in a slot.
    pub(super) fn note<R: Ring>(
        &mut self,
        sites: &mut [Run<'_, R>],
        site: usize,
        (news, at): (News, Slot),
    ) -> Result<()> {
        let Some(here) = self.parts.iter().position(|part| part.site == site) else {
            return Ok(());
        };
        let firm = |part: &SitePart<Handle>| matches!(part.stage, Stage::Firm(_));
        let was: Vec<bool> = self.parts.iter().map(firm).collect();
        if news == News::Late {
            let left = was.iter().filter(|firm| **firm).count();
            if let (Stage::Firm(handle), true) = (self.parts[here].stage, left > 1) {
                self.parts[here].stage = Stage::Leaving(handle);
            }
        }
        let mut speakers = speakers(sites, None, Some(at));
        let mut application = Application {
            sites: &mut speakers,
            parts: &mut self.parts,
        };
        match news {
            News::Started => application.started(here),
            News::Late => application.settle(),
        };
        sound(speakers)?;
        let second = sites[site].second(at)?;
        for (index, replica) in self.replicas.iter_mut().enumerate() {
            if was[index] && !firm(&self.parts[index]) {
                replica.until = Some(second);
            }
        }
        Ok(())
    }
}

/// What speaks to a site: books the request that is asked for, and gives copies back in a slot.
struct Speaker<'s, 'a, R: Ring> {
    run: &'s mut Run<'a, R>,
    asked: Option<&'s JobRequest>,
    at: Option<Slot>,
    refused: Option<Reason>,
    /// A defect of the program, which no other site can help.
    broken: Option<Error>,
}

fn speakers<'s, 'a, R: Ring>(
    sites: &'s mut [Run<'a, R>],
    asked: Option<&'s JobRequest>,
    at: Option<Slot>,
) -> Vec<Speaker<'s, 'a, R>> {
    let speaker = |run| Speaker {
        run,
        asked,
        at,
        refused: None,
        broken: None,
    };
    sites.iter_mut().map(speaker).collect()
}

fn sound<R: Ring>(speakers: Vec<Speaker<'_, '_, R>>) -> Result<()> {
    let broken = speakers.into_iter().find_map(|site| site.broken);
    broken.map_or(Ok(()), Err)
}

impl<R: Ring> Site for Speaker<'_, '_, R> {
    type Ticket = Handle;

    fn hold(&mut self, _: &Request, ttl: Span) -> std::result::Result<Handle, SiteError> {
        let Some(asked) = self.asked else {
            return Err(SiteError::NoAnswer);
        };
        match self.run.admit(asked, Commitment::Held { ttl }) {
            Ok(Ok(handle)) => Ok(handle),
            Ok(Err(reason)) => {
                self.refused = Some(reason);
                Err(SiteError::NoAnswer)
            }
            Err(error) => {
                self.broken = Some(error);
                Err(SiteError::NoAnswer)
            }
        }
    }

    fn confirm(&mut self, handle: Handle) -> std::result::Result<(), SiteError> {
        let book = &mut self.run.scheduler.book;
        book.confirm(handle).map_err(SiteError::Refused)
    }

    fn release(&mut self, handle: Handle) -> std::result::Result<(), SiteError> {
        self.broken = self.run.give_back(handle, self.at).err();
        Ok(())
    }
}
