//! Jobs of a queue that make room for a reservation: every start tried out, on copies of the book.

use std::cmp::Reverse;

use bookahead::{
    BestEffortJob, Commitment, Error, Policy, Preemption, Refusal, Request, Slot, Span, UsageError,
    Window,
};
use bookahead_commands::Number;

use super::Oracle;
use super::row::{Life, Row};

impl Row {
    /// Whether it may be cut at `at`.
    fn gives_way(&self, at: Slot) -> bool {
        let Some(terms) = self.preemption else {
            return false;
        };
        let least = terms.min_run.max(Span::new(1));
        (self.life == Life::Running || self.cut)
            && self.placed.start.saturating_add(least) <= at
            && at < self.window().end
    }

    /// The work that is lost if it is cut at `at`.
    fn lost(&self, at: Slot) -> u64 {
        let keeps = self.preemption.is_some_and(|terms| terms.keeps);
        let done = at.get() - self.placed.start.get();
        if keeps {
            0
        } else {
            done * u64::from(self.placed.pes.get())
        }
    }

    /// What of a job that was cut is to be done again.
    pub(crate) fn again(&self, horizon: Span) -> BestEffortJob {
        let keeps = self.preemption.is_some_and(|terms| terms.keeps);
        let done = if keeps { self.placed.duration.get() } else { 0 };
        BestEffortJob {
            estimate: Span::new(self.request.duration.get() - done).min(horizon),
            pes: self.placed.pes,
        }
    }

    fn cut_at(&mut self, end: Slot) {
        let whole = self.placed.start.saturating_add(self.request.duration);
        self.placed.duration = end.since(self.placed.start).expect("it has run");
        self.cut = end < whole;
        self.life = if self.cut {
            Life::Ending
        } else {
            Life::Running
        };
    }
}

impl Oracle {
    /// Says on which terms a job of the queue may be preempted.
    ///
    /// # Errors
    ///
    /// UsageError, when there is no such job.
    pub fn make_preemptible(&mut self, number: Number, terms: Preemption) -> Result<(), Error> {
        let row = self.row(number)?;
        if row.ticket.is_none() {
            return Err(UsageError::WrongState.into());
        }
        row.preemption = Some(terms);
        self.changed();
        Ok(())
    }

    /// How many jobs are cut.
    #[must_use]
    pub fn cut_jobs(&self) -> usize {
        self.rows.iter().filter(|row| row.cut).count()
    }

    /// Books, and cuts jobs where there is no room otherwise, at most so many that were not; whether it has.
    ///
    /// # Errors
    ///
    /// As [`book`](Self::book), or that more would have to be cut.
    pub fn book_cutting(
        &mut self,
        request: &Request,
        policy: Policy,
        commitment: Commitment,
        places: usize,
    ) -> Result<(Number, Slot, bool), Error> {
        match self.book(request, policy, commitment) {
            Err(reason) if reason == Refusal::NoRoom.into() => {}
            booked => return booked.map(|(number, start)| (number, start, false)),
        }
        let latest = request.latest_start().expect("it was checked");
        let mut starts = (request.ready.get()..=latest.get()).map(Slot::new);
        let start = starts.find(|start| {
            let all = self.rows.iter().filter(|row| row.gives_way(*start));
            let all: Vec<Number> = all.map(|row| row.number).collect();
            self.with_cut(&all, *start).has_room(request, *start)
        });
        let start = start.ok_or(Refusal::NoRoom)?;
        let chosen = self.fewest(request, start);
        let cut = self.with_cut(&chosen, start);
        if cut.cut_jobs() > self.cut_jobs() + places {
            return Err(Refusal::QueueFull.into());
        }
        *self = cut;
        Ok((self.book_at(request, start, commitment), start, true))
    }

    /// The book, with these jobs cut.
    fn with_cut(&self, numbers: &[Number], at: Slot) -> Self {
        let mut cut = self.clone();
        for row in &mut cut.rows {
            if numbers.contains(&row.number) {
                row.cut_at(at);
            }
        }
        cut
    }

    fn has_room(&self, request: &Request, start: Slot) -> bool {
        let window = Window::starting(start, request.duration).expect("it ends by the deadline");
        let free = self.timetable().free_during(window);
        free.is_some_and(|free| self.serves_asked(&free, request.pes.get()))
    }

    /// Who is cut for a request that starts there.
    fn fewest(&self, request: &Request, start: Slot) -> Vec<Number> {
        let mut victims: Vec<&Row> = self.rows.iter().collect();
        victims.retain(|row| row.gives_way(start));
        victims.sort_by_key(|row| (row.lost(start), Reverse(row.number)));
        let numbers: Vec<Number> = victims.iter().map(|row| row.number).collect();
        let enough = |count: &usize| {
            let cut = self.with_cut(&numbers[..*count], start);
            cut.has_room(request, start)
        };
        let enough = (0..=numbers.len()).find(enough).expect("all are enough");
        let mut chosen = numbers[..enough].to_vec();
        for number in numbers[..enough].iter().rev() {
            let others: Vec<Number> = chosen
                .iter()
                .copied()
                .filter(|other| other != number)
                .collect();
            if self.with_cut(&others, start).has_room(request, start) {
                chosen = others;
            }
        }
        chosen
    }

    /// Lets jobs that are cut run as far as there is room, who started first first.
    pub(crate) fn grow_back(&mut self) {
        let mut grown = false;
        let cut: Vec<Number> = self
            .rows
            .iter()
            .filter(|row| row.cut)
            .map(|row| row.number)
            .collect();
        for number in cut {
            let room = self.extension(number).expect("it runs");
            let row = self.row(number).expect("it runs");
            let (end, whole) = (
                row.window().end,
                row.placed.start.saturating_add(row.request.duration),
            );
            let room = room.min(whole);
            if room > end {
                row.cut_at(room);
                grown = true;
            }
        }
        if grown {
            self.changed();
        }
    }

    /// What a job that is cut will do again, and for which class.
    pub(crate) fn to_do_again(&self, number: Number) -> Option<(BestEffortJob, u32)> {
        let row = self.find(number).ok().filter(|row| row.cut)?;
        Some((row.again(self.horizon()), row.class))
    }
}
