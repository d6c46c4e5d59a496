//! `bookahead completions` and `bookahead man`: what is known of the options, for a shell and for man.

use std::{fs, path::PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;

use super::screen;
use crate::{error::Result, text_file::io_error};

/// The name of the program.
const NAME: &str = "bookahead";

/// Print what a shell needs to complete the options
#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const COMPLETIONS: &str = "\
Where a shell looks for completions, its own manual says.

Examples:
  bookahead completions bash > ~/.local/share/bash-completion/completions/bookahead
  bookahead completions zsh > ~/.zfunc/_bookahead
  bookahead completions fish > ~/.config/fish/completions/bookahead.fish";

impl Completions {
    /// Prints the script.
    pub(super) fn run(&self, mut command: Command) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, NAME, &mut script);
        screen::results(|out| out.write_all(&script))
    }
}

/// Write the pages for man
#[derive(Args, Debug)]
#[command(after_help = MAN)]
pub(super) struct Man {
    /// The folder for them, made where there is none
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

const MAN: &str = "\
There is a page for the command and one for each sub-command.

Examples:
  bookahead man ~/.local/share/man/man1
  man bookahead-simulate";

impl Man {
    /// Writes a page for each sub-command.
    pub(super) fn run(&self, command: Command) -> Result<()> {
        let wrong = |source| io_error(&self.dir, source);
        fs::create_dir_all(&self.dir).map_err(wrong)?;
        clap_mangen::generate_to(command, &self.dir).map_err(wrong)?;
        screen::line(&format!("pages for man: {}", self.dir.display()))
    }
}
