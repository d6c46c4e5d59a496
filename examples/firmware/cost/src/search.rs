//! Looks for the worst state of each operation: the listed adversaries first, then small random changes to the worst so far.

use std::{cmp::Reverse, path::Path};

use anyhow::{Result, ensure};
use fastrand::Rng;

use crate::{
    adversary::{self, Adversary, Size},
    golden::{Case, Cost},
    meter::{Arguments, Meter, Ranges},
    operation::{self, Grid, Needs, Operation, Takes},
    state::Move,
};

/// On how many states every call is tried.
const WORST: usize = 3;

/// How much is tried.
#[derive(Clone, Copy)]
pub struct Effort {
    /// The calls tried on every adversary.
    pub grid: Grid,
    /// Changes tried for each operation.
    pub changes: u32,
    pub seed: u64,
}

/// The worst found.
#[derive(Clone, Default)]
pub struct WorstCase {
    pub instructions: u32,
    pub slowest: Option<Candidate>,
    pub stack: u32,
    pub deepest: Option<Candidate>,
    /// Calls tried.
    calls: u64,
    /// Calls that did what they were asked to.
    done: u64,
}

impl WorstCase {
    /// The worse of two, in instructions and in stack.
    fn or(mut self, other: Self) -> Self {
        self.calls += other.calls;
        self.done += other.done;
        if other.instructions > self.instructions {
            (self.instructions, self.slowest) = (other.instructions, other.slowest);
        }
        if other.stack > self.stack {
            (self.stack, self.deepest) = (other.stack, other.deepest);
        }
        self
    }
}

/// A state and the call that is bad in it.
#[derive(Clone)]
pub struct Candidate {
    adversary: Adversary,
    arguments: Arguments,
}

impl From<Candidate> for Case {
    fn from(candidate: Candidate) -> Self {
        Self {
            adversary: candidate.adversary.name,
            state: candidate.adversary.state.to_string(),
            call: candidate.arguments,
        }
    }
}

/// The states that are tried, by what they have.
struct States {
    plain: Vec<Adversary>,
    free: Vec<Adversary>,
    crowded: Vec<Adversary>,
}

impl States {
    fn new(size: Size, adversaries: &[Adversary]) -> Self {
        Self {
            plain: adversaries.to_vec(),
            free: adversary::free(adversaries),
            crowded: adversary::crowded(size, adversaries),
        }
    }

    fn with(&self, needs: Needs) -> &[Adversary] {
        match needs {
            Needs::Nothing => &self.plain,
            Needs::Freedom => &self.free,
            Needs::Jobs => &self.crowded,
        }
    }

    /// Those that `operation` is tried on.
    fn of(&self, operation: &Operation) -> &[Adversary] {
        self.with(operation.needs)
    }
}

/// One book under search.
pub struct Search {
    meter: Meter,
    size: Size,
    rng: Rng,
}

impl Search {
    pub fn open(image: &Path, book: &str, size: Size, seed: u64) -> Result<Self> {
        let mut meter = Meter::start(image)?;
        meter.open(book)?;
        Ok(Self {
            meter,
            size,
            rng: Rng::with_seed(seed),
        })
    }

    pub fn close(self) -> Result<()> {
        self.meter.stop()
    }

    /// The worst of each operation: all calls of the grid on every adversary, then, each with changes to the worst so far, the `fine` grid
    /// on the worst few, the cases `known`, and the worst of the operations before.
    pub fn run(
        &mut self,
        operations: &[Operation],
        adversaries: &[Adversary],
        known: &[&Cost],
        effort: Effort,
        fine: Grid,
    ) -> Result<Vec<WorstCase>> {
        let states = States::new(self.size, adversaries);
        let first = self.try_each(operations, &states, effort.grid)?;
        let mut worst: Vec<WorstCase> = Vec::new();
        for (operation, first) in operations.iter().zip(first) {
            let mut order: Vec<usize> = (0..first.len()).collect();
            order.sort_by_key(|index| Reverse(first[*index].instructions));
            let mut found = first.into_iter().fold(WorstCase::default(), WorstCase::or);
            let mut starts = vec![self.try_cases(operation, known)?];
            starts.push(self.try_found(operation, &worst)?);
            for index in order.into_iter().take(WORST) {
                let adversary = &states.of(operation)[index];
                self.meter.build(&adversary.state.to_string())?;
                let ranges = operation.takes.everywhere(self.size, fine);
                starts.push(self.look(adversary, operation, ranges)?);
            }
            let share = effort.changes / starts.len() as u32;
            for start in starts {
                found = found.or(self.climb(operation, start, share)?);
            }
            let WorstCase {
                instructions,
                stack,
                calls,
                done,
                ..
            } = found;
            let name = &operation.name;
            // The cost of refusals alone would say little.
            ensure!(
                done > 0,
                "{name}: none of {calls} calls did what it was asked to"
            );
            eprintln!(
                "{name}: {instructions} instructions, {stack} bytes of stack in {calls} calls"
            );
            worst.push(found);
        }
        Ok(worst)
    }

    /// The worst of each operation, of all calls of the grid on every adversary.
    pub fn try_grid(
        &mut self,
        operations: &[Operation],
        adversaries: &[Adversary],
        grid: Grid,
    ) -> Result<Vec<WorstCase>> {
        let states = States::new(self.size, adversaries);
        let each = self.try_each(operations, &states, grid)?;
        let worst =
            |found: Vec<WorstCase>| found.into_iter().fold(WorstCase::default(), WorstCase::or);
        Ok(each.into_iter().map(worst).collect())
    }

    /// The same, for each adversary; nothing for operations whose worst states are those of others.
    fn try_each(
        &mut self,
        operations: &[Operation],
        states: &States,
        grid: Grid,
    ) -> Result<Vec<Vec<WorstCase>>> {
        let mut all = vec![Vec::new(); operations.len()];
        for needs in [Needs::Nothing, Needs::Freedom, Needs::Jobs] {
            let wanted = |operation: &Operation| operation.needs == needs && !operation.akin;
            if !operations.iter().any(wanted) {
                continue;
            }
            for adversary in states.with(needs) {
                self.meter.build(&adversary.state.to_string())?;
                for (operation, all) in operations.iter().zip(&mut all) {
                    if wanted(operation) {
                        let ranges = operation.takes.everywhere(self.size, grid);
                        all.push(self.look(adversary, operation, ranges)?);
                    }
                }
            }
        }
        Ok(all)
    }

    /// The cases that are known for this operation and for those that take the same.
    fn try_cases(&mut self, operation: &Operation, known: &[&Cost]) -> Result<WorstCase> {
        let mut found = WorstCase::default();
        let all = operation::all().into_iter();
        let same: Vec<Operation> = all.filter(|other| other.takes == operation.takes).collect();
        let costs = known
            .iter()
            .filter(|cost| same.iter().any(|other| other.name == cost.name));
        for case in costs.flat_map(|cost| &cost.case) {
            let mut adversary = Adversary {
                name: case.adversary.clone(),
                state: case.state.parse()?,
            };
            if operation.needs == Needs::Freedom {
                adversary.state.set_free();
            }
            self.meter.build(&adversary.state.to_string())?;
            let ranges = operation.takes.near(case.call, self.size);
            found = found.or(self.look(&adversary, operation, ranges)?);
        }
        Ok(found)
    }

    /// What the states found for other operations make of this one.
    fn try_found(&mut self, operation: &Operation, others: &[WorstCase]) -> Result<WorstCase> {
        let mut found = WorstCase::default();
        let candidates = others
            .iter()
            .flat_map(|other| [&other.slowest, &other.deepest]);
        for candidate in candidates.flatten() {
            let mut adversary = candidate.adversary.clone();
            if operation.needs == Needs::Freedom {
                adversary.state.set_free();
            }
            self.meter.build(&adversary.state.to_string())?;
            let ranges = operation.takes.near(candidate.arguments, self.size);
            found = found.or(self.look(&adversary, operation, ranges)?);
        }
        Ok(found)
    }

    /// Changes the worst state of `operation` again and again, and keeps what is not better.
    fn climb(
        &mut self,
        operation: &Operation,
        worst: WorstCase,
        changes: u32,
    ) -> Result<WorstCase> {
        let mut worst = worst;
        let Some(mut at) = worst.slowest.clone() else {
            return Ok(worst);
        };
        let mut level = worst.instructions;
        let name = match at.adversary.name.split_once(", changed") {
            Some((name, _)) => format!("{name}, changed by search"),
            None => format!("{}, changed by search", at.adversary.name),
        };
        for _ in 0..changes {
            let mut next = at.clone();
            next.adversary.name.clone_from(&name);
            for _ in 0..self.rng.u32(1..=3) {
                self.change(&mut next, operation);
            }
            if operation.needs == Needs::Freedom {
                next.adversary.state.set_free();
            }
            self.meter.build(&next.adversary.state.to_string())?;
            let ranges = operation.takes.near(next.arguments, self.size);
            let here = self.look(&next.adversary, operation, ranges)?;
            // As bad counts as a step, so that the search does not stay on one spot.
            if here.instructions >= level
                && let Some(slowest) = &here.slowest
            {
                (level, at) = (here.instructions, slowest.clone());
            }
            worst = worst.or(here);
        }
        Ok(worst)
    }

    fn look(
        &mut self,
        adversary: &Adversary,
        operation: &Operation,
        ranges: Ranges,
    ) -> Result<WorstCase> {
        let worst = self.meter.measure(&operation.name, ranges)?;
        let candidate = |arguments| {
            Some(Candidate {
                adversary: adversary.clone(),
                arguments,
            })
        };
        Ok(WorstCase {
            instructions: worst.instructions,
            slowest: candidate(worst.slowest),
            stack: worst.stack,
            deepest: candidate(worst.deepest),
            calls: worst.calls.into(),
            done: worst.done.into(),
        })
    }

    fn change(&mut self, candidate: &mut Candidate, operation: &Operation) {
        let state = &mut candidate.adversary.state;
        let most = self.size.rows as usize + 8 + state.jobs();
        let moves = &mut state.moves;
        let at = if moves.is_empty() {
            0
        } else {
            self.rng.usize(..moves.len())
        };
        match self.rng.u32(..12) {
            0 if moves.len() < most => {
                let new = self.random_move(operation.needs);
                moves.insert(at, new);
            }
            1 if !moves.is_empty() => {
                moves.remove(at);
            }
            2 if !moves.is_empty() => {
                let other = self.rng.usize(..moves.len());
                moves.swap(at, other);
            }
            3 if !moves.is_empty() && moves.len() < most => moves.insert(at, moves[at]),
            4 | 5 => self.change_call(&mut candidate.arguments, operation.takes),
            6 if !moves.is_empty() => moves[at] = self.random_move(operation.needs),
            _ if !moves.is_empty() => moves[at] = self.near_move(moves[at]),
            _ => {}
        }
    }

    fn random_move(&mut self, needs: Needs) -> Move {
        let Size { slots, pes, .. } = self.size;
        let start = self.rng.u32(..slots);
        let room = slots - start;
        let len = match self.rng.u32(..3) {
            0 => 1,
            1 => self.rng.u32(1..=room.min(12)),
            _ => self.rng.u32(1..=room),
        };
        let pes = match self.rng.u32(..3) {
            0 => 1,
            1 => self.rng.u32(1..=pes.min(4)),
            _ => self.rng.u32(1..=pes),
        };
        match self.rng.u32(..16) {
            0 => Move::Cancel(self.rng.u32(..self.size.rows)),
            1 => Move::Pass(self.rng.u32(..slots)),
            2 | 3 => Move::Hold {
                start,
                len,
                pes,
                ttl: self.rng.u32(1..=slots),
            },
            4..=6 if needs == Needs::Jobs => Move::Submit { estimate: len, pes },
            _ => Move::Book { start, len, pes },
        }
    }

    fn near_move(&mut self, old: Move) -> Move {
        let Size { slots, pes, .. } = self.size;
        let near = |rng: &mut Rng, value: u32, least: u32, most: u32| {
            let far = 1 << rng.u32(..4);
            (value + rng.u32(0..=2 * far))
                .saturating_sub(far)
                .clamp(least, most.max(least))
        };
        let rng = &mut self.rng;
        match old {
            Move::Book { start, len, pes: n } => match rng.u32(..6) {
                0 | 1 => Move::Book {
                    start: near(rng, start, 0, slots - 1),
                    len,
                    pes: n,
                },
                2 | 3 => Move::Book {
                    start,
                    len: near(rng, len, 1, slots),
                    pes: n,
                },
                4 => Move::Book {
                    start,
                    len,
                    pes: near(rng, n, 1, pes),
                },
                _ => Move::Hold {
                    start,
                    len,
                    pes: n,
                    ttl: rng.u32(1..=slots),
                },
            },
            Move::Hold {
                start,
                len,
                pes: n,
                ttl,
            } => match rng.u32(..5) {
                0 => Move::Hold {
                    start: near(rng, start, 0, slots - 1),
                    len,
                    pes: n,
                    ttl,
                },
                1 => Move::Hold {
                    start,
                    len: near(rng, len, 1, slots),
                    pes: n,
                    ttl,
                },
                2 => Move::Hold {
                    start,
                    len,
                    pes: near(rng, n, 1, pes),
                    ttl,
                },
                3 => Move::Hold {
                    start,
                    len,
                    pes: n,
                    ttl: near(rng, ttl, 1, slots),
                },
                _ => Move::Book { start, len, pes: n },
            },
            Move::Free { start, len, pes: n } => match rng.u32(..3) {
                0 => Move::Free {
                    start: near(rng, start, 0, slots - 1),
                    len,
                    pes: n,
                },
                1 => Move::Free {
                    start,
                    len: near(rng, len, 1, slots),
                    pes: n,
                },
                _ => Move::Free {
                    start,
                    len,
                    pes: near(rng, n, 1, pes),
                },
            },
            Move::Submit { estimate, pes: n } => match rng.u32(..2) {
                0 => Move::Submit {
                    estimate: near(rng, estimate, 1, slots),
                    pes: n,
                },
                _ => Move::Submit {
                    estimate,
                    pes: near(rng, n, 1, pes),
                },
            },
            Move::Cancel(number) => Move::Cancel(near(rng, number, 0, self.size.rows)),
            Move::Pass(by) => Move::Pass(near(rng, by, 0, slots)),
        }
    }

    fn change_call(&mut self, arguments: &mut Arguments, takes: Takes) {
        let Size { slots, pes, .. } = self.size;
        let rng = &mut self.rng;
        let [a, b, c, d] = arguments;
        match takes {
            Takes::Request => match rng.u32(..4) {
                0 => *a = if rng.bool() { 0 } else { rng.u32(..slots / 2) },
                1 => *b = rng.u32(1..=slots),
                2 => {
                    *c = if rng.bool() {
                        slots
                    } else {
                        rng.u32(slots / 2..=slots)
                    }
                }
                _ => *d = rng.u32(1..=pes),
            },
            Takes::BookingAndSlot | Takes::AnyBookingAndSlot => *b = rng.u32(..=slots),
            Takes::Slot | Takes::FarSlot => *a = rng.u32(..=slots),
            Takes::Window | Takes::StartAndDuration => {
                *a = rng.u32(..=slots);
                *b = rng.u32(1..=slots);
            }
            Takes::Query => match rng.u32(..3) {
                0 => *a = rng.u32(..5),
                1 => *b = if rng.bool() { 0 } else { rng.u32(..=slots) },
                _ => *d = if rng.bool() { 0 } else { rng.u32(..=pes) },
            },
            Takes::Job => {
                *a = rng.u32(1..=slots);
                *b = rng.u32(1..=pes);
            }
            Takes::BookingAndPes => *b = rng.u32(..=pes),
            Takes::BookingAndWindow => {
                *b = rng.u32(..=slots);
                *c = if rng.bool() { slots } else { rng.u32(..=slots) };
            }
            Takes::Booking | Takes::EightBookings | Takes::Nothing => {}
        }
    }
}
