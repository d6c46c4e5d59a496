//! Juggling, step by step on a copy of the book.

use bookahead::{
    Behind, Commitment, Error, Flexibility, Policy, Refusal, Request, Sides, Slot, Window,
};

use super::Oracle;
use super::attempt::Attempt;
use super::row::Row;
use bookahead_commands::{Found, JuggleEnd, Juggled, Number, Rules, Sorting, Wanted, revenue};

/// A position in the order: by key, then by acceptance.
type Position = (u64, Number);

impl Oracle {
    /// Whether the start of a reservation is fixed.
    ///
    /// # Errors
    ///
    /// UsageError, when there is none.
    pub fn is_frozen(&self, number: Number) -> Result<bool, Error> {
        Ok(self.find(number)?.is_fixed(self.now))
    }

    /// Fixes the start of a reservation.
    ///
    /// # Errors
    ///
    /// UsageError, when there is none.
    pub fn freeze(&mut self, number: Number) -> Result<(), Error> {
        let now = self.now;
        let row = self.row(number)?;
        if !row.is_fixed(now) {
            row.fix_at(now);
            self.changed();
        }
        Ok(())
    }

    /// Whether a reservation counts as one that has a deadline only.
    #[must_use]
    pub fn is_by_deadline(&self, number: Number) -> bool {
        self.find(number).is_ok_and(Row::is_by_deadline)
    }

    /// The sort key of a live reservation.
    #[must_use]
    pub fn key(&self, number: Number, sorting: Sorting) -> u64 {
        let row = self.find(number).expect("it lives");
        let (request, placed) = (&row.request, row.placed);
        match sorting {
            Sorting::Deadline => request.deadline.get(),
            Sorting::Flexibility => {
                let planned = if row.is_by_deadline() {
                    self.now
                } else {
                    placed.start.max(self.now)
                };
                let left = request.deadline.since(planned).expect("it is in time");
                u64::from(left.get().saturating_sub(placed.duration.get()))
            }
            Sorting::Size => {
                let size = u64::from(placed.duration.get()) * u64::from(placed.pes.get());
                u64::MAX - size
            }
            Sorting::Acceptance => 0,
            Sorting::Shuffle(seed) => shuffled(seed, number),
            Sorting::Revenue => u64::MAX - revenue(request),
        }
    }

    /// The sort key of a newcomer.
    #[must_use]
    pub fn key_of_newcomer(&self, request: &Request, terms: Commitment, sorting: Sorting) -> u64 {
        match sorting {
            Sorting::Deadline => request.deadline.get(),
            Sorting::Flexibility => {
                let last = request
                    .deadline
                    .get()
                    .saturating_sub(request.duration.get().into());
                let planned = if is_by_deadline(terms) {
                    self.now
                } else {
                    request.ready.max(self.now)
                };
                last.saturating_sub(planned.get())
            }
            Sorting::Size => {
                u64::MAX - u64::from(request.duration.get()) * u64::from(request.pes.get())
            }
            Sorting::Acceptance => 0,
            Sorting::Shuffle(seed) => shuffled(seed, self.accepted),
            Sorting::Revenue => u64::MAX - revenue(request),
        }
    }

    /// How many reservations have been accepted so far, which is the number of the next.
    #[must_use]
    pub fn accepted(&self) -> Number {
        self.accepted
    }

    /// Reserves for a newcomer and moves others, or without one arranges all of them anew.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn juggle(
        &mut self,
        newcomer: Option<(&Request, Commitment)>,
        rules: &Rules,
        end: JuggleEnd,
    ) -> Result<Juggled, Error> {
        let mut rules = *rules;
        if let Some((request, terms)) = newcomer
            && end == JuggleEnd::AtOnce
            && !rules.always
        {
            let plain = self.book(request, Policy::FirstFit, terms);
            if plain != Err(Refusal::NoRoom.into()) {
                let made = Some(plain?);
                let moves = Vec::new();
                return Ok(Juggled { made, moves });
            }
            rules.always = true;
        }
        let mut attempt = self.attempt(usize::MAX, u64::MAX);
        let made = match newcomer {
            Some((request, terms)) => Some(attempt.juggle(request, terms, &rules).0?),
            None => {
                attempt.replan(&rules)?;
                None
            }
        };
        let moves = match end {
            JuggleEnd::AtOnce => Vec::new(),
            JuggleEnd::Commit | JuggleEnd::Plan => attempt.moves(),
        };
        if end != JuggleEnd::Plan {
            self.commit_attempt(attempt)?;
        }
        Ok(Juggled { made, moves })
    }

    /// Looks for alternatives to a request that is refused.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn alternatives(
        &self,
        request: &Request,
        terms: Commitment,
        rules: &Rules,
        wanted: &Wanted,
    ) -> Result<Found, Error> {
        let mut attempt = self.attempt(usize::MAX, u64::MAX);
        let (juggled, position) = attempt.juggle(request, terms, rules);
        let mut found = Found {
            tried: 0,
            limit: None,
            alternatives: Vec::new(),
        };
        if juggled != Err(Refusal::NoRoom.into()) {
            found.limit = juggled.err().and_then(limit_of);
            return match juggled {
                Err(error) if found.limit.is_none() => Err(error),
                _ => Ok(found),
            };
        }
        for shift in self.shifts(request, rules, position, wanted) {
            if found.alternatives.len() >= wanted.room {
                break;
            }
            found.tried += 1;
            let moved = Request {
                ready: Slot::new(request.ready.get().saturating_add_signed(shift)),
                deadline: Slot::new(request.deadline.get().saturating_add_signed(shift)),
                ..*request
            };
            let before = attempt.note();
            match attempt.juggle(&moved, terms, rules).0 {
                Ok((_, start)) => {
                    attempt.return_to(&before);
                    found.alternatives.push((shift, start));
                }
                Err(error) => found.limit = limit_of(error).or(found.limit),
            }
        }
        Ok(found)
    }

    /// By how many slots a window may be shifted, by increasing distance, earlier ones first.
    fn shifts(
        &self,
        request: &Request,
        rules: &Rules,
        position: Position,
        wanted: &Wanted,
    ) -> Vec<i64> {
        let signed = |slot: Slot| i128::from(slot.get());
        let (ready, deadline) = (signed(request.ready), signed(request.deadline));
        let window = Window {
            start: request.ready,
            end: request.deadline,
        };
        let stands_before = |number: &Number| {
            let row = self.find(*number).expect("it covers a slot");
            !self.is_movable(row) || (self.key(*number, rules.sorting), *number) <= position
        };
        let numbers = self.covering(window);
        let mut shifts = Vec::new();
        for number in numbers.iter().filter(|number| stands_before(number)) {
            let row = self.find(*number).expect("it covers a slot");
            let behind = match wanted.behind {
                Behind::Deadline => row.request.deadline,
                Behind::End => row.window().end,
            };
            if wanted.sides != Sides::After {
                shifts.push(signed(row.placed.start) - deadline);
            }
            if wanted.sides != Sides::Before {
                shifts.push(signed(behind) - ready);
            }
        }
        let earliest = signed(self.now.max(rules.earliest));
        let end = signed(self.now) + i128::from(self.slots);
        let far = i128::from(wanted.max_percent) * i128::from(request.duration.get());
        shifts.retain(|shift| {
            ready + shift >= earliest && deadline + shift <= end && shift.abs() * 100 <= far
        });
        shifts.sort_unstable_by_key(|shift| (shift.abs(), *shift));
        shifts.dedup();
        shifts.into_iter().map(|shift| shift as i64).collect()
    }
}

impl Attempt {
    /// Inserts a newcomer and moves others; says also at which position it stood at last.
    fn juggle(
        &mut self,
        request: &Request,
        terms: Commitment,
        rules: &Rules,
    ) -> (Result<(Number, Slot), Error>, Position) {
        let book = self.book();
        let key = book.key_of_newcomer(request, terms, rules.sorting);
        let mut position = (key, book.accepted);
        let juggled = self.all_or_nothing(|attempt| {
            if !rules.always {
                let plain = attempt.insert_first_fit(request, terms);
                if plain != Err(Refusal::NoRoom.into()) {
                    return plain;
                }
            }
            super::check_terms(terms)?;
            attempt.book().check_request(request)?;
            attempt.check_table()?;
            let line = attempt.line_up(Some(position), rules);
            attempt.arrange(line, rules, &mut position, |attempt| {
                attempt.insert_first_fit(request, terms)
            })
        });
        (juggled, position)
    }

    fn replan(&mut self, rules: &Rules) -> Result<(), Error> {
        self.all_or_nothing(|attempt| {
            let line = attempt.line_up(None, rules);
            attempt.arrange(line, rules, &mut (0, 0), |_| Ok(()))
        })
    }

    /// The reservations that may be moved and come after a position, in order.
    fn line_up(&self, after: Option<Position>, rules: &Rules) -> Vec<Position> {
        let book = self.book();
        let movable = book.rows.iter().filter(|row| book.is_movable(row));
        let mut line: Vec<Position> = movable
            .map(|row| (book.key(row.number, rules.sorting), row.number))
            .filter(|place| after.is_none_or(|after| *place > after))
            .collect();
        line.sort_unstable();
        line
    }

    fn arrange<T>(
        &mut self,
        mut line: Vec<Position>,
        rules: &Rules,
        position: &mut Position,
        mut first: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        for (_, number) in &line {
            self.lift(*number)?;
        }
        loop {
            let before = self.note();
            let placed = first(self)?;
            match self.place_in_order(&line, rules) {
                Ok(()) => return Ok(placed),
                Err((_, error)) if error != Refusal::NoRoom.into() => return Err(error),
                Err((failed, error)) => {
                    *position = line[failed];
                    if !rules.retry {
                        return Err(error);
                    }
                    self.return_to(&before);
                    for (_, number) in line.drain(..=failed) {
                        let place = self.book().placement(number)?;
                        self.place(number, place)?;
                    }
                }
            }
        }
    }

    /// Places them in order, or says which one cannot be.
    fn place_in_order(&mut self, line: &[Position], rules: &Rules) -> Result<(), (usize, Error)> {
        let mut moves = 0;
        for (nth, (_, number)) in line.iter().enumerate() {
            let stood = self.book().placement(*number).expect("it lives").start;
            let start = self.place_first_fit(*number, rules.earliest);
            moves += u32::from(start.map_err(|error| (nth, error))? != stood);
            if moves > rules.max_moves {
                return Err((nth, Refusal::MoveLimit.into()));
            }
        }
        Ok(())
    }
}

impl Row {
    fn is_by_deadline(&self) -> bool {
        self.terms
            .is_some_and(|terms| terms.kind == Flexibility::Deadline)
    }
}

/// Whether a newcomer has a deadline only.
#[must_use]
pub fn is_by_deadline(terms: Commitment) -> bool {
    matches!(
        terms,
        Commitment::Flexible {
            kind: Flexibility::Deadline,
            ..
        }
    )
}

/// SplitMix64: its output number `number` for this seed.
fn shuffled(seed: u64, number: Number) -> u64 {
    let mut state = seed;
    for _ in 0..=number {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }
    let mut output = state;
    output = (output ^ (output >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    output = (output ^ (output >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    output ^ (output >> 31)
}

/// The limit that ended a search, if that is why it failed.
pub(crate) fn limit_of(error: Error) -> Option<Refusal> {
    match error {
        Error::Refused(limit @ (Refusal::MoveLimit | Refusal::WorkLimit)) => Some(limit),
        _ => None,
    }
}
