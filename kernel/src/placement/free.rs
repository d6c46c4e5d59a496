//! The processing elements that are free and eligible, and what they can serve.

use core::ops::Range;

use super::{
    entry::ClassEntry,
    fault::Failing,
    layout::{Geometry, Kind, cells, in_columns, word_of},
    words::{low_bits, squeeze},
};
use crate::{column::Column, pe::PeCount};

/// The processing elements that are free and eligible.
#[derive(Clone, Copy)]
pub(crate) struct Free<'r, C> {
    pub(crate) geometry: &'r Geometry,
    /// What is busy; others may be among it.
    pub(crate) busy: &'r [C],
    pub(crate) eligible: &'r [C],
}

impl<C: Column> Free<'_, C> {
    /// Returns a word of the set.
    pub(super) fn word(&self, word: usize) -> u64 {
        word_of(self.eligible, word) & !word_of(self.busy, word)
    }

    /// Returns a column of the set.
    fn column(&self, column: usize) -> C {
        let [eligible, busy] = [self.eligible, self.busy].map(|set| set.get(column).copied());
        let busy = busy.unwrap_or(C::NONE);
        eligible.map_or(C::NONE, |eligible| eligible.and_not(busy))
    }

    /// Returns those of a group of one kind, from bit 0 on.
    pub(super) fn of_kind(&self, kind: &Kind, group: u16) -> u64 {
        let part = kind.part::<C>(group);
        self.word(part.word).wrapping_shr(part.shift) & low_bits(part.len)
    }

    /// Returns how many there are in a group. O(kinds).
    pub(super) fn in_group(&self, group: u16) -> u32 {
        let kinds = self.geometry.known_kinds();
        let counts = kinds.map(|kind| self.of_kind(kind, group).count_ones());
        counts.fold(0, u32::wrapping_add)
    }

    /// Returns how many there are in consecutive groups. O(words).
    pub(super) fn in_groups(&self, groups: Range<u16>) -> u32 {
        let mut sum = 0_u32;
        for kind in self.geometry.known_kinds() {
            let [first, end] = kind.bits(&groups);
            // A word's bits are a power of two.
            let words = first.wrapping_shr(C::WORD.trailing_zeros())..end.div_ceil(C::WORD);
            let base = usize::from(kind.word);
            let places =
                base.wrapping_add(words.start as usize)..base.wrapping_add(words.end as usize);
            for place in places.clone() {
                sum = sum.wrapping_add(self.word(place).count_ones());
            }
            // The first and the last word may have those of other groups too.
            let [before, within] = [first, end].map(|bit| bit & C::WORD.wrapping_sub(1));
            if before > 0 {
                let others = self.word(places.start) & low_bits(before);
                sum = sum.wrapping_sub(others.count_ones());
            }
            if within > 0 {
                let others = self.word(places.end.wrapping_sub(1)) & !low_bits(within);
                sum = sum.wrapping_sub(others.count_ones());
            }
        }
        sum
    }

    /// Returns the words that have those of one kind in consecutive groups, each with its place in the set.
    pub(super) fn words_of_kind(
        &self,
        kind: &Kind,
        groups: Range<u16>,
    ) -> impl Iterator<Item = (usize, u64)> + use<'_, C> {
        let [first, end] = kind.bits(&groups);
        let base = usize::from(kind.word);
        // A word's bits are a power of two.
        let first_word = first.wrapping_shr(C::WORD.trailing_zeros());
        (first_word..end.div_ceil(C::WORD)).map(move |word| {
            let begin = word.wrapping_mul(C::WORD);
            let below = low_bits(first.saturating_sub(begin));
            let up_to = low_bits(end.saturating_sub(begin));
            let place = base.wrapping_add(word as usize);
            (place, self.word(place) & up_to & !below)
        })
    }

    /// Returns which of the groups of one chunk have enough of each kind: a bit for each, of as many groups as a word has bits.
    /// O(words of the chunk).
    fn serving(&self, per_group: &[u8], chunk: usize) -> u64 {
        let known =
            u32::from(self.geometry.groups).saturating_sub((chunk as u32).wrapping_mul(C::WORD));
        let mut serving = low_bits(known.min(C::WORD));
        for (kind, need) in self.geometry.kinds.iter().zip(per_group) {
            if *need == 0 || serving == 0 {
                continue;
            }
            let words = 1_usize.wrapping_shl(kind.log.into());
            let groups = C::WORD.wrapping_shr(kind.log.into());
            let first = usize::from(kind.word).wrapping_add(chunk.wrapping_mul(words));
            let mut enough = 0_u64;
            let mut next = 0_u32;
            for (column, words) in in_columns::<C>(first..first.wrapping_add(words)) {
                let mut shift = next;
                let all = groups.wrapping_mul(words.len() as u32);
                next = next.wrapping_add(all);
                if serving.wrapping_shr(shift) & low_bits(all) == 0 {
                    continue;
                }
                let parts = self.column(column).at_least(kind.log, (*need).into());
                // On a busy machine mostly none.
                if parts.is_idle() {
                    continue;
                }
                for word in words {
                    let parts = parts.word(word);
                    if parts != 0 {
                        enough |= squeeze(parts, kind.log).wrapping_shl(shift);
                    }
                    shift = shift.wrapping_add(groups);
                }
            }
            serving &= enough;
        }
        serving
    }

    /// Returns whether they serve a class for `pes` processing elements. O(words), and with a required level O(words + blocks).
    pub(crate) fn serve(&self, class: &ClassEntry, pes: u32) -> bool {
        let Some(wanted) = class.units(pes) else {
            return false;
        };
        let scope = 0..self.geometry.groups;
        match class.required_level() {
            None => self.count_up_to(class, scope, wanted) >= wanted,
            Some(level) => {
                let mut units = Units::new(self, class);
                let mut blocks = self.geometry.blocks(level, scope);
                blocks.any(|block| units.of(block) >= wanted)
            }
        }
    }

    /// Returns the most units that a reservation of the class can have of them. O(words), and with a required level O(words + blocks).
    pub(super) fn most(&self, class: &ClassEntry) -> u32 {
        let scope = 0..self.geometry.groups;
        let mut units = Units::new(self, class);
        match class.required_level() {
            None => units.of(scope),
            Some(level) => {
                let blocks = self.geometry.blocks(level, scope);
                blocks.map(|block| units.of(block)).fold(0, u32::max)
            }
        }
    }

    /// Returns which question of a class they fail, of those that [`serve`](Self::serve) asks; `None` where they serve `pes` processing elements, which are
    /// whole groups. O(words + blocks).
    pub(crate) fn failing(&self, class: &ClassEntry, pes: u32) -> Option<Failing> {
        let lacking = |wanted: u32, found: u32| wanted.checked_sub(found).filter(|lack| *lack > 0);
        let scope = 0..self.geometry.groups;
        if let Some(lacking) = lacking(pes, self.in_groups(scope.clone())) {
            let lacking = PeCount::new(lacking);
            return Some(Failing::Number { lacking });
        }
        let wanted = class.units(pes)?;
        if let Some(lacking) = lacking(wanted, Units::new(self, class).of(scope)) {
            return Some(Failing::Groups { lacking });
        }
        lacking(wanted, self.most(class)).map(|lacking| Failing::Block { lacking })
    }

    /// Adds to what is busy what a reservation that has these may not get in addition: these, for a class that asks for groups all of their groups, and
    /// for one that requires a block what lies in others. O(groups x kinds).
    pub(crate) fn take_up(&self, class: &ClassEntry, busy: &mut [C]) {
        for (busy, own) in busy.iter_mut().zip(self.eligible) {
            *busy = busy.join(*own);
        }
        let groups = 0..self.geometry.groups;
        let whole = 0..if class.asks_for_groups() {
            groups.end
        } else {
            0
        };
        for group in whole.filter(|group| self.in_group(*group) > 0) {
            self.geometry.put_groups(busy, group..group.wrapping_add(1));
        }
        let blocks = class.required_level().into_iter();
        for block in blocks.flat_map(|level| self.geometry.blocks(level, groups.clone())) {
            if self.in_groups(block.clone()) == 0 {
                self.geometry.put_groups(busy, block);
            }
        }
    }

    /// Returns how many units of the class are in `groups`, or some number that is at least `enough`.
    fn count_up_to(&self, class: &ClassEntry, groups: Range<u16>, enough: u32) -> u32 {
        let mut units = Units::new(self, class);
        let mut count = 0_u32;
        for cell in cells(C::WORD as u16, groups) {
            count = count.wrapping_add(units.of(cell));
            if count >= enough {
                break;
            }
        }
        count
    }
}

/// Counts units of a class: groups that can serve it, or for a class that asks for a number, processing elements.
pub(super) struct Units<'f, C> {
    free: &'f Free<'f, C>,
    class: &'f ClassEntry,
    /// The chunk whose groups were looked at last.
    chunk: usize,
    serving: u64,
}

impl<'f, C: Column> Units<'f, C> {
    pub(super) const fn new(free: &'f Free<'f, C>, class: &'f ClassEntry) -> Self {
        Self {
            free,
            class,
            chunk: usize::MAX,
            serving: 0,
        }
    }

    /// Returns how many there are in `groups`. O(words of them).
    pub(super) fn of(&mut self, groups: Range<u16>) -> u32 {
        if !self.class.asks_for_groups() {
            return self.free.in_groups(groups);
        }
        let mut count = 0_u32;
        for cell in cells(C::WORD as u16, groups) {
            let chunk = usize::from(cell.start).wrapping_shr(C::WORD.trailing_zeros());
            let from = u32::from(cell.start) & C::WORD.wrapping_sub(1);
            let len = u32::from(cell.end.wrapping_sub(cell.start));
            let bits = self.serving(chunk).wrapping_shr(from) & low_bits(len);
            count = count.wrapping_add(bits.count_ones());
        }
        count
    }

    /// Returns whether a group can serve the class.
    pub(super) fn serves(&mut self, group: u16) -> bool {
        self.of(group..group.wrapping_add(1)) > 0
    }

    fn serving(&mut self, chunk: usize) -> u64 {
        if self.chunk != chunk {
            self.serving = self.free.serving(&self.class.per_group, chunk);
            self.chunk = chunk;
        }
        self.serving
    }
}
