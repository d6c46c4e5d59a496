//! Several reservations at once, all or none.

use bookahead::{
    Commitment, Error, Part, Policy, Refusal, Request, Series, Slot, UsageError, Window,
};
use bookahead_commands::{Answer, Call, InTheWay, Number, Several};

use super::attempt::Attempt;
use super::placing::Blockers;
use super::{Oracle, check_terms, first_that_applies};

impl Oracle {
    /// Reserves a request again and again, `room` times at most.
    pub fn reserve_series(
        &mut self,
        series: &Series<'_>,
        policy: Policy,
        commitment: Commitment,
        log: usize,
        room: usize,
    ) -> Several<Vec<Number>> {
        let mut blockers = Blockers::default();
        let reserved = self.try_series(series, policy, commitment, (log, room), &mut blockers);
        let conflict = self.named(&reserved, &blockers);
        (reserved, conflict)
    }

    fn try_series(
        &mut self,
        series: &Series<'_>,
        policy: Policy,
        commitment: Commitment,
        (log, room): (usize, usize),
        blockers: &mut Blockers,
    ) -> Result<Vec<Number>, Error> {
        check_terms(commitment)?;
        let instances: Vec<u32> = (0..series.count)
            .filter(|number| !series.exceptions.contains(number))
            .collect();
        if instances.is_empty() || (instances.len() > 1 && series.period.get() == 0) {
            return Err(UsageError::BadSeries.into());
        }
        if instances.len() > room {
            return Err(UsageError::TooManyParts.into());
        }
        let mut attempt = self.attempt(log, u64::MAX);
        let (mut numbers, mut failed) = (Vec::new(), false);
        for instance in instances {
            let request = shifted(&series.first, series.period.get(), instance);
            match attempt.reserve(&request, policy, commitment) {
                Ok(number) => numbers.push(number),
                Err(Error::Refused(Refusal::NoRoom)) => {
                    // At its earliest start.
                    let window = Window {
                        start: request.ready,
                        end: request.ready.saturating_add(request.duration),
                    };
                    let book = attempt.book();
                    book.block(None, window, request.pes, blockers);
                    failed = true;
                }
                // What an earlier instance found decides.
                Err(reason) if !failed => return Err(reason),
                Err(_) => break,
            }
        }
        if failed {
            return Err(Refusal::NoRoom.into());
        }
        self.commit_attempt(attempt)?;
        Ok(numbers)
    }

    /// Reserves parts that start together, or so many slots after that: the common start and their numbers.
    pub fn reserve_together(
        &mut self,
        window: Window,
        parts: &[Part],
        commitment: Commitment,
        log: usize,
        room: usize,
    ) -> Several<(Slot, Vec<Number>)> {
        let mut blockers = Blockers::default();
        let reserved = self.try_together(window, parts, commitment, (log, room), &mut blockers);
        let conflict = self.named(&reserved, &blockers);
        (reserved, conflict)
    }

    fn try_together(
        &mut self,
        window: Window,
        parts: &[Part],
        commitment: Commitment,
        (log, room): (usize, usize),
        blockers: &mut Blockers,
    ) -> Result<(Slot, Vec<Number>), Error> {
        check_terms(commitment)?;
        if parts.is_empty() || parts.len() > room {
            return Err(UsageError::TooManyParts.into());
        }
        self.check_parts(window, parts)?;
        for part in parts {
            self.admits(self.asked, part.pes.get())?;
        }
        if self.rows.len() + parts.len() > self.capacity {
            return Err(Refusal::TableFull.into());
        }
        if parts.len() > log {
            return Err(Refusal::MoveLimit.into());
        }
        for start in self.common_starts(window, parts) {
            let mut attempt = self.attempt(log, u64::MAX);
            if let Ok(numbers) = attempt.insert_parts(start, parts, commitment) {
                self.commit_attempt(attempt)?;
                return Ok((start, numbers));
            }
        }
        // Each part is put beside those before it that fit.
        let mut attempt = self.attempt(log, u64::MAX);
        for part in parts {
            let request = exactly(window.start, part);
            if attempt.insert_exactly(&request, commitment).is_err() {
                let window = Window {
                    start: request.ready,
                    end: request.deadline,
                };
                attempt.book().block(None, window, part.pes, blockers);
            }
        }
        Err(Refusal::NoRoom.into())
    }

    /// Whether the parts make sense here and now.
    fn check_parts(&self, window: Window, parts: &[Part]) -> Result<(), Error> {
        for part in parts {
            let reasons: [(bool, Error); 3] = [
                (part.duration.get() == 0, UsageError::ZeroDuration.into()),
                (part.pes.get() == 0, UsageError::ZeroPes.into()),
                (part.pes.get() > self.pes, Refusal::TooWide.into()),
            ];
            first_that_applies(&reasons)?;
        }
        let lasts = |part: &Part| u128::from(part.offset.get()) + u128::from(part.duration.get());
        let longest = parts.iter().map(lasts).max().unwrap_or(0);
        let (ready, deadline) = (window.start, u128::from(window.end.get()));
        let horizon = u128::from(self.now.get()) + u128::from(self.slots);
        first_that_applies(&[
            (ready < self.now, Refusal::ReadyInPast.into()),
            (
                deadline < u128::from(ready.get()) + longest,
                Refusal::WindowTooShort.into(),
            ),
            (deadline > horizon, Refusal::BeyondHorizon.into()),
        ])
    }

    /// The ready time, and every later start by which a part would start where something becomes free, as far as all end in time.
    fn common_starts(&self, window: Window, parts: &[Part]) -> Vec<Slot> {
        let starts = (window.start.get()..window.end.get()).map(Slot::new);
        let ends_in_time = |start: Slot| {
            let mut ends = parts.iter().map(|part| exactly(start, part).deadline);
            ends.all(|end| end <= window.end)
        };
        let releases = |start: Slot| {
            let mut parts = parts.iter().map(|part| start.saturating_add(part.offset));
            parts.any(|slot| self.is_release(slot))
        };
        starts
            .filter(|start| ends_in_time(*start) && (*start == window.start || releases(*start)))
            .collect()
    }

    /// Whether something is free in `slot` that was not in the slot before.
    fn is_release(&self, slot: Slot) -> bool {
        if slot <= self.now {
            return false;
        }
        // Of the whole machine.
        let book = self.for_class(0);
        let (before, here) = (book.free_at(slot.get() - 1), book.free_at(slot.get()));
        here.clone().and(&before) != here
    }

    /// The conflict of what was not reserved: those in the way that live outside of the transaction.
    fn named<T>(&self, reserved: &Result<T, Error>, blockers: &Blockers) -> InTheWay {
        let mut conflict = InTheWay::nobody();
        if !matches!(reserved, Err(Error::Refused(Refusal::NoRoom))) {
            return conflict;
        }
        for number in blockers
            .names
            .iter()
            .filter(|number| self.find(**number).is_ok())
        {
            if conflict.names.contains(number) {
                continue;
            }
            if conflict.names.len() < InTheWay::LISTED {
                conflict.names.push(*number);
            } else {
                conflict.more += 1;
            }
        }
        conflict.rules.extend(&blockers.rules);
        conflict
    }

    /// Gives up those that still live: how many they were.
    ///
    /// # Errors
    ///
    /// UsageError, when one of them was never made.
    pub fn cancel_all(&mut self, numbers: &[Number]) -> Result<u32, Error> {
        if numbers.iter().any(|number| *number >= self.accepted) {
            return Err(UsageError::UnknownHandle.into());
        }
        let before = self.rows.len();
        self.rows.retain(|row| !numbers.contains(&row.number));
        let cancelled = before - self.rows.len();
        if cancelled > 0 {
            self.changed();
        }
        Ok(cancelled as u32)
    }
}

impl Attempt {
    /// Plans a request and books it.
    fn reserve(
        &mut self,
        request: &Request,
        policy: Policy,
        commitment: Commitment,
    ) -> Result<Number, Error> {
        let found = self.book().plan(request, policy)?;
        match self.call(&Call::Insert(*request, found.start, commitment))? {
            Answer::Made(number) => Ok(number),
            _ => unreachable!("an insertion answers what it made"),
        }
    }

    /// Books a request at its ready time.
    fn insert_exactly(
        &mut self,
        request: &Request,
        commitment: Commitment,
    ) -> Result<Number, Error> {
        match self.call(&Call::Insert(*request, request.ready, commitment))? {
            Answer::Made(number) => Ok(number),
            _ => unreachable!("an insertion answers what it made"),
        }
    }

    fn insert_parts(
        &mut self,
        start: Slot,
        parts: &[Part],
        commitment: Commitment,
    ) -> Result<Vec<Number>, Error> {
        let insert = |part| self.insert_exactly(&exactly(start, part), commitment);
        parts.iter().map(insert).collect()
    }
}

/// The request that can run nowhere else than where the part runs if all start at `start`.
fn exactly(start: Slot, part: &Part) -> Request {
    let ready = start.saturating_add(part.offset);
    Request {
        ready,
        duration: part.duration,
        deadline: ready.saturating_add(part.duration),
        pes: part.pes,
    }
}

/// The request so many periods later.
fn shifted(first: &Request, period: u32, times: u32) -> Request {
    let by = u64::from(period) * u64::from(times);
    let later = |slot: Slot| Slot::new(slot.get().saturating_add(by));
    Request {
        ready: later(first.ready),
        deadline: later(first.deadline),
        ..*first
    }
}
