//! The checker finds nothing wrong with what the commands write: every policy, strategy and binding, with and without a queue.

use crate::{folder, succeed};

/// Runs `simulate` with every strategy and binding, and expects that nothing is found wrong in as many runs.
#[track_caller]
fn assert_sound(options: &str, strategies: &str, runs: usize) {
    let dir = folder();
    succeed(
        dir.path(),
        &format!(
            "simulate --jobs 300 --umed 8 --arrival-factor 2 --slots 4096 --slot-seconds 60 {options} {strategies} --out runs"
        ),
    );
    let checked = succeed(dir.path(), "check runs");
    let sound = checked.matches(", 0 violations\n").count();
    assert_eq!(sound, runs, "{options} {strategies}: {checked}");
}

const POLICIES: &str = "first-fit,pe-best-fit,pe-worst-fit,duration-best-fit,duration-worst-fit,pe-duration-best-fit,pe-duration-worst-fit";
const QUEUES: [&str; 3] = [
    "",
    "--reservation-share 0.4 --queue fcfs",
    "--reservation-share 0.4 --queue easy --price",
];

#[test]
fn nothing_is_wrong_with_policies() {
    for queue in QUEUES {
        assert_sound(
            queue,
            &format!("--policy {POLICIES} --binding early,late"),
            14,
        );
        assert_sound(queue, "--policy rigid --binding early,late", 2);
    }
}

#[test]
fn nothing_is_wrong_with_elastic_reservations() {
    for queue in QUEUES {
        for user in ["solution-only", "alternatives", "ask-again"] {
            for search in ["strip-packing", "pareto-front"] {
                let options = format!(
                    "--policy elastic --binding early,late --user-policy {user} --search {search}"
                );
                assert_sound(queue, &options, 2);
            }
        }
    }
}

#[test]
fn nothing_is_wrong_where_slides_fill_the_log_of_changes() {
    assert_sound(
        "--k-over 1.2-3 --deadline-factor 0.5 --seed 1",
        "--strategy shift --binding early",
        1,
    );
}
