//! Histories of a book with early binding, in columns for hosts, against its twin.
#![no_main]

use bookahead_commands::Kind;
use bookahead_fuzz::{book, mutate::Histories};
use bookahead_heap::{BoxedPeBook, HostColumn};
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

const HISTORIES: Histories = Histories {
    kinds: &[Kind::Sets],
    has_layer: false,
    shapes: &[(70, 64, 8), (9, 192, 16), (600, 64, 12)],
    is_damaged: false,
    on_layouts: false,
};

fuzz_target!(|text: &[u8]| -> Corpus { book::play(text, BoxedPeBook::<HostColumn>::new) });

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    HISTORIES.mutate(data, size, max_size, seed)
});
