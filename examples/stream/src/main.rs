//! Replays histories, and writes the golden ones.

mod draw;
mod side;

use std::{
    error::Error,
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use bookahead::{Insertion, Refusal};
use bookahead_commands::{
    self as commands, Found, History, JuggleEnd, Misread, Placed, Reply, Size, Step,
};
use clap::Parser;
use side::Side;

/// Replays histories: commands to a book, each with the reply that is expected to it.
#[derive(Debug, Parser)]
enum Command {
    /// Performs a history, prints the commands with what is answered, and ends with 1 at the first reply that is not the expected one.
    Replay {
        /// The history.
        file: PathBuf,
        /// Who performs it.
        #[arg(long)]
        on: Side,
    },
    /// Draws a new history and prints it; the same seed gives the same one.
    Draw {
        /// The book, as the first line of a history says it.
        #[arg(long, default_value = "size sets 32 256 32 easy 8 no")]
        book: String,
        /// The layout of its machine, as the second line says it, for a book that has one.
        #[arg(long)]
        layout: Option<Placed>,
        /// How many commands it has.
        #[arg(long, default_value_t = 1_000)]
        commands: u32,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Writes the replies expected in the golden histories anew; their commands stay.
    Histories {
        /// Where they are.
        #[arg(default_value = "examples/stream")]
        folder: PathBuf,
    },
}

fn main() -> ExitCode {
    let done = match Command::parse() {
        Command::Replay { file, on } => replay(&file, on),
        Command::Draw {
            book,
            layout,
            commands,
            seed,
        } => draw::history(&book, layout.as_ref(), commands, seed).and_then(|text| {
            io::stdout().write_all(text.as_bytes())?;
            Ok(())
        }),
        Command::Histories { folder } => histories(&folder),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn replay(file: &Path, on: Side) -> Result<(), Box<dyn Error>> {
    let text = read(file)?;
    let name = |misread: Misread| format!("{}: {misread}", file.display());
    let history = History::of(&text).map_err(name)?;
    let mut side = on.begin(&history)?;
    let mut out = io::stdout().lock();
    write!(out, "{}", head(history.size(), history.placed()))?;
    let (mut agreed, mut new, mut beyond) = (0, 0, 0);
    for step in history {
        let mut step = step.map_err(name)?;
        if matches!(on, Side::Twin) && is_beyond_the_twin(&step) {
            if changes_the_book(&step) {
                let line = step.line;
                return Err(format!("{}: line {line} needs the exact search, which the twin has not; until then {agreed} replies are as expected", file.display()).into());
            }
            beyond += 1;
            continue;
        }
        step = step.within(on.scope());
        let (command, expects) = (step.command.to_string(), step.expected.is_some());
        let mut reply = side.perform(&step.command);
        if matches!(on, Side::Twin) {
            reply = by_number(reply);
            step.expected = step.expected.map(by_number);
        }
        let reply = step.compare(reply);
        let reply = reply.map_err(|difference| format!("{}: {difference}", file.display()))?;
        writeln!(out, "{command}\n= {reply}")?;
        *(if expects { &mut agreed } else { &mut new }) += 1;
    }
    eprintln!("{agreed} replies are as expected, nothing was expected of {new}");
    if beyond > 0 {
        eprintln!("{beyond} commands were left out, of which the twin knows too little");
    }
    Ok(())
}

fn histories(folder: &Path) -> Result<(), Box<dyn Error>> {
    for file in [
        "count.txt",
        "ruled.txt",
        "pe.txt",
        "overlay.txt",
        "placed.txt",
        "waiting.txt",
    ] {
        let file = folder.join(file);
        let text = answered(&read(&file)?)?;
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

/// Whether a search was stopped by a limit of its work, or was the exact one of shifting: the twin has neither.
fn is_beyond_the_twin(step: &Step) -> bool {
    let limited = match &step.expected {
        Some(Reply::Refused(reason, _)) => *reason == Refusal::WorkLimit.into(),
        Some(Reply::Found(Found { limit, .. })) => *limit == Some(Refusal::WorkLimit),
        _ => false,
    };
    match step.command.inner() {
        commands::Command::Juggle(..) | commands::Command::Alternatives(..) => limited,
        commands::Command::ShiftIn(_, rules, ..) => {
            limited || !matches!(rules.insertion, Insertion::Slides { .. })
        }
        _ => false,
    }
}

/// The twin knows what is moved, but not in which order the kernel does it.
fn by_number(mut reply: Reply) -> Reply {
    if let Reply::Juggled(juggled) = &mut reply {
        juggled.moves.sort_by_key(|to| to.whose);
    }
    reply
}

/// Whether others are shifted for good.
fn changes_the_book(step: &Step) -> bool {
    let planned = matches!(
        step.command.inner(),
        commands::Command::ShiftIn(.., JuggleEnd::Plan)
    );
    !planned && matches!(step.expected, Some(Reply::Juggled(_)) | None)
}

/// The same commands with what the kernel answers.
fn answered(text: &str) -> Result<String, Box<dyn Error>> {
    let history = History::of(text)?;
    let mut side = commands::open(history.size(), history.placed())?;
    let mut answered = head(history.size(), history.placed());
    for step in history {
        let Step { command, .. } = step?;
        writeln!(answered, "{command}\n= {}", side.perform(&command))?;
    }
    Ok(answered)
}

/// The lines above the first command.
fn head(size: &Size, placed: Option<&Placed>) -> String {
    let lines = [Reply::Size(*size).to_string()];
    let lines = lines.into_iter().chain(placed.map(Placed::to_string));
    lines.map(|line| line + "\n").collect()
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}
