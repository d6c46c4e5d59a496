//! Ctrl-C: no half-written file stays, no run that was cut short looks finished.

use crate::{
    error::{Error, Result},
    text_file,
};

/// 128 + SIGINT, as shells have it.
const INTERRUPTED: i32 = 130;

/// From now on Ctrl-C removes unfinished files and ends the process.
pub(super) fn prepare() -> Result<()> {
    ctrlc::set_handler(|| {
        text_file::discard_partial(|| {
            super::screen::note("interrupted: the results are not complete");
            std::process::exit(INTERRUPTED);
        });
    })
    .map_err(|error| Error::Internal(format!("no handler for Ctrl-C: {error}")))
}
