//! Reserving at several sites at once: all of them hold, then all confirm, or none keeps anything.

use crate::{
    book::{Book, Commitment},
    error::Error,
    handle::Handle,
    policy::Policy,
    request::Request,
    ring::Ring,
    time::Span,
};

/// A site at which a part of an application can be reserved: a book, or what speaks to one elsewhere. Each call may fail to
/// reach it, and each answer may be lost.
pub trait Site {
    /// What the site knows a reservation by.
    type Ticket: Copy;

    /// Holds capacity for `request`, for `ttl` slots unless it is confirmed by then.
    ///
    /// # Errors
    ///
    /// A [`SiteError`]. Nobody has the ticket of a hold whose answer is lost: it has to expire by itself.
    fn hold(&mut self, request: &Request, ttl: Span) -> Result<Self::Ticket, SiteError>;

    /// Makes a hold firm.
    ///
    /// # Errors
    ///
    /// A [`SiteError`].
    fn confirm(&mut self, ticket: Self::Ticket) -> Result<(), SiteError>;

    /// Gives a reservation back, held, firm or running; it succeeds when the reservation is over already.
    ///
    /// # Errors
    ///
    /// [`SiteError::NoAnswer`]. It is tried again then.
    fn release(&mut self, ticket: Self::Ticket) -> Result<(), SiteError>;
}

/// Why a site did not do what it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SiteError {
    /// It said no.
    Refused(Error),
    /// It did not answer in time. It may have done it, and may still do it. A site that is not there gives none, either.
    NoAnswer,
}

/// By first fit. A book always answers.
impl<R: Ring> Site for Book<'_, R> {
    type Ticket = Handle;

    fn hold(&mut self, request: &Request, ttl: Span) -> Result<Handle, SiteError> {
        let held = self.reserve(request, Policy::FirstFit, Commitment::Held { ttl });
        held.map(|held| held.handle).map_err(SiteError::Refused)
    }

    fn confirm(&mut self, ticket: Handle) -> Result<(), SiteError> {
        Book::confirm(self, ticket).map_err(SiteError::Refused)
    }

    fn release(&mut self, ticket: Handle) -> Result<(), SiteError> {
        // A stale handle is over.
        let _ = self.cancel(ticket);
        Ok(())
    }
}

/// A replica of a subtask at one site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SitePart<T> {
    /// The place of the site among the sites.
    pub site: usize,
    /// Which subtask it is for. All parts of a subtask do the same, and the first that starts is used.
    pub subtask: u32,
    /// What is reserved for it.
    pub request: Request,
    /// How far it is.
    pub stage: Stage<T>,
}

/// How far the reservation of a part is. A caller that may be restarted keeps it where it is found again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Stage<T> {
    /// Nothing is reserved.
    #[default]
    Open,
    /// It is held, and expires unless it is confirmed.
    Held(T),
    /// It is firm.
    Firm(T),
    /// It is given back, and the site has not yet said that it knows.
    Leaving(T),
    /// It is over, or was never made.
    Over,
}

/// The parts of an application, at several sites.
///
/// ```
/// # use bookahead::{PeCount, Request, Slot, Span};
/// # let mut memory = [bookahead::fixture::memory(), bookahead::fixture::memory()];
/// use bookahead::{Application, SitePart, Stage};
/// let mut sites = memory.each_mut().map(|memory| memory.view());
/// let request = |start| Request {
///     ready: Slot::new(start), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
/// };
/// // One subtask at two sites, and another at one of them.
/// let part = |site, subtask, start| SitePart { site, subtask, request: request(start), stage: Stage::Open };
/// let mut parts = [part(0, 0, 3), part(1, 0, 4), part(1, 1, 12)];
/// let mut application = Application { sites: &mut sites, parts: &mut parts };
/// application.reserve(Span::new(2)).unwrap();
/// // The first part starts, so its replica is given back.
/// assert!(application.started(0));
/// assert_eq!(sites.map(|book| book.len()), [1, 1]);
/// ```
///
/// Source: `xiao`, section 4.2: an application gets all of its subtasks or none.
#[derive(Debug)]
pub struct Application<'m, S: Site> {
    /// The sites.
    pub sites: &'m mut [S],
    /// The parts.
    pub parts: &'m mut [SitePart<S::Ticket>],
}

impl<S: Site> Application<'_, S> {
    /// Reserves all parts or none: all are held for `ttl` slots, and when all are, all are confirmed. Whatever the sites do,
    /// no part stays reserved after a failure, except at sites that do not answer: a hold expires there, and a part that may
    /// have been confirmed is given back by [`settle`](Self::settle). O(parts) calls of sites.
    ///
    /// # Errors
    ///
    /// The place of the part that could not be held or confirmed, and why.
    pub fn reserve(&mut self, ttl: Span) -> Result<(), (usize, SiteError)> {
        let reserved = self.hold(ttl).and_then(|()| self.confirm());
        if reserved.is_err() {
            self.release();
        }
        reserved
    }

    /// Notes that the part at `first` has started: the replicas of its subtask are given back. Returns whether
    /// [all is settled](Self::settle).
    pub fn started(&mut self, first: usize) -> bool {
        let subtask = self.parts.get(first).map(|part| part.subtask);
        let others = self.parts.iter_mut().enumerate();
        for (_, part) in others.filter(|(at, part)| *at != first && Some(part.subtask) == subtask) {
            part.leave();
        }
        self.settle()
    }

    /// Gives all parts back. Returns whether [all is settled](Self::settle).
    pub fn release(&mut self) -> bool {
        self.parts.iter_mut().for_each(SitePart::leave);
        self.settle()
    }

    /// Tells the sites once more what is given back, and returns whether all of them know. Until then, call it again from time
    /// to time. O(parts) calls of sites.
    pub fn settle(&mut self) -> bool {
        let mut settled = true;
        for part in self.parts.iter_mut() {
            if let Stage::Leaving(ticket) = part.stage {
                match ask(self.sites, part.site, |site| site.release(ticket)) {
                    Ok(()) => part.stage = Stage::Over,
                    Err(_) => settled = false,
                }
            }
        }
        settled
    }

    /// The first phase.
    fn hold(&mut self, ttl: Span) -> Result<(), (usize, SiteError)> {
        for (at, part) in self.parts.iter_mut().enumerate() {
            let held = ask(self.sites, part.site, |site| site.hold(&part.request, ttl));
            part.stage = held.map_or(Stage::Over, Stage::Held);
            held.map_err(|error| (at, error))?;
        }
        Ok(())
    }

    /// The second phase.
    fn confirm(&mut self) -> Result<(), (usize, SiteError)> {
        for (at, part) in self.parts.iter_mut().enumerate() {
            if let Stage::Held(ticket) = part.stage {
                let confirmed = ask(self.sites, part.site, |site| site.confirm(ticket));
                confirmed.map_err(|error| (at, error))?;
                part.stage = Stage::Firm(ticket);
            }
        }
        Ok(())
    }
}

impl<T: Copy> SitePart<T> {
    /// What is reserved is to be given back. One whose confirmation failed counts as reserved: nobody knows.
    fn leave(&mut self) {
        self.stage = match self.stage {
            Stage::Held(ticket) | Stage::Firm(ticket) | Stage::Leaving(ticket) => {
                Stage::Leaving(ticket)
            }
            Stage::Open | Stage::Over => Stage::Over,
        };
    }
}

/// Asks the site at a place.
fn ask<S, T>(
    sites: &mut [S],
    at: usize,
    call: impl FnOnce(&mut S) -> Result<T, SiteError>,
) -> Result<T, SiteError> {
    sites.get_mut(at).map_or(Err(SiteError::NoAnswer), call)
}
