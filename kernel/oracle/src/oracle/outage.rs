//! PEs that leave: a copy of the book, slot by slot.

use std::collections::BTreeSet;

use bookahead::{Error, Outage, PeCount, Request, Slot, Span, Window};
use bookahead_commands::{Broken, Number};

use super::Attempt;
use super::classes::OUT;
use super::row::Row;

impl Attempt {
    /// Takes PEs out of service; the parts of the outage, and who has left.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub(super) fn take_out(
        &mut self,
        outage: Outage,
        pes: &[u16],
    ) -> Result<(Vec<Number>, Vec<Broken>), Error> {
        let (window, breaks) = match outage {
            Outage::Failure { until } => {
                let start = self.book().now;
                (Window { start, end: until }, true)
            }
            Outage::Maintenance { window } => (window, false),
        };
        let set = self.book().set_of(pes)?;
        let whole = self.book().for_class(0);
        whole.check_request(&part_of(window, set.len()))?;
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
                    let request = part_of(Window { start, end }, part.len());
                    parts.push(attempt.insert_part(request, part)?);
                }
            }
            broken.extend(attempt.find_places(&lifted)?);
            Ok((parts, broken))
        })
    }
}

fn part_of(window: Window, pes: usize) -> Request {
    Request {
        ready: window.start,
        duration: window.len().unwrap_or_default(),
        deadline: window.end,
        pes: PeCount::new(pes as u32),
    }
}
