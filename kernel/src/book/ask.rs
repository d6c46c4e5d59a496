//! What the calls of a book take: what is asked for, and of which class.

use super::Book;
use crate::{error::Error, ring::Ring};
#[cfg(feature = "placement")]
use crate::{error::UsageError, placement::ClassId};

/// What [`Ask`] offers to the crate.
pub(crate) trait Asking<'q, R: Ring, T: ?Sized>: Copy {
    /// Returns what is asked for.
    fn what(self) -> &'q T;

    /// Returns the class that the part with this number asks for. O(1).
    fn class(self, _ring: &R, _number: usize) -> Result<R::Class, Error> {
        Ok(R::Class::default())
    }
}

/// What a call of a book takes where it reserves: a reference to a `T`, for any processing elements, or, for a book on a machine with a layout, a pair
/// of a class and such a reference. The trait is sealed.
///
/// ```
/// # use bookahead::{Commitment, CountBook, PeCount, Policy, Request, Slot, Span};
/// use bookahead::{Ask, Booking, Error, raw::Ring, Book};
/// /// Reserves for now, or else for any later time.
/// fn soon<'q, R: Ring>(book: &mut Book<'_, R>, request: impl Ask<'q, R, Request>) -> Result<Booking, Error> {
///     book.reserve(request, Policy::FirstFit, Commitment::Confirmed)
/// }
/// # let mut memory = bookahead::fixture::memory();
/// # let mut book = memory.view();
/// # let request = Request {
/// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
/// # };
/// assert_eq!(soon(&mut book, &request)?.start, Slot::new(3));
/// # Ok::<(), Error>(())
/// ```
#[allow(
    private_bounds,
    reason = "sealed: only what the crate's own rings take"
)]
pub trait Ask<'q, R: Ring, T: ?Sized>: Asking<'q, R, T> {}

impl<'q, R: Ring, T: ?Sized> Ask<'q, R, T> for &'q T {}

impl<'q, R: Ring, T: ?Sized> Asking<'q, R, T> for &'q T {
    #[inline(always)]
    fn what(self) -> &'q T {
        self
    }
}

impl<'q, R: Ring, T, const N: usize> Ask<'q, R, [T]> for &'q [T; N] {}

impl<'q, R: Ring, T, const N: usize> Asking<'q, R, [T]> for &'q [T; N] {
    #[inline(always)]
    fn what(self) -> &'q [T] {
        self
    }
}

/// A class and what is asked for. A book without classes knows [`ClassId::ANY`] only.
#[cfg(feature = "placement")]
impl<'q, R: Ring, T: ?Sized> Ask<'q, R, T> for (ClassId, &'q T) {}

#[cfg(feature = "placement")]
impl<'q, R: Ring, T: ?Sized> Asking<'q, R, T> for (ClassId, &'q T) {
    fn what(self) -> &'q T {
        self.1
    }

    fn class(self, ring: &R, _number: usize) -> Result<R::Class, Error> {
        Ok(ring.find_class(self.0).ok_or(UsageError::StaleClass)?)
    }
}

/// Several parts, each of a class of its own; the lists are as long as each other.
#[cfg(feature = "placement")]
impl<'q, R: Ring, T> Ask<'q, R, [T]> for (&'q [ClassId], &'q [T]) {}

#[cfg(feature = "placement")]
impl<'q, R: Ring, T> Asking<'q, R, [T]> for (&'q [ClassId], &'q [T]) {
    fn what(self) -> &'q [T] {
        self.1
    }

    fn class(self, ring: &R, number: usize) -> Result<R::Class, Error> {
        let id = self.0.get(number).filter(|_| self.0.len() == self.1.len());
        let class = id.and_then(|id| ring.find_class(*id));
        Ok(class.ok_or(UsageError::StaleClass)?)
    }
}

/// Evaluates a call with what is asked for, while the ring asks for its class. The call must not return from the function around it. No function that takes a
/// closure: not everywhere would the closure be inlined, and programs that always pass the same policy and commitment are smaller where it is.
macro_rules! asking {
    ($ring:expr, $asked:expr, |$what:ident| $call:expr) => {{
        let asked = $asked;
        let class = asked.class(&$ring, 0)?;
        let before = $ring.ask(class);
        let $what = asked.what();
        let answer = $call;
        $ring.ask(before);
        answer
    }};
}
pub(crate) use asking;

impl<R: Ring> Book<'_, R> {
    /// Runs `action` with the ring asking for a class.
    #[inline(always)]
    pub(crate) fn for_class<Answer>(
        &mut self,
        class: R::Class,
        action: impl FnOnce(&mut Self) -> Answer,
    ) -> Answer {
        let before = self.ring.ask(class);
        let answer = action(self);
        self.ring.ask(before);
        answer
    }
}
