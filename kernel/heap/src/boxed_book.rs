//! The memory of a book whose binding and sizes are known at run time.

use crate::{BoxedCountBook, BoxedPeBook, HostColumn, SizeError, Sizes};

/// The number of processing elements up to which narrow columns are used: a set of so few would leave a column of 512 mostly empty.
const NARROW: u16 = 128;

/// The time at which processing elements are assigned.
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
    /// Both bindings.
    pub const ALL: [Self; 2] = [Self::Late, Self::Early];

    /// Returns the name in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Late => "late",
            Self::Early => "early",
        }
    }

    /// Returns the binding with that [`name`](Self::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|binding| binding.name() == name)
    }
}

/// The memory of a book of either binding, with the column type chosen by size. The views have different types, so callers match on the
/// book and call a function that is generic over [`Ring`](bookahead::raw::Ring), as in the example of the [crate](crate).
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
    /// Returns the bytes of the arrays and scalars of a book of these sizes.
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

    /// Creates an empty book of these sizes at slot 0. O(memory).
    ///
    /// # Errors
    ///
    /// [`SizeError`] for sizes that no book can have, and when there is not enough memory.
    pub fn new(binding: Binding, sizes: Sizes) -> Result<Self, SizeError> {
        Self::new_within(usize::MAX, binding, sizes)
    }

    /// Creates a book as [`new`](Self::new) does, in at most `limit` bytes as [`bytes`](Self::bytes) counts them.
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
