//! Equal options give equal files, on one thread or many, timing.json excepted.

use crate::{files, folder, succeed};

#[test]
fn threads_change_no_byte() {
    let dir = folder();
    let options = "simulate --jobs 150 --policy all --binding all --lublin-model two-type --slots 3000 --slot-seconds 300";
    for threads in [1, 2, 0] {
        succeed(
            dir.path(),
            &format!("{options} --threads {threads} --out threads-{threads}"),
        );
    }
    let tree = |name: &str| files(&dir.path().join(name));
    let one = tree("threads-1");
    assert_eq!(one.len(), 14 * 4 + 2);
    for other in ["threads-2", "threads-0"] {
        assert!(tree(other) == one, "{other} differs from threads-1");
    }
}

#[test]
fn threads_change_no_byte_beside_a_queue() {
    let dir = folder();
    let options = "simulate --workload poisson --slot-seconds 60 --jobs 100 --mean-gap 100 --policy first-fit,rigid,elastic --binding early,late \
                   --reservation-share 0.4 --queue easy --price --user-policy ask-again --offer-order longest";
    for threads in [1, 3] {
        succeed(
            dir.path(),
            &format!("{options} --threads {threads} --out threads-{threads}"),
        );
    }
    let [one, three] = ["threads-1", "threads-3"].map(|name| files(&dir.path().join(name)));
    assert_eq!(one.len(), 6 * 4 + 2);
    assert!(one == three);
}

#[test]
fn the_seed_alone_decides() {
    let dir = folder();
    for (seed, out) in [(1, "default"), (1, "again"), (2, "other")] {
        let seed = if out == "default" {
            String::new()
        } else {
            format!("--seed {seed}")
        };
        succeed(
            dir.path(),
            &format!("simulate --jobs 60 {seed} --out {out}"),
        );
    }
    let tree = |name: &str| files(&dir.path().join(name));
    assert!(tree("default") == tree("again"));
    assert!(tree("default") != tree("other"));
}

#[test]
fn a_second_run_replaces_the_first_whole() {
    let dir = folder();
    succeed(dir.path(), "simulate --jobs 60 --out used --seed 4");
    succeed(dir.path(), "simulate --jobs 30 --out used --force");
    succeed(dir.path(), "simulate --jobs 30 --out fresh");
    assert!(files(&dir.path().join("used")) == files(&dir.path().join("fresh")));
}
