//! Histories of a book with late binding, against its twin.
#![no_main]

use bookahead_commands::Kind;
use bookahead_fuzz::{book, mutate::Histories};
use bookahead_heap::BoxedCountBook;
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

const HISTORIES: Histories = Histories {
    kinds: &[Kind::Counts],
    has_layer: false,
    shapes: &[(4, 64, 4), (33, 128, 24), (9, 256, 16)],
    is_damaged: false,
    on_layouts: false,
};

fuzz_target!(|text: &[u8]| -> Corpus { book::play(text, BoxedCountBook::new) });

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    HISTORIES.mutate(data, size, max_size, seed)
});
