//! What has to be cleared for a class: a block, or some groups.

use core::ops::Range;

use super::{
    entry::ClassEntry,
    free::{Free, Units},
    layout::cells,
    table::Classes,
};
use crate::column::{Column, chunk};

impl<C: Column> Classes<'_, C> {
    /// Makes the candidate what has to be cleared of a class for `pes` processing elements, where these are `busy` and the others fail it in more than their
    /// number; for the target numbered `number`. Returns whether there is one.
    ///
    /// Those in which the fewest eligible ones are busy come first, ties lowest first: the blocks of the level that is required which could hold all, or, of
    /// the groups that give too little now and could give enough, as many as are lacking, from the one with that number on.
    /// O(number x groups x kinds), and for groups O(lacking x groups x kinds).
    pub(crate) fn note_target(
        &mut self,
        entry: u16,
        class: &ClassEntry,
        busy: &[C],
        (pes, number): (u32, u16),
    ) -> bool {
        let geometry = &*self.geometry;
        let everywhere = 0..geometry.groups;
        let eligible = match usize::from(entry).checked_sub(1) {
            Some(place) => chunk(self.masks, place, self.existing.len()),
            None => self.existing,
        };
        let free = Free {
            geometry,
            busy,
            eligible,
        };
        let idle = Free { busy: &[], ..free };
        let wanted = class.units(pes).unwrap_or_default();
        let (level, unit, lacking) = match class.required_level() {
            Some(level) => (Some(level), wanted, 1),
            None => {
                let found = Units::new(&free, class).of(everywhere.clone());
                (None, 1, wanted.saturating_sub(found))
            }
        };
        let targets = || {
            let blocks = level.map(|level| geometry.blocks(level, everywhere.clone()));
            let groups = level.is_none().then(|| cells(1, everywhere.clone()));
            blocks
                .into_iter()
                .flatten()
                .chain(groups.into_iter().flatten())
        };
        // How many are busy there, and which they are; none where nothing could or need be cleared.
        let rank = |target: Range<u16>| {
            let could = Units::new(&idle, class).of(target.clone()) >= unit;
            let can = level.is_none() && Units::new(&free, class).of(target.clone()) >= unit;
            let clear = idle
                .in_groups(target.clone())
                .wrapping_sub(free.in_groups(target.clone()));
            (could && !can).then_some((clear, target.start, target.end))
        };
        self.candidate.fill(C::NONE);
        let mut last = None;
        let all = u32::from(number).saturating_add(lacking);
        for place in 0..all {
            let ranks = targets().filter_map(rank);
            let Some(next) = ranks.filter(|rank| Some(*rank) > last).min() else {
                return false;
            };
            if place >= u32::from(number) {
                geometry.put_groups(self.candidate, next.1..next.2);
            }
            last = Some(next);
        }
        for (part, eligible) in self.candidate.iter_mut().zip(eligible) {
            *part = part.and(*eligible);
        }
        lacking > 0
    }
}
