//! The books under test, in the sizes that the tests use.

use bookahead::{CountBook, OverlayBook, PeBook, PeCount, Span};
use bookahead_oracle::Kernel;

/// Few, so that queues fill up.
pub const JOBS: usize = 5;

/// Late binding.
pub fn counts<const BLOCKS: usize, const PES: usize, const ROWS: usize>(
    pes: u16,
    slots: u16,
) -> Kernel<CountBook<BLOCKS, PES, ROWS>, JOBS> {
    let book = CountBook::new(PeCount::new(pes), Span::new(slots.into())).expect("it fits");
    Kernel::new(book)
}

/// Late binding with overlays.
pub fn overlays<const BLOCKS: usize, const PES: usize, const ROWS: usize>(
    pes: u16,
    slots: u16,
) -> Kernel<OverlayBook<BLOCKS, PES, ROWS>, JOBS> {
    let book = OverlayBook::new(PeCount::new(pes), Span::new(slots.into())).expect("it fits");
    Kernel::new(book)
}

/// Early binding with columns for devices.
pub fn narrow<const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize>(
    pes: u16,
    slots: u16,
) -> Kernel<PeBook<u32, BLOCKS, COLUMNS, ROWS>, JOBS> {
    let book = PeBook::new(PeCount::new(pes), Span::new(slots.into())).expect("it fits");
    Kernel::new(book)
}

/// Early binding with columns for hosts.
pub fn wide<const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize>(
    pes: u16,
    slots: u16,
) -> Kernel<PeBook<[u64; 8], BLOCKS, COLUMNS, ROWS>, JOBS> {
    let book = PeBook::new(PeCount::new(pes), Span::new(slots.into())).expect("it fits");
    Kernel::new(book)
}
