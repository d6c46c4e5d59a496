//! What a run knows, as bytes, so that it goes on after its process was ended.

use std::io;

use bookahead::SnapshotError;
use serde::{Serialize, de::DeserializeOwned};

use crate::error::Error;

/// What can be made from bytes what it was. What was given when it was made is not in them.
pub(crate) trait Saved {
    /// Appends what it knows.
    fn save(&mut self, to: &mut Vec<u8>) -> Saving;

    /// Knows what [`save`](Self::save) has written, where it is new; takes that away from the front.
    fn restore(&mut self, from: &mut &[u8]) -> Saving;
}

/// Why a state cannot be written or read.
#[derive(Debug)]
pub(crate) enum Damaged {
    /// The bytes, or the files that they name, are not what was written.
    Bytes,
    /// What the system says of a file.
    File(io::Error),
}

impl From<postcard::Error> for Damaged {
    fn from(_: postcard::Error) -> Self {
        Self::Bytes
    }
}

impl From<SnapshotError> for Damaged {
    fn from(_: SnapshotError) -> Self {
        Self::Bytes
    }
}

impl From<io::Error> for Damaged {
    fn from(error: io::Error) -> Self {
        match is_missing(&error) {
            true => Self::Bytes,
            false => Self::File(error),
        }
    }
}

impl From<Damaged> for Error {
    fn from(damaged: Damaged) -> Self {
        Self::Internal(match damaged {
            Damaged::Bytes => "the state of a run cannot be written or read".to_owned(),
            Damaged::File(error) => format!("the state of a run: {error}"),
        })
    }
}

/// Whether a file, or a part of it, is not there.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    [io::ErrorKind::NotFound, io::ErrorKind::UnexpectedEof].contains(&error.kind())
}

/// One after the other, however many there are.
impl<S: Saved> Saved for Vec<S> {
    fn save(&mut self, to: &mut Vec<u8>) -> Saving {
        self.iter_mut().try_for_each(|one| one.save(to))
    }

    fn restore(&mut self, from: &mut &[u8]) -> Saving {
        self.iter_mut().try_for_each(|one| one.restore(from))
    }
}

/// The same.
impl<S: Saved, const N: usize> Saved for [S; N] {
    fn save(&mut self, to: &mut Vec<u8>) -> Saving {
        self.iter_mut().try_for_each(|one| one.save(to))
    }

    fn restore(&mut self, from: &mut &[u8]) -> Saving {
        self.iter_mut().try_for_each(|one| one.restore(from))
    }
}

/// If it is there, which the system says.
impl<S: Saved> Saved for Option<S> {
    fn save(&mut self, to: &mut Vec<u8>) -> Saving {
        self.as_mut().map_or(Ok(()), |there| there.save(to))
    }

    fn restore(&mut self, from: &mut &[u8]) -> Saving {
        self.as_mut().map_or(Ok(()), |there| there.restore(from))
    }
}

/// What saving or restoring gives.
pub(crate) type Saving<T = ()> = Result<T, Damaged>;

/// Appends a value.
pub(crate) fn put(value: &(impl Serialize + ?Sized), to: &mut Vec<u8>) -> Saving {
    *to = postcard::to_extend(value, std::mem::take(to))?;
    Ok(())
}

/// Takes a value away from the front.
pub(crate) fn take<T: DeserializeOwned>(from: &mut &[u8]) -> Saving<T> {
    let (value, rest) = postcard::take_from_bytes(from)?;
    *from = rest;
    Ok(value)
}

/// Saves and restores values, one field after the other, and then parts that do so themselves.
macro_rules! saves {
    ($($value:ident)* $(; $($part:ident)*)?) => {
        fn save(&mut self, to: &mut Vec<u8>) -> $crate::saved::Saving {
            $($crate::saved::put(&self.$value, to)?;)*
            $($($crate::saved::Saved::save(&mut self.$part, to)?;)*)?
            Ok(())
        }

        fn restore(&mut self, from: &mut &[u8]) -> $crate::saved::Saving {
            $(self.$value = $crate::saved::take(from)?;)*
            $($($crate::saved::Saved::restore(&mut self.$part, from)?;)*)?
            Ok(())
        }
    };
}
pub(crate) use saves;
