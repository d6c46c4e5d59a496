//! Reservations that are juggled and shifted until they start.

use bookahead::{Admission, Direction, Discipline, Factor, Insertion, Money, Policy, Tariff};
use bookahead_sim::{
    check,
    engine::{
        Binding, Cause, Freeze, Juggle, Moving, Order, Shift, Story, Strategy, System,
        metrics::Metrics, story::Moved,
    },
    operation::Script,
    request::{Demand, Hold},
};

use crate::operations::{scripts, told};

fn system(strategy: Strategy, binding: Binding, slot_seconds: u32) -> System {
    System {
        tariff: Tariff::new(Money::new(60_000), Factor::from_num(2), 1).unwrap(),
        ..System::new(5, 60, slot_seconds, strategy, binding)
    }
}

/// The same with windows that leave room to move, and some requests that are not flexible.
fn roomy(script: &Script, slot: u64) -> Script {
    let mut script = script.clone();
    for (index, demand) in (0..).zip(&mut script.demands) {
        if let Demand::Reserve(request) | Demand::Hold(Hold { request, .. }) = demand {
            request.deadline += (index % 4) * 6 * slot;
            request.flexible = index % 5 != 0;
        }
    }
    script
}

/// How often reservations moved, moved into what had become free, and stayed because a limit was reached; and starts that became fixed.
struct Seen {
    by_cause: [usize; 3],
    frozen: usize,
    limited: usize,
}

/// Runs random scripts under the strategies that `choose` makes of a seed and of settings.
fn live(choose: impl Fn(u64, Juggle, Moving) -> Strategy) -> Seen {
    let freezes = [
        Freeze::Never,
        Freeze::Acceptance,
        Freeze::Share { per_mille: 333 },
        Freeze::Lead { seconds: 95 },
    ];
    let (mut by_cause, mut frozen, mut limited) = ([0; 3], 0, 0);
    for seed in 0..36 {
        let slot = [1, 10, 60][seed as usize % 3];
        let plain = scripts::random(seed, 70, 5, slot);
        let script = roomy(&scripts::mixed(seed, &plain), slot);
        for (order, binding) in Order::all(seed)
            .into_iter()
            .zip([Binding::Early, Binding::Late].into_iter().cycle())
        {
            let juggle = Juggle {
                order,
                replan: seed % 3 > 0,
                ..Juggle::default()
            };
            let moving = Moving {
                freeze: freezes[seed as usize % 4],
                move_limit: (seed % 3 == 1).then_some(1),
                work_limit: None,
            };
            let system = System {
                best_effort: Some(Discipline::ALL[seed as usize % 2]),
                ..system(choose(seed, juggle, moving), binding, slot as u32)
            };
            let story = told(&system, &script);
            let metrics = Metrics::on(&system, &story);
            frozen += metrics.rearranged.frozen;
            limited += metrics.refusals.get("move-limit").copied().unwrap_or(0);
            for (count, cause) in by_cause.iter_mut().zip(Cause::OF_STRATEGIES) {
                let moved = story.moves.iter().filter(|moved| moved.cause == cause);
                *count += moved.count();
            }
        }
    }
    Seen {
        by_cause,
        frozen,
        limited,
    }
}

#[test]
fn the_checker_finds_nothing_wrong_with_random_juggling() {
    let seen = live(|seed, juggle, moving| {
        let admission = [Admission::PlainFirst, Admission::Always][seed as usize / 2 % 2];
        Strategy::Juggle(
            Juggle {
                admission,
                ..juggle
            },
            moving,
        )
    });
    let [juggled, shifted, replanned] = seen.by_cause;
    let counts = [juggled, replanned, seen.frozen, seen.limited];
    assert!(counts.iter().all(|count| *count > 4), "{counts:?}");
    assert_eq!(shifted, 0);
}

#[test]
fn the_checker_finds_nothing_wrong_with_random_shifting() {
    let insertions = [
        Insertion::Slides { depth: 2 },
        Insertion::FewestMoves,
        Insertion::LeastShift,
    ];
    // Slides that move nobody leave something to juggling.
    let nobody = Insertion::Slides { depth: 0 };
    let seen = live(|seed, juggle, moving| {
        let shift = Shift {
            policy: Policy::ALL[seed as usize % 7],
            direction: [Direction::Right, Direction::Both][seed as usize % 2],
            insertion: insertions[seed as usize / 2 % 3],
        };
        match seed % 4 {
            0 => {
                let insertion = [nobody, shift.insertion][seed as usize / 4 % 2];
                Strategy::JuggleShift(Shift { insertion, ..shift }, juggle, moving)
            }
            _ => Strategy::Shift(shift, moving),
        }
    });
    let [juggled, shifted, replanned] = seen.by_cause;
    let counts = [juggled, shifted, replanned, seen.frozen, seen.limited];
    assert!(counts.iter().all(|count| *count > 4), "{counts:?}");
}

#[test]
fn the_checker_finds_nothing_wrong_with_random_pulling_forward() {
    let (mut pulled, mut first) = (0, None);
    for seed in 0..24 {
        let slot = [1, 10, 60][seed as usize % 3];
        let plain = scripts::random(seed, 70, 5, slot);
        let script = roomy(&scripts::mixed(seed, &plain), slot);
        let moving = Moving {
            freeze: [Freeze::Never, Freeze::Lead { seconds: 95 }][seed as usize % 2],
            ..Moving::FREELY
        };
        let (shift, juggle) = (Shift::default(), Juggle::default());
        let strategies = [
            Strategy::Fit(Policy::ALL[seed as usize % 7]),
            Strategy::Juggle(juggle, moving),
            Strategy::Shift(shift, moving),
            Strategy::JuggleShift(shift, juggle, moving),
        ];
        for strategy in strategies {
            for binding in [Binding::Early, Binding::Late] {
                let system = System {
                    best_effort: Some(Discipline::ALL[seed as usize / 2 % 3]),
                    pull_forward: true,
                    ..system(strategy, binding, slot as u32)
                };
                let story = told(&system, &script);
                let by_itself = |moved: &&Moved| moved.cause == Cause::PullForward;
                pulled += story.moves.iter().filter(by_itself).count();
                let one = story.moves.iter().position(|moved| by_itself(&moved));
                first = first.or(one.map(|one| (system, story, one)));
            }
        }
    }
    assert!(pulled > 200, "{pulled}");
    let (system, story, one) = first.unwrap();
    let said = |system: &System, story: &Story| {
        let found = check::story(system, story);
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    // Nobody is pulled to a later start, for nothing, or where that is not said.
    let mut later = story.clone();
    let moved = &mut later.moves[one];
    moved.to.start += u64::from(2 * system.slot_seconds) * 20;
    let found = said(&system, &later);
    let expected = "by pull-forward, which the settings rule out";
    assert!(
        found.iter().any(|found| found.contains(expected)),
        "{found:#?}"
    );
    let mut nothing = story.clone();
    nothing.moves[one].time += 1;
    let found = said(&system, &nothing);
    let expected = "because of it, when it gave nothing back";
    assert!(
        found.iter().any(|found| found.contains(expected)),
        "{found:#?}"
    );
    let plain = System {
        pull_forward: false,
        ..system
    };
    let found = said(&plain, &story);
    let expected = "by pull-forward, which the settings rule out";
    assert!(
        found.iter().any(|found| found.contains(expected)),
        "{found:#?}"
    );
}
