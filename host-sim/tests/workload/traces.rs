//! Real logs, from the folder that the environment variable `BOOKAHEAD_TRACES` names.

use std::{io::Write, path::PathBuf};

use bookahead_sim::{
    engine::rounding::Losses,
    request::{Demand, JobRequest},
    workload::{
        Job,
        from_swf::{self, Conversion, DurationFrom, Options},
        lublin::{JobType, JobTypes, Lublin, Sizes},
        reserve::Factors,
        swf::{self, Log, Record},
    },
};

use crate::{assert_near, quantiles};

/// The logs' folder, or a word on standard error that a test did not run.
fn traces(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("BOOKAHEAD_TRACES").map(PathBuf::from);
    if folder.is_none() {
        // Straight to the stream: what the macros print is hidden when a test passes.
        let message =
            format!("SKIPPED {test}: set BOOKAHEAD_TRACES to a folder of logs to run it\n");
        std::io::stderr().write_all(message.as_bytes()).unwrap();
    }
    folder
}

fn records(log: &Log) -> Vec<Record> {
    log.records()
        .map(|numbered| numbered.unwrap().record)
        .collect()
}

#[test]
fn how_many_requests_of_a_log_are_lost_to_rounding() {
    let Some(folder) = traces("how_many_requests_of_a_log_are_lost_to_rounding") else {
        return;
    };
    let log = Log::read(folder.join("SDSC-SP2-1998-4-filtered.swf.gz")).unwrap();
    // README and the help take the slots that these numbers are about.
    let lost = |duration_from, losses: &[(u32, usize)], longest| {
        let jobs = convert(&log, duration_from).jobs;
        let factors = Factors::default();
        let demands = factors.demands(jobs.into_iter(), 1, 0).unwrap();
        let demands: Vec<Demand> = demands.collect();
        let requests: Vec<&JobRequest> = demands.iter().filter_map(Demand::request).collect();
        assert_eq!(requests.len(), 54_006);
        let mut found = Losses::of(losses.iter().map(|(slot_seconds, _)| *slot_seconds));
        let mut shorter = Losses::below(300);
        for request in requests {
            found.add(request);
            shorter.add(request);
        }
        for (found, (slot_seconds, lost)) in found.each().zip(losses) {
            assert_eq!(found, *lost, "{slot_seconds} s");
        }
        assert_eq!(shorter.longest().0, longest);
    };
    // README and the help take the slots that these numbers are about.
    let run = [
        (300, 24_228),
        (60, 9_072),
        (20, 3_157),
        (10, 1_536),
        (5, 674),
        (4, 493),
        (2, 155),
        (1, 0),
    ];
    lost(DurationFrom::Run, &run, 4);
    lost(
        DurationFrom::Requested,
        &[(300, 2_286), (60, 396), (1, 0)],
        60,
    );
}

/// Name, jobs, processors, first and last submission.
const LOGS: [(&str, usize, u64, f64, f64); 5] = [
    (
        "SDSC-SP2-1998-4-filtered.swf.gz",
        54_006,
        128,
        399_264.0,
        63_582_293.0,
    ),
    (
        "SDSC-SP2-1998-raw-first5000lines.swf.gz",
        4_961,
        128,
        0.0,
        5_031_738.0,
    ),
    (
        "SDSC-BLUE-2000-4-filtered.swf.gz",
        232_542,
        1152,
        0.0,
        84_590_739.0,
    ),
    (
        "HPC2N-2002-2.2-first3000.swf.gz",
        3_170,
        240,
        0.0,
        4_950_011.0,
    ),
    ("lublin_256-model.swf.gz", 10_000, 256, 5_094.0, 7_711_701.0),
];

#[test]
fn logs_are_read_whole_and_written_back_equal() {
    let Some(folder) = traces("logs_are_read_whole_and_written_back_equal") else {
        return;
    };
    for (name, jobs, processors, first, last) in LOGS {
        let log = Log::read(folder.join(name)).unwrap();
        let records = records(&log);
        assert_eq!(records.len(), jobs, "{name}");
        assert_eq!(log.header().processors(), Some(processors), "{name}");
        assert_eq!(
            (records[0].submit_time, records[jobs - 1].submit_time),
            (first, last),
            "{name}"
        );
        let mut bytes = Vec::new();
        swf::write_to(&mut bytes, log.header(), &records).unwrap();
        let back = Log::parse(name, bytes).unwrap();
        assert_eq!(back.header(), log.header(), "{name}");
        assert!(self::records(&back) == records, "{name}: records differ");
    }
}

fn convert(log: &Log, duration_from: DurationFrom) -> Conversion {
    from_swf::jobs(
        log,
        Options {
            duration_from,
            ..Options::default()
        },
    )
    .unwrap()
}

#[test]
fn raw_logs_are_converted_with_every_record_accounted_for() {
    let Some(folder) = traces("raw_logs_are_converted_with_every_record_accounted_for") else {
        return;
    };
    let raw = [
        ("SDSC-SP2-1998-raw-first5000lines.swf.gz", 4_961, 355, 309),
        ("HPC2N-2002-2.2-first3000.swf.gz", 3_170, 25, 320),
    ];
    for (name, jobs, unknown_run, over_request) in raw {
        let log = Log::read(folder.join(name)).unwrap();
        let conversion = convert(&log, DurationFrom::Requested);
        assert_eq!(conversion.skipped.unknown_run, unknown_run, "{name}");
        assert_eq!(
            conversion.jobs.len() as u64 + conversion.skipped.total(),
            jobs,
            "{name}"
        );
        assert_eq!(
            conversion.adjusted.stopped_at_request, over_request,
            "{name}"
        );
        assert!(
            conversion
                .jobs
                .iter()
                .all(|job| job.run <= job.duration && job.run > 0 && job.pes > 0),
            "{name}"
        );
    }
}

#[test]
fn generator_agrees_with_a_published_run_of_the_reference_program() {
    let Some(folder) = traces("generator_agrees_with_a_published_run_of_the_reference_program")
    else {
        return;
    };
    let reference = convert(
        &Log::read(folder.join("lublin_256-model.swf.gz")).unwrap(),
        DurationFrom::Run,
    )
    .jobs;
    // The log does not state its parameters: combined, with sizes for 256 nodes by the program's own guidance.
    let sizes = Sizes {
        medium: 5.5,
        high: 8.0,
        ..Sizes::COMBINED
    };
    let model = Lublin {
        types: JobTypes::Combined(JobType {
            sizes,
            ..JobType::COMBINED
        }),
        ..Lublin::default()
    };
    let generated: Vec<Job> = model.jobs(1, 0).unwrap().take(200_000).collect();
    let gaps = |jobs: &[Job]| {
        quantiles(
            jobs.windows(2)
                .map(|pair| pair[1].submit as u64 - pair[0].submit as u64)
                .collect(),
        )
    };
    // Ten thousand heavy-tailed values: the upper quantiles of gaps scatter by a tenth and more.
    assert_near("gaps", &gaps(&generated)[..6], &gaps(&reference)[..6], 0.06);
    assert_near(
        "long gaps",
        &gaps(&generated)[6..],
        &gaps(&reference)[6..],
        0.25,
    );
    let runs = |jobs: &[Job]| quantiles(jobs.iter().map(|job| job.run).collect());
    assert_near("run times", &runs(&generated), &runs(&reference), 0.12);
    for size in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
        let up_to = |jobs: &[Job]| {
            jobs.iter().filter(|job| job.pes <= size).count() as f64 / jobs.len() as f64
        };
        let (found, expected) = (up_to(&generated), up_to(&reference));
        // Three standard errors of the log's share.
        assert!(
            (found - expected).abs() < 0.015,
            "sizes up to {size}: found {found}, expected {expected}"
        );
    }
}
