//! Claims 4.01 to 4.08, 4.16, 4.17, 4.26 and 4.27: equations and theorems, what was admitted, requests, applications.

use bookahead::{
    Commitment, CountBook, Exponential, Guarantee, LengthRange, Load, Money, Overlap, PeCount,
    Policy, Probability, Refusal, Replica, Request, Run, RunTimeLaw, Slot, Span, Stakes, State,
    Subtask, Threshold, UsageError, Window, kept_by_any, replicas_needed, select_replicas,
};
use bookahead_oracle::papers::xiao::{
    equations::{any_site, break_even, expected_profit, no_violation, redundancy},
    theorems::{Reserved, first_in_the_way, start},
};
use rand::{Rng, RngExt};

use super::{ARROS, OVER, OVER_NAMES, P80, Point, SHARES, THRESHOLDS, Xiao, assumptions};
use crate::experiment::{Claim, Count, Finding, Kind, Row, claim, refused};
use crate::{
    engine::Outcome,
    error::Result,
    workload::rng::{Purpose, stream},
};

/// Reservations at a site, or sites, at most, of what is drawn at random.
const MOST: i32 = 5;
/// How far apart is the same, where the kernel rounds and where it does not.
const ROUNDED: f64 = 1e-6;
const SUMMED: f64 = 1e-9;

const FORMULA: &str = "the kernel's fixed-point result and the formula of the paper differ by 1e-7 at most, in every case of a grid; one difference fails";

/// The claims.
pub(super) fn claims(paper: &Xiao) -> Result<Vec<Claim>> {
    let (theorem_1, theorem_2) = theorems(paper);
    let logged = logged(paper)?;
    Ok(vec![
        claim("4.01", Kind::Definition, "Equations 1 to 4: the probability of no violation is Pr{TE_i <= te_i given its start} times Pr{TE_k <= ts_i given its start}.", "the product of the two",
            equations()?.found("cases differ").by_rule(FORMULA)),
        claim("4.02", Kind::Worked, "Equations 6 and 7: with an exponential law of rate L it is (1 - e^(-L (te_i - ts_i))) (1 - e^(-L (ts_i - ts_k))).", "the formula",
            equations()?.found("cases differ").by_rule(FORMULA)),
        claim("4.03", Kind::Worked, "Equation 5 and figure 3: E(P) = (C + F) Pr - F is zero at p = F / (C + F) and C at Pr = 1; a lower F gives a lower p.", "the formula; p1 < p",
            profit().found("cases differ").by_rule("the kernel's result and equation 5 differ by a millionth at most at eleven probabilities and four pairs of prices, break-even and maximum included, and a lower compensation breaks even earlier; one difference fails")),
        claim("4.04", Kind::Definition, "A request is accepted if and only if Pr{E} >= p* (section 4.1).", "accepted iff Pr{E} >= p*",
            accepts().found("cases differ").by_rule("every probability of a grid is accepted by every threshold of figure 6 just where it is not below; one exception fails")),
        claim("4.05", Kind::Definition, "Theorem 1: the probability that a site can satisfy the start is the greatest product of Pr{T_l <= ts_i} over the sets that leave enough.", "the probability",
            theorem_1.by_rule(format!("in random systems of up to {MOST} reservations at a site, the theorem and the exact probability, by all combinations of who has finished, differ by less than {ROUNDED:e}; one difference fails")))
            .remark("A lower bound only: the job can start as well when other sets have finished. The kernel's table is exact. Equation 6 also leaves out that a running job has already lasted some time.")
            .fails_since("The theorem takes the most probable of the sets of jobs whose ends leave room. This is only a lower bound, since the job can start as well when other jobs have ended; the exact probability is greater in many of the random systems here."),
        claim("4.06", Kind::Definition, "Theorem 2: P_beta is the probability that the job is over by the first later reservation at which demand exceeds what it leaves.", "Pr{T_i <= ts_l}",
            theorem_2.by_rule("in random systems where all that is booked at the start must have ended and the first later reservation leaves no room, the kernel's probability is P_alpha P_beta; one difference fails"))
            .remark("Equation 13 prints ts_i for ts_l. The theorem forgets reservations at the start that need not have ended, so elsewhere it is no bound; the evidence has by how much."),
        claim("4.07", Kind::Worked, "Equation 15: K sites succeed with 1 - prod (1 - P_alpha P_beta).", "1 - prod(1 - Pa Pb)",
            independent(paper).by_rule(format!("of up to {MOST} independent sites the formula differs by less than {SUMMED:e} from the sum over all combinations in which one succeeds; one difference fails")))
            .remark("The copies of a job are not independent, since all but the first that starts are released: five sites of 0.8 x 0.8 are kept with 0.800, not 0.994. The kernel promises the former."),
        claim("4.08", Kind::Worked, "Equation 16: K is between K_min, by the least P_alpha P_beta, and K_max, by the greatest.", "K_min <= K_max",
            bounds())
            .remark("As printed the two are swapped: the less probable a site, the more copies it takes.")
            .fails_since("As printed, the least probable site gives the least number of sites. It is the other way round, since the less probable a site is, the more of them are needed: the two bounds are swapped."),
        claim("4.16", Kind::Number, "k_over uniform in [1.2, 1.5] overestimates by 35 % on average, [1.0, 1.2] by 10 %, [1.5, 1.8] by 65 % (sections 5.2 and 5.3).", "10, 35, 65 %",
            means(paper)?.by_rule("the middle of each interval, and the mean factor of the requests of a run within 1 percentage point; anything else fails")),
        claim("4.17", Kind::Number, "With p* = 0.8 a request is overlapped only if the probability of its violation is less than 20 % (section 5.2).", "below 20 %",
            logged.measured(format!("overlays with less: {} of {}", logged.wrong, logged.looked_at)).by_rule("every overlay of the first replication with p* = 0.8, at all shares and k_over, was accepted with at least 0.8; one below fails")),
        claim("4.26", Kind::Definition, "A request <ts_l, ts_u, d_l, d_u> is valid when t <= ts_l <= ts_u and 0 < d_l <= d_u; the answer <ts, te, d> lies within, and there is a contract when it is confirmed (section 3).", "within the bounds",
            granted(paper)?.found("cases differ").by_rule("in random books, invalid requests are refused, and what is granted to valid ones lies within their bounds, is the longest that trying every length finds, is held first, and firm when confirmed; one exception fails")),
        claim("4.27", Kind::Definition, "Equation 8: the least K with which all subtasks succeed with probability W*, all or nothing (section 4.2).", "the least K",
            fewest_sites(paper).by_rule("in random applications of two subtasks on three sites with independent copies, some choice is found whenever one reaches W*, it reaches it, and has as few sites as the best of all; one exception fails"))
            .remark("The kernel adds sites one by one, which is best where copies are independent. Where all but the first are given back they are not; the evidence has how often fewer would do."),
    ])
}

fn percent(part: u32) -> Probability {
    Probability::rounding_down(part, 100).unwrap_or_default()
}

/// All combinations of so many things: of each thing whether it is in it.
fn combinations(things: usize) -> impl Iterator<Item = Vec<bool>> {
    let members = move |set: u32| (0..things).map(|one| set >> one & 1 == 1).collect();
    (0..1 << things).map(members)
}

/// How probable a combination of independent events is.
fn together(happens: &[bool], probabilities: &[f64]) -> f64 {
    let each = happens.iter().zip(probabilities);
    each.map(|(happens, p)| if *happens { *p } else { 1.0 - p })
        .product()
}

fn rng(paper: &Xiao) -> impl Rng + use<> {
    stream(paper.seed, Purpose::Reservations, u32::MAX >> 8)
}

fn value(probability: Probability) -> f64 {
    probability.get().to_num()
}

fn window(start: u64, end: u64) -> Window {
    Window {
        start: Slot::new(start),
        end: Slot::new(end),
    }
}

/// Equations 4, 6 and 7 for one reservation in the way of another.
fn equations() -> Result<Count> {
    let mut count = Count::default();
    for (mean, ts_i, length) in [3_u64, 10, 40]
        .into_iter()
        .flat_map(|mean| [2_u64, 9, 30].map(|ts| (mean, ts)))
        .flat_map(|(mean, ts)| [1_u64, 8, 50].map(|length| (mean, ts, length)))
    {
        let law = Exponential::new(1, mean).ok_or_else(|| refused("a law"))?;
        let run = |window| Run {
            pes: PeCount::new(1),
            window,
            ran: Span::ZERO,
            law: RunTimeLaw::Exponential(law),
        };
        let overlap = Overlap {
            newcomer: run(window(ts_i, ts_i + length)),
            free: 0,
            predecessors: &[run(window(0, 100))],
        };
        let mut table = [Probability::ZERO];
        let later = std::iter::empty::<Load>();
        let kept = overlap.kept(Guarantee::Completion, later, &mut table);
        let kept = value(kept.ok_or_else(|| refused("a table"))?);
        let end = (ts_i + length) as f64;
        let formula = no_violation(1.0 / mean as f64, 0.0, ts_i as f64, end);
        count.case((kept - formula).abs() < 1e-7, || {
            format!("mean {mean}, start {ts_i}, length {length}: {kept}, formula {formula}")
        });
    }
    Ok(count)
}

fn profit() -> Count {
    let mut count = Count::default();
    for (price, compensation) in [(100, 100), (100, 50), (30, 90), (7, 1)] {
        let stakes = Stakes {
            price: Money::new(price * 1_000_000),
            compensation: Money::new(compensation * 1_000_000),
        };
        let (c, f) = (price as f64, compensation as f64);
        for part in 0..=10 {
            let kept = Probability::rounding_down(part, 10).unwrap_or_default();
            let ours = stakes.expected_profit(kept) as f64 / 1e6;
            let theirs = expected_profit(c, f, value(kept));
            count.case((ours - theirs).abs() < 2e-6, || {
                format!("{ours}, formula {theirs}")
            });
        }
        let even = value(stakes.break_even());
        count.case((even - break_even(c, f)).abs() < 1e-8, || {
            format!("even at {even}")
        });
        let lower = Stakes {
            compensation: Money::new(compensation * 500_000),
            ..stakes
        };
        count.case(lower.break_even() < stakes.break_even(), || {
            "p1 is not below p".to_owned()
        });
    }
    count
}

fn accepts() -> Count {
    let mut count = Count::default();
    let percent = |part| Probability::rounding_up(part, 100).unwrap_or_default();
    for (part, threshold) in (0..=100).flat_map(|part| THRESHOLDS.map(|least| (part, least))) {
        let accepted = Threshold::Fixed(percent(threshold)).accepts(percent(part));
        count.case(accepted == (part >= threshold), || {
            format!("{part} and {threshold} %")
        });
    }
    count
}

/// Both theorems in random systems at one site.
fn theorems(paper: &Xiao) -> (Finding, Finding) {
    let (mut one, mut two) = (Count::default(), Count::default());
    let (mut too_low, mut too_high) = (0.0_f64, 0.0_f64);
    let mut rng = rng(paper);
    for _ in 0..paper.systems {
        let Some(law) = Exponential::new(1, rng.random_range(3..30)) else {
            continue;
        };
        let run = |pes: u16, window| Run {
            pes: PeCount::new(pes.into()),
            window,
            ran: Span::ZERO,
            law: RunTimeLaw::Exponential(law),
        };
        let jobs: Vec<Run<'_>> = (0..rng.random_range(1..=MOST))
            .map(|_| run(rng.random_range(1..=6), window(rng.random_range(0..10), 60)))
            .collect();
        let all: u16 = jobs.iter().map(|job| job.pes.get() as u16).sum();
        let free = rng.random_range(0..4);
        let wanted = rng.random_range(free + 1..=free + all);
        let at = rng.random_range(10..40_u64);
        let newcomer = run(wanted, window(at, at + 20));
        let finished: Vec<f64> = jobs
            .iter()
            .map(|job| value(job.finished_by(Slot::new(at))))
            .collect();
        let reserved: Vec<Reserved> = jobs
            .iter()
            .zip(&finished)
            .map(|(job, &finished)| Reserved {
                quantity: job.pes.get(),
                start: job.window.start.get(),
                finished,
            })
            .collect();
        let suffices = |gone: &Vec<bool>| {
            let gone = jobs.iter().zip(gone).filter(|(_, gone)| **gone);
            free + gone.map(|(job, _)| job.pes.get() as u16).sum::<u16>() >= wanted
        };
        let enough = combinations(jobs.len()).filter(suffices);
        let truth: f64 = enough.map(|gone| together(&gone, &finished)).sum();
        let printed = start(wanted.into(), free.into(), &reserved);
        too_low = too_low.max(truth - printed);
        one.case((truth - printed).abs() < ROUNDED, || {
            format!("{printed:.4}, exactly {truth:.4}")
        });
        // Somebody comes later who takes all.
        let later = at + rng.random_range(1..20);
        let overlap = Overlap {
            newcomer,
            free: free.into(),
            predecessors: &jobs,
        };
        let mut table = vec![Probability::ZERO; usize::from(all + free)];
        let load = |pes: u16| Load {
            at: Slot::new(later),
            free: i32::from(free) - i32::from(pes),
        };
        let comes = |pes: u16| {
            [Reserved {
                quantity: pes.into(),
                start: later,
                finished: 0.0,
            }]
        };
        let over = value(newcomer.finished_by(Slot::new(later)));
        let mut kept = |pes: u16| {
            let kept = overlap.kept(Guarantee::Access, [load(pes)].into_iter(), &mut table);
            kept.map_or(f64::NAN, value)
        };
        let machine = free + all;
        let by_letter = |pes: u16| {
            let conflict = first_in_the_way(wanted.into(), machine.into(), &comes(pes));
            printed * conflict.map_or(1.0, |_| over)
        };
        let partly = rng.random_range(1..=machine);
        too_high = too_high.max(by_letter(partly) - kept(partly));
        if wanted == machine {
            let (ours, theirs) = (kept(machine), truth * over);
            two.case((ours - theirs).abs() < ROUNDED, || {
                format!("{ours:.4}, theorems {theirs:.4}")
            });
        }
    }
    let judge = |count: Count, what: &str, gap: f64| {
        let gap = Row::fact(what, format!("{gap:.3}"));
        count.found("systems differ").with([gap])
    };
    let above = "theorems 1 and 2 together above the kernel's promise by up to";
    (
        judge(one, "as printed too low by up to", too_low),
        judge(two, above, too_high),
    )
}

fn independent(paper: &Xiao) -> Finding {
    let mut count = Count::default();
    let mut rng = rng(paper);
    for _ in 0..paper.systems {
        let sites: Vec<(f64, f64)> = (0..rng.random_range(1..=MOST))
            .map(|_| (rng.random(), rng.random()))
            .collect();
        let kept: Vec<f64> = sites.iter().map(|(a, b)| a * b).collect();
        // All but the one in which none succeeds.
        let some = combinations(sites.len()).skip(1);
        let some = some.map(|set| together(&set, &kept));
        let (some, formula) = (some.sum::<f64>(), any_site(&sites));
        count.case((some - formula).abs() < SUMMED, || {
            format!("{some}, formula {formula}")
        });
    }
    let replicas: Vec<Replica> = (0..5)
        .map(|site| Replica {
            site,
            start: Slot::new(site.into()),
            late: percent(20),
            kept: percent(64),
        })
        .collect();
    let facts = [
        (
            "five sites of 0.8 x 0.8, equation 15",
            any_site(&[(0.8, 0.8); 5]),
        ),
        (
            "the same, the first that starts being used",
            value(kept_by_any(&replicas)),
        ),
    ];
    let facts = facts.map(|(what, kept)| Row::fact(what, format!("{kept:.3}")));
    count.found("choices of sites differ").with(facts)
}

fn bounds() -> Finding {
    let percent = |part| Probability::rounding_up(part, 100).unwrap_or_default();
    let [wanted, likely, unlikely] = [99, 80, 50];
    let needed = |part| replicas_needed(percent(part), percent(wanted), 64).unwrap_or_default();
    let share = |part: u32| f64::from(part) / 100.0;
    let [w, a, b] = [wanted, likely, unlikely].map(share);
    let (least, most) = redundancy(w, &[(a, 1.0), (b, 1.0)]);
    let order = |ordered: bool| {
        if ordered {
            "K_min <= K_max"
        } else {
            "K_min > K_max"
        }
    };
    Finding::all_of(
        format!(
            "K_min = {least}, K_max = {most}; sites needed: {} with {a}, {} with {b}",
            needed(likely),
            needed(unlikely)
        ),
        [
            Row::exact("equation 16 as printed", order(true), order(least <= most)),
            Row::exact(
                "the kernel",
                format!("{most} and {least}"),
                format!("{} and {}", needed(likely), needed(unlikely)),
            ),
        ],
    )
    .by_rule(format!(
        "for W* = {w} and sites with {a} and {b}, as printed; anything else fails"
    ))
}

fn means(paper: &Xiao) -> Result<Finding> {
    let mut answers = Vec::new();
    for (over, ((least, most), name)) in OVER.into_iter().zip(OVER_NAMES).enumerate() {
        let percent = |factor: f64| format!("{:.0} %", 100.0 * (factor - 1.0));
        let script = paper.workload().script(
            Point {
                share: SHARES[0],
                over,
            },
            0,
        )?;
        // Of short jobs, whole seconds tell too little.
        let long = script.demands.iter().filter(|demand| demand.run() >= 1_000);
        let factors: Vec<f64> = long
            .map(|demand| demand.duration() as f64 / demand.run() as f64)
            .collect();
        let mean = factors.iter().sum::<f64>() / factors.len().max(1) as f64;
        let middle = least.midpoint(most);
        let noise = 3.0 * (most - least) / (12.0 * factors.len().max(1) as f64).sqrt();
        let near = (mean - middle).abs() < 0.01_f64.max(noise);
        let printed = ["10 %", "35 %", "65 %"][over];
        answers.push(Row::exact(
            name,
            printed,
            percent(if near { middle } else { mean }),
        ));
    }
    let seen: Vec<&str> = answers.iter().map(|row| &*row.value).collect();
    Ok(Finding::all_of(seen.join(", "), answers))
}

fn logged(paper: &Xiao) -> Result<Count> {
    let main = &assumptions(paper)[0];
    let mut count = Count::default();
    let least = Probability::rounding_up(THRESHOLDS[P80], 100).unwrap_or_default();
    for point in &main.points {
        let story = main.one(*point, 0, ARROS)?;
        let placed = story.outcomes.iter().filter_map(Outcome::accepted);
        for (request, overlay) in
            placed.filter_map(|(request, placed)| Some((request, placed.overlay?)))
        {
            count.case(overlay.probability >= least, || {
                format!("job {}: {}", request.job_id, value(overlay.probability))
            });
        }
    }
    Ok(count)
}

/// Requests with ranges of starts and lengths in random books of four processing elements.
fn granted(paper: &Xiao) -> Result<Count> {
    let mut count = Count::default();
    let mut rng = rng(paper);
    for _ in 0..paper.systems {
        let mut memory =
            CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(60)).map_err(refused)?;
        let mut book = memory.view();
        let now = Slot::new(rng.random_range(0..4));
        book.next(now).map_err(refused)?;
        for _ in 0..rng.random_range(0..6) {
            let ready = rng.random_range(4..40);
            let length = rng.random_range(1..9);
            let request = Request {
                ready: Slot::new(ready),
                duration: Span::new(length),
                deadline: Slot::new(ready + u64::from(length) + 3),
                pes: PeCount::new(rng.random_range(1..=4_u16).into()),
            };
            let _ = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed);
        }
        let range = LengthRange {
            first_start: Slot::new(rng.random_range(0..20)),
            last_start: Slot::new(rng.random_range(0..25)),
            // The source has no bound for it.
            deadline: Slot::new(u64::MAX),
            shortest: Span::new(rng.random_range(0..6)),
            longest: Span::new(rng.random_range(1..20)),
            pes: PeCount::new(rng.random_range(1..=4_u16).into()),
        };
        let LengthRange {
            first_start,
            last_start,
            shortest,
            longest,
            ..
        } = range;
        let valid = now <= first_start && first_start <= last_start;
        let valid = valid && Span::ZERO < shortest && shortest <= longest;
        let lengths = shortest.get()..=longest.get();
        let best = lengths.rev().find(|length| {
            valid
                && book
                    .plan(&range.rigid(Span::new(*length)), Policy::FirstFit)
                    .is_ok()
        });
        let plan = range.plan(&mut book, Policy::FirstFit);
        let right = match (&plan, best) {
            (Ok(plan), Some(best)) => {
                let Window { start, end } = plan.window();
                let held = book
                    .commit(plan, Commitment::Held { ttl: Span::new(5) })
                    .map_err(refused)?;
                let state = |book: &bookahead::CountView<'_>| book.get(held).map(|one| one.state);
                let first = state(&book);
                book.confirm(held).map_err(refused)?;
                first_start <= start
                    && start <= last_start
                    && end.since(start) == Some(Span::new(best))
                    && matches!(first, Ok(State::Held { .. }))
                    && state(&book) == Ok(State::Confirmed)
            }
            (Err(why), None) if !valid => {
                let reasons = [
                    UsageError::ZeroDuration.into(),
                    Refusal::WindowTooShort.into(),
                    Refusal::ReadyInPast.into(),
                ];
                reasons.contains(why)
            }
            (Err(_), None) => true,
            _ => false,
        };
        count.case(right, || format!("{range:?}: {plan:?}, longest {best:?}"));
    }
    Ok(count)
}

fn fewest_sites(paper: &Xiao) -> Finding {
    let given_back = least(paper, false);
    let differ = format!(
        "{} of {} cases differ",
        given_back.wrong, given_back.looked_at
    );
    let fact = Row::fact("copies of which all but the first are given back", differ);
    least(paper, true).found("cases differ").with([fact])
}

/// Applications of two subtasks on three sites. A copy that is independent of the others is kept unless it is late.
fn least(paper: &Xiao, independent: bool) -> Count {
    let mut count = Count::default();
    let mut rng = rng(paper);
    for _ in 0..paper.systems {
        let mut subtasks = [(); 2].map(|()| {
            [0, 1, 2].map(|site| {
                let late = rng.random_range(0..60);
                let kept = rng.random_range(0..=100 - late);
                Replica {
                    site,
                    start: Slot::new(rng.random_range(0..9)),
                    late: percent(if independent { 100 - kept } else { late }),
                    kept: percent(kept),
                }
            })
        });
        let wanted = percent(rng.random_range(30..95));
        // All choices of some of a subtask's sites.
        let choices = |replicas: &[Replica; 3]| -> Vec<Vec<Replica>> {
            let sets = combinations(replicas.len()).skip(1);
            let members = |set: Vec<bool>| {
                let members = replicas.iter().zip(set).filter(|(_, taken)| *taken);
                members.map(|(replica, _)| *replica).collect()
            };
            sets.map(members).collect()
        };
        let [ones, others] = subtasks.each_ref().map(choices);
        let pairs = ones
            .iter()
            .flat_map(|one| others.iter().map(move |other| [one, other]));
        let reaching = pairs.filter(|sets| {
            let both = sets.map(|set| kept_by_any(set)).into_iter();
            both.fold(Probability::ONE, Probability::times_rounding_down) >= wanted
        });
        let fewest = reaching.map(|[one, other]| one.len() + other.len()).min();
        let [one, other] = &mut subtasks;
        let mut application = [one, other].map(|replicas| Subtask {
            replicas,
            chosen: 0,
        });
        let found = select_replicas(&mut application, wanted);
        let sites: usize = application.iter().map(|subtask| subtask.chosen).sum();
        let reached = found.is_none_or(|kept| kept >= wanted);
        let few = found.map(|_| sites) == fewest;
        count.case(reached && few, || {
            format!("{found:?} with {sites} sites, fewest {fewest:?}")
        });
    }
    count
}
