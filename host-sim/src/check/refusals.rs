//! Refusals that a row decides by itself, whatever is booked. Rule 5.

use bookahead::Slot;

use super::{findings::Findings, limits, operations::Histories, placing, settings::Settings};
use crate::{
    engine::REMOVED_LATE,
    files::{Job, Reservation},
};

/// Reasons that need no look at the machine.
const DECIDED: [&str; 15] = [
    "end-of-time",
    "too-wide",
    "ready-in-past",
    "too-long",
    "zero-duration",
    "zero-pes",
    "zero-hold",
    "window-too-short",
    LOST,
    BEYOND,
    "nothing-eligible",
    "bad-shape",
    "uneven-groups",
    "not-whole-groups",
    "not-eligible",
];

/// Reasons that only the state of the machine explains.
const OPEN: [&str; 2] = ["no-room", "table-full"];

/// Whether what is refused for this reason may have room later.
pub(super) fn may_pass(reason: &str) -> bool {
    OPEN.contains(&reason) || reason == BEYOND
}

/// Its window reaches beyond what can be booked ahead.
const BEYOND: &str = "beyond-horizon";

/// A request that fits its window in seconds and not in whole slots.
const LOST: &str = "lost-to-rounding";

/// Where nothing may lie on top of others with less than some probability.
const TOO_RISKY: &str = "too-risky";

/// The limits at which a strategy that moves others stops, where they are set.
const MOVE_LIMIT: &str = "move-limit";
const WORK_LIMIT: &str = "work-limit";

/// The same where an elastic strategy may still grant such a request less time than it asked for.
const OPEN_LOST: [&str; 2] = [LOST, "table-full"];

// Numbers that the scheduler can be asked with.
const MOST_PES: u64 = u16::MAX as u64;
const MOST_SLOTS: u64 = u32::MAX as u64;

/// The first reason that applies.
fn first<const N: usize>(reasons: [(bool, &'static str); N]) -> Option<&'static str> {
    let found = reasons.into_iter().find(|(applies, _)| *applies);
    found.map(|(_, reason)| reason)
}

/// Compares the reason of each refused row with the one that it deserves, in the order in which the scheduler looks for reasons.
pub(super) struct Refusals<'a> {
    settings: &'a Settings,
    /// What became of the reservations, where they are moved.
    histories: Option<&'a Histories>,
    /// How many slots may pass after the last arrival until everything is over.
    reach: u64,
}

impl<'a> Refusals<'a> {
    /// Of a run with so many jobs of the queue.
    pub(super) fn new(
        settings: &'a Settings,
        queued: usize,
        histories: Option<&'a Histories>,
    ) -> Self {
        Self {
            settings,
            histories,
            reach: settings.horizon().saturating_mul(queued as u64 + 1),
        }
    }

    /// A request to reserve.
    pub(super) fn request(&self, row: &Reservation, found: &mut Findings) {
        let deserved = self.of_request(row);
        let id = row.job_id;
        let reason = &*row.reason;
        // It was refused for want of room or for its distance, and for nothing else.
        if row.has_waited() && deserved == Some(BEYOND) {
            found.require(id, reason == BEYOND, || {
                format!("waited for {reason}, but the row deserves {BEYOND}")
            });
            return;
        }
        if row.is_accepted() && (!row.has_waited() || deserved.is_some()) {
            found.require(id, deserved.is_none(), || {
                let deserved = deserved.unwrap_or_default();
                format!("accepted, but must be refused for {deserved}")
            });
            return;
        }
        let mut expected = match deserved {
            Some(deserved) => vec![deserved],
            None if self.settings.is_elastic() && self.is_lost(row) => OPEN_LOST.to_vec(),
            None => OPEN.to_vec(),
        };
        if deserved.is_none() && self.settings.moves() {
            let limits = [
                (self.settings.limits_moves(), MOVE_LIMIT),
                (self.settings.work_limit.is_some(), WORK_LIMIT),
            ];
            let set = limits.into_iter().filter(|(is_set, _)| *is_set);
            expected.extend(set.map(|(_, reason)| reason));
        }
        if deserved.is_none() && self.settings.overlays() {
            expected.push(TOO_RISKY);
        }
        // Whether others than the machine have so much is judged with what they have.
        let beside = self.settings.joins() && !row.is_refused_by_machine();
        if deserved.is_none() && reason == "too-wide" && beside {
            return;
        }
        let zero_hold = deserved.is_none() && self.is_zero_hold(row) && reason == "zero-hold";
        // One without a reason is noted elsewhere.
        if expected.contains(&reason) || zero_hold || reason.is_empty() {
            if let Some(histories) = self.histories.filter(|_| reason == MOVE_LIMIT) {
                limits::check(row, histories, self.settings, found);
            }
            return;
        }
        let expected = expected.join(" or ");
        let known = [&DECIDED[..], &OPEN, &[MOVE_LIMIT, WORK_LIMIT, TOO_RISKY]];
        let problem = match known.iter().any(|known| known.contains(&reason)) {
            true => format!("refused for {reason}, but the row deserves {expected}"),
            false => format!("refused for {reason:?}, which is no reason, expected {expected}"),
        };
        found.add(Some(id), problem);
    }

    /// Whether a request that was refused can wait: room could ever serve it, and time does not end before.
    pub(super) fn can_wait(&self, row: &Reservation) -> bool {
        let never = || {
            let layout = self.settings.layout()?;
            placing::never(&placing::read(layout, row.asks())?, row.pes, layout)
        };
        never().is_none() && !self.is_too_late(self.settings.slots().down(row.deadline))
    }

    /// A job of the queue that did not run.
    pub(super) fn queued(&self, job: &Job<'_>, found: &mut Findings) {
        let deserved = self.of_queued(job);
        let said = job.metadata.reason();
        if said == Some(REMOVED_LATE) && deserved.is_none() && job.metadata.window().is_some() {
            return;
        }
        // One without a reason is noted elsewhere.
        found.require(job.job_id, said.is_none() || deserved == said, || {
            format!(
                "did not run for {:?}, but the row deserves {}",
                said.unwrap_or_default(),
                deserved.unwrap_or("to run")
            )
        });
    }

    /// A job of the queue that ran.
    pub(super) fn ran(&self, job: &Job<'_>, found: &mut Findings) {
        let deserved = self.of_queued(job);
        found.require(job.job_id, deserved.is_none(), || {
            format!(
                "ran, but must be refused for {}",
                deserved.unwrap_or_default()
            )
        });
    }

    fn of_request(&self, row: &Reservation) -> Option<&'static str> {
        let settings = self.settings;
        let slots = settings.slots();
        let elastic = settings.is_elastic();
        let longest = row.duration.div_ceil(slots.0);
        let duration = row.least_duration().div_ceil(slots.0);
        let (ready, deadline) = (row.ready.div_ceil(slots.0), row.deadline / slots.0);
        let needed = if elastic { 1 } else { duration };
        let short = deadline.saturating_sub(ready) < needed;
        let end = match settings.is_rigid() || row.is_exact() {
            true => ready.saturating_add(duration),
            false => deadline,
        };
        let ahead = end.saturating_sub(row.arrival / slots.0);
        let layout = settings.layout();
        let asks = layout.and_then(|layout| Some((layout, placing::read(layout, row.asks())?)));
        let asks = asks.as_ref().filter(|(_, asks)| !asks.is_exact());
        let no_class = asks.and_then(|(layout, asks)| placing::no_class(asks, layout));
        let never = asks.and_then(|(layout, asks)| placing::never(asks, row.pes, layout));
        first([
            (self.is_too_late(slots.down(row.arrival)), "end-of-time"),
            (no_class.is_some(), no_class.unwrap_or_default()),
            (row.pes > MOST_PES, "too-wide"),
            (row.ready < row.arrival, "ready-in-past"),
            (longest > MOST_SLOTS, "too-long"),
            (!elastic && self.is_zero_hold(row), "zero-hold"),
            (duration == 0, "zero-duration"),
            (row.pes == 0, "zero-pes"),
            (row.pes > settings.pes, "too-wide"),
            (!elastic && duration > settings.horizon(), "too-long"),
            (short && self.is_lost(row), LOST),
            (short, "window-too-short"),
            (ahead > settings.horizon(), BEYOND),
            (never.is_some(), never.unwrap_or_default()),
        ])
    }

    fn of_queued(&self, job: &Job<'_>) -> Option<&'static str> {
        let settings = self.settings;
        let slots = settings.slots();
        let estimate = job.requested_time.div_ceil(slots.0);
        let pes = job.requested_number_of_resources;
        let submitted = job.submission_time;
        let window = job.metadata.window();
        let [ready, deadline] = window.unwrap_or([submitted, u64::MAX]);
        let earliest = slots.up(ready).saturating_add(slots.up(job.requested_time));
        let short = window.is_some() && earliest > slots.down(deadline);
        let fits = ready.saturating_add(job.requested_time) <= deadline;
        let layout = settings.layout();
        let asks =
            layout.and_then(|layout| Some((layout, placing::read(layout, job.metadata.asks())?)));
        let no_class = asks
            .as_ref()
            .and_then(|(layout, asks)| placing::no_class(asks, layout));
        let never = asks
            .as_ref()
            .and_then(|(layout, asks)| placing::never(asks, pes, layout));
        first([
            (
                self.is_too_late(slots.up(submitted.max(ready))),
                "end-of-time",
            ),
            (no_class.is_some(), no_class.unwrap_or_default()),
            (window.is_some() && pes > MOST_PES, "too-wide"),
            (ready < submitted, "ready-in-past"),
            (estimate > MOST_SLOTS, "too-long"),
            (pes > MOST_PES, "too-wide"),
            (short && fits, LOST),
            (short, "window-too-short"),
            (estimate == 0, "zero-duration"),
            (pes == 0, "zero-pes"),
            (pes > settings.pes, "too-wide"),
            (estimate > settings.horizon(), "too-long"),
            (never.is_some(), never.unwrap_or_default()),
        ])
    }

    /// Whether it fits its window in seconds and not in whole slots.
    fn is_lost(&self, row: &Reservation) -> bool {
        let slots = self.settings.slots();
        let least = row.least_duration();
        let fits = row.ready.saturating_add(least) <= row.deadline;
        let earliest = slots.up(row.ready).saturating_add(slots.up(least));
        fits && earliest > slots.down(row.deadline)
    }

    /// Whether it is held for no time at all.
    fn is_zero_hold(&self, row: &Reservation) -> bool {
        row.is_hold() && row.ttl.flatten() == Some(0)
    }

    /// Whether the rest of the schedule could not be run out from the edge `now`: time ends before.
    fn is_too_late(&self, now: u64) -> bool {
        let slot = self.settings.slots().0;
        let last = (now / slot).saturating_add(self.reach);
        last > Slot::LAST_NOW.get() || last.checked_mul(slot).is_none()
    }
}
