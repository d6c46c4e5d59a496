//! Histories of a book with early binding, in columns for devices, against its twin.
#![no_main]

use bookahead_commands::Kind;
use bookahead_fuzz::{book, mutate::Histories};
use bookahead_heap::BoxedPeBook;
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

const HISTORIES: Histories = Histories {
    kinds: &[Kind::Sets],
    has_layer: false,
    shapes: &[(32, 64, 4), (40, 128, 16), (9, 256, 12)],
    is_damaged: false,
    on_layouts: false,
};

fuzz_target!(|text: &[u8]| -> Corpus { book::play(text, BoxedPeBook::<u32>::new) });

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    HISTORIES.mutate(data, size, max_size, seed)
});
