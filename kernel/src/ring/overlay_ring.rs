//! The ring of busy counts with a second layer of counts, for reservations on top of others.

use core::ops::Range;

use super::{
    axis::Axis,
    bare::Ring,
    count_ring::counted,
    count_ring::{CountRing, is_sum_of},
    counts::Counts,
    edges::Edges,
    growing_window::{GrowingView, GrowingWindow},
    occupancy::{Occupancy, Relocation, SetParts, SlotWriter},
    overlaid::Overlaid,
    placing::Placing,
    planning::Planning,
    ruled::Ruled,
    scan::{NativeScan, Scan},
    search::{Booked, RingSearch},
    sliding_window::{BulkWindow, SlidingView},
};
use crate::{
    error::Error,
    pe::{Pe, PeCount},
    time::{Slot, Window},
    violation::Violation,
};

/// A [`CountRing`] whose reservations may in part be *overlaid*: booked on top of others that will probably end early.
///
/// Two exact layers lie beside it: what is firmly booked in each slot, never more than the machine has, and what is overlaid there. The
/// ring that everybody searches shows their sum, but at most the whole machine. So nobody who comes later is given what an overlay waits
/// for, and no search knows of overlays.
///
/// Invariants: those of [`CountRing`], for the firm layer and, where it shows less than the whole machine, for the sum; `of_row` gives the
/// overlaid part of each row.
pub struct OverlayRing<'a, S = NativeScan> {
    pub(crate) shown: CountRing<'a, S>,
    pub(crate) layers: Layers<'a>,
}

/// The two layers of counts, and the overlaid part of each ledger row.
pub(crate) struct Layers<'a> {
    pub(crate) firm: &'a mut [u16],
    pub(crate) overlaid: &'a mut [u16],
    pub(crate) of_row: &'a mut [u16],
    /// The revision of the book after which overlays were last examined for becoming ordinary bookings.
    pub(crate) seen: &'a mut u64,
}

impl Layers<'_> {
    /// Returns what is firmly booked and overlaid in the slot at `index`.
    fn sum(&self, index: usize) -> u32 {
        let at = |layer: &[u16]| u32::from(layer.get(index).copied().unwrap_or_default());
        at(self.firm).saturating_add(at(self.overlaid))
    }
}

/// A change of the counts of one slot: how many more are firm and how many more overlaid, modulo 2^16.
#[derive(Clone, Copy)]
struct Change {
    firm: u16,
    overlaid: u16,
}

impl<S: Scan> OverlayRing<'_, S> {
    /// Books `pes` processing elements throughout `offsets` for the vacant `row`, `overlaid` of them on top of others.
    pub(crate) fn overlay(&mut self, row: usize, offsets: Range<usize>, pes: u32, overlaid: u32) {
        self.set_overlaid(row, overlaid);
        self.change(offsets, self.part(row, pes));
    }

    /// Returns how many more processing elements can be overlaid in a slot of `offsets`, as far as counts can say. O(offsets).
    pub(crate) fn most_overlaid(&self, offsets: Range<usize>) -> u32 {
        let busiest = self.shown.axis.indices(offsets).into_iter();
        let busiest = busiest.filter_map(|indices| self.layers.overlaid.get(indices));
        let most = busiest.flatten().copied().max().unwrap_or_default();
        u16::MAX.saturating_sub(most).into()
    }

    /// Returns how many processing elements remain in the slot at `offset` when all that is booked and overlaid there is subtracted.
    pub(crate) fn remaining(&self, offset: usize) -> i32 {
        let taken = self.layers.sum(self.shown.axis.index(offset));
        (self.shown.axis.width() as i32).saturating_sub(taken as i32)
    }

    fn set_overlaid(&mut self, row: usize, pes: u32) {
        if let Some(overlaid) = self.layers.of_row.get_mut(row) {
            *overlaid = pes as u16;
        }
    }

    /// Returns what `pes` processing elements of `row` add to the layers.
    fn part(&self, row: usize, pes: u32) -> Change {
        let overlaid = self.overlaid(row);
        Change {
            firm: pes.wrapping_sub(overlaid) as u16,
            overlaid: overlaid as u16,
        }
    }

    /// Changes the layers in `offsets`, and what they show. O(offsets).
    fn change(&mut self, offsets: Range<usize>, change: Change) {
        for indices in self.shown.axis.indices(offsets.clone()) {
            let add = |layer: &mut [u16], more: u16| {
                for count in layer.get_mut(indices.clone()).unwrap_or_default() {
                    *count = count.wrapping_add(more);
                }
            };
            add(self.layers.firm, change.firm);
            add(self.layers.overlaid, change.overlaid);
        }
        let (layers, all) = (&self.layers, self.shown.axis.width());
        let shown = |index| layers.sum(index).min(all) as u16;
        S::replace(
            &mut self.shown.counts,
            self.shown.axis,
            offsets.clone(),
            shown,
        );
        // Where more is taken than the machine has, a change is not seen in all slots alike.
        for offset in offsets.start..=offsets.end {
            self.shown.refresh_edge(offset);
        }
    }
}

impl<S: Scan> Placing for OverlayRing<'_, S> {
    type Class = ();
}

impl<S: Scan> Planning for OverlayRing<'_, S> {}

impl<S: Scan> Overlaid for OverlayRing<'_, S> {
    const OVERLAYS: bool = true;

    fn overlaid(&self, row: usize) -> u32 {
        self.layers
            .of_row
            .get(row)
            .copied()
            .unwrap_or_default()
            .into()
    }

    fn is_overlaid(&self, offsets: Range<usize>) -> bool {
        let parts = self.shown.axis.indices(offsets).into_iter();
        let mut parts = parts.filter_map(|indices| self.layers.overlaid.get(indices));
        parts.any(|part| part.iter().any(|count| *count > 0))
    }

    fn firmly_free(&self, offsets: Range<usize>) -> u32 {
        let parts = self.shown.axis.indices(offsets).into_iter();
        let parts = parts.filter_map(|indices| self.layers.firm.get(indices));
        let busy = parts.flatten().copied().max().unwrap_or_default();
        self.shown.axis.width().saturating_sub(busy.into())
    }

    fn book(&mut self, row: usize, offsets: Range<usize>, pes: u32) {
        self.set_overlaid(row, self.overlaid(row).wrapping_sub(pes));
        let change = Change {
            firm: pes as u16,
            overlaid: (pes as u16).wrapping_neg(),
        };
        self.change(offsets, change);
    }

    fn idle(&self) -> u32 {
        let pes = self.shown.axis.width();
        let owners = self.shown.owner.iter().take(pes as usize);
        let bound = owners.filter(|owner| **owner != 0).count();
        pes.saturating_sub(bound as u32)
    }

    fn seen(&self) -> Option<u64> {
        Some(*self.layers.seen)
    }

    fn set_seen(&mut self, revision: u64) {
        *self.layers.seen = revision;
    }
}

impl<S: Scan> Ring for OverlayRing<'_, S> {
    type Pes = PeCount;

    fn add(&mut self, window: Window, pes: &PeCount) -> Result<(), Error> {
        let firm = counted::<u16>(*pes)? as u16;
        self.change(self.shown.axis.ahead(window)?, Change { firm, overlaid: 0 });
        Ok(())
    }

    fn remove(&mut self, window: Window, pes: &PeCount) -> Result<(), Error> {
        let firm = (counted::<u16>(*pes)? as u16).wrapping_neg();
        self.change(self.shown.axis.ahead(window)?, Change { firm, overlaid: 0 });
        Ok(())
    }
}

impl<S: Scan> Occupancy for OverlayRing<'_, S> {
    fn axis(&self) -> &Axis {
        self.shown.axis
    }

    fn claim(&mut self, _row: usize, offsets: Range<usize>, pes: u32) -> bool {
        let free = self.shown.has_room(offsets.clone(), pes);
        if free {
            let change = Change {
                firm: pes as u16,
                overlaid: 0,
            };
            self.change(offsets, change);
        }
        free
    }

    fn release(&mut self, row: usize, offsets: Range<usize>, pes: u32) {
        let Change { firm, overlaid } = self.part(row, pes);
        let change = Change {
            firm: firm.wrapping_neg(),
            overlaid: overlaid.wrapping_neg(),
        };
        self.change(offsets, change);
    }

    fn forget(&mut self, row: usize) {
        self.set_overlaid(row, 0);
    }

    fn bind(&mut self, row: usize, pes: u32) {
        self.shown.bind(row, pes);
    }

    fn unbind(&mut self, row: usize, pes: u32) {
        self.shown.unbind(row, pes);
    }

    fn move_now(&mut self, to: Slot) {
        let mut rest = 0..self.shown.axis.nearest(to);
        while let Some(busy) = self.shown.next_busy(rest.clone()) {
            rest.start = busy.end;
            for indices in self.shown.axis.indices(busy) {
                for layer in [&mut *self.layers.firm, &mut *self.layers.overlaid] {
                    layer.get_mut(indices.clone()).unwrap_or_default().fill(0);
                }
            }
        }
        self.shown.move_now(to);
    }
}

impl<S: Scan> Ruled for OverlayRing<'_, S> {}

impl<S: Scan> SetParts for OverlayRing<'_, S> {
    type Part = ();
}

impl<S: Scan> Relocation for OverlayRing<'_, S> {
    fn reclaim(&mut self, row: usize, offsets: Range<usize>, pes: u32, _fixed: bool) -> bool {
        self.claim(row, offsets, pes)
    }

    fn restore(&mut self, row: usize, offsets: Range<usize>, pes: u32) {
        self.change(offsets, self.part(row, pes));
    }

    fn set(&self, _row: usize) -> &[()] {
        &[]
    }

    fn set_mut(&mut self, _row: usize) -> &mut [()] {
        &mut []
    }

    fn shares(&self, _row: usize, _other: usize) -> bool {
        true
    }
}

impl<S: Scan> RingSearch for OverlayRing<'_, S> {
    type Scan = S;

    fn counts(&self) -> &Counts<'_> {
        self.shown.counts()
    }

    fn edges(&self) -> &Edges<'_> {
        self.shown.edges()
    }

    fn busy_besides(&self, own: u32, index: usize) -> u32 {
        let others = self.layers.sum(index).saturating_sub(own);
        others.min(self.shown.axis.width())
    }

    fn sliding_window(
        &mut self,
        reach: usize,
        duration: usize,
    ) -> SlidingView<'_, impl BulkWindow> {
        self.shown.sliding_window(reach, duration)
    }

    const COUNTS_DECIDE: bool = true;

    fn growing_window(&mut self) -> GrowingView<'_, impl GrowingWindow> {
        self.shown.growing_window()
    }

    fn next_pe(&self, row: usize, from: usize, held: bool) -> Option<Pe> {
        self.shown.next_pe(row, from, held)
    }

    fn verify<B>(&mut self, bookings: B) -> Result<(), Violation>
    where
        B: Iterator<Item = Booked> + Clone,
    {
        let Layers {
            firm,
            overlaid,
            of_row,
            ..
        } = &mut self.layers;
        let axis = &*self.shown.axis;
        let part = |row: usize| u32::from(of_row.get(row).copied().unwrap_or_default());
        let whole = |rows: u64, booked: Booked| rows.saturating_add(part(booked.row).into());
        let known = bookings.clone().fold(0, whole);
        let all = of_row.iter().map(|pes| u64::from(*pes)).sum::<u64>();
        if known != all || bookings.clone().any(|booked| part(booked.row) > booked.pes) {
            return Err(Violation::Overlay);
        }
        let firmly = bookings.clone().map(|booked| Booked {
            pes: booked.pes.wrapping_sub(part(booked.row)),
            ..booked
        });
        let on_top = bookings.clone().map(|booked| Booked {
            pes: part(booked.row),
            ..booked
        });
        if !is_sum_of(axis, firm, firmly) || !is_sum_of(axis, overlaid, on_top) {
            return Err(Violation::Occupancy);
        }
        let most = axis.width();
        if firm.iter().any(|busy| u32::from(*busy) > most) {
            return Err(Violation::TooManyBusy);
        }
        let (layers, counts) = (&self.layers, &self.shown.counts);
        let agrees =
            |(index, shown): (usize, &u16)| u32::from(*shown) == layers.sum(index).min(most);
        if !counts.busy.iter().enumerate().all(agrees) {
            return Err(Violation::Overlay);
        }
        self.shown.verify_bindings(bookings)?;
        self.shown.verify_summaries()
    }
}
