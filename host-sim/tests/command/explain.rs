//! What is told of one job.

use std::fs;

use crate::{assert_begins, assert_says, fail, folder, succeed, write_requests};

const REPLAY: &str =
    "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 --quiet --out run";

#[test]
fn a_job_is_placed_or_refused_for_a_reason_that_is_drawn() {
    let dir = folder();
    let rows = "7,0,0,90,600,3\n8,10,60,60,240,2\n9,10,60,60,180,3\n10,10,180,60,600,1\n";
    write_requests(dir.path(), rows);
    succeed(dir.path(), REPLAY);
    assert_eq!(succeed(dir.path(), "explain run 8"), EIGHT);
    assert_eq!(succeed(dir.path(), "explain run 9"), NINE);
    let error = fail(dir.path(), "explain run 11", 2);
    let expected =
        "run: found no job 11, expected one of its 4 jobs, whose numbers lie between 7 and 10";
    assert!(error.contains(expected), "{error}");
    fs::remove_file(dir.path().join("run/metrics.json")).unwrap();
    let error = fail(dir.path(), "explain run 9", 2);
    let expected = "run: no finished run: expected jobs.csv, reservations.csv and metrics.json";
    assert!(error.contains(expected), "{error}");
}

const EIGHT: &str = "\
Job 8 asked at second 10 for 2 PEs for 60 s, not before second 60 and over by second 240.
It was promised second 120 to second 180.
No earlier start had room; booked in that time, together or one after the other: job 7 (3 PEs, 0 to 120).
First fit takes the earliest start with room.
It ran from second 120 to second 180 on PEs 0-1.

        a character: 3 s 60                                                         240
               free of 4 |▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂████████████████████████████████████████|
              its window |····························································|
                   job 8 |                    ████████████████████                    |
            job 7, 3 PEs |▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒                                        |
";

const NINE: &str = "\
Job 9 asked at second 10 for 3 PEs for 60 s, not before second 60 and over by second 180.
It was refused: no start in its window had room (no-room).
The most that was free in its window for 60 s in a row (the same PEs throughout) was 2 PEs of 4, from second 120 on; booked in that time, together or one after the other: job 7 (3 PEs, 0 to 120), job 8 (2 PEs, 120 to 180).
The next start with room was second 180, over at second 240: 60 s after its deadline.

        a character: 2 s 60                                                         180
               free of 4 |▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄|
              its window |····························································|
            job 7, 3 PEs |▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒                              |
            job 8, 2 PEs |                              ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒|
";

#[test]
fn each_run_of_a_folder_is_explained_and_who_was_moved_is_named() {
    let dir = folder();
    let rows = "1,0,60,120,600,3\n2,10,60,60,120,2\n";
    write_requests(dir.path(), rows);
    let options = format!("{REPLAY} --strategy fit,juggle");
    succeed(dir.path(), &options);
    let text = succeed(dir.path(), "explain run 2");
    let (fit, juggle) = text.split_once("run/juggle-early\n").unwrap();
    assert!(
        fit.starts_with("run/first-fit-early\nJob 2 asked at second 10"),
        "{text}"
    );
    assert!(
        fit.contains("It was refused: no start in its window had room (no-room)."),
        "{text}"
    );
    let told = "It was promised second 60 to second 120.\n\
        As everything was booked before, it had no room there; booked in that time, together or one after the other: job 1 (3 PEs, 60 to 180).\n\
        To make room for it, job 1 gave way.\n\
        The strategy juggle places flexible reservations anew to make room.\n";
    assert!(juggle.contains(told), "{text}");
    let text = succeed(dir.path(), "explain run/juggle-early 1");
    let told = "At second 10 it was moved (juggle for job 2) from 60 to 180, 3 PEs, to 120 to 240, 3 PEs.\n";
    assert!(text.contains(told), "{text}");
}

#[test]
fn a_sweep_has_no_jobs_to_explain() {
    let dir = folder();
    let plan = "seed = 1\nmeasures = [\"accepted\"]\n[run]\njobs = 20\n";
    fs::write(dir.path().join("plan.toml"), plan).unwrap();
    succeed(dir.path(), "sweep plan.toml --quiet --out grid");
    let error = fail(dir.path(), "explain grid 3", 2);
    let expected = "grid: a sweep keeps no jobs, expected a folder of simulate or replay";
    assert!(error.contains(expected), "{error}");
    let error = fail(dir.path(), "explain nowhere 3", 2);
    assert!(error.contains("nowhere: no such folder"), "{error}");
}

#[test]
fn why_a_request_waited_and_where_it_begins_then_is_told() {
    let dir = folder();
    let requests = include_str!("../../../examples/requests/waiting.csv");
    fs::write(dir.path().join("requests.csv"), requests).unwrap();
    let run = "replay --requests requests.csv --pes 4 --slots 128 --slot-seconds 60 --wait --quiet --out run";
    succeed(dir.path(), run);
    let far = succeed(dir.path(), "explain run 6");
    let reason = "its window reaches beyond the slots that can be booked ahead (beyond-horizon)";
    assert!(far.contains(&format!("It waited, as it could not be placed then: {reason}. At second 2,220 it was promised second 9,000")), "{far}");
    assert_says(&far, "That is the first slot of its window");
    let late = succeed(dir.path(), "explain run 2");
    assert_says(&late, "(no-room). At second 600 it was promised second 600");
    assert_says(&late, "That is the first slot after the promise");
}

#[test]
fn a_window_that_begins_inside_a_slot_is_no_late_promise() {
    let dir = folder();
    // A late promise may come before the window, too.
    write_requests(dir.path(), "1,0,70,60,600,1\n");
    succeed(dir.path(), REPLAY);
    let told = "It was promised second 120 to second 180.\nThat is the first slot of its window;";
    assert_says(&succeed(dir.path(), "explain run 1"), told);
    write_requests(dir.path(), "1,0,5000,60,6000,1\n");
    succeed(dir.path(), &format!("{REPLAY} --wait --force"));
    let told = "At second 2,160 it was promised second 5,040 to second 5,100.\nThat is the first slot of its window;";
    assert_says(&succeed(dir.path(), "explain run 1"), told);
}

#[test]
fn an_elastic_reservation_is_not_said_to_have_a_policy_and_why_it_got_less_is_told() {
    let dir = folder();
    let elastic = format!("{REPLAY} --strategy elastic");
    let rule = "The strategy elastic has no policy";
    // Beside the first, two PEs are free from 0 to 180 and from 480 to 600. The third has two whole slots for three.
    let rows = "1,0,180,300,480,3\n2,0,0,360,600,2\n3,0,610,150,780,1\n";
    write_requests(dir.path(), rows);
    succeed(dir.path(), &elastic);
    let all = succeed(dir.path(), "explain run 1");
    assert_says(&all, rule);
    let less = succeed(dir.path(), "explain run 2");
    let told = "It was promised second 0 to second 180, 2 PEs for 180 s (3 min 0 s).\n\
        For all that it asked for, 2 PEs for 360 s (6 min 0 s), no start in its window had room.\n";
    assert_says(&less, told);
    assert_says(&less, rule);
    let rounded = succeed(dir.path(), "explain run 3");
    let told = "For all that it asked for, 1 PE for 150 s (2 min 30 s), its window has too few whole slots.\n";
    assert_says(&rounded, told);
    for text in [all, less, rounded] {
        assert!(!text.contains("First fit"), "{text}");
    }
}

#[test]
fn second_parts_and_what_was_given_up_are_told_as_what_they_are() {
    let dir = folder();
    let rows = "job_id,arrival,ready,duration,deadline,pes,op,target,ttl\n\
                1,0,60,240,600,2,reserve,,\n2,0,60,60,600,1,hold,,120\n3,0,120,60,600,1,reserve,,\n\
                4,10,180,,,,split,1,\n5,20,,,,,cancel,3,\n";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    succeed(dir.path(), REPLAY);
    succeed(dir.path(), "check run");
    let told = |job: u64| succeed(dir.path(), &format!("explain run {job}"));
    let second = told(4);
    assert_begins(
        &second,
        "Job 4 is the second part of a reservation that was split at second 10: 2 PEs for ",
    );
    assert!(
        second.contains("It ran from second ")
            && !second.contains("queue")
            && !second.contains('░'),
        "{second}"
    );
    // Drawn where it was booked: what it may start in is the window of the whole reservation.
    let ruler = second.lines().find(|line| line.contains("a character"));
    let ruler = ruler.unwrap().trim_end();
    assert!(
        ruler.contains(" 180 ") && ruler.ends_with("300"),
        "{second}"
    );
    assert!(
        second.contains("job 4 |█") && !second.contains("its window"),
        "{second}"
    );
    assert!(told(2).contains("the hold expired"), "{}", told(2));
    assert!(
        told(3).contains("It was cancelled before it started."),
        "{}",
        told(3)
    );
    // Its first part has all that runs.
    let rows = "job_id,arrival,ready,duration,deadline,pes,op,target,run_time\n\
                1,0,60,240,600,2,reserve,,60\n4,10,180,,,,split,1,\n";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    succeed(dir.path(), REPLAY);
    assert_says(&told(4), "Nothing of it was left to run at second 180.\n");
}

/// A job that is queued at its ready time and was removed is drawn in its window.
#[test]
fn a_job_that_was_removed_is_drawn_in_its_window() {
    let dir = folder();
    let rows = "job_id,arrival,ready,duration,deadline,pes,kind\n1,0,0,6000,0,4,best-effort\n2,0,1200,600,2400,1,reservation\n";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    let run = "replay --requests requests.csv --pes 4 --slots 128 --slot-seconds 60 --queue fcfs --remove-late --quiet --out run";
    succeed(dir.path(), run);
    let told = succeed(dir.path(), "explain run 2");
    assert!(told.contains("its latest start had passed"), "{told}");
    let ruler = told
        .lines()
        .find(|line| line.contains("a character"))
        .unwrap();
    assert!(
        ruler.contains(" 1,200 ") && ruler.trim_end().ends_with("2,400"),
        "{told}"
    );
    assert!(told.contains("job 1, 4 PEs"), "{told}");
}

#[test]
fn turns_of_rules_are_in_the_way_as_far_ahead_as_could_be_booked() {
    let dir = folder();
    let rule =
        "[[rule]]\nname = \"maintenance\"\nphase = 0\nperiod = 1800\nlength = 300\npes = \"0-3\"\n";
    fs::write(dir.path().join("rules.toml"), rule).unwrap();
    // Longer than the time between two turns; as long as that, in a window that ends inside a turn.
    write_requests(dir.path(), "1,0,300,1600,3600,1\n2,0,360,1500,1980,1\n");
    succeed(
        dir.path(),
        "replay --requests requests.csv --pes 4 --slots 128 --slot-seconds 60 --rules rules.toml --out run",
    );
    let told = succeed(dir.path(), "explain run 1");
    assert_says(
        &told,
        "There was no later start with room, either, as far ahead as could be booked then.",
    );
    let told = succeed(dir.path(), "explain run 2");
    assert_says(
        &told,
        "By how many PEs were free, the next start with room was second 2,100, over at second 3,600: 1,620 s (27 min 0 s) after its deadline.",
    );
}

/// Job 3 has the only PE that is free at second 300 from second 450 on, so that job 7 has no start before second 750.
#[test]
fn an_early_start_is_not_said_to_have_room_where_other_pes_are_free_all_through() {
    let dir = folder();
    let rows = "1,0,0,450,450,1\n2,0,600,300,900,1\n3,0,450,300,750,1\n";
    let last = "7,31,300,300,3000,1\n";
    let replay = "replay --requests requests.csv --pes 2 --slots 256 --slot-seconds 30 --pull-forward --force --out run";
    write_requests(dir.path(), &format!("{rows}{last}"));
    succeed(dir.path(), replay);
    let told = succeed(dir.path(), "explain run 7");
    assert_says(
        &told,
        "It was promised second 750 to second 1,050.\nNo earlier start had room; booked in that time",
    );
    // Job 5 ends early, and job 6 moves: who has what by then is not known.
    let header = "job_id,arrival,ready,duration,deadline,pes,run_time\n";
    let moved = "5,0,0,60,60,1,30\n6,0,0,30,90,1,30\n";
    let all = format!("{rows}{moved}{last}").replace(",1\n", ",1,600\n");
    fs::write(dir.path().join("requests.csv"), format!("{header}{all}")).unwrap();
    succeed(dir.path(), replay);
    let told = succeed(dir.path(), "explain run 7");
    assert_says(
        &told,
        "By how many PEs were free, second 300 would have been the first start with room; which PEs these were is not known",
    );
}

#[test]
fn who_ran_before_a_queued_job_and_was_not_booked_when_it_came_is_named_and_drawn() {
    let dir = folder();
    let header = "job_id,arrival,ready,duration,deadline,pes,kind\n";
    let jobs = "1,0,0,600,0,3,best-effort\n2,0,0,300,0,3,best-effort\n3,0,0,300,0,4,best-effort\n4,0,0,1200,0,1,best-effort\n";
    let rows = format!("{header}{jobs}5,60,1200,300,1500,4,reservation\n");
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    succeed(dir.path(), &format!("{REPLAY} --queue conservative"));
    assert_eq!(succeed(dir.path(), "explain run 4"), FOUR);
    // It starts when it could from the beginning, whoever runs beside it.
    let second = succeed(dir.path(), "explain run 2");
    assert!(!second.contains("Not booked yet"), "{second}");
    assert!(!second.contains('░'), "{second}");
}

/// The first run of job 1 was booked when job 2 came, and the second one was not.
#[test]
fn a_later_run_of_a_job_that_was_preempted_is_among_those_that_ran_before() {
    let dir = folder();
    let header = "job_id,arrival,ready,duration,deadline,pes,kind,preemptible\n";
    let rows = "1,0,0,600,0,3,best-effort,1\n2,10,0,60,0,4,best-effort,\n3,60,300,300,600,4,reservation,\n";
    fs::write(dir.path().join("requests.csv"), format!("{header}{rows}")).unwrap();
    succeed(dir.path(), &format!("{REPLAY} --queue fcfs --preempt"));
    let told = succeed(dir.path(), "explain run 2");
    assert_says(
        &told,
        "before it started: job 1 (3 PEs, 600 to 1,200), job 3 (4 PEs, 300 to 600).",
    );
}

#[test]
fn what_moved_a_reservation_is_named_as_what_it_is() {
    let dir = folder();
    let [requests, outages, ruled, rules, operations] = [
        include_str!("../../../examples/requests/failing.csv"),
        include_str!("../../../examples/requests/outages.csv"),
        include_str!("../../../examples/requests/ruled.csv"),
        include_str!("../../../examples/requests/rules.toml"),
        include_str!("../../../examples/requests/operations.csv"),
    ];
    let write = |name, text| fs::write(dir.path().join(name), text).unwrap();
    let says = |job: u64, words: &str| {
        assert_says(&succeed(dir.path(), &format!("explain run {job}")), words);
    };
    let replay = REPLAY.replace("--slots 64", "--slots 128") + " --force";
    write("requests.csv", requests);
    write("outages.csv", outages);
    succeed(dir.path(), &format!("{replay} --outages outages.csv"));
    says(
        2,
        "At second 120 it was moved (outage 1) from 600 to 1,200, 4 PEs, to 2,700 to 3,300, 4 PEs.\n",
    );
    says(
        3,
        "At second 120 it was moved (outage 1) to other PEs at the same time, 1,200 to 1,500, 1 PE.\n",
    );
    write("requests.csv", ruled);
    write("rules.toml", rules);
    succeed(dir.path(), &format!("{replay} --rules rules.toml"));
    says(
        2,
        "At second 900 it was moved (the rule cleaning) from 2,400 to 3,000, 4 PEs, to 3,000 to 3,600, 4 PEs.\n",
    );
    write("requests.csv", operations);
    succeed(dir.path(), &replay);
    says(
        2,
        "(extend by operation 5) from 60 to 120, 2 PEs, to 60 to 240, 2 PEs.\n",
    );
    let header = "job_id,arrival,ready,duration,deadline,pes,run_time\n";
    write(
        "requests.csv",
        &format!("{header}1,0,0,600,600,4,60\n2,0,0,60,1200,4,60\n"),
    );
    succeed(dir.path(), &format!("{replay} --pull-forward"));
    says(
        2,
        "(pull-forward into what job 1 gave back) from 600 to 660, 4 PEs, to ",
    );
}

const FOUR: &str = "\
Job 4 was queued at second 0: 1 PE for at most 1,200 s (20 min 0 s), as soon as there is room.
There was room for it at once beside everything that was booked.
It started at second 1,500, after 1,500 s (25 min 0 s): it was planned behind others, or they reserved in the meantime; of what came free earlier, it had only what its plan could use as that happened.
Not booked yet when it came, and running before it started: job 3 (4 PEs, 900 to 1,200), job 5 (4 PEs, 1,200 to 1,500), job 2 (3 PEs, 600 to 900). The drawing has them last (░); its line of what was free is as it was known when the job came.
Conservative backfilling: a job passes others when that delays none of them.

       a character: 60 s 0                                         2,700
               free of 4 |▂▂▂▂▂▂▂▂▂▂███████████████████████████████████|
              its window |·············································|
                   job 4 |                         ████████████████████|
            job 1, 3 PEs |▒▒▒▒▒▒▒▒▒▒                                   |
            job 2, 3 PEs |          ░░░░░                              |
            job 3, 4 PEs |               ░░░░░                         |
            job 5, 4 PEs |                    ░░░░░                    |
";
