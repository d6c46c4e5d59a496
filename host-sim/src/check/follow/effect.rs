//! What an accepted operation does to its target. Rule 11.

use super::{
    super::{
        Findings,
        rows::{Booking, Move, Operation},
    },
    Moved,
    life::{Ended, Life, Slots},
    width,
};
use crate::operation::{Action, Alter};

/// What changed.
#[derive(Default)]
pub(super) struct Effect {
    pub(super) moved: Vec<Moved>,
    /// The second part of a split.
    pub(super) part: Option<Life>,
}

/// Does the operation to `life`, and notes what about it was not allowed.
pub(super) fn effect(
    operation: &Operation,
    life: &mut Life,
    rows: &[&Move],
    slots: Slots,
    rigid: bool,
    found: &mut Findings,
) -> Effect {
    let mut scene = Scene {
        id: operation.job_id,
        time: operation.time,
        now: slots.down(operation.time),
        slots,
        found,
    };
    match operation.action {
        Action::Confirm => {
            let held = life.held_until.take().is_some();
            scene.require(held, || "confirms what is not held".to_owned());
            Effect::default()
        }
        Action::Cancel => {
            life.cancel(scene.time, scene.now);
            Effect::default()
        }
        Action::Complete { at } => {
            scene.complete(life, at.unwrap_or(operation.time));
            Effect::default()
        }
        Action::Split { at } => scene.split(life, at),
        Action::Alter(alter) => {
            let before = life.booking;
            let landed = rows.first().map(|row| row.new.start);
            scene.alter(life, alter, landed, rigid);
            let moved = (life.booking != before).then_some(Moved {
                job_id: life.job_id,
                old: Some(before),
                new: life.booking,
            });
            Effect {
                moved: moved.into_iter().collect(),
                part: None,
            }
        }
    }
}

/// When an operation happens, and where what is wrong is noted.
struct Scene<'a> {
    id: u64,
    time: u64,
    /// The edge of the slot that is running.
    now: u64,
    slots: Slots,
    found: &'a mut Findings,
}

impl Scene<'_> {
    fn require(&mut self, holds: bool, problem: impl FnOnce() -> String) {
        self.found.require(self.id, holds, problem);
    }

    fn not_before(&mut self, second: u64) {
        let time = self.time;
        self.require(second >= time, || {
            format!("asks for {second}, which has passed at {time}")
        });
    }

    fn complete(&mut self, life: &mut Life, second: u64) {
        self.not_before(second);
        let before = life.booking;
        let end = self.slots.up(second);
        let now = self.now;
        self.require(life.is_running(now), || {
            "completes what does not run".to_owned()
        });
        self.require(end <= before.end, || {
            format!("ends at {end}, after the booked end {}", before.end)
        });
        let end = end.min(before.end);
        life.book(self.time, Booking { end, ..before });
        life.stop = Some(life.stop.map_or(second, |stop| stop.min(second)));
        life.announced = true;
        if end <= now {
            life.ended = Some(Ended::Completed);
        }
    }

    fn split(&mut self, life: &mut Life, second: u64) -> Effect {
        self.not_before(second);
        let before = life.booking;
        let at = self.slots.up(second);
        let (now, held) = (self.now, life.is_held());
        self.require(!held, || "splits what is held".to_owned());
        self.require(!life.announced, || "splits what ends".to_owned());
        let inside = before.start < at && at < before.end && (!life.is_running(now) || at > now);
        self.require(inside, || format!("splits {before} at {at}"));
        let at = at.clamp(before.start, before.end);
        let first = Booking { end: at, ..before };
        let rest = Booking {
            start: at,
            ..before
        };
        let length = at - before.start;
        let mut part = Life::new(
            self.id,
            self.time,
            rest,
            life.duration.saturating_sub(length),
        );
        part.deadline = life.deadline;
        life.book(self.time, first);
        life.duration = life.duration.min(length);
        life.deadline = at;
        let moved = [(life.job_id, Some(before), first), (self.id, None, rest)];
        Effect {
            moved: moved
                .map(|(job_id, old, new)| Moved { job_id, old, new })
                .into(),
            part: Some(part),
        }
    }

    /// `landed` is where moves.csv says that it went, which is free only in another window.
    fn alter(&mut self, life: &mut Life, alter: Alter, landed: Option<u64>, rigid: bool) {
        let (before, now) = (life.booking, self.now);
        let length = before.end.saturating_sub(before.start);
        let running = life.is_running(now);
        self.require(!life.announced, || "changes what ends".to_owned());
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
                life.duration = duration;
                life.deadline = life.deadline.max(after.end);
            }
            Alter::Shorten { duration } => {
                let new = self.slots.up(duration);
                let shorter = 0 < new && new < length;
                self.require(shorter, || format!("shortens {before} to {new} s"));
                after = from(before.start, new, before.pes);
                life.duration = duration;
                self.require(!running || after.end > now, || {
                    format!("shortens what runs to an end at {}", after.end)
                });
            }
            Alter::Widen { pes } => {
                self.require(pes > before.pes, || {
                    format!("widens {before} to {}", width(pes))
                });
                after.pes = pes;
            }
            Alter::Narrow { pes } => {
                let narrower = 0 < pes && pes < before.pes;
                self.require(narrower, || format!("narrows {before} to {}", width(pes)));
                after.pes = pes;
                if running {
                    life.give_back(self.time, now, pes);
                }
            }
            Alter::ChangeWindow { ready, deadline } => {
                if ready != life.ready {
                    self.not_before(ready);
                }
                (life.ready, life.deadline) = (ready, deadline);
                if rigid {
                    let only = self.slots.up(ready).saturating_add(length);
                    life.deadline = deadline.min(only);
                }
                let fits = before.start >= ready && before.end <= life.deadline;
                match landed {
                    Some(_) if fits => self.require(false, || {
                        format!("moves {before}, which fits into the new window")
                    }),
                    Some(start) => after = from(start, length, before.pes),
                    None => {}
                }
            }
        }
        self.inside(life, after, running);
        if after != before {
            life.book(self.time, after);
        }
    }

    fn inside(&mut self, life: &Life, after: Booking, running: bool) {
        let &Life {
            ready, deadline, ..
        } = life;
        let (time, slots) = (self.time, self.slots);
        let starts = running || (after.start >= ready && after.start >= slots.down(time));
        let edge = after.start.is_multiple_of(slots.0);
        self.require(starts && edge && after.end <= deadline, || {
            format!("books {after}, outside of {ready}-{deadline} or not on an edge of a slot")
        });
    }
}
