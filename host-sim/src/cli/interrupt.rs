//! Signals that end the process: no half-written file stays unless a run goes on with it, no run that was cut short looks finished.

use std::{env, sync::OnceLock};

use crate::{
    error::{Error, Result},
    text_file,
};

/// SIGINT, which is Ctrl-C.
const INTERRUPT: i32 = 2;

/// What is told when the process is ended.
static WORDS: OnceLock<String> = OnceLock::new();

/// From now on Ctrl-C, and elsewhere than on Windows a request to terminate or the end of the terminal, removes unfinished files and ends
/// the process. Where the same command `goes_on`, that is said.
pub(super) fn prepare(goes_on: bool) -> Result<()> {
    let mut words = "interrupted: the results are not complete".to_owned();
    if goes_on {
        words += "; what is finished is kept, and the same command goes on:\n  ";
        words += &command();
    }
    WORDS.get_or_init(|| words);
    ctrlc::set_handler(|| end(INTERRUPT))
        .map_err(|error| Error::Internal(format!("no handler for Ctrl-C: {error}")))?;
    #[cfg(unix)]
    unix::prepare().map_err(|error| Error::Internal(format!("no handler for signals: {error}")))?;
    Ok(())
}

/// The command of this process, as a shell takes it.
fn command() -> String {
    let arguments: Vec<String> = env::args_os()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    // What holds a zero byte was no argument.
    shlex::try_join(arguments.iter().map(String::as_str)).unwrap_or_default()
}

fn end(signal: i32) {
    text_file::discard_partial(|| {
        super::screen::note(WORDS.get().map_or("", String::as_str));
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
