//! The command `bookahead`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bookahead_sim::cli::main()
}
