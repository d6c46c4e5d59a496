//! Rows by their numbers, of which only those are kept that something may still happen to.

use std::collections::VecDeque;

use crate::saved::{Saved, Saving, put, take};

/// Numbered rows, the first of which are gone.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Kept<T> {
    gone: usize,
    rows: VecDeque<T>,
}

impl<T> Kept<T> {
    pub(super) const fn new() -> Self {
        Self {
            gone: 0,
            rows: VecDeque::new(),
        }
    }

    /// How many there have been.
    pub(super) fn len(&self) -> usize {
        self.gone + self.rows.len()
    }

    pub(super) fn push(&mut self, row: T) {
        self.rows.push_back(row);
    }

    pub(super) fn get(&self, number: usize) -> Option<&T> {
        self.rows.get(number.checked_sub(self.gone)?)
    }

    pub(super) fn get_mut(&mut self, number: usize) -> Option<&mut T> {
        self.rows.get_mut(number.checked_sub(self.gone)?)
    }

    /// The number of the first that is kept, and the row itself if there is one.
    pub(super) fn first(&self) -> (usize, Option<&T>) {
        (self.gone, self.rows.front())
    }

    /// The first that was kept, which is gone from now on.
    pub(super) fn take_first(&mut self) -> Option<T> {
        let row = self.rows.pop_front()?;
        self.gone += 1;
        Some(row)
    }
}

/// How many are gone: the rows themselves are brought again.
impl<T> Saved for Kept<T> {
    fn save(&mut self, to: &mut Vec<u8>) -> Saving {
        put(&self.gone, to)
    }

    fn restore(&mut self, from: &mut &[u8]) -> Saving {
        self.gone = take(from)?;
        Ok(())
    }
}
