//! The folder of logs that an environment variable names.

use std::path::{Path, PathBuf};

/// The variable.
const FOLDER: &str = "BOOKAHEAD_TRACES";

/// A log, where the folder has it.
pub(super) fn find(name: &Path) -> Option<PathBuf> {
    let folder = std::env::var_os(FOLDER)?;
    let file = Path::new(&folder).join(name);
    file.is_file().then_some(file)
}
