//! The state of a run between two arrivals, as bytes from which it goes on.
//!
//! What arrives is not in it: whoever goes on reads that again. Nor is anything that a system says.

use bookahead::raw::Kept as Restorable;

use super::{drive::Run, scheduler::Scheduler};
use crate::{
    error::Result,
    saved::{Saved, Saving, saves},
};

impl<R: Restorable> Run<'_, R> {
    /// The state, when everything that is certain has been told.
    pub(super) fn state(&mut self) -> Result<Vec<u8>> {
        let mut state = Vec::new();
        self.save(&mut state)?;
        Ok(state)
    }
}

// Operations are not saved, nor what is kept for them: whoever keeps states has none.
impl<R: Restorable> Saved for Run<'_, R> {
    saves!(
        arrived lives ends decisions moves news looked_until given_up given preemptible came_back;
        demands outages rules scheduler
    );
}

impl<R: Restorable> Saved for Scheduler<'_, R> {
    fn save(&mut self, to: &mut Vec<u8>) -> Saving {
        let mut append = |piece: &[u8]| {
            to.extend_from_slice(piece);
            true
        };
        self.book.write_snapshot(&mut append)?;
        if let Some(waiting) = &mut self.waiting {
            waiting.queue.write_snapshot(&mut append)?;
            waiting.save(to)?;
        }
        self.admission.save(to)
    }

    fn restore(&mut self, from: &mut &[u8]) -> Saving {
        self.book.read_snapshot(&mut |piece| fill(piece, from))?;
        if let Some(waiting) = &mut self.waiting {
            let mut read = |piece: &mut [u8]| fill(piece, from);
            waiting.queue.read_snapshot(&self.book, &mut read)?;
            waiting.restore(from)?;
        }
        self.admission.restore(from)
    }
}

/// Takes a piece away from the front.
fn fill(piece: &mut [u8], from: &mut &[u8]) -> bool {
    let Some((front, rest)) = from.split_at_checked(piece.len()) else {
        return false;
    };
    piece.copy_from_slice(front);
    *from = rest;
    true
}
