//! Several sites, and a meta-scheduler that sends each demand to one of them.
//!
//! A reservation goes where it is kept most probably, then where it is granted most time, then most PEs, then where it starts first, then to the
//! first such site. A best-effort job goes where the least work is booked and queued, then to the first such site. With redundancy, a reservation is booked
//! at several.

use std::{cmp::Reverse, collections::BTreeMap, mem, result::Result as Answer, sync::Arc};

use bookahead::{
    Error as Denied, Refusal, Slot,
    raw::{Kept as Restorable, Ring},
};

use super::{
    copies::Copies,
    drive::{Again, Run},
    outcome::{Outcome, Placed, Reason},
    redundancy::Redundancy,
    scheduler::Scheduler,
    story::{Listener, Moved, Told},
    strategy::Proposal,
};
use crate::{
    arrivals::Arrivals,
    error::Result,
    request::{Demand, JobRequest},
    saved::{Saved, saves},
};

/// Runs all demands on sites of the same size; where there is a state, from there on.
pub(super) fn drive<R: Restorable>(
    schedulers: Vec<Scheduler<'_, R>>,
    redundancy: Option<Redundancy>,
    arrivals: Arrivals<'_>,
    state: Option<&[u8]>,
    listener: &mut dyn Listener,
    tick: &dyn Fn(),
) -> Result<()> {
    let runs = schedulers.into_iter();
    let mut sites = Sites {
        runs: runs.map(|one| Run::new(one, &arrivals, &[])).collect(),
        copies: BTreeMap::new(),
    };
    if let Some(mut state) = state {
        sites.restore(&mut state)?;
    }
    // All of them have met the same.
    let first = sites.runs.first();
    let mut again = first.map_or_else(Again::default, Again::new);
    for (index, demand) in arrivals.demands.each()?.enumerate() {
        let demand = Arc::new(demand?);
        if again.had_met(&demand)? {
            for run in &mut sites.runs {
                run.demands.push(demand.clone());
            }
            tick();
            continue;
        }
        sites.arrive(demand.arrival())?;
        for run in &mut sites.runs {
            run.note_arrival(demand.clone());
        }
        match (demand.request(), redundancy) {
            (Some(request), Some(redundancy)) => sites.book(index, request, redundancy)?,
            (Some(request), None) => {
                let chosen = best_for(&sites.propose(request, 1));
                sites.meet_at(chosen, &demand)?;
            }
            (None, _) => sites.meet_at(least_loaded(&sites.runs), &demand)?,
        }
        listener.pause(&mut || {
            let mut state = Vec::new();
            sites.save(&mut state)?;
            Ok(state)
        })?;
        tick();
    }
    sites.run_out()?;
    sites.tell(listener)
}

/// The sites, and the copies of reservations at them by the number of the demand.
struct Sites<'a, R: Ring> {
    runs: Vec<Run<'a, R>>,
    copies: BTreeMap<usize, Copies>,
}

impl<R: Restorable> Saved for Sites<'_, R> {
    saves!(copies; runs);
}

impl<R: Ring> Sites<'_, R> {
    /// Lets time pass at all sites until something arrives.
    fn arrive(&mut self, arrival: u64) -> Result<()> {
        let now = self
            .runs
            .iter()
            .find_map(|run| run.scheduler.clock.slot_rounding_down(arrival));
        self.step_until(now)?;
        for run in &mut self.runs {
            run.arrive(arrival)?;
        }
        Ok(())
    }

    /// Everything that happens after the last arrival.
    fn run_out(&mut self) -> Result<()> {
        self.step_until(None)?;
        for run in &mut self.runs {
            while let Some(slot) = run.next_step() {
                run.step(slot)?;
            }
        }
        Ok(())
    }

    /// Goes on in order of time, to `last` or to the end, as long as some copy may yet be given back for another.
    fn step_until(&mut self, last: Option<Slot>) -> Result<()> {
        while self.copies.values().any(Copies::is_open) {
            let next = (0..).zip(&self.runs);
            let next = next.filter_map(|(site, run)| Some((run.next_step()?, site)));
            let Some((slot, site)) = next
                .min()
                .filter(|(slot, _)| last.is_none_or(|last| *slot <= last))
            else {
                return Ok(());
            };
            self.runs[site].step(slot)?;
            for (demand, news) in mem::take(&mut self.runs[site].news) {
                if let Some(group) = self.copies.get_mut(&demand) {
                    group.note(&mut self.runs, site, (news, slot))?;
                }
            }
        }
        Ok(())
    }

    /// The demand goes to one site.
    fn meet_at(&mut self, chosen: usize, demand: &Demand) -> Result<()> {
        for (number, run) in self.runs.iter_mut().enumerate() {
            match number == chosen {
                true => run.meet(demand)?,
                false => run.decided(None),
            }
        }
        Ok(())
    }

    /// Books copies of a reservation, or none.
    fn book(&mut self, index: usize, request: &JobRequest, redundancy: Redundancy) -> Result<()> {
        let proposals = self.propose(request, redundancy.certain());
        let refusing = best_for(&proposals);
        let booked = match proposals[refusing] {
            Err(reason) => Err(reason),
            Ok(_) => Copies::book(&mut self.runs, redundancy, &proposals, request)?,
        };
        let refused = booked.as_ref().err().copied();
        for (number, run) in self.runs.iter_mut().enumerate() {
            run.decided(refused.filter(|_| number == refusing));
        }
        self.copies.extend(booked.ok().map(|group| (index, group)));
        Ok(())
    }

    /// Where the sites would book; on top of others only where fewer than `certain` have room.
    fn propose(&mut self, request: &JobRequest, certain: usize) -> Vec<Answer<Proposal, Reason>> {
        let mut all = |firm| -> Vec<_> {
            let runs = self.runs.iter_mut();
            runs.map(|run| run.propose(request, firm)).collect()
        };
        let firm = all(true);
        match firm.iter().filter(|one| one.is_ok()).count() >= certain {
            true => firm,
            false => all(false),
        }
    }

    /// Tells everything when all is over: moves of different sites stand in order of time, and a copy may be given back at another site until then.
    fn tell(mut self, listener: &mut dyn Listener) -> Result<()> {
        let mut moves = Vec::new();
        for (site, run) in (0..).zip(&mut self.runs) {
            let own = run.moves.drain(..);
            moves.extend(own.map(|moved| Moved { site, ..moved }));
        }
        moves.sort_by_key(|moved| moved.time);
        moves
            .into_iter()
            .try_for_each(|moved| listener.hear(Told::Moved(moved)))?;
        let demands = self.runs.first().map_or(0, |run| run.demands.len());
        for index in 0..demands {
            let mut decided = None;
            let mut demand = None;
            for (site, run) in (0..).zip(&mut self.runs) {
                let pes = run.scheduler.book.pes().get() as u16;
                let decision = run.decisions.take_first().flatten();
                let here =
                    decision.map(|decision| decision.map(|placed| at_site(placed, site, pes)));
                decided = decided.or(here);
                demand = run.demands.take_first();
            }
            let replicas = self.copies.remove(&index).map(|group| group.replicas);
            let decision = decided.ok_or_else(super::defect::nobody)?;
            let outcome = Outcome {
                demand: Arc::unwrap_or_clone(demand.ok_or_else(super::defect::nobody)?),
                decision: decision.map(|placed| Placed {
                    replicas: replicas.unwrap_or_default(),
                    ..placed
                }),
            };
            listener.hear(Told::Outcome(outcome, None))?;
        }
        Ok(())
    }
}

/// Processing element n of a site is number site x (processing elements of a site) + n of all.
fn at_site(mut placed: Placed, site: u16, pes: u16) -> Placed {
    let before = site * pes;
    for (first, last) in &mut placed.pes {
        (*first, *last) = (*first + before, *last + before);
    }
    Placed { site, ..placed }
}

/// The site for a reservation; where none has a place, one that has the reason.
fn best_for(proposals: &[Answer<Proposal, Reason>]) -> usize {
    let numbered = || proposals.iter().enumerate();
    let best = numbered().filter_map(|(number, proposal)| {
        let proposal = proposal.ok()?;
        let first = Reverse((proposal.start, number));
        Some((proposal.kept, proposal.length, proposal.pes, first, number))
    });
    let too_risky = Reason::Kernel(Denied::from(Refusal::NoRoom));
    let other = numbered().find(|(_, proposal)| **proposal != Err(too_risky));
    best.max()
        .map(|(.., number)| number)
        .or(other.map(|(number, _)| number))
        .unwrap_or(0)
}

fn least_loaded<R: Ring>(sites: &[Run<'_, R>]) -> usize {
    let loads = sites.iter().map(Run::pe_slots_ahead).enumerate();
    let least = loads.min_by_key(|&(number, load)| (load, number));
    least.map_or(0, |(number, _)| number)
}
