//! What an accepted operation does to its target. Rule 11.

use super::{
    super::{findings::Findings, settings::Slots},
    Moved, Width,
    history::{Ended, History},
};
use crate::{
    files::{Booking, Move, Operation},
    operation::{Action, Alter},
};

/// What changed.
#[derive(Default)]
pub(super) struct Effect {
    pub(super) moved: Vec<Moved>,
    /// The second part of a split.
    pub(super) part: Option<History>,
}

/// Does the operation to `history`, and notes what about it was not allowed.
pub(super) fn effect(
    operation: &Operation,
    history: &mut History,
    rows: &[&Move],
    slots: Slots,
    rigid: bool,
    found: &mut Findings,
) -> Effect {
    let mut scene = Moment {
        id: operation.job_id,
        time: operation.time,
        now: slots.down(operation.time),
        slots,
        found,
    };
    let Some(action) = operation.action() else {
        return Effect::default();
    };
    match action {
        Action::Confirm => {
            let held = history.held_until.take().is_some();
            scene.require(held, || "confirms what is not held".to_owned());
            Effect::default()
        }
        Action::Cancel => {
            history.cancel(scene.time, scene.now);
            Effect::default()
        }
        Action::Complete { at } => {
            scene.complete(history, at.unwrap_or(operation.time));
            Effect::default()
        }
        Action::Split { at } => scene.split(history, at),
        Action::Alter(alter) => scene.change(history, alter, rows, rigid),
        Action::ExtendByForce { duration } => {
            scene.require(history.is_running(scene.now), || {
                "extends by force what does not run".to_owned()
            });
            scene.change(history, Alter::Extend { duration }, rows, rigid)
        }
    }
}

/// When an operation happens, and where what is wrong is noted.
struct Moment<'a> {
    id: u64,
    time: u64,
    /// The edge of the slot that is running.
    now: u64,
    slots: Slots,
    found: &'a mut Findings,
}

impl Moment<'_> {
    fn require(&mut self, holds: bool, problem: impl FnOnce() -> String) {
        self.found.require(self.id, holds, problem);
    }

    fn not_before(&mut self, second: u64) {
        let time = self.time;
        self.require(second >= time, || {
            format!("asks for {second}, which has passed at {time}")
        });
    }

    fn complete(&mut self, history: &mut History, second: u64) {
        self.not_before(second);
        let before = history.booking;
        let end = self.slots.up(second);
        let now = self.now;
        self.require(history.is_running(now), || {
            "completes what does not run".to_owned()
        });
        self.require(end <= before.end, || {
            format!("ends at {end}, after the booked end {}", before.end)
        });
        let end = end.min(before.end);
        history.book([self.time, now], Booking { end, ..before });
        history.stop = Some(history.stop.map_or(second, |stop| stop.min(second)));
        history.announced = true;
        if end <= now {
            history.ended = Some(Ended::Completed);
        }
    }

    fn split(&mut self, history: &mut History, second: u64) -> Effect {
        self.not_before(second);
        let before = history.booking;
        let at = self.slots.up(second);
        let (now, held) = (self.now, history.is_held());
        self.require(!held, || "splits what is held".to_owned());
        self.require(!history.announced, || "splits what ends".to_owned());
        let inside = before.start < at && at < before.end && (!history.is_running(now) || at > now);
        self.require(inside, || format!("splits {before} at {at}"));
        let at = at.clamp(before.start, before.end);
        let first = Booking { end: at, ..before };
        let rest = Booking {
            start: at,
            ..before
        };
        let length = at - before.start;
        let mut part = History::new(
            self.id,
            self.time,
            rest,
            history.duration.saturating_sub(length),
        );
        part.deadline = history.deadline;
        history.book([self.time, now], first);
        history.duration = history.duration.min(length);
        history.deadline = at;
        let moved = [(history.job_id, Some(before), first), (self.id, None, rest)];
        Effect {
            moved: moved
                .map(|(job_id, old, new)| Moved { job_id, old, new })
                .into(),
            part: Some(part),
        }
    }

    fn change(
        &mut self,
        history: &mut History,
        alter: Alter,
        rows: &[&Move],
        rigid: bool,
    ) -> Effect {
        let before = history.booking;
        let landed = rows.first().map(|row| row.new_start);
        self.alter(history, alter, landed, rigid);
        let moved = (history.booking != before).then_some(Moved {
            job_id: history.job_id,
            old: Some(before),
            new: history.booking,
        });
        Effect {
            moved: moved.into_iter().collect(),
            part: None,
        }
    }

    /// `landed` is where moves.csv says that it went, which is free only in another window.
    fn alter(&mut self, history: &mut History, alter: Alter, landed: Option<u64>, rigid: bool) {
        let (before, now) = (history.booking, self.now);
        let length = before.end.saturating_sub(before.start);
        let running = history.is_running(now);
        self.require(!history.announced, || "changes what ends".to_owned());
        if matches!(
            alter,
            Alter::Shift { .. } | Alter::Widen { .. } | Alter::ChangeWindow { .. }
        ) {
            self.require(!running, || "moves or widens what runs".to_owned());
        }
        let from = |start: u64, length: u64, pes: u64| Booking {
            start,
            end: start.saturating_add(length),
            pes,
        };
        let mut after = before;
        match alter {
            Alter::Shift { start } => {
                self.not_before(start);
                after = from(self.slots.up(start), length, before.pes);
            }
            Alter::Extend { duration } => {
                let new = self.slots.up(duration);
                self.require(new > length, || format!("extends {before} to {new} s"));
                after = from(before.start, new, before.pes);
                history.duration = duration;
                history.deadline = history.deadline.max(after.end);
            }
            Alter::Shorten { duration } => {
                let new = self.slots.up(duration);
                let shorter = 0 < new && new < length;
                self.require(shorter, || format!("shortens {before} to {new} s"));
                after = from(before.start, new, before.pes);
                history.duration = duration;
                self.require(!running || after.end > now, || {
                    format!("shortens what runs to an end at {}", after.end)
                });
            }
            Alter::Widen { pes } => {
                self.require(pes > before.pes, || {
                    format!("widens {before} to {}", Width(pes))
                });
                after.pes = pes;
            }
            Alter::Narrow { pes } => {
                let narrower = 0 < pes && pes < before.pes;
                self.require(narrower, || format!("narrows {before} to {}", Width(pes)));
                after.pes = pes;
                if running {
                    history.give_back(self.time, now, pes);
                }
            }
            Alter::ChangeWindow { ready, deadline } => {
                if ready != history.ready {
                    self.not_before(ready);
                }
                (history.ready, history.deadline) = (ready, deadline);
                if rigid {
                    let only = self.slots.up(ready).saturating_add(length);
                    history.deadline = deadline.min(only);
                }
                let fits = before.start >= ready && before.end <= history.deadline;
                match landed {
                    Some(_) if fits => self.require(false, || {
                        format!("moves {before}, which fits into the new window")
                    }),
                    Some(start) => after = from(start, length, before.pes),
                    None => {}
                }
            }
        }
        self.inside(history, after, running);
        if after != before {
            history.book([self.time, now], after);
        }
    }

    fn inside(&mut self, history: &History, after: Booking, running: bool) {
        let &History {
            ready, deadline, ..
        } = history;
        let (time, slots) = (self.time, self.slots);
        let starts = running || (after.start >= ready && after.start >= slots.down(time));
        let edge = after.start.is_multiple_of(slots.0);
        self.require(starts && edge && after.end <= deadline, || {
            format!("books {after}, outside of {ready}-{deadline} or not on an edge of a slot")
        });
    }
}
