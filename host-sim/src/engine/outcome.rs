//! What became of each demand, in seconds again.

use bookahead::{ClassError, Error, Money, Probability};

use crate::{
    outage::Breaker,
    request::{BestEffortRequest, Demand, JobRequest},
    several::Refuser,
};

/// One demand and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What was asked.
    pub demand: Demand,
    /// The place that it got, or why there is none.
    pub decision: Result<Placed, Reason>,
}

/// Why a demand got no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Reason {
    /// It fits its window in seconds, but not in whole slots.
    LostToRounding,
    /// No group of the machine has what it asks of each, or groups that it asks for as a whole differ.
    Class(ClassError),
    /// The kernel's own reason.
    Kernel(Error),
    /// The same, where several books are decided as one, with the one of them that refused.
    Several(Error, Refuser),
    /// It waited for room, and its latest start passed.
    GaveUp(Waited),
    /// It was queued, and its latest start passed.
    RemovedLate,
}

/// What is known of a request that waited for room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Waited {
    /// Why it was refused at first.
    pub reason: Error,
    /// Its priority: higher ones were tried first.
    pub key: u32,
}

/// A promise made to a request that had been refused and waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Late {
    /// When it was made (s), a slot edge.
    pub at: u64,
    /// Why and with which priority it waited.
    pub waited: Waited,
}

/// Why a job of the queue that has a window never ran.
pub(crate) const REMOVED_LATE: &str = "removed-late";

impl Reason {
    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LostToRounding => "lost-to-rounding",
            Self::RemovedLate => REMOVED_LATE,
            Self::Class(reason) => reason.name(),
            Self::Kernel(reason)
            | Self::Several(reason, _)
            | Self::GaveUp(Waited { reason, .. }) => reason.name(),
        }
    }
}

impl Reason {
    /// The same, said by one of several books where it is the kernel's.
    pub(super) const fn of(self, by: Refuser) -> Self {
        match self {
            Self::Kernel(reason) => Self::Several(reason, by),
            _ => self,
        }
    }

    /// Which of several books refused, where that is one of them.
    #[must_use]
    pub const fn refuser(&self) -> Option<Refuser> {
        match self {
            Self::Several(_, by) => Some(*by),
            _ => None,
        }
    }
}

impl<E: Into<Error>> From<E> for Reason {
    fn from(reason: E) -> Self {
        Self::Kernel(reason.into())
    }
}

/// The place of an accepted reservation, or of a best-effort job that ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Placed {
    /// The start that was booked, a slot edge (s): the promise made to a reservation.
    pub start: u64,
    /// The booked end, a slot edge (s).
    pub end: u64,
    /// The site, from 0 on.
    pub site: u16,
    /// When the job really started, by the kernel's event (s).
    pub began: u64,
    /// How long it ran from then on (s).
    pub ran: u64,
    /// The processing elements it ran on, as inclusive ranges in increasing order.
    pub pes: Vec<(u16, u16)>,
    /// What it cost: for a reservation the slots booked at acceptance, for a best-effort job the minutes it ran, begun ones included.
    pub price: Money,
    /// From when to when it may run (s), where that was suggested instead of what was asked for.
    pub agreed: Option<[u64; 2]>,
    /// What was promised to a reservation on top of others; nothing where all of it had room.
    pub overlay: Option<Overlaid>,
    /// Its copies at all sites where it was booked, its own included; none where it was booked once.
    pub replicas: Vec<Replica>,
    /// When it was promised, if that was late.
    pub late: Option<Late>,
    /// The start for which it was first planned (s), of a job of a queue that plans.
    pub planned: Option<u64>,
    /// What became of the promise; nothing where no operation changed it and nothing ended before its start.
    pub changed: Option<Box<Changed>>,
}

/// A reservation on top of others that will probably end early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Overlaid {
    /// How many of its processing elements others had.
    pub pes: u16,
    /// How probable it was, when it was accepted, that the promise would be kept.
    #[serde(with = "in_bits")]
    pub probability: Probability,
    /// How the promise was broken, if it was.
    pub breach: Option<Breach>,
    /// What its user is paid for that.
    pub compensation: Money,
}

/// A copy of a reservation at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Replica {
    /// The site, from 0 on.
    pub site: u16,
    /// The start that was booked (s).
    pub start: u64,
    /// The booked end (s).
    pub end: u64,
    /// How many of its processing elements others had.
    pub overlaid: u16,
    /// When it was given back (s); nothing for the one that was used.
    pub until: Option<u64>,
}

/// How the promise made to a reservation on top of others is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Breach {
    /// Its processing elements were not free at its start.
    LateStart,
    /// It was stopped for another.
    CutShort,
}

impl Breach {
    /// Both.
    pub const ALL: [Self; 2] = [Self::LateStart, Self::CutShort];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LateStart => "late-start",
            Self::CutShort => "cut-short",
        }
    }
}

/// What operations and time made of a reservation after its acceptance.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Changed {
    /// The start that was booked in the end (s).
    pub start: u64,
    /// When it became fixed before it came (s); nothing where nothing fixed it earlier.
    pub fixed_at: Option<u64>,
    /// Processing elements granted at acceptance.
    pub pes: u64,
    /// What was booked in the end: nothing of what was given back before its start, and one stretch for each number of processing
    /// elements.
    pub booked: Vec<Stretch>,
    /// Processing elements that it gave back while it ran.
    pub given_back: Vec<GivenBack>,
    /// How it ended.
    pub ended: Ended,
}

/// Processing elements for a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Stretch {
    /// When it begins (s).
    pub start: u64,
    /// When it is over (s).
    pub end: u64,
    /// How many processing elements.
    pub pes: u64,
}

/// Processing elements that a running job gave back.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct GivenBack {
    /// Until when it had them (s).
    pub until: u64,
    /// Which, as inclusive ranges in increasing order.
    pub pes: Vec<(u16, u16)>,
}

/// How a reservation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Ended {
    /// Its job ran to its end, wherever that was in the end.
    Over,
    /// It was cancelled, before its start or while it ran.
    Cancelled,
    /// It was held and not confirmed in time.
    Expired,
    /// It was on top of others, which had its processing elements for all of its time.
    Missed,
    /// It was in the way of what cannot wait, and there was no other place for it.
    Broken {
        /// What that was.
        by: Breaker,
        /// When that happened (s).
        at: u64,
    },
}

impl Placed {
    /// When the job was really over (s).
    #[must_use]
    pub fn finish(&self) -> u64 {
        self.began + self.ran
    }

    /// How many of the `asked` seconds it was granted: fewer where an elastic reservation was reduced, or fewer would do.
    #[must_use]
    pub fn granted(&self, asked: u64) -> u64 {
        asked.min(self.end - self.start)
    }

    /// The latest of the starts that were booked (s): with several copies, one of them may start in place of another.
    #[must_use]
    pub fn latest_start(&self) -> u64 {
        let starts = self.replicas.iter().map(|replica| replica.start);
        starts.max().unwrap_or(self.start)
    }

    /// How much later it started than it was first planned (s), where it was planned.
    #[must_use]
    pub fn drift(&self) -> Option<i64> {
        Some(self.began.wrapping_sub(self.planned?).cast_signed())
    }

    /// How the promise was broken, if it was.
    #[must_use]
    pub fn breach(&self) -> Option<Breach> {
        self.overlay?.breach
    }

    /// Whether its job ran to its end by `deadline`.
    #[must_use]
    pub fn keeps(&self, deadline: u64) -> bool {
        let over = self.changed.as_ref();
        let over = over.is_none_or(|changed| changed.ended == Ended::Over);
        let whole = over && self.breach() != Some(Breach::CutShort);
        self.has_run() && whole && self.finish() <= deadline
    }

    /// Whether it is less than was asked for.
    #[must_use]
    pub fn is_less_than(&self, request: &JobRequest) -> bool {
        self.granted_pes() < request.pes || self.granted(request.duration) < request.duration
    }

    /// How many processing elements it ran on to its end; none where it never ran.
    #[must_use]
    pub fn width(&self) -> u64 {
        width(&self.pes)
    }

    /// How many processing elements it was granted when it was accepted.
    #[must_use]
    pub fn granted_pes(&self) -> u64 {
        let changed = self.changed.as_ref();
        changed.map_or_else(|| self.width(), |changed| changed.pes)
    }

    /// The start that was booked in the end (s).
    #[must_use]
    pub fn final_start(&self) -> u64 {
        self.changed
            .as_ref()
            .map_or(self.start, |changed| changed.start)
    }

    /// When its start became fixed (s): at the start itself where nothing fixed it earlier.
    #[must_use]
    pub fn fixed_at(&self) -> u64 {
        let fixed_at = self.changed.as_ref().and_then(|changed| changed.fixed_at);
        fixed_at.unwrap_or_else(|| self.final_start())
    }

    /// What broke the promise, if something did, and when (s).
    #[must_use]
    pub fn broken(&self) -> Option<(Breaker, u64)> {
        match self.changed.as_ref()?.ended {
            Ended::Broken { by, at } => Some((by, at)),
            _ => None,
        }
    }

    /// Whether it ran at all, which every job does that nobody cancels or leaves unconfirmed.
    #[must_use]
    pub fn has_run(&self) -> bool {
        !self.pes.is_empty()
    }

    /// What was booked in the end.
    pub fn booked(&self) -> impl Iterator<Item = Stretch> {
        let promised = self.changed.is_none().then(|| Stretch {
            start: self.start,
            end: self.end,
            pes: self.width(),
        });
        let changed = self.changed.iter().flat_map(|changed| &changed.booked);
        promised.into_iter().chain(changed.copied())
    }

    /// What was used.
    pub fn used(&self) -> impl Iterator<Item = Stretch> {
        let kept = self.has_run().then(|| Stretch {
            start: self.began,
            end: self.finish(),
            pes: self.width(),
        });
        let given_back = self.changed.iter().flat_map(|changed| &changed.given_back);
        let given_back = given_back.map(|given_back| Stretch {
            start: self.began,
            end: given_back.until,
            pes: width(&given_back.pes),
        });
        kept.into_iter().chain(given_back)
    }
}

impl Stretch {
    /// Processing elements x seconds.
    #[must_use]
    pub fn pe_seconds(&self) -> u64 {
        let seconds = self.end.saturating_sub(self.start);
        seconds.saturating_mul(self.pes)
    }
}

/// How many numbers lie in inclusive ranges.
pub(super) fn width(ranges: &[(u16, u16)]) -> u64 {
    let steps = ranges.iter().map(|(first, last)| last - first);
    steps.map(|steps| u64::from(steps) + 1).sum()
}

impl Outcome {
    /// The request to reserve, and its place or the reason for refusing it; nothing for a best-effort job.
    #[must_use]
    pub fn reservation(&self) -> Option<(&JobRequest, Result<&Placed, Reason>)> {
        let request = self.demand.request()?;
        Some((request, self.decision.as_ref().map_err(|why| *why)))
    }

    /// The reservation where it is one that was accepted.
    #[must_use]
    pub fn accepted(&self) -> Option<(&JobRequest, &Placed)> {
        let (request, decision) = self.reservation()?;
        Some((request, decision.ok()?))
    }

    /// What is known of its waiting, of a request that was refused and waited.
    #[must_use]
    pub fn waited(&self) -> Option<Waited> {
        match &self.decision {
            Ok(placed) => placed.late.map(|late| late.waited),
            Err(Reason::GaveUp(waited)) => Some(*waited),
            Err(_) => None,
        }
    }

    /// The best-effort job, and its place or the reason why it can never run; nothing for a reservation.
    #[must_use]
    pub fn best_effort(&self) -> Option<(&BestEffortRequest, Result<&Placed, Reason>)> {
        match &self.demand {
            Demand::Reserve(_) | Demand::Hold(_) => None,
            Demand::BestEffort(job) => Some((job, self.decision.as_ref().map_err(|why| *why))),
        }
    }
}

/// Probabilities as whole numbers.
pub(super) mod in_bits {
    use bookahead::Probability;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    /// What stands for certainty.
    const WHOLE: u32 = 1 << 31;

    pub(crate) fn serialize<S: Serializer>(
        probability: &Probability,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.serialize_u32(probability.get().to_bits())
    }

    pub(crate) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Probability, D::Error> {
        let bits = u32::deserialize(from)?;
        let probability = Probability::rounding_down(bits, WHOLE);
        probability.ok_or_else(|| D::Error::custom("expected a probability"))
    }
}
