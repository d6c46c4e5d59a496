//! The availability profile of a part of the ring.

use super::{Book, ProfileStep};
use crate::{
    pe::PeCount,
    ring::{Count, Ring},
    time::Window,
};

impl<R: Ring> Book<'_, R> {
    /// Returns the steps of the availability profile during `window`, or during the part of it that lies in the ring: one from its first slot on, and one
    /// for each change
    /// that follows. [`records`](Self::records) are those of the whole ring without what is idle in front. O(window / 64 + steps) for all of them.
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// use bookahead::Window;
    /// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let window = Window { start: Slot::new(4), end: Slot::new(9) };
    /// let steps: Vec<_> = book.profile(window).map(|step| (step.at.get(), step.busy.get())).collect();
    /// assert_eq!(steps, [(4, 3), (8, 0)]);
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// Source: `li`, section 4 (AvailRectList).
    pub fn profile(&self, window: Window) -> impl Iterator<Item = ProfileStep> {
        let axis = self.ring.axis();
        let offsets = axis.covered(window);
        let end = offsets.end;
        let next = move |from: usize| self.ring.edges().next_change(axis, from..end);
        let first = (!offsets.is_empty()).then_some(offsets.start);
        let steps = core::iter::successors(first, move |offset| next(offset.saturating_add(1)));
        steps.map(move |offset| ProfileStep {
            at: axis.slot(offset),
            busy: PeCount::new(self.ring.counts().at(axis.index(offset)).get()),
        })
    }
}
