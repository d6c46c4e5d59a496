//! A real log, from the folder that the environment variable `BOOKAHEAD_TRACES` names.

use std::{fs, io::Write, path::PathBuf};

use crate::{folder, succeed};

#[test]
fn a_thousand_jobs_of_a_real_log_keep_their_promises() {
    let Some(traces) = std::env::var_os("BOOKAHEAD_TRACES").map(PathBuf::from) else {
        // Straight to the stream: what the macros print is hidden when a test passes.
        let message = b"SKIPPED a_thousand_jobs_of_a_real_log_keep_their_promises: set BOOKAHEAD_TRACES to a folder of logs\n";
        std::io::stderr().write_all(message).unwrap();
        return;
    };
    let log = traces.join("SDSC-SP2-1998-4-filtered.swf.gz");
    let dir = folder();
    succeed(
        dir.path(),
        &format!(
            "simulate --workload {} --jobs 1000 --duration requested --slot-seconds 300 --slots 2016 --policy \
             first-fit,rigid,elastic --binding early,late --reservation-share 0.5 --queue easy --price --out queue",
            log.display()
        ),
    );
    let checked = succeed(dir.path(), "check queue");
    assert_eq!(checked.matches(", 0 violations\n").count(), 6, "{checked}");
    // So crowded that the queue is long, and everybody's estimate wrong.
    succeed(
        dir.path(),
        &format!(
            "simulate --workload {} --jobs 1000 --duration requested --arrival-factor 8 --slot-seconds 300 --slots 2016 --policy \
             first-fit,pe-duration-worst-fit --binding early,late --reservation-share 0.2 --queue easy --out crowd",
            log.display()
        ),
    );
    let checked = succeed(dir.path(), "check crowd");
    assert_eq!(checked.matches(", 0 violations\n").count(), 4, "{checked}");
    // With a layout that is made up: jobs ask node by node, end early, and make room in space for others.
    let layout = include_str!("../../../examples/layouts/sixteen.toml");
    fs::write(dir.path().join("layout.toml"), layout).unwrap();
    succeed(
        dir.path(),
        &format!(
            "simulate --workload {} --jobs 1000 --duration requested --arrival-factor 2 --slot-seconds 300 --slots 4032 --layout layout.toml --by-node \
             --within rack? --prefer lowest,pack,spread,compact:rack --relocate --out nodes",
            log.display()
        ),
    );
    let moves =
        fs::read_to_string(dir.path().join("nodes/first-fit-early-spread/moves.csv")).unwrap();
    assert!(moves.contains(",relocate,"), "{moves}");
    let checked = succeed(dir.path(), "check nodes");
    assert_eq!(checked.matches(", 0 violations\n").count(), 4, "{checked}");
    for duration in ["run", "requested"] {
        let output = succeed(
            dir.path(),
            &format!(
                "simulate --workload {} --jobs 1000 --duration {duration} --slot-seconds 300 --slots 2016 --policy \
                 first-fit,pe-worst-fit --binding early,late --out {duration}",
                log.display()
            ),
        );
        assert!(
            output.starts_with("SDSC-SP2-1998-4-filtered.swf.gz: 1,000 requests, seed 1; 128 PEs, 2,016 slots of 300 s\n"),
            "{output}"
        );
        let checked = succeed(dir.path(), &format!("check {duration}"));
        assert_eq!(
            checked.matches(": 1,000 requests, 0 violations\n").count(),
            4,
            "{checked}"
        );
    }
}
