//! The books under test. Their sizes are known at run time, as types they would be compiled once for each size.

use bookahead::{CountBook, PeBook, PeCount, Span};
use bookahead_heap::{BoxedCountBook, BoxedOverlayBook, BoxedPeBook, HostColumn, Sizes};
use bookahead_oracle::Kernel;

/// Few, so that queues fill up.
pub const JOBS: usize = 5;

/// Late binding.
pub fn counts(pes: u16, slots: u16, rows: usize) -> Kernel<BoxedCountBook, JOBS> {
    Kernel::new(BoxedCountBook::new(sizes(pes, slots, rows)).expect("it is small"))
}

/// Late binding with overlays.
pub fn overlays(pes: u16, slots: u16, rows: usize) -> Kernel<BoxedOverlayBook, JOBS> {
    Kernel::new(BoxedOverlayBook::new(sizes(pes, slots, rows)).expect("it is small"))
}

/// Early binding with columns for devices.
pub fn narrow(pes: u16, slots: u16, rows: usize) -> Kernel<BoxedPeBook<u32>, JOBS> {
    Kernel::new(BoxedPeBook::new(sizes(pes, slots, rows)).expect("it is small"))
}

/// Early binding with columns for hosts.
pub fn wide(pes: u16, slots: u16, rows: usize) -> Kernel<BoxedPeBook<HostColumn>, JOBS> {
    Kernel::new(BoxedPeBook::new(sizes(pes, slots, rows)).expect("it is small"))
}

fn sizes(pes: u16, slots: u16, reservations: usize) -> Sizes {
    Sizes {
        pes,
        slots: slots.into(),
        reservations,
    }
}

/// Late binding in the memory of a device, which has room for more than it is told to use.
pub fn roomy_counts(pes: u16, slots: u16, rows: usize) -> Kernel<CountBook<3, 23, 4>, JOBS> {
    assert_eq!(rows, 4);
    let book = CountBook::new(PeCount::new(pes), Span::new(slots.into()));
    Kernel::new(book.expect("it fits"))
}

/// The same with early binding.
pub fn roomy_narrow(pes: u16, slots: u16, rows: usize) -> Kernel<PeBook<u32, 3, 2, 4>, JOBS> {
    assert_eq!(rows, 4);
    let book = PeBook::new(PeCount::new(pes), Span::new(slots.into()));
    Kernel::new(book.expect("it fits"))
}
