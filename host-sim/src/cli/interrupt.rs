//! Signals that end the process: no half-written file stays, no run that was cut short looks finished.

use crate::{
    error::{Error, Result},
    text_file,
};

/// SIGINT, which is Ctrl-C.
const INTERRUPT: i32 = 2;

/// From now on Ctrl-C, and elsewhere than on Windows a request to terminate or the end of the terminal, removes unfinished files and ends
/// the process.
pub(super) fn prepare() -> Result<()> {
    ctrlc::set_handler(|| end(INTERRUPT))
        .map_err(|error| Error::Internal(format!("no handler for Ctrl-C: {error}")))?;
    #[cfg(unix)]
    unix::prepare().map_err(|error| Error::Internal(format!("no handler for signals: {error}")))?;
    Ok(())
}

fn end(signal: i32) {
    text_file::discard_partial(|| {
        super::screen::note("interrupted: the results are not complete");
        // As shells have it.
        std::process::exit(128 + signal);
    });
}

#[cfg(unix)]
mod unix {
    use std::{fs, io, thread};

    use signal_hook::{
        consts::{SIGHUP, SIGTERM},
        iterator::Signals,
    };

    pub(super) fn prepare() -> io::Result<()> {
        let hang_up = (!ignores_hang_up()).then_some(SIGHUP);
        let mut signals = Signals::new([SIGTERM].into_iter().chain(hang_up))?;
        thread::spawn(move || signals.forever().next().map(super::end));
        Ok(())
    }

    /// Whether this process was started to survive its terminal, as nohup does. Where the system does not say it is left as it is: without
    /// a handler, a signal that is ignored stays ignored.
    fn ignores_hang_up() -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        ignored.is_none_or(|mask| mask >> (SIGHUP - 1) & 1 == 1)
    }
}
