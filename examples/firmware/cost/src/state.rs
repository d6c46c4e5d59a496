//! States of a book, as the moves that lead to them.

use std::{fmt, str::FromStr};

use anyhow::{Context, Result, bail};

/// One call on the way to a state. Slots count from `now`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Books exactly there.
    Book { start: u32, len: u32, pes: u32 },
    /// Holds exactly there.
    Hold {
        start: u32,
        len: u32,
        pes: u32,
        ttl: u32,
    },
    /// Books there what may be moved anywhere.
    Free { start: u32, len: u32, pes: u32 },
    /// Puts a job into the queue.
    Submit { estimate: u32, pes: u32 },
    /// Cancels a booking; bookings and holds are counted from 0.
    Cancel(u32),
    /// Lets time pass.
    Pass(u32),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Book { start, len, pes } => write!(f, "b {start} {len} {pes}"),
            Self::Hold {
                start,
                len,
                pes,
                ttl,
            } => write!(f, "h {start} {len} {pes} {ttl}"),
            Self::Free { start, len, pes } => write!(f, "f {start} {len} {pes}"),
            Self::Submit { estimate, pes } => write!(f, "q {estimate} {pes}"),
            Self::Cancel(number) => write!(f, "c {number}"),
            Self::Pass(slots) => write!(f, "p {slots}"),
        }
    }
}

/// A state of a book, reached from an empty one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub moves: Vec<Move>,
}

impl State {
    /// Lets everything that is booked be moved.
    pub fn set_free(&mut self) {
        for step in &mut self.moves {
            if let Move::Book { start, len, pes } = *step {
                *step = Move::Free { start, len, pes };
            }
        }
    }

    /// How many jobs it puts into the queue.
    pub fn jobs(&self) -> usize {
        let jobs = self.moves.iter();
        jobs.filter(|step| matches!(step, Move::Submit { .. }))
            .count()
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.moves.iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            write!(f, "{gap}{step}")?;
        }
        Ok(())
    }
}

impl FromStr for State {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut words = text.split_ascii_whitespace();
        let mut moves = Vec::new();
        while let Some(word) = words.next() {
            let mut next = || -> Result<u32> {
                let number = words.next().context("a move lacks a number")?;
                number.parse().context("a move has a word for a number")
            };
            moves.push(match word {
                "b" => Move::Book {
                    start: next()?,
                    len: next()?,
                    pes: next()?,
                },
                "h" => Move::Hold {
                    start: next()?,
                    len: next()?,
                    pes: next()?,
                    ttl: next()?,
                },
                "f" => Move::Free {
                    start: next()?,
                    len: next()?,
                    pes: next()?,
                },
                "q" => Move::Submit {
                    estimate: next()?,
                    pes: next()?,
                },
                "c" => Move::Cancel(next()?),
                "p" => Move::Pass(next()?),
                other => bail!("no such move: {other}"),
            });
        }
        Ok(Self { moves })
    }
}
