//! Whom a search and a claim are for.

use super::occupancy::SetParts;
use crate::{error::Error, ledger::RowOf};
#[cfg(feature = "outages")]
use crate::{error::UsageError, rule::Absent};

/// The classes of a ring. Rings whose processing elements are all alike have the defaults, so programs without classes contain none of the code behind
/// them.
pub(crate) trait Placing: SetParts {
    /// Which processing elements a reservation asks for; `()` where it takes any.
    type Class: Copy + Default;

    /// Says for which class the next searches, claims and windows are, and returns for which the last ones were. Between the calls of an embedder it is the
    /// default: any processing elements.
    fn ask(&mut self, _class: Self::Class) -> Self::Class {
        Self::Class::default()
    }

    /// Returns the class that asks.
    fn asked(&self) -> Self::Class {
        Self::Class::default()
    }

    /// Says for how many processing elements the next windows are.
    fn want(&mut self, _pes: u32) {}

    /// Returns the class of an id; `None` for a stale one.
    #[cfg(feature = "placement")]
    fn find_class(&self, id: crate::placement::ClassId) -> Option<Self::Class> {
        (id == crate::placement::ClassId::ANY).then(Self::Class::default)
    }

    /// Checks that a class could be served if nothing else was booked.
    fn admit(&self, _class: Self::Class, _pes: u32) -> Result<(), Error> {
        Ok(())
    }

    /// Returns what rows are of that have exactly the processing elements they were given.
    #[cfg(any(feature = "placement", feature = "outages"))]
    fn exactly() -> Self::Class {
        Self::Class::default()
    }

    /// Returns whether the reservation in a row has some of those that the class that asks may have.
    fn concerns(&self, _index: usize) -> bool {
        true
    }

    /// Notes a set of processing elements, a bit for each number, that the next claim is for, and returns how many it has. `None` for one that is no set of
    /// this machine, or where there are no such sets.
    #[cfg(feature = "placement")]
    fn choose_exactly(&mut self, _pes: &[u32]) -> Option<u32> {
        None
    }

    /// Returns how many processing elements these are that go out of service, and of a set notes it for the next claim.
    #[cfg(feature = "outages")]
    fn choose(&mut self, _absent: Absent<'_>) -> Result<u32, Error> {
        Err(UsageError::BadPes.into())
    }

    /// Returns how many there are in a set that reservations may be bound to late; `None` for one that is no set of this machine, or where that is not so.
    #[cfg(feature = "outages")]
    fn named(&self, _pes: &[u32]) -> Option<u32> {
        None
    }

    /// Binds the job of `row` to these instead of those that it has, if they are idle or its own, and returns whether they are.
    #[cfg(feature = "outages")]
    fn bind_these(&mut self, _row: usize, _pes: &[u32]) -> bool {
        false
    }

    /// Takes what the reservation in a row has from the set that was noted.
    #[cfg(feature = "outages")]
    fn leave_out(&mut self, _index: usize) {}

    /// Returns how many there are in the set that was noted.
    #[cfg(feature = "outages")]
    fn noted(&self) -> u32 {
        0
    }

    /// Makes a row one that takes what it has out of service.
    #[cfg(feature = "outages")]
    fn set_out(_row: &mut RowOf<Self>) {}

    /// Returns whether a row takes what it has out of service.
    #[cfg(feature = "outages")]
    fn is_out(_row: &RowOf<Self>) -> bool {
        false
    }

    /// Checks that the reservation in a row may have the set that was noted, apart from others.
    #[cfg(feature = "placement")]
    fn admit_exactly(&self, _index: usize, _row: &RowOf<Self>, _pes: u32) -> Result<(), Error> {
        Ok(())
    }

    /// Returns whether the reservation in a row has one of the set that was noted.
    #[cfg(any(feature = "placement", feature = "outages"))]
    fn meets(&self, _index: usize) -> bool {
        false
    }

    /// Checks that a reservation may have processing elements anew, or so many of them: it has not exactly those that it was given.
    fn may_choose(_row: &RowOf<Self>, _pes: u32) -> Result<(), Error> {
        Ok(())
    }

    /// Returns the number of a class, which is 0 for any processing elements.
    fn number(_class: Self::Class) -> u16 {
        0
    }

    /// Returns the class of a number.
    fn numbered(_number: u16) -> Self::Class {
        Self::Class::default()
    }

    /// Returns whether reservations and jobs may be of a class.
    fn is_known(&self, _class: Self::Class) -> bool {
        true
    }

    /// Notes which classes the jobs of the queue are of; these and no others last until it is called again.
    fn note_waiting(&mut self, _classes: impl Iterator<Item = Self::Class>) -> bool {
        false
    }

    /// Returns the class of a row.
    fn class_of(_row: &RowOf<Self>) -> Self::Class {
        Self::Class::default()
    }

    /// Writes the class to a row.
    fn set_class(_row: &mut RowOf<Self>, _class: Self::Class) {}
}
