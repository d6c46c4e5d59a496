//! Processing elements that leave and come back.

use std::sync::Arc;

use bookahead::Policy;
use bookahead_sim::{
    check,
    engine::{
        self, Binding, Cause, Juggle, Moving, Outcome, Shift, Story, Strategy, System,
        inevitable::{Promise, least_broken},
        outcome::Stretch,
        story::Gone,
    },
    layout::{Layout, Placing, Prefer},
    operation::Script,
    outage::{Breaker, Notice, OutageKind},
    request::{Demand, JobRequest},
};

use crate::operations::{
    scripts::{self, Draws},
    told,
};

/// A lie about a run, and what is found then.
pub type Lie = (fn(&mut Story), &'static str);

#[track_caller]
pub fn notices_lies(system: &System, story: &Story, lies: &[Lie]) {
    for (lie, expected) in lies {
        let mut told = story.clone();
        lie(&mut told);
        let found = check::story(system, &told);
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(
            found.iter().any(|found| found.contains(expected)),
            "no {expected:?} in {found:#?}"
        );
    }
}

/// Four PEs and 64 slots of 10 seconds.
fn system(strategy: Strategy) -> System {
    System {
        outages: true,
        ..System::new(4, 64, 10, strategy, Binding::Early)
    }
}

pub const FIRST_FIT: Strategy = Strategy::Fit(Policy::FirstFit);

pub fn job(
    job_id: u64,
    arrival: u64,
    [ready, duration, deadline]: [u64; 3],
    pes: u64,
) -> JobRequest {
    JobRequest {
        job_id,
        arrival,
        ready,
        duration,
        deadline,
        pes,
        run: duration,
        flexible: true,
        ..JobRequest::default()
    }
}

fn notice(
    id: u64,
    announced: u64,
    [start, end]: [u64; 2],
    pes: (u16, u16),
    kind: OutageKind,
) -> Notice {
    Notice {
        id,
        announced,
        start,
        end,
        pes: vec![pes],
        kind,
    }
}

pub fn script(jobs: &[JobRequest], notices: &[Notice]) -> Script {
    Script {
        notices: notices.to_vec(),
        ..Script::from(
            jobs.iter()
                .cloned()
                .map(Demand::Reserve)
                .collect::<Vec<_>>(),
        )
    }
}

/// What outages took: number, PEs, from when to when; and promises broken, reservations moved, and those of them that are late.
type Row<'a> = (u64, &'a [(u16, u16)], Option<[u64; 2]>, [usize; 3]);

fn rows(story: &Story) -> Vec<Row<'_>> {
    fn row(gone: &Gone) -> Row<'_> {
        let counts = [gone.broken, gone.moved, gone.late];
        (gone.id, &gone.pes, gone.effect, counts)
    }
    story.gone.iter().map(row).collect()
}

/// When each job began and ended, on which PEs, and the outage that broke its promise.
pub type Fate<'a> = (u64, u64, &'a [(u16, u16)], Option<u64>);

pub fn fates(story: &Story) -> Vec<Fate<'_>> {
    fn fate(outcome: &Outcome) -> Fate<'_> {
        let placed = outcome.decision.as_ref().unwrap();
        let by = placed.broken().and_then(|(by, _)| by.id());
        (placed.began, placed.finish(), &placed.pes[..], by)
    }
    story.outcomes.iter().map(fate).collect()
}

#[test]
fn a_failure_breaks_what_runs_and_moves_what_waits() {
    let jobs = [
        job(1, 0, [0, 100, 100], 2),
        job(2, 0, [50, 50, 200], 2),
        job(3, 0, [100, 20, 120], 4),
        job(4, 0, [100, 50, 400], 4),
    ];
    // Known inside a slot, so that it counts from second 20 on.
    let failure = notice(7, 13, [13, 130], (0, 0), OutageKind::Failure);
    let story = told(&system(FIRST_FIT), &script(&jobs, &[failure]));
    assert_eq!(
        rows(&story),
        [(7, &[(0, 0)][..], Some([20, 130]), [2, 1, 1])]
    );
    // Job 1 ran on 0 and 1, job 3 has no other place, and job 4 starts when they are back, instead of at 120.
    assert_eq!(
        fates(&story),
        [
            (0, 20, &[(0, 1)][..], Some(7)),
            (50, 100, &[(2, 3)][..], None),
            (100, 100, &[][..], Some(7)),
            (130, 180, &[(0, 3)][..], None),
        ]
    );
}

#[test]
fn maintenance_waits_for_what_runs_and_goes_on_when_that_ends_early() {
    let early = JobRequest {
        run: 35,
        ..job(1, 0, [0, 100, 100], 1)
    };
    let jobs = [early, job(2, 0, [0, 60, 60], 1), job(3, 0, [30, 30, 90], 2)];
    let maintenance = notice(1, 10, [20, 200], (0, 2), OutageKind::Maintenance);
    let story = told(&system(FIRST_FIT), &script(&jobs, &[maintenance]));
    assert_eq!(
        rows(&story),
        [
            (1, &[(2, 2)][..], Some([20, 200]), [1, 0, 0]),
            (1, &[(1, 1)][..], Some([60, 200]), [0; 3]),
            // Job 1 is booked until 100, and has ended at 35.
            (1, &[(0, 0)][..], Some([100, 200]), [0; 3]),
            (1, &[(0, 0)][..], Some([40, 100]), [0; 3]),
        ]
    );
}

#[test]
fn what_an_outage_takes_later_stands_in_the_row_of_its_notice() {
    let early = JobRequest {
        run: 35,
        ..job(1, 0, [0, 100, 100], 4)
    };
    // All of it lies in the booking of the job, which ends early.
    let maintenance = notice(1, 10, [20, 80], (0, 0), OutageKind::Maintenance);
    let system = system(FIRST_FIT);
    let story = told(&system, &script(&[early], &[maintenance]));
    assert_eq!(
        rows(&story),
        [(1, &[(0, 0)][..], Some([40, 80]), [0, 0, 0])]
    );
    let nothing: Lie = (
        |story| (story.gone[0].effect, story.gone[0].pes) = (None, Vec::new()),
        "outage 1: PE 0 is not away at 40",
    );
    notices_lies(&system, &story, &[nothing]);
}

#[test]
fn a_later_notice_takes_the_place_of_an_earlier_one() {
    let jobs = [job(1, 0, [300, 50, 400], 4), job(2, 60, [100, 20, 120], 4)];
    let notices = [
        notice(1, 0, [100, 200], (0, 3), OutageKind::Maintenance),
        notice(2, 0, [250, 320], (1, 1), OutageKind::Maintenance),
        notice(1, 50, [150, 250], (0, 3), OutageKind::Maintenance),
        notice(2, 70, [250, 250], (1, 1), OutageKind::Maintenance),
        notice(1, 160, [150, 170], (0, 3), OutageKind::Maintenance),
    ];
    let story = told(&system(FIRST_FIT), &script(&jobs, &notices));
    let taken: Vec<_> = story.gone.iter().filter_map(|gone| gone.effect).collect();
    assert_eq!(taken, [[150, 160], [160, 170]]);
    // Job 1 arrives before, so that it stays; job 2 has room since the maintenance was put off.
    let fates = fates(&story);
    assert_eq!((fates[0].0, fates[1].0), (320, 100));
    assert_eq!(story.moves.len(), 0);
}

#[test]
fn without_outages_a_book_that_knows_them_decides_the_same() {
    for strategy in strategies() {
        for seed in 0..6 {
            let script = scripts::random(seed, 80, 4, 10);
            let plain = System {
                outages: false,
                ..system(strategy)
            };
            let (plain, knows) = (told(&plain, &script), told(&system(strategy), &script));
            let decided = |story: &Story| {
                let outcomes = story.outcomes.iter();
                outcomes.map(|one| one.decision.clone()).collect::<Vec<_>>()
            };
            assert_eq!(decided(&plain), decided(&knows), "{strategy:?} {seed}");
            assert_eq!(plain.moves, knows.moves);
        }
    }
}

pub fn strategies() -> [Strategy; 6] {
    let (shift, juggle) = (Shift::default(), Juggle::default());
    [
        FIRST_FIT,
        Strategy::Fit(Policy::PeWorstFit),
        Strategy::Rigid,
        Strategy::Juggle(juggle, Moving::FREELY),
        Strategy::Shift(shift, Moving::FREELY),
        Strategy::JuggleShift(shift, juggle, Moving::FREELY),
    ]
}

/// Outages of all sorts, some of which change or are taken back.
pub fn notices(seed: u64, script: &Script, slot: u64) -> Vec<Notice> {
    let mut draws = Draws::new(seed ^ 0x0074);
    let arrivals = script.demands.iter().map(Demand::arrival);
    let last = arrivals.max().unwrap_or(0);
    let mut times: Vec<u64> = (0..12).map(|_| draws.below(last + slot)).collect();
    times.sort_unstable();
    let mut notices: Vec<Notice> = Vec::new();
    for (id, announced) in (1..).zip(times) {
        if let Some(known) = notices.get(draws.below(30) as usize).cloned() {
            let start = known.start + draws.below(3) * slot;
            let end = start + draws.below(12 * slot);
            notices.push(Notice {
                announced,
                start: match known.kind {
                    OutageKind::Failure => known.start,
                    OutageKind::Maintenance => start,
                },
                end: end.max(known.start),
                ..known
            });
            continue;
        }
        let first = draws.below(4) as u16;
        let kind = OutageKind::ALL[draws.below(2) as usize];
        let start = match kind {
            OutageKind::Failure => announced,
            OutageKind::Maintenance => announced + draws.below(8 * slot),
        };
        let end = start + 1 + draws.below(12 * slot);
        let last = first + draws.below(u64::from(4 - first)) as u16;
        notices.push(notice(id, announced, [start, end], (first, last), kind));
    }
    notices
}

#[test]
fn the_checker_finds_nothing_wrong_with_random_outages() {
    let (mut broken, mut moved, mut altered) = ([0; 2], [0; 2], 0);
    for seed in 0..24 {
        let slot = [1, 10, 60][seed as usize % 3];
        let mut script = scripts::random(seed, 60, 4, slot);
        if seed % 2 == 0 {
            script.operations.clear();
        }
        for (number, demand) in (0..).zip(&mut script.demands) {
            if let Demand::Reserve(request) = demand {
                request.deadline += (number % 3) * 8 * slot;
                request.run = request.duration / (1 + number % 3);
            }
        }
        script.notices = notices(seed, &script, slot);
        for strategy in strategies() {
            let system = System {
                outages: true,
                ..System::new(4, 64, slot as u32, strategy, Binding::Early)
            };
            let story = told(&system, &script);
            let all_broken = || story.placed().filter(|placed| placed.broken().is_some());
            broken[0] += all_broken().filter(|placed| placed.has_run()).count();
            broken[1] += all_broken().filter(|placed| !placed.has_run()).count();
            for change in story
                .moves
                .iter()
                .filter(|change| change.cause == Cause::Outage)
            {
                let same = change
                    .from
                    .is_some_and(|from| from.start == change.to.start);
                moved[usize::from(same)] += 1;
            }
            altered += story
                .gone
                .iter()
                .filter(|gone| gone.effect.is_none())
                .count();
        }
    }
    let all = (broken, moved, altered);
    assert!(broken[0] > 50 && broken[1] > 200, "{all:?}");
    assert!(moved[0] > 200 && moved[1] > 100 && altered > 200, "{all:?}");
}

#[test]
fn outages_of_nodes_go_with_a_layout() {
    let text = "groups = 2\nkinds = { core = 2, gpu = 1 }\n";
    let layout = Layout::parse("layout.toml".as_ref(), text).unwrap();
    let placing = Placing {
        layout: Arc::new(layout),
        prefer: Prefer::Lowest,
        relocate: true,
    };
    let system = system(FIRST_FIT).on(placing);
    let mut failure = notice(3, 0, [0, 100], (0, 1), OutageKind::Failure);
    // The cores and the GPU of the first node.
    failure.pes = vec![(0, 1), (4, 4)];
    let story = told(
        &system,
        &script(
            &[job(1, 0, [0, 50, 200], 3), job(2, 0, [0, 50, 200], 4)],
            &[failure],
        ),
    );
    assert_eq!(fates(&story)[0].2, [(2, 3), (5, 5)]);
    assert_eq!(fates(&story)[1].0, 100);
}

#[test]
fn lies_about_outages_are_noticed() {
    let jobs = [
        job(1, 0, [0, 100, 100], 2),
        job(2, 0, [50, 50, 200], 2),
        job(3, 0, [100, 50, 150], 4),
        job(4, 0, [100, 50, 400], 4),
    ];
    let outages = [
        notice(7, 20, [20, 120], (0, 0), OutageKind::Failure),
        notice(8, 30, [60, 180], (3, 3), OutageKind::Maintenance),
    ];
    let system = system(FIRST_FIT);
    let story = told(&system, &script(&jobs, &outages));
    assert_eq!(
        rows(&story)[1],
        (8, &[(3, 3)][..], Some([60, 180]), [0, 2, 1])
    );
    let lies: [Lie; 9] = [
        (
            |story| story.gone[0].pes = vec![(1, 1)],
            "outage 7: takes 1, of which only 0 were to leave",
        ),
        (
            |story| story.gone[0].effect = Some([20, 110]),
            "outage 7: PE 0 is not away at 110",
        ),
        (
            |story| story.gone[1].effect = Some([40, 180]),
            "outage 8: is away from 40 to 180, known since 30 for 60 to 180",
        ),
        (
            |story| story.gone[0].broken = 1,
            "outage 7, known at 20: broken: found 1, expected 2",
        ),
        (
            |story| story.gone[1].late = 0,
            "outage 8, known at 30: late: found 0, expected 1",
        ),
        (
            |story| story.moves.truncate(1),
            "outage 8, known at 30: moved: found 2, expected 1",
        ),
        (
            |story| story.moves[0].cause_job_id = Some(9),
            "moves.csv: moved at 30 by an outage that is not announced then",
        ),
        (
            |story| {
                let placed = story.outcomes[0].decision.as_mut().unwrap();
                placed.changed.as_mut().unwrap().ended = engine::outcome::Ended::Broken {
                    by: Breaker::Outage(8),
                    at: 30,
                };
                placed.ran = 30;
                (story.gone[0].broken, story.gone[1].broken) = (1, 1);
            },
            "runs and is broken at 30 by outage 8, which is no failure",
        ),
        (
            |story| {
                let placed = story.outcomes[1].decision.as_mut().unwrap();
                placed.pes = vec![(0, 0), (2, 2)];
            },
            "uses PE 0 at 50, as outage 7 does",
        ),
    ];
    notices_lies(&system, &story, &lies);
}

#[test]
fn what_a_machine_cannot_lose_is_refused() {
    let message = |system: &System, notices: &[Notice]| {
        let error = engine::replay(system, &script(&[], notices), &|| {}).unwrap_err();
        error.to_string()
    };
    let long = notice(5, 10, [10, 700], (0, 0), OutageKind::Failure);
    assert_eq!(
        message(&system(FIRST_FIT), std::slice::from_ref(&long)),
        "outage 5 lasts until 700, which is 69 slots after second 10 in which it becomes known: expected at most 64; say --slots"
    );
    let plain = System::new(4, 64, 10, FIRST_FIT, Binding::Early);
    assert!(message(&plain, &[long]).contains("PEs do not leave"));
    let late = System {
        outages: true,
        ..System::new(4, 64, 10, FIRST_FIT, Binding::Late)
    };
    assert!(message(&late, &[]).contains("with late binding, nobody knows whose PEs leave"));
    let queue = System {
        best_effort: Some(bookahead::Discipline::Easy),
        ..system(FIRST_FIT)
    };
    assert!(message(&queue, &[]).contains("leave out --queue"));
}

/// The fewest promises that are broken, by trying all starts of all subsets.
fn fewest_broken(promises: &[Promise], away: &[Stretch], pes: u64) -> usize {
    fn place(promises: &[Promise], free: &mut [u64]) -> usize {
        let Some((first, rest)) = promises.split_first() else {
            return 0;
        };
        let mut fewest = 1 + place(rest, free);
        for start in first.ready..=first.deadline.saturating_sub(first.run) {
            let window = start as usize..(start + first.run) as usize;
            if free[window.clone()].iter().all(|free| *free >= first.pes) {
                free[window.clone()]
                    .iter_mut()
                    .for_each(|free| *free -= first.pes);
                fewest = fewest.min(place(rest, free));
                free[window].iter_mut().for_each(|free| *free += first.pes);
            }
        }
        fewest
    }
    let mut free = [pes; 16];
    for stretch in away {
        for free in &mut free[stretch.start as usize..stretch.end as usize] {
            *free = free.saturating_sub(stretch.pes);
        }
    }
    place(promises, &mut free)
}

#[test]
fn what_was_inevitable_is_never_more_than_the_fewest_of_all_schedules() {
    let mut draws = Draws::new(5);
    let (mut exact, mut worlds, mut sum) = (0, 0, 0);
    for _ in 0..3_000 {
        let promises: Vec<Promise> = (0..1 + draws.below(4))
            .map(|_| {
                let (ready, run) = (draws.below(6), 1 + draws.below(5));
                let deadline = ready + run + draws.below(3) * draws.below(3);
                let pes = 1 + draws.below(3);
                Promise {
                    ready,
                    deadline,
                    run,
                    pes,
                }
            })
            .collect();
        let away: Vec<Stretch> = (0..draws.below(3))
            .map(|_| {
                let (start, pes) = (draws.below(8), 1 + draws.below(2));
                let end = start + 1 + draws.below(8);
                Stretch { start, end, pes }
            })
            .collect();
        let (bound, fewest) = (
            least_broken(&promises, &away, 4),
            fewest_broken(&promises, &away, 4),
        );
        assert!(bound <= fewest, "{bound} {fewest} {promises:?} {away:?}");
        if fewest > 0 {
            worlds += 1;
            exact += usize::from(bound == fewest);
            sum += bound;
        }
    }
    // So that it says something.
    assert!(
        worlds > 1_000 && exact * 2 > worlds && sum > worlds / 2,
        "{exact} of {worlds}, {sum}"
    );
}
