//! Reservations that are juggled until they start.

use bookahead::{Admission, Discipline, Factor, Money, Tariff};
use bookahead_sim::{
    engine::{Binding, Freeze, Juggle, Order, Strategy, System, metrics::Metrics},
    operation::Script,
    request::{Demand, Hold},
};

use crate::operations::{scripts, told};

fn system(juggle: Juggle, binding: Binding, slot_seconds: u32) -> System {
    System {
        tariff: Tariff::new(Money::new(60_000), Factor::from_num(2), 1).unwrap(),
        ..System::new(5, 60, slot_seconds, Strategy::Juggle(juggle), binding)
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

#[test]
fn the_checker_finds_nothing_wrong_with_random_juggling() {
    let freezes = [
        Freeze::Never,
        Freeze::Acceptance,
        Freeze::Share { per_mille: 333 },
        Freeze::Lead { seconds: 95 },
    ];
    let (mut moves, mut replanned, mut frozen, mut limited) = (0, 0, 0, 0);
    for seed in 0..24 {
        let slot = [1, 10, 60][seed as usize % 3];
        let plain = scripts::random(seed, 70, 5, slot);
        let script = roomy(&scripts::mixed(seed, &plain), slot);
        for (order, binding) in Order::all(seed)
            .into_iter()
            .zip([Binding::Early, Binding::Late].into_iter().cycle())
        {
            let juggle = Juggle {
                order,
                admission: [Admission::PlainFirst, Admission::Always][seed as usize / 2 % 2],
                freeze: freezes[seed as usize % 4],
                replan: seed % 3 > 0,
                move_limit: (seed % 7 == 0).then_some(1),
                ..Juggle::default()
            };
            let system = System {
                best_effort: Some(Discipline::ALL[seed as usize % 2]),
                ..system(juggle, binding, slot as u32)
            };
            let story = told(&system, &script);
            let metrics = Metrics::of_story(&story, 5);
            moves += metrics.juggled.moves;
            frozen += metrics.juggled.frozen;
            limited += metrics.refusals.get("move-limit").copied().unwrap_or(0);
            let by_time = story.moves.iter().filter(|moved| moved.cause == "replan");
            replanned += by_time.count();
        }
    }
    let counts = [moves, replanned, frozen, limited];
    assert!(counts.iter().all(|count| *count > 4), "{counts:?}");
}
