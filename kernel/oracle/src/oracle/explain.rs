//! Why a request does not fit where it does not.

use bookahead::{Error, Explanation, PeCount, Request, Slot, Window};
use bookahead_commands::{Explained, InTheWay, Number, Obstruction};

use super::Oracle;
use crate::Free;

impl Oracle {
    /// What is in the way of a request at each of its candidate starts before the first that fits, as far as a list has `room`, and
    /// the nearest starts outside of its window.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn explain(&self, request: &Request, room: usize) -> Result<Explained, Error> {
        self.check_request(request)?;
        let mut obstacles = Vec::new();
        let mut fits = None;
        for start in self.candidate_starts(request) {
            let Some(obstacle) = self.obstacle(request, start) else {
                fits = Some(start);
                break;
            };
            obstacles.push(obstacle);
        }
        let more = obstacles.len().saturating_sub(room) as u32;
        obstacles.truncate(room);
        let (earlier, later) = self.outside(request);
        let explanation = Explanation {
            fits,
            more,
            earlier,
            later,
        };
        Ok((explanation, obstacles))
    }

    /// What is in the way of a run from `start` on; none if it fits.
    fn obstacle(&self, request: &Request, start: Slot) -> Option<Obstruction> {
        let (first, pes) = (start.get(), request.pes.get());
        let window = Window::starting(start, request.duration)?;
        let free = self.timetable().free_during(window)?;
        if self.serves(self.asked, &free, pes) {
            return None;
        }
        // None where there are enough that do not serve the class.
        let lacking = pes.saturating_sub(free.count());
        // With numbers alone each slot counts by itself, with sets what is free from the start on.
        let serves_until = |slot: u64| match self.free_at(slot) {
            Free::Count(free) => free >= pes,
            Free::Set(_) => {
                let free = (first..=slot).map(|slot| self.free_at(slot));
                let throughout = free.reduce(|all, here| all.and(&here));
                throughout.is_some_and(|free| self.serves(self.asked, &free, pes))
            }
        };
        let at = (first..window.end.get()).find(|slot| !serves_until(*slot))?;
        let holders = self.ordered(|row| row.covers(at) && self.concerns(row));
        let numbers: Vec<Number> = holders.into_iter().map(|row| row.number).collect();
        Some(Obstruction {
            start,
            lacking: PeCount::new(lacking),
            at: Slot::new(at),
            holders: InTheWay {
                rules: self.rules_in(at..at + 1, None).into_iter().collect(),
                ..InTheWay::of(numbers)
            },
        })
    }

    /// The latest start before the ready time and the earliest behind the latest start, where the same run fits.
    fn outside(&self, request: &Request) -> (Option<Slot>, Option<Slot>) {
        let fits = |start: &u64| {
            let window = Window::starting(Slot::new(*start), request.duration);
            let free = window.and_then(|window| self.timetable().free_during(window));
            free.is_some_and(|free| self.serves(self.asked, &free, request.pes.get()))
        };
        let (now, end) = (self.now.get(), self.timetable().end().get());
        let latest = request.deadline.get() - u64::from(request.duration.get());
        let earlier = (now..request.ready.get()).rev().find(fits);
        let later = (latest + 1..end).find(fits);
        (earlier.map(Slot::new), later.map(Slot::new))
    }
}
