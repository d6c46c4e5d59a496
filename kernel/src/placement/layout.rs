//! The layout of a machine: groups of several kinds of processing elements, and blocks of groups.

use core::ops::Range;

use super::{fault::LayoutError, words::low_bits};
use crate::column::Column;

/// The most kinds of processing elements that a group can have.
pub const KINDS: usize = 8;

/// The most levels of blocks.
pub const LEVELS: usize = 4;

/// The layout of a machine: equal groups (nodes) of up to [`KINDS`] kinds of processing elements, some of which may be missing, and up to
/// [`LEVELS`] levels of blocks (racks, switches) that consist of neighbouring groups.
///
/// Processing elements are numbered kind after kind, group after group, whether they are missing or not: with 128 groups of 16 cores and 8 GPUs,
/// core `i` of group `g` is 16 g + i, and its GPU `i` is 128 x 16 + 8 g + i.
///
/// ```
/// use bookahead::{Fewer, Layout};
/// // Eight nodes of 4 cores and 2 GPUs in two racks; the last two nodes have no GPUs.
/// let layout = Layout {
///     groups: 8, kinds: &[4, 2], missing: &[Fewer { groups: 6..8, kind: 1, pes: 0 }], levels: &[4],
/// };
/// assert_eq!(layout.check(), Ok(()));
/// assert_eq!(layout.pes(), 8 * 4 + 6 * 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout<'a> {
    /// How many groups there are.
    pub groups: u16,
    /// How many processing elements of each kind a group has, at most 64, and 32 on devices.
    pub kinds: &'a [u8],
    /// Which groups have fewer.
    pub missing: &'a [Fewer],
    /// How many groups a block of each level has, from the smallest; a level's last block may have fewer.
    pub levels: &'a [u16],
}

/// Groups that have fewer processing elements of a kind than others: the lowest ones exist. Where several say so of a group, the fewest count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fewer {
    /// The groups.
    pub groups: Range<u16>,
    /// The kind, counted from 0.
    pub kind: usize,
    /// How many they have.
    pub pes: u8,
}

impl Layout<'_> {
    /// Checks that the layout adds up, as far as that does not depend on the memory that it is for. O(kinds + missing + levels).
    ///
    /// # Errors
    ///
    /// The first fault, in the order of [`LayoutError`].
    pub fn check(&self) -> Result<(), LayoutError> {
        Geometry::new::<[u64; 8]>(self).map(drop)
    }

    /// Returns how many processing elements exist; 0 for a layout that does not add up. O(groups x (kinds + missing)).
    #[must_use]
    pub fn pes(&self) -> u16 {
        Geometry::new::<[u64; 8]>(self).map_or(0, |geometry| geometry.pes)
    }

    /// Returns how many columns of type `C` its sets take: each kind begins at a word, and each group's part of it takes a power of two of bits.
    ///
    /// ```
    /// use bookahead::Layout;
    /// // 128 nodes of 16 cores and 8 GPUs, in columns of 512 bits: four for the cores and two for the GPUs.
    /// const NODES: Layout<'_> = Layout { groups: 128, kinds: &[16, 8], missing: &[], levels: &[16] };
    /// const COLUMNS: usize = NODES.columns::<[u64; 8]>();
    /// assert_eq!(COLUMNS, 6);
    /// ```
    #[must_use]
    pub const fn columns<C: Column>(&self) -> usize {
        let mut words = 0_usize;
        let mut kinds = self.kinds;
        while let Some((pes, rest)) = kinds.split_first() {
            words = words.saturating_add(words_of::<C>(self.groups, *pes));
            kinds = rest;
        }
        words.saturating_mul(C::WORD as usize).div_ceil(C::BITS)
    }

    /// Returns how many processing elements of `kind` exist in `group`.
    fn in_group(&self, kind: usize, group: u16) -> u8 {
        let fewer = self.missing.iter();
        let fewer = fewer.filter(|fewer| fewer.kind == kind && fewer.groups.contains(&group));
        let all = self.kinds.get(kind).copied().unwrap_or_default();
        fewer.fold(all, |least, fewer| least.min(fewer.pes))
    }

    /// Writes the set of those that exist. O(groups x (kinds + missing) + columns).
    pub(crate) fn write_existing<C: Column>(&self, geometry: &Geometry, existing: &mut [C]) {
        existing.fill(C::NONE);
        for (number, kind) in geometry.kinds.iter().enumerate() {
            for group in 0..geometry.groups {
                let pes = low_bits(self.in_group(number, group).into());
                put(existing, kind.part::<C>(group), pes);
            }
        }
    }
}

/// A layout as the kernel keeps it: each kind begins at a word, and each group's part of it takes a power of two of bits, so that no part crosses
/// a word. A kind that the machine does not have has no processing elements in a group. All zeros is the layout of no machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Geometry {
    pub(crate) kinds: [Kind; KINDS],
    /// Groups in a block; 0 for levels that the machine does not have.
    pub(crate) levels: [u16; LEVELS],
    pub(crate) groups: u16,
    /// How many processing elements exist.
    pub(crate) pes: u16,
    /// How many numbers they have, with those that are missing.
    pub(crate) numbers: u16,
    /// How many words the padded layout takes.
    pub(crate) words: u16,
}

/// Where the processing elements of one kind are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Kind {
    /// The word in which they begin.
    pub(crate) word: u16,
    /// The number of the first.
    pub(crate) number: u16,
    /// How many a group has.
    pub(crate) per_group: u8,
    /// The logarithm of the bits that a group takes.
    pub(crate) log: u8,
}

/// A part of a word: where a group's processing elements of one kind are.
#[derive(Clone, Copy)]
pub(crate) struct PartOfWord {
    pub(crate) word: usize,
    pub(crate) shift: u32,
    pub(crate) len: u32,
}

impl Kind {
    const NONE: Self = Self {
        word: 0,
        number: 0,
        per_group: 0,
        log: 0,
    };

    /// Returns the bits, counted from its first word, at which those of consecutive groups begin and end.
    pub(super) fn bits(&self, groups: &Range<u16>) -> [u32; 2] {
        [groups.start, groups.end].map(|group| u32::from(group).wrapping_shl(self.log.into()))
    }

    /// Returns where those of `group` are.
    pub(crate) fn part<C: Column>(&self, group: u16) -> PartOfWord {
        let bit = u32::from(group).wrapping_shl(self.log.into());
        let words = bit.wrapping_shr(C::WORD.trailing_zeros());
        PartOfWord {
            word: usize::from(self.word).wrapping_add(words as usize),
            shift: bit & C::WORD.wrapping_sub(1),
            len: 1_u32.wrapping_shl(self.log.into()),
        }
    }
}

impl Geometry {
    /// The layout of no machine.
    pub(crate) const ZEROED: Self = Self {
        kinds: [Kind::NONE; KINDS],
        levels: [0; LEVELS],
        groups: 0,
        pes: 0,
        numbers: 0,
        words: 0,
    };

    /// Arranges a layout for columns of type `C`. O(groups x (kinds + missing) + levels).
    pub(crate) fn new<C: Column>(layout: &Layout<'_>) -> Result<Self, LayoutError> {
        if layout.groups == 0 {
            return Err(LayoutError::NoGroups);
        }
        let mut geometry = Self {
            groups: layout.groups,
            ..Self::default()
        };
        let (mut words, mut numbers) = (0_usize, 0_u32);
        match layout.kinds.len() {
            0 => return Err(LayoutError::NoKinds),
            1..=KINDS => (),
            _ => return Err(LayoutError::TooManyKinds),
        }
        for (kind, pes) in geometry.kinds.iter_mut().zip(layout.kinds) {
            if *pes == 0 || u32::from(*pes) > C::WORD {
                return Err(LayoutError::BadKind);
            }
            *kind = Kind {
                // What does not fit is refused below.
                word: words as u16,
                number: numbers as u16,
                per_group: *pes,
                log: pes.next_power_of_two().trailing_zeros() as u8,
            };
            words = words.saturating_add(words_of::<C>(layout.groups, *pes));
            numbers = numbers.saturating_add(u32::from(*pes).saturating_mul(layout.groups.into()));
        }
        geometry.set_levels(layout)?;
        geometry.check_missing(layout)?;
        if words.saturating_mul(C::WORD as usize) > usize::from(u16::MAX) {
            return Err(LayoutError::LayoutTooWide);
        }
        geometry.numbers = numbers as u16;
        geometry.words = words as u16;
        for kind in 0..layout.kinds.len() {
            for group in 0..layout.groups {
                let pes = u16::from(layout.in_group(kind, group));
                geometry.pes = geometry.pes.saturating_add(pes);
            }
        }
        if geometry.pes == 0 {
            return Err(LayoutError::NoPes);
        }
        Ok(geometry)
    }

    fn set_levels(&mut self, layout: &Layout<'_>) -> Result<(), LayoutError> {
        if layout.levels.len() > LEVELS {
            return Err(LayoutError::TooManyLevels);
        }
        let mut smaller = 1;
        for (level, groups) in self.levels.iter_mut().zip(layout.levels) {
            if *groups <= smaller {
                return Err(LayoutError::BadLevel);
            }
            *level = *groups;
            smaller = *groups;
        }
        Ok(())
    }

    fn check_missing(&self, layout: &Layout<'_>) -> Result<(), LayoutError> {
        for fewer in layout.missing {
            if fewer.groups.is_empty() || fewer.groups.end > layout.groups {
                return Err(LayoutError::UnknownGroups);
            }
            let all = layout.kinds.get(fewer.kind);
            let all = all.ok_or(LayoutError::UnknownKind)?;
            if fewer.pes >= *all {
                return Err(LayoutError::NothingMissing);
            }
        }
        Ok(())
    }

    /// Returns how many columns the padded layout takes.
    pub(crate) fn columns<C: Column>(&self) -> usize {
        let in_column = C::BITS.checked_div(C::WORD as usize).unwrap_or(1);
        usize::from(self.words).div_ceil(in_column)
    }

    /// Returns the kinds that the machine has.
    pub(crate) fn known_kinds(&self) -> impl Iterator<Item = &Kind> {
        self.kinds.iter().take_while(|kind| kind.per_group > 0)
    }

    /// Adds all places of consecutive groups to a set, with those that do not exist. O(groups x kinds).
    pub(super) fn put_groups<C: Column>(&self, set: &mut [C], groups: Range<u16>) {
        for kind in self.known_kinds() {
            for group in groups.clone() {
                let part = kind.part::<C>(group);
                put(set, part, low_bits(part.len));
            }
        }
    }

    /// Returns the bit of the processing element numbered `number`, as a word and a bit in it.
    pub(crate) fn place<C: Column>(&self, number: u16) -> Option<(usize, u64)> {
        let kind = self
            .known_kinds()
            .filter(|kind| kind.number <= number)
            .last()?;
        let within = number.wrapping_sub(kind.number);
        let group = within.checked_div(kind.per_group.into())?;
        let pe = within.checked_rem(kind.per_group.into())?;
        let part = kind.part::<C>(group);
        let bit = part.shift.wrapping_add(pe.into());
        (group < self.groups).then_some((part.word, 1_u64.wrapping_shl(bit)))
    }

    /// Returns the number of the processing element at `bit` of the padded layout, as [`place`](Self::place) gives it.
    pub(crate) fn number<C: Column>(&self, bit: usize) -> Option<u16> {
        let word = bit.checked_div(C::WORD as usize)?;
        let kind = self
            .known_kinds()
            .filter(|kind| usize::from(kind.word) <= word)
            .last()?;
        let within =
            bit.saturating_sub(usize::from(kind.word).saturating_mul(C::WORD as usize)) as u32;
        let group = within.wrapping_shr(kind.log.into());
        let pe = within & low_bits(kind.log.into()) as u32;
        let first =
            u32::from(kind.number).saturating_add(group.saturating_mul(kind.per_group.into()));
        let known = group < u32::from(self.groups) && pe < u32::from(kind.per_group);
        known.then_some(first.saturating_add(pe) as u16)
    }

    /// Returns the blocks of a level, counted from 0, as far as they lie in `scope`; no blocks for a level that the machine does not have.
    pub(crate) fn blocks(
        &self,
        level: u8,
        scope: Range<u16>,
    ) -> impl Iterator<Item = Range<u16>> + use<> {
        let size = self
            .levels
            .get(usize::from(level))
            .copied()
            .unwrap_or_default();
        cells(size, scope)
    }
}

/// Returns the ranges of `size` groups, counted from group 0, as far as they lie in `scope`.
pub(crate) fn cells(size: u16, scope: Range<u16>) -> impl Iterator<Item = Range<u16>> {
    let first = scope.start.checked_div(size).unwrap_or(u16::MAX);
    let mut start = scope.start;
    let mut end = u32::from(first)
        .saturating_add(1)
        .saturating_mul(size.into());
    core::iter::from_fn(move || {
        if start >= scope.end || size == 0 {
            return None;
        }
        let cell = start..u16::try_from(end).unwrap_or(u16::MAX).min(scope.end);
        start = cell.end;
        end = end.saturating_add(size.into());
        Some(cell)
    })
}

/// Returns how many words groups take that have `pes` processing elements of a kind each.
const fn words_of<C: Column>(groups: u16, pes: u8) -> usize {
    let bits = (groups as usize).saturating_mul((pes as usize).next_power_of_two());
    bits.div_ceil(C::WORD as usize)
}

/// Adds bits, counted from the beginning of the part, to a set.
pub(crate) fn put<C: Column>(set: &mut [C], part: PartOfWord, bits: u64) {
    put_word(set, part.word, bits.wrapping_shl(part.shift));
}

/// Adds bits to a word of a set.
pub(crate) fn put_word<C: Column>(set: &mut [C], word: usize, bits: u64) {
    let (column, word) = split::<C>(word);
    if let Some(column) = set.get_mut(column) {
        column.add_to_word(word, bits);
    }
}

/// Returns a word of a set.
pub(crate) fn word_of<C: Column>(set: &[C], word: usize) -> u64 {
    let (column, word) = split::<C>(word);
    set.get(column).map_or(0, |column| column.word(word))
}

/// Returns the columns in which words lie, each with their places there.
pub(super) fn in_columns<C: Column>(
    words: Range<usize>,
) -> impl Iterator<Item = (usize, Range<usize>)> {
    let in_column = C::BITS.checked_div(C::WORD as usize).unwrap_or(1);
    let mut from = words.start;
    core::iter::from_fn(move || {
        if from >= words.end {
            return None;
        }
        let (column, first) = split::<C>(from);
        let end = words
            .end
            .wrapping_sub(from)
            .wrapping_add(first)
            .min(in_column);
        from = from.wrapping_add(end.wrapping_sub(first));
        Some((column, first..end))
    })
}

/// Returns in which column a word lies, and its place there.
fn split<C: Column>(word: usize) -> (usize, usize) {
    let in_column = C::BITS.checked_div(C::WORD as usize).unwrap_or(1);
    (
        word.checked_div(in_column).unwrap_or_default(),
        word & in_column.wrapping_sub(1),
    )
}
