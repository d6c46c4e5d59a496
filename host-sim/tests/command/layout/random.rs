//! The checker finds nothing wrong with what random requests come to.

use super::*;

/// Rows that ask for all there is to ask, drawn from a seed; some are jobs of the queue, and some do something to an earlier one.
fn drawn(seed: u64, operates: bool) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut draw = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let classes = [
        ",,,,,,",
        "debug,,,,,,",
        "2,3,,,rack,pack,",
        ",,1,core=1 gpu=1,,,",
        ",,2,gpu=2,rack,,",
        "batch,6-7,2,all,,spread,",
        ",6-7,2,all,rack?,compact:rack,",
        ",,3,core=2,,pack,",
        ",,,core=1,rack,spread,",
        ",,2,core=5,,,",
        ",,,,,,2-3 34",
        ",,,,,,8",
    ];
    let mut rows = String::from(
        "job_id,arrival,ready,duration,deadline,pes,partition,exclude,groups,per_group,within,prefer,on,kind,run_time,op,target\n",
    );
    let mut arrival = 0;
    for job in 1..=60 {
        arrival += draw(4);
        let duration = 1 + draw(12);
        let run = 1 + draw(duration);
        if operates && job > 5 && draw(4) == 0 {
            let target = 1 + draw(job - 1);
            let (op, cells) = match draw(5) {
                0 => ("cancel", ",,,".to_owned()),
                1 => ("widen", format!(",,,{}", 1 + draw(8))),
                2 => ("narrow", format!(",,,{}", 1 + draw(4))),
                3 => ("split", format!("{},,,", arrival + draw(8))),
                _ => ("extend", format!(",{},,", 4 + draw(10))),
            };
            rows += &format!("{job},{arrival},{cells},,,,,,,,,,{op},{target}\n");
            continue;
        }
        if draw(6) == 0 {
            // Exactly these is nothing for a job that starts some time.
            let class = classes[draw(classes.len() as u64 - 2) as usize];
            let pes = match class.split(',').nth(2) {
                Some("") => (1 + draw(20)).to_string(),
                _ => String::new(),
            };
            rows += &format!("{job},{arrival},,{duration},,{pes},{class},best-effort,{run},,\n");
            continue;
        }
        let class = classes[draw(classes.len() as u64) as usize];
        let says = class.ends_with(|last: char| last.is_ascii_digit());
        let groups = class.split(',').nth(2) != Some("");
        let pes = match says || groups {
            true => String::new(),
            false => (1 + draw(9)).to_string(),
        };
        let ready = arrival + draw(20);
        let deadline = ready + duration + draw(12);
        rows += &format!("{job},{arrival},{ready},{duration},{deadline},{pes},{class},,{run},,\n");
    }
    rows
}

#[test]
fn the_checker_finds_nothing_wrong_with_random_classes() {
    let layout = Layout::parse("layout.toml".as_ref(), LAYOUT).unwrap();
    let layout = Arc::new(layout);
    let dir = folder();
    let file = dir.path().join("requests.csv");
    let moving = Moving::FREELY;
    let strategies = [
        Strategy::Fit(Policy::FirstFit),
        Strategy::Fit(Policy::PeWorstFit),
        Strategy::Fit(Policy::PeDurationBestFit),
        Strategy::Rigid,
        Strategy::Juggle(Juggle::default(), moving),
        Strategy::Shift(Shift::default(), moving),
    ];
    let preferences = ["lowest", "pack", "spread", "compact:rack"];
    let (mut moves, mut refused) = (0, BTreeSet::new());
    for seed in 1..=60 {
        fs::write(&file, drawn(seed, seed % 2 == 0)).unwrap();
        let script = requests_csv::read_on(
            &file,
            requests_csv::Asked {
                layout: Some(&layout),
                ..Default::default()
            },
        )
        .unwrap();
        for (number, strategy) in strategies.into_iter().enumerate() {
            let placing = Placing {
                layout: layout.clone(),
                prefer: preferences[(seed as usize + number) % 4].parse().unwrap(),
                relocate: strategy.moving().is_none() && seed % 3 > 0,
            };
            let system = System {
                best_effort: Some(Discipline::ALL[seed as usize / 2 % 2]),
                ..System::new(1, 64, 1, strategy, Binding::Early).on(placing)
            };
            let story = engine::replay(&system, &script, &|| {}).unwrap();
            let found = check::story(&system, &story);
            assert_eq!(found, [], "seed {seed}, {}", strategy.name());
            moves += story
                .moves
                .iter()
                .filter(|moved| moved.cause == Cause::Relocate)
                .count();
            let outcomes = story.outcomes.iter();
            refused.extend(
                outcomes
                    .filter_map(|outcome| outcome.decision.as_ref().err().map(|why| why.name())),
            );
        }
    }
    assert!(moves > 20, "{moves}");
    for reason in ["bad-shape", "no-room"] {
        assert!(refused.contains(reason), "{refused:?}");
    }
}
