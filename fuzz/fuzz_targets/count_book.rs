//! Histories of books with late binding, of numbers and of units, against their twin.
#![no_main]

use bookahead_commands::Kind;
use bookahead_fuzz::{book, mutate::Histories};
use bookahead_heap::{BoxedCountBook, BoxedUnitBook};
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

const HISTORIES: Histories = Histories {
    kinds: &[Kind::Counts, Kind::Units],
    has_layer: false,
    shapes: &[(4, 64, 4), (33, 128, 24), (9, 256, 16)],
    is_damaged: false,
    on_layouts: false,
};

fuzz_target!(|text: &[u8]| -> Corpus {
    // What is no history of the one kind may be one of the other.
    match book::play(text, BoxedCountBook::new) {
        Corpus::Reject => book::play(text, BoxedUnitBook::new),
        Corpus::Keep => Corpus::Keep,
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    HISTORIES.mutate(data, size, max_size, seed)
});
