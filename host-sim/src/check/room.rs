//! The room on the machine: what is booked now and later, as far as it is known at a time.

use std::ops::Range;

use super::{
    findings::Findings,
    pe_sets::{PeSet, PeSets},
    placing,
    profile::Profile,
    settings::{Settings, Slots},
};
use crate::{
    files::{Booking, PeRanges},
    layout::{Asks, Layout},
};

/// More than any machine has. Larger numbers are noted elsewhere; sums of these do not overflow.
const MANY: u64 = 1 << 16;

/// The room on the machine.
pub(super) struct Room<'s> {
    pub(super) slots: Slots,
    layout: Option<&'s Layout>,
    /// Whether a job that says nothing gets the lowest numbers that are free.
    lowest: bool,
    pes: u64,
    /// How many numbers these have.
    numbers: u32,
    /// How many seconds ahead can be booked.
    horizon: u64,
    profile: Profile,
    knowledge: Knowledge,
}

/// What tells whether a job has room.
enum Knowledge {
    /// How many processing elements are booked: they are assigned when a job starts.
    Counts,
    /// Which ones: they are assigned when something is booked. The second are the numbers that no processing element has.
    Sets(PeSets, PeSet),
    /// They are assigned when something is booked, and nobody knows which ones operations took.
    Unknown,
}

/// A job that has no place yet.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) duration: u64,
    pub(super) pes: u64,
    /// What it asks of a machine with a layout.
    pub(super) asks: Option<&'a Asks>,
}

fn signed(pes: u64) -> i64 {
    pes.min(MANY) as i64
}

impl<'s> Room<'s> {
    /// An empty machine. `sets` says whether it will be told where bookings are.
    pub(super) fn new(settings: &'s Settings, sets: bool) -> Self {
        Self {
            slots: settings.slots(),
            layout: settings.layout(),
            lowest: settings.prefers_lowest(),
            pes: settings.pes.min(MANY),
            numbers: numbers(settings),
            horizon: settings.horizon().saturating_mul(settings.slots().0),
            profile: Profile::new(),
            knowledge: match settings.binds_early() {
                false => Knowledge::Counts,
                true if sets => Knowledge::Sets(PeSets::default(), missing(settings)),
                true => Knowledge::Unknown,
            },
        }
    }

    /// Forgets what was before `time`.
    pub(super) fn forget(&mut self, time: u64) {
        self.profile.forget(time);
    }

    /// Whether something was asked that had been forgotten.
    pub(super) fn lacks_past(&self) -> bool {
        self.profile.lacks_past()
    }

    /// Whether the files tell which jobs have room.
    pub(super) fn is_known(&self) -> bool {
        !matches!(self.knowledge, Knowledge::Unknown)
    }

    pub(super) fn book(&mut self, booking: Booking) {
        let Booking { start, end, pes } = booking;
        self.profile.add(start..end, signed(pes));
    }

    pub(super) fn free(&mut self, booking: Booking) {
        let Booking { start, end, pes } = booking;
        self.profile.add(start..end, -signed(pes));
    }

    /// Notes on which processing elements the booking of this number is.
    pub(super) fn assign(&mut self, number: usize, booking: Booking, pes: &PeRanges) {
        let pes = self.set(pes);
        if let Knowledge::Sets(sets, _) = &mut self.knowledge {
            sets.insert(booking.start, number, booking.end, pes);
        }
    }

    /// The booking of this number is over.
    pub(super) fn leave(&mut self, number: usize, start: u64) {
        if let Knowledge::Sets(sets, _) = &mut self.knowledge {
            sets.remove(start, number);
        }
    }

    /// Whether what was booked at `time` fits beside everything else, and not too far ahead.
    pub(super) fn judge(&self, job_id: u64, time: u64, booking: Booking, found: &mut Findings) {
        let now = self.slots.down(time);
        let Booking { start, end, .. } = booking;
        let most = self.profile.most(start.max(now)..end);
        found.require(job_id, most <= signed(self.pes), || {
            format!(
                "books {booking} at {time}, when {most} of {} PEs are taken",
                self.pes
            )
        });
        let last = now.saturating_add(self.horizon);
        found.require(job_id, end <= last, || {
            format!("books {booking} at {time}, when the slots end at {last}")
        });
    }

    /// How many processing elements nothing is booked on at `time`.
    pub(super) fn free_at(&self, time: u64) -> u64 {
        (signed(self.pes) - self.profile.level(time)).max(0) as u64
    }

    /// These processing elements, without numbers that the machine does not have.
    pub(super) fn set(&self, pes: &PeRanges) -> PeSet {
        PeSet::of(pes, self.numbers)
    }

    /// How many processing elements nothing is booked on all through `window`; the same ones where these are known, and of some only, where it is told which.
    pub(super) fn free_throughout(&self, window: &Range<u64>, among: Option<&PeSet>) -> u64 {
        let most = match (&self.knowledge, among) {
            (Knowledge::Sets(sets, _), Some(among)) => {
                return among.beside(&sets.busy(window)).len();
            }
            (Knowledge::Sets(sets, _), None) => signed(sets.busy(window).len()),
            (Knowledge::Counts | Knowledge::Unknown, _) => self.profile.most(window.clone()),
        };
        (signed(self.pes) - most).max(0) as u64
    }

    /// How many times what is asked of each group, or how many processing elements, are free all through `window`, in one block where one has to hold all; nothing
    /// where it is not known which are free.
    pub(super) fn served_throughout(&self, window: &Range<u64>, asks: &Asks) -> Option<u64> {
        let (Knowledge::Sets(sets, _), Some(layout)) = (&self.knowledge, self.layout) else {
            return None;
        };
        let busy = sets.busy(window);
        placing::most_free(asks, layout, |pe| !busy.contains(pe))
    }

    /// Whether there is room for the job at `time`.
    pub(super) fn fits(&self, time: u64, wanted: Wanted<'_>) -> bool {
        let window = time..time.saturating_add(wanted.duration);
        self.profile.most(window.clone()) + signed(wanted.pes) <= signed(self.pes)
            && self.has_set(&window, wanted, None)
    }

    /// The earliest time from `from` to `latest` at which there is room for the job.
    pub(super) fn earliest(&self, from: u64, latest: u64, wanted: Wanted<'_>) -> Option<u64> {
        let limit = signed(self.pes) - signed(wanted.pes);
        let mut at = from;
        loop {
            at = self.profile.earliest(at, wanted.duration, limit)?;
            let window = at..at.saturating_add(wanted.duration);
            if at > latest || self.has_set(&window, wanted, None) {
                return Some(at).filter(|at| *at <= latest);
            }
            // More is free only where something is over.
            at = match &self.knowledge {
                Knowledge::Sets(sets, _) => sets.next_end(at)?,
                Knowledge::Counts | Knowledge::Unknown => return None,
            };
        }
    }

    /// The earliest start of the job within the horizon.
    pub(super) fn shadow(&self, now: u64, wanted: Wanted<'_>) -> Option<u64> {
        let last = now.saturating_add(self.horizon);
        self.earliest(now, last.checked_sub(wanted.duration)?, wanted)
    }

    /// Whether the job `ahead` still has room at `at` if `wanted`, which has room, starts `now`, on the processing elements beside it; nothing where these
    /// are not known, and matter.
    pub(super) fn leaves_room(
        &self,
        now: u64,
        (wanted, taken): (Wanted<'_>, Option<&PeRanges>),
        at: u64,
        ahead: Wanted<'_>,
    ) -> Option<bool> {
        let until = now.saturating_add(wanted.duration);
        if until <= at {
            return Some(true);
        }
        let together = at..until.min(at.saturating_add(ahead.duration));
        let busy = self.profile.most(together) + signed(wanted.pes);
        if busy + signed(ahead.pes) > signed(self.pes) {
            return Some(false);
        }
        let Knowledge::Sets(sets, missing) = &self.knowledge else {
            return Some(true);
        };
        let taken = match taken {
            Some(taken) => self.set(taken),
            None if wanted.asks.is_some() || !self.lowest => return None,
            None => {
                let mut busy = sets.busy(&(now..until));
                busy.join(missing);
                busy.lowest_free(wanted.pes)
            }
        };
        let window = at..at.saturating_add(ahead.duration);
        Some(self.has_set(&window, ahead, Some(&taken)))
    }

    /// Whether what is wanted is free all through `window`, none of it among `but`.
    fn has_set(&self, window: &Range<u64>, wanted: Wanted<'_>, but: Option<&PeSet>) -> bool {
        let Knowledge::Sets(sets, _) = &self.knowledge else {
            return true;
        };
        let mut busy = sets.busy(window);
        if let Some(but) = but {
            busy.join(but);
        }
        let enough = busy.len().saturating_add(wanted.pes) <= self.pes;
        let (Some(layout), Some(asks)) = (self.layout, wanted.asks) else {
            return enough;
        };
        enough && placing::can_serve(asks, wanted.pes, layout, |pe| !busy.contains(pe))
    }
}

/// How many numbers the processing elements of the machine have.
fn numbers(settings: &Settings) -> u32 {
    let pes = settings.pes.min(MANY) as u32;
    settings.layout().map_or(pes, Layout::numbers)
}

/// The numbers among these that no processing element has.
fn missing(settings: &Settings) -> PeSet {
    let mut missing = PeSet::default();
    if let Some(layout) = settings.layout() {
        let numbers = 0..layout.numbers();
        let of_none = numbers.filter(|number| layout.place(*number).is_none());
        of_none.for_each(|number| missing.insert(number));
    }
    missing
}
