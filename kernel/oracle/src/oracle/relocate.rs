//! Room in space: others move to other PEs at their own starts.

use std::ops::Range;

use bookahead::{Commitment, Error, Failing, Refusal, Request, Slot, Window, Within};
use bookahead_commands::{JuggleEnd, Juggled, Number};

use super::world::{Set, World, count};
use super::{Attempt, Oracle};
use crate::Free;

impl Oracle {
    /// Books a newcomer at the first candidate start at which it fits, or at which others can make room in space.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn relocate(
        &mut self,
        (request, terms): (&Request, Commitment),
        targets: u16,
        log: usize,
        end: JuggleEnd,
    ) -> Result<Juggled, Error> {
        let mut attempt = self.attempt(log, u64::MAX);
        let made = attempt.relocate(request, terms, targets)?;
        let moves = match end {
            JuggleEnd::AtOnce => Vec::new(),
            JuggleEnd::Commit | JuggleEnd::Plan => attempt.moves(),
        };
        if end != JuggleEnd::Plan {
            self.commit_attempt(attempt)?;
        }
        let made = Some(made);
        Ok(Juggled { made, moves })
    }

    /// What has to be cleared at a start for the class that is asked for, the targets in order.
    fn targets(&self, window: Window, pes: u32, most: u16) -> Vec<Set> {
        let world = self.world.as_ref().expect("it has classes");
        let numbers = |set: &[bool]| -> Set {
            let numbers = (0_u16..).zip(set).filter(|(_, is)| **is);
            numbers.map(|(pe, _)| pe).collect()
        };
        let eligible = numbers(&self.eligible());
        let free = match self.timetable().free_during(window) {
            Some(Free::Set(free)) => numbers(&free),
            other => panic!("{other:?} is no set"),
        };
        self.with(self.asked, |class| {
            let per_group = world.per_group(class);
            let unit = per_group.as_ref().map_or(1, |pes| pes.iter().sum());
            let wanted = pes as usize / unit;
            let units = |groups: &Range<u16>, of: &Set| {
                let in_group = |group| match &per_group {
                    None => count(&world.of_group(group), of),
                    Some(needs) => usize::from(world.gives(needs, of, group)),
                };
                groups.clone().map(in_group).sum::<usize>()
            };
            let members = |groups: &Range<u16>| of_groups(world, groups, &eligible);
            let busy = |groups: &Range<u16>| members(groups).difference(&free).count();
            if let Within::Required(level) = class.within {
                let mut blocks = world.blocks(level);
                blocks.retain(|block| units(block, &eligible) >= wanted);
                blocks.sort_by_key(busy);
                let blocks = blocks.iter().take(most.into());
                return blocks.map(members).collect();
            }
            let all = 0..world.groups;
            let lacking = wanted - units(&all, &free);
            let mut groups: Vec<_> = all.map(|group| group..group + 1).collect();
            groups.retain(|group| units(group, &eligible) == 1 && units(group, &free) == 0);
            groups.sort_by_key(busy);
            let targets = groups.windows(lacking).take(most.into());
            targets
                .map(|groups| groups.iter().flat_map(members).collect())
                .collect()
        })
    }
}

fn of_groups(world: &World, groups: &Range<u16>, eligible: &Set) -> Set {
    let all = groups.clone().flat_map(|group| world.of_group(group));
    all.filter(|pe| eligible.contains(pe)).collect()
}

impl Attempt {
    fn relocate(
        &mut self,
        request: &Request,
        terms: Commitment,
        targets: u16,
    ) -> Result<(Number, Slot), Error> {
        super::check_terms(terms)?;
        self.book().check_request(request)?;
        self.check_table()?;
        self.check_log(&[], 1)?;
        for start in self.book().candidate_starts(request) {
            let made = |number| (number, start);
            match self.book().failing(request, start)? {
                None => return self.insert(request, start, terms).map(made),
                Some(Failing::Number { .. }) => continue,
                Some(_) => (),
            }
            let window = Window::starting(start, request.duration).expect("it ends in time");
            for target in self.book().targets(window, request.pes.get(), targets) {
                let cleared = self
                    .all_or_nothing(|attempt| attempt.clear_for(request, start, terms, &target));
                if cleared != Err(Refusal::NoRoom.into()) {
                    return cleared.map(made);
                }
            }
        }
        Err(Refusal::NoRoom.into())
    }

    /// Lifts whoever has some of the target and may move, books the newcomer, and places the others again.
    fn clear_for(
        &mut self,
        request: &Request,
        start: Slot,
        terms: Commitment,
        target: &Set,
    ) -> Result<Number, Error> {
        let window = Window::starting(start, request.duration).expect("it ends in time");
        let book = self.book();
        let mut there = book.those_there(window, target, None);
        there.retain(|number| {
            let row = book.find(*number).expect("it is there");
            !row.has_started() && book.may_choose(row, 0).is_ok()
        });
        let mut lifted = Vec::new();
        for number in there {
            lifted.push((number, self.lift(number)?));
        }
        let made = self.insert(request, start, terms)?;
        lifted.sort_unstable_by_key(|(number, _)| *number);
        for (number, place) in lifted.into_iter().rev() {
            self.place(number, place)?;
        }
        Ok(made)
    }
}
