//! jobs.csv: Batsim's job table, which evalys and similar tools read, with the rejected jobs.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, de::Error};

use super::{Bit, Cell, Decimal, Metadata, PeRanges, Row};

/// One job; columns by name and in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Job<'a> {
    pub(crate) job_id: u64,
    pub(crate) workload_name: Cow<'a, str>,
    pub(crate) profile: Profile,
    pub(crate) submission_time: u64,
    pub(crate) requested_number_of_resources: u64,
    pub(crate) requested_time: u64,
    pub(crate) success: Bit,
    pub(crate) final_state: Cow<'static, str>,
    pub(crate) starting_time: Option<u64>,
    pub(crate) execution_time: Option<u64>,
    pub(crate) finish_time: Option<u64>,
    pub(crate) waiting_time: Option<u64>,
    pub(crate) turnaround_time: Option<u64>,
    pub(crate) stretch: Option<Decimal>,
    pub(crate) allocated_resources: PeRanges,
    pub(crate) consumed_energy: Cow<'static, str>,
    pub(crate) metadata: Metadata,
    // On a machine with a layout: the groups in which its processing elements lie.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) groups: Option<PeRanges>,
    // Where there are several sites.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) site: Cell<u64>,
}

/// Batsim asks which profile a job runs; here that is how it got its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Profile {
    Reservation,
    /// The second part of a reservation that was split.
    Split,
    BestEffort,
}

impl<'de> Deserialize<'de> for Profile {
    fn deserialize<D: Deserializer<'de>>(cell: D) -> Result<Self, D::Error> {
        Ok(match &*Cow::<str>::deserialize(cell)? {
            "reservation" => Self::Reservation,
            "split" => Self::Split,
            "best-effort" => Self::BestEffort,
            _ => return Err(Error::custom("one of reservation, split, best-effort")),
        })
    }
}

impl Row for Job<'static> {
    const COLUMNS: &'static [&'static str] = &[
        "job_id",
        "workload_name",
        "profile",
        "submission_time",
        "requested_number_of_resources",
        "requested_time",
        "success",
        "final_state",
        "starting_time",
        "execution_time",
        "finish_time",
        "waiting_time",
        "turnaround_time",
        "stretch",
        "allocated_resources",
        "consumed_energy",
        "metadata",
    ];
}

impl Job<'_> {
    /// Whether it was queued; the others were reserved.
    pub(crate) fn is_best_effort(&self) -> bool {
        self.profile == Profile::BestEffort
    }

    /// What it used: PEs it had to its finish, and those it gave back before.
    pub(crate) fn pe_seconds(&self) -> u64 {
        let [start, finish] = self.ran().unwrap_or_default();
        let kept = (finish, self.allocated_resources.width());
        let given_back = self.metadata.given_back.iter();
        let given_back = given_back.map(|back| (back.until, back.pes.width()));
        let uses = given_back.chain([kept]);
        uses.map(|(until, pes)| until.saturating_sub(start).saturating_mul(pes))
            .fold(0, u64::saturating_add)
    }

    /// When it came to the queue (s): one with a window at its ready time.
    pub(crate) fn queued_at(&self) -> u64 {
        let ready = self.metadata.window().map_or(0, |[ready, _]| ready);
        ready.max(self.submission_time)
    }

    /// Start and finish, of a job that ran.
    pub(crate) fn ran(&self) -> Option<[u64; 2]> {
        Some([self.starting_time?, self.finish_time?])
    }
}
