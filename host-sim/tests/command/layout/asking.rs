//! What requests may ask of a machine with a layout, and what they get.

use super::*;

#[test]
fn such_pes_and_these_pes_are_given() {
    let dir = folder();
    let run = placed(dir.path());
    let jobs = fs::read_to_string(run.join(JOBS)).unwrap();
    let ends: Vec<&str> = jobs
        .lines()
        .skip(1)
        .map(|line| line.splitn(15, ',').last().unwrap())
        .collect();
    let expected = [
        "0-1 32-33,-1,,0",
        "16 20 40 42,-1,,4-5",
        ",-1,,",
        ",-1,,",
        "8-15 36-39,-1,,2-3",
        "4 17 21 24 28,-1,,1 4-7",
        ",-1,,",
        "0-1 32-33,-1,,0",
        ",-1,,",
        ",-1,,",
        "8-15 36-39,-1,,2-3",
    ];
    assert_eq!(ends, expected);
    assert!(jobs.lines().next().unwrap().ends_with(",metadata,groups"));
    let expected = "\
job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown,partition,exclude,groups,per_group,within,prefer,on
1,0,0,10,20,4,accepted,,0,10,1.000000,debug,,1,core=2 gpu=2,,,
2,0,0,10,20,4,accepted,,0,10,1.000000,2,3,2,core=1 gpu=1,rack,,
3,0,0,10,20,12,refused,uneven-groups,,,,,,2,all,,,
4,0,0,10,20,10,refused,bad-shape,,,,batch,,2,core=5,,,
5,0,0,10,20,12,accepted,,0,10,1.000000,,6-7,2,all,rack,pack,
6,0,0,10,20,5,accepted,,0,10,1.000000,,,,,,spread,
7,0,0,10,20,4,refused,no-room,,,,,,,,,,0-1 32-33
8,0,20,10,30,4,accepted,,20,30,1.000000,,,,,,,0-1 32-33
9,0,20,10,30,3,refused,not-eligible,,,,debug,,3,gpu=1,,,
10,0,20,10,30,7,refused,not-whole-groups,,,,,,,gpu=2,,,
11,0,20,10,30,12,accepted,,20,30,1.000000,,6-7,2,all,rack?,compact:rack,
";
    assert_eq!(
        fs::read_to_string(run.join(RESERVATIONS)).unwrap(),
        expected
    );
    succeed(dir.path(), "check run");
    // What is told of a job is about what it may have: cores and GPUs of three nodes, and those that it names.
    let two = succeed(dir.path(), "explain run 2");
    assert!(
        two.contains("on 2 nodes with 1 core and 1 gpu each in one rack, for 10 s")
            && two.contains("By what it asks for, 3 of the 8 nodes of the machine would do, with 18 PEs that it may have;"),
        "{two}"
    );
    assert!(
        two.contains("free of 2 in one rack") && !two.contains("job 1"),
        "{two}"
    );
    let seven = succeed(dir.path(), "explain run 7");
    let most = "was 0 PEs of 4, from second 0 on; booked in that time, together or one after the other: job 1 (4 PEs, 0 to 10).";
    assert!(seven.contains(most), "{seven}");
    let next = "The next start with room was second 10, over at second 20: certain PEs are booked from the ready time on, or not at all.";
    assert!(seven.contains(next), "{seven}");
    let nine = succeed(dir.path(), "explain run 9");
    let words =
        "It asks for 3 nodes; where it accepts them there are 2 nodes with what it asks of each.";
    assert!(nine.contains(words), "{nine}");
}

#[test]
fn what_is_lacking_is_told_and_which_pes_were_free_as_far_as_files_say() {
    let dir = folder();
    fs::write(dir.path().join("layout.toml"), LAYOUT).unwrap();
    let rows = "\
job_id,arrival,ready,duration,deadline,pes,partition,groups,per_group,within,run_time
1,0,0,20,60,12,debug,,,,10
2,0,0,20,60,12,debug,,,,20
3,15,15,10,60,12,debug,,,,10
4,15,15,10,60,30,debug,,,,10
5,15,15,10,60,,,3,core=1,rack,10
";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    let replay = "replay --requests requests.csv --layout layout.toml --slots 64 --out run";
    let told = crate::told(dir.path(), &format!("{replay} --wait --pull-forward"));
    let words = "2 requests refused as not-eligible: even with nothing booked, the nodes that they accept, as by their partition, do not have what they ask for";
    assert!(told.contains(words), "{told}");
    let says = |job: u32, words: &str| {
        let told = succeed(dir.path(), &format!("explain run {job}"));
        assert!(told.contains(words), "{told}");
    };
    let of_some = "It may have 12 PEs of the 44 of the machine, by what it asks for;";
    says(2, &format!("{of_some} only of these is told"));
    // Job 2 has moved by then.
    says(
        3,
        &format!("{of_some} which PEs were free then is not known,"),
    );
    says(
        4,
        "It asks for 30 PEs; where it accepts them there are 12 PEs.",
    );
    let words = "It asks for 3 nodes in one rack; of those that it accepts, none has more than 2 nodes with what it asks of each.";
    says(5, words);
    // An outage has certain PEs, and nobody has moved for it.
    let outages = "id,announced,start,end,groups_or_pes,kind\n1,0,0,50,0-1,maintenance\n";
    fs::write(dir.path().join("outages.csv"), outages).unwrap();
    succeed(
        dir.path(),
        &format!("{replay} --force --outages outages.csv"),
    );
    let words = "was 0 PEs of 12, from second 0 on; booked in that time, together or one after the other: outage 1 (12 PEs, 0 to 50).\n\
                 The next start with room was second 50, over at second 70: 10 s after its deadline.";
    says(1, words);
}

/// Many PEs are free, and nodes that would do are few.
#[test]
fn nodes_and_blocks_are_counted_where_they_decide() {
    let dir = folder();
    let layout = include_str!("../../../../examples/layouts/small.toml");
    let requests = include_str!("../../../../examples/requests/nodes.csv");
    fs::write(dir.path().join("layout.toml"), layout).unwrap();
    fs::write(dir.path().join("requests.csv"), requests).unwrap();
    let replay = "replay --requests requests.csv --layout layout.toml --slots 64 --slot-seconds 60 --force --out run";
    succeed(dir.path(), replay);
    let told = |job: u64| succeed(dir.path(), &format!("explain run {job}"));
    let says = |job: u64, words: &str| crate::assert_says(&told(job), words);
    says(
        6,
        "for 6 PEs, on 1 whole node of 4 cores and 2 gpus, for 600 s",
    );
    says(
        6,
        "It asks for 1 node; the most that was free in its window for 600 s (10 min 0 s) in a row (the same nodes throughout) was 0 nodes of 6 that would do, from second 60 on; booked in that time, together or one after the other: job 3 (PEs of 2 nodes, 60 to 660), job 4 (PEs of 2 nodes, 60 to 660), job 1 (PEs of 1 node, 60 to 660)",
    );
    says(6, " free nodes of 6 |");
    says(6, " job 4, 2 nodes |");
    // A number of PEs anywhere is told as before.
    says(4, "for 3 PEs for 600 s");
    says(4, "free all through then: 22 PEs.");
    let rows = "\
job_id,arrival,ready,duration,deadline,pes,groups,per_group,within,kind
1,0,0,600,600,,3,core=1 gpu=1,rack,
2,0,0,600,600,,3,core=4,rack,
3,0,60,600,660,,2,gpu=2,rack,
4,0,0,600,900,20,,,rack,
5,0,60,600,660,,2,gpu=2,rack,
6,0,60,600,660,1,,,rack?,
7,0,60,600,660,18,,all,,
8,0,0,600,,2,1,core=1 gpu=1,rack?,best-effort
";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    succeed(dir.path(), &format!("{replay} --queue easy"));
    says(
        1,
        "for 6 PEs, on 3 nodes with 1 core and 1 gpu each in one rack, for 600 s",
    );
    says(1, "free all through then: 4 nodes in one rack.");
    says(
        4,
        "It asks for 20 PEs in one rack; the most that was free in its window for 600 s (10 min 0 s) in a row (the same PEs throughout) was 18 PEs of 24 in one rack, from second 0 on; booked in that time, together or one after the other: job 2 (12 PEs, 0 to 600), job 1 (6 PEs, 0 to 600), job 3 (4 PEs, 60 to 660).",
    );
    says(
        5,
        "It asks for 2 nodes in one rack; the most that was free in its window for 600 s (10 min 0 s) in a row (the same nodes throughout) was 1 node of 4 that would do in one rack, from second 60 on; booked in that time, together or one after the other: job 1 (PEs of 3 nodes, 0 to 600), job 3 (PEs of 2 nodes, 60 to 660).",
    );
    says(6, "for 1 PE, in one rack where that is possible, for 600 s");
    says(7, "for 18 PEs, on whole nodes, for 600 s");
    says(
        8,
        "was queued at second 0: 2 PEs, on 1 node with 1 core and 1 gpu in one rack where that is possible, for at most",
    );
    // Who has what is not known behind an outage.
    let rows = "job_id,arrival,ready,duration,deadline,pes,groups,per_group\n1,0,600,600,1200,1,,\n2,120,600,600,1200,,8,core=4\n";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    let outages = "id,announced,start,end,groups_or_pes,kind\n1,60,600,900,0,maintenance\n";
    fs::write(dir.path().join("outages.csv"), outages).unwrap();
    succeed(dir.path(), &format!("{replay} --outages outages.csv"));
    says(
        2,
        "Which nodes were free is not known, as some of what was booked may have been changed since.\n",
    );
}

#[test]
fn without_a_layout_its_columns_are_ignored() {
    let dir = folder();
    let plain = "1,0,0,10,20,4\n2,5,5,10,20,3\n";
    fs::write(
        dir.path().join("requests.csv"),
        format!("job_id,arrival,ready,duration,deadline,pes\n{plain}"),
    )
    .unwrap();
    let replay = "replay --requests requests.csv --pes 4 --slots 64 --out";
    succeed(dir.path(), &format!("{replay} plain"));
    let more = "1,0,0,10,20,4,nowhere,,x,y,z,,\n2,5,5,10,20,3,,,,,,,9-7\n";
    fs::write(dir.path().join("requests.csv"), format!("{HEADER}{more}")).unwrap();
    succeed(dir.path(), &format!("{replay} more"));
    let [plain, more] = ["plain", "more"].map(|run| {
        let mut files = files(&dir.path().join(run));
        files.remove(Path::new("experiment.json"));
        files
    });
    assert_eq!(plain, more);
}

#[test]
fn jobs_of_the_queue_ask_for_no_exact_pes_and_operations_for_nothing() {
    let dir = folder();
    fs::write(dir.path().join("layout.toml"), LAYOUT).unwrap();
    let header = "job_id,arrival,ready,duration,deadline,pes,op,target,kind,partition,on\n";
    let rows =
        |rows: &str| fs::write(dir.path().join("requests.csv"), format!("{header}{rows}")).unwrap();
    rows("1,0,0,10,20,4,,,,debug,\n2,0,,10,,4,,,best-effort,debug,0-1\n");
    let message = fail(dir.path(), &format!("{REPLAY} --queue easy"), 2);
    let unused = "an empty cell or 0, which best-effort does not use";
    assert_eq!(
        message,
        format!("error: requests.csv, line 3, field on: found \"0-1\", expected {unused}\n")
    );
    rows("1,0,0,10,20,4,,,,debug,\n2,0,,,,,cancel,1,,debug,\n");
    let message = fail(dir.path(), REPLAY, 2);
    assert!(message.contains("which cancel does not use"), "{message}");
}

/// Job 1 leaves GPUs on one node of the partition only. Job 3 asks for two nodes, which job 4 may not delay; 5 may.
#[test]
fn jobs_of_the_queue_wait_for_what_they_ask() {
    let dir = folder();
    let run = queued(dir.path());
    let jobs = fs::read_to_string(run.join(JOBS)).unwrap();
    let cells = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        [cells[0], cells[8], cells[14], cells[16]].join(",")
    };
    let found: Vec<String> = jobs.lines().skip(1).map(cells).collect();
    let expected = [
        "1,0,0-1 32-33,",
        "2,0,4 34,partition=debug; per_group=core=1 gpu=1",
        "3,10,0-1 4-5 32-35,partition=debug; groups=2; per_group=core=2 gpu=2",
        "4,20,32,partition=debug; per_group=gpu=1; prefer=pack",
        "5,0,2,partition=debug; stopped",
        "6,,,partition=debug; groups=3; per_group=gpu=1; not-eligible",
        "7,,,per_group=gpu=3; bad-shape",
    ];
    assert_eq!(found, expected);
    succeed(dir.path(), "check run");
}
