//! Histories of books with rules, of numbers and of sets in columns for devices, against their twin.
#![no_main]

use bookahead_commands::Kind;
use bookahead_fuzz::{book, mutate::Histories};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, BoxedRuledBook};
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

const HISTORIES: Histories = Histories {
    kinds: &[Kind::RuledCounts, Kind::RuledSets],
    has_layer: false,
    shapes: &[(4, 64, 4), (40, 128, 16), (9, 256, 12)],
    is_damaged: false,
    on_layouts: false,
};

fuzz_target!(|text: &[u8]| -> Corpus {
    // What is no history of the one kind may be one of the other.
    match book::play(text, BoxedRuledBook::<BoxedCountBook, ()>::new) {
        Corpus::Reject => book::play(text, BoxedRuledBook::<BoxedPeBook<u32>, u32>::new),
        Corpus::Keep => Corpus::Keep,
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    HISTORIES.mutate(data, size, max_size, seed)
});
