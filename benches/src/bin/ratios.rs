//! Measures the kernel beside the paper's own structure and the streaming floor, in one interleaved run, and prints lines `NAME VALUE`.

use bookahead::Policy;
use bookahead_benches::backlog::Find;
use bookahead_benches::cycles;
use bookahead_benches::elastic::{self, Elastic};
use bookahead_benches::fleet::{self, Fleet, Ready};
use bookahead_benches::foreign::{self, Both};
use bookahead_benches::placed::Placed;
use bookahead_benches::stand::{Means, Memory, Stand, policy_name};
use bookahead_benches::timelines::{self, Cycle};
use bookahead_benches::worst::{Bed, Measured, families, finds};
use bookahead_benches::{MOVES, Mean, Scale, Scene, Stopwatch};
use bookahead_benches::{
    Mix, backlog, growth, juggling, kernel, records, rules::Ruled, several, shifting, waits,
};
use bookahead_capi::Binding;
use bookahead_heap::Survives;

const SEED: u64 = 20_140_601;
/// Queries per scene.
const QUERIES: usize = 2_048;
/// The environment variable that says how often the whole is measured, for a short look; see [`Mean`](bookahead_benches::Mean) for why more than once.
const ROUNDS: &str = "BOOKAHEAD_ROUNDS";
const USUAL_ROUNDS: usize = 5;
/// Live reservations of the scene that everything is measured on, and of the one that growth starts from.
const LARGE: usize = 10_000;
const SMALL: usize = 100;
/// Levels of quotas, and in how many periods each of them counts.
const LEVELS: u64 = 4;
const PERIODS: u64 = 12;
/// Live reservations that growth ends at.
const HUGE: usize = 1_000_000;

fn main() {
    let rounds = rounds();
    let watch = Stopwatch::calibrated();
    let scenes = [LARGE, SMALL].map(|live| Scene::new(live, QUERIES, SEED));
    let mut memories = scenes.each_ref().map(Memory::new);
    let [large, small] = &mut memories;
    let mut stands = [Stand::new(&scenes[0], large), Stand::new(&scenes[1], small)];
    for stand in &mut stands {
        stand.assert_identical_answers();
    }
    for _ in 0..rounds {
        for stand in &mut stands {
            stand.measure(&watch);
        }
    }
    for stand in &mut stands {
        stand.assert_unchanged();
    }
    report(&watch, &stands[0].means, &stands[1].means);
    report_books(&stands[0].means);
    report_rules(&watch, rounds);
    report_several(&watch, rounds);
    report_fleet(&watch, rounds);
    report_growth(&watch, rounds);
    report_backlogs(&watch);
    report_cycles(&watch, rounds);
    report_waits(&watch, rounds);
    report_elastic(&elastic::measure(&watch, &scenes[0], rounds));
    report_juggling(&watch, rounds);
    report_shifting(&watch, rounds);
    report_placed(&watch, rounds);
    report_calls_from_c(&watch, &scenes[0], rounds);
    report_records(&watch, &scenes[0], rounds);
    report_worst_cases(&watch);
    report_worst_found();
}

/// How often the whole is measured.
fn rounds() -> usize {
    let Ok(text) = std::env::var(ROUNDS) else {
        return USUAL_ROUNDS;
    };
    match text.parse() {
        Ok(rounds) if rounds > 0 => rounds,
        _ => {
            eprintln!("error: {ROUNDS}={text}: expected a whole number from 1 on");
            std::process::exit(2)
        }
    }
}

/// The slowest searches in states that defeat what they skip, beside one pass over all slots; the program `worst` says what they are.
fn report_worst_cases(watch: &Stopwatch) {
    for (structure, found) in [
        ("count", families::counts(watch)),
        ("pe", families::sets(watch)),
    ] {
        for slowest in found {
            let name = format!("{structure}_worst_{}", slowest.name);
            println!("{name}_ns {:.1}", slowest.ns);
            ratio(&format!("{name}_over_floor"), slowest.over_floor);
        }
    }
}

/// The searches in the states in which a longer search found them slowest, which are kept with these benches.
fn report_worst_found() {
    for find in finds::kept() {
        let Measured { ns, over_floor } = Bed::of(&find).time(&find.state, find.search, 0.0);
        let name = format!("{}_found_{}", find.structure.name(), find.search.key());
        println!("{name}_ns {ns:.1}");
        ratio(&format!("{name}_over_floor"), over_floor);
    }
}

/// 1,000 reservations wait on 128 processing elements, for the ring of 8,640 slots, and their durations are those of all other measurements. They fill
/// 0.9 of it, which takes more requests than fit, the largest first.
const PACKED: Mix = Mix {
    longest: 200,
    widest: 128,
    largest_first: 1_500,
};
/// As many such requests, admitted as they come, would fill 0.9 if they were the first 1,000; those that are admitted are smaller.
const DRAWN: Mix = Mix {
    largest_first: 0,
    ..PACKED
};
/// The same with fewer processing elements for longer.
const LONG: Mix = Mix {
    longest: 730,
    widest: 32,
    largest_first: 0,
};

/// What a juggling admission costs where a plain fit refuses.
fn report_juggling(watch: &Stopwatch, rounds: usize) {
    for (name, mix) in [
        ("juggle", PACKED),
        ("juggle_as_drawn", DRAWN),
        ("juggle_long_runs", LONG),
    ] {
        let costs = juggling::measure(watch, mix, SEED, rounds);
        let juggle = costs.juggle.value();
        println!("{name}_load {:.3}", costs.load);
        println!("{name}_accepted {}", costs.accepted);
        println!("{name}_ns {juggle:.1}");
        println!("{name}_p50_ns {:.1}", costs.juggle.median());
        println!("{name}_worst_ns {:.1}", costs.juggle.worst());
        println!("{name}_replan_ns {:.1}", costs.replan.value());
        ratio(
            &format!("literal_over_{name}"),
            costs.literal.value() / juggle,
        );
        ratio(
            &format!("replan_over_{name}"),
            costs.replan.value() / juggle,
        );
    }
}

/// What a newcomer costs for whom others slide to the right, where a plain fit refuses: one in a row, which is what the printed algorithms do, and two, both
/// with limited work. Only with the durations of all other measurements: on longer runs the printed algorithms take minutes.
fn report_shifting(watch: &Stopwatch, rounds: usize) {
    for (state, mix) in [("", PACKED), ("_as_drawn", DRAWN)] {
        let costs = shifting::measure(watch, mix, SEED, rounds);
        for slides in &costs.shift {
            let name = match slides.depth {
                1 => format!("shift{state}"),
                depth => format!("shift_depth_{depth}{state}"),
            };
            let shift = slides.mean.value();
            println!("{name}_accepted {}", slides.accepted);
            println!("{name}_limited {}", slides.limited);
            println!("{name}_ns {shift:.1}");
            println!("{name}_p50_ns {:.1}", slides.mean.median());
            println!("{name}_worst_ns {:.1}", slides.mean.worst());
            ratio(
                &format!("literal_over_{name}"),
                costs.literal.value() / shift,
            );
        }
        println!("literal_shift{state}_accepted {}", costs.literally);
    }
}

/// What classes cost: queries for such processing elements beside those for any, choosing compactly beside choosing the lowest, and a cycle beside plain
/// timelines.
fn report_placed(watch: &Stopwatch, rounds: usize) {
    let mut placed = Placed::new(LARGE, SEED);
    for (policy, key) in [
        (Policy::FirstFit, "first"),
        (Policy::PeWorstFit, "pe_worst"),
    ] {
        let costs = placed.queries(watch, policy, rounds);
        for cost in &costs {
            let name = format!("placed_{}_{key}", cost.name);
            println!("{name}_ns {:.1}", cost.query.value());
            println!("{name}_per_slot_ns {:.3}", cost.per_slot());
            println!("{name}_accepted {:.3}", cost.accepted);
        }
        for pair in costs.chunks_exact(2) {
            let [plain, such] = pair else { continue };
            let name = format!("placed_{}_{key}_over_plain", such.name);
            ratio(&name, such.query.value() / plain.query.value());
            ratio(
                &format!("{name}_per_slot"),
                such.per_slot() / plain.per_slot(),
            );
        }
    }
    let [lowest, compact] = placed.choices(watch, rounds).map(|(name, mean)| {
        println!("placed_{name}_choice_ns {:.1}", mean.value());
        mean.value()
    });
    ratio("placed_compact_over_lowest", compact / lowest);
    let (first_fit, outages) = placed.outages(watch, rounds);
    println!("outage_first_fit_ns {:.1}", first_fit.value());
    for cost in outages {
        let name = format!("outage_{}", cost.pes);
        println!("{name}_ns {:.1}", cost.outage.value());
        println!("{name}_moved {:.1}", cost.moved);
        println!("{name}_broken {:.1}", cost.broken);
        let first_fits = cost.outage.value() / first_fit.value();
        ratio(&format!("{name}_over_first_fit"), first_fits);
    }
    let Cycle { book, timelines } = timelines::measure(watch, SEED, rounds);
    println!("placed_cycle_ns {:.1}", book.value());
    println!("placed_timelines_ns {:.1}", timelines.value());
    ratio(
        "placed_timelines_over_cycle",
        timelines.value() / book.value(),
    );
}

/// What an advance by one slot with its events costs where rules apply, and a search.
fn report_rules(watch: &Stopwatch, rounds: usize) {
    let mut books = Ruled::new(LARGE, SEED);
    let [plain, ruled] = books.advance(watch, rounds).map(|mean| mean.value());
    println!("advance_plain_ns {plain:.1}");
    println!("advance_rules_ns {ruled:.1}");
    ratio("advance_rules_over_plain", ruled / plain);
    for (policy, key) in [
        (Policy::FirstFit, "first"),
        (Policy::PeWorstFit, "pe_worst"),
    ] {
        let [plain, ruled] = books.search(watch, policy, rounds).map(|mean| mean.value());
        println!("outages_{key}_ns {ruled:.1}");
        ratio(&format!("outages_{key}_over_plain"), ruled / plain);
    }
}

/// What a decision in several books costs beside those in each.
fn report_several(watch: &Stopwatch, rounds: usize) {
    for books in [2, 4, 8] {
        let means = several::reserve(watch, (books, LARGE), 0, QUERIES, SEED, rounds);
        let [joint, sum] = means.map(|mean| mean.value());
        println!("several_{books}_ns {joint:.1}");
        println!("several_{books}_sum_ns {sum:.1}");
        ratio(&format!("several_{books}_over_sum"), joint / sum);
    }
    // A machine by itself, and with quotas of four levels, such as of a user, a project, a department and a site.
    let [plain, quotas] = [(1, 0), (1 + LEVELS, PERIODS)].map(|(books, periods)| {
        let means = several::reserve(watch, (books, LARGE), periods, QUERIES, SEED, rounds);
        means.map(|mean| mean.value())
    });
    let level = (quotas[0] - plain[0]) / LEVELS as f64;
    println!("quota_level_ns {level:.1}");
    ratio("quota_level_over_reserve", level / plain[1]);
    // A book that is alone is in the processor's caches; beside four others it mostly is not.
    let each = quotas[1] / (1 + LEVELS) as f64;
    ratio("quota_level_over_reserve_in_each", level / each);
}

/// What a meta-scheduler over many books takes beside asking all of them: to find the best one, and with reserving there and cancelling.
fn report_fleet(watch: &Stopwatch, rounds: usize) {
    let fleet = Fleet {
        books: 512,
        live: 1_000,
        binding: bookahead_heap::Binding::Late,
        ready: Ready::Sometime,
        seed: SEED,
    };
    let (scheduler, _) = fleet.filled();
    let costs = fleet::measure(watch, fleet, scheduler, QUERIES, rounds);
    println!(
        "fleet_{}_of_{}_searched {:.2}",
        fleet.books, fleet.live, costs.searched
    );
    for (what, [summaries, all]) in [("plan", &costs.plan), ("decision", &costs.decision)] {
        let [summaries, all] = [summaries.value(), all.value()];
        let name = format!("fleet_{}_of_{}_{what}", fleet.books, fleet.live);
        println!("{name}_ns {summaries:.1}");
        println!("{name}_asking_all_ns {all:.1}");
        ratio(&format!("{name}_over_asking_all"), summaries / all);
    }
}

/// How the cost of a search grows with the ring, with the durations, and with the machine; each is measured on books of its own.
fn report_growth(watch: &Stopwatch, rounds: usize) {
    let usual = Scale::of(LARGE);
    let crowded = Scale::of(HUGE);
    let policies = [Policy::DurationWorstFit, Policy::PeDurationWorstFit];
    for ([from, to], policy) in growth::on_sets(watch, [usual, crowded], policies, SEED, rounds) {
        let name = format!("pe_{}", policy_name(policy));
        println!("{name}_at_{HUGE}_ns {to:.1}");
        ratio(&format!("{name}_growth_{LARGE}_to_{HUGE}"), to / from);
    }
    let long = Scale {
        longest: 20_000,
        ..usual
    };
    let policies = [Policy::FirstFit, Policy::PeWorstFit];
    for ([from, to], policy) in growth::on_counts(watch, [usual, long], policies, SEED, rounds) {
        let name = format!("count_{}", policy_name(policy));
        println!("{name}_duration_{}_ns {to:.1}", long.longest);
        let growth = format!(
            "{name}_growth_duration_{}_to_{}",
            usual.longest, long.longest
        );
        ratio(&growth, to / from);
    }
    let wide = [16_384, 65_535].map(|machine| Scale { machine, ..usual });
    let policies = [
        Policy::FirstFit,
        Policy::PeWorstFit,
        Policy::DurationWorstFit,
    ];
    for (values, policy) in growth::on_sets(watch, wide, policies, SEED, rounds) {
        for (scale, value) in wide.iter().zip(values) {
            println!(
                "pe_{}_of_{}_pes_ns {value:.1}",
                policy_name(policy),
                scale.machine
            );
        }
    }
}

/// What first fit costs on a machine that is full for long, beside a map of changes that is walked; and what time costs in which nothing happens.
fn report_backlogs(watch: &Stopwatch) {
    let deep = [1_000, 10_000, 50_000].map(|depth| {
        let Find { ring, map } = backlog::of_counts(watch, depth, SEED);
        println!("backlog_{depth}_ns {ring:.1}");
        println!("map_backlog_{depth}_ns {map:.1}");
        ring
    });
    ratio("backlog_10000_over_1000", deep[1] / deep[0]);
    for depth in [1_000, 10_000] {
        let Find { ring, map } = backlog::of_sets(watch, depth, SEED);
        println!("backlog_pe_{depth}_ns {ring:.1}");
        println!("map_backlog_pe_{depth}_ns {map:.1}");
    }
    let [minutes, seconds] = backlog::mixed(watch, SEED);
    for (unit, find) in [("minutes", minutes), ("seconds", seconds)] {
        println!("mixed_{unit}_ns {:.1}", find.ring);
        println!("map_mixed_{unit}_ns {:.1}", find.map);
    }
    ratio("mixed_seconds_over_minutes", seconds.ring / minutes.ring);
    // In blocks of 64 slots, the gaps are less than one, and several.
    for duration in [100, 500] {
        let [late, early] = backlog::gaps(watch, duration);
        println!("gap_of_{}_slots_ns {late:.1}", duration / 2);
        println!("gap_of_{}_slots_pe_ns {early:.1}", duration / 2);
    }
    let [late, early] = backlog::idle(watch);
    println!("advance_idle_million_ns {late:.1}");
    println!("advance_idle_million_pe_ns {early:.1}");
}

/// What it costs to plan a whole queue, beside a plain replay of it, and again after one job has ended early.
fn report_cycles(watch: &Stopwatch, rounds: usize) {
    for jobs in [1_000, 10_000] {
        let cycles = cycles::measure(watch, jobs, SEED, rounds);
        for (cycle, binding) in cycles.into_iter().zip(["", "_pe"]) {
            let [whole, plain] = [&cycle.whole, &cycle.plain].map(Mean::value);
            let after = cycle.after_one_end.median();
            println!("cycle_{jobs}{binding}_ns {whole:.1}");
            println!("plain_cycle_{jobs}{binding}_ns {plain:.1}");
            println!("cycle_{jobs}_after_one_end{binding}_ns {after:.1}");
            ratio(&format!("plain_over_cycle_{jobs}{binding}"), plain / whole);
            let share = after / whole;
            ratio(
                &format!("cycle_{jobs}_after_one_end{binding}_over_cycle"),
                share,
            );
        }
    }
}

/// What it costs to promise room to those who wait and fit, after one job has ended early, beside a plain replay of it.
fn report_waits(watch: &Stopwatch, rounds: usize) {
    let waiting = 1_000;
    let measured = waits::measure(watch, waiting, SEED, rounds);
    for (after, binding) in measured.into_iter().zip(["", "_pe"]) {
        let [kernel, plain] = [&after.waits, &after.plain].map(Mean::median);
        println!("wait_{waiting}_after_one_end{binding}_ns {kernel:.1}");
        println!("plain_wait_{waiting}_after_one_end{binding}_ns {plain:.1}");
        println!(
            "wait_{waiting}_after_one_end{binding}_promised {}",
            after.promised
        );
        ratio(
            &format!("plain_over_wait_{waiting}_after_one_end{binding}"),
            plain / kernel,
        );
    }
}

/// What an elastic query costs: with duration and processing elements, and with the duration alone.
fn report_elastic(elastic: &Elastic) {
    let [floor, sets_floor] = [&elastic.floor, &elastic.sets_floor].map(Mean::value);
    println!("floor_offers_ns {floor:.1}");
    println!("floor_pe_offers_ns {sets_floor:.1}");
    for (name, mean, floor) in [
        ("count_offers", &elastic.count, floor),
        ("count_offers_without_pes", &elastic.open, floor),
        ("pe_offers", &elastic.pe, sets_floor),
        ("pe_offers_without_pes", &elastic.pe_open, sets_floor),
        ("paper_offers", &elastic.paper, floor),
    ] {
        println!("{name}_ns {:.1}", mean.value());
        ratio(&format!("{name}_over_floor"), mean.value() / floor);
    }
    println!("count_offers_p50_ns {:.1}", elastic.each.median());
}

/// What calls on a book cost from C, and how that compares with the same calls from Rust.
fn report_calls_from_c(watch: &Stopwatch, scene: &Scene, rounds: usize) {
    let (mut pe, mut count) = (kernel::early(scene), kernel::late(scene));
    let early = foreign::measure(watch, scene, &mut pe.view(), Binding::Early, rounds);
    let late = foreign::measure(watch, scene, &mut count.view(), Binding::Late, rounds);
    for (structure, operations) in [("pe", early), ("count", late)] {
        for Both { name, rust, c } in operations {
            println!("rust_{structure}_{name}_ns {:.1}", rust.value());
            println!("capi_{structure}_{name}_ns {:.1}", c.value());
            ratio(
                &format!("capi_{structure}_{name}_over_rust"),
                c.value() / rust.value(),
            );
        }
    }
}

/// What a record adds to a reservation by first fit.
fn report_records(watch: &Stopwatch, scene: &Scene, rounds: usize) {
    let mut sets = [kernel::early(scene), kernel::early(scene)];
    let mut counts = [kernel::late(scene), kernel::late(scene)];
    sets[1].keep_journal();
    counts[1].keep_journal();
    let sets = sets.each_mut().map(|memory| memory.view());
    let counts = counts.each_mut().map(|memory| memory.view());
    for (structure, [plain, kept]) in [
        ("journal", records::measure(watch, counts, scene, rounds)),
        ("journal_pe", records::measure(watch, sets, scene, rounds)),
    ] {
        let added = kept.value() - plain.value();
        println!("{structure}_reserve_added_ns {added:.1}");
    }
}

fn report(watch: &Stopwatch, large: &Means, small: &Means) {
    println!("clock_overhead_ns {:.1}", watch.overhead());
    let operations: Vec<&str> = Policy::ALL
        .map(policy_name)
        .into_iter()
        .chain(["add", "remove"])
        .collect();
    for structure in ["pe", "count", "paper"] {
        for operation in &operations {
            let name = format!("{structure}_{operation}");
            println!("{name}_ns {:.1}", large.value(&name));
        }
    }
    report_floor(large);
    ratio(
        "pe_find_first_over_floor",
        large.value("pe_find_first") / large.value("floor_first"),
    );
    ratio(
        "pe_find_pe_worst_over_floor",
        large.value("pe_find_pe_worst") / large.value("floor_window"),
    );
    ratio(
        "paper_find_first_over_floor",
        large.value("paper_find_first") / large.value("floor_first"),
    );
    for operation in &operations {
        let (paper, pe) = (format!("paper_{operation}"), format!("pe_{operation}"));
        ratio(
            &format!("paper_over_{pe}"),
            large.value(&paper) / large.value(&pe),
        );
    }
    for structure in ["pe", "count"] {
        for operation in ["find_first", "find_pe_worst", "add", "remove"] {
            let name = format!("{structure}_{operation}");
            let growth = large.value(&name) / small.value(&name);
            ratio(&format!("{name}_growth_{SMALL}_to_{LARGE}"), growth);
        }
    }
}

/// What whole calls on a book at work cost, ledger and all, and what that is beside the ring alone at the same work; and a transaction of moves beside as many
/// calls that give back and book anew.
fn report_books(means: &Means) {
    for structure in ["pe", "count"] {
        for of_ring in ["add", "remove"] {
            let ring = format!("{structure}_ring_{of_ring}");
            println!("{ring}_ns {:.1}", means.value(&ring));
        }
        for (call, of_ring) in [("reserve", "add"), ("commit", "add"), ("cancel", "remove")] {
            let name = format!("{structure}_book_{call}");
            let ring = format!("{structure}_ring_{of_ring}");
            println!("{name}_ns {:.1}", means.value(&name));
            let over = means.value(&name) / means.value(&ring);
            ratio(&format!("{name}_over_{of_ring}"), over);
        }
        let [moves, again] = ["moves", "cancel_reserve"]
            .map(|what| means.value(&format!("{structure}_{what}")) * MOVES as f64);
        println!("{structure}_transaction_{MOVES}_moves_ns {moves:.1}");
        println!("{structure}_{MOVES}_times_cancel_reserve_ns {again:.1}");
        let name = format!("{structure}_transaction_{MOVES}_moves_over_cancel_reserve");
        ratio(&name, moves / again);
    }
}

/// The floor, its speed, and how that compares with the least work on the same bytes.
fn report_floor(means: &Means) {
    for what in ["first", "window"] {
        let [floor, plain, bytes] =
            ["floor", "plain", "bytes"].map(|kind| means.value(&format!("{kind}_{what}")));
        println!("floor_{what}_ns {floor:.1}");
        println!("floor_{what}_gb_per_s {:.2}", bytes / floor);
        println!("plain_{what}_ns {plain:.1}");
        println!("plain_{what}_gb_per_s {:.2}", bytes / plain);
        ratio(&format!("floor_{what}_speed_over_plain"), plain / floor);
    }
}

fn ratio(name: &str, value: f64) {
    println!("{name}_ratio {value:.3}");
}
