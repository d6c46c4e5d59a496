//! Readers of logs and requests: what they take, what they say of bad input, and that nothing makes them panic.

use std::{io::Write, path::Path};

use bookahead_sim::{
    error::{Error, Result},
    operation::{Action, Operation, Script},
    request::{BestEffortRequest, Demand, Hold, JobRequest},
    workload::{
        Job,
        from_swf::{self, Adjusted, DurationFrom, Options, Skipped},
        requests_csv,
        swf::{self, Header, Log, Record},
    },
};
use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn log(bytes: impl Into<Vec<u8>>) -> Result<Vec<Record>> {
    Log::parse("log.swf", bytes.into())?
        .records()
        .map(|numbered| Ok(numbered?.record))
        .collect()
}

fn script(bytes: impl Into<Vec<u8>>) -> Result<Script> {
    requests_csv::parse(Path::new("requests.csv"), bytes.into())
}

fn requests(bytes: impl Into<Vec<u8>>) -> Result<Vec<JobRequest>> {
    let script = script(bytes)?;
    assert!(script.is_plain(), "{script:?}");
    Ok(script
        .demands
        .iter()
        .filter_map(Demand::request)
        .cloned()
        .collect())
}

#[track_caller]
fn assert_refused<T: std::fmt::Debug>(result: Result<T>, message: &str) {
    let error = result.expect_err(message);
    assert!(matches!(error, Error::Input { .. }), "{error:?}");
    assert_eq!(
        (error.exit_status(), error.to_string().as_str()),
        (2, message)
    );
}

const LINE: &str = "1 0 3 60 4 12.5 -1 8 90 -1 1 7 -1 -1 2 -1 -1 -1\n";

#[test]
fn log_keeps_all_fields_header_and_line_numbers() {
    let text = format!(
        "; Version: 2.2\n;   free text: with a colon\n; MaxNodes: 144 (each an 8-way SMP)\n; UnixStartTime: 956700003\n;\n{LINE}\n  2 \t 5.25 -1 0 -1 -1 -1 -1 -1 -1 5 -1 -1 -1 -1 -1 1 -0\r\n"
    );
    let log = Log::parse("log.swf", text.clone().into()).unwrap();
    let header = log.header();
    assert_eq!(header.lines().len(), 5);
    assert_eq!(header.get("Version"), Some("2.2"));
    assert_eq!(header.number("Version"), Some(2));
    assert_eq!(
        (header.number("MaxNodes"), header.number("MaxProcs")),
        (Some(144), None)
    );
    assert_eq!(
        (header.processors(), header.unix_start_time()),
        (Some(144), Some(956_700_003))
    );
    let numbered: Vec<_> = log.records().collect::<Result<_>>().unwrap();
    assert_eq!(
        numbered
            .iter()
            .map(|numbered| numbered.line)
            .collect::<Vec<_>>(),
        [6, 8]
    );
    let mut written = Vec::new();
    swf::write_to(
        &mut written,
        header,
        numbered.iter().map(|numbered| &numbered.record),
    )
    .unwrap();
    let comments = &text[..text.find(LINE).unwrap()];
    let second = "2 5.25 -1 0 -1 -1 -1 -1 -1 -1 5 -1 -1 -1 -1 -1 1 0\n";
    assert_eq!(
        String::from_utf8(written).unwrap(),
        format!("{comments}{LINE}{second}")
    );
}

/// Found by fuzzing: the last comment kept a carriage return without a line feed, which the next reader dropped.
#[test]
fn comments_come_back_without_their_line_ends() {
    let text = format!("; one\r\r\n{LINE}; two\r");
    let log = Log::parse("log.swf", text.into()).unwrap();
    assert_eq!(log.header().lines(), ["; one", "; two"]);
}

#[test]
fn gzip_is_known_by_content_and_written_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let records = log(LINE).unwrap();
    assert_eq!(log(gzip(LINE.as_bytes())).unwrap(), records);
    assert_eq!(log(format!("\u{feff}{LINE}")).unwrap(), records);
    let header = Header::from_pairs(&[("MaxProcs", "8")]);
    for (name, compressed) in [("a.swf", false), ("a.swf.gz", true)] {
        let file = folder.path().join(name);
        swf::write(&file, &header, &records).unwrap();
        let bytes = std::fs::read(&file).unwrap();
        assert_eq!(bytes.starts_with(&[0x1f, 0x8b]), compressed, "{name}");
        let back = Log::read(&file).unwrap();
        assert_eq!(back.header(), &header);
        assert_eq!(back.records().next().unwrap().unwrap().record, records[0]);
        // The same content gives the same bytes: nothing of the clock is in a compressed file.
        swf::write(&file, &header, &records).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), bytes);
    }
}

#[test]
fn partial_executions_may_lack_their_submission() {
    let at = |submit: &str, status: &str| {
        format!("1 {submit} 5 60 4 -1 -1 8 90 -1 {status} 7 -1 -1 2 -1 -1 -1\n")
    };
    let (first, partial) = (at("7", "1"), at("-1", "3"));
    assert_eq!(log(format!("{first}{partial}{first}")).unwrap().len(), 3);
    assert_refused(
        log(format!("{first}{partial}{}", at("6", "1"))),
        "log.swf, line 3, field submit time: found 6 after 7, expected jobs in order of submission",
    );
}

#[test]
fn bad_logs_are_refused_by_place() {
    let with = |from: &str, to: &str| LINE.replacen(from, to, 1);
    let cases = [
        (
            String::new(),
            "log.swf: found no job record, expected at least one line of 18 numbers",
        ),
        (
            "; only: comments\n\n".to_owned(),
            "log.swf: found no job record, expected at least one line of 18 numbers",
        ),
        (
            with(" -1\n", "\n"),
            "log.swf, line 1, field think time: found 17 columns, expected 18",
        ),
        (
            with("\n", " 4\n"),
            "log.swf, line 1: found 19 columns, expected 18",
        ),
        (
            "; c\n\n12 13\n".to_owned(),
            "log.swf, line 3, field wait time: found 2 columns, expected 18",
        ),
        (
            with("60", "sixty"),
            "log.swf, line 1, field run time: found \"sixty\", expected a number from 0 to 2^53, or -1",
        ),
        (
            with("60", "inf"),
            "log.swf, line 1, field run time: found \"inf\", expected a number from 0 to 2^53, or -1",
        ),
        (
            with("60", "1e3"),
            "log.swf, line 1, field run time: found \"1e3\", expected a number from 0 to 2^53, or -1",
        ),
        (
            with("60", "1.2.3"),
            "log.swf, line 1, field run time: found \"1.2.3\", expected a number from 0 to 2^53, or -1",
        ),
        (
            with("60", "-2"),
            "log.swf, line 1, field run time: found \"-2\", expected a number from 0 to 2^53, or -1",
        ),
        (
            with("60", "9007199254740993000"),
            "log.swf, line 1, field run time: found \"9007199254740993000\", expected a number from 0 to 2^53, or -1",
        ),
        (
            with(" 4 ", " 4.5 "),
            "log.swf, line 1, field allocated processors: found \"4.5\", expected a whole number of 0 or more, or -1",
        ),
        (
            with(" 4 ", " -2 "),
            "log.swf, line 1, field allocated processors: found \"-2\", expected a whole number of 0 or more, or -1",
        ),
        (
            with(" 4 ", " 99999999999999999999 "),
            "log.swf, line 1, field allocated processors: found \"99999999999999999999\", expected a whole number of 0 or more, or -1",
        ),
        (
            with("1 ", "-1 "),
            "log.swf, line 1, field job number: found \"-1\", expected a whole number of 0 or more",
        ),
        (
            with(" 0 ", " -1 "),
            "log.swf, line 1, field submit time: found -1, expected a time of 0 or later",
        ),
        (
            format!("{}{LINE}", with(" 0 ", " 7.5 ")),
            "log.swf, line 2, field submit time: found 0 after 7.5, expected jobs in order of submission",
        ),
    ];
    for (text, message) in cases {
        assert_refused(log(text), message);
    }
    assert_refused(
        log(b"; fine\n1 2 \xe9 3\n".as_slice()),
        "log.swf, line 2: found the byte 0xe9, expected text in UTF-8",
    );
}

#[test]
fn broken_gzip_is_bad_input() {
    let whole = gzip(LINE.repeat(100).as_bytes());
    let mut damaged = whole.clone();
    let last = damaged.len() - 1;
    damaged[last - 6] ^= 0xff;
    for bytes in [&whole[..whole.len() / 2], &whole[..2], &damaged] {
        for error in [log(bytes).unwrap_err(), requests(bytes).unwrap_err()] {
            assert_eq!(error.exit_status(), 2);
            assert!(
                error.to_string().contains(": found broken gzip data ("),
                "{error}"
            );
        }
    }
}

#[test]
fn a_missing_file_is_wrong_input() {
    for error in [
        Log::read("no/such/file").unwrap_err(),
        requests_csv::read(Path::new("no/such/file")).unwrap_err(),
    ] {
        assert_eq!(error.exit_status(), 2);
        assert_eq!(error.to_string(), "no/such/file: no such file");
    }
}

/// The number of the first job.
const FIRST: u64 = 9;

/// A log of the given cells: run, allocated, requested processors, requested time, status.
fn rows(rows: &[[&str; 5]]) -> Log {
    let text: String = rows
        .iter()
        .zip(FIRST..)
        .map(|([run, allocated, requested, time, status], number)| {
            format!("{number} 5.5 -1 {run} {allocated} -1 -1 {requested} {time} -1 {status} 7 -1 -1 3 -1 -1 -1\n")
        })
        .collect();
    Log::parse("rows.swf", text.into()).unwrap()
}

fn job(run: u64, duration: u64, pes: u64) -> Job {
    Job {
        id: FIRST,
        submit: 5.5,
        run,
        duration,
        pes,
        queue: Some(3),
        user: Some(7),
        partition: None,
    }
}

/// Jobs of the first records, one behind the other.
fn numbered<const N: usize>(jobs: [Job; N]) -> Vec<Job> {
    let jobs = jobs.into_iter().zip(FIRST..);
    jobs.map(|(job, id)| Job { id, ..job }).collect()
}

#[test]
fn a_job_number_that_occurs_twice_is_bad_input() {
    let line = "7 5 -1 60 4 -1 -1 4 60 -1 1 -1 -1 -1 3 -1 -1 -1\n";
    let log = Log::parse("twice.swf", line.repeat(2).into()).unwrap();
    let error = from_swf::jobs(&log, Options::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "twice.swf, line 2, field job number: found 7 a second time, expected a number of its own for each job"
    );
}

#[test]
fn records_become_jobs_as_the_table_says() {
    let log = rows(&[
        ["60", "4", "8", "90", "1"],
        ["60", "4", "-1", "90", "1"],
        ["100.2", "-1", "8", "90.5", "5"],
        ["60", "0", "300", "-1", "0"],
        ["30", "4", "8", "90", "2"],
        ["-1", "4", "8", "90", "5"],
        ["0", "4", "8", "90", "5"],
        ["60", "-1", "0", "90", "1"],
    ]);
    let skipped = Skipped {
        partial: 1,
        unknown_run: 1,
        zero_run: 1,
        no_processors: 1,
    };
    assert_eq!(skipped.total(), 4);

    let by_run = from_swf::jobs(&log, Options::default()).unwrap();
    assert_eq!(
        by_run.jobs,
        numbered([
            job(60, 60, 8),
            job(60, 60, 4),
            job(101, 101, 8),
            job(60, 60, 300)
        ])
    );
    assert_eq!(
        (by_run.skipped, by_run.adjusted),
        (skipped, Adjusted::default())
    );

    let options = Options {
        duration_from: DurationFrom::Requested,
        clip_pes: Some(128),
        ..Options::default()
    };
    let by_request = from_swf::jobs(&log, options).unwrap();
    assert_eq!(
        by_request.jobs,
        numbered([
            job(60, 90, 8),
            job(60, 90, 4),
            job(91, 91, 8),
            job(60, 60, 128)
        ])
    );
    assert_eq!(by_request.skipped, skipped);
    assert_eq!(
        by_request.adjusted,
        Adjusted {
            stopped_at_request: 1,
            no_requested_time: 1,
            clipped_pes: 1
        }
    );
}

#[test]
fn jobs_written_as_records_come_back() {
    let jobs = vec![
        job(60, 90, 8),
        Job {
            id: FIRST + 1,
            queue: None,
            user: None,
            ..job(1, 1, 1)
        },
    ];
    let records: Vec<Record> = jobs.iter().map(from_swf::record).collect();
    let mut bytes = Vec::new();
    swf::write_to(&mut bytes, &Header::default(), &records).unwrap();
    let log = Log::parse("back.swf", bytes).unwrap();
    let options = Options {
        duration_from: DurationFrom::Requested,
        ..Options::default()
    };
    let whole_seconds: Vec<Job> = jobs
        .into_iter()
        .map(|job| Job { submit: 5.0, ..job })
        .collect();
    assert_eq!(from_swf::jobs(&log, options).unwrap().jobs, whole_seconds);
}

/// A script of these requests alone.
fn asking(requests: &[JobRequest]) -> Script {
    let demands = requests.iter().cloned().map(Demand::Reserve);
    demands.collect::<Vec<_>>().into()
}

#[test]
fn requests_are_found_by_column_name() {
    let expected = vec![
        JobRequest {
            job_id: 1,
            arrival: 0,
            ready: 5,
            duration: 10,
            deadline: 40,
            pes: 2,
            run: 10,
            flexible: true,
            ..JobRequest::default()
        },
        // Impossible, but well formed: refusing it is not the reader's business.
        JobRequest {
            job_id: 2,
            arrival: 9,
            ready: 3,
            duration: 0,
            deadline: 0,
            pes: 0,
            run: 0,
            flexible: true,
            ..JobRequest::default()
        },
    ];
    let plain = "job_id,arrival,ready,duration,deadline,pes\n1,0,5,10,40,2\n2,9,3,0,0,0\n";
    assert_eq!(requests(plain).unwrap(), expected);
    assert_eq!(
        requests(format!("\u{feff}{}", plain.replace('\n', "\r\n"))).unwrap(),
        expected
    );
    assert_eq!(requests(gzip(plain.as_bytes())).unwrap(), expected);
    let shuffled = "pes, deadline,note,duration,ready,arrival,job_id\n\n2,40,\"a,\n b\",10,5, 0 ,1\n0,0,,0,3,9,2";
    assert_eq!(requests(shuffled).unwrap(), expected);
    let mut written = Vec::new();
    requests_csv::write_to(&mut written, &asking(&expected)).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), plain);
}

#[test]
fn operations_are_found_by_column_name() {
    let request = JobRequest {
        job_id: 1,
        arrival: 0,
        ready: 5,
        duration: 10,
        deadline: 40,
        pes: 2,
        run: 10,
        flexible: true,
        ..JobRequest::default()
    };
    let hold = |job_id, ttl| {
        let request = JobRequest {
            job_id,
            ..request.clone()
        };
        Demand::Hold(Hold { request, ttl })
    };
    let operation = |job_id, name, cells, target| Operation {
        job_id,
        arrival: 3,
        target,
        action: Action::from_cells(name, cells).unwrap(),
        after: 3,
    };
    let expected = Script {
        demands: vec![
            Demand::Reserve(request.clone()),
            hold(2, None),
            hold(3, Some(7)),
        ],
        operations: vec![
            operation(4, "confirm", [0; 4], 3),
            operation(5, "complete", [0; 4], 1),
            operation(6, "complete", [8, 0, 0, 0], 1),
            operation(7, "change-window", [9, 0, 50, 0], 1),
            operation(8, "narrow", [0, 0, 0, 1], 1),
        ],
        ..Script::default()
    };
    let text = "ttl,op,job_id,note,arrival,ready,duration,deadline,pes,target\n\
                ,,1,,0,5,10,40,2,\n\
                0,hold,2,x,0,5,10,40,2,0\n\
                7,hold,3,,0,5,10,40,2,\n\
                ,confirm,4,,3,0,0,0,0,3\n\
                ,complete,5,,3,0,,,,1\n\
                ,complete,6,,3,8,,,,1\n\
                ,change-window,7,,3,9,,50,,1\n\
                0, narrow ,8,,3,,,,1,1\n";
    assert_eq!(script(text).unwrap(), expected);
    // Without a column for operations, every row is a request, and cells that only they use are wrong.
    let plain = text.replacen(",op,", ",remark,", 1);
    let error = script(plain).unwrap_err().to_string();
    assert_eq!(
        error,
        "requests.csv, line 4, field ttl: found \"7\", expected an empty cell or 0, which reserve does not use"
    );
    let twice = script("job_id,arrival,ready,duration,deadline,pes,op,op\n").unwrap_err();
    assert_eq!(
        twice.to_string(),
        "requests.csv, line 1, field op: found the column twice in the header, expected it once"
    );
}

#[test]
fn requests_are_written_to_files() {
    let folder = tempfile::tempdir().unwrap();
    let expected = requests("job_id,arrival,ready,duration,deadline,pes\n1,0,5,10,40,2\n").unwrap();
    for name in ["requests.csv", "requests.csv.gz"] {
        let file = folder.path().join(name);
        requests_csv::write(&file, &asking(&expected)).unwrap();
        assert_eq!(requests_csv::read(&file).unwrap(), asking(&expected));
    }
    let error = requests_csv::write(
        &folder.path().join("no/such/folder.csv"),
        &asking(&expected),
    )
    .unwrap_err();
    assert_eq!(error.exit_status(), 2);
}

#[test]
fn bad_requests_are_refused_by_place() {
    const HEADER: &str = "job_id,arrival,ready,duration,deadline,pes";
    let cases = [
        (
            "",
            "requests.csv: found an empty file, expected the header job_id,arrival,ready,duration,deadline,pes",
        ),
        (
            "{H}\n",
            "requests.csv: found a header and no row, expected at least one request",
        ),
        (
            "1,0,5,10,40,2\n",
            "requests.csv, line 1, field job_id: found no such column in the header, expected job_id,arrival,ready,duration,deadline,pes",
        ),
        (
            "\njob_id,arrival,ready,length,deadline,pes\n1,0,5,10,40,2\n",
            "requests.csv, line 2, field duration: found no such column in the header, expected job_id,arrival,ready,duration,deadline,pes",
        ),
        (
            "{H},pes\n",
            "requests.csv, line 1, field pes: found the column twice in the header, expected it once",
        ),
        (
            "{H}\n1,0,5,10,40\n",
            "requests.csv, line 2: found 5 cells, expected 6 as in the header",
        ),
        (
            "{H}\n1,0,5,10,40,2,9\n",
            "requests.csv, line 2: found 7 cells, expected 6 as in the header",
        ),
        (
            "{H}\n1,0,x,10,40,2\n",
            "requests.csv, line 2, field ready: found \"x\", expected a whole number of 0 or more",
        ),
        (
            "{H}\n1,0,,10,40,2\n",
            "requests.csv, line 2, field ready: found \"\", expected a whole number of 0 or more",
        ),
        (
            "{H}\n1,0,5,-10,40,2\n",
            "requests.csv, line 2, field duration: found \"-10\", expected a whole number of 0 or more",
        ),
        (
            "{H}\n1,0,5,10,+40,2\n",
            "requests.csv, line 2, field deadline: found \"+40\", expected a whole number of 0 or more",
        ),
        (
            "{H}\n1,0,5,10,40,1.5\n",
            "requests.csv, line 2, field pes: found \"1.5\", expected a whole number of 0 or more",
        ),
        (
            "{H}\n1,0,5,10,18446744073709551616,2\n",
            "requests.csv, line 2, field deadline: found \"18446744073709551616\", expected a whole number of 0 or more",
        ),
        (
            "{H}\r\n1,7,5,10,40,2\r\n\r\n2,6,5,10,40,2\r\n",
            "requests.csv, line 4, field arrival: found 6 after 7, expected rows in order of arrival",
        ),
    ];
    for (text, message) in cases {
        assert_refused(requests(text.replace("{H}", HEADER)), message);
    }
    let mut not_utf8 = HEADER.as_bytes().to_vec();
    not_utf8.extend_from_slice(b"\n1,0,5,10,40,2\n2,0,\xff,10,40,2\n");
    assert_refused(
        requests(not_utf8),
        "requests.csv, line 3: found the byte 0xff, expected text in UTF-8",
    );
}

/// A time or amount as logs have it: unknown, whole, or with a fraction.
fn amount() -> impl Strategy<Value = f64> {
    prop_oneof![Just(-1.0), (0_u32..).prop_map(f64::from), 0.0..1e15]
}

prop_compose! {
    fn record()(
        job_number in 0_u64..,
        times in prop::array::uniform7(amount()),
        counts in prop::array::uniform9(-1_i64..),
    ) -> Record {
        let [wait_time, run_time, average_cpu_time, used_memory, requested_time, requested_memory, think_time] = times;
        let [allocated_processors, requested_processors, status, user, group, executable, queue, partition, preceding_job] =
            counts;
        Record {
            job_number, submit_time: 0.0, wait_time, run_time, allocated_processors, average_cpu_time, used_memory,
            requested_processors, requested_time, requested_memory, status, user, group, executable, queue, partition,
            preceding_job, think_time,
        }
    }
}

prop_compose! {
    fn request()(
        [job_id, ready, duration, deadline, pes] in prop::array::uniform5(0_u64..),
        shortest in prop::option::of(0_u64..),
        user in prop::option::of(0_u64..),
        impatient in any::<bool>(),
    ) -> JobRequest {
        let shortest = shortest.filter(|_| duration > 0).map(|shortest| 1 + shortest % duration);
        JobRequest {
            job_id, arrival: 0, ready, duration, shortest, deadline, pes, run: duration, flexible: true, impatient, user, asks: None, principal: None, needs: None,
        }
    }
}

/// Bytes that look enough like input to get past the first check.
fn action() -> impl Strategy<Value = Action> {
    (
        prop::sample::select(&Action::NAMES),
        prop::array::uniform4(any::<u64>()),
    )
        .prop_map(|(name, cells)| Action::from_cells(name, cells).unwrap())
}

fn nearly_input() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "1 ",
        "-1 ",
        "0,",
        "1,",
        "\n",
        "\r\n",
        "; ",
        ":",
        "\"",
        "job_id,arrival,ready,duration,deadline,pes\n",
        LINE,
        "é",
        "-",
        "9999999999999999999,",
        "job_id,arrival,ready,duration,deadline,pes,op,target,ttl\n",
        "1,0,0,1,9,1,hold,,4\n",
        "2,0,,,,,cancel,1,\n",
        "shift",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..60)
        .prop_map(|pieces| pieces.concat().into_bytes())
}

proptest! {
    #[test]
    fn logs_come_back_equal(mut records in prop::collection::vec(record(), 1..20), submits in prop::collection::vec(0.0..1e9, 20)) {
        let mut submit = 0.0;
        for (record, gap) in records.iter_mut().zip(submits) {
            submit += gap;
            record.submit_time = submit;
        }
        let mut bytes = Vec::new();
        swf::write_to(&mut bytes, &Header::default(), &records).unwrap();
        prop_assert_eq!(log(bytes).unwrap(), records);
    }

    #[test]
    fn requests_come_back_equal(mut rows in prop::collection::vec(request(), 1..20), mut arrivals in prop::collection::vec(0_u64.., 20)) {
        arrivals.sort_unstable();
        for (row, arrival) in rows.iter_mut().zip(arrivals) {
            row.arrival = arrival;
        }
        let mut bytes = Vec::new();
        requests_csv::write_to(&mut bytes, &asking(&rows)).unwrap();
        prop_assert_eq!(requests(bytes).unwrap(), rows);
    }

    #[test]
    fn scripts_come_back_equal(rows in prop::collection::vec((request(), action(), 0_u64..9, prop::option::of(1_u64..)), 2..20)) {
        let mut expected = Script::default();
        for (job_id, (request, action, pick, ttl)) in (1_u64..).zip(rows) {
            let (arrival, request) = (job_id / 3, JobRequest { job_id, arrival: job_id / 3, ..request });
            match pick {
                0..3 => expected.demands.push(Demand::Reserve(request)),
                3..5 => expected.demands.push(Demand::Hold(Hold { request, ttl })),
                5 => expected.demands.push(Demand::BestEffort(BestEffortRequest {
                    job_id, arrival, pes: request.pes, estimate: request.duration, run: request.ready, user: request.user,
                    pinned: request.impatient, min_run: ttl,
                    ..BestEffortRequest::default()
                })),
                _ => expected.operations.push(Operation { job_id, arrival, target: pick, action, after: expected.demands.len() }),
            }
        }
        prop_assume!(!expected.demands.is_empty());
        let mut bytes = Vec::new();
        requests_csv::write_to(&mut bytes, &expected).unwrap();
        prop_assert_eq!(script(bytes).unwrap(), expected);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop_oneof![prop::collection::vec(any::<u8>(), 0..300), nearly_input()]) {
        for error in [log(bytes.clone()).err(), script(bytes.clone()).err(), log(gzip(&bytes)).err()].into_iter().flatten() {
            prop_assert_eq!(error.exit_status(), 2);
        }
        if let Ok(log) = Log::parse("any.swf", bytes) {
            // Conversion fails exactly where reading does, unless a job number has occurred a second time before.
            let readable = log.records().all(|record| record.is_ok());
            let converted = from_swf::jobs(&log, Options::default());
            let repeated = converted.as_ref().is_err_and(|error| error.to_string().contains("a second time"));
            prop_assert!(repeated || converted.is_ok() == readable, "{converted:?}");
        }
    }
}
