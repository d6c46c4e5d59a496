//! Probabilities, laws of run times and thresholds, to the last bit where rounding matters.

use bookahead::{
    Exponential, Guarantee, History, Load, Money, Overlap, PeCount, Probability, Replica, Run,
    RunTimeLaw, Slot, Span, Stakes, Steering, Subtask, Threshold, Window, kept_by_any,
    replicas_needed, select_replicas,
};
use fixed::types::U1F31;

const ONE: u32 = 1 << 31;

/// A probability of so many steps of 2^-31.
fn steps(bits: u32) -> Probability {
    Probability::new(U1F31::from_bits(bits)).unwrap()
}

fn bits(probability: Probability) -> u32 {
    probability.get().to_bits()
}

fn percent(part: u32) -> Probability {
    Probability::rounding_down(part, 100).unwrap()
}

/// A run from slot 100 to slot 120 that has run for `ran` slots.
fn run(law: RunTimeLaw<'_>, ran: u32) -> Run<'_> {
    let window = Window {
        start: Slot::new(100),
        end: Slot::new(120),
    };
    Run {
        pes: PeCount::new(1),
        window,
        ran: Span::new(ran),
        law,
    }
}

#[test]
fn ratios_round_as_they_say() {
    let ratio = |part, whole| {
        let down = bits(Probability::rounding_down(part, whole)?);
        Some((down, bits(Probability::rounding_up(part, whole)?) - down))
    };
    assert_eq!(ratio(1, 2), Some((1 << 30, 0)));
    assert_eq!(ratio(1, 3), Some((715_827_882, 1)));
    assert_eq!(ratio(u32::MAX, u32::MAX), Some((ONE, 0)));
    assert_eq!(ratio(u32::MAX - 1, u32::MAX), Some((ONE - 1, 1)));
    assert_eq!(ratio(0, 7), Some((0, 0)));
    assert_eq!([ratio(8, 7), ratio(0, 0)], [None, None]);
    assert_eq!(Probability::new(U1F31::from_bits(ONE + 1)), None);
}

#[test]
fn products_round_as_they_say() {
    let third = percent(33);
    let down = third.times_rounding_down(third);
    assert_eq!(bits(third.times_rounding_up(third)) - bits(down), 1);
    assert_eq!(steps(1).times_rounding_down(steps(1)), Probability::ZERO);
    assert_eq!(steps(1).times_rounding_up(steps(1)), steps(1));
    let one = Probability::ONE;
    assert_eq!(one.times_rounding_up(one), one);
    assert_eq!(one.times_rounding_down(third), third);
}

/// exp(-k / 4) for k from 0 to 8, in steps of 2^-31, rounded down; computed with sixty digits.
const EXPONENTIALS: [u32; 9] = [
    2147483648, 1672461946, 1302514673, 1014399447, 790015084, 615264366, 479168370, 373176702,
    290630307,
];

#[test]
fn an_exponential_law_is_enclosed_closely() {
    let law = RunTimeLaw::Exponential(Exponential::new(1, 4).unwrap());
    for ran in [0, 7, 1_000] {
        let run = run(law, ran);
        for (slot, exact) in (0..).zip(EXPONENTIALS).skip(1) {
            let at = Slot::new(100 + u64::from(ran) + slot);
            let (unfinished, finished) = (bits(run.unfinished_at(at)), bits(run.finished_by(at)));
            // The exact value lies between the number of steps and the next.
            assert_eq!(unfinished, exact, "{slot}");
            assert_eq!(finished, ONE - exact - 1, "{slot}");
        }
    }
}

/// The bits of 24,000 probabilities, as one number.
fn digest() -> u32 {
    let mut digest = 2_166_136_261_u32;
    for jobs in 1..=20 {
        for slots in [1, 3, 10, 77, 1_000, 123_456_789] {
            let law = RunTimeLaw::Exponential(Exponential::new(jobs, slots).unwrap());
            for span in 1..=100 {
                let (run, at) = (run(law, 0), Slot::new(100 + span * span));
                for probability in [run.finished_by(at), run.unfinished_at(at)] {
                    digest = (digest ^ bits(probability)).wrapping_mul(16_777_619);
                }
            }
        }
    }
    digest
}

/// The number is what x86-64 and a Cortex-M4 in QEMU have computed, there optimised for size and for speed, and as code for Cortex-M0.
#[test]
fn exponential_laws_have_the_same_bits_everywhere() {
    assert_eq!(digest(), 301_372_799);
}

#[test]
fn no_run_time_is_certain() {
    let at = |jobs, slots, at| {
        let law = RunTimeLaw::Exponential(Exponential::new(jobs, slots).unwrap());
        let run = run(law, 0);
        let at = Slot::new(at);
        [bits(run.finished_by(at)), bits(run.unfinished_at(at))]
    };
    assert_eq!(at(u32::MAX, 1, u64::MAX), [ONE - 1, 0]);
    assert_eq!(at(1, u64::MAX, u64::MAX), [0, ONE - 1]);
    assert_eq!(at(1, 1, 100), [0, ONE], "at its start");
    assert_eq!(at(1, 1, 0), [0, ONE], "before its start");
    assert_eq!(Exponential::new(0, 1), None);
    assert_eq!(Exponential::new(1, 0), None);
}

/// The numerators, for a denominator of `whole`, of the probabilities that it is finished and that it is not.
fn parts(history: &History<'_>, ran: u32, within: u64, whole: u32) -> [u32; 2] {
    let run = run(RunTimeLaw::Empirical(history), ran);
    let at = Slot::new(100 + within);
    [run.finished_by(at), run.unfinished_at(at)].map(|probability| {
        let found = (0..=whole).find(|&part| {
            Probability::rounding_down(part, whole).is_some_and(|exact| exact == probability)
        });
        found.unwrap_or_else(|| panic!("{probability:?} is no multiple of 1/{whole}"))
    })
}

#[test]
fn what_is_in_doubt_counts_on_neither_side() {
    // Bins (0, 5], (5, 10], (10, 15], and longer.
    let mut counters = [1, 2, 4, 8];
    let history = History::of_service_times(Span::new(5), &mut counters).unwrap();
    assert_eq!(parts(&history, 0, 10, 16), [3, 12]);
    assert_eq!(parts(&history, 0, 9, 16), [1, 12]);
    assert_eq!(parts(&history, 0, 15, 16), [7, 8]);
    assert_eq!(parts(&history, 0, 99, 16), [7, 0]);
    // Those that may have run longer than 6 slots are in the second bin and behind it.
    assert_eq!(parts(&history, 6, 15, 15), [4, 8]);
    assert_eq!(parts(&history, 99, 100, 9), [0, 0]);
}

#[test]
fn shares_are_of_the_booked_duration() {
    let mut counters = [0; 5];
    let mut history = History::of_used_shares(&mut counters).unwrap();
    for (booked, ran) in [(8, 2), (8, 3), (80, 0), (10, 10), (10, 11)] {
        history.record(Span::new(booked), Span::new(ran));
    }
    history.record_stopped();
    // Booked for 20: bins end after 5, 10, 15 and 20 slots.
    assert_eq!(parts(&history, 0, 5, 7), [2, 4]);
    assert_eq!(parts(&history, 0, 20, 7), [4, 2]);
    assert_eq!(counters, [2, 1, 0, 1, 2]);
}

#[test]
fn counters_are_halved_when_they_are_full() {
    let mut counters = [u32::MAX - 3, 1, 1];
    let mut history = History::of_used_shares(&mut counters).unwrap();
    history.record(Span::new(2), Span::new(1));
    history.record_stopped();
    assert_eq!(counters, [(u32::MAX - 3) / 2 + 1, 0, 1]);
    assert!(History::of_used_shares(&mut [0]).is_none());
    assert!(History::of_service_times(Span::ZERO, &mut [0, 0]).is_none());
}

/// A job on `pes` PEs from slot `start` to slot `end`, with the mean run time of ten slots.
fn booked(pes: u16, start: u64, end: u64) -> Run<'static> {
    let law = Exponential::new(1, 10).unwrap();
    Run {
        pes: PeCount::new(pes.into()),
        window: Window {
            start: Slot::new(start),
            end: Slot::new(end),
        },
        ran: Span::ZERO,
        law: RunTimeLaw::Exponential(law),
    }
}

/// Predecessors that have to finish for a later load, though not for the start, are counted.
#[test]
fn a_later_load_needs_more_to_have_finished() {
    // Four PEs: A on two and B on one to slot 100, C on one in [60, 70). The newcomer wants three at slot 50.
    let (a, b) = (booked(2, 0, 100), booked(1, 0, 100));
    let overlap = Overlap {
        newcomer: booked(3, 50, 80),
        free: 1,
        predecessors: &[a, b],
    };
    let mut table = [Probability::ZERO; 4];
    let start = Slot::new(50);
    let first = overlap.free_start(&mut table).unwrap();
    assert_eq!(first, a.finished_by(start));
    let load = |free| Load {
        at: Slot::new(60),
        free,
    };
    let mut kept = |guarantee, free| {
        let later = [load(free)].into_iter();
        overlap.kept(guarantee, later, &mut table).unwrap()
    };
    assert_eq!(kept(Guarantee::Access, 1), first, "no greater load");
    let exact = |probability: Probability| probability.get().to_num::<f64>();
    let [a, b] = [a, b].map(|run| exact(run.finished_by(start)));
    let ten = exact(overlap.newcomer.finished_by(Slot::new(60)));
    let thirty = exact(overlap.newcomer.finished_by(Slot::new(80)));
    let near = |found: Probability, expected: f64| {
        let error = expected - exact(found);
        assert!((0.0..4e-9).contains(&error), "{error}");
    };
    // With C: either both have finished, or the newcomer is done in ten slots.
    near(kept(Guarantee::Access, 0), a * b + a * (1.0 - b) * ten);
    let completed = a * b * thirty + a * (1.0 - b) * ten;
    near(kept(Guarantee::Completion, 0), completed);
    // With one more they cannot share.
    near(kept(Guarantee::Access, -1), a * ten);
}

#[test]
fn ends_before_a_later_load_need_no_luck() {
    // Two PEs, one of A until slot 20 and one of B until slot 40; at slot 20 C takes over from A.
    let overlap = Overlap {
        newcomer: booked(1, 10, 30),
        free: 0,
        predecessors: &[booked(1, 0, 20), booked(1, 0, 40), booked(9, 10, 10)],
    };
    let mut table = [Probability::ZERO; 2];
    let at = |free| {
        let at = Slot::new(20);
        [Load { at, free }].into_iter()
    };
    let first = overlap.free_start(&mut table).unwrap();
    let alone = overlap.kept(Guarantee::Access, at(1), &mut table);
    assert_eq!(alone, Some(first), "A goes and nobody comes");
    let with_another = overlap.kept(Guarantee::Access, at(0), &mut table).unwrap();
    assert!(with_another < first);
}

#[test]
fn tables_are_as_long_as_what_has_to_become_free() {
    let predecessors = [booked(2, 0, 40); 2];
    let overlap = |pes, free| Overlap {
        newcomer: booked(pes, 10, 30),
        free,
        predecessors: &predecessors,
    };
    let mut table = [Probability::ZERO; 4];
    assert_eq!(overlap(3, 3).free_start(&mut []), Some(Probability::ONE));
    assert_eq!(overlap(3, 3).late_start(&mut []), Some(Probability::ZERO));
    assert_eq!(overlap(3, 0).free_start(&mut table[..2]), None);
    assert_eq!(overlap(3, 0).late_start(&mut table[..2]), None);
    let kept = |overlap: &Overlap<'_>, later: &[Load], table: &mut [Probability]| {
        overlap.kept(Guarantee::Access, later.iter().copied(), table)
    };
    let at = Slot::new(20);
    let later = [Load { at, free: -1 }];
    assert_eq!(kept(&overlap(2, 0), &later, &mut table[..2]), None);
    assert!(kept(&overlap(2, 0), &later, &mut table[..3]).is_some());
    // More than all of them have: it never starts.
    let mut short = [Probability::ONE; 4];
    let impossible = overlap(2, -3);
    assert_eq!(impossible.free_start(&mut short), Some(Probability::ZERO));
    assert_eq!(impossible.late_start(&mut []), Some(Probability::ONE));
    let never = kept(&impossible, &later, &mut short);
    assert_eq!(never, Some(Probability::ZERO));
}

#[test]
fn free_and_late_starts_add_up_to_one_but_for_rounding() {
    let predecessors = [1, 2, 2, 5].map(|pes| booked(pes, 0, 40));
    let mut table = [Probability::ZERO; 10];
    for pes in 1..=10 {
        let overlap = Overlap {
            newcomer: booked(pes, 12, 30),
            free: 0,
            predecessors: &predecessors,
        };
        let free = bits(overlap.free_start(&mut table).unwrap());
        let late = bits(overlap.late_start(&mut table).unwrap());
        assert!(free + late <= ONE && ONE - free - late <= 16, "{pes}");
    }
}

#[test]
fn nothing_is_earned_below_break_even() {
    for (price, compensation) in [(1, 2), (7, 3), (1, u64::MAX), (u64::MAX, u64::MAX), (5, 0)] {
        let stakes = Stakes {
            price: Money::new(price),
            compensation: Money::new(compensation),
        };
        let least = stakes.break_even();
        assert!(stakes.expected_profit(least) >= 0);
        if let Some(less) = bits(least).checked_sub(1) {
            assert!(stakes.expected_profit(steps(less)) < 0);
        }
        let [most, worst] = [Probability::ONE, Probability::ZERO];
        assert_eq!(stakes.expected_profit(most), i128::from(price));
        assert_eq!(stakes.expected_profit(worst), -i128::from(compensation));
    }
    let price = Money::ZERO;
    let break_even = |compensation| {
        let compensation = Money::new(compensation);
        Stakes {
            price,
            compensation,
        }
        .break_even()
    };
    assert_eq!(break_even(0), Probability::ZERO);
    assert_eq!(break_even(9), Probability::ONE);
}

fn permille(part: u32) -> Probability {
    Probability::rounding_up(part, 1_000).unwrap()
}

/// A xorshift generator: the next number below 1,000.
fn draw(state: &mut u32) -> u32 {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    *state % 1_000
}

/// The share of violated overlays, in thousandths, and the final threshold, when each of 200,000 requests is promised a
/// random probability, of which `honesty` percent are true.
fn steered(target: u32, start: u32, honesty: u32) -> (u32, Probability) {
    let steering = Steering {
        target: permille(target),
        step: permille(2),
        least: Probability::ZERO,
        most: permille(990),
    };
    let mut threshold = Threshold::adaptive(permille(start), steering);
    let (mut accepted, mut violated, mut state) = (0, 0, 2_463_534_242);
    for _ in 0..200_000 {
        let promised = draw(&mut state);
        if threshold.accepts(permille(promised)) {
            let failed = draw(&mut state) >= promised * honesty / 100;
            accepted += 1;
            violated += u32::from(failed);
            threshold.observe(failed);
        }
    }
    (violated * 1_000 / accepted, threshold.get())
}

#[test]
fn the_share_of_violations_converges_to_the_target() {
    // Also from far away, and where the promises are worth less than they say.
    for (start, honesty) in [(0, 100), (500, 100), (990, 100), (700, 90)] {
        for target in [150, 200, 300] {
            let (share, _) = steered(target, start, honesty);
            assert!(share.abs_diff(target) <= 5, "{start} {target}: {share}");
        }
    }
}

#[test]
fn the_threshold_settles_where_the_target_is_met() {
    // Uniform above p, promises fail with probability (1 - p) / 2 on average: 0.1 at 0.8.
    let (_, threshold) = steered(100, 300, 100);
    assert!(threshold > permille(700) && threshold < permille(900));
    // With nine tenths of the promises true, 1 - 0.9 (1 + p) / 2 is 0.2 at p = 0.78.
    let (_, threshold) = steered(200, 300, 90);
    assert!(threshold > permille(680) && threshold < permille(880));
}

#[test]
fn bounds_hold_and_a_fixed_threshold_stays() {
    let half = permille(500);
    let steering = Steering {
        target: half,
        step: Probability::ONE,
        least: permille(400),
        most: permille(600),
    };
    let mut threshold = Threshold::adaptive(Probability::ONE, steering);
    assert_eq!(threshold.get(), permille(600));
    threshold.observe(false);
    assert_eq!(threshold.get(), permille(400));
    threshold.observe(true);
    assert_eq!(threshold.get(), permille(600));
    let mut fixed = Threshold::Fixed(half);
    fixed.observe(true);
    assert_eq!(fixed, Threshold::Fixed(half));
}

fn replica(start: u64, late: u32, kept: u32) -> Replica {
    Replica {
        site: 0,
        start: Slot::new(start),
        late: percent(late),
        kept: percent(kept),
    }
}

#[test]
fn equal_starts_take_their_turn_by_what_they_keep() {
    // The one that is sure once it has started comes first, though it is kept less probably.
    let (sure, likely) = (replica(5, 60, 40), replica(5, 10, 80));
    let kept = kept_by_any(&[likely, sure]);
    let expected = permille(400 + 600 * 800 / 1_000);
    assert!(bits(expected) - bits(kept) <= 3);
    assert_eq!(kept_by_any(&[sure, likely]), kept);
    assert_eq!(kept_by_any(&[]), Probability::ZERO);
}

#[test]
fn what_cannot_be_reached_is_refused() {
    let wanted = percent(90);
    let mut good = [replica(1, 10, 85), replica(2, 10, 85)];
    let mut poor = [replica(1, 50, 40)];
    let select = |subtasks: &mut [&mut [Replica]], wanted| {
        let mut application: Vec<Subtask<'_>> = subtasks
            .iter_mut()
            .map(|replicas| Subtask {
                replicas,
                chosen: 9,
            })
            .collect();
        let kept = select_replicas(&mut application, wanted);
        kept.map(|_| {
            application
                .iter()
                .map(|subtask| subtask.chosen)
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(select(&mut [&mut good], wanted), Some(vec![2]));
    assert_eq!(select(&mut [&mut good, &mut poor], wanted), None);
    assert_eq!(
        select(&mut [&mut good, &mut poor], percent(35)),
        Some(vec![2, 1])
    );
    assert_eq!(
        select(&mut [&mut good, &mut []], percent(1)),
        None,
        "no site"
    );
    assert_eq!(select(&mut [], Probability::ONE), Some(vec![]));
    assert_eq!(replicas_needed(percent(50), Probability::ZERO, 9), Some(0));
    assert_eq!(
        replicas_needed(Probability::ONE, Probability::ONE, 9),
        Some(1)
    );
    assert_eq!(
        replicas_needed(percent(99), Probability::ONE, u32::from(u8::MAX)),
        None
    );
}
