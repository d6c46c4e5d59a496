//! Rigid and elastic reservations on a machine small enough to work out by hand.

use super::*;

/// A request of `slots` slots on `pes` PEs between slots `ready` and `deadline`.
fn request(job_id: u64, [ready, deadline]: [u64; 2], slots: u64, pes: u64) -> Demand {
    Demand::Reserve(JobRequest {
        job_id,
        arrival: 0,
        ready: 60 * ready,
        duration: 60 * slots,
        deadline: 60 * deadline,
        pes,
        run: 60 * slots,
        flexible: true,
        ..JobRequest::default()
    })
}

/// What the last request gets, in slots; the others are sure of their places.
#[track_caller]
fn last(strategy: Strategy, demands: &[Demand]) -> Option<(u64, u64, u64)> {
    let [early, late] = [Binding::Early, Binding::Late]
        .map(|binding| ran(&checked(&small(strategy, binding, None), demands)));
    assert_eq!(early, late);
    let (last, others) = early.split_last().unwrap();
    assert!(others.iter().all(Option::is_some));
    last.map(|(start, finish, width)| (start / 60, finish / 60, width))
}

fn elastic(user: User) -> Strategy {
    Strategy::Elastic(Elastic {
        user,
        ..Elastic::default()
    })
}

#[test]
fn rigid_is_the_ready_time_or_nothing() {
    let blocked = [request(1, [5, 7], 2, 4), request(2, [4, 20], 2, 1)];
    assert_eq!(last(Strategy::Rigid, &blocked), None);
    assert_eq!(
        last(Strategy::Fit(Policy::FirstFit), &blocked),
        Some((7, 9, 1))
    );
    let free = [request(1, [5, 7], 2, 3), request(2, [5, 20], 2, 1)];
    assert_eq!(last(Strategy::Rigid, &free), Some((5, 7, 1)));
}

#[test]
fn a_solution_lies_where_least_is_free() {
    // From 10 to 12 two PEs are left, elsewhere all four.
    let demands = [request(1, [10, 12], 2, 2), request(2, [5, 20], 2, 2)];
    for user in User::ALL {
        assert_eq!(last(elastic(user), &demands), Some((10, 12, 2)));
    }
}

#[test]
fn users_take_less_time_if_they_are_willing() {
    // Before and behind the first there is room for three slots and two.
    let demands = |slots| [request(1, [3, 8], 5, 3), request(2, [0, 10], slots, 2)];
    assert_eq!(last(elastic(User::SolutionOnly), &demands(6)), None);
    assert_eq!(
        last(elastic(User::Alternatives), &demands(6)),
        Some((0, 3, 2))
    );
    // Half of seven slots are more than three.
    assert_eq!(last(elastic(User::Alternatives), &demands(7)), None);
    let solved = Some((0, 3, 2));
    assert_eq!(last(elastic(User::SolutionOnly), &demands(3)), solved);
}

#[test]
fn users_who_ask_again_take_fewer_processing_elements() {
    // Two slots for three PEs are too few. For the whole time there are two PEs, which will do, or one.
    let demands = |busy| [request(1, [2, 10], 8, busy), request(2, [0, 10], 6, 3)];
    assert_eq!(last(elastic(User::Alternatives), &demands(2)), None);
    assert_eq!(last(elastic(User::AskAgain), &demands(3)), None);
    // Of the two offers of two PEs the user takes the longer, which grew from the free slots at the beginning.
    assert_eq!(last(elastic(User::AskAgain), &demands(2)), Some((0, 6, 2)));
    // In a list of one offer it stands only if the longest go first.
    let one = |order| {
        Strategy::Elastic(Elastic {
            search: Search::StripPacking,
            order,
            offers: 1,
            user: User::AskAgain,
        })
    };
    assert_eq!(last(one(OfferOrder::Longest), &demands(2)), Some((0, 6, 2)));
    assert_eq!(
        last(one(OfferOrder::Discovery), &demands(2)),
        Some((2, 8, 2))
    );
}

#[test]
fn at_several_sites_users_ask_again_only_where_none_has_a_suitable_offer() {
    // The first site has three PEs busy from some slot on, so the second one has two of its own busy from 2 on.
    let demands = |busy_from| {
        let first = request(1, [busy_from, 8], 8 - busy_from, 3);
        [first, request(2, [2, 10], 8, 2), request(3, [0, 10], 6, 3)]
    };
    // In the first site two are free for the whole time, in the second one three.
    let wide = [
        request(1, [10, 20], 10, 4),
        request(2, [0, 10], 10, 2),
        request(3, [0, 20], 20, 1),
        request(4, [0, 10], 10, 4),
    ];
    let at_two_sites = |user, demands: &[Demand], binding| {
        let system = System {
            sites: 2,
            ..small(elastic(user), binding, None)
        };
        let outcomes = checked(&system, demands);
        let placed = outcomes.last()?.decision.as_ref().ok()?;
        let slots = [placed.start / 60, placed.finish() / 60];
        Some((placed.site, slots, placed.width()))
    };
    for binding in [Binding::Early, Binding::Late] {
        let at = |user, busy_from| at_two_sites(user, &demands(busy_from), binding);
        for user in [User::Alternatives, User::AskAgain] {
            assert_eq!(at(user, 3), Some((0, [0, 3], 3)));
        }
        assert_eq!(at(User::SolutionOnly, 3), None);
        assert_eq!(at(User::Alternatives, 2), None);
        assert_eq!(at(User::AskAgain, 2), Some((1, [0, 6], 2)));
        let widest = at_two_sites(User::AskAgain, &wide, binding);
        assert_eq!(widest, Some((1, [0, 10], 3)));
    }
}

/// The same, were it to end early.
fn early([first, mut last]: [Demand; 2], run: u64) -> [Demand; 2] {
    if let Demand::Reserve(request) = &mut last {
        request.run = run;
    }
    [first, last]
}

#[test]
fn a_job_that_is_granted_fewer_processing_elements_ends_when_its_run_time_is_over() {
    let demands = |busy| [request(1, [2, 10], 8, busy), request(2, [0, 10], 6, 3)];
    let user = elastic(User::AskAgain);
    assert_eq!(last(user, &early(demands(2), 120)), Some((0, 2, 2)));
    assert_eq!(last(user, &early(demands(2), 360)), Some((0, 6, 2)));
    // With all that it asked for.
    assert_eq!(last(user, &early(demands(1), 120)), Some((2, 4, 3)));
}

#[test]
fn what_a_job_leaves_of_the_less_that_it_was_granted_others_can_have() {
    let [first, second] = early([request(1, [3, 8], 5, 3), request(2, [0, 10], 6, 2)], 45);
    let mut third = request(3, [1, 3], 2, 4);
    if let Demand::Reserve(request) = &mut third {
        request.arrival = 60;
    }
    let demands = [first, second, third];
    assert_eq!(last(elastic(User::Alternatives), &demands), Some((1, 3, 4)));
}

#[test]
fn a_job_that_is_granted_less_time_runs_no_longer_than_that() {
    let demands = [request(1, [3, 8], 5, 3), request(2, [0, 10], 6, 2)];
    for (run, finish) in [(100, 100), (180, 180), (200, 180), (360, 180)] {
        let system = small(elastic(User::Alternatives), Binding::Late, None);
        let outcomes = checked(&system, &early(demands.clone(), run));
        assert_eq!(ran(&outcomes)[1], Some((0, finish, 2)));
    }
    let system = small(elastic(User::Alternatives), Binding::Late, None);
    let outcomes = checked(&system, &demands);
    assert_eq!(ran(&outcomes)[1], Some((0, 180, 2)));
    let metrics = Metrics::of(&outcomes, 4);
    assert_eq!((metrics.accepted, metrics.reduced), (2, 1));
    // Of 5 x 3 + 6 x 2 PE-slots 5 x 3 + 3 x 2 are granted.
    assert_eq!(metrics.accepted_work_rate, Some(21.0 / 27.0));
}

#[test]
fn systems_that_make_no_sense_are_named() {
    let strategy = elastic(User::Alternatives);
    let elastic = |offers| {
        Strategy::Elastic(Elastic {
            offers,
            ..Elastic::default()
        })
    };
    let cases = [
        (
            small(Strategy::Rigid, Binding::LateControl, None),
            "late-control binding looks at the candidate starts of a policy, which rigid has not",
        ),
        (
            small(strategy, Binding::LateControl, None),
            "late-control binding looks at the candidate starts of a policy, which elastic has not",
        ),
        (
            small(elastic(0), Binding::Late, None),
            "a list of 0 offers: expected 1 to 1024",
        ),
        (
            small(elastic(1025), Binding::Late, None),
            "a list of 1025 offers: expected 1 to 1024",
        ),
        (
            System::new(4, 64, 0, strategy, Binding::Late),
            "--pes, --slots and --slot-seconds must not be 0",
        ),
    ];
    for (system, problem) in cases {
        assert_eq!(system.check().unwrap_err().to_string(), problem);
        assert!(engine::run(&system, &[], &|| {}).is_err());
    }
}
