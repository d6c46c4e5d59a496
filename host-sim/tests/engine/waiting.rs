//! Requests that wait for room, and queued jobs with windows, against a plain reading second by second.

use std::sync::Arc;

use bookahead::{Discipline, Policy};
use bookahead_sim::{
    arrivals::Outline,
    check,
    engine::{
        self, Binding, KeyOwner, Keys, Outcome, Priority, Reason, Strategy, System,
        metrics::Metrics,
    },
    request::{BestEffortRequest, Demand, JobRequest},
    workload::rng::{Purpose, stream},
};
use rand::{Rng, RngExt};

use crate::{checked, numbered, refused};

const FIRST_FIT: Strategy = Strategy::Fit(Policy::FirstFit);

/// Four PEs and 32 slots of 10 seconds.
fn system(priority: Priority, binding: Binding) -> System {
    System {
        wait: Some(priority),
        ..System::new(4, 32, 10, FIRST_FIT, binding)
    }
}

pub fn job(arrival: u64, [ready, duration, deadline]: [u64; 3], run: u64, pes: u64) -> JobRequest {
    JobRequest {
        arrival,
        ready,
        duration,
        deadline,
        pes,
        run,
        ..JobRequest::default()
    }
}

pub fn reserve(jobs: &[JobRequest]) -> Vec<Demand> {
    jobs.iter().cloned().map(Demand::Reserve).collect()
}

/// What became of a request: when it was promised a start and when it started, or that it was given up.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Promised { at: u64, start: u64 },
    GaveUp,
    Refused,
}

fn fates(outcomes: &[Outcome]) -> Vec<Fate> {
    let fate = |outcome: &Outcome| {
        let (request, decision) = outcome.reservation()?;
        Some(match decision {
            Ok(placed) => Fate::Promised {
                at: placed.late.map_or(request.arrival, |late| late.at),
                start: placed.began,
            },
            Err(Reason::GaveUp(_)) => Fate::GaveUp,
            Err(_) => Fate::Refused,
        })
    };
    outcomes.iter().filter_map(fate).collect()
}

#[test]
fn who_waits_is_promised_room_that_comes_free_and_given_up_behind_the_latest_start() {
    let demands = reserve(&[
        job(0, [0, 200, 200], 95, 4),
        // Fits at 100, where the first is over.
        job(10, [20, 50, 170], 50, 3),
        job(20, [30, 40, 90], 40, 1),
        // Its window is beyond the 320 seconds that can be booked ahead, until 330.
        job(30, [600, 50, 650], 50, 4),
        JobRequest {
            impatient: true,
            ..job(40, [60, 50, 110], 50, 1)
        },
    ]);
    let expected = [
        Fate::Promised { at: 0, start: 0 },
        Fate::Promised {
            at: 100,
            start: 100,
        },
        Fate::GaveUp,
        Fate::Promised {
            at: 330,
            start: 600,
        },
        Fate::Refused,
    ];
    for binding in [Binding::Early, Binding::Late] {
        let system = system(Priority::Age, binding);
        let outcomes = checked(&system, &demands);
        assert_eq!(fates(&outcomes), expected, "{binding:?}");
        let metrics = Metrics::on(&system, &outcomes.into());
        let late = metrics.late.unwrap();
        assert_eq!((late.promised_late, late.gave_up), (2, 1));
        assert_eq!(late.promise_delay, Some(195.0));
        let deadlines = metrics.deadlines.unwrap();
        assert_eq!(
            (deadlines.deadlines_kept, deadlines.deadlines_missed),
            (3, 2)
        );
        assert_eq!(deadlines.kept_pe_seconds, 95 * 4 + 50 * 3 + 50 * 4);
    }
}

/// Three requests of which any two exclude each other, for the room that comes free at 60.
fn rivals() -> Vec<Demand> {
    let with = |user, request| JobRequest {
        user: Some(user),
        ..request
    };
    reserve(&[
        with(1, job(0, [0, 200, 200], 55, 4)),
        with(1, job(10, [30, 60, 130], 60, 2)),
        with(2, job(20, [30, 60, 130], 60, 3)),
        with(3, job(30, [30, 60, 130], 60, 4)),
    ])
}

#[test]
fn the_priority_says_who_is_promised_first() {
    let keys = |of, keys: &[(u64, u32)]| {
        Priority::Given(Arc::new(Keys {
            of,
            keys: keys.iter().copied().collect(),
        }))
    };
    let cases = [
        (Priority::Age, 1),
        (Priority::Size, 3),
        // User 1 has been promised 800 PE-seconds, the others nothing.
        (Priority::User, 2),
        (keys(KeyOwner::User, &[(3, 1)]), 3),
        (keys(KeyOwner::Job, &[(3, 5), (4, 4)]), 2),
    ];
    for (priority, first) in cases {
        let outcomes = checked(&system(priority.clone(), Binding::Late), &rivals());
        let promised: Vec<usize> = (1..4).filter(|at| outcomes[*at].decision.is_ok()).collect();
        assert_eq!(promised, [first], "{priority}");
    }
}

#[test]
fn a_rigid_request_waits_for_its_ready_time_only() {
    let system = System {
        strategy: Strategy::Rigid,
        ..system(Priority::Age, Binding::Late)
    };
    let demands = reserve(&[
        job(0, [0, 200, 200], 55, 4),
        job(10, [50, 60, 300], 60, 2),
        job(20, [60, 60, 300], 60, 2),
        job(30, [600, 60, 900], 60, 2),
    ]);
    let expected = [
        Fate::Promised { at: 0, start: 0 },
        Fate::GaveUp,
        Fate::Promised { at: 60, start: 60 },
        Fate::Promised {
            at: 340,
            start: 600,
        },
    ];
    assert_eq!(fates(&checked(&system, &demands)), expected);
}

/// A machine as a list of who is booked when, and everything tried anew in every slot.
struct Plain<'a> {
    system: &'a System,
    requests: &'a [JobRequest],
    /// In the order in which they were promised.
    booked: Vec<Booked>,
    waiting: Vec<(u32, usize)>,
    fates: Vec<Fate>,
}

struct Booked {
    number: usize,
    start: usize,
    end: usize,
}

impl Plain<'_> {
    fn slots(&self, request: &JobRequest) -> [usize; 3] {
        let slot = u64::from(self.system.slot_seconds);
        let up = |second: u64| second.div_ceil(slot) as usize;
        [
            up(request.ready),
            up(request.duration),
            (request.deadline / slot) as usize,
        ]
    }

    /// The first start of a request that has room beside all but one of those that are booked.
    fn start_beside(&self, request: &JobRequest, now: usize, but: usize) -> Option<usize> {
        let [ready, duration, deadline] = self.slots(request);
        if deadline > now + self.system.slots as usize {
            return None;
        }
        let free = |slot: usize| {
            let others = self.booked.iter().filter(|one| one.number != but);
            let taken = others.filter(|one| (one.start..one.end).contains(&slot));
            let taken: u64 = taken.map(|one| self.requests[one.number].pes).sum();
            taken + request.pes <= u64::from(self.system.pes)
        };
        let mut starts = ready.max(now)..=deadline.checked_sub(duration)?;
        starts.find(|start| (*start..start + duration).all(free))
    }

    fn start(&self, request: &JobRequest, now: usize) -> Option<usize> {
        self.start_beside(request, now, usize::MAX)
    }

    fn book(&mut self, number: usize, start: usize, at: u64) {
        let [_, duration, _] = self.slots(&self.requests[number]);
        self.booked.push(Booked {
            number,
            start,
            end: start + duration,
        });
        let start = start as u64 * u64::from(self.system.slot_seconds);
        self.fates[number] = Fate::Promised { at, start };
    }

    /// Ends the jobs that are over, and says whether one ended early.
    fn end(&mut self, now: usize) -> bool {
        let mut early = false;
        let slot = u64::from(self.system.slot_seconds);
        for one in &mut self.booked {
            let ran = self.requests[one.number].run.div_ceil(slot).max(1) as usize;
            if one.start + ran == now && one.end > now {
                (one.end, early) = (now, true);
            }
        }
        early
    }

    /// Moves whoever can start earlier, the first of them each time, until nobody can.
    fn pull(&mut self, now: usize) {
        let earlier = |plain: &Self| {
            let mut order: Vec<usize> = (0..plain.booked.len()).collect();
            order.sort_by_key(|at| plain.booked[*at].start);
            order.into_iter().find_map(|at| {
                let Booked { number, start, .. } = plain.booked[at];
                let request = &plain.requests[number];
                let to = plain.start_beside(request, now, number);
                let to = to.filter(|to| start > now && request.flexible && *to < start);
                Some((at, to?))
            })
        };
        while let Some((at, to)) = earlier(self) {
            let one = &mut self.booked[at];
            (one.start, one.end) = (to, to + one.end - one.start);
            if let Fate::Promised { start, .. } = &mut self.fates[one.number] {
                *start = to as u64 * u64::from(self.system.slot_seconds);
            }
        }
    }

    fn slot(&mut self, now: usize) {
        if self.end(now) && self.system.pull_forward {
            self.pull(now);
        }
        let second = now as u64 * u64::from(self.system.slot_seconds);
        for (key, number) in std::mem::take(&mut self.waiting) {
            let request = &self.requests[number];
            let [_, duration, deadline] = self.slots(request);
            match self.start(request, now) {
                Some(start) => self.book(number, start, second),
                None if now + duration > deadline => self.fates[number] = Fate::GaveUp,
                None => self.waiting.push((key, number)),
            }
        }
    }

    fn arrives(&mut self, number: usize, request: &JobRequest) {
        let [ready, duration, deadline] = self.slots(request);
        let now = (request.arrival / u64::from(self.system.slot_seconds)) as usize;
        match self.start(request, now) {
            Some(start) => self.book(number, start, request.arrival),
            None if request.impatient || ready + duration > deadline => {}
            None => {
                let key = match self.system.wait {
                    Some(Priority::Size) => request.pes as u32,
                    _ => 0,
                };
                self.waiting.push((key, number));
                self.waiting
                    .sort_by_key(|(key, number)| (u32::MAX - key, *number));
            }
        }
    }
}

/// What becomes of the requests, slot by slot.
fn plainly(system: &System, requests: &[JobRequest]) -> Vec<Fate> {
    let mut plain = Plain {
        system,
        requests,
        booked: Vec::new(),
        waiting: Vec::new(),
        fates: vec![Fate::Refused; requests.len()],
    };
    let mut coming = requests.iter().enumerate().peekable();
    for now in 0..300 {
        plain.slot(now);
        let slot = u64::from(system.slot_seconds);
        while let Some((number, request)) =
            coming.next_if(|(_, request)| request.arrival / slot == now as u64)
        {
            plain.arrives(number, request);
        }
    }
    plain.fates
}

/// Requests for a crowded machine, many of which end early; some lie far ahead.
fn crowd(random: &mut impl Rng, count: usize) -> Vec<JobRequest> {
    let mut arrival = 0;
    let requests = (0..count).map(|_| {
        arrival += random.random_range(0..25);
        let ahead = match random.random_range(0..6) {
            0 => random.random_range(200..600),
            _ => random.random_range(0..60),
        };
        let duration = random.random_range(1..90);
        let ready = arrival + ahead;
        JobRequest {
            impatient: random.random_range(0..5) == 0,
            flexible: random.random_range(0..4) > 0,
            user: Some(random.random_range(0..3)),
            ..job(
                arrival,
                [
                    ready,
                    duration,
                    ready + duration + random.random_range(0..200),
                ],
                random.random_range(1..=duration),
                random.random_range(1..=4),
            )
        }
    });
    requests.collect()
}

#[test]
fn random_requests_fare_as_in_a_plain_reading() {
    let mut random = stream(1, Purpose::Reservations, 0);
    let (mut late, mut gave_up) = (0, 0);
    for round in 0..150 {
        let requests = crowd(&mut random, 40);
        let priority = [Priority::Age, Priority::Size][round % 2].clone();
        let system = System {
            pull_forward: round % 4 > 1,
            ..system(priority, Binding::Late)
        };
        let outcomes = checked(&system, &reserve(&requests));
        let expected = plainly(&system, &requests);
        assert_eq!(fates(&outcomes), expected, "round {round}: {requests:#?}");
        let counts = Metrics::on(&system, &outcomes.into()).late.unwrap();
        late += counts.promised_late;
        gave_up += counts.gave_up;
    }
    assert!(late > 300 && gave_up > 300, "{late} {gave_up}");
}

#[test]
fn whatever_goes_with_waiting_passes_the_checks() {
    let mut random = stream(2, Purpose::Reservations, 0);
    let disciplines = [None].into_iter().chain(Discipline::ALL.map(Some));
    let disciplines: Vec<_> = disciplines.collect();
    let strategies = [
        FIRST_FIT,
        Strategy::Fit(Policy::PeWorstFit),
        Strategy::Fit(Policy::DurationBestFit),
        Strategy::Rigid,
    ];
    let priorities = [Priority::Age, Priority::Size, Priority::User];
    let mut late = 0;
    for round in 0..180 {
        let best_effort = disciplines[round / 2 % 4];
        let requests = crowd(&mut random, 40);
        let demands: Vec<Demand> = requests
            .into_iter()
            .map(|request| match best_effort {
                Some(_) if random.random() => Demand::BestEffort(BestEffortRequest {
                    window: None,
                    ..request.without_promise()
                }),
                _ => Demand::Reserve(request),
            })
            .collect();
        let system = System {
            best_effort,
            strategy: strategies[round % 4],
            pull_forward: round % 4 != 3 && round / 4 % 2 == 0,
            ..system(
                priorities[round / 3 % 3].clone(),
                [Binding::Early, Binding::Late][round / 8 % 2],
            )
        };
        let outcomes = checked(&system, &demands);
        late += Metrics::on(&system, &outcomes.into())
            .late
            .unwrap()
            .promised_late;
    }
    assert!(late > 300, "{late}");
}

#[test]
fn without_waiting_nothing_is_told_of_it() {
    let mut random = stream(3, Purpose::Reservations, 0);
    let demands = numbered(&reserve(&crowd(&mut random, 40)));
    let plain = System {
        wait: None,
        ..system(Priority::Age, Binding::Early)
    };
    let outcomes = engine::run(&plain, &demands, &|| {}).unwrap();
    let metrics = Metrics::on(&plain, &outcomes.clone().into());
    assert_eq!((metrics.late, metrics.deadlines), (None, None));
    let told = System {
        deadlines: true,
        ..plain
    };
    assert_eq!(engine::run(&told, &demands, &|| {}).unwrap(), outcomes);
    assert_eq!(check::outcomes(&told, &outcomes), []);
    let deadlines = Metrics::on(&told, &outcomes.into()).deadlines.unwrap();
    assert!(deadlines.deadlines_kept > 0 && deadlines.deadlines_missed > 0);
}

/// Start of each job that ran, of those that have a window.
fn starts(outcomes: &[Outcome]) -> Vec<Option<u64>> {
    let start = |outcome: &Outcome| outcome.decision.as_ref().ok().map(|placed| placed.began);
    outcomes.iter().map(start).collect()
}

#[test]
fn queued_jobs_with_windows_come_when_they_are_ready_and_leave_behind_their_latest_start() {
    let windows: Vec<Demand> = [
        job(0, [0, 100, 100], 100, 3),
        // At the head until 60, its latest start, and in everybody's way.
        job(5, [5, 50, 110], 50, 4),
        job(10, [10, 30, 300], 30, 1),
        // Ready before the last one, though it came later.
        job(15, [200, 30, 300], 30, 4),
        job(20, [40, 30, 300], 30, 1),
    ]
    .iter()
    .map(|request| Demand::BestEffort(request.without_promise()))
    .collect();
    let cases = [
        (
            Discipline::Fcfs,
            [Some(0), None, Some(70), Some(200), Some(100)],
        ),
        (
            Discipline::Easy,
            [Some(0), None, Some(10), Some(200), Some(40)],
        ),
    ];
    for (discipline, expected) in cases {
        let system = System {
            best_effort: Some(discipline),
            deadlines: true,
            ..System::new(4, 32, 10, FIRST_FIT, Binding::Late)
        };
        let outcomes = checked(&system, &windows);
        assert_eq!(starts(&outcomes), expected, "{discipline:?}");
        assert_eq!(outcomes[1].decision, Err(Reason::RemovedLate));
        let kept = Metrics::on(&system, &outcomes.into()).deadlines.unwrap();
        assert_eq!((kept.deadlines_kept, kept.deadlines_missed), (4, 1));
    }
}

#[test]
fn random_queues_of_windows_pass_the_checks() {
    let mut random = stream(4, Purpose::Reservations, 0);
    let mut removed = 0;
    for round in 0..120 {
        let demands: Vec<Demand> = crowd(&mut random, 40)
            .into_iter()
            .map(|request| {
                let queued = request.without_promise();
                Demand::BestEffort(match random.random_range(0..3) {
                    0 => BestEffortRequest {
                        window: None,
                        ..queued
                    },
                    _ => queued,
                })
            })
            .collect();
        let system = System {
            best_effort: Some(Discipline::ALL[round % 3]),
            deadlines: true,
            queue_order: [None, Some(Priority::Size), Some(Priority::User)][round / 4 % 3].clone(),
            ..System::new(
                4,
                32,
                10,
                FIRST_FIT,
                [Binding::Early, Binding::Late][round / 2 % 2],
            )
        };
        let outcomes = checked(&system, &demands);
        let late = |outcome: &&Outcome| outcome.decision == Err(Reason::RemovedLate);
        removed += outcomes.iter().filter(late).count();
    }
    assert!(removed > 300, "{removed}");
}

#[test]
fn what_does_not_go_with_waiting_is_named() {
    let wait = || system(Priority::Age, Binding::Early);
    let cases = [
        (
            System { sites: 2, ..wait() },
            "--wait: requests wait at one site only; leave out --sites",
        ),
        (
            System {
                outages: true,
                ..wait()
            },
            "leave out --outages and --mtbf",
        ),
        (
            System {
                binding: Binding::LateControl,
                wait: None,
                pull_forward: true,
                ..wait()
            },
            "--pull-forward: late-control binding is asked at arrival only; say early or late",
        ),
        (
            System {
                strategy: Strategy::Elastic(engine::Elastic::default()),
                ..wait()
            },
            "--wait: --strategy elastic decides at arrival only; say --strategy fit or rigid",
        ),
    ];
    refused(cases);
    let ranged = JobRequest {
        shortest: Some(5),
        ..job(0, [0, 10, 50], 10, 1)
    };
    let check = |request: &JobRequest| {
        let demands = reserve(std::slice::from_ref(request));
        wait().check_demands(&Outline::of_all(&demands, None))
    };
    let problem = check(&ranged);
    let problem = problem.unwrap_err().to_string();
    assert!(
        problem.contains("request 0 has a duration_min"),
        "{problem}"
    );
    let patient = JobRequest {
        impatient: true,
        ..ranged
    };
    check(&patient).unwrap();
}
