//! A book whose binding is known at run time, too.

use crate::{BoxedCountBook, BoxedPeBook, HostColumn, SizeError, Sizes};

/// Up to so many processing elements narrow columns are used: a set of fewer would be mostly empty in a column of 512.
const NARROW: u16 = 128;

/// When processing elements are assigned.
///
/// ```
/// use bookahead_heap::Binding;
/// assert_eq!(Binding::from_name("early"), Some(Binding::Early));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binding {
    /// When the job starts.
    Late,
    /// When the reservation is made.
    Early,
}

impl Binding {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Late, Self::Early];

    /// The name in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Late => "late",
            Self::Early => "early",
        }
    }

    /// The inverse of [`name`](Self::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|binding| binding.name() == name)
    }
}

/// Owns a book of either binding, and chooses the column type. The views are of different types, so callers match the book and go on in a
/// function that is generic over [`Ring`](bookahead::raw::Ring), as in the example of the [crate](crate).
///
/// ```
/// use bookahead_heap::{Binding, BoxedBook, Sizes};
///
/// assert!(matches!(BoxedBook::new(Binding::Late, Sizes { pes: 16, slots: 1_440, reservations: 200 })?, BoxedBook::Late(_)));
/// assert!(matches!(BoxedBook::new(Binding::Early, Sizes { pes: 128, slots: 1_440, reservations: 200 })?, BoxedBook::Early(_)));
/// assert!(matches!(BoxedBook::new(Binding::Early, Sizes { pes: 129, slots: 1_440, reservations: 200 })?, BoxedBook::EarlyWide(_)));
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum BoxedBook {
    /// Late binding.
    Late(BoxedCountBook),
    /// Early binding of up to 128 processing elements.
    Early(BoxedPeBook<u32>),
    /// Early binding of more processing elements.
    EarlyWide(BoxedPeBook<HostColumn>),
}

impl BoxedBook {
    /// The bytes of its arrays and scalars.
    ///
    /// ```
    /// use bookahead_heap::{Binding, BoxedBook, BoxedCountBook, Sizes};
    /// assert_eq!(BoxedBook::bytes(Binding::Late, Sizes { pes: 16, slots: 1_440, reservations: 200 }), BoxedCountBook::bytes(Sizes { pes: 16, slots: 1_440, reservations: 200 }));
    /// ```
    #[must_use]
    pub const fn bytes(binding: Binding, sizes: Sizes) -> usize {
        match binding {
            Binding::Late => BoxedCountBook::bytes(sizes),
            Binding::Early if sizes.pes <= NARROW => BoxedPeBook::<u32>::bytes(sizes),
            Binding::Early => BoxedPeBook::<HostColumn>::bytes(sizes),
        }
    }

    /// An empty book at slot 0, of these sizes. O(memory).
    ///
    /// # Errors
    ///
    /// [`SizeError`] for sizes that no book can have, and when there is not enough memory.
    pub fn new(binding: Binding, sizes: Sizes) -> Result<Self, SizeError> {
        Self::new_within(usize::MAX, binding, sizes)
    }

    /// As [`new`](Self::new), in at most `limit` bytes as [`bytes`](Self::bytes) counts them.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and [`SizeError::TooMuchMemory`] beyond the limit, before anything is allocated.
    pub fn new_within(limit: usize, binding: Binding, sizes: Sizes) -> Result<Self, SizeError> {
        Ok(match binding {
            Binding::Late => Self::Late(BoxedCountBook::new_within(limit, sizes)?),
            Binding::Early if sizes.pes <= NARROW => {
                Self::Early(BoxedPeBook::new_within(limit, sizes)?)
            }
            Binding::Early => Self::EarlyWide(BoxedPeBook::new_within(limit, sizes)?),
        })
    }
}
