//! Redundant reservations against the equations of `xiao`, against brute force, and against what happens.

use bookahead::{
    Probability, Replica, Slot, Subtask, kept_by_any, replicas_needed, select_replicas,
};
use bookahead_oracle::papers::xiao::equations;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A probability as a float, which is exact.
fn float(probability: Probability) -> f64 {
    f64::from(probability.get().to_bits()) / f64::from(1_u32 << 31)
}

fn percent(part: u32) -> Probability {
    Probability::rounding_down(part, 100).unwrap()
}

/// Claims 4.07 and 4.08: equation 15 by multiplication, and equation 16 with its bounds swapped.
#[test]
fn equations_15_and_16_count_the_sites() {
    for w in 1..100 {
        let wanted = Probability::rounding_up(w, 100).unwrap();
        for p in 1..100 {
            let site = (f64::from(p) / 100.0, 1.0);
            let needed = replicas_needed(percent(p), wanted, 1_000).unwrap();
            let kept = |count: u32| equations::any_site(&vec![site; count as usize]);
            // Where the equation is met exactly, rounding asks for one more.
            assert!(kept(needed) >= f64::from(w) / 100.0 - 1e-9, "{w} {p}");
            assert!(kept(needed - 1) < f64::from(w) / 100.0 + 1e-7, "{w} {p}");
        }
    }
    let wanted = percent(99);
    let [good, poor] = [80, 50].map(|p| replicas_needed(percent(p), wanted, 99).unwrap());
    let printed = equations::redundancy(0.99, &[(0.8, 1.0), (0.5, 1.0)]);
    assert_eq!((good, poor), (3, 7));
    assert_eq!(
        printed,
        (f64::from(poor), f64::from(good)),
        "(K_min, K_max)"
    );
}

/// Claim 4.07: copies of one job are not independent, so that equation 15 promises what does not happen.
#[test]
fn equation_15_promises_too_much() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    let mut above = 0.0_f64;
    for _ in 0..400 {
        let sites = random_sites(&mut rng);
        let replicas: Vec<Replica> = sites.iter().map(Site::replica).collect();
        let mut in_turn = sites.clone();
        in_turn.sort_by(|one, other| {
            let start = one.start.cmp(&other.start);
            start.then(other.beta.total_cmp(&one.beta))
        });
        let draws = 4_000;
        let kept = (0..draws).filter(|_| {
            let starts = |site: &&Site| rng.random_bool(site.alpha);
            let first = in_turn.iter().find(starts).map(|site| site.beta);
            first.is_some_and(|beta| rng.random_bool(beta))
        });
        let happened = kept.count() as f64 / f64::from(draws);
        let promised = float(kept_by_any(&replicas));
        let noise = 4.5 * (promised * (1.0 - promised) / f64::from(draws)).sqrt() + 0.001;
        assert!(
            (promised - happened).abs() <= noise,
            "{promised} {happened} {sites:?}"
        );
        let pairs: Vec<(f64, f64)> = sites.iter().map(|site| (site.alpha, site.beta)).collect();
        above = above.max(equations::any_site(&pairs) - happened);
    }
    println!("equation 15: up to {above:.3} above what happens");
    assert!(above > 0.3);
    // The example of five equal sites.
    let equation = equations::any_site(&[(0.8, 0.8); 5]);
    assert!((equation - 0.994).abs() < 0.001);
}

#[derive(Clone, Debug)]
struct Site {
    start: u64,
    alpha: f64,
    beta: f64,
}

impl Site {
    fn replica(&self) -> Replica {
        let probability = |p: f64| Probability::rounding_down((p * 1e9) as u32, 1_000_000_000);
        Replica {
            site: 0,
            start: Slot::new(self.start),
            late: probability(1.0 - self.alpha).unwrap(),
            kept: probability(self.alpha * self.beta).unwrap(),
        }
    }
}

fn random_sites(rng: &mut ChaCha8Rng) -> Vec<Site> {
    let site = |rng: &mut ChaCha8Rng| Site {
        start: rng.random_range(0..4),
        alpha: rng.random(),
        beta: rng.random(),
    };
    let count = rng.random_range(1..=5);
    (0..count).map(|_| site(rng)).collect()
}

/// The fewest replicas with which all subtasks are kept with a probability, by trying all choices.
fn fewest(application: &[Vec<Replica>], wanted: Probability) -> Option<usize> {
    // For each subtask and each number of replicas the best choice: others cannot be better for the product.
    let best = |replicas: &Vec<Replica>| {
        let mut best = vec![Probability::ZERO; replicas.len() + 1];
        for set in 0..1_u32 << replicas.len() {
            let members = replicas.iter().enumerate();
            let members = members.filter(|(index, _)| set >> index & 1 == 1);
            let chosen: Vec<Replica> = members.map(|(_, replica)| *replica).collect();
            best[chosen.len()] = best[chosen.len()].max(kept_by_any(&chosen));
        }
        best
    };
    let mut totals = vec![(0, Probability::ONE)];
    for best in application.iter().map(best) {
        totals = totals
            .iter()
            .flat_map(|&(count, kept)| {
                let each = best.iter().enumerate();
                each.map(move |(more, &one)| (count + more, kept.times_rounding_down(one)))
            })
            .collect();
    }
    let enough = totals.iter().filter(|&&(_, kept)| kept >= wanted);
    enough.map(|&(count, _)| count).min()
}

/// Compares greedy choices with all choices, and returns how many were refused needlessly, had too many replicas, and had
/// as few as possible. `sure`: what has started is kept, so that the replicas are independent.
fn compare(sure: bool) -> [usize; 3] {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut counts = [0; 3];
    for _ in 0..20_000 {
        let subtasks = rng.random_range(1..=3);
        let mut application: Vec<Vec<Replica>> = (0..subtasks)
            .map(|_| {
                let mut sites = random_sites(&mut rng);
                if sure {
                    sites.iter_mut().for_each(|site| site.beta = 1.0);
                }
                sites.iter().map(Site::replica).collect()
            })
            .collect();
        let wanted = percent(rng.random_range(5..95));
        let fewest = fewest(&application, wanted);
        let mut greedy: Vec<Subtask<'_>> = application
            .iter_mut()
            .map(|replicas| Subtask {
                replicas,
                chosen: 0,
            })
            .collect();
        let kept = select_replicas(&mut greedy, wanted);
        let chosen: usize = greedy.iter().map(|subtask| subtask.chosen).sum();
        match (kept, fewest) {
            (Some(kept), Some(fewest)) => {
                assert!(kept >= wanted && chosen >= fewest);
                counts[if chosen == fewest { 2 } else { 1 }] += 1;
            }
            (None, Some(_)) => counts[0] += 1,
            (None, None) => {}
            (Some(_), None) => panic!("a choice that does not exist: {greedy:?}"),
        }
    }
    counts
}

/// Claim 4.27.
#[test]
fn independent_replicas_are_chosen_with_as_few_as_possible() {
    let [refused, more, fewest] = compare(true);
    assert_eq!([refused, more], [0, 0]);
    assert!(fewest > 5_000, "{fewest}");
}

#[test]
fn greedy_choices_are_seldom_too_many() {
    let [refused, more, fewest] = compare(false);
    println!("greedy: {fewest} with as few as possible, {more} with more, {refused} not found");
    assert!(fewest > 5_000 && 0 < more && 0 < refused && more + refused < fewest / 100);
}
