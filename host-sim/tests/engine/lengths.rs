//! Requests that leave their length open get the longest that trying every length finds.

use bookahead::Policy;
use bookahead_sim::{
    engine::{self, Binding, Outcome, Overlay, RiskLimit, Strategy, System},
    error::Error,
    request::{Demand, JobRequest},
};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{checked, small};

const SLOT: u64 = 60;

fn demands(count: u64, rng: &mut impl Rng) -> Vec<Demand> {
    let mut arrival = 0;
    let demands = (1..=count).map(|job_id| {
        arrival += rng.random_range(0..3 * SLOT);
        let ready = arrival + rng.random_range(0..5 * SLOT);
        let duration = rng.random_range(1..10 * SLOT);
        let shortest = rng.random_bool(0.7).then(|| rng.random_range(1..=duration));
        // Some windows are shorter than the longest length, or than each.
        let slack = rng.random_range(0..8 * SLOT);
        let deadline = (ready + duration + slack).saturating_sub(rng.random_range(0..6 * SLOT));
        Demand::Reserve(JobRequest {
            job_id,
            arrival,
            ready,
            duration,
            shortest,
            deadline,
            pes: rng.random_range(1..=4),
            run: rng.random_range(1..=duration),
            flexible: true,
            ..JobRequest::default()
        })
    });
    demands.collect()
}

/// What a request for this length alone becomes when everything before it is as it was.
fn alone(system: &System, before: &[Demand], asked: &JobRequest, duration: u64) -> Outcome {
    let mut demands = before.to_vec();
    demands.push(Demand::Reserve(JobRequest {
        duration,
        shortest: None,
        run: asked.run.min(duration),
        ..asked.clone()
    }));
    let mut outcomes = engine::run(system, &demands, &|| {}).unwrap();
    outcomes.pop().unwrap()
}

/// Start, end, what others had of it, and the site; nothing where it is refused.
fn place(outcome: &Outcome) -> Option<([u64; 2], u16, u16)> {
    let placed = outcome.decision.as_ref().ok()?;
    let overlaid = placed.overlay.map_or(0, |overlay| overlay.pes);
    Some(([placed.start, placed.end], overlaid, placed.site))
}

/// Compares each decision with those for all lengths, the longest first; counts requests that were granted all, less, and nothing.
fn compare(system: &System, seed: u64) -> [usize; 3] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let demands = demands(14, &mut rng);
    let outcomes = checked(system, &demands);
    let mut before = Vec::new();
    let mut counts = [0; 3];
    for outcome in &outcomes {
        let asked = outcome.demand.request().unwrap();
        let mut granted = asked.duration;
        if let Some(shortest) = asked.shortest {
            let least = shortest.div_ceil(SLOT);
            let slots = (least..=asked.duration.div_ceil(SLOT)).rev();
            let lengths = slots.map(|slots| match slots == least {
                true => shortest,
                false => (slots * SLOT).min(asked.duration),
            });
            let each: Vec<Outcome> = lengths
                .map(|length| alone(system, &before, asked, length))
                .collect();
            let is_firm = |one: &&Outcome| place(one).is_some_and(|(_, overlaid, _)| overlaid == 0);
            let on_top = || each.iter().find(|one| place(one).is_some());
            let best = each.iter().find(is_firm).or_else(on_top);
            assert_eq!(
                place(outcome),
                best.and_then(place),
                "seed {seed}: {asked:?}"
            );
            let refused = each.last().and_then(|one| one.decision.as_ref().err());
            if best.is_none() {
                assert_eq!(outcome.decision.as_ref().err(), refused, "{asked:?}");
            }
            if let Ok(placed) = &outcome.decision {
                granted = placed.granted(asked.duration);
            }
            let kind = match best {
                Some(_) => usize::from(granted < asked.duration),
                None => 2,
            };
            counts[kind] += 1;
        }
        before.push(Demand::Reserve(JobRequest {
            duration: granted,
            shortest: None,
            run: asked.run.min(granted),
            ..asked.clone()
        }));
        if outcome.decision.is_err() {
            before.pop();
        }
    }
    counts
}

#[test]
fn the_longest_length_is_the_one_that_trying_each_finds() {
    let overlay = Strategy::Overlay(Overlay {
        threshold: RiskLimit::Fixed(300_000),
        ..Overlay::default()
    });
    let fit = Strategy::Fit(Policy::FirstFit);
    let systems = [
        small(fit, Binding::Early, None),
        small(fit, Binding::Late, None),
        small(
            Strategy::Fit(Policy::PeDurationWorstFit),
            Binding::Early,
            None,
        ),
        small(overlay, Binding::Late, None),
        System {
            sites: 2,
            ..small(fit, Binding::Late, None)
        },
    ];
    for system in systems {
        let mut counts = [0; 3];
        for seed in 0..40 {
            for (sum, count) in counts.iter_mut().zip(compare(&system, seed)) {
                *sum += count;
            }
        }
        assert!(
            counts.iter().all(|count| *count > 20),
            "{counts:?}: {system:?}"
        );
    }
}

#[test]
fn ranges_are_for_strategies_that_grant_them() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let demands = demands(5, &mut rng);
    let refused = |system: &System| match engine::run(system, &demands, &|| {}) {
        Err(Error::Usage(problem)) => problem,
        other => panic!("{other:?}"),
    };
    let rigid = refused(&small(Strategy::Rigid, Binding::Late, None));
    assert!(rigid.starts_with("--strategy rigid grants one length only, but request "));
    let copies = refused(&System {
        sites: 2,
        redundancy: "copies:2".parse().ok(),
        ..small(Strategy::Fit(Policy::FirstFit), Binding::Late, None)
    });
    assert!(copies.starts_with("--redundancy copies:2: all copies have one length, but request "));
}
