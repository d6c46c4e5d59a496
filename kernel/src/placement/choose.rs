//! Choosing among the processing elements that are free and eligible, by preference.

use core::ops::{ControlFlow, Range};

use super::{
    entry::{ClassEntry, taking},
    free::{Free, Units},
    layout::{cells, put, put_word, word_of},
};
use crate::column::{Column, Sealed};

impl<C: Column> Free<'_, C> {
    /// Stores in `chosen` the `pes` processing elements that the class gets; `order` is the list of its preference. When they do not
    /// [serve](Self::serve) it, returns false, and what is stored has no meaning.
    ///
    /// O(groups x kinds), times the number of different counts of free ones in groups, and for `Order` O(listed x blocks) for the block.
    pub(crate) fn choose(
        &self,
        class: &ClassEntry,
        order: &[u16],
        pes: u32,
        chosen: &mut [C],
    ) -> bool {
        chosen.fill(C::NONE);
        let Some(wanted) = class.units(pes) else {
            return false;
        };
        let mut choice = Choice {
            free: self,
            class,
            order,
            units: Units::new(self, class),
            wanted,
            chosen,
        };
        let everywhere = 0..self.geometry.groups;
        let scope = match class.level().map(|level| choice.block(level)) {
            None => everywhere,
            Some(Some(block)) => block,
            Some(None) if class.required_level().is_some() => return false,
            Some(None) => everywhere,
        };
        choice.take_in(scope);
        choice.wanted == 0
    }
}

/// A choice under way.
struct Choice<'f, C> {
    free: &'f Free<'f, C>,
    class: &'f ClassEntry,
    order: &'f [u16],
    units: Units<'f, C>,
    /// How many units are still to be taken.
    wanted: u32,
    chosen: &'f mut [C],
}

impl<C: Column> Choice<'_, C> {
    /// Returns the block of a level that the preference takes of those that can hold all.
    fn block(&mut self, level: u8) -> Option<Range<u16>> {
        let (geometry, wanted) = (self.free.geometry, self.wanted);
        let mut blocks = geometry.blocks(level, 0..geometry.groups);
        match self.class.taking {
            taking::LOWEST => blocks.find(|block| self.units.of(block.clone()) >= wanted),
            taking::ORDER => {
                let holds = |group: &u16| {
                    let mut blocks = geometry.blocks(level, 0..geometry.groups);
                    blocks.find(|block| block.contains(group))
                };
                let listed = self.order.iter().filter_map(holds);
                listed
                    .chain(blocks)
                    .find(|block| self.units.of(block.clone()) >= wanted)
            }
            taking => {
                let mut best: Option<(u32, Range<u16>)> = None;
                for block in blocks {
                    let units = self.units.of(block.clone());
                    let free = match taking {
                        taking::COMPACT => units,
                        taking::PACK => self.free.in_groups(block.clone()),
                        _ => u32::MAX.wrapping_sub(self.free.in_groups(block.clone())),
                    };
                    if units >= wanted && best.as_ref().is_none_or(|(least, _)| free < *least) {
                        best = Some((free, block));
                    }
                }
                best.map(|(_, block)| block)
            }
        }
    }

    fn take_in(&mut self, scope: Range<u16>) {
        let by_number = !self.class.asks_for_groups();
        match self.class.taking {
            taking::PACK => self.take_by_count(scope, false),
            taking::SPREAD if by_number => self.take_in_turn(scope),
            taking::SPREAD => self.take_by_count(scope, true),
            taking::COMPACT => self.take_compactly(scope),
            taking::ORDER => {
                for group in self.order {
                    if scope.contains(group) {
                        self.take(*group);
                    }
                }
                // Of those that are listed, nothing is left.
                self.take_lowest(scope);
            }
            _ => self.take_lowest(scope),
        }
    }

    /// Takes the lowest units of consecutive groups that are not taken.
    fn take_lowest(&mut self, scope: Range<u16>) {
        if self.class.asks_for_groups() {
            for group in scope {
                if self.wanted == 0 {
                    break;
                }
                if !self.is_taken(group) {
                    self.take(group);
                }
            }
            return;
        }
        for kind in self.free.geometry.known_kinds() {
            for (word, bits) in self.free.words_of_kind(kind, scope.clone()) {
                if self.wanted == 0 {
                    return;
                }
                let left = bits & !word_of(self.chosen, word);
                self.put_lowest(word, left);
            }
        }
    }

    /// Takes up to as many as are wanted of some processing elements of a word.
    fn put_lowest(&mut self, word: usize, bits: u64) {
        let taken = if bits.count_ones() <= self.wanted {
            bits
        } else {
            bits.keep_lowest(self.wanted)
        };
        put_word(self.chosen, word, taken);
        self.wanted = self.wanted.saturating_sub(taken.count_ones());
    }

    /// Takes a group that can serve, or of a number as many of the group as there are and are wanted.
    fn take(&mut self, group: u16) {
        if !self.class.asks_for_groups() {
            return self.take_lowest(group..group.wrapping_add(1));
        }
        if self.wanted == 0 || !self.units.serves(group) {
            return;
        }
        for (kind, need) in self.free.geometry.kinds.iter().zip(self.class.per_group) {
            if need > 0 {
                let free = self.free.of_kind(kind, group);
                put(
                    self.chosen,
                    kind.part::<C>(group),
                    free.keep_lowest(need.into()),
                );
            }
        }
        self.wanted = self.wanted.wrapping_sub(1);
    }

    /// Returns whether something of a group has been taken.
    fn is_taken(&self, group: u16) -> bool {
        let taken = Free {
            geometry: self.free.geometry,
            busy: &[],
            eligible: &*self.chosen,
        };
        taken.in_group(group) > 0
    }

    /// Takes groups in order of how many are free in each.
    fn take_by_count(&mut self, scope: Range<u16>, most_first: bool) {
        let free = self.free;
        self.in_order(
            1,
            scope,
            most_first,
            |choice, group| {
                if choice.units.of(group.clone()) == 0 {
                    0
                } else {
                    free.in_groups(group)
                }
            },
            |choice, group, _, _| {
                choice.take(group.start);
                choice.goes_on()
            },
        );
    }

    /// Takes one processing element of each group in turn, those with the most free first.
    fn take_in_turn(&mut self, scope: Range<u16>) {
        let free = self.free;
        if free.in_groups(scope.clone()) < self.wanted {
            return;
        }
        // How many all groups give, as far as they have them: the greatest number with which not too many are taken.
        let taken_by = |each: u32| {
            let counts = scope.clone().map(|group| free.in_group(group).min(each));
            counts.fold(0_u32, u32::wrapping_add)
        };
        let (mut each, mut too_many) = (0_u32, MOST_OF_GROUP.saturating_add(1));
        while too_many.wrapping_sub(each) > 1 {
            let middle = each.wrapping_add(too_many) / 2;
            if taken_by(middle) <= self.wanted {
                each = middle;
            } else {
                too_many = middle;
            }
        }
        let all = self.wanted;
        let mut one_more = all.wrapping_sub(taken_by(each));
        self.in_order(
            1,
            scope,
            true,
            |_, group| free.in_groups(group),
            |choice, group, count, _| {
                let more = u32::from(count > each && one_more > 0);
                one_more = one_more.wrapping_sub(more);
                let rest = choice.wanted;
                choice.wanted = count.min(each).wrapping_add(more);
                let left = rest.wrapping_sub(choice.wanted);
                choice.take(group.start);
                choice.wanted = left;
                choice.goes_on()
            },
        );
    }

    /// Takes the blocks of a level with the most units, until one more suffices, and then of those that suffice the one with the fewest.
    fn take_compactly(&mut self, scope: Range<u16>) {
        let size = self
            .free
            .geometry
            .levels
            .get(usize::from(self.class.compact));
        let size = size.copied().unwrap_or_default();
        let all = scope.clone();
        self.in_order(
            size,
            scope,
            true,
            |choice, block| choice.units.of(block),
            |choice, block, most, kept| {
                let last = if most < choice.wanted {
                    block
                } else {
                    choice.least_that_suffices(cells(size, all.clone()), kept, (most, block))
                };
                choice.take_lowest(last);
                choice.goes_on()
            },
        );
    }

    /// Returns, of the blocks that suffice, the one with the fewest units. Those with more than the first that suffices are taken, and those with as many
    /// before it.
    fn least_that_suffices(
        &mut self,
        blocks: impl Iterator<Item = Range<u16>>,
        kept: &Kept,
        first: (u32, Range<u16>),
    ) -> Range<u16> {
        let mut best = first;
        for (place, block) in blocks.enumerate() {
            let units = kept.get(place, || self.units.of(block.clone()));
            if units >= self.wanted && units < best.0 {
                best = (units, block);
            }
        }
        best.1
    }

    const fn goes_on(&self) -> ControlFlow<()> {
        if self.wanted == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Visits the ranges of `size` groups that `count` finds something in, in order of that count, the lowest of equals first.
    /// O(ranges x different counts), where a count costs nothing again if it is among those that are kept.
    fn in_order(
        &mut self,
        size: u16,
        scope: Range<u16>,
        most_first: bool,
        count: impl Fn(&mut Self, Range<u16>) -> u32,
        mut visit: impl FnMut(&mut Self, Range<u16>, u32, &Kept) -> ControlFlow<()>,
    ) {
        let mut kept = Kept([0; KEPT]);
        for (kept, cell) in kept.0.iter_mut().zip(cells(size, scope.clone())) {
            *kept = count(self, cell);
        }
        let mut current = None;
        loop {
            let mut next: Option<u32> = None;
            for (place, cell) in cells(size, scope.clone()).enumerate() {
                let count = kept.get(place, || count(self, cell.clone()));
                if Some(count) == current {
                    if visit(self, cell, count, &kept).is_break() {
                        return;
                    }
                } else if count > 0 {
                    let behind = |known: u32| {
                        if most_first {
                            count < known
                        } else {
                            count > known
                        }
                    };
                    let nearer = |known: u32| {
                        if most_first {
                            count > known
                        } else {
                            count < known
                        }
                    };
                    if current.is_none_or(behind) && next.is_none_or(nearer) {
                        next = Some(count);
                    }
                }
            }
            if next.is_none() {
                return;
            }
            current = next;
        }
    }
}

/// For how many ranges counts are kept: for the racks of most machines.
const KEPT: usize = 16;

/// The counts of the first ranges.
struct Kept([u32; KEPT]);

impl Kept {
    fn get(&self, place: usize, count: impl FnOnce() -> u32) -> u32 {
        self.0.get(place).copied().unwrap_or_else(count)
    }
}

/// The most processing elements that a group can have.
const MOST_OF_GROUP: u32 = 8 * 64;
