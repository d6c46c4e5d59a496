//! Histories of a book with late binding and overlays, against its twin.
#![no_main]

use bookahead_commands::Kind;
use bookahead_fuzz::{book, mutate::Histories};
use bookahead_heap::BoxedOverlayBook;
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

const HISTORIES: Histories = Histories {
    kinds: &[Kind::Counts],
    has_layer: true,
    shapes: &[(4, 64, 4), (9, 128, 16), (33, 128, 24)],
    is_damaged: false,
    on_layouts: false,
};

fuzz_target!(|text: &[u8]| -> Corpus { book::play(text, BoxedOverlayBook::new) });

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    HISTORIES.mutate(data, size, max_size, seed)
});
