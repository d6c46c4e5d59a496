//! Real processes that are killed in the middle of their calls, on a real disk.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use bookahead_heap::{Binding, BoxedBook, Survives};
use bookahead_store::Store;

use crate::acts::{Dice, SIZES, act};

const FOLDER: &str = "BOOKAHEAD_STORE_FOLDER";

fn book() -> BoxedBook {
    BoxedBook::new(Binding::Early, SIZES).expect("it is small")
}

fn open(folder: &Path) -> Store<BoxedBook> {
    let store = Store::open(folder, book());
    store.unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
}

/// The process that is killed: without the variable there is nothing to do.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let mut store = open(Path::new(&folder));
    let mut dice = Dice(u64::from(std::process::id()));
    loop {
        let answer = store.call(|book| {
            act(book, &mut dice);
            book.state_hash()
        });
        if dice.below(50) == 0 {
            store.compact().expect("the disk is sound");
        }
        let last = store.last();
        if dice.below(4) == 0 {
            let hash = answer.and_then(|answer| answer.wait());
            println!("told {last} {}", hash.expect("the disk is sound"));
        }
    }
}

#[test]
fn no_kill_loses_what_was_told() {
    let kills: u64 = std::env::var("BOOKAHEAD_KILLS").map_or(20, |kills| kills.parse().unwrap());
    let folder = std::env::temp_dir().join(format!("bookahead-kills-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let (mut dice, mut told, mut lines) = (Dice(1), (0, None), 0_u64);
    for kill in 0..kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kills::child", "--nocapture"])
            .env(FOLDER, &folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let reader = std::thread::spawn(move || {
            let told = |line: String| {
                let mut words = line.strip_prefix("told ")?.split(' ');
                let mut number = || words.next()?.parse::<u64>().ok();
                Some((number()?, number()))
            };
            let all: Vec<_> = output
                .lines()
                .map_while(Result::ok)
                .filter_map(told)
                .collect();
            (all.last().copied(), all.len() as u64)
        });
        std::thread::sleep(Duration::from_millis(20 + dice.below(120)));
        // The one that was started here.
        child.kill().unwrap();
        child.wait().unwrap();
        let (last, count) = reader.join().unwrap();
        told = last.unwrap_or(told);
        lines += count;
        let mut store = open(&folder);
        assert!(
            store.last() >= told.0,
            "kill {kill}: {} of {}",
            store.last(),
            told.0
        );
        let hash = store.call(|book| {
            assert_eq!(book.check_invariants(), Ok(()));
            book.state_hash()
        });
        if store.last() == told.0 && told.1.is_some() {
            assert_eq!(hash.unwrap().wait().ok(), told.1, "kill {kill}");
        }
        assert!(Store::open(&folder, book()).is_err(), "one at a time");
    }
    println!(
        "{kills} kills, {lines} answers told, {} changes, lost 0",
        told.0
    );
    assert!(lines > kills, "something was told between kills");
    std::fs::remove_dir_all(&folder).unwrap();
}
