//! Whether what was booked at each time fits onto the settings. Rule 12.

use std::{collections::BTreeMap, ops::Range};

use super::{
    super::{findings::Findings, settings::Settings},
    history::Change,
};
use crate::files::Booking;

/// Goes through the changes by time and adds up what is booked from then on. Of changes at the same second nobody knows the order here,
/// so they are looked at together.
pub(super) fn check(mut changes: Vec<(u64, Change)>, settings: &Settings, found: &mut Findings) {
    changes.sort_by_key(|(_, change)| change.time);
    let mut profile = Profile::default();
    for together in changes.chunk_by(|(_, one), (_, other)| one.time == other.time) {
        let now = together[0].1.time / settings.slot_seconds * settings.slot_seconds;
        profile.forget_before(now);
        for (_, change) in together {
            let of = |booking: Booking| booking.start.max(now)..booking.end;
            if let Some(old) = change.from {
                profile.add(of(old), -i128::from(old.pes));
            }
            if let Some(new) = change.to {
                profile.add(of(new), i128::from(new.pes));
            }
        }
        for (job_id, change) in together {
            let Some(new) = change.to else { continue };
            let most = profile.most(new.start.max(now)..new.end);
            found.require(*job_id, most <= i128::from(settings.pes), || {
                format!(
                    "books {new} at {}, when {most} of {} PEs are taken",
                    change.time, settings.pes
                )
            });
        }
    }
}

/// How many processing elements are booked from each edge to the next.
#[derive(Default)]
struct Profile(BTreeMap<u64, i128>);

impl Profile {
    fn level(&self, at: u64) -> i128 {
        let before = self.0.range(..=at).next_back();
        before.map_or(0, |(_, level)| *level)
    }

    fn edge(&mut self, at: u64) {
        let level = self.level(at);
        self.0.insert(at, level);
    }

    fn add(&mut self, stretch: Range<u64>, pes: i128) {
        if stretch.is_empty() {
            return;
        }
        self.edge(stretch.start);
        self.edge(stretch.end);
        for (_, level) in self.0.range_mut(stretch) {
            *level += pes;
        }
    }

    fn most(&self, stretch: Range<u64>) -> i128 {
        if stretch.is_empty() {
            return 0;
        }
        let first = self.level(stretch.start);
        self.0
            .range(stretch)
            .map(|(_, level)| *level)
            .fold(first, i128::max)
    }

    fn forget_before(&mut self, at: u64) {
        self.edge(at);
        self.0 = self.0.split_off(&at);
    }
}

#[cfg(test)]
mod tests {
    use super::Profile;

    #[test]
    fn a_profile_is_the_sum_of_what_was_added() {
        let mut profile = Profile::default();
        profile.add(10..20, 3);
        profile.add(15..30, 2);
        assert_eq!(
            [9, 10, 15, 20, 30].map(|at| profile.level(at)),
            [0, 3, 5, 2, 0]
        );
        assert_eq!((profile.most(0..10), profile.most(12..40)), (0, 5));
        profile.forget_before(16);
        profile.add(16..20, -3);
        assert_eq!((profile.most(16..40), profile.most(30..40)), (2, 0));
    }
}
