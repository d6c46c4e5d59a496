//! Histories of a book with a queue, given to the book and to its twin.

use std::sync::LazyLock;

use bookahead::{
    Layout, Span,
    raw::{BulkScan, PlainScan, Scan},
};
use bookahead_commands::{Kernel, Memory, Placed, Scanned, Scope, kernel_of, kernel_on};
use bookahead_heap::{
    BoxedJobQueue, BoxedPlacedBook, BoxedRuledBook, HostColumn, PlacedSizeError, PlacedSizes,
    SizeError, Sizes,
};
use bookahead_oracle::Playable;
use libfuzzer_sys::Corpus;

/// Plays a history on books in the memory that `make` makes: on one that is searched in bulk, then on one that is searched plainly. What is
/// no history of such a book is rejected.
///
/// # Panics
///
/// When a book and its twin differ.
pub fn play<M>(bytes: &[u8], make: impl Fn(Sizes) -> Result<M, SizeError>) -> Corpus
where
    Scanned<M, BulkScan>: Memory,
    Scanned<M, PlainScan>: Memory,
{
    let text = str::from_utf8(bytes).ok();
    let Some(Ok(Some(history))) = text.map(Playable::of) else {
        return Corpus::Reject;
    };
    let (kind, has_layer) = (history.size.kind, history.size.has_layer);
    let (kinds, layers) = (
        <Scanned<M, BulkScan>>::KIND,
        <Scanned<M, BulkScan>>::HAS_LAYER,
    );
    if (kind, has_layer) != (kinds, layers) || history.placed.is_some() {
        return Corpus::Reject;
    }
    play_on::<M, BulkScan>(&history, &make);
    play_on::<M, PlainScan>(&history, &make);
    Corpus::Keep
}

/// As [`play`], for a book on a machine with a layout: in columns for devices, searched plainly, and in those for hosts, searched in bulk.
///
/// # Panics
///
/// As [`play`].
pub fn play_placed(bytes: &[u8]) -> Corpus {
    let text = str::from_utf8(bytes).ok();
    let Some(Ok(Some(history))) = text.map(Playable::of) else {
        return Corpus::Reject;
    };
    let Some(placed) = history.placed.clone() else {
        return Corpus::Reject;
    };
    if history.size.kind.has_rules() {
        let narrow = BoxedRuledBook::<BoxedPlacedBook<u32>, u32>::new;
        play_on_nodes::<_, PlainScan>(&history, &placed, narrow);
        let wide = BoxedRuledBook::<BoxedPlacedBook<HostColumn>, HostColumn>::new;
        play_on_nodes::<_, BulkScan>(&history, &placed, wide);
    } else {
        play_on_nodes::<_, PlainScan>(&history, &placed, BoxedPlacedBook::<u32>::new);
        play_on_nodes::<_, BulkScan>(&history, &placed, BoxedPlacedBook::<HostColumn>::new);
    }
    Corpus::Keep
}

fn play_on_nodes<M, S: Scan>(
    history: &Playable,
    placed: &Placed,
    make: impl Fn(&Layout<'_>, PlacedSizes) -> Result<M, PlacedSizeError>,
) where
    Scanned<M, S>: Memory,
{
    let kernel = kernel_on::<M, S>(&history.size, placed, make).expect("it is small");
    against_twin(history, kernel);
}

fn play_on<M, S: Scan>(history: &Playable, make: impl Fn(Sizes) -> Result<M, SizeError>)
where
    Scanned<M, S>: Memory,
{
    let kernel = kernel_of::<M, S>(&history.size, make).expect("it is small");
    against_twin(history, kernel);
}

fn against_twin<M: Memory>(history: &Playable, mut kernel: Kernel<M, BoxedJobQueue>) {
    kernel.late = planted_delay();
    if let Err(disagreement) = history.clone().play(Scope::Whole, Box::new(kernel)) {
        let book = std::any::type_name::<M>();
        panic!("the book and its twin differ, {disagreement}of a {book}");
    }
}

/// How late books are told of early ends: one slot with `BOOKAHEAD_CANARY` in the environment, a fault that a fuzzer has to find.
fn planted_delay() -> Span {
    static DELAY: LazyLock<Span> = LazyLock::new(|| {
        let planted = std::env::var_os("BOOKAHEAD_CANARY").is_some();
        Span::new(planted.into())
    });
    *DELAY
}
