//! The policies by their definitions, worked out anew from the accepted jobs alone, without the kernel.
//!
//! Source: `li`, sections 4.2 and 5.

use bookahead::{Money, Policy, Refusal};

use super::points::PES;
use crate::{
    engine::{Outcome, Placed, Strategy, System},
    error::{Error, Result},
    experiment::basis::Count,
    request::{Demand, JobRequest},
};

/// A set of processing elements.
type Set = [u64; PES as usize / 64];

/// An accepted job, in slots.
#[derive(Clone, Copy)]
struct Booked {
    start: u64,
    end: u64,
    on: Set,
}

/// What a policy looks at.
struct Rectangle {
    start: u64,
    free: u64,
    length: u64,
    set: Set,
}

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
            let kernel = decided.map(|booked| (booked.start, booked.on));
            found.case(chosen == kernel, || {
                format!("job {} under {}", request.job_id, policy(system).name())
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
            return Err(Refusal::WindowTooShort.into());
        }
        let last_record = live.iter().map(|booked| booked.end).max().unwrap_or(now);
        let chosen = choose(&live, now, last_record, system, request);
        let (start, on) = chosen.ok_or(Refusal::NoRoom)?;
        let end = start + length;
        live.push(Booked { start, end, on });
        Ok(Placed {
            start: start * width,
            end: end * width,
            began: start * width,
            ran: request.run,
            pes: ranges(on),
            price: Money::ZERO,
            changed: None,
        })
    };
    let outcome = |demand: &Demand| {
        let request = demand.request().ok_or_else(|| {
            Error::Internal("the plain definitions know reservations only".to_owned())
        })?;
        Ok(Outcome {
            demand: demand.clone(),
            fate: decide(request),
        })
    };
    demands.iter().map(outcome).collect()
}

/// The policy of a system that has one.
const fn policy(system: &System) -> Policy {
    match system.strategy {
        Strategy::Fit(policy) => policy,
        Strategy::Rigid | Strategy::Elastic(_) => Policy::FirstFit,
    }
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
    let ready = request.ready.div_ceil(width);
    let duration = request.duration.div_ceil(width);
    let latest = (request.deadline / width).checked_sub(duration)?;
    let ring = now..open_end;
    let mut best: Option<(u64, Rectangle)> = None;
    for start in candidates(live, ready, latest, duration) {
        let found = rectangle(live, &ring, start, duration);
        if found.free < request.pes {
            continue;
        }
        let cost = cost(policy(system), &found);
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, found));
        }
    }
    best.map(|(_, found)| (found.start, lowest(found.set, request.pes)))
}

/// What a policy makes least of.
fn cost(policy: Policy, found: &Rectangle) -> u64 {
    match policy {
        Policy::FirstFit => found.start,
        Policy::PeBestFit => found.free,
        Policy::PeWorstFit => u64::MAX - found.free,
        Policy::DurationBestFit => found.length,
        Policy::DurationWorstFit => u64::MAX - found.length,
        Policy::PeDurationBestFit => found.free * found.length,
        Policy::PeDurationWorstFit => u64::MAX - found.free * found.length,
    }
}

/// Starts to look at, in increasing order: the times at which the set of busy processing elements changes, the ready time and
/// the deadline, and each of these less the duration.
fn candidates(live: &[Booked], ready: u64, latest: u64, duration: u64) -> Vec<u64> {
    let deadline = latest + duration;
    let mut times: Vec<u64> = live
        .iter()
        .flat_map(|booked| [booked.start, booked.end])
        .filter(|time| (ready..=deadline).contains(time))
        .filter(|&time| time == 0 || busy(live, time - 1) != busy(live, time))
        .collect();
    times.extend([ready, deadline]);
    let earlier: Vec<u64> = times
        .iter()
        .filter_map(|time| time.checked_sub(duration))
        .collect();
    times.extend(earlier);
    times.retain(|time| (ready..=latest).contains(time));
    times.sort_unstable();
    times.dedup();
    times
}

fn busy(live: &[Booked], slot: u64) -> Set {
    let covering = live
        .iter()
        .filter(|booked| (booked.start..booked.end).contains(&slot));
    covering.fold([0; 16], |all, booked| join(all, booked.on))
}

fn rectangle(live: &[Booked], ring: &std::ops::Range<u64>, start: u64, duration: u64) -> Rectangle {
    let end = start + duration;
    let overlapping = live
        .iter()
        .filter(|booked| booked.start < end && start < booked.end);
    let taken = overlapping.fold([0; 16], |all, booked| join(all, booked.on));
    let set = taken.map(|word| !word);
    let in_the_way = || {
        live.iter()
            .filter(|booked| booked.on.iter().zip(set).any(|(on, free)| on & free != 0))
    };
    let before = in_the_way()
        .map(|booked| booked.end)
        .filter(|time| *time <= start);
    let after = in_the_way()
        .map(|booked| booked.start)
        .filter(|time| *time >= end);
    let from = before.max().unwrap_or(0).max(ring.start);
    let to = after.min().unwrap_or(u64::MAX).min(ring.end.max(end));
    Rectangle {
        start,
        free: set.iter().map(|word| u64::from(word.count_ones())).sum(),
        length: to - from,
        set,
    }
}

fn join(a: Set, b: Set) -> Set {
    std::array::from_fn(|word| a[word] | b[word])
}

fn lowest(set: Set, count: u64) -> Set {
    let mut left = count;
    set.map(|word| {
        let mut kept = 0;
        for bit in (0..64).map(|bit| 1 << bit).filter(|bit| word & bit != 0) {
            if left > 0 {
                kept |= bit;
                left -= 1;
            }
        }
        kept
    })
}

fn ranges(set: Set) -> Vec<(u16, u16)> {
    let mut ranges: Vec<(u16, u16)> = Vec::new();
    for pe in (0..PES).filter(|pe| set[usize::from(pe / 64)] >> (pe % 64) & 1 == 1) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == pe => *last = pe,
            _ => ranges.push((pe, pe)),
        }
    }
    ranges
}

fn set(ranges: &[(u16, u16)]) -> Set {
    let mut set = [0; 16];
    for pe in ranges.iter().flat_map(|&(first, last)| first..=last) {
        if let Some(word) = set.get_mut(usize::from(pe / 64)) {
            *word |= 1 << (pe % 64);
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use bookahead::Policy;

    use super::{recheck, simulate};
    use crate::{
        engine::{Strategy, System},
        experiment::li::{
            Li,
            points::{DEFAULT, assumptions},
        },
    };

    #[test]
    fn the_kernel_agrees_and_a_wrong_policy_is_noticed() {
        let paper = Li {
            jobs: 150,
            ..Li::quick(3)
        };
        let main = &assumptions(&paper)[0];
        let policy = 2;
        let (outcomes, system) = (
            main.one(DEFAULT, 0, policy).unwrap(),
            main.systems[policy].1,
        );
        let right = recheck(&outcomes, &system, 1);
        assert!(right.looked_at > 100);
        assert_eq!(right.wrong, 0, "{}", right.first);
        let again = simulate(&system, &(main.demands)(DEFAULT, 0).unwrap()).unwrap();
        assert_eq!(again, outcomes);
        let other = System {
            strategy: Strategy::Fit(Policy::FirstFit),
            ..system
        };
        let wrong = recheck(&outcomes, &other, 1);
        assert!(wrong.wrong > 0 && !wrong.first.is_empty());
    }
}
