//! Layouts, classes and choices against literal ones: sets of numbers, and all subsets of groups.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that fails has to stop"
)]

extern crate std;
use core::ops::Range;
use std::{collections::BTreeSet, vec, vec::Vec};

use super::{
    Class, ClassEntry, ClassError, ClassId, Classes, Eligible, Fewer, Free, Geometry, Layout,
    LayoutError, Preference, Shape, Within, layout::put_word,
};
use crate::column::Column;

#[path = "../../oracle/src/oracle/world.rs"]
mod world;

use world::{Set, World, count};

/// Numbers that look random.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        (self.0 >> 33) % bound
    }

    fn world(&mut self) -> World {
        let groups = 1 + self.below(7) as u16;
        let kinds: Vec<u8> = (0..=self.below(3))
            .map(|_| 1 + self.below(9) as u8)
            .collect();
        let missing = (0..self.below(3)).map(|_| {
            let kind = self.below(kinds.len() as u64) as usize;
            let start = self.below(groups.into()) as u16;
            let end = start + 1 + self.below(u64::from(groups - start)) as u16;
            let pes = self.below(kinds[kind].into()) as u8;
            Fewer {
                groups: start..end,
                kind,
                pes,
            }
        });
        let missing = missing.collect();
        let first = 2 + self.below(3) as u16;
        World {
            groups,
            kinds,
            missing,
            levels: vec![first, first + 1 + self.below(3) as u16],
        }
    }
}

/// What a class of a test borrows.
struct Wishes {
    groups: Vec<Range<u16>>,
    kinds: u8,
    mask: Vec<u32>,
    per_group: Vec<u8>,
    order: Vec<u16>,
    numbers: [u64; 4],
}

impl Wishes {
    fn draw(chance: &mut Chance, world: &World) -> Self {
        let ranges = (0..=chance.below(2)).map(|_| {
            let start = chance.below(world.groups.into()) as u16;
            start..start + 1 + chance.below(u64::from(world.groups - start)) as u16
        });
        let groups = ranges.collect();
        let numbers = world.numbers();
        let mut mask = vec![0; usize::from(numbers).div_ceil(32)];
        for number in 0..numbers {
            mask[usize::from(number / 32)] |= u32::from(chance.below(4) > 0) << (number % 32);
        }
        let per_group = world
            .kinds
            .iter()
            .map(|most| chance.below(u64::from(*most) / 2 + 2).min((*most).into()) as u8);
        let per_group = per_group.collect();
        let mut order: Vec<u16> = (0..world.groups).filter(|_| chance.below(2) > 0).collect();
        for place in (1..order.len()).rev() {
            order.swap(place, chance.below(place as u64 + 1) as usize);
        }
        Self {
            groups,
            kinds: 1 + chance.below((1 << world.kinds.len()) - 1) as u8,
            mask,
            per_group,
            order,
            numbers: [0; 4].map(|_| chance.below(16)),
        }
    }

    fn class(&self) -> Class<'_> {
        let [eligible, shape, within, preference] = self.numbers;
        Class {
            eligible: match eligible % 4 {
                0 => Eligible::Groups {
                    groups: &self.groups,
                    kinds: self.kinds,
                },
                1 => Eligible::Pes(&self.mask),
                _ => Eligible::All,
            },
            shape: match shape % 4 {
                0 => Shape::Number,
                1 => Shape::WholeGroups,
                _ => Shape::PerGroup(&self.per_group),
            },
            within: match within % 5 {
                0 => Within::Required(0),
                1 => Within::Required(1),
                2 => Within::Preferred(0),
                _ => Within::Anywhere,
            },
            preference: match preference % 6 {
                0 => Preference::Lowest,
                1 => Preference::Pack,
                2 => Preference::Spread,
                3 => Preference::Order(&self.order),
                4 => Preference::Compact(0),
                _ => Preference::Compact(1),
            },
        }
    }
}

/// A table for a world.
struct Table<C> {
    geometry: Geometry,
    entries: Vec<ClassEntry>,
    existing: Vec<C>,
    masks: Vec<C>,
    candidate: Vec<C>,
    orders: Vec<u16>,
}

impl<C: Column> Table<C> {
    fn new(world: &World, entries: usize) -> Result<Self, LayoutError> {
        let geometry = Geometry::new::<C>(&world.layout())?;
        let columns = geometry.columns::<C>();
        let mut existing = vec![C::NONE; columns];
        world.layout().write_existing(&geometry, &mut existing);
        Ok(Self {
            geometry,
            entries: vec![ClassEntry::VACANT; entries],
            existing,
            masks: vec![C::NONE; columns * entries],
            candidate: vec![C::NONE; columns],
            orders: vec![0; entries * usize::from(world.groups)],
        })
    }

    fn classes(&mut self) -> Classes<'_, C> {
        Classes {
            geometry: &mut self.geometry,
            entries: &mut self.entries,
            existing: &mut self.existing,
            masks: &mut self.masks,
            candidate: &mut self.candidate,
            orders: &mut self.orders,
        }
    }

    fn set_of(&self, numbers: &Set) -> Vec<C> {
        let mut set = vec![C::NONE; self.geometry.columns::<C>()];
        for number in numbers {
            let (word, bit) = self.geometry.place::<C>(*number).unwrap();
            put_word(&mut set, word, bit);
        }
        set
    }

    fn numbers_of(&self, set: &[C]) -> Set {
        let mut numbers = Set::new();
        for (column, part) in set.iter().enumerate() {
            let mut from = 0;
            while let Some(member) = part.next_member(from) {
                let number = self.geometry.number::<C>(column * C::BITS + member);
                assert!(numbers.insert(number.unwrap()));
                from = member + 1;
            }
        }
        numbers
    }
}

fn differs_nowhere<C: Column>(seed: u64) -> [usize; 5] {
    let mut chance = Chance(seed);
    let mut seen = [0; 5];
    for _ in 0..600 {
        let world = chance.world();
        let mut table = match Table::<C>::new(&world, 3) {
            Ok(table) => table,
            Err(fault) => {
                assert_eq!((fault, world.existing().len()), (LayoutError::NoPes, 0));
                continue;
            }
        };
        let existing = world.existing();
        let known = table.existing.clone();
        assert_eq!(table.numbers_of(&known), existing, "{world:?}");
        assert_eq!(usize::from(table.geometry.pes), existing.len());
        let wishes = Wishes::draw(&mut chance, &world);
        let class = wishes.class();
        let added = table.classes().add(&class, |_| false);
        assert_eq!(
            table.classes().add(&class, |_| false),
            added,
            "equal ones share an entry"
        );
        let eligible = world.eligible(&class);
        let id = match added {
            Ok(id) => id,
            Err(fault) => {
                check_fault(&world, &class, &eligible, fault);
                seen[0] += 1;
                continue;
            }
        };
        let entry = table.classes().entry(id.entry);
        let mask = table.classes().mask(id.entry).to_vec();
        assert_eq!(table.numbers_of(&mask), eligible);
        for _ in 0..6 {
            let share = 1 + chance.below(4);
            let busy: Set = existing
                .iter()
                .copied()
                .filter(|_| chance.below(4) < 4 - share)
                .collect();
            let free: Set = eligible.difference(&busy).copied().collect();
            let pes = (1 + chance.below(3)) as u16 * entry.unit.max(1 + chance.below(5) as u16);
            let units = pes / entry.unit.max(1);
            let idle = world.serves(&class, &eligible, pes.into());
            assert_eq!(
                units <= entry.most && pes.is_multiple_of(entry.unit.max(1)),
                idle
            );
            assert_eq!(
                entry.units(pes.into()),
                (entry.unit == 0 || pes.is_multiple_of(entry.unit)).then_some(units.into())
            );
            let busy = table.set_of(&busy);
            let classes = table.classes();
            let set = Free {
                geometry: classes.geometry,
                busy: &busy,
                eligible: classes.mask(id.entry),
            };
            let context = (&world, &class, &free, pes);
            let serves = world.serves(&class, &free, pes.into());
            if entry.units(pes.into()).is_none() {
                assert!(!set.serve(&entry, pes.into()), "{context:?}");
                continue;
            }
            assert_eq!(set.serve(&entry, pes.into()), serves, "{context:?}");
            let mut chosen = vec![C::lowest(C::BITS); busy.len()];
            assert_eq!(
                set.choose(&entry, classes.order(id.entry), pes.into(), &mut chosen),
                serves,
                "{context:?}"
            );
            seen[if serves { 1 } else { 2 }] += 1;
            if serves {
                let chosen = table.numbers_of(&chosen);
                assert_eq!(
                    chosen,
                    world.choice(&class, &free, pes.into()),
                    "{context:?}"
                );
                assert!(chosen.is_subset(&free) && chosen.len() == usize::from(pes));
                assert!(world.serves(&class, &chosen, pes.into()), "{context:?}");
                seen[3] += usize::from(entry.asks_for_groups());
                seen[4] += usize::from(entry.level().is_some());
            }
        }
    }
    seen
}

/// Checks that a class has the fault that it is refused for.
fn check_fault(world: &World, class: &Class<'_>, eligible: &Set, fault: ClassError) {
    let holds = match fault {
        ClassError::NothingEligible => eligible.is_empty(),
        ClassError::UnevenGroups => {
            let all = world.existing();
            let counts = |set: &Set, group| -> Vec<usize> {
                let kinds = 0..world.kinds.len();
                kinds
                    .map(|kind| count(&world.of_kind(kind, group), set))
                    .collect()
            };
            let concerned =
                (0..world.groups).filter(|group| count(&world.of_group(*group), eligible) > 0);
            let kinds_of: BTreeSet<Vec<usize>> = concerned
                .clone()
                .map(|group| counts(eligible, group))
                .collect();
            kinds_of.len() > 1
                || concerned
                    .clone()
                    .any(|group| counts(eligible, group) != counts(&all, group))
        }
        ClassError::BadShape => {
            let per_group = world.per_group(class).unwrap();
            let gives = |group| world.gives(&per_group, eligible, group);
            per_group.iter().sum::<usize>() == 0 || !(0..world.groups).any(gives)
        }
        _ => false,
    };
    assert!(holds, "{fault:?} {world:?} {class:?}");
}

#[test]
fn classes_are_served_and_chosen_for_as_said() {
    for seen in [differs_nowhere::<u32>(11), differs_nowhere::<[u64; 8]>(12)] {
        assert!(seen.iter().all(|times| *times > 80), "{seen:?}");
    }
}

/// Every set of free ones of a machine of 4 groups in 2 blocks with 2 kinds, for classes of every shape, level and preference.
#[test]
fn small_worlds_are_served_and_chosen_for_as_said() {
    let world = World {
        groups: 4,
        kinds: vec![2, 1],
        missing: vec![Fewer {
            groups: 3..4,
            kind: 1,
            pes: 0,
        }],
        levels: vec![2],
    };
    let mut table = Table::<u32>::new(&world, 1).unwrap();
    let existing: Vec<u16> = world.existing().into_iter().collect();
    assert_eq!(existing.len(), 11);
    let order = [2, 0];
    let shapes = [
        Shape::Number,
        Shape::PerGroup(&[1, 1]),
        Shape::PerGroup(&[2]),
        Shape::PerGroup(&[0, 1]),
    ];
    let preferences = [
        Preference::Lowest,
        Preference::Pack,
        Preference::Spread,
        Preference::Order(&order),
        Preference::Compact(0),
    ];
    let mut served = 0;
    for shape in shapes {
        for within in [Within::Anywhere, Within::Required(0), Within::Preferred(0)] {
            for preference in preferences {
                let class = Class {
                    eligible: Eligible::All,
                    shape,
                    within,
                    preference,
                };
                let id = table.classes().add(&class, |_| false).unwrap();
                for subset in 0_u32..1 << existing.len() {
                    let bits = existing.iter().enumerate();
                    let (free, busy): (Vec<_>, Vec<_>) =
                        bits.partition(|(bit, _)| subset >> bit & 1 == 1);
                    let [free, busy] =
                        [free, busy].map(|pes| pes.into_iter().map(|(_, pe)| *pe).collect::<Set>());
                    served += usize::from(agree(&mut table, &world, &class, id, &free, &busy));
                }
                assert!(table.classes().drop_class(id));
            }
        }
    }
    assert!(served > 50_000, "{served}");
}

/// Compares both for one set and the second-smallest number of processing elements, and returns whether it is served.
fn agree(
    table: &mut Table<u32>,
    world: &World,
    class: &Class<'_>,
    id: ClassId,
    free: &Set,
    busy: &Set,
) -> bool {
    let busy = table.set_of(busy);
    let classes = table.classes();
    let entry = classes.entry(id.entry);
    let pes = match entry.unit {
        0 => 4,
        unit => 2 * unit,
    };
    let set = Free {
        geometry: classes.geometry,
        busy: &busy,
        eligible: classes.mask(id.entry),
    };
    let mut chosen = [0; 2];
    let served = set.serve(&entry, pes.into());
    assert_eq!(
        served,
        world.serves(class, free, pes.into()),
        "{class:?} {free:?}"
    );
    assert_eq!(
        set.choose(&entry, classes.order(id.entry), pes.into(), &mut chosen),
        served
    );
    if served {
        assert_eq!(
            table.numbers_of(&chosen),
            world.choice(class, free, pes.into()),
            "{class:?} {free:?}"
        );
    }
    served
}

#[test]
fn faults_of_layouts_are_named() {
    let check = |groups, kinds: &[u8], missing: &[Fewer], levels: &[u16]| {
        let layout = Layout {
            groups,
            kinds,
            missing,
            levels,
        };
        layout.check().map(|()| layout.pes())
    };
    let fewer = |groups, kind, pes| Fewer { groups, kind, pes };
    let gone = [fewer(0..4, 0, 0), fewer(0..4, 1, 0)];
    assert_eq!(check(0, &[4], &[], &[]), Err(LayoutError::NoGroups));
    assert_eq!(check(4, &[], &[], &[]), Err(LayoutError::NoKinds));
    assert_eq!(check(4, &[1; 9], &[], &[]), Err(LayoutError::TooManyKinds));
    assert_eq!(check(4, &[4, 0], &[], &[]), Err(LayoutError::BadKind));
    assert_eq!(check(4, &[65], &[], &[]), Err(LayoutError::BadKind));
    let levels = [2, 3, 4, 5, 6];
    assert_eq!(
        check(4, &[4], &[], &levels),
        Err(LayoutError::TooManyLevels)
    );
    assert_eq!(check(4, &[4], &[], &[1]), Err(LayoutError::BadLevel));
    assert_eq!(check(4, &[4], &[], &[3, 3]), Err(LayoutError::BadLevel));
    for (missing, fault) in [
        (fewer(3..5, 0, 0), LayoutError::UnknownGroups),
        (fewer(2..2, 0, 0), LayoutError::UnknownGroups),
        (fewer(0..1, 2, 0), LayoutError::UnknownKind),
        (fewer(0..1, 0, 4), LayoutError::NothingMissing),
    ] {
        assert_eq!(check(4, &[4, 2], &[missing], &[]), Err(fault));
    }
    assert_eq!(
        check(1_024, &[33], &[], &[]),
        Err(LayoutError::LayoutTooWide)
    );
    assert_eq!(
        check(65_535, &[64; 8], &[], &[]),
        Err(LayoutError::LayoutTooWide)
    );
    assert_eq!(check(4, &[4, 2], &gone, &[]), Err(LayoutError::NoPes));
    assert_eq!(check(4, &[4, 2], &gone[1..], &[2]), Ok(16));
    assert_eq!(check(1_023, &[64], &[], &[]), Ok(65_472));
    assert_eq!(check(65_472, &[1], &[], &[2, 65_535]), Ok(65_472));
    // A device's word has 32 bits.
    let wide = Layout {
        groups: 4,
        kinds: &[33],
        missing: &[],
        levels: &[],
    };
    assert_eq!(Geometry::new::<u32>(&wide), Err(LayoutError::BadKind));
}

#[test]
fn faults_of_classes_are_named() {
    let world = World {
        groups: 4,
        kinds: vec![4, 2],
        missing: vec![Fewer {
            groups: 3..4,
            kind: 1,
            pes: 1,
        }],
        levels: vec![2],
    };
    let mut table = Table::<[u64; 8]>::new(&world, 2).unwrap();
    table.orders.truncate(6);
    let mut refused = |class: Class<'_>, fault| {
        assert_eq!(
            table.classes().add(&class, |_| false),
            Err(fault),
            "{class:?}"
        );
        assert_eq!(table.classes().len(), 0);
    };
    let any = Class::ANY;
    let [all, last, beyond, backwards, pair, three] =
        [(0, 4), (3, 4), (3, 5), (2, 1), (0, 2), (0, 3)].map(|(start, end)| [Range { start, end }]);
    let groups = |groups, kinds| Eligible::Groups { groups, kinds };
    for (eligible, fault) in [
        (groups(&beyond, 1), ClassError::UnknownGroups),
        (groups(&backwards, 1), ClassError::UnknownGroups),
        (groups(&all, 4), ClassError::UnknownKind),
        (groups(&[], 3), ClassError::NothingEligible),
        (groups(&all, 0), ClassError::NothingEligible),
        (Eligible::Pes(&[]), ClassError::MaskSize),
        (Eligible::Pes(&[1, 1]), ClassError::MaskSize),
        (Eligible::Pes(&[1 << 24]), ClassError::MaskSize),
        // The last GPU of group 3 is missing.
        (Eligible::Pes(&[1 << 23]), ClassError::NothingEligible),
    ] {
        refused(Class { eligible, ..any }, fault);
    }
    for (shape, groups_with, fault) in [
        (
            Shape::PerGroup(&[1, 1, 1]),
            groups(&all, 3),
            ClassError::UnknownKind,
        ),
        (Shape::PerGroup(&[5]), groups(&all, 3), ClassError::BadShape),
        (
            Shape::PerGroup(&[0, 0]),
            groups(&all, 3),
            ClassError::BadShape,
        ),
        (Shape::PerGroup(&[]), groups(&all, 3), ClassError::BadShape),
        (
            Shape::PerGroup(&[1, 2]),
            groups(&last, 3),
            ClassError::BadShape,
        ),
        (
            Shape::WholeGroups,
            groups(&all, 3),
            ClassError::UnevenGroups,
        ),
        (
            Shape::WholeGroups,
            groups(&pair, 1),
            ClassError::UnevenGroups,
        ),
    ] {
        let eligible = groups_with;
        refused(
            Class {
                shape,
                eligible,
                ..any
            },
            fault,
        );
    }
    for within in [Within::Required(1), Within::Preferred(255)] {
        refused(Class { within, ..any }, ClassError::UnknownLevel);
    }
    for (preference, fault) in [
        (Preference::Compact(1), ClassError::UnknownLevel),
        (Preference::Order(&[0, 1, 2, 3]), ClassError::OrderTooLong),
        (Preference::Order(&[0, 4]), ClassError::BadOrder),
        (Preference::Order(&[2, 2]), ClassError::BadOrder),
    ] {
        refused(Class { preference, ..any }, fault);
    }
    let whole = Class {
        eligible: groups(&three, 3),
        shape: Shape::WholeGroups,
        ..any
    };
    let id = table.classes().add(&whole, |_| false).unwrap();
    assert_eq!(table.classes().entry(id.entry).per_group[..3], [4, 2, 0]);
}

#[test]
fn entries_are_shared_dropped_and_used_again() {
    let world = World {
        groups: 2,
        kinds: vec![4],
        missing: vec![],
        levels: vec![],
    };
    let mut table = Table::<u32>::new(&world, 2).unwrap();
    let mut classes = table.classes();
    let per_group = |pes| Class {
        shape: Shape::PerGroup(pes),
        ..Class::ANY
    };
    let listed = |order| Class {
        preference: Preference::Order(order),
        ..Class::ANY
    };
    let nobody = |_| false;
    let one = classes.add(&listed(&[1]), nobody).unwrap();
    let two = classes.add(&listed(&[0]), nobody).unwrap();
    assert_ne!(one, two);
    assert_eq!(
        classes.add(&per_group(&[2]), nobody),
        Err(ClassError::ClassesFull)
    );
    // Where the table is full, an equal one is still found.
    assert_eq!(classes.add(&listed(&[1]), nobody), Ok(one));
    assert!(classes.drop_class(one) && !classes.drop_class(one));
    assert_eq!(
        (classes.find(one), classes.find(two)),
        (None, Some(two.entry))
    );
    assert_eq!(classes.len(), 1);
    // Somebody has processing elements by it.
    let named = |entry| entry == one.entry;
    assert_eq!(
        classes.add(&per_group(&[2]), named),
        Err(ClassError::ClassesFull)
    );
    let three = classes.add(&per_group(&[2]), nobody).unwrap();
    assert_eq!(
        (three.entry, three.generation),
        (one.entry, one.generation + 1)
    );
    assert_eq!(
        (classes.find(one), classes.find(three)),
        (None, Some(three.entry))
    );
    assert_eq!(
        classes.find(ClassId::from_number(three.number())),
        Some(three.entry)
    );
    assert_eq!(
        (
            classes.find(ClassId::ANY),
            classes.find(ClassId::from_number(3))
        ),
        (Some(0), None)
    );
    // The ids of an entry are used up.
    classes.entries[0].generation = u16::MAX;
    let last = classes.id(1);
    assert!(classes.drop_class(last));
    assert_eq!(
        classes.add(&per_group(&[3]), nobody),
        Err(ClassError::ClassesFull)
    );
}
