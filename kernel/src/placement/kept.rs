//! The layout and the classes of a book as bytes.
//!
//! | bytes | what |
//! |---:|---|
//! | 2, 2, 2 | groups, PEs, numbers of PEs |
//! | 2 for each of 4 levels, 1 for each of 8 kinds | groups of a block, PEs of a group |
//! | a bit for each number of a PE | which exist |
//! | 2, 2 | entries of the table, groups that a class may list |
//! | 24 for each | the entry, and whether the queue has told that somebody waits for it |
//! | a bit for each number, 2 for each group it lists | for each entry that has ever been used |

use super::{
    ClassEntry, Classes,
    entry::state,
    layout::{Geometry, KINDS, put_word, word_of},
};
use crate::{
    bytes::{Input, Output, SnapshotError},
    column::{Column, chunk, chunk_mut},
    violation::Violation,
};

const DAMAGED: SnapshotError = SnapshotError::Damaged(Violation::Class);

/// The bytes of an entry.
const ENTRY: usize = 24;

/// Returns how many bytes the table of classes takes in a snapshot and in a record of changed classes: of a layout with `numbers` numbers of processing elements, those of
/// missing ones included, and a table of `classes` classes that list up to `order` groups each.
///
/// ```
/// use bookahead::{Class, Layout, PlacedBook, Shape, Span, raw::class_table_bytes};
/// let mut memory = PlacedBook::<u32, 1, 1, 8, 2, 0>::zeroed();
/// let mut book = memory.init(&Layout { groups: 4, kinds: &[2], missing: &[], levels: &[] }, Span::new(64))?;
/// let mut length = || {
///     book.class_add(&Class { shape: Shape::WholeGroups, ..Class::ANY }).unwrap();
///     book.class_add(&Class { eligible: bookahead::Eligible::Groups { groups: &[0..2], kinds: 1 }, ..Class::ANY }).unwrap();
///     let mut length = 0;
///     book.write_snapshot(&mut |piece| { length += piece.len(); true }).map(|()| length)
/// };
/// // An empty book takes 64 bytes beside.
/// assert_eq!(length()?, 64 + class_table_bytes(8, 2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub const fn class_table_bytes(numbers: u16, classes: usize, order: usize) -> usize {
    let set = numbers.div_ceil(8) as usize;
    let class = ENTRY
        .saturating_add(set)
        .saturating_add(order.saturating_mul(2));
    let layout = set.saturating_add(22 + 4);
    layout.saturating_add(classes.saturating_mul(class))
}

/// Adds a processing element to a set, and returns whether it exists.
fn give<C: Column>(geometry: &Geometry, existing: &[C], pe: u16, set: &mut [C]) -> bool {
    let place = geometry.place::<C>(pe);
    let place = place.filter(|(word, bit)| word_of(existing, *word) & bit != 0);
    if let Some((word, bit)) = place {
        put_word(set, word, bit);
    }
    place.is_some()
}

impl<C: Column> Classes<'_, C> {
    /// Adds a processing element to a set, and returns whether it exists.
    pub(crate) fn give(&self, pe: u16, set: &mut [C]) -> bool {
        give(self.geometry, self.existing, pe, set)
    }

    /// Returns whether there has never been a class.
    pub(crate) fn is_new(&self) -> bool {
        self.entries
            .iter()
            .all(|entry| *entry == ClassEntry::VACANT)
    }

    /// Becomes as it was when there was none.
    pub(crate) fn begin_again(&mut self) {
        self.entries.fill(ClassEntry::VACANT);
        self.masks.fill(C::NONE);
        self.orders.fill(0);
    }

    /// Returns the numbers of what is in a set.
    pub(crate) fn members(&self, set: &[C]) -> impl Iterator<Item = u16> {
        (0..self.geometry.numbers).filter(move |number| {
            let place = self.geometry.place::<C>(*number);
            place.is_some_and(|(word, bit)| word_of(set, word) & bit != 0)
        })
    }

    /// Writes the layout and the classes.
    pub(crate) fn write(&self, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        let numbers = self.geometry.numbers;
        out.put(&self.shape())?;
        out.bits(numbers, self.members(self.existing))?;
        out.put(&(self.entries.len() as u16).to_le_bytes())?;
        out.put(&(self.longest_order() as u16).to_le_bytes())?;
        for (place, entry) in self.entries.iter().enumerate() {
            out.put(&entry.to_bytes())?;
            if entry.state != state::VACANT {
                out.bits(
                    numbers,
                    self.members(chunk(self.masks, place, self.columns())),
                )?;
                for group in self.order(place.saturating_add(1) as u16) {
                    out.put(&group.to_le_bytes())?;
                }
            }
        }
        Ok(())
    }

    /// Returns what identifies the layout, but for what is missing.
    fn shape(&self) -> [u8; 22] {
        let geometry = &*self.geometry;
        let mut shape = [0; 22];
        let halves = [geometry.groups, geometry.pes, geometry.numbers];
        let halves = halves.into_iter().chain(geometry.levels);
        let kinds = geometry.kinds.iter().map(|kind| kind.per_group);
        let all = halves.flat_map(u16::to_le_bytes).chain(kinds);
        for (to, from) in shape.iter_mut().zip(all) {
            *to = from;
        }
        shape
    }

    /// Reads the classes of a book on the same machine.
    pub(crate) fn read(&mut self, input: &mut Input<'_, '_>) -> Result<(), SnapshotError> {
        let numbers = self.geometry.numbers;
        let mut same = input.take()? == self.shape();
        let mut existing = 0_u16;
        same &= input.bits(numbers, |number| {
            existing = existing.saturating_add(1);
            let place = self.geometry.place::<C>(number);
            place.is_some_and(|(word, bit)| word_of(self.existing, word) & bit != 0)
        })?;
        let [entries, longest] = [input.take()?, input.take()?].map(u16::from_le_bytes);
        same &= usize::from(entries) == self.entries.len();
        same &= usize::from(longest) == self.longest_order();
        if !same || existing != self.geometry.pes {
            return Err(SnapshotError::OtherBook);
        }
        for place in 0..self.entries.len() {
            let bytes: [u8; ENTRY] = input.take()?;
            let entry = ClassEntry::from_bytes(&bytes).ok_or(DAMAGED)?;
            let (columns, longest) = (self.columns(), self.longest_order());
            self.candidate.fill(C::NONE);
            let order = chunk_mut(self.orders, place, longest);
            order.fill(0);
            if entry.state != state::VACANT {
                let (geometry, existing) = (&*self.geometry, &*self.existing);
                let candidate = &mut *self.candidate;
                let exist = input.bits(numbers, |number| {
                    give(geometry, existing, number, candidate)
                })?;
                let listed = order.get_mut(..entry.listed.into()).ok_or(DAMAGED)?;
                for group in listed {
                    *group = u16::from_le_bytes(input.take()?);
                    if *group >= self.geometry.groups {
                        return Err(DAMAGED);
                    }
                }
                if !exist || !self.is_sound(&entry) {
                    return Err(DAMAGED);
                }
            }
            let mask = chunk_mut(self.masks, place, columns);
            for (to, from) in mask.iter_mut().zip(self.candidate.iter()) {
                *to = *from;
            }
            if let Some(to) = self.entries.get_mut(place) {
                *to = entry;
            }
        }
        Ok(())
    }
}

impl ClassEntry {
    fn to_bytes(self) -> [u8; ENTRY] {
        let mut bytes = [0; ENTRY];
        let halves = [self.unit, self.most, self.listed, self.generation];
        let codes = [
            self.within,
            self.required,
            self.taking,
            self.compact,
            self.state,
            self.waited_for,
        ];
        let all = self.per_group.into_iter();
        let all = all.chain(halves.into_iter().flat_map(u16::to_le_bytes));
        for (to, from) in bytes.iter_mut().zip(all.chain(codes)) {
            *to = from;
        }
        bytes
    }

    /// Returns the entry of these bytes, unless some of them are not used.
    fn from_bytes(bytes: &[u8; ENTRY]) -> Option<Self> {
        let (per_group, rest) = bytes.split_first_chunk::<KINDS>()?;
        let half = |at: usize| {
            rest.get(at..)?
                .first_chunk()
                .copied()
                .map(u16::from_le_bytes)
        };
        let (codes, unused) = rest.get(8..)?.split_first_chunk::<6>()?;
        let [within, required, taking, compact, state, waited_for] = *codes;
        let entry = Self {
            per_group: *per_group,
            unit: half(0)?,
            most: half(2)?,
            listed: half(4)?,
            generation: half(6)?,
            within,
            required,
            taking,
            compact,
            state,
            waited_for,
            ..Self::VACANT
        };
        let known = waited_for <= 1 && unused.iter().all(|byte| *byte == 0);
        known.then_some(entry)
    }
}
