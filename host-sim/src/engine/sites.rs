//! Several sites, and a meta-scheduler that sends each demand to one of them.
//!
//! A reservation goes where it is kept most probably, then where it is granted most time, then where it starts first, then to the first such
//! site. A best-effort job goes where the least work is booked and queued, then to the first such site. With redundancy, a reservation is booked
//! at several.

use std::{cmp::Reverse, collections::BTreeMap, result::Result as Answer};

use bookahead::{Error as Denied, Refusal, Slot, raw::Ring};

use super::{
    copies::Copies,
    drive::{Rows, Run},
    outcome::{Outcome, Placed, Reason},
    redundancy::Redundancy,
    scheduler::Scheduler,
    story::{Moved, Story},
    strategy::Proposal,
};
use crate::{
    error::Result,
    request::{Demand, JobRequest},
};

/// Runs all demands on sites of the same size.
pub(super) fn drive<R: Ring>(
    schedulers: Vec<Scheduler<'_, R>>,
    redundancy: Option<Redundancy>,
    demands: &[Demand],
    tick: &dyn Fn(),
) -> Result<Story> {
    let rows = Rows {
        demands,
        operations: &[],
        notices: &[],
        classes: &[],
    };
    let runs = schedulers.into_iter();
    let mut sites = Sites {
        runs: runs.map(|one| Run::new(one, rows)).collect(),
        copies: BTreeMap::new(),
    };
    for (index, demand) in demands.iter().enumerate() {
        sites.arrive(demand.arrival())?;
        match (demand.request(), redundancy) {
            (Some(request), Some(redundancy)) => sites.book(index, request, redundancy)?,
            (Some(request), None) => {
                let chosen = best_for(&sites.propose(request, 1));
                sites.meet_at(chosen, demand)?;
            }
            (None, _) => sites.meet_at(least_loaded(&sites.runs), demand)?,
        }
        tick();
    }
    sites.run_out()?;
    sites.story(demands)
}

/// The sites, and the copies of reservations at them by the number of the demand.
struct Sites<'a, R: Ring> {
    runs: Vec<Run<'a, R>>,
    copies: BTreeMap<usize, Copies>,
}

impl<R: Ring> Sites<'_, R> {
    /// Lets time pass at all sites until something arrives.
    fn arrive(&mut self, arrival: u64) -> Result<()> {
        let now = self.runs.iter().find_map(|run| run.slot_of(arrival));
        self.step_until(now)?;
        for run in &mut self.runs {
            run.arrive(arrival)?;
        }
        Ok(())
    }

    /// Everything that happens after the last arrival.
    fn run_out(&mut self) -> Result<()> {
        self.step_until(None)?;
        self.runs.iter_mut().try_for_each(Run::run_out)
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
            for (demand, news) in self.runs[site].news() {
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
                false => run.pass_by(),
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

    fn story(self, demands: &[Demand]) -> Result<Story> {
        let mut told = Vec::with_capacity(self.runs.len());
        let mut moves = Vec::new();
        for (site, mut run) in (0..).zip(self.runs) {
            let own = run.moves.drain(..);
            moves.extend(own.map(|moved| Moved { site, ..moved }));
            told.push((run.pes(), run.into_decisions()));
        }
        moves.sort_by_key(|moved| moved.time);
        let mut groups = self.copies;
        let outcomes = demands.iter().enumerate().map(|(index, demand)| {
            let mut all = (0..).zip(&mut told);
            let decided = all.find_map(|(site, (pes, decisions))| {
                let decision = decisions.get_mut(index)?.take()?;
                Some(decision.map(|placed| at_site(placed, site, *pes)))
            });
            let replicas = groups.remove(&index).map(|group| group.replicas);
            let decision = decided.ok_or_else(super::defect::nobody)?;
            Ok(Outcome {
                demand: demand.clone(),
                decision: decision.map(|placed| Placed {
                    replicas: replicas.unwrap_or_default(),
                    ..placed
                }),
            })
        });
        Ok(Story {
            outcomes: outcomes.collect::<Result<_>>()?,
            moves,
            ..Story::default()
        })
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
        Some((proposal.kept, proposal.length, first, number))
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
