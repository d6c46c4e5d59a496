//! Logs in the Standard Workload Format, plain or gzip: what is taken comes back as it went, and what is not is refused with its place.
#![no_main]

use std::{collections::HashSet, path::Path};

use bookahead_fuzz::place;
use bookahead_sim::{
    error::Result,
    workload::{
        Job,
        from_swf::{self, DurationFrom, Options},
        swf::{self, Header, Log, Record},
    },
};
use libfuzzer_sys::fuzz_target;

const FILE: &str = "log.swf";

fn parsed(bytes: &[u8]) -> Result<(Log, Vec<Record>)> {
    let log = Log::parse(FILE, bytes.to_vec())?;
    let records = log.records().map(|numbered| Ok(numbered?.record));
    let records = records.collect::<Result<_>>()?;
    Ok((log, records))
}

fn written(header: &Header, records: &[Record]) -> Vec<u8> {
    let mut out = Vec::new();
    swf::write_to(&mut out, header, records).expect("memory takes everything");
    out
}

/// Written as a log of its own and read again, a job has lost the fraction of its submission only.
fn jobs_come_back(jobs: &[Job]) {
    if jobs.is_empty() {
        return;
    }
    let records: Vec<Record> = jobs.iter().map(from_swf::record).collect();
    let log = Log::parse(FILE, written(&Header::default(), &records)).expect("jobs make a log");
    let options = Options {
        duration_from: DurationFrom::Requested,
        ..Options::default()
    };
    let again = from_swf::jobs(&log, options).expect("jobs make a log");
    let whole = |job: &Job| Job {
        submit: job.submit.floor(),
        ..*job
    };
    assert_eq!(again.jobs, jobs.iter().map(whole).collect::<Vec<_>>());
    assert_eq!(again.skipped.total(), 0);
}

fuzz_target!(|bytes: &[u8]| {
    let is_plain = !bytes.starts_with(&[0x1f, 0x8b]);
    let (log, records) = match parsed(bytes) {
        Ok(parsed) => parsed,
        Err(error) => return place::check(&error, Path::new(FILE), is_plain.then_some(bytes)),
    };
    let (again, back) = parsed(&written(log.header(), &records)).expect("it can be read again");
    assert_eq!((again.header(), &back), (log.header(), &records));
    let header = log.header();
    let _ = header.unix_start_time();
    // A machine without processors has no place for a job.
    let clip_pes = header.processors().filter(|pes| *pes > 0);
    for duration_from in [DurationFrom::Run, DurationFrom::Requested] {
        let options = Options {
            duration_from,
            clip_pes,
            ..Options::default()
        };
        let conversion = match from_swf::jobs(&log, options) {
            Ok(conversion) => conversion,
            // The records were read before, so that only a number may be wrong: results could not tell its jobs apart.
            Err(error) => {
                let numbers: HashSet<u64> =
                    records.iter().map(|record| record.job_number).collect();
                assert!(numbers.len() < records.len(), "{error}");
                return place::check(&error, Path::new(FILE), is_plain.then_some(bytes));
            }
        };
        let (jobs, skipped) = (&conversion.jobs, conversion.skipped.total());
        assert_eq!(jobs.len() as u64 + skipped, records.len() as u64);
        assert!(
            jobs.iter()
                .all(|job| 0 < job.run && job.run <= job.duration)
        );
        jobs_come_back(jobs);
    }
});
