//! Macros for the types of books, with the sizes given by name.

/// The type of a [`CountBook`](crate::CountBook) with memory for the given numbers of slots, processing elements and reservations, given in this order.
///
/// ```
/// use bookahead::{PeCount, Span, count_book};
/// // A day of minutes on 32 processing elements.
/// type Day = count_book!(slots = 24 * 60, pes = 32, reservations = 200);
/// let mut memory = Day::new(PeCount::new(32), Span::new(24 * 60))?;
/// assert_eq!(memory.view().capacity(), 200);
/// # Ok::<(), bookahead::SizeError>(())
/// ```
#[macro_export]
macro_rules! count_book {
    (slots = $slots:expr, pes = $pes:expr, reservations = $reservations:expr $(,)?) => {
        $crate::CountBook<{ $crate::raw::blocks($slots) }, { $pes }, { $reservations }>
    };
}

/// The type of a [`UnitBook`](crate::UnitBook) with memory for the given numbers of slots and reservations, given in this order; see there for an example.
#[macro_export]
macro_rules! unit_book {
    (slots = $slots:expr, reservations = $reservations:expr $(,)?) => {
        $crate::UnitBook<{ $crate::raw::blocks($slots) }, { $reservations }>
    };
}

/// The type of a [`PeBook`](crate::PeBook) with memory for the given numbers of slots, processing elements and reservations, given in this order.
///
/// Sets of processing elements are made of columns of a [`Column`](crate::raw::Column) type. `u32`, the default, suits microcontrollers;
/// `[u64; 8]` suits hosts with more than 128 processing elements. Memory is for whole columns, of 32 or 512 processing elements, and, as with late binding, for whole blocks of 64 slots:
/// [`new`](crate::PeBook::new) and [`init`](crate::PeBook::init) take any numbers up to there, so that with `pes = 6` a machine of 7 is no mistake. A program that means 6 checks that itself.
///
/// ```
/// use bookahead::{PeCount, Span, pe_book};
/// type Laboratory = pe_book!(slots = 256, pes = 40, reservations = 32);
/// type Cluster = pe_book!(column = [u64; 8], slots = 256, pes = 1_024, reservations = 64);
/// let mut memory = Laboratory::new(PeCount::new(40), Span::new(256))?;
/// assert_eq!(memory.view().pes(), PeCount::new(40));
/// assert!(Laboratory::BYTES < Cluster::BYTES);
/// # Ok::<(), bookahead::SizeError>(())
/// ```
#[macro_export]
macro_rules! pe_book {
    (column = $column:ty, slots = $slots:expr, pes = $pes:expr, reservations = $reservations:expr $(,)?) => {
        $crate::PeBook<
            $column,
            { $crate::raw::blocks($slots) },
            { $crate::raw::columns::<$column>($pes) },
            { $reservations },
        >
    };
    (slots = $slots:expr, pes = $pes:expr, reservations = $reservations:expr $(,)?) => {
        $crate::pe_book!(column = u32, slots = $slots, pes = $pes, reservations = $reservations)
    };
}
