//! Runs decided once more by the definitions of the policies, from the accepted jobs alone, without the kernel.

use bookahead::Refusal;
use bookahead_oracle::papers::li::definitions::{self, Booked, Set, Wanted, ranges, set};

use crate::experiment::Count;
use crate::{
    engine::{Outcome, Placed, Reason, System},
    error::{Error, Result},
    request::{Demand, JobRequest},
};

/// Decides every `every`-th request of a run again, given the jobs accepted before it. Jobs must run as long as they book.
pub(super) fn recheck(outcomes: &[Outcome], system: &System, every: usize) -> Count {
    let mut found = Count::default();
    let mut live: Vec<Booked> = Vec::new();
    let width = u64::from(system.slot_seconds);
    let decisions = outcomes.iter().filter_map(Outcome::reservation);
    for (number, (request, decision)) in decisions.enumerate() {
        let now = request.arrival / width;
        live.retain(|booked| booked.end > now);
        let decided = match decision {
            Ok(placed) => Some(Booked {
                start: placed.start / width,
                end: placed.end / width,
                on: set(&placed.pes),
            }),
            // Other refusals are about the request itself.
            Err(reason) if reason != Refusal::NoRoom.into() => continue,
            Err(_) => None,
        };
        if number % every == 0 {
            let chosen = choose(&live, now, now + u64::from(system.slots), system, request);
            let kernel = decided.as_ref();
            let kernel = kernel.map(|booked| (booked.start, booked.on.clone()));
            let policy = system.strategy.policy().name();
            found.case(chosen == kernel, || {
                format!("job {} under {policy}", request.job_id)
            });
        }
        live.extend(decided);
    }
    found
}

/// Runs all requests by the definitions, with rectangles that end with the last record where nothing limits them. Slow, but free to read
/// the paper otherwise than the kernel does; jobs run as long as they book.
pub(super) fn simulate(system: &System, demands: &[Demand]) -> Result<Vec<Outcome>> {
    let mut live: Vec<Booked> = Vec::new();
    let width = u64::from(system.slot_seconds);
    let mut decide = |request: &JobRequest| {
        let now = request.arrival / width;
        live.retain(|booked| booked.end > now);
        let length = request.duration.div_ceil(width);
        if request.ready.div_ceil(width) + length > request.deadline / width {
            // In seconds every job fits the window that is made for it.
            return Err(Reason::LostToRounding);
        }
        let last_record = live.iter().map(|booked| booked.end).max().unwrap_or(now);
        let chosen = choose(&live, now, last_record, system, request);
        let (start, on) = chosen.ok_or(Refusal::NoRoom)?;
        let end = start + length;
        let pes = ranges(&on);
        live.push(Booked { start, end, on });
        Ok(Placed {
            start: start * width,
            end: end * width,
            began: start * width,
            ran: request.run,
            pes,
            ..Placed::default()
        })
    };
    let outcome = |demand: &Demand| {
        let request = demand.request().ok_or_else(|| {
            Error::Internal("the plain definitions know reservations only".to_owned())
        })?;
        Ok(Outcome {
            demand: demand.clone(),
            decision: decide(request),
        })
    };
    demands.iter().map(outcome).collect()
}

/// The start and the processing elements that the definitions give.
fn choose(
    live: &[Booked],
    now: u64,
    open_end: u64,
    system: &System,
    request: &JobRequest,
) -> Option<(u64, Set)> {
    let width = u64::from(system.slot_seconds);
    let wanted = Wanted {
        ready: request.ready.div_ceil(width),
        duration: request.duration.div_ceil(width),
        deadline: request.deadline / width,
        pes: request.pes,
    };
    definitions::choose(live, now, open_end, &wanted, system.strategy.policy())
}

#[cfg(test)]
mod tests {
    use bookahead::Policy;

    use super::{recheck, simulate};
    use crate::engine::{Strategy, System};
    use crate::experiment::li::{
        Li,
        points::{DEFAULT, assumptions},
    };

    #[test]
    fn the_kernel_agrees_and_a_wrong_policy_is_noticed() {
        let paper = Li {
            jobs: 150,
            ..Li::new(3, false)
        };
        let main = &assumptions(&paper)[0];
        let policy = 2;
        let (outcomes, system) = (
            main.one(DEFAULT, 0, policy).unwrap().outcomes,
            main.systems[policy].1.clone(),
        );
        let right = recheck(&outcomes, &system, 1);
        assert!(right.looked_at > 100);
        assert_eq!(right.wrong, 0, "{right:?}");
        let again = simulate(&system, &(main.script)(DEFAULT, 0).unwrap().demands).unwrap();
        assert_eq!(again, outcomes);
        let other = System {
            strategy: Strategy::Fit(Policy::FirstFit),
            ..system
        };
        let wrong = recheck(&outcomes, &other, 1);
        assert!(wrong.wrong > 0 && wrong.first.is_some());
    }
}
