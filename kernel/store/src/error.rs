//! What keeps a store from confirming.

use core::fmt;
use std::{io, sync::Arc};

use bookahead::SnapshotError;

/// Why a store cannot be opened, or confirms nothing more.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// The store is open already, in another process or as another [`Store`](crate::Store) of this one.
    Locked,
    /// The book that is to become what the store holds is not a new one, or of another kind or size.
    OtherBook(SnapshotError),
    /// What a later record vouches for is not there, or is not what was written.
    Damaged {
        /// The name of the file in the store's folder.
        file: String,
        /// Where in it.
        offset: u64,
        /// What was found.
        why: String,
    },
    /// A file is of a version of the store's format that is not known here.
    UnknownVersion {
        /// The name of the file in the store's folder.
        file: String,
        /// Its version.
        version: u16,
    },
    /// There is no room for what the call may change, so it was not begun; or none for a snapshot. Nothing else is the matter: with the next call, room is looked for again.
    DiskFull,
    /// The system has failed at something: where the store was open, nothing is confirmed any more before it has been opened again.
    Failed {
        /// What was being done.
        doing: String,
        /// What the system said.
        error: Arc<io::Error>,
    },
    /// A call panicked in the middle of a change: the store has to be opened again.
    Poisoned,
    /// A call has put another book, or another part of it, in the place of the store's, be it a copy of that: the store has to be opened again.
    Replaced,
    /// The changes of a call could not be recorded: the store has to be opened again.
    NotRecorded(SnapshotError),
}

impl StoreError {
    pub(crate) fn failed(doing: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let doing = doing.into();
        move |error| Self::Failed {
            doing,
            error: Arc::new(error),
        }
    }

    /// Returns nothing where there was no room, and the error where anything else has failed.
    pub(crate) fn unless_full<T>(
        done: io::Result<T>,
        doing: &str,
    ) -> Result<Option<T>, StoreError> {
        use io::ErrorKind::{QuotaExceeded, StorageFull};
        match done {
            Ok(done) => Ok(Some(done)),
            Err(error) if [StorageFull, QuotaExceeded].contains(&error.kind()) => Ok(None),
            Err(error) => Err(StoreError::failed(doing)(error)),
        }
    }

    pub(crate) fn damaged(file: &str, offset: usize, why: impl Into<String>) -> Self {
        Self::Damaged {
            file: file.into(),
            offset: offset as u64,
            why: why.into(),
        }
    }

    /// Says of what is damaged that the store opens without it.
    pub(crate) fn not_needed(self, snapshot: &str) -> Self {
        match self {
            Self::Damaged { file, offset, why } => {
                let why = format!(
                    "{why}; the store opens without this file, as {snapshot} has taken its place, and compacting removes it"
                );
                Self::Damaged { file, offset, why }
            }
            other => other,
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Locked => {
                f.write_str("the store is open already, in another process or in this one")
            }
            Self::OtherBook(error) => {
                write!(f, "the store cannot be opened with this book: {error}")
            }
            Self::Damaged { file, offset, why } => {
                write!(f, "{file} is damaged at byte {offset}: {why}")
            }
            Self::UnknownVersion { file, version } => {
                write!(f, "{file} is of version {version}, which is not known here")
            }
            Self::DiskFull => f.write_str("the disk is full"),
            Self::Failed { doing, error } => {
                write!(
                    f,
                    "{doing}: {error}; the store has to be opened before anything is confirmed"
                )
            }
            Self::Poisoned => {
                f.write_str("a call ended in the middle of a change: open the store again")
            }
            Self::Replaced => f.write_str(
                "a call has put another book, or another part of it, in the place of the store's, and nothing of that call is kept: open the store again, and change the book that it lends",
            ),
            Self::NotRecorded(error) => {
                write!(f, "the changes of a call cannot be recorded: {error}")
            }
        }
    }
}

impl std::error::Error for StoreError {}
