//! Real processes that are killed.

use std::process::Command;

use crate::campaign::kills;

/// The process that is killed.
#[test]
fn child() {
    kills::child();
}

#[test]
fn no_kill_loses_what_was_told() {
    let asked = std::env::var("BOOKAHEAD_KILLS").ok();
    let asked = asked.map_or(20, |asked| asked.parse().expect("a number"));
    let tally = kills::run(asked, || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "kills::child", "--nocapture"]);
        command
    });
    println!("{tally}");
    assert!(tally.is_clean());
    assert!(
        tally.notes[0].1 > asked / 2,
        "something was told between kills"
    );
}
