//! reservations.csv: every request with its decision; start and end are the promise made at acceptance.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, de::Error};

use super::{Bit, Cell, Decimal, Price, Row};
use crate::{engine::Breach, layout, outage::Breaker, several::MACHINE};

/// One request; columns by name and in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Reservation {
    pub(crate) job_id: u64,
    pub(crate) arrival: u64,
    pub(crate) ready: u64,
    pub(crate) duration: u64,
    pub(crate) deadline: u64,
    pub(crate) pes: u64,
    pub(crate) decision: Decision,
    pub(crate) reason: Cow<'static, str>,
    pub(crate) start: Option<u64>,
    pub(crate) end: Option<u64>,
    pub(crate) slowdown: Option<Decimal>,
    // Where requests leave their length open: the shortest that is of use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) duration_min: Cell<u64>,
    // There, and where a strategy can reduce: what was granted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) granted_duration: Cell<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) granted_pes: Cell<u64>,
    // Where there are prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) price: Cell<Price>,
    // Where the strategy moves reservations: whether this one may be moved, and the window agreed on instead of the one asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) flexible: Option<Bit>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) agreed_ready: Cell<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) agreed_deadline: Cell<u64>,
    // Where there are holds or operations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) op: Option<Kind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ttl: Cell<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) promised_latest_start: Cell<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) final_start: Cell<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fixed_at: Cell<u64>,
    // Where processing elements may leave, or jobs go on by force: what broke the promise, and when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) broken_by: Cell<Breaker>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) broken_at: Cell<u64>,
    // Where requests wait: whether this one may, with which key it did, and when it was promised late.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) wait: Option<Bit>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) wait_key: Cell<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) promised_at: Cell<u64>,
    // Where users have priorities by what they were promised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) user: Cell<u64>,
    // On a machine with a layout: what is asked of its processing elements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) partition: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) exclude: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) groups: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) per_group: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) within: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) prefer: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) on: Option<Cow<'static, str>>,
    // Where there are quotas, and resources beside the machine: whose it is, what it needs of them, and which of them refused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) principal: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) needs: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) refused_by: Option<Cow<'static, str>>,
    // Where there are several sites.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) site: Cell<u64>,
    // Where reservations may lie on top of others: how many of its PEs others had, how probably it would be kept, what came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) actual_end: Cell<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) overlaid_pes: Cell<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) probability: Cell<Decimal>,
    // Of each reservation where there are several sites, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) violated: Cell<Bit>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) violation: Option<Cow<'static, str>>,
    // Where late starts are compensated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) compensation: Cell<Price>,
}

/// What became of a request or of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Decision {
    Accepted,
    Refused,
    PromisedLate,
    GaveUp,
}

impl<'de> Deserialize<'de> for Decision {
    fn deserialize<D: Deserializer<'de>>(cell: D) -> Result<Self, D::Error> {
        match &*Cow::<str>::deserialize(cell)? {
            "accepted" => Ok(Self::Accepted),
            "refused" => Ok(Self::Refused),
            "promised-late" => Ok(Self::PromisedLate),
            "gave-up" => Ok(Self::GaveUp),
            _ => Err(Error::custom(
                "one of accepted, refused, promised-late, gave-up",
            )),
        }
    }
}

/// How firmly it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    Reserve,
    Hold,
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(cell: D) -> Result<Self, D::Error> {
        match &*Cow::<str>::deserialize(cell)? {
            "reserve" => Ok(Self::Reserve),
            "hold" => Ok(Self::Hold),
            _ => Err(Error::custom("reserve, hold or an empty cell")),
        }
    }
}

impl Row for Reservation {
    const COLUMNS: &'static [&'static str] = &[
        "job_id", "arrival", "ready", "duration", "deadline", "pes", "decision", "reason", "start",
        "end", "slowdown",
    ];
}

impl Reservation {
    pub(crate) fn is_accepted(&self) -> bool {
        matches!(self.decision, Decision::Accepted | Decision::PromisedLate)
    }

    /// Whether it was refused at first, and waited.
    pub(crate) fn has_waited(&self) -> bool {
        matches!(self.decision, Decision::PromisedLate | Decision::GaveUp)
    }

    /// When it was promised a start: at its arrival, or later.
    pub(crate) fn promised_at(&self) -> u64 {
        self.promised_at.flatten().unwrap_or(self.arrival)
    }

    /// Whether it is given up unless it is confirmed in time.
    pub(crate) fn is_hold(&self) -> bool {
        self.op == Some(Kind::Hold)
    }

    /// Whether a strategy may move it after its acceptance; a held one stays where it is.
    pub(crate) fn is_flexible(&self) -> bool {
        self.flexible == Some(Bit(true)) && !self.is_hold()
    }

    /// What it asks of its processing elements, as the cells of request files say it; empty without a layout.
    pub(crate) fn asks(&self) -> [&str; layout::COLUMNS.len()] {
        let cells = [
            &self.partition,
            &self.exclude,
            &self.groups,
            &self.per_group,
            &self.within,
            &self.prefer,
            &self.on,
        ];
        cells.map(|cell| cell.as_deref().unwrap_or_default())
    }

    /// Whether it asks for exactly these processing elements, from its ready time on.
    pub(crate) fn is_exact(&self) -> bool {
        self.on.as_deref().is_some_and(|on| !on.is_empty())
    }

    /// Whether it was the machine that refused, of several books that were decided as one.
    pub(crate) fn is_refused_by_machine(&self) -> bool {
        self.refused_by.as_deref() == Some(MACHINE)
    }

    /// What broke the promise, and when.
    pub(crate) fn broken(&self) -> Option<(Breaker, u64)> {
        Some((self.broken_by.flatten()?, self.broken_at.flatten()?))
    }

    /// The window that was agreed on instead of the one asked for.
    pub(crate) fn agreed(&self) -> Option<[u64; 2]> {
        Some([
            self.agreed_ready.flatten()?,
            self.agreed_deadline.flatten()?,
        ])
    }

    /// From when to when it may run.
    pub(crate) fn window(&self) -> [u64; 2] {
        self.agreed().unwrap_or([self.ready, self.deadline])
    }

    /// The start and the end that were booked.
    pub(crate) fn booked(&self) -> Option<[u64; 2]> {
        Some([self.start?, self.end?])
    }

    /// How many of its processing elements others had, where it was accepted on top of others.
    pub(crate) fn overlaid(&self) -> Option<u64> {
        self.overlaid_pes.flatten().filter(|pes| *pes > 0)
    }

    pub(crate) fn is_overlay(&self) -> bool {
        self.overlaid().is_some()
    }

    /// How the promise to one on top of others was broken, if it was.
    pub(crate) fn breach(&self) -> Option<Breach> {
        let said = self.violation.as_deref()?;
        Breach::ALL.into_iter().find(|breach| breach.name() == said)
    }

    /// The start that was booked in the end.
    pub(crate) fn last_start(&self) -> Option<u64> {
        self.final_start.flatten().or(self.start)
    }

    /// Seconds and processing elements asked for.
    pub(crate) fn asked(&self) -> [u64; 2] {
        [self.duration, self.pes]
    }

    /// The shortest length that is of use, where the longest that fits is granted.
    pub(crate) fn shortest(&self) -> Option<u64> {
        self.duration_min.flatten()
    }

    /// The shortest length that is of use.
    pub(crate) fn least_duration(&self) -> u64 {
        self.shortest().unwrap_or(self.duration)
    }

    /// What waiting is compared with: the length asked for, or what was granted of a range.
    pub(crate) fn judged_duration(&self) -> u64 {
        match self.shortest() {
            None => self.duration,
            Some(_) => self.granted()[0],
        }
    }

    /// Seconds and processing elements granted; all that was asked for where nothing less can be granted.
    pub(crate) fn granted(&self) -> [u64; 2] {
        [
            self.granted_duration.flatten().unwrap_or(self.duration),
            self.granted_pes.flatten().unwrap_or(self.pes),
        ]
    }

    /// How long after its ready time it starts at `start` (s); negative where another window has put that before it. In floats, since any
    /// numbers may stand in a file.
    pub(crate) fn waiting_from(&self, start: u64) -> f64 {
        let wait = start.saturating_sub(self.ready) as f64;
        let ahead = self.ready.saturating_sub(start) as f64;
        wait - ahead
    }

    /// (wait + duration) / duration, with the wait until `start`.
    pub(crate) fn slowdown_from(&self, start: u64) -> f64 {
        let duration = self.judged_duration() as f64;
        (self.waiting_from(start) + duration) / duration
    }
}
