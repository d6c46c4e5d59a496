//! What is read ahead, by a thread of its own.

use std::{
    iter, panic,
    sync::mpsc::{self, Receiver},
    thread::{self, JoinHandle},
    vec,
};

/// Handing over so many at a time costs little beside reading them.
const BATCH: usize = 128;
/// So many batches wait at the most.
const WAITING: usize = 2;

/// Items that a thread of their own makes while those before are used. Where they are not wanted any more, that thread ends after the batch that it is making.
pub(crate) struct Ahead<T> {
    batches: Receiver<Vec<T>>,
    batch: vec::IntoIter<T>,
    maker: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> Ahead<T> {
    /// Those of an iterator, in its order.
    pub(crate) fn new(mut items: impl Iterator<Item = T> + Send + 'static) -> Self {
        let (to, batches) = mpsc::sync_channel(WAITING);
        let mut next = move || items.by_ref().take(BATCH).collect::<Vec<T>>();
        let maker = thread::spawn(move || {
            let batches = iter::repeat_with(&mut next).take_while(|batch| !batch.is_empty());
            // Nobody wants more of them when they cannot be handed over.
            let _ = batches.map(|batch| to.send(batch)).find(Result::is_err);
        });
        Self {
            batches,
            batch: Vec::new().into_iter(),
            maker: Some(maker),
        }
    }
}

impl<T> Iterator for Ahead<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if let item @ Some(_) = self.batch.next() {
            return item;
        }
        match self.batches.recv() {
            Ok(batch) => self.batch = batch.into_iter(),
            Err(_) => {
                // An end that came from a panic is none.
                let ended = self.maker.take().map(JoinHandle::join);
                if let Some(Err(panicked)) = ended {
                    panic::resume_unwind(panicked);
                }
            }
        }
        self.batch.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_in_their_order_and_a_panic_is_no_end() {
        const MANY: usize = 5 * BATCH + 3;
        for count in [0, 1, BATCH, MANY] {
            assert!(Ahead::new(0..count).eq(0..count));
        }
        // More than can wait, of which few are wanted.
        assert!(Ahead::new(0..).take(BATCH + 1).eq(0..BATCH + 1));
        let breaks = |item: usize| {
            assert!(item < MANY, "as it was told to");
            item
        };
        let mut items = Ahead::new((0..=MANY).map(breaks));
        let read = panic::catch_unwind(panic::AssertUnwindSafe(|| items.by_ref().count()));
        assert!(read.is_err());
    }
}
