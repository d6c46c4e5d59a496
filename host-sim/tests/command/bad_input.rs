//! Wrong input ends with exit status 2 and a message that names the place.

use std::{fs, io::Write};

use crate::{HEADER, assert_begins, cases::assert_refused, fail, folder, succeed, told};

const REPLAY: &str = "replay --requests requests.csv --pes 4 --slots 64 --policy first-fit";

#[track_caller]
fn assert_rejected(bytes: &[u8], message: &str) {
    let dir = folder();
    fs::write(dir.path().join("requests.csv"), bytes).unwrap();
    assert_eq!(fail(dir.path(), REPLAY, 2), format!("error: {message}\n"));
    // Nothing was begun.
    assert!(!dir.path().join("bookahead-out").exists());
}

#[track_caller]
fn assert_row_rejected(rows: &str, message: &str) {
    assert_rejected(format!("{HEADER}{rows}").as_bytes(), message);
}

#[test]
fn a_missing_column_is_named() {
    assert_rejected(
        b"job_id,arrival,ready,duration,pes\n1,0,0,1,1\n",
        "requests.csv, line 1, field deadline: found no such column in the header, expected \
         job_id,arrival,ready,duration,deadline,pes",
    );
}

#[test]
fn cells_that_are_no_whole_numbers_are_named() {
    assert_row_rejected(
        "1,0,0,1,5,two\n",
        "requests.csv, line 2, field pes: found \"two\", expected a whole number of 0 or more",
    );
    assert_row_rejected(
        "1,0,0,1,5,1\n2,0,-3,1,5,1\n",
        "requests.csv, line 3, field ready: found \"-3\", expected a whole number of 0 or more",
    );
    assert_row_rejected(
        "1,0,0,1,5\n",
        "requests.csv, line 2: found 5 cells, expected 6 as in the header",
    );
}

#[test]
fn shortest_lengths_that_are_none_are_named() {
    let rejected = |row: &str, found: &str, expected: &str| {
        let header = "job_id,arrival,ready,duration,deadline,pes,op,target,duration_min";
        let field = "requests.csv, line 3, field duration_min";
        let rows = format!("{header}\n1,0,0,9,50,1,,,\n{row}\n");
        let message = format!("{field}: found \"{found}\", expected {expected}");
        assert_rejected(rows.as_bytes(), &message);
    };
    let length = "a whole number from 1 to the duration 9, or an empty cell";
    for cell in ["0", "10", "1.5", "-2", "short"] {
        rejected(&format!("2,0,0,9,50,1,,,{cell}"), cell, length);
    }
    let unused = "an empty cell or 0, which cancel does not use";
    rejected("2,0,,,,,cancel,1,5", "5", unused);
}

#[test]
fn kinds_and_users_that_are_none_are_named() {
    let rejected = |row: &str, field: &str, found: &str, expected: &str| {
        let header = "job_id,arrival,ready,duration,deadline,pes,op,target,kind,user,duration_min";
        let rows = format!("{header}\n{row}\n");
        let place = format!("requests.csv, line 2, field {field}");
        let message = format!("{place}: found \"{found}\", expected {expected}");
        assert_rejected(rows.as_bytes(), &message);
    };
    let kinds = "reservation, best-effort or an empty cell";
    rejected("1,0,0,9,50,1,,,urgent,,", "kind", "urgent", kinds);
    let held = "reservation or an empty cell beside a hold";
    rejected(
        "1,0,0,9,50,1,hold,,best-effort,,",
        "kind",
        "best-effort",
        held,
    );
    let user = "the number of a user or an empty cell";
    rejected("1,0,0,9,50,1,,,,alice,", "user", "alice", user);
    let unused = "an empty cell or 0, which best-effort does not use";
    rejected("1,0,5,9,0,1,,,best-effort,,", "ready", "5", unused);
    rejected("1,0,0,9,50,1,,,best-effort,,", "deadline", "50", unused);
    rejected("1,0,,9,,1,,,best-effort,,4", "duration_min", "4", unused);
    let unused = "an empty cell or 0, which cancel does not use";
    rejected(
        "1,0,,,,,cancel,1,best-effort,,",
        "kind",
        "best-effort",
        unused,
    );
    rejected("1,0,,,,,cancel,1,,3,", "user", "3", unused);
}

#[test]
fn unsorted_rows_are_named() {
    assert_row_rejected(
        "1,10,10,1,50,1\n2,9,10,1,50,1\n",
        "requests.csv, line 3, field arrival: found 9 after 10, expected rows in order of arrival",
    );
}

#[test]
fn files_without_requests_are_named() {
    assert_rejected(
        b"",
        "requests.csv: found an empty file, expected the header job_id,arrival,ready,duration,deadline,pes",
    );
    assert_row_rejected(
        "",
        "requests.csv: found a header and no row, expected at least one request",
    );
}

#[test]
fn broken_gzip_and_other_text_are_named() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(HEADER.as_bytes()).unwrap();
    let whole = gzip.finish().unwrap();
    let dir = folder();
    fs::write(dir.path().join("requests.csv"), &whole[..whole.len() - 9]).unwrap();
    let message = fail(dir.path(), REPLAY, 2);
    assert_begins(&message, "error: requests.csv: found broken gzip data (");
    assert!(
        message.ends_with("), expected a whole gzip file\n"),
        "{message}"
    );
    let latin1 = [HEADER.as_bytes(), b"1,0,0,1,5,\xe9\n"].concat();
    assert_rejected(
        &latin1,
        "requests.csv, line 2: found the byte 0xe9, expected text in UTF-8",
    );
}

#[test]
fn wrong_logs_are_named() {
    let dir = folder();
    fs::write(
        dir.path().join("bad.swf"),
        "; MaxProcs: 4\n1 0 -1 x 4 -1 -1 4 9 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
    )
    .unwrap();
    assert_eq!(
        fail(dir.path(), "simulate --workload bad.swf", 2),
        "error: bad.swf, line 2, field run time: found \"x\", expected a number from 0 to 2^53, or -1\n"
    );
    fs::write(
        dir.path().join("bare.swf"),
        "1 0 -1 9 4 -1 -1 4 9 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
    )
    .unwrap();
    assert_eq!(
        fail(dir.path(), "simulate --workload bare.swf", 2),
        "error: bare.swf: the header names no MaxProcs, so --pes is needed\n"
    );
}

#[test]
fn a_file_that_is_not_there_is_wrong_input() {
    let dir = folder();
    assert_refused(
        r"
simulate --workload poison
    --workload poison: no such file, and no model of that name; the models are lublin, poisson, gpu, and plans of sweeps look for logs beside them, in the current folder, and in the one that BOOKAHEAD_TRACES names
replay --requests requests.csv --pes 4 --slots 64 --policy first-fit
    requests.csv: no such file
replay --requests . --pes 4 --slots 64
    .: found a folder, expected a file
reproduce sulistio --workload none.swf
    none.swf: no such file
generate --quiet --out none/load.csv
    none/load.csv: there is no folder of that name to write it into
",
        |line| fail(dir.path(), line, 2),
    );
    assert!(!dir.path().join("bookahead-out").exists());
}

#[test]
fn what_the_system_refuses_is_said_without_names_of_temporary_files() {
    let dir = folder();
    fs::write(dir.path().join("file"), "").unwrap();
    let message = fail(dir.path(), "generate --quiet --out file/load.csv", 1);
    assert_eq!(message, "error: file/load.csv: Not a directory\n");
}

#[test]
fn a_line_without_an_end_is_refused_before_it_fills_the_memory() {
    let long = [b"a".repeat(1 << 20), b"b\n".to_vec()].concat();
    assert_rejected(
        &[HEADER.as_bytes(), &long].concat(),
        "requests.csv, line 2: found a line of more than 1 MiB, expected shorter ones",
    );
    // In results, too.
    let dir = folder();
    succeed(dir.path(), "simulate --quiet --jobs 9 --out runs");
    let mut jobs = fs::read(dir.path().join("runs/jobs.csv")).unwrap();
    jobs.extend(&long);
    fs::write(dir.path().join("runs/jobs.csv"), jobs).unwrap();
    for line in ["check runs", "report runs"] {
        assert_eq!(
            fail(dir.path(), line, 2),
            "error: runs/jobs.csv, line 11: found a line of more than 1 MiB, expected shorter ones\n"
        );
    }
}

#[test]
fn comments_of_logs_may_be_in_latin_1() {
    let dir = folder();
    let job = "1 0 -1 9 4 -1 -1 4 9 -1 1 -1 -1 -1 -1 -1 -1 -1\n";
    let log = [b"; MaxProcs: 4\n; Contact: Andr\xe9\n", job.as_bytes()].concat();
    fs::write(dir.path().join("old.swf"), log).unwrap();
    let again = crate::succeed(dir.path(), "generate --workload old.swf --format swf");
    assert!(again.contains("; Contact: Andr\u{e9}\n"), "{again}");
    let job = b"1 0 -1 9 4 -1 -1 4 9 -1 \xe9 -1 -1 -1 -1 -1 -1 -1\n";
    let log = [b"; MaxProcs: 4\n; Contact: Andr\xe9\n", &job[..]].concat();
    fs::write(dir.path().join("broken.swf"), log).unwrap();
    assert_eq!(
        fail(dir.path(), "simulate --workload broken.swf", 2),
        "error: broken.swf, line 3: found the byte 0xe9, expected text in UTF-8\n"
    );
}

#[test]
fn options_out_of_range_are_named() {
    let dir = folder();
    assert_refused(
        r#"
--policy best
    invalid value 'best' for '--policy <LIST>'\n  [possible values: first-fit, pe-best-fit, pe-worst-fit, duration-best-fit, duration-worst-fit, pe-duration-best-fit, pe-duration-worst-fit, all]\n…
--policy frist-fit
    invalid value 'frist-fit' for '--policy <LIST>'…
--strategy stiff
    invalid value 'stiff' for '--strategy <LIST>'\n  [possible values: fit, rigid, elastic, juggle, shift, juggle-shift, overlay]\n…
--binding never
    invalid value 'never' for '--binding <LIST>'\n  [possible values: early, late, all]\n…
--pes 0
    invalid value '0' for '--pes <N>': expected a whole number from 1 to 65,535\n…
--pes 65536
    invalid value '65536' for '--pes <N>': expected a whole number from 1 to 65,535\n…
--slots 0
    invalid value '0' for '--slots <N>': expected a whole number from 1 to 33,554,432\n…
--slots 33554433
    invalid value '33554433' for '--slots <N>': expected a whole number from 1 to 33,554,432\n…
--slot-seconds 0
    invalid value '0' for '--slot-seconds <S>': expected a whole number from 1 to 4,294,967,295\n…
--jobs 0
    invalid value '0' for '--jobs <N>': expected a whole number from 1 to 4,294,967,295\n…
--seed x
    invalid value 'x' for '--seed <N>': expected a whole number from 0 to 18,446,744,073,709,551,615\n…
--threads 1025
    invalid value '1025' for '--threads <N>': expected a whole number from 0 to 1,024\n…
--umed seven
    invalid value 'seven' for '--umed <X>': expected a number such as 0.5\n…
--max-memory 9X
    invalid value '9X' for '--max-memory <BYTES>': unit "X": expected none or K, M, G, T…
--job-pes 3
    invalid value '3' for '--job-pes <A-B>': expected two whole numbers such as 1-32…
--arrival-factor 0
    --arrival-factor 0: expected a finite number above 0…
--reservation-share 2
    --reservation-share 2: expected a number from 0 to 1…
--arrival-factor -1
    --arrival-factor -1: expected a finite number above 0…
--jobs -5
    invalid value '-5' for '--jobs <N>': expected a whole number from 1 to 4,294,967,295\n…
--k-over -1-3
    invalid value '-1-3' for '--k-over <A-B>': expected two numbers of 1 or more such as 1.2-1.5\n…
--umed 99
    --umed 99: expected a number from 4.5 to 10
--workload poisson --mean-gap -1
    invalid value '-1' for '--mean-gap <S>': expected a number above 0 such as 0.5\n…
--reservation-share 0
    --reservation-share 0: jobs that do not reserve need a queue; say --queue fcfs, easy or conservative
--jobs 60 --reservation-share 0.5
    --reservation-share 0.5: jobs that do not reserve need a queue; say --queue fcfs, easy or conservative
--queue easy
    --queue: all jobs reserve, so that the queue stays empty; say --reservation-share below 1
--best-effort sjf
    invalid value 'sjf' for '--queue <NAME>'\n  [possible values: fcfs, easy, conservative]\n…
--strategy elastic --search guess
    invalid value 'guess' for '--search <NAME>'\n  [possible values: strip-packing, pareto-front]\n…
--strategy elastic --offer-order best
    invalid value 'best' for '--offer-order <ORDER>'\n  [possible values: discovery, longest, widest, earliest, cheapest]\n…
--strategy elastic --user me
    invalid value 'me' for '--user-policy <NAME>'\n  [possible values: solution-only, alternatives, ask-again]\n…
--strategy elastic --offers 0
    invalid value '0' for '--offers <N>': expected a whole number from 1 to 1,024\n…
--strategy rigid --offers 3
    --offers is only for --strategy elastic
--price 0.0000001
    invalid value '0.0000001' for '--price [<AMOUNT>]': expected an amount above 0 with at most 6 decimals, such as 0.05\n…
--price --slot-seconds 90
    --price is per minute, so slots must be whole minutes: found --slot-seconds 90, expected 60, 120 and so on
--price --price-factor 0.99 --slot-seconds 60
    --price-factor 0.99: expected 1 or more, and a slot whose price can be counted
--price --price-factor x
    invalid value 'x' for '--price-factor <X>': expected a number of 1 or more, such as 4\n…
--price 9999999 --slot-seconds 60
    the whole machine for all slots costs more than can be counted
--workload poisson --umed 5
    --umed is only for --workload lublin…
--lublin-model combined --umed 5
    --umed is only for --lublin-model lanl-cm5…
--mean-gap 5
    --mean-gap is only for --workload poisson or gpu…
--duration run
    --duration is only for a log…
--workload poisson --job-pes 5-3
    --job-pes 5-3: expected a least number of 1 or more, and a most that is no less…
"#,
        |options| fail(dir.path(), &format!("simulate {options}"), 2),
    );
    assert!(!dir.path().join("bookahead-out").exists());
}

#[test]
fn a_book_beyond_the_memory_limit_is_refused_with_both_numbers() {
    let dir = folder();
    let options = "simulate --pes 65535 --slots 1048576 --binding all --max-memory 1G --jobs 10";
    let message = fail(dir.path(), options, 2);
    let (before, after) = message
        .split_once(" bytes of memory (early binding), ")
        .unwrap();
    let needed = before
        .strip_prefix("error: 65,535 PEs and 1,048,576 slots need ")
        .unwrap();
    let needed = needed.replace(',', "");
    assert!(needed.parse::<u64>().unwrap() > 10_000_000_000, "{needed}");
    assert_eq!(
        after,
        "allowed are 1,073,741,824: take fewer, or more with --max-memory\n"
    );
    // What fits by itself runs, however many of its kind would not fit together.
    succeed_in_little_memory(dir.path());
}

fn succeed_in_little_memory(dir: &std::path::Path) {
    let options = "simulate --jobs 10 --slots 64 --slot-seconds 60 --binding late --policy all --max-memory 40K --threads 8";
    crate::succeed(dir, options);
}

#[test]
fn generate_needs_to_know_the_format() {
    let dir = folder();
    assert_eq!(
        fail(dir.path(), "generate --out load.txt", 2),
        "error: load.txt: expected a name that ends in .csv or .swf (or these and .gz), or --format\n"
    );
    assert_eq!(
        fail(
            dir.path(),
            "generate --out load.swf --deadline-factor 2 --quiet",
            2
        ),
        "error: --deadline-factor is about requests, which SWF does not have; expected --format csv\n"
    );
}

#[test]
fn folders_without_results_are_named() {
    let dir = folder();
    assert_eq!(
        fail(dir.path(), "check .", 2),
        "error: .: nothing to check: expected jobs.csv and reservations.csv of a run there or in its subfolders\n"
    );
    assert_eq!(
        fail(dir.path(), "check none", 2),
        "error: none: no such folder\n"
    );
    let message = fail(dir.path(), "report .", 2);
    assert_begins(&message, "error: .: nothing to report on: ");
}

#[test]
fn wrong_usage_ends_with_status_2() {
    let dir = folder();
    for line in [
        "frobnicate",
        "--frobnicate",
        "replay",
        "report",
        "simulate --policy",
    ] {
        fail(dir.path(), line, 2);
    }
}

/// What nobody reads may be meant so, or be misspelt.
#[test]
fn columns_that_are_not_read_are_named() {
    let dir = folder();
    let rows =
        "job_id,arrival,ready,duration,deadline,pes,runtime,partition\n1,0,0,60,60,1,30,gpu\n";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    let run = "replay --requests requests.csv --pes 4 --slots 64 --quiet --out run";
    assert_eq!(
        told(dir.path(), run),
        "warning: requests.csv: no such column is read, so it is ignored: runtime, partition\n"
    );
    fs::write(
        dir.path().join("requests.csv"),
        rows.replace("runtime,partition", "run_time,user")
            .replace("gpu", "7"),
    )
    .unwrap();
    assert_eq!(told(dir.path(), &format!("{run} --force")), "");
}
