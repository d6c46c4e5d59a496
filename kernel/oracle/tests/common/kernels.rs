//! The books under test, in the sizes that the tests use.

use bookahead_oracle::{Kind, Subject, Twin};

pub fn counts<const BLOCKS: usize, const PES: usize, const ROWS: usize>(
    pes: u16,
    slots: u16,
) -> impl Subject {
    Twin::new(Kind::Counts, pes, slots.into(), ROWS)
}

pub fn narrow<const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize>(
    pes: u16,
    slots: u16,
) -> impl Subject {
    Twin::new(Kind::Sets, pes, slots.into(), ROWS)
}

pub fn wide<const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize>(
    pes: u16,
    slots: u16,
) -> impl Subject {
    Twin::new(Kind::Sets, pes, slots.into(), ROWS)
}
