//! Several sites, and a meta-scheduler that sends each demand to one of them.
//!
//! A reservation goes where it is kept most probably, then where it starts first, then to the first such site. A best-effort job goes
//! where the least work is booked and queued, then to the first such site.

use std::cmp::Reverse;

use bookahead::{Error as Denied, Refusal, raw::Ring};

use super::{
    drive::{Rows, Run},
    outcome::{Outcome, Placed, Reason},
    scheduler::Scheduler,
    story::Story,
};
use crate::{
    error::Result,
    request::{Demand, JobRequest},
};

/// Runs all demands on sites of the same size.
pub(super) fn drive<R: Ring>(
    schedulers: Vec<Scheduler<'_, R>>,
    demands: &[Demand],
    tick: &dyn Fn(),
) -> Result<Story> {
    let rows = Rows {
        demands,
        operations: &[],
    };
    let runs = schedulers.into_iter();
    let mut sites: Vec<Run<'_, R>> = runs.map(|one| Run::new(one, rows)).collect();
    for demand in demands {
        for site in &mut sites {
            site.arrive(demand.arrival())?;
        }
        let chosen = match demand.request() {
            Some(request) => best_for(&mut sites, request),
            None => least_loaded(&sites),
        };
        for (number, site) in sites.iter_mut().enumerate() {
            match number == chosen {
                true => site.meet(demand)?,
                false => site.pass_by(),
            }
        }
        tick();
    }
    let mut told = Vec::with_capacity(sites.len());
    for mut site in sites {
        site.run_out()?;
        told.push((site.pes(), site.into_decisions()));
    }
    let outcomes = demands.iter().enumerate().map(|(index, demand)| {
        let mut all = (0..).zip(&mut told);
        let decided = all.find_map(|(site, (pes, decisions))| {
            let decision = decisions.get_mut(index)?.take()?;
            Some(decision.map(|placed| at_site(placed, site, *pes)))
        });
        Ok(Outcome {
            demand: demand.clone(),
            decision: decided.ok_or_else(super::defect::nobody)?,
        })
    });
    Ok(outcomes.collect::<Result<Vec<_>>>()?.into())
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
fn best_for<R: Ring>(sites: &mut [Run<'_, R>], request: &JobRequest) -> usize {
    let proposals: Vec<_> = sites.iter_mut().map(|site| site.propose(request)).collect();
    let numbered = || proposals.iter().enumerate();
    let best = numbered().filter_map(|(number, proposal)| {
        let proposal = proposal.ok()?;
        Some((proposal.kept, Reverse((proposal.start, number)), number))
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
