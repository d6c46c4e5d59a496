//! PEs that leave: a copy of the book, slot by slot.

use std::collections::BTreeSet;

use bookahead::{Error, Outage, PeCount, Placement, Request, Slot, Span, UsageError, Window};
use bookahead_commands::{Broken, Gone, Kind, Number};

use super::classes::OUT;
use super::row::Row;
use super::rules::gives_way;
use super::{Attempt, Free, Oracle};

impl Oracle {
    fn number_free(&self, slot: u64) -> u32 {
        match self.free_at(slot) {
            Free::Count(free) => free,
            Free::Set(_) => unreachable!("numbers only"),
        }
    }
}

impl Attempt {
    /// Takes PEs out of service; the parts of the outage, and who has left.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub(super) fn take_out(
        &mut self,
        outage: Outage,
        gone: &Gone,
    ) -> Result<(Vec<Number>, Vec<Broken>), Error> {
        let (window, breaks) = match outage {
            Outage::Failure { until } => {
                let start = self.book().now;
                (Window { start, end: until }, true)
            }
            Outage::Maintenance { window } => (window, false),
        };
        match (gone, self.book().kind().binding()) {
            (Gone::These(pes), Kind::Counts) if breaks => {
                let set = self.book().late_set(pes)?;
                let pes = PeCount::new(set.len() as u32);
                self.take_so_many_out(window, false, Some(&set), pes)
            }
            (Gone::Number(pes), Kind::Counts) => {
                self.book().check_number(*pes)?;
                self.take_so_many_out(window, breaks, None, *pes)
            }
            (Gone::These(pes), Kind::Sets) => self.take_these_out(window, breaks, pes),
            _ => Err(UsageError::BadPes.into()),
        }
    }

    /// As many as are wanted, as far as they are there, slot by slot. Where these fail, whoever runs on one of them is lost before.
    fn take_so_many_out(
        &mut self,
        window: Window,
        breaks: bool,
        these: Option<&BTreeSet<u16>>,
        pes: PeCount,
    ) -> Result<(Vec<Number>, Vec<Broken>), Error> {
        self.book().check_request(&part_of(window, pes))?;
        let slots = || window.start.get()..window.end.get();
        self.all_or_nothing(|attempt| {
            let (mut broken, mut lifted) = (Vec::new(), Vec::new());
            let now = attempt.book().now.get();
            let runs = attempt.book().rows.iter().filter(|row| row.covers(now));
            let there = runs.map(|row| {
                let own = row
                    .set
                    .iter()
                    .filter(|pe| these.is_some_and(|these| these.contains(pe)));
                (row.number, row.class == OUT, own.count() as u32)
            });
            let there: Vec<_> = there.filter(|(.., own)| *own > 0).collect();
            for (number, ..) in there.iter().filter(|(_, out, _)| !out) {
                broken.push(attempt.break_promise(*number)?);
            }
            let out: u32 = there
                .iter()
                .filter(|(_, out, _)| *out)
                .map(|(.., own)| own)
                .sum();
            let pes = PeCount::new(pes.get() - out);
            loop {
                let book = attempt.book();
                let short = |slot: u64| book.number_free(slot) < pes.get();
                let in_the_way = |row: &&Row| slots().any(|slot| row.covers(slot) && short(slot));
                let rows = book.rows.iter().filter(|row| row.class != OUT);
                let rows = rows.filter(|row| breaks || !row.has_started());
                let next = rows.filter(in_the_way).max_by_key(|row| gives_way(row));
                let Some((number, runs)) = next.map(|row| (row.number, row.has_started())) else {
                    break;
                };
                attempt.make_go(number, runs, &mut broken, &mut lifted)?;
            }
            // How many leave in each slot, and how many of them some part has already.
            let leave = slots().map(|slot| attempt.book().number_free(slot).min(pes.get()));
            let mut left: Vec<u32> = leave.collect();
            let mut parts = Vec::new();
            for (first, start) in slots().enumerate() {
                let count = left[first];
                if count == 0 {
                    continue;
                }
                let lasts = left[first..].iter().take_while(|left| **left >= count);
                let length = lasts.count();
                left[first..first + length]
                    .iter_mut()
                    .for_each(|left| *left -= count);
                let start = Slot::new(start);
                let end = start.saturating_add(Span::new(length as u32));
                let request = part_of(Window { start, end }, PeCount::new(count));
                parts.push(attempt.insert_part(request, Vec::new())?);
            }
            lifted.sort_unstable_by_key(|(number, _): &(Number, Placement)| *number);
            broken.extend(attempt.find_places(&lifted)?);
            Ok((parts, broken))
        })
    }

    /// These PEs, in parts.
    fn take_these_out(
        &mut self,
        window: Window,
        breaks: bool,
        pes: &[u16],
    ) -> Result<(Vec<Number>, Vec<Broken>), Error> {
        let set = self.book().set_of(pes)?;
        let whole = self.book().for_class(0);
        whole.check_request(&part_of(window, PeCount::new(set.len() as u32)))?;
        let slots = || (window.start.get()..window.end.get()).map(Slot::new);
        self.all_or_nothing(|attempt| {
            let in_the_way = |row: &&Row| {
                let there = slots().any(|slot| row.covers(slot.get()));
                there && row.class != OUT && row.set.iter().any(|pe| set.contains(pe))
            };
            let those = |runs: bool| -> BTreeSet<Number> {
                let all = attempt.book().rows.iter().filter(in_the_way);
                let all = all.filter(|row| row.has_started() == runs);
                all.map(|row| row.number).collect()
            };
            let (run, wait) = (those(true), those(false));
            let mut broken = Vec::new();
            for number in run.into_iter().filter(|_| breaks) {
                broken.push(attempt.break_promise(number)?);
            }
            let mut lifted = Vec::new();
            for number in wait {
                lifted.push((number, attempt.lift(number)?));
            }
            let mut parts = Vec::new();
            for start in slots() {
                // Nobody has it in that slot, with the parts so far, and no rule takes it.
                let is_there = |pe: &u16, slot: Slot| {
                    let mut rows = attempt.book().rows.iter();
                    let is_had = rows.any(|row| row.covers(slot.get()) && row.set.contains(pe));
                    !is_had && !attempt.book().set_gone(slot.get()).contains(pe)
                };
                let part: Vec<u16> = set
                    .iter()
                    .copied()
                    .filter(|pe| is_there(pe, start))
                    .collect();
                let lasts = |slot: &Slot| part.iter().all(|pe| is_there(pe, *slot));
                let rest = slots().filter(|slot| *slot >= start);
                let length = rest.take_while(lasts).count() as u32;
                if !part.is_empty() {
                    let end = start.saturating_add(Span::new(length));
                    let request = part_of(Window { start, end }, PeCount::new(part.len() as u32));
                    parts.push(attempt.insert_part(request, part)?);
                }
            }
            broken.extend(attempt.find_places(&lifted)?);
            Ok((parts, broken))
        })
    }
}

fn part_of(window: Window, pes: PeCount) -> Request {
    Request {
        ready: window.start,
        duration: window.len().unwrap_or_default(),
        deadline: window.end,
        pes,
    }
}
