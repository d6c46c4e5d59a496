//! Classes of a book on a machine with a layout.

use super::Book;
use crate::{
    error::{Error, UsageError},
    handle::Handle,
    placement::{Class, ClassError, ClassId},
    ring::{Column, PlacedRing, Scan},
};

impl<C: Column, S: Scan> Book<'_, PlacedRing<'_, C, S>> {
    /// Adds a class, or returns the id of an equal one. Reservations ask for it with `(id, &request)`, in all calls that reserve.
    ///
    /// See [`PlacedBook`](crate::PlacedBook) for an example.
    ///
    /// O((classes + kinds) x columns + groups x kinds), and O(rows) for each class that has been dropped.
    ///
    /// # Errors
    ///
    /// The faults of the class in the order of [`ClassError`], but [`ClassError::ClassesFull`] last; nothing is changed then.
    pub fn class_add(&mut self, class: &Class<'_>) -> Result<ClassId, ClassError> {
        let rows = &*self.ledger.rows;
        let is_named = |entry| rows.iter().any(|row| row.is_live() && row.class() == entry);
        let added = self.ring.classes.add(class, is_named);
        self.self_check();
        added
    }

    /// Drops a class, which always succeeds: its id is stale from now on, also where others added an equal class. Reservations of the class stay, and are
    /// moved by it; its entry of the table is vacant once there are none. O(1).
    ///
    /// ```
    /// # use bookahead::{Class, Commitment, Layout, PeCount, PlacedBook, Policy, Request, Shape, Slot, Span, UsageError};
    /// # let mut memory = PlacedBook::<u32, 1, 1, 8, 2, 0>::zeroed();
    /// # let mut book = memory.init(&Layout { groups: 4, kinds: &[2], missing: &[], levels: &[] }, Span::new(64))?;
    /// let whole = Class { shape: Shape::WholeGroups, ..Class::ANY };
    /// let id = book.class_add(&whole)?;
    /// let request = Request { ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(4) };
    /// let booking = book.reserve((id, &request), Policy::FirstFit, Commitment::Confirmed)?;
    /// book.class_drop(id)?;
    /// let refused = book.reserve((id, &request), Policy::FirstFit, Commitment::Confirmed);
    /// assert_eq!(refused, Err(UsageError::StaleClass.into()));
    /// assert_eq!(book.pes_of(booking.handle)?.count(), 4);
    /// // The old entry has a reservation, so the class gets another one.
    /// assert_ne!(book.class_add(&whole)?, id);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UsageError::StaleClass`] for an id that is stale already, or [`ClassId::ANY`].
    pub fn class_drop(&mut self, class: ClassId) -> Result<(), Error> {
        if !self.ring.classes.drop_class(class) {
            return Err(UsageError::StaleClass.into());
        }
        self.self_check();
        Ok(())
    }

    /// Returns the class that a reservation was made for; its id may be stale by now. O(1).
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`].
    pub fn class_of(&self, handle: Handle) -> Result<ClassId, Error> {
        let (_, row) = self.ledger.find(handle)?;
        Ok(self.ring.classes.id(row.class()))
    }

    /// Returns how many classes there are, without those that have been dropped. O(classes).
    #[must_use]
    pub fn classes(&self) -> usize {
        self.ring.classes.len()
    }
}
