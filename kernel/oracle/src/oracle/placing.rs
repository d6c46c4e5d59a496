//! Where there is room for a placement, on which PEs, and who is in the way where there is none.

use std::collections::BTreeSet;

use bookahead::{PeCount, Placement, Slot, Window};

use super::Oracle;
use super::row::Row;
use crate::Free;
use bookahead_commands::{InTheWay, Kind, Number};

/// Reservations and rules in the way of something.
#[derive(Default)]
pub(super) struct Blockers {
    pub(super) names: Vec<Number>,
    pub(super) rules: BTreeSet<Number>,
}

impl Oracle {
    /// The PEs that the lifted reservation `row` would hold in `place`; `None` when there is no room.
    pub(super) fn seats(&self, row: &Row, place: Placement) -> Option<Vec<u16>> {
        let end = place.start.saturating_add(place.duration);
        // What has passed takes no room.
        let rest = Window {
            start: place.start.max(self.now),
            end,
        };
        match self.for_class(row.class).free_throughout(rest)? {
            Free::Count(free) => (free >= place.pes.get()).then(|| row.set.clone()),
            Free::Set(free) => self.kept_or_chosen(row, &free, place.pes.get()),
        }
    }

    /// What is free in every slot of `window`.
    fn free_throughout(&self, window: Window) -> Option<Free> {
        let slots = window.start.get()..window.end.get();
        let free = slots.map(|slot| self.free_at(slot));
        free.reduce(|all, here| all.and(&here))
    }

    /// Adds who keeps `pes` PEs from being booked in `window`, or would have to be asked to move.
    pub(super) fn block(
        &self,
        own: Option<Number>,
        window: Window,
        pes: PeCount,
        blockers: &mut Blockers,
    ) {
        let own = own.and_then(|number| self.find(number).ok());
        // Its own booking is not counted.
        let mut others = self.clone();
        if let Some(own) = own {
            others.remove(own.number);
        }
        // A job that runs on PEs with names, or that has exactly these, cannot do without one of them.
        let fixed = own.filter(|own| {
            own.has_started() && self.kind == Kind::Sets || self.may_choose(own, 0).is_err()
        });
        let holds_one =
            |row: &Row| fixed.is_none_or(|own| own.set.iter().any(|pe| row.set.contains(pe)));
        let horizon = self.now..self.end();
        // What it has counts as free, also where a rule takes it.
        let held = |slot: Slot| {
            let there =
                |own: &&Row| self.rules.is_some() && !own.lifted && own.window().contains(slot);
            own.filter(there).map_or(0, |own| own.placed.pes.get())
        };
        let narrow = |slot: u64| match others.free_at(slot) {
            Free::Count(free) => free.max(held(Slot::new(slot))) < pes.get(),
            Free::Set(_) => true,
        };
        // A count is short of slots of the horizon only, and a job without a known end may reach far behind it.
        let slots = |start: Slot, end: Slot| match self.kind {
            Kind::Counts => start.max(horizon.start).get()..end.min(horizon.end).get(),
            _ => start.get()..end.get(),
        };
        let in_the_way = others.ordered(|row| {
            let covered = row.window();
            let (start, end) = (covered.start.max(window.start), covered.end.min(window.end));
            !row.lifted && slots(start, end).any(narrow) && holds_one(row)
        });
        blockers
            .names
            .extend(in_the_way.into_iter().map(|row| row.number));
        let ahead = slots(window.start, window.end.min(horizon.end));
        let narrow = ahead.filter(|slot| narrow(*slot));
        let set = fixed.map(|own| own.set.as_slice());
        blockers.rules.extend(others.rules_in(narrow, set));
    }

    /// The same, as it is answered.
    pub(super) fn conflict(&self, own: Option<Number>, window: Window, pes: PeCount) -> InTheWay {
        let mut blockers = Blockers::default();
        self.block(own, window, pes, &mut blockers);
        InTheWay {
            rules: blockers.rules.into_iter().collect(),
            ..InTheWay::of(blockers.names)
        }
    }
}
