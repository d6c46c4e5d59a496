//! The HTML report of a result folder: one file that needs nothing but a browser.
//!
//! Everything in it comes from the files of the folder, so it can be made again at any time, and the same files give the
//! same bytes: no time of day, no name of a machine, no measured speed. What was measured has a page of its own beside it.

mod away;
mod bands;
mod bars;
mod breakdown;
mod claims;
mod compare;
pub(crate) mod differences;
mod excerpt;
mod folder;
mod gantt;
mod group;
mod index;
mod jobs;
mod line_drawing;
mod line_plot;
mod marker;
mod metrics_file;
mod page;
pub(crate) mod palette;
mod plot;
mod refusals;
mod reproduction;
mod requests;
pub(crate) mod rounding;
mod run;
mod run_sections;
mod sentences;
mod shares;
mod subjects;
pub(crate) mod sweep;
pub(crate) mod sweep_layout;
mod sweep_timing;
mod waiting;
mod widths;
pub(crate) mod words;

pub(crate) use reproduction::{citation_and_extent, extent};

use std::path::{Path, PathBuf};

use crate::{error::Result, manifest::Manifest, result_folder, text_file};

/// Name of the report in its folder.
pub const FILE: &str = "report.html";

/// Name of the page beside it that says what the decisions of a sweep took.
const TIMING: &str = "timing.html";

/// Writes `report.html` into a result folder, from whatever results are there, and returns its path.
///
/// A folder is one run (jobs.csv, reservations.csv, metrics.json, moves.csv), several runs in subfolders, or a
/// reproduction (claims.csv, figures.csv, metrics.json, runs in subfolders), or a sweep (summary.csv). What is missing is named in the report. The
/// file appears whole or not at all; an earlier report stays until then.
///
/// ```
/// let dir = tempfile::tempdir().unwrap();
/// let metrics = r#"{"requests":4,"accepted":3,"acceptance_rate":0.75,"average_slowdown":1.25,"policy":"first-fit"}"#;
/// std::fs::write(dir.path().join("metrics.json"), metrics).unwrap();
/// let report = bookahead_sim::report::build(dir.path()).unwrap();
/// assert!(std::fs::read_to_string(report).unwrap().contains("75.0 %"));
/// ```
///
/// # Errors
/// [`Error::Usage`](crate::error::Error::Usage) when the folder holds nothing to report on, [`Error::Input`](crate::error::Error::Input) with file, line and field for a
/// malformed file, [`Error::Io`](crate::error::Error::Io) when a file cannot be read or written.
pub fn build(dir: &Path) -> Result<PathBuf> {
    build_into(dir, dir)
}

/// As [`build`], with the report in the folder `out`, which must exist.
///
/// # Errors
/// As [`build`].
pub fn build_into(dir: &Path, out: &Path) -> Result<PathBuf> {
    let manifest = Manifest::read(dir)?;
    let page = match &manifest {
        Some(manifest) if manifest.is_sweep() => {
            if let Some(page) = sweep_timing::page(dir, manifest)? {
                write(&out.join(TIMING), &page)?;
            }
            sweep::page(dir, manifest, &result_folder::unfinished(dir)?)?
        }
        _ => match manifest.as_ref().and_then(Manifest::papers) {
            Some(papers) => index::page(dir, &papers)?,
            None => page::markup(&folder::read(dir)?)?,
        },
    };
    let file = out.join(FILE);
    write(&file, &page)?;
    Ok(file)
}

fn write(file: &Path, page: &str) -> Result<()> {
    text_file::write(file, |to| to.write_all(page.as_bytes()))
}
