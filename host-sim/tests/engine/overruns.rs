//! Jobs that take longer than was booked.

use bookahead_sim::{
    engine::{Binding, Cause, Outcome, Placed, Story, System, outcome::Ended},
    operation::{Action, Operation, Script},
    outage::Breaker,
    request::{Demand, Hold, JobRequest},
};

use crate::{
    operations::{scripts, told},
    outages::{FIRST_FIT, Lie, fates, job, notices, notices_lies, script, strategies},
};

/// Job 1 runs on PEs 0 and 1 until 50, and is given time until 90 at 40.
fn run(binding: Binding) -> (System, Story) {
    let jobs = [
        job(1, 0, [0, 50, 50], 2),
        job(2, 0, [0, 50, 50], 1),
        job(3, 0, [50, 30, 200], 2),
        job(4, 0, [50, 30, 80], 2),
        job(5, 0, [80, 20, 100], 4),
        job(6, 0, [200, 10, 210], 1),
    ];
    let operations = vec![Operation {
        job_id: 7,
        arrival: 40,
        target: 1,
        action: Action::ExtendByForce { duration: 90 },
        after: jobs.len(),
    }];
    let system = System::new(4, 64, 10, FIRST_FIT, binding);
    let script = Script {
        operations,
        ..script(&jobs, &[])
    };
    let story = told(&system, &script);
    (system, story)
}

#[test]
fn who_is_in_the_way_is_moved_or_broken() {
    let gone = |id, start| (start, start, &[][..], Some(id));
    let (_, early) = run(Binding::Early);
    assert_eq!(
        fates(&early),
        [
            (0, 90, &[(0, 1)][..], None),
            (0, 50, &[(2, 2)][..], None),
            (80, 110, &[(2, 3)][..], None),
            (50, 80, &[(2, 3)][..], None),
            gone(1, 80),
            (200, 210, &[(0, 0)][..], None),
        ]
    );
    // With late binding the one accepted last leaves first, and then two PEs are enough.
    let (_, late) = run(Binding::Late);
    let began: Vec<_> = fates(&late).iter().map(|fate| (fate.0, fate.3)).collect();
    let expected = [
        (0, None),
        (0, None),
        (50, None),
        (50, Some(1)),
        (80, Some(1)),
        (200, None),
    ];
    assert_eq!(began, expected);
}

fn placed(story: &mut Story, index: usize) -> &mut Placed {
    story.outcomes[index].decision.as_mut().unwrap()
}

fn break_off(story: &mut Story, index: usize, by: u64) {
    let mut changed = story.outcomes[4].decision.as_ref().unwrap().changed.clone();
    let placed = placed(story, index);
    let ended = Ended::Broken {
        by: Breaker::Overrun(by),
        at: 40,
    };
    let other = changed.as_mut().unwrap();
    (other.start, other.pes, other.ended) = (placed.start, placed.width(), ended);
    placed.changed = changed;
}

#[test]
fn lies_about_overruns_are_noticed() {
    let (system, story) = run(Binding::Early);
    let lies: [Lie; 10] = [
        (
            |story| break_off(story, 4, 2),
            "broken at 40 by job 2, which is not extended then",
        ),
        (
            |story| {
                break_off(story, 5, 1);
                placed(story, 5).pes.clear();
            },
            "broken at 40 by job 1, which 200-210 on 1 PE does not meet",
        ),
        (
            |story| {
                break_off(story, 1, 1);
                placed(story, 1).ran = 40;
            },
            "runs and is broken at 40 by job 1, which only goes on",
        ),
        (
            |story| story.moves[1].cause_job_id = Some(2),
            "moves.csv: moved at 40 by job 2, which is not extended then",
        ),
        (
            |story| story.moves[1].to.start = 40,
            "moved at 40 to 40-110 on 2 PEs, outside of 50-200",
        ),
        (
            |story| story.moves[1].job_id = 2,
            "moves.csv: moved at 40, when it is not waiting",
        ),
        (
            |story| story.moves.truncate(1),
            "starts at 80, booked in the end 50-80 on 2 PEs",
        ),
        (
            |story| story.moves = story.moves[1..].to_vec(),
            "extend-by-force: moves.csv has 0 rows of it, expected 1",
        ),
        (
            |story| story.operated[0].operation.target = 6,
            "extends by force what does not run",
        ),
        (
            |story| placed(story, 4).changed.as_mut().unwrap().ended = Ended::Over,
            "books 0-90 on 2 PEs at 40, when 8 of 4 PEs are taken",
        ),
    ];
    notices_lies(&system, &story, &lies);
}

/// Requests that leave room to move, of which some run longer than they say.
fn longer(seed: u64, slot: u64) -> Script {
    let mut script = scripts::random(seed, 60, 4, slot);
    for (number, demand) in (0..).zip(&mut script.demands) {
        if let Demand::Reserve(request) | Demand::Hold(Hold { request, .. }) = demand {
            request.deadline += (number % 3) * 8 * slot;
            request.run = request.duration * (1 + number % 4) / 2 + number % 3;
        }
    }
    script
}

#[test]
fn the_checker_finds_nothing_wrong_with_random_overruns() {
    let (mut moved, mut broken, mut longest) = (0, 0, 0);
    for seed in 0..24 {
        let slot = [1, 10, 60][seed as usize % 3];
        let mut script = longer(seed, slot);
        if seed % 2 == 0 {
            script.operations.clear();
        }
        if seed % 4 > 1 {
            script.notices = notices(seed, &script, slot);
        }
        for (strategy, binding) in strategies()
            .into_iter()
            .zip([Binding::Early, Binding::Late].into_iter().cycle())
        {
            let outages = !script.notices.is_empty();
            let system = System {
                overrun: true,
                outages,
                ..System::new(4, 24, slot as u32, strategy, binding)
            };
            if system.check().is_err() || system.check_notices(&script.notices).is_err() {
                continue;
            }
            let story = told(&system, &script);
            for change in &story.moves {
                let by_itself = change.cause_job_id == Some(change.job_id);
                moved += usize::from(change.cause == Cause::Overrun && !by_itself);
            }
            let by_overrun =
                |placed: &&Placed| matches!(placed.broken(), Some((Breaker::Overrun(_), _)));
            broken += story.placed().filter(by_overrun).count();
            let ran = story.outcomes.iter().filter_map(Outcome::accepted);
            longest += ran
                .filter(|(request, placed)| placed.ran > request.duration)
                .count();
        }
    }
    let counts = (moved, broken, longest);
    assert!(moved > 100 && broken > 100 && longest > 300, "{counts:?}");
}

#[test]
fn without_overruns_jobs_are_stopped_as_if_they_took_no_longer() {
    for seed in 0..6 {
        let script = longer(seed, 10);
        let mut cut = script.clone();
        for demand in &mut cut.demands {
            if let Demand::Reserve(request) | Demand::Hold(Hold { request, .. }) = demand {
                request.run = request.run.min(request.duration);
            }
        }
        for binding in [Binding::Early, Binding::Late] {
            let system = System::new(4, 64, 10, FIRST_FIT, binding);
            let decided = |script| {
                let story = told(&system, script);
                let outcomes = story.outcomes.into_iter();
                outcomes.map(|one| one.decision).collect::<Vec<_>>()
            };
            assert_eq!(decided(&script), decided(&cut));
        }
    }
}

#[test]
fn a_job_that_takes_longer_goes_on_at_the_end_of_its_booking() {
    let long = JobRequest {
        run: 95,
        ..job(1, 0, [0, 45, 50], 2)
    };
    let jobs = [long, job(2, 0, [50, 30, 200], 4)];
    let system = System {
        overrun: true,
        ..System::new(4, 30, 10, FIRST_FIT, Binding::Early)
    };
    let story = told(&system, &script(&jobs, &[]));
    assert_eq!(fates(&story)[0], (0, 95, &[(0, 1)][..], None));
    let lies: [Lie; 4] = [
        (|story| story.moves[0].to.end = 110, "books 0-110 on 2 PEs"),
        (
            |story| story.moves[0].time = 40,
            "moves.csv: goes on at 40 as 0-100 on 2 PEs, but booked was 0-50 on 2 PEs",
        ),
        (
            |story| story.moves[0].job_id = 2,
            "moves.csv: moved at 50 by job 1, which is not extended then",
        ),
        (
            |story| story.moves.clear(),
            "is over at 95, booked in the end 0-50 on 2 PEs",
        ),
    ];
    notices_lies(&system, &story, &lies);
    let plain = System {
        overrun: false,
        ..system
    };
    notices_lies(&plain, &story, &[(|_| {}, "is over at 95, promised by 50")]);
}
