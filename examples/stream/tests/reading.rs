//! Lines that are calls, and lines that are not.

use bookahead_stream::{CALLS, EARLY, Entries, Entry, Fault, JOBS, LATE, NO_NOTES, Replay};

#[test]
fn what_is_read_is_what_is_written() {
    let lines = CALLS.lines().filter(|line| !line.starts_with('#'));
    let mut entries = 0;
    for (line, entry) in lines.zip(Entries::new(CALLS)) {
        let text = match entry.unwrap() {
            Entry::Call(slot, call) => format!("{} {call}", slot.get()),
            Entry::End(slot) => format!("{} end", slot.get()),
        };
        assert_eq!(text, line);
        entries += 1;
    }
    assert!(entries > 400);
}

#[test]
fn a_bad_line_is_named() {
    let good = "5 reserve 0 first-fit 5 1 9 1";
    assert!(Entries::new(good).all(|entry| entry.is_ok()));
    let job_out_of_range = format!("5 cancel {JOBS}");
    // It has one job, and no more behind it.
    let series_out_of_range = format!("5 together {} 5 9 - 1:2:3", JOBS - 1);
    for bad in [
        "",
        "5",
        "5 reserve",
        "x reserve 0 first-fit 5 1 9 1",
        "5 reserve 0 last-fit 5 1 9 1",
        "5 reserve 0 first-fit 5 -1 9 1",
        "5 reserve 0 first-fit 5 1 9 65536",
        "5 reserve 0 first-fit 5 1 9 1 2",
        "5 reserve 0 first-fit  5 1 9 1",
        "5 hold 0 first-fit 5 1 9 1",
        "5 confirm 0 0",
        "5 complete 0",
        "5 retract 0",
        "5 offers 0 strip-packing longest 5 - 9 1 2",
        "5 offers 0 first-fit longest 5 - 9 1 2 0",
        "5 offers 0 pareto-front loudest 5 - 9 1 2 0",
        "5 offers 0 pareto-front longest - 1 9 1 2 0",
        "5 accept 0 - - - -",
        "5 accept 0 0 - -",
        "5 queue 0 lifo",
        "5 submit 0 -",
        "5 withdraw 0 1",
        "5 plan 0 first-fit 5 1 9",
        "5 commit 0",
        "5 alter 0 shift",
        "5 alter 0 stretch:4",
        "5 alter 0 shift:4:5",
        "5 alter 0 change-window:4",
        "5 split 0 1",
        "5 split 0 9999 7",
        "5 commit-as 0 -",
        "5 commit-as 0 interval",
        "5 commit-as 0 interval:share",
        "5 commit-as 0 interval:never:4",
        "5 commit-as 0 strict:never",
        "5 freeze 0 1",
        "5 mould 0 first-fit cheapest 5 9 1",
        "5 mould 0 first-fit dearest 5 9 1 1 1:2",
        "5 mould 0 first-fit cheapest 5 9 1 1 1:2:3",
        "5 mould 0 first-fit cheapest 5 9 1 1 1:2 1:2 1:2 1:2 1:2",
        "5 juggle 0 strict 5 1 9 1 edf always retry 0 1 1",
        "5 juggle 0 strict 5 1 9 1 edf:1 always retry 0 1 1 plan",
        "5 juggle 0 strict 5 1 9 1 shuffle always retry 0 1 1 plan",
        "5 juggle 0 strict 5 1 9 1 revenue always retry 0 1 1 plan",
        "5 juggle 0 strict 5 1 9 1 edf never retry 0 1 1 plan",
        "5 replan 0 edf always give-up 0 1 1 plan",
        "5 replan 0 edf always retry 0 1 1 apply",
        "5 shift-in 0 strict 5 1 9 1 left slides:1 0 1 1 plan",
        "5 shift-in 0 strict 5 1 9 1 both slides 0 1 1 plan",
        "5 shift-in 0 strict 5 1 9 1 both slides:256 0 1 1 plan",
        "5 shift-in 0 strict 5 1 9 1 both least-shift:1 0 1 1 plan",
        "5 series 0 first-fit 5 1 9 1 - 2 2",
        "5 series 0 first-fit 5 1 9 1 - 2 2 1,2",
        "5 series 0 first-fit 5 1 9 1 - 2 2 0:1:2:3:4:5:6:7:8",
        "5 together 0 5 9 - 1:2",
        "5 together 0 5 9 - 1:2:3:4",
        "5 cancel-all 0 -",
        "5 explain 0 5 1 9",
        "5 covering 0 5",
        "5 transaction 0 9 25 commit",
        "5 transaction 0 9 9 undo",
        "5 transaction 0 9 9 commit lift",
        "5 transaction 0 9 9 commit lift:9999",
        "5 transaction 0 9 9 commit lift:1:2",
        "5 transaction 0 9 9 commit !lift:1",
        "5 transaction 0 9 9 commit place:1:2:3",
        "5 transaction 0 9 9 commit insert:1:2:3:4:5:6",
        "5 transaction 0 9 9 commit savepoint:256",
        "5 transaction 0 9 9 commit  lift:1",
        "5 apply 0 9 25",
        "5 incarnation 0 1",
        "5 end 0",
        &job_out_of_range,
        &series_out_of_range,
        "4 cancel 0",
    ] {
        let text = format!("# a comment\n{good}\n{bad}\n{good}\n");
        let faults: Vec<_> = Entries::new(&text).filter_map(Result::err).collect();
        assert_eq!(faults, [Fault::BadLine { line: 3 }], "{bad:?}");
    }
}

#[test]
fn a_replay_stops_at_a_fault() {
    let fault = |calls: &str| {
        let (mut late, mut early) = (LATE.unwrap(), EARLY.unwrap());
        let mut notes = [NO_NOTES; 2];
        let mut replay = Replay::new(calls, late.view(), early.view(), &mut notes);
        loop {
            match replay.pass_slot(|_line| ()) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(fault) => return Some(fault),
            }
        }
    };
    assert_eq!(fault("3 cancel 0\n7 end\n"), None);
    assert_eq!(fault("3 cancel 0\n"), Some(Fault::NoEnd));
    assert_eq!(fault("3 cancel\n"), Some(Fault::BadLine { line: 1 }));
}
