//! Books of the kernel as large as a text says, in boxed memory.

use alloc::{boxed::Box, format};
use core::error::Error;

use bookahead::{
    Layout, PeCount,
    raw::{NativeScan, Scan},
};
use bookahead_heap::{
    BoxedCountBook, BoxedJobQueue, BoxedOverlayBook, BoxedPeBook, BoxedPlacedBook, BoxedRuledBook,
    PlacedSizeError, PlacedSizes, SizeError, Sizes,
};

#[cfg(feature = "all-kinds")]
use bookahead_heap::BoxedUnitBook;

use super::{Kernel, Memory};
use crate::{Kind, Placed, Scanned, Size, Subject};

/// The kernel's book of the kind and size that a history says, with the columns of devices.
///
/// ```
/// use bookahead_commands::{History, open};
///
/// let history = History::of("size sets 16 64 8 easy 4 no")?;
/// let mut book = open(history.size(), history.placed())?;
/// assert_eq!(book.size(), *history.size());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When there is no such book.
pub fn open(size: &Size, on: Option<&Placed>) -> Result<Box<dyn Subject>, Box<dyn Error>> {
    Ok(match (size.kind, size.has_layer, on) {
        #[cfg(feature = "all-kinds")]
        (Kind::RuledSets, _, Some(placed)) => {
            check(size, placed)?;
            let make = BoxedRuledBook::<BoxedPlacedBook<u32>, u32>::new;
            Box::new(kernel_on::<_, NativeScan>(size, placed, make)?)
        }
        #[cfg(not(feature = "all-kinds"))]
        (Kind::RuledSets, _, Some(_)) | (Kind::Units, ..) => {
            return Err("no such book is built in: neither with rules on a machine with a layout, nor of units".into());
        }
        (.., Some(placed)) => {
            check(size, placed)?;
            let make = BoxedPlacedBook::<u32>::new;
            Box::new(kernel_on::<_, NativeScan>(size, placed, make)?)
        }
        (_, true, None) => Box::new(kernel_of::<_, NativeScan>(size, BoxedOverlayBook::new)?),
        (Kind::Counts, false, None) => {
            Box::new(kernel_of::<_, NativeScan>(size, BoxedCountBook::new)?)
        }
        #[cfg(feature = "all-kinds")]
        (Kind::Units, false, None) => {
            Box::new(kernel_of::<_, NativeScan>(size, BoxedUnitBook::new)?)
        }
        (Kind::Sets, false, None) => {
            Box::new(kernel_of::<_, NativeScan>(size, BoxedPeBook::<u32>::new)?)
        }
        (Kind::RuledCounts, false, None) => Box::new(kernel_of::<_, NativeScan>(
            size,
            BoxedRuledBook::<BoxedCountBook, ()>::new,
        )?),
        (Kind::RuledSets, false, None) => Box::new(kernel_of::<_, NativeScan>(
            size,
            BoxedRuledBook::<BoxedPeBook<u32>, u32>::new,
        )?),
    })
}

/// That the book is one for the machine.
///
/// # Errors
///
/// What is wrong with the layout, or what the size should be.
pub fn check(size: &Size, placed: &Placed) -> Result<(), Box<dyn Error>> {
    let missing = placed.machine.fewer();
    let layout = placed.machine.layout(&missing);
    layout.check()?;
    let pes = PeCount::new(layout.pes().into());
    if size.kind.binding() != Kind::Sets || size.has_layer || size.pes != pes {
        return Err(format!("the layout has {} PEs in sets, without overlays", pes.get()).into());
    }
    Ok(())
}

/// A book in the memory that `make` makes, searched as the type says, and the queue beside it, as large as they should be.
///
/// # Errors
///
/// When there is no such book.
pub fn kernel_of<M, S: Scan>(
    size: &Size,
    make: impl Fn(Sizes) -> Result<M, SizeError>,
) -> Result<Kernel<Scanned<M, S>, BoxedJobQueue>, SizeError>
where
    Scanned<M, S>: Memory,
{
    let book = make(Sizes {
        pes: size.pes.get(),
        slots: size.horizon.get(),
        reservations: size.capacity,
    })?;
    let queue = BoxedJobQueue::new(size.discipline, size.jobs)?;
    Ok(Kernel::new(Scanned::new(book), queue))
}

/// As [`kernel_of`], for a book on a machine with a layout.
///
/// # Errors
///
/// When there is no such book.
pub fn kernel_on<M, S: Scan>(
    size: &Size,
    placed: &Placed,
    make: impl Fn(&Layout<'_>, PlacedSizes) -> Result<M, PlacedSizeError>,
) -> Result<Kernel<Scanned<M, S>, BoxedJobQueue>, PlacedSizeError>
where
    Scanned<M, S>: Memory,
{
    let missing = placed.machine.fewer();
    let sizes = PlacedSizes {
        slots: size.horizon.get(),
        reservations: size.capacity,
        classes: placed.classes,
        order: placed.order,
    };
    let book = make(&placed.machine.layout(&missing), sizes)?;
    let queue = BoxedJobQueue::new(size.discipline, size.jobs)?;
    Ok(Kernel::new(Scanned::new(book), queue))
}
