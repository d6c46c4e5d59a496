//! Classes of a book on a machine with a layout.

use core::ops::Range;

use super::{Ask, Book, asking};
use crate::{
    error::{Error, Refusal, UsageError},
    fit::Job,
    handle::Handle,
    placement::{Class, ClassError, ClassId, Failing},
    request::Request,
    ring::OnLayout,
    time::Slot,
};

#[allow(private_bounds, reason = "sealed: only the crate's own rings")]
impl<R: OnLayout> Book<'_, R> {
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
        let before = self.ring.classes().len();
        let added = self.ring.placed(|ring| ring.classes.add(class, is_named));
        // An equal one that is there already is no change.
        if self.ring.classes().len() != before {
            self.ledger.note_table();
        }
        self.self_check();
        added
    }

    /// Drops a class, which always succeeds: its id is stale from now on, also where others added an equal class. Reservations of the class and jobs in the
    /// queue stay, and are moved and started by it; its entry of the table is vacant once there are none. Whether jobs wait for it is looked up by the
    /// calls of the queue that take the book, so after a [`withdraw`](crate::Queue::withdraw) it is vacant from the next [`advance`](crate::Queue::advance)
    /// on. O(1).
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
        if !self.ring.placed(|ring| ring.classes.drop_class(class)) {
            return Err(UsageError::StaleClass.into());
        }
        self.ledger.note_table();
        self.self_check();
        Ok(())
    }

    /// Returns which question of its class a request fails at a start: whether what the class may have is busy, or lies in too few groups, or not in one
    /// block; `None` where the request fits. A class that could not be served by an idle machine is refused as [`Refusal::NotEligible`]. Who is in the way,
    /// and the nearest starts that would do, [`explain`](Self::explain) says. Takes `&mut self` for scratch memory only.
    /// O(duration / 8 x columns + words + blocks).
    ///
    /// ```
    /// # use bookahead::{Class, Commitment, Conflict, Layout, PeCount, PlacedBook, Request, Shape, Slot, Span, Window};
    /// # let mut memory = PlacedBook::<u32, 1, 1, 8, 2, 0>::zeroed();
    /// # let mut book = memory.init(&Layout { groups: 2, kinds: &[2], missing: &[], levels: &[] }, Span::new(64))?;
    /// use bookahead::Failing;
    /// let whole = book.class_add(&Class { shape: Shape::WholeGroups, ..Class::ANY })?;
    /// let request = Request { ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(2) };
    /// // One of each group is taken out of service.
    /// let window = Window { start: Slot::new(3), end: Slot::new(8) };
    /// book.reserve_exactly(window, &[0b0101], Commitment::Confirmed, &mut Conflict::NONE)?;
    /// let failing = book.failing((whole, &request), Slot::new(3))?;
    /// assert_eq!(failing, Some(Failing::Groups { lacking: 1 }));
    /// assert_eq!(book.failing((whole, &request), Slot::new(8))?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`plan`](Self::plan), as far as the request itself is the cause, and [`Refusal::OutsideWindow`] for a start that its window does not allow.
    pub fn failing<'q>(
        &mut self,
        request: impl Ask<'q, R, Request>,
        start: Slot,
    ) -> Result<Option<Failing>, Error> {
        asking!(self.ring, request, |request| self
            .failing_asked(request, start))
    }

    /// As [`failing`](Self::failing), for the class that asks.
    fn failing_asked(&mut self, request: &Request, start: Slot) -> Result<Option<Failing>, Error> {
        let (offsets, pes) = self.window_asked(request, start)?;
        Ok(self.ring.placed(|ring| ring.failing(offsets, pes)))
    }

    /// Returns the window of a request of the class that asks at a start, and for how many processing elements it is.
    fn window_asked(&self, request: &Request, start: Slot) -> Result<(Range<usize>, u32), Error> {
        let axis = self.ring.axis();
        let job = Job::admit(axis, request)?;
        self.ring.admit(self.ring.asked(), job.pes)?;
        let offset = axis.offset(start);
        let offset = offset.filter(|offset| (job.ready..=job.latest).contains(offset));
        let offset = offset.ok_or(Refusal::OutsideWindow)?;
        Ok((job.window(offset), job.pes))
    }

    /// Returns the class that a reservation was made for; its id may be stale by now. O(1).
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`].
    pub fn class_of(&self, handle: Handle) -> Result<ClassId, Error> {
        let (_, row) = self.ledger.find(handle)?;
        Ok(self.ring.classes().id(row.class()))
    }

    /// Returns how many classes there are, without those that have been dropped. O(classes).
    #[must_use]
    pub fn classes(&self) -> usize {
        self.ring.classes().len()
    }
}

/// Chooses the processing elements that a request would get at a start, as the calls that reserve do, without reserving them, and returns the bit of the
/// lowest in a padded set. For measurements of choosing alone. O(duration / 8 x columns), and as reserving by the class for the choice.
///
/// ```
/// # use bookahead::{Class, ClassId, Layout, PeCount, PlacedBook, Request, Shape, Slot, Span};
/// # let mut memory = PlacedBook::<u32, 1, 1, 8, 2, 0>::zeroed();
/// # let mut book = memory.init(&Layout { groups: 4, kinds: &[2], missing: &[], levels: &[] }, Span::new(64))?;
/// use bookahead::{Eligible, raw::choose};
/// let request = Request { ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(2) };
/// assert_eq!(choose(&mut book, &request, Slot::new(3))?, 0);
/// let last = Class { eligible: Eligible::Groups { groups: &[3..4], kinds: 1 }, ..Class::ANY };
/// let last = book.class_add(&last)?;
/// assert_eq!(choose(&mut book, (last, &request), Slot::new(3))?, 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As [`Book::failing`], and [`Refusal::NoRoom`] where the request does not fit.
#[allow(private_bounds, reason = "as above")]
pub fn choose<'q, R: OnLayout>(
    book: &mut Book<'_, R>,
    request: impl Ask<'q, R, Request>,
    start: Slot,
) -> Result<usize, Error> {
    asking!(book.ring, request, |request| book
        .window_asked(request, start)
        .and_then(|(offsets, pes)| {
            let lowest = book.ring.placed(|ring| ring.choice(offsets, pes));
            lowest.ok_or_else(|| Refusal::NoRoom.into())
        }))
}
