//! Real processes that are killed in the middle of their calls, on a real disk.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    sync::mpsc,
    time::Duration,
};

use bookahead_heap::{Binding, Survives};
use bookahead_store::Store;

use super::{
    Tally,
    acts::{Desk, Dice, act, check, desk},
};

/// Says to a process which folder it is to fill until it is killed.
pub const FOLDER: &str = "BOOKAHEAD_STORE_FOLDER";

fn open(folder: &Path) -> Store<Desk> {
    let store = Store::open(folder, desk(Binding::Early));
    store.unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
}

/// The process that is killed: without the variable there is nothing to do.
pub fn child() {
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

/// Starts such a process and kills it, so many times. `child` is this program with arguments by which it becomes one.
pub fn run(kills: u64, child: impl Fn() -> Command) -> Tally {
    let mut tally = Tally::new("process-killed");
    let folder = std::env::temp_dir().join(format!("bookahead-kills-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let (mut dice, mut told) = (Dice(1), (0, None));
    while tally.points < kills {
        let mut child = child()
            .env(FOLDER, &folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (begun, first) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            let told = |line: String| {
                let mut words = line.strip_prefix("told ")?.split(' ');
                let mut number = || words.next()?.parse::<u64>().ok();
                Some((number()?, number()))
            };
            let all = output.lines().map_while(Result::ok).filter_map(told);
            let all: Vec<_> = all.inspect(|_| _ = begun.send(())).collect();
            (all.last().copied(), all.len() as u64)
        });
        // Often behind the first answer, and now and then while it opens its store.
        if dice.below(4) > 0 {
            let _ = first.recv_timeout(Duration::from_secs(9));
        }
        std::thread::sleep(Duration::from_millis(dice.below(100)));
        // The one that was started here.
        child.kill().unwrap();
        child.wait().unwrap();
        let (last, count) = reader.join().unwrap();
        told = last.unwrap_or(told);
        tally.points += 1;
        tally.note("answers told", count);
        let mut store = open(&folder);
        tally.lost += u64::from(store.last() < told.0);
        let hash = store.call(|book| {
            check(book);
            book.state_hash()
        });
        if store.last() == told.0 && told.1.is_some() {
            tally.phantom += u64::from(hash.unwrap().wait().ok() != told.1);
        }
        assert!(
            Store::open(&folder, desk(Binding::Early)).is_err(),
            "one at a time"
        );
    }
    tally.note("changes", told.0);
    std::fs::remove_dir_all(&folder).unwrap();
    tally
}
