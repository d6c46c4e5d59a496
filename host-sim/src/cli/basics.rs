//! Options that every sub-command takes.

use clap::Args;

use crate::{
    error::{Error, Result},
    progress::Progress,
};

/// The name of the default result folder.
pub(super) const OUT: &str = "bookahead-out";

/// Options that every sub-command takes.
#[derive(Args, Clone, Debug)]
pub(super) struct Basics {
    /// Seed of everything random; equal seeds give equal bytes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Threads to use, 0 for all; results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(super) threads: u16,
    /// Print results and errors only
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl Basics {
    /// Progress bars as wanted.
    pub(super) fn progress(&self) -> Progress {
        Progress::new(self.quiet)
    }

    /// Tells something unless it is to be quiet.
    pub(super) fn note(&self, text: &str) {
        if !self.quiet {
            super::screen::note(text);
        }
    }

    /// A pool of the threads wanted, `limit` of them at most.
    pub(super) fn pool(&self, limit: usize) -> Result<rayon::ThreadPool> {
        let wanted = match self.threads {
            0 => rayon::current_num_threads(),
            threads => usize::from(threads),
        };
        rayon::ThreadPoolBuilder::new()
            .num_threads(wanted.min(limit).max(1))
            .build()
            .map_err(|error| Error::Internal(format!("no threads: {error}")))
    }
}
