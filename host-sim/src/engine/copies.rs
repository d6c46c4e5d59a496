//! Copies of a reservation at several sites, of which the first that starts on time is used.
//!
//! All of them are booked in two phases, or none. When one starts, the others are given back; so is one whose start is late, as long as
//! there are others.
//!
//! Source: `xiao`, section 4.2.

use std::result::Result as Answer;

use bookahead::{
    Application, Handle, Refusal, Request, Site, SiteError, SitePart, Slot, Span, Stage, raw::Ring,
};

use super::{
    drive::{CopyEvent, Run},
    outcome::{Reason, Replica},
    redundancy::Redundancy,
    rounding,
    strategy::Proposal,
};
use crate::{
    error::{Error, Result},
    request::JobRequest,
};

/// The copies of one reservation.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Copies {
    parts: Vec<SitePart<Handle>>,
    /// All of them, as they were booked.
    pub(super) replicas: Vec<Replica>,
}

impl Copies {
    /// Books the request at the sites that `redundancy` chooses, or says why not.
    pub(super) fn book<R: Ring>(
        sites: &mut [Run<'_, R>],
        redundancy: Redundancy,
        proposals: &[Answer<Proposal, Reason>],
        asked: &JobRequest,
    ) -> Result<Answer<Self, Reason>> {
        let Some(chosen) = redundancy.choose(proposals) else {
            return Ok(Err(redundancy.lacking().into()));
        };
        let request = match rounding::in_slots(sites[chosen[0]].scheduler.clock, asked) {
            Ok(request) => request,
            Err(reason) => return Ok(Err(reason.into())),
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
        (news, at): (CopyEvent, Slot),
    ) -> Result<()> {
        let Some(here) = self.parts.iter().position(|part| part.site == site) else {
            return Ok(());
        };
        let firm = |part: &SitePart<Handle>| matches!(part.stage, Stage::Firm(_));
        let was: Vec<bool> = self.parts.iter().map(firm).collect();
        if news == CopyEvent::Late {
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
            CopyEvent::Started => application.started(here),
            CopyEvent::Late => application.settle(),
        };
        sound(speakers)?;
        let second = sites[site].scheduler.seconds(at)?;
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

    fn hold(&mut self, _: &Request, ttl: Span) -> Answer<Handle, SiteError> {
        let Some(asked) = self.asked else {
            return Err(SiteError::NoAnswer);
        };
        match self.run.admit(asked, Some(ttl)) {
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

    fn confirm(&mut self, handle: Handle) -> Answer<(), SiteError> {
        let book = &mut self.run.scheduler.book;
        book.confirm(handle).map_err(SiteError::Refused)
    }

    fn release(&mut self, handle: Handle) -> Answer<(), SiteError> {
        self.broken = self.run.give_back(handle, self.at).err();
        Ok(())
    }
}
