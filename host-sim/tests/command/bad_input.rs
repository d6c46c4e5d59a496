//! Wrong input ends with exit status 2 and a message that names the place.

use std::{fs, io::Write};

use crate::{HEADER, fail, folder};

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
    assert!(
        message.starts_with("error: requests.csv: found broken gzip data ("),
        "{message}"
    );
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
fn a_file_that_is_not_there_is_no_bad_input() {
    let dir = folder();
    let message = fail(dir.path(), "simulate --workload none.swf", 1);
    assert!(message.starts_with("error: none.swf: "), "{message}");
}

#[test]
fn options_out_of_range_are_named() {
    let cases = [
        (
            "--policy best",
            "invalid value 'best' for '--policy <LIST>': expected all or some of first-fit, pe-best-fit, pe-worst-fit, \
             duration-best-fit, duration-worst-fit, pe-duration-best-fit, pe-duration-worst-fit, rigid, elastic\n",
        ),
        (
            "--binding never",
            "invalid value 'never' for '--binding <LIST>': expected all or some of early, late, late-control",
        ),
        (
            "--pes 0",
            "invalid value '0' for '--pes <N>': 0 is not in 1..=65535",
        ),
        (
            "--pes 65536",
            "invalid value '65536' for '--pes <N>': 65536 is not in 1..=65535",
        ),
        (
            "--slots 0",
            "invalid value '0' for '--slots <N>': 0 is not in 1..=1048576",
        ),
        (
            "--slots 1048577",
            "invalid value '1048577' for '--slots <N>': 1048577 is not in 1..=1048576",
        ),
        (
            "--slot-seconds 0",
            "invalid value '0' for '--slot-seconds <S>': 0 is not in 1..=4294967295",
        ),
        (
            "--jobs 0",
            "invalid value '0' for '--jobs <N>': 0 is not in 1..=4294967295",
        ),
        (
            "--seed x",
            "invalid value 'x' for '--seed <N>': invalid digit found in string",
        ),
        (
            "--max-memory 9X",
            "invalid value '9X' for '--max-memory <BYTES>': unit \"X\": expected none or K, M, G, T",
        ),
        (
            "--job-pes 3",
            "invalid value '3' for '--job-pes <A-B>': expected two whole numbers such as 1-32",
        ),
        (
            "--arrival-factor 0",
            "arrival factor 0: expected a finite number above 0",
        ),
        (
            "--reservation-share 2",
            "share of reservations 2: expected a number from 0 to 1",
        ),
        (
            "--reservation-share 0",
            "no job of lublin makes a reservation\n",
        ),
        (
            "--jobs 60 --reservation-share 0.5",
            "--reservation-share 0.5: 30 of 60 jobs do not reserve, and there is no queue for them; say --best-effort fcfs or \
             --best-effort easy\n",
        ),
        (
            "--best-effort easy",
            "--best-effort: all jobs reserve, so that the queue stays empty; say --reservation-share below 1\n",
        ),
        (
            "--best-effort sjf",
            "invalid value 'sjf' for '--best-effort <NAME>': expected one of fcfs, easy\n",
        ),
        (
            "--strategy elastic --search guess",
            "invalid value 'guess' for '--search <NAME>': expected one of strip-packing, pareto-front\n",
        ),
        (
            "--strategy elastic --offer-order best",
            "invalid value 'best' for '--offer-order <ORDER>': expected one of discovery, longest, widest, earliest, cheapest\n",
        ),
        (
            "--strategy elastic --user me",
            "invalid value 'me' for '--user <NAME>': expected one of solution-only, alternatives, ask-again\n",
        ),
        (
            "--strategy elastic --offers 0",
            "invalid value '0' for '--offers <N>': 0 is not in 1..=1024\n",
        ),
        (
            "--strategy rigid --offers 3",
            "--offers is only for --policy elastic\n",
        ),
        (
            "--strategy first-fit,elastic --binding early,late-control",
            "late-control binding looks at the candidate starts of a policy, which elastic has not\n",
        ),
        (
            "--price 0.0000001",
            "invalid value '0.0000001' for '--price [<AMOUNT>]': expected an amount above 0 with at most 6 decimals, such as 0.05\n",
        ),
        (
            "--price --slot-seconds 90",
            "--price is per minute, so slots must be whole minutes: found --slot-seconds 90\n",
        ),
        (
            "--price --price-factor 0.99",
            "--price-factor 0.99: expected 1 or more, and a slot whose price can be counted\n",
        ),
        (
            "--price 9999999",
            "the whole machine for all slots costs more than can be counted\n",
        ),
        (
            "--workload poisson --umed 5",
            "--umed is only for --workload lublin",
        ),
        (
            "--lublin-model combined --umed 5",
            "--umed is only for --lublin-model lanl-cm5",
        ),
        ("--mean-gap 5", "--mean-gap is only for --workload poisson"),
        ("--duration run", "--duration is only for a log"),
        (
            "--workload poisson --job-pes 5-3",
            "pes 5..3: expected 1 <= least <= most",
        ),
    ];
    let dir = folder();
    for (options, message) in cases {
        let told = fail(dir.path(), &format!("simulate {options}"), 2);
        assert!(
            told.starts_with(&format!("error: {message}")),
            "{options}: {told}"
        );
    }
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
        .strip_prefix("error: 65535 PEs and 1048576 slots need ")
        .unwrap();
    assert!(needed.parse::<u64>().unwrap() > 10_000_000_000, "{needed}");
    assert_eq!(
        after,
        "allowed are 1073741824: take fewer, or more with --max-memory\n"
    );
    // What fits by itself runs, however many of its kind would not fit together.
    succeed_in_little_memory(dir.path());
}

fn succeed_in_little_memory(dir: &std::path::Path) {
    let options =
        "simulate --jobs 10 --slots 64 --binding late --policy all --max-memory 40K --threads 8";
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
    assert!(
        message.starts_with("error: .: nothing to report on: "),
        "{message}"
    );
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
