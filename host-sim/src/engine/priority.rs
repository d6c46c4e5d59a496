//! In which order requests wait for room.

use std::{collections::HashMap, fmt, sync::Arc};

use super::system::MINUTE;
use crate::request::JobRequest;

/// By what waiting requests are ordered; those of equal rank in the order in which they came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Priority {
    /// Whoever came first.
    Age,
    /// Whoever asks for the most processing elements.
    Size,
    /// Whose user had been promised the fewest PE-minutes when the request began to wait. Requests of no known user are those of one user.
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

    /// The key of a request whose user has been promised so many PE-seconds.
    pub(super) fn key(&self, request: &JobRequest, promised: u64) -> u32 {
        match self {
            Self::Age => 0,
            Self::Size => request.pes.try_into().unwrap_or(u32::MAX),
            Self::User => user_key(promised),
            Self::Given(given) => {
                let number = match given.of {
                    KeyOwner::User => request.user,
                    KeyOwner::Job => Some(request.job_id),
                };
                let key = number.and_then(|number| given.keys.get(&number));
                key.copied().unwrap_or(0)
            }
        }
    }
}

/// The key of a user who has been promised so many PE-seconds: the fewer minutes, the higher.
pub(crate) fn user_key(promised: u64) -> u32 {
    let minutes = u32::try_from(promised / MINUTE);
    u32::MAX - minutes.unwrap_or(u32::MAX)
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
