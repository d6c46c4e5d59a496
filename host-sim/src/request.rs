//! What a job asks for as files and models state it: seconds, not slots.

use std::sync::Arc;

use crate::{layout::Asks, several::MOST_RESOURCES};

/// What arrives, in order of arrival.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Demand {
    /// A request to reserve.
    Reserve(JobRequest),
    /// A request to reserve that is given up unless it is confirmed in time.
    Hold(Hold),
    /// A job that runs when there is room.
    BestEffort(BestEffortRequest),
}

/// One request of the input, in seconds; the real run time beside the booked one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobRequest {
    /// Number of the job in its input.
    pub job_id: u64,
    /// When the request is made (s).
    pub arrival: u64,
    /// Earliest start (s).
    pub ready: u64,
    /// Length asked for (s): what is booked, or the longest that is of use.
    pub duration: u64,
    /// Shortest length that is of use (s), where the longest that fits is granted; nothing where `duration` alone will do.
    pub shortest: Option<u64>,
    /// Latest end, exclusive (s).
    pub deadline: u64,
    /// Processing elements.
    pub pes: u64,
    /// How long the job really runs (s), equal to `duration` where the input does not say; where no job may take longer than was booked, it is stopped then.
    pub run: u64,
    /// Whether its start may still change inside its window after it has been accepted, where the strategy moves reservations.
    pub flexible: bool,
    /// Whether it goes away when it is refused, where others wait for room.
    pub impatient: bool,
    /// Whose it is, where the input says so.
    pub user: Option<u64>,
    /// What it asks of its processing elements on a machine with a layout; nothing where any will do.
    pub asks: Option<Arc<Asks>>,
    /// Whose quotas it is charged to, where it is: the number of a principal of the system.
    pub principal: Option<usize>,
    /// How much it needs of each further resource of the system; nothing where it needs none.
    pub needs: Option<Arc<[u32]>>,
}

/// A request whose reservation is held for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// What is asked for.
    pub request: JobRequest,
    /// How long it is held (s), rounded up to whole slots; until its start where nothing is said.
    pub ttl: Option<u64>,
}

/// One job that is queued, in seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestEffortRequest {
    /// Number of the job in its input.
    pub job_id: u64,
    /// When it is submitted (s).
    pub arrival: u64,
    /// Processing elements.
    pub pes: u64,
    /// How long it is expected to run (s): what is booked when it starts.
    pub estimate: u64,
    /// How long it would really run (s); it is stopped at `estimate`.
    pub run: u64,
    /// From when to when it may run (s): it is queued when that begins, and removed when its latest start has passed.
    pub window: Option<[u64; 2]>,
    /// Whether it is left alone where reservations that find no other room may end jobs of the queue.
    pub pinned: bool,
    /// How long it runs at least before such a reservation may end it (s), where the input says so.
    pub min_run: Option<u64>,
    /// Whose it is, where the input says so.
    pub user: Option<u64>,
    /// What it asks of its processing elements on a machine with a layout; nothing where any will do. Never exactly these.
    pub asks: Option<Arc<Asks>>,
}

impl JobRequest {
    /// The same as a job of the queue that has its window and no promise.
    #[must_use]
    pub fn without_promise(&self) -> BestEffortRequest {
        BestEffortRequest {
            job_id: self.job_id,
            arrival: self.arrival,
            pes: self.pes,
            estimate: self.duration,
            run: self.run,
            window: Some([self.ready, self.deadline]),
            user: self.user,
            asks: self.asks.clone(),
            ..BestEffortRequest::default()
        }
    }

    /// How much it needs of each resource beside the machine.
    #[must_use]
    pub fn needed(&self) -> [u32; MOST_RESOURCES] {
        let needs = self.needs.as_deref().unwrap_or_default();
        std::array::from_fn(|place| needs.get(place).copied().unwrap_or(0))
    }

    /// Shortest length that is of use (s).
    #[must_use]
    pub fn least_duration(&self) -> u64 {
        self.shortest.unwrap_or(self.duration)
    }
}

impl BestEffortRequest {
    /// From when on it is queued (s).
    pub(crate) fn queued_from(&self) -> u64 {
        let ready = self.window.map_or(0, |[ready, _]| ready);
        ready.max(self.arrival)
    }

    /// How long it runs at least before a reservation may end it (s), if one may; `otherwise`, where it does not say.
    #[must_use]
    pub fn least_run(&self, otherwise: Option<u64>) -> Option<u64> {
        let least = otherwise.filter(|_| !self.pinned)?;
        Some(self.min_run.unwrap_or(least))
    }

    /// What it would ask for if it reserved, where it has a window.
    #[must_use]
    pub fn as_request(&self) -> Option<JobRequest> {
        let [ready, deadline] = self.window?;
        Some(JobRequest {
            job_id: self.job_id,
            arrival: self.arrival,
            ready,
            duration: self.estimate,
            deadline,
            pes: self.pes,
            run: self.run,
            user: self.user,
            ..JobRequest::default()
        })
    }
}

impl Demand {
    /// When it has to be over at the latest (s), if it has to.
    #[must_use]
    pub fn deadline(&self) -> Option<u64> {
        match self {
            Self::Reserve(request) | Self::Hold(Hold { request, .. }) => Some(request.deadline),
            Self::BestEffort(job) => job.window.map(|[_, deadline]| deadline),
        }
    }

    /// The request to reserve; nothing for a best-effort job.
    #[must_use]
    pub const fn request(&self) -> Option<&JobRequest> {
        match self {
            Self::Reserve(request) | Self::Hold(Hold { request, .. }) => Some(request),
            Self::BestEffort(_) => None,
        }
    }

    /// What it asks of its processing elements on a machine with a layout.
    #[must_use]
    pub fn asks(&self) -> Option<&Asks> {
        match self {
            Self::Reserve(request) | Self::Hold(Hold { request, .. }) => request.asks.as_deref(),
            Self::BestEffort(job) => job.asks.as_deref(),
        }
    }

    /// Number of the job in its input.
    #[must_use]
    pub const fn job_id(&self) -> u64 {
        match self {
            Self::Reserve(request) | Self::Hold(Hold { request, .. }) => request.job_id,
            Self::BestEffort(job) => job.job_id,
        }
    }

    /// When it arrives (s).
    #[must_use]
    pub const fn arrival(&self) -> u64 {
        match self {
            Self::Reserve(request) | Self::Hold(Hold { request, .. }) => request.arrival,
            Self::BestEffort(job) => job.arrival,
        }
    }

    /// Processing elements asked for.
    #[must_use]
    pub const fn pes(&self) -> u64 {
        match self {
            Self::Reserve(request) | Self::Hold(Hold { request, .. }) => request.pes,
            Self::BestEffort(job) => job.pes,
        }
    }

    /// Time asked for (s).
    #[must_use]
    pub const fn duration(&self) -> u64 {
        match self {
            Self::Reserve(request) | Self::Hold(Hold { request, .. }) => request.duration,
            Self::BestEffort(job) => job.estimate,
        }
    }

    /// Whose it is, where the input says so.
    #[must_use]
    pub const fn user(&self) -> Option<u64> {
        match self {
            Self::Reserve(request) | Self::Hold(Hold { request, .. }) => request.user,
            Self::BestEffort(job) => job.user,
        }
    }

    /// How long the job would really run (s).
    #[must_use]
    pub const fn run(&self) -> u64 {
        match self {
            Self::Reserve(request) | Self::Hold(Hold { request, .. }) => request.run,
            Self::BestEffort(job) => job.run,
        }
    }
}
