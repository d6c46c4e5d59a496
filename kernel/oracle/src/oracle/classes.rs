//! Classes: which PEs a reservation may have, and which of them it gets.

use std::{ops::Range, rc::Rc};

use bookahead::{
    Class, ClassError, Commitment, Error, Failing, PeCount, Placement, Refusal, Request, Slot,
    Span, UsageError, Window, Within,
};
use bookahead_commands::{ClassNumber, InTheWay, Kind, Machine, Number, Several, Wish};

use super::row::Row;
use super::world::{Set, World, count};
use super::{Oracle, check_terms};
use crate::Free;

/// A class that there has been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kin {
    wish: Wish,
    /// For each number whether its PE may be had.
    eligible: Vec<bool>,
    /// Whether it has not been dropped.
    live: bool,
    /// Whether its entry has been given to another one.
    gone: bool,
}

/// The class of those that have exactly the PEs they were given.
pub(super) const EXACTLY: ClassNumber = ClassNumber::MAX;

/// The class of those that take exactly the PEs they were given out of service.
pub(super) const OUT: ClassNumber = EXACTLY - 1;

impl Oracle {
    /// An empty book on a machine with a layout, for so many reservations and classes.
    #[must_use]
    pub fn on(kind: Kind, machine: &Machine, slots: u32, capacity: usize, classes: usize) -> Self {
        let world = World {
            groups: machine.groups,
            kinds: machine.kinds.clone(),
            missing: machine.fewer(),
            levels: machine.levels.clone(),
        };
        let pes = world.existing().len() as u32;
        Self {
            existing: mask(&world, &world.existing()),
            world: Some(world),
            class_capacity: classes,
            ..Self::new(kind, pes, slots, capacity)
        }
    }

    /// The same book, asked for a class.
    pub(crate) fn for_class(&self, class: ClassNumber) -> Self {
        Self {
            asked: class,
            ..self.clone()
        }
    }

    /// Asks for a class from now on, and returns for which one before.
    pub(crate) fn ask(&mut self, class: ClassNumber) -> ClassNumber {
        std::mem::replace(&mut self.asked, class)
    }

    /// The class that is asked for.
    pub(crate) const fn asked(&self) -> ClassNumber {
        self.asked
    }

    /// Whether nobody has dropped the class that is asked for.
    ///
    /// # Errors
    ///
    /// UsageError, when it has been dropped, or there has never been one.
    pub(crate) fn check_class(&self) -> Result<(), Error> {
        if self.asked == 0 || self.kin(self.asked).is_some_and(|kin| kin.live) {
            return Ok(());
        }
        Err(UsageError::StaleClass.into())
    }

    fn kin(&self, class: ClassNumber) -> Option<&Kin> {
        self.classes.get((class as usize).checked_sub(1)?)
    }

    /// Does something with a class.
    pub(super) fn with<T>(&self, class: ClassNumber, action: impl FnOnce(&Class<'_>) -> T) -> T {
        match self.kin(class) {
            None => action(&Class::ANY),
            Some(kin) => {
                let ranges = kin.wish.ranges();
                action(&kin.wish.class(&ranges))
            }
        }
    }

    /// What a set that is asked for by numbers is, in order.
    ///
    /// # Errors
    ///
    /// UsageError, when it is empty, or not all of it exists, or no set can be asked for.
    pub(super) fn set_of(&self, pes: &[u16]) -> Result<Set, Error> {
        let set: Set = pes.iter().copied().collect();
        let world = self.world.as_ref();
        let exists = world.is_some_and(|world| set.is_subset(&world.existing()));
        if !exists || set.is_empty() {
            return Err(UsageError::BadPes.into());
        }
        Ok(set)
    }

    /// For which class it was made.
    ///
    /// # Errors
    ///
    /// UsageError, when it is unknown.
    pub fn class_of(&self, number: Number) -> Result<ClassNumber, Error> {
        self.find(number).map(|row| row.class)
    }

    /// Whether the machine has a layout.
    pub(crate) const fn has_layout(&self) -> bool {
        self.world.is_some()
    }

    /// Whether it has exactly those that it was given: where PEs are booked by number there are no such reservations.
    const fn is_exact(&self, row: &Row) -> bool {
        row.class >= OUT && self.world.is_some()
    }

    /// Whether a reservation may have so many PEs, or others: it has not exactly those that it was given.
    pub(super) fn may_choose(&self, row: &Row, pes: u32) -> Result<(), Error> {
        if self.is_exact(row) && pes != row.placed.pes.get() {
            return Err(UsageError::ExactlyThese.into());
        }
        Ok(())
    }

    /// Books exactly these PEs.
    ///
    /// # Errors
    ///
    /// The first reason that applies, and who is there.
    pub fn reserve_exactly(
        &mut self,
        window: Window,
        pes: &[u16],
        commitment: Commitment,
    ) -> Several<Number> {
        let admitted = check_terms(commitment).and_then(|()| {
            if matches!(commitment, Commitment::Flexible { .. }) {
                return Err(UsageError::ExactlyThese.into());
            }
            let set = self.set_of(pes)?;
            let request = Request {
                ready: window.start,
                duration: window.len().unwrap_or(Span::ZERO),
                deadline: window.end,
                pes: PeCount::new(set.len() as u32),
            };
            self.check(&request)?;
            Ok((set, request))
        });
        let (set, request) = match admitted {
            Ok(admitted) => admitted,
            Err(reason) => return (Err(reason), InTheWay::nobody()),
        };
        if !self.is_all_there(window, &set) {
            let against = self.against_exactly(window, &set, None);
            return (Err(Refusal::NoRoom.into()), against);
        }
        let place = Placement {
            start: window.start,
            duration: request.duration,
            pes: request.pes,
        };
        let before = self.ask(EXACTLY);
        let number = self.push_as(request, place, commitment, set.into_iter().collect());
        self.ask(before);
        self.changed();
        (Ok(number), InTheWay::nobody())
    }

    /// Who has one of the set in the window, but for one.
    pub(super) fn those_there(
        &self,
        window: Window,
        set: &Set,
        own: Option<Number>,
    ) -> Vec<Number> {
        let there = self.ordered(|row| {
            let covers = (window.start.get()..window.end.get()).any(|slot| row.covers(slot));
            covers && Some(row.number) != own && row.set.iter().any(|pe| set.contains(pe))
        });
        there.into_iter().map(|row| row.number).collect()
    }

    /// Whether all of the set is there throughout the window, and nobody has any of it.
    pub(super) fn is_all_there(&self, window: Window, set: &Set) -> bool {
        let mut slots = window.start.get()..window.end.get();
        let ruled = slots.any(|slot| !self.set_gone(slot).is_disjoint(set));
        !ruled && self.those_there(window, set, None).is_empty()
    }

    /// Who and which rules have one of the set in the window, but for one.
    pub(super) fn against_exactly(
        &self,
        window: Window,
        set: &Set,
        own: Option<Number>,
    ) -> InTheWay {
        let pes: Vec<u16> = set.iter().copied().collect();
        let end = window.end.min(self.end());
        let rules = self.rules_in(window.start.get()..end.get(), Some(&pes));
        InTheWay {
            rules: rules.into_iter().collect(),
            ..InTheWay::of(self.those_there(window, set, own))
        }
    }

    /// Whether a reservation may have exactly this set, apart from others.
    pub(super) fn admits_exactly(&self, row: &Row, set: &Set) -> Result<(), Error> {
        if row.has_started() && !set.iter().all(|pe| row.set.contains(pe)) {
            return Err(UsageError::WrongState.into());
        }
        let eligible = members(&self.for_class(row.class).eligible());
        let free = mask(self.world.as_ref().expect("it has sets"), set);
        let serves = self.serves(row.class, &Free::Set(free), set.len() as u32);
        if !serves || !set.is_subset(&eligible) {
            return Err(Refusal::NotEligible.into());
        }
        Ok(())
    }

    /// Adds a class, or finds an equal one.
    ///
    /// # Errors
    ///
    /// When there are as many as there may be.
    ///
    /// # Panics
    ///
    /// For a class that is no class of this machine: those of the tests are.
    pub fn class_add(&mut self, wish: &Wish) -> Result<ClassNumber, ClassError> {
        if self.class_capacity == 0 {
            return Err(ClassError::ClassesFull);
        }
        let equal = |kin: &Kin| kin.live && self.means(&kin.wish) == self.means(wish);
        if let Some(nth) = self.classes.iter().position(equal) {
            return Ok(nth as ClassNumber + 1);
        }
        let named = |nth: usize| {
            let rows = self.rows.iter().map(|row| row.class);
            let mut all = rows.chain(self.waited_for.iter().copied());
            all.any(|class| class as usize == nth + 1)
        };
        let taken: Vec<usize> = (0..self.classes.len())
            .filter(|nth| {
                let kin = &self.classes[*nth];
                !kin.gone && (kin.live || named(*nth))
            })
            .collect();
        if taken.len() >= self.class_capacity {
            return Err(ClassError::ClassesFull);
        }
        let (eligible, ..) = self.means(wish);
        let eligible = mask(self.world.as_ref().expect("it has classes"), &eligible);
        let classes = Rc::make_mut(&mut self.classes);
        for (nth, kin) in classes.iter_mut().enumerate() {
            kin.gone |= !taken.contains(&nth);
        }
        classes.push(Kin {
            eligible,
            wish: wish.clone(),
            live: true,
            gone: false,
        });
        Ok(self.classes.len() as ClassNumber)
    }

    /// Keeps these classes for jobs that wait, and no others.
    pub(crate) fn note_waiting(&mut self, classes: Vec<ClassNumber>) {
        self.waited_for = classes;
    }

    /// Drops a class.
    ///
    /// # Errors
    ///
    /// UsageError, when there is none.
    pub fn class_drop(&mut self, class: ClassNumber) -> Result<(), Error> {
        let nth = (class as usize).checked_sub(1);
        let kin = nth.and_then(|nth| Rc::make_mut(&mut self.classes).get_mut(nth));
        let kin = kin.filter(|kin| kin.live).ok_or(UsageError::StaleClass)?;
        kin.live = false;
        Ok(())
    }

    /// All that matters of a class.
    fn means(&self, wish: &Wish) -> (Set, Option<Vec<usize>>, Within, String) {
        let (world, ranges) = (self.world.as_ref().expect("it has classes"), wish.ranges());
        let class = wish.class(&ranges);
        let order = format!("{:?}", class.preference);
        (
            world.eligible(&class),
            world.per_group(&class),
            class.within,
            order,
        )
    }

    /// For each number whether its PE may be had by the class that is asked for.
    pub(super) fn eligible(&self) -> Vec<bool> {
        let kin = self.kin(self.asked);
        kin.map_or(&self.existing, |kin| &kin.eligible).clone()
    }

    /// Which question of the class that is asked for a request fails at a start.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn failing(&self, request: &Request, start: Slot) -> Result<Option<Failing>, Error> {
        let world = self.world.as_ref().ok_or(UsageError::StaleClass)?;
        self.check_request(request)?;
        if start < request.ready || Some(start) > request.latest_start() {
            return Err(Refusal::OutsideWindow.into());
        }
        let window = Window::starting(start, request.duration).expect("it ends by the deadline");
        let free = match self.timetable().free_during(window) {
            Some(Free::Set(free)) => members(&free),
            other => panic!("{other:?} is no set"),
        };
        let pes = request.pes.get();
        if let lacking @ 1.. = pes.saturating_sub(free.len() as u32) {
            let lacking = PeCount::new(lacking);
            return Ok(Some(Failing::Number { lacking }));
        }
        Ok(self.with(self.asked, |class| {
            let per_group = world.per_group(class);
            let unit = per_group.as_ref().map_or(1, |pes| pes.iter().sum());
            let wanted = pes / unit as u32;
            let units = |groups: Range<u16>| {
                let in_group = |group| match &per_group {
                    None => count(&world.of_group(group), &free),
                    Some(needs) => usize::from(world.gives(needs, &free, group)),
                };
                groups.map(in_group).sum::<usize>() as u32
            };
            if let lacking @ 1.. = wanted.saturating_sub(units(0..world.groups)) {
                return Some(Failing::Groups { lacking });
            }
            let Within::Required(level) = class.within else {
                return None;
            };
            let most = world.blocks(level).into_iter().map(units).max();
            match wanted.saturating_sub(most.unwrap_or_default()) {
                0 => None,
                lacking => Some(Failing::Block { lacking }),
            }
        }))
    }

    /// Whether a reservation has some of what the class that is asked for may have.
    pub(super) fn concerns(&self, row: &Row) -> bool {
        let Some(kin) = self.kin(self.asked) else {
            return true;
        };
        row.set.iter().any(|pe| kin.eligible[usize::from(*pe)])
    }

    /// Whether what is free, of what the class may have, serves so many PEs.
    pub(super) fn serves(&self, class: ClassNumber, free: &Free, pes: u32) -> bool {
        match (&self.world, free) {
            (Some(world), Free::Set(free)) if class > 0 => {
                let free = members(free);
                self.with(class, |class| world.serves(class, &free, pes))
            }
            _ => free.count() >= pes,
        }
    }

    /// Which PEs the class gets of those that are free and that it may have, ascending.
    pub(crate) fn choice(&self, class: ClassNumber, free: &[bool], pes: u32) -> Vec<u16> {
        let free = members(free);
        match &self.world {
            None => free.into_iter().take(pes as usize).collect(),
            Some(world) => {
                let chosen = self.with(class, |class| world.choice(class, &free, pes));
                chosen.into_iter().collect()
            }
        }
    }

    /// Whether what is free serves the class that is asked for.
    pub(crate) fn serves_asked(&self, free: &Free, pes: u32) -> bool {
        self.serves(self.asked, free, pes)
    }

    /// Whether the class that is asked for could be served if nothing else was booked.
    ///
    /// # Errors
    ///
    /// UsageError for parts of groups, Refusal for what is too much.
    pub(crate) fn admits_asked(&self, pes: u32) -> Result<(), Error> {
        self.admits(self.asked, pes)
    }

    /// Whether the class could be served if nothing else was booked.
    pub(super) fn admits(&self, class: ClassNumber, pes: u32) -> Result<(), Error> {
        let Some(world) = self.world.as_ref().filter(|_| class > 0) else {
            return Ok(());
        };
        let (unit, served) = self.with(class, |class| {
            let unit = world.per_group(class).map_or(1, |pes| pes.iter().sum());
            let whole = (pes as usize).is_multiple_of(unit);
            (
                unit,
                whole && world.serves(class, &world.eligible(class), pes),
            )
        });
        if !(pes as usize).is_multiple_of(unit) {
            return Err(UsageError::NotWholeGroups.into());
        }
        if !served {
            return Err(Refusal::NotEligible.into());
        }
        Ok(())
    }

    /// Which PEs a reservation gets that keeps what it can; `free` may be had by its class. What has started keeps what it has, or gives some up.
    pub(super) fn kept_or_chosen(&self, row: &Row, free: &[bool], pes: u32) -> Option<Vec<u16>> {
        let (own, all) = (row.set.iter().copied().collect::<Set>(), members(free));
        if self.is_exact(row) {
            return own.is_subset(&all).then(|| own.into_iter().collect());
        }
        if let Some(set) = self.keeps(row, &own, &all, pes) {
            return Some(set.into_iter().collect());
        }
        let enough = self.serves(row.class, &Free::Set(free.to_vec()), pes);
        (enough && !row.has_started()).then(|| self.choice(row.class, free, pes))
    }

    /// What it has, or some of that, or that and more.
    fn keeps(&self, row: &Row, own: &Set, free: &Set, pes: u32) -> Option<Set> {
        let wanted = pes as usize;
        let Some(world) = self.world.as_ref() else {
            let kept: Set = own.iter().copied().take(wanted).collect();
            let others = free.difference(own).copied().take(wanted - kept.len());
            let all: Set = kept.iter().copied().chain(others).collect();
            return (kept.is_subset(free) && all.len() == wanted).then_some(all);
        };
        self.with(row.class, |class| {
            if own.len() >= wanted {
                let kept = world.choice(class, own, pes);
                return kept.is_subset(free).then_some(kept);
            }
            if !own.is_subset(free) {
                return None;
            }
            let of_own = |group: &u16| count(&world.of_group(*group), own) > 0;
            let groups = (0..world.groups).filter(of_own).collect::<Vec<u16>>();
            let mut others: Set = free.difference(own).copied().collect();
            if world.per_group(class).is_some() {
                for group in &groups {
                    others.retain(|pe| !world.of_group(*group).contains(pe));
                }
            }
            if let Within::Required(level) = class.within {
                let block = world.blocks(level).into_iter();
                let mut block =
                    block.filter(|block| groups.iter().any(|group| block.contains(group)));
                let block = block.next()?;
                others.retain(|pe| {
                    block
                        .clone()
                        .any(|group| world.of_group(group).contains(pe))
                });
            }
            let more = pes - own.len() as u32;
            let served = world.serves(class, &others, more);
            served.then(|| {
                world
                    .choice(class, &others, more)
                    .union(own)
                    .copied()
                    .collect()
            })
        })
    }
}

fn mask(world: &World, pes: &Set) -> Vec<bool> {
    (0..world.numbers()).map(|pe| pes.contains(&pe)).collect()
}

fn members(free: &[bool]) -> Set {
    let numbers = (0_u16..).zip(free).filter(|(_, free)| **free);
    numbers.map(|(pe, _)| pe).collect()
}
