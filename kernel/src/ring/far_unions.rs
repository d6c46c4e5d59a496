//! Unions of many slots of wide columns, for searches that look at long stretches again and again.

use core::ops::Range;

use super::{axis::Axis, busy_sets::GROUP};
use crate::column::{Column, chunk, chunk_mut, fold};

/// How many slots are joined into one.
pub(crate) const FAR: usize = 512;

/// What is busy in any of so many slots, joined when a search first needs it, and kept until the search ends.
///
/// It is part of searches over narrow columns too, which do not use it, so it does not hold what those who use it have.
pub(crate) struct FarUnions<'r, C> {
    /// Scratch memory, as long as the unions of 8 slots.
    kept: &'r mut [C],
    /// Which are kept.
    reached: Range<usize>,
}

impl<'r, C: Column> FarUnions<'r, C> {
    /// Joins nothing yet; `kept` is scratch memory, as long as the unions of 8 slots.
    pub(crate) const fn new(kept: &'r mut [C]) -> Self {
        Self {
            kept,
            reached: 0..0,
        }
    }

    /// Joins the unions that lie in `offsets`, and between those and what has been joined, from the unions of 8 slots. So each is made once in a
    /// search.
    pub(crate) fn reach(&mut self, axis: &Axis, any: &[C], offsets: &Range<usize>) {
        let circle = axis.circle_of_groups(GROUP);
        let wanted = within(axis, offsets);
        let mut reached = self.reached.clone();
        if wanted.is_empty() {
            return;
        }
        if reached.is_empty() {
            reached = wanted.start..wanted.start;
        }
        let all = reached.start.min(wanted.start)..reached.end.max(wanted.end);
        let columns = any.len().checked_div(circle.len).unwrap_or_default();
        for union in (all.start..reached.start).chain(reached.end..all.end) {
            let first = union.wrapping_mul(FAR / GROUP);
            let [early, late] = circle.indices(first..first.wrapping_add(FAR / GROUP));
            for number in 0..columns {
                let any = chunk(any, number, circle.len);
                let joined = fold(any, early.clone()).join(fold(any, late.clone()));
                let column = chunk_mut(self.kept, number, circle.len);
                if let Some(kept) = column.get_mut(union) {
                    *kept = joined;
                }
            }
        }
        self.reached = all;
    }

    /// Returns these unions of column `number`.
    pub(crate) fn of(&self, axis: &Axis, number: usize, unions: &Range<usize>) -> &[C] {
        let column = chunk(self.kept, number, axis.storage() / GROUP);
        column.get(unions.clone()).unwrap_or_default()
    }
}

/// Returns the offsets before the first union that lies in `offsets`, the unions, and the offsets behind the last.
pub(crate) fn split(axis: &Axis, offsets: &Range<usize>) -> [Range<usize>; 3] {
    let unions = within(axis, offsets);
    if unions.is_empty() {
        return [offsets.clone(), 0..0, 0..0];
    }
    let before = offsets.start..offsets_of(axis, unions.start).start;
    let behind = offsets_of(axis, unions.end).start..offsets.end;
    [before, unions, behind]
}

/// Returns the offsets that a union is of.
pub(crate) fn offsets_of(axis: &Axis, union: usize) -> Range<usize> {
    let ahead = axis.index(0) % GROUP;
    let first = union.saturating_mul(FAR).saturating_sub(ahead);
    first..first.saturating_add(FAR)
}

/// Returns which unions lie wholly in `offsets`.
fn within(axis: &Axis, offsets: &Range<usize>) -> Range<usize> {
    let ahead = axis.index(0) % GROUP;
    let first = offsets.start.saturating_add(ahead).div_ceil(FAR);
    first..(offsets.end.saturating_add(ahead) / FAR).max(first)
}
