//! A ring whose slots begin with what rules take.

use core::ops::Range;

#[cfg(feature = "placement")]
use super::placed_ring::{OnLayout, PlacedRing};
use super::{
    axis::Axis,
    bare::Ring,
    based::{Base, Based},
    counts::Counts,
    edges::Edges,
    growing_window::{GrowingView, GrowingWindow},
    occupancy::{CountOf, Occupancy, Relocation, SetParts, SlotWriter},
    overlaid::Overlaid,
    placing::Placing,
    planning::Planning,
    ruled::Ruled,
    scan::CountScan,
    search::{Booked, RingSearch},
    sliding_window::{BulkWindow, SlidingView},
};
#[cfg(feature = "journal")]
use crate::bytes::SnapshotError;
#[cfg(feature = "placement")]
use crate::placement::Classes;
use crate::{
    book::Book,
    column::{chunk, chunk_mut},
    error::Error,
    ledger::RowOf,
    pe::Pe,
    rule::{Absent, Meeting, Rule, RuleEdge, RuleEntry},
    time::{Slot, Window},
    violation::Violation,
};

/// A ring of which rules take something again and again: a slot that enters the horizon begins with that, and not empty.
///
/// In each slot, a rule that applies there takes its processing elements. With late binding that is a number, and the greatest of those that apply
/// counts; with early binding it is a set, and all of them count. Jobs without a known end have theirs in every slot. All that is the *base* of the slot. It follows from the table of rules; that of the last
/// slot is kept, so that time can pass slot by slot at little cost: slots behind the horizon, which the arrays have where it is not of whole blocks, hold their base too, so that
/// the place of a slot that passes is that of the slot to be written.
///
/// Invariants: without the base, those of the ring inside; and the base is busy in each slot of the arrays; `edge` and the last set say what the base of the last one is.
pub struct RuledRing<'a, R: SetParts> {
    pub(crate) ring: R,
    pub(crate) rules: RuleParts<'a, R::Part>,
}

/// The memory of the rules of a book, for memory that is not a [`Rules`](crate::Rules).
#[derive(Debug)]
pub struct RuleParts<'a, P> {
    /// The rules, what is not there at all, a draft, and what jobs without a known end have.
    pub entries: &'a mut [RuleEntry; RuleEntry::COUNT],
    /// What they take in the last slot.
    pub edge: &'a mut RuleEdge,
    /// With early binding, [`RuleEntry::SETS`] times as many columns as a set of the book has; empty with late binding.
    pub sets: &'a mut [P],
}

/// The entry of a rule that is not in force yet.
const DRAFT: usize = RuleEntry::SIZE + 1;
/// The entry of what jobs without a known end have: it applies in every slot.
pub(super) const OPEN: usize = RuleEntry::SIZE + 2;

/// Returns the bit of an entry.
pub(super) const fn bit(entry: usize) -> u32 {
    1_u32.wrapping_shl(entry as u32)
}

/// Returns the entries whose bits are set.
fn those(bits: u32) -> impl Iterator<Item = usize> {
    (0..RuleEntry::COUNT).filter(move |entry| bits & bit(*entry) != 0)
}

#[allow(private_bounds, reason = "sealed: only the crate's own rings")]
impl<'a, R: Based> Book<'a, R> {
    /// Returns this book with the rules in that memory, which take something of the machine again and again; see
    /// [`Transaction::set_rule`](crate::Transaction::set_rule). `None` where the memory is for sets of another size. O(1).
    ///
    /// The rules belong to the book from its first slot on: begin with both empty, and never open the book without them.
    ///
    /// ```
    /// use bookahead::{Absent, CountBook, CountWorkspace, PeCount, Policy, Request, Commitment, Rule, Rules, Slot, Span};
    /// let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap();
    /// let mut rules = Rules::<(), 0>::new();
    /// let mut book = memory.view().with_rules(rules.view()).unwrap();
    ///
    /// // Of every 24 slots, only one processing element is there in the first 8.
    /// let (mut workspace, mut broken) = (CountWorkspace::<4, 0>::new(), heapless::Vec::<_, 4>::new());
    /// let night = Rule { phase: Span::new(0), period: Span::new(24), length: Span::new(8) };
    /// let mut transaction = book.transaction(workspace.view(), 1_000);
    /// transaction.set_rule(0, Some((night, Absent::Number(PeCount::new(3)))), &mut broken)?;
    /// transaction.commit()?;
    ///
    /// let request = Request { ready: Slot::new(2), duration: Span::new(5), deadline: Slot::new(40), pes: PeCount::new(2) };
    /// assert_eq!(book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?.start, Slot::new(8));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    #[must_use]
    pub fn with_rules(self, rules: RuleParts<'a, R::Part>) -> Option<Book<'a, RuledRing<'a, R>>> {
        let Self { ring, ledger } = self;
        let fits = rules.sets.len() == ring.parts().saturating_mul(RuleEntry::SETS);
        fits.then_some(Book {
            ring: RuledRing { ring, rules },
            ledger,
        })
    }
}

#[allow(private_bounds, reason = "as above")]
impl<R: Based> RuledRing<'_, R> {
    /// Returns which entries apply in the slot at `offset`, a bit for each, and for how many slots from that one on this stays so at least.
    fn applying(&self, offset: usize) -> (u32, u64) {
        let slot = self.ring.axis().slot(offset);
        let (mut bits, mut lasts) = (0, u64::MAX);
        for (number, entry) in self.rules.entries.iter().enumerate() {
            let (applies, stays) = entry.at(slot);
            bits |= if applies { bit(number) } else { 0 };
            lasts = lasts.min(stays);
        }
        (bits, lasts)
    }

    /// Returns which entries apply in the slot at `offset`, and the first offset behind it, at most `end`, in which that may change.
    fn stretch(&self, offset: usize, end: usize) -> (u32, usize) {
        let (bits, lasts) = self.applying(offset);
        let lasts = usize::try_from(lasts).unwrap_or(usize::MAX);
        (bits, offset.saturating_add(lasts).min(end))
    }

    /// Returns the offsets of the slots that hold their base: those of the arrays.
    fn all(&self) -> Range<usize> {
        0..self.ring.axis().storage()
    }

    /// Notes the base of the last slot.
    fn note_edge(&mut self) {
        let last = self.all().end.saturating_sub(1);
        let (bits, lasts) = self.applying(last);
        let until = self.ring.axis().slot(last).get().saturating_add(lasts);
        let pes = self.with_base(bits, |_, pes, set| R::Base::members(pes, set));
        *self.rules.edge = RuleEdge::new(bits, pes as u16, until);
    }

    /// Returns the set of an entry.
    fn set_of(&self, entry: usize) -> &[R::Part] {
        chunk(self.rules.sets, entry, self.ring.parts())
    }

    /// Returns the number that these entries are to have together: the greatest of the rules' beside what jobs without a known end have.
    fn wanted(&self, bits: u32) -> u32 {
        let number = |entry: usize| {
            let entry = self.rules.entries.get(entry)?;
            Some(u32::from(entry.pes))
        };
        let open = number(OPEN).filter(|_| bits & bit(OPEN) != 0);
        let rules = those(bits & !bit(OPEN)).filter_map(number).max();
        rules.unwrap_or(0).saturating_add(open.unwrap_or(0))
    }

    /// Returns the number that these entries take together: as far as there are so many.
    fn number(&self, bits: u32) -> u32 {
        self.wanted(bits).min(self.ring.axis().width())
    }

    /// Returns whether these entries are to have more than there is, beside so many more.
    fn is_over(&self, bits: u32, more: u32) -> bool {
        self.wanted(bits).saturating_add(more) > self.ring.axis().width()
    }

    /// Returns whether a rule takes something of the job in `row`; of a number, whether too few are left beside this job and those before it, which have so many.
    fn takes_of(&self, entry: usize, row: usize, up_to: u32) -> bool {
        match R::COUNTS_DECIDE {
            true => self.is_over(bit(entry), up_to),
            false => R::Base::meet(self.set_of(entry), self.ring.set(row)),
        }
    }

    /// Writes what these entries take together to the last set, and runs `action` with the number and the set.
    fn with_base<A>(&mut self, bits: u32, action: impl FnOnce(&mut R, u32, &[R::Part]) -> A) -> A {
        let (number, parts) = (self.number(bits), self.ring.parts());
        let entries = parts.saturating_mul(RuleEntry::COUNT);
        let sets = self.rules.sets.split_at_mut_checked(entries);
        let (sets, base) = sets.unwrap_or_default();
        base.fill(R::Part::default());
        for entry in those(bits) {
            for (to, part) in base.iter_mut().zip(chunk(sets, entry, parts)) {
                R::Base::join(to, *part);
            }
        }
        action(&mut self.ring, number, base)
    }

    /// Adds the `pes` of `row` to what jobs without a known end have, or takes them from it, and lets that apply if it is something.
    fn change_open(&mut self, row: usize, pes: u32, more: bool) {
        let open = chunk_mut(self.rules.sets, OPEN, self.ring.parts());
        for (to, part) in open.iter_mut().zip(self.ring.set(row)) {
            match more {
                true => R::Base::join(to, *part),
                false => *to = R::Base::without(*to, *part),
            }
        }
        if let Some(entry) = self.rules.entries.get_mut(OPEN) {
            let pes = pes as u16;
            let pes = match more {
                true => entry.pes.saturating_add(pes),
                false => entry.pes.saturating_sub(pes),
            };
            *entry = match pes {
                0 => RuleEntry::NONE,
                pes => RuleEntry::new(&Rule::ALWAYS, pes),
            };
        }
    }

    /// The same, in each slot to come.
    fn change_open_in_base(&mut self, row: usize, pes: u32, more: bool) {
        self.mark_base(self.all(), false);
        self.change_open(row, pes, more);
        self.mark_base(self.all(), true);
        self.note_edge();
    }

    /// Marks the base of `offsets`.
    fn mark_base(&mut self, offsets: Range<usize>, busy: bool) {
        let mut at = offsets.start;
        while at < offsets.end {
            let (bits, next) = self.stretch(at, offsets.end);
            if bits != 0 {
                self.with_base(bits, |ring, pes, set| {
                    ring.base().mark(at..next, pes, set, busy)
                });
            }
            at = next;
        }
    }

    /// Returns whether the base can be marked in all slots.
    fn can_mark_base(&mut self, busy: bool) -> bool {
        let Range { start: mut at, end } = self.all();
        while at < end {
            let (bits, next) = self.stretch(at, end);
            if !self.with_base(bits, |ring, pes, set| {
                ring.base().can_mark(at..next, pes, set, busy)
            }) {
                return false;
            }
            at = next;
        }
        true
    }

    /// Lets `row` have processing elements in every slot to come, if `claim` claims so many in all slots: without what rules take in them, and given the set that
    /// those of `others` take together. With late binding, if there are so many beside their number, and beside what others have in each slot.
    pub(super) fn let_have(
        &mut self,
        row: usize,
        pes: u32,
        others: u32,
        claim: impl FnOnce(&mut R, Range<usize>, &[R::Part]) -> bool,
    ) -> bool {
        let covered = 0..self.ring.axis().slots();
        self.mark_base(self.all(), false);
        let over = R::COUNTS_DECIDE && self.is_over(others, pes);
        let mut found =
            !over && self.with_base(others, |ring, _, set| claim(ring, covered.clone(), set));
        if found {
            self.ring.release(row, covered, pes);
            self.change_open(row, pes, true);
            // A rule takes its number beside the job's, and not somebody else's.
            if R::COUNTS_DECIDE && !self.can_mark_base(true) {
                self.change_open(row, pes, false);
                found = false;
            }
        }
        self.mark_base(self.all(), true);
        self.note_edge();
        found
    }

    /// Writes the table of rules anew, where `entry` returns each of them and fills its set, which is empty. Where that fails, or somebody has what they take, there are none.
    #[cfg(feature = "journal")]
    pub(super) fn rewrite(
        &mut self,
        mut entry: impl FnMut(&R, usize, &mut [R::Part]) -> Result<RuleEntry, SnapshotError>,
    ) -> Result<(), SnapshotError> {
        self.mark_base(self.all(), false);
        let parts = self.ring.parts();
        let RuleParts { entries, sets, .. } = &mut self.rules;
        let rules = entries.iter_mut().take(DRAFT).enumerate();
        let read = rules.map(|(number, to)| {
            let set = chunk_mut(sets, number, parts);
            set.fill(R::Part::default());
            *to = entry(&self.ring, number, set)?;
            Ok(())
        });
        let read: Result<(), SnapshotError> = read.collect();
        let read = read.and_then(|()| match self.can_mark_base(true) {
            true => Ok(()),
            false => Err(SnapshotError::Damaged(Violation::Occupancy)),
        });
        if read.is_err() {
            let rules = self.rules.entries.iter_mut().take(DRAFT);
            rules.for_each(|entry| *entry = RuleEntry::NONE);
        }
        self.mark_base(self.all(), true);
        self.note_edge();
        read
    }

    /// Becomes as it was when there was no rule, and nobody has anything.
    #[cfg(feature = "journal")]
    pub(super) fn forget_rules(&mut self) {
        self.mark_base(self.all(), false);
        self.rules.entries.fill(RuleEntry::NONE);
        self.rules.sets.fill(R::Part::default());
        *self.rules.edge = RuleEdge::NONE;
    }
}

impl<R: Based> Ruled for RuledRing<'_, R> {
    const RULES: bool = true;

    fn draft(&mut self, rule: &Rule, absent: Absent<'_>) -> Result<(), Error> {
        self.clear_draft();
        rule.check()?;
        let parts = self.ring.parts();
        let set = chunk_mut(self.rules.sets, DRAFT, parts);
        let pes = match self.ring.read(absent, set) {
            Ok(pes) => pes,
            Err(reason) => {
                self.clear_draft();
                return Err(reason);
            }
        };
        if let Some(draft) = self.rules.entries.get_mut(DRAFT) {
            *draft = RuleEntry::new(rule, pes as u16);
        }
        Ok(())
    }

    fn clear_draft(&mut self) {
        if let Some(draft) = self.rules.entries.get_mut(DRAFT) {
            *draft = RuleEntry::NONE;
        }
        chunk_mut(self.rules.sets, DRAFT, self.ring.parts()).fill(R::Part::default());
    }

    fn gives_way(&self, number: usize, row: usize, offsets: Range<usize>) -> bool {
        let axis = self.ring.axis();
        let mut at = offsets.start;
        while at < offsets.end {
            let (bits, next) = self.stretch(at, offsets.end);
            let (old, new) = (bits & !bit(DRAFT), bits & !bit(number));
            let in_the_way = if R::COUNTS_DECIDE {
                let more = self.number(new).saturating_sub(self.number(old));
                let most = axis.width().saturating_sub(more);
                R::Scan::first_above(self.ring.counts(), axis, at..next, most as u16).is_some()
            } else {
                those(new).any(|entry| R::Base::meet(self.set_of(entry), self.ring.set(row)))
            };
            if in_the_way {
                return true;
            }
            at = next;
        }
        false
    }

    fn enact(&mut self, number: usize) {
        let Range { start: mut at, end } = self.all();
        while at < end {
            let (bits, next) = self.stretch(at, end);
            let (old, new) = (bits & !bit(DRAFT), bits & !bit(number));
            if old != new {
                self.with_base(old, |ring, pes, set| {
                    ring.base().mark(at..next, pes, set, false)
                });
                self.with_base(new, |ring, pes, set| {
                    ring.base().mark(at..next, pes, set, true)
                });
            }
            at = next;
        }
        let parts = self.ring.parts();
        let RuleParts { entries, sets, .. } = &mut self.rules;
        let draft = entries.get(DRAFT).copied();
        if let Some((entry, draft)) = entries.get_mut(number).zip(draft) {
            *entry = draft;
        }
        for part in 0..parts {
            let at = |entry: usize| entry.saturating_mul(parts).saturating_add(part);
            let draft = sets.get(at(DRAFT)).copied();
            if let Some((to, draft)) = sets.get_mut(at(number)).zip(draft) {
                *to = draft;
            }
        }
        self.clear_draft();
        self.note_edge();
    }

    fn rule(&self, number: usize) -> (RuleEntry, &[R::Part]) {
        let entry = self.rules.entries.get(number).copied();
        (entry.unwrap_or_default(), self.set_of(number))
    }

    fn put_back(&mut self, number: usize, entry: &RuleEntry, set: &[R::Part]) {
        if let Some(draft) = self.rules.entries.get_mut(DRAFT) {
            *draft = *entry;
        }
        let draft = chunk_mut(self.rules.sets, DRAFT, self.ring.parts());
        for (to, part) in draft.iter_mut().zip(set) {
            *to = *part;
        }
        self.enact(number);
    }

    fn rules_during(&self, offsets: Range<usize>, row: Option<usize>) -> u32 {
        let (mut at, mut rules) = (offsets.start, 0);
        while at < offsets.end {
            let (bits, next) = self.stretch(at, offsets.end);
            rules |= bits;
            at = next;
        }
        let meets = |entry: &usize| {
            row.is_none_or(|row| R::Base::meet(self.set_of(*entry), self.ring.set(row)))
        };
        // What is not there at all is no rule, and no more is what jobs have.
        let rules = those(rules).take_while(|entry| *entry < RuleEntry::SIZE);
        rules.filter(meets).fold(0, |all, entry| all | bit(entry))
    }

    fn first_ruled(&self, row: usize, offsets: Range<usize>) -> Option<usize> {
        let mut at = offsets.start;
        while at < offsets.end {
            let (bits, next) = self.stretch(at, offsets.end);
            let mut others = those(bits & !bit(OPEN));
            if others.any(|entry| self.takes_of(entry, row, self.wanted(bits & bit(OPEN)))) {
                return Some(at);
            }
            at = next;
        }
        None
    }

    fn rules_against(&self, meeting: Meeting) -> u32 {
        match meeting {
            Meeting::Allow => self.rules_during(0..1, None),
            Meeting::Refuse => {
                let rules = self.rules.entries.iter().take(RuleEntry::SIZE).enumerate();
                let rules = rules.filter(|(_, entry)| **entry != RuleEntry::NONE);
                rules.fold(0, |all, (number, _)| all | bit(number))
            }
        }
    }

    fn open(&mut self, row: usize, pes: u32, rules: u32) -> bool {
        let others = rules | bit(RuleEntry::SIZE) | bit(OPEN);
        self.let_have(row, pes, others, |ring, all, set| {
            ring.claim_besides(row, all, pes, set)
        })
    }

    fn close(&mut self, row: usize, pes: u32, until: usize) {
        self.change_open_in_base(row, pes, false);
        self.ring.restore(row, 0..until, pes);
    }

    fn undo_close(&mut self, row: usize, pes: u32) {
        self.change_open_in_base(row, pes, true);
    }

    #[cfg(feature = "placement")]
    fn leave_out_base(&mut self, offsets: Range<usize>) -> usize {
        let (bits, next) = self.stretch(offsets.start, offsets.end);
        let parts = self.ring.parts();
        for entry in those(bits) {
            let set = chunk(self.rules.sets, entry, parts);
            for (noted, part) in self.ring.noted_set().iter_mut().zip(set) {
                *noted = R::Base::without(*noted, *part);
            }
        }
        next
    }

    #[cfg(feature = "placement")]
    fn meets_base(&mut self, offsets: Range<usize>) -> usize {
        let (mut at, parts) = (offsets.start, self.ring.parts());
        while at < offsets.end {
            let (bits, next) = self.stretch(at, offsets.end);
            let noted = &*self.ring.noted_set();
            let set_of = |entry| chunk(&*self.rules.sets, entry, parts);
            if those(bits).any(|entry| R::Base::meet(set_of(entry), noted)) {
                return at;
            }
            at = next;
        }
        offsets.end
    }

    #[cfg(feature = "placement")]
    fn rules_on_noted(&mut self, offsets: Range<usize>) -> u32 {
        let (rules, parts) = (self.rules_during(offsets, None), self.ring.parts());
        let noted = &*self.ring.noted_set();
        let set_of = |entry| chunk(&*self.rules.sets, entry, parts);
        let rules = those(rules).filter(|entry| R::Base::meet(set_of(*entry), noted));
        rules.fold(0, |all, entry| all | bit(entry))
    }

    fn is_met(&self, row: usize, up_to: u32, rules: u32) -> bool {
        let mut rules = those(rules & self.applying(0).0);
        rules.any(|rule| rule < RuleEntry::SIZE && self.takes_of(rule, row, up_to))
    }

    fn next_turn(&self, row: usize, up_to: u32, slot: Slot) -> Option<Slot> {
        let rules = self.rules.entries.iter().take(RuleEntry::SIZE).enumerate();
        let rules = rules.filter(|(rule, _)| self.takes_of(*rule, row, up_to));
        rules.filter_map(|(_, entry)| entry.next_turn(slot)).min()
    }
}

/// Whom a search and a claim are for, the ring inside knows.
impl<R: Based> Placing for RuledRing<'_, R> {
    type Class = R::Class;

    fn ask(&mut self, class: R::Class) -> R::Class {
        self.ring.ask(class)
    }

    fn asked(&self) -> R::Class {
        self.ring.asked()
    }

    fn want(&mut self, pes: u32) {
        self.ring.want(pes);
    }

    #[cfg(feature = "placement")]
    fn find_class(&self, id: crate::placement::ClassId) -> Option<R::Class> {
        self.ring.find_class(id)
    }

    fn admit(&self, class: R::Class, pes: u32) -> Result<(), Error> {
        self.ring.admit(class, pes)
    }

    fn exactly() -> R::Class {
        R::exactly()
    }

    fn concerns(&self, index: usize) -> bool {
        self.ring.concerns(index)
    }

    #[cfg(feature = "placement")]
    fn choose_exactly(&mut self, pes: &[u32]) -> Option<u32> {
        self.ring.choose_exactly(pes)
    }

    fn choose(&mut self, absent: Absent<'_>) -> Result<u32, Error> {
        self.ring.choose(absent)
    }

    fn named(&self, pes: &[u32]) -> Option<u32> {
        self.ring.named(pes)
    }

    fn bind_these(&mut self, row: usize, pes: &[u32]) -> bool {
        self.ring.bind_these(row, pes)
    }

    fn leave_out(&mut self, index: usize) {
        self.ring.leave_out(index);
    }

    fn noted(&self) -> u32 {
        self.ring.noted()
    }

    fn set_out(row: &mut RowOf<Self>) {
        R::set_out(row);
    }

    fn is_out(row: &RowOf<Self>) -> bool {
        R::is_out(row)
    }

    #[cfg(feature = "placement")]
    fn admit_exactly(&self, index: usize, row: &RowOf<Self>, pes: u32) -> Result<(), Error> {
        self.ring.admit_exactly(index, row, pes)
    }

    fn meets(&self, index: usize) -> bool {
        self.ring.meets(index)
    }

    fn may_choose(row: &RowOf<Self>, pes: u32) -> Result<(), Error> {
        R::may_choose(row, pes)
    }

    fn number(class: R::Class) -> u16 {
        R::number(class)
    }

    fn numbered(number: u16) -> R::Class {
        R::numbered(number)
    }

    fn is_known(&self, class: R::Class) -> bool {
        self.ring.is_known(class)
    }

    fn note_waiting(&mut self, classes: impl Iterator<Item = R::Class>) -> bool {
        self.ring.note_waiting(classes)
    }

    fn class_of(row: &RowOf<Self>) -> R::Class {
        R::class_of(row)
    }

    fn set_class(row: &mut RowOf<Self>, class: R::Class) {
        R::set_class(row, class);
    }
}

#[cfg(feature = "placement")]
impl<R: Based + OnLayout> OnLayout for RuledRing<'_, R> {
    type Column = R::Column;

    fn classes(&self) -> &Classes<'_, R::Column> {
        self.ring.classes()
    }

    fn placed<A>(
        &mut self,
        action: impl FnOnce(&mut PlacedRing<'_, R::Column, R::Scan>) -> A,
    ) -> A {
        self.ring.placed(action)
    }
}

impl<R: Based> Overlaid for RuledRing<'_, R> {}

impl<R: Based> Planning for RuledRing<'_, R> {}

impl<R: Based> Ring for RuledRing<'_, R> {
    type Pes = R::Pes;

    fn add(&mut self, window: Window, pes: &R::Pes) -> Result<(), Error> {
        self.ring.add(window, pes)
    }

    fn remove(&mut self, window: Window, pes: &R::Pes) -> Result<(), Error> {
        self.ring.remove(window, pes)
    }
}

impl<R: Based> Occupancy for RuledRing<'_, R> {
    fn axis(&self) -> &Axis {
        self.ring.axis()
    }

    fn claim(&mut self, row: usize, offsets: Range<usize>, pes: u32) -> bool {
        self.ring.claim(row, offsets, pes)
    }

    fn release(&mut self, row: usize, offsets: Range<usize>, pes: u32) {
        self.ring.release(row, offsets, pes);
    }

    fn forget(&mut self, row: usize) {
        self.ring.forget(row);
    }

    fn bind(&mut self, row: usize, pes: u32) {
        self.ring.bind(row, pes);
    }

    fn unbind(&mut self, row: usize, pes: u32) {
        self.ring.unbind(row, pes);
    }

    fn move_now(&mut self, to: Slot) {
        let axis = self.ring.axis();
        let (slots, passed, all) = (axis.slots(), axis.nearest(to), self.all());
        if passed == slots {
            // Nothing that is known stays.
            self.mark_base(slots..all.end, false);
            self.ring.move_now(to);
            self.mark_base(all, true);
            self.note_edge();
            return;
        }
        let RuleEdge {
            until, bits, pes, ..
        } = *self.rules.edge;
        if axis.slot(all.end).get().saturating_add(passed as u64) > until {
            self.ring.move_now(to);
            self.mark_base(all.end.saturating_sub(passed)..all.end, true);
            self.note_edge();
        } else if bits == 0 {
            self.ring.move_now(to);
        } else {
            let base = chunk(self.rules.sets, RuleEntry::COUNT, self.ring.parts());
            self.ring.base().move_now_onto(to, |slots, offsets| {
                slots.begin_with(offsets, pes.into(), base);
            });
        }
        // The edge of the first slot that is newly covered is known; among those behind it the base may change too.
        let mut at = slots.saturating_sub(passed);
        while slots < all.end && at.saturating_add(1) < slots {
            (_, at) = self.stretch(at, slots);
            self.ring.base().refresh_edge(at);
        }
    }
}

impl<R: Based> SetParts for RuledRing<'_, R> {
    type Part = R::Part;
}

impl<R: Based> Relocation for RuledRing<'_, R> {
    fn reclaim(&mut self, row: usize, offsets: Range<usize>, pes: u32, fixed: bool) -> bool {
        self.ring.reclaim(row, offsets, pes, fixed)
    }

    fn restore(&mut self, row: usize, offsets: Range<usize>, pes: u32) {
        self.ring.restore(row, offsets, pes);
    }

    fn set(&self, row: usize) -> &[R::Part] {
        self.ring.set(row)
    }

    fn set_mut(&mut self, row: usize) -> &mut [R::Part] {
        self.ring.set_mut(row)
    }

    fn shares(&self, row: usize, other: usize) -> bool {
        self.ring.shares(row, other)
    }
}

impl<R: Based> RingSearch for RuledRing<'_, R> {
    type Scan = R::Scan;

    fn counts(&self) -> &Counts<'_, CountOf<Self>> {
        self.ring.counts()
    }

    fn edges(&self) -> &Edges<'_> {
        self.ring.edges()
    }

    fn sliding_window(
        &mut self,
        reach: usize,
        duration: usize,
    ) -> SlidingView<'_, impl BulkWindow, CountOf<Self>> {
        self.ring.sliding_window(reach, duration)
    }

    const COUNTS_DECIDE: bool = R::COUNTS_DECIDE;

    fn growing_window(&mut self) -> GrowingView<'_, impl GrowingWindow, CountOf<Self>> {
        self.ring.growing_window()
    }

    fn numbers(&self) -> u16 {
        self.ring.numbers()
    }

    fn next_pe(&self, row: usize, from: usize, held: bool) -> Option<Pe> {
        self.ring.next_pe(row, from, held)
    }

    fn verify<B>(&mut self, bookings: B) -> Result<(), Violation>
    where
        B: Iterator<Item = Booked> + Clone,
    {
        self.ring.verify_slots()?;
        if self.rules.entries.get(DRAFT) != Some(&RuleEntry::NONE) {
            return Err(Violation::Rows);
        }
        let (edge, slots) = (*self.rules.edge, self.axis().slots());
        let holds_base = self.can_mark_base(false);
        let mut verdict = Err(Violation::Occupancy);
        if holds_base {
            // Jobs without a known end are among the bookings.
            self.mark_base(self.all(), false);
            self.with_base(bit(OPEN), |ring, pes, set| {
                ring.base().mark(0..slots, pes, set, true)
            });
            verdict = self.ring.verify(bookings);
            self.with_base(bit(OPEN), |ring, pes, set| {
                ring.base().mark(0..slots, pes, set, false)
            });
            self.mark_base(self.all(), true);
        }
        self.note_edge();
        if edge != *self.rules.edge {
            return Err(Violation::Summary);
        }
        verdict
    }
}
