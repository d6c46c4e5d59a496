//! `bookahead generate`: a workload as a file.

use std::{
    io::{self, Write},
    path::Path,
};

use clap::{Args, ValueEnum};

use super::{
    basics::Basics,
    jobs::{JobSource, Jobs},
    layout::{AskOptions, LayoutOption},
    requests::{FactorOptions, Requests},
    screen,
};
use crate::{
    error::{Error, Result},
    text_file,
    workload::{
        Job, from_swf, requests_csv,
        swf::{self, Header},
    },
};

/// Write a workload as requests (CSV) or as jobs (SWF)
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(super) struct Generate {
    #[command(flatten)]
    source: JobSource,
    #[command(flatten)]
    factors: FactorOptions,
    #[command(flatten)]
    layout: LayoutOption,
    #[command(flatten)]
    asks: AskOptions,
    /// What to write [default: by the name of the file, .swf or .csv; csv on the standard output]
    #[arg(long, value_enum)]
    format: Option<Format>,
}

const MORE: &str = "\
Requests have lead time and slack as in simulate; jobs have neither, so the options about these are for CSV only.

Examples:
  bookahead generate --jobs 1000 --out requests.csv
  bookahead generate --workload poisson --mean-gap 60 --out load.swf.gz
  bookahead generate --jobs 20 | column -s, -t";

/// The name that stands for the standard output.
const STANDARD_OUTPUT: &str = "-";

/// What to write: requests as CSV, or jobs in the Standard Workload Format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Csv,
    Swf,
}

impl Generate {
    /// Writes the workload, to the standard output where no file is named.
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        let out = basics.given_out().unwrap_or(Path::new(STANDARD_OUTPUT));
        let format = self.format(out)?;
        basics.note(&format!("seed {}", basics.seed()));
        let busy = basics.progress().busy("making the workload");
        let jobs = self.source.load(basics.seed(), false)?;
        drop(busy);
        if let Some(losses) = &jobs.losses {
            screen::note(losses);
        }
        match format {
            Format::Csv => self.csv(jobs, out, basics),
            Format::Swf => self.swf(jobs, out, basics.seed()),
        }
    }

    fn format(&self, out: &Path) -> Result<Format> {
        let name = out.to_string_lossy();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let by_name = match name {
            STANDARD_OUTPUT => Some(Format::Csv),
            _ if name.ends_with(".csv") => Some(Format::Csv),
            _ if name.ends_with(".swf") => Some(Format::Swf),
            _ => None,
        };
        self.format.or(by_name).ok_or_else(|| {
            Error::Usage(format!(
                "{}: expected a name that ends in .csv or .swf (or these and .gz), or --format",
                out.display()
            ))
        })
    }

    fn csv(&self, jobs: Jobs, out: &Path, basics: &Basics) -> Result<()> {
        let layout = self.layout.read()?;
        let by_node = self
            .asks
            .asks(layout.as_deref(), self.source.counts_gpus())?;
        let log = self.source.log_file();
        let requests = Requests {
            source: log.unwrap_or(Path::new(&jobs.name)).to_owned(),
            layout,
            by_node,
            ..Requests::of(jobs, self.factors.factors(), basics.seed())
        };
        requests.outline(None)?;
        let table = requests_csv::Table::of(&requests, &[])?;
        if out == Path::new(STANDARD_OUTPUT) {
            return screen::results(|screen| table.write_to(screen));
        }
        table.write(out)
    }

    fn swf(&self, jobs: Jobs, out: &Path, seed: u64) -> Result<()> {
        let asks = self.asks.first_given();
        if let Some(option) = self.factors.first_for_requests().or(asks) {
            return Err(Error::Usage(format!(
                "{option} is about requests, which SWF does not have; expected --format csv"
            )));
        }
        let factors = self.factors.factors();
        factors.check()?;
        let header = match &jobs.header {
            Some(header) => header.clone(),
            None => header(&jobs, seed)?,
        };
        let record = |job: Job| {
            from_swf::record(&Job {
                submit: job.submit / factors.arrival,
                // They are those of a layout; without one, nobody knows which is which.
                partition: job.partition.filter(|_| self.layout.file().is_some()),
                ..job
            })
        };
        let write = |out: &mut dyn Write| {
            let mut failed = Ok(());
            let jobs = jobs.each().map_err(io::Error::other)?;
            let jobs = jobs.map_while(|job| job.map_err(|error| failed = Err(error)).ok());
            swf::write_to(out, &header, jobs.map(record))?;
            failed.map_err(io::Error::other)
        };
        if out == Path::new(STANDARD_OUTPUT) {
            return screen::results(write);
        }
        text_file::write(out, write)
    }
}

/// The header of a model's log.
fn header(jobs: &Jobs, seed: u64) -> Result<Header> {
    let mut count = 0_usize;
    for job in jobs.each()? {
        job?;
        count += 1;
    }
    let count = count.to_string();
    let mut pairs = vec![
        ("Version".to_owned(), "2.2".to_owned()),
        ("Computer".to_owned(), format!("model {}", jobs.name)),
        ("MaxJobs".to_owned(), count.clone()),
        ("MaxRecords".to_owned(), count),
        ("UnixStartTime".to_owned(), "0".to_owned()),
        ("Note".to_owned(), format!("made by bookahead, seed {seed}")),
    ];
    if let Some(pes) = jobs.pes {
        pairs.push(("MaxProcs".to_owned(), pes.to_string()));
    }
    let pairs: Vec<(&str, &str)> = pairs
        .iter()
        .map(|(k, v)| (k.as_str(), v.as_str()))
        .collect();
    Ok(Header::from_pairs(&pairs))
}
