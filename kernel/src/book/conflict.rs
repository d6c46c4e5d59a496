//! Conflicts: the reservations and rules in the way of another.

#[cfg(feature = "outages")]
use core::ops::Range;

use super::Book;
#[cfg(feature = "outages")]
use crate::rule::Rule;
use crate::{
    handle::Handle,
    ledger::{Ledger, Placement, Row, RowOf, mark},
    ring::{Axis, Ring, Width},
    time::Window,
};

/// The reservations in the way of a placement: the first few by handle, and the number of the others.
///
/// ```
/// use bookahead::Conflict;
/// assert!(Conflict::NONE.is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Conflict {
    handles: [Handle; Self::LISTED],
    listed: u32,
    more: u32,
    /// A bit for each rule.
    #[cfg(feature = "outages")]
    rules: u32,
}

impl Conflict {
    /// The greatest number of reservations listed by handle.
    pub const LISTED: usize = 8;

    /// No reservation is in the way.
    pub const NONE: Self = Self {
        handles: [Handle {
            row: 0,
            generation: 0,
        }; Self::LISTED],
        listed: 0,
        more: 0,
        #[cfg(feature = "outages")]
        rules: 0,
    };

    /// Returns the reservations listed by handle: first the running ones, then the others, each in order of start, ties in order of
    /// acceptance, as [`Book::covering`] does. When several placements do not fit, those in the way of the first come first.
    #[must_use]
    pub fn handles(&self) -> &[Handle] {
        self.handles.get(..self.listed as usize).unwrap_or_default()
    }

    /// Returns how many others there are. When several placements do not fit, a reservation in the way of several may
    /// count more than once.
    #[must_use]
    pub const fn more(&self) -> u32 {
        self.more
    }

    /// Returns how many there are in all.
    #[must_use]
    pub const fn len(&self) -> usize {
        (self.listed as usize).saturating_add(self.more as usize)
    }

    /// Returns whether no reservation is in the way.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the numbers of the [rules](crate::Book::with_rules) in the way, beside the reservations: those that take something in a slot that is short of
    /// processing elements, or one of those that the reservation cannot do without. What is not there at all, as [`resize`](crate::Transaction::resize) says, is none of them.
    ///
    /// ```
    /// # use bookahead::{Absent, CountBook, CountWorkspace, PeCount, Request, Rule, Rules, Slot, Span};
    /// # let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap();
    /// # let mut rules = Rules::<(), 0>::new();
    /// # let mut book = memory.view().with_rules(rules.view()).unwrap();
    /// # let (mut workspace, mut broken) = (CountWorkspace::<1, 0>::new(), heapless::Vec::<_, 1>::new());
    /// let night = Rule { phase: Span::new(0), period: Span::new(24), length: Span::new(8) };
    /// # let mut transaction = book.transaction(workspace.view(), 1_000);
    /// transaction.set_rule(3, Some((night, Absent::Number(PeCount::new(2)))), &mut broken)?;
    /// # transaction.commit()?;
    /// let request = Request { ready: Slot::new(6), duration: Span::new(4), deadline: Slot::new(10), pes: PeCount::new(3) };
    /// let mut obstacles = heapless::Vec::<_, 4>::new();
    /// book.explain(&request, &mut obstacles)?;
    /// assert!(obstacles[0].holders.is_empty() && obstacles[0].holders.rules().eq([3]));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    #[cfg(feature = "outages")]
    pub fn rules(&self) -> impl Iterator<Item = usize> + use<> {
        Rule::numbers(self.rules)
    }

    /// Adds rules, by the bits of their numbers.
    #[cfg(feature = "outages")]
    pub(crate) fn add_rules(&mut self, rules: u32) {
        self.rules |= rules;
    }

    /// Adds a reservation, unless it is listed already.
    pub(crate) fn add(&mut self, handle: Handle) {
        if self.handles().contains(&handle) {
            return;
        }
        match self.handles.get_mut(self.listed as usize) {
            Some(place) => {
                *place = handle;
                self.listed = self.listed.saturating_add(1);
            }
            None => self.more = self.more.saturating_add(1),
        }
    }
}

impl Default for Conflict {
    fn default() -> Self {
        Self::NONE
    }
}

impl<R: Ring> Book<'_, R> {
    /// Returns the reservations that cover a slot of `window`: first the running ones, then the held or confirmed ones,
    /// each in order of start, ties in order of acceptance.
    /// O(running + window + longest duration + reservations that start there).
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, PeCount, Policy, Request, Slot, Span, Window};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let window = Window { start: Slot::new(7), end: Slot::new(9) };
    /// assert!(book.covering(window).eq([booking.handle]));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    pub fn covering(&self, window: Window) -> impl Iterator<Item = Handle> {
        self.covering_rows(window)
            .map(|(index, row)| row.handle(index))
    }

    /// Returns the rows of the reservations that cover a slot of `window`, except lifted ones.
    pub(crate) fn covering_rows(&self, window: Window) -> impl Iterator<Item = (usize, &RowOf<R>)> {
        covering(&self.ledger, self.ring.axis(), window)
    }

    /// Adds the reservations in the way of a placement: of the reservation in row `own`, or of a new one for `None`.
    /// With `known_before`, only those that the present transaction has not touched, as what it inserts may never be
    /// committed.
    pub(crate) fn add_conflict(
        &self,
        own: Option<usize>,
        placement: &Placement,
        known_before: bool,
        conflict: &mut Conflict,
    ) {
        let window = placement.window();
        let row = own.and_then(|own| self.ledger.rows.get(own));
        // It cannot do without one of those that it has.
        let is_fixed = |row: &RowOf<R>| row.is_running() || R::may_choose(row, 0).is_err();
        let fixed = own.filter(|_| row.is_some_and(is_fixed));
        let wanted = self.ring.axis().covered(window);
        let pes = placement.pes.get();
        // They come in order of start, so each slot is examined once.
        let mut short = wanted.start;
        for (index, other) in self.covering_rows(window) {
            if Some(index) == own || known_before && other.is_marked(mark::LOGGED) {
                continue;
            }
            let in_the_way = if R::COUNTS_DECIDE {
                let has = self.ring.axis().covered(other.window());
                short = short.max(has.start);
                while short < wanted.end && !self.is_short(row, pes, short) {
                    short = short.saturating_add(1);
                }
                short < wanted.end.min(has.end)
            } else {
                fixed.is_none_or(|own| self.ring.shares(own, index))
            };
            if in_the_way {
                conflict.add(other.handle(index));
            }
        }
        #[cfg(feature = "outages")]
        self.add_rules(row, fixed, (wanted, pes), conflict);
    }

    /// Adds the rules in the way of `pes` processing elements, or of those that the reservation in row `fixed` cannot do without, at `wanted` offsets.
    #[cfg(feature = "outages")]
    fn add_rules(
        &self,
        own: Option<&RowOf<R>>,
        fixed: Option<usize>,
        (wanted, pes): (Range<usize>, u32),
        conflict: &mut Conflict,
    ) {
        if !R::RULES {
            return;
        }
        if !R::COUNTS_DECIDE {
            conflict.add_rules(self.ring.rules_during(wanted, fixed));
            return;
        }
        for slot in wanted.filter(|slot| self.is_short(own, pes, *slot)) {
            let only = slot..slot.saturating_add(1);
            conflict.add_rules(self.ring.rules_during(only, None));
        }
    }

    /// Returns whether fewer than `pes` processing elements are free in the slot at `offset`; what the reservation
    /// itself holds there counts as free.
    fn is_short(&self, own: Option<&RowOf<R>>, pes: u32, offset: usize) -> bool {
        let axis = self.ring.axis();
        let slot = axis.slot(offset);
        let own = own.filter(|row| !row.is_marked(mark::LIFTED) && row.window().contains(slot));
        let own = own.map_or(0, |row| row.pes.get());
        let others = self.ring.busy_besides(own, axis.index(offset));
        others.saturating_add(pes) > axis.width()
    }
}

/// Returns the rows that cover a slot of `window`, except lifted ones.
///
/// Running reservations started at or before `now`. The others are searched in the lists of those start slots from
/// which the longest reservation could reach the window.
pub(crate) fn covering<'l, N: Width>(
    ledger: &'l Ledger<'_, N>,
    axis: &'l Axis,
    window: Window,
) -> impl Iterator<Item = (usize, &'l Row<N>)> + use<'l, N> {
    let reach = ledger.state.longest;
    let from = Window {
        start: window.start.saturating_sub(reach),
        end: window.end,
    };
    ledger
        .running()
        .chain(ledger.starting(axis, axis.covered(from)))
        .filter_map(move |index| {
            let row = ledger.rows.get(index)?;
            let covers = !intersection(row.window(), window).is_empty();
            (covers && !row.is_marked(mark::LIFTED)).then_some((index, row))
        })
}

fn intersection(one: Window, other: Window) -> Window {
    Window {
        start: one.start.max(other.start),
        end: one.end.min(other.end),
    }
}
