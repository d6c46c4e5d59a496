//! Whom a search and a claim are for.

use crate::{error::Error, ledger::Row};

/// The classes of a ring. Rings whose processing elements are all alike have the defaults, so programs without classes contain none of the code behind
/// them.
pub(crate) trait Placing {
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
    fn want(&mut self, _pes: u16) {}

    /// Returns the class of an id; `None` for a stale one.
    #[cfg(feature = "placement")]
    fn find_class(&self, id: crate::placement::ClassId) -> Option<Self::Class> {
        (id == crate::placement::ClassId::ANY).then(Self::Class::default)
    }

    /// Checks that a class could be served if nothing else was booked.
    fn admit(&self, _class: Self::Class, _pes: u16) -> Result<(), Error> {
        Ok(())
    }

    /// Returns the class of a row.
    fn class_of(_row: &Row) -> Self::Class {
        Self::Class::default()
    }

    /// Writes the class to a row.
    fn set_class(_row: &mut Row, _class: Self::Class) {}
}
