//! The measuring program in its emulator; see the commands in `meter/src/session.rs`.

use std::{
    fmt,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};

/// Up to four numbers that an operation takes.
pub type Arguments = [u32; 4];

/// A range of each, ends included, with steps.
#[derive(Clone, Copy, Debug)]
pub struct Ranges(pub [(u32, u32, u32); 4]);

impl Ranges {
    /// One call.
    pub fn point(arguments: Arguments) -> Self {
        Self(arguments.map(|at| (at, at, 1)))
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self
            .0
            .map(|(from, to, step)| format!("{from}..{to}/{step}"));
        write!(f, "{a} {b} {c} {d}")
    }
}

/// The worst of a number of calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst {
    pub instructions: u32,
    /// The call that took them.
    pub slowest: Arguments,
    /// Bytes.
    pub stack: u32,
    /// The call that took it.
    pub deepest: Arguments,
    pub calls: u32,
    /// Calls that did what they were asked to.
    pub done: u32,
}

/// The emulator with the measuring program running.
pub struct Meter {
    emulator: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Meter {
    pub fn start(image: &Path) -> Result<Self> {
        let mut emulator = Command::new("qemu-system-arm")
            .args(["-M", "mps2-an386", "-cpu", "cortex-m4"])
            .args(["-nographic", "-monitor", "none", "-serial", "none"])
            .args(["-semihosting-config", "enable=on,target=native"])
            // An instruction takes 2^10 ns, so that the board's timer counts them.
            .args(["-icount", "shift=10,sleep=off", "-kernel"])
            .arg(image)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start qemu-system-arm; is it installed?")?;
        let input = emulator.stdin.take().context("the emulator has no input")?;
        let output = emulator
            .stdout
            .take()
            .context("the emulator has no output")?;
        Ok(Self {
            emulator,
            input,
            output: BufReader::new(output),
        })
    }

    fn ask(&mut self, line: &str, answer: &str) -> Result<Vec<u32>> {
        writeln!(self.input, "{line}")
            .with_context(|| format!("the meter does not take: {line}"))?;
        let mut text = String::new();
        self.output.read_line(&mut text)?;
        let mut words = text.split_ascii_whitespace();
        if words.next() != Some(answer) {
            bail!("the meter answers {text:?} to {line:?}");
        }
        let numbers: Result<Vec<u32>, _> = words.map(str::parse).collect();
        numbers.with_context(|| format!("the meter answers {text:?}"))
    }

    /// Opens an empty book.
    pub fn open(&mut self, book: &str) -> Result<()> {
        self.ask(&format!("open {book}"), "opened").map(drop)
    }

    /// Makes a state; how many reservations live in it.
    pub fn build(&mut self, state: &str) -> Result<u32> {
        let answer = self.ask(&format!("state {state}"), "built")?;
        answer.first().copied().context("too short an answer")
    }

    /// Tries every call of the ranges from the state made last.
    pub fn measure(&mut self, operation: &str, ranges: Ranges) -> Result<Worst> {
        let answer = self.ask(&format!("try {operation} {ranges}"), "worst")?;
        let [i, a, b, c, d, s, e, f, g, h, calls, done] = answer[..] else {
            bail!("the meter gives {} numbers", answer.len());
        };
        Ok(Worst {
            instructions: i,
            slowest: [a, b, c, d],
            stack: s,
            deepest: [e, f, g, h],
            calls,
            done,
        })
    }

    /// Lets the program end, which it does without an error.
    pub fn stop(mut self) -> Result<()> {
        drop(self.input);
        let status = self.emulator.wait()?;
        ensure!(status.success(), "the meter ends with {status}");
        Ok(())
    }
}
