//! Histories of the C interface, called by somebody careless, against the twin: whatever it is asked, it answers what the twin does; a call with a
//! mistake is noticed, has written nothing, and changed nothing.
#![no_main]

use bookahead_capi_client::{CapiSide, Careless};
use bookahead_commands::{History, Kind};
use bookahead_fuzz::mutate::Histories;
use bookahead_oracle::Playable;
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

const HISTORIES: Histories = Histories {
    kinds: &[
        Kind::Counts,
        Kind::Units,
        Kind::Sets,
        Kind::RuledCounts,
        Kind::RuledSets,
    ],
    has_layer: false,
    // From one column of 32 PEs to one of 512.
    shapes: &[(4, 64, 4), (12, 70, 16), (140, 130, 16)],
    is_damaged: false,
    on_layouts: false,
};

const ON_LAYOUTS: Histories = Histories {
    kinds: &[Kind::Sets, Kind::RuledSets],
    on_layouts: true,
    ..HISTORIES
};

/// The mistakes that follow from a history: any change of it makes others.
fn mistakes(text: &[u8]) -> Careless {
    let mixed = text.iter().scan(1_u32, |state, byte| {
        *state = state.wrapping_mul(0x0101_9321).wrapping_add((*byte).into());
        Some((*state >> 16) as u8)
    });
    Careless::by(mixed.collect())
}

fuzz_target!(|text: &[u8]| -> Corpus {
    let Some(Ok(Some(history))) = str::from_utf8(text).ok().map(Playable::of) else {
        return Corpus::Reject;
    };
    let side = match &history.placed {
        Some(placed) => CapiSide::on(&history.size, placed, mistakes(text)),
        None => CapiSide::of(&history.size, mistakes(text)),
    };
    if let Err(disagreement) = history.play(CapiSide::SCOPE, Box::new(side)) {
        panic!("the C interface and the twin differ, {disagreement}");
    }
    Corpus::Keep
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    // Now and then a fresh one, of either machine.
    let size = if seed.is_multiple_of(32) { 0 } else { size };
    let history = str::from_utf8(&data[..size]).ok().map(History::of);
    let on_layout = match history {
        Some(Ok(history)) => history.placed().is_some(),
        _ => seed.is_multiple_of(64),
    };
    let histories = if on_layout { ON_LAYOUTS } else { HISTORIES };
    histories.mutate(data, size, max_size, seed)
});
