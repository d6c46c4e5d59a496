//! Histories of a book with a queue, given to the book and to its twin.

use std::sync::LazyLock;

use bookahead::{
    Span,
    raw::{BulkScan, PlainScan, Scan},
};
use bookahead_commands::{Memory, Scanned, Scope};
use bookahead_heap::{SizeError, Sizes};
use bookahead_oracle::{Playable, kernel_of};
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
    if (kind, has_layer) != (kinds, layers) {
        return Corpus::Reject;
    }
    play_on::<M, BulkScan>(&history, &make);
    play_on::<M, PlainScan>(&history, &make);
    Corpus::Keep
}

fn play_on<M, S: Scan>(history: &Playable, make: impl Fn(Sizes) -> Result<M, SizeError>)
where
    Scanned<M, S>: Memory,
{
    let mut kernel = kernel_of::<M, S>(&history.size, make).expect("it is small");
    kernel.late = planted_delay();
    if let Err(disagreement) = history.clone().play(Scope::Whole, Box::new(kernel)) {
        let search = std::any::type_name::<S>();
        panic!("the book and its twin differ, {disagreement}of a book searched by {search}");
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
