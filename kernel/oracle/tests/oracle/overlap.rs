//! Probabilities of overlaps against the equations of `xiao`, and against what happens in small systems.

use bookahead::{
    Exponential, Guarantee, History, Load, Money, Overlap, PeCount, Probability, Run, RunTimeLaw,
    Slot, Span, Stakes, Window,
};
use bookahead_oracle::papers::xiao::{
    equations,
    theorems::{self, Reserved},
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A probability as a float, which is exact.
fn float(probability: Probability) -> f64 {
    f64::from(probability.get().to_bits()) / f64::from(1_u32 << 31)
}

fn exponential(mean: u64) -> RunTimeLaw<'static> {
    RunTimeLaw::Exponential(Exponential::new(1, mean).unwrap())
}

fn run(pes: u16, start: u64, end: u64, law: RunTimeLaw<'_>) -> Run<'_> {
    Run {
        pes: PeCount::new(pes.into()),
        window: Window {
            start: Slot::new(start),
            end: Slot::new(end),
        },
        ran: Span::ZERO,
        law,
    }
}

/// Claims 4.01 and 4.02.
#[test]
fn equation_7_is_met_from_below() {
    for (mean, ts_k, ts_i, te_i) in [
        (10, 0, 10, 30),
        (3, 5, 9, 17),
        (50, 2, 4, 99),
        (1, 0, 30, 90),
    ] {
        // Figure 2: one job on the whole resource, to beyond the start of the newcomer.
        let overlap = Overlap {
            newcomer: run(1, ts_i, te_i, exponential(mean)),
            free: 0,
            predecessors: &[run(1, ts_k, ts_i + 1, exponential(mean))],
        };
        let mut table = [Probability::ZERO; 1];
        let kept = overlap.kept(Guarantee::Completion, [].into_iter(), &mut table);
        let times = [ts_k, ts_i, te_i].map(|slot| slot as f64);
        let [ts_k, ts_i, te_i] = times;
        let exact = equations::no_violation(1.0 / mean as f64, ts_k, ts_i, te_i);
        let error = exact - float(kept.unwrap());
        assert!(
            (0.0..3.0 / f64::from(1_u32 << 31)).contains(&error),
            "{error}"
        );
    }
}

/// Claim 4.03: the profit, where it is zero, and that a lower compensation lowers that.
#[test]
fn equation_5_is_met_from_below() {
    let stakes = |price, compensation| Stakes {
        price: Money::new(price),
        compensation: Money::new(compensation),
    };
    for (c, f) in [(100, 300), (250, 50), (1_000_000, 1), (7, 7)] {
        let at = stakes(c, f);
        for part in 0..=1_000 {
            let probability = Probability::rounding_down(part, 1_000).unwrap();
            let exact = equations::expected_profit(c as f64, f as f64, float(probability));
            assert_eq!(at.expected_profit(probability), exact.floor() as i128);
        }
        assert_eq!(at.expected_profit(Probability::ONE), i128::from(c));
        let error = float(at.break_even()) - equations::break_even(c as f64, f as f64);
        assert!((0.0..1.0 / f64::from(1_u32 << 31)).contains(&error));
        assert!(stakes(c, f / 2).break_even() < at.break_even());
    }
}

/// Slots at which everything begins and ends, and the slot in which the newcomer asks.
const SLOTS: u64 = 60;
const NOW: u64 = 20;
const SYSTEMS: usize = 400;
const DRAWS: u32 = 4_000;
const FOREVER: u64 = 10 * SLOTS;

/// How run times are distributed, in truth and as the kernel is told.
#[derive(Clone, Debug)]
enum Law {
    Exponential(u64),
    /// Service times in bins of this length.
    Times(u32, Vec<u32>),
    /// Shares of the booked duration.
    Shares(Vec<u32>),
}

impl Law {
    fn random(rng: &mut ChaCha8Rng, kind: usize) -> Self {
        let counters = |rng: &mut ChaCha8Rng| (0..5).map(|_| rng.random_range(0..40)).collect();
        match kind {
            0 => Self::Exponential(rng.random_range(2..30)),
            1 => Self::Times(rng.random_range(1..8), counters(rng)),
            _ => Self::Shares(counters(rng)),
        }
    }

    /// The run times longer than `ran`, each with its share of the draws up to it.
    fn run_times(&self, booked: u64, ran: u64) -> Vec<(f64, u64)> {
        let (bin, counters) = match self {
            Self::Exponential(_) => return Vec::new(),
            Self::Times(bin, counters) => (u64::from(*bin), counters),
            // Durations are multiples of the number of bins.
            Self::Shares(counters) => (booked / 4, counters),
        };
        // Uniform in each bin; what is longer is longer than anything.
        let times = (0..4 * bin).map(|slot| {
            let share = f64::from(counters[(slot / bin) as usize]) / bin as f64;
            (share, slot + 1)
        });
        let times = times.chain([(counters[4].into(), FOREVER)]);
        let mut times: Vec<(f64, u64)> = times.filter(|&(_, time)| time > ran).collect();
        let all: f64 = times.iter().map(|&(share, _)| share).sum();
        let mut so_far = 0.0;
        for (share, _) in &mut times {
            so_far += *share / all;
            *share = so_far;
        }
        times
    }
}

/// A firm reservation.
#[derive(Clone, Debug)]
struct Firm {
    pes: u16,
    start: u64,
    end: u64,
    law: Law,
}

impl Firm {
    fn covers(&self, slot: u64) -> bool {
        self.start <= slot && slot < self.end
    }

    /// Its random ends of its own accord, after `now`.
    fn ends(&self) -> impl Fn(&mut ChaCha8Rng) -> u64 {
        let (start, ran) = (self.start, self.ran());
        let times = self.law.run_times(self.end - start, ran);
        let mean = match self.law {
            Law::Exponential(mean) => mean as f64,
            Law::Times(..) | Law::Shares(_) => 0.0,
        };
        move |rng| {
            let uniform: f64 = rng.random();
            if mean > 0.0 {
                return start + ran + (-(1.0 - uniform).ln() * mean).ceil().max(1.0) as u64;
            }
            let index = times.partition_point(|&(up_to, _)| up_to <= uniform);
            start + times.get(index).map_or(FOREVER, |&(_, time)| time)
        }
    }

    /// The slots it is known to have run.
    fn ran(&self) -> u64 {
        NOW.saturating_sub(self.start)
    }
}

/// A machine, its reservations, and a newcomer for which there is no room.
#[derive(Clone, Debug)]
struct System {
    pes: u16,
    firm: Vec<Firm>,
    /// PEs that overlays accepted before wait for, in each slot.
    overlaid: Vec<u16>,
    newcomer: Firm,
}

/// What happened in the draws, as shares of them.
#[derive(Clone, Copy, Debug)]
struct Observed {
    started: f64,
    access: f64,
    completion: f64,
}

impl System {
    fn random(rng: &mut ChaCha8Rng, kind: usize) -> Self {
        let pes = rng.random_range(1..=8);
        let job = |rng: &mut ChaCha8Rng, starts: std::ops::Range<u64>| {
            let start = rng.random_range(starts);
            Firm {
                pes: rng.random_range(1..=pes),
                start,
                end: start + 4 * rng.random_range(1..=7),
                law: Law::random(rng, kind),
            }
        };
        let mut system = Self {
            pes,
            firm: Vec::new(),
            overlaid: vec![0; 2 * SLOTS as usize],
            newcomer: job(rng, NOW + 1..40),
        };
        for _ in 0..12 {
            let firm = job(rng, 0..SLOTS);
            let fits = (firm.start..firm.end).all(|slot| system.busy(slot) + firm.pes <= pes);
            if fits && firm.end > NOW {
                system.firm.push(firm);
            }
        }
        if rng.random_bool(0.3) {
            let Firm { start, end, .. } = job(rng, NOW..SLOTS);
            let overlaid = rng.random_range(1..=pes);
            system.overlaid[start as usize..end as usize].fill(overlaid);
        }
        system
    }

    fn busy(&self, slot: u64) -> u16 {
        let there = self.firm.iter().filter(|firm| firm.covers(slot));
        there.map(|firm| firm.pes).sum()
    }

    /// The PEs nobody has booked or waits for.
    fn free(&self, slot: u64) -> i32 {
        let taken = self.busy(slot) + self.overlaid[slot as usize];
        i32::from(self.pes) - i32::from(taken)
    }

    fn has_room(&self) -> bool {
        let mut slots = self.newcomer.start..self.newcomer.end;
        slots.all(|slot| self.free(slot) >= i32::from(self.newcomer.pes))
    }

    /// Calls `see` with the overlap, as the kernel is told it.
    fn overlap<T>(&self, conditional: bool, see: impl FnOnce(&Overlap<'_>) -> T) -> T {
        let jobs = || self.firm.iter().chain([&self.newcomer]);
        let mut counters: Vec<Vec<u32>> = jobs()
            .map(|job| match &job.law {
                Law::Times(_, counters) | Law::Shares(counters) => counters.clone(),
                Law::Exponential(_) => Vec::new(),
            })
            .collect();
        let histories: Vec<Option<History<'_>>> = jobs()
            .zip(&mut counters)
            .map(|(job, counters)| match job.law {
                Law::Times(bin, _) => History::of_service_times(Span::new(bin), counters),
                Law::Shares(_) => History::of_used_shares(counters),
                Law::Exponential(_) => None,
            })
            .collect();
        let runs: Vec<Run<'_>> = jobs()
            .zip(&histories)
            .map(|(job, history)| {
                let law = match (&job.law, history) {
                    (Law::Exponential(mean), _) => exponential(*mean),
                    (_, history) => RunTimeLaw::Empirical(history.as_ref().unwrap()),
                };
                let ran = if conditional { job.ran() as u32 } else { 0 };
                Run {
                    ran: Span::new(ran),
                    ..run(job.pes, job.start, job.end, law)
                }
            })
            .collect();
        let (newcomer, predecessors) = runs.split_last().unwrap();
        see(&Overlap {
            newcomer: *newcomer,
            free: self.free(self.newcomer.start),
            predecessors,
        })
    }

    fn loads(&self) -> impl Iterator<Item = Load> + Clone {
        (self.newcomer.start + 1..self.newcomer.end).map(|slot| Load {
            at: Slot::new(slot),
            free: self.free(slot),
        })
    }

    fn promised(&self, guarantee: Guarantee) -> f64 {
        let mut table = [Probability::ZERO; 8];
        let kept = self.overlap(true, |overlap| {
            overlap.kept(guarantee, self.loads(), &mut table)
        });
        float(kept.unwrap())
    }

    fn free_start(&self, conditional: bool) -> f64 {
        let mut table = [Probability::ZERO; 8];
        float(
            self.overlap(conditional, |overlap| overlap.free_start(&mut table))
                .unwrap(),
        )
    }

    /// Lets it happen many times.
    fn observe(&self, rng: &mut ChaCha8Rng) -> Observed {
        let Firm { start, end, .. } = self.newcomer;
        let draws: Vec<_> = self.firm.iter().map(Firm::ends).collect();
        let draw_own = self.newcomer.ends();
        let more = |slot: &u64| self.free(*slot) < self.free(*slot - 1);
        let comes = |slot: &u64| self.firm.iter().any(|firm| firm.start == *slot);
        let critical: Vec<u64> = (start + 1..end)
            .filter(|slot| more(slot) || comes(slot))
            .collect();
        let mut ends = Vec::new();
        let (mut started, mut access, mut completion) = (0, 0, 0);
        for _ in 0..DRAWS {
            ends.clear();
            ends.extend(draws.iter().map(|draw| draw(rng)));
            let own = draw_own(rng);
            let in_the_way = |slot: u64| {
                let there = self.firm.iter().zip(&ends);
                let running = there.filter(|(firm, end)| firm.covers(slot) && slot < **end);
                let busy: u16 = running.map(|(firm, _)| firm.pes).sum();
                busy + self.overlaid[slot as usize] + self.newcomer.pes > self.pes
            };
            if in_the_way(start) {
                continue;
            }
            started += 1;
            let mut before_its_end = critical.iter().take_while(|&&slot| slot < own);
            if !before_its_end.any(|&slot| in_the_way(slot)) {
                access += 1;
                completion += u32::from(own <= end);
            }
        }
        let share = |count| f64::from(count) / f64::from(DRAWS);
        Observed {
            started: share(started),
            access: share(access),
            completion: share(completion),
        }
    }

    /// Theorem 1 as printed, with the conditional law.
    fn theorem_1(&self) -> f64 {
        let start = Slot::new(self.newcomer.start);
        let alpha: Vec<Reserved> = self.overlap(true, |overlap| {
            let covering = overlap.predecessors.iter();
            let covering = covering.filter(|run| run.window.contains(start));
            let reserved = covering.map(|run| Reserved {
                quantity: run.pes.get(),
                start: run.window.start.get(),
                finished: float(run.finished_by(start)),
            });
            reserved.collect()
        });
        // The theorem knows no negative capacity.
        let lacking = (i32::from(self.newcomer.pes) - self.free(self.newcomer.start)).max(0);
        theorems::start(lacking as u32, 0, &alpha)
    }

    /// The probability that the newcomer finishes by a slot, or 1 without one.
    fn finishes_by(&self, slot: Option<u64>) -> f64 {
        slot.map_or(1.0, |slot| {
            self.overlap(true, |overlap| {
                float(overlap.newcomer.finished_by(Slot::new(slot)))
            })
        })
    }

    /// The slot at which equation 14 finds somebody in the way.
    fn equation_14(&self) -> Option<u64> {
        let Firm {
            pes, start, end, ..
        } = self.newcomer;
        let later = self.firm.iter();
        let later = later.filter(|firm| start < firm.start && firm.start < end);
        let beta: Vec<Reserved> = later
            .map(|firm| Reserved {
                quantity: firm.pes.into(),
                start: firm.start,
                finished: 0.0,
            })
            .collect();
        theorems::first_in_the_way(pes.into(), self.pes.into(), &beta).map(|job| job.start)
    }

    /// The first later slot without room even if all predecessors have finished.
    fn certain_conflict(&self) -> Option<u64> {
        let Firm { start, end, .. } = self.newcomer;
        (start + 1..end).find(|&slot| {
            let both = |firm: &&Firm| firm.covers(start) && firm.covers(slot);
            let gone: u16 = self.firm.iter().filter(both).map(|firm| firm.pes).sum();
            self.free(slot) + i32::from(gone) < i32::from(self.newcomer.pes)
        })
    }
}

/// Small systems with at least one predecessor that may make room in time.
fn systems() -> impl Iterator<Item = (usize, System)> {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let draw = move |number: usize| loop {
        let system = System::random(&mut rng, number % 3);
        if !system.has_room() && system.free_start(true) > 0.02 {
            return (number, system);
        }
    };
    (0..SYSTEMS).map(draw)
}

/// How far two shares of that many draws may be apart by chance.
fn noise(share: f64) -> f64 {
    4.5 * (share * (1.0 - share) / f64::from(DRAWS)).sqrt() + 3.0 / f64::from(DRAWS)
}

/// The probability of a free start is that of all outcomes with enough free PEs together.
#[test]
fn a_free_start_is_the_sum_of_all_outcomes() {
    for (_, system) in systems() {
        let (free, late, exact) = system.overlap(true, |overlap| {
            let start = overlap.newcomer.window.start;
            let covering = overlap.predecessors.iter();
            let covering: Vec<_> = covering.filter(|run| run.window.contains(start)).collect();
            let lacking = i64::from(overlap.newcomer.pes.get()) - i64::from(overlap.free);
            let mut exact = 0.0;
            for set in 0..1_u32 << covering.len() {
                let (mut probability, mut freed) = (1.0, 0);
                for (index, run) in covering.iter().enumerate() {
                    let finished = float(run.finished_by(start));
                    let gone = set >> index & 1 == 1;
                    probability *= if gone { finished } else { 1.0 - finished };
                    freed += if gone { i64::from(run.pes.get()) } else { 0 };
                }
                exact += if freed >= lacking { probability } else { 0.0 };
            }
            let mut table = [Probability::ZERO; 8];
            let free = float(overlap.free_start(&mut table).unwrap());
            (free, float(overlap.late_start(&mut table).unwrap()), exact)
        });
        assert!(
            (-1e-12..1e-8).contains(&(exact - free)),
            "{exact} {free} {system:?}"
        );
        assert!(free + late <= 1.0);
    }
}

/// The greatest of some differences.
#[derive(Default)]
struct Most(f64);

impl Most {
    fn see(&mut self, difference: f64) {
        self.0 = self.0.max(difference);
    }
}

/// No promise is above what happens, in either sense of a violation.
#[test]
fn no_promise_is_above_what_happens() {
    let (mut exponential, mut cautious, mut most) = (0, 0.0, Most::default());
    for (number, system) in systems() {
        let observed = system.observe(&mut ChaCha8Rng::seed_from_u64(number as u64));
        let start = system.free_start(true);
        let access = system.promised(Guarantee::Access);
        let completion = system.promised(Guarantee::Completion);
        for (promised, happened) in [
            (start, observed.started),
            (access, observed.access),
            (completion, observed.completion),
        ] {
            let above = promised - happened;
            assert!(above <= noise(promised), "{number}: {above} in {system:?}");
        }
        assert!(completion <= access && access <= start);
        // An exponential law is known exactly; of a histogram, only whole bins count.
        if matches!(system.newcomer.law, Law::Exponential(_)) {
            assert!(observed.started - start <= noise(start), "{number}");
            exponential += 1;
            cautious += observed.access - access;
            most.see(observed.access - access);
        }
    }
    let cautious = cautious / f64::from(exponential);
    println!(
        "{SYSTEMS} systems with {DRAWS} draws each; with exponential laws the promise of access"
    );
    println!(
        "is {cautious:.3} below what happens on average, at most {:.3}",
        most.0
    );
    assert!(cautious < 0.03);
}

/// How far the theorems are off as printed, and other readings of them.
#[test]
fn printed_theorems_promise_too_little_and_too_much() {
    let [mut theorem_1, mut both, mut unconditional, mut finished]: [Most; 4] = Default::default();
    for (number, system) in systems() {
        let observed = system.observe(&mut ChaCha8Rng::seed_from_u64(number as u64));
        let start = system.free_start(true);
        let first = system.theorem_1();
        assert!(first <= start + 1e-7, "theorem 1 is a lower bound");
        theorem_1.see(start - first);
        // The paper knows no other overlays.
        if system.overlaid.iter().all(|&pes| pes == 0) {
            both.see(first * system.finishes_by(system.equation_14()) - observed.access);
        }
        unconditional.see(system.free_start(false) - observed.started);
        let certain = system.finishes_by(system.certain_conflict());
        finished.see(start * certain - observed.access);
    }
    let show = |what, most: Most, least: f64| {
        println!("{what}: up to {:.3}", most.0);
        assert!(most.0 > least, "{what}");
    };
    show(
        "theorem 1 below the probability of a free start",
        theorem_1,
        0.2,
    );
    show("theorem 1 x theorem 2 above what happens", both, 0.5);
    show(
        "equation 6, unconditional, above what happens",
        unconditional,
        0.5,
    );
    show(
        "loads as if all predecessors had finished, above what happens",
        finished,
        0.5,
    );
}
