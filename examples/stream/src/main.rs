//! Writes the files of the stream to standard output.

mod convert;
mod generate;
mod patient;
mod states;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use bookahead_stream::{
    CALLS, EARLY, HEADERS, LATE, NO_NOTES, OVERLAID, OVERLAY_HEADERS, Replay, overlays,
};
use clap::Parser;

/// Writes the calls of the stream, or what this machine answers to them.
#[derive(Debug, Parser)]
enum Command {
    /// Draws the calls anew; the same seed gives the same calls. Not every seed gives calls in which everything happens, which the tests look for.
    Calls {
        #[arg(long, default_value_t = 5)]
        seed: u64,
    },
    /// Makes the calls of calls.txt and writes the answers.
    Answers,
    /// Converts the files into histories in this folder.
    Convert { folder: std::path::PathBuf },
    /// Writes calls on a book with overlays together with their results.
    Overlays,
}

fn main() -> ExitCode {
    let text = match Command::parse() {
        Command::Calls { seed } => Ok(generate::calls(seed)),
        Command::Convert { folder } => convert::all(&folder),
        Command::Answers => answers(),
        Command::Overlays => overlaid(),
    };
    match text.and_then(|text| Ok(io::stdout().write_all(text.as_bytes())?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn answers() -> Result<String, Box<dyn std::error::Error>> {
    let mut late = LATE?;
    let mut early = EARLY?;
    let mut notes = [NO_NOTES; 2];
    let mut replay = Replay::new(CALLS, late.view(), early.view(), &mut notes);
    let mut text = HEADERS.map(|header| format!("{header}\n")).concat();
    while replay.pass_slot(|line| text += &format!("{line}\n"))? {}
    Ok(text)
}

fn overlaid() -> Result<String, Box<dyn std::error::Error>> {
    let mut text = OVERLAY_HEADERS.map(|header| format!("{header}\n")).concat();
    overlays(OVERLAID?.view(), |told| text += &format!("{told}\n"));
    Ok(text)
}
