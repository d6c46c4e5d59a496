//! In which order requests wait for room, and jobs of the queue for their turns.

use std::{collections::HashMap, fmt, sync::Arc};

use bookahead::Slot;

use super::system::MINUTE;

/// By what waiting requests and queued jobs are ordered; those of equal rank in the order in which they came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Priority {
    /// Whoever came first.
    Age,
    /// Whoever asks for the most processing elements.
    Size,
    /// Whose user had been given the fewest PE-minutes when the request began to wait: those promised, and for a queued job also those of jobs that had started. Those
    /// of no known user are of one user.
    User,
    /// By keys that somebody gives, the highest first.
    Given(Arc<Keys>),
}

/// Keys of users or of jobs; whoever has none has 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// Whose keys they are.
    pub of: KeyOwner,
    /// The keys by number.
    pub keys: HashMap<u64, u32>,
}

impl Keys {
    /// The key of a request or job.
    pub(crate) fn of(&self, job_id: u64, user: Option<u64>) -> Option<u32> {
        let number = match self.of {
            KeyOwner::User => user,
            KeyOwner::Job => Some(job_id),
        };
        number.and_then(|number| self.keys.get(&number)).copied()
    }
}

/// Whose a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOwner {
    /// A user's.
    User,
    /// A job's.
    Job,
}

impl Priority {
    /// Those that have a name of their own.
    pub const NAMED: [Self; 3] = [Self::Age, Self::Size, Self::User];

    /// The name in commands and files.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Age => "age",
            Self::Size => "size",
            Self::User => "user",
            Self::Given(_) => "file",
        }
    }

    /// The key of a request or job whose user has been given so many PE-seconds.
    pub(super) fn key(&self, (job_id, user, pes): (u64, Option<u64>, u64), given: u64) -> u32 {
        match self {
            Self::Age => 0,
            Self::Size => pes.try_into().unwrap_or(u32::MAX),
            Self::User => user_key(given),
            Self::Given(keys) => keys.of(job_id, user).unwrap_or(0),
        }
    }
}

/// PE-seconds that each user has been given.
#[derive(Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Given {
    /// Whether anybody asks how many there were before a slot.
    dated: bool,
    /// Of those, the promised ones.
    promised: HashMap<Option<u64>, u64>,
    /// How many by the end of each slot in which there were more.
    by: HashMap<Option<u64>, Vec<(Slot, u64)>>,
}

impl Given {
    /// Nothing so far; where `dated`, somebody asks how many there were before a slot.
    pub(super) fn new(dated: bool) -> Self {
        Self {
            dated,
            ..Self::default()
        }
    }

    /// A request of the user is promised so many.
    pub(super) fn promise(&mut self, user: Option<u64>, at: Slot, more: u64) {
        let promised = self.promised.entry(user).or_default();
        *promised = promised.saturating_add(more);
        self.give(user, at, more);
    }

    /// The user is given so many.
    pub(super) fn give(&mut self, user: Option<u64>, at: Slot, more: u64) {
        if !self.dated {
            return;
        }
        let by = self.by.entry(user).or_default();
        let sum = by.last().map_or(0, |(_, sum)| *sum);
        by.push((at, sum.saturating_add(more)));
    }

    /// How many the user has been promised.
    pub(super) fn promised(&self, user: Option<u64>) -> u64 {
        self.promised.get(&user).copied().unwrap_or(0)
    }

    /// How many the user had been given before a slot; nobody asks about an earlier one after that.
    pub(super) fn before(&mut self, user: Option<u64>, slot: Slot) -> u64 {
        let Some(by) = self.by.get_mut(&user) else {
            return 0;
        };
        let earlier = by.partition_point(|(at, _)| *at < slot);
        by.drain(..earlier.saturating_sub(1));
        let first = by.first().filter(|(at, _)| *at < slot);
        first.map_or(0, |(_, sum)| *sum)
    }
}

/// The key of a user who has been given so many PE-seconds: the fewer minutes, the higher.
pub(crate) fn user_key(given: u64) -> u32 {
    let minutes = u32::try_from(given / MINUTE);
    u32::MAX - minutes.unwrap_or(u32::MAX)
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
