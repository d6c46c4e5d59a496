//! The books under test, in the sizes that the tests use.

use bookahead::{CountBook, PeBook};

/// Late binding.
pub fn counts<const BLOCKS: usize, const PES: usize, const ROWS: usize>(
    pes: u16,
    slots: u16,
) -> CountBook<BLOCKS, PES, ROWS> {
    CountBook::new(pes, slots.into()).expect("it fits")
}

/// Early binding with columns for devices.
pub fn narrow<const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize>(
    pes: u16,
    slots: u16,
) -> PeBook<u32, BLOCKS, COLUMNS, ROWS> {
    PeBook::new(pes, slots.into()).expect("it fits")
}

/// Early binding with columns for hosts.
pub fn wide<const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize>(
    pes: u16,
    slots: u16,
) -> PeBook<[u64; 8], BLOCKS, COLUMNS, ROWS> {
    PeBook::new(pes, slots.into()).expect("it fits")
}
