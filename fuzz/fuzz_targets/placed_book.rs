//! Histories of a book on a machine with a layout, with and without rules, in columns for devices and for hosts, against its twin.
#![no_main]

use bookahead_commands::Kind;
use bookahead_fuzz::{book, mutate::Histories};
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

const HISTORIES: Histories = Histories {
    kinds: &[Kind::Sets, Kind::RuledSets],
    has_layer: false,
    // As many PEs as the layout has.
    shapes: &[(1, 64, 4), (1, 128, 16)],
    is_damaged: false,
    on_layouts: true,
};

fuzz_target!(|text: &[u8]| -> Corpus { book::play_placed(text) });

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    HISTORIES.mutate(data, size, max_size, seed)
});
