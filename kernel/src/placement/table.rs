//! The bounded table of classes.

use core::ops::Range;

use super::{
    class::{Class, ClassId, Eligible, PerGroup, Preference, Shape, Within},
    entry::{ClassEntry, state, taking},
    fault::ClassError,
    free::Free,
    layout::{Geometry, KINDS, put, put_word},
    words::low_bits,
};
use crate::column::{Column, busy, chunk, chunk_mut};

/// The classes of a book. Entry 0 of the ids is any processing elements and has no place here, but for its mask: all that exist.
pub(crate) struct Classes<'a, C> {
    pub(crate) geometry: &'a mut Geometry,
    pub(crate) entries: &'a mut [ClassEntry],
    /// The set of those that exist.
    pub(crate) existing: &'a mut [C],
    /// A set for each entry.
    pub(crate) masks: &'a mut [C],
    /// Scratch memory: what may be the mask of a new class.
    pub(crate) candidate: &'a mut [C],
    /// As many groups for each entry.
    pub(crate) orders: &'a mut [u16],
}

impl<C: Column> Classes<'_, C> {
    /// Returns whether the other table is of the same machine, and of as many classes.
    #[cfg(feature = "plan")]
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        *self.geometry == *other.geometry
            && self.existing == other.existing
            && self.entries.len() == other.entries.len()
            && self.orders.len() == other.orders.len()
    }

    /// Becomes as the other table, which is of the same machine. O(classes x columns).
    #[cfg(feature = "plan")]
    pub(crate) fn copy(&mut self, other: &Self) {
        crate::ring::copy(self.entries, other.entries);
        crate::ring::copy(self.masks, other.masks);
        crate::ring::copy(self.orders, other.orders);
    }

    pub(super) fn columns(&self) -> usize {
        self.existing.len()
    }

    pub(super) fn longest_order(&self) -> usize {
        self.orders
            .len()
            .checked_div(self.entries.len())
            .unwrap_or_default()
    }

    /// Returns the mask of an entry, as ids number them.
    pub(crate) fn mask(&self, entry: u16) -> &[C] {
        match usize::from(entry).checked_sub(1) {
            Some(place) if !ClassEntry::is_exact(entry) => chunk(self.masks, place, self.columns()),
            _ => self.existing,
        }
    }

    /// Returns whether rows may name an entry, as ids number them.
    pub(crate) fn is_known(&self, entry: u16) -> bool {
        let is_used = |place| {
            let entry: Option<&ClassEntry> = self.entries.get(place);
            entry.is_some_and(|entry| entry.state != state::VACANT)
        };
        let place = usize::from(entry).checked_sub(1);
        matches!(entry, ClassEntry::EXACTLY | ClassEntry::OUT) || place.is_none_or(is_used)
    }

    /// Returns an entry, as ids number them.
    pub(crate) fn entry(&self, entry: u16) -> ClassEntry {
        let any = ClassEntry {
            most: self.geometry.pes,
            ..ClassEntry::VACANT
        };
        let place = usize::from(entry).checked_sub(1);
        let entry = place.and_then(|place| self.entries.get(place));
        entry.copied().unwrap_or(any)
    }

    /// Returns the groups that an entry lists.
    pub(crate) fn order(&self, entry: u16) -> &[u16] {
        let listed = self.entry(entry).listed.into();
        let place = usize::from(entry).saturating_sub(1);
        let order = chunk(self.orders, place, self.longest_order());
        order.get(..listed).unwrap_or_default()
    }

    /// Returns the entry of an id, as ids number them, unless the id is stale.
    pub(crate) fn find(&self, id: ClassId) -> Option<u16> {
        let place = match usize::from(id.entry).checked_sub(1) {
            None => return (id.generation == 0).then_some(0),
            Some(place) => place,
        };
        let entry = self.entries.get(place)?;
        (entry.is_live() && entry.generation == id.generation).then_some(id.entry)
    }

    /// Returns the id of an entry.
    pub(crate) fn id(&self, entry: u16) -> ClassId {
        ClassId {
            entry,
            generation: self.entry(entry).generation,
        }
    }

    /// Adds a class, or returns the id of an equal one. `is_named` says whether somebody still has processing elements by an entry that was dropped; it is kept for waiting jobs, too.
    /// O((entries + kinds) x columns + groups x kinds), and `is_named` for each entry that was dropped.
    pub(crate) fn add(
        &mut self,
        class: &Class<'_>,
        is_named: impl Fn(u16) -> bool,
    ) -> Result<ClassId, ClassError> {
        let order = match class.preference {
            Preference::Order(order) => order,
            _ => &[],
        };
        self.write_candidate(&class.eligible)?;
        let entry = self.entry_of(class, order)?;
        if let Some(equal) = self.equal(&entry, order) {
            return Ok(self.id(equal));
        }
        let vacant = |(place, entry): (usize, &ClassEntry)| match entry.state {
            state::LIVE => false,
            state::DROPPED if entry.waited_for != 0 => false,
            state::DROPPED if is_named(place.saturating_add(1) as u16) => false,
            // The ids of an entry never repeat.
            _ => entry.generation < u16::MAX,
        };
        let place = self.entries.iter().enumerate().position(vacant);
        let place = place.ok_or(ClassError::ClassesFull)?;
        self.store(place, &entry, order);
        Ok(self.id(place.saturating_add(1) as u16))
    }

    /// Drops a class: its id is stale from now on. Whoever has processing elements by it keeps them, and is moved by it.
    pub(crate) fn drop_class(&mut self, id: ClassId) -> bool {
        let entry = self
            .find(id)
            .and_then(|entry| usize::from(entry).checked_sub(1));
        let entry = entry.and_then(|place| self.entries.get_mut(place));
        entry.is_some_and(|entry| {
            entry.state = state::DROPPED;
            true
        })
    }

    /// Notes which entries jobs of the queue name, as ids number them, and no others, and returns whether those are others than before, for who keeps a
    /// journal. O(entries + jobs).
    pub(crate) fn note_waiting(&mut self, named: impl Iterator<Item = u16>) -> bool {
        let kept = cfg!(feature = "journal");
        for entry in self.entries.iter_mut() {
            // The second bit says how it was.
            entry.waited_for = if kept {
                entry.waited_for.wrapping_shl(1)
            } else {
                0
            };
        }
        for entry in named {
            let place = usize::from(entry).checked_sub(1);
            if let Some(entry) = place.and_then(|place| self.entries.get_mut(place)) {
                entry.waited_for |= 1;
            }
        }
        let mut changed = false;
        for entry in self.entries.iter_mut().filter(|_| kept) {
            changed |= matches!(entry.waited_for, 1 | 2);
            entry.waited_for &= 1;
        }
        changed
    }

    /// Returns how many ids are valid, but for [`ClassId::ANY`].
    pub(crate) fn len(&self) -> usize {
        self.entries.iter().filter(|entry| entry.is_live()).count()
    }

    /// Makes the candidate a set that is given by a bit for each number, and returns how many it has, as [`read_set`](Self::read_set).
    pub(crate) fn write_exactly(&mut self, pes: &[u32]) -> Option<u32> {
        self.candidate.fill(C::NONE);
        read_set(self.geometry, self.existing, pes, self.candidate)
    }

    /// Adds processing elements, given by a bit for each number, to an empty set, and returns how many it has. `None` for none, and for a number that
    /// no processing element of the machine has. O(columns + numbers / 32 + members).
    #[cfg(feature = "outages")]
    pub(crate) fn read_set(&self, pes: &[u32], set: &mut [C]) -> Option<u32> {
        read_set(self.geometry, self.existing, pes, set)
    }

    /// Returns the processing elements of a column that there are.
    pub(crate) fn existing_in(&self, column: usize) -> C {
        self.existing.get(column).copied().unwrap_or(C::NONE)
    }

    /// Writes what may be the mask of a new class behind the others.
    fn write_candidate(&mut self, eligible: &Eligible<'_>) -> Result<(), ClassError> {
        let (geometry, candidate) = (&*self.geometry, &mut *self.candidate);
        candidate.fill(C::NONE);
        match *eligible {
            Eligible::All => candidate.fill(C::lowest(C::BITS)),
            Eligible::Groups { groups, kinds } => {
                let known = geometry.known_kinds().count() as u32;
                if u64::from(kinds) & !low_bits(known) != 0 {
                    return Err(ClassError::UnknownKind);
                }
                for range in groups {
                    if range.is_empty() || range.end > geometry.groups {
                        return Err(ClassError::UnknownGroups);
                    }
                    add_groups(candidate, geometry, range.clone(), kinds);
                }
            }
            Eligible::Pes(words) => add_numbers(candidate, geometry, words)?,
        }
        let mut count = 0_u32;
        for (candidate, existing) in candidate.iter_mut().zip(self.existing.iter()) {
            *candidate = candidate.and(*existing);
            count = count.saturating_add(candidate.busy());
        }
        if count == 0 {
            return Err(ClassError::NothingEligible);
        }
        Ok(())
    }

    /// Returns what is eligible according to the candidate mask, all of it free.
    fn candidate(&self) -> Free<'_, C> {
        Free {
            geometry: self.geometry,
            busy: &[],
            eligible: self.candidate,
        }
    }

    /// Returns whether the machine has these levels.
    fn knows_levels(&self, one: Option<u8>, other: Option<u8>) -> bool {
        one.into_iter().chain(other).all(|level| {
            let groups = self.geometry.levels.get(usize::from(level));
            groups.is_some_and(|groups| *groups > 0)
        })
    }

    /// Returns whether an entry that was used is one that this table could have made of the candidate.
    #[cfg(feature = "journal")]
    pub(super) fn is_sound(&self, entry: &ClassEntry) -> bool {
        let candidate = self.candidate();
        let kinds = entry.per_group.iter().zip(&self.geometry.kinds);
        let unit: u16 = entry.per_group.iter().map(|pes| u16::from(*pes)).sum();
        let compact = (entry.taking == taking::COMPACT).then_some(entry.compact);
        entry.generation > 0
            && entry.state <= state::DROPPED
            && entry.taking <= taking::COMPACT
            && entry.required <= u8::from(entry.within > 0)
            && entry.unit == unit
            && kinds
                .into_iter()
                .all(|(asked, kind)| *asked <= kind.per_group)
            && self.knows_levels(entry.level(), compact)
            && (compact.is_some() || entry.compact == 0)
            && entry.most == candidate.most(entry) as u16
    }

    /// Returns the entry of a class whose mask is the candidate.
    fn entry_of(&self, class: &Class<'_>, order: &[u16]) -> Result<ClassEntry, ClassError> {
        let candidate = self.candidate();
        let groups = self.geometry.groups;
        let mut entry = ClassEntry {
            per_group: self.per_group(&class.shape)?,
            listed: order.len() as u16,
            state: state::LIVE,
            ..ClassEntry::VACANT
        };
        entry.unit = entry.per_group.iter().map(|pes| u16::from(*pes)).sum();
        if entry.unit > 0 && !candidate.serve(&entry, entry.unit.into()) {
            return Err(ClassError::BadShape);
        }
        (entry.within, entry.required) = match class.within {
            Within::Anywhere => (0, 0),
            Within::Required(level) => (level.saturating_add(1), 1),
            Within::Preferred(level) => (level.saturating_add(1), 0),
        };
        (entry.taking, entry.compact) = match class.preference {
            Preference::Lowest => (taking::LOWEST, 0),
            Preference::Pack => (taking::PACK, 0),
            Preference::Spread => (taking::SPREAD, 0),
            Preference::Order(_) => (taking::ORDER, 0),
            Preference::Compact(level) => (taking::COMPACT, level),
        };
        let compact = (entry.taking == taking::COMPACT).then_some(entry.compact);
        if !self.knows_levels(entry.level(), compact) {
            return Err(ClassError::UnknownLevel);
        }
        if order.len() > self.longest_order() {
            return Err(ClassError::OrderTooLong);
        }
        let again =
            |(place, group): (usize, &u16)| order.iter().take(place).any(|other| other == group);
        if order.iter().any(|group| *group >= groups) || order.iter().enumerate().any(again) {
            return Err(ClassError::BadOrder);
        }
        entry.most = candidate.most(&entry) as u16;
        Ok(entry)
    }

    /// Returns how many of each kind a shape asks for of a group whose mask is the candidate.
    fn per_group(&self, shape: &Shape<'_>) -> Result<PerGroup, ClassError> {
        let mut per_group = [0; KINDS];
        let pes = match *shape {
            Shape::Number => return Ok(per_group),
            Shape::PerGroup(pes) => pes,
            Shape::WholeGroups => return self.whole_group(),
        };
        if pes.len() > self.geometry.known_kinds().count() {
            return Err(ClassError::UnknownKind);
        }
        let mut within = true;
        let kinds = per_group.iter_mut().zip(&self.geometry.kinds);
        for ((to, kind), asked) in kinds.zip(pes) {
            within &= *asked <= kind.per_group;
            *to = *asked;
        }
        if !within || pes.iter().all(|asked| *asked == 0) {
            return Err(ClassError::BadShape);
        }
        Ok(per_group)
    }

    /// Returns what each of the eligible groups has, if it is the same.
    fn whole_group(&self) -> Result<PerGroup, ClassError> {
        let candidate = self.candidate();
        let existing = Free {
            eligible: self.existing,
            ..candidate
        };
        let mut whole: Option<PerGroup> = None;
        for group in 0..self.geometry.groups {
            if candidate.in_group(group) == 0 {
                continue;
            }
            let [own, all] = [&candidate, &existing].map(|set| {
                self.geometry.kinds.map(|kind| match kind.per_group {
                    0 => 0,
                    _ => set.of_kind(&kind, group).count_ones() as u8,
                })
            });
            if own != all || whole.is_some_and(|whole| whole != own) {
                return Err(ClassError::UnevenGroups);
            }
            whole = Some(own);
        }
        whole.ok_or(ClassError::NothingEligible)
    }

    /// Returns a class that equals an entry whose mask is the candidate.
    fn equal(&self, entry: &ClassEntry, order: &[u16]) -> Option<u16> {
        let candidate = self.candidate();
        let entries = self.entries.iter().zip(1_u16..);
        let mut equal = entries.filter(|(other, number)| {
            other.is_live()
                && other.is_like(entry)
                && self.order(*number) == order
                && self.mask(*number) == candidate.eligible
        });
        equal.next().map(|(_, number)| number)
    }

    /// Stores a class whose mask is the candidate at a vacant place.
    fn store(&mut self, place: usize, entry: &ClassEntry, order: &[u16]) {
        let (columns, longest) = (self.columns(), self.longest_order());
        let mask = chunk_mut(self.masks, place, columns);
        for (to, from) in mask.iter_mut().zip(self.candidate.iter()) {
            *to = *from;
        }
        let listed = chunk_mut(self.orders, place, longest);
        listed.fill(0);
        for (to, from) in listed.iter_mut().zip(order) {
            *to = *from;
        }
        if let Some(to) = self.entries.get_mut(place) {
            *to = ClassEntry {
                generation: to.generation.wrapping_add(1),
                ..*entry
            };
        }
    }
}

/// Adds the processing elements of some kinds of consecutive groups to a set.
fn add_groups<C: Column>(set: &mut [C], geometry: &Geometry, groups: Range<u16>, kinds: u8) {
    for (number, kind) in geometry.known_kinds().enumerate() {
        if kinds.wrapping_shr(number as u32) & 1 == 0 {
            continue;
        }
        for group in groups.clone() {
            put(set, kind.part::<C>(group), low_bits(kind.per_group.into()));
        }
    }
}

/// See [`Classes::read_set`].
fn read_set<C: Column>(
    geometry: &Geometry,
    existing: &[C],
    pes: &[u32],
    set: &mut [C],
) -> Option<u32> {
    add_numbers(set, geometry, pes).ok()?;
    let mut parts = set.iter().zip(existing);
    let exist = parts.all(|(part, existing)| part.and_not(*existing).is_idle());
    let count = busy(set);
    (exist && count > 0).then_some(count)
}

/// Adds processing elements to a set that are given by a bit for each number.
fn add_numbers<C: Column>(
    set: &mut [C],
    geometry: &Geometry,
    words: &[u32],
) -> Result<(), ClassError> {
    if words.len() != usize::from(geometry.numbers).div_ceil(32) {
        return Err(ClassError::MaskSize);
    }
    for (place, word) in words.iter().enumerate() {
        let mut rest = *word;
        while rest != 0 {
            let number = place
                .saturating_mul(32)
                .saturating_add(rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            let number = u16::try_from(number)
                .ok()
                .filter(|number| *number < geometry.numbers);
            let number = number.ok_or(ClassError::MaskSize)?;
            if let Some((word, bit)) = geometry.place::<C>(number) {
                put_word(set, word, bit);
            }
        }
    }
    Ok(())
}
